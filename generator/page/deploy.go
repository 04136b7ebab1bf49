package page

import (
	"html/template"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// deployData is what deploy.html is given: the tables that answer for the limits
// of the site, of each campaign whose runs make one portfolio.
type deployData struct {
	Tables template.HTML // laid out; "" when there are none
	Limits bool          // the site has some
}

// deployPage is where a variant to deploy is chosen. Its script weighs the
// reader's limits; without, the tables answer for those of the site.
func (b *builder) deployPage(l *language) job {
	return func() ([]file, error) {
		pg := b.page(l, "deploy", "deploy/index.html", l.Printer.Words("page.deploy"))
		d := &deployData{Limits: len(b.Limits) > 0}
		for _, t := range b.tradeoffs {
			d.Tables += parts.Table(t, l.Printer, func(id string) string { return pg.home + address.Escape(address.Run(id)) })
		}
		pg.Data = d
		pg.Names = b.namesOf(l, pg)
		for name := range b.Limits { // which no run may have
			if def, known := vocabulary.Define(name); known && pg.Names.Metrics[name].Title == "" {
				pg.Names.Metrics[name] = metricName{Title: l.Printer.Metric(name), Unit: def.Unit, Better: def.Better.String()}
			}
		}
		b.drawCharts(l, pg)
		l.enliven(pg, "explore", "deploy.", "tradeoff.", "figure.", "compare.loading", "compare.failed", "compare.baseline", "compare.answers")
		return b.finish(l, pg)
	}
}
