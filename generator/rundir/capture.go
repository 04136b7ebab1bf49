package rundir

import (
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// captures holds what files beside the runs say about the machine and the software. Like a run.toml, a capture applies
// to all runs in its folder and below; the nearest folder wins. A capture that is named after a run applies to that run
// only. Settings that a tool saved apply only to the runs of that tool.
type captures struct {
	folders map[scope]result.Labels
	owned   map[*file][]*file // by the file of a run: the captures named after it
}

// scope says which runs a capture applies to: those of a tool ("" for all tools) in a folder and below. The folder is a
// slash path below the root.
type scope struct{ folder, tool string }

// capture collects the captures of all files. When two captures of one folder give different values for a label,
// neither value is used.
func (l *loader) capture() *captures {
	c := &captures{folders: map[scope]result.Labels{}, owned: map[*file][]*file{}}
	var found []*file
	for _, f := range l.files {
		if len(f.out.Captured) > 0 && len(f.out.Results) == 0 {
			found = append(found, f)
			l.beside = append(l.beside, Beside{File: f.name, Format: f.out.Capture, Facts: len(f.out.Captured)})
		}
	}
	if found == nil {
		return c
	}
	n := &neighbours{byStem: map[string][]*file{}, byNumber: map[string][]*file{}}
	for _, run := range l.files {
		if len(run.out.Results) > 0 {
			n.add(run)
		}
	}
	slices.SortFunc(n.sorted, func(a, b *file) int { return strings.Compare(a.rel, b.rel) })
	shared := slices.DeleteFunc(slices.Clone(found), func(f *file) bool {
		runs := n.named(f.rel)
		for _, run := range runs {
			c.owned[run] = append(c.owned[run], f)
		}
		return runs != nil
	})
	type fact struct {
		scope
		name string
	}
	disputed := map[fact]bool{}
	for _, f := range shared {
		of := scope{path.Dir(f.rel), f.out.CapturedOf}
		labels := c.folders[of]
		for _, label := range f.out.Captured {
			other, known := labels.Lookup(label.Name)
			key := fact{of, label.Name}
			switch {
			case disputed[key]:
			case !known:
				labels.Set(label)
			case !agree(label.Value, other.Value):
				if len(n.below(of.folder)) > 0 && !strings.HasPrefix(label.Name, result.ReadingPrefix) { // readings always differ
					l.messages = append(l.messages, result.Message{Pos: label.Pos, Severity: result.Warning, ID: "run.contradiction",
						Text: locale.Textf("%s is %s here, but %s in %s", label.Name, label.Value, other.Value, other.Pos),
						Hint: locale.Textf("neither counts; put each capture into the folder of its runs, or name it after its run")})
				}
				disputed[key] = true
				label.Value = ""
				labels.Set(label)
			}
		}
		c.folders[of] = labels
	}
	return c
}

// of returns the captured labels that apply to the results of a file.
func (c *captures) of(run *file) result.Labels {
	if len(c.folders) == 0 && len(c.owned) == 0 && len(run.out.Captured) == 0 {
		return nil
	}
	var all result.Labels
	add := func(labels result.Labels) {
		for _, label := range labels {
			if _, nearer := all.Lookup(label.Name); !nearer {
				all.Set(label)
			}
		}
	}
	add(run.out.Captured)
	for _, f := range c.owned[run] {
		add(f.out.Captured)
	}
	for folder := path.Dir(run.rel); ; folder = path.Dir(folder) {
		for _, r := range run.out.Results {
			add(c.folders[scope{folder, r.Tool}])
		}
		for _, u := range run.out.Unfinished {
			add(c.folders[scope{folder, u.Tool}])
		}
		add(c.folders[scope{folder, ""}])
		if folder == "." || folder == "/" {
			return all
		}
	}
}

// withCaptured returns the labels read from a result together with those captured beside it. A label from the result
// itself wins.
func withCaptured(read, captured result.Labels) result.Labels {
	if len(captured) == 0 {
		return read
	}
	merged := append(make(result.Labels, 0, len(read)+len(captured)), read...)
	for _, label := range captured {
		known, ok := merged.Lookup(label.Name)
		if (!ok || known.Origin < result.Captured) && strings.TrimSpace(label.Value) != "" {
			merged.Set(label)
		}
	}
	return merged
}
