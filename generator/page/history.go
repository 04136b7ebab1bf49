package page

import (
	"fmt"
	"html/template"
	"slices"

	"benchpost/generator/report"
)

// trendsPerPage bounds a page of the history: each has a chart.
const trendsPerPage = 24

// historyData is what history.html is given.
type historyData struct {
	Total  int // trends, over all pages
	Steps  int // of them with a change of level
	Trends []trend
	Pages  []pageLink // when they need several
}

// trend is what one variant did over dates or versions.
type trend struct {
	Model, Conditions string
	Over              string // what it runs over, in words
	Href              template.URL
	Chart             template.HTML
	Steps             template.HTML // "" when the level did not change
	Points            template.HTML
}

func (b *builder) history(l *language) job {
	return func() ([]file, error) {
		var files []file
		pages := slices.Collect(slices.Chunk(b.trends, trendsPerPage))
		if len(pages) == 0 {
			pages = [][]report.Trend{nil} // which says what a history needs
		}
		const path = "history/index.html"
		for i, trends := range pages {
			title := l.printer.Words("page.history")
			if i > 0 {
				title = fmt.Sprintf("%s (%d/%d)", title, i+1, len(pages))
			}
			pg := b.page(l, "history", numbered(path, i), title)
			d := &historyData{Total: len(b.trends)}
			for _, t := range b.trends {
				if t.Changed {
					d.Steps++
				}
			}
			for _, t := range trends {
				one, err := b.trend(l, pg, &t)
				if err != nil {
					return nil, err
				}
				d.Trends = append(d.Trends, one)
			}
			d.Pages = pageLinks(len(pages), i, func(n int) string { return pg.home + escapePath(numbered(path, n)) })
			pg.Data = d
			made, err := b.finish(l, pg)
			if err != nil {
				return nil, err
			}
			files = append(files, made...)
		}
		return files, nil
	}
}

func (b *builder) trend(l *language, pg *Page, t *report.Trend) (trend, error) {
	p := l.printer
	link := func(id string) string { return pg.home + escapePath(runPath(id)) }
	out := trend{Model: t.Model, Conditions: p.Say(t.Conditions), Over: p.Label(t.Over), Href: template.URL(pg.home + escapePath(modelPath(t.Model)))}
	if m, ok := b.byModel[t.Model]; ok {
		out.Model = m.name(p)
	}
	if steps := t.Steps(); steps != nil {
		out.Steps = Table(*steps, p, link)
	}
	if points := t.Points(); points != nil {
		out.Points = Table(*points, p, link)
	}
	var err error
	out.Chart, err = b.figure(l, pg, t.Chart())
	return out, err
}
