package result

import (
	"iter"
	"slices"
)

// Origin is how a label became known, from weakest to strongest. A stronger origin overrides a weaker one.
type Origin uint8

const (
	Guessed  Origin = iota // recognised from a name
	Derived                // computed from other labels by the site's rules
	Declared               // run.toml or a key=value folder
	Captured               // a file beside the run that describes the machine
	Measured               // the raw file itself
)

// String returns the word shown on run pages.
func (o Origin) String() string {
	return [...]string{"guessed", "derived", "declared", "captured", "measured"}[o]
}

// Label is one fact about a run.
type Label struct {
	Name, Value string
	Origin      Origin
	Pos         Position // where it was read, if anywhere
}

// Labels is the list of facts about a run, sorted by name, with each name once.
type Labels []Label

func (ls Labels) find(name string) (int, bool) {
	from, to := 0, len(ls)
	for from < to {
		if mid := int(uint(from+to) >> 1); ls[mid].Name < name {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from, from < len(ls) && ls[from].Name == name
}

// Get returns the value of a label, or "" if it is absent.
func (ls Labels) Get(name string) string {
	if i, ok := ls.find(name); ok {
		return ls[i].Value
	}
	return ""
}

// Lookup returns the whole label.
func (ls Labels) Lookup(name string) (Label, bool) {
	if i, ok := ls.find(name); ok {
		return ls[i], true
	}
	return Label{}, false
}

// Set adds or replaces a label and keeps the order. It may modify the receiver's array: a caller that shares
// the array must clone it first.
func (ls *Labels) Set(l Label) {
	i, ok := ls.find(l.Name)
	if ok {
		(*ls)[i] = l
		return
	}
	*ls = slices.Insert(*ls, i, l)
}

// Values yields name and value in order of name.
func (ls Labels) Values() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, l := range ls {
			if !yield(l.Name, l.Value) {
				return
			}
		}
	}
}
