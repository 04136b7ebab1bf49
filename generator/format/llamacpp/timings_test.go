package llamacpp_test

import (
	"fmt"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// TestTimingsWithoutATotal checks that timings are complete if an author left out their total, but may be incomplete at
// the end of a file.
func TestTimingsWithoutATotal(t *testing.T) {
	t.Parallel()
	const prompt = "prompt eval time     =    9586.72 ms /   512 tokens (   18.72 ms per token,    53.41 tokens per second)\n"
	const answer = "generation eval time =   40935.66 ms /   426 runs   (   96.09 ms per token,    10.41 tokens per second)\n"
	const total = "          total time =   50522.38 ms /   938 tokens\n"
	after := "\nWith -rtr it is faster.\n\n\n\n"
	for text, want := range map[string][]result.Status{
		prompt + answer + total:  {result.Complete},
		prompt + answer:          {result.Partial},
		prompt:                   {result.Partial},
		prompt + answer + after:  {result.Complete},
		answer + after:           {result.Complete},
		answer + answer + answer: {result.Complete, result.Complete, result.Partial},
		prompt + answer + prompt + answer + total: {result.Complete, result.Complete},
	} {
		out := fixture.Read(t, text)
		var got []result.Status
		for i := range out.Results {
			got = append(got, out.Results[i].Status)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, not %v:\n%s", got, want, text)
		}
	}
}
