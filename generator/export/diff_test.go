package export

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

var update = flag.Bool("update", false, "write the golden files anew")

// measured returns a run of a model with figures given as name:value.
func measured(id, model string, labels map[string]string, figures ...string) *result.Result {
	r := &result.Result{ID: id, Tool: "vllm-serve", Source: result.Position{File: "runs/" + id + ".log", Line: 1}}
	r.Labels.Set(result.Label{Name: "model", Value: model})
	for name, value := range labels {
		r.Labels.Set(result.Label{Name: name, Value: value})
	}
	for i, f := range figures {
		name, text, _ := strings.Cut(f, ":")
		d, _ := vocabulary.Define(name)
		m := result.Metric{Kind: &result.Kind{Name: name, Unit: d.Unit, Better: d.Better},
			Decimals: int8(2 * min(1, len(d.Unit)-1)), Line: int32(3 + i)}
		fmt.Sscan(text, &m.Value)
		r.Metrics = append(r.Metrics, m)
	}
	return r
}

// compared returns a comparison that contains all kinds of differences.
func compared() *compare.Comparison {
	old, now := map[string]string{"load": "high", "engine_version": "0.9", "os": "A"}, map[string]string{"load": "high", "engine_version": "0.10", "os": "B"}
	var a, b []*result.Result
	for i := range 6 {
		a = append(a, measured(fmt.Sprintf("x/bf16-%d", i+1), "Qwen3-8B", old, fmt.Sprintf("output_throughput:%d", 300+i), "ttft_mean:974.57", fmt.Sprintf("ttft_p99:%d", 2000+i)))
		b = append(b, measured(fmt.Sprintf("x/bf16-%d", i+1), "Qwen3-8B", now, fmt.Sprintf("output_throughput:%d", 290+i), "ttft_mean:974.57", fmt.Sprintf("ttft_p99:%d", 2000+i)))
	}
	a = append(a, measured("x/fp8", "模型-FP8", old, "output_throughput:298.07", "ttft_mean:495.44"), measured("x/gone", "gone", old, "ttft_mean:1"), measured("x/fp4", "FP4", old, "tpot_mean:10", "requests_failed:0"),
		measured("x/c1", "two", map[string]string{"clocks": "free"}, "ttft_mean:1"), measured("x/c2", "two", map[string]string{"clocks": "locked"}, "ttft_mean:1"))
	b = append(b, measured("x/fp8", "模型-FP8", now, "output_throughput:330.00", "ttft_mean:440"), measured("x/new", "new", now, "ttft_mean:1"), measured("x/fp4", "FP4", now, "tpot_mean:2", "requests_failed:3"),
		measured("y/c", "two", nil, "ttft_mean:1"))
	aside := b[len(b)-2]
	aside.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}}
	b[6].Checks = []result.Check{{ID: "physics.compute-roofline", Severity: result.Warning, Metrics: []string{"ttft"}}}
	return compare.Sides(compare.Side{Name: locale.Lit("v1.0 (1a2b3c4d5e)"), Commit: strings.Repeat("1a2b3c4d5e", 4), Before: "1a2b3c4d5e:", Results: a},
		compare.Side{Name: locale.T("diff.worktree"), Results: b}, compare.Options{Titles: map[string]map[string]locale.Text{"load": {"high": both("高负载", "High load")}}})
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was; see with -update and git diff what is different:\n%s", name, got)
	}
}

func TestDiffIsWritten(t *testing.T) {
	c := compared()
	for _, lang := range []string{"en", "zh-CN"} {
		p, _ := locale.For(lang)
		var text bytes.Buffer
		if err := DiffText(&text, c, p, false, false); err != nil {
			t.Fatal(err)
		}
		golden(t, "diff."+lang+".txt", text.Bytes())
		golden(t, "diff."+lang+".md", []byte(DiffMarkdown(c, p)))
	}
	var doc bytes.Buffer
	if err := DiffJSON(&doc, c); err != nil {
		t.Fatal(err)
	}
	golden(t, "diff.json", doc.Bytes())
	var read struct {
		Schema string
		Pairs  []struct{ Metrics []map[string]any }
	}
	if err := json.Unmarshal(doc.Bytes(), &read); err != nil || read.Schema != DiffSchema || len(read.Pairs) != 3 {
		t.Errorf("the document is read as %+v, %v", read, err)
	}
}

// TestDiffTextIsAligned: figures are aligned, whatever the width of the characters before them.
func TestDiffTextIsAligned(t *testing.T) {
	p, _ := locale.For("zh-CN")
	var text bytes.Buffer
	if err := DiffText(&text, compared(), p, true, false); err != nil {
		t.Fatal(err)
	}
	at := map[int]int{}
	for _, line := range strings.Split(text.String(), "\n") {
		for _, word := range []string{"变差", "变好", "无差异", "不确定"} {
			if before, _, ok := strings.Cut(line, "  "+word+"  "); ok && strings.HasPrefix(line, "  ") {
				at[locale.Width(before)]++
			}
		}
	}
	if len(at) != 1 {
		t.Errorf("verdicts are in columns %v:\n%s", at, text.String())
	}
}

// TestDiffTextOfHostileLabels: labels cannot control the terminal.
func TestDiffTextOfHostileLabels(t *testing.T) {
	side := func(v string) compare.Side {
		return compare.Side{Name: locale.Lit("\x1b]0;side\a"), Results: []*result.Result{measured("a\x1b[2J\nb", "\x1b[31mm\r\u202e\u009b", map[string]string{"os": "\x1b" + v}, "ttft_mean:"+v)}}
	}
	p, _ := locale.For("en")
	var text bytes.Buffer
	if err := DiffText(&text, compare.Sides(side("1"), side("2"), compare.Options{}), p, true, false); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text.String(), "\x1b\a\r\u202e\u009b") {
		t.Errorf("control characters: %q", text.String())
	}
}

var hostile = []string{
	"a|b", "`code`", "@octocat", "org/repo#12 #34 GH-5", "<script>alert(1)</script>", "<!-- c -->", "</details>", "**bold** _em_ ~~s~~", "[link](https://evil.example)", "![i](x)", "https://evil.example www.evil.example",
	"line\nbreak\r\n\n# heading", "- item", "1. item", "+ item", "&amp; &lt;", `\|`, `back\\slash`, "$x^2$", "| --- |", strings.Repeat("long ", 100), "\x00\x1b", "\xff\xfe",
}

// TestMarkdownOfHostileLabels: a hostile label is shown unchanged and creates no markup, cell, mention or link.
func TestMarkdownOfHostileLabels(t *testing.T) {
	var a, b []*result.Result
	for i, h := range hostile {
		a = append(a, measured(fmt.Sprint(i, h), h, map[string]string{"driver": h}, "ttft_mean:1"))
		b = append(b, measured(fmt.Sprint(i, h), h, map[string]string{"driver": h + "2"}, "ttft_mean:2"))
	}
	a = append(a, measured("gone"+hostile[0], "gone"+hostile[4], nil, "ttft_mean:1"))
	p, _ := locale.For("en")
	md := DiffMarkdown(compare.Sides(compare.Side{Name: locale.Lit(hostile[8] + hostile[2]), Results: a}, compare.Side{Name: locale.Lit(hostile[4]), Results: b}, compare.Options{}), p)
	if !utf8.ValidString(md) || strings.ContainsAny(md, "\x00\x1b") {
		t.Error("not plain text")
	}
	var page bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).Convert([]byte(md), &page); err != nil {
		t.Fatal(err)
	}
	for _, tag := range regexp.MustCompile(`</?([a-z0-9]+)|<!`).FindAllStringSubmatch(page.String(), -1) {
		if !strings.Contains(" p strong ul li table thead tbody tr th td br sub details summary ", " "+tag[1]+" ") {
			t.Errorf("there is %s in the page", tag[0])
		}
	}
	for _, row := range regexp.MustCompile(`(?s)<tr>(.*?)</tr>`).FindAllString(page.String(), -1) {
		if n := strings.Count(row, "<td") + strings.Count(row, "<th"); n != 7 {
			t.Errorf("a row of %d cells: %s", n, row)
		}
	}
	shown := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page.String(), "")
	for _, m := range regexp.MustCompile(`@[A-Za-z]|#[0-9]|[a-z]://|www\.[a-z]`).FindAllString(regexp.MustCompile(`&#\d+;`).ReplaceAllString(shown, ""), -1) {
		t.Errorf("%q is left for GitHub to make something of", m)
	}
	if n := strings.Count(page.String(), "<tr>"); n < len(hostile) {
		t.Errorf("only %d rows", n)
	}
}

// TestMarkdownIsBounded: a comment is never too long for GitHub, and says how much it omits.
func TestMarkdownIsBounded(t *testing.T) {
	for _, word := range []string{"model", "模型", "a|`<@"} {
		var a, b []*result.Result
		for i := range 3000 {
			model := fmt.Sprintf("%s-%d %s", word, i, strings.Repeat(word, 20))
			a = append(a, measured(fmt.Sprint(word, i), model, nil, "ttft_mean:1"))
			b = append(b, measured(fmt.Sprint(word, i), model, nil, "ttft_mean:2"))
		}
		twin := *a[0]
		twin.Source.File = "again/" + twin.Source.File
		a = append(a, &twin)
		p, _ := locale.For("en")
		md := DiffMarkdown(compare.Sides(compare.Side{Name: locale.Lit("A"), Results: a}, compare.Side{Name: locale.Lit("B"), Results: b}, compare.Options{}), p)
		if n := utf8.RuneCountInString(md); n >= 65_536 || len(md) < 40_000 {
			t.Errorf("%q: %d characters, %d bytes", word, n, len(md))
		}
		if !strings.Contains(md, "omitted here for lack of space") || !strings.HasPrefix(md, "**B against A**: At the same known settings, in the geometric mean of 3000 matched pairs, ") || !strings.Contains(md[:600], "\n\n3000 worse") {
			t.Errorf("%q: %.100s … %s", word, md, md[len(md)-200:])
		}
		if strings.Count(md, "<details>") != strings.Count(md, "</details>") {
			t.Error("a fold is left open")
		}
	}
}
