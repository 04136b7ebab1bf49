package dataset_test

import (
	"fmt"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// A selection is narrowed and grouped, and its repeats are summarised.
func ExampleSelection() {
	run := func(id, model, load, repeat string, speed float64) *result.Result {
		r := &result.Result{ID: id, Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s"}, Value: speed, Decimals: 1}}}
		for _, l := range [][2]string{{"model", model}, {"load", load}, {"repeat", repeat}} {
			r.Labels.Set(result.Label{Name: l[0], Value: l[1]})
		}
		return r
	}
	all := &dataset.Selection{Results: []*result.Result{
		run("1", "A", "high", "1", 100), run("2", "A", "high", "2", 104), run("3", "A", "low", "1", 20), run("4", "B", "high", "1", 90),
	}}
	high, err := all.Narrow(`{load="high"}`)
	if err != nil {
		panic(err)
	}
	for _, g := range high.Groups(high.Results, []string{"model"}) {
		if err := dataset.Repeats(g.Runs, g.Values[0]); err != nil {
			panic(err)
		}
		f, _ := dataset.FigureOf(g.Runs, "output_throughput")
		fmt.Println(g.Values[0], f.Metric.Digits(), f.Metric.Unit, len(f.Values))
	}
	// Output:
	// A 102.0 tok/s 2
	// B 90.0 tok/s 1
}
