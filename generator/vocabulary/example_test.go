package vocabulary_test

import (
	"fmt"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

func ExampleDefine() {
	for _, name := range []string{"output_throughput", "ttft_p99_9", "tpot_std", "x_own"} {
		d, known := vocabulary.Define(name)
		fmt.Printf("%s %q %q %v\n", name, d.Unit, d.Better, known)
	}
	// Output:
	// output_throughput "tok/s" "higher" true
	// ttft_p99_9 "ms" "lower" true
	// tpot_std "ms" "" true
	// x_own "" "" false
}
