package page

import (
	"html/template"

	"github.com/benchpost/benchpost/generator/page/address"
)

// compareData is what compare.html is given: the models, whose own pages set
// their runs side by side without scripts.
type compareData struct {
	Models []modelEntry // those with runs
}

type modelEntry struct {
	Name string
	Runs int          // of the model
	Href template.URL // of its page
}

// comparePage is where runs of the reader's choice stand side by side. Its script
// does that; the address after # says which.
func (b *builder) comparePage(l *language) job {
	return func() ([]file, error) {
		pg := b.page(l, "compare", "compare/index.html", l.Printer.Words("page.compare"))
		d := &compareData{}
		for _, m := range b.models {
			if len(m.runs) > 0 {
				d.Models = append(d.Models, modelEntry{m.name(l.Printer), len(m.runs), template.URL(pg.home + address.Escape(address.Model(m.ID)))})
			}
		}
		pg.Data = d
		pg.Names = b.namesOf(l, pg)
		b.drawCharts(l, pg)
		l.enliven(pg, "explore", "compare.", "page.copied", "significance.", "figure.", "status.")
		return b.finish(l, pg)
	}
}
