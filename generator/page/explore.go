package page

import (
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/pairing"
	"github.com/benchpost/benchpost/generator/page/reached"
	"github.com/benchpost/benchpost/generator/result"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// The pages whose scripts use all results: the table and chart of results, the comparison, and the choice of a variant.

// explore makes the page show all results in one table and one chart.
func (v *composer) explore() {
	if len(v.results) == 0 {
		return
	}
	v.pg.Names = v.names()
	v.drawCharts()
	v.l.enliven(v.pg, "results", "explore.", "page.results", "page.run", "page.higher", "page.lower", "page.quarantined", "page.baseline",
		"page.missing", "page.weak", "page.labels", "page.group.latency", "report.geomean", "status.")
}

// names returns what the scripts of the page know about all results.
func (v *composer) names() *data.Names {
	return v.l.names().On(address.Root(v.l.dir+v.pg.path), v.pg.home)
}

// namesIn returns the names of all results in a language. It reuses had if that is unchanged.
func (b *contents) namesIn(l *language, had *data.Names) *data.Names {
	names := had
	if names == nil || !names.Holds(b.results) {
		names = data.NamesOf(b.results, b.Names, &l.Reader, data.Choices{
			Orders: b.Orders, Styles: b.Styles, Colours: b.Colours, Settings: b.Settings, Noise: b.Noise, Limits: b.Limits,
		})
	}
	l.named.Store(names)
	return names
}

// compareData is the data of compare.html: the suggested comparisons, and the models, whose pages compare runs without
// scripts.
type compareData struct {
	Suggestions []suggestion
	Models      []modelEntry // those with runs
}

// suggestion is a pair that is worth comparing.
type suggestion struct {
	Kind     string // what differs between the two
	Name     string // both of them
	Terms    string // under which they were measured
	Sentence string // the conclusion of the comparison
	Href     template.URL
	A, B     link         // the first run of each
	All      template.URL // both at all loads that they have in common; "" for one load
	Loads    int
}

// link is a name with an address.
type link struct {
	Name string
	Href template.URL
}

// mostSuggested is the maximum number of suggested pairs.
const mostSuggested = 12

type modelEntry struct {
	Name string
	Runs int          // of the model
	Href template.URL // of its page
}

// comparePage is the page that compares runs chosen by the reader. Its script does this; the address after # names the
// runs.
func (v *composer) comparePage() (any, error) {
	d := &compareData{}
	for _, pair := range v.pairs() {
		d.Suggestions = append(d.Suggestions, suggest(v, pair))
	}
	for _, m := range v.subjects().models {
		if len(m.runs) > 0 {
			d.Models = append(d.Models, modelEntry{m.name(v.l.Printer), len(m.runs), template.URL(v.pg.home + address.Escape(v.Names.Model(m.ID)))})
		}
	}
	v.pg.Names = v.names()
	v.pg.Names.CompareBy(v.Comparing, v.l.Printer)
	v.drawCharts()
	v.l.enliven(v.pg, "compare", "compare.", "diff.why.", "diff.sentence", "diff.clauses", "differ.many", "page.copied", "figure.", "status.")
	return d, nil
}

// suggest compares a pair and describes it.
func suggest(v *composer, pair pairing.Pair) suggestion {
	side := func(rs []*result.Result) (compare.Side, link) {
		name := v.l.Value(pair.Label, rs[0].Label(pair.Label))
		return compare.Side{Name: locale.Lit(name), Results: rs}, link{name, template.URL(v.pg.home + address.Escape(v.Names.Run(rs[0].ID)))}
	}
	a, toA := side(pair.A)
	b, toB := side(pair.B)
	first := pair.A[0]
	var terms []string
	told := []string{"load", "scenario", "hardware", "engine", "power_mode"}
	if first.Label("hardware") == "" && pair.Label != "hardware" {
		told = append(told, "campaign") // folders of different machines usually have different names
	}
	for _, label := range told {
		if value := first.Label(label); value != "" && label != pair.Label {
			terms = append(terms, v.l.Value(label, value))
		}
	}
	both := func(kind string) template.URL {
		at := func(rs []*result.Result) string {
			return kind + "=" + strings.ReplaceAll(url.QueryEscape(rs[0].ID), "%2F", "/")
		}
		return template.URL("#" + at(pair.A) + "&" + at(pair.B))
	}
	of := compare.Runs(a, b, v.Comparing)
	s := suggestion{Kind: v.l.Printer.Label(pair.Label), Terms: strings.Join(terms, " · "), Sentence: v.l.Printer.Say(of.Sentence()), Href: both("set"), A: toA, B: toB, Loads: pair.Loads}
	s.Name = v.l.Printer.Words("compare.within", v.l.Value("model", audit.BaseModel(first)), of.Title())
	if pair.Loads > 1 {
		s.All = both("variant")
	}
	return s
}

// deployData is the data of deploy.html. It has the tradeoff tables for the site's limits, one for each campaign and
// machine. If there are too many results for one page, it has a summary of all results instead, and the campaign pages
// have the tables.
type deployData struct {
	Tables  template.HTML // HTML of the tables; "" if there are none
	Reached template.HTML // instead of the tables
	Limits  bool          // the site sets limits
}

// deployPage is the page for choosing a variant to deploy. Its script applies the reader's limits. Without the script,
// the tables answer for the limits of the site.
func (v *composer) deployPage() (any, error) {
	d := &deployData{Limits: len(v.Limits) > 0}
	if v.paged() {
		d.Reached = v.reached(v.report.Results)
	} else {
		d.Tables = v.tradeoffs(v.report.Results)
	}
	v.pg.Names = v.names()
	v.pg.Names.CompareBy(v.Comparing, v.l.Printer)
	for name := range v.Limits { // no run may have these metrics
		if def, known := vocabulary.Define(name); known && v.pg.Names.Metrics[name].Title == "" {
			v.pg.Names.Metrics[name] = data.MetricName{Title: v.l.Printer.Metric(name), Unit: def.Unit, Better: def.Better.String()}
		}
	}
	v.drawCharts()
	v.l.enliven(v.pg, "deploy", "deploy.", "tradeoff.", "figure.", "compare.loading", "compare.failed", "compare.baseline", "compare.answers")
	return d, nil
}

// tradeoffs returns the tradeoff tables of some results.
func (v *composer) tradeoffs(rs []*result.Result) template.HTML {
	var out strings.Builder
	for _, t := range tradeoff.Tables(v.report, rs) {
		out.WriteString(string(parts.Table(t, v.l.Printer, func(id string) string { return v.pg.home + address.Escape(v.Names.Run(id)) })))
	}
	return template.HTML(out.String())
}

// reached returns a summary of any number of results.
func (v *composer) reached(rs []*result.Result) template.HTML {
	own := slices.DeleteFunc(slices.Clone(rs), v.auxiliary)
	return reached.Table{Runs: own, Home: v.pg.home, L: &v.l.Reader, Models: v.l.modelLinks(v.builder, v.pg.home)}.HTML()
}
