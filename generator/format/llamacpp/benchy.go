package llamacpp

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// llama-benchy runs the tests of llama-bench against an OpenAI-compatible server, with one or several requests at a
// time. JSON has an object for each test, with prefill and decoding together. The Markdown that it prints has a row for
// each of the two, and each row is a result. What it measured:
//
//   - e2e_ttft is the time to the first token, which is TTFT here. ttfr is the time to the first chunk, which may be
//     empty. est_ppt is ttfr without the network's latency.
//   - pp speeds are prompt tokens over est_ppt, so they are estimates. With several requests, the total is that of all
//     requests until the last one has its first token.
//   - tg speeds exclude the time to the first token: (tokens − 1) over the time from the first token to the last. The
//     total is that of all requests together.
//
// "ctx_pp @ d4096" (is_context_prefill_phase) processes the context alone. The row at that depth then finds the context
// in the cache. Versions before 0.2 do not state the concurrency. The server is not named.
//
// Versions: 0.1 (2026-01) to 0.4. Source: src/llama_benchy/results.py,
// schemas/benchmark_report_schema.json.

func isLlamaBenchy(v *scan.Value) bool {
	list := v.Get("benchmarks")
	return v.Has("latency_mode") && list.At(0).Has("concurrency", "response_size")
}

// benchyFigures maps keys of JSON to metrics. Each figure has a mean and a spread.
var benchyFigures = []struct{ key, mean, spread, unit string }{
	{"pp_throughput", "prefill_throughput", "x_prefill_throughput_std", "tok/s"},
	{"pp_req_throughput", "x_pp_req_throughput", "x_pp_req_throughput_std", "tok/s"},
	{"tg_throughput", "decode_throughput", "x_decode_throughput_std", "tok/s"},
	{"tg_req_throughput", "output_throughput_per_user", "x_output_throughput_per_user_std", "tok/s"},
	{"peak_throughput", "peak_output_throughput", "x_peak_output_throughput_std", "tok/s"},
	{"peak_req_throughput", "x_peak_req_throughput", "x_peak_req_throughput_std", "tok/s"},
	{"ttfr", "x_ttfr_mean", "x_ttfr_std", "ms"},
	{"est_ppt", "x_est_ppt_mean", "x_est_ppt_std", "ms"},
	{"e2e_ttft", "ttft_mean", "ttft_std", "ms"},
}

func readLlamaBenchy(in *draft.File, v *scan.Value) {
	for run := range v.Get("benchmarks").Children() {
		s := in.Begin("llama-benchy", "llama-benchy-json", run.Line)
		for _, f := range benchyFigures {
			s.Take(f.mean, f.unit, run.Get(f.key, "mean"))
			if spread, ok := run.Get(f.key, "std").Float(); ok && spread > 0 {
				s.Take(f.spread, f.unit, run.Get(f.key, "std"))
			}
		}
		if len(s.Metrics) == 0 {
			in.NoResult(run.Line, locale.Textf("a test of llama-benchy without a figure"))
			continue
		}
		s.TakeAll(run, []draft.Member{
			{Key: "concurrency", Name: "max_concurrency"},
			{Key: "response_size", Name: "output_len"},
			{Key: "prompt_id", Name: "x_prompt_id"},
		})
		prompt, depth := run.Get("prompt_size"), run.Get("context_size")
		if c := run.Get("is_context_prefill_phase"); c.Is() && string(c.Raw) == "true" {
			s.Set("x_is_context_prefill_phase", c)
			s.Set("input_len", depth)
			s.Imply("context_depth", "0", run.Line)
		} else {
			s.Set("input_len", prompt)
			s.Set("context_depth", depth)
		}
		s.TakeAll(v, []draft.Member{
			{Key: "version", Name: "tool_version"},
			{Key: "model", Name: "model_raw"},
			{Key: "prefix_caching_enabled", Name: "prefix_caching"},
			{Key: "latency_mode", Name: "x_latency_mode"},
			{Key: "prompt_source", Name: "dataset"},
			{Key: "dataset_revision", Name: "x_dataset_revision"},
		})
		if date := v.Get("timestamp"); date.Text() != "" {
			s.SetLabel("date", benchyTime(date.Text()), date.Line)
		}
		s.EmitObject(run)
	}
}

// benchyTable reads the Markdown, and the lines of the log around it.
type benchyTable struct {
	draft.Draft
	header scan.Columns // nil when there is no table
	fields []string
	cells  []string // of the line
	rows   []int    // results of the table, by index
}

var benchyMarks = []string{"ttfr (ms)", "llama-benchy (", " | latency mode: "}

// benchyColumns maps columns to keys of JSON, without the prefix that differs between prefill and decoding.
var benchyColumns = map[string]string{
	"t/s": "throughput", "t/s (total)": "throughput", "t/s (req)": "req_throughput", "peak t/s": "peak_throughput",
	"peak t/s (req)": "peak_req_throughput", "ttfr (ms)": "ttfr", "est_ppt (ms)": "est_ppt", "e2e_ttft (ms)": "e2e_ttft",
}

func newBenchyTable() draft.LineReader { return &benchyTable{} }

func (t *benchyTable) Begin(in *draft.File) {
	*t = benchyTable{Draft: t.Draft}
	t.In = in
}

func (t *benchyTable) Line(l scan.Line) bool {
	cells, isRow := scan.Pipes(t.cells[:0], l.Text)
	t.cells = cells
	switch {
	case isRow && scan.AreColumns(cells, "model", "test", "ttfr (ms)"):
		t.header, t.fields, t.rows = t.In.Columns(cells), append(t.fields[:0], cells...), nil
	case isRow && t.header != nil && len(cells) == len(t.fields):
		t.row(cells, l)
	default:
		t.header = nil
		t.below(l)
	}
	return t.header != nil
}

func (t *benchyTable) row(cells []string, l scan.Line) {
	test, ok := draft.ParseSpeedTest(t.header.Cell(cells, "test"))
	whole := l.Ended || bytes.HasSuffix(bytes.TrimSpace(l.Text), []byte("|"))
	if !ok || !whole || test.Prefill == test.Decode {
		return
	}
	t.Reset(t.In, "llama-benchy", "llama-benchy-md", l.Number)
	prefix := "tg_"
	if test.Prefill {
		prefix = "pp_"
	}
	for i, column := range t.fields {
		key, known := benchyColumns[strings.ToLower(column)]
		if !known || scan.IsMissing(cells[i]) {
			continue
		}
		if strings.HasSuffix(key, "throughput") && !strings.HasPrefix(key, "peak") {
			key = prefix + key
		}
		mean, spread := scan.PlusMinus(cells[i])
		for _, f := range benchyFigures {
			if f.key == key {
				t.Number(f.mean, f.unit, column, []byte(mean), l.Number)
				if n, ok := scan.ParseFigure([]byte(spread), 0); ok && n.Value > 0 {
					t.Number(f.spread, f.unit, column+" ±", []byte(spread), l.Number)
				}
			}
		}
	}
	if !t.HasKnown() {
		return
	}
	test.Note(&t.Draft, l.Number)
	t.Imply("context_depth", "0", l.Number)
	if model := t.header.Cell(cells, "model"); model != "" {
		t.Fact([]byte("model"), []byte(model))
		t.SetLabel("model_raw", []byte(model), l.Number)
	}
	t.Fact([]byte("concurrency"), []byte(test.Concurrency))
	if test.Concurrency != "" {
		t.SetLabel("max_concurrency", []byte(test.Concurrency), l.Number)
	} else if t.header.Has("t/s") {
		t.Imply("max_concurrency", "1", l.Number) // else the column would say that it is a total
	}
	t.rows = append(t.rows, len(t.In.Out.Results))
	t.Emit(l.Number, true)
}

var (
	benchyVersion = lazy.Regexp(`^llama-benchy \((?:build: )?([^)\s]+)\)`)
	benchyDate    = lazy.Regexp(`^date: (\S+ \S+) \| latency mode: (\w+)`)
)

// below reads the lines at the end of a report, which apply to the table above them.
func (t *benchyTable) below(l scan.Line) {
	if m := benchyVersion().FindSubmatch(l.Text); m != nil {
		t.tell("tool_version", string(m[1]), l.Number)
	}
	if m := benchyDate().FindSubmatch(l.Text); m != nil {
		t.tell("date", string(benchyTime(string(m[1]))), l.Number)
		if l.Ended {
			t.tell("x_latency_mode", string(m[2]), l.Number)
		}
		t.rows = nil
	}
}

func (t *benchyTable) tell(name, value string, line int) {
	for _, i := range t.rows {
		t.In.Out.Results[i].Labels.Set(result.Label{Name: name, Value: t.In.Intern([]byte(value)), Origin: result.Measured,
			Pos: result.Position{File: t.In.Name, Line: line}})
	}
}

func (t *benchyTable) End() {}

// benchyTime converts "2026-02-07 19:09:00Z" to the form of ISO 8601.
func benchyTime(text string) []byte { return []byte(strings.Replace(text, " ", "T", 1)) }
