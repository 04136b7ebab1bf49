package page

import (
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// trendsPerPage bounds a page of the history: each has a chart.
const trendsPerPage = 24

const historyPath = "history/index.html"

// historyData is the data of history.html.
type historyData struct {
	Total  int // trends, over all pages
	Steps  int // number of trends with a change of level
	Trends []trend
	Pages  []pageLink // if they need several pages
}

// trend is what one variant did over dates or versions.
type trend struct {
	Model, Conditions string
	Over              string       // the label of its x axis, in words
	Anchor            string       // the anchor for links to it
	Ended             bool         // it has no current results
	Href              template.URL // of its model; "" if that has no page
	Chart             template.HTML
	Steps             template.HTML // "" if the level did not change
	Points            template.HTML
}

func (b *builder) history(l *language) job {
	return func() ([]file, error) {
		var files []file
		pages := slices.Collect(slices.Chunk(b.trends, trendsPerPage))
		if len(pages) == 0 {
			pages = [][]trends.Trend{nil} // which states what a history needs
		}
		const path = historyPath
		for i, trends := range pages {
			title := l.Printer.Words("page.history")
			if i > 0 {
				title = fmt.Sprintf("%s (%d/%d)", title, i+1, len(pages))
			}
			v := b.compose(l, "history", address.Page(path, i), title)
			d := &historyData{Total: len(b.trends)}
			for _, t := range b.trends {
				if t.Changed {
					d.Steps++
				}
			}
			for _, t := range trends {
				one, err := v.trend(&t)
				if err != nil {
					return nil, err
				}
				d.Trends = append(d.Trends, one)
			}
			d.Pages = pageLinks(len(pages), i, func(n int) string { return v.pg.home + address.Escape(address.Page(path, n)) })
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

func (v *composer) trend(t *trends.Trend) (trend, error) {
	p := v.l.Printer
	link := func(id string) string { return v.pg.home + address.Escape(v.Names.Run(id)) }
	out := trend{Model: t.Model, Conditions: p.Say(t.Conditions), Over: p.Label(t.Over), Anchor: t.Anchor, Ended: t.Ended()}
	if m, ok := v.subjects().byModel[t.Model]; ok {
		out.Model, out.Href = m.name(p), template.URL(v.pg.home+address.Escape(v.Names.Model(t.Model)))
	}
	if steps := t.Steps(); steps != nil {
		out.Steps = parts.Table(*steps, p, link)
	}
	if points := t.Points(); points != nil {
		out.Points = parts.Table(*points, p, link)
	}
	var err error
	out.Chart, err = v.figure(t.Chart())
	return out, err
}

// event is a change of level that the feed reports, and the page it is shown on.
type event struct {
	trends.Event
	page string
	time time.Time
}

// mostEvents bounds those of a feed.
const mostEvents = 30

// collectTrends finds the trends, what changed in them last, and the runs whose
// past they show.
func (b *contents) collectTrends() {
	var from result.Stamper
	from.Stamp(b.Key)
	from.Results(b.report.Results)
	from.Results(b.report.Past)
	b.trended = from.Sum()
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
				b.events = append(b.events, event{e, b.pageOf(i), at})
			}
		}
		if t.Remembered() {
			for _, r := range t.Runs() {
				if r.Revision == nil {
					b.trendOf[r.ID] = i
				}
			}
		}
	}
	slices.SortStableFunc(b.events, func(x, y event) int { return y.time.Compare(x.time) })
	b.events = b.events[:min(len(b.events), mostEvents)]
}

// hasTrends reports whether anything was measured more than once.
func (b *contents) hasTrends() bool { return len(b.trends) > 0 }

// pageOf returns the path of the page that shows a trend.
func (b *contents) pageOf(trend int) string { return address.Page(historyPath, trend/trendsPerPage) }

// past returns what a repository remembers of the variant of a run, "" for nothing, and
// where all of it is.
func (v *composer) past(r *result.Result) (template.HTML, template.URL) {
	i, ok := v.trendOf[r.ID]
	if !ok {
		return "", ""
	}
	t := &v.trends[i]
	points := t.Lately()
	if points == nil {
		return "", ""
	}
	link := func(id string) string { return v.pg.home + address.Escape(v.Names.Run(id)) }
	return parts.Table(*points, v.l.Printer, link), template.URL(v.pg.home + address.Escape(v.pageOf(i)) + "#" + t.Anchor)
}
