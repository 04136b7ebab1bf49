package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"iter"
	"net/url"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// trendsPerPage is the maximum number of trends on a page of the history. A row has up to 1.5 kB.
const trendsPerPage = 150

const historyPath = "history/index.html"

// historyData is the data of history.html.
type historyData struct {
	Total     int        // trends, over all pages
	Summary   string     // number of trends with each verdict, in words
	Unsettled bool       // some cannot be judged
	Parts     []part     // a table for each verdict
	Pages     []pageLink // if they need several pages
}

// trendData is the data of trend.html: the history of one variant over dates or versions.
type trendData struct {
	Model, Conditions string
	Over              string       // the label of its x axis, in words
	Ended             bool         // it has no current results
	Href              template.URL // of its model; "" if that has no page
	Parts             []part
}

// historyArtifacts returns the list of the trends, and a page for each trend.
func (b *builder) historyArtifacts(l *language) iter.Seq[artifact] {
	return func(yield func(artifact) bool) {
		if !yield(b.whole(l, "history", historyPath, b.history(l))) {
			return
		}
		for i := range b.trends {
			t := &b.trends[i]
			from := func() result.Stamp {
				return b.made(l, "trend", func(s *result.Stamper) {
					b.stampCompared(s, t.Runs())
					m, ok := b.subjects().byModel[t.Model]
					s.Bool(ok)
					if ok {
						s.Value(m.Model)
					}
				})
			}
			if !yield(artifact{l.dir + trendPath(t), from, trendPage(b, l, t)}) {
				return
			}
		}
	}
}

// trendPath returns the path of the page of a trend.
func trendPath(t *trends.Trend) string { return "history/" + t.Anchor + ".html" }

func (b *builder) history(l *language) job {
	return func() ([]file, error) {
		all := make([]*trends.Trend, len(b.trends))
		for i := range b.trends {
			all[i] = &b.trends[i]
		}
		names := trends.Names(all)
		pages := max(1, (len(all)+trendsPerPage-1)/trendsPerPage) // an empty page explains what a history needs
		var files []file
		for i := range pages {
			title := l.Printer.Words("page.history")
			if i > 0 {
				title = fmt.Sprintf("%s (%d/%d)", title, i+1, pages)
			}
			v := b.compose(l, "history", address.Page(historyPath, i), title)
			from, to := i*trendsPerPage, min(len(all), (i+1)*trendsPerPage)
			d := &historyData{Total: len(all), Summary: l.Printer.Say(trends.Tally(all))}
			d.Unsettled = slices.ContainsFunc(all, func(t *trends.Trend) bool { return t.Verdict() == report.Unsettled })
			var err error
			if d.Parts, err = v.views(trends.List(all[from:to], names[from:to], v.trendHref)); err != nil {
				return nil, err
			}
			d.Pages = pageLinks(pages, i, func(n int) string { return v.pg.home + address.Escape(address.Page(historyPath, n)) })
			v.pg.Data = d
			made, err := v.finish()
			if err != nil {
				return nil, err
			}
			files = append(files, made...)
		}
		return files, nil
	}
}

// trendHref returns a link to the page of a trend.
func (v *composer) trendHref(t *trends.Trend) string { return v.pg.home + address.Escape(trendPath(t)) }

// trendPage makes the page of a trend.
func trendPage(b *builder, l *language, t *trends.Trend) job {
	return func() ([]file, error) {
		p := l.Printer
		d := &trendData{Model: t.Model, Conditions: p.Say(t.Conditions), Over: p.Label(t.Over), Ended: t.Ended()}
		home := l.homeOf(trendPath(t))
		if m, ok := b.subjects().byModel[t.Model]; ok {
			d.Model, d.Href = m.name(p), template.URL(home+address.Escape(b.Names.Model(t.Model)))
		}
		title := d.Model
		if d.Conditions != "" {
			title += " · " + d.Conditions
		}
		v := b.compose(l, "trend", trendPath(t), title)
		var err error
		d.Parts, err = v.views(t.Views(func(before, after string) string {
			return home + "compare/index.html#run=" + url.QueryEscape(before) + "&run=" + url.QueryEscape(after)
		}))
		if err != nil {
			return nil, err
		}
		v.pg.Data = d
		return v.finish()
	}
}

// ofModel returns the trends of a model as one part, at most as many as its page has room for.
func (b *contents) ofModel(id string, href func(*trends.Trend) string) []report.View {
	var own []*trends.Trend
	for i := range b.trends {
		if t := &b.trends[i]; t.Model == id && len(own) < view.MostRows {
			own = append(own, t)
		}
	}
	if len(own) == 0 {
		return nil
	}
	part := report.View{Title: locale.T("page.history")}
	for _, v := range trends.List(own, trends.Names(own), href) {
		for _, t := range v.Tables {
			t.Caption = v.Title
			part.Tables = append(part.Tables, t)
		}
	}
	return []report.View{part}
}

// event is a change of level that the feed reports, and the page it is shown on.
type event struct {
	trends.Event
	page string
	time time.Time
}

// mostEvents is the maximum number of events in a feed.
const mostEvents = 30

// collectTrends finds the trends, their latest events, and the runs that belong to a trend.
func (b *contents) collectTrends() {
	b.trended = result.StampOf(func(from *result.Stamper) {
		from.Stamp(b.Key)
		from.Results(b.report.Results)
		from.Results(b.report.Past)
	})
	if before := b.Before; before != nil && before.trended == b.trended && b.Key != (result.Stamp{}) {
		b.trends, b.trendOf, b.events = before.trends, before.trendOf, before.events
		return
	}
	b.trends, b.trendOf = trends.All(b.report), map[string]int{}
	for i := range b.trends {
		t := &b.trends[i]
		for _, e := range t.Events() {
			at, err := time.Parse(time.RFC3339, e.Day)
			if err != nil {
				at, err = time.Parse(time.DateOnly, e.Day)
			}
			if err == nil {
				b.events = append(b.events, event{e, trendPath(t), at})
			}
		}
		for _, r := range t.Runs() {
			if r.Revision == nil {
				b.trendOf[r.ID] = i
			}
		}
	}
	slices.SortStableFunc(b.events, func(x, y event) int { return y.time.Compare(x.time) })
	b.events = b.events[:min(len(b.events), mostEvents)]
}

// hasTrends reports whether the site has a trend.
func (b *contents) hasTrends() bool { return len(b.trends) > 0 }

// mostCourses is the maximum number of sparklines in the explorer. Each has 1 kB; the latest changes come first.
const mostCourses = 100

// courses returns links to the trends of runs, drawn as sparklines. Scripts show each beside its runs.
func courses(v *composer) template.HTML {
	var w parts.Writer
	for i := range v.trends[:min(len(v.trends), mostCourses)] {
		t := &v.trends[i]
		var ids []string
		for _, r := range t.Runs() {
			if r.Revision == nil {
				ids = append(ids, r.ID)
			}
		}
		spark := t.Spark()
		if len(ids) == 0 || spark == nil {
			continue
		}
		runs, _ := json.Marshal(ids) // marshalling strings cannot fail
		w.Tag(`<a class="course" href="`)
		w.Text(v.trendHref(t))
		w.Tag(`" data-runs="`)
		w.Text(string(runs))
		w.Tag(`">`, string(parts.Sparkline(*spark, v.l.Printer)), "</a>\n")
	}
	return w.HTML()
}

// past returns the history of a run's variant, "" if there is none, and the address of the trend's page.
func (v *composer) past(r *result.Result) (template.HTML, template.URL) {
	i, ok := v.trendOf[r.ID]
	if !ok {
		return "", ""
	}
	t := &v.trends[i]
	href := v.trendHref(t)
	tables := []*report.Table{t.Summary(href)}
	if t.Remembered() {
		if points := t.Lately(); points != nil {
			tables = append(tables, points)
		}
	}
	link := func(id string) string { return v.pg.home + address.Escape(v.Names.Run(id)) }
	var w parts.Writer
	for _, table := range tables {
		w.Tag(string(parts.Table(*table, v.l.Printer, link)))
	}
	return w.HTML(), template.URL(href)
}
