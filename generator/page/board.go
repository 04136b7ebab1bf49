package page

import (
	"cmp"
	"html/template"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// board is a machine with its runs.
type board struct {
	Hardware
	runs []*result.Result
}

// collectBoards puts what is declared first, in its order, then what only runs
// name.
func (s *subjects) collectBoards(b *contents) {
	at := map[string]*board{}
	add := func(h Hardware) *board {
		if old, ok := at[h.ID]; ok {
			return old
		}
		m := &board{Hardware: h}
		at[h.ID] = m
		s.boards = append(s.boards, m)
		return m
	}
	for _, h := range b.Hardware {
		add(h)
	}
	given := len(s.boards)
	for _, r := range b.results {
		if id := r.Label("hardware"); id != "" {
			m := add(Hardware{ID: id})
			m.runs = append(m.runs, r)
		}
	}
	slices.SortStableFunc(s.boards[given:], func(x, y *board) int { return result.NaturalCompare(x.ID, y.ID) })
}

func (m *board) name(p locale.Printer) string { return cmp.Or(p.Say(m.Title), m.ID) }

func (b *builder) boardPage(l *language, m *board) job {
	return func() ([]file, error) {
		p := l.Printer
		s := subject{kind: "board", path: b.Names.Hardware(m.ID), title: m.name(p), runs: m.runs, data: subjectData{ID: m.ID, Total: len(m.runs)}}
		home := l.homeOf(s.path)
		spec := facts{p: p}
		spec.add("page.board.product", m.Product, "")
		spec.add("page.board.memory", m.Memory, "")
		spec.add("page.board.bandwidth", m.Bandwidth, "")
		for _, peak := range m.Peaks {
			spec.list = append(spec.list, fact{Name: p.Words("page.board.peak", peak.Type), Value: peak.Value})
		}
		if m.Price != "" {
			price := p.Words("page.board.price.value", m.Price)
			if m.PriceDate != "" {
				price = p.Words("page.board.price.dated", m.Price, m.PriceDate)
			}
			spec.add("page.board.price", price, "")
		}
		spec.add("page.board.source", m.source(p), "")
		spec.plans(b, home, "hardware", m.ID)
		s.data.Spec = spec.list
		s.views = func() []report.View { return view.OfHardware(b.report, m.ID, l.modelLinks(b, home)) }
		s.groups = grouped(m.runs, func(r *result.Result) string {
			if label, v := parts.LoadLabel(r); v != "" {
				return l.Value(label, v)
			}
			return ""
		})
		s.table = parts.RunTable{HideLoad: true, ShowCampaign: true, Figures: 5}
		return b.subjectPages(l, s)
	}
}

// source states where the figures of a machine are from.
func (m *board) source(p locale.Printer) string {
	switch {
	case m.Declared && m.Source != "":
		return p.Words("page.board.source.both", m.Source)
	case m.Declared:
		return p.Words("page.board.source.site")
	}
	return m.Source
}

// indexData is the data of models.html, hardware.html and loads.html.
type indexData struct {
	Total  int
	Tables template.HTML
}

func (v *composer) hardwarePage() (any, error) {
	p := v.l.Printer
	peak := func(m *board) string {
		var words []string
		for _, peak := range m.Peaks {
			words = append(words, peak.Type+" "+peak.Value)
		}
		return strings.Join(words, " · ")
	}
	t := subjectTable[*board]{p: p, caption: p.Words("page.hardware"), list: v.subjects().boards,
		columns: []subjectColumn[*board]{
			{p.Words("page.board.memory"), true, func(m *board) string { return m.Memory }},
			{p.Words("page.board.bandwidth"), true, func(m *board) string { return m.Bandwidth }},
			{p.Words("page.board.peaks"), false, peak},
		},
		name: func(m *board) string { return m.name(p) },
		href: func(m *board) string { return v.pg.home + address.Escape(v.Names.Hardware(m.ID)) },
		runs: func(m *board) []*result.Result { return m.runs },
	}
	d := &indexData{len(v.subjects().boards), t.html()}
	return d, nil
}

// subjectTable lists what runs have in common, with how much was measured of it.
type subjectTable[T any] struct {
	p       locale.Printer
	caption string
	list    []T
	columns []subjectColumn[T]
	name    func(T) string
	href    func(T) string
	runs    func(T) []*result.Result
}

type subjectColumn[T any] struct {
	title string
	num   bool
	of    func(T) string
}

// html returns the table, without empty columns; "" of an empty list.
func (t *subjectTable[T]) html() template.HTML {
	if len(t.list) == 0 {
		return ""
	}
	columns := slices.DeleteFunc(slices.Clone(t.columns), func(c subjectColumn[T]) bool {
		return !slices.ContainsFunc(t.list, func(one T) bool { return c.of(one) != "" })
	})
	var w parts.Writer
	w.OpenScroll(t.caption, t.p)
	w.Tag(`<table class="subjects"><thead><tr><th scope="col">`)
	w.Text(t.caption)
	w.Tag("</th>")
	for _, c := range columns {
		w.Tag(`<th scope="col"`, numClass(c.num), ">")
		w.Text(c.title)
		w.Tag("</th>")
	}
	w.Tag(`<th scope="col" class="num">`, t.p.Words("page.models"), `</th><th scope="col" class="num">`, t.p.Words("page.runs"), "</th></tr></thead>\n<tbody>\n")
	for _, one := range t.list {
		w.Tag(`<tr><th scope="row"><a href="`)
		w.Text(t.href(one))
		w.Tag(`">`)
		w.Text(t.name(one))
		w.Tag("</a></th>")
		for _, c := range columns {
			w.Tag("<td", numClass(c.num), ">")
			w.Text(c.of(one))
			w.Tag("</td>")
		}
		models := map[string]bool{}
		for _, r := range t.runs(one) {
			if m := r.Label("model"); m != "" {
				models[m] = true
			}
		}
		w.Tag(`<td class="num">`)
		w.Int(len(models))
		w.Tag(`</td><td class="num">`)
		w.Int(len(t.runs(one)))
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
	return w.HTML()
}
