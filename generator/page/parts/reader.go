package parts

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
)

// Reader describes for whom a page is laid out: the language, the site's titles of label values, and the paths of runs.
type Reader struct {
	Printer locale.Printer
	Titles  map[string]map[string]locale.Text // by label and value
	Names   *address.Book                     // paths of the site's runs; may be nil
}

// Value returns the title of a value of a label.
func (l *Reader) Value(label, value string) string {
	if t, ok := l.Titles[label][value]; ok {
		return l.Printer.Say(t)
	}
	return l.Printer.Value(label, value)
}

// LoadName returns the title of a run's load or scenario, or else its concurrency or rate.
func (l *Reader) LoadName(r *result.Result) string {
	if label, v := LoadLabel(r); v != "" {
		return l.Value(label, v)
	}
	if c := r.Labels.Get("max_concurrency"); c != "" {
		return l.Printer.Words("page.concurrency", c)
	}
	if c := r.Labels.Get("request_rate"); c != "" {
		return l.Printer.Label("request_rate") + " " + c
	}
	return ""
}
