package rundir

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// momentName finds the word for the time of the request in the name of a file of server metrics: "metrics-before.prom".
var momentName = lazy.Regexp(`(?i)(^|[-_.])(before|after)([-_.]|$)`)

// around holds a server's counters before and after a run; nil for a missing file.
type around struct{ before, after *file }

// joinServers adds to each run what its server counted during it: the difference of two snapshots in the run's folder,
// or named after the run. Snapshots around several runs are not joined, as their counts cannot be divided.
func (l *loader) joinServers(runs []entry) {
	var keys []string
	pairs := map[string]*around{}
	for _, f := range l.files {
		if f.out.Snapshot == nil || len(f.out.Results) > 0 {
			continue
		}
		base := path.Base(f.rel)
		moment := momentName().FindStringSubmatchIndex(base)
		if moment == nil {
			l.skip(f.name, unread.LookAlike, locale.Textf("metrics of a server at one moment: name one file -before and one -after the run"))
			continue
		}
		key := path.Join(path.Dir(f.rel), base[:moment[4]]+base[moment[5]:])
		if pairs[key] == nil {
			pairs[key] = &around{}
			keys = append(keys, key)
		}
		if strings.EqualFold(base[moment[4]:moment[5]], "before") {
			pairs[key].before = f
		} else {
			pairs[key].after = f
		}
	}
	if keys == nil {
		return
	}
	n := newNeighbours(runs)
	for _, key := range keys {
		l.joinServer(n, pairs[key])
	}
}

// joinServer joins one pair of snapshots to its run, or reports why it cannot.
func (l *loader) joinServer(n *neighbours, pair *around) {
	known := pair.after
	if known == nil {
		known = pair.before
	}
	leaveOut := func(text, hint locale.Text) {
		l.messages = append(l.messages, result.Message{Pos: known.out.Snapshot.Source, Severity: result.Info, ID: "run.server-metrics", Text: text, Hint: hint})
	}
	folder := path.Dir(known.rel)
	files := slices.DeleteFunc(n.named(known.rel), func(f *file) bool { return path.Dir(f.rel) != folder })
	if len(files) == 0 {
		files = n.below(folder)
	}
	var measured []*result.Result
	others := 0
	for _, f := range files {
		for _, r := range n.runs[f] {
			switch r.Label("phase") {
			case "":
				measured = append(measured, r)
			case warmup:
				others++
			}
		}
	}
	switch {
	case len(measured) == 0:
		l.skip(known.name, unread.LookAlike, locale.Textf("metrics of a server without a run"))
	case pair.before == nil:
		leaveOut(locale.Textf("the server's metrics are only from after the run"), locale.Textf("keep those before the run, too, as benchpost record --metrics does"))
	case pair.after == nil:
		leaveOut(locale.Textf("the server's metrics are only from before the run"), locale.Textf("keep those after the run, too, as benchpost record --metrics does"))
	case len(measured)+others > 1:
		leaveOut(locale.Textf("the server's metrics cover %d runs together", len(measured)+others), locale.Textf("request them before and after each run, and put each run into a folder of its own"))
	default:
		added, why := counted(pair.before.out.Snapshot, pair.after.out.Snapshot)
		if !why.IsZero() {
			leaveOut(why, locale.Text{})
			return
		}
		r := measured[0]
		metrics := append(make([]result.Metric, 0, len(r.Metrics)+len(added)), r.Metrics...) // what was read may be shared
		for _, m := range added {
			if _, known := r.Metric(m.Name); !known {
				metrics = append(metrics, m)
			}
		}
		r.Metrics, r.Counters = metrics, []string{pair.before.name, pair.after.name}
		for _, f := range []*file{pair.before, pair.after} {
			l.beside = append(l.beside, Beside{File: f.name, Format: f.out.Snapshot.Format, Runs: []string{r.ID}})
		}
	}
}

// serverMetrics maps counters to metrics.
var serverMetrics = []struct{ counter, metric string }{
	{result.CountedRequests, "server_requests"},
	{result.CountedRequests + "_stop", "server_requests_stop"},
	{result.CountedRequests + "_length", "server_requests_length"},
	{result.CountedRequests + "_abort", "server_requests_abort"},
	{result.CountedRequests + "_error", "server_requests_error"},
	{result.CountedInput, "server_input_tokens"},
	{result.CountedOutput, "server_output_tokens"},
	{result.CountedPreemptions, "preemptions"},
}

// counted returns what a server counted between two snapshots, or the reason why that is unknown.
func counted(before, after *result.Snapshot) (metrics []result.Metric, why locale.Text) {
	switch {
	case before.Cut, after.Cut:
		return nil, locale.Textf("the server's metrics are cut off")
	case before.Engine != after.Engine:
		return nil, locale.Textf("the server's metrics before the run are of %s, those after it of %s", before.Engine, after.Engine)
	case before.Started != after.Started:
		return nil, locale.Textf("the server was restarted between its metrics before and after the run")
	}
	for _, old := range before.Counters {
		if now, ok := after.Counter(old.Name); ok && now.Value < old.Value {
			return nil, locale.Textf("%s is %.0f after the run and %.0f before it: the server was restarted, or the two files are swapped", now.Field, now.Value, old.Value)
		}
	}
	add := func(name, field string, value float64, line int) {
		d, _ := vocabulary.Define(name)
		metrics = append(metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: d.Unit, Better: d.Better, Derived: true, Field: field, File: after.Source.File},
			Value: value, Decimals: result.FullPrecision, Line: int32(line)})
	}
	// rise returns the increase of a counter. Some counters appear only with their first event, such as the reasons why
	// requests ended and SGLang's cached tokens. They were zero before.
	rise := func(name string, appears bool) (result.Counter, bool) {
		now, ok := after.Counter(name)
		old, was := before.Counter(name)
		now.Value -= old.Value
		return now, ok && (was || appears)
	}
	for _, m := range serverMetrics {
		if c, ok := rise(m.counter, strings.HasPrefix(m.counter, result.CountedRequests+"_")); ok {
			add(m.metric, "Δ "+c.Field, c.Value, c.Line)
		}
	}
	hits, ok := rise(result.CountedHits, after.Engine == "sglang")
	queries, asked := rise(result.CountedQueries, false)
	if !asked && after.Engine == "sglang" { // it looks up all prompts
		queries, asked = rise(result.CountedInput, false)
	}
	if ok && asked && queries.Value > 0 && hits.Value <= queries.Value {
		add("prefix_cache_hit_rate", fmt.Sprintf("Δ %s / Δ %s", hits.Field, queries.Field), 100*hits.Value/queries.Value, hits.Line)
	}
	return metrics, locale.Text{}
}
