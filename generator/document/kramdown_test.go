package document

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/need"
)

// kramdownHTML renders Markdown with the libraries of Jekyll.
func kramdownHTML(t *testing.T, sources []string) []string {
	t.Helper()
	need.Thorough(t, "it runs Jekyll")
	need.Command(t, "jekyll")
	in, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ruby", "testdata/kramdown.rb")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var html []string
	if err := json.Unmarshal(out, &html); err != nil {
		t.Fatal(err)
	}
	return html
}

// agree renders prose to HTML and to Markdown, renders the Markdown with kramdown, and compares the two after
// applying normal.
func agree(t *testing.T, proses []string, normal func(string) string) {
	t.Helper()
	var html, markdown []string
	for _, prose := range proses {
		d, _ := Parse("a.en.md", []byte(head+prose), Options{})
		var h, m bytes.Buffer
		if err := d.HTML(&h, testFill{}); err != nil {
			t.Fatal(err)
		}
		if err := d.Markdown(&m, testFill{}, kramdown.Jekyll); err != nil {
			t.Fatal(err)
		}
		html, markdown = append(html, h.String()), append(markdown, m.String())
	}
	for i, got := range kramdownHTML(t, markdown) {
		if want := normal(html[i]); normal(got) != want {
			t.Errorf("source\n%s\nMarkdown\n%s\nHTML     %s\nkramdown %s", proses[i], markdown[i], want, normal(got))
		}
	}
}

// TestKramdownAgrees: text that kramdown reads differently from CommonMark gives the same output.
func TestKramdownAgrees(t *testing.T) {
	data, err := os.ReadFile("testdata/tricky.md")
	if err != nil {
		t.Fatal(err)
	}
	var proses []string
	for prose := range strings.SplitSeq(string(data), "\n%%%%\n") {
		proses = append(proses, strings.TrimSuffix(prose, "\n")+"\n")
	}
	agree(t, proses, normalHTML)
}

// TestKramdownAgreesByChance does the same with random prose of everything with a meaning in some syntax. It
// does not compare whether the text of a list item is in <p>, because kramdown decides that for each item,
// CommonMark for the whole list.
func TestKramdownAgreesByChance(t *testing.T) {
	noise := strings.NewReplacer("<p>", "", "</p>", "", " ", "")
	g := chance{rand.New(rand.NewPCG(3, 14))}
	var proses []string
	for range 400 {
		proses = append(proses, g.blocks(0, 1+g.IntN(3))+"\n\n[^1]: note\n\n[ref]: http://r.org/(x) \"T\"\n")
	}
	agree(t, proses, func(s string) string { return noise.Replace(normalHTML(s)) })
}

// TestKramdownDiffers lists known differences and the reasons why they remain.
func TestKramdownDiffers(t *testing.T) {
	tests := []struct{ why, prose string }{
		{"kramdown decides on <p> for each item of a list", "- > a\n\n- b\n"},
		{"in a list kramdown looks for items inside of HTML too", "- <div>x</div>\n  - y\n"},
		{"kramdown puts a code element together again that a cell cut", "| a | b |\n|---|---|\n| <code>x|y</code> | z |\n"},
	}
	var html, markdown []string
	for _, tt := range tests {
		d, _ := Parse("a.en.md", []byte(head+tt.prose), Options{})
		var h, m bytes.Buffer
		if err := d.HTML(&h, testFill{}); err != nil {
			t.Fatal(err)
		}
		if err := d.Markdown(&m, testFill{}, kramdown.Jekyll); err != nil {
			t.Fatal(err)
		}
		html, markdown = append(html, h.String()), append(markdown, m.String())
	}
	for i, got := range kramdownHTML(t, markdown) {
		if normalHTML(got) == normalHTML(html[i]) {
			t.Errorf("no more: %s\n%s", tests[i].why, markdown[i])
		}
	}
}

// chance generates prose.
type chance struct{ *rand.Rand }

func (g chance) pick(from ...string) string { return from[g.IntN(len(from))] }

var chanceWords = strings.Fields(`foo bar 中文 提升 x 1 2025 p99_9 snake_case a.b 模型。 (2×) 100% vLLM “好”`)

var chanceMarks = append(strings.Fields(`* ** _ __ ~~ ~ -- --- ... ' " < << > >> | \ [ ] ( ) { } {: : $ $$ # + - = ! &
	&amp; &copy; &#123; {{ {% %} }} ^ <br> <model> \* \| \\ \[ [a](b) ![c](d) [*a*](b) [link][ref] [![i](j)](k)
	**strong** *em* _em_ ***x*** **中文(x)**字 *a*b _x_y **[a](b)** *`+"`c`"+`* ~~del~~ `+"`code` `a|b` `= v` `{{x}}`"+`
	https://x.org/a_b www.x.org a@b.cc <https://y.org> [^1] <kbd>k</kbd> <sub>2</sub> <!--c--> 1. [x]: *[A]: $$x$$`),
	"\n", "\n", "  \n", "\\\n", "\t", "\u00a0", "` a `", "`` ` ``", "<a title=\"{{ x }}\">z</a>", "[a](<b c> 'd')", "~~a `b` c~~")

func (g chance) text(n int) string {
	var b strings.Builder
	for range n {
		if g.IntN(2) == 0 {
			b.WriteString(g.pick(chanceWords...))
		} else {
			b.WriteString(g.pick(chanceMarks...))
		}
		if g.IntN(3) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func (g chance) line(n int) string { return strings.ReplaceAll(g.text(n), "\n", " ") }

func (g chance) blocks(depth, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(g.pick("\n", "\n\n", "\n\n"))
		}
		b.WriteString(g.block(depth))
	}
	return b.String()
}

func (g chance) block(depth int) string {
	indented := func(s, by string) string { return strings.ReplaceAll(s, "\n", "\n"+by) }
	kind := g.IntN(15)
	if depth > 2 && kind <= 2 {
		kind = 14
	}
	switch kind {
	case 0, 1:
		var items []string
		for range 1 + g.IntN(3) {
			marker := g.pick("- ", "* ", "1. ", "2. ", "10. ", "-   ")
			items = append(items, marker+indented(g.blocks(depth+1, 1+g.IntN(2)), strings.Repeat(" ", len(marker))))
		}
		return strings.Join(items, g.pick("\n", "\n\n"))
	case 2:
		return "> " + indented(g.blocks(depth+1, 1+g.IntN(2)), g.pick("> ", "> ", ""))
	case 3:
		code := g.pick("code", "- a\n- b", "a\n\n---\n\nb", "{{ x }}", "  x\n1. y", "{% endraw %} {{", "`` ` ``\n<b>")
		return "```" + g.pick("", "bash", "yaml x") + "\n" + code + "\n```"
	case 4:
		return strings.Repeat("#", 2+g.IntN(3)) + " " + g.line(4)
	case 5:
		return g.line(3) + "\n" + g.pick("===", "---", "=", "-")
	case 6:
		return g.table()
	case 7:
		return g.pick("---", "***", "* * *")
	case 8:
		return g.pick("<div>\n\n**x**\n\n</div>", "<details>\n<summary>s</summary>\n\n- a\n\n</details>",
			"<div>*raw*</div>", "<p>a\n<b>x</b></p>", "<table><tr><td>\n\nx\n\n</td></tr></table>", "<br>",
			"<span>x</span>", "<div>\ntext\n\n*m*\n\n</div>")
	}
	return g.text(1 + g.IntN(8))
}

func (g chance) table() string {
	var b strings.Builder
	columns := 1 + g.IntN(3)
	row := func() {
		b.WriteString("|")
		for range columns {
			b.WriteString(" " + g.line(g.IntN(3)) + " |")
		}
		b.WriteByte('\n')
	}
	row()
	b.WriteString("|" + strings.Repeat(g.pick("---|", "--:|", ":-:|"), columns) + "\n")
	for range 1 + g.IntN(2) {
		row()
	}
	return strings.TrimSuffix(b.String(), "\n")
}
