package format_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// TestHandMadeTablesSaySpread checks that the way a model was spread is read as a setting from a hand-made table or
// document, under all usual names. It distinguishes runs and is not a figure.
func TestHandMadeTablesSaySpread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		columns, values, parallelism, accelerators string
	}{
		{"tp", "4", "tp4", ""},
		{"TP", "TP4", "tp4", ""},
		{"tensor_parallel_size", "4", "tp4", ""},
		{"TP size", "4", "tp4", ""},
		{"pipeline_parallel_size", "2", "pp2", ""},
		{"tp,pp,dp", "4,2,1", "tp4-pp2", ""},
		{"tp,ep", "8,8", "tp8-ep8", ""},
		{"num_gpus", "4", "", "4"},
		{"gpu_count,tp", "8,4", "tp4", "8"},
		{"tp", "1500", "", ""}, // not a degree of parallelism
		{"pp", "900", "", ""},  // alone, it is the speed of processing a prompt
		{"gpus", "H100", "", ""},
	} {
		columns, values := strings.Split("model,concurrency,output_tok_s,ttft_p50_ms,"+c.columns, ","), strings.Split("Qwen3-8B,8,200.5,30.25,"+c.values, ",")
		object := map[string]any{}
		for i, name := range columns {
			object[name] = values[i]
			if strings.Trim(values[i], "0123456789.") == "" {
				object[name] = json.Number(values[i])
			}
		}
		document, _ := json.Marshal(object)
		for name, text := range map[string]string{
			"CSV":      strings.Join(columns, ",") + "\n" + strings.Join(values, ",") + "\n",
			"Markdown": fmt.Sprintf("| %s |\n|%s\n| %s |\n", strings.Join(columns, " | "), strings.Repeat(" --- |", len(columns)), strings.Join(values, " | ")),
			"JSON":     string(document) + "\n",
		} {
			out := fixture.Read(t, text)
			if len(out.Results) != 1 {
				t.Fatalf("%s: %d results of %s", name, len(out.Results), text)
			}
			r := &out.Results[0]
			if r.Label("parallelism") != c.parallelism || r.Label("accelerators") != c.accelerators {
				t.Errorf("%s: parallelism %q, accelerators %q of\n%s", name, r.Label("parallelism"), r.Label("accelerators"), text)
			}
			if _, ok := r.Metric("x_tensor_parallel_size"); ok {
				t.Errorf("%s: a figure of\n%s", name, text)
			}
		}
	}
}
