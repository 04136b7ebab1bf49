package result

import (
	"fmt"
	"testing"
)

// What is found by a shape is what a search finds, also after a label or a metric was added;
// and results with the same names share one.
func TestShapes(t *testing.T) {
	t.Parallel()
	var shapes Shapes
	var rs []*Result
	for i := range 20 {
		r := &Result{ID: fmt.Sprint(i), Tool: "tool"}
		for k := range 2 + i%5 {
			r.Labels.Set(Label{Name: fmt.Sprintf("l%d", k*(1+i%2)), Value: fmt.Sprint(i, k)})
			r.Metrics = append(r.Metrics, Metric{Name: fmt.Sprintf("m%d", (k+i%5)%7), Value: float64(10*i + k)})
		}
		r.Metrics = append(r.Metrics, Metric{Name: r.Metrics[0].Name, Value: -1}) // the first one counts
		plain := *r
		shapes.Share(r)
		rs = append(rs, r)
		same := func(when string) {
			t.Helper()
			for k := range 12 {
				label, metric := fmt.Sprintf("l%d", k), fmt.Sprintf("m%d", k)
				got, ok := r.Metric(metric)
				want, wanted := plain.Metric(metric)
				if r.Label(label) != plain.Label(label) || got != want || ok != wanted {
					t.Errorf("%s: %s is %q, %s is %v", when, label, r.Label(label), metric, got)
				}
			}
			if r.Label("tool") != "tool" || r.Label("id") != r.ID {
				t.Errorf("%s: the fields of the result are not found", when)
			}
		}
		same("shared")
		added := append(append(Labels{}, r.Labels...), Label{Name: "m", Value: "more"})
		r.Labels, plain.Labels = added, added
		r.Metrics = append(r.Metrics, Metric{Name: "m11", Value: 11})
		plain.Metrics = r.Metrics
		same("with more")
	}
	if rs[0].shape != rs[10].shape || len(shapes.shared) != 10 {
		t.Errorf("%d shapes of 20 results, half of which are like another", len(shapes.shared))
	}
}
