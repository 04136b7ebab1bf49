package format

import (
	"fmt"
	"math"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// NVIDIA's AIPerf (0.1 to 0.8 and a fork) saves its metrics as genai-perf did, by
// the same names, beside its configuration. What came before the measurement
// lies in "warmup_metrics" under the same names once more, and is left there.
// Where an agent's sessions branch, the concurrency that was asked for is that of
// sessions, and more requests are under way.
//
// Source: aiperf/common/models/export_models.py, aiperf/exporters.
func isAIPerf(v *value) bool {
	config := v.get("input_config")
	known := v.has("aiperf_version") || config.get("loadgen") != nil || config.get("endpoint") != nil &&
		config.get("perf_analyzer") == nil && (v.get("was_cancelled") != nil || v.get("error_summary") != nil)
	return known && (v.get("request_latency", "unit").is() || v.get("request_count", "unit").is() ||
		v.get("request_throughput", "unit").is())
}

func readAIPerf(in *input, v *value) {
	s := in.begin("aiperf", "aiperf-json", v.line)
	for child := range v.children() {
		if child.kind == '{' && child.get("unit").is() {
			s.nvidiaObject(child)
		}
	}
	s.telemetry(s.aiperfGPUs(v.get("telemetry_data")))
	if _, counted := s.value("requests_failed"); !counted {
		if errors := v.get("error_summary").column("count"); errors.size() > 0 {
			s.derive("requests_failed", errors.sum, "sum of error_summary.count", v.get("error_summary").line)
		}
	}
	s.aiperfDuration(v)
	s.aiperfLabels(v)
	if len(s.metrics) == 0 {
		s.finish(v)
		return
	}
	cancelled := v.get("was_cancelled")
	s.hand(v.last, !cancelled.is() || string(cancelled.text) != "true")
}

// aiperfDuration gives a run whose rates are over the whole phase the duration of
// that, when start and end agree with the rates.
func (s *sheet) aiperfDuration(v *value) {
	s.phaseRates()
	start, err := time.Parse("2006-01-02T15:04:05.999999", v.get("start_time").string())
	end, err2 := time.Parse("2006-01-02T15:04:05.999999", v.get("end_time").string())
	rate, _ := s.value("output_throughput")
	tokens, _ := s.value("output_tokens")
	span := end.Sub(start).Seconds()
	if err == nil && err2 == nil && span > 0 {
		s.period = result.Period{From: start, To: end}
	}
	_, renamed := s.value("x_benchmark_duration")
	if renamed && err == nil && err2 == nil && math.Abs(tokens/rate-span) < 0.001*span {
		s.derive("duration", span, "end_time - start_time", v.get("end_time").line)
	}
}

func (s *sheet) aiperfLabels(v *value) {
	s.takeAll(v, []member{
		{"aiperf_version", "tool_version", ""},
		{"start_time", "date", ""},
		{"input_config.endpoint.type", "x_endpoint_type", ""},
		{"input_config.endpoint.streaming", "x_streaming", ""},
		{"input_config.loadgen.request_rate", "request_rate", ""},
		{"input_config.loadgen.request_count", "num_prompts", ""},
		{"input_config.loadgen.benchmark_duration", "x_benchmark_seconds", ""},
		{"input_config.input.public_dataset", "dataset", ""},
		{"input_config.input.random_seed", "seed", ""},
		{"input_config.input.prompt.input_tokens.mean", "input_len", ""},
		{"input_config.input.prompt.output_tokens.mean", "output_len", ""},
		{"input_config.input.extra_inputs_parsed.ignore_eos", "ignore_eos", ""},
		{"input_config.scenario", "x_scenario", ""},
	})
	concurrency := "max_concurrency"
	if spawned, ok := v.get("branch_stats", "children_spawned").float(); ok && spawned > 0 {
		concurrency = "x_concurrency"
	}
	s.setting(concurrency, v.get("input_config", "loadgen", "concurrency"))
	if model := v.get("input_config", "endpoint", "model_names").at(0); model.string() != "" {
		s.label("model_raw", model.text, model.line)
	}
	if tokenizer := v.get("input_config", "tokenizer", "name"); tokenizer.string() != "" {
		s.setting("tokenizer", tokenizer)
	}
}

// aiperfGPUs gives the telemetry: endpoints, their GPUs, the metrics of each.
func (s *sheet) aiperfGPUs(v *value) []gpuFigure {
	var figures []gpuFigure
	for endpoint := range v.get("endpoints").children() {
		for gpu := range endpoint.get("gpus").children() {
			id := gpu.get("gpu_uuid").string() // one GPU may be seen through several endpoints
			if id == "" {
				id = gpu.key
			}
			s.setting("x_gpu", gpu.get("gpu_name"))
			for metric := range gpu.get("metrics").children() {
				figures = append(figures, gpuObject(metric.key, id, metric.get("unit").string(), metric))
			}
		}
	}
	return figures
}

// aiperfRecords makes one result of the records that AIPerf writes for each
// request (profile_export.jsonl). Records of the warm-up, of requests that failed
// and of those that were cancelled do not count.
type aiperfRecords struct {
	requestLog
	other                int     // records of the warm-up
	begun, ended, origin float64 // ns
	samples              [len(recordNames)]*sample
}

// recordNames are the metrics of a record.
var recordNames = [...]struct{ tag, name, unit string }{
	{"time_to_first_token", "ttft", "ms"},
	{"inter_token_latency", "tpot", "ms"},
	{"inter_chunk_latency", "itl", "ms"}, // a list
	{"request_latency", "e2el", "ms"},
	{"input_sequence_length", "input", "tokens"},
	{"output_sequence_length", "output", "tokens"},
}

func isAIPerfRecord(v *value) bool {
	metrics := v.get("metrics")
	return v.get("metadata", "benchmark_phase").is() && (v.cut || metrics != nil && metrics.kind == '{')
}

func openAIPerfRecords(in *input) objectReader { return &aiperfRecords{requestLog: requestLog{in: in}} }

func (r *aiperfRecords) object(v *value) {
	whole := r.begin(v)
	metadata := v.get("metadata")
	cancelled := metadata.get("was_cancelled")
	switch {
	case !whole:
		return
	case metadata.get("benchmark_phase").string() != "profiling":
		r.other++
		return
	case v.get("error").is() || cancelled.is() && string(cancelled.text) == "true":
		r.failed++
		return
	}
	begun, hasBegun := metadata.get("request_start_ns").float()
	ended, hasEnded := metadata.get("request_end_ns").float()
	if hasBegun && (r.begun == 0 || begun < r.begun) {
		r.begun = begun
	}
	if hasEnded {
		r.ended = max(r.ended, ended)
	}
	if r.completed == 0 {
		r.origin = begun // so that no digits are lost
	}
	output, _ := v.get("metrics", "output_sequence_length", "value").float()
	r.complete((begun-r.origin)/1e9, (ended-begun)/1e9, output)
	for i, n := range recordNames {
		r.add(i, n.unit, v.get("metrics", n.tag))
	}
}

func (r *aiperfRecords) add(i int, unit string, v *value) {
	if v.get("unit").string() != unit {
		return
	}
	if r.samples[i] == nil {
		r.samples[i] = &sample{}
	}
	found := v.get("value")
	if n, ok := found.float(); ok {
		r.samples[i].add(n)
	} else if found != nil && found.kind == '[' && found.numbers != nil {
		r.samples[i].join(found.numbers)
	}
}

func (r *aiperfRecords) end() {
	if r.completed+r.failed == 0 {
		reason := fmt.Sprintf("none of the %d records is of the measurement", r.other)
		if r.cut {
			reason = "cut off in the first record"
		}
		r.in.noResult(r.first, reason)
		return
	}
	s := r.in.begin("aiperf", "aiperf-jsonl", r.first)
	of := fmt.Sprintf("of %d requests", r.completed)
	s.computed("requests_completed", float64(r.completed), "records without error", r.first)
	s.computed("requests_failed", float64(r.failed), "records with an error, or cancelled", r.first)
	duration := (r.ended - r.begun) / 1e9
	if duration > 0 && r.begun > 0 {
		s.computed("duration", duration, "last request_end_ns - first request_start_ns", r.first)
		s.computed("request_throughput", float64(r.completed)/duration, "requests / duration", r.first)
	}
	for i, n := range recordNames {
		list := r.samples[i]
		if list.size() == 0 {
			continue
		}
		if n.unit == "ms" {
			s.deriveStatistics(n.name, list, 1, n.tag+" "+of, r.first)
			continue
		}
		s.computed("x_mean_"+n.name+"_len", list.sum/float64(list.size()), "mean of "+n.tag+" "+of, r.first)
		s.metrics[len(s.metrics)-1].Unit = "tok"
		if list.size() < r.completed {
			continue // the total is not known
		}
		s.computed(n.name+"_tokens", list.sum, "sum of "+n.tag+" "+of, r.first)
		if duration > 0 && r.begun > 0 {
			s.computed(n.name+"_throughput", list.sum/duration, n.name+" tokens / duration", r.first)
		}
	}
	if r.begun > 0 {
		r.steady(s)
		s.period = result.Period{From: time.Unix(0, int64(r.begun)).UTC(), To: time.Unix(0, int64(r.ended)).UTC(), Zoned: true}
	}
	s.hand(r.last, !r.cut)
}

// computed derives a figure from many values, which stands for them in the
// digest.
func (s *sheet) computed(name string, v float64, formula string, line int) {
	s.fact([]byte(name), fmt.Append(nil, v))
	s.derive(name, v, formula, line)
}
