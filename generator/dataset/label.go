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

// StylesOf numbers the values of the labels that distinguish series, so that each value keeps its colour in all
// charts: the declared values in the site's order, then the others in order of first appearance. Values of a
// new campaign do not change the styles of earlier ones.
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

// StylesOfOwn returns the styles of the values that occur in the selection's results, 0 for a value without a
// style. Its charts depend on no other styles of the site.
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

// Values returns the distinct values of a label in the site's order, then in natural order, without "".
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

// CompareValues compares values of a label in the site's order, or else in natural order.
func (d *Selection) CompareValues(label, a, b string) int {
	if order := d.Order[label]; order != nil {
		return cmp.Or(cmp.Compare(Rank(order, a), Rank(order, b)), result.NaturalCompare(a, b))
	}
	return result.NaturalCompare(a, b)
}

// Rank returns the index of a value in an order; unknown values come last.
func Rank(order []string, v string) int {
	if i := slices.Index(order, v); i >= 0 {
		return i
	}
	return len(order)
}

// Title returns the title of a label's value.
func (d *Selection) Title(label, value string) locale.Text {
	if t, ok := d.Titles[label][value]; ok {
		return t
	}
	return locale.LabelValue(label, value)
}

// Held returns a value as a condition under which something holds. A value that is unclear alone, such as a
// number or a switch, gets the name of its label: Concurrency 8, Flash attention on.
func (d *Selection) Held(label, value string) locale.Text {
	title := d.Title(label, value)
	if !d.isBare(label, value) {
		return title
	}
	return locale.T("finding.held", locale.LabelName(label), title)
}

// HeldInside does what Held does for use inside a sentence: flash attention on.
func (d *Selection) HeldInside(label, value string) locale.Text {
	if !d.isBare(label, value) {
		return d.Title(label, value) // names keep their capitals
	}
	return locale.Inside(d.Held(label, value))
}

// isBare reports whether a value is unclear without its label.
func (d *Selection) isBare(label, value string) bool {
	if value == "true" || value == "false" {
		return true
	}
	_, _, _, number := Number(value)
	return number && locale.English(d.Title(label, value)) == value
}

// Having returns the runs that have a label. Runs without it have no place in a layout over its values.
func Having(rs []*result.Result, label string) []*result.Result {
	of := result.Labelled(label)
	return slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return of(r) == "" })
}

// Number parses a label such as "8.9 G" as number and unit. decimals is the number of digits after the point.
// The text after the number must look like a unit: dates and versions are not numbers.
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

// ShownNumber does what Number does for a label's value as it is shown: parameters in B.
func ShownNumber(label, value string) (v float64, decimals int, unit string, ok bool) {
	return Number(locale.English(locale.LabelValue(label, value)))
}

// Period returns the column of a trend to which a value belongs: the day of a time in RFC 3339 format, with or
// without zone, or else the value itself.
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

// Periods returns the columns of a label in order. Full dates and versions are in natural order.
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

// ByPeriod returns the results of each column, in their order.
func ByPeriod(rs []*result.Result, over string) map[string][]*result.Result {
	by := map[string][]*result.Result{}
	for _, r := range rs {
		p := Period(r.Label(over))
		by[p] = append(by[p], r)
	}
	return by
}

// LabelFigure returns the number in a label's value and its unit, which is the same for all values of a label:
// sizes in GB, parameters in B (10⁹), others as written.
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

// WithLabel returns the runs in which a label has a value, in order, or all runs for label "". It may return a
// part of rs itself, which callers must not modify.
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
