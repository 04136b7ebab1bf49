package rundir

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// dataset assembles the dataset from what was read from the files.
func (l *loader) dataset() *Dataset {
	d := &Dataset{Root: l.root, called: l.name, names: l.memory.names}
	for i := 0; i < len(l.files); i++ { // an archive is followed by its members
		if members := l.files[i].members; members != nil {
			l.files = slices.Insert(l.files, i+1, members...)
			i += len(members)
		}
	}
	ids := l.memory.assignIDs(l.files)
	var disputes disputes
	captures := l.capture()
	captured := make([]result.Labels, len(l.files))
	cores.Each(len(l.files), func(i int) {
		captured[i] = captures.of(l.files[i])
		l.files[i].merge(ids[i], captured[i])
	})
	var ordered sync.WaitGroup
	ordered.Go(func() { l.memory.order(l.files) }) // runs while the loop below compares labels
	for i, f := range l.files {
		l.messages = append(l.messages, f.out.Messages...)
		first := len(d.Unfinished)
		l.memory.share(f)
		for _, c := range f.merged.contradictions {
			disputes.add(c.declared, c.measured)
		}
		for n, u := range f.out.Unfinished {
			u.ID = ids[i].of(len(f.out.Results)+n, len(f.out.Results)+len(f.out.Unfinished))
			run := u.Run()
			u.Labels = f.guess(f.model.fit(merge(&run, withCaptured(u.Labels, captured[i]), f.declared, disputes.add)))
			l.lastLines(&u)
			d.Unfinished = append(d.Unfinished, u)
		}
		if f.err != nil {
			l.unreadable(f.name, f.err)
		} else if len(f.out.Unfinished) > 0 {
			l.tellUnfinished(d.Unfinished[first:])
		} else if !f.out.Reason.IsZero() && path.Base(f.rel) != manifestName {
			l.unread = append(l.unread, l.unreadFile(f))
		}
	}
	d.Unfinished = append(d.Unfinished, l.failedRecordings(d.Unfinished)...)
	ordered.Wait()
	results, runs := l.memory.lay(l.files)
	d.Results = results
	if l.relate(d, runs, &disputes) {
		slices.SortFunc(d.Results, func(a, b result.Result) int { return result.Compare(&a, &b) })
	}
	d.Messages = append(l.messages, disputes.messages()...)
	d.Mapped = l.mappings()
	d.Unread, d.Beside, d.Sweeps = l.unread, l.beside, l.sweeps
	slices.Sort(d.Sweeps)
	slices.SortFunc(d.Unfinished, compareUnfinished)
	d.partUnfinished()
	unread.Sort(d.Unread)
	slices.SortStableFunc(d.Beside, func(a, b Beside) int { return strings.Compare(a.File, b.File) })
	result.SortMessages(d.Messages)
	return d
}

// entry is a result of the dataset together with its file and its traits.
type entry struct {
	*result.Result
	file   *file
	traits *traits
}

// relate marks the runs that are not measurements of their own, and joins server metrics and telemetry to the other
// runs. Traces that belong to no run are appended as results of their own; added reports whether there are any. The
// order of the results must not change before relate has run, since runs holds pointers to them.
func (l *loader) relate(d *Dataset, runs []entry, disputes *disputes) (added bool) {
	l.phases(runs)
	l.unread = append(l.unread, copied(runs)...)
	l.joinServers(runs)
	if !slices.ContainsFunc(l.files, func(f *file) bool { return len(f.out.Traces) > 0 }) {
		return false
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r entry) bool { return r.Label("phase") != "" })
	taken := map[string]bool{}
	for _, r := range d.Results {
		taken[r.ID] = true
	}
	for _, t := range l.joinTelemetry(newNeighbours(runs)) {
		r := t.result()
		r.ID = plainPath(t.file.rel)
		for taken[r.ID] {
			r.ID += "-telemetry"
		}
		taken[r.ID] = true
		r.Labels = merge(&r, withCaptured(r.Labels, t.file.out.Captured), t.file.declared, disputes.add)
		d.Results = append(d.Results, r)
		added = true
	}
	return added
}
