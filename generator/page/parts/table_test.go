package parts

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

func TestCells(t *testing.T) {
	en, _ := locale.For("en")
	notes := []report.Note{{Text: locale.Lit("n < 100")}, {Text: locale.Lit("warm")}}
	at := result.Position{File: "runs/a.log", Line: 7}
	for _, c := range []struct {
		what string
		cell report.Cell
		want string
	}{
		{"plain", report.Cell{Text: locale.Lit("a & b")}, `a &amp; b`},
		{"missing", report.Cell{Missing: true, Text: locale.Lit("0")}, `<span class="none" title="no run has this value">—</span>`},
		{"of a run", report.Cell{Text: locale.Lit("1"), Run: "a", Source: at, Field: `Mean "TTFT"`},
			`<a href="run:a" title="runs/a.log:7, Mean &#34;TTFT&#34;">1</a>`},
		{"of a run without page", report.Cell{Text: locale.Lit("1"), Run: "gone", Source: at}, `<span title="runs/a.log:7">1</span>`},
		{"with a web page", report.Cell{Text: locale.Lit("m"), URL: "https://example.org/?a=1&b"}, `<a href="https://example.org/?a=1&amp;b">m</a>`},
		{"with a script for an address", report.Cell{Text: locale.Lit("m"), URL: "JavaScript:alert(1)"}, `m`},
		{"with an address that is none", report.Cell{Text: locale.Lit("m"), URL: "http://[::1"}, `m`},
		{"best", report.Cell{Text: locale.Lit("9"), Best: true}, `<span class="mark" role="img" title="best" aria-label="best">★</span><strong>9</strong>`},
		{"changed", report.Cell{Text: locale.Lit("9"), Change: locale.Lit("×2")}, `9 <small class="change">×2</small>`},
		{"noted", report.Cell{Text: locale.Lit("9"), Notes: []int{1, 2}}, `9<sup><span title="n &lt; 100">1</span>,<span title="warm">2</span></sup>`},
		{"with a note that is not there", report.Cell{Text: locale.Lit("9"), Notes: []int{7}}, `9<sup>7</sup>`},
	} {
		table := report.Table{Notes: notes, Columns: []report.Column{{}, {}}, Rows: []report.Row{{Cells: []report.Cell{{}, c.cell}}}}
		got := string(Table(table, en, func(id string) string {
			if id == "gone" {
				return ""
			}
			return "run:" + id
		}))
		_, got, _ = strings.Cut(got, "<td>")
		got, _, _ = strings.Cut(got, "</td>")
		if got != c.want {
			t.Errorf("a cell %s:\ngot  %s\nwant %s", c.what, got, c.want)
		}
	}
}

// TestCellsAreMarked checks the marks of a cell: its class and rule, its reason, and text for screen readers about what
// others see.
func TestCellsAreMarked(t *testing.T) {
	en, _ := locale.For("en")
	notes := []report.Note{{Text: locale.Lit("median of 3")}, {Severity: result.Warning, Text: locale.Lit("few")}, {Severity: result.Error, Text: locale.Lit("impossible")}}
	at := result.Position{File: "a.log", Line: 7}
	for _, c := range []struct {
		what   string
		cell   report.Cell
		want   string
		legend string
	}{
		{"weak", report.Cell{Text: locale.Lit("9"), Weak: true},
			`<td class="num weak">9<span class="aloud"> too few samples</span></td>`, "Grey: too few samples to support the figure."},
		{"weak, which a note explains", report.Cell{Text: locale.Lit("9"), Weak: true, Notes: []int{2}},
			`<td class="num weak">9<span class="aloud"> too few samples</span><sup><span class="warning" title="few">2</span></sup></td>`, ""},
		{"weak and a median", report.Cell{Text: locale.Lit("9"), Weak: true, Notes: []int{1}},
			`<td class="num weak">9<span class="aloud"> too few samples</span><sup><span title="median of 3">1</span></sup></td>`, "Grey: too few samples to support the figure."},
		{"missing and weak", report.Cell{Missing: true, Weak: true}, `<td class="num"><span class="none" title="no run has this value">—</span></td>`, ""},
		{"struck", report.Cell{Text: locale.Lit("9"), Excluded: true},
			`<td class="num quarantined"><s>9</s><span class="aloud"> excluded</span></td>`, "Struck out: excluded by a check."},
		{"struck, which a note explains", report.Cell{Text: locale.Lit("9"), Excluded: true, Notes: []int{3}},
			`<td class="num quarantined"><s>9</s><span class="aloud"> excluded</span><sup><span class="error" title="impossible">3</span></sup></td>`, ""},
		{"struck and empty", report.Cell{Excluded: true, Missing: true}, `<td class="num quarantined"><span class="none" title="no run has this value">—</span></td>`, ""},
		{"a verdict", report.Cell{Text: locale.Lit("fastest"), Rule: "tradeoff.fastest", Why: locale.Lit("9 > 8")},
			`<td class="num" data-rule="tradeoff.fastest"><span title="9 &gt; 8">fastest</span><sup>a</sup></td>`, ""},
		{"a figure that rests on something", report.Cell{Text: locale.Lit("9"), Run: "r", Source: at, Field: "TTFT", Why: locale.Lit("9 > 8"), Notes: []int{1}},
			`<td class="num"><a href="run:r" title="9 &gt; 8 · a.log:7, TTFT">9</a><sup><span title="median of 3">1</span>,a</sup></td>`, ""},
		{"a figure of repeats", report.Cell{Text: locale.Lit("9"), Source: at, Spread: locale.Lit("3 runs, 8 to 10")},
			`<td class="num"><span title="3 runs, 8 to 10 · a.log:7">9</span></td>`, ""},
		{"no verdict, with its reason", report.Cell{Missing: true, Rule: "tradeoff.none", Why: locale.Lit("excluded")},
			`<td class="num" data-rule="tradeoff.none"><span class="none" title="excluded">—</span><sup>a</sup></td>`, ""},
	} {
		table := report.Table{Notes: notes, Columns: []report.Column{{}, {Align: report.Right}}, Rows: []report.Row{{Cells: []report.Cell{{}, c.cell}}}}
		got := string(Table(table, en, func(id string) string { return "run:" + id }))
		if !strings.Contains(got, "</th>"+c.want) {
			t.Errorf("a cell %s: want %s in\n%s", c.what, c.want, got)
		}
		_, legend, _ := strings.Cut(got, `<p class="legend">`)
		if legend, _, _ = strings.Cut(legend, "</p>"); legend != c.legend {
			t.Errorf("a cell %s: got the legend %q, want %q", c.what, legend, c.legend)
		}
	}
}

// TestRowSetAside checks that an excluded row is marked in words, so that its cells need no legend.
func TestRowSetAside(t *testing.T) {
	en, _ := locale.For("en")
	table := report.Table{Columns: []report.Column{{}, {}}, Rows: []report.Row{{Excluded: true, Cells: []report.Cell{{Text: locale.Lit("m")}, {Text: locale.Lit("9"), Excluded: true}}}}}
	got := string(Table(table, en, nil))
	want := `<tr class="quarantined"><th scope="row"><s>m</s> <small class="tag">excluded</small></th><td><s>9</s><span class="aloud"> excluded</span></td></tr>`
	if !strings.Contains(got, want) || strings.Contains(got, "legend") {
		t.Errorf("want %s and no legend in\n%s", want, got)
	}
}

// TestReasonsAreSharedAndListed checks that cells with the same reason share a letter, and that the list is in their
// order.
func TestReasonsAreSharedAndListed(t *testing.T) {
	why := func(s string) report.Cell { return report.Cell{Text: locale.Lit("x"), Why: locale.Lit(s)} }
	table := report.Table{Columns: []report.Column{{}, {}}, Rows: []report.Row{
		{Cells: []report.Cell{why("one & only"), why("two")}}, {Cells: []report.Cell{why("two"), why("one & only")}}}}
	for lang, words := range map[string]string{"en": "Evidence for the entries", "zh-CN": "各项依据"} {
		p, _ := locale.For(lang)
		got := string(Table(table, p, nil))
		want := `<details class="reasons"><summary>` + words + `</summary>
<ol type="a" class="notes"><li>one &amp; only</li><li>two</li></ol></details>
`
		if !strings.Contains(got, want) || strings.Count(got, "<sup>a</sup>") != 2 || strings.Count(got, "<sup>b</sup>") != 2 {
			t.Errorf("%s: want %s and each letter twice in\n%s", lang, want, got)
		}
	}
}

// TestSpreadsAreListedByRowAndColumn checks that the ranges of repeats are listed without letters, since each figure
// has its own.
func TestSpreadsAreListedByRowAndColumn(t *testing.T) {
	table := report.Table{
		Columns: []report.Column{{}, {Group: locale.Lit("high"), Title: locale.Lit("TTFT")}},
		Rows:    []report.Row{{Cells: []report.Cell{{Text: locale.Lit("A")}, {Text: locale.Lit("9"), Spread: locale.Lit("3 runs, 8 to 10")}}}},
	}
	en, _ := locale.For("en")
	got := string(Table(table, en, nil))
	if !strings.Contains(got, `<ul class="notes"><li>A · high · TTFT: 3 runs, 8 to 10</li></ul></details>`) || strings.Contains(got, "<sup>") {
		t.Error(got)
	}
}

func TestNotesThatWarnAreMarked(t *testing.T) {
	table := report.Table{Columns: []report.Column{{}}, Notes: []report.Note{{Text: locale.Lit("a")}, {Severity: result.Warning, Text: locale.Lit("b")}, {Severity: result.Error, Text: locale.Lit("c")}}}
	for lang, words := range map[string][2]string{"en": {"Warning", "Error"}, "zh-CN": {"警告", "错误"}} {
		p, _ := locale.For(lang)
		want := `<ol class="notes"><li class="info">a</li><li class="warning"><span class="severity">` + words[0] +
			`</span> b</li><li class="error"><span class="severity">` + words[1] + "</span> c</li></ol>\n"
		if got := string(Table(table, p, nil)); !strings.Contains(got, want) {
			t.Errorf("%s: want %s in\n%s", lang, want, got)
		}
	}
}

// TestTableWithoutLinks checks that a table without run pages, as in a preview, needs no link function.
func TestTableWithoutLinks(t *testing.T) {
	en, _ := locale.For("en")
	table := report.Table{Columns: []report.Column{{}}, Rows: []report.Row{{Cells: []report.Cell{{Text: locale.Lit("1"), Run: "a"}, {Text: locale.Lit("more than columns")}}}}}
	if got := string(Table(table, en, nil)); strings.Contains(got, "<a") || !strings.Contains(got, "more than columns") {
		t.Errorf("got %s", got)
	}
}
