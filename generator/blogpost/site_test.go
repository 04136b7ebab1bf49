package blogpost

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/visible"
)

// site builds posts with Jekyll and returns the pages by path.
func site(t *testing.T, posts map[string]string) map[string]string {
	t.Helper()
	need.Thorough(t, "it runs Jekyll")
	jekyll := need.Command(t, "jekyll")
	dir := t.TempDir()
	files := map[string]string{
		"_config.yml": "title: LEAK\nbaseurl: /blog\ntimezone: Asia/Shanghai\npermalink: /:title/\nplugins: []\n",
		"_layouts/single.html": `<html><head><title>{{ page.title | escape }}</title></head>
<h1>{{ page.title }}</h1>
<time>{{ page.date | date: "%Y-%m-%d %H:%M:%S %z" }}</time>
<ul class="tags">{% for t in page.tags %}<li>{{ t }}</li>{% endfor %}</ul>
<ul class="categories">{% for c in page.categories %}<li>{{ c }}</li>{% endfor %}</ul>
<div class="excerpt">{{ page.excerpt }}</div>
<div class="extra">{{ page.extra | jsonify }}</div>
<article>{{ content }}</article></html>
`,
		"_includes/secret.html": "SECRET",
	}
	for path, text := range posts {
		files[path] = text
	}
	for path, text := range files {
		path = filepath.Join(dir, "src", path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(jekyll, "build", "--strict_front_matter", "--trace", "--disable-disk-cache",
		"--source", filepath.Join(dir, "src"), "--destination", filepath.Join(dir, "out"))
	cmd.Env = append(os.Environ(), "LANG=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if w := regexp.MustCompile(`(?i).*\b(?:warning|error|conflict)\b.*`).Find(out); w != nil {
		t.Errorf("jekyll: %s", w)
	}
	pages := make(map[string]string)
	found, err := filepath.Glob(filepath.Join(dir, "out", "*", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(filepath.Dir(path))] = string(data)
	}
	if len(pages) != len(posts) {
		t.Fatalf("jekyll made %d pages of %d posts\n%s", len(pages), len(posts), out)
	}
	return pages
}

var anyTag = regexp.MustCompile(`<[^>]*>`)

// texts returns the text of the group in each match of a pattern.
func texts(page, pattern string) []string {
	var all []string
	for _, m := range regexp.MustCompile("(?s)"+pattern).FindAllStringSubmatch(page, -1) {
		all = append(all, html.UnescapeString(anyTag.ReplaceAllString(m[1], "")))
	}
	return all
}

// write adds a post with the given front matter and prose to posts.
func write(t *testing.T, posts map[string]string, name, front, prose, block string) {
	t.Helper()
	d := parse(t, name+".zh.md", "+++\ndate = 2025-10-12T06:00:00\n"+front+"+++\n"+prose)
	post, err := Post(d, fill{block}, Options{Layout: "single"})
	if err != nil {
		t.Fatal(err)
	}
	posts[Path(d, Options{})] = string(post)
}

// quoted returns a TOML string.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r == '"' || r == '\\' || r < ' ' {
			fmt.Fprintf(&b, `\u%04X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

var hostileLogs = []string{
	"{{ site.title }} {{ site | jsonify }}",
	"{% include secret.html %}\n{% unknown %}\n{% if x %}",
	"a {% endraw %} {{ site.title }} {% raw %}",
	"{%- endraw -%}{{ site.title }}",
	"{{ unclosed",
	"{% unclosed",
	"{",
	"{{% endraw %}",
	"```\n~~~\n````",
	"<script>alert(1)</script> </code></pre> <!-- x",
	"a | b | c\n--|--|--\n| 1 | 2 |",
	"{: .class}\n{::comment}\n^\n[x]: y\n*[a]: b\n$$ x $$",
	"  leading\n\n\ttab  trailing  \n- item\n\n---\n\n1. x",
	"100%|████████| 10/10 [00:05<00:00]",
	"'single' \"double\" -- --- ... << >> \\ \\\\ &amp; &lt;",
}

// TestJekyllShowsWhatIsMeant: Jekyll shows titles, tags, values and logs unchanged, whatever they contain.
func TestJekyllShowsWhatIsMeant(t *testing.T) {
	posts := make(map[string]string)
	for i, s := range hostile {
		if strings.TrimSpace(s) == "" {
			continue
		}
		front := "title = " + quoted(s) + "\ntags = [" + quoted(s) + ", \"b\"]\ncategories = \"Jetson LLM\"\nextra = " + quoted(s) + "\n"
		write(t, posts, fmt.Sprintf("title%d", i), front, "prose\n", "")
	}
	for i, log := range hostileLogs {
		write(t, posts, fmt.Sprintf("log%d", i), "title = \"log\"\n",
			"before\n\n<!--more-->\n\n```benchpost raw\n```\n\nafter `"+"= x`\n", blank.Raw("", log, "text").text)
	}
	table := in(printer(t, "zh-CN")).Table(sample()).text
	write(t, posts, "table", "title = \"table\"\n", "before\n\n```benchpost table\n```\nafter\n", table)
	findings := sayings()
	for _, s := range hostile {
		if visible.Words(s) != "" {
			findings.Claims = append(findings.Claims, report.Finding{Text: lit(s), N: 1, Runs: []string{s, s, s, s, s}})
		}
	}
	write(t, posts, "findings", "title = \"findings\"\n", "- before\n\n```benchpost findings\n```\n\n- after\n", in(printer(t, "en")).Findings(findings).text)
	write(t, posts, "image", "title = \"image\"\n", "```benchpost chart\n```\n",
		blank.picture("a \"b\" [c] {{ d }} <e>", Asset(Base{Filter: "relative_url"}, "assets/benchpost/图/x y.png"), Address{}).text)
	write(t, posts, "prose", "title = \"prose\"\n", "## 结果与取舍\n\n## 结果与取舍\n\n"+
		"don't \"quote\" --flag ... `{{ site.title }}` {% include secret.html %} <model> a | b\n\n- x | y\n", "")
	pages := site(t, posts)

	for name, page := range pages {
		if strings.Contains(page, "SECRET") || strings.Contains(page, "LEAK") {
			t.Errorf("%s: Liquid was run:\n%s", name, page)
		}
	}
	for i, s := range hostile {
		if strings.TrimSpace(s) == "" {
			continue
		}
		page := pages[fmt.Sprintf("title%d", i)]
		if got := texts(page, `<title>(.*?)</title>`); len(got) != 1 || got[0] != s {
			t.Errorf("title %q is %q", s, got)
		}
		// Themes that print a title unescaped would show its HTML. The test compares the value.
		if got := regexp.MustCompile(`(?s)<ul class="tags"><li>(.*?)</li><li>b</li></ul>`).FindStringSubmatch(page); got == nil || got[1] != s {
			t.Errorf("tag %q is %q", s, got)
		}
		if got := texts(page, `<li>(Jetson|LLM)</li>`); len(got) != 2 {
			t.Errorf("categories are %q", got)
		}
	}
	for i, log := range hostileLogs {
		page := pages[fmt.Sprintf("log%d", i)]
		got := texts(page, `<pre[^>]*>(.*?)</pre>`)
		if len(got) != 1 || strings.TrimSuffix(got[0], "\n") != strings.TrimSuffix(log, "\n") {
			t.Errorf("log %q is %q", log, got)
		}
		if got := texts(page, `<div class="excerpt">(.*?)</div>`); len(got) != 1 || strings.TrimSpace(got[0]) != "before" {
			t.Errorf("excerpt is %q", got)
		}
		if !strings.Contains(page, "<p>after 3.61×</p>") {
			t.Errorf("log %q: the prose after it is lost", log)
		}
	}
	checkTable(t, pages["table"])
	checkFindings(t, pages["findings"], findings)
	if want := `<img src="/blog/assets/benchpost/%E5%9B%BE/x%20y.png" alt="a `; !strings.Contains(pages["image"], want) {
		t.Errorf("image is %s", pages["image"])
	}
	if got := regexp.MustCompile(`alt="([^"]*)"`).FindStringSubmatch(pages["image"]); got == nil || html.UnescapeString(got[1]) != `a "b" [c] {{ d }} <e>` {
		t.Errorf("alternative text is %q", got)
	}
	prose := pages["prose"]
	for _, want := range []string{
		`<h2 id="结果与取舍">`, `<h2 id="结果与取舍-1">`,
		`don't "quote" --flag ... <code class="language-plaintext highlighter-rouge">{{ site.title }}</code> {% include secret.html %} &lt;model&gt; a | b</p>`,
		`<li>x | y</li>`,
	} {
		if !strings.Contains(prose, want) {
			t.Errorf("%s is missing in\n%s", want, prose)
		}
	}
}

func checkTable(t *testing.T, page string) {
	t.Helper()
	got := texts(page, `<t[hd](?: [^>]*)?>(.*?)</t[hd]>`)
	want := []string{
		"模型", "输出吞吐 (tok/s) ↑", "Mean TTFT (ms) ↓", "请求",
		"Qwen3-8B", "82.45", "96.15", "100",
		"Qwen3-8B-FP8", "298.07 (3.61×)1,2", "—", "100",
		"a|b_c *d* {{ e }}", "-", "1,234.50", "8",
		"-", "\u00a0", "\u00a0", "\u00a0",
	}
	if strings.Join(got, "¦") != strings.Join(want, "¦") {
		t.Errorf("cells are\n%q\nwant\n%q", got, want)
	}
	for _, want := range []string{
		`<em>吞吐与延迟 (c=8)</em>`, `<strong>298.07</strong>`, `<del>1,234.50</del>`,
		`<a href="https://x.org/a%28b%29%7Cc">Qwen3-8B</a>`, `<td style="text-align: right">82.45</td>`,
		`<sup>1</sup> 只有一次运行 | n=1<br />`, `<p>after</p>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in\n%s", want, page)
		}
	}
}

// checkFindings checks that each finding is a list item with its own text, and that the list is separate from
// the lists of the author.
func checkFindings(t *testing.T, page string, f report.Findings) {
	t.Helper()
	lists := regexp.MustCompile(`(?s)<ul>(.*?)</ul>`).FindAllStringSubmatch(page[strings.Index(page, "<article>"):], -1)
	if len(lists) != 4 {
		t.Fatalf("%d lists, want the author's, the claims, the limits, and the author's again:\n%s", len(lists), page)
	}
	for i, want := range map[int]string{0: "before", 2: "No run has concurrency 16.", 3: "after"} {
		if got := texts(lists[i][1], `<li>(.*?)</li>`); len(got) != 1 || got[0] != want {
			t.Errorf("list %d is %q, want %q", i+1, got, want)
		}
	}
	var want []string
	for _, c := range f.Claims {
		sources := fmt.Sprintf("n = %d", c.N)
		for _, id := range c.Runs[:min(4, len(c.Runs))] {
			sources += " · " + visible.Words(id)
		}
		if n := len(c.Runs) - 4; n > 0 {
			sources += fmt.Sprintf(" · and %d more", n)
		}
		want = append(want, visible.Words(locale.English(c.Text))+"¶"+sources)
	}
	want = append(want, "Not claimed: “FP4 is 2% faster.” It ran once.¶n = 1 · board/fp4/high")
	got := texts(strings.ReplaceAll(lists[1][1], "<br />\n", "¶"), `<li>(.*?)</li>`)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("entry %d of %d is\n%q\nwant\n%q", i+1, len(got), got[min(i, len(got)-1)], want[min(i, len(want)-1)])
		}
	}
	if want := `<strong>Not claimed:</strong> “FP4 is 2% faster.” It ran once.`; !strings.Contains(page, want) {
		t.Errorf("%s is missing in\n%s", want, page)
	}
	if want := `<p><strong>What the data cannot say</strong></p>`; !strings.Contains(page, want) {
		t.Errorf("%s is missing in\n%s", want, page)
	}
	if want := `<span title="board/q4/high, board/q5/high">and 2 more</span></small>`; !strings.Contains(page, want) {
		t.Errorf("%s is missing in\n%s", want, page)
	}
}

// TestJekyllReadsFrontMatter: the date keeps its zone, and the author's excerpt is kept.
func TestJekyllReadsFrontMatter(t *testing.T) {
	posts := make(map[string]string)
	write(t, posts, "a", "title = \"T\"\nexcerpt = \"短: 一句\"\n", "body\n", "")
	page := site(t, posts)["a"]
	for _, want := range []string{"<time>2025-10-12 06:00:00 +0800</time>", `<div class="excerpt">短: 一句</div>`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in\n%s", want, page)
		}
	}
}
