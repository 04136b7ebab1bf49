package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Hugging Face's inference-benchmarker (text-generation-inference-benchmark at first) saves a report with a result for
// each step: a warm-up, a step with all virtual users, and some steps with a fixed rate. It also prints the means as a
// table. Throughput is the generated tokens divided by the time from the first request to the last answer.
// inter_token_latency is the time after the first token divided by the tokens after it, for each request: TPOT. A
// latency of 0 was not measured.
//
// Before November 2024 there is a key for each statistic ("time_to_first_token_ms_p90").
//
// Source: src/writers.rs, results.rs, table.rs.
func isInferenceBenchmarker(v *scan.Value) bool {
	first := v.Get("results").At(0)
	return first.Get("executor_type") != nil && first.Get("token_throughput_secs") != nil
}

// benchmarkerFamilies lists the latencies, with their columns in the table.
var benchmarkerFamilies = []struct{ key, family, column, unit string }{
	{"time_to_first_token_ms", "ttft", "TTFT (avg)", "ms"},
	{"inter_token_latency_ms", "tpot", "ITL (avg)", "ms"},
	{"e2e_latency_ms", "e2el", "E2E Latency (avg)", "s"},
}

func readInferenceBenchmarker(in *draft.File, v *scan.Value) {
	config := v.Get("config")
	for r := range in.Entries(v.Get("results")) {
		s := in.Begin("inference-benchmarker", "inference-benchmarker-json", r.Line)
		s.TakeAll(r, []draft.Member{
			{Key: "successful_requests", Name: "requests_completed"},
			{Key: "failed_requests", Name: "requests_failed"},
			{Key: "total_tokens", Name: "output_tokens", Unit: "tok"},
			{Key: "total_tokens_sent", Name: "input_tokens", Unit: "tok"},
			{Key: "duration_ms", Name: "duration", Unit: "ms"},
			{Key: "token_throughput_secs", Name: "output_throughput", Unit: "tok/s"},
			{Key: "request_rate", Name: "request_throughput", Unit: "req/s"},
			{Key: "id", Name: "x_step"},
			{Key: "executor_type", Name: "x_executor_type"},
		})
		for _, f := range benchmarkerFamilies {
			of := r.Get(f.key)
			if mean, ok := of.Get("avg").Float(); ok && mean > 0 {
				s.Statistics(f.family, "ms", of)
			}
			for _, statistic := range []string{"avg", "p90", "p95"} {
				if name, ok := draft.StatisticName(statistic); ok {
					takePositive(s, f.family+"_"+name, "ms", r.Get(f.key+"_"+statistic))
				}
			}
		}
		s.TakeAll(config, []draft.Member{
			{Key: "model_name", Name: "model_raw"},
			{Key: "tokenizer", Name: "tokenizer"},
			{Key: "profile", Name: "x_profile"},
			{Key: "prompt_options.num_tokens", Name: "input_len"},
			{Key: "decode_options.num_tokens", Name: "output_len"},
		})
		s.Rest(config.Get("meta"), 0)
		benchmarkerLoad(s, r)
		s.Set("date", v.Get("start_time"))
		s.EmitObject(r)
	}
}

// benchmarkerLoad sets how the requests of a step were sent.
func benchmarkerLoad(s *draft.Draft, r *scan.Value) {
	users := r.Get("config", "max_vus")
	if r.Get("executor_type").Text() == "ConstantVUs" {
		s.Set("max_concurrency", users)
	} else {
		s.Set("x_max_vus", users)
		s.Set("request_rate", r.Get("config", "rate"))
	}
	if r.Get("id").Text() == "warmup" {
		s.SetLabel("phase", []byte("warmup"), r.Line)
	}
}

// benchmarkerTable reads the table on the console.
type benchmarkerTable struct {
	draft.Draft
	header  scan.Columns
	columns int
}

var benchmarkerMarks = []string{"E2E Latency (avg)"}

func newBenchmarkerTable() draft.LineReader { return &benchmarkerTable{} }

func (t *benchmarkerTable) Begin(in *draft.File) { *t = benchmarkerTable{Draft: t.Emptied(in)} }

func (t *benchmarkerTable) End() {}

func (t *benchmarkerTable) Line(l scan.Line) bool {
	cells, ok := scan.Pipes(nil, l.Text)
	switch {
	case !ok:
		return t.header != nil && strings.Trim(strings.TrimSpace(string(l.Text)), "├┼┤─") == ""
	case t.In.Marked:
		t.header, t.columns = t.In.Columns(cells), len(cells)
		if !t.header.Has("benchmark", "qps", "throughput", "successful requests") {
			t.header = nil
		}
	case t.header != nil && len(cells) == t.columns && !scan.IsDivider(cells) && isWholeRow(l):
		t.row(cells, l)
	}
	return t.header != nil
}

func (t *benchmarkerTable) row(cells []string, l scan.Line) {
	t.Reset(t.In, "inference-benchmarker", "inference-benchmarker-text", l.Number)
	step := t.header.Cell(cells, "benchmark")
	t.SetText("x_step", step, l.Number)
	quantity := func(name, column string) {
		number, unit, ok := scan.Quantity(t.header.Cell(cells, strings.ToLower(column)))
		if ok && !isZero(number) {
			t.Number(name, unit, column, []byte(number), l.Number)
		}
	}
	quantity("request_throughput", "QPS")
	quantity("output_throughput", "Throughput")
	for _, f := range benchmarkerFamilies {
		quantity(f.family+"_mean", f.column)
	}
	quantity("x_failed_share", "Error Rate")
	if done, all, ok := strings.Cut(t.header.Cell(cells, "successful requests"), "/"); ok {
		t.Number("requests_completed", "", "Successful Requests", []byte(done), l.Number)
		t.Number("x_requests_total", "1", "Successful Requests", []byte(all), l.Number)
	}
	for _, m := range []draft.Member{{Key: "Prompt tokens per req (avg)", Name: "x_mean_input_len", Unit: "tok"},
		{Key: "Decoded tokens per req (avg)", Name: "x_mean_output_len", Unit: "tok"}} {
		t.Number(m.Name, m.Unit, m.Key, []byte(t.header.Cell(cells, strings.ToLower(m.Key))), l.Number)
	}
	if step == "warmup" {
		t.SetLabel("phase", []byte("warmup"), l.Number)
	}
	if rate, ok := strings.CutPrefix(step, "constant@"); ok {
		t.SetLabel("request_rate", []byte(strings.TrimSuffix(rate, "req/s")), l.Number)
	}
	if t.HasKnown() {
		t.Emit(l.Number, l.Ended)
	}
}
