package dataset

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// StylesOf numbers the values of the labels that series are drawn by, so that one keeps its colour in all charts: those
// that the site declares in their order, then the others in that in which they first appear, from which a new campaign's
// take none.
func (d *Selection) StylesOf(labels ...string) map[string]map[string]int {
	numbered := make([]map[string]int, len(labels))
	var wg sync.WaitGroup
	for n, label := range labels {
		wg.Go(func() {
			numbered[n] = map[string]int{}
			number := func(v string) {
				if v != "" && numbered[n][v] == 0 {
					numbered[n][v] = len(numbered[n]) + 1
				}
			}
			for _, v := range d.Order[label] {
				number(v)
			}
			of := result.Labelled(label)
			for _, r := range d.Results {
				number(of(r))
			}
		})
	}
	wg.Wait()
	styles := map[string]map[string]int{}
	for n, label := range labels {
		styles[label] = numbered[n]
	}
	return styles
}

// StylesOfOwn returns the styles of the values that occur in the results of the selection, 0 for a value without a style.
// Charts of the selection depend on no other styles.
func (d *Selection) StylesOfOwn() map[string]map[string]int {
	own := map[string]map[string]int{}
	for label, styles := range d.Styles {
		own[label] = map[string]int{}
		of := result.Labelled(label)
		for _, rs := range [][]*result.Result{d.Results, d.Auxiliary, d.Past} {
			for _, r := range rs {
				if v := of(r); v != "" {
					own[label][v] = styles[v]
				}
			}
		}
	}
	return own
}

// Values gives the distinct values of a label in the site's order, then in
// natural order. Absent is no value.
func (d *Selection) Values(rs []*result.Result, label string) []string {
	seen := map[string]bool{}
	var out []string
	of := result.Labelled(label)
	for _, r := range rs {
		if v := of(r); v != "" && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return d.CompareValues(label, a, b) })
	return out
}

// CompareValues orders values of a label as the site wants, else naturally.
func (d *Selection) CompareValues(label, a, b string) int {
	if order := d.Order[label]; order != nil {
		return cmp.Or(cmp.Compare(Rank(order, a), Rank(order, b)), result.NaturalCompare(a, b))
	}
	return result.NaturalCompare(a, b)
}

// Rank returns the place of a value in an order; what is not in it comes last.
func Rank(order []string, v string) int {
	if i := slices.Index(order, v); i >= 0 {
		return i
	}
	return len(order)
}

// Title gives the reader's words for a label's value.
func (d *Selection) Title(label, value string) locale.Text {
	if t, ok := d.Titles[label][value]; ok {
		return t
	}
	return locale.LabelValue(label, value)
}

// Held names a value for which something holds. One that says nothing alone, as a bare number or a switch does, is
// named with its label: Concurrency 8, Flash attention on.
func (d *Selection) Held(label, value string) locale.Text {
	title := d.Title(label, value)
	if !d.isBare(label, value) {
		return title
	}
	return locale.T("finding.held", locale.LabelName(label), title)
}

// HeldInside is Held inside a sentence: flash attention on.
func (d *Selection) HeldInside(label, value string) locale.Text {
	if !d.isBare(label, value) {
		return d.Title(label, value) // a name keeps its letters
	}
	return locale.Inside(d.Held(label, value))
}

// isBare reports whether a value says nothing without its label.
func (d *Selection) isBare(label, value string) bool {
	if value == "true" || value == "false" {
		return true
	}
	_, _, _, number := Number(value)
	return number && locale.English(d.Title(label, value)) == value
}

// Having keeps the runs that have a label: one without has no place in what
// is laid out over its values.
func Having(rs []*result.Result, label string) []*result.Result {
	of := result.Labelled(label)
	return slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return of(r) == "" })
}

// Number reads a label such as "8.9 G" as number and unit. The digits
// after the point are kept for display. What follows the number has to look
// like a unit: a date or a version is no figure.
func Number(s string) (value float64, decimals int, unit string, ok bool) {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(s)
	}
	number := s[:end]
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, 0, "", false
	}
	if i := strings.IndexByte(number, '.'); i >= 0 {
		decimals = len(number) - i - 1
	}
	unit = strings.TrimSpace(s[end:])
	if strings.ContainsFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("/%°", r) }) {
		return 0, 0, "", false
	}
	return v, decimals, unit, true
}

// ShownNumber is Number of a label's value as it is shown: parameters in B.
func ShownNumber(label, value string) (v float64, decimals int, unit string, ok bool) {
	return Number(locale.English(locale.LabelValue(label, value)))
}

// Period is the column a value belongs to: the day of a time as RFC 3339
// writes it, with or without its zone; any other value is its own.
func Period(value string) string {
	if !strings.Contains(value, "T") {
		return value
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if _, err := time.Parse(layout, value); err == nil {
			return value[:len("2006-01-02")]
		}
	}
	return value
}

// Periods gives the columns of a label in order: days by the calendar, which
// for days written in full is their natural order, and so are versions.
func (d *Selection) Periods(rs []*result.Result, over string) []string {
	var out []string
	seen := map[string]bool{}
	for _, v := range d.Values(rs, over) {
		if p := Period(v); !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return d.CompareValues(over, a, b) })
	return out
}

// ByPeriod gives the results of each column, in their order.
func ByPeriod(rs []*result.Result, over string) map[string][]*result.Result {
	by := map[string][]*result.Result{}
	for _, r := range rs {
		p := Period(r.Label(over))
		by[p] = append(by[p], r)
	}
	return by
}

// LabelFigure gives the figure that a label's value holds and its unit, one unit
// for all values of a label: sizes in GB, parameters in B (10⁹), else as written.
func LabelFigure(label, value string) (figure float64, unit string, ok bool) {
	switch label {
	case "weight_size", "active_weight_size", "memory":
		v, ok := audit.Quantity(value)
		return v / 1e9, "GB", ok
	case "params", "active_params":
		v, ok := audit.Parameters(value)
		return v / 1e9, "B", ok
	}
	v, _, unit, ok := Number(value)
	return v, unit, ok
}

// WithLabel keeps the runs in which a label has a value, in order; all for label "". It may return a part of
// rs itself, which callers do not change.
func WithLabel(rs []*result.Result, label, value string) []*result.Result {
	if label == "" {
		return rs
	}
	has := func(r *result.Result) bool { return r.Label(label) == value }
	from := slices.IndexFunc(rs, has)
	if from < 0 {
		return nil
	}
	to := from + 1
	for to < len(rs) && has(rs[to]) {
		to++
	}
	out := rs[from:to:to]
	for _, r := range rs[to:] {
		if has(r) {
			out = append(out, r)
		}
	}
	return out
}
