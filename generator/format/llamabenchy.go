package format

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// llama-benchy asks an OpenAI-compatible server for the tests of llama-bench, at
// one or several requests at a time. JSON has an object for each test, prefill and
// decoding together; the Markdown that it prints has a row for each, and is read
// as such. What it measured:
//
//   - e2e_ttft is the wait for the first token, our TTFT. ttfr is that for the
//     first chunk, which may be empty, est_ppt that without the network's latency.
//   - pp speeds are prompt tokens over est_ppt: an estimate. With several requests
//     the total is that of all until the last has its first token.
//   - tg speeds leave the wait out: (tokens − 1) over the time from the first token
//     to the last; the total is that of all requests together.
//
// "ctx_pp @ d4096" (is_context_prefill_phase) processes the context alone, which
// the row at that depth then finds in the cache. The versions before 0.2 tell the
// concurrency in no row. The server is not named.
//
// Versions: 0.1 (2026-01) to 0.4. Source: src/llama_benchy/results.py,
// schemas/benchmark_report_schema.json.

func isLlamaBenchy(v *value) bool {
	list := v.get("benchmarks")
	return v.has("latency_mode") && list.at(0).has("concurrency", "response_size")
}

// benchyFigures pairs keys of JSON with names here; each has a mean and a spread.
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

func readLlamaBenchy(in *input, v *value) {
	for run := range v.get("benchmarks").children() {
		s := in.begin("llama-benchy", "llama-benchy-json", run.line)
		for _, f := range benchyFigures {
			s.take(f.mean, f.unit, run.get(f.key, "mean"))
			if spread, ok := run.get(f.key, "std").float(); ok && spread > 0 {
				s.take(f.spread, f.unit, run.get(f.key, "std"))
			}
		}
		if len(s.metrics) == 0 {
			in.noResult(run.line, "a test of llama-benchy without a figure")
			continue
		}
		s.takeAll(run, []member{
			{"concurrency", "max_concurrency", ""},
			{"response_size", "output_len", ""},
			{"prompt_id", "x_prompt_id", ""},
		})
		prompt, depth := run.get("prompt_size"), run.get("context_size")
		if c := run.get("is_context_prefill_phase"); c.is() && string(c.text) == "true" {
			s.setting("x_is_context_prefill_phase", c)
			s.setting("input_len", depth)
			s.imply("context_depth", "0", run.line)
		} else {
			s.setting("input_len", prompt)
			s.setting("context_depth", depth)
		}
		s.takeAll(v, []member{
			{"version", "tool_version", ""},
			{"model", "model_raw", ""},
			{"prefix_caching_enabled", "prefix_caching", ""},
			{"latency_mode", "x_latency_mode", ""},
			{"prompt_source", "dataset", ""},
			{"dataset_revision", "x_dataset_revision", ""},
		})
		if date := v.get("timestamp"); date.string() != "" {
			s.label("date", benchyTime(date.string()), date.line)
		}
		s.finish(run)
	}
}

// benchyTable reads the Markdown, and what the log says around it.
type benchyTable struct {
	sheet
	header columns // nil when there is no table
	fields []string
	rows   []int // results of the table, by index
}

var benchyMarks = []string{"ttfr (ms)", "llama-benchy (", " | latency mode: "}

// benchyColumns are the columns by the keys of JSON, without what differs between
// prefill and decoding.
var benchyColumns = map[string]string{
	"t/s": "throughput", "t/s (total)": "throughput", "t/s (req)": "req_throughput", "peak t/s": "peak_throughput",
	"peak t/s (req)": "peak_req_throughput", "ttfr (ms)": "ttfr", "est_ppt (ms)": "est_ppt", "e2e_ttft (ms)": "e2e_ttft",
}

func newBenchyTable() lineReader { return &benchyTable{} }

func (t *benchyTable) begin(in *input) {
	*t = benchyTable{sheet: t.sheet}
	t.in = in
}

func (t *benchyTable) line(l line) bool {
	cells, isRow := pipes(nil, l.text)
	switch {
	case isRow && newColumns(cells).has("model", "test", "ttfr (ms)"):
		t.header, t.fields, t.rows = newColumns(cells), cells, nil
	case isRow && t.header != nil && len(cells) == len(t.fields):
		t.row(cells, l)
	default:
		t.header = nil
		t.below(l)
	}
	return t.header != nil
}

func (t *benchyTable) row(cells []string, l line) {
	test, ok := parseLlamaTest(t.header.cell(cells, "test"))
	whole := l.ended || bytes.HasSuffix(bytes.TrimSpace(l.text), []byte("|"))
	if !ok || !whole || test.prefill == test.decode {
		return
	}
	t.reset(t.in, "llama-benchy", "llama-benchy-md", l.number)
	prefix := "tg_"
	if test.prefill {
		prefix = "pp_"
	}
	for i, column := range t.fields {
		key, known := benchyColumns[strings.ToLower(column)]
		if !known || isMissing(cells[i]) {
			continue
		}
		if strings.HasSuffix(key, "throughput") && !strings.HasPrefix(key, "peak") {
			key = prefix + key
		}
		mean, spread := plusMinus(cells[i])
		for _, f := range benchyFigures {
			if f.key == key {
				t.number(f.mean, f.unit, column, []byte(mean), l.number)
				if n, ok := parseFigure([]byte(spread), 0); ok && n.value > 0 {
					t.number(f.spread, f.unit, column+" ±", []byte(spread), l.number)
				}
			}
		}
	}
	if !t.hasKnown() {
		return
	}
	t.llamaTest(test, l.number)
	if model := t.header.cell(cells, "model"); model != "" {
		t.fact([]byte("model"), []byte(model))
		t.label("model_raw", []byte(model), l.number)
	}
	t.fact([]byte("concurrency"), []byte(test.concurrency))
	if test.concurrency != "" {
		t.label("max_concurrency", []byte(test.concurrency), l.number)
	} else if t.header.has("t/s") {
		t.imply("max_concurrency", "1", l.number) // else the column would say that it is a total
	}
	t.rows = append(t.rows, len(t.in.out.Results))
	t.hand(l.number, true)
}

var (
	benchyVersion = regexp.MustCompile(`^llama-benchy \((?:build: )?([^)\s]+)\)`)
	benchyDate    = regexp.MustCompile(`^date: (\S+ \S+) \| latency mode: (\w+)`)
)

// below reads the lines that close a report, and tell of the table above them.
func (t *benchyTable) below(l line) {
	if m := benchyVersion.FindSubmatch(l.text); m != nil {
		t.tell("tool_version", string(m[1]), l.number)
	}
	if m := benchyDate.FindSubmatch(l.text); m != nil {
		t.tell("date", string(benchyTime(string(m[1]))), l.number)
		t.tell("x_latency_mode", string(m[2]), l.number)
		t.rows = nil
	}
}

func (t *benchyTable) tell(name, value string, line int) {
	for _, i := range t.rows {
		t.in.out.Results[i].Labels.Set(result.Label{Name: name, Value: t.in.intern([]byte(value)), Origin: result.Measured,
			Pos: result.Position{File: t.in.name, Line: line}})
	}
}

func (t *benchyTable) end() {}

// benchyTime writes "2026-02-07 19:09:00Z" as ISO 8601 has it.
func benchyTime(text string) []byte { return []byte(strings.Replace(text, " ", "T", 1)) }
