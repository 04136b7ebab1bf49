// Package plot makes charts: what is drawn over which axes. Package chart lays them out.
package plot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Spec holds the keys of the block chart.
type Spec struct {
	Kind           string // a name in chartKinds
	Where          string
	Title          string
	Subtitle       string
	Category       string         // bars, dots, boxes, heatmap, slope: label of the categories; default: model
	Series         string         // label of the series; default: one series, for lines model
	Value          string         // metric; for boxes, histogram and cdf a latency without statistic
	Values         []string       // dots: metrics in place of series, e.g. the percentiles of a latency
	Over           string         // lines: numeric label along the line; history: label of versions or dates
	Sort           string         // bars, dots: "value" or "-value" (of the first series); default: the site's order
	X, Y           string         // scatter: metric, or numeric label; lines: Y a metric, X a metric in place of Over
	Label          string         // scatter: label written at each point; default: model
	Limits         map[string]any // curves: bounds on x or y, lower if higher is better; default: the site's limits
	Configurations []string       // curves: labels of the configurations of a series; default: those of how it is served
	Size           string         // scatter: metric or numeric label, shown by the area of the marks
	Scale          string         // "linear" or "log"; by default chosen from the span
	Panel          string         // label; draws a small chart for each of its values, with common axes
	Notes          []string
	Accept         []string // settings in which the runs may differ

	Stepped bool // history: Steps are the known steps of the only series
	Steps   []stats.Step
}

// Chart makes the chart of a block.
func Chart(d *dataset.Selection, s Spec) (*builder.Chart, error) {
	rs, err := d.Select(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Scale != "" && s.Scale != "linear" && s.Scale != "log" {
		return nil, dataset.About("scale", dataset.Wrongf(locale.Textf(`write "linear" or "log", or leave it out`), "scale = %q is not known", s.Scale))
	}
	c := &builder.Chart{Chart: report.Chart{Kind: report.ChartKind(s.Kind), Title: locale.Lit(s.Title), Subtitle: locale.Lit(s.Subtitle), Source: builder.Source(d, rs)}}
	for _, n := range s.Notes {
		c.Notes = append(c.Notes, locale.Lit(n))
	}
	kind, ok := chartKinds[s.Kind]
	if !ok {
		kinds := Kinds()
		hint := locale.Textf("there are: %s", locale.Commas(kinds...))
		if near := settings.Nearest(s.Kind, kinds); near != "" {
			hint = locale.Textf("did you mean %q? %s", near, hint)
		}
		return nil, dataset.About("kind", dataset.Wrongf(hint, "kind = %q is not a kind of chart", s.Kind))
	}
	if err := s.unused(kind.keys); err != nil {
		return nil, err
	}
	if s.Panel != "" {
		err = panels(d, c, rs, s, kind)
	} else {
		err = kind.fill(d, c, rs, s)
	}
	if err == nil && !shows(&c.Chart) {
		err = s.nothing(rs, c.Metrics)
	}
	if err == nil {
		c.Place(rs)
	}
	return c, err
}

// shows reports whether a chart shows a value.
func shows(c *report.Chart) bool {
	return slices.ContainsFunc(c.Panels, func(p report.Panel) bool { return shows(&p.Chart) }) ||
		slices.ContainsFunc(c.Series, func(one report.Series) bool {
			return slices.ContainsFunc(one.Points, func(p report.Point) bool { return !p.Missing })
		})
}

// nothing returns an error that says why a chart of some metrics shows no value: no run has one of the metrics, or no
// run has all of them.
func (s Spec) nothing(rs []*result.Result, metrics []string) error {
	for _, name := range metrics {
		has := func(r *result.Result) bool { _, ok := r.Metric(name); return ok || r.Label(name) != "" }
		if slices.ContainsFunc(rs, has) {
			continue
		}
		key := "value"
		for of, named := range map[string][]string{"x": {s.X}, "y": {s.Y}, "size": {s.Size}, "values": s.Values} {
			if slices.Contains(named, name) {
				key = of
			}
		}
		return dataset.About(key, dataset.Lacks(rs, name))
	}
	return dataset.Lackf(locale.Textf("select runs that have them all in where"), "no run has all that the chart shows: %s", locale.Commas(metrics...))
}

// unused returns an error for a key that the kind of chart would ignore.
func (s Spec) unused(keys []string) error {
	for _, key := range []struct {
		name string
		set  bool
	}{
		{"category", s.Category != ""}, {"series", s.Series != ""}, {"value", s.Value != ""}, {"values", len(s.Values) > 0},
		{"over", s.Over != ""}, {"sort", s.Sort != ""}, {"x", s.X != ""}, {"y", s.Y != ""}, {"label", s.Label != ""},
		{"size", s.Size != ""}, {"scale", s.Scale != ""}, {"limits", len(s.Limits) > 0}, {"configurations", len(s.Configurations) > 0},
	} {
		if key.set && !slices.Contains(keys, key.name) {
			return dataset.About(key.name, dataset.Wrongf(locale.Textf("it has %s", locale.Commas(keys...)), "kind = %q does not use %s", s.Kind, key.name))
		}
	}
	return nil
}

// mostPanels is the maximum number of panels of a chart.
const mostPanels = 12

// panels fills a chart with a panel for each value of a label.
func panels(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec, kind chartKind) error {
	values := d.Values(rs, s.Panel)
	if len(values) == 0 {
		return dataset.About("panel", dataset.Unknown(rs, s.Panel))
	}
	if len(values) > mostPanels {
		return dataset.About("panel", dataset.Wrongf(locale.Textf("name fewer in where"), "%d small charts are unreadable; %d are the limit", len(values), mostPanels))
	}
	var alts []locale.Text
	for _, v := range values {
		one := builder.Chart{Chart: report.Chart{Kind: c.Kind}, Below: c.Below, FarApart: c.FarApart}
		if err := kind.fill(d, &one, dataset.WithLabel(rs, s.Panel, v), s); err != nil {
			return err
		}
		title := d.Title(s.Panel, v)
		c.Panels = append(c.Panels, report.Panel{Title: title, Chart: one.Chart})
		alts = append(alts, locale.T("alt.panel", title, one.Alt))
		c.Repeats, c.Below, c.FarApart = append(c.Repeats, one.Repeats...), one.Below, one.FarApart
		c.Intervals, c.Ranges, c.LeftOut = c.Intervals || one.Intervals, c.Ranges || one.Ranges, c.LeftOut || one.LeftOut
		c.Metrics = one.Metrics
		c.Compared = builder.Comparison{Runs: append(c.Compared.Runs, one.Compared.Runs...), Laid: append(one.Compared.Laid, s.Panel), Accept: s.Accept}
	}
	c.Kind, c.X, c.Y, c.Along = c.Panels[0].Chart.Kind, c.Panels[0].Chart.X, c.Panels[0].Chart.Y, c.Panels[0].Chart.Along
	c.Alt = locale.Sentences(alts...)
	return nil
}

// chartKind is a kind of chart: the function that fills it, and the keys it uses in addition to those of all kinds.
type chartKind struct {
	fill func(*dataset.Selection, *builder.Chart, []*result.Result, Spec) error
	keys []string
}

// Kinds returns the names of the kinds of charts, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(chartKinds)) }

// chartKinds maps names to kinds.
var chartKinds = map[string]chartKind{
	"bars":      {categories, []string{"category", "series", "value", "sort", "scale"}},
	"dots":      {categories, []string{"category", "series", "value", "values", "sort", "scale"}},
	"heatmap":   {categories, []string{"category", "series", "value", "sort", "scale"}},
	"slope":     {categories, []string{"category", "series", "value", "sort", "scale"}},
	"scatter":   {scatter, []string{"x", "y", "label", "series", "size", "scale"}},
	"lines":     {lines, []string{"x", "y", "value", "over", "series", "scale"}},
	"curves":    {tradeoff, []string{"x", "y", "over", "series", "configurations", "limits", "scale"}},
	"history":   {trend, []string{"value", "over", "series", "scale"}},
	"boxes":     {boxes, []string{"category", "series", "value", "scale"}},
	"cdf":       {cumulative, []string{"value", "series", "scale"}},
	"histogram": {histogram, []string{"value", "series", "scale"}},
	"power":     {power, []string{"value", "series", "scale"}},
}

// categories fills a chart with one value axis.
func categories(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	if c.Kind == report.Slope { // the lines are the models; they lead from one setting to the other
		if s.Category == "" {
			return dataset.Wrongf(locale.Textf(`for example category = "clocks", series = "model"`), "category is missing: the label whose values are compared")
		}
		s.Series = cmp.Or(s.Series, "model")
	}
	if s.Category == "" {
		s.Category = "model"
	}
	if len(s.Values) > 0 {
		return ranges(d, c, rs, s)
	}
	if s.Value == "" {
		return dataset.Wrongf(locale.Textf(`for example value = "output_throughput"`), "value is missing")
	}
	if c.Kind == report.HeatMap && s.Series == "" {
		return dataset.Wrongf(locale.Textf(`for example series = "max_concurrency"`), "series is missing: the label of the columns")
	}
	axis, err := builder.Axis(d, rs, s.Value)
	if err != nil {
		return err
	}
	axis.Scale = report.Scale(s.Scale)
	if c.Kind == report.GroupedBars && axis.Scale == report.Log {
		return dataset.About("scale", dataset.Wrongf(locale.Textf(`write kind = "dots": the length of a bar says nothing on a log axis`), "bars have no log scale"))
	}
	c.Y = axis
	series := []string{""}
	if s.Series != "" {
		if series = d.Values(rs, s.Series); len(series) == 0 {
			return dataset.Unknown(rs, s.Series)
		}
		rs = dataset.Having(rs, s.Series)
	}
	gs := d.Groups(rs, []string{s.Category})
	if len(gs) == 1 && gs[0].Values[0] == "" {
		return dataset.Unknown(rs, s.Category)
	}
	if err := sortGroups(d, gs, s, series[0]); err != nil {
		return dataset.About("sort", err)
	}
	for _, v := range series {
		one := newSeries(d, s.Series, v)
		for _, g := range gs {
			cell := dataset.WithLabel(g.Runs, s.Series, v)
			if err := dataset.Repeats(cell, dataset.Place([]string{s.Category, s.Series}, []string{g.Values[0], v})); err != nil {
				return err
			}
			f, ok := dataset.FigureOf(cell, s.Value)
			if !ok {
				one.Points = append(one.Points, report.Point{Missing: true})
				continue
			}
			one.Points = append(one.Points, point(d, c, f))
		}
		c.Series = append(c.Series, one)
	}
	c.Compared, c.Metrics = builder.Comparison{Runs: rs, Laid: []string{s.Category, s.Series}, Accept: s.Accept}, []string{s.Value}
	for _, g := range gs {
		c.Categories = append(c.Categories, titled(d, s.Category, g.Values[0]))
	}
	c.Alt = altCategories(c.Readable(), s)
	return nil
}

// ranges fills a chart of several metrics with one unit in place of series, such as the percentiles of a latency. It
// has one row for each category.
func ranges(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	if c.Kind != report.Dots || s.Value != "" || s.Series != "" {
		return dataset.About("values", dataset.Wrongf(locale.Textf(`write kind = "dots" and neither value nor series`), "only dots can show values"))
	}
	for i, name := range s.Values {
		axis, err := builder.Axis(d, rs, name)
		if err != nil {
			return dataset.About("values", err)
		}
		if i > 0 && axis.Unit != c.Y.Unit {
			return dataset.About("values", dataset.Wrongf(locale.Textf("draw a chart for each"), "%s is in %s, %s in %s", s.Values[0], c.Y.Unit, name, axis.Unit))
		}
		c.Y = axis
	}
	c.Y.Scale = report.Scale(s.Scale)
	c.Y.Title = locale.Text{}
	if family, _, ok := vocabulary.Statistic(s.Values[0]); ok {
		c.Y.Title = locale.MetricName(family)
	}
	gs := d.Groups(rs, []string{s.Category})
	if err := sortGroups(d, gs, Spec{Sort: s.Sort, Value: s.Values[0]}, ""); err != nil {
		return dataset.About("sort", err)
	}
	for _, name := range s.Values {
		one := report.Series{Name: locale.MetricName(name)}
		for _, g := range gs {
			if err := dataset.Repeats(g.Runs, dataset.Place([]string{s.Category}, g.Values)); err != nil {
				return err
			}
			if f, ok := dataset.FigureOf(g.Runs, name); ok {
				one.Points = append(one.Points, point(d, c, f))
			} else {
				one.Points = append(one.Points, report.Point{Missing: true})
			}
		}
		c.Series = append(c.Series, one)
	}
	for _, g := range gs {
		c.Categories = append(c.Categories, titled(d, s.Category, g.Values[0]))
	}
	c.Compared, c.Metrics = builder.Comparison{Runs: rs, Laid: []string{s.Category}, Accept: s.Accept}, s.Values
	s.Series = "metric" // names the series in the alternative text
	c.Alt = altCategories(c.Readable(), s)
	return nil
}

// sortGroups sorts the categories by their values in the first series.
func sortGroups(d *dataset.Selection, gs []dataset.Group, s Spec, first string) error {
	by, descending := strings.CutPrefix(s.Sort, "-")
	switch by {
	case "":
		return nil
	case "value", s.Value:
	default:
		return dataset.Wrongf(locale.Textf(`write "value" or "-value"`), "sort = %q is not known", s.Sort)
	}
	value := func(g dataset.Group) (float64, bool) {
		f, ok := dataset.FigureOf(dataset.WithLabel(g.Runs, s.Series, first), s.Value)
		return f.Metric.Value, ok
	}
	slices.SortStableFunc(gs, func(a, b dataset.Group) int {
		x, xok := value(a)
		y, yok := value(b)
		switch {
		case xok != yok:
			return map[bool]int{true: -1, false: 1}[xok]
		case x == y:
			return 0
		case x < y != descending:
			return -1
		}
		return 1
	})
	return nil
}

// mostGroups is the maximum number of series that the marks of a scatter chart can distinguish.
const mostGroups = 6

// scatter fills a chart with two value axes. Each series has one point for each value of the label.
func scatter(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	if s.Label == "" {
		s.Label = "model"
	}
	if s.X == "" || s.Y == "" {
		return dataset.Wrongf(locale.Textf(`for example x = "weight_size", y = "output_throughput"`), "a scatter needs x and y")
	}
	var err error
	if c.X, err = builder.Axis(d, rs, s.X); err != nil {
		return err
	}
	if c.Y, err = builder.Axis(d, rs, s.Y); err != nil {
		return err
	}
	if s.Size != "" {
		if c.Size, err = builder.Axis(d, rs, s.Size); err != nil {
			return dataset.About("size", err)
		}
	}
	c.X.Scale, c.Y.Scale = report.Scale(s.Scale), report.Scale(s.Scale)
	groups := []string{""}
	if s.Series != "" {
		if groups = d.Values(rs, s.Series); len(groups) == 0 {
			return dataset.Unknown(rs, s.Series)
		}
		if len(groups) > mostGroups {
			return dataset.About("series", dataset.Wrongf(locale.Textf("name fewer in where"), "the marks of %d series are too many to distinguish; %d are the limit", len(groups), mostGroups))
		}
		rs = dataset.Having(rs, s.Series)
	}
	var workloads []string // workload of each point
	for _, v := range groups {
		one := newSeries(d, s.Series, v)
		for _, g := range d.Groups(dataset.WithLabel(rs, s.Series, v), []string{s.Label}) {
			if err := dataset.Repeats(g.Runs, dataset.Place([]string{s.Label, s.Series}, []string{g.Values[0], v})); err != nil {
				return err
			}
			p, ok := scattered(d, c, g.Runs, s)
			p.Label = titled(d, s.Label, g.Values[0])
			switch {
			case ok:
				one.Points = append(one.Points, p)
				workloads = append(workloads, dataset.Workload(g.Runs[0], append([]string{s.Label, s.Series}, s.Accept...)...))
			case s.Series != "":
				c.Notes = append(c.Notes, locale.T("chart-note.left-out", locale.T("chart.axis", p.Label, one.Name)))
			default:
				c.Notes = append(c.Notes, locale.T("chart-note.left-out", p.Label))
			}
		}
		c.Series = append(c.Series, one)
	}
	c.Compared, c.Metrics = builder.Comparison{Runs: rs, Laid: []string{s.Label, s.Series}, Accept: s.Accept}, []string{s.X, s.Y}
	if s.Size != "" {
		c.Metrics = append(c.Metrics, s.Size)
	}
	outline(c, workloads)
	c.Alt = altScatter(c.Readable())
	return nil
}

// scattered returns the point of some repeats. ok is false if they lack one of its figures.
func scattered(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) (p report.Point, ok bool) {
	x, xDigits, xok := dataset.Coordinate(rs, s.X)
	y, yDigits, yok := dataset.Coordinate(rs, s.Y)
	size, _, sized := dataset.Coordinate(rs, s.Size)
	if !xok || !yok || s.Size != "" && !sized {
		return report.Point{}, false
	}
	if f, ok := dataset.FigureOf(rs, s.Y); ok {
		p = point(d, c, f)
	}
	if f, ok := dataset.FigureOf(rs, s.X); ok {
		p.Warned = p.Warned || !builder.InDoubt([]dataset.Figure{f}).IsZero()
	}
	p.X, p.Y, p.Size, p.Digits, p.Run, p.Others = x, y, size, [2]string{xDigits, yDigits}, rs[0].ID, builder.Besides(rs)
	p.Excluded = !slices.ContainsFunc(rs, func(r *result.Result) bool { return !r.Excluded() })
	return p, true
}

// outline finds the frontier of each workload of a scatter chart, and the dominated points. Excluded points are
// neither.
func outline(c *builder.Chart, workloads []string) {
	directions := []result.Better{c.X.Better, c.Y.Better}
	if slices.Contains(directions, result.Neutral) {
		return
	}
	var points []*report.Point
	for _, s := range c.Series {
		for i := range s.Points {
			points = append(points, &s.Points[i])
		}
	}
	var order []string
	alike := map[string][]int{}
	for i, p := range points {
		if w := workloads[i]; !p.Excluded {
			if alike[w] == nil {
				order = append(order, w)
			}
			alike[w] = append(alike[w], i)
		}
	}
	for _, w := range order {
		sound := alike[w]
		xy := make([][]float64, len(sound))
		for k, i := range sound {
			xy[k] = []float64{points[i].X, points[i].Y}
		}
		var on []int
		for k, i := range sound {
			points[i].Dominated = stats.Dominator(xy, directions, k) >= 0
		}
		for _, k := range stats.Frontier(xy, directions) {
			on = append(on, sound[k])
		}
		slices.SortStableFunc(on, func(a, b int) int { return cmp.Compare(points[a].X, points[b].X) })
		c.Frontier = append(c.Frontier, slices.CompactFunc(on, func(a, b int) bool { return points[a].X == points[b].X && points[a].Y == points[b].Y }))
	}
}

// altCategories returns alternative text: the axes and, for each series, the highest and the lowest value. For a slope
// chart it names the first and the last value of each line.
func altCategories(c report.Chart, s Spec) locale.Text {
	sentences := []locale.Text{locale.T("alt.categories", builder.WithUnit(c.Y.Title, c.Y.Unit), locale.LabelName(s.Category))}
	for _, one := range c.Series {
		if c.Kind == report.Slope {
			from, to := one.Points[0], one.Points[len(one.Points)-1]
			if len(one.Points) > 1 && !from.Missing && !to.Missing && !from.Excluded && !to.Excluded {
				sentences = append(sentences, locale.T("alt.line", one.Name, from.Label, c.Categories[0], to.Label, c.Categories[len(c.Categories)-1]))
			}
			continue
		}
		hi, lo := -1, -1
		for i, p := range one.Points {
			if p.Missing || p.Excluded {
				continue
			}
			if hi < 0 || p.Y > one.Points[hi].Y {
				hi = i
			}
			if lo < 0 || p.Y < one.Points[lo].Y {
				lo = i
			}
		}
		if hi < 0 || hi == lo {
			continue
		}
		key, args := "alt.range", []any{c.Categories[hi], one.Points[hi].Label, c.Categories[lo], one.Points[lo].Label}
		if s.Series != "" {
			key, args = "alt.series-range", append([]any{one.Name}, args...)
		}
		sentences = append(sentences, locale.T(key, args...))
	}
	return locale.Sentences(sentences...)
}

// altScatter returns alternative text: the axes and the points of the frontier.
func altScatter(c report.Chart) locale.Text {
	var points []locale.Text // indexed like the frontier
	for _, s := range c.Series {
		for _, p := range s.Points {
			label := p.Label
			if len(c.Series) > 1 {
				label = locale.T("chart.axis", label, s.Name)
			}
			points = append(points, locale.T("alt.point", label, p.Digits[0], p.Digits[1]))
		}
	}
	sentences := []locale.Text{locale.T("alt.scatter", builder.WithUnit(c.Y.Title, c.Y.Unit), builder.WithUnit(c.X.Title, c.X.Unit), len(points))}
	if len(c.Frontier) > 0 {
		var names []locale.Text
		for _, i := range slices.Concat(c.Frontier...) {
			names = append(names, points[i])
		}
		sentences = append(sentences, locale.T("alt.frontier", locale.List(names...)))
	}
	return locale.Sentences(sentences...)
}
