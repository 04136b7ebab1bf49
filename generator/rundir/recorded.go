package rundir

import (
	"bufio"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// recorded returns the period in which a run's command was running, if "benchpost record" noted it.
func recorded(r *result.Result) (result.Period, bool) {
	from, err1 := time.Parse(time.RFC3339, r.Labels.Get("x_started"))
	to, err2 := time.Parse(time.RFC3339, r.Labels.Get("x_ended"))
	return result.Period{From: from, To: to, Zoned: true}, err1 == nil && err2 == nil
}

// recording reports whether a file is the record of a command whose end has not been noted.
func recording(f *file) bool {
	return f.out.Captured.Get("x_started") != "" && f.out.Captured.Get("x_ended") == ""
}

// failedRecordings returns an unfinished run for each recording whose command failed and left neither a result nor an
// unfinished run. For a failed command that left results, it adds a message instead.
func (l *loader) failedRecordings(begun []result.Unfinished) []result.Unfinished {
	var failed []result.Unfinished
	for _, f := range l.files {
		code, ok := f.out.Captured.Lookup("x_exit_code")
		if !ok || code.Value == "0" || path.Base(f.rel) != format.RecordName {
			continue
		}
		u := result.Unfinished{ID: plainPath(path.Dir(f.rel)), Source: code.Pos, Labels: f.out.Captured, Left: -1}
		l.lastLines(&u)
		folder := path.Dir(f.name) + "/"
		switch {
		case slices.ContainsFunc(begun, func(b result.Unfinished) bool { return strings.HasPrefix(b.Source.File, folder) }):
		case slices.ContainsFunc(l.files, func(g *file) bool { return len(g.out.Results) > 0 && strings.HasPrefix(g.name, folder) }):
			m := u.Message()
			m.Text = locale.Clauses(m.Text, locale.Textf("results were read from its output up to there"))
			l.messages = append(l.messages, m)
		default:
			u.Labels = merge(&result.Result{}, u.Labels, f.declared, func(result.Label, result.Label) {})
			for i := range l.unread { // report the failed run once, not once more for each of its files
				if strings.HasPrefix(l.unread[i].Name, folder) {
					l.unread[i].Kind, l.unread[i].Reason = unread.Other, notExpected()
				}
			}
			l.tellUnfinished([]result.Unfinished{u})
			failed = append(failed, u)
		}
	}
	return failed
}

// lastLines adds the last lines that the command printed to an unfinished run whose recording has ended.
func (l *loader) lastLines(u *result.Unfinished) {
	const most, longest = 3, 200
	if len(u.Last) > 0 || !u.HasEnded() {
		return
	}
	rel := strings.TrimPrefix(path.Dir(u.Source.File), l.name+"/") + "/" + format.RecordedLog
	in, err := l.mask.Open(l.path(rel))
	if err != nil {
		in, err = l.mask.Open(l.path(rel + rawfile.Ending)) // archiving compresses the log
	}
	if err != nil {
		return // the failure is reported without the lines
	}
	defer in.Close()
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadSlice('\n')
		if text := strings.TrimSpace(strings.ToValidUTF8(string(line[:min(len(line), longest)]), "")); text != "" {
			u.Last = append(u.Last, text)
			u.Last = u.Last[max(0, len(u.Last)-most):]
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// inClock converts a period to a clock with a zone, or to one without. The conversion needs the zone's offset, which is
// known if the run's command was recorded; otherwise it returns false.
func inClock(p result.Period, zoned bool, r *result.Result) (result.Period, bool) {
	if p.Zoned == zoned {
		return p, true
	}
	command, ok := recorded(r)
	_, seconds := command.From.Zone()
	offset := time.Duration(seconds) * time.Second
	if zoned {
		offset = -offset
	}
	return result.Period{From: p.From.Add(offset).UTC(), To: p.To.Add(offset).UTC(), Zoned: zoned}, ok
}
