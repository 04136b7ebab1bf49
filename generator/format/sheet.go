package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
)

// sheet collects what one run states while it is being read. It is working
// memory: what it hands out is a copy of the right size.
type sheet struct {
	in      *input
	metrics []bench.Metric
	labels  bench.Labels
	checks  []bench.Check
	facts   []byte // names and values as written, for the digest
}

func (s *sheet) reset(in *input) {
	*s = sheet{in: in, metrics: s.metrics[:0], labels: s.labels[:0], checks: s.checks[:0], facts: s.facts[:0]}
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

// metric notes a figure. A tool may print the same figure under two names, as
// Median and P50: the first is kept.
func (s *sheet) metric(m *meaning, f figure, line int, written []byte) {
	if !f.finite {
		s.checks = append(s.checks, bench.Check{ID: "consistency.not-finite", Severity: bench.Warning,
			Text:    locale.T("check.not-finite", m.field, string(clip(written, 20)), m.name),
			Metrics: []string{m.name}, Line: line})
		return
	}
	for i := range s.metrics {
		if s.metrics[i].Name == m.name {
			if s.metrics[i].Value != f.value {
				s.in.message(line, bench.Warning, "format.twice",
					fmt.Sprintf("%s is given again with another value", m.field),
					fmt.Sprintf("the one of line %d is kept", s.metrics[i].Line))
			}
			return
		}
	}
	s.metrics = append(s.metrics, bench.Metric{Name: m.name, Value: f.value, Unit: m.unit, Better: m.better,
		Decimals: f.decimals, Field: m.field, Line: line})
}

// label notes a setting. Numbers are written one way, so that 10.00 and 10.0
// do not tell runs apart.
func (s *sheet) label(name string, value []byte, line int) {
	value = plainNumber(bytes.ToValidUTF8(value, []byte("\ufffd")))
	s.labels.Set(bench.Label{Name: name, Value: s.in.intern(value), Origin: bench.Measured,
		Pos: bench.Position{File: s.in.name, Line: line}})
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

// result hands out what the lines from first to last stated.
func (s *sheet) result(format string, first, last int, whole bool) bench.Result {
	r := bench.Result{
		Source:  bench.Position{File: s.in.name, Line: first},
		EndLine: last,
		Tool:    "vllm-serve",
		Format:  format,
	}
	if n, ok := s.value("requests_completed"); ok && n == 0 {
		r.Status = bench.Failed
		s.dropEmptyLatencies()
	} else if !whole {
		r.Status = bench.Partial
	}
	r.Metrics = append(make([]bench.Metric, 0, len(s.metrics)), s.metrics...)
	r.Labels = append(make(bench.Labels, 0, len(s.labels)), s.labels...)
	r.Checks = append([]bench.Check(nil), s.checks...)
	sum := sha256.Sum256(s.facts)
	r.Digest = hex.EncodeToString(sum[:16])
	return r
}

// forget drops what a line stated.
func (s *sheet) forget(line int) {
	s.metrics = slices.DeleteFunc(s.metrics, func(m bench.Metric) bool { return m.Line == line })
	s.labels = slices.DeleteFunc(s.labels, func(l bench.Label) bool { return l.Pos.Line == line })
}

// hasKnown tells whether there is a figure with a name that others share. A
// title with rows of its own kind alone is another tool's.
func (s *sheet) hasKnown() bool {
	return slices.ContainsFunc(s.metrics, func(m bench.Metric) bool {
		_, ok := bench.Define(m.Name)
		return ok
	})
}

// dropEmptyLatencies removes latencies of zero, which stand for no sample
// when no request succeeded.
func (s *sheet) dropEmptyLatencies() {
	kept := s.metrics[:0]
	for _, m := range s.metrics {
		if m.Unit != "ms" || m.Value != 0 {
			kept = append(kept, m)
		}
	}
	s.metrics = kept
}
