package draft

import (
	"bytes"
	"crypto/sha256"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Draft collects what one run states while it is being read. It is working memory; the results it emits are copies of
// the right size.
type Draft struct {
	In           *File
	Tool, Format string
	Start        int // the line in which the run begins
	Metrics      []result.Metric
	Labels       result.Labels
	checks       []result.Check
	facts        []byte // names and values as written, for the digest

	distributions []result.Distribution
	requests      *result.Requests
	Period        result.Period
}

func (s *Draft) Reset(in *File, tool, format string, line int) {
	*s = s.Emptied(in)
	s.Tool, s.Format, s.Start = tool, format, line
}

// Emptied returns an empty draft for another file. It reuses the memory of s, which must no longer be used.
func (s *Draft) Emptied(in *File) Draft {
	return Draft{In: in, Metrics: s.Metrics[:0], Labels: s.Labels[:0], checks: s.checks[:0], facts: s.facts[:0]}
}

// Fact adds a name and a value as written to the digest, with normalised white space.
func (s *Draft) Fact(name, value []byte) {
	s.facts = append(appendWords(s.facts, name), '\t')
	s.facts = append(appendWords(s.facts, value), '\n')
}

// factOf is Fact for a name that is a string.
func (s *Draft) factOf(name string, value []byte) {
	s.facts = append(appendWords(s.facts, name), '\t')
	s.facts = append(appendWords(s.facts, value), '\n')
}

// appendWords appends a text with a single blank for each run of white space, and without white space at its beginning.
func appendWords[T string | []byte](dst []byte, text T) []byte {
	from := 0 // start of the part not appended yet
	for i := range len(text) {
		if c := text[i]; c == ' ' || c == '\t' {
			behindWord := i > 0 && text[i-1] != ' ' && text[i-1] != '\t'
			if c == ' ' && behindWord {
				continue
			}
			dst = append(dst, text[from:i]...)
			if behindWord {
				dst = append(dst, ' ')
			}
			from = i + 1
		}
	}
	return append(dst, text[from:]...)
}

// Number adds a figure of a text or of JSON under a name. A name of the vocabulary accepts any unit of the same
// quantity; a name with the prefix "x_" keeps the given unit. field is the tool's name for it. Number adds nothing and
// returns false if the text is not a number or the unit does not fit.
func (s *Draft) Number(name, unit, field string, text []byte, line int) bool {
	m := s.In.figure(name, unit, field)
	f, ok := scan.ParseFigure(text, m.Shift)
	if !ok || !m.fits {
		return false
	}
	if m.factor != 1 {
		f.Value *= m.factor
		f.Decimals = result.FullPrecision
	}
	s.facts = append(appendWords(append(s.facts, m.fact...), text), '\n')
	s.Metric(&m.Meaning, f, line, text)
	return true
}

// Take adds a number of JSON, if it is present. Its field is the path from the document down.
func (s *Draft) Take(name, unit string, v *scan.Value) bool {
	if v == nil || v.Kind != scan.Number && v.Kind != scan.String {
		return false
	}
	v.Used = true
	n := len(s.Metrics)
	if !s.Number(name, unit, s.In.pathOf(v), v.Raw, v.Line) {
		return false
	}
	for i := range s.Metrics[n:] {
		s.Metrics[n+i].Decimals = result.FullPrecision
	}
	return true
}

// Member maps a key of JSON to the name of a metric or label.
type Member struct {
	Key  string // a key, or keys from the top joined with dots if no key has a dot
	Name string
	Unit string // "" for a label and for a count
}

// TakeAll adds the members of an object that are present. A member is a metric if its name is in the vocabulary or it
// has a unit, else a label.
func (s *Draft) TakeAll(v *scan.Value, members []Member) {
	for _, m := range members {
		found := v.Get(m.Key)
		if found == nil && strings.Contains(m.Key, ".") {
			found = v.Get(strings.Split(m.Key, ".")...)
		}
		if !found.Scalar() {
			continue
		}
		if _, isMetric := vocabulary.Define(m.Name); isMetric || m.Unit != "" {
			s.Take(m.Name, m.Unit, found)
		} else {
			s.Set(m.Name, found)
		}
	}
}

// Set adds a scalar of JSON as a label.
func (s *Draft) Set(name string, v *scan.Value) {
	if !v.Scalar() || len(v.Raw) == 0 || len(v.Raw) > MaxLabel {
		return
	}
	v.Used = true
	s.factOf(s.In.pathOf(v), v.Raw)
	s.SetLabel(name, v.Raw, v.Line)
}

// Rest keeps the values that were not used by name: the scalars of an object, and of inner objects down to a depth.
// Their names are the tool's own keys with the prefix "x_". Lists are skipped.
func (s *Draft) Rest(v *scan.Value, depth int) {
	s.restBelow(v, "x", depth)
}

func (s *Draft) restBelow(v *scan.Value, prefix string, depth int) {
	for child := range v.Children() {
		if child.Used {
			continue
		}
		own := Snake(child.Key)
		name := prefix + "_" + own
		switch {
		case own == "":
		case child.Kind == '{' && depth > 0:
			s.restBelow(child, name, depth-1)
		case child.Kind == scan.Number && labelName(name) == name:
			s.Take(name, "", child)
		case child.Scalar():
			s.Set(name, child)
		}
	}
}

// Statistics adds a latency's statistics from an object such as {"mean": 3, "p99": 9}, including those in inner objects
// of percentiles. The keys may have any tool's spelling. Other keys are skipped.
func (s *Draft) Statistics(family, unit string, v *scan.Value) {
	for child := range v.Children() {
		if child.Kind == '{' && (strings.Contains(child.Key, "percentile") || strings.Contains(child.Key, "quantile")) {
			s.Statistics(family, unit, child)
			continue
		}
		if statistic, ok := StatisticName(child.Key); ok && child.Scalar() {
			s.Take(family+"_"+statistic, unit, child)
		}
	}
}

// Derive adds a figure that was computed from others, unless it is known or not finite.
func (s *Draft) Derive(name string, v float64, formula string, line int) {
	def, _ := vocabulary.Define(name)
	if _, known := s.Value(name); known || math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	kind := s.In.Kind(result.Kind{Name: name, Unit: def.Unit, Better: def.Better, Derived: true, Field: formula})
	m := result.Metric{Kind: kind, Value: v, Decimals: result.FullPrecision, Line: int32(line)}
	if def.Unit == "1" && v == math.Trunc(v) {
		m.Decimals = 0
	}
	s.Metrics = append(s.Metrics, m)
}

// Metric adds a figure. A tool may print the same figure under two names, such as Median and P50: the first is kept.
func (s *Draft) Metric(m *Meaning, f scan.Figure, line int, written []byte) {
	if m.Name == "x_" || m.Field == "" { // a key without letters and digits, or no key
		return
	}
	if !f.Finite {
		s.checks = append(s.checks, result.Check{ID: "consistency.not-finite", Severity: result.Warning,
			Text:    locale.T("check.not-finite", m.Field, string(scan.Clip(written, 20)), m.Name),
			Metrics: []string{m.Name}, Line: line})
		return
	}
	unit := m.Unit
	if strings.HasPrefix(m.Name, "x_") {
		f, unit = m.ownFigure(f, written)
	}
	for i := range s.Metrics {
		if s.Metrics[i].Name == m.Name {
			if s.Metrics[i].Value != f.Value {
				s.In.Message(line, result.Warning, "format.twice",
					locale.Textf("%s is given again with another value", m.Field),
					locale.Textf("the one of line %d is kept", s.Metrics[i].Line))
			}
			return
		}
	}
	kind := result.Kind{Name: m.Name, Unit: unit, Better: m.Better, Field: m.Field}
	if m.kind == nil || *m.kind != kind {
		m.kind = s.In.Kind(kind)
	}
	s.Metrics = append(s.Metrics, result.Metric{Kind: m.kind, Value: f.Value, Decimals: f.Decimals, Line: int32(line)})
}

// SetLabel adds a setting. Numbers are normalised, so that 10.00 and 10.0 do not make two runs differ. Versions are
// not, because 0.10 is not 0.1.
func (s *Draft) SetLabel(name string, value []byte, line int) {
	if len(value) == 0 || name == "x_" {
		return
	}
	name = labelName(name)
	if !utf8.Valid(value) {
		value = bytes.ToValidUTF8(value, []byte("\ufffd"))
	}
	value = settingValue(name, value)
	if !strings.HasSuffix(name, "_version") {
		value = scan.PlainNumber(value)
	}
	s.Labels.Set(result.Label{Name: name, Value: s.In.Intern(value), Origin: result.Measured,
		Pos: result.Position{File: s.In.Name, Line: line}})
}

// Guess adds a setting that is likely but not stated, unless it is known.
func (s *Draft) Guess(name, value string, line int) {
	s.setUnlessKnown(name, value, result.Guessed, line)
}

// Imply adds a setting that follows from the tool, such as one stream or its own engine, unless the file states it.
func (s *Draft) Imply(name, value string, line int) {
	s.setUnlessKnown(name, value, result.Derived, line)
}

func (s *Draft) setUnlessKnown(name, value string, origin result.Origin, line int) {
	name = labelName(name)
	if _, known := s.Labels.Lookup(name); known || value == "" {
		return
	}
	if isSwitch(name) {
		value = string(settingValue(name, []byte(value)))
	}
	s.Labels.Set(result.Label{Name: name, Value: value, Origin: origin, Pos: result.Position{File: s.In.Name, Line: line}})
}

// Value returns a figure of the draft.
func (s *Draft) Value(name string) (float64, bool) {
	for i := range s.Metrics {
		if s.Metrics[i].Name == name {
			return s.Metrics[i].Value, true
		}
	}
	return 0, false
}

// Result returns a result with what the lines down to last stated.
func (s *Draft) Result(last int, whole bool) result.Result {
	var r result.Result
	s.write(&r, last, whole)
	return r
}

// write fills in an empty result.
func (s *Draft) write(r *result.Result, last int, whole bool) {
	*r = result.Result{
		Source:  result.Position{File: s.In.Name, Line: s.Start},
		EndLine: last,
		Tool:    s.Tool,
		Format:  s.Format,
	}
	if n, ok := s.Value("requests_completed"); ok && n == 0 {
		r.Status = result.Failed
		s.dropEmptyLatencies()
	} else if !whole {
		r.Status = result.Partial
	}
	s.implySpeculation()
	r.Metrics = copyOf(&s.In.metrics, s.Metrics, len(s.In.Out.Results))
	r.Labels = copyOf(&s.In.labels, s.Labels, len(s.In.Out.Results))
	r.Checks = append([]result.Check(nil), s.checks...)
	r.Distributions, r.Requests, r.Period = s.distributions, s.requests, s.Period
	sum := sha256.Sum256(s.facts)
	r.Digest = s.In.digest(sum[:16])
}

// Emit adds the result of the lines down to last to the file. If it has no figure, Emit reports that instead.
func (s *Draft) Emit(last int, whole bool) {
	if len(s.Metrics) == 0 {
		s.In.NoResult(s.Start, locale.Textf("no figures in what looks like %s", s.Format))
		return
	}
	all := s.In.Out.Results
	if n := len(all); n == cap(all) {
		all = slices.Grow(all, max(n, 1)) // twice as many: a result is large to copy
	}
	all = all[:len(all)+1]
	s.In.Out.Results = all
	s.write(&all[len(all)-1], last, whole)
}

// EmitObject emits the result of a JSON object.
func (s *Draft) EmitObject(v *scan.Value) {
	if len(s.Metrics) == 0 && v.Cut {
		s.In.NoResultOf(unread.Cut, s.Start, locale.Textf("cut off before the first figure"))
		return
	}
	s.Emit(v.Last, true) // the reader of the document knows whether it was cut
}

// Forget removes what the given line stated.
func (s *Draft) Forget(line int) {
	s.Metrics = slices.DeleteFunc(s.Metrics, func(m result.Metric) bool { return int(m.Line) == line })
	s.Labels = slices.DeleteFunc(s.Labels, func(l result.Label) bool { return l.Pos.Line == line })
}

// Rename changes the name of a figure, and which direction is better.
func (s *Draft) Rename(m *result.Metric, name string, better result.Better) {
	s.Change(m, func(k *result.Kind) { k.Name, k.Better = name, better })
}

// Change changes the kind of a figure.
func (s *Draft) Change(m *result.Metric, to func(*result.Kind)) {
	m.Kind = s.In.Kind(*m.With(to))
}

// Drop removes a figure.
func (s *Draft) Drop(name string) {
	s.Metrics = slices.DeleteFunc(s.Metrics, func(m result.Metric) bool { return m.Name == name })
}

// HasKnown reports whether there is a figure with a name of the vocabulary. A block that has only figures of its own
// kind belongs to another tool.
func (s *Draft) HasKnown() bool {
	return slices.ContainsFunc(s.Metrics, func(m result.Metric) bool {
		_, ok := vocabulary.Define(m.Name)
		return ok
	})
}

// dropEmptyLatencies removes latencies of zero, which mean that there was no sample because no request succeeded.
func (s *Draft) dropEmptyLatencies() {
	s.Metrics = slices.DeleteFunc(s.Metrics, func(m result.Metric) bool { return m.Unit == "ms" && m.Value == 0 })
}

// SetText adds a setting from a text, also to the digest: rows with the same figures but other settings are different
// runs. Placeholders for missing values are skipped.
func (s *Draft) SetText(name, value string, line int) {
	if scan.IsMissing(value) || len(value) > MaxLabel {
		return
	}
	s.factOf(name, []byte(value))
	s.SetLabel(name, []byte(value), line)
}

// DropUnmeasured removes latencies whose statistics are all zero. Tools write zeros if an endpoint does not stream.
// TPOT is then computed from a first token at zero, so it is removed together with TTFT.
func (s *Draft) DropUnmeasured() {
	var known, measured [len(streamed)]bool
	for i := range s.Metrics {
		if n := streamedFamily(s.Metrics[i].Name); n >= 0 {
			known[n] = true
			measured[n] = measured[n] || s.Metrics[i].Value != 0
		}
	}
	if known == measured {
		return
	}
	s.Metrics = slices.DeleteFunc(s.Metrics, func(m result.Metric) bool {
		n := streamedFamily(m.Name)
		return n >= 0 && (!measured[n] || streamed[n] == "tpot" && known[0] && !measured[0])
	})
}

// streamed lists the latencies that are known only with streaming; the first is the time to the first token.
var streamed = [...]string{"ttft", "tpot", "itl"}

// streamedFamily returns the index in streamed of the family of a metric, or -1.
func streamedFamily(name string) int {
	family, _, _ := vocabulary.Statistic(name)
	return slices.Index(streamed[:], family)
}

// Label returns a setting of the draft.
func (s *Draft) Label(name string) string {
	l, _ := s.Labels.Lookup(name)
	return l.Value
}

// ImplyEngine sets the engine from the backend, for a harness that runs the model itself.
func (s *Draft) ImplyEngine(backend string, line int) {
	switch backend {
	case "vllm", "sglang":
		s.Imply("engine", backend, line)
	case "hf", "hf-auto", "hf-causal", "hf-causal-experimental", "huggingface":
		s.Imply("engine", "transformers", line)
	}
}
