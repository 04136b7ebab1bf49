package chart

import "github.com/benchpost/benchpost/generator/report"

// kind describes how charts of one kind are laid out.
type kind struct {
	draw func(*layout)

	// keys returns the legend of several small charts; all has their series, one is one of them. It is nil for
	// a kind without a legend.
	keys func(all, one *layout) []key

	// extent returns what the axes have to show; nil for the values and the intervals of their repeats.
	extent func(*figure) (x, y span)

	byPoint bool // each value is a point of its own, not the value of a category
}

// kinds lists all kinds. Each has its own file.
var kinds = map[report.ChartKind]kind{
	report.GroupedBars: {draw: func(l *layout) { barChart{l}.bars() }, keys: barPanelKeys},
	report.Dots:        {draw: func(l *layout) { dotChart{l}.dots() }, keys: markPanelKeys},
	report.Scatter:     {draw: func(l *layout) { scatterChart{l}.scatter() }, keys: markPanelKeys, byPoint: true},
	report.Lines:       {draw: func(l *layout) { lineChart{l}.lines() }, keys: func(all, _ *layout) []key { return all.lineKeys(true) }, byPoint: true},
	report.Curves:      {draw: func(l *layout) { curveChart{l}.curves() }, keys: func(all, _ *layout) []key { return curveChart{all}.keys() }, byPoint: true},
	report.Boxes:       {draw: func(l *layout) { boxChart{l}.boxes() }, keys: func(all, _ *layout) []key { return all.boxKeys() }, extent: boxExtents},
	report.Histogram:   {draw: func(l *layout) { binChart{l}.histogram() }, extent: binExtents, byPoint: true}, // each chart names its series
	report.HeatMap:     {draw: func(l *layout) { cellChart{l}.heatMap() }, keys: func(all, _ *layout) []key { return all.doubtKeysOfCells() }},
	report.Slope:       {draw: func(l *layout) { slopeChart{l}.slope() }, keys: func(all, _ *layout) []key { return all.doubtKeys(lineRadius) }},
}

func markPanelKeys(all, _ *layout) []key { return all.markKeys(lineRadius) }

func barPanelKeys(all, one *layout) []key {
	if one.farApart() {
		return all.markKeys(lineRadius)
	}
	return all.barKeys()
}

func boxExtents(f *figure) (x, y span) {
	x, _ = f.span((*value).getX)
	return x, f.boxSpan()
}

func binExtents(f *figure) (x, y span) { return f.binSpan(), f.valueSpan() }
