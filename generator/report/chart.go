package report

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// ChartKind is the form of a chart.
type ChartKind string

const (
	GroupedBars ChartKind = "bars"    // one group per category, one bar per series
	Dots        ChartKind = "dots"    // one line per category, one dot per series
	Scatter     ChartKind = "scatter" // one labelled mark per point, two value axes
	Lines       ChartKind = "lines"   // one line per series, two value axes
	Curves      ChartKind = "curves"  // two value axes, the points of each part of a series joined in their order
	Boxes       ChartKind = "boxes"   // one line per category, one box of quantiles per series
	Histogram   ChartKind = "histogram"
	HeatMap     ChartKind = "heatmap" // categories by series, a coloured cell for each
	Slope       ChartKind = "slope"   // categories beside each other, one line per series
)

// Scale is the spacing of a value axis.
type Scale string

const (
	Auto   Scale = ""       // bars linear from zero; others log when the span asks for it
	Linear Scale = "linear" // a bar always starts at zero
	Log    Scale = "log"    // never for bars; with zeros linear next to zero
	Time   Scale = "time"   // x of lines: days since the beginning of 1970, see calendar.Place
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
	Frontier   [][]int // scatter: for each workload, curves: for each series of several parts, points in drawing order, counted through the series from 0
	Size       Axis    // scatter: what the area of a mark means, if anything

	// Of curves.
	Along  locale.Text // what the labels of points are values of
	Levels []Level     // values of an axis that are set off, as a limit

	// Of lines.
	Form  LineForm
	Ticks []Tick // names of places on the x axis, written along it unless that is of time; round values when empty
	Bands []Band // parts of the x axis set off, as the phases of a run; one that ends where it begins, or before, is a mark
	Steps []Step // changes of level that a series makes

	// Panels are the same chart for several values of a label, with common axes.
	// The chart itself then has no series.
	Panels []Panel
	// Lanes means that they are different quantities over one x axis, below each other, each with
	// a scale of its own.
	Lanes bool
	Rows  int // of a lane: how many places its y axis has, each of which needs room; 0 for a quantity
}

// Axis is a value axis.
type Axis struct {
	Title  locale.Text
	Unit   string
	Scale  Scale
	Better result.Better

	Written bool // the values are those of a label: in the unit that authors write them in
}

// LineForm is how the points of a line are joined.
type LineForm string

const (
	Straight LineForm = ""      // marks joined by straight lines
	Stair    LineForm = "stair" // the value holds until the next, as a cumulative share
	Trace    LineForm = "trace" // many samples over time, without marks
)

// Tick is a place on an axis that has a name.
type Tick struct {
	At    float64
	Text  locale.Text
	Apart bool // of an axis of time: no day, so that its name is written beside those of the calendar
}

// Level is a value of an axis with a name: of the y axis, a line across the chart.
type Level struct {
	Across bool
	At     float64
	Text   locale.Text
}

// Band is a part of the x axis with a name.
type Band struct {
	From, To float64
	Text     locale.Text
}

// Step is a lasting change between two neighbouring points of a series.
type Step struct {
	Series, Point int // the first point after the change
	Text          locale.Text
	Worse         bool
	Unsettled     bool // the runs do not yet support it: neither worse nor better
}

// Panel is one of several small charts of the same axes.
type Panel struct {
	Title locale.Text
	Chart Chart
}

// Series is a set of points of one colour and shape: one load, one group.
type Series struct {
	Name   locale.Text
	Style  int     // colour and shape, counted from 1: the same for one model in all charts of a site; 0 for that of its place
	Points []Point // bars and dots: one per category, in their order
}

// Point is one value with the digits it is labelled with.
type Point struct {
	X, Y      float64 // bars and dots use Y
	Low, High float64 // the interval of repeats, when Spread; of a histogram's bar its edges
	Spread    bool
	Size      float64    // scatter: what the area of the mark is in proportion to, if anything
	Five      [5]float64 // boxes: 5th, 25th, 50th, 75th and 95th percentile
	Label     locale.Text
	Missing   bool        // no value: drawn as a gap that says so
	Excluded  bool        // drawn hollow
	Warned    bool        // drawn with a ring: a check has doubts
	Dominated bool        // scatter: another point is better in both
	Part      locale.Text // curves: which of several lines of its series it is on
	Run       string
	Others    []string // the other runs that it rests on: the repeats

	Digits [2]string // X and Y as they are written in words; "" where the label has them
}
