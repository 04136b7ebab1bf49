package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// TestResultFieldsAreThoseOfALine: the documented fields are those of a line that contains everything.
func TestResultFieldsAreThoseOfALine(t *testing.T) {
	s := set()
	s.Results[0].Checks[0].Waived, s.Results[0].Checks[0].Hint = "known", locale.Lit("measure again")
	s.Results[0].Checks[0].Figures = map[string]float64{"a": 1}
	m := &s.Results[0].Metrics[0]
	m.Kind = m.With(func(k *result.Kind) { k.File, k.Derived = "power.csv", true })
	var b bytes.Buffer
	if err := pieces.Whole(&b, s.JSONLines); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.NewDecoder(&b).Decode(&line); err != nil {
		t.Fatal(err)
	}
	var found []string
	var walk func(name string, v any)
	walk = func(name string, v any) {
		if name != "" && name != "source" && !strings.HasSuffix(name, "*") && !strings.HasSuffix(name, "[]") {
			found = append(found, name)
		}
		switch v := v.(type) {
		case map[string]any:
			for key, inner := range v {
				switch {
				case name == "labels", strings.HasSuffix(name, "figures"):
				case name == "metrics":
					walk("metrics.*", inner)
				case name == "":
					walk(key, inner)
				default:
					walk(name+"."+key, inner)
				}
			}
		case []any:
			for _, inner := range v {
				walk(name+"[]", inner)
			}
		}
	}
	walk("", line)
	slices.Sort(found)
	var names []string
	for _, f := range ResultFields() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if found = slices.Compact(found); !slices.Equal(found, names) {
		t.Errorf("described are\n%q, written\n%q", names, found)
	}
	described(t, ResultFields())
}

// described checks that each field has words in both languages.
func described(t *testing.T, fields []datapackage.Field) {
	t.Helper()
	for _, lang := range []string{"en", "zh-CN"} {
		p, _ := locale.For(lang)
		for _, f := range fields {
			if words := p.Say(f.Meaning); words == "" || strings.HasPrefix(words, "[") || f.Type == "" {
				t.Errorf("%s: %s is %q of type %q", lang, f.Name, words, f.Type)
			}
		}
	}
}
