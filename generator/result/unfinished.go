package result

import (
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// Unfinished is a run that was started and has no result yet. It is still running, or it was interrupted. Its
// progress is what the tool's own progress bar showed last.
type Unfinished struct {
	ID     string   // unique among results and unfinished runs of a dataset
	Source Position // the line that shows its progress
	Tool   string
	Labels Labels

	Done, Total int           // Total is 0 if unknown
	Elapsed     time.Duration // as shown by the bar; 0 until it is shown
	Left        time.Duration // as shown by the bar; negative if unknown
	Rate        float64       // per second, as shown by the bar; 0 if unknown
	Unit        string        // of the rate: "req/s", "it/s"; tells what is counted

	Running bool // the process that writes its file is still running (not known from the file)

	Failure string   // the line that says why it ended; "" for a run that may still continue
	Last    []string // a few lines below it, or the last lines that a recorded command printed
}

// Remaining returns the time left: as shown by the bar, or else computed from its rate.
func (u *Unfinished) Remaining() (time.Duration, bool) {
	switch {
	case u.Left >= 0:
		return u.Left, true
	case u.Rate > 0 && u.Total > 0:
		return time.Duration(float64(u.Total-u.Done) / u.Rate * float64(time.Second)), true
	}
	return 0, false
}

// Run returns the run as a result without metrics, for code that works with labels.
func (u *Unfinished) Run() Result {
	return Result{ID: u.ID, Source: u.Source, EndLine: u.Source.Line, Tool: u.Tool, Status: Partial, Labels: u.Labels}
}

// Progress returns how much is done: "40 of 100 requests".
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

// Short returns the progress for the narrow cell of a grid: "40/100", or "" if nothing is known yet.
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

// State describes a run that has stopped, or may have: "unfinished: 40 of 100 requests after 1:23", "failed: 3
// tests: CUDA error: out of memory".
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

// recorded returns how the recording of the run ended, and whether the recorded command has ended. The text is
// zero for a run that was not recorded.
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

// IsRecorded reports whether "benchpost record" recorded the start of the run.
func (u *Unfinished) IsRecorded() bool { return u.Labels.Get("x_started") != "" }

// HasEnded reports whether "benchpost record" recorded that the run's command has ended.
func (u *Unfinished) HasEnded() bool {
	_, ended := u.recorded()
	return ended
}

// Message reports the run: as a warning if it failed, or as information, because its file does not show whether
// it is still running. A recorded run that is no longer running is a warning.
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
