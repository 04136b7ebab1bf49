package export

import (
	"fmt"
	"io"
	"testing"

	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// BenchmarkJSONLines writes 1,000 results with 30 labels and 25 metrics each.
func BenchmarkJSONLines(b *testing.B) {
	var set Set
	for i := range 1000 {
		r := &result.Result{ID: fmt.Sprintf("campaign/model/%d", i), Tool: "vllm-serve", Format: "vllm-serve-text", Source: result.Position{File: "runs/campaign/model.log", Line: 1}}
		for k := range 30 {
			r.Labels = append(r.Labels, result.Label{Name: fmt.Sprintf("label_%02d", k), Value: "a value of it"})
		}
		for k := range 25 {
			r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: fmt.Sprintf("metric_%02d", 24-k), Unit: "ms", Better: result.Lower, Field: "Mean TTFT (ms)"},
				Value: float64(k*i) / 100, Line: int32(k)})
		}
		set.Results = append(set.Results, r)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := pieces.Whole(io.Discard, set.JSONLines); err != nil {
			b.Fatal(err)
		}
	}
}
