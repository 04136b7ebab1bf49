package serve

import (
	"bytes"
	"encoding/json"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// State is what pages show above the site.
type State struct {
	Faults  []Fault   // reasons why nothing newer could be built, shown above the last good page
	Notices []Notice  // finished runs that fail a check; a reader may dismiss each
	Running []Running // benchmarks being written now
	Broken  bool      // the pages are those of the last good build
}

// Fault is a mistake with its place.
type Fault struct {
	Message result.Message
	First   int      // line number of the first line of Snippet
	Snippet []string // the lines around the mistake; none if there is no text
}

// Notice is a finished run that fails a check.
type Notice struct {
	Message result.Message
	Run     string // id
	Title   locale.Text
	Page    string // path of the run's page in the site; "" for none
	Command string // command to repeat the run; "" if unknown
}

// Running is a benchmark that is being written.
type Running struct {
	Title locale.Text
	File  string // "runs/…"
	Page  string // path of its page in the site; "" for none
	Done  int
	Total int // of which Done are done; 0 if unknown
	// Elapsed is the time since it began. Left is the estimated time until it ends, based on what is done; below zero
	// if unknown.
	Elapsed, Left time.Duration
	Rate          float64 // 0 if unknown
	Unit          string  // of Rate: "req/s"
}

// Data for the page's script (live/panel.js). All texts are complete, because Go formats numbers and durations in the
// page's language.
type (
	stateJSON struct {
		Broken  bool          `json:"broken"`
		Faults  []faultJSON   `json:"faults"`
		Notices []noticeJSON  `json:"notices"`
		Running []runningJSON `json:"running"`
	}
	messageJSON struct {
		Severity string `json:"severity"`
		Where    string `json:"where"`
		Text     string `json:"text"`
		Hint     string `json:"hint,omitempty"`
	}
	faultJSON struct {
		messageJSON
		Line    int      `json:"line"`
		First   int      `json:"first"`
		Snippet []string `json:"snippet,omitempty"`
	}
	noticeJSON struct {
		messageJSON
		Key     string `json:"key"` // identifies a dismissed notice
		Run     string `json:"run"`
		Title   string `json:"title"`
		Href    string `json:"href,omitempty"`
		Command string `json:"command,omitempty"`
	}
	runningJSON struct {
		Title string  `json:"title"`
		File  string  `json:"file"`
		Href  string  `json:"href,omitempty"`
		Share float64 `json:"share"` // part that is done, 0 to 1; below zero if unknown
		Text  string  `json:"text"`
	}
)

// in returns the state in a language, as JSON.
func (s *State) in(p locale.Printer) []byte {
	state := stateJSON{
		Broken:  s.Broken,
		Faults:  make([]faultJSON, len(s.Faults)),
		Notices: make([]noticeJSON, len(s.Notices)),
		Running: make([]runningJSON, len(s.Running)),
	}
	for i, f := range s.Faults {
		state.Faults[i] = faultJSON{messageJSON: encodeMessage(f.Message, p), Line: f.Message.Pos.Line, First: f.First, Snippet: f.Snippet}
	}
	for i, n := range s.Notices {
		state.Notices[i] = noticeJSON{
			messageJSON: encodeMessage(n.Message, p), Title: p.Say(n.Title), Href: href(n.Page), Command: n.Command, Run: n.Run,
			Key: strings.Join([]string{n.Run, n.Message.ID, locale.English(n.Message.Text)}, "\n"),
		}
	}
	for i, r := range s.Running {
		state.Running[i] = runningJSON{Title: p.Say(r.Title), File: r.File, Href: href(r.Page), Share: share(r), Text: progress(r, p)}
	}
	data, err := encodeJSON(state)
	if err != nil { // only texts and finite numbers: it cannot fail
		panic(err)
	}
	return data
}

func encodeMessage(m result.Message, p locale.Printer) messageJSON {
	return messageJSON{Severity: m.Severity.String(), Where: m.Pos.String(), Text: p.Say(m.Text), Hint: p.Say(m.Hint)}
}

// href returns the address of a path of the site, valid on any page.
func href(path string) string {
	if path == "" {
		return ""
	}
	return (&url.URL{Path: "/" + path}).EscapedPath()
}

func share(r Running) float64 {
	if r.Total <= 0 {
		return -1
	}
	return min(1, max(0, float64(r.Done)/float64(r.Total)))
}

// progress returns the progress of a benchmark in words.
func progress(r Running, p locale.Printer) string {
	var parts []string
	count := func(n int) string { return p.Number(float64(n), 0) }
	switch {
	case r.Total > 0:
		parts = append(parts, p.Words("live.of", count(r.Done), count(r.Total)))
	case r.Done > 0:
		parts = append(parts, count(r.Done))
	}
	if r.Rate > 0 && !math.IsInf(r.Rate, 0) {
		decimals := 0
		if r.Rate < 100 {
			decimals = 1
		}
		if r.Rate < 10 {
			decimals = 2
		}
		parts = append(parts, strings.TrimSpace(p.Number(r.Rate, decimals)+" "+r.Unit))
	}
	if r.Elapsed > 0 {
		parts = append(parts, p.Words("live.elapsed", duration(r.Elapsed, p)))
	}
	if r.Left >= 0 {
		parts = append(parts, p.Words("live.left", duration(r.Left, p)))
	}
	return strings.Join(parts, " · ")
}

// duration returns a time in words, in its two largest units.
func duration(d time.Duration, p locale.Printer) string {
	seconds := int(d.Round(time.Second) / time.Second)
	switch {
	case seconds >= 3600:
		return p.Words("live.hours", seconds/3600, seconds%3600/60)
	case seconds >= 60:
		return p.Words("live.minutes", seconds/60, seconds%60)
	}
	return p.Words("live.seconds", seconds)
}

// encodeJSON encodes a value on one line.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
