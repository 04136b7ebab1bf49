package site

import (
	"cmp"
	"fmt"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// Selection returns what the blocks of a site's posts select from: the runs of a dataset after Complete, without
// earlier runs from git.
func Selection(c *config.Config, set *rundir.Dataset) *dataset.Selection {
	d := dataOf(c, pointers(set.Results), nil, nil, new(terms))
	for i := range set.Unfinished {
		d.Unfinished = append(d.Unfinished, &set.Unfinished[i])
	}
	return d
}

// terms caches what follows from the terms of results (dataset.SameTerms), from one reading to the next.
type terms struct {
	units    dataset.Units
	results  []*result.Result // of the last reading
	machines judge.Machines
	places   *dataset.Places           // of what is compared
	styles   map[string]map[string]int // nil until known
	hardware []page.Hardware           // nil until known
}

// update drops what does not follow from these results.
func (t *terms) update(results []*result.Result) {
	if t.machines == nil || !dataset.SameTerms(t.results, results) {
		t.machines, t.places, t.styles, t.hardware = judge.MachinesOf(results), new(dataset.Places), nil, nil
	}
	t.results = results
}

// dataOf returns what reports select from. fresh are the results that are new since the last call, sweeps the plans
// found below the runs, and kept the cache of what follows from the terms of the results.
func dataOf(c *config.Config, results, fresh []*result.Result, sweeps []dataset.Plan, kept *terms) *dataset.Selection {
	titles, order := c.Labels()
	links := map[string]string{}
	for _, m := range c.Model {
		if m.URL != "" {
			links[m.ID] = m.URL
		}
	}
	when := map[string][]dataset.Setting{}
	for _, l := range c.Load {
		when["load"] = append(when["load"], dataset.Setting{Value: l.Name, When: l.Condition})
	}
	for _, s := range c.Scenario {
		when["scenario"] = append(when["scenario"], dataset.Setting{Value: s.Name, When: s.Condition})
	}
	var plans []dataset.Plan
	for i := range c.Plan {
		plans = append(plans, planOf(&c.Plan[i]))
	}
	plans = append(plans, sweeps...)
	limits := map[string]string{}
	for name, most := range c.SLO {
		limits[name] = fmt.Sprint(most)
	}
	usual := dataset.DefaultRules
	rules := dataset.Rules{
		Noise:   cmp.Or(c.Thresholds.Noise, usual.Noise),
		Outlier: cmp.Or(c.Thresholds.Outlier, usual.Outlier),
		Limit:   cmp.Or(c.Thresholds.Limit, usual.Limit),
	}
	counted, auxiliary := counts(results)
	data := &dataset.Selection{
		Site:    dataset.Site{Titles: titles, Order: order, Links: links, When: when, Limits: limits, Rules: rules, Plans: plans},
		Results: kept.units.Uniform(counted, fresh), Auxiliary: auxiliary,
	}
	data.Placed(kept.places)
	if kept.styles == nil {
		kept.styles = data.StylesOf("model", "quantization", "engine", "hardware")
	}
	data.Styles = kept.styles
	return data
}

// counts splits results into those that count as measurements and the auxiliary ones.
func counts(results []*result.Result) (counted, auxiliary []*result.Result) {
	for _, r := range results {
		if r.Auxiliary() {
			auxiliary = append(auxiliary, r)
		} else {
			counted = append(counted, r)
		}
	}
	return counted, auxiliary
}
