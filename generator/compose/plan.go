package compose

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// How much a post shows.
const (
	mostStudies = 6   // with a part of their own
	mostRaw     = 40  // runs whose output is shown
	mostLines   = 120 // of such an output
	mostModels  = 3   // that are named one by one
	mostLoads   = 4   // beside each other
	fewestSteps = 3   // of a sweep
	mostSeries  = 12  // lines or groups of marks in a chart
	mostBars    = 24  // rows of a chart
)

// plan is what a post says, in no language but that of the titles of charts.
type plan struct {
	data    *dataset.Selection // with every difference of settings accepted
	printer locale.Printer
	runs    []*result.Result // that the post is about
	studies []*study
	left    []dataset.Group // campaigns that have no part of their own
	differs map[string]bool // settings in which runs differ that a block compares
}

// study is runs that can be compared.
type study struct {
	*plan
	title    locale.Text // zero where it is the only one
	matchers []matcher   // what selects it within the post
	runs     []*result.Result

	variant string   // label of what is compared
	loads   string   // label of a few conditions beside each other; "" for none
	sweeps  []string // labels of numbers with steps, the most telling first

	flat  slice            // what variants are compared in; without runs where there is none
	ramps map[string]slice // by label: what a sweep is drawn of
}

// matcher is a condition of a selector.
type matcher struct{ label, op, value string }

// modelLabels follow from the model: that runs differ in them divides no study.
var modelLabels = []string{"model", "model_raw", "quantization", "base_model", "weight_size", "params", "active_params", "tokenizer", "date", "task"}

// variants are the labels by whose values runs may be compared, the most telling first.
var variants = slices.Concat([]string{"model", "quantization"}, view.ViewSettings[:7], []string{"image", "flash_attention", "speculative_decoding", "prefix_caching", "backend", "device", "gpu", "tool"})

// swept are the labels of numbers that are often varied in steps.
var swept = []string{"max_concurrency", "request_rate", "batch_size", "context_depth", "input_len", "output_len", "accelerators", "num_prompts", "threads", "gpu_layers"}

// newPlan divides the runs into studies.
func newPlan(d *dataset.Selection, printer locale.Printer) *plan {
	p := &plan{data: d.Accepting(audit.Settings()), printer: printer, runs: d.Results, differs: map[string]bool{}}
	if len(p.runs) == 0 {
		p.runs = d.Auxiliary // selected by their tool
	}
	for _, part := range p.parts() {
		p.studies = append(p.studies, p.newStudy(part))
	}
	if len(p.studies) > mostStudies {
		slices.SortStableFunc(p.studies, func(a, b *study) int { return cmp.Compare(len(b.runs), len(a.runs)) })
		for _, s := range p.studies[mostStudies:] {
			p.left = append(p.left, d.Groups(s.runs, []string{"campaign"})...)
		}
		p.studies = p.studies[:mostStudies]
	}
	if len(p.studies) == 1 {
		p.studies[0].title = locale.Text{}
	}
	return p
}

// parts divides the runs by what they measure and by their conditions: campaigns are one
// part where they agree in everything but the model.
func (p *plan) parts() [][]*result.Result {
	var out [][]*result.Result
	byKey := map[string]int{}
	campaigns := p.data.Groups(p.runs, []string{"campaign"})
	for _, g := range campaigns {
		for _, runs := range byTool(g.Runs) {
			key := kindOf(runs[0]) + "\x00" + conditions(runs)
			if at, ok := byKey[key]; ok {
				out[at] = append(out[at], runs...)
				continue
			}
			byKey[key] = len(out)
			out = append(out, runs)
		}
	}
	if len(out) > mostStudies && len(campaigns) > mostStudies { // folders are no campaigns here
		var merged [][]*result.Result
		for _, runs := range out {
			at := slices.IndexFunc(merged, func(of []*result.Result) bool { return kindOf(of[0]) == kindOf(runs[0]) })
			if at < 0 {
				merged = append(merged, runs)
			} else {
				merged[at] = append(merged[at], runs...)
			}
		}
		out = merged
	}
	for _, runs := range out {
		slices.SortFunc(runs, result.Compare)
	}
	return out
}

// byTool divides runs by their tools' kinds, in the order of appearance.
func byTool(rs []*result.Result) [][]*result.Result {
	var out [][]*result.Result
	for _, r := range rs {
		at := slices.IndexFunc(out, func(of []*result.Result) bool { return kindOf(of[0]) == kindOf(r) })
		if at < 0 {
			out = append(out, nil)
			at = len(out) - 1
		}
		out[at] = append(out[at], r)
	}
	return out
}

// kindOf is the tool of a run: results of two tools are compared by nobody's wish but the
// author's.
func kindOf(r *result.Result) string { return r.Tool }

// conditions are what the runs of a campaign have in common and in what they differ, but
// for what follows from the model.
func conditions(rs []*result.Result) string {
	var key strings.Builder
	for _, name := range audit.Settings() {
		if slices.Contains(modelLabels, name) || name == "num_prompts" || name == audit.AnswerLength {
			continue
		}
		switch values := dataset.LabelValues(rs, name); {
		case len(values) > 1:
			key.WriteString(name + " varies\x00")
		default:
			key.WriteString(name + "=" + strings.Join(values, "") + "\x00")
		}
	}
	return key.String()
}

// newStudy finds what varies in runs.
func (p *plan) newStudy(runs []*result.Result) *study {
	s := &study{plan: p, runs: runs}
	campaigns := p.data.Values(runs, "campaign")
	var titles []locale.Text
	for _, c := range campaigns[:min(len(campaigns), mostModels)] {
		titles = append(titles, p.data.Title("campaign", c))
	}
	if len(campaigns) > mostModels || len(campaigns) == 0 {
		titles = []locale.Text{locale.LabelValue("tool", runs[0].Tool)}
	}
	s.title = locale.List(titles...)
	s.matchers = p.selecting(runs, campaigns)
	s.variant = s.varies(variants)
	if s.variant == "" {
		s.variant = s.known([]string{"model", "quantization", "hardware", "engine"})
	}
	for _, label := range []string{"load", "scenario"} {
		if n := len(p.data.Values(runs, label)); n > 0 && n <= mostLoads && s.loads == "" {
			s.loads = label
		}
	}
	for _, label := range swept {
		if label != s.variant && !audit.Explains(s.loads, label) && s.steps(runs, label) >= fewestSteps {
			s.sweeps = append(s.sweeps, label)
		}
	}
	if of, ok := s.findPlane(); ok {
		s.flat = of
	}
	s.ramps = map[string]slice{}
	for _, over := range s.sweeps {
		if of, ok := s.findRamp(over); ok {
			s.ramps[over] = of
		}
	}
	return s
}

// selecting returns conditions that select just these runs of the plan, nil where the
// post has no others.
func (p *plan) selecting(runs []*result.Result, campaigns []string) []matcher {
	quoted := make([]string, len(campaigns))
	for i, c := range campaigns {
		quoted[i] = regexp.QuoteMeta(c)
	}
	tool := matcher{"tool", "=", runs[0].Tool}
	attempts := [][]matcher{{tool}}
	if len(campaigns) == 1 {
		attempts = [][]matcher{{{"campaign", "=", campaigns[0]}}, {tool}, {{"campaign", "=", campaigns[0]}, tool}}
	} else if len(campaigns) > 1 {
		in := matcher{"campaign", "=~", strings.Join(quoted, "|")}
		attempts = [][]matcher{{tool}, {in}, {in, tool}}
	}
	if len(runs) == len(p.data.Results) {
		return nil
	}
	for _, ms := range attempts {
		if sel, err := result.ParseSelector(where(ms)); err == nil && len(p.data.Matching(sel)) == len(runs) {
			return ms
		}
	}
	return attempts[len(attempts)-1]
}

// varies returns the first label with several values, "" for none.
func (s *study) varies(labels []string) string {
	i := slices.IndexFunc(labels, func(label string) bool { return len(s.data.Values(s.runs, label)) > 1 })
	if i < 0 {
		return ""
	}
	return labels[i]
}

// known returns the first label that a run has, else the tool.
func (s *study) known(labels []string) string {
	i := slices.IndexFunc(labels, func(label string) bool { return len(s.data.Values(s.runs, label)) > 0 })
	if i < 0 {
		return "tool"
	}
	return labels[i]
}

// steps counts the numbers that a label has.
func (s *study) steps(runs []*result.Result, label string) int {
	n := 0
	for _, v := range s.data.Values(runs, label) {
		if _, err := strconv.ParseFloat(v, 64); err == nil && v != "inf" {
			n++
		}
	}
	return n
}

// add returns conditions with one more; a label that has one keeps it.
func add(ms []matcher, label, value string) []matcher {
	if slices.ContainsFunc(ms, func(m matcher) bool { return m.label == label && m.op == "=" }) {
		return ms
	}
	return append(slices.Clone(ms), matcher{label, "=", value})
}

// everything selects all runs of the post: those that only count when they are asked for,
// too, where there are no others.
func (p *plan) everything() []matcher {
	if len(p.data.Results) > 0 {
		return nil
	}
	return []matcher{{"phase", "=~", ".*"}}
}

// where is the selector of conditions, "" for none.
func where(ms []matcher) string {
	if len(ms) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range ms {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(m.label + m.op + result.Quote(m.value))
	}
	b.WriteByte('}')
	return b.String()
}

// try evaluates a block; ok is false where the runs do not give it.
func (p *plan) try(b blockOf) (report.Block, bool) {
	shown, ms := block.Evaluate(p.data, b.kind, []byte(b.body()), result.Position{})
	for _, m := range ms {
		if m.Severity == result.Error {
			return shown, false
		}
	}
	return shown, true
}

// value evaluates an inline value; ok is false where it is none.
func (p *plan) value(expr string) (report.Inline, bool) {
	if strings.ContainsAny(expr, "`\n") {
		return report.Inline{}, false
	}
	in, err := inline.Evaluate(p.data, expr, p.printer)
	return in, err == nil
}

// compares notes in which settings runs differ that are laid out over labels.
func (p *plan) compares(runs []*result.Result, laid ...string) {
	for _, diff := range audit.Differences(runs, laid) {
		p.differs[diff.Setting] = true
	}
}
