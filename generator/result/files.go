package result

import (
	"cmp"
	"slices"
)

// Role is what a file contributed to a result.
type Role uint8

const (
	Itself Role = iota // the result
	Joined             // telemetry, or counters of the server
	Told               // a description of the machine and the software
)

// RawFile is a file that a result was read from, named as in positions.
type RawFile struct {
	Name string
	Role Role
}

// Files returns all files of tools from which metrics or labels of the result were read: its own file first,
// the others by name. It excludes what a person declared, and the weights of a model.
func (r *Result) Files() []RawFile {
	files := []RawFile{{r.Source.File, Itself}}
	add := func(name string, role Role) {
		if name != "" && name != r.Source.File && !slices.ContainsFunc(files, func(f RawFile) bool { return f.Name == name }) {
			files = append(files, RawFile{name, role})
		}
	}
	for i := range r.Metrics {
		add(r.Metrics[i].File, Joined)
	}
	if t := r.Telemetry; t != nil {
		add(t.Source.File, Joined)
	}
	for _, name := range r.Counters {
		add(name, Joined)
	}
	for i := range r.Labels {
		if l := &r.Labels[i]; l.Origin == Captured {
			add(l.Pos.File, Told)
		}
	}
	slices.SortFunc(files[1:], func(a, b RawFile) int { return cmp.Compare(a.Name, b.Name) })
	return files
}
