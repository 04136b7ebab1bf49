package page

import (
	"html/template"

	"github.com/benchpost/benchpost/generator/page/address"
)

// compareData is the data of compare.html: the models, whose own pages set
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
func (v *composer) comparePage() (any, error) {
	d := &compareData{}
	for _, m := range v.models {
		if len(m.runs) > 0 {
			d.Models = append(d.Models, modelEntry{m.name(v.l.Printer), len(m.runs), template.URL(v.pg.home + address.Escape(address.Model(m.ID)))})
		}
	}
	v.pg.Names = v.namesOf()
	v.drawCharts()
	v.l.enliven(v.pg, "explore", "compare.", "page.copied", "significance.", "figure.", "status.")
	return d, nil
}
