package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// Plan describes the desired measurements: each combination of the values of its labels.
type Plan struct {
	Name    string
	Title   Words
	Labels  map[string][]string // label → desired values
	Except  []string            // selectors of combinations to leave out
	Repeats int                 // desired number of runs for each combination; 0 means 1
	Where   string              // selector of the runs that count

	Runs     result.Selector   `toml:"-"` // Where, parsed
	Excepted []result.Selector `toml:"-"` // Except, parsed
}

func (p *Plan) check(at place, c *Config, before []Plan) {
	called := fmt.Sprintf("plan %q", p.Name)
	switch {
	case p.Name == "":
		at.wrong(locale.Textf(`for example name = "thor"`), "a [[plan]] has no name")
	case slices.ContainsFunc(before, func(other Plan) bool { return other.Name == p.Name }):
		at.at("name").wrong(locale.Textf("a block names the plan it shows"), "two plans are called %q", p.Name)
	}
	if len(p.Labels) == 0 {
		at.wrong(locale.Textf(`for example [plan.labels] with model = ["Qwen3-8B"] below it`), "%s has no labels", called)
	}
	if p.Repeats < 0 {
		at.at("repeats").wrong(locale.Textf("leave it out for one run"), "%s: repeats is %d", called, p.Repeats)
	}
	declared := c.declared()
	for _, label := range slices.Sorted(maps.Keys(p.Labels)) {
		p.checkValues(at.at("labels", label), label, declared[label], c)
	}
	p.Runs, _ = at.at("where").selector(p.Where, called, `{campaign="2026-11"}`)
	for n, except := range p.Except {
		at := at.at("except", n)
		s, ok := at.selector(except, called, `{model="…", load="high"}`)
		if !ok {
			continue
		}
		if hint, empty := p.matchesNone(s); empty {
			at.wrong(hint, "%s: %s is not a combination of the plan", called, except)
		}
		p.Excepted = append(p.Excepted, s)
	}
	if len(p.Excepted) > 0 && len(p.Labels) > 0 && !p.leavesAny(nil) {
		at.at("except").wrong(locale.Textf("remove the entry that excludes too much"), "%s excludes everything it plans", called)
	}
}

// checkValues checks the desired values of a label. known lists the values that site.toml declares, nil if the
// label may have any value.
func (p *Plan) checkValues(at place, label string, known []string, c *Config) {
	values := p.Labels[label]
	if len(values) == 0 {
		at.wrong(locale.Textf(`for example %s = ["…"]`, label), "plan %q: %s has no values", p.Name, label)
	}
	for n, v := range values {
		at := at.at(n)
		switch {
		case v == "":
			at.wrong(locale.Textf("a run without the label is in no cell"), "plan %q: a value of %s is empty", p.Name, label)
		case slices.Contains(values[:n], v):
			at.wrong(locale.Text{}, "plan %q: %s lists %q twice", p.Name, label, v)
		case len(known) > 0 && !slices.Contains(known, v):
			at.wrong(c.undeclared(label, v, known), "plan %q: there is no [[%s]] %q", p.Name, label, v)
		}
	}
}

// leavesAny reports whether some combination of the labels' values is not excepted. chosen contains the values
// of the first labels.
func (p *Plan) leavesAny(chosen result.Labels) bool {
	names := slices.Sorted(maps.Keys(p.Labels))
	if len(chosen) == len(names) {
		r := result.Result{Labels: chosen}
		return !slices.ContainsFunc(p.Excepted, func(s result.Selector) bool { return s.Match(&r) })
	}
	name := names[len(chosen)]
	return slices.ContainsFunc(p.Labels[name], func(value string) bool {
		return p.leavesAny(append(slices.Clone(chosen), result.Label{Name: name, Value: value}))
	})
}

// declared returns the names that site.toml declares, by label. A label without declared names may have any
// value.
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

// undeclared returns a hint about a name that is not declared.
func (c *Config) undeclared(label, value string, known []string) locale.Text {
	for _, m := range c.Model {
		if label == "model" && slices.Contains(m.Aliases, value) {
			return locale.Textf("it is an alias: write %q", m.ID)
		}
	}
	if near := settings.Nearest(value, known); near != "" {
		return locale.Textf("did you mean %q?", near)
	}
	return locale.Textf("declare it, or write one of: %s", locale.Commas(known...))
}

// matchesNone reports whether a selector matches no combination of the plan, and returns a hint. All
// combinations of values exist, so this is the case if no value of some label matches.
func (p *Plan) matchesNone(s result.Selector) (hint locale.Text, none bool) {
	labels := slices.Sorted(maps.Keys(p.Labels))
	for _, m := range s.Matchers {
		values, ok := p.Labels[m.Label]
		if !ok {
			if near := settings.Nearest(m.Label, labels); near != "" {
				return locale.Textf("did you mean %s?", near), true
			}
			return locale.Textf("%s is not a label of the plan; its labels: %s", m.Label, locale.Commas(labels...)), true
		}
		fits := func(v string) bool {
			return !slices.ContainsFunc(s.Matchers, func(n result.Matcher) bool { return n.Label == m.Label && !n.Match(v) })
		}
		if slices.ContainsFunc(values, fits) {
			continue
		}
		if near := settings.Nearest(m.Value, values); near != "" {
			return locale.Textf("did you mean %s=%q?", m.Label, near), true
		}
		return locale.Textf("values of %s: %s", m.Label, locale.Commas(values...)), true
	}
	return locale.Text{}, false
}
