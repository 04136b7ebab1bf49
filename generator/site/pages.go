package site

import (
	"maps"
	"os"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// site collects what the pages are made from, except the posts.
func (b *builder) site(results []*result.Result) *page.Site {
	c := &b.config
	titles, _ := c.Labels()
	s := &page.Site{
		Titles: titles,
		Title:  c.Title.Text, Description: c.Description.Text, Author: c.Author, Languages: c.Languages, BaseURL: c.BaseURL, Work: siteWork(c),
		Names: b.names, Results: results, Raw: b.files().source, Key: b.key(), Version: b.files().version, Embeds: c.Charts.Embed != "never", ChartStyle: b.theme.Style(b.dark), Colours: len(b.theme.Series),
		Verdicts: func(r *result.Result) (passed, unjudged []result.Check) {
			verdicts := audit.Judge(r)
			return verdicts.Passed, verdicts.Unjudged
		},
	}
	if b.session.opt.Apart {
		s.Whole = "../../index.html" // this site/ is in a part's folder; index.html is beside the parts
	}
	for _, m := range c.Model {
		s.Models = append(s.Models, page.Model{ID: m.ID, Title: titles["model"][m.ID], Base: m.Base, URL: m.URL, Quantization: m.Quantization,
			Size: m.WeightSize, Params: m.Params, ActiveParams: m.ActiveParams, Note: m.Note.Text})
	}
	if b.session.terms.hardware == nil {
		b.session.terms.hardware = boards(c, b.session.terms.machines)
	}
	s.Hardware = b.session.terms.hardware
	for _, l := range c.Load {
		s.Loads = append(s.Loads, page.Load{Label: "load", Name: l.Name, When: l.When})
	}
	for _, l := range c.Scenario {
		s.Loads = append(s.Loads, page.Load{Label: "scenario", Name: l.Name, When: l.When})
	}
	s.Draw, s.Card, s.Turn = b.vectors, cardsOf(b), b.session.turn
	s.Copies, s.Evidence = b.copies, b.evidence
	s.Unread = slices.DeleteFunc(slices.Clone(b.dataset.Unread), func(u unread.File) bool { return u.Kind.Local() })
	for _, m := range b.dataset.Messages {
		if m.Severity != result.Info {
			s.Messages = append(s.Messages, m)
		}
	}
	s.Layouts = Layouts(b.opt.Dir)
	return s
}

// boards returns what is known about each machine: first those that the site declares, then those that runs name and
// the built-in table has.
func boards(c *config.Config, machines judge.Machines) []page.Hardware {
	var out []page.Hardware
	listed := map[string]bool{}
	titles, _ := c.Labels()
	add := func(h config.Hardware) {
		if listed[h.ID] {
			return
		}
		listed[h.ID] = true
		m, vendor := judge.Complete(h), judge.Known(h.ID)
		one := page.Hardware{ID: h.ID, Title: titles["hardware"][h.ID], Product: vendor.Peaks.Name, Memory: m.Memory, Bandwidth: m.Bandwidth, Price: m.Price, PriceDate: m.PriceDate,
			Declared: h.Memory != "" || h.Bandwidth != "" || h.Peak != nil}
		for _, dtype := range config.DataTypes() {
			if peak, ok := m.Peaks.Peak[dtype]; ok {
				one.Peaks = append(one.Peaks, page.Peak{Type: dtype, Value: judge.Giga(peak/1e3, "TFLOPS")})
			}
		}
		// If the site declares everything, the vendor's document is not a source.
		if h.Memory == "" && vendor.Memory != "" || h.Bandwidth == "" && vendor.Bandwidth != "" || h.Peak == nil && len(vendor.Peaks.Peak) > 0 {
			one.Source = vendor.Peaks.Source
		}
		out = append(out, one)
	}
	for _, h := range c.Hardware {
		add(h)
	}
	for _, id := range slices.Sorted(maps.Keys(machines)) {
		add(config.Hardware{ID: id})
	}
	return out
}

// compares sets the options for comparing runs.
func (b *builder) compares(data *dataset.Selection) {
	auxiliary := map[*result.Result]bool{}
	for _, r := range data.Auxiliary {
		auxiliary[r] = true
	}
	b.pages.Auxiliary = func(r *result.Result) bool { return auxiliary[r] }
	b.pages.Orders, b.pages.Styles = data.Order, data.Styles
	b.pages.Comparing = CompareOptions(&b.config)
	b.pages.Settings, b.pages.Noise, b.pages.Limits = audit.Settings(), data.Rules.Noise, data.Limits
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
