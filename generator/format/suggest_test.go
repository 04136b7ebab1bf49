package format_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/result"
)

// TestASuggestedFormatCanBePasted checks suggestions for tables with arbitrary column names. A suggestion is valid TOML
// and a valid [[format]] for the file. With it the file has the same rows, each column that it names has the given
// meaning with the same figure, and what was known before is unchanged.
func TestASuggestedFormatCanBePasted(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	numbers := []string{"throughput_tok_s", "tps", "score", "agg tok/s", "power_w", "peak_w", "qps", "lat_s", "wall (s)", "mem_gb", "数值", "a.b", "50%", `odd"name`, "x y"}
	texts := []string{"note", "host name", "quantisation", "备注", "tag-2", "seed_text"}
	for round := range 200 {
		header, row := []string{"model", "ttft_ms"}, []string{"qwen3", "120.5"}
		random.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
		random.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		for i, name := range numbers[:1+random.Intn(6)] {
			header, row = append(header, name), append(row, fmt.Sprintf("%d.25", 7*i+3))
		}
		for _, name := range texts[:random.Intn(4)] {
			header, row = append(header, name), append(row, "some "+name)
		}
		for i, cell := range header {
			if strings.Contains(cell, `"`) {
				header[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
		}
		table := strings.Join(header, ",") + "\n" + strings.ReplaceAll(strings.Join(row, ","), `"`, `'`) + "\n"
		plain, err := format.Read("runs/a/[odd] name.csv", strings.NewReader(table))
		if err != nil {
			t.Fatal(err)
		}
		if len(plain.Results) != 1 { // with a quote in the header it is not a table
			continue
		}
		of := []*result.Result{&plain.Results[0]}
		text := format.Suggest("runs/a/[odd] name.csv", strings.Split(table, "\n"), of, nil)
		isOwn := func(name string) bool { return strings.HasPrefix(name, "x_") }
		unnamed := slices.ContainsFunc(plain.Results[0].Metrics, func(m result.Metric) bool { return isOwn(m.Name) }) ||
			slices.ContainsFunc(plain.Results[0].Labels, func(l result.Label) bool { return isOwn(l.Name) })
		if unnamed != (text != "") {
			t.Fatalf("round %d: for %s: %q", round, table, text)
		}
		if !unnamed {
			continue
		}
		var site struct{ Format []format.Mapping }
		if _, err := toml.Decode(text, &site); err != nil || len(site.Format) != 1 {
			t.Fatalf("round %d: %v\n%s", round, err, text)
		}
		m := site.Format[0]
		if _, wrong, _ := m.Check(); !wrong.IsZero() {
			t.Fatalf("round %d: %s\n%s", round, wrong, text)
		}
		if !m.Match("a/[odd] name.csv") || m.Match("a/o name.csv") {
			t.Errorf("round %d: the pattern %q is not of the file", round, m.Files)
		}
		pasted, err := format.ReadMapped("runs/a/[odd] name.csv", strings.NewReader(table), &m)
		if err != nil || len(pasted.Results) != 1 || len(pasted.Missing) != 0 || len(pasted.Messages) > len(plain.Messages) {
			t.Fatalf("round %d: %v, %d results, missing %v, %v\n%s%s", round, err, len(pasted.Results), pasted.Missing, pasted.Messages, table, text)
		}
		got := &pasted.Results[0]
		for column, c := range m.Columns {
			if c.Label != "" && got.Label(c.Label) == "" {
				t.Errorf("round %d: no label %s from %q\n%s", round, c.Label, column, text)
			}
			if metric, ok := got.Metric(c.Metric); c.Metric != "" && (!ok || metric.Field != column) {
				t.Errorf("round %d: no metric %s from %q\n%s", round, c.Metric, column, text)
			}
		}
		for _, was := range plain.Results[0].Metrics {
			if is, ok := got.Metric(was.Name); !strings.HasPrefix(was.Name, "x_") && (!ok || is.Value != was.Value) {
				t.Errorf("round %d: %s was %v and is %v\n%s", round, was.Name, was.Value, is.Value, text)
			}
		}
	}
}

// TestNothingIsSuggestedForKnownTools checks that keys of known tools kept with x_ give no suggestion, because a
// [[format]] would replace the tool's reader.
func TestNothingIsSuggestedForKnownTools(t *testing.T) {
	const saved = `{"backend": "vllm", "model_id": "m", "num_prompts": 4, "duration": 10.0, "completed": 4, "total_input_tokens": 40, "total_output_tokens": 16, "request_throughput": 0.4, "output_throughput": 1.6, "total_token_throughput": 5.6, "mean_ttft_ms": 200.1, "odd": 3}`
	out, err := format.Read("a.json", strings.NewReader(saved))
	if err != nil || len(out.Results) != 1 {
		t.Fatal(err, out.Reason)
	}
	if text := format.Suggest("a.json", []string{saved}, []*result.Result{&out.Results[0]}, nil); text != "" {
		t.Error(text)
	}
}
