package quality

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// lmEvalTable reads the table that lm-eval prints at the end,
//
//	hf (pretrained=m), gen_kwargs: (None), limit: None, num_fewshot: None, batch_size: 1
//	|Tasks|Version|     Filter     |n-shot|  Metric   |   |Value |   |Stderr|
//	|gsm8k|      3|flexible-extract|     5|exact_match|↑  |0.9272|±  |0.0072|
//	|     |       |strict-match    |     5|exact_match|↑  |0.6293|±  |0.0133|
//
// and the older tables without arrow, filter or shots. Only the first row of a task has its name. Members of a group
// are indented (" - humanities"). The table of groups, which follows, repeats rows of the first table. A terminal or a
// page may wrap the line above, even inside a word. Scripts that log the table print a log prefix before its header.
//
// Some versions print ↑ for every metric, so the arrow does not change the direction of a metric for which lower is
// known to be better.
//
// Source: lm_eval/utils.py, make_table; lm_eval/__main__.py.
var lmEvalMarks = []string{"|Version|", "| Version ", "|Stderr", "| Stderr", "pretrained=", "base_url=", "(model=", "num_fewshot: ",
	"lm_eval --", "lm-eval --", `lm_eval \`, `lm-eval \`, "lm_eval run ", "lm-eval run "}

type lmEvalTable struct {
	draft.Draft
	columns       scan.Columns
	value         int // column of the value; the arrow is before it
	task, version string
	group         string          // the latest row that is not a member of a group
	groups        bool            // this is the table of groups
	rows          map[string]bool // rows of the table of tasks, as written
	before        string          // lines with the settings, joined
	beforeLine    int
	gap           int
	commands      draft.Commands
	made, first   int // number of results without a command yet, and the line of the first one
}

func newLMEvalTable() draft.LineReader {
	return &lmEvalTable{rows: map[string]bool{}, commands: newLMEvalCommands()}
}

func (t *lmEvalTable) Begin(in *draft.File) {
	t.In, t.columns, t.before, t.gap, t.made = in, nil, "", 0, 0
	t.commands.Begin(in)
	clear(t.rows)
}

func (t *lmEvalTable) End() {
	t.finish()
	t.commands.Settle()
}

// finish assigns the results since the last call to their command.
func (t *lmEvalTable) finish() {
	if t.made > 0 {
		t.commands.Made(t.made, t.first)
		t.made = 0
	}
}

func (t *lmEvalTable) Line(l scan.Line) bool {
	if t.commands.Continued() || draft.CommandFlags(l.Text, LMEvalCommands) >= 0 {
		t.finish()
		t.columns, t.before = nil, ""
		clear(t.rows)
		t.commands.Line(l.Text, l.Number)
		return t.commands.Continued()
	}
	cells, ok := scan.Pipes(nil, unlogged(l.Text))
	switch {
	case !ok:
		return t.between(l)
	case scan.IsDivider(cells):
		return t.columns != nil
	}
	if scan.AreColumns(cells, "version", "metric", "value", "stderr") {
		t.header(t.In.Columns(cells), cells)
		return true
	}
	if t.columns == nil {
		return false
	}
	t.gap = 0
	if l.Ended || strings.HasSuffix(strings.TrimSpace(string(l.Text)), "|") {
		t.row(cells, l)
	}
	return true
}

// unlogged removes a log prefix from the header of a table.
func unlogged(text []byte) []byte {
	if i := bytes.IndexByte(text, '|'); i > 0 && bytes.Contains(text, []byte("|Version|")) {
		return text[i:]
	}
	return text
}

// between reads a line that is not part of a table, such as the settings above the next table.
func (t *lmEvalTable) between(l scan.Line) bool {
	const nearby = 4 // maximum number of lines from the settings to the table, and between tables
	t.columns = nil
	if t.before == "" && bytes.Contains(l.Text, []byte("Namespace(")) { // another tool's arguments
		return false
	}
	text := strings.TrimRight(string(l.Text), " \r")
	if strings.Contains(text, "pretrained=") || strings.Contains(text, "base_url=") || strings.Contains(text, "(model=") ||
		strings.Contains(text, "num_fewshot: ") && t.before == "" {
		t.before, t.beforeLine, t.gap = "", l.Number, 0
		t.finish()
		clear(t.rows)
	}
	if t.gap++; t.gap > nearby {
		t.finish()
		t.before = ""
		clear(t.rows)
		return false
	}
	if l.Number < t.beforeLine+nearby && text != "" && !strings.Contains(t.before, "batch_size:") {
		t.before += text
	}
	return true
}

func (t *lmEvalTable) header(c scan.Columns, cells []string) {
	_, t.groups = c["groups"]
	t.columns, t.value, t.task, t.version, t.group, t.gap = c, c["value"], "", "", "", 0
}

func (t *lmEvalTable) row(cells []string, l scan.Line) {
	name := cells[0] // Tasks, Task or Groups: the first column, whatever its name
	if name != "" {
		t.task, t.version = strings.TrimLeft(name, "- "), t.columns.Cell(cells, "version")
		if !strings.HasPrefix(name, "-") {
			t.group = t.task
		}
	}
	metric, score := t.columns.Cell(cells, "metric"), t.columns.Cell(cells, "value")
	key := strings.Join([]string{t.task, t.columns.Cell(cells, "filter"), metric, score}, "|")
	if t.task == "" || metric == "" || t.groups && t.rows[key] {
		return
	}
	t.rows[key] = true
	t.Reset(t.In, "lm-eval", "lm-eval-md", l.Number)
	if !t.Number("quality", "", metric, []byte(score), l.Number) || len(t.Metrics) == 0 {
		return
	}
	if stderr := t.columns.Cell(cells, "stderr"); stderr != "" {
		t.Number("quality_stderr", "", metric+" Stderr", []byte(stderr), l.Number)
	}
	t.Change(&t.Metrics[0], func(k *result.Kind) { k.Better = t.direction(cells, metric) })
	t.SetText("task", t.task, l.Number)
	if strings.HasPrefix(name, "-") || name == "" && t.group != t.task {
		t.SetText("x_group", t.group, l.Number)
	}
	t.SetText("quality_metric", metric, l.Number)
	if i, ok := t.columns["filter"]; ok && i < len(cells) && cells[i] != "" {
		t.SetLabel("filter", []byte(cells[i]), l.Number) // "none" is the name of a filter
	}
	t.SetText("fewshot", t.columns.Cell(cells, "n-shot"), l.Number)
	t.SetText("x_task_version", t.version, l.Number)
	t.settings()
	if t.made == 0 {
		t.first = l.Number
	}
	t.Emit(l.Number, true)
	t.made++
}

// direction returns the direction of the arrow, unless the metric is known to have the other one.
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

// settings reads the line above the tables.
func (t *lmEvalTable) settings() {
	text := t.before
	if !strings.Contains(text, "batch_size:") {
		return
	}
	at := t.beforeLine
	backend, rest, ok := strings.Cut(text, " (")
	if ok {
		if i := strings.LastIndexByte(backend, ' '); i >= 0 { // a log prefix
			backend = backend[i+1:]
		}
		t.SetText("backend", backend, at)
		args, after, _ := strings.Cut(rest, "), gen_kwargs")
		for pair := range strings.SplitSeq(args, ",") {
			if key, value, ok := strings.Cut(pair, "="); ok {
				lmEvalArg(&t.Draft, strings.TrimSpace(key), strings.TrimSpace(value), at)
			}
		}
		t.ImplyEngine(backend, at)
		text = after
	}
	for _, w := range [...][2]string{{"limit:", "x_limit"}, {"num_fewshot:", "fewshot"}, {"batch_size:", "batch_size"}} {
		_, after, found := strings.Cut(text, w[0])
		value, _, _ := strings.Cut(strings.TrimSpace(after), ",")
		if value = strings.TrimSpace(value); found && t.Label(w[1]) == "" {
			t.SetText(w[1], value, at)
		}
	}
	if t.Label("x_limit") != "" {
		t.Imply("x_limited", "true", at)
	}
}
