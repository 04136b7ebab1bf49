package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Findings is what a set of runs shows, in sentences.
type Findings struct {
	Title    locale.Text // may be empty
	Claims   []Finding   // the most telling first
	Withheld []Finding   // what the figures say and the checks forbid to claim
	Limits   []Finding   // what the data cannot say
}

// Finding is one claim: a sentence and the runs it rests on.
type Finding struct {
	Rule   string      // the rule that made it, as "leader"
	Text   locale.Text // one or two sentences
	Reason locale.Text // of a withheld one: why it is not claimed; of an answer: what else was considered
	Runs   []string    // ids of the results it rests on, in order
	N      int         // the fewest repeats any of its figures rests on
	Effect float64     // size of what is claimed, as the logarithm of a ratio; 0 when it is none
}

type findingsSpec struct {
	Where    string
	Title    string
	Rows     string            // label of the variants; model when empty
	Load     string            // label of the loads; load, or scenario when the runs have none
	Judge    map[string]string // load → metric that decides there; when absent TPOT of a single stream, else output throughput
	Baseline string            // selector of the variant the others are compared with
	Factors  []string          // settings whose effect is told; those that vary when empty
	Metrics  []string          // of effects; output_throughput, ttft_mean and tpot_mean when empty
	Most     int               // claims at the most; 8 when 0
}

// factors are the settings whose effect is told when the runs vary in them.
var factors = []string{"power_mode", "clocks", "engine", "engine_version", "hardware", "accelerators", "parallelism", "prefix_caching", "speculative_decoding", "batch_size"}

// findings says what the selected runs show. Each rule below proposes what a
// reader of the plain figures would conclude; a claim that a check of severity
// error touches is withheld with the reason, one that a warning touches says
// so. The rest is ranked by the size of the effect and by how well it is
// established.
func (d *Data) findings(s findingsSpec) (*Findings, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Rows == "" {
		s.Rows = "model"
	}
	for _, label := range []string{"load", "scenario"} {
		if s.Load == "" && len(d.values(rs, label)) > 0 {
			s.Load = label
		}
	}
	if len(s.Metrics) == 0 {
		s.Metrics = []string{"output_throughput", "ttft_mean", "tpot_mean"}
	}
	for _, name := range append([]string{s.Rows, s.Load}, s.Factors...) {
		if _, label := known(rs, name); name != "" && !label {
			return nil, unknownName(rs, name)
		}
	}
	for _, name := range s.Metrics {
		if metric, _ := known(rs, name); !metric {
			return nil, about("metrics", unknownName(rs, name))
		}
	}
	measured := rs
	if s.Load != "" {
		measured = having(rs, s.Load)
	}
	f, err := d.lay(measured, s.Rows, s.Load, s.Baseline, s.Judge)
	if err != nil {
		return nil, err
	}
	c := &conclusions{field: f, told: map[string]bool{}}
	c.aside()
	varying := s.Factors
	if varying == nil {
		for _, label := range factors {
			if label != s.Rows && label != s.Load && len(d.values(measured, label)) > 1 {
				varying = append(varying, label)
			}
		}
	}
	if f.mixed() == nil {
		c.compareVariants()
	} else if len(varying) == 0 {
		return nil, f.mixed()
	}
	c.effects(varying, s.Metrics)
	c.limits()

	slices.SortStableFunc(c.withheld, func(a, b Finding) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	out := &Findings{Title: locale.Lit(s.Title), Withheld: c.withheld, Limits: c.unsaid}
	slices.SortStableFunc(c.claims, func(a, b claim) int {
		if a.tier != others || b.tier != others { // these keep the order of variants and loads
			return cmp.Compare(a.tier, b.tier)
		}
		return cmp.Compare(b.weight, a.weight)
	})
	most := cmp.Or(s.Most, 8)
	for _, cl := range c.claims[:min(most, len(c.claims))] {
		out.Claims = append(out.Claims, cl.Finding)
	}
	return out, nil
}

// conclusions gathers what is found in a field.
type conclusions struct {
	*field
	claims   []claim
	withheld []Finding
	unsaid   []Finding
	told     map[string]bool // settings whose effect was looked at in runs that differ in it
}

// claim is a finding on its way to its place among the others.
type claim struct {
	Finding
	tier   int // what cannot be left out comes before what is interesting
	weight float64
}

const (
	warned = iota // what must not be overlooked
	headed        // who leads
	others
)

// reliable weighs how well a figure is established: repeats that were tested
// against each other count in full.
func reliable(n int) float64 {
	if n >= 4 {
		return 1
	}
	return 0.7
}

// claim takes a sentence and the figures it rests on.
func (c *conclusions) claim(tier int, rule string, effect float64, text locale.Text, fs ...figure) {
	runs, n := ids(fs...)
	f := Finding{Rule: rule, Text: text, Runs: runs, N: n, Effect: effect}
	if reason := broken(fs); !reason.IsZero() {
		f.Reason = locale.T("finding.because", reason)
		c.withheld = append(c.withheld, f)
		return
	}
	weight := math.Abs(effect) * reliable(n)
	if doubt := inDoubt(fs); !doubt.IsZero() {
		f.Text = locale.Sentences(f.Text, doubt)
		weight /= 2
	}
	if reason := waived(fs); reason != "" {
		f.Text = locale.Sentences(f.Text, locale.T("finding.waived", reason))
	}
	c.claims = append(c.claims, claim{f, tier, weight})
}

// limit says what the data cannot tell.
func (c *conclusions) limit(rule string, text locale.Text, rs []*result.Result) {
	f := Finding{Rule: rule, Text: text}
	for _, r := range rs {
		f.Runs = append(f.Runs, r.ID)
	}
	slices.SortFunc(f.Runs, result.NaturalCompare)
	c.unsaid = append(c.unsaid, f)
}

// broken says which check of severity error stands against figures, nothing
// when none does.
func broken(fs []figure) locale.Text {
	return reasons(fs, result.Error)
}

// inDoubt says as a sentence which warnings concern figures.
func inDoubt(fs []figure) locale.Text {
	if r := reasons(fs, result.Warning); !r.IsZero() {
		return locale.T("finding.doubt", r)
	}
	return locale.Text{}
}

// waived gives the site's reason not to heed an error that stands against one
// of some figures.
func waived(fs []figure) string {
	for _, f := range fs {
		for _, r := range f.runs {
			for i := range r.Checks {
				if ck := &r.Checks[i]; ck.Severity == result.Error && ck.Waived != "" {
					return ck.Waived
				}
			}
		}
	}
	return ""
}

// reasons sums up what checks of a severity find about figures: errors about
// all of a run, warnings about the metric.
func reasons(fs []figure, severity result.Severity) locale.Text {
	var found rulings
	for _, f := range fs {
		for _, r := range f.runs {
			for i := range r.Checks {
				ck := &r.Checks[i]
				if ck.Severity == severity && ck.Waived == "" && (severity == result.Error || ck.Concerns(f.metric.Name)) {
					found.add(ck)
				}
			}
		}
	}
	var said []locale.Text
	for _, r := range found {
		said = append(said, r.words("reason."+r.check.ID))
	}
	switch n := len(said) - 3; {
	case len(said) == 0:
		return locale.Text{}
	case n > 1:
		return locale.T("differ.many", locale.List(said[:3]...), n)
	}
	return locale.List(said...)
}

// SetAside says of runs that checks set aside, which may stand among others,
// why they are.
func SetAside(rs []*result.Result) locale.Text {
	return locale.T("report.set-aside", reasons([]figure{{runs: rs}}, result.Error))
}
