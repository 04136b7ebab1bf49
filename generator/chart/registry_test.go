package chart

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/benchpost/benchpost/generator/report"
)

// declaredKinds reads the constants of type report.ChartKind, so that none is missed.
func declaredKinds(t *testing.T) []report.ChartKind {
	t.Helper()
	files, err := filepath.Glob("../report/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []report.ChartKind
	for _, file := range files {
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if name, ok := spec.Type.(*ast.Ident); ok && name.Name == "ChartKind" && len(spec.Values) == 1 {
				text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				kinds = append(kinds, report.ChartKind(text))
			}
			return true
		})
	}
	slices.Sort(kinds)
	return kinds
}

// TestKindsAreTheSameEverywhere checks that every declared kind of chart is drawn, and has a sample, a section
// with a block in docs/charts.md and a picture in the gallery; and that pages themselves draw only such kinds.
func TestKindsAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	declared := declaredKinds(t)
	same := func(where string, got []report.ChartKind) {
		t.Helper()
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, declared) {
			t.Errorf("%s: kinds %q, declared are %q", where, got, declared)
		}
	}
	same("layouts", slices.Collect(maps.Keys(kinds)))
	var sampled, shown []report.ChartKind
	for _, c := range charts() {
		sampled = append(sampled, c.Kind)
	}
	same("samples", sampled)
	for _, sample := range gallery {
		shown = append(shown, charts()[sample].Kind)
	}
	same("the gallery of docs/charts.md", shown)

	page, err := os.ReadFile(docs + "charts.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := string(page)
	for _, kind := range declared {
		if !regexp.MustCompile("(?s)\n## [^\n]+\n[^#]*?```benchpost chart \\w+\nkind = \"" + string(kind) + "\"").MatchString(blocks) {
			t.Errorf("docs/charts.md has no section with a block of kind %s", kind)
		}
	}
	module, err := os.ReadFile("../page/script/chart/draw.js")
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`export const kinds = \{(.*)\};`).FindSubmatch(module)
	if table == nil {
		t.Fatal("draw.js has no table of kinds")
	}
	for _, m := range regexp.MustCompile(`(\w+): \(c\) =>`).FindAllSubmatch(table[1], -1) {
		if !slices.Contains(declared, report.ChartKind(m[1])) {
			t.Errorf("the script draws charts of kind %s, which Go does not", m[1])
		}
	}
}
