package report

import (
	"benchpost/generator/bench"
	"benchpost/generator/locale"
)

// ChartKind is the form of a chart.
type ChartKind string

const (
	GroupedBars ChartKind = "bars"    // one group per category, one bar per series
	Dots        ChartKind = "dots"    // one line per category, one dot per series
	Scatter     ChartKind = "scatter" // one labelled mark per point, two value axes
)

// Scale is the spacing of a value axis.
type Scale string

const (
	Auto   Scale = ""       // bars linear from zero; dots log when the span asks for it
	Linear Scale = "linear" // a bar always starts at zero
	Log    Scale = "log"    // never for bars
)

// Chart is what a chart shows; how it is laid out and drawn is not its matter.
type Chart struct {
	Kind       ChartKind
	Title      locale.Text
	Subtitle   locale.Text // unit, direction, n
	Source     locale.Text // line at the foot: hardware, engine, tool, date of the data
	Notes      []locale.Text
	Alt        locale.Text // says what the chart shows, for those who do not see it
	X, Y       Axis        // bars and dots use Y for the values; scatter both
	Categories []locale.Text
	Series     []Series
	Frontier   []int // scatter: indices into Series[0].Points, in drawing order

	compared comparison
	metrics  []string // that are drawn
	repeats  []int    // behind each point
}

// Axis is a value axis.
type Axis struct {
	Title  locale.Text
	Unit   string
	Scale  Scale
	Better bench.Better
}

// Series is a set of points of one colour and shape: one load, one group.
type Series struct {
	Name   locale.Text
	Points []Point // bars and dots: one per category, in their order
}

// Point is one value with the digits it is labelled with.
type Point struct {
	X, Y        float64 // bars and dots use Y
	Label       locale.Text
	Missing     bool // no value: drawn as a gap that says so
	Quarantined bool // drawn hollow
	Dominated   bool // scatter: another point is better in both
	Run         string

	digits [2]string // scatter: X and Y as they are written
}
