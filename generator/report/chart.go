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
	Curves      ChartKind = "curves"  // two value axes; joins the points of each part of a series in order
	Boxes       ChartKind = "boxes"   // one line per category, one box of quantiles per series
	Histogram   ChartKind = "histogram"
	HeatMap     ChartKind = "heatmap" // categories by series, a coloured cell for each
	Slope       ChartKind = "slope"   // categories beside each other, one line per series
)

// Scale is the spacing of a value axis.
type Scale string

const (
	Auto   Scale = ""       // bars are linear from zero; others are log when the span is large
	Linear Scale = "linear" // bars always start at zero
	Log    Scale = "log"    // never for bars; linear near zero if there are zeros
	Time   Scale = "time"   // x of lines: days since 1970-01-01, see calendar.Place
)

// Chart holds what a chart shows. It does not define layout or drawing.
type Chart struct {
	Kind       ChartKind
	Title      locale.Text
	Subtitle   locale.Text // unit, direction, n
	Source     locale.Text // line at the foot: hardware, engine, tool, date of the data
	Notes      []locale.Text
	Alt        locale.Text // describes the chart for readers who cannot see it
	X, Y       Axis        // bars and dots use Y for the values; scatter both
	Categories []locale.Text
	Series     []Series
	Frontier   [][]int // scatter: per workload; curves: per series of several parts; indices of points over all series
	Size       Axis    // scatter: the quantity of the area of a mark, if any

	// For curves.
	Along  locale.Text // the label whose values the points are labelled with
	Levels []Level     // highlighted values of an axis, such as a limit

	// For lines.
	Form  LineForm
	Ticks []Tick // named places on the x axis, written along it unless it is a time axis; round values when empty
	Bands []Band // highlighted parts of the x axis, such as the phases of a run; a mark if To is not greater than From
	Steps []Step // level changes of a series

	// Panels repeat the chart for several values of a label, with common axes. The chart itself then has no series.
	Panels []Panel
	// Lanes means that the panels show different quantities below each other over one x axis. Each has its own y scale.
	Lanes bool
	Rows  int // for a lane: number of places on its y axis, each of which needs room; 0 for a quantity
}

// Axis is a value axis.
type Axis struct {
	Title  locale.Text
	Unit   string
	Scale  Scale
	Better result.Better

	Written bool // the values are label values, in the unit that authors write
}

// LineForm is how the points of a line are joined.
type LineForm string

const (
	Straight LineForm = ""      // marks joined by straight lines
	Stair    LineForm = "stair" // the value holds until the next, e.g. a cumulative share
	Trace    LineForm = "trace" // many samples over time, without marks
)

// Tick is a named place on an axis.
type Tick struct {
	At    float64
	Text  locale.Text
	Apart bool // on a time axis: not a day, so its name is written beside those of the calendar
}

// Level is a named value of an axis. If Across, it belongs to the y axis and is drawn as a line across the chart.
type Level struct {
	Across bool
	At     float64
	Text   locale.Text
}

// Band is a named part of the x axis.
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

// Panel is one of several small charts with the same axes.
type Panel struct {
	Title locale.Text
	Chart Chart
}

// Series is a set of points of one colour and shape: one load, one group.
type Series struct {
	Name   locale.Text
	Style  int     // colour and shape from 1, the same for a model in all charts of a site; 0: by position
	Points []Point // bars and dots: one per category, in order
}

// Point is one value, with its label.
type Point struct {
	X, Y      float64 // bars and dots use Y
	Low, High float64 // the interval of repeats when Spread; for a histogram the edges of the bar
	Spread    bool
	Size      float64    // scatter: the area of the mark is proportional to it, if not 0
	Five      [5]float64 // boxes: 5th, 25th, 50th, 75th and 95th percentile
	Label     locale.Text
	Missing   bool        // no value: drawn as a marked gap
	Excluded  bool        // drawn hollow
	Warned    bool        // drawn with a ring: a check warns about it
	Dominated bool        // scatter: another point is better in both
	Part      locale.Text // curves: the line of its series that the point is on
	Run       string
	Others    []string // ids of the other repeats that the value rests on

	Digits [2]string // X and Y as written in text; "" where the label holds them
}
