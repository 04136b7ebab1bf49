package nvidia

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// NVIDIA's AIPerf (0.1 to 0.13 and a fork) saves its metrics under the same names as genai-perf, together with its
// configuration. "warmup_metrics" has the metrics of the warm-up under the same names; they are not read.
//
// Since 0.9, the configuration has a list of phases and one of datasets, and run_info has the command (schema 1.3). The
// names of the GPUs' metrics begin with the vendor's name (schema 1.5). If the sessions of an agent branch, the
// requested concurrency is that of sessions, and more requests are in flight.
//
// Source: aiperf/common/models/export_models.py, aiperf/exporters.
func isAIPerf(v *scan.Value) bool {
	config := v.Get("input_config")
	known := v.Has("aiperf_version") || config.Get("loadgen") != nil || config.Get("endpoint") != nil &&
		config.Get("perf_analyzer") == nil && (v.Get("was_cancelled") != nil || v.Get("error_summary") != nil)
	return known && (v.Get("request_latency", "unit").Is() || v.Get("request_count", "unit").Is() ||
		v.Get("request_throughput", "unit").Is())
}

func readAIPerf(in *draft.File, v *scan.Value) {
	s := in.Begin("aiperf", "aiperf-json", v.Line)
	for child := range v.Children() {
		if child.Kind == '{' && child.Get("unit").Is() {
			nvidiaObject(s, child)
		}
	}
	gpuTelemetry(s, aiperfGPUs(s, v.Get("telemetry_data")))
	if _, counted := s.Value("requests_failed"); !counted {
		if errors := v.Get("error_summary").Column("count"); errors.Size() > 0 {
			s.Derive("requests_failed", errors.Sum, "sum of error_summary.count", v.Get("error_summary").Line)
		}
	}
	aiperfDuration(s, v)
	aiperfLabels(s, v)
	if len(s.Metrics) == 0 {
		s.EmitObject(v)
		return
	}
	cancelled := v.Get("was_cancelled")
	s.Emit(v.Last, !cancelled.Is() || string(cancelled.Raw) != "true")
}

// aiperfDuration sets the duration of a run whose rates are over the whole phase to end_time - start_time, if that
// agrees with the rates. It also sets the run's period.
func aiperfDuration(s *draft.Draft, v *scan.Value) {
	phaseRates(s)
	start, err := time.Parse("2006-01-02T15:04:05.999999", v.Get("start_time").Text())
	end, err2 := time.Parse("2006-01-02T15:04:05.999999", v.Get("end_time").Text())
	rate, _ := s.Value("output_throughput")
	tokens, _ := s.Value("output_tokens")
	span := end.Sub(start).Seconds()
	if err == nil && err2 == nil && span > 0 {
		s.Period = result.Period{From: start, To: end}
	}
	_, renamed := s.Value("x_benchmark_duration")
	if renamed && err == nil && err2 == nil && math.Abs(tokens/rate-span) < 0.001*span {
		s.Derive("duration", span, "end_time - start_time", v.Get("end_time").Line)
	}
}

func aiperfLabels(s *draft.Draft, v *scan.Value) {
	s.TakeAll(v, []draft.Member{
		{Key: "aiperf_version", Name: "tool_version"},
		{Key: "start_time", Name: "date"},
		{Key: "input_config.endpoint.type", Name: "endpoint_type"},
		{Key: "input_config.endpoint.streaming", Name: "streaming"},
		{Key: "input_config.loadgen.request_rate", Name: "request_rate"},
		{Key: "input_config.loadgen.request_count", Name: "num_prompts"},
		{Key: "input_config.loadgen.benchmark_duration", Name: "x_benchmark_seconds"},
		{Key: "input_config.input.public_dataset", Name: "dataset"},
		{Key: "input_config.input.random_seed", Name: "seed"},
		{Key: "input_config.input.prompt.input_tokens.mean", Name: "input_len"},
		{Key: "input_config.input.prompt.output_tokens.mean", Name: "output_len"},
		{Key: "input_config.input.extra_inputs_parsed.ignore_eos", Name: "ignore_eos"},
		{Key: "input_config.scenario", Name: "x_scenario"},
	})
	aiperfPhases(s, v)
	concurrency := "max_concurrency"
	if spawned, ok := v.Get("branch_stats", "children_spawned").Float(); ok && spawned > 0 {
		concurrency = "x_concurrency"
	}
	s.Set(concurrency, v.Get("input_config", "loadgen", "concurrency"))
	if model := v.Get("input_config", "endpoint", "model_names").At(0); model.Text() != "" {
		s.SetLabel("model_raw", model.Raw, model.Line)
	}
	if tokenizer := v.Get("input_config", "tokenizer", "name"); tokenizer.Text() != "" {
		s.Set("tokenizer", tokenizer)
	}
}

// aiperfPhases reads the requested settings in the form used since 0.9: those of the measured phase, those of the first
// dataset, and those of the command.
func aiperfPhases(s *draft.Draft, v *scan.Value) {
	config, info := v.Get("input_config"), v.Get("run_info")
	for phase := range config.Get("phases").Children() {
		if phase.Get("name").Text() == "profiling" {
			s.TakeAll(phase, []draft.Member{
				{Key: "concurrency", Name: "max_concurrency"},
				{Key: "requests", Name: "num_prompts"},
				{Key: "rate", Name: "request_rate"},
			})
		}
	}
	s.TakeAll(config.Get("datasets").At(0), []draft.Member{
		{Key: "prompts.isl.mean", Name: "input_len"},
		{Key: "prompts.osl.mean", Name: "output_len"},
	})
	s.Set("seed", info.Get("random_seed"))
	if command := info.Get("cli_command"); command.Text() != "" {
		asked := draft.Settings{Own: NvidiaArguments}
		asked.ReadCommand(s.In, command.Raw, command.Line)
		asked.Labels(s)
	}
}

// isAIPerfSummary reports whether an object is AIPerf's summary of several runs, or of parts of one: statistics over
// runs (profile_export_aiperf_aggregate.json), all requests of several runs (…_collated.json), a sweep, or slices of
// time (…_timeslices.json).
func isAIPerfSummary(v *scan.Value) bool {
	return v.Get("metadata", "aggregation_type") != nil || v.Get("timeslices").At(0) != nil || v.Has("combined", "per_run") ||
		v.Get("per_combination_metrics").At(0) != nil
}

// readAIPerfSummary reads no result: the runs have files of their own.
func readAIPerfSummary(in *draft.File, v *scan.Value) {
	reason := locale.Textf("AIPerf's summary of several runs; the runs' own profile_export_aiperf.json are read")
	if v.Get("timeslices") != nil {
		reason = locale.Textf("slices of a run of AIPerf; the whole run is in profile_export_aiperf.json")
	}
	in.NoResult(v.Line, reason)
}

// aiperfGPUs returns the GPU telemetry, which is a list of endpoints with their GPUs and the metrics of each GPU.
func aiperfGPUs(s *draft.Draft, v *scan.Value) []gpuFigure {
	var figures []gpuFigure
	for endpoint := range v.Get("endpoints").Children() {
		for gpu := range endpoint.Get("gpus").Children() {
			id := gpu.Get("gpu_uuid").Text() // several endpoints may report the same GPU
			if id == "" {
				id = gpu.Key
			}
			s.Set("gpu", gpu.Get("gpu_name"))
			for metric := range gpu.Get("metrics").Children() {
				f := gpuObject(gpuMetric(metric.Key), id, metric.Get("unit").Text(), metric)
				f.field = metric.Key
				figures = append(figures, f)
			}
		}
	}
	return figures
}

// gpuMetric returns the name of a GPU's metric without the vendor: nvidia_power_usage was gpu_power_usage before.
func gpuMetric(key string) string {
	for _, vendor := range []string{"nvidia_", "amd_"} {
		if name, ok := strings.CutPrefix(key, vendor); ok {
			return "gpu_" + strings.TrimPrefix(name, "gpu_")
		}
	}
	return key
}

// aiperfRecords makes one result of the records that AIPerf writes for each request (profile_export.jsonl). Records of
// the warm-up do not count. Failed and cancelled requests count only as failed.
type aiperfRecords struct {
	draft.RequestLog
	other                int     // records of the warm-up
	begun, ended, origin float64 // ns
	samples              [len(recordNames)]*scan.Sample
}

// recordNames lists the metrics of a record.
var recordNames = [...]struct{ tag, name, unit string }{
	{"time_to_first_token", "ttft", "ms"},
	{"inter_token_latency", "tpot", "ms"},
	{"inter_chunk_latency", "itl", "ms"}, // a list
	{"request_latency", "e2el", "ms"},
	{"input_sequence_length", "input", "tokens"},
	{"output_sequence_length", "output", "tokens"},
}

func isAIPerfRecord(v *scan.Value) bool {
	metrics := v.Get("metrics")
	return v.Get("metadata", "benchmark_phase").Is() && (v.Cut || metrics != nil && metrics.Kind == '{')
}

func openAIPerfRecords(in *draft.File) draft.ObjectReader {
	return &aiperfRecords{RequestLog: draft.RequestLog{In: in}}
}

func (r *aiperfRecords) Object(v *scan.Value) {
	whole := r.Begin(v)
	metadata := v.Get("metadata")
	cancelled := metadata.Get("was_cancelled")
	switch {
	case !whole:
		return
	case metadata.Get("benchmark_phase").Text() != "profiling":
		r.other++
		return
	case v.Get("error").Is() || cancelled.Is() && string(cancelled.Raw) == "true":
		r.Failed++
		return
	}
	begun, hasBegun := metadata.Get("request_start_ns").Float()
	ended, hasEnded := metadata.Get("request_end_ns").Float()
	if hasBegun && (r.begun == 0 || begun < r.begun) {
		r.begun = begun
	}
	if hasEnded {
		r.ended = max(r.ended, ended)
	}
	if r.Completed == 0 {
		r.origin = begun // subtracted below to keep the precision of the start times
	}
	output, _ := v.Get("metrics", "output_sequence_length", "value").Float()
	ttft, waited := v.Get("metrics", "time_to_first_token", "value").Float()
	if !waited || v.Get("metrics", "time_to_first_token", "unit").Text() != "ms" {
		ttft = math.NaN()
	}
	r.Complete((begun-r.origin)/1e9, ttft/1e3, (ended-begun)/1e9, output)
	for i, n := range recordNames {
		r.add(i, n.unit, v.Get("metrics", n.tag))
	}
}

func (r *aiperfRecords) add(i int, unit string, v *scan.Value) {
	if v.Get("unit").Text() != unit {
		return
	}
	if r.samples[i] == nil {
		r.samples[i] = &scan.Sample{}
	}
	found := v.Get("value")
	if n, ok := found.Float(); ok {
		r.samples[i].Add(n)
	} else if found != nil && found.Kind == '[' && found.Numbers != nil {
		r.samples[i].Join(found.Numbers)
	}
}

func (r *aiperfRecords) End() {
	if r.Completed+r.Failed == 0 {
		reason := locale.Textf("none of the %d records is of the measurement", r.other)
		if r.Cut {
			reason = locale.Textf("cut off in the first record")
		}
		r.In.NoResult(r.First, reason)
		return
	}
	s := r.In.Begin("aiperf", "aiperf-jsonl", r.First)
	of := fmt.Sprintf("of %d requests", r.Completed)
	aiperfComputed(s, "requests_completed", float64(r.Completed), "records without error", r.First)
	aiperfComputed(s, "requests_failed", float64(r.Failed), "records with an error, or cancelled", r.First)
	duration := (r.ended - r.begun) / 1e9
	if duration > 0 && r.begun > 0 {
		aiperfComputed(s, "duration", duration, "last request_end_ns - first request_start_ns", r.First)
		aiperfComputed(s, "request_throughput", float64(r.Completed)/duration, "requests / duration", r.First)
	}
	for i, n := range recordNames {
		list := r.samples[i]
		if list.Size() == 0 {
			continue
		}
		if n.unit == "ms" {
			s.DeriveStatistics(n.name, list, 1, n.tag+" "+of, r.First)
			continue
		}
		aiperfComputed(s, "x_mean_"+n.name+"_len", list.Sum/float64(list.Size()), "mean of "+n.tag+" "+of, r.First)
		s.Change(&s.Metrics[len(s.Metrics)-1], func(k *result.Kind) { k.Unit = "tok" })
		if list.Size() < r.Completed {
			continue // the total is unknown
		}
		aiperfComputed(s, n.name+"_tokens", list.Sum, "sum of "+n.tag+" "+of, r.First)
		if duration > 0 && r.begun > 0 {
			aiperfComputed(s, n.name+"_throughput", list.Sum/duration, n.name+" tokens / duration", r.First)
		}
	}
	if r.begun > 0 {
		r.Follow(s)
		s.Period = result.Period{From: time.Unix(0, int64(r.begun)).UTC(), To: time.Unix(0, int64(r.ended)).UTC(), Zoned: true}
	}
	s.Emit(r.Last, !r.Cut)
}

// aiperfComputed derives a figure from many values. The figure represents these values in the digest.
func aiperfComputed(s *draft.Draft, name string, v float64, formula string, line int) {
	s.Fact([]byte(name), fmt.Append(nil, v))
	s.Derive(name, v, formula, line)
}
