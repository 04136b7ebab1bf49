package format_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

var ours = format.Mapping{Name: "our-bench", Files: "*.csv", Columns: map[string]format.Column{
	"TTFT": {Metric: "ttft_mean", Unit: "s"}, "rate": {Metric: "output_throughput", Unit: "tok/s"}, "net": {Label: "model_raw"},
}}

func readMapped(t *testing.T, m format.Mapping, text string) format.Output {
	t.Helper()
	if _, wrong, _ := m.Check(); !wrong.IsZero() {
		t.Fatal(wrong)
	}
	out, err := format.ReadMapped("f", strings.NewReader(text), &m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range out.Results {
		fixture.Sound(t, &out.Results[i])
	}
	return out
}

func TestMappedTable(t *testing.T) {
	for name, text := range map[string]string{
		"commas":                       "net,TTFT,rate,note,n\nqwen3,0.25,40.5,\"a, b\",3\n",
		"semicolons, a title above":    "Our bench 1.2\nnet;TTFT;rate;note;n\nqwen3;0.25;40.5;a, b;3\n",
		"tabs, header again":           "net\tTTFT\trate\tnote\tn\nnet\tTTFT\trate\tnote\tn\nqwen3\t0.25\t40.5\ta, b\t3\n",
		"units in the cells count":     "net,TTFT,rate,note,n\nqwen3,250 ms,40.5 tokens/s,\"a, b\",3\n",
		"order and white space do not": "rate , n , net , TTFT , note\r\n40.5 , 3 , qwen3 , 0.25 , \"a, b\"\r\n",
	} {
		out := readMapped(t, ours, text)
		if len(out.Results) != 1 || len(out.Messages) != 0 {
			t.Errorf("%s: %d results, reason %q, messages %v", name, len(out.Results), out.Reason, out.Messages)
			continue
		}
		r := out.Results[0]
		if got := fixture.Figures(r, "ttft_mean", "output_throughput", "x_n"); got != "ttft_mean=250 ms; output_throughput=40.5 tok/s; x_n=3" ||
			r.Label("model_raw") != "qwen3" || r.Label("x_note") != "a, b" || r.Format != "our-bench" || r.Tool != "our-bench" {
			t.Errorf("%s: %s, %v", name, got, r.Labels)
		}
	}
}

func TestMappedTableWithFaults(t *testing.T) {
	out := readMapped(t, ours, "net,TTFT,rate\na,soon,1\nb,-,2\nc,0.5 kg,3\nd,0.5,4")
	if len(out.Results) != 4 || len(out.Messages) != 2 || out.Messages[0].Pos.Line != 2 || out.Messages[1].Pos.Line != 4 {
		t.Fatalf("%d results, messages %v", len(out.Results), out.Messages)
	}
	if got := fixture.Figures(out.Results[1], "ttft_mean", "output_throughput"); got != "ttft_mean=none; output_throughput=2 tok/s" {
		t.Errorf("a dash stands for no figure: %s", got)
	}
	// The last cell without a line end may have lost digits.
	if last := out.Results[3]; last.Status != result.Partial || fixture.Figures(last, "ttft_mean", "output_throughput") != "ttft_mean=500 ms; output_throughput=none" {
		t.Errorf("%v: %v", last.Status, last.Metrics)
	}
	out = readMapped(t, ours, "a,b,c\nx,1,2\n")
	if len(out.Results) != 0 || locale.English(out.Reason) != `no line has the columns of format "our-bench": TTFT, net, rate missing; the first line has a, b, c` || len(out.Missing) != 3 {
		t.Error(out.Reason, out.Missing)
	}
}

// slips returns words that differ from a word by one letter: missing, added, replaced or swapped.
func slips(word string) []string {
	var all []string
	for i := range len(word) {
		all = append(all, word[:i]+word[i+1:], word[:i]+"q"+word[i:], word[:i]+"q"+word[i+1:])
		if i > 0 && word[i-1] != word[i] {
			all = append(all, word[:i-1]+word[i:i+1]+word[i-1:i]+word[i+1:])
		}
	}
	return all
}

// TestASlipInAColumnIsNamed checks that a misspelt column or key is reported with the file's names, and that the others
// are still read.
func TestASlipInAColumnIsNamed(t *testing.T) {
	right := map[string]format.Column{"latency": {Metric: "ttft_mean", Unit: "s"}, "rate": {Metric: "output_throughput", Unit: "tok/s"}, "network": {Label: "model_raw"}}
	for _, text := range []string{"network,latency,rate,n\nqwen3,0.25,40.5,3\n", "network\tlatency\trate\tn\nqwen3\t0.25\t40.5\t3\n",
		`[{"network": "qwen3", "latency": 0.25, "rate": 40.5, "n": 3}]`} {
		for column, meaning := range right {
			for _, slip := range slips(column) {
				m := format.Mapping{Name: "n", Files: "*", Columns: map[string]format.Column{slip: meaning}}
				for other, c := range right {
					if other != column {
						m.Columns[other] = c
					}
				}
				out := readMapped(t, m, text)
				if len(out.Results) != 1 || len(out.Missing) != 1 || out.Missing[0].Column != slip || out.Missing[0].Near != column {
					t.Fatalf("%s for %s in %q: %d results, missing %v", slip, column, text, len(out.Results), out.Missing)
				}
				for other, c := range right {
					_, has := out.Results[0].Metric(c.Metric)
					if c.Label != "" {
						has = out.Results[0].Label(c.Label) != ""
					}
					if has != (other != column) {
						t.Errorf("%s for %s in %q: %s was read: %t", slip, column, text, other, has)
					}
				}
			}
		}
	}
}

// TestNamingOneColumnKeepsTheOthers checks that a mapping of one column does not change what the other columns give.
func TestNamingOneColumnKeepsTheOthers(t *testing.T) {
	const table = "model,concurrency,ttft_ms,output_throughput,score\nqwen3,8,120.5,300.25,7\n"
	plain, err := format.Read("f", strings.NewReader(table))
	if err != nil || len(plain.Results) != 1 {
		t.Fatal(err, plain.Reason)
	}
	m := format.Mapping{Name: "n", Files: "*", Columns: map[string]format.Column{"score": {Metric: "accuracy", Unit: "%"}}}
	if _, wrong, _ := m.Check(); !wrong.IsZero() {
		m.Columns["score"] = format.Column{Metric: "x_points", Unit: "1"}
	}
	for name, text := range map[string]string{"CSV": table, "JSON": `[{"model": "qwen3", "concurrency": 8, "ttft_ms": 120.5, "output_throughput": 300.25, "score": 7}]`} {
		mapped := readMapped(t, m, text)
		if len(mapped.Results) != 1 || len(mapped.Missing) != 0 {
			t.Fatalf("%s: %s, %v", name, mapped.Reason, mapped.Missing)
		}
		for _, want := range plain.Results[0].Metrics {
			if got, ok := mapped.Results[0].Metric(want.Name); want.Name != "x_score" && (!ok || got.Value != want.Value || got.Unit != want.Unit) {
				t.Errorf("%s: %s is %v %s, want %v %s", name, want.Name, got.Value, got.Unit, want.Value, want.Unit)
			}
		}
		for _, want := range plain.Results[0].Labels {
			if got := mapped.Results[0].Label(want.Name); got != want.Value && want.Origin != result.Guessed {
				t.Errorf("%s: %s is %q, want %q", name, want.Name, got, want.Value)
			}
		}
	}
}

func TestMappedJSON(t *testing.T) {
	m := format.Mapping{Name: "svc", Tool: "svc-bench", Files: "*.json", Rows: "data.runs", Columns: map[string]format.Column{
		"lat.mean": {Metric: "e2el_mean", Unit: "us"}, "name": {Label: "model_raw"}}}
	out := readMapped(t, m, `{"data": {"runs": [{"name": "a", "lat": {"mean": 1500}, "n": 4}, {"name": "b", "lat": {"mean": 2500.5}}, {"name": "c"}]}}`)
	if len(out.Results) != 2 || fixture.Figures(out.Results[0], "e2el_mean", "x_n") != "e2el_mean=1.5 ms; x_n=4" ||
		fixture.Figures(out.Results[1], "e2el_mean") != "e2el_mean=2.5005 ms" || out.Results[1].Label("model_raw") != "b" {
		t.Errorf("%+v", out.Results)
	}
	if m, _ := out.Results[0].Metric("e2el_mean"); m.Field != "data.runs.lat.mean" {
		t.Errorf("%+v", m)
	}
	m.Rows = ""
	lines := readMapped(t, m, "{\"name\": \"a\", \"lat\": {\"mean\": 1}}\n{\"name\": \"b\", \"lat\": {\"mean\": 2}}\n")
	if len(lines.Results) != 2 || lines.Results[1].Source.Line != 2 {
		t.Errorf("%+v", lines.Results)
	}
}

func TestMappingsAreChecked(t *testing.T) {
	column := func(c format.Column) format.Mapping {
		return format.Mapping{Name: "n", Files: "*", Columns: map[string]format.Column{"c": c}}
	}
	for want, m := range map[string]format.Mapping{
		"has no name":                        {},
		"is not a pattern":                   {Name: "n", Files: "["},
		"no column that is a metric":         {Name: "n", Files: "*", Columns: map[string]format.Column{"c": {Label: "model_raw"}}},
		"must be a metric or a label":        column(format.Column{}),
		"ttft is not a metric":               column(format.Column{Metric: "ttft", Unit: "s"}),
		"ttft_mean is in ms, which \"\" is":  column(format.Column{Metric: "ttft_mean"}),
		"power_mean is in W, which \"s\" is": column(format.Column{Metric: "power_mean", Unit: "s"}),
	} {
		if _, text, hint := m.Check(); !strings.Contains(locale.English(text), want) || hint.IsZero() {
			t.Errorf("%q, hint %q; want %q", text, hint, want)
		}
	}
}
