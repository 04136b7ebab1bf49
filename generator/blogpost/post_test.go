package blogpost

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
)

// fill writes the same Markdown in place of every block.
type fill struct{ block string }

func (f fill) Block(*document.Block) Markdown { return Markdown{f.block} }
func (fill) Value(*document.Value) string     { return "3.61×" }
func (fill) Link(*document.Link) Address      { return Address{} }

// blank has no language, for output without words. in returns a Writer with one.
var blank = Writer{}

func in(p locale.Printer) Writer { return Writer{Printer: p} }

func parse(t *testing.T, file, src string) *document.Document {
	t.Helper()
	d, msgs := document.Parse(file, []byte(src), document.Options{Location: time.FixedZone("", 8*60*60)})
	if len(msgs) > 0 {
		t.Fatal(msgs)
	}
	return d
}

func TestPath(t *testing.T) {
	tests := []struct{ file, slug, want string }{
		{"quant.zh.md", "", "_posts/2025-10-12-quant.md"},
		{"quant.en.md", "", "_posts/2025-10-12-quant-en.md"},
		{"a.zh.md", "Jetson Thor: 推理 (上)", "_posts/2025-10-12-Jetson-Thor-推理-上.md"},
		{"a.zh.md", "../../x/y", "_posts/2025-10-12-x-y.md"},
		{"a.zh.md", "qwen3.5_v1", "_posts/2025-10-12-qwen3.5_v1.md"},
		{"a.zh.md", "!?", "_posts/2025-10-12-post.md"},
	}
	for _, tt := range tests {
		src := "+++\ntitle = \"T\"\ndate = 2025-10-12T06:00:00\n"
		if tt.slug != "" {
			src += "slug = '" + tt.slug + "'\n"
		}
		d := parse(t, tt.file, src+"+++\n")
		if got := Path(d, Options{Language: "zh-CN"}); got != tt.want {
			t.Errorf("%s %q: got %s, want %s", tt.file, tt.slug, got, tt.want)
		}
	}
}

// TestOldAddresses: an earlier name has the address that the blog gave it.
func TestOldAddresses(t *testing.T) {
	for _, c := range []struct{ permalink, front, want string }{
		{"", "", `["/2025/10/12/old-en.html"]`},
		{"date", "categories = \"Jetson LLM\"\n", `["/jetson/llm/2025/10/12/old-en.html"]`},
		{"pretty", "categories = [\"Jetson LLM\"]\n", `["/jetson llm/2025/10/12/old-en/"]`},
		{"ordinal", "", `["/2025/285/old-en.html"]`},
		{"/posts/:title/", "redirect_from = [\"/x\"]\n", `["/x", "/posts/old-en/"]`},
		{":short_year/:i_month/:i_day/:slug", "redirect_from = \"/x\"\n", `["/x", "/25/10/12/old-en"]`},
		{"none", "permalink = \"/here/\"\n", ""},
	} {
		d := parse(t, "new.en.md", "+++\ntitle = \"T\"\ndate = 2025-10-12T06:00:00\naliases = [\"old\"]\n"+c.front+"+++\n")
		post, err := Post(d, fill{}, Options{Language: "zh-CN", Permalink: c.permalink})
		_, after, _ := strings.Cut(string(post), "redirect_from: ")
		if got, _, _ := strings.Cut(after, "\n"); err != nil || got != c.want {
			t.Errorf("%q %q: %q, want %q (%v)", c.permalink, c.front, got, c.want, err)
		}
	}
	if Unsupported("/:categories/:title/:foo/") != ":foo" || Unsupported("pretty") != "" || Unsupported("/:year/:title:output_ext") != "" {
		t.Error("placeholders that are not known")
	}
}

func TestPost(t *testing.T) {
	d := parse(t, "quant.zh.md", `+++
title = "大模型: 推理 {{ site.title }}"
date = 2025-10-12T06:00:00
categories = "Jetson LLM"
tags = ["vLLM", "3.10", "no", "@x"]
excerpt = "一句话"
image = "/assets/x.png"
draft = true
toc = true
runs = '{load="high"}'
ratio = 2.0
last_modified_at = 2025-10-13T00:00:00Z
[header]
teaser = "/t.png"
sizes = [1, 2]
cta = [{label = "More", url = "https://x.org"}]
+++
开头

<!--more-->

`+"```benchpost table\n```\n")
	got, err := Post(d, fill{"| a |\n|---|\n| b |"}, Options{Layout: "single", Omit: []string{"runs"}})
	if err != nil {
		t.Fatal(err)
	}
	want := `---
layout: single
title: "大模型: 推理 \u007b{ site.title }}"
date: 2025-10-12 06:00:00 +0800
lang: zh-CN
categories: Jetson LLM
tags: [vLLM, "3.10", "no", "@x"]
excerpt: 一句话
excerpt_separator: "<!--more-->"
image: "/assets/x.png"
published: false
toc: true
ratio: 2.0
last_modified_at: 2025-10-13 00:00:00 +0000
header:
  teaser: "/t.png"
  sizes: [1, 2]
  cta: [{label: More, url: "https://x.org"}]
---

开头

<!--more-->

| a |
|---|
| b |
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPostOwnKeys: a key of the author replaces the generated one.
func TestPostOwnKeys(t *testing.T) {
	d := parse(t, "a.zh.md", "+++\ntitle = \"T\"\ndate = 2025-10-12T06:00:00\nlang = \"zh-Hans\"\n+++\n")
	got, err := Post(d, fill{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "---\ntitle: T\ndate: 2025-10-12 06:00:00 +0800\nlang: zh-Hans\n---\n\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// hostile contains strings that YAML, Liquid or Markdown would interpret differently.
var hostile = []string{
	"3.10", "no", "Yes", "y", "~", "null", "12:30", "2025-10-12", "0x1F", "1_000", "1e3", ".5", ".inf", "=", "<<",
	"A: B", "A #b", "a:", "- x", "? x", "@x", "`x`", "%x", "&a", "*a", "!x", "!!str x", "|", ">", "[a", "{a", "]", "}",
	`"q"`, "'q'", `back\slash`, "tab\there", "two\nlines", " lead", "trail ", "", "#", "---", "...",
	"{{ site.title }}", "{% include secret.html %}", "{% raw %}", "{% endraw %}", "a{{", "{%",
	"<script>alert(1)</script>", "a & b &amp; c", "大模型: 推理", "“引”", "emoji 🚀", "nbsp\u00a0x", "\u2028", "\ufeffbom",
	"Qwen3-8B (FP8)", "a, b", "C++", "x/y", "50%", "a|b", "true story", "on", "Off", "nan", "日本語", "é",
}

// TestFrontMatterThroughPsych: Psych, with which Jekyll parses front matter, returns every value unchanged.
func TestFrontMatterThroughPsych(t *testing.T) {
	ruby := need.Command(t, "ruby")
	var front []byte
	want := make(map[string]any)
	add := func(key string, value, read any) {
		front = appendField(front, document.Field{Key: key, Value: value}, 0)
		want[key] = read
	}
	for _, s := range hostile {
		add("k "+s, s, s)
	}
	all := make([]any, len(hostile))
	for i, s := range hostile {
		all[i] = s
	}
	add("list", all, all)
	add("int", int64(7), 7.0)
	add("float", 1e6, 1e6)
	add("small", 1.25e-7, 1.25e-7)
	add("bool", true, true)
	add("empty", []any{}, []any{})
	add("table", []document.Field{{Key: "a: b", Value: "no"}, {Key: "n", Value: []any{[]document.Field{{Key: "x", Value: "{a}"}}}}},
		map[string]any{"a: b": "no", "n": []any{map[string]any{"x": "{a}"}}})
	add("date", time.Date(2025, 10, 12, 6, 0, 0, 0, time.FixedZone("", 8*60*60)), "2025-10-12T06:00:00+08:00")

	cmd := exec.Command(ruby, "-ryaml", "-rjson", "-rtime", "-e", `
		h = YAML.safe_load(STDIN.read, permitted_classes: [Time])
		h["date"] = h["date"].getlocal("+08:00").iso8601
		puts JSON.generate(h)`)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(front)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, front)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for key := range want {
		if !reflect.DeepEqual(got[key], want[key]) {
			t.Errorf("%q: got %#v, want %#v", key, got[key], want[key])
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d keys, want %d", len(got), len(want))
	}
}

func TestFloat(t *testing.T) {
	for v, want := range map[float64]string{2: "2.0", 0.5: "0.5", 1e21: "1000000000000000000000.0",
		math.Inf(1): ".inf", math.Inf(-1): "-.inf"} {
		if got := float(v); got != want {
			t.Errorf("float(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestRaw(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"log", "Mean TTFT (ms): 96.62\n", "```text\nMean TTFT (ms): 96.62\n```\n"},
		{"fences", "```\n", "````text\n```\n````\n"},
		{"Liquid", "{{ x }}", "{% raw %}\n```text\n{{ x }}\n```\n{% endraw %}\n"},
		{"control characters", "a\r\nb\x1b[0m\x00\xff", "```text\na\nb␛[0m␀\ufffd\n```\n"},
	}
	for _, tt := range tests {
		if got := blank.Raw("", tt.in, "text").text; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestWordsOfBlocksAreText: the title of raw output, the reason for an absent block and the words of a chart
// are shown as text on one line, whatever they contain.
func TestWordsOfBlocksAreText(t *testing.T) {
	p := printer(t, "en")
	for _, s := range []string{"{{ site.secret }}", "{% raw %}", "{%- endraw -%}", "[x] done", "<img src=x onerror=y>", "[x](javascript:y){: onclick=\"z\"}",
		"# a", "- a", "1. a", "> a", "a\n\n---\n\nb", "{::options /}", "| a |", "[a]: b", "*[a]: b", "$$x$$", "a\x1b[0m"} {
		for what, got := range map[string]Markdown{
			"raw": blank.Raw(s, "log", ""), "absent": in(p).Absent(s),
			"chart": blank.Chart(s, Asset(Base{Prefix: "/b"}, "a.png"), Address{}, s, Asset(Base{Prefix: "/b"}, "a.csv")), "dark": blank.Chart(s, Asset(Base{Prefix: "/b"}, "a.png"), Asset(Base{Prefix: "/b"}, "d.png"), s, Asset(Base{Prefix: "/b"}, "a.csv")),
		} {
			text := got.String()
			if strings.Contains(text, "{{") || strings.Contains(text, "{%") || strings.Contains(strings.ReplaceAll(text, `\<`, ""), "<img src=x") || strings.Contains(text, "{:") && !strings.Contains(text, `\{:`) ||
				strings.ContainsAny(text, "\x1b") || strings.Contains(text, "](java") && !strings.Contains(text, `]\(java`) {
				t.Errorf("%s of %q is\n%s", what, s, text)
			}
			if lines := strings.Count(text, "\n"); lines != map[string]int{"raw": 5, "absent": 1, "chart": 2, "dark": 2}[what] {
				t.Errorf("%s of %q has %d lines:\n%s", what, s, lines, text)
			}
		}
	}
}

func TestImage(t *testing.T) {
	tests := []struct {
		alt  string
		base Base
		path string
		want string
	}{
		{"吞吐 (tok/s)", Base{Filter: "relative_url"}, "assets/a/x.png", `![吞吐 (tok/s)]({{ "/assets/a/x.png" | relative_url }})`},
		{"", Base{Filter: "absolute_url"}, "assets/a/x.png", `![]({{ "/assets/a/x.png" | absolute_url }})`},
		{"", Base{}, "assets/a/x.png", `![](/assets/a/x.png)`},
		{"a]b {{ c }}", Base{Prefix: "/blog/", Filter: "relative_url"}, "assets/图 1.png", "![a&#93;b &#123;&#123; c &#125;&#125;](/blog/assets/%E5%9B%BE%201.png)"},
		{"", Base{Prefix: "https://x.org"}, "/a/(1).png", "![](https://x.org/a/%281%29.png)"},
	}
	for _, tt := range tests {
		if got := blank.picture(tt.alt, Asset(tt.base, tt.path), Address{}).text; got != tt.want+"\n" {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestCover(t *testing.T) {
	for keys, want := range map[string]string{
		"image":                                 "image: \"/c.png\"\n",
		"header.teaser header.og_image":         "header:\n  teaser: \"/c.png\"\n  og_image: \"/c.png\"\n",
		"header.teaser thumbnail header.wide_1": "header:\n  teaser: \"/c.png\"\n  wide_1: \"/c.png\"\nthumbnail: \"/c.png\"\n",
		"":                                      "",
	} {
		var got []byte
		for _, f := range cover(strings.Fields(keys), "/c.png") {
			got = appendField(got, f, 0)
		}
		if string(got) != want {
			t.Errorf("%s: %s", keys, got)
		}
	}
}

// FuzzScalar: a string without quotes has no meaning in YAML. A string in quotes is JSON, which is valid YAML,
// and decodes to the same string.
func FuzzScalar(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := scalar(s)
		if liquid := strings.Contains(got, "{{") || strings.Contains(got, "{%"); liquid {
			t.Errorf("%q yields Liquid: %s", s, got)
		}
		if got == s {
			if strings.ContainsAny(s, ":#\"'\n{}[],&*!|>%@`") || s == "" || s[0] < 'A' || strings.HasSuffix(s, " ") {
				t.Errorf("%q is not quoted", s)
			}
			return
		}
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); strings.ReplaceAll(back, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
			t.Errorf("%q comes back as %q", s, back)
		}
	})
}
