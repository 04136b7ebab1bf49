package rundir

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// tellUnfinished lists and reports the runs of a file that have no result yet.
func (l *loader) tellUnfinished(us []result.Unfinished) {
	for i := range us {
		u := us[i]
		u.Running = !u.HasEnded() && l.alive != nil && l.alive(u.Source.File)
		m := u.Message()
		l.unread = append(l.unread, unread.File{Name: m.Pos.File, Line: m.Pos.Line, Kind: unread.Unfinished, Reason: m.Text})
		l.messages = append(l.messages, m)
	}
}

// partUnfinished changes the id of an unfinished run if a result or another unfinished run has the same. Ids of results
// do not depend on unfinished runs.
func (d *Dataset) partUnfinished() {
	if len(d.Unfinished) == 0 {
		return
	}
	taken := map[string]bool{}
	for i := range d.Results {
		taken[d.Results[i].ID] = true
	}
	for i := range d.Unfinished {
		u := &d.Unfinished[i]
		base := u.ID
		for n := 1; taken[u.ID]; n++ {
			u.ID = base + "-unfinished"
			if n > 1 {
				u.ID += "-" + strconv.Itoa(n)
			}
		}
		taken[u.ID] = true
	}
}

// compareUnfinished orders unfinished runs by file and line.
func compareUnfinished(a, b result.Unfinished) int {
	return cmp.Or(strings.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
}
