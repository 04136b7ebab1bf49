package site

import (
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// judge adds to results what the site knows: the model's display id and facts, the
// load and scenario they were measured at, what the hardware can do. Then it judges
// them. It serves one goroutine.
type judge struct {
	config   *Config
	models   map[string]*Model
	machines machines
	names    *guesser
}

func (c *Config) judge() *judge {
	j := &judge{config: c, models: map[string]*Model{}, machines: machines{}, names: newGuesser()}
	for i := range c.Model {
		m := &c.Model[i]
		for _, name := range append([]string{m.ID}, m.Aliases...) {
			j.models[name] = m
		}
	}
	for i := range c.Hardware {
		j.machines[c.Hardware[i].ID] = c.Hardware[i].complete()
	}
	return j
}

// Apply adds to each result what the site knows, and judges it. What a run
// declares or measures itself stands; a declared load that contradicts its
// condition is a warning.
func (c *Config) Apply(results []result.Result) []result.Message {
	var ms []result.Message
	for _, found := range c.judgeAll(pointers(results)) {
		ms = append(ms, found...)
	}
	return ms
}

// judgeAll judges results on all cores. The messages are those of each.
func (c *Config) judgeAll(results []*result.Result) [][]result.Message {
	ms := make([][]result.Message, len(results))
	cores := runtime.GOMAXPROCS(0)
	size := max(1, (len(results)+cores-1)/cores)
	var wg sync.WaitGroup
	for first := 0; first < len(results); first += size {
		wg.Go(func() {
			j := c.judge()
			for i := first; i < min(first+size, len(results)); i++ {
				ms[i] = j.of(results[i])
			}
		})
	}
	wg.Wait()
	return ms
}

// of completes and judges one result. What it was read from may be shared: its
// labels and checks are its own from here on.
func (j *judge) of(r *result.Result) []result.Message {
	r.Labels, r.Checks = slices.Clone(r.Labels), slices.Clone(r.Checks)
	ms := j.label(r)
	audit.Complete(r)
	j.config.waive(r)
	return ms
}

// ApplyUnfinished adds the labels to runs that have no result yet.
func (c *Config) ApplyUnfinished(runs []result.Unfinished) []result.Message {
	var ms []result.Message
	j := c.judge()
	for i := range runs {
		r := runs[i].Run()
		r.Labels = slices.Clone(r.Labels)
		ms = append(ms, j.label(&r)...)
		runs[i].Labels = r.Labels
	}
	return ms
}

// label adds to a run the labels that the site knows of it.
func (j *judge) label(r *result.Result) []result.Message {
	c := j.config
	var m *Model
	for _, label := range []string{"model", "model_raw"} {
		if m == nil {
			m = j.models[r.Labels.Get(label)]
		}
	}
	// Without an alias a model is shown by the last part of its path, so that
	// is a name of it, too.
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
		ms = append(ms, name(r, "load", l.Name, l.When, l.when)...)
	}
	for _, s := range c.Scenario {
		ms = append(ms, name(r, "scenario", s.Name, s.When, s.when)...)
	}
	j.machines.describe(r)
	return ms
}

// judged is a result as it was loaded and as the site sees it.
type judged struct {
	loaded   result.Result // what it holds may have been replaced since, never changed
	result   *result.Result
	messages []result.Message
	version  string // of its file, whose text may be shown, and of those beside it
	beside   []result.RawFile
}

// versionOf is the version of all files that a result was read from.
func (j *judged) versionOf(version func(file string) string) string {
	all := version(j.loaded.Source.File)
	for _, f := range j.beside {
		all += " " + version(f.Name)
	}
	return all
}

// same tells whether a result was loaded as it was before.
func (j *judged) same(r *result.Result) bool {
	l := &j.loaded
	return l.ID == r.ID && l.Source == r.Source && l.EndLine == r.EndLine && l.Status == r.Status && l.Digest == r.Digest && l.Period == r.Period &&
		l.Tool == r.Tool && l.Format == r.Format && sameSlice(l.Labels, r.Labels) && sameSlice(l.Metrics, r.Metrics) && sameSlice(l.Checks, r.Checks) &&
		sameSlice(l.Distributions, r.Distributions) && l.Telemetry == r.Telemetry
}

// sameSlice tells whether two slices are the same piece of memory.
func sameSlice[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// rejudge judges the results that are not as they were before. Both lists are in
// the order of result.Compare. Changed are the results that are new or gone, as they
// were and as they are; fresh are those of them that are there now. One that was put
// together anew and came to the same, as with telemetry, is none of them.
func (c *Config) rejudge(before []*judged, loaded []result.Result, version func(file string) string) (now []*judged, changed, fresh []*result.Result) {
	now = make([]*judged, len(loaded))
	var work []*judged
	was := map[*judged]*judged{}
	known := map[string]string{} // versions of the files that runs share
	beside := func(file string) string {
		if _, ok := known[file]; !ok {
			known[file] = version(file)
		}
		return known[file]
	}
	n := 0
	for i := range loaded {
		r := &loaded[i]
		for n < len(before) && before[n].loaded.ID != r.ID && result.Compare(&before[n].loaded, r) < 0 {
			changed = append(changed, before[n].result)
			n++
		}
		stood := n < len(before) && before[n].loaded.ID == r.ID
		if stood && before[n].same(r) && (before[n].beside == nil || before[n].version == before[n].versionOf(beside)) {
			now[i] = before[n]
			n++
			continue
		}
		own := *r
		now[i] = &judged{loaded: *r, result: &own}
		work = append(work, now[i])
		if stood {
			was[now[i]] = before[n]
			n++
		}
	}
	for _, gone := range before[n:] {
		changed = append(changed, gone.result)
	}
	results := make([]*result.Result, len(work))
	for i, j := range work {
		results[i] = j.result
	}
	for i, ms := range c.judgeAll(results) {
		j := work[i]
		j.messages, j.beside = ms, nil
		if files := j.result.Files()[1:]; len(files) > 0 {
			j.beside = files
		}
		j.version = j.versionOf(beside)
		j.result.Seal()
		if old := was[j]; old == nil {
			fresh = append(fresh, j.result)
		} else if old.result.Stamp == j.result.Stamp && old.version == j.version {
			j.result = old.result
		} else {
			changed = append(changed, old.result)
			fresh = append(fresh, j.result)
		}
	}
	return now, append(changed, fresh...), fresh
}

// unmet tells of conditions that ask for a label which no run has: nearly
// always it is misspelt. A value that no run has may be measured later.
func (c *Config) unmet(results []*result.Result) []result.Message {
	if !slices.ContainsFunc(results, func(r *result.Result) bool { return len(r.Labels) > 0 }) {
		return nil
	}
	var ms []result.Message
	check := func(kind, name, when string, line int, sel result.Selector) {
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
			hint := "labels of the runs: " + strings.Join(known, ", ")
			if near := settings.Nearest(m.Label, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			ms = append(ms, result.Message{
				Pos: result.Position{File: ConfigName, Line: line}, Severity: result.Warning, ID: "site.unmet",
				Text: fmt.Sprintf("%s %q: no run meets %s, as none has a label %s", kind, name, when, m.Label), Hint: hint,
			})
		}
	}
	for _, l := range c.Load {
		check("load", l.Name, l.When, l.line, l.when)
	}
	for _, s := range c.Scenario {
		check("scenario", s.Name, s.When, s.line, s.when)
	}
	return ms
}

// aliased tells whether a run's model was served by a name that says nothing of
// it, so that the tokenizer tells which it is. A quantised model often comes
// with the tokenizer of its base: Qwen3-8B-AWQ is no Qwen3-8B.
func aliased(r *result.Result) bool {
	part := func(label string) string { return strings.ToLower(lastPart(r.Labels.Get(label))) }
	model, tokenizer := part("model_raw"), part("tokenizer")
	return r.Labels.Get("model") == "" && (model == tokenizer || !strings.HasPrefix(model, tokenizer))
}

// lastPart gives what stands after the last slash of a path, "" of none. In the
// cache of the Hugging Face hub, where that is a revision, it is the model's own
// part: models--Qwen--Qwen3-8B/snapshots/1a2b.
func lastPart(path string) string {
	path = strings.TrimRight(path, "/")
	if cache, _, ok := strings.Cut(path, "/snapshots/"); ok {
		if _, name, ok := strings.Cut(cache[strings.LastIndexByte(cache, '/')+1:], "models--"); ok {
			return name[strings.LastIndex("--"+name, "--"):]
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// waive marks the checks of a result that the site does not heed.
func (c *Config) waive(r *result.Result) {
	for i := range r.Checks {
		for _, w := range c.Waive {
			if r.Checks[i].ID == w.Check && w.where.Match(r) {
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

// name gives a label its value when the condition holds.
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
		Text: fmt.Sprintf("%s is labelled %s=%q, but it meets the condition of %q: %s", r.ID, label, declared.Value, value, when),
		Hint: "mend the label, or the condition in " + ConfigName,
	}}
}
