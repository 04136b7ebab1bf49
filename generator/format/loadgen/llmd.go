package loadgen

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// llm-d-benchmark converts the output of a load generator to a report of its own, as YAML or JSON. Every distribution
// has a unit. In 0.1, metrics has "time", "requests", "latency" and "throughput". 0.2 and 0.2.1 have the same in
// results.request_performance.aggregate, and rates are distributions too.
//
// The figures are those of the load generator, with the same meaning:
//
//   - AIPerf's inter_token_latency is the TPOT of each request. Its total is the number of completed requests, and its
//     failures are the number of kinds of errors.
//   - GuideLLM's rates and time_per_output_token are read as in GuideLLM's own report: they keep its names, and the
//     rates over the duration are computed.
//   - With vLLM's benchmark, the total in 0.1 is the number of completed requests.
//   - With vLLM's benchmark, InferenceMAX, GuideLLM and AIPerf, the duration is that of the run. With inference-perf it
//     is the time of sending in 0.1, and the time of the whole job in 0.2.
//
// Source: llmdbenchmark/analysis/benchmark_report.
func isLLMD(v *scan.Value) bool {
	return v.Has("version") && (v.Get("metrics", "throughput") != nil && v.Get("scenario", "load", "name") != nil ||
		v.Get("results", "request_performance", "aggregate") != nil)
}

// isLLMDYAML reports whether the head of a YAML file is that of a report. It looks at the first key and the text after
// it. Keys are sorted or in the order of the schema.
func isLLMDYAML(head []byte) bool {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		key, _, isKey := bytes.Cut(line, []byte(":"))
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' || string(bytes.TrimSpace(line)) == "---" {
			head = rest
			continue
		}
		for _, word := range llmdWords[string(key)] {
			if isKey && bytes.Contains(head, []byte(word)) {
				return true
			}
		}
		return false
	}
	return false
}

// llmdWords lists texts that follow the first key of a report.
var llmdWords = map[string][]string{
	"metrics":  {"  latency:\n    inter_token_latency:", "  latency:\n    request_latency:", "  latency:\n    time_to_first_token:", "  latency:\n    normalized_time"},
	"results":  {"  request_performance:\n    aggregate:", "  observability:\n    ", "  component_health:\n  - component_label:"},
	"run":      {"\nscenario:\n  load:\n", "\nscenario:\n  stack:\n", "  eid: "},
	"scenario": {"\nmetrics:\n  time:\n", "\nresults:\n  request_performance:\n", "  load:\n    name: inference-perf", "  load:\n    name: guidellm", "  load:\n    name: vllm-benchmark", "accelerator:\n      - model:"},
	"metadata": {"\nmetrics:\n  latency:\n"},
	"version":  {"\nscenario:\n  load:\n", "\nscenario:\n  model:\n", "\nscenario:\n  host:\n", "\nscenario:\n  description:", "\nscenario: #", "\nmetrics:\n  time:\n", "\n  eid: ", "\n  uid: "},
}

// llmdRest reports whether a block of a report is skipped: observations of the servers over time, and their
// configuration.
func llmdRest(key string, indent int) bool {
	switch key {
	case "observability", "profiling", "component_health":
		return indent == 2
	case "time_series", "envars":
		return true
	}
	return false
}

// llmdHarnesses maps load generators to the names that benchpost uses.
var llmdHarnesses = map[string]string{"vllm-benchmark": "vllm-serve", "inferencemax": "inferencex"}

func readLLMD(in *draft.File, v *scan.Value) {
	metrics, load := v.Get("metrics"), v.Get("scenario", "load")
	harness := load.Get("name").Text()
	if of := v.Get("results", "request_performance", "aggregate"); of != nil {
		metrics, harness = of, load.Get("standardized", "tool").Text()
	}
	tool := harness
	if known := llmdHarnesses[harness]; known != "" {
		tool = known
	}
	if tool == "" {
		tool = "llm-d-benchmark"
	}
	s := in.Begin(tool, "llm-d-report-json", v.Line)
	s.Set("x_report_version", v.Get("version"))
	llmdRequests(s, harness, metrics.Get("requests"))
	llmdDuration(s, harness, v)
	guide := harness == "guidellm"
	for _, m := range inferencePerfLatencies {
		name := m.Name
		switch {
		case harness == "aiperf" && name == "itl":
			name = "tpot"
		case guide && name == "tpot":
			name = "x_time_per_output_token"
		}
		of := metrics.Get("latency", m.Key)
		s.Measured(name, strings.TrimSuffix(of.Get("units").Text(), "/token"), of)
	}
	for _, m := range llmdRates {
		name := m.Name
		if guide {
			name = "x_" + draft.Snake(m.Key) + "_mean"
		}
		of := metrics.Get("throughput", m.Key)
		if of.Get("mean") != nil {
			of = of.Get("mean")
		}
		takePositive(s, name, m.Unit, of)
	}
	if guide {
		llmdTokens(s, metrics.Get("requests"))
		ratesOverDuration(s, v.Line)
	} else {
		s.TotalsFromRates(metrics.Get("throughput"))
	}
	llmdLoad(s, harness, load)
	llmdStack(s, v.Get("scenario"))
	s.EmitObject(v)
}

// llmdRates lists the rates of 0.1 and of 0.2.
var llmdRates = []draft.Member{
	{Key: "input_tokens_per_sec", Name: "input_throughput", Unit: "tok/s"},
	{Key: "output_tokens_per_sec", Name: "output_throughput", Unit: "tok/s"},
	{Key: "total_tokens_per_sec", Name: "total_throughput", Unit: "tok/s"},
	{Key: "requests_per_sec", Name: "request_throughput", Unit: "req/s"},
	{Key: "input_token_rate", Name: "input_throughput", Unit: "tok/s"},
	{Key: "output_token_rate", Name: "output_throughput", Unit: "tok/s"},
	{Key: "total_token_rate", Name: "total_throughput", Unit: "tok/s"},
	{Key: "request_rate", Name: "request_throughput", Unit: "req/s"},
}

// llmdRequests adds the number of completed requests, which is the total without failed and incomplete ones.
func llmdRequests(s *draft.Draft, harness string, requests *scan.Value) {
	total, failures, incomplete := requests.Get("total"), requests.Get("failures"), requests.Get("incomplete")
	all, known := total.Float()
	failed, reported := failures.Float()
	switch {
	case !known:
	case harness == "aiperf":
		s.Take("requests_completed", "", total)
		takePositive(s, "x_kinds_of_errors", "1", failures)
	case !reported && harness == "vllm-benchmark":
		s.Take("requests_completed", "", total)
	case !reported:
		s.Take("x_requests_total", "1", total)
	default:
		unended, _ := incomplete.Float()
		s.Take("requests_failed", "", failures)
		takePositive(s, "x_requests_incomplete", "1", incomplete)
		s.Fact([]byte("total"), total.Raw)
		s.Derive("requests_completed", all-failed-unended, "total − failures − incomplete", total.Line)
	}
	s.Take("x_mean_input_len", "tok", requests.Get("input_length", "mean"))
	s.Take("x_mean_output_len", "tok", requests.Get("output_length", "mean"))
}

// llmdTokens derives the tokens of all requests from the means, if the products are whole numbers.
func llmdTokens(s *draft.Draft, requests *scan.Value) {
	completed, _ := s.Value("requests_completed")
	for _, of := range [][2]string{{"input_length", "input_tokens"}, {"output_length", "output_tokens"}} {
		mean := requests.Get(of[0], "mean")
		each, ok := mean.Float()
		tokens := math.Round(each * completed)
		if ok && tokens > 0 && math.Abs(each*completed-tokens) < 1e-6*tokens {
			s.Derive(of[1], tokens, "requests_completed × "+of[0]+".mean", mean.Line)
		}
	}
}

// llmdDuration sets the start and the duration of the run.
func llmdDuration(s *draft.Draft, harness string, v *scan.Value) {
	if of := v.Get("metrics", "time"); of != nil {
		name := "duration"
		if harness == "inference-perf" {
			name = "x_send_duration"
		}
		takePositive(s, name, "s", of.Get("duration"))
		if start, ok := of.Get("start").Float(); ok {
			s.Epoch(start, of.Get("start").Line)
		}
		return
	}
	of := v.Get("run", "time")
	s.Set("date", of.Get("start"))
	text, ok := strings.CutPrefix(of.Get("duration").Text(), "PT")
	seconds, hasSeconds := strings.CutSuffix(text, "S")
	if !ok || !hasSeconds {
		return
	}
	name := "x_job_duration"
	if harness == "guidellm" || harness == "inferencemax" {
		name = "duration"
	}
	s.Number(name, "s", "run.time.duration", []byte(seconds), of.Get("duration").Line)
}

// llmdLoad sets the requested load. A length that is not a whole number was measured, and so were all lengths of
// AIPerf. The rate is read from inference-perf's stage if the number of requests shows that it is the right stage.
func llmdLoad(s *draft.Draft, harness string, load *scan.Value) {
	args, of := load.Get("args"), load.Get("standardized")
	s.Set("x_stage", firstOf(load.Get("metadata", "stage"), of.Get("stage")))
	s.TakeAll(args, []draft.Member{
		{Key: "num_prompts", Name: "num_prompts"},
		{Key: "request_rate", Name: "request_rate"},
		{Key: "burstiness", Name: "burstiness"},
		{Key: "max_concurrency", Name: "max_concurrency"},
		{Key: "api.streaming", Name: "streaming"},
		{Key: "data.type", Name: "dataset"},
		{Key: "server.ignore_eos", Name: "ignore_eos"},
	})
	llmdStage(s, load)
	s.TakeAll(of, []draft.Member{
		{Key: "tool_version", Name: "tool_version"},
		{Key: "rate_qps", Name: "request_rate"},
		{Key: "source", Name: "x_source"},
	})
	if n, ok := of.Get("concurrency").Float(); ok && n > 0 {
		s.Set("max_concurrency", of.Get("concurrency"))
	}
	for _, m := range [][2]string{{"input_seq_len", "input_len"}, {"output_seq_len", "output_len"}} {
		length := of.Get(m[0], "value")
		if n, ok := length.Float(); ok && n > 0 && n == math.Trunc(n) && harness != "aiperf" {
			s.Set(m[1], length)
		}
	}
	if n, ok := of.Get("parallelism").Float(); ok && n > 1 {
		s.Set("x_load_generators", of.Get("parallelism"))
	}
}

// llmdStage sets the rate of inference-perf's stage.
func llmdStage(s *draft.Draft, load *scan.Value) {
	total, sent := 0.0, false
	for _, name := range []string{"requests_completed", "requests_failed"} {
		n, ok := s.Value(name)
		total, sent = total+n, sent || ok
	}
	index, err := strconv.Atoi(load.Get("metadata", "stage").AsWritten())
	stage := load.Get("args", "load", "stages").At(index)
	rate, hasRate := stage.Get("rate").Float()
	duration, hasDuration := stage.Get("duration").Float()
	if err == nil && sent && hasRate && hasDuration && math.Round(rate*duration) == total {
		s.Set("request_rate", stage.Get("rate"))
	}
}

// llmdStack sets the model and the servers. It skips the parallelism if prefill and decode run on separate servers.
func llmdStack(s *draft.Draft, scenario *scan.Value) {
	if name := scenario.Get("model", "name"); name.Text() != "unknown" {
		s.Set("model_raw", name)
	}
	s.Set("quantization", scenario.Get("model", "quantization"))
	count, known := 0.0, true
	var sizes *scan.Value
	roles := map[string]bool{}
	server := func(role string, accelerator *scan.Value, replicas float64) {
		n, ok := accelerator.Get("count").Float()
		count, known = count+n*replicas, known && ok && n > 0
		roles[role] = true
		s.Set("gpu", accelerator.Get("model"))
		sizes = accelerator.Get("parallelism")
	}
	for accelerator := range scenario.Get("host", "accelerator").Children() {
		server("replica", accelerator, 1)
	}
	for role := range scenario.Get("host", "type").Children() {
		roles[role.Text()] = true
	}
	for component := range scenario.Get("stack").Children() {
		of := component.Get("standardized")
		if of.Get("kind").Text() != "inference_engine" {
			continue
		}
		replicas, ok := of.Get("replicas").Float()
		if !ok {
			replicas = 1
		}
		s.Set("model_raw", of.Get("model", "name"))
		s.Set("quantization", of.Get("model", "quantization"))
		s.Set("image", of.Get("tool_version"))
		server(of.Get("role").Text(), of.Get("accelerator"), replicas)
	}
	if count > 0 && known {
		s.Imply("accelerators", strconv.FormatFloat(count, 'f', -1, 64), scenario.Line)
	}
	if roles["prefill"] && roles["decode"] {
		s.SetLabel("disaggregated", []byte("true"), scenario.Line)
		return
	}
	s.TakeAll(sizes, []draft.Member{
		{Key: "tp", Name: draft.TensorParallel}, {Key: "pp", Name: draft.PipelineParallel},
		{Key: "dp", Name: draft.DataParallel}, {Key: "ep", Name: draft.ExpertParallel},
	})
	s.Parallelism()
}
