package format

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// fixtures returns the paths of the fixtures of all families.
func fixtures(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("*", "testdata", "fixtures", "*"))
	own, err2 := filepath.Glob(filepath.Join("testdata", "fixtures", "*"))
	files = slices.DeleteFunc(append(files, own...), func(name string) bool { return strings.HasSuffix(name, ".want") })
	if err != nil || err2 != nil || len(files) == 0 {
		t.Fatalf("%d fixtures, errors %v and %v", len(files), err, err2)
	}
	return files
}

// fixtureData returns the content of a fixture.
func fixtureData(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestEveryFormatHasAFixture checks that every format has a fixture that it reads.
func TestEveryFormatHasAFixture(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range fixtures(t) {
		out, err := ReadFile(path, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range out.Results {
			seen[r.Format] = true
		}
		for _, trace := range out.Traces {
			seen[trace.Format] = true
		}
		seen[out.Capture] = true
		if out.Snapshot != nil {
			seen[out.Snapshot.Format] = true
		}
	}
	for _, name := range formatNames() {
		if !seen[name] {
			t.Errorf("no fixture is read as %s", name)
		}
	}
}

// TestNoFixtureSatisfiesTwoFormats checks that no object of a fixture matches two formats, and that no two formats read
// the same lines, so the order of the tables does not matter.
func TestNoFixtureSatisfiesTwoFormats(t *testing.T) {
	tables := families()
	var all []draft.ObjectFormat
	for _, table := range tables {
		all = append(all, table.Objects...)
	}
	var path string
	check := func(v *scan.Value) {
		var names []string
		for _, f := range all {
			if slices.ContainsFunc(f.Keys, func(key string) bool { return v.Get(key) != nil }) && (f.Is == nil || f.Is(v)) {
				names = append(names, f.Name)
			}
		}
		if len(names) != 1 {
			t.Errorf("%s: an object of line %d satisfies %v", path, v.Line, names)
		}
	}
	for _, table := range tables {
		for i, f := range table.Objects {
			if f.Open != nil {
				table.Objects[i].Open = func(in *draft.File) draft.ObjectReader { return checked{f.Open(in), check} }
			} else {
				table.Objects[i].Read = func(in *draft.File, v *scan.Value) { check(v); f.Read(in, v) }
			}
		}
	}
	reg := newRegistry(tables...)
	for _, path = range fixtures(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := reg.read(path, bytes.NewReader(data), (*input).read)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range out.Results {
			for _, b := range out.Results[i+1:] {
				if a.Format != b.Format && a.Source.Line <= b.EndLine && b.Source.Line <= a.EndLine {
					t.Errorf("%s: lines %d to %d are read as %s, lines %d to %d as %s", path, a.Source.Line, a.EndLine, a.Format, b.Source.Line, b.EndLine, b.Format)
				}
			}
		}
	}
}

// checked is an ObjectReader that calls check with each object first.
type checked struct {
	draft.ObjectReader
	check func(*scan.Value)
}

func (c checked) Object(v *scan.Value) { c.check(v); c.ObjectReader.Object(v) }

// TestFormatsAreDocumented checks that docs/formats.md and docs/zh/formats.md name every format.
func TestFormatsAreDocumented(t *testing.T) {
	for _, document := range []string{"formats.md", filepath.Join("zh", "formats.md")} {
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", document))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range formatNames() {
			if !bytes.Contains(page, []byte("`"+name+"`")) {
				t.Errorf("docs/%s does not name %s", document, name)
			}
		}
	}
}

// formatNames returns the formats of all tables, except those of vLLM's serving benchmark, which have their own tests,
// and those that give no result: the summaries of vLLM's continuous benchmarks and of AIPerf, and perf_analyzer's
// single answers and reports on HTTP requests.
func formatNames() []string {
	var names []string
	for _, f := range builtin().objectFormats {
		names = append(names, f.Name)
	}
	for _, f := range builtin().blockFormats {
		names = append(names, f.Name)
	}
	for _, f := range builtin().yamlFormats {
		names = append(names, f.Name)
	}
	return slices.DeleteFunc(names, func(n string) bool {
		return n == "" || strings.HasPrefix(n, "vllm-serve-") || strings.HasPrefix(n, "vllm-ci-") ||
			n == "aiperf-summary-json" || n == "genai-perf-profile-json" || n == "http-load-text"
	})
}
