package site

import (
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/sitefile"
	"github.com/benchpost/benchpost/generator/sweep"
)

// planOf converts a plan of site.toml for reports. Its labels are sorted by name, because the keys of a TOML table have
// no order.
func planOf(p *config.Plan) dataset.Plan {
	out := dataset.Plan{Name: p.Name, Title: p.Title.Text, Except: p.Excepted, Repeats: max(p.Repeats, 1), Where: p.Runs}
	for _, label := range slices.Sorted(maps.Keys(p.Labels)) {
		out.Labels = append(out.Labels, dataset.PlanLabel{Name: label, Values: p.Labels[label]})
	}
	return out
}

// sweepPlans returns a plan for each sweep found below the runs: the plan is to measure every variation in its file.
func sweepPlans(c *config.Config, opt Options, set *rundir.Dataset, m *mask.Masker) (plans []dataset.Plan, ms []result.Message) {
	for _, file := range set.Sweeps {
		at := opt.path(set.Disk(file))
		sweeps, found := sweep.Load(at, file)
		if text, err := sitefile.Read(at); err == nil && len(m.Of(at)) > 0 {
			sweeps, found = sweep.Parse(file, m.Bytes(at, text))
		}
		ms = append(ms, found...)
		for i := range sweeps {
			s := &sweeps[i]
			isNamed := func(name string) bool { return name == s.Name }
			if len(s.Factors) == 0 {
				continue // a single command: its runs do not differ
			}
			if slices.ContainsFunc(c.Plan, func(p config.Plan) bool { return isNamed(p.Name) }) ||
				slices.ContainsFunc(plans, func(p dataset.Plan) bool { return isNamed(p.Name) }) {
				ms = append(ms, result.Message{Pos: result.Position{File: file}, Severity: result.Warning, ID: "site.sweep",
					Text: locale.Textf("another plan is called %q, so that the coverage leaves this sweep out", s.Name), Hint: locale.Textf("a block names the plan it shows: give the sweep another name")})
				continue
			}
			plans = append(plans, sweepPlan(c, s))
		}
	}
	return plans, ms
}

// sweepPlan converts a sweep for reports. Only runs of the sweep count.
func sweepPlan(c *config.Config, s *sweep.Sweep) dataset.Plan {
	is := func(label, value string) result.Matcher {
		return result.Matcher{Label: label, Op: "=", Value: value}
	}
	out := dataset.Plan{Name: s.Name, Repeats: max(s.Repeat, 1), Where: result.Selector{Matchers: []result.Matcher{is(sweep.Label, s.Name)}}}
	for _, f := range s.Factors {
		label := dataset.PlanLabel{Name: f.Name}
		for _, v := range f.Values {
			if v = judge.LabelValue(c, f.Name, v); !slices.Contains(label.Values, v) {
				label.Values = append(label.Values, v)
			}
		}
		out.Labels = append(out.Labels, label)
	}
	for _, except := range s.Excepted() {
		var selector result.Selector
		for _, l := range except {
			selector.Matchers = append(selector.Matchers, is(l[0], judge.LabelValue(c, l[0], l[1])))
		}
		out.Except = append(out.Except, selector)
	}
	return out
}
