package explain

import (
	"encoding/json"
	"io"

	"github.com/benchpost/benchpost/generator/locale"
)

// Schema identifies the form of a Document.
const Schema = "benchpost.explain/1"

// Document is a file and what was read from it, in the form for JSON.
type Document struct {
	Schema    string    `json:"schema"`
	File      string    `json:"file"`
	Results   []Run     `json:"results"`
	Lines     []Became  `json:"lines"`                // lines with items, in order
	Ignored   [][2]int  `json:"ignored"`              // ranges of the other lines
	Elsewhere []Piece   `json:"elsewhere"`            // labels from other files, and computed metrics
	Unread    *Unread   `json:"no_result,omitempty"`  // why the file gives no result
	Refusals  []Refusal `json:"refusals,omitempty"`   // of the formats nearest to the file
	Suggested string    `json:"suggestion,omitempty"` // a [[format]] for site.toml that names what now has x_ names
}

// Run is a result in the file.
type Run struct {
	ID     string `json:"id"`
	Format string `json:"format"`
	From   int    `json:"from"` // first line
	To     int    `json:"to"`
}

// Became is a line and what was read from it.
type Became struct {
	Line   int     `json:"line"`
	Text   string  `json:"text"`
	Became []Piece `json:"became"`
}

// Piece is an item.
type Piece struct {
	Kind   string `json:"kind"`
	Result string `json:"result,omitempty"`
	Name   string `json:"name"`
	Value  any    `json:"value"` // a number for metrics
	Unit   string `json:"unit,omitempty"`
	Field  string `json:"field,omitempty"`
	From   string `json:"from,omitempty"`
}

// Unread says why a file gives no result.
type Unread struct {
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
}

// Refusal says why a format does not read the file.
type Refusal struct {
	Format string `json:"format"`
	Line   int    `json:"line,omitempty"`
	Has    string `json:"has,omitempty"`
	Lacks  string `json:"lacks,omitempty"`
}

// NewDocument combines a reading with the lines of its file.
func NewDocument(lines []string, r *Reading) *Document {
	d := &Document{Schema: Schema, File: r.File, Results: []Run{}, Lines: []Became{}, Ignored: [][2]int{}, Elsewhere: pieces(r.Elsewhere)}
	for _, run := range r.Runs {
		d.Results = append(d.Results, Run{run.ID, run.Format, run.Source.Line, max(run.EndLine, run.Source.Line)})
	}
	for n, text := range lines {
		items := r.At(n + 1)
		switch last := len(d.Ignored) - 1; {
		case len(items) > 0:
			d.Lines = append(d.Lines, Became{n + 1, text, pieces(items)})
		case last >= 0 && d.Ignored[last][1] == n:
			d.Ignored[last][1] = n + 1
		default:
			d.Ignored = append(d.Ignored, [2]int{n + 1, n + 1})
		}
	}
	return d
}

// Write writes the document as JSON.
func (d *Document) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(d)
}

func pieces(items []Item) []Piece {
	all := make([]Piece, len(items))
	for i, item := range items {
		all[i] = Piece{item.Kind, item.Run, item.Name, item.Value, item.Unit, item.Field, item.From}
		if item.Kind == Metric || item.Kind == Derived {
			all[i].Value = item.Exact
		} else if item.Kind == Note {
			all[i].Value = locale.English(item.Note)
		}
	}
	return all
}
