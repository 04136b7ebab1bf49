// Package export writes data for other programs and for the terminal: normalised results as the results
// document (JSON), as JSON lines and as a table; the evaluated blocks of a report; the list of these documents.
package export

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// Schema names the format of the results document.
const Schema = "benchpost.results/1"

// Set is the content of a results document: results in order, skipped files and messages.
type Set struct {
	Results  []*result.Result
	Skipped  []Skipped
	Messages []result.Message // the document contains only errors
}

// Errors counts the messages that go into the results document.
func (s Set) Errors() int {
	n := 0
	for _, m := range s.Messages {
		if m.Severity == result.Error {
			n++
		}
	}
	return n
}

// Skipped is a file without a result, or a run in it that has no result yet.
type Skipped struct {
	File   string `json:"file"`
	Kind   string `json:"kind"` // "unknown", "copy" …: a kind of package unread
	Reason string `json:"reason"`
}

// Document is the structure of the results document. JSON writes it piece by piece, so it never holds the whole
// document.
type Document struct {
	Schema  string    `json:"schema"`
	Results []record  `json:"results"`
	Skipped []Skipped `json:"skipped"`
	Errors  []fault   `json:"errors"`
}

// JSON structures of the document. Maps are written in the order of their keys.
type (
	record struct {
		ID      string            `json:"id"`
		Source  source            `json:"source"`
		Tool    string            `json:"tool"`
		Format  string            `json:"format"`
		Status  string            `json:"status"`
		Labels  map[string]string `json:"labels"`
		Metrics map[string]metric `json:"metrics"`
		Checks  []check           `json:"checks"`
	}
	source struct {
		File string `json:"file"`
		Line int    `json:"line"`
	}
	metric struct {
		Value   float64 `json:"value"`
		Unit    string  `json:"unit"`
		Better  string  `json:"better,omitempty"`
		Field   string  `json:"field"`
		Line    int     `json:"line,omitempty"`
		File    string  `json:"file,omitempty"`    // if it differs from that of the result: telemetry beside it
		Derived bool    `json:"derived,omitempty"` // computed; then field is the formula
	}
	check struct {
		ID       string             `json:"id"`
		Severity string             `json:"severity"`
		Message  string             `json:"message"`
		Figures  map[string]float64 `json:"figures"`
		Hint     string             `json:"hint,omitempty"`
		Waived   string             `json:"waived,omitempty"` // why the site waives the check
	}
	fault struct {
		File    string `json:"file"`
		Line    int    `json:"line,omitempty"`
		Message string `json:"message"`
	}
)

// JSON writes the results document with one result a line, so that it diffs well.
func JSON(w io.Writer, set Set) error { return pieces.Whole(w, set.document) }

func (s Set) document(w *pieces.Writer) error {
	_, err := w.Add(nil, func(w io.Writer) ([]byte, error) {
		_, err := io.WriteString(w, "{\"schema\": \""+Schema+"\",\n \"results\": [")
		return nil, err
	})
	if err == nil {
		err = s.lines(w, func(w io.Writer, r *result.Result, data []byte) error { return line(w, r == s.Results[0], data) })
	}
	if err == nil {
		_, err = w.Add(nil, func(w io.Writer) ([]byte, error) { return nil, s.rest(w) })
	}
	return err
}

// rest writes the part of the document after the results.
func (s Set) rest(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("],\n \"skipped\": [")
	for i, f := range s.Skipped {
		if err := item(b, i, f); err != nil {
			return err
		}
	}
	b.WriteString("],\n \"errors\": [")
	n := 0
	for _, m := range s.Messages {
		if m.Severity != result.Error {
			continue
		}
		if err := item(b, n, fault{m.Pos.File, m.Pos.Line, locale.English(m.Text)}); err != nil {
			return err
		}
		n++
	}
	b.WriteString("]}\n")
	return b.Flush()
}

// item writes the i-th item of a list.
func item(w io.Writer, i int, v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	return line(w, i == 0, data)
}

// line writes an item of a list on its own line.
func line(w io.Writer, first bool, data []byte) error {
	before := ",\n  "
	if first {
		before = "\n  "
	}
	if _, err := io.WriteString(w, before); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

// JSONLines writes each result as a line of JSON.
func (s Set) JSONLines(w *pieces.Writer) error {
	return s.lines(w, func(w io.Writer, _ *result.Result, data []byte) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// linesOfPiece is the approximate number of results in a piece of JSON.
const linesOfPiece = 64

// lines calls write with the JSON record of each result.
func (s Set) lines(w *pieces.Writer, write func(io.Writer, *result.Result, []byte) error) error {
	key := func(rs []*result.Result) func(*result.Stamper) { return func(s *result.Stamper) { s.Results(rs) } }
	return w.AddEach(s.Results, linesOfPiece, key, func() func(io.Writer, []*result.Result) error {
		var one writer
		return func(w io.Writer, rs []*result.Result) error {
			for _, r := range rs {
				data, err := one.record(r)
				if err != nil {
					return err
				}
				if err := write(w, r, data); err != nil {
					return err
				}
			}
			return nil
		}
	})
}

// encode does not escape <, > and &, because the document is not HTML.
func encode(v any) ([]byte, error) {
	var b lineBuffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b, err
}

// lineBuffer drops the newline that json.Encoder adds.
type lineBuffer []byte

func (b *lineBuffer) Write(p []byte) (int, error) {
	n := len(p)
	if n > 0 && p[n-1] == '\n' {
		p = p[:n-1]
	}
	*b = append(*b, p...)
	return n, nil
}

func unitSuffix(unit string) string {
	if unit == "" || unit == "1" {
		return ""
	}
	return " [" + unit + "]"
}
