package loadgen

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// GuideLLM saves a report with one benchmark for each step of its sweep.
//
// The versions differ in the place of the settings. Since 0.2 the figures are at metrics.<name>.<status>.<statistic>,
// and only those of successful requests are read. 0.1 saves the requests themselves (guidellmraw.go).
//
//   - 0.2, 0.3: strategy and profile are in the benchmark's args; worker and request_loader describe the server and the
//     data.
//   - 0.4 to 0.6: the report has args; the benchmark has a config (in builds before 0.4: a scheduler and a
//     benchmarker). Since 0.5 the version is in metadata.
//   - Since 0.7: the report has a config, with its settings in spec.
//
// Definitions, from the code of each version:
//
//   - request_latency is in seconds, all other latencies are in milliseconds.
//   - inter_token_latency_ms is (last − first token)/(N − 1) of each request, weighted by its tokens: the mean is that
//     of the gaps between tokens.
//   - Since 0.4, time_per_output_token_ms includes the wait for the first token: (last token − start)/N. Before, it is
//     (last − first token)/N. No other tool calls that TPOT, so it keeps the tool's name. TPOT is computed from the
//     single requests, if the report has all of them.
//   - A time to first token that was not measured counts as 0.
//   - output_tokens_per_second is over the time from the first token to the last and excludes the wait before. With one
//     request it is the decode rate. The rate over the duration is computed here from the tokens of the successful
//     requests.
//   - tokens_per_second counts every prompt twice in 0.2. No field distinguishes 0.2 from 0.3, so it is read only since
//     0.4.
func isGuideLLM(v *scan.Value) bool {
	first := v.Get("benchmarks").At(0)
	return first.Get("metrics", "time_to_first_token_ms") != nil && first.Get("metrics", "request_latency") != nil || isGuideRaw(first)
}

func readGuideLLM(in *draft.File, v *scan.Value) {
	list := v.Get("benchmarks")
	for b := range list.Children() {
		switch {
		case b.Get("metrics") != nil:
			guideBenchmark(in, v, b)
		case isGuideRaw(b):
			guideRaw(in, v, b)
		default:
			in.NoResult(b.Line, locale.Textf("a benchmark without metrics"))
		}
	}
	if list.Count > scan.HeldEntries {
		in.Message(list.Line, result.Warning, "format.too-many", locale.Textf("there are too many benchmarks"),
			locale.Textf("split the report; only the first are read"))
	}
}

// guideMetrics lists the distributions of which one statistic is read.
var guideMetrics = []draft.Member{
	{Key: "output_token_count.successful.total_sum", Name: "output_tokens", Unit: "tok"},
	{Key: "prompt_token_count.successful.total_sum", Name: "input_tokens", Unit: "tok"},
	{Key: "prompt_token_count.successful.mean", Name: "x_mean_input_len", Unit: "tok"},
	{Key: "output_token_count.successful.mean", Name: "x_mean_output_len", Unit: "tok"},
	{Key: "request_concurrency.successful.mean", Name: "effective_concurrency"},
	{Key: "requests_per_second.successful.mean", Name: "x_requests_per_second_mean", Unit: "req/s"},
	{Key: "output_tokens_per_second.successful.mean", Name: "x_output_tokens_per_second_mean", Unit: "tok/s"},
	{Key: "prompt_tokens_per_second.successful.mean", Name: "x_prompt_tokens_per_second_mean", Unit: "tok/s"},
	{Key: "output_tokens_per_iteration.successful.mean", Name: "x_output_tokens_per_iteration_mean", Unit: "tok"},
}

// guideBenchmark reads one benchmark of a report.
func guideBenchmark(in *draft.File, report, b *scan.Value) {
	s := in.Begin("guidellm", "guidellm-json", b.Line)
	metrics := b.Get("metrics")
	counts := firstOf(metrics.Get("request_totals"), b.Get("request_totals"), b.Get("total_count"))
	s.TakeAll(counts, []draft.Member{
		{Key: "successful", Name: "requests_completed"},
		{Key: "errored", Name: "requests_failed"},
		{Key: "incomplete", Name: "x_requests_incomplete", Unit: "1"},
	})
	s.Take("duration", "s", b.Get("duration"))
	takePositive(s, "x_warmup_duration", "s", b.Get("warmup_duration"))
	takePositive(s, "x_cooldown_duration", "s", b.Get("cooldown_duration"))
	guideLabels(s, report, b)
	if completed, known := s.Value("requests_completed"); known && completed == 0 {
		s.EmitObject(b) // the rest is zeros
		return
	}
	for _, m := range guideMetrics { // a zero is not a measurement, such as the prompt rate of a single request
		takePositive(s, m.Name, m.Unit, metrics.Get(strings.Split(m.Key, ".")...))
	}
	s.Measured("e2el", "s", metrics.Get("request_latency", "successful"))
	s.Measured("ttft", "ms", metrics.Get("time_to_first_token_ms", "successful"))
	s.Measured("itl", "ms", metrics.Get("inter_token_latency_ms", "successful"))
	s.Measured("x_time_to_first_output_token", "ms", metrics.Get("time_to_first_output_token_ms", "successful"))
	if isGuideBefore04(b) {
		s.Measured("x_time_per_output_token", "ms", metrics.Get("time_per_output_token_ms", "successful"))
	} else {
		s.Measured("tpot_incl_ttft", "ms", metrics.Get("time_per_output_token_ms", "successful"))
		s.Take("x_tokens_per_second_mean", "tok/s", metrics.Get("tokens_per_second", "successful", "mean"))
	}
	ratesOverDuration(s, b.Line)
	if r := guideRequests(s, b.Get("requests", "successful")); r != nil {
		r.Describe(s)
	}
	s.EmitObject(b)
}

// guideRequests returns the successful requests of a benchmark, or nil if the report does not have all of them: some
// reports keep only a sample. It does not return gaps, since GuideLLM saves only their mean for each request.
func guideRequests(s *draft.Draft, list *scan.Value) *draft.Requests {
	completed, _ := s.Value("requests_completed")
	if list == nil || list.Cut || float64(list.Count) != completed || list.Count > scan.ExactSize {
		return nil
	}
	r := &draft.Requests{TtftField: "time_to_first_token_ms", E2elField: "request_latency", Line: list.Line}
	column := func(name string, factor float64) []float64 {
		of := list.Column(name)
		if of.Size() == 0 || len(of.Values) != list.Count {
			return nil
		}
		values := slices.Clone(of.Values)
		for i, v := range values {
			if values[i] *= factor; v <= 0 { // not measured
				values[i] = math.NaN()
			}
		}
		return values
	}
	r.Ttft, r.E2el = column("time_to_first_token_ms", 1e-3), column("request_latency", 1)
	r.Output = column("output_tokens", 1)
	if r.Start = column("request_start_time", 1); r.Start == nil {
		r.Start = column("start_time", 1) // before 0.4
	}
	return r
}

// isGuideBefore04 reports whether a benchmark was saved by 0.2 or 0.3.
func isGuideBefore04(b *scan.Value) bool {
	return b.Get("worker") != nil || b.Get("request_loader") != nil
}

// ratesOverDuration derives the system's rates: totals divided by the duration.
func ratesOverDuration(s *draft.Draft, line int) {
	duration, ok := s.Value("duration")
	if !ok || duration <= 0 {
		return
	}
	if n, ok := s.Value("requests_completed"); ok {
		s.Derive("request_throughput", n/duration, "requests_completed / duration", line)
	}
	input, hasInput := s.Value("input_tokens")
	output, hasOutput := s.Value("output_tokens")
	if hasOutput {
		s.Derive("output_throughput", output/duration, "output_tokens / duration", line)
	}
	if hasInput {
		s.Derive("input_throughput", input/duration, "input_tokens / duration", line)
	}
	if hasInput && hasOutput {
		s.Derive("total_throughput", (input+output)/duration, "(input_tokens + output_tokens) / duration", line)
	}
}

// takePositive reads a number in JSON unless it is zero, which means that it was not measured.
func takePositive(s *draft.Draft, name, unit string, v *scan.Value) {
	if n, ok := v.Float(); ok && n > 0 {
		s.Take(name, unit, v)
	}
}

// firstOf returns the first value that is present.
func firstOf(values ...*scan.Value) *scan.Value {
	for _, v := range values {
		if v.Is() {
			return v
		}
	}
	return nil
}

// guideLabels reads the settings of a benchmark in a report.
func guideLabels(s *draft.Draft, report, b *scan.Value) {
	spec := report.Get("config", "spec") // from 0.7 on
	args := report.Get("args")           // 0.4 to 0.6
	own := b.Get("args")                 // before 0.4
	config := b.Get("config")
	s.Set("tool_version", report.Get("metadata", "guidellm_version"))
	s.Set("model_raw", firstOf(b.Get("worker", "backend_model"), config.Get("backend", "model"),
		b.Get("benchmarker", "backend", "model"), spec.Get("backend", "model"), args.Get("model"), args.Get("backend_kwargs", "model")))
	s.Set("tokenizer", firstOf(b.Get("request_loader", "processor"), args.Get("processor"), spec.Get("tokenizer", "model")))
	s.Set("backend", firstOf(b.Get("worker", "backend_type"), args.Get("backend"), spec.Get("backend", "kind")))
	s.Set("x_request_format", firstOf(config.Get("backend", "request_format"), args.Get("backend_kwargs", "request_format")))
	s.Set("seed", firstOf(args.Get("random_seed"), spec.Get("seed", "value")))
	s.Set("num_prompts", firstOf(config.Get("constraints", "max_requests", "max_num"),
		config.Get("constraints", "max_requests", "args", "count"), args.Get("max_requests"), own.Get("max_number")))
	s.Set("x_max_seconds", firstOf(args.Get("max_seconds"), own.Get("max_duration")))
	for label := range report.Get("config", "metadata", "labels").Children() {
		s.Set("x_"+draft.Snake(label.Key), label)
	}

	strategy := firstOf(config.Get("strategy"), own.Get("strategy"), b.Get("scheduler", "strategy"))
	profile := firstOf(config.Get("profile"), own.Get("profile"), b.Get("benchmarker", "profile"))
	if kind := strategy.Get("type_"); kind != nil {
		at := firstOf(strategy.Get("streams"), strategy.Get("rate"))
		guideStrategy(s, kind.Text(), at.AsWritten(), profile.Get("max_concurrency").AsWritten(), kind.Line)
	} else {
		guideStrategyText(s, strategy.Text(), b.Line)
	}

	if data := firstOf(spec.Get("data").At(0)); data != nil {
		s.TakeAll(data, []draft.Member{
			{Key: "prompt_tokens", Name: "input_len"}, {Key: "output_tokens", Name: "output_len"}, {Key: "kind", Name: "dataset"},
		})
	}
	if data := firstOf(b.Get("request_loader", "data"), args.Get("data").At(0), args.Get("data"), config.Get("requests", "data")); data != nil {
		guideData(s, data.Text(), data.Line)
	}
	if start, ok := b.Get("start_time").Float(); ok {
		s.Epoch(start, b.Get("start_time").Line)
		if end, ok := b.Get("end_time").Float(); ok && end > start && start > 1e9 {
			at := func(seconds float64) time.Time { return time.Unix(0, int64(seconds*1e9)).UTC() }
			s.Period = result.Period{From: at(start), To: at(end), Zoned: true}
		}
	}
}

// guideStrategyText reads a strategy in GuideLLM's notation: "synchronous", "concurrent@16", "constant@5.60".
func guideStrategyText(s *draft.Draft, text string, line int) {
	kind, at, _ := strings.Cut(strings.TrimSpace(text), "@")
	guideStrategy(s, kind, at, "", line)
}

// guideStrategy sets how requests are sent. at is the number of streams, or the requests per second. limit is the
// requested concurrency cap, not the cap that GuideLLM sets by itself.
func guideStrategy(s *draft.Draft, kind, at, limit string, line int) {
	if kind == "" {
		return
	}
	s.SetLabel("x_strategy", []byte(kind), line)
	switch kind {
	case "synchronous":
		s.Imply("max_concurrency", "1", line)
	case "concurrent":
		limit = at
	case "constant", "poisson":
		if at != "" {
			s.SetLabel("request_rate", []byte(at), line)
		}
	}
	if limit != "" && kind != "synchronous" {
		s.SetLabel("max_concurrency", []byte(limit), line)
	}
}

// guideLengths matches the lengths in a description of synthetic data: "prompt_tokens=512,output_tokens=256", or the
// same in JSON or Python. In 0.1 the output is called generated.
var guideLengths = lazy.Regexp(`(?:^|[^a-z_])(prompt|output|generated)_tokens["'\\]*\s*[:=]\s*([0-9]+)`)

// guideData reads a description of the data.
func guideData(s *draft.Draft, text string, line int) {
	lengths := guideLengths().FindAllStringSubmatch(text, -1)
	for _, m := range lengths {
		name := "output_len"
		if m[1] == "prompt" {
			name = "input_len"
		}
		s.SetLabel(name, []byte(m[2]), line)
	}
	text = strings.Trim(text, `[]'"`)
	switch {
	case len(lengths) > 0:
		s.Imply("dataset", "synthetic", line)
	case text != "" && len(text) <= 200:
		s.SetLabel("dataset", []byte(text), line)
	}
}
