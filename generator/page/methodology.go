package page

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Method describes how a site judges and compares results, with the thresholds in force.
type Method struct {
	Rules     []result.Rule
	Formulas  map[string][]string // formulas of derived metrics, by name
	Practices []report.Practice
	Waivers   []Waiver
	Limits    []Limit
}

// Waiver is a check that the site ignores.
type Waiver struct{ Check, Where, Reason string }

// Limit is a bound on a metric or label: its maximum, or its minimum if higher is better.
type Limit struct{ Name, Value string }

// ids returns the ids under which checks are reported.
func (m *Method) ids() map[string]bool {
	ids := map[string]bool{}
	for _, rule := range m.Rules {
		ids[rule.ID] = true
		for _, id := range rule.Raises {
			ids[id] = true
		}
	}
	return ids
}

// methodologyData is the data of methodology.html.
type methodologyData struct {
	Metrics    []definitionGroup
	Statistics []definition
	Rules      []ruleEntry
	Practices  []practiceEntry
	Waivers    []waiverEntry
	Limits     []limitEntry
	Sources    []sourceLink
}

type definitionGroup struct {
	Title   string
	Entries []definition
}

// definition is the entry of a metric or a statistic. ID is its anchor.
type definition struct {
	ID, Code, Name string
	Text           string
	Unit, Better   string
	Formulas       []string
	Sources        []sourceLink
}

type ruleEntry struct {
	ID      string
	Raises  []string // if they say more than the ID
	Asks    string
	Bounds  []boundEntry
	Waived  bool // for some runs
	Sources []sourceLink
}

type boundEntry struct{ Severity, Word, When string }

type practiceEntry struct {
	ID, Title, Text string
	Sources         []sourceLink
}

type waiverEntry struct {
	Waiver
	Known bool // the page lists a finding of the check
}

type limitEntry struct {
	ID         string // anchor of the metric's definition; "" for a label
	Name, Text string
}

type sourceLink struct {
	Words string
	Href  template.URL // "" for a book
}

// methodologyPage is the page that explains the metrics, the checks and the comparison of runs.
func (v *composer) methodologyPage() (any, error) {
	p := v.l.Printer
	d := &methodologyData{Metrics: v.definitions(p)}
	for _, stat := range vocabulary.Statistics() {
		d.Statistics = append(d.Statistics, definition{ID: parts.StatisticAnchor + stat.Name, Code: stat.Name, Name: parts.StatName(stat.Name, p), Text: p.Words("define.stat." + stat.Name)})
	}
	for _, rule := range v.Method.Rules {
		e := ruleEntry{ID: rule.ID, Asks: p.Say(rule.Asks), Sources: works(rule.Sources, p),
			Waived: slices.ContainsFunc(v.Method.Waivers, func(w Waiver) bool { return slices.Contains(rule.Raises, w.Check) })}
		if !slices.Equal(rule.Raises, []string{rule.ID}) {
			e.Raises = rule.Raises
		}
		for _, bound := range rule.Bounds {
			e.Bounds = append(e.Bounds, boundEntry{bound.Severity.String(), p.Words("page.severity." + bound.Severity.String()), p.Say(bound.When)})
		}
		d.Rules = append(d.Rules, e)
	}
	for _, practice := range v.Method.Practices {
		d.Practices = append(d.Practices, practiceEntry{practice.ID, p.Say(practice.Title), p.Say(practice.Text), cited(practice.ID, p)})
	}
	for _, w := range v.Method.Waivers {
		d.Waivers = append(d.Waivers, waiverEntry{w, v.rules[w.Check]})
	}
	for _, limit := range v.Method.Limits {
		d.Limits = append(d.Limits, limitOf(limit, p))
	}
	d.Sources = d.used()
	return d, nil
}

// definitions returns the definitions of all metrics, grouped as on the pages of runs.
func (v *composer) definitions(p locale.Printer) []definitionGroup {
	latency := definitionGroup{Title: p.Words("page.group.latency")}
	for _, family := range vocabulary.Families() {
		latency.Entries = append(latency.Entries, v.definition(family, family+"_mean", p))
	}
	out := []definitionGroup{latency}
	var metrics []result.Metric
	for _, name := range vocabulary.Names() {
		metrics = append(metrics, result.Metric{Kind: &result.Kind{Name: name}})
	}
	for _, g := range parts.Groups(metrics) {
		group := definitionGroup{Title: p.Words(g.Key)}
		for _, m := range g.Metrics {
			group.Entries = append(group.Entries, v.definition(m.Name, m.Name, p))
		}
		out = append(out, group)
	}
	return out
}

// definition returns the entry of a metric, or of a family. one is a metric of the family.
func (v *composer) definition(name, one string, p locale.Printer) definition {
	known, _ := vocabulary.Define(one)
	metric, _ := vocabulary.Lookup(name)
	e := definition{ID: parts.MetricAnchor + parts.DefinitionOf(one), Code: name, Name: p.Say(locale.Outside(locale.MetricName(name))), Text: define(name, p), Formulas: v.Method.Formulas[name],
		Unit: parts.UnitOf(result.Metric{Kind: &result.Kind{Name: one, Unit: known.Unit}}), Sources: works(metric.Sources, p)}
	switch {
	case vocabulary.Cost(name):
		e.Unit = p.Words("page.methodology.currency")
		if known.Better == result.Higher { // tokens per unit of currency
			e.Unit = "tok/" + e.Unit
		}
	case known.Unit == "":
		e.Unit = p.Words("page.methodology.task")
	}
	switch known.Better {
	case result.Higher:
		e.Better = p.Words("page.higher")
	case result.Lower:
		e.Better = p.Words("page.lower")
	default:
		e.Better = p.Words("page.methodology.neutral")
	}
	return e
}

// cited returns the works that a practice is based on.
func cited(of string, p locale.Printer) []sourceLink { return works(sourcesOf[of], p) }

// works returns the works with some keys.
func works(keys []string, p locale.Printer) []sourceLink {
	var out []sourceLink
	for _, key := range keys {
		out = append(out, sourceLink{p.Words("source." + key), template.URL(sourceAddresses[key])})
	}
	return out
}

// used lists the works named on the page, each once, sorted by name.
func (d *methodologyData) used() []sourceLink {
	var all []sourceLink
	add := func(links []sourceLink) {
		for _, s := range links {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	for _, g := range d.Metrics {
		for _, e := range g.Entries {
			add(e.Sources)
		}
	}
	for _, e := range d.Rules {
		add(e.Sources)
	}
	for _, e := range d.Practices {
		add(e.Sources)
	}
	slices.SortFunc(all, func(a, b sourceLink) int { return result.NaturalCompare(a.Words, b.Words) })
	return all
}

// limitOf returns the entry of a limit, with ≤ or ≥.
func limitOf(limit Limit, p locale.Printer) limitEntry {
	known, ok := vocabulary.Define(limit.Name)
	if !ok {
		return limitEntry{Name: p.Label(limit.Name), Text: "≤ " + limit.Value}
	}
	sign := "≤"
	if known.Better == result.Higher {
		sign = "≥"
	}
	text := fmt.Sprintf("%s %s", sign, limit.Value)
	if known.Unit != "" && known.Unit != "1" {
		text += " " + known.Unit
	}
	return limitEntry{ID: parts.MetricAnchor + parts.DefinitionOf(limit.Name), Name: p.Metric(limit.Name), Text: text}
}

// define returns the definition of a metric without a statistic, or of a family.
func define(name string, p locale.Printer) string {
	if name == "energy" {
		return p.Words("define.energy", result.MaxGap)
	}
	return p.Words("define." + name)
}

// sourcesOf maps practices to the keys of the works that they are based on. Metrics and rules name their own sources.
var sourcesOf = map[string][]string{
	"repeats": {"order"}, "comparison": {"mann"}, "mean": {"geometric"},
}

// sourceAddresses maps works to their addresses.
var sourceAddresses = map[string]string{
	"vllm":        "https://github.com/vllm-project/vllm",
	"llama":       "https://github.com/ggml-org/llama.cpp",
	"lm-eval":     "https://github.com/EleutherAI/lm-evaluation-harness",
	"goodput":     "https://arxiv.org/abs/2401.09670",
	"speculative": "https://arxiv.org/abs/2211.17192",
	"little":      "https://doi.org/10.1287/opre.9.3.383",
	"mbu":         "https://www.databricks.com/blog/llm-inference-performance-engineering-best-practices",
	"kaplan":      "https://arxiv.org/abs/2001.08361",
	"mann":        "https://doi.org/10.1214/aoms/1177730491",
	"geometric":   "https://doi.org/10.1145/5666.5673",
}
