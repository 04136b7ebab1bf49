package format

import (
	"fmt"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// isServeObject recognises what vLLM's serving benchmark saves (--save-result).
// What was cut off is taken for one when it begins like one.
func isServeObject(v *value) bool {
	return v.get("request_throughput") != nil || v.get("request_inthroughput") != nil ||
		v.cut && (v.get("num_prompts") != nil || v.get("completed") != nil)
}

// readServeObject reads what vLLM's serving benchmark saves, one object or
// several appended one to a line. Keys without a name of their own here are kept
// under the tool's.
func readServeObject(in *input, v *value) {
	s := in.begin("vllm-serve", "vllm-serve-json", v.line)
	failed, failedLine := 0, 0
	for child := range v.children() {
		m := in.meaningOf(child.key)
		switch {
		case child.kind == '{' || m.name == "x_": // a key of signs alone
		case child.kind != '[':
			if len(child.text) > 0 && len(child.text) <= maxLabel {
				s.fact([]byte(child.key), child.text)
				s.member(m, child)
			}
		case child.key == "errors":
			failed, failedLine = child.filled, child.line
		case child.key == "spec_decode_per_position_acceptance_rates" && child.numbers.size() <= heldEntries:
			for i, rate := range child.numbers.values {
				s.metric(in.meaningOf(fmt.Sprintf("%s_%d", child.key, i)), figure{rate, result.FullPrecision, true}, child.line, nil)
			}
		}
	}
	if v.get("request_inthroughput") != nil {
		s.spreadFirstToken()
	}
	s.dropUnmeasured()
	if _, counted := s.value("requests_failed"); !counted && failedLine > 0 {
		s.derive("requests_failed", float64(failed), "number of errors that are not empty", failedLine)
	}
	if end, err := time.Parse("20060102-150405", v.get("date").string()); err == nil {
		if seconds, ok := s.value("duration"); ok { // the date is written at the end
			s.period = result.Period{From: end.Add(-time.Duration(seconds * float64(time.Second))), To: end}
		}
	}
	if details := serveRequests(v); details != nil {
		details.describe(s)
	}
	s.finish(v)
}

// serveRequests gives the single requests of --save-detailed, nil when the file
// has none. Failed ones stand among them with no token. The latency of a request
// is that of its first token and the gaps after it, as the tool itself counts.
func serveRequests(v *value) *requests {
	ttfts, itls, output := v.get("ttfts"), v.get("itls"), v.get("output_lens")
	if ttfts == nil || ttfts.numbers.size() == 0 || v.cut {
		return nil
	}
	r := &requests{ttftField: "ttfts", e2elField: "ttfts + Σ itls", gapsField: "itls", line: ttfts.line}
	if itls != nil {
		r.gaps = itls.numbers
	}
	n := ttfts.count
	starts, latencies := v.get("start_times"), v.get("latencies")
	exact := func(list *value) bool { return list != nil && list.numbers != nil && len(list.numbers.values) == n }
	if !exact(ttfts) { // too many to be held one by one
		return r
	}
	if exact(latencies) {
		r.e2elField = "latencies"
	}
	for i, ttft := range ttfts.numbers.values {
		if exact(output) && output.numbers.values[i] == 0 || ttft <= 0 {
			continue
		}
		r.ttft = append(r.ttft, ttft)
		if exact(output) {
			r.output = append(r.output, output.numbers.values[i])
		}
		if exact(starts) {
			r.start = append(r.start, starts.numbers.values[i])
		}
		switch {
		case exact(latencies):
			r.e2el = append(r.e2el, latencies.numbers.values[i])
		case itls != nil && len(itls.rows) == n:
			r.e2el = append(r.e2el, ttft+itls.rows[i].sum)
		}
	}
	return r
}

// spreadFirstToken renames TPOT: until 0.3.3, when a key was misspelt, it was
// latency / tokens.
func (s *sheet) spreadFirstToken() {
	for i := range s.metrics {
		if statistic, ok := strings.CutPrefix(s.metrics[i].Name, "tpot_"); ok {
			s.metrics[i].Name = "tpot_incl_ttft_" + statistic
		}
	}
}

// member keeps a value that is not a list or an object.
func (s *sheet) member(m *meaning, v *value) {
	written := v.text
	switch {
	case !v.is():
		return
	case m.kind == isLabel || m.kind != isMetric && v.kind != jsonNumber:
		if m.name == "date" {
			written = isoDate(written)
		}
		s.label(m.name, written, v.line)
		return
	}
	f, ok := v.figure(m.shift) // "inf" in quotes too
	if !ok {
		s.in.message(v.line, result.Warning, "format.not-a-number",
			fmt.Sprintf("%s is not a number: %q", m.field, clip(written, 40)), "the figure is left out")
		return
	}
	s.metric(m, f, v.line, written)
}

// maxLabel is the length of the longest text that is kept as a label.
const maxLabel = 1 << 10

// meaningOf gives the meaning of a key, as understood before.
func (in *input) meaningOf(key string) *meaning {
	if m, ok := in.keys[key]; ok {
		return m
	}
	m := serveKey(key)
	in.keys[key] = &m
	return &m
}

// isoDate writes Python's "20260424-074642" as 2026-04-24T07:46:42. The tool
// notes no zone.
func isoDate(b []byte) []byte {
	if len(b) != 15 || b[8] != '-' {
		return b
	}
	for i, c := range b {
		if i != 8 && !isDigit(c) {
			return b
		}
	}
	return fmt.Appendf(nil, "%s-%s-%sT%s:%s:%s", b[:4], b[4:6], b[6:8], b[9:11], b[11:13], b[13:])
}
