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

// Limits of what a post shows.
const (
	mostStudies    = 6   // studies with a section of their own
	mostRaw        = 40  // runs whose output is shown
	mostLines      = 120 // lines of such an output
	mostModels     = 3   // models that are named individually
	mostInSentence = 12  // tools or settings in a sentence
	mostLoads      = 4   // loads side by side
	fewestSteps    = 3   // steps of a sweep
	mostSeries     = 12  // lines or groups of marks in a chart
	mostBars       = 24  // rows of a chart
	mostSpots      = 400 // points in a chart

	mostAlternatives = 12 // values of a label in a selector
)

// plan is the content of a post. Only titles of charts depend on the language.
type plan struct {
	data     *dataset.Selection // with all differences of settings accepted
	printer  locale.Printer
	runs     []*result.Result // the runs of the post
	studies  []*study
	left     []*study        // studies without a section of their own
	machines []*study        // the same measurements on several machines
	differs  map[string]bool // settings that differ among runs that a block compares
}

// study is a set of runs that can be compared.
type study struct {
	*plan
	title    locale.Text // zero for the only study
	matchers []matcher   // select the study within the post
	runs     []*result.Result

	variant string   // label whose values are compared
	loads   string   // label of a few conditions, shown side by side; "" if there is none
	sweeps  []string // numeric labels with several steps, the most informative first

	flat  []slice          // slices in which variants are compared
	ramps map[string]slice // by label: the slice of its sweep
}

// matcher is a condition of a selector.
type matcher struct{ label, op, value string }

// modelLabels depend on the model, so runs that differ in them can be in one study.
var modelLabels = []string{"model", "model_raw", "quantization", "base_model", "weight_size", "params", "active_params", "tokenizer", "date", "task", "compute_peak", "compute_type"}

// machineLabels depend on the machine.
var machineLabels = []string{"gpu", "device", "device_count", "memory", "memory_bandwidth", "compute_peak", "compute_type", "price_per_hour", "price_date", "os"}

// variants lists the labels whose values may be compared, the most informative first.
var variants = slices.Concat([]string{"model", "quantization"}, condition.Machine, []string{"image", "flash_attention", "speculative_decoding", "prefix_caching", "backend", "device", "gpu", "section", "tool"})

// newPlan divides the runs into studies.
func newPlan(d *dataset.Selection, printer locale.Printer) *plan {
	p := &plan{data: d.Accepting(audit.Settings()), printer: printer, runs: d.Results, differs: map[string]bool{}}
	if len(p.runs) == 0 {
		p.runs = d.Auxiliary // there are no others
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

// parts divides the runs by what they measure, by machine and by their conditions. Campaigns that agree in
// everything except the model are one part.
func (p *plan) parts() [][]*result.Result {
	var out [][]*result.Result
	byKey := map[string]int{}
	campaigns := p.data.Groups(p.runs, []string{"campaign"})
	some := len(p.data.Values(p.runs, "hardware")) > 0
	for _, g := range campaigns {
		for _, runs := range p.byMachine(g.Runs) {
			key := kindOf(runs[0]) + "\x00" + conditions(runs)
			if some && runs[0].Label("hardware") == "" {
				key += g.Values[0] // the machine is unknown, so the run may not belong with those that name one
			}
			if at, ok := byKey[key]; ok {
				out[at] = append(out[at], runs...)
				continue
			}
			byKey[key] = len(out)
			out = append(out, runs)
		}
	}
	if len(out) > mostStudies && len(campaigns) > mostStudies { // too many folders: they are not campaigns here
		out = p.byMachine(p.runs)
	}
	for _, runs := range out {
		slices.SortFunc(runs, result.Compare)
	}
	return out
}

// byMachine divides runs by tool and, if several models were measured, by machine, in the order of appearance.
// Runs of one model on several machines stay together, because they compare the machines.
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

// divided groups runs by a key, in the order of appearance.
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

// kindOf returns the tool of a run. Results of different tools are compared only if the author asks for it.
func kindOf(r *result.Result) string { return r.Tool }

// matched returns, for each tool, the runs that were measured under the same conditions on several machines.
// Only such runs can compare machines.
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

// conditions returns a key of the settings that the runs of a campaign share and of those that vary. It omits
// labels that depend on the model.
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

// newStudy determines what varies among the runs. variants lists the labels whose values may be compared, the
// most informative first.
func (p *plan) newStudy(runs []*result.Result, variants []string) *study {
	s := &study{plan: p, runs: runs}
	s.matchers = p.selecting(runs)
	if sel, err := result.ParseSelector(where(s.matchers)); err == nil && s.matchers != nil {
		s.runs = p.data.Matching(sel) // exactly these runs, if a selector can select them
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

// entitle gives each study a unique title from the first labels that distinguish it, such as the campaign, the
// machine or the tool. A single study has no title.
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

// said reports whether one of words already contains a word, as a campaign rtx3090ti contains its machine.
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

// several names the values that runs have for a label. It is zero if there are none, or too many.
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

// selecting returns conditions that select exactly these runs of the plan if possible, nil if these are all
// runs.
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
	for _, label := range slices.Concat([]string{"model"}, audit.Settings()) { // runs with the same measurements on several machines
		if more := oneOf(label); more != nil && more[0].value != "" && !slices.ContainsFunc(ms, func(m matcher) bool { return m.label == label }) {
			ms = append(slices.Clone(ms), more...)
		}
		if sel, err := result.ParseSelector(where(ms)); err == nil && len(p.data.Matching(sel)) == len(runs) {
			break
		}
	}
	return ms
}

// varies returns the first label that has several values, "" if there is none.
func (s *study) varies(labels []string) string {
	i := slices.IndexFunc(labels, func(label string) bool { return len(s.data.Values(s.runs, label)) > 1 })
	if i < 0 {
		return ""
	}
	return labels[i]
}

// known returns the first label that has a value, or else "tool".
func (s *study) known(labels []string) string {
	i := slices.IndexFunc(labels, func(label string) bool { return len(s.data.Values(s.runs, label)) > 0 })
	if i < 0 {
		return "tool"
	}
	return labels[i]
}

// telling returns the first label that distinguishes the runs when none of the usual variants does, for example
// a configuration under a name of the author's. It returns "" if there is none.
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

// steps returns the number of numeric values of a label.
func (s *study) steps(runs []*result.Result, label string) int {
	n := 0
	for _, v := range s.data.Values(runs, label) {
		if _, err := strconv.ParseFloat(v, 64); err == nil && v != "inf" {
			n++
		}
	}
	return n
}

// add adds a condition. If the label already has one, it is kept instead.
func add(ms []matcher, label, value string) []matcher {
	if slices.ContainsFunc(ms, func(m matcher) bool { return m.label == label && m.op == "=" }) {
		return ms
	}
	return append(slices.Clone(ms), matcher{label, "=", value})
}

// everything returns conditions that select all runs of the post. If there are only auxiliary runs, these must
// be selected explicitly.
func (p *plan) everything() []matcher {
	if len(p.data.Results) > 0 {
		return nil
	}
	return []matcher{{"phase", "=~", ".*"}}
}

// where returns the selector of conditions, "" if there are none.
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

// try evaluates a block. ok is false if the runs do not support it.
func (p *plan) try(b blockOf) (report.Block, bool) {
	shown, ms := block.Evaluate(p.data, b.kind, []byte(b.body()), result.Position{})
	for _, m := range ms {
		if m.Severity == result.Error {
			return shown, false
		}
	}
	return shown, true
}

// value evaluates an inline value. ok is false if it is invalid.
func (p *plan) value(expr string) (report.Inline, bool) {
	if strings.ContainsAny(expr, "`\n") {
		return report.Inline{}, false
	}
	in, err := inline.Evaluate(p.data, expr, p.printer)
	return in, err == nil
}

// compares records the settings in which runs differ that are compared over some labels.
func (p *plan) compares(runs []*result.Result, laid ...string) {
	for _, diff := range audit.Differences(runs, laid) {
		p.differs[diff.Setting] = true
	}
}
