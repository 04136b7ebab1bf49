package site

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/address"
)

// hostileSite makes a site whose names, labels, logs and texts try to act as markup or code.
func hostileSite(t *testing.T) string {
	t.Helper()
	const log = `</script><script>pwned=1</script><img src=x onerror=pwned=2>
============ Serving Benchmark Result ============
Successful requests:                     100
Maximum request concurrency:             8
Benchmark duration (s):                  52.16
Total input tokens:                      51200
Total generated tokens:                  12800
Request throughput (req/s):              1.92
Output token throughput (tok/s):         245.40
Total Token throughput (tok/s):          1226.99
---------------Time to First Token----------------
Mean TTFT (ms):                          210.40
Median TTFT (ms):                        204.09
P99 TTFT (ms):                           336.64
==================================================
</code></pre><svg onload=pwned=3>]]>--!>` + "\u2028\x1b[31m"
	const labels = `model = '"><script>pwned=4</script>'
engine = "javascript:pwned=5"
hardware = "</title><img src=x onerror=pwned=6>"
quantization = "=HYPERLINK(\"http://evil.example/\",\"x\")"
dataset = "{{.Title}}{% raw %}\u2028"
power_mode = "' onmouseover='pwned=7"
`
	const post = `+++
title = "{{printf \"%s\" .}} </title><script>pwned=8</script>"
date = 2026-01-15
tags = ["<img src=x onerror=pwned=9>", "'\"><b>"]
excerpt = "<img src=x onerror=pwned=10>"
+++
Text with [a link](javascript:pwned=11), [data](data:text/html,<script>pwned=12</script>) and ` + "`</code><script>pwned=13</script>`" + `.

## A heading {#s}

## Second "onclick=pwned=15 {#"onclick=pwned=15}

## Third

## Fourth

` + "```benchpost table\nrows = [\"model\"]\ncolumns = [\"quantization\", \"engine\", \"power_mode\", \"output_throughput\", \"ttft_mean\"]\ncaption = \"</caption><img src=x onerror=pwned=16>\"\nnotes = [\"<script>pwned=17</script>\"]\n```\n\n" +
		"```benchpost findings\n```\n\n" +
		"```benchpost chart <svg-onload=pwned=18>\nkind = \"bars\"\nvalue = \"output_throughput\"\nseries = \"quantization\"\ntitle = \"</svg><img src=x onerror=pwned=19>\"\n```\n\n" +
		"```benchpost raw\ntitle = [\"model\", \"power_mode\"]\n```\n"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"site.toml": `title = "{{site}}</title><script>pwned=20</script>"
description = "\"><img src=x onerror=pwned=21>"
author = "'><script>pwned=22</script>"
languages = ["zh-CN", "en"]
[[model]]
id = '"><script>pwned=4</script>'
title = "<img src=x onerror=pwned=23>"
url = "javascript:pwned=24"
note = "</dl><script>pwned=25</script>"
`,
		"runs/a/run.toml": labels,
		"runs/a/<img src=x onerror=pwned=26>/high.log":          log,
		"runs/a/<img src=x onerror=pwned=26>/run.toml":          "model = \"<i>other</i>\"\n",
		"runs/a/'onclick=pwned=27 x='/a\x1b]0;t\x07\u2028.log":  strings.Replace(log, "245.40", "240.00", 1),
		"runs/a/model=</script><script>pwned=28</script>/b.log": strings.Replace(log, "245.40", "250.00", 1),
		"runs/a/noresult<script>.txt":                           "nothing",
		"content/posts/hostile.en.md":                           post,
		"content/posts/hostile.zh.md":                           post,
		"content/pages/README.md":                               "# Manual \\<img src=x onerror=pwned=40>\n\n## \\</a>\\<script>pwned=41\\</script>\n\n- [x](<'onclick=pwned=42 x='.md>)\n- [x](y.md)\n",
		"content/pages/'onclick=pwned=42 x='.md":                "# \\</title>\\<script>pwned=43\\</script> \"onclick=pwned=44\n\n[a](javascript:pwned=45) [b](y.md#\"onclick=pwned=46) ![c](data:text/html,<script>pwned=47</script>)\n\n```benchpost <script>pwned=48</script>\n</code><script>pwned=49</script>\n```\n",
		"content/pages/y.md":                                    post,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		need.Granted(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

var metaPolicy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)

// TestAHostileSiteDoesNoHarm checks that no page executes, interprets as markup, or is broken by the contents of runs,
// names and posts, and that every page forbids what it does not need.
func TestAHostileSiteDoesNoHarm(t *testing.T) {
	dir := hostileSite(t)
	s, ms, err := Build(context.Background(), Options{Dir: dir})
	if err != nil || s.Broken || s.Results < 3 {
		t.Fatal(err, s, ms)
	}
	out := filepath.Join(dir, "public", "site")
	tab := browser.Open(t)
	var opened []string
	for name, data := range files(t, out) {
		text := string(data)
		switch path.Ext(name) {
		case ".html":
			if m := metaPolicy.FindStringSubmatch(text); name != "404.html" && (m == nil || m[1] != page.Policy) {
				t.Errorf("%s has the policy %q", name, m)
			}
			for _, block := range regexp.MustCompile(`(?s)<script type="application/(?:ld\+)?json"[^>]*>(.*?)</script>`).FindAllStringSubmatch(text, -1) {
				if !json.Valid([]byte(block[1])) || strings.ContainsAny(block[1], "<\u2028") {
					t.Errorf("%s has the data %s", name, block[1])
				}
			}
			openHostile(t, tab, out, name)
			opened = append(opened, filepath.Join(out, filepath.FromSlash(name)))
		case ".js":
			if strings.HasPrefix(name, "data/") && !harmlessData(text) {
				t.Errorf("%s is no plain data: %s", name, text[:min(len(text), 300)])
			}
		case ".csv":
			harmlessSheet(t, name, text)
		}
		if strings.ContainsAny(name, "\x1b\x07") {
			t.Errorf("%q has control characters in its name", name)
		}
	}
	checker.Markup(t, opened...)
	if len(opened) < 20 {
		t.Errorf("only %d pages were opened", len(opened))
	}
	single, _, err := BuildSingle(context.Background(), Options{Dir: dir}, "hostile.en")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "single.html"), single.Data, 0o644); err != nil {
		t.Fatal(err)
	}
	openHostile(t, tab, out, "single.html")
}

// openHostile opens a page and checks that nothing was executed or became markup.
func openHostile(t *testing.T, tab *browser.Tab, dir, name string) {
	t.Helper()
	base := "file://" + filepath.ToSlash(dir) + "/"
	tab.Do(chromedp.Navigate(base + address.Link("", name)))
	if got := browser.Eval[string](tab, `[...document.querySelectorAll('img[src="x"], script:not([src], [type="application/json"], [type="application/ld+json"]), [href^="javascript:" i], a[href^="data:text/html" i], svg[onload]')]
		.concat([...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => a.name.startsWith("on"))))
		.filter(e => !(location.pathname.endsWith("single.html") && e.tagName === "SCRIPT")).map(e => e.outerHTML.slice(0, 150)).join("\n")`); got != "" {
		t.Errorf("%q contains %s", name, got)
	}
	if browser.Eval[bool](tab, `"pwned" in window`) {
		t.Errorf("%q ran what it should show: %d", name, browser.Eval[int64](tab, `Number(window.pwned)`))
	}
	if troubles, _ := tab.Troubles(base); len(troubles) > 0 {
		t.Errorf("%q: %v", name, troubles)
	}
}

// harmlessData reports whether a script only assigns JSON.
func harmlessData(script string) bool {
	value, ok := strings.CutPrefix(script, `(self.benchpost??={})[`)
	name, value, cut := strings.Cut(value, `]=`)
	value, end := strings.CutSuffix(strings.TrimSpace(value), ";")
	return ok && cut && end && json.Valid([]byte(name)) && json.Valid([]byte(value)) && !strings.ContainsAny(script, "<\u2028\u2029")
}

// harmlessSheet checks that no cell is a formula for a spreadsheet.
func harmlessSheet(t *testing.T, name, text string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	number := regexp.MustCompile(`^[+-]?[\d.,]+(e[+-]?\d+)?%?$`)
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) && !number.MatchString(cell) {
				t.Errorf("%s contains the formula %q", name, cell)
			}
		}
	}
}
