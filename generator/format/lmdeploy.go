package format

import (
	"bytes"
	"strings"
)

// LMDeploy's profile_throughput (the engine) and profile_restful_api (a server)
// print until 2024
//
//	concurrency: 256
//	elapsed_time: 399.739s
//
//	first token latency(s)(min, max, ave): 0.068, 4.066, 0.285
//	per-token latency(s) percentile(50, 75, 95, 99): [0, 0.094, 0.169, 0.227]
//
//	number of prompt tokens: 2238364
//	number of completion tokens: 2005448
//	token throughput (completion token): 5016.892 token/s
//	token throughput (prompt + completion token): 10616.453 token/s
//	RPS (request per second): 25.016 req/s
//
// and write the same as CSV, which pages show as Markdown tables, with columns
// for model and tp in front. profile_generation has a table of fixed lengths with
// "prompt_tokens" and "completion_tokens" (or "output_tokens").
//
// The tables' "50%(s)" are percentiles of the time of each token after the first.
// A token that came along with another counts as 0, so they are no gaps between
// chunks and keep a name of their own. "batch" is the number of requests in
// flight. "mem(GB)" are GiB for each GPU, above what was used before.
//
// Since the end of 2024 both print SGLang's table, which is read as that is, and
// append to a CSV with SGLang's names. TTFT is 0 where a backend does not stream.
//
// Source: benchmark/profile_throughput.py, profile_generation.py,
// profile_restful_api.py.
type lmdeployText struct {
	sheet
	open bool
	last int
	gap  int
}

var lmdeployMarks = []string{"concurrency:"}

func newLMDeployText() lineReader { return &lmdeployText{} }

func (t *lmdeployText) begin(in *input) { t.in, t.open = in, false }

var lmdeployRows = map[string]member{
	"elapsed_time":                                 {"", "duration", "s"},
	"number of prompt tokens":                      {"", "input_tokens", "tok"},
	"number of completion tokens":                  {"", "output_tokens", "tok"},
	"token throughput (completion token)":          {"", "output_throughput", "tok/s"},
	"token throughput (prompt + completion token)": {"", "total_throughput", "tok/s"},
	"RPS (request per second)":                     {"", "request_throughput", "req/s"},
	"number of failed requests":                    {"", "requests_failed", "1"},
}

func (t *lmdeployText) line(l line) bool {
	label, text, ok := labelled(l.text, ":")
	number, unit, isNumber := quantity(text)
	row, known := lmdeployRows[label]
	switch {
	case ok && label == "concurrency" && isNumber && unit == "":
		t.close()
		t.reset(t.in, "lmdeploy", "lmdeploy-text", l.number)
		t.open = true
		t.fact([]byte(label), []byte(number))
		t.label("max_concurrency", []byte(number), l.number)
	case !t.open:
		return false
	case known && isNumber && l.ended:
		if unit == "" {
			unit = row.unit
		}
		t.number(row.name, unit, label, []byte(number), l.number)
	case ok && strings.HasPrefix(label, "first") && strings.Contains(label, "(min, max, ave)"):
		t.list(label, text, []string{"ttft_min", "ttft_max", "ttft_mean"}, l)
	case ok && strings.HasPrefix(label, "per-token latency"):
		t.list(label, text, []string{"x_per_token_latency_p50", "x_per_token_latency_p75", "x_per_token_latency_p95", "x_per_token_latency_p99"}, l)
	default:
		if t.gap++; t.gap > 2*maxGap {
			t.close()
		}
		return t.open
	}
	t.last, t.gap = l.number, 0
	return true
}

// list takes several seconds in one row.
func (t *lmdeployText) list(label, text string, names []string, l line) {
	values := strings.Split(strings.Trim(text, "[] "), ",")
	if len(values) != len(names) || !l.ended {
		return
	}
	for i, v := range values {
		number := strings.TrimSuffix(strings.TrimSpace(v), "s")
		t.number(names[i], "s", label, []byte(number), l.number)
	}
}

func (t *lmdeployText) close() {
	if _, ok := t.value("output_throughput"); t.open && ok {
		t.imply("engine", "lmdeploy", t.start)
		_, whole := t.value("request_throughput")
		t.dropUnmeasured()
		t.hand(t.last, whole)
	}
	t.open, t.gap = false, 0
}

func (t *lmdeployText) end() { t.close() }

// lmdeployColumns are the columns of the tables, in small letters.
var lmdeployColumns = []member{
	{"model", "model_raw", ""},
	{"batch", "max_concurrency", ""},
	{"tp", tensorParallel, ""},
	{"num_promts", "num_prompts", ""}, // sic
	{"num_prompts", "num_prompts", ""},
	{"prompt_tokens", "input_len", ""},
	{"completion_tokens", "output_len", ""},
	{"output_tokens", "output_len", ""},
	{"rps", "request_throughput", "req/s"},
	{"rpm", "request_throughput", "req/min"}, // where there is no RPS
	{"ftl(ave)(s)", "ttft_mean", "s"},
	{"ftl(min)(s)", "ttft_min", "s"},
	{"ftl(max)(s)", "ttft_max", "s"},
	{"50%(s)", "x_per_token_latency_p50", "s"},
	{"75%(s)", "x_per_token_latency_p75", "s"},
	{"95%(s)", "x_per_token_latency_p95", "s"},
	{"99%(s)", "x_per_token_latency_p99", "s"},
	{"throughput(out tok/s)", "output_throughput", "tok/s"},
	{"throughput(total tok/s)", "total_throughput", "tok/s"},
	{"mem(gb)", "x_mem", "GiB"},
}

// lmdeployServing are the columns of the CSV since the end of 2024.
var lmdeployServing = []member{
	{"backend", "x_backend", ""},
	{"dataset_name", "dataset", ""},
	{"request_rate", "request_rate", ""},
	{"random_range_ratio", "x_random_range_ratio", ""},
	{"completed", "requests_completed", ""},
	{"total_input_tokens", "input_tokens", "tok"},
	{"total_output_tokens", "output_tokens", "tok"},
	{"duration", "duration", "s"},
	{"request_throughput", "request_throughput", "req/s"},
	{"input_throughput", "input_throughput", "tok/s"},
	{"output_throughput", "output_throughput", "tok/s"},
	{"mean_e2e_latency_ms", "e2el_mean", "ms"},
	{"mean_ttft_ms", "ttft_mean", "ms"},
	{"mean_tpot_ms", "tpot_mean", "ms"},
	{"mean_itl_ms", "itl_mean", "ms"},
}

// lmdeployTable reads the tables, of Markdown or CSV.
type lmdeployTable struct {
	sheet
	form    string // "md" or "csv"
	header  columns
	names   []string // as written
	width   int
	last    int // line of the latest row
	serving bool
}

var (
	lmdeployTableMarks   = []string{"throughput(out tok/s)"}
	lmdeployServingMarks = []string{"backend,dataset_name,sharegpt_output_len", "throughput(out tok/s)"}
)

func newLMDeployMarkdown() lineReader { return &lmdeployTable{form: "md"} }
func newLMDeployCSV() lineReader      { return &lmdeployTable{form: "csv"} }

func (t *lmdeployTable) begin(in *input) { t.in, t.header = in, nil }

func (t *lmdeployTable) line(l line) bool {
	row, ok := t.split(l.text)
	switch {
	case len(l.text) == 0 && l.number == t.last: // between CR and LF
	case !ok:
		t.header = nil
	case bytes.Contains(l.text, []byte("throughput(out tok/s)")), bytes.Contains(l.text, []byte("mean_e2e_latency_ms")):
		t.header, t.names, t.width = newColumns(row), row, len(row)
		t.serving = t.header.has("mean_e2e_latency_ms", "output_throughput")
	case t.header == nil || isDivider(row):
	default:
		t.row(row, l)
	}
	t.last = l.number
	return t.header != nil
}

func (t *lmdeployTable) split(text []byte) ([]string, bool) {
	if t.form == "md" {
		return pipes(nil, text)
	}
	return commas(nil, text, ','), bytes.IndexByte(text, ',') >= 0 && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("|"))
}

func (t *lmdeployTable) row(row []string, l line) {
	if len(row) != t.width {
		t.header = nil
		return
	}
	whole := l.ended || t.form == "md" && bytes.HasSuffix(bytes.TrimSpace(l.text), []byte("|"))
	if !whole {
		row[t.width-1] = "" // it may lack digits
	}
	t.reset(t.in, "lmdeploy", "lmdeploy-"+t.form, l.number)
	members := lmdeployColumns
	if t.serving {
		members = lmdeployServing
		t.lengths(row, l.number)
	}
	for _, m := range members {
		cell := t.header.cell(row, m.key)
		switch {
		case cell == "":
		case m.unit == "" && m.name != "requests_completed":
			t.fact([]byte(m.key), []byte(cell))
			t.label(m.name, []byte(cell), l.number)
		default:
			if _, known := t.value(m.name); !known {
				t.number(m.name, m.unit, t.names[t.header[m.key]], []byte(cell), l.number)
			}
		}
	}
	t.parallelism()
	if t.serving {
		t.guessEngine(t.labels.Get("x_backend"), l.number)
	} else {
		t.imply("engine", "lmdeploy", l.number)
	}
	t.dropUnmeasured()
	t.hand(l.number, whole)
}

// lengths notes those that the dataset has: the columns hold the defaults of the
// others.
func (t *lmdeployTable) lengths(row []string, line int) {
	dataset := t.header.cell(row, "dataset_name")
	for _, m := range []member{
		{"sharegpt_output_len", "output_len", "sharegpt"},
		{"random_input_len", "input_len", "random"},
		{"random_output_len", "output_len", "random"},
	} {
		if cell := t.header.cell(row, m.key); cell != "" && isDataset(dataset, m.unit) {
			t.label(m.name, []byte(cell), line)
		}
	}
}

func (t *lmdeployTable) end() {}
