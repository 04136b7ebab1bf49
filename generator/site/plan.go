package site

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"benchpost/generator/bench"
	"benchpost/generator/report"
	"benchpost/generator/settings"
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

	except []bench.Selector
	where  bench.Selector
}

// checkPlans says what is wrong with the plans and reads their selectors; text
// is that of site.toml.
func (c *Config) checkPlans(text string) []bench.Message {
	var ms []bench.Message
	declared := c.declared()
	for i := range c.Plan {
		p := &c.Plan[i]
		complain := func(key, value, hint, format string, args ...any) {
			ms = append(ms, bench.Message{
				Pos:      bench.Position{File: ConfigName, Line: planLine(text, i, key, value)},
				Severity: bench.Error, ID: "site.config", Text: fmt.Sprintf(format, args...), Hint: hint,
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
			s, err := bench.ParseSelector(except)
			if err != nil {
				complain("except", except, `selectors are written {model="…", load="high"}`, "plan %q: the selector %s is wrong: %v", p.Name, except, err)
				continue
			}
			if hint, void := p.void(s); void {
				complain("except", except, hint, "plan %q: %s is no combination of the plan", p.Name, except)
			}
			p.except = append(p.except, s)
		}
		if len(p.Except) > 0 && len(p.Labels) > 0 && new(report.Data).Coverage(p.report()).Planned == 0 {
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
func (p *Plan) void(s bench.Selector) (hint string, void bool) {
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
			return !slices.ContainsFunc(s.Matchers, func(n bench.Matcher) bool { return n.Label == m.Label && !n.Match(v) })
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
func (p *Plan) report() report.Plan {
	out := report.Plan{Name: p.Name, Title: p.Title.Text, Except: p.except, Repeats: max(p.Repeats, 1), Where: p.where}
	for _, label := range slices.Sorted(maps.Keys(p.Labels)) {
		out.Labels = append(out.Labels, report.PlanLabel{Name: label, Values: p.Labels[label]})
	}
	return out
}

var planHeader = regexp.MustCompile(`(?m)^[ \t]*\[\[[ \t]*plan[ \t]*\]\]`)

// planLine finds a line of plan n, counted from 0: the one below a key, or on
// it, that holds a value in quotes; that of the key when none does; that of the
// plan's header when there is no such key.
func planLine(text string, n int, key, value string) int {
	begin, end := 0, len(text)
	if headers := planHeader.FindAllStringIndex(text, -1); n < len(headers) {
		begin = headers[n][0]
		if n+1 < len(headers) {
			end = headers[n+1][0]
		}
	}
	first := 1 + strings.Count(text[:begin], "\n")
	lines := strings.Split(text[begin:end], "\n")
	at := max(0, slices.IndexFunc(lines, func(line string) bool {
		name, _, ok := strings.Cut(line, "=")
		return ok && strings.Trim(name, " \t\"'") == key
	}))
	for i, line := range lines[at:] {
		if value != "" && (strings.Contains(line, `"`+value+`"`) || strings.Contains(line, "'"+value+"'")) {
			return first + at + i
		}
	}
	return first + at
}
