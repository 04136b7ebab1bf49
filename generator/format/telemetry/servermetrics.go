package telemetry

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// A server of language models reports to Prometheus what it has done since it was started, with counters that only
// rise:
//
//	# TYPE vllm:prefix_cache_hits_total counter
//	vllm:prefix_cache_hits_total{engine="0",model_name="Qwen/Qwen3-8B"} 12416.0
//	vllm:request_success_total{engine="0",finished_reason="length",model_name="Qwen/Qwen3-8B"} 101.0
//
// One answer is not a result: what a server did in a run is the difference between an answer before the run and one
// after it. The parts of a server (engines, ranks, sources of cached tokens) have a line each and are added up. Gauges,
// such as SGLang's cache_hit_rate of the last batch, describe one moment and are not read.
//
// vLLM calls the counters of its prefix cache gpu_prefix_cache_… up to 0.9.1, has both names from 0.9.2 to 0.10, and
// only prefix_cache_… since 0.11. They counted blocks at first and tokens later. Prometheus's client for Python appends
// _total to a counter's name. TGI counts tokens in the sums of its histograms.
//
// Source: vLLM, vllm/engine/metrics.py, vllm/v1/metrics/loggers.py; SGLang,
// srt/metrics/collector.py; llama.cpp, tools/server; text-generation-inference,
// docs/source/reference/metrics.md.
var serverMetricsMarks = []string{
	"vllm:prefix_cache_", "vllm:gpu_prefix_cache_", "vllm:num_preemptions", "vllm:request_success", "vllm:prompt_tokens", "vllm:generation_tokens",
	"sglang:cached_tokens", "sglang:num_requests", "sglang:num_retracted_requests", "sglang:prompt_tokens", "sglang:generation_tokens",
	"llamacpp:tokens_predicted",
	"tgi_request_success", "tgi_request_input_length", "tgi_request_generated_tokens",
	"process_start_time_seconds",
}

// ServerMetrics is the format of a snapshot.
const ServerMetrics = "server-metrics-text"

// serverCounters maps the servers' names of counters, without _total, to counters. llama.cpp's prompt tokens are
// missing: they exclude the cached tokens, so they are another quantity.
var serverCounters = map[string]struct{ engine, name string }{
	"vllm:prompt_tokens":            {"vllm", result.CountedInput},
	"vllm:generation_tokens":        {"vllm", result.CountedOutput},
	"vllm:request_success":          {"vllm", result.CountedRequests},
	"vllm:prefix_cache_queries":     {"vllm", result.CountedQueries},
	"vllm:prefix_cache_hits":        {"vllm", result.CountedHits},
	"vllm:gpu_prefix_cache_queries": {"vllm", result.CountedQueries},
	"vllm:gpu_prefix_cache_hits":    {"vllm", result.CountedHits},
	"vllm:num_preemptions":          {"vllm", result.CountedPreemptions},

	"sglang:prompt_tokens":          {"sglang", result.CountedInput},
	"sglang:generation_tokens":      {"sglang", result.CountedOutput},
	"sglang:cached_tokens":          {"sglang", result.CountedHits},
	"sglang:num_requests":           {"sglang", result.CountedRequests},
	"sglang:num_retracted_requests": {"sglang", result.CountedPreemptions},

	"llamacpp:tokens_predicted": {"llama.cpp", result.CountedOutput},

	"tgi_request_success":              {"tgi", result.CountedRequests},
	"tgi_request_input_length_sum":     {"tgi", result.CountedInput},
	"tgi_request_generated_tokens_sum": {"tgi", result.CountedOutput},
}

const (
	maxSeries       = 4096 // lines of counters in one answer
	maxReasons      = 16   // reasons for which requests are finished
	maxSeriesLabels = 2000 // bytes
	mostCount       = 1 << 53
)

type snapshotText struct {
	in     *draft.File
	found  result.Snapshot
	seen   map[string]bool // series that were read, by the text before the value
	broken locale.Text     // why the lines are not a single answer
}

func newSnapshotText() draft.LineReader { return &snapshotText{} }

func (s *snapshotText) Begin(in *draft.File) { *s = snapshotText{in: in, seen: map[string]bool{}} }

var (
	seriesLine     = lazy.Regexp(`^([a-z_]+:?[a-z_]+)(\{.*\})? (\S{1,32})(?: \d{1,16})?\s*$`)
	finishedReason = lazy.Regexp(`[{,]finished_reason="([a-z_]{1,20})"`)
)

// Line reads one series. After the first one it reads all lines, to see whether the last line is whole.
func (s *snapshotText) Line(l scan.Line) bool {
	s.found.Cut = !l.Ended
	s.series(l)
	return s.found.Engine != ""
}

// series reads a counter of one part of the server.
func (s *snapshotText) series(l scan.Line) {
	end := max(bytes.IndexAny(l.Text, "{ "), 0)
	name := bytes.TrimSuffix(l.Text[:end], []byte("_total"))
	known, ok := serverCounters[string(name)]
	started := string(name) == "process_start_time_seconds"
	if !ok && !started || !l.Ended || !s.broken.IsZero() {
		return
	}
	m := seriesLine().FindSubmatch(l.Text)
	if m == nil || len(m[2]) > maxSeriesLabels {
		return
	}
	field := string(m[1])
	value, err := strconv.ParseFloat(string(m[3]), 64)
	if err != nil || !(value >= 0 && value <= mostCount) {
		return
	}
	of := field + string(m[2])
	switch {
	case s.seen[of]:
		s.broken = locale.Textf("several answers of a server's metrics in one file: keep one from before the run and one from after it, in files of their own")
	case len(s.seen) == maxSeries:
		s.broken = locale.Textf("a server's metrics with too many series")
	case ok && s.found.Engine != "" && s.found.Engine != known.engine:
		s.broken = locale.Textf("metrics of several kinds of servers in one file")
	}
	s.seen[of] = true
	if started {
		s.found.Started = max(s.found.Started, value)
		return
	}
	s.found.Engine = known.engine
	s.count(known.name, field, value, l.Number)
	if reason := finishedReason().FindSubmatch(m[2]); reason != nil && known.name == result.CountedRequests {
		s.count(result.CountedRequests+"_"+string(reason[1]), field+", finished_reason="+string(reason[1]), value, l.Number)
	}
}

// count adds a series to its counter.
func (s *snapshotText) count(name, field string, value float64, line int) {
	for i := range s.found.Counters {
		if c := &s.found.Counters[i]; c.Name == name && c.Field == field {
			c.Value += value
			return
		}
	}
	if len(s.found.Counters) < len(serverCounters)+maxReasons {
		s.found.Counters = append(s.found.Counters, result.Counter{Name: name, Field: field, Value: value, Line: line})
	}
}

// End emits the snapshot. If a counter has two names, only the one of later versions is kept.
func (s *snapshotText) End() {
	if s.found.Engine == "" {
		return
	}
	if !s.broken.IsZero() {
		s.in.NoResult(s.found.Counters[0].Line, s.broken)
		return
	}
	var kept []result.Counter
	for _, c := range s.found.Counters {
		later := strings.Replace(c.Field, ":gpu_", ":", 1)
		if later == c.Field || !slices.ContainsFunc(s.found.Counters, func(o result.Counter) bool { return o.Field == later }) {
			kept = append(kept, c)
		}
	}
	found := s.found
	found.Counters, found.Format, found.Source = kept, ServerMetrics, result.Position{File: s.in.Name, Line: kept[0].Line}
	s.in.Out.Snapshot = &found
}
