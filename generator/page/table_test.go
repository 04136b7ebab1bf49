package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

func TestTableGolden(t *testing.T) {
	s := fixture()
	for _, lang := range s.Languages {
		p, _ := locale.For(lang)
		from := s.PostPage(lang, "tradeoffs")
		got := string(Table(fixtureTable(s), p, func(id string) string { return Link(from, s.RunPage(lang, id)) }))
		name := filepath.Join("testdata", "table."+lang+".html")
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs; look at it and run with -update if it is right:\n%s", name, got)
		}
	}
}

func TestCells(t *testing.T) {
	en, _ := locale.For("en")
	notes := []report.Note{{Text: locale.Lit("n < 100")}, {Text: locale.Lit("warm")}}
	at := bench.Position{File: "runs/a.log", Line: 7}
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

// A table without run pages, as in a preview, needs no link function.
func TestTableWithoutLinks(t *testing.T) {
	en, _ := locale.For("en")
	table := report.Table{Columns: []report.Column{{}}, Rows: []report.Row{{Cells: []report.Cell{{Text: locale.Lit("1"), Run: "a"}, {Text: locale.Lit("more than columns")}}}}}
	if got := string(Table(table, en, nil)); strings.Contains(got, "<a") || !strings.Contains(got, "more than columns") {
		t.Errorf("got %s", got)
	}
}
