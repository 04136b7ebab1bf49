package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/schema"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// contract is a part of the interface on which files and programs of users rely, as lines of a name and its
// description. docs/versions.md explains this to users. testdata/contract has the recorded lines of each contract.
// Lines may be added; removing one requires a new version of the contract.
type contract struct {
	name    string
	version func(*testing.T) string // stated by the document itself, or a number to be raised here
	lines   func(*testing.T) []string
}

const root = "../../.." // the repository, which is the sample site

var contracts = []contract{
	{"commands", fixed("1"), commandLines},
	{"names", fixed("1"), nameLines},
	{"site.toml", fixed("1"), schemaLines("site")},
	{"run.toml", fixed("1"), runLines},
	{"front-matter", fixed("1"), schemaLines("post")},
	{"blocks", fixed("1"), blockLines},
	{"templates", fixed("1"), templateLines},
	{"addresses", fixed("1"), addressLines},
	{"tables", fixed(datapackage.TableSchema), tableLines},
	{"results", schemaOf("results"), resultLines},
	{"results-explain", schemaOf("results --explain", "runs/jetson-thor/qwen3-8b/high.log"), documentLines("results --explain", "runs/jetson-thor/qwen3-8b/high.log")},
	{"explain", schemaOf("explain", sample), documentLines("explain", sample)},
	{"list-metrics", schemaOf("list metrics"), documentLines("list metrics")},
	{"list-labels", schemaOf("list labels"), documentLines("list labels")},
	{"list-models", schemaOf("list models"), documentLines("list models")},
	{"list-runs", schemaOf("list runs"), documentLines("list runs")},
	{"diff", schemaOf("diff", sample, other), documentLines("diff", sample, other)},
	{"check", fixed("1"), documentLines("check")},
	{"posts", schemaOfFile("posts/en/qwen3-8b-quantization.json"), fileLines("posts/en/qwen3-8b-quantization.json")},
	{"index", schemaOfFile("index.json"), fileLines("index.json")},
}

const (
	sample = `{model="Qwen3-8B",load="high",campaign="jetson-thor"}`
	other  = `{model="Qwen3-8B-FP8",load="high",campaign="jetson-thor"}`
)

// TestContractsAreKept compares each contract with its record. -update records additions, and the whole contract if its
// version was raised.
func TestContractsAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range contracts {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "contract", c.name+".txt")
			data, err := os.ReadFile(file)
			if err != nil && !*update {
				t.Fatal(err)
			}
			now := append([]string{c.version(t)}, slices.Compact(slices.Sorted(slices.Values(c.lines(t))))...)
			if len(now) < 5 {
				t.Fatalf("%d lines cannot be all of it", len(now))
			}
			var was []string
			if err == nil {
				was = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
			}
			added, fault := compareContracts(was, now)
			switch {
			case fault != "":
				t.Errorf("%s\ndocs/versions.md says what to do", fault)
			case *update:
				if err := os.WriteFile(file, []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			case was[0] != now[0]:
				t.Errorf("it was recorded as %s and is %s: record it by go test ./cmd/benchpost/cli -run Contract -update", was[0], now[0])
			case len(added) > 0:
				t.Logf("to be recorded before a release, by go test ./cmd/benchpost/cli -run Contract -update:\n  %s", strings.Join(added, "\n  "))
			}
		})
	}
}

// compareContracts returns the additions to a contract, and how it is broken; "" if it is not. The first line of each
// is its version; was is empty if nothing is recorded yet.
func compareContracts(was, now []string) (added []string, fault string) {
	if len(was) == 0 || was[0] != now[0] {
		return nil, ""
	}
	for _, line := range now {
		if !slices.Contains(was, line) {
			added = append(added, line)
		}
	}
	var gone []string
	for _, line := range was {
		if !slices.Contains(now, line) {
			gone = append(gone, line)
		}
	}
	if len(gone) > 0 {
		fault = fmt.Sprintf("%s is no longer what it was, without\n  %s", was[0], strings.Join(gone, "\n  "))
	}
	return added, fault
}

func TestAContractIsBrokenByWhatGoes(t *testing.T) {
	t.Parallel()
	was := []string{"x/1", "a string", "b number", "c string"}
	for i := 1; i < len(was); i++ {
		without := slices.Delete(slices.Clone(was), i, i+1)
		if _, fault := compareContracts(was, without); !strings.Contains(fault, was[i]) {
			t.Errorf("without %q: %q", was[i], fault)
		}
		changed := slices.Clone(was)
		changed[i] += " array"
		if _, fault := compareContracts(was, changed); !strings.Contains(fault, was[i]) {
			t.Errorf("with another type of %q: %q", was[i], fault)
		}
		raised := slices.Clone(without)
		raised[0] = "x/2"
		if _, fault := compareContracts(was, raised); fault != "" {
			t.Errorf("raised: %q", fault)
		}
		if added, fault := compareContracts(without, was); fault != "" || !slices.Equal(added, was[i:i+1]) {
			t.Errorf("with %q: %q %q", was[i], added, fault)
		}
	}
}

// fixed returns the version of a contract that does not state it itself.
func fixed(version string) func(*testing.T) string {
	return func(*testing.T) string { return "version " + version }
}

// commandLines lists the commands, their flags and the choices for these, and the exit codes.
func commandLines(*testing.T) []string {
	var lines []string
	for _, s := range syntaxes(commands()) {
		lines = append(lines, s.name+" command")
		for _, word := range s.words {
			lines = append(lines, s.name+" "+word)
		}
		for _, f := range s.flags {
			lines = append(lines, fmt.Sprintf("%s --%s value=%t", s.name, f.name, f.takes))
			for _, v := range f.values {
				lines = append(lines, s.name+" --"+f.name+" "+v)
			}
		}
	}
	for _, c := range exitCodes {
		lines = append(lines, fmt.Sprintf("exit code %d", c.code))
	}
	return lines
}

// nameLines lists the metrics with their units and directions, the labels, and the checks that a waiver may name.
func nameLines(*testing.T) []string {
	var lines []string
	for _, name := range slices.Concat(vocabulary.Names(), vocabulary.Families()) {
		m, _ := vocabulary.Lookup(name)
		lines = append(lines, fmt.Sprintf("metric %s %s %v", name, m.Unit, m.Better))
	}
	for _, l := range vocabulary.Labels() {
		lines = append(lines, "label "+l.Name)
	}
	for _, id := range audit.IDs() {
		lines = append(lines, "check "+id)
	}
	return lines
}

func schemaLines(name string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		text, _ := schema.Of(name)
		var s map[string]any
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		return keyLines(s, "")
	}
}

// runLines lists the keys of run.toml, except the labels, which are among the names.
func runLines(t *testing.T) []string {
	return slices.DeleteFunc(schemaLines("run")(t), func(line string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "files.*."), " ")
		return slices.ContainsFunc(vocabulary.Labels(), func(l vocabulary.Label) bool { return l.Name == name })
	})
}

func blockLines(t *testing.T) []string {
	var lines []string
	for _, name := range schema.Names() {
		if kind, isBlock := strings.CutPrefix(name, "block-"); isBlock {
			lines = append(lines, kind+" block")
			for _, line := range schemaLines(name)(t) {
				lines = append(lines, kind+" "+line)
			}
		}
	}
	return lines
}

// keyLines lists the keys below a key of a JSON Schema, each with a line for every type of its value. A list of
// suggested names within anyOf is not a type.
func keyLines(s map[string]any, key string) []string {
	var lines []string
	what := cmp.Or(key, "all")
	switch types := s["type"].(type) {
	case string:
		lines = append(lines, what+" "+types)
	case []any:
		for _, one := range types {
			lines = append(lines, fmt.Sprint(what, " ", one))
		}
	}
	for _, one := range list(s["enum"]) {
		lines = append(lines, what+" string", fmt.Sprintf("%s = %q", what, one))
	}
	for _, either := range slices.Concat(list(s["anyOf"]), list(s["oneOf"])) {
		if one, ok := either.(map[string]any); ok && one["enum"] == nil {
			lines = append(lines, keyLines(one, key)...)
		}
	}
	if items, ok := s["items"].(map[string]any); ok {
		lines = append(lines, keyLines(items, key+"[]")...)
	}
	if any, ok := s["additionalProperties"].(map[string]any); ok {
		lines = append(lines, keyLines(any, key+".*")...)
	}
	properties, _ := s["properties"].(map[string]any)
	for name, value := range properties {
		below := strings.TrimPrefix(key+"."+name, ".")
		if value == false { // a forbidden name
			continue
		}
		if !slices.Contains(list(s["required"]), any(name)) {
			lines = append(lines, below+" optional")
		}
		if value, ok := value.(map[string]any); ok {
			lines = append(lines, keyLines(value, below)...)
		}
	}
	return lines
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// templateLines lists the fields and functions of layouts in docs/layouts.md. A test of package page compares these
// with the types.
func templateLines(t *testing.T) []string {
	text, err := os.ReadFile(filepath.Join(root, "docs", "layouts.md"))
	if err != nil {
		t.Fatal(err)
	}
	field := regexp.MustCompile("^\\| `(\\.[A-Za-z.]+)` \\| ([^|]*) \\|")
	function := regexp.MustCompile("^\\| `([a-z]+)[ `]")
	var lines []string
	section := ""
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "### `"); ok {
			section, _, _ = strings.Cut(name, "`")
		} else if name, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(name)
		}
		if m := field.FindStringSubmatch(line); m != nil {
			lines = append(lines, section+" "+m[1]+" "+strings.TrimSpace(m[2]))
		} else if m := function.FindStringSubmatch(line); m != nil && section == "Functions" {
			lines = append(lines, "function "+m[1])
		}
	}
	return lines
}

// addressLines lists the addresses of the sample's English pages and of its data, and the files of its blog, with one
// example for pages of runs.
func addressLines(t *testing.T) []string {
	var lines []string
	err := fs.WalkDir(os.DirFS(filepath.Join(root, "public")), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		isRun := strings.Contains(file, "/runs/") && !strings.Contains(file, "/runs/jetson-thor/qwen3-8b/")
		isModel := strings.Contains(file, "/models/") && !strings.HasSuffix(file, "/models/index.html") && !strings.Contains(file, "/Qwen3-8B.") && !strings.Contains(file, "/Qwen3-8B~")
		ours := strings.HasPrefix(file, "site/en/") || strings.HasPrefix(file, "site/data/") || strings.HasPrefix(file, "jekyll/")
		if ours && !isRun && !isModel && !strings.HasPrefix(file, "site/data/columns/") && !strings.HasPrefix(file, "site/data/blocks/") && path.Ext(file) != ".svg" {
			lines = append(lines, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// tableLines lists the columns of all tables of the sample, with type and unit.
func tableLines(t *testing.T) []string {
	dir := t.TempDir()
	printedBy(t, "results", "--package", dir)
	data, err := os.ReadFile(filepath.Join(dir, datapackage.File))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Resources []struct {
			Path   string
			Schema struct {
				Fields []struct{ Name, Type, Unit string }
			}
		}
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range p.Resources {
		lines = append(lines, r.Path)
		for _, f := range r.Schema.Fields {
			lines = append(lines, strings.TrimSpace(r.Path+" "+f.Name+" "+f.Type+" "+f.Unit))
		}
	}
	return lines
}

// resultLines lists the fields of the results document: those that it describes, and those in the output for the sample
// and for files that cannot be read.
func resultLines(t *testing.T) []string {
	broken := t.TempDir()
	for name, text := range map[string]string{"note.txt": "nothing", "high.log.gz": "\x1f\x8b", "run.toml": "="} {
		if err := os.WriteFile(filepath.Join(broken, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lines := append(documentLines("results")(t), documentLines("results", broken)(t)...)
	for _, f := range export.ResultFields() {
		lines = append(lines, "results[]."+f.Name+" "+f.Type)
	}
	return lines
}

func documentLines(command string, args ...string) func(*testing.T) []string {
	return func(t *testing.T) []string { return shapeOf(document(t, command, args...), "") }
}

func schemaOf(command string, args ...string) func(*testing.T) string {
	return func(t *testing.T) string { return schemaIn(t, document(t, command, args...)) }
}

func fileLines(name string) func(*testing.T) []string {
	return func(t *testing.T) []string { return shapeOf(published(t, name), "") }
}

func schemaOfFile(name string) func(*testing.T) string {
	return func(t *testing.T) string { return schemaIn(t, published(t, name)) }
}

func schemaIn(t *testing.T, doc any) string {
	t.Helper()
	o, _ := doc.(map[string]any)
	version, _ := o["schema"].(string)
	if _, number, ok := strings.Cut(version, "/"); !ok || number == "" {
		t.Fatalf("the document's schema is %q", version)
	}
	return version
}

// document returns the JSON output of a command for the sample.
func document(t *testing.T, command string, args ...string) any {
	t.Helper()
	args = slices.Concat(strings.Fields(command), args, []string{"--format", "json"})
	for i, arg := range args {
		if strings.HasPrefix(arg, "runs/") {
			args[i] = filepath.Join(root, arg)
		}
	}
	var doc any
	if err := json.Unmarshal(printedBy(t, args...), &doc); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return doc
}

// published returns a data file of the sample's site.
func published(t *testing.T, name string) any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "public", "site", "data", name))
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

func printedBy(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Run(context.Background(), append(args, "--site", root), nil, &out, &errs); code == Usage {
		t.Fatalf("%s: %d\n%s", args, code, errs.String())
	}
	return out.Bytes()
}

// keyed lists the objects whose keys are data and not part of the format.
var keyed = []string{"labels", "metrics", "figures"}

// shapeOf lists the fields of a document, each with a line for every type of its values.
func shapeOf(v any, at string) []string {
	name := cmp.Or(strings.TrimPrefix(at, "."), "all")
	switch v := v.(type) {
	case map[string]any:
		lines := []string{name + " object"}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := at + "." + key
			if slices.Contains(keyed, name[strings.LastIndexByte(name, '.')+1:]) {
				below = at + ".*"
			}
			lines = append(lines, shapeOf(v[key], below)...)
		}
		return lines
	case []any:
		lines := []string{name + " array"}
		for _, item := range v {
			lines = append(lines, shapeOf(item, at+"[]")...)
		}
		return slices.Compact(slices.Sorted(slices.Values(lines)))
	case string:
		return []string{name + " string"}
	case bool:
		return []string{name + " boolean"}
	case float64:
		return []string{name + " number"}
	}
	return []string{name + " null"}
}
