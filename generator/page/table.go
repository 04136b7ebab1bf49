package page

import (
	"html/template"

	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// Table lays out a table. Cells that name a run link to the address given by
// link, unless that is "".
func Table(t report.Table, p locale.Printer, link func(runID string) string) template.HTML {
	return ""
}

// Picture is an image with all that belongs to it.
type Picture struct {
	Src           string // reference relative to the page, escaped
	Alt           string
	Width, Height int // of the file, in pixels
	Caption       string
	Data          template.HTML // the figures behind it, as a table; may be ""
}

// Figure lays out a picture; p words what is around it.
func Figure(f Picture, p locale.Printer) template.HTML { return "" }

// RawBlock lays out a tool's output as it was printed. Link leads to the run,
// "" leaves it out.
func RawBlock(text, caption, link string, p locale.Printer) template.HTML { return "" }
