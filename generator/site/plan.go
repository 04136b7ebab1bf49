package site

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sweep"
)

// Plan is what the site wants measured: each combination of the values of its
// labels.
type Plan struct {
	Name    string
	Title   Words
	Labels  map[string][]string // label → the values wanted
	Except  []string            // selectors of combinations that are not wanted
	Repeats int                 // runs wanted of each; 1 when 0
	Where   string              // selector that narrows which runs count

	except []result.Selector
	where  result.Selector
}

// checkPlans says what is wrong with the plans and reads their selectors; text
// is that of site.toml.
func (c *Config) checkPlans(text string) []result.Message {
	var ms []result.Message
	declared := c.declared()
	for i := range c.Plan {
		p := &c.Plan[i]
		complain := func(key, value, hint, format string, args ...any) {
			ms = append(ms, result.Message{
				Pos:      result.Position{File: ConfigName, Line: settings.Line(text, "plan", i, key, value)},
				Severity: result.Error, ID: "site.config", Text: fmt.Sprintf(format, args...), Hint: hint,
			})
		}
		switch {
		case p.Name == "":
			complain("", "", `as name = "thor"`, "a [[plan]] has no name")
		case slices.ContainsFunc(c.Plan[:i], func(other Plan) bool { return other.Name == p.Name }):
			complain("name", "", "a block names the plan it shows", "two plans are called %q", p.Name)
		}
		if len(p.Labels) == 0 {
			complain("", "", `as [plan.labels] with model = ["Qwen3-8B"] below it`, "plan %q has no labels", p.Name)
		}
		if p.Repeats < 0 {
			complain("repeats", "", "leave it out for one run", "plan %q: repeats is %d", p.Name, p.Repeats)
		}
		for _, label := range slices.Sorted(maps.Keys(p.Labels)) {
			values := p.Labels[label]
			if len(values) == 0 {
				complain(label, "", `as `+label+` = ["…"]`, "plan %q: %s has no values", p.Name, label)
			}
			for n, v := range values {
				switch known := declared[label]; {
				case v == "":
					complain(label, v, "a run without the label is in no cell", "plan %q: a value of %s is empty", p.Name, label)
				case slices.Contains(values[:n], v):
					complain(label, v, "", "plan %q: %s has %q twice", p.Name, label, v)
				case len(known) > 0 && !slices.Contains(known, v):
					complain(label, v, c.undeclared(label, v, known), "plan %q: there is no [[%s]] %q", p.Name, label, v)
				}
			}
		}
		var err error
		if p.where, err = parseWhen(p.Where); err != nil {
			complain("where", p.Where, `selectors are written {campaign="2026-11"}`, "plan %q: the selector %s is wrong: %v", p.Name, p.Where, err)
		}
		for _, except := range p.Except {
			s, err := result.ParseSelector(except)
			if err != nil {
				complain("except", except, `selectors are written {model="…", load="high"}`, "plan %q: the selector %s is wrong: %v", p.Name, except, err)
				continue
			}
			if hint, void := p.void(s); void {
				complain("except", except, hint, "plan %q: %s is no combination of the plan", p.Name, except)
			}
			p.except = append(p.except, s)
		}
		if len(p.Except) > 0 && len(p.Labels) > 0 && coverage.Of(new(dataset.Selection), p.report()).Planned == 0 {
			complain("except", "", "leave out what takes too much", "plan %q leaves out all that it plans", p.Name)
		}
	}
	return ms
}

// declared are the names site.toml declares, by the label that bears them. A
// label of which none are declared may have any value.
func (c *Config) declared() map[string][]string {
	names := map[string][]string{}
	for _, m := range c.Model {
		names["model"] = append(names["model"], m.ID)
	}
	for _, h := range c.Hardware {
		names["hardware"] = append(names["hardware"], h.ID)
	}
	for _, l := range c.Load {
		names["load"] = append(names["load"], l.Name)
	}
	for _, s := range c.Scenario {
		names["scenario"] = append(names["scenario"], s.Name)
	}
	return names
}

// undeclared hints at what was meant by a name that is not declared.
func (c *Config) undeclared(label, value string, known []string) string {
	for _, m := range c.Model {
		if label == "model" && slices.Contains(m.Aliases, value) {
			return fmt.Sprintf("it is an alias: write %q", m.ID)
		}
	}
	if near := settings.Nearest(value, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Sprintf("declare it, or write one of: %s", strings.Join(known, ", "))
}

// void tells whether a selector matches no combination of the plan, and why:
// as the labels vary freely, that is when no value of one of them fits.
func (p *Plan) void(s result.Selector) (hint string, void bool) {
	labels := slices.Sorted(maps.Keys(p.Labels))
	for _, m := range s.Matchers {
		values, ok := p.Labels[m.Label]
		if !ok {
			if near := settings.Nearest(m.Label, labels); near != "" {
				return fmt.Sprintf("did you mean %s?", near), true
			}
			return fmt.Sprintf("%s is no label of the plan; there are: %s", m.Label, strings.Join(labels, ", ")), true
		}
		fits := func(v string) bool {
			return !slices.ContainsFunc(s.Matchers, func(n result.Matcher) bool { return n.Label == m.Label && !n.Match(v) })
		}
		if slices.ContainsFunc(values, fits) {
			continue
		}
		if near := settings.Nearest(m.Value, values); near != "" {
			return fmt.Sprintf("did you mean %s=%q?", m.Label, near), true
		}
		return fmt.Sprintf("values of %s: %s", m.Label, strings.Join(values, ", ")), true
	}
	return "", false
}

// report gives the plan as reports take it. Its labels stand in the order of
// their names: TOML gives a table's keys no order.
func (p *Plan) report() dataset.Plan {
	out := dataset.Plan{Name: p.Name, Title: p.Title.Text, Except: p.except, Repeats: max(p.Repeats, 1), Where: p.where}
	for _, label := range slices.Sorted(maps.Keys(p.Labels)) {
		out.Labels = append(out.Labels, dataset.PlanLabel{Name: label, Values: p.Labels[label]})
	}
	return out
}

// addSweeps makes a plan of each sweep found below the runs: what its file varies
// is what it wants measured. Dir is the site's folder, files are as in positions.
func (c *Config) addSweeps(dir string, files []string) []result.Message {
	c.sweeps = nil
	var ms []result.Message
	for _, file := range files {
		sweeps, found := sweep.Load(filepath.Join(dir, filepath.FromSlash(file)), file)
		ms = append(ms, found...)
		for i := range sweeps {
			s := &sweeps[i]
			isNamed := func(name string) bool { return name == s.Name }
			if len(s.Factors) == 0 {
				continue // one command, whose runs have nothing to be told apart by
			}
			if slices.ContainsFunc(c.Plan, func(p Plan) bool { return isNamed(p.Name) }) ||
				slices.ContainsFunc(c.sweeps, func(p dataset.Plan) bool { return isNamed(p.Name) }) {
				ms = append(ms, result.Message{Pos: result.Position{File: file}, Severity: result.Warning, ID: "site.sweep",
					Text: fmt.Sprintf("another plan is called %q, so that the coverage leaves this sweep out", s.Name), Hint: "a block names the plan it shows: give the sweep another name"})
				continue
			}
			c.sweeps = append(c.sweeps, c.sweepPlan(s))
		}
	}
	return ms
}

// sweepPlan gives a sweep as reports take it. Only the runs of the sweep count.
func (c *Config) sweepPlan(s *sweep.Sweep) dataset.Plan {
	is := func(label, value string) result.Matcher {
		return result.Matcher{Label: label, Op: "=", Value: value}
	}
	out := dataset.Plan{Name: s.Name, Repeats: max(s.Repeat, 1), Where: result.Selector{Matchers: []result.Matcher{is(sweep.Label, s.Name)}}}
	for _, f := range s.Factors {
		label := dataset.PlanLabel{Name: f.Name}
		for _, v := range f.Values {
			if v = c.valueOf(f.Name, v); !slices.Contains(label.Values, v) {
				label.Values = append(label.Values, v)
			}
		}
		out.Labels = append(out.Labels, label)
	}
	for _, except := range s.Excepted() {
		var selector result.Selector
		for _, l := range except {
			selector.Matchers = append(selector.Matchers, is(l[0], c.valueOf(l[0], l[1])))
		}
		out.Except = append(out.Except, selector)
	}
	return out
}

// valueOf gives the value that a run's label has in the site, where a model is
// known by its own name.
func (c *Config) valueOf(label, value string) string {
	if label != "model" {
		return value
	}
	for _, m := range c.Model {
		if m.ID == value || slices.Contains(m.Aliases, value) {
			return m.ID
		}
	}
	last := lastPart(value)
	for _, m := range c.Model {
		if m.ID == last || slices.Contains(m.Aliases, last) {
			return m.ID
		}
	}
	return last
}
