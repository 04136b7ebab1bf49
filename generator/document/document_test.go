package document

import (
	"bytes"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

var update = flag.Bool("update", false, "write the golden files anew")

// testFill shows the kind and arguments of blocks, and the expressions of values.
type testFill struct{}

func (testFill) Block(dst []byte, b *Block) []byte {
	return fmt.Appendf(dst, "[%s %s]", b.Kind, b.Args)
}
func (testFill) Value(v *Value) string { return "3.61×" }
func (testFill) Link(l *Link) string   { return l.Address }

const head = "+++\ntitle = \"T\"\ndate = 2025-10-12T06:00:00+08:00\n+++\n"

// render parses valid prose and returns its HTML and its Markdown for Jekyll.
func render(t *testing.T, prose string, fill Fill) (html, markdown string) {
	t.Helper()
	d, msgs := Parse("post.en.md", []byte(head+prose), Options{})
	for _, m := range msgs {
		t.Errorf("unexpected message: %v", m)
	}
	var h, m bytes.Buffer
	if err := d.HTML(&h, fill); err != nil {
		t.Fatal(err)
	}
	if err := d.Markdown(&m, fill, kramdown.Jekyll); err != nil {
		t.Fatal(err)
	}
	return h.String(), m.String()
}

func TestName(t *testing.T) {
	tests := []struct{ file, name, lang string }{
		{"content/posts/quant.zh.md", "quant", "zh-CN"},
		{"content/posts/quant.en.md", "quant", "en"},
		{"quant.zh-TW.md", "quant", "zh-TW"},
		{"quant.md", "quant", "fallback"},
		{"qwen3.5.md", "qwen3.5", "fallback"},
		{"v1.en.md", "v1", "en"},
	}
	for _, tt := range tests {
		d, _ := Parse(tt.file, []byte(head), Options{Language: "fallback"})
		if d.Name != tt.name || d.Lang != tt.lang || d.Slug != tt.name {
			t.Errorf("%s: got name %q, language %q, slug %q", tt.file, d.Name, d.Lang, d.Slug)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	shanghai := time.FixedZone("CST", 8*60*60)
	d, msgs := Parse("a.zh.md", []byte(`+++
title = "大模型: 推理"
date = 2025-10-12T06:00:00
slug = "inference"
categories = "Jetson LLM"
tags = ["vLLM", "3.10"]
excerpt = "短"
draft = true
toc = true
weight = 1.50
first_run = 2025-10-01

[header]
overlay_image = "/x.png"
caption = "C"
+++
正文
`), Options{Location: shanghai})
	if len(msgs) > 0 {
		t.Fatal(msgs)
	}
	want := Front{
		Title:      "大模型: 推理",
		Date:       time.Date(2025, 10, 12, 6, 0, 0, 0, shanghai),
		Slug:       "inference",
		Categories: List{Items: []string{"Jetson LLM"}, Plain: true},
		Tags:       List{Items: []string{"vLLM", "3.10"}},
		Excerpt:    "短",
		Draft:      true,
		Extra: []Field{
			{"toc", true},
			{"weight", 1.5},
			{"first_run", time.Date(2025, 10, 1, 0, 0, 0, 0, shanghai)},
			{"header", []Field{{"overlay_image", "/x.png"}, {"caption", "C"}}},
		},
	}
	if !reflect.DeepEqual(d.Front, want) {
		t.Errorf("got\n%+v\nwant\n%+v", d.Front, want)
	}
	if d.Slug != "inference" {
		t.Errorf("slug is %q", d.Slug)
	}
}

// TestMessages: mistakes in a source are reported with their position and with advice.
func TestMessages(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"no front matter", "prose\n", []string{
			"a.en.md:1: error: the file has no front matter; begin it with +++, title and date in TOML, and +++"}},
		{"YAML", "---\ntitle: x\n---\n", []string{
			"a.en.md:1: error: the front matter is YAML; write it as TOML between +++ lines"}},
		{"not closed", "+++\ntitle = \"x\"\n", []string{
			"a.en.md:1: error: the front matter is not closed; end it with a line +++"}},
		{"missing date", "+++\ntitle = \"x\"\n+++\n", []string{
			"a.en.md:1: error: the front matter has no date; add a line such as date = 2025-10-12T06:00:00+08:00"}},
		{"bad TOML", "+++\ntitle = \"x\"\ndate = 2025-01-01\ntags = [\"a\" \"b\"]\n+++\n", []string{
			`a.en.md:4:13: error: the front matter is not TOML: a comma is missing in the list; write tags = ["a", "b"]`}},
		{"wrong types", "+++\ntitle = 3\ndate = \"2025-10-12\"\ntags = [1]\n+++\n", []string{
			"a.en.md:2:1: error: title is a number; write text in quotes",
			"a.en.md:3:1: error: date is a string; write a date without quotes, for example 2025-10-12T06:00:00+08:00",
			`a.en.md:4:1: error: tags is a list; write a list of texts, for example ["vLLM", "3.10"]`}},
		{"not text", head + "a\n中\xff\n", []string{
			"a.en.md:6:2: error: the file is not UTF-8 text; save it as UTF-8"}},
		{"open block", head + "```benchpost table\nrows = 1\n", []string{
			"a.en.md:5:1: error: the report block is not closed; end it with a line ```"}},
		{"block in a list", head + "- a\n  ```benchpost table\n  ```\n", []string{
			"a.en.md:6:3: warning: a report block is in a list; put it at the margin: Jekyll may end the list inside it"}},
		{"empty value", head + "a `= `\n", []string{
			`a.en.md:5:6: error: the inline value is empty; write an expression, for example ttft_p99{model="Qwen3-8B"}`}},
		{"value cut by a cell", head + "| a |\n|---|\n| x `= a | ×` |\n", []string{
			`a.en.md:7:5: error: the inline value is cut off by the border of its cell; inside a table write \| for |`}},
		{"code cut by a cell", head + "| a | b |\n|---|---|\n| <code>a|b</code> | c |\n", []string{
			"a.en.md:7:3: warning: <code> is cut off by the border of its cell; inside a table write &#124; for |"}},
		{"stray emphasis", head + "吞吐**提升(2×)**明显\n", []string{
			`a.en.md:5:3: warning: ** is not emphasis here and is shown as it is; between punctuation and a letter write <strong>…</strong>; for two asterisks write \*\*`}},
		{"second title", head + "# One\n", []string{
			"a.en.md:5:1: warning: a first-level heading competes with the title; begin at ##"}},
		{"power, not emphasis", head + "2**10 and a ** b, `**x**中`, \\*\\*\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, msgs := Parse("a.en.md", []byte(tt.src), Options{})
			var got []string
			for _, m := range msgs {
				if m.ID == "post.missing-key" && tt.name != "missing date" {
					continue
				}
				got = append(got, m.Error()+"; "+locale.English(m.Hint))
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestBlocksAndValues: blocks and values are found everywhere Markdown allows them, and nowhere else.
func TestBlocksAndValues(t *testing.T) {
	src := head + `## 提升 ` + "`= a`" + `

- item ` + "`= b | ×`" + `

| ` + "`= c \\| x`" + ` |
|---|
| y |

[link ` + "`=d`" + `](x) and[^n]

[^n]: note ` + "`= e`" + `

` + "```benchpost  table  wide\nrows = 1\n```" + `

> ` + "```benchpost raw\n> x = 1\n> y = 2\n> ```" + `

` + "``` text\n`= no`\n```benchpost table\n```" + `

` + "`==` `=>` `=~` `=` ` = no` `` `= no` ``" + `
`
	d, msgs := Parse("a.zh.md", []byte(src), Options{})
	if len(msgs) > 0 {
		t.Fatal(msgs)
	}
	var values []string
	for _, v := range d.Values {
		values = append(values, fmt.Sprintf("%d:%d %s", v.Pos.Line, v.Pos.Column, v.Expr))
	}
	wantValues := []string{"5:10 a", "7:11 b | ×", "9:6 c | x", "13:9 d", "15:15 e"}
	if !reflect.DeepEqual(values, wantValues) {
		t.Errorf("values\n got %q\nwant %q", values, wantValues)
	}
	wantBlocks := []*Block{
		{Kind: "table", Args: "wide", Body: []byte("rows = 1\n"), BodyLine: 18, Pos: result.Position{File: "a.zh.md", Line: 17, Column: 1}},
		{Kind: "raw", Body: []byte("x = 1\ny = 2\n"), BodyLine: 22, Pos: result.Position{File: "a.zh.md", Line: 21, Column: 3}},
	}
	if !reflect.DeepEqual(d.Blocks, wantBlocks) {
		t.Errorf("blocks\n got %v %v\nwant %v %v", *d.Blocks[0], *d.Blocks[1], *wantBlocks[0], *wantBlocks[1])
	}
}

func TestHeadings(t *testing.T) {
	d, _ := Parse("a.zh.md", []byte(head+"## 结果与取舍\n## 结果与取舍\n### A `b` & *c* {#own}\n## 快 `= a/b`\n## !\n## own\n"), Options{})
	var got []string
	for _, h := range d.Headings {
		got = append(got, fmt.Sprintf("%d %s %q %d", h.Level, h.ID, h.Text, h.Pos.Line))
	}
	want := []string{
		`2 结果与取舍 "结果与取舍" 5`,
		`2 结果与取舍-1 "结果与取舍" 6`,
		`3 own "A b & c" 7`,
		`2 快 "快" 8`,
		`2 section "!" 9`,
		`2 own-1 "own" 10`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := d.Contents(testFill{})[3].Text; got != "快 3.61×" {
		t.Errorf("with its value the heading is %q", got)
	}
}

func TestLinks(t *testing.T) {
	d, _ := Parse("a.zh.md", []byte(head+"[a](b.zh.md#x) ![图](img/a%20b.png)\n[r][r] <https://x.y>\n\n[r]: c\\_d.md\n"), Options{})
	var got []string
	for _, l := range d.Links {
		got = append(got, fmt.Sprintf("%d:%d %v %s", l.Pos.Line, l.Pos.Column, l.Image, l.Address))
	}
	want := []string{"5:1 false b.zh.md#x", "5:16 true img/a%20b.png", "6:1 false c_d.md"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// moved changes the addresses of images. In Markdown they are written unescaped.
type moved struct{ testFill }

func (moved) Link(l *Link) string {
	if l.Image {
		return `{{ "/assets/` + l.Address + `" | relative_url }}`
	}
	return l.Address
}

func TestLinkFill(t *testing.T) {
	html, md := render(t, "![a \"b\"](x.png \"t\") [c](<d e.md>)\n", moved{})
	want := "![a &#34;b&#34;]({{ \"/assets/x.png\" | relative_url }} \"t\") [c](d%20e.md)\n"
	if md != want {
		t.Errorf("got %q\nwant %q", md, want)
	}
	if !strings.Contains(html, `<a href="d%20e.md">c</a>`) {
		t.Errorf("HTML is %s", html)
	}
}

func TestExcerpt(t *testing.T) {
	tests := []struct{ name, prose, want string }{
		{"marked", "one[^1]\n\n- two\n\n<!-- more -->\n\nthree\n\n[^1]: n\n", "<p>one</p>\n<ul>\n<li>two</li>\n</ul>\n"},
		{"marked at the top", "<!--more-->\n\none\n", ""},
		{"first paragraph", "## head\n\none\n\ntwo\n", "<p>one</p>\n"},
	}
	for _, tt := range tests {
		d, _ := Parse("a.en.md", []byte(head+tt.prose), Options{})
		var b bytes.Buffer
		if err := d.Excerpt(&b, testFill{}); err != nil || b.String() != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, b.String(), err, tt.want)
		}
	}
}

// TestMarkdownKeepsProse: the Markdown of ordinary prose for Jekyll equals its source.
func TestMarkdownKeepsProse(t *testing.T) {
	prose := `## 结果与取舍

在 Jetson Thor 上,**FP8** 的吞吐是 BF16 的 *数倍*,见 [表](#table) 与 ` + "`--max-model-len 16000`" + `。
第二行;snake_case 与 1.5 倍。

- 高负载:并发 8
  - 嵌套 [x](y)
- 低负载

1. 一

2. 二

   段落

> 引文
> 第二行

| 模型          | 吞吐 |
|:--------------|-----:|
| ` + "`Qwen3-8B`" + `    |   82 |
| **FP8**       |  298 |

` + "```bash\nvllm serve --port 8000 | tee log\n```" + `

<details markdown="1">
<summary>raw</summary>

text[^1]

</details>

---

[^1]: note

    more
`
	_, md := render(t, prose, testFill{})
	if want := strings.Replace(prose, "|  298 |\n", "|  298 |\n"+kramdown.Scroll+"\n", 1); md != want {
		t.Errorf("got\n%s\nwant\n%s", md, want)
	}
}

// bodyFill writes the body of a block in its place.
type bodyFill struct{ testFill }

func (bodyFill) Block(dst []byte, b *Block) []byte { return append(append(dst, b.Body...), '\n') }

// TestListsOfBlocksStaySeparate: a block that is written as a list is separated from lists beside it, because
// kramdown would join them.
func TestListsOfBlocksStaySeparate(t *testing.T) {
	const separator = "\n\n<!-- -->\n\n"
	block := func(body string) string { return "```benchpost findings\n" + body + "\n```" }
	for _, c := range []struct{ prose, want string }{
		{"- a\n\n" + block("- x\n- y"), "- a" + separator + "- x\n- y"},
		{block("- x") + "\n\n- a", "- x" + separator + "- a"},
		{block("- x") + "\n\n" + block("- y"), "- x" + separator + "- y"},
		{block("x\n\n- y") + "\n\n- a", "x\n\n- y" + separator + "- a"},
		{"- a\n\n" + block("x\n\n- y"), "- a\n\nx\n\n- y"},       // begins with a paragraph
		{block("- x\n\ny") + "\n\n- a", "- x\n\ny\n\n- a"},       // ends with a paragraph
		{"1. a\n\n" + block("- x"), "1. a\n\n- x"},               // an ordered list is another list
		{"- a\n\n```text\n- x\n```", "- a\n\n```text\n- x\n```"}, // code is not a list
	} {
		if _, md := render(t, c.prose+"\n", bodyFill{}); md != c.want+"\n" {
			t.Errorf("%q: got\n%s\nwant\n%s", c.prose, md, c.want)
		}
	}
}

// liquidFill returns values and addresses with Liquid syntax.
type liquidFill struct{ testFill }

func (liquidFill) Value(*Value) string { return "{{ site.secret }} <i> \x1b[0m | *x*" }
func (liquidFill) Link(*Link) string   { return `{{ "/a.png" | relative_url }}` }

// TestAHeaderAloneIsNoPlaceForLiquid: a table with only a header is written as HTML for kramdown. Values in it
// are escaped; only addresses may contain Liquid.
func TestAHeaderAloneIsNoPlaceForLiquid(t *testing.T) {
	html, md := render(t, "| `= x` | ![a](a.png) |\n|---|---|\n", liquidFill{})
	if want := `&#123;&#123; site.secret }} &lt;i&gt; ␛[0m &#124; &#42;x&#42;</th>`; !strings.Contains(md, want) {
		t.Errorf("%s is missing in\n%s", want, md)
	}
	if want := `<img src="{{ "/a.png" | relative_url }}"`; !strings.Contains(md, want) {
		t.Errorf("%s is missing in\n%s", want, md)
	}
	if want := `{{ site.secret }} &lt;i&gt; ␛[0m | *x*</th>`; !strings.Contains(html, want) {
		t.Errorf("%s is missing in\n%s", want, html)
	}
}
