package page

import (
	"fmt"
	"html/template"
	"strconv"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// subjectData is the data of model.html, board.html and load.html: a page
// about what runs have in common.
type subjectData struct {
	ID        string
	Spec      []fact
	Note      string
	Total     int             // runs
	Reached   template.HTML   // a summary, if there are too many runs to list
	Campaigns []campaignEntry // their campaigns, in that case
	Parts     []part          // comparisons of the runs; on the first page
	Runs      template.HTML
	Pages     []pageLink // if the runs need several pages
	Number    int        // number of the page, from 1
}

// fact is a line of a specification.
type fact struct {
	Name, Value string
	Href        template.URL
	Code        bool // the value is in the notation of a program
}

// part is a part of a page: charts and tables under a heading.
type part struct {
	Title string
	Body  template.HTML
}

// facts collects the lines of a specification that are not empty.
type facts struct {
	p    locale.Printer
	list []fact
}

func (f *facts) add(key, value, href string) {
	if value != "" {
		f.list = append(f.list, fact{Name: f.p.Words(key), Value: value, Href: template.URL(href)})
	}
}

func (f *facts) code(key, value string) {
	if value != "" {
		f.list = append(f.list, fact{Name: f.p.Words(key), Value: value, Code: true})
	}
}

// plans adds the plans that a value of a label belongs to.
func (f *facts) plans(b *builder, home, label, value string) {
	for i, p := range b.report.Plans {
		for _, l := range p.Labels {
			if l.Name != label {
				continue
			}
			for _, v := range l.Values {
				if v == value {
					n := coverage.Of(b.report, p)
					f.add("page.plan", f.p.Words("page.plan.of", b.planName(i, f.p), n.Done, n.Planned), home+"coverage/index.html#"+planAnchor(i))
				}
			}
		}
	}
}

// views returns views as parts of the page.
func (v *composer) views(views []report.View) ([]part, error) {
	link := func(id string) string { return v.pg.home + address.Escape(v.Names.Run(id)) }
	var out []part
	for i, one := range views {
		title := v.l.Printer.Say(one.Title)
		if title == "" && i == 0 {
			title = v.l.Printer.Words("page.overview")
		}
		var w parts.Writer
		for _, c := range one.Charts {
			figure, err := v.figure(c, chartName(c, v.pg.charts))
			if err != nil {
				return nil, err
			}
			w.Tag(string(figure))
		}
		for _, t := range one.Tables {
			w.Tag(string(parts.Table(*t, v.l.Printer, link)))
		}
		if body := w.HTML(); body != "" {
			out = append(out, part{title, body})
		}
	}
	return out, nil
}

// figure adds a chart to the page, if the site can draw charts.
func (v *composer) figure(c *report.Chart, name string) (template.HTML, error) {
	if v.Draw == nil || c == nil {
		return "", nil
	}
	drawn, err := v.Draw(v.l.tag, c)
	if err != nil || drawn.SVG == nil {
		return "", err
	}
	picture := parts.Picture{SVG: drawn.SVG, Narrow: drawn.Narrow, Title: v.l.Printer.Say(c.Title), Alt: v.l.Printer.Say(c.Alt), Notes: drawn.Notes, CSV: drawn.CSV, Chart: name,
		From: v.SourceOf(v.l.Printer, v.pg.Title), Runs: v.pg.home + "runs/", Paths: v.PathsOf(c)}
	v.pg.charts = append(v.pg.charts, name)
	if v.pg.chart == nil {
		v.pg.chart = c
	}
	return parts.Figure(picture, v.l.Printer), nil
}

// runGroup is a group of runs that are listed together.
type runGroup struct {
	name   string // may be ""
	anchor string
	runs   []*result.Result
}

// grouped groups runs by a name, in the order in which names first occur.
func grouped(runs []*result.Result, name func(*result.Result) string) []runGroup {
	at := map[string]int{}
	var groups []runGroup
	for _, r := range runs {
		key := name(r)
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, runGroup{name: key, anchor: "runs-" + strconv.Itoa(i+1)})
		}
		groups[i].runs = append(groups[i].runs, r)
	}
	return groups
}

// pagesOf divides groups into pages with at most most runs. A group may continue on further pages. There is at least
// one page.
func pagesOf(groups []runGroup, most int) [][]runGroup {
	pages := [][]runGroup{nil}
	room := most
	for _, g := range groups {
		for len(g.runs) > 0 {
			if room == 0 {
				pages, room = append(pages, nil), most
			}
			n := min(room, len(g.runs))
			last := len(pages) - 1
			pages[last] = append(pages[last], runGroup{g.name, g.anchor, g.runs[:n]})
			g.runs, g.anchor, room = g.runs[n:], "", room-n
		}
	}
	return pages
}

// subject is what runs have in common, with everything that its pages show. The first page has the specification and
// the comparisons; each page has some of the runs.
type subject struct {
	kind, path, title string
	data              subjectData // of the first page
	runs              []*result.Result
	views             func() []report.View
	groups            []runGroup
	columns           template.HTML  // in place of groups: a few runs side by side
	table             parts.RunTable // how the runs are listed
}

// mostListed is the maximum number of runs listed on the pages of a subject. If there are more, the pages show a
// summary and link to the campaigns.
const mostListed = 1500

// homeOf returns the prefix of links from a page to its language's folder.
func (l *language) homeOf(path string) string {
	return address.Root(l.dir+path) + address.Escape(l.dir)
}

// modelLinks returns the links from models to their pages. home is the prefix of links to the language's folder. The
// links are made once for each home.
func (l *language) modelLinks(b *builder, home string) map[string]string {
	if links, ok := l.toModels.Load(home); ok {
		return links.(map[string]string)
	}
	links := map[string]string{}
	for _, m := range b.subjects().models {
		links[m.ID] = home + address.Escape(b.Names.Model(m.ID))
	}
	l.toModels.Store(home, links)
	return links
}

func (b *builder) subjectPages(l *language, s subject) ([]file, error) {
	var files []file
	many := len(s.runs) > mostListed
	if many {
		s.groups = nil
	}
	pages := pagesOf(s.groups, rowsPerPage)
	for i, groups := range pages {
		title := s.title
		if i > 0 {
			title = fmt.Sprintf("%s (%d/%d)", s.title, i+1, len(pages))
		}
		v := b.compose(l, s.kind, address.Page(s.path, i), title)
		d := &subjectData{ID: s.data.ID, Total: s.data.Total}
		if i == 0 {
			*d = s.data
			var err error
			if many {
				d.Reached = v.reached(s.runs)
				d.Campaigns = v.campaignEntries(runsBy(s.runs, parts.Campaign))
			} else if d.Parts, err = v.views(s.views()); err != nil {
				return nil, err
			}
		}
		var w parts.Writer
		for _, g := range groups {
			t := s.table
			t.Runs, t.Home, t.L, t.Anchor = g.runs, v.pg.home, &l.Reader, g.anchor
			t.Write(&w, g.name)
		}
		d.Number, d.Runs = i+1, s.columns+w.HTML()
		d.Pages = pageLinks(len(pages), i, func(n int) string { return v.pg.home + address.Escape(address.Page(s.path, n)) })
		v.pg.Data, v.pg.Description = d, l.site.Runs(title, s.runs)
		if len(s.runs) > 0 {
			v.pg.dataset = l.site.OfRuns(s.runs)
		}
		made, err := v.finish()
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}
