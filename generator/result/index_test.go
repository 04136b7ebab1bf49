package result

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestIndex checks that every name is found at its first place, and no other names are found, however similar
// and however many.
func TestIndex(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	word := func(letters string, most int) string {
		var w strings.Builder
		for range random.IntN(most + 1) {
			w.WriteByte(letters[random.IntN(len(letters))])
		}
		return w.String()
	}
	for round := range 300 {
		letters, most := "ab", 1+round%40
		if round%2 == 0 {
			letters = "_abcdefghijklmnopqrstuvwxyz0123456789"
		}
		names := make([]string, random.IntN(2+round))
		for i := range names {
			names[i] = word(letters, most)
		}
		x := newIndex(names)
		for _, name := range append(names, "", word(letters, most), "output_throughput", "output_throughput_p") {
			want := -1
			for i := len(names) - 1; i >= 0; i-- {
				if names[i] == name {
					want = i
				}
			}
			if i, found := x.place(name); found != (want >= 0) || found && i != want {
				t.Fatalf("%q of %q is at %d, %v, not %d", name, names, i, found, want)
			}
		}
	}
}

func BenchmarkLabel(b *testing.B) {
	r := &Result{}
	for _, name := range strings.Fields("campaign model quantization hardware engine engine_version load max_concurrency num_prompts input_len output_len backend date tool_version scenario") {
		r.Labels.Set(Label{Name: name, Value: fmt.Sprint(len(r.Labels))})
	}
	new(Shapes).Share(r)
	for b.Loop() {
		if r.Label("quantization") == "" || r.Label("power_mode") != "" {
			b.Fatal(r.Labels)
		}
	}
}
