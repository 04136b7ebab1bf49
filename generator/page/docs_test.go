package page

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLayoutsAreDocumented checks that docs/layouts.md and docs/zh/layouts.md list, for every layout, every field of
// its data with its comment, and every function.
func TestLayoutsAreDocumented(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../../docs/layouts.md", "../../docs/zh/layouts.md"} {
		docs, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head, _, ok := strings.Cut(string(docs), marker)
		if !ok {
			t.Fatalf("%s lacks %q", name, marker)
		}
		for function := range (functions{l: &language{}}).all() {
			if !regexp.MustCompile("`" + function + "[ `]").MatchString(head) {
				t.Errorf("%s does not document the function %s", name, function)
			}
		}
		want := head + marker + "\n" + documented(t)
		if *update {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if string(docs) != want {
			t.Errorf("%s does not match the types; write it anew with -update", name)
		}
	}
}

const marker = "<!-- the types -->\n"

// documented returns the documentation of the types that layouts receive.
func documented(t *testing.T) string {
	types := structs(t)
	of := map[string]*structType{"base.html": types["Page"]}
	for _, k := range kinds() {
		of[k.name+".html"] = types[reflect.TypeOf(k.data).Name()]
	}
	layouts, err := fs.Glob(Layouts(), "*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range layouts {
		if of[name] == nil {
			t.Errorf("%s is in no row of kinds", name)
			delete(of, name)
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(of)) {
		what := "`.Data`"
		if name == "base.html" {
			what = "every page"
		}
		fmt.Fprintf(&b, "### `%s`\n\n| %s | type | |\n|---|---|---|\n", name, what)
		of[name].rows(&b, types, "", nil)
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// structType is a struct of the package with its comments.
type structType struct {
	name, doc string
	fields    []structField
}

type structField struct {
	name, doc string
	kind      string // in words of a reader
	of        string // the package's own type that it contains
}

// rows lists the fields of a struct, and below each those of the struct it contains.
func (s *structType) rows(b *strings.Builder, types map[string]*structType, above string, within []string) {
	for _, f := range s.fields {
		fmt.Fprintf(b, "| `%s.%s` | %s | %s |\n", above, f.name, f.kind, strings.NewReplacer("|", `\|`, "<", `\<`).Replace(f.doc))
		inner := types[f.of]
		if inner == nil || slices.Contains(within, f.of) {
			continue
		}
		inner.rows(b, types, above+"."+f.name, append(within, f.of))
	}
}

// structs reads the structs of this package.
func structs(t *testing.T) map[string]*structType {
	t.Helper()
	names, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]*structType{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				ts, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if st, ok := ts.Type.(*ast.StructType); ok {
					types[ts.Name.Name] = newStruct(ts.Name.Name, decl.Doc.Text()+ts.Doc.Text(), st)
				}
			}
		}
	}
	return types
}

func newStruct(name, doc string, st *ast.StructType) *structType {
	s := &structType{name: name, doc: doc}
	for _, f := range st.Fields.List {
		kind, of := kindOf(f.Type)
		words := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
		for _, n := range f.Names {
			if n.IsExported() {
				s.fields = append(s.fields, structField{n.Name, words, kind, of})
			}
		}
	}
	return s
}

// kindOf returns the description of a type, and the struct of this package in it.
func kindOf(e ast.Expr) (kind, of string) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return kindOf(e.X)
	case *ast.ArrayType:
		kind, of = kindOf(e.Elt)
		if of != "" {
			return "list of records", of
		}
		return "list of " + kind, ""
	case *ast.MapType:
		kind, of = kindOf(e.Value)
		return strings.ReplaceAll(kind, " by name", "") + " by name", of
	case *ast.SelectorExpr:
		name := e.X.(*ast.Ident).Name + "." + e.Sel.Name
		switch name {
		case "template.HTML":
			return "HTML", ""
		case "template.URL":
			return "address", ""
		case "locale.Text":
			return "`say`", ""
		}
		return "`" + path.Base(name) + "`", ""
	case *ast.Ident:
		switch e.Name {
		case "string":
			return "text", ""
		case "bool":
			return "yes or no", ""
		case "int", "int64", "float64":
			return "number", ""
		case "any":
			return "see below", ""
		}
		return "record", e.Name
	}
	return "", ""
}
