// Package generator contains no code. Its tests check the architecture.
package generator

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the path that go.mod declares.
const module = "github.com/benchpost/benchpost"

// mayImport is the data of docs/architecture.md: the packages of benchpost that each package may import, as
// paths below generator. Every package may also import cores, lazy, visible, sitefile and locale.
var mayImport = map[string][]string{
	"format": {"result", "format/internal/column", "format/internal/draft", "format/internal/scan", "format/internal/unwrap", "format/llamacpp", "format/loadgen", "format/machine",
		"format/nvidia", "format/quality", "format/telemetry", "format/vllm", "rawfile", "settings", "shell", "unread", "vocabulary"},
	"format/internal/scan":   {"result"},
	"format/internal/unwrap": {"format/internal/scan"},
	"format/internal/column": {"result", "format/internal/draft", "format/internal/scan"},
	"format/internal/draft":  {"result", "format/internal/scan", "shell", "unread", "vocabulary"},
	"format/llamacpp":        {"catalogue", "result", "format/internal/draft", "format/internal/scan", "shell", "vocabulary"},
	"format/loadgen":         {"result", "format/internal/draft", "format/internal/scan", "vocabulary"},
	"format/machine":         {"result", "format/internal/draft", "format/internal/scan", "vocabulary"},
	"format/nvidia":          {"result", "format/internal/draft", "format/internal/scan", "vocabulary"},
	"format/quality":         {"result", "format/internal/draft", "format/internal/scan", "vocabulary"},
	"format/telemetry":       {"result", "format/internal/draft", "format/internal/scan", "vocabulary"},
	"format/vllm":            {"result", "format/internal/draft", "format/internal/scan", "shell", "vocabulary"},

	"filemark":          {},
	"cores":             {},
	"lazy":              {},
	"pack":              {},
	"sitefile":          {},
	"visible":           {},
	"hardware":          {},
	"catalogue":         {},
	"vocabulary":        {},
	"magnitude":         {},
	"locale":            {"locale/chinese", "pack", "vocabulary"},
	"locale/chinese":    {},
	"result":            {"lazy", "vocabulary"},
	"audit":             {"catalogue", "result", "vocabulary"},
	"settings":          {"result"},
	"unread":            {"result"},
	"rawfile":           {},
	"shell":             {},
	"git":               {},
	"weights":           {"result"},
	"mask":              {"filemark", "rawfile", "redact", "result"},
	"rundir":            {"filemark", "mask", "result", "format", "rawfile", "settings", "unread", "weights", "vocabulary"},
	"history":           {"result", "format", "git", "mask", "pack", "rundir"},
	"explain":           {"result"},
	"sweep":             {"result", "format", "rundir", "settings", "shell"},
	"record":            {"format", "redact", "rundir", "settings", "shell"},
	"importer":          {"publish", "result", "format", "settings", "shell"},
	"document":          {"document/kramdown", "result", "settings"},
	"document/kramdown": {},
	"page/script":       {},
	"stats":             {"result"},
	"dataset":           {"audit", "magnitude", "result", "settings", "stats", "vocabulary"},
	"report":            {"magnitude", "result"},
	"block/condition":   {"audit", "dataset", "result"},
	"block/view":        {"block/builder", "block/condition", "block/plot", "block/table", "dataset", "report", "result", "vocabulary"},
	"block/trends":      {"block/builder", "block/condition", "block/plot", "block/table", "block/view", "dataset", "report", "result", "stats", "vocabulary"},
	"block/tradeoff":    {"audit", "block/builder", "block/table", "dataset", "report", "result", "vocabulary"},
	"block/table":       {"block/builder", "dataset", "magnitude", "report", "result", "stats", "vocabulary"},
	"block/sweep":       {"audit", "block/builder", "dataset", "report", "result", "stats"},
	"block/checks":      {"block/builder", "dataset", "report", "result"},
	"block/raw":         {"dataset", "report", "result"},
	"block/plot":        {"block/builder", "block/condition", "chart/calendar", "dataset", "magnitude", "report", "result", "settings", "stats", "vocabulary"},
	"block/inline":      {"audit", "block/builder", "dataset", "magnitude", "report", "result", "settings", "stats"},
	"block/finding":     {"audit", "block/builder", "block/condition", "block/tradeoff", "dataset", "report", "result", "stats"},
	"block/effects":     {"block/builder", "dataset", "report", "result", "stats"},
	"block/coverage":    {"block/builder", "dataset", "report", "result", "settings"},
	"block/builder":     {"audit", "dataset", "magnitude", "report", "result", "stats", "vocabulary"},
	"compose":           {"audit", "block", "block/condition", "block/inline", "block/view", "dataset", "report", "result", "settings", "vocabulary"},
	"block":             {"block/builder", "block/checks", "block/coverage", "block/effects", "block/finding", "block/plot", "block/raw", "block/sweep", "block/table", "block/tradeoff", "block/trends", "dataset", "report", "result", "settings"},
	"compare":           {"audit", "dataset", "magnitude", "report", "result", "settings", "stats", "vocabulary"},
	"prose":             {"dataset", "document", "result", "vocabulary"},
	"chart":             {"chart/calendar", "chart/font", "chart/number", "chart/png", "chart/raster", "chart/stack", "chart/svg", "result", "report"},
	"chart/calendar":    {},
	"chart/font":        {"chart/font/woff", "chart/raster", "result"},
	"chart/font/woff":   {},
	"chart/number":      {},
	"chart/png":         {},
	"chart/raster":      {},
	"chart/stack":       {},
	"chart/svg":         {},
	"export":            {"compare", "datapackage", "dataset", "pieces", "publish", "report", "result", "vocabulary"},
	"blogpost":          {"result", "cite", "document", "document/kramdown", "report"},
	"pieces":            {"result"},
	"datapackage":       {"audit", "cite", "dataset", "pieces", "result", "vocabulary"},
	"page/address":      {},
	"page/data":         {"audit", "compare", "dataset", "export", "page/address", "page/parts", "report", "result", "vocabulary"},
	"page/feed":         {},
	"page/find":         {},
	"page/redirect":     {},
	"page/lines":        {"explain", "page/parts"},
	"page/meta":         {"cite", "page/address", "page/parts", "result", "vocabulary"},
	"page/parts":        {"dataset", "magnitude", "result", "page/address", "report", "vocabulary"},
	"page/problem":      {"page/address", "page/parts", "result"},
	"page/reached":      {"audit", "page/address", "page/parts", "result", "stats"},
	"page/run":          {"cite", "dataset", "explain", "page/address", "page/lines", "page/parts", "result"},
	"page/pairing":      {"audit", "dataset", "result"},
	"page/difference":   {"compare", "page/parts"},
	"page/manual":       {"document", "page/address", "result", "settings"},
	"page":              {"audit", "block/coverage", "block/tradeoff", "block/trends", "block/view", "cite", "compare", "datapackage", "dataset", "export", "page/address", "page/data", "page/difference", "page/feed", "page/find", "page/manual", "page/meta", "page/pairing", "page/parts", "page/problem", "page/reached", "page/run", "page/script", "report", "result", "unread", "vocabulary"},
	"cite":              {},
	"singlefile":        {},
	"publish":           {"filemark", "page/address", "result"},
	"serve":             {"result", "page"},
	"watch":             {"filemark"},
	"redact":            {},
	"schema":            {"block", "block/plot", "config", "document", "export", "result", "settings", "sweep", "vocabulary"},
	"config":            {"audit", "cite", "format", "blogpost", "redact", "result", "settings", "vocabulary"},
	"judge":             {"audit", "catalogue", "config", "hardware", "result", "settings"},
	"site/cache":        {"cite", "dataset", "filemark", "format", "mask", "pack", "page", "page/address", "pieces", "publish", "rawfile", "redact", "result", "rundir"},
	"archive":           {"config", "site/cache", "result", "format", "git", "mask", "publish", "rawfile", "redact", "rundir", "site", "weights"},
	"assembly":          {"census", "config", "filemark", "mask", "page", "page/whole", "publish", "result", "shard", "site", "site/cache"},
	"census":            {"datapackage", "dataset", "pack", "result", "shard", "vocabulary"},
	"page/whole":        {"census", "dataset", "page/address", "page/parts", "result", "vocabulary"},
	"shard":             {"datapackage", "dataset", "mask", "rawfile", "result", "vocabulary", "weights"},
	"live":              {"config", "result", "serve", "site", "watch"},
	"site":              {"filemark", "audit", "block", "block/coverage", "block/finding", "block/inline", "block/plot", "chart", "chart/font", "cite", "compare", "compose", "config", "datapackage", "dataset", "document", "export", "format", "git", "history", "blogpost", "judge", "mask", "page", "page/address", "page/manual", "page/meta", "page/parts", "page/redirect", "pieces", "prose", "publish", "rawfile", "redact", "report", "result", "rundir", "schema", "settings", "singlefile", "site/cache", "stats", "sweep", "unread", "vocabulary"},
}

// belongsTo lists the packages that may use a library, so that it can be replaced in one place.
var belongsTo = map[string][]string{
	"github.com/wcharczuk/go-chart/v2":      {"chart", "chart/font", "chart/raster"},
	"github.com/golang/freetype":            {"chart", "chart/font"},
	"github.com/yuin/goldmark":              {"document", "document/kramdown"},
	"github.com/BurntSushi/toml":            {"settings", "rundir", "document", "redact"},
	"golang.org/x/net":                      {"format/internal/unwrap", "redact", "singlefile"},
	"github.com/zricethezav/gitleaks/v8":    {"redact"},
	"golang.org/x/perf":                     {"stats"},
	"github.com/aclements/go-moremath":      {"stats"},
	"github.com/go-text/typesetting":        {"chart/font"},
	"github.com/andybalholm/brotli":         {"chart/font/woff"},
	"github.com/klauspost/compress":         {"rawfile", "chart/png", "datapackage"},
	"github.com/evanw/esbuild":              {}, // only tests, which bundle page/script
	"github.com/creack/pty":                 {"record"},
	"golang.org/x/term":                     {"record"},
	"golang.org/x/sys":                      {"publish", "record"},
	"github.com/santhosh-tekuri/jsonschema": {},                  // only tests, which validate with schemas
	"os/exec":                               {"record", "git"},   // starts other programs
	"net/http":                              {"serve", "record"}, // serves the site; queries the measured server
	"github.com/fsnotify/fsnotify":          {"watch"},
	"github.com/gofrs/flock":                {"site/cache"},
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range sources(t) {
		pkg := path.Dir(filepath.ToSlash(file))
		seen[pkg] = true
		allowed, known := mayImport[pkg]
		if !known {
			t.Errorf("%s: package %s is not in mayImport: add it there and to docs/architecture.md", file, pkg)
			continue
		}
		for _, name := range imports(t, file) {
			if internal, ok := strings.CutPrefix(name, module+"/generator/"); ok {
				if internal != "lazy" && internal != "cores" && internal != "locale" && internal != "visible" && internal != "sitefile" && !slices.Contains(allowed, internal) {
					t.Errorf("%s imports %s, which mayImport does not allow", file, internal)
				}
			} else if strings.HasPrefix(name, module+"/") {
				t.Errorf("%s imports %s", file, name)
			}
			for library, users := range belongsTo {
				if (name == library || strings.HasPrefix(name, library+"/")) && !slices.Contains(users, pkg) {
					t.Errorf("%s imports %s, which belongs to %v", file, name, users)
				}
			}
		}
	}
	for pkg := range maps.Keys(mayImport) {
		if !seen[pkg] {
			t.Errorf("mayImport lists package %s, which does not exist", pkg)
		}
	}
}

// TestImportsHaveNoCircle: the packages can be ordered so that each imports only earlier ones.
func TestImportsHaveNoCircle(t *testing.T) {
	done := map[string]bool{}
	for progress := true; progress; {
		progress = false
		for pkg, allowed := range mayImport {
			if !done[pkg] && !slices.ContainsFunc(allowed, func(p string) bool { return !done[p] }) {
				done[pkg], progress = true, true
			}
		}
	}
	for pkg := range mayImport {
		if !done[pkg] {
			t.Errorf("package %s is part of a circle, or imports one", pkg)
		}
	}
}

// Limits that keep packages small.
const (
	maxLines   = 6000 // lines of Go in a package, without tests
	maxFiles   = 30   // files of Go in a package, without tests
	maxMethods = 40   // methods of a type
)

func TestPackagesAreSmall(t *testing.T) {
	lines, files, methods := map[string]int{}, map[string]int{}, map[string]int{}
	for _, file := range append(sources(t), commands(t)...) {
		pkg := path.Dir(filepath.ToSlash(file))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines[pkg] += bytes.Count(data, []byte("\n"))
		files[pkg]++
		parsed, err := parser.ParseFile(token.NewFileSet(), file, data, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[pkg+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	for what, limit := range map[string]struct {
		counts map[string]int
		most   int
	}{"lines": {lines, maxLines}, "files": {files, maxFiles}, "methods": {methods, maxMethods}} {
		for name, n := range limit.counts {
			if n > limit.most {
				t.Errorf("%s has %d %s, more than %d", name, n, what, limit.most)
			}
		}
	}
}

// receiver returns the type name of a method's receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// TestNothingBelowTheCommandEndsTheProgram: only main may exit, so no package imports log.
func TestNothingBelowTheCommandEndsTheProgram(t *testing.T) {
	for _, file := range sources(t) {
		for _, name := range imports(t, file) {
			if name == "log" {
				t.Errorf("%s imports log: what is to be reported goes up as a result.Message", file)
			}
			if name == "time/tzdata" && !strings.HasPrefix(file, "config/") {
				t.Errorf("%s imports %s", file, name)
			}
		}
	}
}

// commands lists the Go files of the command line that are not tests.
func commands(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../cmd/benchpost/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources of the command line found: %v", err)
	}
	return slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// sources lists the Go files that are neither tests nor support code for tests.
func sources(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && strings.Contains(name, "/") &&
			!strings.HasPrefix(name, "internal/") && !strings.HasPrefix(name, "need/") && !strings.HasPrefix(name, "format/internal/fixture/") {
			files = append(files, name)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no sources found: %v", err)
	}
	return files
}

func imports(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, spec := range f.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		names = append(names, name)
	}
	return names
}

// TestKeysAreNotPrinted: a function that makes a key, recognised by its use of result.Stamper or by its name,
// must not format values with fmt. The printed form of a struct may contain an address or omit a field.
func TestKeysAreNotPrinted(t *testing.T) {
	isKeyCode := func(f *ast.FuncDecl) bool {
		found := strings.Contains(strings.ToLower(f.Name.Name), "stamp") || f.Name.Name == "Key"
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Stamper" {
				found = true
			}
			return true
		})
		return found
	}
	looked := 0
	for _, file := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !isKeyCode(f) {
				continue
			}
			looked++
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if s, ok := call.Fun.(*ast.SelectorExpr); ok {
					if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "fmt" && s.Sel.Name != "Errorf" && prints(call) {
						t.Errorf("%s: %s prints a value into a key by fmt.%s: use Stamper.Value", file, f.Name.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	if looked < 20 {
		t.Errorf("only %d functions make keys", looked)
	}
}

// prints reports whether a call of fmt uses the default format of values: without a format or with %v. Strings
// and numbers with their own verbs are the same in every process.
func prints(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, "%") {
			return strings.Contains(lit.Value, "%v") || strings.Contains(lit.Value, "%+v") || strings.Contains(lit.Value, "%#v")
		}
	}
	return true
}

// TestTheStopsAreThere: docs/architecture.md follows a value through at most seven functions, and each exists
// where the document says.
func TestTheStopsAreThere(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "in seven stops\n")
	section, _, _ = strings.Cut(section, "\n## ")
	stops := 0
	for line := range strings.Lines(section) {
		_, rest, numbered := strings.Cut(line, ". `")
		if !numbered || line[0] < '1' || line[0] > '9' {
			continue
		}
		stops++
		name, _, _ := strings.Cut(rest, "`")
		pkg, function := path.Split(strings.ReplaceAll(name, ".", "/"))
		if !declares(t, strings.TrimSuffix(pkg, "/"), function) {
			t.Errorf("stop %d: there is no function %s", stops, name)
		}
	}
	if stops == 0 || stops > 7 {
		t.Errorf("there are %d stops", stops)
	}
}

// declares reports whether a package below generator has a function or method with a name.
func declares(t *testing.T, pkg, name string) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(filepath.FromSlash(pkg), "*.go"))
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == name {
				return true
			}
		}
	}
	return false
}
