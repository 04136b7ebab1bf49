package report

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// frontier is a column that tells which rows stand on the Pareto frontier of
// some metrics: no other row is at least as good in all of them and better in
// one. Rows that are set aside, or lack one of the figures, take no part.
func (d *Data) frontier(rs []*result.Result, gs []group, rows, names []string) (extra, error) {
	var directions []result.Better
	var titles []locale.Text
	for _, name := range names {
		a, err := d.axis(rs, name)
		if err != nil {
			return extra{}, err
		}
		if a.Better == result.Neutral {
			return extra{}, problem("metrics such as output_throughput or ttft_mean, and weight_size, have one", "%q has no better direction", name)
		}
		directions = append(directions, a.Better)
		titles = append(titles, locale.Inside(a.Title))
	}
	if len(names) < 2 {
		return extra{}, problem(`as pareto = ["weight_size", "output_throughput"]`, "a frontier is of two metrics at the least")
	}
	e := extra{Column: Column{Title: locale.T("tradeoff.pareto"), Align: Center}, cells: make([]Cell, len(gs))}
	var points [][]float64
	var placed []int // row of a point
	for i, g := range gs {
		e.cells[i] = Cell{Missing: true}
		if err := repeats(g.runs, place(rows, g.values)); err != nil {
			return extra{}, err // of a table that is split, a row has a point for each value
		}
		var point []float64
		for _, name := range names {
			if f, measured := figureOf(g.runs, name); measured && f.excluded() {
				break
			}
			if v, _, ok := coordinate(g.runs, name); ok {
				point = append(point, v)
			}
		}
		if len(point) == len(names) {
			points, placed = append(points, point), append(placed, i)
		}
	}
	why := locale.T("report.frontier", locale.List(titles...))
	for _, p := range stats.Frontier(points, directions) {
		e.cells[placed[p]] = Cell{Text: locale.Lit(frontierMark), Rule: "pareto", Why: why}
	}
	return e, nil
}
