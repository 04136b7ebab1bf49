package format

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/result"
)

// vLLM's benchmarks write a second file for the database of PyTorch's benchmarks
// ("X.pytorch.json" beside X.json, when SAVE_TO_PYTORCH_BENCHMARK_FORMAT is set,
// since 0.7.3): a list with one record for each metric. The records of a run
// repeat its arguments and all else it reported, such as the throughputs of a
// serving benchmark, which have no record. A metric that comes again begins the
// next run.
//
// Latencies of the serving benchmark say their unit; of the others "latency" holds
// the seconds of every batch.
//
// Source: vllm/benchmarks/lib/utils.py, convert_to_pytorch_benchmark_format.
func isPyTorchRecord(v *value) bool {
	return v.get("metric", "benchmark_values") != nil && v.get("benchmark", "name").string() == "vLLM benchmark"
}

type pytorchRecords struct {
	sheet
	open bool
	seen map[string]bool // metrics of the run
	last int
	cut  bool
}

func newPyTorchRecords(in *input) objectReader {
	return &pytorchRecords{sheet: sheet{in: in}}
}

func (p *pytorchRecords) object(v *value) {
	name := v.get("metric", "name").string()
	tool := pytorchTool(name, v.get("metric", "extra_info"))
	if p.open && (p.seen[name] || tool != p.tool) {
		p.close()
	}
	if !p.open {
		p.begin(v, tool)
	}
	p.seen[name] = true
	p.record(v.get("metric", "benchmark_values"), name)
	p.last, p.cut = v.last, v.cut
}

// pytorchTool tells which benchmark a record is of.
func pytorchTool(name string, extra *value) string {
	switch {
	case name == "latency":
		return "vllm-latency"
	case extra.get("elapsed_time") != nil:
		return "vllm-throughput"
	case extra.get("cold_startup_times") != nil, extra.get("warm_startup_times") != nil,
		extra.get("cold_compilation_times") != nil, extra.get("warm_compilation_times") != nil:
		return "vllm-startup"
	}
	return "vllm-serve"
}

// begin takes what the first record of a run says of all.
func (p *pytorchRecords) begin(v *value, tool string) {
	extra := v.get("metric", "extra_info")
	p.reset(p.in, tool, "vllm-pytorch-json", v.line)
	p.open, p.seen = true, map[string]bool{}
	switch tool {
	case "vllm-serve":
		for child := range extra.children() {
			if child.scalar() && len(child.text) > 0 && len(child.text) <= maxLabel {
				p.fact([]byte(child.key), child.text)
				p.member(p.in.meaningOf(child.key), child)
			}
		}
	case "vllm-latency":
		p.take("batch_latency_mean", "s", extra.get("avg_latency"))
		p.statistics("batch_latency", "s", extra.get("percentiles"))
	case "vllm-throughput":
		p.takeAll(extra, []member{
			{"elapsed_time", "duration", "s"},
			{"num_requests", "requests_completed", ""},
			{"total_num_tokens", "x_total_num_tokens", "tok"},
		})
	case "vllm-startup":
		p.startupPercentiles("x_startup_time", extra.get("cold_startup_percentiles"))
		p.startupPercentiles("x_startup_time", extra.get("warm_startup_percentiles"))
		p.startupPercentiles("x_compilation_time", extra.get("cold_compilation_percentiles"))
		p.startupPercentiles("x_compilation_time", extra.get("warm_compilation_percentiles"))
	}
	asked := settings{engine: tool != "vllm-serve"}
	for arg := range v.get("benchmark", "extra_info", "args").children() {
		if arg.scalar() {
			asked.set(p.in, []byte(arg.key), arg.text, arg.line)
		}
	}
	asked.labels(&p.sheet)
	if model := v.get("model", "name"); p.labels.Get("model_raw") == "" {
		p.setting("model_raw", model)
	}
	if tool != "vllm-serve" {
		p.imply("engine", "vllm", v.line)
	}
}

// record notes the figure of one record.
func (p *pytorchRecords) record(values *value, name string) {
	if values == nil || values.numbers.size() != 1 {
		return // the batches of a latency, whose statistics are known
	}
	n := values.numbers.values[0]
	var m meaning
	switch name {
	case "requests_per_second":
		m, _ = metricIn("req/s", "request_throughput")
	case "tokens_per_second":
		m, _ = metricIn("tok/s", "total_throughput")
	case "avg_cold_startup_time", "avg_warm_startup_time":
		m, _ = metricIn("s", "startup_time")
		p.label("x_startup", []byte(name[len("avg_"):len("avg_cold")]), values.line)
	case "avg_cold_compilation_time", "avg_warm_compilation_time":
		if n == 0 {
			return // nothing was compiled
		}
		m = meaning{kind: isMetric, name: "x_compilation_time", unit: "s"}
		p.label("x_startup", []byte(name[len("avg_"):len("avg_cold")]), values.line)
	case "latency":
		m, _ = metricIn("s", "batch_latency_mean") // of one batch
	default:
		m = serveKey(name)
	}
	f, ok := parseFigure(strconv.AppendFloat(nil, n, 'f', -1, 64), m.shift)
	if !ok {
		return
	}
	m.field, f.decimals = name, result.FullPrecision
	p.fact([]byte(name), strconv.AppendFloat(nil, n, 'g', -1, 64))
	p.metric(&m, f, values.line, nil)
}

func (p *pytorchRecords) close() {
	if p.open {
		p.dropUnmeasured()
		p.hand(p.last, !p.cut)
	}
	p.open = false
}

func (p *pytorchRecords) end() { p.close() }
