package vllm

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Until 2024, LMDeploy's profile_throughput (which runs the engine) and profile_restful_api (which runs against a
// server) printed
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
// and wrote the same figures to a CSV file, with the columns model and tp in front. Pages show that file as a Markdown
// table. In 2023 the columns had other names. In a table with a number of prompts, prompt_tokens is the total over all
// prompts. The table of profile_generation has fixed lengths in "prompt_tokens" and "completion_tokens" (or
// "output_tokens").
//
// The columns like "50%(s)" are percentiles of the time of each token after the first. A token that arrived together
// with another counts as 0, so these times are not gaps between chunks and have names of their own. "batch" is the
// number of requests in flight. "mem(GB)" is in GiB for each GPU and does not include the memory used before.
//
// Since the end of 2024 both scripts print SGLang's table, which servetext.go reads, and append to a CSV file with
// SGLang's names. TTFT is 0 where a backend does not stream.
//
// Source: benchmark/profile_throughput.py, profile_generation.py, profile_restful_api.py.
type lmdeployText struct {
	draft.Draft
	open bool
	last int
	gap  int
}

var lmdeployMarks = []string{"concurrency:"}

func newLMDeployText() draft.LineReader { return &lmdeployText{} }

func (t *lmdeployText) Begin(in *draft.File) { t.In, t.open = in, false }

var lmdeployRows = map[string]draft.Member{
	"elapsed_time":                                 {Name: "duration", Unit: "s"},
	"number of prompt tokens":                      {Name: "input_tokens", Unit: "tok"},
	"number of completion tokens":                  {Name: "output_tokens", Unit: "tok"},
	"token throughput (completion token)":          {Name: "output_throughput", Unit: "tok/s"},
	"token throughput (prompt + completion token)": {Name: "total_throughput", Unit: "tok/s"},
	"RPS (request per second)":                     {Name: "request_throughput", Unit: "req/s"},
	"number of failed requests":                    {Name: "requests_failed", Unit: "1"},
}

func (t *lmdeployText) Line(l scan.Line) bool {
	label, text, ok := scan.Labelled(l.Text, ":")
	number, unit, isNumber := scan.Quantity(text)
	row, known := lmdeployRows[label]
	switch {
	case ok && label == "concurrency" && isNumber && unit == "":
		t.close()
		t.Reset(t.In, "lmdeploy", "lmdeploy-text", l.Number)
		t.open = true
		t.Fact([]byte(label), []byte(number))
		t.SetLabel("max_concurrency", []byte(number), l.Number)
	case !t.open:
		return false
	case known && isNumber && l.Ended:
		if unit == "" {
			unit = row.Unit
		}
		t.Number(row.Name, unit, label, []byte(number), l.Number)
	case ok && strings.HasPrefix(label, "first") && strings.Contains(label, "(min, max, ave)"):
		t.list(label, text, []string{"ttft_min", "ttft_max", "ttft_mean"}, l)
	case ok && strings.HasPrefix(label, "per-token latency"):
		t.list(label, text, []string{"x_per_token_latency_p50", "x_per_token_latency_p75", "x_per_token_latency_p95", "x_per_token_latency_p99"}, l)
	default:
		if t.gap++; t.gap > 2*draft.MaxGap {
			t.close()
		}
		return t.open
	}
	t.last, t.gap = l.Number, 0
	return true
}

// list reads a row with several values in seconds.
func (t *lmdeployText) list(label, text string, names []string, l scan.Line) {
	values := strings.Split(strings.Trim(text, "[] "), ",")
	if len(values) != len(names) || !l.Ended {
		return
	}
	for i, v := range values {
		number := strings.TrimSuffix(strings.TrimSpace(v), "s")
		t.Number(names[i], "s", label, []byte(number), l.Number)
	}
}

func (t *lmdeployText) close() {
	if _, ok := t.Value("output_throughput"); t.open && ok {
		t.Imply("engine", "lmdeploy", t.Start)
		_, whole := t.Value("request_throughput")
		t.DropUnmeasured()
		t.Emit(t.last, whole)
	}
	t.open, t.gap = false, 0
}

func (t *lmdeployText) End() { t.close() }

// lmdeployColumns maps the columns of the tables, in lower case.
var lmdeployColumns = []draft.Member{
	{Key: "model", Name: "model_raw"},
	{Key: "batch", Name: "max_concurrency"},
	{Key: "tp", Name: draft.TensorParallel},
	{Key: "num_promts", Name: "num_prompts"}, // sic
	{Key: "num_prompts", Name: "num_prompts"},
	{Key: "prompt_tokens", Name: "input_len"},
	{Key: "completion_tokens", Name: "output_len"},
	{Key: "output_tokens", Name: "output_len"},
	{Key: "rps", Name: "request_throughput", Unit: "req/s"},
	{Key: "rpm", Name: "request_throughput", Unit: "req/min"}, // if there is no RPS
	{Key: "ftl(ave)(s)", Name: "ttft_mean", Unit: "s"},
	{Key: "ftl(min)(s)", Name: "ttft_min", Unit: "s"},
	{Key: "ftl(max)(s)", Name: "ttft_max", Unit: "s"},
	{Key: "50%(s)", Name: "x_per_token_latency_p50", Unit: "s"},
	{Key: "75%(s)", Name: "x_per_token_latency_p75", Unit: "s"},
	{Key: "95%(s)", Name: "x_per_token_latency_p95", Unit: "s"},
	{Key: "99%(s)", Name: "x_per_token_latency_p99", Unit: "s"},
	{Key: "throughput(out tok/s)", Name: "output_throughput", Unit: "tok/s"},
	{Key: "throughput(total tok/s)", Name: "total_throughput", Unit: "tok/s"},
	{Key: "mem(gb)", Name: "x_mem", Unit: "GiB"},

	{Key: "1st_token_latency(ave)(s)", Name: "ttft_mean", Unit: "s"}, // these are the names of 2023
	{Key: "1st_token_latency(min)(s)", Name: "ttft_min", Unit: "s"},
	{Key: "1st_token_latency(max)(s)", Name: "ttft_max", Unit: "s"},
	{Key: "percentile50(s)", Name: "x_per_token_latency_p50", Unit: "s"},
	{Key: "percentile75(s)", Name: "x_per_token_latency_p75", Unit: "s"},
	{Key: "percentile95(s)", Name: "x_per_token_latency_p95", Unit: "s"},
	{Key: "percentile99(s)", Name: "x_per_token_latency_p99", Unit: "s"},
	{Key: "throughput(token/s)", Name: "output_throughput", Unit: "tok/s"},
	{Key: "output token thr(tokens/s", Name: "output_throughput", Unit: "tok/s"}, // sic
	{Key: "output token thr(tokens/s)", Name: "output_throughput", Unit: "tok/s"},
	{Key: "total token thr(token/s)", Name: "total_throughput", Unit: "tok/s"},
	{Key: "throughput_per_proc(token/s)", Name: "x_throughput_per_stream", Unit: "tok/s"},
	{Key: "mem_per_gpu(gb)", Name: "x_mem", Unit: "GiB"},
}

// lmdeployTotals maps the columns that count the tokens of all requests if the table has a number of prompts.
var lmdeployTotals = map[string]draft.Member{
	"prompt_tokens":     {Key: "prompt_tokens", Name: "input_tokens", Unit: "tok"},
	"completion_tokens": {Key: "completion_tokens", Name: "output_tokens", Unit: "tok"},
}

// lmdeployServing maps the columns of the CSV since the end of 2024.
var lmdeployServing = []draft.Member{
	{Key: "backend", Name: "backend"},
	{Key: "dataset_name", Name: "dataset"},
	{Key: "request_rate", Name: "request_rate"},
	{Key: "random_range_ratio", Name: "random_range_ratio"},
	{Key: "completed", Name: "requests_completed"},
	{Key: "total_input_tokens", Name: "input_tokens", Unit: "tok"},
	{Key: "total_output_tokens", Name: "output_tokens", Unit: "tok"},
	{Key: "duration", Name: "duration", Unit: "s"},
	{Key: "request_throughput", Name: "request_throughput", Unit: "req/s"},
	{Key: "input_throughput", Name: "input_throughput", Unit: "tok/s"},
	{Key: "output_throughput", Name: "output_throughput", Unit: "tok/s"},
	{Key: "mean_e2e_latency_ms", Name: "e2el_mean", Unit: "ms"},
	{Key: "mean_ttft_ms", Name: "ttft_mean", Unit: "ms"},
	{Key: "mean_tpot_ms", Name: "tpot_mean", Unit: "ms"},
	{Key: "mean_itl_ms", Name: "itl_mean", Unit: "ms"},
}

// lmdeployTable reads the tables in Markdown or CSV.
type lmdeployTable struct {
	draft.Draft
	form    string // "md" or "csv"
	header  scan.Columns
	names   []string // as written
	cells   []string // of the current line
	width   int
	last    int // line of the latest row
	serving bool

	precision, model string // from the heading above
	heading          int    // line of the heading
	opened           int    // line of the header
}

var (
	lmdeployColumnMarks  = []string{"throughput(out tok/s)", "1st_token_latency(min)(s)", "throughput_per_proc(token/s)"}
	lmdeployTableMarks   = append(lmdeployHeadings(), lmdeployColumnMarks...)
	lmdeployServingMarks = append(lmdeployColumnMarks[:len(lmdeployColumnMarks):len(lmdeployColumnMarks)], "backend,dataset_name,sharegpt_output_len")
)

// lmdeployPrecisions lists the words that begin the headings of LMDeploy's pages, as in "### FP16 llama2-7b".
var lmdeployPrecisions = []string{"FP16", "BF16", "FP8", "INT8", "INT4", "W4A16", "W8A8", "W8A16"}

func lmdeployHeadings() []string {
	marks := make([]string, len(lmdeployPrecisions))
	for i, precision := range lmdeployPrecisions {
		marks[i] = "# " + precision
	}
	return marks
}

func newLMDeployMarkdown() draft.LineReader { return &lmdeployTable{form: "md"} }
func newLMDeployCSV() draft.LineReader      { return &lmdeployTable{form: "csv"} }

func (t *lmdeployTable) Begin(in *draft.File) { t.In, t.header, t.heading = in, nil, 0 }

func (t *lmdeployTable) Line(l scan.Line) bool {
	row, ok := t.split(l.Text)
	t.cells = row
	switch {
	case len(l.Text) == 0 && l.Number == t.last: // between CR and LF
	case t.form == "md" && t.isHeading(l):
		t.header = nil
	case !ok:
		t.header = nil
	case t.In.Marked:
		t.header, t.names, t.width = t.In.Columns(row), append(t.names[:0], row...), len(row)
		t.serving, t.opened = t.header.Has("mean_e2e_latency_ms", "output_throughput"), l.Number
	case t.header == nil || scan.IsDivider(row):
	default:
		t.row(row, l)
	}
	t.last = l.Number
	return t.header != nil
}

// isHeading reads the heading of a table, which has the precision and sometimes the model of the rows. It reports
// whether the line is such a heading.
func (t *lmdeployTable) isHeading(l scan.Line) bool {
	if len(l.Text) == 0 || l.Text[0] != '#' {
		return false
	}
	words := strings.Fields(strings.TrimLeft(string(l.Text), "#"))
	if len(words) == 0 || len(words) > 2 || !slices.Contains(lmdeployPrecisions, words[0]) {
		return false
	}
	t.precision, t.model, t.heading = words[0], strings.Join(words[1:], ""), l.Number
	return true
}

const maxHeading = 10 // maximum number of lines between a heading and its table

// headed adds the precision and the model of the heading above the table to a row.
func (t *lmdeployTable) headed() {
	if t.heading == 0 || t.opened-t.heading > maxHeading {
		return
	}
	t.SetLabel("quantization", []byte(t.precision), t.heading)
	if t.model != "" && t.Label("model_raw") == "" {
		t.Fact([]byte("model"), []byte(t.model))
		t.SetLabel("model_raw", []byte(t.model), t.heading)
	}
}

func (t *lmdeployTable) split(text []byte) ([]string, bool) {
	if t.form == "md" {
		return scan.Pipes(t.cells[:0], text)
	}
	if bytes.IndexByte(text, ',') < 0 {
		return t.cells[:0], false
	}
	return scan.Commas(t.cells[:0], text, ','), !bytes.HasPrefix(bytes.TrimSpace(text), []byte("|"))
}

func (t *lmdeployTable) row(row []string, l scan.Line) {
	if len(row) != t.width {
		t.header = nil
		return
	}
	whole := l.Ended || t.form == "md" && bytes.HasSuffix(bytes.TrimSpace(l.Text), []byte("|"))
	if !whole {
		row[t.width-1] = "" // digits may be missing
	}
	t.Reset(t.In, "lmdeploy", "lmdeploy-"+t.form, l.Number)
	members := lmdeployColumns
	if t.serving {
		members = lmdeployServing
		t.lengths(row, l.Number)
	}
	for _, m := range members {
		cell := t.header.Cell(row, m.Key)
		if total, ok := lmdeployTotals[m.Key]; ok && (t.header.Has("num_promts") || t.header.Has("num_prompts")) {
			m = total
		}
		switch {
		case cell == "":
		case m.Unit == "" && m.Name != "requests_completed":
			t.Fact([]byte(m.Key), []byte(cell))
			t.SetLabel(m.Name, []byte(cell), l.Number)
		default:
			if _, known := t.Value(m.Name); !known {
				t.Number(m.Name, m.Unit, t.names[t.header[m.Key]], []byte(cell), l.Number)
			}
		}
	}
	t.Parallelism()
	t.headed()
	if t.serving {
		guessEngine(&t.Draft, t.Labels.Get("backend"), l.Number)
	} else {
		t.Imply("engine", "lmdeploy", l.Number)
	}
	t.DropUnmeasured()
	t.Emit(l.Number, whole)
}

// lengths sets the labels of the lengths of the dataset that was used. The columns of other datasets hold defaults.
func (t *lmdeployTable) lengths(row []string, line int) {
	dataset := t.header.Cell(row, "dataset_name")
	for _, m := range []draft.Member{
		{Key: "sharegpt_output_len", Name: "output_len", Unit: "sharegpt"},
		{Key: "random_input_len", Name: "input_len", Unit: "random"},
		{Key: "random_output_len", Name: "output_len", Unit: "random"},
	} {
		if cell := t.header.Cell(row, m.Key); cell != "" && draft.IsDataset(dataset, m.Unit) {
			t.SetLabel(m.Name, []byte(cell), line)
		}
	}
}

func (t *lmdeployTable) End() {}
