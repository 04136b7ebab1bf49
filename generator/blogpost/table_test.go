package blogpost

import (
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/document/kramdown"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
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

// sample returns a table with everything that a table can contain.
func sample() report.Table {
	best := figure("298.07")
	best.Best, best.Change, best.Notes = true, lit("3.61×"), []int{1, 2}
	missing := report.Cell{Missing: true}
	return report.Table{
		Caption: lit("吞吐与延迟 (c=8)"),
		Columns: []report.Column{
			{Title: lit("模型")},
			{Title: lit("输出吞吐"), Unit: "tok/s", Align: report.Right, Better: result.Higher},
			{Title: lit("Mean TTFT"), Unit: "ms", Align: report.Right, Better: result.Lower},
			{Title: lit("请求"), Unit: "1", Align: report.Center},
		},
		Rows: []report.Row{
			{Cells: []report.Cell{{Text: lit("Qwen3-8B"), URL: "https://x.org/a(b)|c"}, figure("82.45"), figure("96.15"), figure("100")}, Baseline: true},
			{Cells: []report.Cell{{Text: lit("Qwen3-8B-FP8")}, best, missing, figure("100")}},
			{Cells: []report.Cell{{Text: lit("a|b_c *d* {{ e }}")}, figure("-"), figure("1,234.50"), figure("8")}, Excluded: true},
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
{: style="display: block; overflow-x: auto; word-break: keep-all"}

<sup>1</sup> 只有一次运行 \| n=1  
<sup>2</sup> 高于 roofline  
删除线：未通过检查，已排除。
`
	if got := in(printer(t, "zh-CN")).Table(sample()).text; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTableWithVerdicts: below a table with verdicts are its conclusions, the reasons for the verdicts, and the
// meaning of its marks.
func TestTableWithVerdicts(t *testing.T) {
	both := func(zh, en string) locale.Text { return locale.By(map[string]string{"zh": zh, "en": en}, "") }
	weak, noted, struck := figure("9.1"), figure("9.2"), figure("9.3")
	weak.Weak, weak.Change = true, lit("1.1×")
	noted.Weak, noted.Notes = true, []int{1}
	struck.Excluded = true
	fastest := report.Cell{Text: both("最快", "fastest"), Rule: "tradeoff.fastest", Why: both("9.1 | 9.0", "9.1 | 9.0")}
	table := report.Table{
		Columns: []report.Column{{Title: lit("m")}, {Title: lit("P99"), Align: report.Right}, {Title: lit("?")}},
		Rows: []report.Row{
			{Cells: []report.Cell{{Text: lit("a")}, weak, fastest}},
			{Cells: []report.Cell{{Text: lit("b")}, noted, fastest}},
			{Cells: []report.Cell{{Text: lit("c")}, struck, {Missing: true, Why: both("已排除", "excluded")}}},
		},
		Answers: []report.Finding{{Text: both("用 a。", "Take a."), N: 1, Runs: []string{"a"}}, {Text: both("或 b。", "Or b.")}},
		Notes:   []report.Note{{Severity: result.Warning, Text: both("只有 10 个请求", "10 requests only")}},
	}
	for lang, want := range map[string]string{
		"en": `| m   |             P99 | ?                   |
|:----|----------------:|:--------------------|
| a   |    (9.1) (1.1×) | fastest<sup>a</sup> |
| b   | 9.2<sup>1</sup> | fastest<sup>a</sup> |
| c   |  <del>9.3</del> | —<sup>b</sup>       |
{: style="display: block; overflow-x: auto; word-break: keep-all"}

Take a. <small>n = 1</small>  
Or b.

<sup>1</sup> Warning: 10 requests only  
<sup>a</sup> 9.1 \| 9.0  
<sup>b</sup> excluded  
In parentheses: too few samples to support the figure.  
Struck out: excluded by a check.
`,
		"zh-CN": `| m   |             P99 | ?                |
|:----|----------------:|:-----------------|
| a   |    (9.1) (1.1×) | 最快<sup>a</sup> |
| b   | 9.2<sup>1</sup> | 最快<sup>a</sup> |
| c   |  <del>9.3</del> | —<sup>b</sup>    |
{: style="display: block; overflow-x: auto; word-break: keep-all"}

用 a。 <small>n = 1</small>  
或 b。

<sup>1</sup> 警告：只有 10 个请求  
<sup>a</sup> 9.1 \| 9.0  
<sup>b</sup> 已排除  
括号内：样本太少，不足以支持该数值。  
删除线：未通过检查，已排除。
`,
	} {
		if got := in(printer(t, lang)).Table(table).text; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", lang, got, want)
		}
	}
}

// TestLegendsAreForWhatNoNoteExplains: there is a line about struck or parenthesised cells unless a note of
// suitable severity explains them.
func TestLegendsAreForWhatNoNoteExplains(t *testing.T) {
	notes := []report.Note{{Text: lit("median of 3")}, {Severity: result.Warning, Text: lit("few")}, {Severity: result.Error, Text: lit("impossible")}}
	const weak, struck = "In parentheses", "Struck out"
	for _, c := range []struct {
		what string
		row  report.Row
		want string
	}{
		{"plain", report.Row{Cells: []report.Cell{figure("9")}}, ""},
		{"weak", report.Row{Cells: []report.Cell{{Text: lit("9"), Weak: true}}}, weak},
		{"weak, and a median", report.Row{Cells: []report.Cell{{Text: lit("9"), Weak: true, Notes: []int{1}}}}, weak},
		{"weak, as a note says", report.Row{Cells: []report.Cell{{Text: lit("9"), Weak: true, Notes: []int{2}}}}, ""},
		{"struck", report.Row{Cells: []report.Cell{{Text: lit("9"), Excluded: true}}}, struck},
		{"struck, with a warning", report.Row{Cells: []report.Cell{{Text: lit("9"), Excluded: true, Notes: []int{2}}}}, struck},
		{"struck, as a note says", report.Row{Cells: []report.Cell{{Text: lit("9"), Excluded: true, Notes: []int{3}}}}, ""},
		{"a row struck", report.Row{Excluded: true, Cells: []report.Cell{figure("9"), {Text: lit("9"), Excluded: true}}}, struck},
		{"a row struck, as a note says", report.Row{Excluded: true, Cells: []report.Cell{figure("9"), {Text: lit("9"), Excluded: true, Notes: []int{3}}}}, ""},
		{"struck and empty", report.Row{Cells: []report.Cell{{Missing: true, Excluded: true}}}, ""},
	} {
		got := in(printer(t, "en")).Table(report.Table{Columns: make([]report.Column, 2), Rows: []report.Row{c.row}, Notes: notes}).text
		for _, legend := range []string{weak, struck} {
			if strings.Contains(got, legend) != (legend == c.want) {
				t.Errorf("%s: want the legend %q in\n%s", c.what, c.want, got)
			}
		}
	}
}

// TestSpreadShowsOnHover: the spread of repeats is a title attribute and needs no note.
func TestSpreadShowsOnHover(t *testing.T) {
	cell := figure("9 ± 2%")
	cell.Spread, cell.Change = lit("6 runs, 8 to 10"), lit("1.5×")
	got := in(printer(t, "en")).Table(report.Table{Columns: make([]report.Column, 1), Rows: []report.Row{{Cells: []report.Cell{cell}}}}).text
	if want := `| <span title="6 runs, 8 to 10">9 ± 2% (1.5×)</span> |`; !strings.Contains(got, want) || strings.Contains(got, "<sup>") {
		t.Errorf("want %s in\n%s", want, got)
	}
}

func TestTableWithoutRows(t *testing.T) {
	got := in(printer(t, "en")).Table(report.Table{Columns: []report.Column{{Title: lit("模型")}}}).text
	if want := "| 模型 |\n|:-----|\n| —    |\n" + kramdown.ScrollNames + "\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := in(printer(t, "en")).Table(report.Table{}).text; got != "" {
		t.Errorf("a table without columns is %q", got)
	}
}

// TestTableGroups: the name of a column group is part of each column's header, because Markdown has no header
// groups.
func TestTableGroups(t *testing.T) {
	got := in(printer(t, "zh-CN")).Table(report.Table{Columns: []report.Column{{Title: lit("TTFT"), Group: lit("高负载"), Unit: "ms"}}}).text
	if want := "| 高负载 · TTFT (ms) |\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

var cellBorder = regexp.MustCompile(`(?:^|[^\\])\|`)

// FuzzTable: for any cell contents, every line keeps its number of cells, and Liquid finds nothing to run.
func FuzzTable(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s)
	}
	p := printer(f, "en")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := in(p).Table(report.Table{
			Columns: []report.Column{{Title: lit(a)}, {Title: lit(b), Unit: a, Align: report.Right}},
			Rows: []report.Row{
				{Cells: []report.Cell{{Text: lit(a), Best: true, Change: lit(b)}, {Text: lit(b), URL: a}}},
				{Cells: []report.Cell{{Text: lit(b)}, {Text: lit(a)}}, Excluded: true},
			},
		}).text
		grid, legend, _ := strings.Cut(strings.Replace(got, "\n"+kramdown.ScrollNames, "", 1), "\n\n")
		if legend != "Struck out: excluded by a check.\n" {
			t.Errorf("the legend is %q", legend)
		}
		lines := strings.Split(grid, "\n")
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
