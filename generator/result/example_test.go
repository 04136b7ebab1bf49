package result_test

import (
	"errors"
	"fmt"

	"github.com/benchpost/benchpost/generator/result"
)

// A selector selects runs by their labels, in the syntax of Prometheus.
func ExampleParseSelector() {
	selector, err := result.ParseSelector(`{model="Qwen3-8B", load=~"high|low", phase=""}`)
	if err != nil {
		panic(err)
	}
	for _, load := range []string{"high", "medium"} {
		var r result.Result
		r.Labels.Set(result.Label{Name: "model", Value: "Qwen3-8B"})
		r.Labels.Set(result.Label{Name: "load", Value: load})
		fmt.Println(load, selector.Match(&r))
	}
	// Output:
	// high true
	// medium false
}

// A mistake is reported with its position in the text.
func ExampleParseSelector_slip() {
	_, err := result.ParseSelector(`{model="Qwen3-8B" load="high"}`)
	var slip *result.SelectorError
	if errors.As(err, &slip) {
		fmt.Printf("at byte %d: %s\n", slip.Offset, err)
	}
	// Output:
	// at byte 18: expected a comma or }; write {model="Qwen3-8B",load="high"}
}

// A metric is found by its name and keeps what the tool printed.
func ExampleResult_Metric() {
	r := result.Result{Metrics: []result.Metric{
		{Kind: &result.Kind{Name: "ttft_p99", Unit: "ms", Better: result.Lower, Field: "P99 TTFT (ms)"}, Value: 912.34, Decimals: 2, Line: 21},
	}}
	m, ok := r.Metric("ttft_p99")
	fmt.Println(m.Digits(), m.Unit, m.Better, ok)
	// Output:
	// 912.34 ms lower true
}

// Parallelism is parsed in the spellings of tools and people.
func ExampleResult_Accelerators() {
	for _, parallelism := range []string{"tp4", "tp2-pp2", "tensor_parallel_size=8"} {
		var r result.Result
		r.Labels.Set(result.Label{Name: "parallelism", Value: parallelism})
		fmt.Println(parallelism, r.Accelerators())
	}
	// Output:
	// tp4 4
	// tp2-pp2 4
	// tensor_parallel_size=8 8
}
