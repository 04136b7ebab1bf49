package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// sheet collects what one run states while it is being read. It is working
// memory: what it hands out is a copy of the right size.
type sheet struct {
	in           *input
	tool, format string
	start        int // line the run begins in
	metrics      []result.Metric
	labels       result.Labels
	checks       []result.Check
	facts        []byte // names and values as written, for the digest

	distributions []result.Distribution
	period        result.Period
}

// begin empties the sheet of the file's documents for a run that begins at a
// line. A text's reader has a sheet of its own.
func (in *input) begin(tool, format string, line int) *sheet {
	in.sheet.reset(in, tool, format, line)
	return &in.sheet
}

func (s *sheet) reset(in *input, tool, format string, line int) {
	*s = sheet{in: in, tool: tool, format: format, start: line,
		metrics: s.metrics[:0], labels: s.labels[:0], checks: s.checks[:0], facts: s.facts[:0]}
}

// fact notes what was written for the digest, white space aside.
func (s *sheet) fact(name, value []byte) {
	s.facts = appendWords(s.facts, name)
	s.facts = append(s.facts, '\t')
	s.facts = appendWords(s.facts, value)
	s.facts = append(s.facts, '\n')
}

func appendWords(dst, text []byte) []byte {
	for i, c := range text {
		if c == ' ' || c == '\t' {
			if i > 0 && text[i-1] != ' ' && text[i-1] != '\t' {
				dst = append(dst, ' ')
			}
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// number notes a figure of a text or of JSON under a name: one of the
// vocabulary, then in any unit that measures the same, or one with "x_" before
// it, then in the unit given. Field is what the tool calls it. Nothing is noted,
// and false is given, when the text is no number or the unit does not fit.
func (s *sheet) number(name, unit, field string, text []byte, line int) bool {
	m, factor, ok := known(name, unit)
	if !ok {
		return false
	}
	m.field = field
	f, ok := parseFigure(text, m.shift)
	if !ok {
		return false
	}
	if factor != 1 {
		f.value *= factor
		f.decimals = result.FullPrecision
	}
	s.fact([]byte(field), text)
	s.metric(&m, f, line, text)
	return true
}

// known is the meaning of a name in a unit, and what a figure is to be
// multiplied with where a power of ten does not do.
func known(name, unit string) (m meaning, factor float64, ok bool) {
	if strings.HasPrefix(name, "x_") {
		return meaning{kind: isMetric, name: name, unit: unit}, 1, true
	}
	if m, ok = metricIn(unit, name); ok {
		return m, 1, true
	}
	if plain, factor, found := plainUnit(unit); found {
		m, ok = metricIn(plain, name)
		return m, factor, ok
	}
	return m, 1, false
}

// take notes a number of JSON, if it is there. Its field is the path from the
// document down.
func (s *sheet) take(name, unit string, v *value) bool {
	if v == nil || v.kind != jsonNumber && v.kind != jsonString {
		return false
	}
	v.used = true
	n := len(s.metrics)
	if !s.number(name, unit, v.path(), v.text, v.line) {
		return false
	}
	for i := range s.metrics[n:] {
		s.metrics[n+i].Decimals = result.FullPrecision
	}
	return true
}

// member pairs a key of JSON with the name of a metric or label here.
type member struct {
	key  string // or keys from the top, joined with dots where no key has one
	name string
	unit string // "" for a label and for a count
}

// takeAll notes the members of an object that are there: metrics those whose
// name is one or that have a unit, labels the others.
func (s *sheet) takeAll(v *value, members []member) {
	for _, m := range members {
		found := v.get(m.key)
		if found == nil && strings.Contains(m.key, ".") {
			found = v.get(strings.Split(m.key, ".")...)
		}
		if !found.scalar() {
			continue
		}
		if _, isMetric := vocabulary.Define(m.name); isMetric || m.unit != "" {
			s.take(m.name, m.unit, found)
		} else {
			s.setting(m.name, found)
		}
	}
}

// setting notes a scalar of JSON as a label.
func (s *sheet) setting(name string, v *value) {
	if !v.scalar() || len(v.text) == 0 || len(v.text) > maxLabel {
		return
	}
	v.used = true
	s.fact([]byte(v.path()), v.text)
	s.label(name, v.text, v.line)
}

// rest keeps what no name was given to: the scalars of an object, and of the
// objects in it down to a depth, under the tool's own keys with "x_" before
// them. Lists are left out.
func (s *sheet) rest(v *value, depth int) {
	s.restBelow(v, "x", depth)
}

func (s *sheet) restBelow(v *value, prefix string, depth int) {
	for child := range v.children() {
		own := snake(child.key)
		name := prefix + "_" + own
		switch {
		case child.used || own == "":
		case child.kind == '{' && depth > 0:
			s.restBelow(child, name, depth-1)
		case child.kind == jsonNumber:
			s.take(name, "", child)
		case child.scalar():
			s.setting(name, child)
		}
	}
}

// statistics notes a latency's statistics from an object of them, as {"mean":
// 3, "p99": 9}, and those of lists of percentiles in it. The keys may be spelt
// as any tool does. Those that are none are left.
func (s *sheet) statistics(family, unit string, v *value) {
	for child := range v.children() {
		if child.kind == '{' && (strings.Contains(child.key, "percentile") || strings.Contains(child.key, "quantile")) {
			s.statistics(family, unit, child)
			continue
		}
		if statistic, ok := statisticName(child.key); ok && child.scalar() {
			s.take(family+"_"+statistic, unit, child)
		}
	}
}

// derive notes a figure that was computed from others.
func (s *sheet) derive(name string, v float64, formula string, line int) {
	def, _ := vocabulary.Define(name)
	if _, known := s.value(name); known || math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	m := result.Metric{Name: name, Value: v, Unit: def.Unit, Better: def.Better,
		Decimals: result.FullPrecision, Derived: true, Field: formula, Line: line}
	if def.Unit == "1" && v == math.Trunc(v) {
		m.Decimals = 0
	}
	s.metrics = append(s.metrics, m)
}

// metric notes a figure. A tool may print the same figure under two names, as
// Median and P50: the first is kept.
func (s *sheet) metric(m *meaning, f figure, line int, written []byte) {
	if m.name == "x_" || m.field == "" { // a key of signs alone, or none
		return
	}
	if !f.finite {
		s.checks = append(s.checks, result.Check{ID: "consistency.not-finite", Severity: result.Warning,
			Text:    locale.T("check.not-finite", m.field, string(clip(written, 20)), m.name),
			Metrics: []string{m.name}, Line: line})
		return
	}
	for i := range s.metrics {
		if s.metrics[i].Name == m.name {
			if s.metrics[i].Value != f.value {
				s.in.message(line, result.Warning, "format.twice",
					fmt.Sprintf("%s is given again with another value", m.field),
					fmt.Sprintf("the one of line %d is kept", s.metrics[i].Line))
			}
			return
		}
	}
	s.metrics = append(s.metrics, result.Metric{Name: m.name, Value: f.value, Unit: m.unit, Better: m.better,
		Decimals: f.decimals, Field: m.field, Line: line})
}

// label notes a setting. Numbers are written one way, so that 10.00 and 10.0
// do not tell runs apart; a version is none: 0.10 is not 0.1.
func (s *sheet) label(name string, value []byte, line int) {
	if len(value) == 0 || name == "x_" {
		return
	}
	value = bytes.ToValidUTF8(value, []byte("\ufffd"))
	if !strings.HasSuffix(name, "_version") {
		value = plainNumber(value)
	}
	s.labels.Set(result.Label{Name: name, Value: s.in.intern(value), Origin: result.Measured,
		Pos: result.Position{File: s.in.name, Line: line}})
}

// guess notes a setting that is likely and not said, unless it is known.
func (s *sheet) guess(name, value string, line int) {
	s.setUnlessKnown(name, value, result.Guessed, line)
}

// imply notes a setting that follows from what the tool is: one stream, its own
// engine. It stands unless the file says otherwise.
func (s *sheet) imply(name, value string, line int) {
	s.setUnlessKnown(name, value, result.Derived, line)
}

func (s *sheet) setUnlessKnown(name, value string, origin result.Origin, line int) {
	if _, known := s.labels.Lookup(name); !known && value != "" {
		s.labels.Set(result.Label{Name: name, Value: value, Origin: origin,
			Pos: result.Position{File: s.in.name, Line: line}})
	}
}

// value gives a figure that was noted.
func (s *sheet) value(name string) (float64, bool) {
	for i := range s.metrics {
		if s.metrics[i].Name == name {
			return s.metrics[i].Value, true
		}
	}
	return 0, false
}

// result makes a result of what the lines down to last stated.
func (s *sheet) result(last int, whole bool) result.Result {
	r := result.Result{
		Source:  result.Position{File: s.in.name, Line: s.start},
		EndLine: last,
		Tool:    s.tool,
		Format:  s.format,
	}
	if n, ok := s.value("requests_completed"); ok && n == 0 {
		r.Status = result.Failed
		s.dropEmptyLatencies()
	} else if !whole {
		r.Status = result.Partial
	}
	r.Metrics = append(make([]result.Metric, 0, len(s.metrics)), s.metrics...)
	r.Labels = append(make(result.Labels, 0, len(s.labels)), s.labels...)
	r.Checks = append([]result.Check(nil), s.checks...)
	r.Distributions, r.Period = s.distributions, s.period
	sum := sha256.Sum256(s.facts)
	r.Digest = hex.EncodeToString(sum[:16])
	return r
}

// hand hands out the result of the lines down to last. Without a figure there
// is none, which it tells.
func (s *sheet) hand(last int, whole bool) {
	if len(s.metrics) == 0 {
		s.in.noResult(s.start, "no figures in what looks like "+s.format)
		return
	}
	s.in.out.Results = append(s.in.out.Results, s.result(last, whole))
}

// finish hands out the result of a JSON object.
func (s *sheet) finish(v *value) {
	if len(s.metrics) == 0 && v.cut {
		s.in.noResult(s.start, "cut off before the first figure")
		return
	}
	s.hand(v.last, true) // the reader of the document knows what was cut
}

// forget drops what a line stated.
func (s *sheet) forget(line int) {
	s.metrics = slices.DeleteFunc(s.metrics, func(m result.Metric) bool { return m.Line == line })
	s.labels = slices.DeleteFunc(s.labels, func(l result.Label) bool { return l.Pos.Line == line })
}

// drop takes a figure back.
func (s *sheet) drop(name string) {
	s.metrics = slices.DeleteFunc(s.metrics, func(m result.Metric) bool { return m.Name == name })
}

// hasKnown tells whether there is a figure with a name that others share. A
// title with rows of its own kind alone is another tool's.
func (s *sheet) hasKnown() bool {
	return slices.ContainsFunc(s.metrics, func(m result.Metric) bool {
		_, ok := vocabulary.Define(m.Name)
		return ok
	})
}

// dropEmptyLatencies removes latencies of zero, which stand for no sample
// when no request succeeded.
func (s *sheet) dropEmptyLatencies() {
	s.metrics = slices.DeleteFunc(s.metrics, func(m result.Metric) bool { return m.Unit == "ms" && m.Value == 0 })
}

// said notes a setting of a text, for the digest too: rows that state the same
// figures under other settings are not the same run. What stands for nothing is
// left out.
func (s *sheet) said(name, value string, line int) {
	if isMissing(value) || len(value) > maxLabel {
		return
	}
	s.fact([]byte(name), []byte(value))
	s.label(name, []byte(value), line)
}

// dropUnmeasured removes latencies of which every statistic is zero: tools write
// that when an endpoint does not stream. TPOT is then computed from a first token
// at zero, and goes with TTFT.
func (s *sheet) dropUnmeasured() {
	measured := map[string]bool{}
	for _, m := range s.metrics {
		if family, _, ok := vocabulary.Statistic(m.Name); ok {
			measured[family] = measured[family] || m.Value != 0
		}
	}
	streamed, told := measured["ttft"]
	s.metrics = slices.DeleteFunc(s.metrics, func(m result.Metric) bool {
		family, _, _ := vocabulary.Statistic(m.Name)
		return (family == "ttft" || family == "tpot" || family == "itl") && !measured[family] ||
			family == "tpot" && told && !streamed
	})
}
