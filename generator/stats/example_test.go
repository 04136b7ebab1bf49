package stats_test

import (
	"fmt"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Repeats are summarised by their median. Six have an interval of the median.
func ExampleSummarize() {
	s := stats.Summarize([]float64{298.1, 297.5, 301.2, 299.0, 298.4, 300.3})
	fmt.Printf("median %.2f of %d\n", s.Median, s.N)
	// Output:
	// median 298.70 of 6
}

// Two sets of four repeats that do not overlap differ. Two single runs are compared with the noise.
func ExampleCompare() {
	tested := stats.Compare([]float64{100, 101, 102, 103}, []float64{110, 111, 112, 113}, 0.03)
	fmt.Printf("%.3f p = %.3f %v\n", tested.Ratio, tested.P, tested.Verdict == stats.Different)

	single := stats.Compare([]float64{100}, []float64{102}, 0.03)
	fmt.Println(single.Tested(), single.Verdict == stats.Same)
	// Output:
	// 1.099 p = 0.029 true
	// false true
}

// The frontier of throughput and latency excludes points that another point beats in both.
func ExampleFrontier() {
	points := [][]float64{{298, 495}, {167, 571}, {82, 975}, {100, 300}} // tok/s, ms
	fmt.Println(stats.Frontier(points, []result.Better{result.Higher, result.Lower}))
	// Output:
	// [0 3]
}
