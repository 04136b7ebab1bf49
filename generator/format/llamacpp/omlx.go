package llamacpp

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// omlxText reads the results of oMLX's benchmark, as oMLX copies them:
//
//	Benchmark Model: Qwen3.5-2B-4bit
//	Single Request Results
//	Test              TTFT(ms)    TPOT(ms)        pp TPS        tg TPS      E2E(s)    Throughput    Peak Mem
//	pp1024/tg128         297.9        3.08  3437.6 tok/s   326.7 tok/s       0.690  1670.4 tok/s     2.06 GB
//	Continuous Batching — Same Prompt
//	pp1024 / tg128 · partial prefix cache hit
//	Batch           tg TPS   Speedup        pp TPS    pp TPS/req    TTFT(ms)      E2E(s)
//	2x         410.5 tok/s     1.26x  3500.0 tok/s  1750.0 tok/s       585.1       1.210
//
// The throughput is that of prompt and answer together. Rates of a batch are those of all its requests. The row "1x"
// repeats the result of the single request.
type omlxText struct {
	draft.Draft
	model, engine draft.Setting
	batch         []draft.Setting // settings of the table of batches
	head          string
	single        bool // results of single requests were read
	gap           int
}

const (
	omlxModel    = "Benchmark Model: "
	omlxBatching = "Continuous Batching"
	omlxSingle   = "Test TTFT(ms) TPOT(ms) pp TPS tg TPS E2E(s) Throughput Peak Mem"
	omlxBatches  = "Batch tg TPS Speedup pp TPS pp TPS/req TTFT(ms) E2E(s)"
)

var omlxMarks = []string{omlxModel}

// omlxColumns lists the figures of the rows after their first cell, by the header.
var omlxColumns = map[string][]draft.Member{
	omlxSingle: {{Key: "TTFT(ms)", Name: "ttft_mean", Unit: "ms"}, {Key: "TPOT(ms)", Name: "tpot_mean", Unit: "ms"},
		{Key: "pp TPS", Name: "prefill_throughput", Unit: "tok/s"}, {Key: "tg TPS", Name: "decode_throughput", Unit: "tok/s"},
		{Key: "E2E(s)", Name: "e2el_mean", Unit: "s"}, {Key: "Throughput", Name: "total_throughput", Unit: "tok/s"},
		{Key: "Peak Mem", Name: "memory_used_max", Unit: "GB"}},
	omlxBatches: {{Key: "tg TPS", Name: "decode_throughput", Unit: "tok/s"}, {}, {Key: "pp TPS", Name: "prefill_throughput", Unit: "tok/s"},
		{Key: "pp TPS/req", Name: "x_pp_req_throughput", Unit: "tok/s"}, {Key: "TTFT(ms)", Name: "ttft_mean", Unit: "ms"},
		{Key: "E2E(s)", Name: "e2el_mean", Unit: "s"}},
}

const omlxGap = 12 // lines that may lie between the lines of a result

func newOMLXText() draft.LineReader { return &omlxText{} }

func (t *omlxText) Begin(in *draft.File) { *t = omlxText{Draft: t.Emptied(in)} }

func (t *omlxText) End() {}

func (t *omlxText) Line(l scan.Line) bool {
	text := strings.TrimSpace(string(l.Text))
	if model, ok := strings.CutPrefix(text, omlxModel); ok && l.Ended {
		t.model, t.engine, t.head, t.single, t.gap = draft.NewSetting("model_raw", model, l.Number), draft.Setting{}, "", false, 0
		return true
	}
	if t.model.Value == "" {
		return false
	}
	words := strings.Fields(text)
	head := strings.Join(words, " ")
	title, prompts, batching := strings.Cut(text, " — ")
	lengths, cache, _ := strings.Cut(text, " · ")
	t.gap++
	switch {
	case omlxColumns[head] != nil:
		t.head = head
	case batching && title == omlxBatching:
		t.head, t.batch = "", []draft.Setting{draft.NewSetting("x_prompts", prompts, l.Number)}
	case len(t.batch) == 1 && t.lengths(strings.ReplaceAll(lengths, " ", ""), l.Number):
		t.batch = append(t.batch, draft.NewSetting("x_cache", cache, l.Number))
	case strings.HasPrefix(text, "Engine: ") && t.head == "":
		t.engine = draft.NewSetting("x_engine_setting", strings.TrimPrefix(text, "Engine: "), l.Number)
	case t.head != "" && l.Ended && t.row(words, l.Number):
	case t.gap > omlxGap:
		t.model = draft.Setting{}
		return false
	default:
		return true
	}
	t.gap = 0
	return true
}

// lengths records the lengths of prompts and answers in a batch: "pp1024/tg128".
func (t *omlxText) lengths(test string, line int) bool {
	prompt, answer, ok := strings.Cut(test, "/tg")
	prompt, named := strings.CutPrefix(prompt, "pp")
	if !ok || !named || !isCount([]byte(prompt)) || !isCount([]byte(answer)) {
		return false
	}
	t.batch = append(t.batch, draft.NewSetting("input_len", prompt, line), draft.NewSetting("output_len", answer, line))
	return true
}

// row reads a row: a test, or a batch.
func (t *omlxText) row(words []string, line int) bool {
	if single := t.head == omlxSingle; len(words) < 2 || single && words[len(words)-1] != "GB" {
		return false
	}
	cells := slices.DeleteFunc(words[1:], func(word string) bool { return word == "tok/s" || word == "GB" })
	columns := omlxColumns[t.head]
	if len(cells) != len(columns) {
		return false
	}
	t.Reset(t.In, "omlx", "omlx-text", line)
	if t.head == omlxSingle {
		t.batch = t.batch[:0]
		if !t.lengths(words[0], line) {
			return false
		}
		t.SetText("max_concurrency", "1", line)
		t.single = true
	} else {
		batch, times := strings.CutSuffix(words[0], "x")
		if !times || !isCount([]byte(batch)) || batch == "1" && t.single {
			return times
		}
		t.SetText("max_concurrency", batch, line)
	}
	for i, c := range columns {
		if c.Name != "" {
			t.Number(c.Name, c.Unit, c.Key, []byte(cells[i]), line)
		}
	}
	for _, s := range append([]draft.Setting{t.model, t.engine}, t.batch...) {
		t.SetText(s.Label, s.Value, s.Line)
	}
	t.Imply("engine", "omlx", line)
	if t.HasKnown() {
		t.Emit(line, true)
	}
	return true
}
