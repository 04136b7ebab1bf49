package format

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// GuideLLM saves a report of one benchmark for each step of its sweep.
//
// What differs between versions is where the settings stand; the figures are at
// metrics.<name>.<status>.<statistic> from 0.2 on, and only those of the
// successful requests are read. 0.1 saves the requests themselves (guidellmraw.go).
//
//   - 0.2, 0.3: strategy and profile in the benchmark's args; worker and
//     request_loader describe the server and the data.
//   - 0.4 to 0.6: args of the whole report; the benchmark has a config (a scheduler
//     and a benchmarker in builds before 0.4). The version stands in metadata from
//     0.5 on.
//   - 0.7 on: config of the whole report, with its settings in spec.
//
// Definitions, from the code of each version:
//
//   - request_latency is in seconds, all other latencies in milliseconds.
//   - inter_token_latency_ms is (last − first token)/(N − 1) of each request, counted
//     once for each token: the mean of the gaps between tokens.
//   - time_per_output_token_ms has the wait for the first token in it from 0.4 on:
//     (last token − start)/N. Before, it is (last − first token)/N, which no other
//     tool calls TPOT either, so it keeps the tool's name. TPOT is computed from the
//     single requests, where the report has them all.
//   - A time to first token that was not measured counts as 0.
//   - output_tokens_per_second spans from the first token to the last and leaves out
//     the wait before: with one request it is the decode rate. The rate over the
//     duration is computed here from the tokens of the successful requests.
//   - tokens_per_second counts every prompt twice in 0.2, which no field tells from
//     0.3; it is read from 0.4 on.
func isGuideLLM(v *value) bool {
	first := v.get("benchmarks").at(0)
	return first.get("metrics", "time_to_first_token_ms") != nil && first.get("metrics", "request_latency") != nil || isGuideRaw(first)
}

func readGuideLLM(in *input, v *value) {
	list := v.get("benchmarks")
	for b := range list.children() {
		switch {
		case b.get("metrics") != nil:
			in.guideBenchmark(v, b)
		case isGuideRaw(b):
			in.guideRaw(v, b)
		default:
			in.noResult(b.line, "a benchmark without metrics")
		}
	}
	if list.count > heldEntries {
		in.message(list.line, result.Warning, "format.too-many", "there are more benchmarks than are held",
			"split the report; only the first are read")
	}
}

// guideMetrics are the distributions of which one statistic is a figure here.
var guideMetrics = []member{
	{"output_token_count.successful.total_sum", "output_tokens", "tok"},
	{"prompt_token_count.successful.total_sum", "input_tokens", "tok"},
	{"prompt_token_count.successful.mean", "x_mean_input_len", "tok"},
	{"output_token_count.successful.mean", "x_mean_output_len", "tok"},
	{"request_concurrency.successful.mean", "effective_concurrency", ""},
	{"requests_per_second.successful.mean", "x_requests_per_second_mean", "req/s"},
	{"output_tokens_per_second.successful.mean", "x_output_tokens_per_second_mean", "tok/s"},
	{"prompt_tokens_per_second.successful.mean", "x_prompt_tokens_per_second_mean", "tok/s"},
	{"output_tokens_per_iteration.successful.mean", "x_output_tokens_per_iteration_mean", "tok"},
}

// guideBenchmark reads one benchmark of a report.
func (in *input) guideBenchmark(report, b *value) {
	s := in.begin("guidellm", "guidellm-json", b.line)
	metrics := b.get("metrics")
	counts := firstOf(metrics.get("request_totals"), b.get("request_totals"), b.get("total_count"))
	s.takeAll(counts, []member{
		{"successful", "requests_completed", ""},
		{"errored", "requests_failed", ""},
		{"incomplete", "x_requests_incomplete", "1"},
	})
	s.take("duration", "s", b.get("duration"))
	s.takePositive("x_warmup_duration", "s", b.get("warmup_duration"))
	s.takePositive("x_cooldown_duration", "s", b.get("cooldown_duration"))
	s.guideLabels(report, b)
	if completed, known := s.value("requests_completed"); known && completed == 0 {
		s.finish(b) // the rest is zeros
		return
	}
	for _, m := range guideMetrics { // a zero is no measurement, as the prompt rate of one request
		s.takePositive(m.name, m.unit, metrics.get(strings.Split(m.key, ".")...))
	}
	s.measured("e2el", "s", metrics.get("request_latency", "successful"))
	s.measured("ttft", "ms", metrics.get("time_to_first_token_ms", "successful"))
	s.measured("itl", "ms", metrics.get("inter_token_latency_ms", "successful"))
	s.measured("x_time_to_first_output_token", "ms", metrics.get("time_to_first_output_token_ms", "successful"))
	if isGuideBefore04(b) {
		s.measured("x_time_per_output_token", "ms", metrics.get("time_per_output_token_ms", "successful"))
	} else {
		s.measured("tpot_incl_ttft", "ms", metrics.get("time_per_output_token_ms", "successful"))
		s.take("x_tokens_per_second_mean", "tok/s", metrics.get("tokens_per_second", "successful", "mean"))
	}
	s.ratesOverDuration(b.line)
	if r := s.guideRequests(b.get("requests", "successful")); r != nil {
		r.describe(s)
	}
	s.finish(b)
}

// guideRequests gives the successful requests of a benchmark, nil unless all of
// them are in the report: some are told to keep a few as a sample. What GuideLLM
// saves of the gaps is their mean in each request, which is no gap.
func (s *sheet) guideRequests(list *value) *requests {
	completed, _ := s.value("requests_completed")
	if list == nil || list.cut || float64(list.count) != completed || list.count > exactSize {
		return nil
	}
	r := &requests{ttftField: "time_to_first_token_ms", e2elField: "request_latency", line: list.line}
	column := func(name string, factor float64) []float64 {
		of := list.column(name)
		if of.size() == 0 || len(of.values) != list.count {
			return nil
		}
		values := slices.Clone(of.values)
		for i, v := range values {
			if values[i] *= factor; v <= 0 { // not measured
				values[i] = math.NaN()
			}
		}
		return values
	}
	r.ttft, r.e2el = column("time_to_first_token_ms", 1e-3), column("request_latency", 1)
	r.output = column("output_tokens", 1)
	if r.start = column("request_start_time", 1); r.start == nil {
		r.start = column("start_time", 1) // before 0.4
	}
	return r
}

// isGuideBefore04 tells the reports of 0.2 and 0.3 from later ones.
func isGuideBefore04(b *value) bool { return b.get("worker") != nil || b.get("request_loader") != nil }

// ratesOverDuration derives the rates of the system from totals over the duration.
func (s *sheet) ratesOverDuration(line int) {
	duration, ok := s.value("duration")
	if !ok || duration <= 0 {
		return
	}
	if n, ok := s.value("requests_completed"); ok {
		s.derive("request_throughput", n/duration, "requests_completed / duration", line)
	}
	input, hasInput := s.value("input_tokens")
	output, hasOutput := s.value("output_tokens")
	if hasOutput {
		s.derive("output_throughput", output/duration, "output_tokens / duration", line)
	}
	if hasInput {
		s.derive("input_throughput", input/duration, "input_tokens / duration", line)
	}
	if hasInput && hasOutput {
		s.derive("total_throughput", (input+output)/duration, "(input_tokens + output_tokens) / duration", line)
	}
}

// takePositive notes a number of JSON unless it is zero, which stands for none.
func (s *sheet) takePositive(name, unit string, v *value) {
	if n, ok := v.float(); ok && n > 0 {
		s.take(name, unit, v)
	}
}

// firstOf gives the first value that is there.
func firstOf(values ...*value) *value {
	for _, v := range values {
		if v.is() {
			return v
		}
	}
	return nil
}

// guideLabels notes what a report says of a benchmark's settings.
func (s *sheet) guideLabels(report, b *value) {
	spec := report.get("config", "spec") // from 0.7 on
	args := report.get("args")           // 0.4 to 0.6
	own := b.get("args")                 // before
	config := b.get("config")
	s.setting("tool_version", report.get("metadata", "guidellm_version"))
	s.setting("model_raw", firstOf(b.get("worker", "backend_model"), config.get("backend", "model"),
		b.get("benchmarker", "backend", "model"), spec.get("backend", "model"), args.get("model"), args.get("backend_kwargs", "model")))
	s.setting("tokenizer", firstOf(b.get("request_loader", "processor"), args.get("processor"), spec.get("tokenizer", "model")))
	s.setting("x_backend", firstOf(b.get("worker", "backend_type"), args.get("backend"), spec.get("backend", "kind")))
	s.setting("x_request_format", firstOf(config.get("backend", "request_format"), args.get("backend_kwargs", "request_format")))
	s.setting("seed", firstOf(args.get("random_seed"), spec.get("seed", "value")))
	s.setting("num_prompts", firstOf(config.get("constraints", "max_requests", "max_num"),
		config.get("constraints", "max_requests", "args", "count"), args.get("max_requests"), own.get("max_number")))
	s.setting("x_max_seconds", firstOf(args.get("max_seconds"), own.get("max_duration")))
	for label := range report.get("config", "metadata", "labels").children() {
		s.setting("x_"+snake(label.key), label)
	}

	strategy := firstOf(config.get("strategy"), own.get("strategy"), b.get("scheduler", "strategy"))
	profile := firstOf(config.get("profile"), own.get("profile"), b.get("benchmarker", "profile"))
	if kind := strategy.get("type_"); kind != nil {
		at := firstOf(strategy.get("streams"), strategy.get("rate"))
		s.guideStrategy(kind.string(), at.written(), profile.get("max_concurrency").written(), kind.line)
	} else {
		s.guideStrategyText(strategy.string(), b.line)
	}

	if data := firstOf(spec.get("data").at(0)); data != nil {
		s.takeAll(data, []member{
			{"prompt_tokens", "input_len", ""}, {"output_tokens", "output_len", ""}, {"kind", "dataset", ""},
		})
	}
	if data := firstOf(b.get("request_loader", "data"), args.get("data").at(0), args.get("data"), config.get("requests", "data")); data != nil {
		s.guideData(data.string(), data.line)
	}
	if start, ok := b.get("start_time").float(); ok {
		s.epoch(start, b.get("start_time").line)
		if end, ok := b.get("end_time").float(); ok && end > start && start > 1e9 {
			at := func(seconds float64) time.Time { return time.Unix(0, int64(seconds*1e9)).UTC() }
			s.period = result.Period{From: at(start), To: at(end), Zoned: true}
		}
	}
}

// written gives a scalar as it stands in the file, "" for null.
func (v *value) written() string {
	if !v.scalar() {
		return ""
	}
	return string(v.text)
}

// guideStrategyText notes a strategy as GuideLLM writes it: "synchronous",
// "concurrent@16", "constant@5.60".
func (s *sheet) guideStrategyText(text string, line int) {
	kind, at, _ := strings.Cut(strings.TrimSpace(text), "@")
	s.guideStrategy(kind, at, "", line)
}

// guideStrategy notes how requests are sent: at is the number of streams, or the
// requests a second, and limit the cap that was asked for. The cap that GuideLLM
// puts in by itself is none.
func (s *sheet) guideStrategy(kind, at, limit string, line int) {
	if kind == "" {
		return
	}
	s.label("x_strategy", []byte(kind), line)
	switch kind {
	case "synchronous":
		s.imply("max_concurrency", "1", line)
	case "concurrent":
		limit = at
	case "constant", "poisson":
		if at != "" {
			s.label("request_rate", []byte(at), line)
		}
	}
	if limit != "" && kind != "synchronous" {
		s.label("max_concurrency", []byte(limit), line)
	}
}

// guideLengths finds the lengths in a description of made-up data:
// "prompt_tokens=512,output_tokens=256", or the same as JSON or Python. In 0.1 the
// output is said to be generated.
var guideLengths = regexp.MustCompile(`(?:^|[^a-z_])(prompt|output|generated)_tokens["'\\]*\s*[:=]\s*([0-9]+)`)

// guideData notes what data was asked for.
func (s *sheet) guideData(text string, line int) {
	lengths := guideLengths.FindAllStringSubmatch(text, -1)
	for _, m := range lengths {
		name := "output_len"
		if m[1] == "prompt" {
			name = "input_len"
		}
		s.label(name, []byte(m[2]), line)
	}
	text = strings.Trim(text, `[]'"`)
	switch {
	case len(lengths) > 0:
		s.imply("dataset", "synthetic", line)
	case text != "" && len(text) <= 200:
		s.label("dataset", []byte(text), line)
	}
}
