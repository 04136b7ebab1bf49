package unwrap

import "sort"

// Lines maps lines of a text to lines of a file. The zero value is for a text that is the file itself.
type Lines struct {
	in, outer *runs
}

// Of returns the line of the file that contains a line of the text. Both count from 1.
func (l Lines) Of(text int) int { return l.outer.of(l.in.of(text)) }

// Shifted reports whether line numbers of the text and the file may differ.
func (l Lines) Shifted() bool { return l.in.shifted() || l.outer.shifted() }

// runs maps lines of a text to lines of a file. Each run begins at a line of the text; its lines are in consecutive
// lines of the file, or all in the same line. nil means the lines of the file itself.
type runs []run

type run struct {
	text, file int32
	same       bool
}

func (l *runs) shifted() bool { return l != nil && len(*l) > 0 }

func (l *runs) of(text int) int {
	if !l.shifted() {
		return text
	}
	i := sort.Search(len(*l), func(i int) bool { return int((*l)[i].text) > text }) - 1
	if i < 0 {
		return text
	}
	r := (*l)[i]
	if r.same {
		return int(r.file)
	}
	return int(r.file) + text - int(r.text)
}

// add records the line of the file that contains a line of the text. Lines of the text must be added in order.
func (l *runs) add(text, file int) {
	n := len(*l)
	if n == 0 {
		if text != file {
			*l = append(*l, run{int32(text), int32(file), false})
		}
		return
	}
	last := &(*l)[n-1]
	switch {
	case last.same && int(last.file) == file, !last.same && int(last.file)+text-int(last.text) == file:
	case int(last.text) == text-1 && int(last.file) == file:
		last.same = true
	default:
		*l = append(*l, run{int32(text), int32(file), false})
	}
}
