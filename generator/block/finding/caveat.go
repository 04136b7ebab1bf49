package finding

import (
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// limits reports what the data cannot show.
func (c *conclusions) limits() {
	for _, diff := range audit.Differences(c.Runs, []string{c.Rows, c.Load}) {
		if c.reported[diff.Setting] {
			continue // its effect is reported
		}
		var rs []*result.Result
		for _, v := range diff.Values[1:] {
			rs = append(rs, v.Runs...)
		}
		c.limit("unlike", builder.Difference(c.Selection, diff, []string{c.Rows, c.Load}), rs)
	}
	c.doubtedFirstTokens()
	if sets := dataset.RepeatSets(c.Runs); len(sets) > 1 && slices.Max(sets) == len(sets)-1 { // no run has a repeat
		c.limit("single", locale.T("finding.single", builder.Plain(c.Selection.Thresholds().Noise)), nil)
	}
	c.fewSamples()
	if len(c.Selection.Values(c.Runs, "quantization")) > 1 && !slices.ContainsFunc(c.Selection.Results, func(r *result.Result) bool { _, ok := r.Metric("quality"); return ok }) {
		c.limit("quality", locale.T("finding.quality"), nil)
	}
	c.unjudged()
}

// doubtedFirstTokens counts, for each load, the runs whose first token came faster than the prompt can be computed.
func (c *conclusions) doubtedFirstTokens() {
	for _, load := range c.Loads {
		n := 0
		var touched []*result.Result
		var found builder.Rulings
		for _, r := range dataset.WithLabel(c.Runs, c.Load, load) {
			if _, ok := r.Metric("ttft_mean"); !ok {
				continue
			}
			n++
			for i := range r.Checks {
				if ck := &r.Checks[i]; ck.ID == "physics.compute-roofline" && ck.Waived == "" {
					found.Add(ck)
					touched = append(touched, r)
				}
			}
		}
		if len(touched) > 0 {
			text := locale.T("finding.first-token", len(touched), n, builder.Shares(found[0].Low, found[0].Top))
			if len(touched) == n && n > 1 {
				text = locale.T("finding.first-token-all", n, builder.Shares(found[0].Low, found[0].Top))
			}
			c.limit("first-token", c.within(load, text), touched)
		}
	}
}

// fewSamples reports the loads at which percentiles rest on too few requests.
func (c *conclusions) fewSamples() {
	var touched []*result.Result
	var at []locale.Text
	fewest := math.MaxInt
	for _, load := range c.Loads {
		before := len(touched)
		for _, r := range dataset.WithLabel(c.Runs, c.Load, load) {
			if have, need := audit.Samples(r, "ttft_p99"); have < need {
				if _, ok := r.Metric("ttft_p99"); ok {
					touched = append(touched, r)
					fewest = min(fewest, have)
				}
			}
		}
		if len(touched) > before && load != "" {
			at = append(at, c.LoadName(load))
		}
	}
	switch {
	case len(touched) == 0:
	case fewest == 1 && (len(at) == 0 || len(at) == len(c.Loads)):
		c.limit("samples", locale.T("finding.samples-one"), touched)
	case fewest == 1:
		c.limit("samples", locale.T("finding.samples-one-at", locale.List(at...)), touched)
	case len(at) == 0 || len(at) == len(c.Loads):
		c.limit("samples", locale.T("finding.samples", fewest), touched)
	default:
		c.limit("samples", locale.T("finding.samples-at", fewest, locale.List(at...)), touched)
	}
}

// unjudged reports how many runs could not be compared with the memory roofline.
func (c *conclusions) unjudged() {
	var touched []*result.Result
	for _, r := range c.Runs {
		if slices.ContainsFunc(audit.Judge(r).Unjudged, func(ck result.Check) bool { return ck.ID == "physics.memory-roofline" }) {
			touched = append(touched, r)
		}
	}
	switch {
	case len(touched) == 0:
	case len(touched) == len(c.Runs) && len(touched) > 1:
		c.limit("unjudged", locale.T("finding.unjudged-all", len(touched)), touched)
	default:
		c.limit("unjudged", locale.T("finding.unjudged", len(touched), len(c.Runs)), touched)
	}
}
