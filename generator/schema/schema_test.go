package schema_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/schema"
	"github.com/benchpost/benchpost/generator/settings"
)

// compiled returns a schema compiled by an independent validator.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, ok := schema.Of(name)
	if !ok {
		t.Fatalf("there is no schema of %s", name)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name+".json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// values decodes TOML into the values that a JSON validator accepts.
func values(t *testing.T, name, text string) any {
	t.Helper()
	var v map[string]any
	if ms := settings.Decode(name, 1, []byte(text), &v); ms != nil {
		t.Fatalf("%s: %v", name, ms)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var blocks = regexp.MustCompile("(?ms)^```benchpost ([a-z]+)[^\n]*\n(.*?)^```$")

// TestWhatIsWrittenIsValid: all files of the sample site, of a new site and of the documents are valid.
func TestWhatIsWrittenIsValid(t *testing.T) {
	t.Parallel()
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range schema.Names() {
		schemas[name] = compiled(t, name)
	}
	counts := map[string]int{}
	valid := func(kind, file, text string) {
		if schemas[kind] == nil {
			return // the documents mention blocks that do not exist
		}
		counts[kind]++
		if err := schemas[kind].Validate(values(t, file, text)); err != nil {
			t.Errorf("%s is not valid by %s: %v\n%s", file, kind, err, text)
		}
	}
	for _, root := range []string{"../../site.toml", "../../content", "../../runs", "../../docs", "../../cmd/benchpost/cli/newsite"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			kind := map[string]string{"site.toml": "site", "run.toml": "run", "sweep.toml": "sweep"}[filepath.Base(name)]
			if kind == "" && filepath.Ext(name) != ".md" {
				return nil
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text := string(data)
			if kind != "" {
				valid(kind, name, text)
				return nil
			}
			if rest, ok := strings.CutPrefix(text, "+++\n"); ok {
				front, _, _ := strings.Cut(rest, "\n+++\n")
				if strings.HasPrefix(name, "../../docs") { // a page needs neither title nor date
					front = "title = 'Page'\ndate = 2026-01-01\n" + front
				}
				valid("post", name, front)
			}
			for _, m := range blocks.FindAllStringSubmatch(text, -1) {
				valid("block-"+m[1], name, m[2])
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []string{"site", "run", "post", "block-table", "block-chart", "block-findings"} {
		if counts[kind] == 0 {
			t.Errorf("nothing was held against %s", kind)
		}
	}
}

// TestWhatIsWrongIsNot: unknown keys and values of a wrong type are invalid, as they are for the program.
func TestWhatIsWrongIsNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text string }{
		{"site", "titel = 'x'"}, {"site", "title = 3"}, {"site", "[model]\nid = 'a'"}, {"site", "[[model]]\nnam = 'a'"}, {"site", "languages = 'en'"},
		{"run", "model = ['a']"}, {"run", "[files]\na = 'b'"}, {"run", "ttft_mean = 3"},
		{"sweep", "[[sweeps]]\nname = 'a'"}, {"sweep", "[[sweep]]\ncommand = 3"}, {"sweep", "[[sweep]]\nrepeat = 'often'"},
		{"post", "title = 'x'"}, {"post", "title = 3\ndate = 2026-01-01"}, {"post", "title = 'x'\ndate = 2026-01-01\ndraft = 'yes'"},
		{"block-table", "columns = 'ttft_mean'"}, {"block-table", "colums = ['ttft_mean']"}, {"block-chart", "value = ['a']"},
	} {
		if err := compiled(t, c.name).Validate(values(t, c.name, c.text)); err == nil {
			t.Errorf("%s: %q is valid", c.name, c.text)
		}
	}
	if _, ok := schema.Of("block-colours"); ok || slices.Contains(schema.Names(), "block-colours") {
		t.Error("there is a schema of a block that does not exist")
	}
}

// TestResultsDocument: a written document is valid, and one that lacks a required part is not.
func TestResultsDocument(t *testing.T) {
	t.Parallel()
	r := &result.Result{ID: "a\"</script>", Source: result.Position{File: "runs/a.log", Line: 1}, Status: result.Partial,
		Metrics: []result.Metric{{Kind: &result.Kind{Name: "ttft_mean", Unit: "ms", Better: result.Lower, Derived: true}, Value: 1}},
		Checks:  []result.Check{{ID: "a.b", Severity: result.Warning, Waived: "known", Figures: map[string]float64{"x": 1}}}}
	r.Labels.Set(result.Label{Name: "model", Value: "{{"})
	var b bytes.Buffer
	if err := export.JSON(&b, export.Set{Results: []*result.Result{r, {ID: "b"}}, Skipped: []export.Skipped{{File: "x", Kind: "copy", Reason: "y"}},
		Messages: []result.Message{{Severity: result.Error}}}); err != nil {
		t.Fatal(err)
	}
	s := compiled(t, "results")
	valid := func(text string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(v)
	}
	if err := valid(b.String()); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{
		{`"schema": "benchpost.results/1"`, `"schema": "benchpost.results/0"`}, {`"partial"`, `"half"`}, {`"lower"`, `"down"`}, {`"warning"`, `"bad"`},
		{`"value":1`, `"value":"1"`}, {`"unit":"ms",`, ""}, {`"labels":{"model":"{{"},`, ""}, {`"kind":"copy",`, ""},
	} {
		if !strings.Contains(b.String(), change[0]) || valid(strings.Replace(b.String(), change[0], change[1], 1)) == nil {
			t.Errorf("with %s for %s it is valid", change[1], change[0])
		}
	}
}
