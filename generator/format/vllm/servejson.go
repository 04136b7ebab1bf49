package vllm

import (
	"fmt"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// isServeObject reports whether an object was saved by vLLM's serving benchmark (--save-result). An object that was cut
// off counts if it begins like one.
func isServeObject(v *scan.Value) bool {
	return v.Get("request_throughput") != nil || v.Get("request_inthroughput") != nil ||
		v.Cut && (v.Get("num_prompts") != nil || v.Get("completed") != nil)
}

// readServeObject reads an object that vLLM's serving benchmark saved. A file may have several, one on each line. Keys
// that are not known here keep the tool's name.
func readServeObject(in *draft.File, v *scan.Value) {
	s := in.Begin("vllm-serve", "vllm-serve-json", v.Line)
	failed, failedLine := 0, 0
	for child := range v.Children() {
		m := meaningOf(in, child.Key)
		switch {
		case child.Kind == '{' || m.Name == "x_": // a key without letters and digits
		case child.Kind != '[':
			if len(child.Raw) > 0 && len(child.Raw) <= draft.MaxLabel {
				s.Fact([]byte(child.Key), child.Raw)
				takeMember(s, m, child)
			}
		case child.Key == "errors":
			failed, failedLine = child.Filled, child.Line
		case child.Key == "spec_decode_per_position_acceptance_rates" && child.Numbers.Size() <= scan.HeldEntries:
			for i, rate := range child.Numbers.Values {
				s.Metric(meaningOf(in, fmt.Sprintf("%s_%d", child.Key, i)), scan.Figure{Value: rate, Decimals: result.FullPrecision, Finite: true}, child.Line, nil)
			}
		}
	}
	if v.Get("request_inthroughput") != nil {
		spreadFirstToken(s)
	}
	s.DropUnmeasured()
	if _, counted := s.Value("requests_failed"); !counted && failedLine > 0 {
		s.Derive("requests_failed", float64(failed), "number of errors that are not empty", failedLine)
	}
	if end, err := time.Parse("20060102-150405", v.Get("date").Text()); err == nil {
		if seconds, ok := s.Value("duration"); ok { // the date is written at the end
			s.Period = result.Period{From: end.Add(-time.Duration(seconds * float64(time.Second))), To: end}
		}
	}
	if details := serveRequests(v); details != nil {
		details.Describe(s)
	}
	s.EmitObject(v)
}

// serveRequests returns the single requests of --save-detailed, or nil if the file has none. It skips failed requests,
// which have no tokens. If the file has no latencies, the latency of a request is the time to its first token plus the
// gaps after it, as in the tool itself.
func serveRequests(v *scan.Value) *draft.Requests {
	ttfts, itls, output := v.Get("ttfts"), v.Get("itls"), v.Get("output_lens")
	if ttfts == nil || ttfts.Numbers.Size() == 0 || v.Cut {
		return nil
	}
	r := &draft.Requests{TtftField: "ttfts", E2elField: "ttfts + Σ itls", GapsField: "itls", Line: ttfts.Line}
	if itls != nil {
		r.Gaps = itls.Numbers
	}
	n := ttfts.Count
	starts, latencies := v.Get("start_times"), v.Get("latencies")
	exact := func(list *scan.Value) bool {
		return list != nil && list.Numbers != nil && len(list.Numbers.Values) == n
	}
	if !exact(ttfts) { // too many to be kept one by one
		return r
	}
	if exact(latencies) {
		r.E2elField = "latencies"
	}
	for i, ttft := range ttfts.Numbers.Values {
		if exact(output) && output.Numbers.Values[i] == 0 || ttft <= 0 {
			continue
		}
		r.Ttft = append(r.Ttft, ttft)
		if exact(output) {
			r.Output = append(r.Output, output.Numbers.Values[i])
		}
		if exact(starts) {
			r.Start = append(r.Start, starts.Numbers.Values[i])
		}
		switch {
		case exact(latencies):
			r.E2el = append(r.E2el, latencies.Numbers.Values[i])
		case itls != nil && len(itls.Rows) == n:
			r.E2el = append(r.E2el, ttft+itls.Rows[i].Sum)
		}
	}
	return r
}

// spreadFirstToken renames TPOT in results of versions before 0.3.3, which are recognised by a misspelt key. They
// computed it as latency / tokens.
func spreadFirstToken(s *draft.Draft) {
	for i := range s.Metrics {
		m := &s.Metrics[i]
		if statistic, ok := strings.CutPrefix(m.Name, "tpot_"); ok {
			s.Rename(m, "tpot_incl_ttft_"+statistic, m.Better)
		}
	}
}

// takeMember reads a value that is not a list or an object.
func takeMember(s *draft.Draft, m *draft.Meaning, v *scan.Value) {
	written := v.Raw
	switch {
	case !v.Is():
		return
	case m.Kind == draft.KindLabel || m.Kind != draft.KindMetric && v.Kind != scan.Number:
		if m.Name == "date" {
			written = isoDate(written)
		}
		s.SetLabel(m.Name, written, v.Line)
		return
	}
	f, ok := v.Figure(m.Shift) // also "inf" in quotes
	if !ok {
		s.In.Message(v.Line, result.Warning, "format.not-a-number",
			locale.Textf("%s is not a number: %q", m.Field, scan.Clip(written, 40)), locale.Textf("the figure is left out"))
		return
	}
	s.Metric(m, f, v.Line, written)
}

// meaningOf returns the meaning of a key. It caches the meanings in the file.
func meaningOf(in *draft.File, key string) *draft.Meaning {
	if m, ok := in.Keys[key]; ok {
		return m
	}
	m := serveKey(key)
	in.Keys[key] = &m
	return &m
}

// isoDate writes Python's "20260424-074642" as 2026-04-24T07:46:42. The tool writes no time zone.
func isoDate(b []byte) []byte {
	if len(b) != 15 || b[8] != '-' {
		return b
	}
	for i, c := range b {
		if i != 8 && !scan.IsDigit(c) {
			return b
		}
	}
	return fmt.Appendf(nil, "%s-%s-%sT%s:%s:%s", b[:4], b[4:6], b[6:8], b[9:11], b[11:13], b[13:])
}
