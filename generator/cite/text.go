package cite

import "github.com/benchpost/benchpost/generator/locale"

// Text returns the work as a sentence for a list of references.
func (w *Work) Text(p locale.Printer) string {
	var names []string
	for _, a := range w.Authors {
		names = append(names, clean(a.String()))
	}
	who := p.List(names)
	when := p.Words("cite.undated")
	if !w.Date.IsZero() {
		when = p.Date(w.Date)
	}
	title := clean(w.Title)
	text := p.Words("cite.data", who, when, title)
	if who == title {
		text = p.Words("cite.self", when, title)
	}
	if w.In != "" {
		text = p.Words("cite.within", who, when, title, clean(w.In))
	}
	if at := w.address(); at != "" {
		text += p.Words("cite.at", at)
	}
	text += p.Words("cite.revision", Short(w.Revision))
	if w.Commit != "" {
		text += p.Words("cite.commit", w.Commit[:min(12, len(w.Commit))])
	}
	return text
}
