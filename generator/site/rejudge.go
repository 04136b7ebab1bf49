package site

import (
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/result"
)

// judged is a result as it was loaded and as the site judged it.
type judged struct {
	loaded   result.Result // its contents may since have been replaced, but are never changed in place
	result   *result.Result
	messages []result.Message
	version  string // version of its file, whose text may be shown, and of the files beside it
	beside   []result.RawFile
}

// versionOf returns the version of all files that a result was read from.
func (j *judged) versionOf(version func(file string) string) string {
	all := version(j.loaded.Source.File)
	for _, f := range j.beside {
		all += " " + version(f.Name)
	}
	return all
}

// rejudge judges the results that have changed. Both lists are in the order of result.Compare. changed are the results
// that are new, changed or gone, in their old and their new state; fresh are the new states among them. A result that
// was assembled again with the same outcome, as happens with telemetry, is in neither. Parts that results have in
// common are shared through shapes.
func rejudge(c *config.Config, before []*judged, loaded []result.Result, version func(file string) string, shapes *result.Shapes) (now []*judged, changed, fresh []*result.Result) {
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
		if stood && before[n].loaded.Is(r) && (before[n].beside == nil || before[n].version == before[n].versionOf(beside)) {
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
	found := judge.Each(c, results)
	cores.Each(len(results), func(i int) { results[i].Seal() })
	for i, ms := range found {
		j := work[i]
		j.messages, j.beside = ms, nil
		if files := j.result.Files()[1:]; len(files) > 0 {
			j.beside = files
		}
		j.version = j.versionOf(beside)
		shapes.Share(j.result)
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
