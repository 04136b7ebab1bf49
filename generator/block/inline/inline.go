// Package inline evaluates values inside prose: arithmetic over selectors.
package inline

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/stats"
)

// Evaluate evaluates an inline value: arithmetic over selectors, optionally followed by a bar and the form of the
// result.
//
//	output_throughput{model="A",load="high"}                  298.07
//	output_throughput{…} / output_throughput{…} | ×           3.61×
//	tpot_mean{…} / tpot_mean{…} | +%                          −42.9%
//	weight_size{model="A"}                                    8.9 G
//	count{load="high"}                                        16
//
// Each selector must select one run; repeats of one run give their median. A name that is not a metric of the run is
// read as a label. A single label gives its text; in a calculation its number is used. If repeats differ in a label, the
// value is the range for dates, the median for figures, and otherwise the list of all values. The forms are: × (ratio),
// % (part of a whole), +% (change, minus one), unit (append the unit), s (a time in ms written in seconds), and .N (N
// decimals).
func Evaluate(d *dataset.Selection, expr string, p locale.Printer) (report.Inline, error) {
	var in report.Inline
	text, form := expr, ""
	if i := lastBar(expr); i >= 0 {
		text, form = expr[:i], strings.TrimSpace(expr[i+1:])
	}
	e := evaluator{d: d, s: text, p: p}
	v, err := e.sum()
	if err != nil {
		return in, err
	}
	e.space()
	if e.i < len(e.s) {
		return in, e.wrong(locale.Textf("expected an operator + − * /"), "unexpected %q", strings.TrimSpace(e.s[e.i:]))
	}
	if v.text == "" && (math.IsNaN(v.number) || math.IsInf(v.number, 0)) {
		return in, dataset.Lackf(locale.Textf("a divisor is zero, or a label holds no figure"), "the result is not a number")
	}
	if in.Text, err = v.write(form); err != nil {
		return in, err
	}
	in.Runs = e.runs
	for _, diff := range audit.Differences(e.runs, e.named) {
		if slices.Contains(d.Accept, diff.Setting) {
			continue
		}
		in.Unlike = append(in.Unlike, builder.Difference(d, diff, e.named))
	}
	return in, nil
}

// lastBar finds the bar before the form: the last one outside quotes.
func lastBar(s string) int {
	bar, quote := -1, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '|':
			bar = i
		}
	}
	return bar
}

// quantity is an intermediate result, with what is needed to write it.
type quantity struct {
	number float64
	unit   string // "" for a count
	text   string // as printed, if nothing was calculated
	label  bool   // text is complete and includes the unit; number may be NaN

	exact    bool // number is exact as printed, with the given decimals
	decimals int
}

// printed sets the text of a number: its known digits, or none if it was calculated.
func (q quantity) printed() quantity {
	if q.text = ""; q.exact && !math.IsNaN(q.number) {
		q.text = builder.Round(q.number, q.decimals)
	}
	return q
}

// plus adds or subtracts and keeps all decimals. The unit of b must equal or convert to that of q.
func (q quantity) plus(b quantity, minus bool) (quantity, error) {
	if b.unit != "" && b.unit != q.unit {
		v, ok := dataset.Convert(b.number, b.unit, q.unit)
		if !ok {
			return q, locale.Errorf("%s and %s cannot be added or subtracted", q.unit, b.unit)
		}
		b.number, b.exact = v, false
	}
	if minus {
		b.number = -b.number
	}
	return quantity{number: q.number + b.number, unit: q.unit, exact: q.exact && b.exact, decimals: max(q.decimals, b.decimals)}.printed(), nil
}

// currency reports whether a unit is a currency code such as USD.
func currency(unit string) bool {
	return len(unit) == 3 && strings.ToUpper(unit) == unit && !strings.ContainsFunc(unit, func(r rune) bool { return r < 'A' || r > 'Z' })
}

var forms = []string{"×", "%", "+%", "unit", "s", ".0", ".1", ".2", ".3"}

func (q quantity) write(form string) (string, error) {
	decimals := -1
	words := strings.Fields(form)
	for i := 0; i < len(words); i++ {
		if n, err := strconv.Atoi(strings.TrimPrefix(words[i], ".")); err == nil && strings.HasPrefix(words[i], ".") && n >= 0 && n <= 12 {
			decimals = n
			words = append(words[:i], words[i+1:]...)
			i--
		}
	}
	written := strings.Join(words, " ")
	if q.label && written == "unit" && decimals < 0 {
		return q.text, nil
	}
	if math.IsNaN(q.number) && (written != "" || decimals >= 0) {
		return "", dataset.Wrongf(locale.Textf("leave the form out"), "%q is not a figure, and the form %q writes figures", q.text, form)
	}
	fixed := func(v float64, otherwise string) string {
		if decimals >= 0 {
			otherwise = builder.Round(v, decimals)
		}
		if number, negative := strings.CutPrefix(otherwise, "-"); negative && !q.label {
			if strings.Trim(number, "0.") == "" {
				return number // a value that rounds to zero has no sign
			}
			return "−" + number
		}
		return otherwise
	}
	plain := q.text
	if plain == "" {
		plain = builder.Significant(q.number)
	}
	switch written {
	case "":
		return fixed(q.number, plain), nil
	case "×", "x":
		return strings.TrimSuffix(fixed(q.number, strings.TrimSuffix(builder.Ratio(q.number), "×")), "×") + "×", nil
	case "%":
		return fixed(100*q.number, builder.Round(100*q.number, 1)) + "%", nil
	case "+%":
		if decimals < 0 {
			decimals = 1
		}
		return builder.Percent(q.number-1, decimals), nil
	case "unit":
		if unit, other := magnitude.Read(q.unit, math.Abs(q.number)); other && !q.label {
			read := unit.Of(q.number)
			return fixed(read, magnitude.Digits(read)) + " " + unit.Name, nil
		}
		return strings.TrimSpace(fixed(q.number, plain) + " " + q.unit), nil
	case "s":
		if q.unit != "ms" {
			return "", dataset.Wrongf(locale.Textf("s writes a time in ms as seconds"), "the value is in %q, not in ms", q.unit)
		}
		return fixed(q.number/1000, builder.Significant(q.number/1000)) + " s", nil
	}
	return "", dataset.Wrongf(settings.Offer(form, forms, locale.Textf("there are: %s", locale.Commas(forms...))), "no form is called %q", form)
}

// evaluator is a recursive-descent parser that evaluates while it parses.
type evaluator struct {
	d *dataset.Selection
	p locale.Printer
	s string
	i int

	runs  []*result.Result // the runs of the metrics used so far
	named []string         // labels named by selectors
}

func (e *evaluator) wrong(hint locale.Text, format string, args ...any) *dataset.Problem {
	p := dataset.Wrongf(hint, format, args...)
	p.Column = utf8.RuneCountInString(e.s[:e.i]) + 1
	return p
}

func (e *evaluator) space() {
	e.i += len(e.s[e.i:]) - len(strings.TrimLeft(e.s[e.i:], " \t\r\n"))
}

// operator consumes and returns the next rune if it is one of the given runes. Otherwise it returns 0.
func (e *evaluator) operator(ops string) rune {
	e.space()
	r, n := utf8.DecodeRuneInString(e.s[e.i:])
	if n > 0 && strings.ContainsRune(ops, r) {
		e.i += n
		return r
	}
	return 0
}

func (e *evaluator) sum() (quantity, error) {
	a, err := e.product()
	for err == nil {
		op := e.operator("+-−")
		if op == 0 {
			return a, nil
		}
		at := e.i
		var b quantity
		if b, err = e.product(); err != nil {
			break
		}
		if a.unit == "" {
			a.unit = b.unit // a plain number or a count takes the other's unit
		}
		if a, err = a.plus(b, op != '+'); err != nil {
			e.i = at
			return a, e.wrong(locale.Textf("only figures of one unit can be added; a ratio of two has none"), "%v", err)
		}
	}
	return a, err
}

func (e *evaluator) product() (quantity, error) {
	a, err := e.factor()
	for err == nil {
		op := e.operator("*/")
		if op == 0 {
			return a, nil
		}
		var b quantity
		if b, err = e.factor(); err != nil {
			break
		}
		if op == '*' {
			unit := a.unit
			if unit == "" {
				unit = b.unit
			} else if b.unit != "" {
				unit = ""
			}
			a = quantity{number: a.number * b.number, unit: unit}
			continue
		}
		unit := a.unit
		if b.unit != "" {
			unit = ""
		}
		v, ok := dataset.Convert(b.number, b.unit, a.unit)
		if !ok {
			v = b.number
			if currency(a.unit) && currency(b.unit) {
				return a, e.wrong(locale.Textf("compare costs in one currency"), "the ratio is of %s and %s", a.unit, b.unit)
			}
		}
		a = quantity{number: a.number / v, unit: unit}
	}
	return a, err
}

func (e *evaluator) factor() (quantity, error) {
	e.space()
	switch {
	case e.i == len(e.s):
		return quantity{}, e.wrong(locale.Textf(`for example output_throughput{model="…"}`), "expected a value here")
	case e.operator("-−") != 0:
		q, err := e.factor()
		q.number, q.label = -q.number, false
		return q.printed(), err
	case e.operator("(") != 0:
		q, err := e.sum()
		if err == nil && e.operator(")") == 0 {
			err = e.wrong(locale.Text{}, "expected a closing bracket")
		}
		q.label = false
		return q.printed(), err
	case e.s[e.i] >= '0' && e.s[e.i] <= '9' || e.s[e.i] == '.':
		start := e.i
		for e.i < len(e.s) && (e.s[e.i] >= '0' && e.s[e.i] <= '9' || e.s[e.i] == '.') {
			e.i++
		}
		v, err := strconv.ParseFloat(e.s[start:e.i], 64)
		if err != nil {
			e.i = start
			return quantity{}, e.wrong(locale.Text{}, "%q is not a number", e.s[start:])
		}
		_, digits, _ := strings.Cut(e.s[start:e.i], ".")
		return quantity{number: v, text: e.s[start:e.i], exact: true, decimals: len(digits)}, nil
	}
	return e.selection()
}

// selection evaluates a selector name{…}.
func (e *evaluator) selection() (quantity, error) {
	sel, n, err := result.ParseSelectorPrefix(e.s[e.i:])
	if err != nil {
		at := &result.SelectorError{}
		if errors.As(err, &at) {
			e.i += at.Offset
		}
		hint := locale.Textf(`selectors are written name{label="value"}`)
		if brace := strings.IndexByte(e.s[e.i-at.Offset:], '}'); brace > 0 {
			if _, err := result.ParseQuery(e.s[e.i-at.Offset:][:brace+1]); err != nil {
				if _, written, ok := strings.Cut(err.Error(), "; write "); ok {
					hint = locale.Textf("write %s", written)
				}
			}
		}
		return quantity{}, e.wrong(hint, "%v", err)
	}
	start := e.i
	if sel.Metric == "" {
		return quantity{}, e.wrong(locale.Textf(`for example output_throughput{model="…"}`), "expected a metric before the brace")
	}
	rs := e.d.Matching(sel)
	e.i += n
	if sel.Metric == "count" {
		return quantity{number: float64(len(rs)), text: strconv.Itoa(len(rs)), exact: true}, nil
	}
	fail := func(p *dataset.Problem) (quantity, error) {
		p.Column = utf8.RuneCountInString(e.s[:start]) + 1
		return quantity{}, p
	}
	if len(rs) == 0 {
		return fail(e.d.Nothing(sel))
	}
	metric, label := dataset.Known(rs, sel.Metric)
	if !metric && !label {
		return fail(dataset.Unknown(rs, sel.Metric))
	}
	if f, ok := dataset.FigureOf(rs, sel.Metric); ok {
		if err := dataset.OneRun(rs, sel.String()); err != nil {
			return fail(dataset.AsProblem(err))
		}
		if err := dataset.OneUnit(rs, sel.Metric); err != nil {
			return fail(dataset.AsProblem(err))
		}
		unit := f.Metric.Unit
		if unit == "1" {
			unit = ""
		}
		for _, r := range f.Runs {
			if !slices.Contains(e.runs, r) {
				e.runs = append(e.runs, r)
			}
		}
		for _, m := range sel.Matchers {
			e.named = append(e.named, m.Label)
		}
		q := quantity{number: f.Metric.Value, unit: unit, text: f.Metric.Digits()}
		_, digits, _ := strings.Cut(q.text, ".")
		q.exact, q.decimals = !strings.Contains(q.text, "e"), len(digits)
		return q, nil
	}
	values := e.d.Values(rs, sel.Metric)
	if len(values) == 0 {
		return fail(dataset.Lacks(rs, sel.Metric))
	}
	if len(values) > 1 && !dataset.Varies(rs, sel.Metric) {
		return fail(dataset.Lackf(locale.Textf("name one in braces, as %s=%q; values: %s", sel.Metric, values[0], locale.Few(values, 6)), "%s has %d values", sel, len(values)))
	}
	if len(values) > 1 {
		return e.several(rs, sel.Metric, values), nil
	}
	v, decimals, unit, ok := dataset.ShownNumber(sel.Metric, values[0])
	if !ok {
		v = math.NaN()
	}
	return quantity{number: v, unit: unit, exact: ok, decimals: decimals, text: e.p.Say(e.d.Title(sel.Metric, values[0])), label: true}, nil
}

// several returns the value of a label in which repeats differ: the range of days, the median of figures in one unit,
// or otherwise all values.
func (e *evaluator) several(rs []*result.Result, label string, values []string) quantity {
	var numbers []float64
	unit, finest := "", 0
	for i, value := range values {
		v, decimals, u, ok := dataset.ShownNumber(label, value)
		if !ok || i > 0 && u != unit {
			numbers = nil
			break
		}
		numbers, unit, finest = append(numbers, v), u, max(finest, decimals)
	}
	if numbers != nil {
		median := stats.Summarize(numbers).Median
		return quantity{number: median, unit: unit, exact: true, decimals: finest, text: strings.TrimSpace(builder.Round(median, finest) + " " + unit), label: true}
	}
	text := locale.Text{}
	if label == "date" {
		if first, last, _ := dataset.Dates(rs); first != last {
			text = locale.T("report.days", e.d.Title(label, first), e.d.Title(label, last))
		} else {
			text = e.d.Title(label, first)
		}
	} else {
		var words []locale.Text
		for _, v := range values {
			words = append(words, e.d.Title(label, v))
		}
		text = locale.Join(" / ", words...)
	}
	return quantity{number: math.NaN(), text: e.p.Say(text), label: true}
}

// Message converts an error of Evaluate to a message. start is the position of the first character of the expression.
func Message(start result.Position, err error) result.Message {
	var column int
	if p := dataset.AsProblem(err); p != nil && p.Column > 0 {
		column = p.Column - 1
	}
	start.Column += column
	m := dataset.Message(start, err)
	if m.ID != dataset.NoData {
		m.ID = "report.value"
	}
	return m
}
