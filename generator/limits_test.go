package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDocumentsOfLimitsNameTheirConstants(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"../docs/limits.md", "../docs/zh/limits.md"} {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for line := range strings.Lines(string(text)) {
			cells := strings.Split(line, "|")
			if len(cells) != 6 || !strings.Contains(cells[4], "`") {
				continue
			}
			stated, _, _ := strings.Cut(strings.TrimSpace(cells[2]), " ")
			dir, name, _ := strings.Cut(strings.Trim(strings.TrimSpace(cells[4]), "`"), ".")
			if value := constant(t, dir, name); value != stated {
				t.Errorf("%s: %s.%s is %q, %s states %q", strings.TrimSpace(cells[1]), dir, name, value, document, stated)
			}
			compared++
		}
		if compared == 0 {
			t.Errorf("no row of the table in %s names a constant", document)
		}
	}
}

// constant returns the value of a constant of a package, "" if there is none.
func constant(t *testing.T, dir, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	for _, file := range files {
		f, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var value string
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, id := range spec.Names {
				if id.Name == name && i < len(spec.Values) {
					v, err := types.Eval(set, nil, token.NoPos, types.ExprString(spec.Values[i]))
					if err == nil && v.Value != nil {
						value = v.Value.ExactString()
					}
				}
			}
			return true
		})
		if value != "" {
			return value
		}
	}
	return ""
}
