package chart

import (
	"strings"

	"github.com/benchpost/benchpost/generator/chart/font"
)

// rows is the layout of categories as rows: names at the left, the plot beside them.
type rows struct {
	plot box
	ends []float64 // lower ends of the rows
}

// newRows lays out names and plot below top. content returns the height of a row for a stretch factor of at
// least 1, which is chosen so that the rows fill the theme's height. aside is the free width at the right of
// the plot.
func (l *layout) newRows(top float64, content func(stretch float64) float64, aside float64) rows {
	names, widest := l.rowNames()
	heights := func(stretch float64) (hs []float64, sum float64) {
		for _, lines := range names {
			h := max(content(stretch), float64(len(lines))*1.15*l.text.Size+14)
			hs, sum = append(hs, h), sum+h
		}
		return hs, sum
	}
	top += 16
	hs, sum := heights(1)
	if room := float64(l.theme.Height) - l.footHeight() - l.axisHeight() - top; sum < room {
		hs, _ = heights(min(room/sum, 1.8))
	}

	r := rows{plot: box{x0: margin + widest + 20, y0: top, x1: l.width - margin - inset - aside}}
	r.plot.x1 = max(r.plot.x1, r.plot.x0+40) // on a narrow canvas with many missing values
	y := top
	for i, h := range hs {
		leading := 1.15 * l.text.Size
		baseline := y + h/2 - leading*float64(len(names[i])-1)/2 + font.Middle*l.text.Size
		for _, line := range names[i] {
			l.write(line, l.text, r.plot.x0-20-l.text.Width(line), baseline, l.theme.Ink)
			baseline += leading
		}
		y += h
		r.ends = append(r.ends, y)
	}
	r.plot.y1 = y
	return r
}

func (r rows) row(i int) box {
	b := r.plot
	b.y1 = r.ends[i]
	if i > 0 {
		b.y0 = r.ends[i-1]
	}
	return b
}

// rowNames wraps the names of rows into as few lines as keep different names distinct.
func (l *layout) rowNames() (names [][]string, widest float64) {
	for most := 2; most <= 4; most++ {
		names, widest = nil, 0
		seen := map[string]string{}
		alike := false
		for _, name := range l.categories {
			lines := l.shorten(name, l.text, 0.36*l.width, most)
			short := strings.Join(lines, " ")
			if full, ok := seen[short]; ok && full != name {
				alike = true
			}
			seen[short] = name
			names = append(names, lines)
			for _, line := range lines {
				widest = max(widest, l.text.Width(line))
			}
		}
		if !alike {
			break
		}
	}
	if l.common != nil {
		widest = l.common.names
	}
	return names, widest
}

// widestLabel returns the width of the widest value label.
func (l *layout) widestLabel() float64 {
	widest := 0.0
	if l.common != nil {
		widest = l.common.label
	}
	if l.byPoint {
		return widest
	}
	for _, series := range l.series {
		for i := range series.values {
			if v := &series.values[i]; !v.missing {
				widest = max(widest, l.small.Width(v.text()))
			}
		}
	}
	return widest
}
