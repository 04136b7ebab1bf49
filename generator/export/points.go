package export

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// Points writes the figures behind a chart as CSV, a row for each point: what it
// stands for in words of the page, its values as they were read, the run, and
// whether a check set it aside.
func Points(c *report.Chart, p locale.Printer) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	head := func(a report.Axis, fallback string) string {
		s := p.Say(a.Title)
		if s == "" {
			s = fallback
		}
		if a.Unit != "" && a.Unit != "1" {
			s += " [" + a.Unit + "]"
		}
		return s
	}
	x := head(c.X, "x")
	if len(c.Categories) > 0 || len(c.Panels) > 0 && len(c.Panels[0].Chart.Categories) > 0 {
		x = "category"
	}
	w.Write([]string{"panel", "series", x, head(c.Y, "y"), "low", "high", "p5", "p25", "p75", "p95", "run", "note"})
	if len(c.Panels) == 0 {
		points(w, "", c, p)
	}
	for i := range c.Panels {
		points(w, p.Say(c.Panels[i].Title), &c.Panels[i].Chart, p)
	}
	w.Flush()
	return b.Bytes()
}

func points(w *csv.Writer, panel string, c *report.Chart, p locale.Printer) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, s := range c.Series {
		for i, point := range s.Points {
			row := [12]string{panel, p.Say(s.Name), number(point.X), "", "", "", "", "", "", "", point.Run, ""}
			switch {
			case i < len(c.Categories):
				row[2] = p.Say(c.Categories[i])
			case c.Kind == report.Scatter:
				row[1] = p.Say(point.Label)
			case c.Kind == report.Histogram:
				row[2] = ""
			}
			for _, t := range c.Ticks {
				if t.At == point.X {
					row[2] = p.Say(t.Text)
				}
			}
			if !point.Missing {
				row[3] = number(point.Y)
			}
			if point.Spread || c.Kind == report.Histogram {
				row[4], row[5] = number(point.Low), number(point.High)
			}
			if c.Kind == report.Boxes && !point.Missing {
				row[6], row[7], row[8], row[9] = number(point.Five[0]), number(point.Five[1]), number(point.Five[3]), number(point.Five[4])
			}
			switch {
			case point.Missing:
				row[11] = "missing"
			case point.Quarantined:
				row[11] = "set aside"
			case point.Warned:
				row[11] = "in doubt"
			}
			w.Write(row[:])
		}
	}
}
