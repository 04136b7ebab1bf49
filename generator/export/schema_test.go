package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/locale"
)

// Every column that is written is described, in both languages, in its order.
func TestCSVFieldsAreItsHeader(t *testing.T) {
	var b bytes.Buffer
	if err := CSV(&b, set()); err != nil {
		t.Fatal(err)
	}
	header, err := csv.NewReader(&b).Read()
	if err != nil {
		t.Fatal(err)
	}
	common, labels, metrics := CSVFields(set().Results)
	var names []string
	for _, f := range slices.Concat(common, labels, metrics) {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, header) {
		t.Errorf("described are %q, written %q", names, header)
	}
	if f := metrics[0]; f.Unit != "tok/s" || f.Type != "number" {
		t.Errorf("throughput is %+v", f)
	}
	described(t, slices.Concat(common, labels, metrics))
}

func TestParquetFieldsAreItsColumns(t *testing.T) {
	var names []string
	for _, f := range parquet.SchemaOf(row{}).Fields() {
		names = append(names, f.Name())
	}
	var fields []string
	for _, f := range ParquetFields() {
		fields = append(fields, f.Name)
	}
	if !slices.Equal(names, fields) {
		t.Errorf("described are %q, written %q", fields, names)
	}
	described(t, ParquetFields())
}

// The fields of a result are those of a line with all that a line can hold.
func TestResultFieldsAreThoseOfALine(t *testing.T) {
	s := set()
	s.Results[0].Checks[0].Waived, s.Results[0].Checks[0].Hint = "known", locale.Lit("measure again")
	s.Results[0].Checks[0].Figures = map[string]float64{"a": 1}
	s.Results[0].Metrics[0].File, s.Results[0].Metrics[0].Derived = "power.csv", true
	var b bytes.Buffer
	if err := JSONLines(&b, s); err != nil {
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

// described wants words of both languages for each field.
func described(t *testing.T, fields []Field) {
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

func TestPackageNamesEachFile(t *testing.T) {
	var b bytes.Buffer
	sum := strings.Repeat("0", 64)
	p := Package{Title: "T", CSV: &File{"results.csv", 3, sum}, Results: set().Results, Others: []File{{"results/a ä.json", 4, sum}, {"results/A ä.json", 4, sum}, {"results.parquet", 5, sum}}}
	if err := WritePackage(&b, p); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Resources []struct{ Name, Path, Encoding string }
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	want := "[{results.csv results.csv utf-8} {results-a_20_c3_a4.json results/a ä.json utf-8} {results-_41_20_c3_a4.json results/A ä.json utf-8} {results.parquet results.parquet }]"
	if fmt.Sprint(got.Resources) != want {
		t.Errorf("got %v\nwant %s", got.Resources, want)
	}
}
