package nvidia

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// nvidiaNames maps the metrics of NVIDIA's genai-perf and AIPerf, which share their names. The JSON tag is the title in
// CSV and on the console, in snake case. The tools' inter-token latency is (E2EL − TTFT)/(OSL − 1) of a request, which
// is TPOT here. The gaps themselves are their inter-chunk latency. The sequence lengths are means over the requests.
//
// Source: genai_perf/metrics, aiperf/metrics/types.
var nvidiaNames = map[string]struct {
	name   string
	family bool // a latency, with one metric for each statistic; for others only the average is read
}{
	"time_to_first_token": {"ttft", true},
	"inter_token_latency": {"tpot", true},
	"inter_chunk_latency": {"itl", true},
	"request_latency":     {"e2el", true},

	"benchmark_duration":               {"duration", false},
	"request_count":                    {"requests_completed", false},
	"error_request_count":              {"requests_failed", false},
	"request_throughput":               {"request_throughput", false},
	"request_goodput":                  {"goodput", false},
	"goodput":                          {"goodput", false},
	"input_sequence_length":            {"x_mean_input_len", false},
	"output_sequence_length":           {"x_mean_output_len", false},
	"total_isl":                        {"input_tokens", false},
	"total_input_sequence_length":      {"input_tokens", false},
	"total_osl":                        {"output_tokens", false},
	"total_output_sequence_length":     {"output_tokens", false},
	"input_token_throughput":           {"input_throughput", false},
	"output_token_throughput":          {"output_throughput", false},
	"total_token_throughput":           {"total_throughput", false},
	"output_token_throughput_per_user": {"output_throughput_per_user", false},
	"effective_concurrency":            {"effective_concurrency", false},
	"total_gpu_power":                  {"power_mean", false}, // mean of the sum over all GPUs
	"total_gpu_energy":                 {"energy", false},
}

// isNvidiaDetail reports whether a metric is about the client itself, or a count that other metrics also have.
func isNvidiaDetail(tag string) bool {
	return slices.ContainsFunc([]string{"http_", "credit_", "usage_", "total_usage_", "min_request_", "minimum_request_",
		"max_response_", "maximum_response_", "active_", "effective_"}, func(prefix string) bool { return strings.HasPrefix(tag, prefix) })
}

// nvidiaUnit returns a unit in a spelling that UnitOf knows. On the console of 2024 all rates are "per sec", whatever
// they count.
func nvidiaUnit(unit, tag string) string {
	switch {
	case unit == "count":
		return ""
	case unit == "per sec" && strings.Contains(tag, "token"):
		return "tokens/sec"
	case unit == "per sec":
		return "requests/sec"
	}
	return unit
}

// nvidiaName returns the name for the average of an unknown metric. If the metric has other statistics, the average is
// a mean.
func nvidiaName(tag string, distribution bool) string {
	if distribution {
		return "x_mean_" + tag
	}
	return "x_" + tag
}

// plainly returns the vocabulary's spelling of a unit.
func plainly(unit string) string {
	if of, shift, ok := draft.UnitOf(unit); ok && shift == 0 {
		return of
	}
	return unit
}

// nvidiaObject reads one metric in JSON: {"unit": "ms", "avg": 3, "p99": 9}.
func nvidiaObject(s *draft.Draft, v *scan.Value) {
	unit := nvidiaUnit(v.Get("unit").Text(), v.Key)
	m, known := nvidiaNames[v.Key]
	switch {
	case known && m.family:
		s.Statistics(m.name, unit, v)
	case known:
		s.Take(m.name, nvidiaUnitOf(m.name, unit), v.Get("avg"))
	case v.Cut: // it is unknown whether it has statistics
	case !isNvidiaDetail(v.Key) && draft.Snake(v.Key) != "":
		s.Take(nvidiaName(draft.Snake(v.Key), v.Has("max")), plainly(unit), v.Get("avg"))
	}
}

// nvidiaUnitOf returns the unit of a figure.
func nvidiaUnitOf(name, unit string) string {
	if strings.HasPrefix(name, "x_") { // the lengths, which have no unit in some tables
		return "tok"
	}
	return unit
}

// nvidiaHeader is the header of a table.
type nvidiaHeader struct {
	cells      []string
	columns    scan.Columns
	statistics []nvidiaStatistic // of the columns with a statistic
}

// nvidiaStatistic is a column and its statistic.
type nvidiaStatistic struct{ name, column string }

// nvidiaHeaderOf returns the header with these cells.
func nvidiaHeaderOf(cells []string) *nvidiaHeader {
	h := &nvidiaHeader{cells: slices.Clone(cells), columns: scan.NewColumns(cells)}
	for _, column := range cells {
		if name, ok := draft.StatisticName(column); ok {
			h.statistics = append(h.statistics, nvidiaStatistic{name, strings.ToLower(column)})
		}
	}
	return h
}

// has reports whether the header has a cell with this name.
func (h *nvidiaHeader) has(name string) bool { return slices.Contains(h.cells, name) }

// nvidiaRow reads one row of a table: the metric with its unit in brackets, then a cell for each statistic.
func nvidiaRow(s *draft.Draft, title string, header *nvidiaHeader, row []string, line int) {
	title, unit := bracketed(title)
	tag := draft.Snake(title)
	unit = nvidiaUnit(unit, tag)
	note := func(name, unit, statistic string) {
		number, rest, ok := scan.Quantity(header.columns.Cell(row, statistic))
		if !ok || rest != "" || strings.HasPrefix(number, "-") { // -1 means no value
			return
		}
		if unit == "" || unit == "tok" || unit == "tokens" || unit == "requests" {
			number = strings.TrimSuffix(number, ".00") // counts are printed with decimals, as all numbers
		}
		s.Number(name, unit, title+" "+statistic, []byte(number), line)
	}
	m, known := nvidiaNames[tag]
	switch {
	case known && m.family:
		for _, s := range header.statistics {
			note(m.name+"_"+s.name, unit, s.column)
		}
	case known:
		note(m.name, nvidiaUnitOf(m.name, unit), "avg")
	case !isNvidiaDetail(tag) && tag != "":
		note(nvidiaName(tag, header.columns.Cell(row, "max") != ""), plainly(unit), "avg")
	}
}

// bracketed splits a title from the unit in brackets at its end.
func bracketed(text string) (title, unit string) {
	text = strings.TrimSpace(text)
	open := strings.LastIndexByte(text, '(')
	if open <= 0 || !strings.HasSuffix(text, ")") {
		return text, ""
	}
	return strings.TrimSpace(text[:open]), text[open+1 : len(text)-1]
}

// earlyGaps renames the inter-token latency of genai-perf's first months (early 2024). At that time it was computed
// from the gaps between chunks, each divided by the tokens of its chunk. These versions have a "num output token",
// which was later called output sequence length. In a table that was cut off before either row, the meaning is unknown,
// and the metric is removed.
func earlyGaps(s *draft.Draft, whole bool) {
	_, early := s.Value("x_mean_num_output_token")
	if _, later := s.Value("x_mean_output_len"); !early && !later && !whole {
		s.Metrics = slices.DeleteFunc(s.Metrics, func(m result.Metric) bool { return strings.HasPrefix(m.Name, "tpot_") })
	}
	if !early {
		return
	}
	for i := range s.Metrics {
		m := &s.Metrics[i]
		if statistic, ok := strings.CutPrefix(m.Name, "tpot_"); ok {
			s.Rename(m, "x_inter_token_latency_"+statistic, result.Neutral)
		}
	}
}

// phaseRates renames the duration if it is not the time that the rates refer to. A fork of AIPerf (0.8.0, SemiAnalysis)
// divides by the time of the whole phase, as in its effective_ figures, while its benchmark duration ends with the last
// response.
func phaseRates(s *draft.Draft) {
	rate, has := s.Value("output_throughput")
	tokens, counted := s.Value("output_tokens")
	duration, timed := s.Value("duration")
	_, fork := s.Value("effective_concurrency")
	if !fork || !has || !counted || !timed || rate <= 0 || duration <= 0 || tokens/rate/duration < 1.0001 {
		return
	}
	for i := range s.Metrics {
		if m := &s.Metrics[i]; m.Name == "duration" {
			s.Rename(m, "x_benchmark_duration", result.Neutral)
		}
	}
}

// gpuFigure is a quantity of one GPU in the telemetry, as written.
type gpuFigure struct {
	metric, gpu, unit string
	field             string // name in the file; "" if it is metric
	avg, max          string
	line              int
	avgLine, maxLine  int  // in JSON, where they have lines of their own
	exact             bool // in JSON, where the figures are not rounded
}

// gpuNames lists the quantities that the vocabulary has. Energy is not among them: genai-perf reports the counter since
// the driver was loaded, in megajoules, and AIPerf did not always take the difference.
var gpuNames = []struct{ metric, mean, max string }{
	{"gpu_power_usage", "power_mean", "power_max"},
	{"gpu_utilization", "gpu_utilization", ""},
	{"gpu_memory_used", "", "memory_used_max"},
	{"gpu_temperature", "", "temperature_max"},
}

// gpuTelemetry adds the figures of the GPUs. It adds up the power of several GPUs. The maximum of their sum, or of
// their memory, cannot be computed from the maxima of the single GPUs.
func gpuTelemetry(s *draft.Draft, figures []gpuFigure) {
	for _, names := range gpuNames {
		metric := names.metric
		var of []gpuFigure
		for _, f := range figures {
			if f.metric == metric && !slices.ContainsFunc(of, func(g gpuFigure) bool { return g.gpu == f.gpu }) {
				of = append(of, f)
			}
		}
		if len(of) == 1 {
			gpuNumber(s, names.mean, of[0], of[0].avg, of[0].avgLine)
			gpuNumber(s, names.max, of[0], of[0].max, of[0].maxLine)
			continue
		}
		sum, known := 0.0, len(of) > 0
		for _, f := range of {
			gpuNumber(s, "x_"+metric+"_gpu"+draft.Snake(strings.TrimPrefix(f.gpu, "gpu")), f, f.avg, f.avgLine)
			watts, ok := f.watts()
			sum, known = sum+watts, known && ok
		}
		if metric == "gpu_power_usage" && known {
			s.Derive("power_mean", sum, fmt.Sprintf("sum of the averages of %d GPUs", len(of)), of[0].line)
		}
	}
	if _, known := s.Value("power_mean"); known {
		s.Imply("power_scope", "gpu", s.Start)
	} else if _, known := s.Value("energy"); known {
		s.Imply("power_scope", "gpu", s.Start)
	}
}

// watts returns the average power, if the figure is in watts.
func (f gpuFigure) watts() (float64, bool) {
	number, rest, ok := scan.Quantity(f.avg)
	parsed, valid := scan.ParseFigure([]byte(number), 0)
	return parsed.Value, ok && rest == "" && valid && parsed.Finite && f.unit == "W"
}

func gpuNumber(s *draft.Draft, name string, f gpuFigure, text string, line int) {
	number, rest, ok := scan.Quantity(text)
	if name == "" || !ok || rest != "" {
		return
	}
	n := len(s.Metrics)
	s.Number(name, f.unit, cmp.Or(f.field, f.metric), []byte(number), cmp.Or(line, f.line))
	if f.exact && len(s.Metrics) > n {
		s.Metrics[n].Decimals = result.FullPrecision
	}
}
