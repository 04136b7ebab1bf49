package page

import (
	"html/template"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// coverageData is the data of coverage.html.
type coverageData struct {
	Summary template.HTML // the progress of each plan; "" without plans
	Plans   []planGrid
	Exists  template.HTML // runs of each model by machine and load
	Total   int           // runs
	More    int           // number of models that the grid omits
}

// planGrid is a plan with its cells.
type planGrid struct {
	Anchor string
	Grid   template.HTML
}

func planAnchor(i int) string { return "plan-" + strconv.Itoa(i+1) }

// planName returns the title of a plan, or else its name.
func (b *contents) planName(i int, p locale.Printer) string {
	if name := p.Say(b.report.Plans[i].Title); name != "" {
		return name
	}
	return b.report.Plans[i].Name
}

func (v *composer) coveragePage() (any, error) {
	d := &coverageData{Summary: v.planSummary(), Total: len(v.results)}
	for i, t := range v.plans {
		d.Plans = append(d.Plans, planGrid{planAnchor(i), parts.Table(t, v.l.Printer, func(id string) string { return v.pg.home + address.Escape(v.Names.Run(id)) })})
	}
	d.Exists, d.More = v.inventory()
	return d, nil
}

// planSummary returns a table with the number of cells of each plan by state, with links to the plans.
func (v *composer) planSummary() template.HTML {
	if len(v.report.Plans) == 0 {
		return ""
	}
	p := v.l.Printer
	var w parts.Writer
	w.OpenScroll(p.Words("page.plans"), p)
	w.Tag(`<table class="plans"><thead><tr><th scope="col">`, p.Words("page.plan"), `</th><th scope="col" class="num">`, p.Words("page.planned"), "</th>")
	type count struct {
		state string
		of    func(coverage.Count) int
	}
	counts := []count{
		{"coverage.done", func(n coverage.Count) int { return n.Done }},
		{"coverage.running", func(n coverage.Count) int { return n.Running }},
		{"coverage.partial", func(n coverage.Count) int { return n.Partial }},
		{"coverage.excluded", func(n coverage.Count) int { return n.Excluded }},
		{"coverage.unfinished", func(n coverage.Count) int { return n.Unfinished }},
		{"coverage.failed", func(n coverage.Count) int { return n.Failed }},
		{"coverage.missing", func(n coverage.Count) int { return n.Missing }},
	}
	// Columns for running and unfinished cells exist only if a plan has such cells.
	counts = slices.DeleteFunc(counts, func(c count) bool {
		return (c.state == "coverage.running" || c.state == "coverage.unfinished") &&
			!slices.ContainsFunc(v.report.Plans, func(p dataset.Plan) bool { return c.of(coverage.Of(v.report, p)) > 0 })
	})
	for _, c := range counts {
		words := c.state
		if c.state == "coverage.missing" && len(v.running()) > 0 {
			words = "coverage.open"
		}
		w.Tag(`<th scope="col" class="num" data-rule="`, c.state, `">`, p.Words(words), "</th>")
	}
	w.Tag("</tr></thead>\n<tbody>\n")
	for i, plan := range v.report.Plans {
		n := coverage.Of(v.report, plan)
		w.Tag(`<tr><th scope="row"><a href="`)
		w.Text(v.pg.home + "coverage/index.html#" + planAnchor(i))
		w.Tag(`">`)
		w.Text(v.planName(i, p))
		w.Tag(`</a></th><td class="num">`)
		w.Int(n.Planned)
		w.Tag("</td>")
		for _, c := range counts {
			w.Tag(`<td class="num">`)
			w.Int(c.of(n))
			w.Tag("</td>")
		}
		w.Tag("</tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
	return w.HTML()
}

// Largest size of a grid that can be read.
const (
	inventoryRows    = 500
	inventoryColumns = 16
)

// inventory returns a grid with the number of runs of each model by machine and load. The numbers link to the runs.
// more is the number of omitted models.
func (v *composer) inventory() (grid template.HTML, more int) {
	p := v.l.Printer
	models := slices.DeleteFunc(slices.Clone(v.subjects().models), func(m *model) bool { return len(m.runs) == 0 })
	if len(models) == 0 {
		return "", 0
	}
	columns := v.places()
	several := slices.ContainsFunc(columns, func(c place) bool { return c.hardware != columns[0].hardware })
	of := func(r *result.Result) place {
		here := placed(r)
		if slices.Contains(columns, here) {
			return here
		}
		return place{} // beyond the maximum number of columns
	}
	shown := models[:min(len(models), inventoryRows)]
	var w parts.Writer
	w.OpenScroll(p.Words("page.exists"), p)
	w.Tag(`<table class="inventory"><thead>`)
	writePlaceHeads(&w, columns, several, v.l)
	w.Tag("</thead>\n<tbody>\n")
	for _, m := range shown {
		w.Tag(`<tr><th scope="row"><a href="`)
		w.Text(v.pg.home + address.Escape(v.Names.Model(m.ID)))
		w.Tag(`">`)
		w.Text(m.name(p))
		w.Tag("</a></th>")
		counts := map[place]int{}
		for _, r := range m.runs {
			counts[of(r)]++
		}
		links := v.runLinks(v.l, m)
		for _, c := range columns {
			w.Tag(`<td class="num">`)
			switch n := counts[c]; {
			case n == 0:
				w.Dash(p.Words("page.exists.none"))
			default:
				w.Tag(`<a href="`)
				w.Text(v.pg.home + links(c))
				w.Tag(`">`)
				w.Int(n)
				w.Tag("</a>")
			}
			w.Tag("</td>")
		}
		w.Tag(`<td class="num">`)
		w.Int(len(m.runs))
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
	return w.HTML(), len(models) - len(shown)
}

// place is the machine and the load, or scenario, of a run.
type place struct{ hardware, label, load string }

func placed(r *result.Result) place {
	label, load := parts.LoadLabel(r)
	return place{r.Label("hardware"), label, load}
}

// places returns the columns of the inventory: by machine, loads before scenarios. The empty place is for the runs
// without a column.
func (b *contents) places() []place {
	seen := map[place]bool{}
	for _, r := range b.results {
		if r.Label("model") != "" {
			seen[placed(r)] = true
		}
	}
	var columns []place
	var boards []string
	for _, m := range b.subjects().boards {
		boards = append(boards, m.ID)
	}
	for _, board := range append(boards, "") { // last the runs without a machine
		for _, m := range b.subjects().loads {
			if at := (place{board, m.Label, m.Name}); seen[at] {
				columns = append(columns, at)
			}
		}
		if at := (place{board, "", ""}); seen[at] && board != "" {
			columns = append(columns, at)
		}
	}
	if len(columns) > inventoryColumns {
		columns = columns[:inventoryColumns]
		return append(columns, place{})
	}
	if seen[place{}] {
		columns = append(columns, place{})
	}
	return columns
}

// writePlaceHeads writes the header of the inventory. If there are several machines, they are above the loads.
func writePlaceHeads(w *parts.Writer, columns []place, several bool, l *language) {
	p := l.Printer
	name := func(c place) string {
		if c.load == "" {
			return p.Words("page.exists.other")
		}
		return l.Value(c.label, c.load)
	}
	rows := ""
	if several {
		rows = ` rowspan="2"`
	}
	w.Tag("<tr><th scope=\"col\"", rows, ">", p.Label("model"), "</th>")
	if several {
		for i := 0; i < len(columns); {
			n := i
			for n < len(columns) && columns[n].hardware == columns[i].hardware {
				n++
			}
			if columns[i].hardware == "" {
				for _, c := range columns[i:n] {
					w.Tag(`<th scope="col" class="num" rowspan="2">`)
					w.Text(name(c))
					w.Tag("</th>")
				}
			} else {
				w.Tag(`<th scope="colgroup" class="group" colspan="`)
				w.Int(n - i)
				w.Tag(`"><span>`)
				w.Text(l.Value("hardware", columns[i].hardware))
				w.Tag("</span></th>")
			}
			i = n
		}
		w.Tag(`<th scope="col" class="num" rowspan="2">`, p.Words("page.runs"), "</th></tr>\n<tr>")
	}
	for _, c := range columns {
		if several && c.hardware == "" {
			continue
		}
		w.Tag(`<th scope="col" class="num">`)
		w.Text(name(c))
		w.Tag("</th>")
	}
	if !several {
		w.Tag(`<th scope="col" class="num">`, p.Words("page.runs"), "</th>")
	}
	w.Tag("</tr>")
}

// runLinks returns a function that links to the runs of a place on the pages of a model.
func (b *contents) runLinks(l *language, m *model) func(place) string {
	path := b.Names.Model(m.ID)
	links := map[place]string{}
	if len(m.runs) > sideBySide && len(m.runs) <= mostListed {
		for i, groups := range pagesOf(b.modelRuns(l, m), rowsPerPage) {
			for _, g := range groups {
				if at := placed(g.runs[0]); g.anchor != "" {
					links[at] = address.Escape(address.Page(path, i)) + "#" + g.anchor
				}
			}
		}
	}
	return func(at place) string {
		if link, ok := links[at]; ok {
			return link
		}
		return address.Escape(path) + "#runs"
	}
}

// running returns the runs in progress. A build that knows only its inputs has none.
func (b *contents) running() []*result.Unfinished {
	var out []*result.Unfinished
	for _, u := range b.report.Unfinished {
		if u.Running {
			out = append(out, u)
		}
	}
	return out
}

// runningList shows the progress of the running runs, and the remaining time of their plans; "" without running runs.
func (v *composer) runningList() template.HTML {
	runs := v.running()
	if len(runs) == 0 {
		return ""
	}
	var w parts.Writer
	w.Tag("<ul class=\"running\">\n")
	for _, u := range runs {
		parts.Progress(&w, u, &v.l.Reader)
	}
	w.Tag("</ul>\n")
	for i, p := range v.report.Plans {
		n := coverage.Of(v.report, p)
		if n.Running == 0 {
			continue
		}
		w.Tag(`<p class="plan"><a href="`)
		w.Text(v.pg.home + "coverage/index.html#" + planAnchor(i))
		w.Tag(`">`)
		w.Text(v.l.Printer.Words("page.plan.of", v.planName(i, v.l.Printer), n.Done, n.Planned))
		w.Tag("</a>")
		if left, _, ok := coverage.TimeLeft(v.report, p); ok {
			w.Tag(" ")
			w.Text(v.l.Printer.Words("running.left.bracketed", locale.About(left)))
		}
		w.Tag("</p>\n")
	}
	return w.HTML()
}
