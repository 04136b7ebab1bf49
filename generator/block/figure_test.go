package block_test

import (
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestDaysAtTheFoot checks that the source line has the day of the data, or the first and the last day. Each run has a
// time of its own.
func TestDaysAtTheFoot(t *testing.T) {
	source := func(specs ...string) string {
		d := &dataset.Selection{}
		for _, s := range specs {
			d.Results = append(d.Results, run(s))
		}
		block, ms := block.Evaluate(d, "chart", []byte("kind = 'bars'\ncategory = 'model'\nvalue = 'output_throughput'"), result.Position{})
		if block.Chart == nil {
			t.Fatal(ms)
		}
		return locale.English(block.Chart.Source)
	}
	for want, dates := range map[string][2]string{
		"Thor · vllm-serve · 2025-10-04":               {"date=2025-10-04T02:34:58", "date=2025-10-04T03:00:00Z"},
		"Thor · vllm-serve · 2025-09-30 to 2025-10-04": {"date=2025-10-04T02:34:58", "date=2025-09-30"},
		"Thor · vllm-serve":                            {"date=2025-10-04", ""},
	} {
		if got := source("a model=A hardware=Thor output_throughput:1 "+dates[0], "b model=B hardware=Thor output_throughput:2 "+dates[1]); got != want {
			t.Errorf("%v: %q, want %q", dates, got, want)
		}
	}
}

// TestASlopeInWords checks that the alternative text of a slope chart names both ends of each line, except of excluded
// runs.
func TestASlopeInWords(t *testing.T) {
	d := sample()
	d.Results[5].Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}}
	block, ms := block.Evaluate(d, "chart", []byte("kind = 'slope'\ncategory = 'load'\nseries = 'model'\nvalue = 'output_throughput'"), result.Position{})
	if block.Chart == nil {
		t.Fatal(ms)
	}
	want := "Output throughput (tok/s) by Load. Qwen3-8B: 82.47 at High load, 15.69 at Low load. Qwen3-8B-FP4: 167.20 at High load, 40.26 at Low load."
	if got := locale.English(block.Chart.Alt); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
