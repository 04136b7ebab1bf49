package loadgen

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// text-generation-benchmark is part of Hugging Face's TGI. It drives the model shards directly, without router and
// HTTP, with batches of identical prompts. At its end it prints, in Markdown, its parameters, a table of latencies and
// a table of rates. The tables have a row for each step and batch size:
//
//	| Step           | Batch Size | Average  | Lowest   | Highest  | p50 …
//	| Prefill        | 1          | 31.83 ms | 31.74 ms | …
//	|                | 2          | 36.30 ms | …
//	| Decode (token) | 1          | 30.45 ms | …
//
// A cell that equals the one above is empty, also in the columns Step and Batch Size. All rows of a batch size make one
// result. Prefill is the time to the first token of the batch. Decode (token) is the time of a step after it.
//
// Two figures need care. In the first versions, the rate of prefill was batch / latency, a number of requests. Since
// then it is batch × length / latency, with the same unit. The latency shows which of the two it is. Percentiles are
// taken from a list that is sorted only by drawing the screen, and only as far as it was drawn. With up to a hundred
// runs, p99 is the highest value. If it is not, the list was not sorted, and p50 to p99 are not read.
//
// Source: huggingface/text-generation-inference, benchmark/src/{table,app,generation}.rs.
var tgiMarks = []string{"| Parameter ", "| Step ", "| Sequence Length ", "| Decode Length "}

type tgiTable struct {
	in         *draft.File
	parameters []draft.KeyValue
	start      int
	latencies  bool // whether the current table has latencies; otherwise it has rates
	columns    scan.Columns
	step       string
	size       string
	batches    []tgiBatch
	last, gap  int
}

// tgiBatch holds the rows of a batch size.
type tgiBatch struct {
	size int
	rows []tgiRow
}

type tgiRow struct {
	step      string
	latencies bool
	columns   scan.Columns
	cells     []string
	line      int
}

func newTGITable() draft.LineReader { return &tgiTable{} }

func (t *tgiTable) Begin(in *draft.File) { *t = tgiTable{in: in} }
func (t *tgiTable) End()                 { t.close() }

func (t *tgiTable) Line(l scan.Line) bool {
	const nearby = 8 // maximum number of lines between two tables of a run
	cells, ok := scan.Pipes(nil, l.Text)
	if !ok || !l.Ended && !strings.HasSuffix(string(l.Text), "|") {
		t.columns = nil
		if t.gap++; t.gap > nearby {
			t.close()
			return false
		}
		return t.start > 0
	}
	switch {
	case scan.IsDivider(cells):
	case scan.AreColumns(cells, "step", "batch size", "average", "lowest", "highest"):
		latencies := scan.AreColumns(cells, "p50")
		if latencies && len(t.batches) > 0 {
			t.close()
		}
		t.columns, t.latencies, t.step, t.size = t.in.Columns(cells), latencies, "", ""
		t.open(l.Number)
	case scan.AreColumns(cells, "parameter", "value"):
		t.close()
		t.open(l.Number)
	case t.columns != nil:
		t.row(cells, l.Number)
	case len(cells) == 2 && tgiParameters[cells[0]] != "":
		if len(t.batches) > 0 {
			t.close()
		}
		t.open(l.Number)
		t.parameters = append(t.parameters, draft.KeyValue{Key: cells[0], Value: cells[1], Line: l.Number})
	}
	t.gap = 0
	return t.start > 0
}

func (t *tgiTable) open(line int) {
	if t.start == 0 {
		t.start = line
	}
	t.last = line
}

var tgiParameters = map[string]string{
	"Model": "model_raw", "Sequence Length": "input_len", "Decode Length": "output_len", "N Runs": "x_n_runs",
	"Warmups": "x_warmups", "Top N Tokens": "x_top_n_tokens", "Temperature": "temperature", "Top K": "top_k",
	"Top P": "top_p", "Typical P": "x_typical_p", "Repetition Penalty": "x_repetition_penalty",
	"Frequency Penalty": "x_frequency_penalty", "Watermark": "x_watermark", "Do Sample": "x_do_sample",
}

func (t *tgiTable) row(cells []string, line int) {
	if cells[0] != "" {
		t.step = cells[0]
	}
	if len(cells) > 1 && cells[1] != "" {
		t.size = cells[1]
	}
	size, err := strconv.Atoi(t.size)
	if err != nil || size < 1 || t.step == "" {
		return
	}
	t.last = line
	r := tgiRow{t.step, t.latencies, t.columns, cells, line}
	for i := range t.batches {
		if t.batches[i].size == size {
			t.batches[i].rows = append(t.batches[i].rows, r)
			return
		}
	}
	t.batches = append(t.batches, tgiBatch{size, []tgiRow{r}})
}

// close emits a result for each batch size.
func (t *tgiTable) close() {
	for _, b := range t.batches {
		s := &draft.Draft{}
		s.Reset(t.in, "text-generation-benchmark", "text-generation-benchmark-md", t.start)
		for _, p := range t.parameters {
			s.SetText(tgiParameters[p.Key], p.Value, p.Line)
		}
		size := strconv.Itoa(b.size)
		s.SetText("batch_size", size, b.rows[0].line)
		s.Imply("max_concurrency", size, b.rows[0].line)
		s.Imply("engine", "tgi", t.start)
		for _, r := range b.rows {
			if r.latencies {
				tgiLatencies(s, r)
			}
		}
		for _, r := range b.rows {
			if !r.latencies {
				tgiRate(s, r, b.size)
			}
		}
		tgiWhole(s, b)
		if s.HasKnown() {
			_, decoded := s.Value("tpot_mean")
			s.Emit(t.last, decoded)
		}
	}
	*t = tgiTable{in: t.in}
}

var tgiSteps = map[string]string{"Prefill": "ttft", "Decode (token)": "tpot", "Decode (total)": "x_decode_latency"}

func tgiLatencies(s *draft.Draft, r tgiRow) {
	family, ok := tgiSteps[r.step]
	if !ok {
		return
	}
	highest, _, _ := scan.Quantity(r.columns.Cell(r.cells, "highest"))
	p99, _, _ := scan.Quantity(r.columns.Cell(r.cells, "p99"))
	for _, column := range [...]string{"average", "lowest", "highest", "p50", "p90", "p99"} {
		if column[0] == 'p' && p99 != highest {
			continue
		}
		number, unit, ok := scan.Quantity(r.columns.Cell(r.cells, column))
		statistic, _ := draft.StatisticName(column)
		if ok && unit == "ms" {
			s.Number(family+"_"+statistic, unit, r.step+" "+column, []byte(number), r.line)
		}
	}
}

// tgiRate reads a rate of a whole batch, which is the rate of a stream if the batch has one prompt.
func tgiRate(s *draft.Draft, r tgiRow, size int) {
	number, unit, ok := scan.Quantity(r.columns.Cell(r.cells, "average"))
	if !ok || unit != "tokens/secs" {
		return
	}
	name := strings.ToLower(r.step) + "_throughput"
	switch r.step {
	case "Prefill":
		rate, _ := strconv.ParseFloat(number, 64)
		latency, timed := s.Value("ttft_mean")
		length, _ := strconv.ParseFloat(s.Label("input_len"), 64)
		near := func(tokens float64) bool { return math.Abs(rate*latency/1000/tokens-1) < 0.1 }
		switch {
		case !timed || length <= 1:
			return
		case near(float64(size)):
			s.Number("x_prefill_request_throughput", "req/s", r.step+" average", []byte(number), r.line)
			return
		case !near(float64(size) * length):
			return
		}
	case "Decode":
	default:
		return
	}
	if size > 1 {
		name = "x_batch_" + name
	}
	s.Number(name, "tok/s", r.step+" average", []byte(number), r.line)
}

// tgiWhole derives the figures of a batch from its steps. Each prompt gets its whole answer in the time of prefill and
// decode.
func tgiWhole(s *draft.Draft, b tgiBatch) {
	prefill, ok1 := s.Value("ttft_mean")
	decode, ok2 := s.Value("x_decode_latency_mean")
	length, _ := strconv.ParseFloat(s.Label("output_len"), 64)
	if !ok1 || !ok2 || prefill+decode <= 0 {
		return
	}
	line := b.rows[len(b.rows)-1].line
	s.Derive("e2el_mean", prefill+decode, "Prefill average + Decode (total) average", line)
	if length > 0 {
		s.Derive("output_throughput", float64(b.size)*length*1000/(prefill+decode),
			"Batch Size * Decode Length / (Prefill average + Decode (total) average)", line)
	}
}
