// Package export writes for other programs and for the terminal: normalised
// results as the results document (JSON), JSON lines and a table; what the blocks of a
// report came to; the list of such documents.
package export

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// Schema names the form of the results document.
const Schema = "benchpost.results/1"

// Set is what is written: results in order, and what else was met.
type Set struct {
	Results  []*result.Result
	Skipped  []Skipped
	Messages []result.Message // errors go into the document
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

// Skipped is a file that held no result, or a run in it that has none yet.
type Skipped struct {
	File   string `json:"file"`
	Kind   string `json:"kind"` // "unknown", "copy" …: the kinds of package unread
	Reason string `json:"reason"`
}

// Document is the form of the results document. JSON writes it piece by piece, without holding all of it.
type Document struct {
	Schema  string    `json:"schema"`
	Results []record  `json:"results"`
	Skipped []Skipped `json:"skipped"`
	Errors  []fault   `json:"errors"`
}

// The document's shapes. Maps are written in order of their keys.
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
		File    string  `json:"file,omitempty"`    // where it is not the result's own: telemetry beside it
		Derived bool    `json:"derived,omitempty"` // computed; field is the formula
	}
	check struct {
		ID       string             `json:"id"`
		Severity string             `json:"severity"`
		Message  string             `json:"message"`
		Figures  map[string]float64 `json:"figures"`
		Hint     string             `json:"hint,omitempty"`
		Waived   string             `json:"waived,omitempty"` // why the site does not heed it
	}
	fault struct {
		File    string `json:"file"`
		Line    int    `json:"line,omitempty"`
		Message string `json:"message"`
	}
)

// JSON writes the results document, one result a line so that it diffs well.
func JSON(w io.Writer, set Set) error {
	b := bufio.NewWriter(w)
	b.WriteString("{\"schema\": \"" + Schema + "\",\n \"results\": [")
	var one writer
	for i, r := range set.Results {
		data, err := one.record(r)
		if err := line(b, i, data, err); err != nil {
			return err
		}
	}
	b.WriteString("],\n \"skipped\": [")
	for i, s := range set.Skipped {
		if err := item(b, i, s); err != nil {
			return err
		}
	}
	b.WriteString("],\n \"errors\": [")
	n := 0
	for _, m := range set.Messages {
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

func item(b *bufio.Writer, i int, v any) error {
	data, err := encode(v)
	return line(b, i, data, err)
}

// line writes the i-th item of a list.
func line(b *bufio.Writer, i int, data []byte, err error) error {
	if i > 0 {
		b.WriteString(",")
	}
	b.WriteString("\n  ")
	b.Write(data)
	return err
}

// linesOfPiece is about how many results a piece of JSON lines has.
const linesOfPiece = 64

// JSONLines writes one result a line, without the rest of the document.
func (s Set) JSONLines(w *pieces.Writer) error {
	var one writer
	for rs := range pieces.Chunks(s.Results, linesOfPiece) {
		_, err := w.Add(func(s *result.Stamper) { s.Results(rs) }, func(w io.Writer) ([]byte, error) {
			for _, r := range rs {
				data, err := one.record(r)
				if err != nil {
					return nil, err
				}
				if _, err := w.Write(append(data, '\n')); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// encode leaves <, > and & as they are: the document is no HTML.
func encode(v any) ([]byte, error) {
	var b lineBuffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b, err
}

// lineBuffer drops the newline an Encoder ends with.
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
