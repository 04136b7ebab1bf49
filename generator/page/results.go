package page

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// rowsPerPage is the maximum number of rows in a table of results: about 300 KB of HTML.
const rowsPerPage = 500

// collectCampaigns groups the runs by campaign.
func (b *contents) collectCampaigns() *groups {
	g := &groups{runsBy(b.results, parts.Campaign), map[string][]*result.Result{}, map[string][]*result.Result{}}
	for _, c := range g.campaigns {
		g.inGroup[c.name] = c.runs
	}
	for _, r := range b.report.Results {
		g.compared[parts.Campaign(r)] = append(g.compared[parts.Campaign(r)], r)
	}
	return g
}

// runsBy groups runs by a name, in natural order of the names.
func runsBy(rs []*result.Result, name func(*result.Result) string) []runGroup {
	groups := grouped(rs, name)
	slices.SortFunc(groups, func(x, y runGroup) int { return result.NaturalCompare(x.name, y.name) })
	return groups
}

// paged reports whether there are too many results for one page.
func (b *contents) paged() bool { return len(b.results) > rowsPerPage }

// campaignPage returns the page that lists the runs of a campaign. campaignPageAt returns its i-th page, counted from
// 0.
func (b *contents) campaignPage(name string) string { return b.campaignPageAt(name, 0) }

func (b *contents) campaignPageAt(name string, i int) string {
	if !b.paged() {
		return "results/index.html"
	}
	return address.Page(b.Names.Campaign(name), i)
}

// resultsData is the data of results.html: the list of campaigns, or some
// tables of runs, or both.
type resultsData struct {
	Total     int
	Running   template.HTML   // running benchmarks, if any, on the first page
	Plans     template.HTML   // the progress of each plan, on the first page
	Campaigns []campaignEntry // on the first of several pages
	Tables    template.HTML
	Pages     []pageLink    // of one campaign, when it has several
	Courses   template.HTML // links to the trends of runs, drawn small, for the script of the first page
	Deploy    template.HTML // the recommended variant of one campaign, on its first page
	Up        bool          // the page is below the list of campaigns
	Data      []dataLink    // the same for other programs
}

type campaignEntry struct {
	Name string
	Runs int
	Href template.URL
}

type pageLink struct {
	Number  int
	Href    template.URL
	Current bool
}

// pageLinks returns links to all of several pages, none if there is only one. Pages are counted from 0.
func pageLinks(total, current int, href func(i int) string) []pageLink {
	if total < 2 {
		return nil
	}
	links := make([]pageLink, total)
	for i := range links {
		links[i] = pageLink{i + 1, template.URL(href(i)), i == current}
	}
	return links
}

// resultsPage lists all runs by campaign. If there are many, it lists the campaigns, which then have pages of their
// own.
func (v *composer) resultsPage() (any, error) {
	d := &resultsData{Total: len(v.results), Running: v.runningList(), Plans: v.planSummary(), Courses: courses(v)}
	if v.paged() {
		d.Data = v.dataLinks(v.l.dir+v.pg.path, true, nil)
		d.Campaigns = v.campaignEntries(v.groups().campaigns)
	} else {
		d.Data = v.dataLinks(v.l.dir+v.pg.path, true, v.results)
		var w parts.Writer
		for _, c := range v.groups().campaigns {
			t := parts.RunTable{Runs: c.runs, Home: v.pg.home, L: &v.l.Reader, Figures: 8}
			t.Write(&w, c.name)
		}
		d.Tables = w.HTML()
	}
	v.explore()
	return d, nil
}

// campaignEntries returns links to the pages of campaigns.
func (v *composer) campaignEntries(campaigns []runGroup) []campaignEntry {
	entries := make([]campaignEntry, len(campaigns))
	for i, c := range campaigns {
		entries[i] = campaignEntry{c.name, len(c.runs), template.URL(v.pg.home + address.Escape(v.campaignPage(c.name)))}
	}
	return entries
}

func (b *builder) resultPage(l *language, c runGroup, number, total int, runs []*result.Result) ([]file, error) {
	path := func(i int) string { return b.campaignPageAt(c.name, i) }
	title := c.name
	if number > 0 {
		title = fmt.Sprintf("%s (%d/%d)", c.name, number+1, total)
	}
	v := b.compose(l, "results", path(number), title)
	d := &resultsData{Total: len(c.runs), Up: true, Data: b.dataLinks(l.dir+v.pg.path, false, runs)}
	if number == 0 {
		d.Deploy = v.tradeoffs(b.groups().compared[c.name])
	}
	t := parts.RunTable{Runs: runs, Home: v.pg.home, L: &l.Reader, Figures: 8}
	d.Tables = t.HTML("")
	v.pg.Description, v.pg.dataset = l.site.Runs(title, runs), l.site.OfRuns(runs)
	for _, path := range b.dataPaths(runs) {
		v.pg.dataset.Files = append(v.pg.dataset.Files, l.site.File(path))
	}
	d.Pages = pageLinks(total, number, func(i int) string { return v.pg.home + address.Escape(path(i)) })
	v.pg.Data = d
	return v.finish()
}
