package export

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/visible"
)

// Points returns the figures of a chart as CSV with a row for each point: its names as on the page, its values
// as they were parsed, its run, and whether a check excludes it. Empty columns are omitted. Control characters
// are made visible, as on pages.
func Points(c *report.Chart, p locale.Printer) []byte {
	head := func(a report.Axis, fallback string) string {
		s := p.Say(a.Title)
		if s == "" {
			s = p.Words("points." + fallback)
		}
		if a.Unit != "" && a.Unit != "1" {
			s += " [" + a.Unit + "]"
		}
		return s
	}
	size := ""
	if c.Size != (report.Axis{}) {
		size = head(c.Size, "size")
	}
	rows := [][]string{{p.Words("points.panel"), p.Words("points.series"), p.Words("chart.configuration"), p.Say(c.Along), p.Words("points.category"), head(c.X, "x"), head(c.Y, "y"),
		p.Words("points.low"), p.Words("points.high"), "p5", "p25", "p75", "p95", size, p.Words("points.run"), p.Words("points.note")}}
	if len(c.Panels) == 0 {
		rows = points(rows, "", c, p)
	}
	for i := range c.Panels {
		rows = points(rows, p.Say(c.Panels[i].Title), &c.Panels[i].Chart, p)
	}
	var kept []int
	for column := range rows[0] {
		if slices.ContainsFunc(rows[1:], func(row []string) bool { return row[column] != "" }) {
			kept = append(kept, column)
		}
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range rows {
		var cells []string
		for _, column := range kept {
			cells = append(cells, visible.Cell(visible.Text(row[column])))
		}
		w.Write(cells)
	}
	w.Flush()
	return b.Bytes()
}

func points(rows [][]string, panel string, c *report.Chart, p locale.Printer) [][]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, s := range c.Series {
		for i, point := range s.Points {
			var along, category, x, y, low, high, size, note string
			var quantiles [4]string
			switch {
			case i < len(c.Categories):
				category = p.Say(c.Categories[i])
			case c.Kind == report.Scatter:
				category, x = p.Say(point.Label), number(point.X)
			case c.Kind == report.Lines:
				x = number(point.X)
			case c.Kind == report.Curves:
				along, x = p.Say(point.Label), number(point.X)
			}
			for _, t := range c.Ticks {
				if t.At == point.X {
					x = p.Say(t.Text)
				}
			}
			if !point.Missing {
				y = number(point.Y)
			}
			if !point.Missing && point.Spread || c.Kind == report.Histogram {
				low, high = number(point.Low), number(point.High)
			}
			if c.Kind == report.Boxes && !point.Missing {
				for k, q := range []int{0, 1, 3, 4} {
					quantiles[k] = number(point.Five[q])
				}
			}
			if c.Size != (report.Axis{}) && !point.Missing {
				size = number(point.Size)
			}
			switch {
			case point.Missing:
				note = p.Words("points.missing")
			case point.Excluded:
				note = p.Words("points.excluded")
			case point.Warned:
				note = p.Words("points.doubted")
			}
			rows = append(rows, []string{panel, p.Say(s.Name), p.Say(point.Part), along, category, x, y, low, high,
				quantiles[0], quantiles[1], quantiles[2], quantiles[3], size, point.Run, note})
		}
	}
	return rows
}
