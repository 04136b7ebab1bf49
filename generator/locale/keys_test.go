package locale

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// uses contains the literals of the sources that may be keys of the catalogue.
type uses struct {
	keys     map[string]string // keys passed to functions of asks → position
	literals map[string]bool   // any literals, which may be keys in a table
	prefixes map[string]string // literals to which something is appended → position
	suffixes map[string]bool   // literals that are appended to something
}

// key matches texts that look like the key of a message: area.name, area.name-more.part.
var key = regexp.MustCompile(`^[a-z][a-z-]*(\.[A-Za-z0-9_-]+)+$`)

// asks lists the functions whose first argument is a key.
var asks = []string{"T", "Words", "words", "Has", "Forms"}

// readSources collects the literals of all Go sources, scripts and layouts of the project.
func readSources(t *testing.T) uses {
	t.Helper()
	u := uses{map[string]string{}, map[string]bool{}, map[string]string{}, map[string]bool{}}
	for _, root := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "bundle") {
				if d != nil && d.IsDir() && err == nil {
					return filepath.SkipDir
				}
				return err
			}
			switch ext := filepath.Ext(name); {
			case d.IsDir(), strings.Contains(name, "_test.") || strings.Contains(name, ".test."):
			case strings.HasPrefix(filepath.Base(name), "words") && filepath.Dir(name) == "../locale":
			case ext == ".go":
				u.goFile(t, name)
			case ext == ".js" || ext == ".html" || ext == ".xml" || ext == ".md":
				u.textFile(t, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return u
}

// goFile collects the literals of a Go file.
func (u *uses) goFile(t *testing.T, name string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if s, ok := literal(n); ok {
				u.literals[s] = true
				u.suffixes[s] = strings.HasPrefix(s, ".")
			}
		case *ast.BinaryExpr:
			if s, ok := literal(n.X); ok && n.Op == token.ADD && s != "" {
				u.prefixes[strings.TrimSuffix(s, ".")+"."] = fset.Position(n.Pos()).String()
			}
		case *ast.CallExpr:
			if len(n.Args) == 0 || !slices.Contains(asks, called(n.Fun)) {
				return true
			}
			if s, ok := literal(n.Args[0]); ok {
				u.keys[s] = fset.Position(n.Pos()).String()
			}
		}
		return true
	})
}

// called returns the name of a called function.
func called(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

var (
	asked  = regexp.MustCompile(`\b(?:words|say|plural)[ (]+["'` + "`" + `]([^"'` + "`" + `$]+)["'` + "`" + `](\s*\+)?`)
	quoted = regexp.MustCompile(`["'` + "`" + `]([a-z][a-z-]*\.[A-Za-z0-9_.-]*)(["'` + "`" + `]|\$\{)`)
)

// textFile collects the keys and other quoted texts of a script or a layout.
func (u *uses) textFile(t *testing.T, name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range asked.FindAllSubmatch(data, -1) {
		if s := string(m[1]); key.MatchString(s) && len(m[2]) == 0 {
			u.keys[s] = name
		}
	}
	for _, m := range quoted.FindAllSubmatch(data, -1) {
		s := string(m[1])
		u.literals[s] = true
		if strings.HasSuffix(s, ".") {
			u.prefixes[s] = name
		}
	}
}

// TestKeysAreThoseOfTheCatalogue: every key in use is in the catalogue, and every key of the catalogue is in
// use. So readers see no [key], and translators no unused words.
func TestKeysAreThoseOfTheCatalogue(t *testing.T) {
	t.Parallel()
	u := readSources(t)
	if len(u.keys) < 200 || len(u.prefixes) < 10 {
		t.Fatalf("%d keys and %d prefixes found: the sources are not read", len(u.keys), len(u.prefixes))
	}
	begins := func(prefix string) bool {
		for k := range words {
			if strings.HasPrefix(k, prefix) {
				return true
			}
		}
		return false
	}
	for _, k := range slices.Sorted(maps.Keys(u.keys)) {
		if _, ok := words[k]; !ok && key.MatchString(k) && !begins(k) {
			t.Errorf("%s asks for %q, which is not in the catalogue", u.keys[k], k)
		}
	}
	areas := map[string]bool{}
	for k := range words {
		area, _, _ := strings.Cut(k, ".")
		areas[area] = true
	}
	for _, k := range slices.Sorted(maps.Keys(u.literals)) {
		area, _, _ := strings.Cut(k, ".")
		if _, ok := words[k]; ok || !key.MatchString(k) || !areas[area] || begins(k) || slices.Contains(sharedAreas, area) {
			continue
		}
		if ext := filepath.Ext(k); slices.Contains([]string{".html", ".js", ".json", ".css", ".md", ".xml", ".csv", ".png", ".svg", ".toml", ".log", ".txt", ".jsonl", ".parquet"}, ext) {
			continue
		}
		t.Errorf("%q looks like a key and is not in the catalogue", k)
	}
	fromTable := map[string]bool{}
	for k := range vocabularyWords() {
		fromTable[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(words)) {
		used := u.literals[k] || fromTable[k]
		for i, c := range k {
			used = used || c == '.' && (u.prefixes[k[:i+1]] != "" || u.literals[k[:i]] && u.suffixes[k[i:]])
		}
		if !used {
			t.Errorf("%s is said nowhere", k)
		}
	}
}

// sharedAreas lists the areas that also occur in ids of messages. A literal of such an area need not be a key.
var sharedAreas = []string{"chart", "compare", "history", "report", "site", "source", "sweep"}
