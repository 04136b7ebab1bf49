package live

import (
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
)

// announce reports a step to the terminal and the pages. newest says that no newer snapshot has been read. If such a
// snapshot was also written, its charts are drawn and its messages are complete.
func (rb *Rebuilder) announce(r Report, e *site.Snapshot, newest bool) {
	r.Messages, r.Mode = e.Messages, rb.watcher.Mode()
	if rb.messages == nil || newest && r.Written && !r.Broken && r.Err == nil {
		rb.messages, r.New = rb.unseen(e.Messages)
	} else { // earlier messages may still hold: those about charts come only after writing
		var now map[string]bool
		now, r.New = rb.unseen(e.Messages)
		maps.Copy(rb.messages, now)
	}
	state := serve.State{Broken: r.Broken || r.Err != nil, Running: rb.running}
	switch {
	case state.Broken:
		state.Faults = rb.faults(e.Messages, r.Err)
	case rb.failed != nil: // until everything can be written again
		state.Broken, state.Faults = true, rb.failed
	}
	for i := range rb.notices {
		state.Notices = append(state.Notices, rb.notices[i].Notice)
	}
	r.Running = state.Running
	if rb.viewer != nil {
		rb.viewer.Say(state)
	}
	if rb.report != nil {
		rb.report(r)
	}
}

// unseen returns the messages by their text, and those of them that were not reported before.
func (rb *Rebuilder) unseen(ms []result.Message) (now map[string]bool, unseen []result.Message) {
	now = map[string]bool{}
	for _, m := range ms {
		key := m.Error()
		if m.Severity == result.Info { // the progress of an unfinished run changes all the time
			key = m.ID + " " + m.Pos.File
		}
		if !rb.messages[key] && !now[key] {
			unseen = append(unseen, m)
		}
		now[key] = true
	}
	return now, unseen
}

// faults returns the reasons why nothing newer could be built, each with the lines around it.
func (rb *Rebuilder) faults(ms []result.Message, err error) []serve.Fault {
	var faults []serve.Fault
	for _, m := range ms {
		if m.Severity == result.Error {
			first, lines := rb.snippet(m.Pos)
			faults = append(faults, serve.Fault{Message: m, First: first, Snippet: lines})
		}
	}
	if err != nil && len(faults) == 0 {
		faults = []serve.Fault{{Message: result.Message{Severity: result.Error, Text: locale.Reason(err)}}}
	}
	return faults
}

// finished returns notices about runs that have finished since the previous step and fail a check. It keeps all such
// notices until the run is repeated or removed.
func (rb *Rebuilder) finished(e *site.Snapshot) []serve.Notice {
	first := !rb.started
	rb.started = true
	if first {
		return nil // runs that existed at the start are not news
	}
	fresh := map[string]bool{}
	for _, r := range e.Fresh() {
		fresh[r.ID] = true
	}
	before := rb.notices
	rb.notices = nil
	if len(before) > 0 {
		there := map[string]bool{}
		for _, r := range e.Results() {
			there[r.ID] = true
		}
		for _, n := range before {
			if there[n.Run] && !fresh[n.Run] {
				rb.notices = append(rb.notices, n)
			}
		}
	}
	var news []serve.Notice
	for _, a := range e.Alarms() {
		n := notice{serve.Notice{Message: a.Check.Message(a.Run), Run: a.Run.ID, Title: a.Title, Page: a.Page, Command: a.Command}, a.Run.Digest}
		rb.notices = append(rb.notices, n)
		known := slices.ContainsFunc(before, func(b notice) bool { // about the same result, whose labels changed later
			return b.Run == n.Run && b.digest == n.digest && b.Message.ID == n.Message.ID && locale.English(b.Message.Text) == locale.English(n.Message.Text)
		})
		if !known {
			news = append(news, n.Notice)
		}
	}
	if over := len(rb.notices) - mostNotices; over > 0 {
		rb.notices = rb.notices[over:]
	}
	return news
}

// mostNotices limits the notices shown on pages.
const mostNotices = 50

// running returns the benchmarks that are running.
func running(e *site.Snapshot) []serve.Running {
	var out []serve.Running
	for _, u := range e.Unfinished() {
		if !u.Running {
			continue
		}
		left, known := u.Remaining()
		if !known {
			left = -1
		}
		r := serve.Running{Title: e.TitleOf(&u), File: u.Source.File, Done: u.Done, Total: u.Total, Elapsed: u.Elapsed, Left: left, Rate: u.Rate, Unit: u.Unit}
		if u.Unit == "%" {
			r.Total, r.Unit = 100, ""
		}
		out = append(out, r)
	}
	return out
}

// snippetAround is the number of lines shown before and after a mistake.
const snippetAround = 2

// snippet returns the lines around a mistake, masked.
func (rb *Rebuilder) snippet(pos result.Position) (first int, lines []string) {
	if pos.File == "" || pos.Line == 0 {
		return 0, nil
	}
	data, err := rb.session.Text(pos.File)
	if err != nil || len(data) > 1<<20 {
		return 0, nil
	}
	all := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if pos.Line > len(all) {
		return 0, nil
	}
	first = max(1, pos.Line-snippetAround)
	return first, all[first-1 : min(len(all), pos.Line+snippetAround)]
}
