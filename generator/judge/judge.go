// Package judge adds to results what a site knows about them, and judges them.
//
//	ms := judge.All(&config, results)
//
// Unless a result states it itself, it gets as labels, with their origin: the model's display id and facts, the
// load and scenario of the measurement, and the capabilities of its hardware. Package audit then adds derived
// metrics and the verdicts of its checks. Checks that the site waives are marked. Nothing that a run declares
// or measures itself is overwritten.
package judge

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// All completes and judges results in place, on all cores. It warns about a declared load that contradicts its
// condition. The messages are in the order of the results.
func All(c *config.Config, results []*result.Result) []result.Message {
	return slices.Concat(Each(c, results)...)
}

// Each does what All does and returns the messages of each result separately.
func Each(c *config.Config, results []*result.Result) [][]result.Message {
	ms := make([][]result.Message, len(results))
	judges := make([]*judge, cores.Count())
	cores.EachOn(len(results), func(core, i int) {
		if judges[core] == nil {
			judges[core] = newJudge(c)
		}
		ms[i] = judges[core].judge(results[i])
	})
	return ms
}

// Unfinished adds the labels to unfinished runs.
func Unfinished(c *config.Config, runs []result.Unfinished) []result.Message {
	var ms []result.Message
	j := newJudge(c)
	for i := range runs {
		r := runs[i].Run()
		r.Labels = slices.Clone(r.Labels)
		ms = append(ms, j.label(&r)...)
		runs[i].Labels = r.Labels
	}
	return ms
}

// Unmet reports conditions on a label that no run has, which is nearly always a misspelling. Values that no run
// has are not reported, because they may be measured later.
func Unmet(c *config.Config, results []*result.Result) []result.Message {
	if !slices.ContainsFunc(results, func(r *result.Result) bool { return len(r.Labels) > 0 }) {
		return nil
	}
	var ms []result.Message
	check := func(pos result.Position, kind, name, when string, sel result.Selector) {
		for _, m := range sel.Matchers {
			if m.Match("") || slices.ContainsFunc(results, func(r *result.Result) bool { return r.Label(m.Label) != "" }) {
				continue
			}
			labels := map[string]bool{}
			for _, r := range results {
				for name := range r.Labels.Values() {
					labels[name] = true
				}
			}
			known := slices.Sorted(maps.Keys(labels))
			hint := locale.Textf("labels of the runs: %s", locale.Commas(known...))
			if near := settings.Nearest(m.Label, known); near != "" {
				hint = locale.Textf("did you mean %s?", near)
			}
			ms = append(ms, result.Message{
				Pos: pos, Severity: result.Warning, ID: "site.unmet",
				Text: locale.Textf("%s %q: no run meets %s, as none has a label %s", kind, name, when, m.Label), Hint: hint,
			})
		}
	}
	for i, l := range c.Load {
		check(c.At("load", i, "when"), "load", l.Name, l.When, l.Condition)
	}
	for i, s := range c.Scenario {
		check(c.At("scenario", i, "when"), "scenario", s.Name, s.When, s.Condition)
	}
	return ms
}

// judge has the data of a site. It is not safe for concurrent use.
type judge struct {
	config   *config.Config
	models   map[string]*config.Model
	machines machines
	names    *guesser
	auditor  audit.Auditor
	shapes   result.Shapes
	labels   result.Labels // buffer for the labels of one result while they are added
}

func newJudge(c *config.Config) *judge {
	j := &judge{config: c, models: map[string]*config.Model{}, machines: machines{}, names: newGuesser()}
	for i := range c.Model {
		m := &c.Model[i]
		for _, name := range append([]string{m.ID}, m.Aliases...) {
			j.models[name] = m
		}
	}
	for i := range c.Hardware {
		j.machines[c.Hardware[i].ID] = Complete(c.Hardware[i])
	}
	return j
}

// judge completes and judges one result. Its labels and checks may be shared with other results, so it gets its
// own copies.
func (j *judge) judge(r *result.Result) []result.Message {
	r.Labels, r.Checks = append(j.labels[:0], r.Labels...), slices.Clone(r.Checks)
	ms := j.label(r)
	j.shapes.Share(r)
	j.auditor.Complete(r)
	j.waive(r)
	j.labels, r.Labels = r.Labels, slices.Clone(r.Labels)
	return ms
}

// label adds the labels that follow from the site.
func (j *judge) label(r *result.Result) []result.Message {
	c := j.config
	var m *config.Model
	for _, label := range []string{"model", "model_raw"} {
		if m == nil {
			m = j.models[r.Labels.Get(label)]
		}
	}
	// Without an alias a model is shown by the last part of its path, so that part is also a name of the model.
	last := lastPart(r.Labels.Get("model_raw"))
	if m == nil {
		m = j.models[cmp.Or(r.Labels.Get("model"), last)]
	}
	if m == nil && aliased(r) {
		m = j.models[r.Labels.Get("tokenizer")]
	}
	if m != nil {
		if r.Labels.Get("model") != m.ID {
			r.Labels.Set(result.Label{Name: "model", Value: m.ID, Origin: result.Derived})
		}
		derive(r, "quantization", m.Quantization)
		derive(r, "weight_size", m.WeightSize)
		derive(r, "params", m.Params)
		derive(r, "active_params", m.ActiveParams)
		derive(r, "active_weight_size", m.ActiveWeightSize)
		derive(r, "kv_cache_per_token", m.CachePerToken)
		derive(r, "base_model", m.Base)
	} else {
		derive(r, "model", last)
	}
	j.names.label(r)
	var ms []result.Message
	for _, l := range c.Load {
		ms = append(ms, name(r, "load", l.Name, l.When, l.Condition)...)
	}
	for _, s := range c.Scenario {
		ms = append(ms, name(r, "scenario", s.Name, s.When, s.Condition)...)
	}
	j.machines.describe(r)
	return ms
}

// LabelValue returns the value that a run's label has in the site, which replaces the names of a model by its
// id.
func LabelValue(c *config.Config, label, value string) string {
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

// aliased reports whether a run's model was served under a name that says nothing about it, so that only the
// tokenizer identifies it. A quantised model often has the tokenizer of its base: Qwen3-8B-AWQ is not Qwen3-8B.
func aliased(r *result.Result) bool {
	part := func(label string) string { return strings.ToLower(lastPart(r.Labels.Get(label))) }
	model, tokenizer := part("model_raw"), part("tokenizer")
	return r.Labels.Get("model") == "" && (model == tokenizer || !strings.HasPrefix(model, tokenizer))
}

// lastPart returns the part of a path after its last slash or backslash. In the cache of the Hugging Face hub,
// where that part is a revision, it returns the model's own part: Qwen3-8B of
// models--Qwen--Qwen3-8B/snapshots/1a2b.
func lastPart(path string) string {
	path = strings.TrimRight(strings.ReplaceAll(path, `\`, "/"), "/")
	if cache, _, ok := strings.Cut(path, "/snapshots/"); ok {
		if _, name, ok := strings.Cut(cache[strings.LastIndexByte(cache, '/')+1:], "models--"); ok {
			return name[strings.LastIndex("--"+name, "--"):]
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// waive marks the checks of a result that the site waives.
func (j *judge) waive(r *result.Result) {
	for i := range r.Checks {
		for _, w := range j.config.Waive {
			if r.Checks[i].ID == w.Check && w.Runs.Match(r) {
				r.Checks[i].Waived = w.Reason
			}
		}
	}
}

func derive(r *result.Result, label, value string) {
	if value != "" && r.Labels.Get(label) == "" {
		r.Labels.Set(result.Label{Name: label, Value: value, Origin: result.Derived})
	}
}

// name sets a label to its value if the condition holds. It warns if the label has another value.
func name(r *result.Result, label, value, when string, sel result.Selector) []result.Message {
	if when == "" || !sel.Match(r) {
		return nil
	}
	declared, ok := r.Labels.Lookup(label)
	if !ok {
		derive(r, label, value)
		return nil
	}
	if declared.Value == value {
		return nil
	}
	return []result.Message{{
		Pos: declared.Pos, Severity: result.Warning, ID: "run.contradiction",
		Text: locale.Textf("%s is labelled %s=%q, but it meets the condition of %q: %s", r.ID, label, declared.Value, value, when),
		Hint: locale.Textf("correct the label, or the condition in %s", config.Name),
	}}
}
