package page

import (
	"slices"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/report"
)

// runsOf lists the results that the points of a chart are of.
func runsOf(c *report.Chart) []string {
	var ids []string
	for _, s := range c.Series {
		for _, p := range s.Points {
			if p.Run != "" {
				ids = append(ids, p.Run)
			}
		}
	}
	for i := range c.Panels {
		ids = append(ids, runsOf(&c.Panels[i].Chart)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// PathsOf returns the paths of the runs of a chart whose id is not their path: what a
// Picture of it has to know for its points to lead there.
func (s *Site) PathsOf(c *report.Chart) map[string]string {
	paths := map[string]string{}
	for _, id := range runsOf(c) {
		if path := s.Names.FileName(address.Runs, id); path != id {
			paths[id] = path
		}
	}
	return paths
}

// drawCharts has a page run the script of charts, before others that have it draw
// some.
func (v *composer) drawCharts() { v.l.enliven(v.pg, "chart", "chart.") }
