package jekyll

import (
	"regexp"
	"strings"
	"testing"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

func printer(t testing.TB, lang string) locale.Printer {
	p, ok := locale.For(lang)
	if !ok {
		t.Fatal("no printer for " + lang)
	}
	return p
}

func lit(s string) locale.Text { return locale.Lit(s) }

func figure(s string) report.Cell { return report.Cell{Text: lit(s), Numeric: true} }

// sample holds everything a table can.
func sample() report.Table {
	best := figure("298.07")
	best.Best, best.Change, best.Notes = true, lit("3.61×"), []int{1, 2}
	missing := report.Cell{Missing: true}
	return report.Table{
		Caption: lit("吞吐与延迟 (c=8)"),
		Columns: []report.Column{
			{Title: lit("模型")},
			{Title: lit("输出吞吐"), Unit: "tok/s", Align: report.Right, Better: bench.Higher},
			{Title: lit("Mean TTFT"), Unit: "ms", Align: report.Right, Better: bench.Lower},
			{Title: lit("请求"), Unit: "1", Align: report.Center},
		},
		Rows: []report.Row{
			{Cells: []report.Cell{{Text: lit("Qwen3-8B"), URL: "https://x.org/a(b)|c"}, figure("82.45"), figure("96.15"), figure("100")}, Baseline: true},
			{Cells: []report.Cell{{Text: lit("Qwen3-8B-FP8")}, best, missing, figure("100")}},
			{Cells: []report.Cell{{Text: lit("a|b_c *d* {{ e }}")}, figure("-"), figure("1,234.50"), figure("8")}, Quarantined: true},
			{Cells: []report.Cell{{Text: lit("-")}}},
		},
		Notes: []report.Note{{Text: lit("只有一次运行 | n=1")}, {Text: lit("高于 roofline")}},
	}
}

func TestTable(t *testing.T) {
	want := `*吞吐与延迟 (c=8)*

| 模型                                   |                            输出吞吐 (tok/s) ↑ |    Mean TTFT (ms) ↓ |     请求     |
|:---------------------------------------|----------------------------------------------:|--------------------:|:------------:|
| [Qwen3-8B](https://x.org/a%28b%29%7Cc) |                                         82.45 |               96.15 |     100      |
| Qwen3-8B-FP8                           | <strong>298.07</strong> (3.61×)<sup>1,2</sup> |                   — |     100      |
| <del>a\|b_c \*d\* &#123;{ e }}</del>   |                                  <del>-</del> | <del>1,234.50</del> | <del>8</del> |
| \-                                     |                                               |                     |              |

<sup>1</sup> 只有一次运行 \| n=1  
<sup>2</sup> 高于 roofline
`
	if got := Table(sample(), printer(t, "zh-CN")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableWithoutRows(t *testing.T) {
	got := Table(report.Table{Columns: []report.Column{{Title: lit("模型")}}}, printer(t, "en"))
	if want := "| 模型 |\n|:-----|\n| —    |\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Table(report.Table{}, printer(t, "en")); got != "" {
		t.Errorf("a table without columns is %q", got)
	}
}

// Columns under one heading say so each, as Markdown has no headings over
// headings.
func TestTableGroups(t *testing.T) {
	got := Table(report.Table{Columns: []report.Column{{Title: lit("TTFT"), Group: lit("高负载"), Unit: "ms"}}}, printer(t, "zh-CN"))
	if want := "| 高负载 · TTFT (ms) |\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

var cellBorder = regexp.MustCompile(`(?:^|[^\\])\|`)

// FuzzTable: whatever stands in a cell, every line keeps its number of cells
// and Liquid finds nothing to run.
func FuzzTable(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s)
	}
	p := printer(f, "en")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := Table(report.Table{
			Columns: []report.Column{{Title: lit(a)}, {Title: lit(b), Unit: a, Align: report.Right}},
			Rows: []report.Row{
				{Cells: []report.Cell{{Text: lit(a), Best: true, Change: lit(b)}, {Text: lit(b), URL: a}}},
				{Cells: []report.Cell{{Text: lit(b)}, {Text: lit(a)}}, Quarantined: true},
			},
		}, p)
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		if len(lines) != 4 {
			t.Fatalf("%d lines:\n%s", len(lines), got)
		}
		for _, line := range lines {
			if n := len(cellBorder.FindAllString(line, -1)); n != 3 {
				t.Errorf("%d borders in %s", n, line)
			}
		}
		if strings.Contains(got, "{{") || strings.Contains(got, "{%") {
			t.Errorf("Liquid would run in\n%s", got)
		}
	})
}
