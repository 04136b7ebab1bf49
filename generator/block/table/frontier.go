package table

import (
	"slices"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// frontier returns a column that marks the rows on the Pareto frontier of some metrics: no other row of the same
// workload is at least as good in all of them and better in one. It skips rows that are excluded or lack one of the
// figures.
func frontier(d *dataset.Selection, rs []*result.Result, gs []dataset.Group, s Spec) (builder.Extra, error) {
	rows, names := s.Rows, s.Pareto
	var directions []result.Better
	var titles []locale.Text
	for _, name := range names {
		a, err := builder.Axis(d, rs, name)
		if err != nil {
			return builder.Extra{}, err
		}
		if a.Better == result.Neutral {
			return builder.Extra{}, dataset.Wrongf(locale.Textf("metrics such as output_throughput or ttft_mean, and weight_size, have one"), "%q has no better direction", name)
		}
		directions = append(directions, a.Better)
		titles = append(titles, locale.Inside(a.Title))
	}
	if len(names) < 2 {
		return builder.Extra{}, dataset.Wrongf(locale.Textf(`for example pareto = ["weight_size", "output_throughput"]`), "a frontier needs at least two metrics")
	}
	e := builder.Extra{Column: report.Column{Title: locale.T("tradeoff.pareto"), Align: report.Center}, Cells: make([]report.Cell, len(gs))}
	type points struct {
		at  [][]float64
		row []int // row of each point
	}
	alike := map[string]*points{} // by workload
	for i, g := range gs {
		e.Cells[i] = report.Cell{Missing: true}
		if err := dataset.Repeats(g.Runs, dataset.Place(rows, g.Values)); err != nil {
			return builder.Extra{}, err // in a split table a row has one point for each value
		}
		var point []float64
		for _, name := range names {
			if f, measured := dataset.FigureOf(g.Runs, name); measured && f.Excluded() {
				break
			}
			if v, _, ok := dataset.Coordinate(g.Runs, name); ok {
				point = append(point, v)
			}
		}
		if len(point) == len(names) {
			of := dataset.Workload(g.Runs[0], slices.Concat(rows, s.Accept)...)
			if alike[of] == nil {
				alike[of] = &points{}
			}
			alike[of].at, alike[of].row = append(alike[of].at, point), append(alike[of].row, i)
		}
	}
	why := locale.T("report.frontier", locale.List(titles...))
	for _, of := range alike {
		for _, p := range stats.Frontier(of.at, directions) {
			e.Cells[of.row[p]] = report.Cell{Text: locale.Lit(builder.FrontierMark), Rule: "pareto", Why: why}
		}
	}
	return e, nil
}
