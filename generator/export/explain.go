package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

// mostValues and mostRuns limit the values of a label and the runs that an explanation lists.
const (
	mostValues = 8
	mostRuns   = 12
)

// Explanation writes for the terminal which runs a selector picks, and why it picks no others. If all is true,
// it lists all runs.
func Explanation(w io.Writer, e *dataset.Explanation, all bool) error {
	b := bufio.NewWriter(w)
	x := explanation{b, mostRuns}
	if all {
		x.most = max(len(e.Picked), len(e.Auxiliary), len(e.Unfinished))
	}
	x.line("%s picks %d of %s", e.Selector, len(e.Picked), result.Count(e.Of, "run"))
	x.runs(e.Picked, func(r *result.Result) string { return r.Source.String() })
	if len(e.Differ) > 0 {
		x.line("\nThe picked runs differ in")
		for _, d := range e.Differ {
			x.line("  %s: %s", d.Label, valued(d.Values))
		}
	} else if len(e.Picked) > 1 {
		x.line("\nNo label tells the picked runs apart: they are repeats.")
	}
	if len(e.Conditions) > 0 {
		x.line("\nConditions")
	}
	for _, c := range e.Conditions {
		x.condition(&c, e.Of)
	}
	x.group("Picked, but without "+e.Selector.Metric, e.Lacking, func(r *result.Result) string { return "it has " + strings.Join(metricNames(r), ", ") })
	x.group("Picked, but excluded by a check: shown struck through, part of no conclusion", e.Excluded, dataset.Verdicts)
	x.group("Not picked, though all conditions are met: auxiliary runs; name phase to pick them", e.Auxiliary, dataset.Reason)
	if len(e.Unfinished) > 0 {
		x.line("\nWithout a result yet")
	}
	for i, u := range e.Unfinished {
		if i == x.most {
			x.line("  and %d more", len(e.Unfinished)-i)
			break
		}
		x.line("  %s: %s", u.Source, locale.English(u.State()))
	}
	if e.Problem != nil && !e.Problem.Hint.IsZero() {
		x.line("\nhint: %s", locale.English(e.Problem.Hint))
	}
	return b.Flush()
}

type explanation struct {
	w    io.Writer
	most int
}

// line writes a line with control characters made visible.
func (x explanation) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if rest, apart := strings.CutPrefix(text, "\n"); apart {
		text = rest
		_, _ = io.WriteString(x.w, "\n")
	}
	_, _ = io.WriteString(x.w, visible.Line(text)+"\n")
}

// runs writes results with a remark for each, in two columns.
func (x explanation) runs(rs []*result.Result, of func(*result.Result) string) {
	width := 0
	for _, r := range rs[:min(len(rs), x.most)] {
		width = max(width, locale.Width(visible.Line(r.ID)))
	}
	for i, r := range rs {
		if i == x.most {
			x.line("  and %d more", len(rs)-i)
			return
		}
		x.line("  %s%s  %s", r.ID, strings.Repeat(" ", width-locale.Width(visible.Line(r.ID))), of(r))
	}
}

func (x explanation) group(title string, rs []*result.Result, of func(*result.Result) string) {
	if len(rs) > 0 {
		x.line("\n%s", title)
		x.runs(rs, of)
	}
}

// condition writes how many runs a condition excludes, and which values these have.
func (x explanation) condition(c *dataset.Condition, of int) {
	switch {
	case c.Meet == 0 && len(c.Values) == 1 && c.Values[0].Value == "":
		x.line("  %s  no run has a label %s", c.Text, c.Label)
	case c.Meet == 0:
		near := ""
		if c.Near != "" {
			near = "; did you mean " + c.Label + "=" + result.Quote(c.Near) + "?"
		}
		x.line("  %s  no run meets it%s", c.Text, near)
		x.line("      %s is %s", c.Label, valued(c.Values))
	case c.Only == 0:
		x.line("  %s  %d of %s meet it; it alone leaves out none", c.Text, c.Meet, result.Count(of, "run"))
	default:
		x.line("  %s  %d of %s meet it; it alone leaves out %d more:", c.Text, c.Meet, result.Count(of, "run"), c.Only)
		x.line("      %s is %s", c.Label, valued(c.Values))
	}
}

// valued lists values with their numbers of runs: 8 (2 runs), 16 (1 run).
func valued(vs []dataset.Valued) string {
	var parts []string
	for i, v := range vs {
		if i == mostValues {
			parts = append(parts, fmt.Sprintf("%d more", len(vs)-i))
			break
		}
		value := v.Value
		if value == "" {
			value = "absent"
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", value, result.Count(v.Runs, "run")))
	}
	return strings.Join(parts, ", ")
}

func metricNames(r *result.Result) []string {
	var names []string
	for i := range r.Metrics {
		if len(names) == mostValues {
			names = append(names, fmt.Sprintf("%d more", len(r.Metrics)-i))
			break
		}
		names = append(names, r.Metrics[i].Name)
	}
	return names
}

// ExplanationSchema names the format of ExplanationJSON.
const ExplanationSchema = "benchpost.selection/1"

// ExplanationJSON writes what [Explanation] writes, as JSON.
func ExplanationJSON(w io.Writer, e *dataset.Explanation) error {
	type (
		run struct {
			ID     string `json:"id"`
			File   string `json:"file"`
			Line   int    `json:"line"`
			Reason string `json:"reason,omitempty"`
		}
		value struct {
			Value string `json:"value"`
			Runs  int    `json:"runs"`
		}
		condition struct {
			Condition string  `json:"condition"`
			Label     string  `json:"label"`
			Meet      int     `json:"meet"`
			Only      int     `json:"leaves_out_alone"`
			Values    []value `json:"values"`
			Near      string  `json:"near,omitempty"`
		}
		difference struct {
			Label  string  `json:"label"`
			Values []value `json:"values"`
		}
	)
	runs := func(rs []*result.Result, reason func(*result.Result) string) []run {
		out := []run{}
		for _, r := range rs {
			one := run{ID: r.ID, File: r.Source.File, Line: r.Source.Line}
			if reason != nil {
				one.Reason = reason(r)
			}
			out = append(out, one)
		}
		return out
	}
	values := func(vs []dataset.Valued) []value {
		out := []value{}
		for _, v := range vs {
			out = append(out, value{v.Value, v.Runs})
		}
		return out
	}
	out := struct {
		Schema     string       `json:"schema"`
		Selector   string       `json:"selector"`
		Of         int          `json:"of"`
		Picked     []run        `json:"picked"`
		Differ     []difference `json:"differ"`
		Conditions []condition  `json:"conditions"`
		Lacking    []run        `json:"without_metric"`
		Excluded   []run        `json:"excluded"`
		Auxiliary  []run        `json:"auxiliary"`
		Unfinished []run        `json:"unfinished"`
		Hint       string       `json:"hint,omitempty"`
	}{ExplanationSchema, e.Selector.String(), e.Of, runs(e.Picked, nil), []difference{}, []condition{}, runs(e.Lacking, nil),
		runs(e.Excluded, dataset.Verdicts), runs(e.Auxiliary, dataset.Reason), []run{}, ""}
	for _, d := range e.Differ {
		out.Differ = append(out.Differ, difference{d.Label, values(d.Values)})
	}
	for _, c := range e.Conditions {
		out.Conditions = append(out.Conditions, condition{c.Text, c.Label, c.Meet, c.Only, values(c.Values), c.Near})
	}
	for _, u := range e.Unfinished {
		out.Unfinished = append(out.Unfinished, run{u.ID, u.Source.File, u.Source.Line, locale.English(u.State())})
	}
	if e.Problem != nil {
		out.Hint = locale.English(e.Problem.Hint)
	}
	j := json.NewEncoder(w)
	j.SetEscapeHTML(false)
	j.SetIndent("", "  ")
	return j.Encode(out)
}
