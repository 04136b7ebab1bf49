package block_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// rows returns the runs of a llama-bench table, measured twice: a prefill and a decoding, each with and without flash
// attention.
func rows() *dataset.Selection {
	var rs []*result.Result
	for _, file := range []string{"first", "second"} {
		for i, labels := range []string{"x_test=pp512 flash_attention=false", "x_test=tg128 flash_attention=false", "x_test=pp512 flash_attention=true", "x_test=tg128 flash_attention=true"} {
			r := run(fmt.Sprintf("%s.%d model=m %s", file, 1+i, labels))
			r.Source = result.Position{File: "runs/" + file + ".md", Line: 3 + i}
			rs = append(rs, r)
		}
	}
	return &dataset.Selection{Results: rs}
}

// TestTitlesOfRawOutputDiffer checks that the titles of raw outputs differ, whatever labels the author chooses: further
// labels distinguish them, and ids distinguish repeats. A switch is named with its label.
func TestTitlesOfRawOutputDiffer(t *testing.T) {
	t.Parallel()
	for labels, want := range map[string]string{
		"'model'":                    "m · Flash attention off · pp512 · first.1",
		"'model', 'flash_attention'": "m · Flash attention off · pp512 · first.1",
		"'x_test'":                   "pp512 · Flash attention off · first.1",
	} {
		b, ms := block.Evaluate(rows(), "raw", []byte("title = ["+labels+"]"), result.Position{})
		var got []string
		for _, r := range b.Raw {
			got = append(got, english().Say(r.Title))
		}
		slices.Sort(got)
		if len(got) != 8 || len(slices.Compact(slices.Clone(got))) != 8 || !slices.Contains(got, want) || len(ms) > 0 {
			t.Errorf("by %s: %q lack %q, %v", labels, got, want, ms)
		}
	}
	b, _ := block.Evaluate(rows(), "raw", []byte("where = '{id=~\"first.*\", flash_attention=\"true\"}'\ntitle = ['model']"), result.Position{})
	if got := english().Say(b.Raw[0].Title) + ", " + english().Say(b.Raw[1].Title); got != "m · pp512, m · tg128" {
		t.Errorf("more than it takes tells them apart: %s", got)
	}
}
