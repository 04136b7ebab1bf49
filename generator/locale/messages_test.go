package locale

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/locale/chinese"
)

// source is a package of the project with its syntax trees.
type source struct {
	dir    string // path below the repository, with slashes
	files  []*ast.File
	consts map[string]string // string constants
}

// sourcesOf parses all packages of the project without their tests.
func sourcesOf(t *testing.T) (*token.FileSet, []*source) {
	t.Helper()
	fset := token.NewFileSet()
	byDir := map[string]*source{}
	for _, root := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			dir := path.Join("generator/locale", filepath.ToSlash(filepath.Dir(name)))
			if byDir[dir] == nil {
				byDir[dir] = &source{dir: dir, consts: map[string]string{}}
			}
			byDir[dir].files = append(byDir[dir].files, file)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var all []*source
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		s := byDir[dir]
		all = append(all, s)
		for _, file := range s.files {
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
					for i, name := range spec.Names {
						if text, ok := s.text(spec.Values[i]); ok {
							s.consts[name.Name] = text
						}
					}
				}
				return true
			})
		}
	}
	return fset, all
}

// text returns the value of a string expression: a literal, a constant of the package, or a concatenation of
// these.
func (s *source) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return literal(e)
	case *ast.Ident:
		text, ok := s.consts[e.Name]
		return text, ok
	case *ast.ParenExpr:
		return s.text(e.X)
	case *ast.BinaryExpr:
		left, ok := s.text(e.X)
		right, also := s.text(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	}
	return "", false
}

// speaker describes a function that makes a text from a format: the index of the format among its parameters,
// and whether the format's arguments follow.
type speaker struct {
	at   int
	args bool
}

// speakersOf returns the functions of a package that pass on a format and its arguments, by name.
func (s *source) speakersOf(known map[string]speaker) map[string]speaker {
	found := map[string]speaker{}
	hands := func(f *ast.FuncType, body *ast.BlockStmt) (speaker, bool) {
		var names []string
		for _, field := range f.Params.List {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
		n := len(names)
		if n < 2 || body == nil || names[n-2] != "format" || names[n-1] != "args" {
			return speaker{}, false
		}
		yes := false
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && call.Ellipsis.IsValid() {
				_, isKnown := known[called(call.Fun)]
				yes = yes || isKnown
			}
			return true
		})
		return speaker{n - 2, true}, yes
	}
	for _, file := range s.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if speaks, ok := hands(n.Type, n.Body); ok {
					found[n.Name.Name] = speaks
				}
			case *ast.AssignStmt:
				for i, right := range n.Rhs {
					if f, ok := right.(*ast.FuncLit); ok {
						if speaks, ok := hands(f.Type, f.Body); ok {
							found[called(n.Lhs[i])] = speaks
						}
					}
				}
			}
			return true
		})
	}
	return found
}

// said is a format in the sources.
type said struct {
	format string
	args   int // number of its arguments; -1 if they are passed as a slice
	at     string
}

// formatsOf collects the formats of all messages.
func formatsOf(t *testing.T) []said {
	t.Helper()
	fset, sources := sourcesOf(t)
	own := map[string]speaker{"Textf": {0, true}, "Errorf": {0, true}}
	exported := maps.Clone(own)
	for range 2 { // functions that call functions that pass a format on
		for _, s := range sources {
			for name, speaks := range s.speakersOf(exported) {
				if ast.IsExported(name) {
					exported[name] = speaks
				}
			}
		}
	}
	delete(exported, "Errorf") // package fmt has a function with this name
	var all []said
	for _, s := range sources {
		if s.dir == "generator/locale" {
			continue // it only passes formats on
		}
		speakers := maps.Clone(exported)
		for range 3 {
			for name, speaks := range s.speakersOf(speakers) {
				speakers[name] = speaks
			}
		}
		for _, file := range s.files {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				name := called(call.Fun)
				at := fset.Position(call.Pos()).String()
				of := ""
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
					if x, ok := sel.X.(*ast.Ident); ok {
						of = x.Name
					}
				}
				if of == "locale" && name == "Plural" {
					for _, arg := range call.Args[1:] {
						form, ok := s.text(arg)
						if !ok {
							t.Errorf("%s: the form is not written here", at)
						}
						all = append(all, said{form, strings.Count(form, "%"), at})
					}
					return true
				}
				speaks, ok := speakers[name]
				if of == "locale" && own[name].args {
					speaks, ok = own[name], true
				}
				if !ok || of == "fmt" || len(call.Args) <= speaks.at {
					return true
				}
				if name, ok := call.Args[speaks.at].(*ast.Ident); ok && name.Name == "format" {
					return true // passed on
				}
				form, ok := s.text(call.Args[speaks.at])
				if !ok {
					t.Errorf("%s: the format is not written here", at)
					return true
				}
				given := len(call.Args) - speaks.at - 1
				if call.Ellipsis.IsValid() {
					given = -1
				}
				all = append(all, said{form, given, at})
				return true
			})
		}
	}
	return all
}

// TestEveryMessageIsSaidInChinese: every message has a Chinese row with the same arguments, and no row is
// unused.
func TestEveryMessageIsSaidInChinese(t *testing.T) {
	t.Parallel()
	all := formatsOf(t)
	if len(all) < 700 {
		t.Fatalf("%d messages found: the sources are not read", len(all))
	}
	slices.SortFunc(all, func(a, b said) int { return cmp.Compare(a.at, b.at) })
	used := map[string]bool{}
	missing := map[string]bool{}
	for _, one := range all {
		used[one.format] = true
		takes := verbs(one.format)
		if one.args > 0 && len(takes) != one.args || one.args == 0 && len(takes) > 0 {
			t.Errorf("%s: %q takes %d arguments and is given %d", one.at, one.format, len(takes), one.args)
		}
		row, ok := chinese.Of(one.format)
		if !ok {
			if !missing[one.format] {
				t.Errorf("%s: no row of package chinese has %q", one.at, one.format)
			}
			missing[one.format] = true
			continue
		}
		if got := verbs(row); one.args != 0 && !maps.Equal(takes, got) {
			t.Errorf("%q takes %v, %q takes %v", one.format, takes, row, got)
		}
	}
	_, own := sourcesOf(t)
	for _, s := range own { // formats that package locale passes on, and its own messages
		if s.dir != "generator/locale" {
			continue
		}
		for _, file := range s.files {
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok {
					if text, ok := literal(lit); ok {
						used[text] = true
					}
				}
				return true
			})
		}
	}
	for english := range chinese.All() {
		if !used[english] && !chinese.IsOfSystems(english) {
			t.Errorf("no message says %q", english)
		}
	}
}

// TestChineseMessagesAreSetAsChinese: Chinese rows follow the rules of Chinese typography.
func TestChineseMessagesAreSetAsChinese(t *testing.T) {
	t.Parallel()
	half := regexp.MustCompile(`\p{Han}[,;:()?!]|[,;:(?!]\p{Han}`)
	joined := regexp.MustCompile(`\p{Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Han}`)
	n := 0
	for english, row := range chinese.All() {
		n++
		bare := verb.ReplaceAllString(row, "\x00") // an argument may be anything
		if m := half.FindString(bare); m != "" {
			t.Errorf("%q: %q is half as wide as it is to be", row, m)
		}
		if m := joined.FindString(bare); m != "" {
			t.Errorf("%q: a space is missing in %q", row, m)
		}
		if strings.HasSuffix(row, "。") {
			t.Errorf("%q ends in a full stop", row)
		}
		if strings.Contains(row, "  ") || strings.TrimSpace(row) != row && strings.TrimSpace(english) == english {
			t.Errorf("%q has a space too many", row)
		}
		if strings.Contains(row, "您") || strings.Contains(row, "“") && strings.Contains(row, `"`) {
			t.Errorf("%q: write 请…, and one kind of quotation marks", row)
		}
		if !utf8.ValidString(row) || row == "" {
			t.Errorf("%q has no Chinese", english)
		}
	}
	if n < 40 {
		t.Fatalf("%d rows", n)
	}
}

// TestAnErrorOfTheSystemIsSaidInChinese: messages of the operating system are translated.
func TestAnErrorOfTheSystemIsSaidInChinese(t *testing.T) {
	t.Parallel()
	zh, _ := For("zh")
	for _, err := range []error{fs.ErrPermission, fs.ErrNotExist, &fs.PathError{Op: "open", Path: "runs/a.log", Err: fs.ErrNotExist}} {
		if text := Reason(err); English(text) != err.Error() || !regexp.MustCompile(`\p{Han}`).MatchString(zh.Say(text)) {
			t.Errorf("%v: %q, %q", err, English(text), zh.Say(text))
		}
	}
}
