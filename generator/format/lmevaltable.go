package format

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// lmEvalTable reads the table that lm-eval prints at the end,
//
//	hf (pretrained=m), gen_kwargs: (None), limit: None, num_fewshot: None, batch_size: 1
//	|Tasks|Version|     Filter     |n-shot|  Metric   |   |Value |   |Stderr|
//	|gsm8k|      3|flexible-extract|     5|exact_match|↑  |0.9272|±  |0.0072|
//	|     |       |strict-match    |     5|exact_match|↑  |0.6293|±  |0.0133|
//
// and the older ones without arrow, filter or shots. A task is named in its first
// row alone. Members of a group are indented (" - humanities"), and the table of
// groups, which follows, repeats rows of the first. The line above may be wrapped
// where a terminal or a page ends, even in a word. Scripts that log the table have
// a log's prefix before its header.
//
// Some versions print ↑ whatever the metric, so that one which all count down is
// not turned by it.
//
// Source: lm_eval/utils.py, make_table; lm_eval/__main__.py.
var lmEvalMarks = []string{"|Version|", "| Version ", "|Stderr", "| Stderr", "pretrained=", "base_url=", "(model=", "num_fewshot: "}

type lmEvalTable struct {
	sheet
	columns       columns
	value         int // column of the value; the arrow stands before it
	task, version string
	group         string          // the row that those after it are members of
	groups        bool            // this is the table of groups
	rows          map[string]bool // of the table of tasks, as written
	before        string          // lines of the settings, joined
	beforeLine    int
	gap           int
}

func newLMEvalTable() lineReader { return &lmEvalTable{rows: map[string]bool{}} }

func (t *lmEvalTable) begin(in *input) {
	t.in, t.columns, t.before, t.gap = in, nil, "", 0
	clear(t.rows)
}
func (t *lmEvalTable) end() {}

func (t *lmEvalTable) line(l line) bool {
	cells, ok := pipes(nil, unlogged(l.text))
	switch {
	case !ok:
		return t.between(l)
	case isDivider(cells):
		return t.columns != nil
	}
	if header := newColumns(cells); header.has("version", "metric", "value", "stderr") {
		t.header(header, cells)
		return true
	}
	if t.columns == nil {
		return false
	}
	t.gap = 0
	if l.ended || strings.HasSuffix(strings.TrimSpace(string(l.text)), "|") {
		t.row(cells, l)
	}
	return true
}

// unlogged takes a log's prefix off the header of a table.
func unlogged(text []byte) []byte {
	if i := bytes.IndexByte(text, '|'); i > 0 && bytes.Contains(text, []byte("|Version|")) {
		return text[i:]
	}
	return text
}

// between reads a line that is none of a table: the settings above the next.
func (t *lmEvalTable) between(l line) bool {
	const nearby = 4 // lines from the settings to the table, and between tables
	t.columns = nil
	if t.before == "" && bytes.Contains(l.text, []byte("Namespace(")) { // another tool's arguments
		return false
	}
	text := strings.TrimRight(string(l.text), " \r")
	if strings.Contains(text, "pretrained=") || strings.Contains(text, "base_url=") || strings.Contains(text, "(model=") ||
		strings.Contains(text, "num_fewshot: ") && t.before == "" {
		t.before, t.beforeLine, t.gap = "", l.number, 0
		clear(t.rows)
	}
	if t.gap++; t.gap > nearby {
		t.before = ""
		clear(t.rows)
		return false
	}
	if l.number < t.beforeLine+nearby && text != "" && !strings.Contains(t.before, "batch_size:") {
		t.before += text
	}
	return true
}

func (t *lmEvalTable) header(c columns, cells []string) {
	_, t.groups = c["groups"]
	t.columns, t.value, t.task, t.version, t.group, t.gap = c, c["value"], "", "", "", 0
}

func (t *lmEvalTable) row(cells []string, l line) {
	name := cells[0] // Tasks, Task, Groups: the first column under any name
	if name != "" {
		t.task, t.version = strings.TrimLeft(name, "- "), t.columns.cell(cells, "version")
		if !strings.HasPrefix(name, "-") {
			t.group = t.task
		}
	}
	metric, score := t.columns.cell(cells, "metric"), t.columns.cell(cells, "value")
	key := strings.Join([]string{t.task, t.columns.cell(cells, "filter"), metric, score}, "|")
	if t.task == "" || metric == "" || t.groups && t.rows[key] {
		return
	}
	t.rows[key] = true
	t.reset(t.in, "lm-eval", "lm-eval-md", l.number)
	if !t.number("quality", "", metric, []byte(score), l.number) || len(t.metrics) == 0 {
		return
	}
	if stderr := t.columns.cell(cells, "stderr"); stderr != "" {
		t.number("quality_stderr", "", metric+" Stderr", []byte(stderr), l.number)
	}
	t.metrics[0].Better = t.direction(cells, metric)
	t.said("task", t.task, l.number)
	if strings.HasPrefix(name, "-") || name == "" && t.group != t.task {
		t.said("x_group", t.group, l.number)
	}
	t.said("quality_metric", metric, l.number)
	if i, ok := t.columns["filter"]; ok && i < len(cells) && cells[i] != "" {
		t.label("filter", []byte(cells[i]), l.number) // "none" is the name of one
	}
	t.said("fewshot", t.columns.cell(cells, "n-shot"), l.number)
	t.said("x_task_version", t.version, l.number)
	t.settings()
	t.hand(l.number, true)
}

// direction is that of the arrow, unless the metric says otherwise.
func (t *lmEvalTable) direction(cells []string, metric string) result.Better {
	own, arrow := betterQuality(metric, nil), ""
	if t.value > 0 && t.value-1 < len(cells) {
		arrow = cells[t.value-1]
	}
	switch {
	case arrow == "↓":
		return result.Lower
	case arrow == "↑" && own != result.Lower:
		return result.Higher
	}
	return own
}

// settings notes what the line above the tables says.
func (t *lmEvalTable) settings() {
	text := t.before
	if !strings.Contains(text, "batch_size:") {
		return
	}
	at := t.beforeLine
	backend, rest, ok := strings.Cut(text, " (")
	if ok {
		if i := strings.LastIndexByte(backend, ' '); i >= 0 { // a log's prefix
			backend = backend[i+1:]
		}
		t.said("x_backend", backend, at)
		args, after, _ := strings.Cut(rest, "), gen_kwargs")
		for pair := range strings.SplitSeq(args, ",") {
			if key, value, ok := strings.Cut(pair, "="); ok {
				t.lmEvalArg(strings.TrimSpace(key), strings.TrimSpace(value), at)
			}
		}
		t.lmEvalEngine(backend, at)
		text = after
	}
	for _, w := range [...][2]string{{"limit:", "x_limit"}, {"num_fewshot:", "fewshot"}, {"batch_size:", "batch_size"}} {
		_, after, found := strings.Cut(text, w[0])
		value, _, _ := strings.Cut(strings.TrimSpace(after), ",")
		if value = strings.TrimSpace(value); found && t.labelText(w[1]) == "" {
			t.said(w[1], value, at)
		}
	}
	if t.labelText("x_limit") != "" {
		t.imply("x_limited", "true", at)
	}
}
