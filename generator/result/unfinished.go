package result

import (
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// Unfinished is a run that was begun and has no result yet: it goes on, or was
// broken off. How far it got is what the tool's own progress bar said last.
type Unfinished struct {
	ID     string   // unique among results and unfinished runs of a dataset
	Source Position // the line that shows how far it got
	Tool   string
	Labels Labels

	Done, Total int           // Total is 0 when it is unknown
	Elapsed     time.Duration // as the bar says; 0 before it is there
	Left        time.Duration // as the bar says; below 0 when it does not know
	Rate        float64       // for each second, as the bar says; 0 when it does not know
	Unit        string        // of the rate: "req/s", "it/s"; it names what is counted

	Running bool // its writer is still at it, which no file shows

	Failure string   // the line that says why it ended; "" for a run that may go on
	Last    []string // the lines below it, at most a few
}

// Remaining returns the time left: the bar's own, or what its rate comes to.
func (u *Unfinished) Remaining() (time.Duration, bool) {
	switch {
	case u.Left >= 0:
		return u.Left, true
	case u.Rate > 0 && u.Total > 0:
		return time.Duration(float64(u.Total-u.Done) / u.Rate * float64(time.Second)), true
	}
	return 0, false
}

// Run returns the run as a result without a figure, for what goes by labels.
func (u *Unfinished) Run() Result {
	return Result{ID: u.ID, Source: u.Source, EndLine: u.Source.Line, Tool: u.Tool, Status: Partial, Labels: u.Labels}
}

// Progress says how much is done: "40 of 100 requests".
func (u *Unfinished) Progress() locale.Text {
	number := func(n int) string { return locale.Group(strconv.Itoa(n)) }
	counted := strings.TrimSuffix(u.Unit, "/s")
	switch {
	case u.Unit == "%":
		return locale.Lit(number(u.Done) + "%")
	case u.Total > 0:
		return locale.T("progress.of."+counted, number(u.Done), number(u.Total))
	case u.Done > 0:
		return locale.T("progress.some."+counted, number(u.Done))
	}
	return locale.T("progress.begun")
}

// Short is the same in the narrow cell of a grid: "40/100"; "" before anything is
// told.
func (u *Unfinished) Short() string {
	switch {
	case u.Unit == "%":
		return strconv.Itoa(u.Done) + "%"
	case u.Total > 0:
		return strconv.Itoa(u.Done) + "/" + strconv.Itoa(u.Total)
	case u.Done > 0:
		return strconv.Itoa(u.Done)
	}
	return "" // nothing is known yet
}

// State says how far a run got that does not go on: "unfinished: 40 of 100
// requests after 1:23", "failed: 3 tests: CUDA error: out of memory".
func (u *Unfinished) State() locale.Text {
	end, ended := u.recorded()
	var state locale.Text
	switch failed := u.Failure != ""; {
	case failed && u.Done == 0 && u.Total == 0:
		state = locale.T("progress.failed", u.Failure)
	case failed:
		state = locale.T("progress.failed.after", u.Progress(), u.Failure)
	case ended && u.Done == 0 && u.Total == 0:
		return locale.T("progress.failed", end)
	case ended:
		return locale.T("progress.failed.after", u.Progress(), end)
	case u.Elapsed == 0:
		state = locale.T("progress.unfinished", u.Progress())
	default:
		state = locale.T("progress.unfinished.after", u.Progress(), locale.Clock(u.Elapsed))
	}
	if !end.IsZero() {
		return locale.T("progress.recorded", state, end)
	}
	return state
}

// recorded says how the recording ended that the run is of, and whether it did; zero for a run
// that was not recorded.
func (u *Unfinished) recorded() (end locale.Text, ended bool) {
	code, signal := u.Labels.Get("x_exit_code"), u.Labels.Get("x_signal")
	switch {
	case code != "" && signal != "":
		return locale.T("recording.signal", code, signal), true
	case code != "":
		return locale.T("recording.code", code), true
	case u.Labels.Get("x_ended") != "":
		return locale.T("recording.ended"), true
	case u.IsRecorded():
		return locale.T("recording.cut"), false
	}
	return end, false
}

// IsRecorded reports whether "benchpost record" noted when the run began.
func (u *Unfinished) IsRecorded() bool { return u.Labels.Get("x_started") != "" }

// HasEnded reports whether it noted that the run's command has ended.
func (u *Unfinished) HasEnded() bool {
	_, ended := u.recorded()
	return ended
}

// Message reports the run as something worth knowing: whether it goes on is not
// known from its file.
func (u *Unfinished) Message() Message {
	if u.Failure != "" || u.HasEnded() {
		m := Message{Pos: u.Source, Severity: Warning, ID: "run.failed", Text: u.State(),
			Hint: locale.Textf("correct the cause, run it again, and remove the log of this attempt")}
		if len(u.Last) > 0 {
			m.Hint = locale.Clauses(m.Hint, locale.Textf("its last lines: %s", strings.Join(u.Last, " / ")))
		}
		return m
	}
	severity := Info
	if u.IsRecorded() && !u.Running {
		severity = Warning
	}
	return Message{Pos: u.Source, Severity: severity, ID: "run.unfinished", Text: u.State(),
		Hint: locale.Textf("it may still be in progress; if not, run it again, and remove the log of this attempt")}
}
