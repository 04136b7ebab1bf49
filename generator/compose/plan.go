package compose

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// How much a post shows.
const (
	mostStudies    = 6   // with a part of their own
	mostRaw        = 40  // runs whose output is shown
	mostLines      = 120 // of such an output
	mostModels     = 3   // that are named one by one
	mostInSentence = 12  // tools or settings
	mostLoads      = 4   // beside each other
	fewestSteps    = 3   // of a sweep
	mostSeries     = 12  // lines or groups of marks in a chart
	mostBars       = 24  // rows of a chart
	mostSpots      = 400 // points in a chart

	mostAlternatives = 12 // values of a label in a selector
)

// plan is what a post says, in no language but that of the titles of charts.
type plan struct {
	data     *dataset.Selection // with every difference of settings accepted
	printer  locale.Printer
	runs     []*result.Result // that the post is about
	studies  []*study
	left     []*study        // those that have no part of their own
	machines []*study        // of the same on several machines
	differs  map[string]bool // settings in which runs differ that a block compares
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

	flat  []slice          // what variants are compared in
	ramps map[string]slice // by label: what a sweep is drawn of
}

// matcher is a condition of a selector.
type matcher struct{ label, op, value string }

// modelLabels follow from the model: that runs differ in them divides no study.
var modelLabels = []string{"model", "model_raw", "quantization", "base_model", "weight_size", "params", "active_params", "tokenizer", "date", "task", "compute_peak", "compute_type"}

// machineLabels follow from the machine.
var machineLabels = []string{"gpu", "device", "device_count", "memory", "memory_bandwidth", "compute_peak", "compute_type", "price_per_hour", "price_date", "os"}

// variants are the labels by whose values runs may be compared, the most telling first.
var variants = slices.Concat([]string{"model", "quantization"}, condition.Machine, []string{"image", "flash_attention", "speculative_decoding", "prefix_caching", "backend", "device", "gpu", "section", "tool"})

// newPlan divides the runs into studies.
func newPlan(d *dataset.Selection, printer locale.Printer) *plan {
	p := &plan{data: d.Accepting(audit.Settings()), printer: printer, runs: d.Results, differs: map[string]bool{}}
	if len(p.runs) == 0 {
		p.runs = d.Auxiliary // selected by their tool
	}
	for _, part := range p.parts() {
		p.studies = append(p.studies, p.newStudy(part, variants))
	}
	if len(p.studies) > mostStudies {
		slices.SortStableFunc(p.studies, func(a, b *study) int { return cmp.Compare(len(b.runs), len(a.runs)) })
		p.left = append(p.left, p.studies[mostStudies:]...)
		p.studies = p.studies[:mostStudies]
	}
	matched := p.matched()
	for _, part := range matched {
		s := p.newStudy(part, []string{"hardware"})
		s.title = locale.T("compose.machines")
		if len(matched) > 1 {
			s.title = locale.Join(" · ", s.title, locale.LabelValue("tool", part[0].Tool))
		}
		p.machines = append(p.machines, s)
	}
	p.entitle()
	return p
}

// parts divides the runs by what they measure, by machine and by their conditions:
// campaigns are one part where they agree in everything but the model.
func (p *plan) parts() [][]*result.Result {
	var out [][]*result.Result
	byKey := map[string]int{}
	campaigns := p.data.Groups(p.runs, []string{"campaign"})
	some := len(p.data.Values(p.runs, "hardware")) > 0
	for _, g := range campaigns {
		for _, runs := range p.byMachine(g.Runs) {
			key := kindOf(runs[0]) + "\x00" + conditions(runs)
			if some && runs[0].Label("hardware") == "" {
				key += g.Values[0] // on which machine, nobody knows: not those that others name, perhaps
			}
			if at, ok := byKey[key]; ok {
				out[at] = append(out[at], runs...)
				continue
			}
			byKey[key] = len(out)
			out = append(out, runs)
		}
	}
	if len(out) > mostStudies && len(campaigns) > mostStudies { // folders are no campaigns here
		out = p.byMachine(p.runs)
	}
	for _, runs := range out {
		slices.SortFunc(runs, result.Compare)
	}
	return out
}

// byMachine divides runs by their tools' kinds and, where several models were measured, by
// machine, in the order of appearance: one model on several machines says what these do.
func (p *plan) byMachine(rs []*result.Result) [][]*result.Result {
	var out [][]*result.Result
	for _, of := range divided(rs, kindOf) {
		if len(p.data.Values(of, "model")) < 2 {
			out = append(out, of)
			continue
		}
		out = append(out, divided(of, func(r *result.Result) string { return r.Label("hardware") })...)
	}
	return out
}

// divided divides runs by a key, in the order of appearance.
func divided(rs []*result.Result, key func(*result.Result) string) [][]*result.Result {
	var out [][]*result.Result
	at := map[string]int{}
	for _, r := range rs {
		i, ok := at[key(r)]
		if !ok {
			i = len(out)
			at[key(r)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// kindOf is the tool of a run: results of two tools are compared by nobody's wish but the
// author's.
func kindOf(r *result.Result) string { return r.Tool }

// matched returns, for each tool, the runs of what was measured alike on several machines, the
// only ones that say how these compare.
func (p *plan) matched() [][]*result.Result {
	var out [][]*result.Result
	for _, of := range divided(dataset.Having(p.runs, "hardware"), kindOf) {
		if len(p.data.Values(of, "hardware")) < 2 || len(p.data.Values(of, "model")) < 2 {
			continue
		}
		if pairs := condition.Paired(p.data, of, "hardware"); len(pairs) > 0 {
			slices.SortFunc(pairs, result.Compare)
			out = append(out, pairs)
		}
	}
	return out
}

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

// newStudy finds what varies in runs. Variants are the labels by whose values they may be
// compared, the most telling first.
func (p *plan) newStudy(runs []*result.Result, variants []string) *study {
	s := &study{plan: p, runs: runs}
	s.matchers = p.selecting(runs)
	if sel, err := result.ParseSelector(where(s.matchers)); err == nil && s.matchers != nil {
		s.runs = p.data.Matching(sel) // just those, where a selector can say so
		runs = s.runs
	}
	s.variant = s.varies(variants)
	if s.variant == "" {
		s.variant = s.telling()
	}
	if s.variant == "" {
		s.variant = s.known([]string{"model", "quantization", "hardware", "engine"})
	}
	for _, label := range []string{"load", "scenario"} {
		if n := len(p.data.Values(runs, label)); n > 0 && n <= mostLoads && s.loads == "" {
			s.loads = label
		}
	}
	for _, label := range condition.Swept {
		if label != s.variant && !audit.Explains(s.loads, label) && s.steps(runs, label) >= fewestSteps {
			s.sweeps = append(s.sweeps, label)
		}
	}
	s.flat = s.findPlanes()
	s.ramps = map[string]slice{}
	for _, over := range s.sweeps {
		if of, ok := s.findRamp(over); ok {
			s.ramps[over] = of
		}
	}
	return s
}

// entitle gives each study a title that no other has: the first labels that part them, as the
// campaign, the machine or the tool. A study that is the only one has none.
func (p *plan) entitle() {
	all := slices.Concat(p.studies, p.left)
	if len(all) < 2 {
		return
	}
	keys := make([]string, len(all))
	words := make([][]locale.Text, len(all))
	groups := 1
	machines := len(p.data.Values(p.runs, "hardware")) > 1
	for _, label := range slices.Concat([]string{"campaign", "hardware", "tool", "model"}, audit.Settings()) {
		finer := slices.Clone(keys)
		seen := map[string]bool{}
		for i, s := range all {
			finer[i] += strings.Join(p.data.Values(s.runs, label), "\x00") + "\x01"
			seen[finer[i]] = true
		}
		if len(seen) == groups && !(machines && label == "hardware") {
			continue
		}
		keys, groups = finer, len(seen)
		for i, s := range all {
			if word := p.several(label, s.runs); !word.IsZero() && !said(words[i], word) {
				words[i] = append(words[i], word)
			}
		}
	}
	seen := map[string]int{}
	for i, s := range all {
		if len(words[i]) == 0 {
			words[i] = []locale.Text{locale.LabelValue("tool", s.runs[0].Tool)}
		}
		s.title = locale.Join(" · ", words[i]...)
		name := locale.English(s.title)
		if seen[name]++; seen[name] > 1 {
			s.title = locale.Join(" · ", s.title, locale.Lit(strconv.Itoa(seen[name])))
		}
	}
}

// said reports whether words say what another does: the campaign rtx3090ti its machine.
func said(words []locale.Text, word locale.Text) bool {
	plain := func(t locale.Text) string {
		return strings.Map(func(c rune) rune {
			if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
				return -1
			}
			return unicode.ToLower(c)
		}, locale.English(t))
	}
	return slices.ContainsFunc(words, func(t locale.Text) bool { return strings.Contains(plain(t), plain(word)) })
}

// several names the values that runs have of a label; it is zero where there are none, or many.
func (p *plan) several(label string, runs []*result.Result) locale.Text {
	values := p.data.Values(runs, label)
	if len(values) == 0 || len(values) > mostModels {
		return locale.Text{}
	}
	var names []locale.Text
	for _, v := range values {
		names = append(names, p.data.Title(label, v))
	}
	if name := locale.List(names...); slices.Contains(speaking, label) {
		return name
	} else {
		return locale.T("finding.held", locale.LabelName(label), name)
	}
}

// selecting returns conditions that select just these runs of the plan, nil where the
// post has no others.
func (p *plan) selecting(runs []*result.Result) []matcher {
	if len(runs) == len(p.data.Results) {
		return nil
	}
	oneOf := func(label string) []matcher {
		values := p.data.Values(runs, label)
		switch {
		case len(dataset.Having(runs, label)) == 0:
			return []matcher{{label, "=", ""}}
		case len(dataset.Having(runs, label)) < len(runs) || len(values) > mostAlternatives:
			return nil
		case len(values) == 1:
			return []matcher{{label, "=", values[0]}}
		}
		quoted := make([]string, len(values))
		for i, v := range values {
			quoted[i] = regexp.QuoteMeta(v)
		}
		return []matcher{{label, "=~", strings.Join(quoted, "|")}}
	}
	tool := []matcher{{"tool", "=", runs[0].Tool}}
	in, on := oneOf("campaign"), oneOf("hardware")
	attempts := [][]matcher{tool, in, slices.Concat(in, tool), on, slices.Concat(on, tool), slices.Concat(in, on), slices.Concat(in, on, tool)}
	for _, ms := range attempts {
		if sel, err := result.ParseSelector(where(ms)); err == nil && ms != nil && len(p.data.Matching(sel)) == len(runs) {
			return ms
		}
	}
	ms := attempts[len(attempts)-1]
	for _, label := range slices.Concat([]string{"model"}, audit.Settings()) { // what was measured alike on several machines
		if more := oneOf(label); more != nil && more[0].value != "" && !slices.ContainsFunc(ms, func(m matcher) bool { return m.label == label }) {
			ms = append(slices.Clone(ms), more...)
		}
		if sel, err := result.ParseSelector(where(ms)); err == nil && len(p.data.Matching(sel)) == len(runs) {
			break
		}
	}
	return ms
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

// telling returns the first label by which runs are told apart that are compared by none of the
// usual ones, "" for none: how they were configured, as somebody calls it.
func (s *study) telling() string {
	if len(dataset.ByMeasure(s.runs)) > 1 {
		return ""
	}
	for _, label := range dataset.Apart(s.runs) {
		if label != "id" && label != "campaign" && label != "load" && label != "scenario" && !slices.Contains(audit.Settings(), label) && !slices.Contains(condition.Swept, label) &&
			len(dataset.Having(s.runs, label)) == len(s.runs) {
			return label
		}
	}
	return ""
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
