package compose

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// cell is a set of repeats that an inline value can select.
type cell struct {
	study    *study
	matchers []matcher
	runs     []*result.Result
	name     locale.Text // of the variant
	doubted  bool        // a check of severity warning concerns the figure
	figure   float64
}

// value returns the expression for a metric of a cell.
func (c cell) value(metric string) string { return metric + where(c.matchers) }

// says reports whether an inline value of this metric works for the cell.
func (c cell) says(metric string) bool {
	_, ok := c.study.value(c.value(metric))
	return ok
}

// cells returns the variants of a slice, sorted by a metric in descending order. It omits excluded results. It
// omits doubtful ones too unless all are doubtful.
func (s *study) cells(of slice, metric string) []cell {
	var out []cell
	for _, g := range s.data.Groups(of.runs, []string{s.variant}) {
		f, ok := dataset.FigureOf(g.Runs, metric)
		if !ok || g.Values[0] == "" || f.Excluded() {
			continue
		}
		c := cell{s, add(of.matchers, s.variant, g.Values[0]), g.Runs, s.data.HeldInside(s.variant, g.Values[0]), doubtful(f), f.Metric.Value}
		if c.says(metric) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b cell) int { return cmp.Compare(b.figure, a.figure) })
	if sound := slices.DeleteFunc(slices.Clone(out), func(c cell) bool { return c.doubted }); len(sound) > 0 {
		return sound
	}
	return out
}

// doubtful reports whether a check of severity warning concerns a figure and is not waived.
func doubtful(f dataset.Figure) bool {
	return slices.ContainsFunc(f.Runs, func(r *result.Result) bool {
		return slices.ContainsFunc(r.Checks, func(ck result.Check) bool {
			return ck.Severity == result.Warning && ck.Waived == "" && ck.Concerns(f.Metric.Name)
		})
	})
}

// mostLed is the maximum number of sentences with figures in the lead.
const mostLed = 2

// headline returns the sentences with the first figures of a study: the comparisons at each load or, failing
// that, the rise over a sweep.
func (s *study) headline(w *writer) []locale.Text {
	if out := s.comparisons(w); len(out) > 0 {
		return out[:min(mostLed, len(out))]
	}
	for _, over := range s.sweeps {
		if out := s.rise(w, over); len(out) > 0 {
			return out[:1]
		}
	}
	return nil
}

// comparisons returns sentences about the slice that the charts show: for each load, the figures of the
// variants. They stay true whichever variant leads.
func (s *study) comparisons(w *writer) []locale.Text {
	of, ok := s.plane()
	metrics := s.measured(3)
	if !ok || len(metrics) == 0 {
		return nil
	}
	loads := []string{""}
	if s.loads != "" {
		loads = s.data.Values(of.runs, s.loads)
	}
	var out []locale.Text
	for _, load := range loads {
		here := s.with(of, s.loads, load)
		var at []locale.Text
		if !of.held.IsZero() {
			at = append(at, of.held)
		}
		if s.loads != "" {
			at = append(at, s.named(s.loads, load))
		}
		if text, ok := s.compared(w, here, metrics); ok {
			if len(at) > 0 {
				text = locale.T("compose.at", w.plain(locale.Join(" · ", at...)), text)
			}
			if w.printer.Lang() == "en" {
				text = locale.Outside(text)
			}
			out = append(out, locale.T("compose.sentence", text))
		}
	}
	return out
}

// compared returns a clause about the variants of a slice: two of them and their ratio, or the figures of the
// only one.
func (s *study) compared(w *writer, of slice, metrics []string) (locale.Text, bool) {
	cells := s.cells(of, metrics[0])
	if len(cells) == 0 {
		return locale.Text{}, false
	}
	metric := locale.Inside(locale.MetricName(metrics[0]))
	if a, b := cells[0], cells[len(cells)-1]; len(cells) > 1 {
		if base := s.base(cells); base != nil {
			b = *base
			if where(a.matchers) == where(b.matchers) {
				a = cells[1]
			}
		}
		if !condition.OneModel(slices.Concat(a.runs, b.runs), labels(a.matchers)...) {
			return locale.Text{}, false
		}
		ratio := a.value(metrics[0]) + " / " + b.value(metrics[0])
		if _, ok := s.value(ratio); ok {
			s.compares(append(slices.Clone(a.runs), b.runs...), labels(a.matchers)...)
			return locale.T("compose.two", metric, w.plain(a.name), inlined(a.value(metrics[0])+" | unit"), w.plain(b.name),
				inlined(b.value(metrics[0])+" | unit"), inlined(ratio+" | .2")), true
		}
	}
	c := cells[0]
	text := locale.T("compose.one", metric, w.plain(c.name), inlined(c.value(metrics[0])+" | unit"))
	for _, more := range metrics[1:] {
		if c.says(more) {
			text = locale.T("compose.more", text, locale.Inside(locale.MetricName(more)), inlined(c.value(more)+" | unit"))
		}
	}
	return text, true
}

// base returns the cell of the baseline, nil if there is none.
func (s *study) base(cells []cell) *cell {
	sel, err := result.ParseSelector(s.baseline())
	if err != nil || s.baseline() == "" {
		return nil
	}
	i := slices.IndexFunc(cells, func(c cell) bool { return sel.Match(c.runs[0]) })
	if i < 0 {
		return nil
	}
	return &cells[i]
}

// labels returns the labels of conditions.
func labels(ms []matcher) []string {
	var out []string
	for _, m := range ms {
		out = append(out, m.label)
	}
	return out
}

// rise returns sentences on what the first variants reach at the lowest and at the highest step of a sweep.
func (s *study) rise(w *writer, over string) []locale.Text {
	of, ok := s.ramp(over)
	metrics := s.measured(1)
	if !ok || len(metrics) == 0 {
		return nil
	}
	var out []locale.Text
	for _, g := range s.data.Groups(of.runs, []string{s.variant})[:min(2, len(s.data.Groups(of.runs, []string{s.variant})))] {
		steps := slices.DeleteFunc(s.data.Values(g.Runs, over), func(v string) bool { _, err := strconv.ParseFloat(v, 64); return err != nil || v == "inf" })
		if len(steps) < fewestSteps || g.Values[0] == "" {
			continue
		}
		at := func(step string) cell {
			ms := add(add(of.matchers, s.variant, g.Values[0]), over, step)
			return cell{study: s, matchers: ms, runs: dataset.WithLabel(g.Runs, over, step)}
		}
		low, high := at(steps[0]), at(steps[len(steps)-1])
		ratio := high.value(metrics[0]) + " / " + low.value(metrics[0])
		if _, ok := s.value(ratio); !ok {
			continue
		}
		s.compares(append(slices.Clone(low.runs), high.runs...), labels(low.matchers)...)
		text := locale.T("compose.rise", locale.LabelName(over), code(steps[0]), code(steps[len(steps)-1]), w.plain(s.data.HeldInside(s.variant, g.Values[0])),
			locale.Inside(locale.MetricName(metrics[0])), inlined(low.value(metrics[0])+" | unit"), inlined(high.value(metrics[0])+" | unit"), inlined(ratio+" | .2"))
		if !of.held.IsZero() {
			text = locale.T("compose.at", w.plain(of.held), text)
		}
		out = append(out, text)
	}
	return out
}
