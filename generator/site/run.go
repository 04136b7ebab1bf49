package site

import (
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/finding"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
)

// drawings returns a function that draws the charts of a run for its page, or takes them from the store. They are drawn
// when the page is written, because a site may have thousands of runs.
func (b *builder) drawings(data *dataset.Selection) func(*result.Result, string) ([]page.Drawing, error) {
	return func(r *result.Result, lang string) ([]page.Drawing, error) {
		printer, _ := locale.For(lang)
		var out []page.Drawing
		for _, one := range plot.Run(data, r) {
			drawn, err := b.vectors(lang, &one.Chart)
			if err != nil {
				return nil, locale.Errorf("%s: %s", r.Source, err)
			}
			drawn.Name, drawn.Trace, drawn.Alt = one.Name, one.Trace, printer.Say(one.Chart.Alt)
			out = append(out, drawn)
		}
		return out, nil
	}
}

// commands returns the commands that started a run.
func commands(r *result.Result, raw page.Raw) []result.Command {
	return format.Commands(raw.Data, raw.First, r)
}

// method returns how the site judges and compares results, including the settings of site.toml.
func method(c *config.Config, data *dataset.Selection) page.Method {
	m := page.Method{Rules: audit.Rules(), Formulas: audit.Formulas(), Practices: finding.Practices(data)}
	for _, w := range c.Waive {
		m.Waivers = append(m.Waivers, page.Waiver{Check: w.Check, Where: w.Where, Reason: w.Reason})
	}
	for _, name := range slices.Sorted(maps.Keys(data.Limits)) {
		m.Limits = append(m.Limits, page.Limit{Name: name, Value: data.Limits[name]})
	}
	return m
}
