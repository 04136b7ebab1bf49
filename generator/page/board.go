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

// collectBoards collects the declared machines in their order, then those that only runs name.
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

// source names the source of a machine's figures.
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
	t := parts.SubjectTable[*board]{Printer: p, Caption: p.Words("page.hardware"), List: v.subjects().boards,
		Columns: []parts.SubjectColumn[*board]{
			{Title: p.Words("page.board.memory"), Num: true, Of: func(m *board) string { return m.Memory }},
			{Title: p.Words("page.board.bandwidth"), Num: true, Of: func(m *board) string { return m.Bandwidth }},
			{Title: p.Words("page.board.peaks"), Num: false, Of: peak},
		},
		Name: func(m *board) string { return m.name(p) },
		Href: func(m *board) string { return v.pg.home + address.Escape(v.Names.Hardware(m.ID)) },
		Runs: func(m *board) []*result.Result { return m.runs },
	}
	d := &indexData{len(v.subjects().boards), t.HTML()}
	return d, nil
}
