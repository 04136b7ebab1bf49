package pairing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

func run(line string) *result.Result {
	words := strings.Fields(line)
	r := &result.Result{ID: words[0], Source: result.Position{File: "runs/" + words[0] + ".log"}}
	for _, w := range words[1:] {
		if name, value, ok := strings.Cut(w, "="); ok {
			r.Labels.Set(result.Label{Name: name, Value: value})
		} else if w == "excluded" {
			r.Checks = []result.Check{{ID: "x", Severity: result.Error}}
		} else {
			m := result.Metric{Kind: &result.Kind{Name: "output_throughput"}}
			fmt.Sscan(w, &m.Value)
			r.Metrics = append(r.Metrics, m)
		}
	}
	return r
}

// TestOf checks that a pair agrees in everything except its label, has a model with a known base, and contains only
// runs that count.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what string
		runs []string
		want []string
	}{
		{"quantisations of one base", []string{"a model=M quantization=BF16 hardware=h load=high 10", "b model=M-FP8 base_model=M quantization=FP8 hardware=h load=high 20"}, []string{"quantization a b 1"}},
		{"the largest difference", []string{"a model=M quantization=BF16 load=high 10", "b model=N base_model=M quantization=FP8 load=high 20", "c model=O base_model=M quantization=INT4 load=high 30"}, []string{"quantization a c 1"}},
		{"other models", []string{"a model=M quantization=BF16 load=high 10", "b model=N quantization=FP8 load=high 20"}, nil},
		{"other loads", []string{"a model=M quantization=BF16 load=high 10", "b model=M quantization=FP8 load=low 20"}, nil},
		{"other machines", []string{"a model=M quantization=BF16 hardware=h load=high 10", "b model=M quantization=FP8 hardware=g load=high 20"}, nil},
		{"folders of which none says its machine", []string{"a campaign=p model=M quantization=BF16 load=high 10", "b campaign=q model=M quantization=FP8 load=high 20"}, []string{"quantization a b 1"}},
		{"folders of which some say theirs", []string{"a campaign=p model=M quantization=BF16 load=high 10", "b campaign=q model=M quantization=FP8 load=high 20", "c campaign=q model=N hardware=h load=high 1"}, nil},
		{"one folder without a machine beside others", []string{"a campaign=p model=M quantization=BF16 load=high 10", "b campaign=p model=M quantization=FP8 load=high 20", "c campaign=q model=N hardware=h load=high 1"}, []string{"quantization a b 1"}},
		{"an excluded run", []string{"a model=M quantization=BF16 load=high 10", "b model=M quantization=FP8 load=high 20 excluded"}, nil},
		{"no speed", []string{"a model=M quantization=BF16 load=high 10", "b model=M quantization=FP8 load=high"}, nil},
		{"loads in common", []string{"a model=M engine=x load=high 10", "b model=M engine=y load=high 20", "c model=M engine=x load=low 10", "d model=M engine=y load=low 10", "e model=M engine=x load=peak 1"}, []string{"engine a b 2"}},
		{"repeats", []string{"a model=M power_mode=x repeat=1 load=high 10", "b model=M power_mode=x repeat=2 load=high 10", "c model=M power_mode=y load=high 20"}, []string{"power_mode a+b c 1"}},
		{"each label in turn", []string{"a model=M engine=x quantization=q load=l 1", "b model=M engine=y quantization=q load=l 2", "c model=M engine=x quantization=r load=l 3"}, []string{"quantization a c 1", "engine a b 1"}},
	} {
		var rs []*result.Result
		for _, line := range c.runs {
			rs = append(rs, run(line))
		}
		var got []string
		for _, p := range Of(rs, 5) {
			ids := func(rs []*result.Result) string {
				var out []string
				for _, r := range rs {
					out = append(out, r.ID)
				}
				return strings.Join(out, "+")
			}
			got = append(got, fmt.Sprintf("%s %s %s %d", p.Label, ids(p.A), ids(p.B), p.Loads))
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
	}
}

// TestOfIsBounded checks the maximum number of pairs.
func TestOfIsBounded(t *testing.T) {
	t.Parallel()
	var rs []*result.Result
	for i := range 200 {
		rs = append(rs, run(fmt.Sprintf("r%d model=M%d engine=e%d load=high %d", i, i/4, i%4, 10+i%7)))
	}
	if n := len(Of(rs, 7)); n != 7 {
		t.Errorf("%d pairs", n)
	}
	if n := len(Of(nil, 7)); n != 0 {
		t.Errorf("%d pairs of nothing", n)
	}
}
