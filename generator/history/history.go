// Package history reads earlier results of runs from a repository: those that others have replaced.
//
// A version of a file below runs is a past one if a later commit, or the work tree, has other bytes at its path, or
// nothing. It is read as it was just before it was replaced, with everything that described it at that time:
// declarations in the folders above, captures, models, telemetry. It gets the date of the commit that added it. A
// measurement counts once: a result with the same figures is the same one after its file was moved, compressed,
// described differently, or restored.
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

// Options configure Read.
type Options struct {
	Mappings []format.Mapping // as for rundir.Load
	Location *time.Location   // time zone for days
	Mask     *mask.Masker     // masks the contents of files; nil for no masking

	// Cache stores what was read, by a key that covers all inputs; nil for none.
	Cache interface {
		Get(key []byte) ([]byte, bool)
		Put(key, data []byte)
	}
}

// History holds the past results of a repository.
type History struct {
	Results  []result.Result // in order of time, with Revision; may include results that still exist
	Begins   *git.Commit     // first commit of a shallow clone; nil when the history is complete
	Pointers int             // number of Git LFS pointers whose file is not here
}

// Read reads the history of HEAD along first parents. The repository must have been opened at the folder of the runs.
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
	if h.Pointers == 0 { // missing files may be fetched later
		keep(r, key, h)
	}
	return h, nil
}

// Without removes results of measurements that present results also record.
func Without(results, present []*result.Result) []*result.Result {
	there := map[string]bool{}
	for _, r := range present {
		there[identity(r)] = true
	}
	return slices.DeleteFunc(slices.Clone(results), func(r *result.Result) bool { return there[identity(r)] })
}

// version is the content of a file from one change until another.
type version struct {
	path  string // relative to the folder of runs
	blob  string
	from  int // index of the change that added it
	until int // index of the change that replaced it; the number of changes for the work tree
}

// unit is what is read at once: versions that were replaced at the same time, and everything that may describe them.
type unit struct {
	gone  []version
	scope []version // the files of that time in the same campaign and above it, sorted by path
}

// replacements returns all versions that were replaced, in the order of their replacement.
func replacements(changes []git.Change, differing []string) []unit {
	campaigns := map[string]map[string]version{} // existing versions, by the first element of their path
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

// campaign returns the first element of a path, "" for a file directly in the folder.
func campaign(rel string) string {
	first, _, ok := strings.Cut(rel, "/")
	if !ok {
		return ""
	}
	return first
}

// hidden reports whether rundir skips a file because of a dot.
func hidden(rel string) bool { return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.") }

// mayMeasure reports whether a file may contain results, according to its name.
func mayMeasure(rel string) bool {
	switch name := path.Base(rel); name {
	case "run.toml", "sweep.toml", "manifest.json":
		return false
	default:
		return !strings.HasPrefix(name, "README")
	}
}

// remembered is a result and the version from which it was read.
type remembered struct {
	result result.Result
	version
}

// date keeps each measurement once: in its latest version, with the commit that first added it. The time of a
// measurement that existed at the beginning of a shallow clone is unknown, unless the measurement itself states it; it
// is dropped.
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
		r.ID += "#" + r.Revision.Short() // no id of a present run contains this character
		results = append(results, r)
	}
	return results
}

// daysOf returns the day of each change, with a number for further changes on one day.
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

// fewFigures is a limit: measurements with fewer figures may agree in all of them by chance.
const fewFigures = 6

// identity returns a text that is equal for records of one measurement: those with the same figures from the run's own
// file, whatever labels are declared and wherever the file is. If there are few figures, only versions of the same file
// are considered to be the same.
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
