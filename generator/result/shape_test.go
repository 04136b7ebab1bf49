package result

import (
	"fmt"
	"testing"
)

// TestShapes checks that lookups by shape return the same as searches, also after a label or a metric was
// added, and that results with the same names share a shape.
func TestShapes(t *testing.T) {
	t.Parallel()
	var shapes Shapes
	var rs []*Result
	for i := range 20 {
		r := &Result{ID: fmt.Sprint(i), Tool: "tool"}
		for k := range 2 + i%5 {
			r.Labels.Set(Label{Name: fmt.Sprintf("l%d", k*(1+i%2)), Value: fmt.Sprint(i, k)})
			r.Metrics = append(r.Metrics, Metric{Kind: &Kind{Name: fmt.Sprintf("m%d", (k+i%5)%7)}, Value: float64(10*i + k)})
		}
		r.Metrics = append(r.Metrics, Metric{Kind: &Kind{Name: r.Metrics[0].Name}, Value: -1}) // the first one counts
		plain := *r
		shapes.Share(r)
		rs = append(rs, r)
		same := func(when string) {
			t.Helper()
			for k := range 12 {
				label, metric := fmt.Sprintf("l%d", k), fmt.Sprintf("m%d", k)
				got, ok := r.Metric(metric)
				want, wanted := plain.Metric(metric)
				if r.Label(label) != plain.Label(label) || !got.Equal(want) || ok != wanted {
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
		r.Metrics = append(r.Metrics, Metric{Kind: &Kind{Name: "m11"}, Value: 11})
		plain.Metrics = r.Metrics
		same("with more")
	}
	if rs[0].shape != rs[10].shape || len(shapes.shared) != 10 {
		t.Errorf("%d shapes of 20 results, half of which are like another", len(shapes.shared))
	}
}

// TestGetter checks that Getter returns the same for results in turn as for each result alone: with the names
// of the previous result, without a shape, or with a label added since.
func TestGetter(t *testing.T) {
	t.Parallel()
	var shapes Shapes
	var rs []*Result
	for i := range 60 {
		r := &Result{ID: fmt.Sprint(i), Tool: "tool"}
		for k := range 1 + i/3%4 {
			r.Labels.Set(Label{Name: fmt.Sprintf("l%d", k*(1+i%2)), Value: fmt.Sprint(i, k)})
		}
		if i%7 == 0 {
			r.Labels.Set(Label{Name: "tool"})
		}
		if i%5 > 0 {
			shapes.Share(r)
		}
		if i%11 == 0 {
			r.Labels.Set(Label{Name: "later", Value: "yes"})
		}
		rs = append(rs, r)
	}
	for _, name := range []string{"l0", "l1", "l2", "l4", "l6", "later", "tool", "id", "none"} {
		get, labelled := Getter(name), Labelled(name)
		for _, r := range rs {
			if got, want := get(r), r.Labels.Get(name); got != want {
				t.Errorf("%s of %s is %q, not %q", name, r.ID, got, want)
			}
			if got, want := labelled(r), r.Label(name); got != want {
				t.Errorf("%s of %s is %q as a label, not %q", name, r.ID, got, want)
			}
		}
	}
}
