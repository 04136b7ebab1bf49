// Package generator holds no code; its test holds the architecture.
package generator

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport is docs/architecture.md as data: which of our packages each
// package may import. What stands in it is a decision, not a wish.
var mayImport = map[string][]string{
	"hardware": {},
	"locale":   {},
	"bench":    {"locale"},
	"audit":    {"bench", "locale"},
	"settings": {"bench"},
	"rawfile":  {},
	"shell":    {},
	"git":      {},
	"format":   {"bench", "locale", "rawfile", "shell"},
	"weights":  {"bench"},
	"rundir":   {"bench", "format", "rawfile", "settings", "weights"},
	"past":     {"bench", "format", "git", "rundir"},
	"sweep":    {"bench", "format", "rundir", "settings", "shell"},
	"record":   {"format", "redact", "rundir", "shell"},
	"importer": {"bench", "format", "settings"},
	"document": {"bench", "locale", "settings"},
	"stats":    {"bench"},
	"report":   {"audit", "bench", "locale", "settings", "stats"},
	"compare":  {"audit", "bench", "locale", "report", "settings", "stats"},
	"prose":    {"bench", "document", "locale", "report"},
	"chart":    {"bench", "locale", "report"},
	"export":   {"bench", "compare", "locale", "report"},
	"jekyll":   {"bench", "cite", "document", "locale", "report"},
	"page":     {"bench", "cite", "compare", "export", "locale", "report"},
	"cite":     {"locale"},
	"onefile":  {},
	"publish":  {"bench"},
	"serve":    {"bench", "locale", "page"},
	"watch":    {},
	"redact":   {},
	"archive":  {"bench", "format", "git", "locale", "publish", "rawfile", "redact", "rundir", "site", "weights"},
	"live":     {"bench", "serve", "site", "watch"},
	"site":     {"audit", "bench", "chart", "cite", "compare", "document", "export", "format", "git", "hardware", "jekyll", "locale", "onefile", "page", "past", "prose", "publish", "rawfile", "redact", "report", "rundir", "settings", "stats", "sweep"},
}

// belongsTo says where a library may be used, so that it can be replaced in
// one place.
var belongsTo = map[string][]string{
	"github.com/wcharczuk/go-chart/v2":   {"chart"},
	"github.com/golang/freetype":         {"chart"},
	"github.com/yuin/goldmark":           {"document"},
	"github.com/BurntSushi/toml":         {"settings", "rundir", "document"},
	"golang.org/x/net":                   {"onefile", "redact"},
	"github.com/zricethezav/gitleaks/v8": {"redact"},
	"github.com/spf13/viper":             {"redact"},
	"github.com/BobuSumisu/aho-corasick": {"redact"},
	"golang.org/x/perf":                  {"stats"},
	"gonum.org/v1/gonum":                 {"stats"},
	"github.com/klauspost/compress":      {"rawfile"},
	"github.com/evanw/esbuild":           {"page"},
	"github.com/creack/pty":              {"record"},
	"golang.org/x/term":                  {"record"},
	"golang.org/x/sys":                   {"record"},
	"os/exec":                            {"record", "git"},   // who starts other programs
	"net/http":                           {"serve", "record"}, // who speaks to others: the site being written, the server being measured
	"github.com/fsnotify/fsnotify":       {"watch"},
	"github.com/gofrs/flock":             {"site"},
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range sources(t) {
		pkg := strings.Split(filepath.ToSlash(file), "/")[0]
		seen[pkg] = true
		allowed, known := mayImport[pkg]
		if !known {
			t.Errorf("%s: the package %s is not in the table: add it here and to docs/architecture.md", file, pkg)
			continue
		}
		for _, name := range imports(t, file) {
			if ours, ok := strings.CutPrefix(name, "benchpost/generator/"); ok {
				ours = strings.Split(ours, "/")[0]
				if ours != pkg && !slices.Contains(allowed, ours) {
					t.Errorf("%s imports %s, which stands after it", file, ours)
				}
			} else if strings.HasPrefix(name, "benchpost/") {
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
			t.Errorf("the package %s stands in the table and does not exist", pkg)
		}
	}
}

// TestNothingBelowTheCommandEndsTheProgram: only main may exit.
func TestNothingBelowTheCommandEndsTheProgram(t *testing.T) {
	for _, file := range sources(t) {
		for _, name := range imports(t, file) {
			if name == "log" {
				t.Errorf("%s imports log: what is to be told goes up as a bench.Message", file)
			}
			if name == "time/tzdata" && !strings.HasPrefix(file, "site") {
				t.Errorf("%s imports %s", file, name)
			}
		}
	}
}

// sources lists the Go files that are neither tests nor made for tests.
func sources(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && strings.Contains(name, "/") && !strings.HasPrefix(name, "internal/") {
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
