package page

import (
	"html/template"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// deployData is the data of deploy.html: the tables that answer for the limits
// of the site, of each campaign whose runs make one portfolio.
type deployData struct {
	Tables template.HTML // laid out; "" when there are none
	Limits bool          // the site has some
}

// deployPage is where a variant to deploy is chosen. Its script weighs the
// reader's limits; without, the tables answer for those of the site.
func (v *composer) deployPage() (any, error) {
	d := &deployData{Limits: len(v.Limits) > 0}
	for _, t := range v.tradeoffs {
		d.Tables += parts.Table(t, v.l.Printer, func(id string) string { return v.pg.home + address.Escape(address.Run(id)) })
	}
	v.pg.Names = v.namesOf()
	for name := range v.Limits { // which no run may have
		if def, known := vocabulary.Define(name); known && v.pg.Names.Metrics[name].Title == "" {
			v.pg.Names.Metrics[name] = metricName{Title: v.l.Printer.Metric(name), Unit: def.Unit, Better: def.Better.String()}
		}
	}
	v.drawCharts()
	v.l.enliven(v.pg, "explore", "deploy.", "tradeoff.", "figure.", "compare.loading", "compare.failed", "compare.baseline", "compare.answers")
	return d, nil
}
