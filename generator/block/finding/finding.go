// Package finding states in sentences what a set of runs shows. Each rule proposes what a reader of the plain figures
// would conclude. A claim that a check forbids is withheld with the reason. What the data cannot show is a limit.
package finding

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// Spec holds the keys of the block findings.
type Spec struct {
	Where    string
	Title    string
	Rows     string            // label of the variants; default: model
	Load     string            // label of the loads; default: load, or scenario if the runs have no load
	Judge    map[string]string // load → deciding metric; default: TPOT for a single stream, else output throughput
	Baseline string            // selector of the variant that others are compared with
	Factors  []string          // settings whose effect is reported; default: those of factors that vary
	Metrics  []string          // metrics of effects; default: output_throughput, ttft_mean and tpot_mean
	Most     int               // maximum number of claims; 0 means 8
}

// factors lists the settings whose effect is reported by default if the runs vary in them.
var factors = []string{"power_mode", "clocks", "engine", "engine_version", "hardware", "accelerators", "parallelism", "prefix_caching", "speculative_decoding", "batch_size"}

// Find states what the selected runs show. Each rule proposes what a reader of the plain figures would conclude. A
// claim is withheld with the reason if a check of severity error concerns its figures, and mentions the doubt if a
// warning does. The claims are ranked by the size of the effect and by how reliable it is.
func Find(d *dataset.Selection, s Spec) (*report.Findings, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Rows == "" {
		s.Rows = "model"
	}
	for _, label := range []string{"load", "scenario"} {
		if s.Load == "" && len(d.Values(rs, label)) > 0 {
			s.Load = label
		}
	}
	if len(s.Metrics) == 0 {
		s.Metrics = []string{"output_throughput", "ttft_mean", "tpot_mean"}
	}
	for _, name := range append([]string{s.Rows, s.Load}, s.Factors...) {
		if _, label := dataset.Known(rs, name); name != "" && !label {
			return nil, dataset.Unknown(rs, name)
		}
	}
	for _, name := range s.Metrics {
		if metric, _ := dataset.Known(rs, name); !metric {
			return nil, dataset.About("metrics", dataset.Unknown(rs, name))
		}
		if err := dataset.OneUnit(rs, name); err != nil {
			return nil, dataset.About("metrics", err)
		}
	}
	measured := rs
	if s.Load != "" {
		measured = dataset.Having(rs, s.Load)
	}
	f, err := d.Lay(measured, s.Rows, s.Load, s.Baseline, s.Judge)
	if err != nil {
		return nil, err
	}
	c := &conclusions{Field: f, reported: map[string]bool{}, least: stats.Alpha, tests: map[string]float64{}}
	varying := s.Factors
	if varying == nil {
		for _, label := range factors {
			if label != s.Rows && label != s.Load && len(d.Values(measured, label)) > 1 {
				varying = append(varying, label)
			}
		}
	}
	mixed := f.Mixed()
	if mixed != nil && len(varying) == 0 {
		return nil, mixed
	}
	conclude := func() {
		c.claims, c.withheld = nil, nil
		c.excluded()
		if mixed == nil {
			c.compareVariants()
		}
		c.effects(varying, s.Metrics)
	}
	conclude()
	if c.adjust() {
		conclude()
	}
	c.limits()

	slices.SortStableFunc(c.withheld, func(a, b report.Finding) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	out := &report.Findings{Title: locale.Lit(s.Title), Withheld: c.withheld, Limits: c.unsaid}
	slices.SortStableFunc(c.claims, func(a, b claim) int {
		if a.tier != others || b.tier != others { // warnings and leaders keep the order of variants and loads
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

// conclusions collects the findings about a field.
type conclusions struct {
	*dataset.Field
	claims   []claim
	withheld []report.Finding
	unsaid   []report.Finding
	reported map[string]bool // settings whose effect was examined

	least float64            // p-values must be below it to show a difference
	tests map[string]float64 // p-value of each tested pair
}

// alike reports whether two figures cannot be told apart, and records the test.
func (c *conclusions) alike(a, b dataset.Figure) bool {
	if test := stats.Compare(a.Values, b.Values, c.Selection.Thresholds().Noise); test.Tested() {
		names, _ := dataset.IDs(a, b)
		c.tests[a.Metric.Name+"\x00"+strings.Join(names, "\x00")] = test.P
		if test.P >= c.least {
			return true
		}
	}
	return c.Selection.Alike(a, b)
}

// adjust lowers the limit for p-values by the number of tested pairs, so that at most one in twenty reported
// differences is false (Benjamini and Hochberg). It reports whether the limit changed.
func (c *conclusions) adjust() bool {
	var ps []float64
	for _, key := range slices.Sorted(maps.Keys(c.tests)) {
		ps = append(ps, c.tests[key])
	}
	before := c.least
	for i, p := range stats.Adjusted(ps) {
		if p >= stats.Alpha {
			c.least = min(c.least, ps[i])
		}
	}
	return c.least < before
}

// claim is a finding with its rank.
type claim struct {
	report.Finding
	tier   int // claims of a lower tier come first
	weight float64
}

const (
	warned = iota // must not be overlooked
	headed        // who leads
	others
)

// reliable returns the weight of a figure with n repeats. From four repeats on, which can be tested against each other,
// it is 1.
func reliable(n int) float64 {
	if n >= 4 {
		return 1
	}
	return 0.7
}

// claim adds a sentence and the figures it rests on. It withholds the claim if a check excludes a figure, or if the
// runs are of different models.
func (c *conclusions) claim(tier int, rule string, effect float64, text locale.Text, fs ...dataset.Figure) {
	runs, n := dataset.IDs(fs...)
	f := report.Finding{Rule: rule, Text: locale.Outside(text), Runs: runs, N: n, Effect: effect}
	if reason := builder.Broken(fs); !reason.IsZero() {
		f.Reason = locale.T("finding.because", reason)
		c.withheld = append(c.withheld, f)
		return
	}
	if !condition.OneModel(runsOf(fs), c.Rows, c.Load) {
		f.Reason = locale.T("finding.because", locale.T("finding.models"))
		c.withheld = append(c.withheld, f)
		return
	}
	if most := mostRepeats(fs); most > 1 && rule != "indistinct" {
		text := strconv.Itoa(n)
		if n < most {
			text += "–" + strconv.Itoa(most)
		}
		f.Text = locale.Sentences(f.Text, locale.T("finding.n", text))
	}
	weight := math.Abs(effect) * reliable(n)
	if doubt := builder.InDoubt(fs); !doubt.IsZero() {
		f.Text = locale.Sentences(f.Text, doubt)
		weight /= 2
	}
	if reason := builder.Waived(fs); reason != "" {
		f.Text = locale.Sentences(f.Text, locale.T("finding.waived", reason))
	}
	c.claims = append(c.claims, claim{f, tier, weight})
}

// runsOf returns the runs that figures rest on.
func runsOf(fs []dataset.Figure) []*result.Result {
	var rs []*result.Result
	for _, f := range fs {
		rs = append(rs, f.Runs...)
	}
	return rs
}

// mostRepeats returns the largest number of runs behind one of some figures.
func mostRepeats(fs []dataset.Figure) int {
	most := 0
	for _, f := range fs {
		most = max(most, len(f.Runs))
	}
	return most
}

// limit adds a statement about what the data cannot show.
func (c *conclusions) limit(rule string, text locale.Text, rs []*result.Result) {
	f := report.Finding{Rule: rule, Text: text}
	for _, r := range rs {
		f.Runs = append(f.Runs, r.ID)
	}
	slices.SortFunc(f.Runs, result.NaturalCompare)
	c.unsaid = append(c.unsaid, f)
}
