package parts

import (
	"html/template"
	"math"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// A sparkline is drawn on a raster of half pixels.
const (
	sparkWidth   = 240
	sparkHeight  = 48
	sparkEdge    = 6  // margin around the line, for the mark at its end
	sparkColumns = 60 // longer series show the least and the greatest value in each of these columns
)

// Sparkline draws a series inside a line of text: earlier levels in grey, the last one in the colour of its verdict,
// with a mark at the latest value. It is "" for fewer than two values.
func Sparkline(s report.Spark, p locale.Printer) template.HTML {
	if len(s.Values) < 2 {
		return ""
	}
	var w Writer
	w.Tag(`<svg class="spark`)
	if s.Verdict != report.Steady {
		w.Tag(" ", string(s.Verdict))
	}
	w.Tag(`" viewBox="0 0 240 48" width="120" height="24" role="img" aria-label="`)
	w.Text(p.Say(s.Text))
	w.Tag(`">`)
	x := scale(s.Places[0], s.Places[len(s.Places)-1], sparkEdge, sparkWidth-sparkEdge)
	y := scale(s.Low, s.High, sparkHeight-sparkEdge, sparkEdge)
	if s.Level > 0 {
		w.Tag(`<path class="before" d="`)
		w.spark(s, 0, s.Level, x, y)
		w.Tag(`"/>`)
	}
	w.Tag(`<path d="`)
	w.spark(s, max(0, s.Level-1), len(s.Values), x, y)
	w.Tag(`"/><circle cx="`)
	last := len(s.Values) - 1
	w.Int(x(s.Places[last]))
	w.Tag(`" cy="`)
	w.Int(y(s.Values[last]))
	w.Tag(`" r="4"/></svg>`)
	return w.HTML()
}

// scale returns a function that maps values from low to high to coordinates from start to end.
func scale(low, high float64, start, end int) func(float64) int {
	return func(v float64) int {
		if high <= low {
			return (start + end) / 2
		}
		return start + int(math.Round((v-low)/(high-low)*float64(end-start)))
	}
}

// spark writes the path through the values in a range of indices.
func (w *Writer) spark(s report.Spark, from, to int, x, y func(float64) int) {
	column := func(i int) int {
		if len(s.Values) <= sparkColumns {
			return i
		}
		return x(s.Places[i]) * sparkColumns / sparkWidth
	}
	command := "M"
	point := func(i int) {
		w.Tag(command)
		w.Int(x(s.Places[i]))
		w.Tag(" ")
		w.Int(y(s.Values[i]))
		command = " "
	}
	for i := from; i < to; {
		least, greatest, next := i, i, i+1
		for ; next < to && column(next) == column(i); next++ {
			if s.Values[next] < s.Values[least] {
				least = next
			}
			if s.Values[next] > s.Values[greatest] {
				greatest = next
			}
		}
		point(min(least, greatest))
		if least != greatest {
			point(max(least, greatest))
		}
		if next == to && max(least, greatest) < to-1 {
			point(to - 1)
		}
		i = next
	}
}
