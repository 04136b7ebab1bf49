// Package history reads what a repository remembers of runs: the results that others
// have taken the place of.
//
// A version of a file below runs is of the past when a later commit, or the work
// tree, has other bytes at its path or nothing at all. It is read as it stood last,
// just before it was replaced, with all that described it then: what is declared in the
// folders above, captures, models, telemetry. It is dated by the commit that brought
// it. A measurement counts once: what states the same figures, after a file was moved,
// compressed, described anew, or brought back, is the same.
package history

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/pack"
	"github.com/benchpost/benchpost/generator/result"
)

// Options of Read.
type Options struct {
	Mappings []format.Mapping // as of rundir.Load
	Location *time.Location   // in which days are counted
	Mask     *mask.Masker     // of what files contain; nil for none

	// Cache keeps what was read, by a key of all that decides it; nil for none.
	Cache interface {
		Get(key []byte) ([]byte, bool)
		Put(key, data []byte)
	}
}

// History is what a repository remembers.
type History struct {
	Results  []result.Result // in order of time, with Revision; what is there now may be among them
	Begins   *git.Commit     // where a shallow clone cuts it off; nil when it is whole
	Pointers int             // files that Git LFS keeps elsewhere
}

// Read reads the history of HEAD along first parents, in the folder that the
// repository was opened at: that of the runs.
func Read(ctx context.Context, repo *git.Repo, opt Options) (*History, error) {
	head, ok, err := repo.Head(ctx)
	if err != nil || !ok {
		return &History{}, err
	}
	differing, err := repo.Differing(ctx, ".")
	if err != nil {
		return nil, err
	}
	r := &reader{repo: repo, opt: opt, texts: pack.NewTexts()}
	key := r.historyKey(head.ID, differing)
	if h := r.cachedHistory(key); h != nil {
		return h, nil
	}
	changes, err := repo.Log(ctx, head.ID, ".")
	if err != nil {
		return nil, err
	}
	h := &History{}
	if repo.Shallow && len(changes) > 0 && len(changes[0].Parents) == 0 {
		h.Begins = &changes[0].Commit
	}
	read, err := r.read(ctx, replacements(changes, differing))
	if err != nil {
		return nil, err
	}
	h.Pointers = r.pointers
	h.Results = date(read, changes, h.Begins != nil, opt.Location)
	if h.Pointers == 0 { // what is not here may come
		keep(r, key, h)
	}
	return h, nil
}

// Without leaves out results that what is there now is a record of, too.
func Without(results, present []*result.Result) []*result.Result {
	there := map[string]bool{}
	for _, r := range present {
		there[identity(r)] = true
	}
	return slices.DeleteFunc(slices.Clone(results), func(r *result.Result) bool { return there[identity(r)] })
}

// version is what a file held from one change on until another.
type version struct {
	path  string // below the folder
	blob  string
	from  int // the change that brought it
	until int // the change that replaced it; how many there are, for the work tree
}

// unit is what is read at once: versions that were replaced at the same time, and
// all that may describe them.
type unit struct {
	gone  []version
	scope []version // what stood then in the files' campaign and above it, by path
}

// replacements goes through the history and returns all versions that were replaced, in
// the order in which they were.
func replacements(changes []git.Change, differing []string) []unit {
	campaigns := map[string]map[string]version{} // what is there, by the first part of its path
	var units []unit
	replace := func(gone []version) {
		by := map[string][]version{}
		var names []string
		for _, v := range gone {
			name := campaign(v.path)
			if by[name] == nil {
				names = append(names, name)
			}
			by[name] = append(by[name], v)
		}
		for _, name := range names {
			u := unit{gone: by[name]}
			for _, part := range slices.Compact([]string{"", name}) {
				for _, v := range campaigns[part] {
					u.scope = append(u.scope, v)
				}
			}
			slices.SortFunc(u.scope, func(a, b version) int { return strings.Compare(a.path, b.path) })
			units = append(units, u)
		}
	}
	standing := func(rel string) (version, bool) {
		v, ok := campaigns[campaign(rel)][rel]
		return v, ok && mayMeasure(rel)
	}
	for i, c := range changes {
		var gone []version
		for _, f := range c.Files {
			if v, ok := standing(f.Path); ok && f.New != f.Old {
				v.until = i
				gone = append(gone, v)
			}
		}
		replace(gone)
		for _, f := range c.Files {
			rel := f.Path
			if hidden(rel) || f.New == f.Old {
				continue
			}
			all := campaigns[campaign(rel)]
			if f.New == "" {
				delete(all, rel)
				continue
			}
			if all == nil {
				all = map[string]version{}
				campaigns[campaign(rel)] = all
			}
			all[rel] = version{path: rel, blob: f.New, from: i}
		}
	}
	var gone []version
	for _, name := range differing {
		if v, ok := standing(name); ok {
			v.until = len(changes)
			gone = append(gone, v)
		}
	}
	replace(gone)
	return units
}

// campaign returns the first part of a path, "" of a file above all of them.
func campaign(rel string) string {
	first, _, ok := strings.Cut(rel, "/")
	if !ok {
		return ""
	}
	return first
}

// hidden reports whether rundir passes a file over.
func hidden(rel string) bool { return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") }

// mayMeasure reports whether a file may hold results, by names that never do.
func mayMeasure(rel string) bool {
	switch name := path.Base(rel); name {
	case "run.toml", "sweep.toml", "manifest.json":
		return false
	default:
		return !strings.HasPrefix(name, "README")
	}
}

// remembered is a result and the version it was read from.
type remembered struct {
	result result.Result
	version
}

// date keeps each measurement once: as it was reported last, and of the commit that
// brought it first. One that stood there when a shallow clone was cut off is of no
// known time, unless it states that itself.
func date(read []remembered, changes []git.Change, cut bool, in *time.Location) []result.Result {
	days := daysOf(changes, in)
	at := map[string]int{}
	var once []remembered
	for _, r := range read {
		id := identity(&r.result)
		i, known := at[id]
		switch {
		case !known:
			at[id] = len(once)
			once = append(once, r)
		default:
			from := min(once[i].from, r.from)
			if r.until >= once[i].until {
				once[i] = r
			}
			once[i].from = from
		}
	}
	slices.SortStableFunc(once, func(a, b remembered) int { return a.from - b.from })
	var results []result.Result
	for _, one := range once {
		r, c := one.result, changes[one.from].Commit
		r.Revision = &result.Revision{Commit: c.ID, Subject: c.Subject, Time: c.Time.In(in)}
		r.Labels = slices.Clone(r.Labels)
		r.Labels.Set(result.Label{Name: "past_commit", Value: r.Revision.Short(), Origin: result.Derived})
		if r.Labels.Get("date") == "" {
			if cut && one.from == 0 {
				continue
			}
			r.Labels.Set(result.Label{Name: "date", Value: days[one.from], Origin: result.Derived})
		}
		r.ID += "#" + r.Revision.Short() // no id of a run has this sign
		results = append(results, r)
	}
	return results
}

// daysOf words the day of each change; of several on one day, each its own.
func daysOf(changes []git.Change, in *time.Location) []string {
	days := make([]string, len(changes))
	count := map[string]int{}
	for i, c := range changes {
		day := c.Time.In(in).Format(time.DateOnly)
		if count[day]++; count[day] > 1 {
			days[i] = fmt.Sprintf("%s (%d)", day, count[day])
		} else {
			days[i] = day
		}
	}
	return days
}

// fewFigures is below how many two measurements may well agree in all.
const fewFigures = 6

// identity is equal for records of one measurement: of the same figures, read from
// the run's own file, whatever is declared of it and wherever it lies. Where there are few
// figures, only one file's own versions are taken for the same.
func identity(r *result.Result) string {
	var s result.Stamper
	s.Text(r.Tool)
	own := 0
	for i := range r.Metrics {
		m := &r.Metrics[i]
		if m.File == "" && !m.Derived {
			s.Text(m.Name)
			s.Float(m.Value)
			own++
		}
	}
	s.Int(int(r.Period.From.Unix()), int(r.Period.To.Unix()))
	if own < fewFigures {
		s.Text(r.Source.File)
		if day, ok := r.Labels.Lookup("date"); ok && day.Origin != result.Derived {
			s.Text(day.Value)
		}
	}
	sum := s.Sum()
	return string(sum[:])
}
