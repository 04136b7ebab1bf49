package export

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// writer appends results as JSON records. It writes the same bytes as encoding/json, which takes four times as
// long because it examines every type anew and sorts maps that would be made only for it. The zero value is
// ready to use.
type writer struct {
	line   []byte
	places []int // indices of labels or metrics, in order of their names
	err    error
}

// record returns a result as one line without a newline. It is valid until the next call. An error is returned
// if JSON cannot represent a value.
func (w *writer) record(r *result.Result) ([]byte, error) {
	w.line, w.err = w.line[:0], nil
	w.text(`{"id":`, r.ID)
	w.text(`,"source":{"file":`, r.Source.File)
	w.number(`,"line":`, float64(r.Source.Line))
	w.text(`},"tool":`, r.Tool)
	w.text(`,"format":`, r.Format)
	w.text(`,"status":`, r.Status.String())
	w.add(`,"labels":{`)
	w.members(len(r.Labels), func(i int) string { return r.Labels[i].Name }, func(i int) {
		w.text("", r.Labels[i].Value)
	})
	w.add(`},"metrics":{`)
	w.members(len(r.Metrics), func(i int) string { return r.Metrics[i].Name }, func(i int) {
		w.metric(&r.Metrics[i])
	})
	w.add(`},"checks":[`)
	for i := range r.Checks {
		if i > 0 {
			w.add(",")
		}
		w.any(checkOf(&r.Checks[i]))
	}
	w.add("]}")
	return w.line, w.err
}

func (w *writer) metric(m *result.Metric) {
	w.number(`{"value":`, m.Value)
	w.text(`,"unit":`, m.Unit)
	if m.Better != result.Neutral {
		w.text(`,"better":`, m.Better.String())
	}
	w.text(`,"field":`, m.Field)
	if m.Line != 0 {
		w.number(`,"line":`, float64(m.Line))
	}
	if m.File != "" {
		w.text(`,"file":`, m.File)
	}
	if m.Derived {
		w.add(`,"derived":true`)
	}
	w.add("}")
}

// members appends the members of an object in order of their names. If several have the same name, only the
// last is written.
func (w *writer) members(n int, name func(int) string, value func(int)) {
	w.places = w.places[:0]
	for i := range n {
		w.places = append(w.places, i)
	}
	slices.SortFunc(w.places, func(a, b int) int { return cmp.Or(cmp.Compare(name(a), name(b)), a-b) })
	first := true
	for k, i := range w.places {
		if k+1 < n && name(w.places[k+1]) == name(i) {
			continue
		}
		if !first {
			w.add(",")
		}
		first = false
		w.text("", name(i))
		w.add(":")
		value(i)
	}
}

func (w *writer) add(s string) { w.line = append(w.line, s...) }

// text appends before and a string.
func (w *writer) text(before, s string) {
	w.add(before)
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			w.any(s)
			return
		}
	}
	w.line = append(append(append(w.line, '"'), s...), '"')
}

// number appends before and a number.
func (w *writer) number(before string, f float64) {
	w.add(before)
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) || math.IsNaN(f) {
		w.any(f)
		return
	}
	w.line = strconv.AppendFloat(w.line, f, 'f', -1, 64)
}

// any appends a value encoded by encoding/json.
func (w *writer) any(v any) {
	data, err := encode(v)
	w.line, w.err = append(w.line, data...), cmp.Or(w.err, err)
}

func checkOf(c *result.Check) check {
	figures := c.Figures
	if figures == nil {
		figures = map[string]float64{}
	}
	return check{c.ID, c.Severity.String(), locale.English(c.Text), figures, locale.English(c.Hint), c.Waived}
}
