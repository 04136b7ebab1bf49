package page

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/report"
)

// Chart is a chart of a page that its script brings alive: a Picture that names it
// has its drawing replaced by one of the same look, once a reader could use it.
type Chart struct {
	ID   string // unique in its page
	Spec []byte // as export.Chart writes it
	Runs []string
}

// RunsOf lists the results that the points of a chart are of.
func RunsOf(c *report.Chart) []string {
	var ids []string
	for _, s := range c.Series {
		for _, p := range s.Points {
			if p.Run != "" {
				ids = append(ids, p.Run)
			}
		}
	}
	for i := range c.Panels {
		ids = append(ids, RunsOf(&c.Panels[i].Chart)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// chartTheme is the data script of how the site's charts look, where they do not
// look as usual.
const chartTheme = "data/theme.js"

// enlivenCharts has a page bring its charts alive. The data script that this takes is
// the page's own and lies beside it.
func (v *composer) enlivenCharts() []file {
	if len(v.pg.charts) == 0 {
		return nil
	}
	path := v.l.dir + strings.TrimSuffix(v.pg.path, ".html") + ".js"
	specs, paths := map[string]json.RawMessage{}, map[string]string{}
	for _, c := range v.pg.charts {
		specs[c.ID] = c.Spec
		for _, id := range c.Runs {
			if path := address.FileName(id); path != id {
				paths[id] = path
			}
		}
	}
	script := dataScript("charts", encode(specs))
	if len(paths) > 0 {
		script = append(script, dataScript("paths", encode(paths))...)
	}
	v.l.runs(v.pg, path)
	v.drawCharts()
	return []file{{path, script}}
}

// drawCharts has a page run the script that draws charts, before others that have it
// draw some.
func (v *composer) drawCharts() {
	if len(v.ChartTheme) > 0 {
		v.l.runs(v.pg, chartTheme)
	}
	v.l.enliven(v.pg, "chart", "chart.")
}

// encode writes what cannot fail: texts, and JSON that was made here.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
