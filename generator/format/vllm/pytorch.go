package vllm

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// vLLM's benchmarks write a second file for the database of PyTorch's benchmarks ("X.pytorch.json" beside X.json, when
// SAVE_TO_PYTORCH_BENCHMARK_FORMAT is set, since 0.7.3). It is a list with one record for each metric. Each record of a
// run repeats the run's arguments and everything else that was reported, such as the throughputs of a serving
// benchmark, which have no records of their own. A second record of the same metric begins the next run.
//
// The names of the serving benchmark's latencies have their unit. In the other benchmarks, "latency" holds the seconds
// of every batch.
//
// Source: vllm/benchmarks/lib/utils.py, convert_to_pytorch_benchmark_format.
func isPyTorchRecord(v *scan.Value) bool {
	values := v.Get("metric", "benchmark_values") != nil || v.Cut && v.Get("metric", "name") != nil
	return values && v.Get("benchmark", "name").Text() == "vLLM benchmark"
}

type pytorchRecords struct {
	draft.Draft
	open bool
	seen map[string]bool // metrics of the run
	last int
	cut  bool
}

func newPyTorchRecords(in *draft.File) draft.ObjectReader {
	return &pytorchRecords{Draft: draft.Draft{In: in}}
}

func (p *pytorchRecords) Object(v *scan.Value) {
	name, extra := v.Get("metric", "name").Text(), v.Get("metric", "extra_info")
	if v.Cut && (extra == nil || extra.Cut) { // the extra info shows which benchmark made the record
		p.cut = true
		return
	}
	tool := pytorchTool(name, extra)
	if p.open && (p.seen[name] || tool != p.Tool) {
		p.close()
	}
	if !p.open {
		p.begin(v, tool)
	}
	p.seen[name] = true
	p.record(v.Get("metric", "benchmark_values"), name)
	p.last, p.cut = v.Last, v.Cut
}

// pytorchTool returns the benchmark that made a record.
func pytorchTool(name string, extra *scan.Value) string {
	switch {
	case name == "latency":
		return "vllm-latency"
	case extra.Get("elapsed_time") != nil:
		return "vllm-throughput"
	case extra.Get("cold_startup_times") != nil, extra.Get("warm_startup_times") != nil,
		extra.Get("cold_compilation_times") != nil, extra.Get("warm_compilation_times") != nil:
		return "vllm-startup"
	}
	return "vllm-serve"
}

// begin reads what the first record of a run repeats for the whole run.
func (p *pytorchRecords) begin(v *scan.Value, tool string) {
	extra := v.Get("metric", "extra_info")
	p.Reset(p.In, tool, "vllm-pytorch-json", v.Line)
	p.open, p.seen = true, map[string]bool{}
	switch tool {
	case "vllm-serve":
		for child := range extra.Children() {
			if child.Scalar() && len(child.Raw) > 0 && len(child.Raw) <= draft.MaxLabel {
				p.Fact([]byte(child.Key), child.Raw)
				takeMember(&p.Draft, meaningOf(p.In, child.Key), child)
			}
		}
	case "vllm-latency":
		p.Take("batch_latency_mean", "s", extra.Get("avg_latency"))
		p.Statistics("batch_latency", "s", extra.Get("percentiles"))
	case "vllm-throughput":
		p.TakeAll(extra, []draft.Member{
			{Key: "elapsed_time", Name: "duration", Unit: "s"},
			{Key: "num_requests", Name: "requests_completed"},
			{Key: "total_num_tokens", Name: "x_total_num_tokens", Unit: "tok"},
		})
	case "vllm-startup":
		startupPercentiles(&p.Draft, "x_startup_time", extra.Get("cold_startup_percentiles"))
		startupPercentiles(&p.Draft, "x_startup_time", extra.Get("warm_startup_percentiles"))
		startupPercentiles(&p.Draft, "x_compilation_time", extra.Get("cold_compilation_percentiles"))
		startupPercentiles(&p.Draft, "x_compilation_time", extra.Get("warm_compilation_percentiles"))
	}
	asked := draft.Settings{Engine: tool != "vllm-serve"}
	for arg := range v.Get("benchmark", "extra_info", "args").Children() {
		if arg.Scalar() {
			asked.Set(p.In, []byte(arg.Key), arg.Raw, arg.Line)
		}
	}
	asked.Labels(&p.Draft)
	if model := v.Get("model", "name"); p.Labels.Get("model_raw") == "" {
		p.Set("model_raw", model)
	}
	if tool != "vllm-serve" {
		p.Imply("engine", "vllm", v.Line)
	}
}

// record adds the figure of one record.
func (p *pytorchRecords) record(values *scan.Value, name string) {
	if values == nil || values.Numbers.Size() != 1 {
		return // the batches of a latency: their statistics have been read already
	}
	n := values.Numbers.Values[0]
	var m draft.Meaning
	switch name {
	case "requests_per_second":
		m, _ = draft.MetricIn("req/s", "request_throughput")
	case "tokens_per_second":
		m, _ = draft.MetricIn("tok/s", "total_throughput")
	case "avg_cold_startup_time", "avg_warm_startup_time":
		m, _ = draft.MetricIn("s", "startup_time")
		p.SetLabel("x_startup", []byte(name[len("avg_"):len("avg_cold")]), values.Line)
	case "avg_cold_compilation_time", "avg_warm_compilation_time":
		if n == 0 {
			return // nothing was compiled
		}
		m = draft.Meaning{Kind: draft.KindMetric, Name: "x_compilation_time", Unit: "s"}
		p.SetLabel("x_startup", []byte(name[len("avg_"):len("avg_cold")]), values.Line)
	case "latency":
		m, _ = draft.MetricIn("s", "batch_latency_mean") // of one batch
	default:
		m = serveKey(name)
	}
	f, ok := scan.ParseFigure(strconv.AppendFloat(nil, n, 'f', -1, 64), m.Shift)
	if !ok {
		return
	}
	m.Field, f.Decimals = name, result.FullPrecision
	p.Fact([]byte(name), strconv.AppendFloat(nil, n, 'g', -1, 64))
	p.Metric(&m, f, values.Line, nil)
}

func (p *pytorchRecords) close() {
	if p.open {
		p.DropUnmeasured()
		p.Emit(p.last, !p.cut)
	}
	p.open = false
}

func (p *pytorchRecords) End() { p.close() }
