package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

type chartSpec struct {
	Kind     string // one of chartKinds
	Where    string
	Title    string
	Subtitle string
	Category string   // bars, dots, boxes, heatmap, slope: label of the categories; model when empty
	Series   string   // label of the series; where empty one series, or model for lines
	Value    string   // metric; of boxes, histogram and cdf a latency without statistic
	Values   []string // dots: metrics in place of series, as the percentiles of a latency
	Over     string   // lines: label of numbers along the line; history: of versions or dates
	Sort     string   // bars, dots: "value" or "-value" (of the first series); the site's order when empty
	X, Y     string   // scatter: metric, or label that holds a figure; lines: Y a metric, X one in place of Over
	Label    string   // scatter: label written at each point; model when empty
	Size     string   // scatter: metric or label with figures that the marks' area shows
	Scale    string   // "linear" or "log"; chosen by the span when empty
	Panel    string   // label: a small chart for each of its values, with common axes
	Notes    []string
	Accept   []string // settings in which the runs may differ

	stepped bool // history: the steps of the one series are known
	steps   []stats.Step
}

func (d *Data) chart(s chartSpec) (*Chart, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	if s.Scale != "" && s.Scale != "linear" && s.Scale != "log" {
		return nil, about("scale", problem(`write "linear" or "log", or leave it out`, "scale = %q is not known", s.Scale))
	}
	c := &Chart{Kind: ChartKind(s.Kind), Title: locale.Lit(s.Title), Subtitle: locale.Lit(s.Subtitle), Source: d.source(rs)}
	for _, n := range s.Notes {
		c.Notes = append(c.Notes, locale.Lit(n))
	}
	fill, ok := chartKinds[s.Kind]
	if !ok {
		kinds := slices.Sorted(maps.Keys(chartKinds))
		hint := "there are: " + strings.Join(kinds, ", ")
		if near := settings.Nearest(s.Kind, kinds); near != "" {
			hint = "did you mean " + strconv.Quote(near) + "? " + hint
		}
		return nil, about("kind", problem(hint, "kind = %q is no kind of chart", s.Kind))
	}
	if err := s.unused(); err != nil {
		return nil, err
	}
	if s.Panel != "" {
		return c, d.panels(c, rs, s)
	}
	return c, fill(d, c, rs, s)
}

// chartKeys are what each kind makes use of, beside what all have.
var chartKeys = map[string][]string{
	"bars":      {"category", "series", "value", "sort", "scale"},
	"dots":      {"category", "series", "value", "values", "sort", "scale"},
	"heatmap":   {"category", "series", "value", "sort", "scale"},
	"slope":     {"category", "series", "value", "sort", "scale"},
	"scatter":   {"x", "y", "label", "series", "size", "scale"},
	"lines":     {"x", "y", "value", "over", "series", "scale"},
	"history":   {"value", "over", "series", "scale"},
	"boxes":     {"category", "series", "value", "scale"},
	"cdf":       {"value", "series", "scale"},
	"histogram": {"value", "series", "scale"},
	"power":     {"value", "series", "scale"},
}

// unused refuses a key that the kind would pass over without a word.
func (s chartSpec) unused() error {
	for _, key := range []struct {
		name string
		set  bool
	}{
		{"category", s.Category != ""}, {"series", s.Series != ""}, {"value", s.Value != ""}, {"values", len(s.Values) > 0},
		{"over", s.Over != ""}, {"sort", s.Sort != ""}, {"x", s.X != ""}, {"y", s.Y != ""}, {"label", s.Label != ""},
		{"size", s.Size != ""}, {"scale", s.Scale != ""},
	} {
		if keys := chartKeys[s.Kind]; key.set && !slices.Contains(keys, key.name) {
			return about(key.name, problem("it has "+strings.Join(keys, ", "), "kind = %q makes no use of %s", s.Kind, key.name))
		}
	}
	return nil
}

// mostPanels is how many small charts one picture can have.
const mostPanels = 12

// panels fills a chart of a small one for each value of a label.
func (d *Data) panels(c *Chart, rs []*result.Result, s chartSpec) error {
	values := d.values(rs, s.Panel)
	if len(values) == 0 {
		return about("panel", unknownName(rs, s.Panel))
	}
	if len(values) > mostPanels {
		return about("panel", problem("name fewer in where", "%d small charts cannot be read; %d can", len(values), mostPanels))
	}
	fill := chartKinds[s.Kind]
	var alts []locale.Text
	for _, v := range values {
		one := Chart{Kind: c.Kind}
		if err := fill(d, &one, withLabel(rs, s.Panel, v), s); err != nil {
			return err
		}
		title := d.title(s.Panel, v)
		c.Panels = append(c.Panels, Panel{Title: title, Chart: one})
		alts = append(alts, locale.T("alt.panel", title, one.Alt))
		c.repeats = append(c.repeats, one.repeats...)
		c.intervals, c.ranges, c.aside = c.intervals || one.intervals, c.ranges || one.ranges, c.aside || one.aside
		c.metrics = one.metrics
		c.compared = comparison{rs, append(one.compared.laid, s.Panel), s.Accept}
	}
	c.Kind, c.X, c.Y = c.Panels[0].Chart.Kind, c.Panels[0].Chart.X, c.Panels[0].Chart.Y
	c.Alt = locale.Sentences(alts...)
	return nil
}

// chartKinds fill the charts of each kind.
var chartKinds = map[string]func(*Data, *Chart, []*result.Result, chartSpec) error{
	"bars":      (*Data).categories,
	"dots":      (*Data).categories,
	"heatmap":   (*Data).categories,
	"slope":     (*Data).categories,
	"scatter":   (*Data).scatter,
	"lines":     (*Data).lines,
	"history":   (*Data).trend,
	"boxes":     (*Data).boxes,
	"cdf":       (*Data).cumulative,
	"histogram": (*Data).histogram,
	"power":     (*Data).power,
}

// categories fills a chart of one value axis.
func (d *Data) categories(c *Chart, rs []*result.Result, s chartSpec) error {
	if c.Kind == Slope { // the lines are the models, from one setting to the other
		if s.Category == "" {
			return problem(`as category = "clocks", series = "model"`, "category is missing: the label whose values are compared")
		}
		s.Series = cmp.Or(s.Series, "model")
	}
	if s.Category == "" {
		s.Category = "model"
	}
	if len(s.Values) > 0 {
		return d.ranges(c, rs, s)
	}
	if s.Value == "" {
		return problem(`as value = "output_throughput"`, "value is missing")
	}
	if c.Kind == HeatMap && s.Series == "" {
		return problem(`as series = "max_concurrency"`, "series is missing: the label of the columns")
	}
	axis, err := d.axis(rs, s.Value)
	if err != nil {
		return err
	}
	axis.Scale = Scale(s.Scale)
	if c.Kind == GroupedBars && axis.Scale == Log {
		return about("scale", problem(`write kind = "dots": the length of a bar says nothing on a log axis`, "bars have no log scale"))
	}
	c.Y = axis
	series := []string{""}
	if s.Series != "" {
		if series = d.values(rs, s.Series); len(series) == 0 {
			return unknownName(rs, s.Series)
		}
		rs = having(rs, s.Series)
	}
	gs := d.groups(rs, []string{s.Category})
	if len(gs) == 1 && gs[0].values[0] == "" {
		return unknownName(rs, s.Category)
	}
	if err := d.sortGroups(gs, s, series[0]); err != nil {
		return about("sort", err)
	}
	for _, v := range series {
		one := d.series(s.Series, v)
		for _, g := range gs {
			cell := withLabel(g.runs, s.Series, v)
			if err := repeats(cell, place([]string{s.Category, s.Series}, []string{g.values[0], v})); err != nil {
				return err
			}
			f, ok := figureOf(cell, s.Value)
			if !ok {
				one.Points = append(one.Points, Point{Missing: true})
				continue
			}
			one.Points = append(one.Points, d.point(c, f))
		}
		c.Series = append(c.Series, one)
	}
	c.compared, c.metrics = comparison{rs, []string{s.Category, s.Series}, s.Accept}, []string{s.Value}
	for _, g := range gs {
		c.Categories = append(c.Categories, d.title(s.Category, g.values[0]))
	}
	c.Alt = d.altCategories(c, s)
	return nil
}

// ranges fills a chart of several metrics of one unit in place of series: the
// percentiles of a latency, one row for each category.
func (d *Data) ranges(c *Chart, rs []*result.Result, s chartSpec) error {
	if c.Kind != Dots || s.Value != "" || s.Series != "" {
		return about("values", problem(`write kind = "dots" and neither value nor series`, "values are for dots alone"))
	}
	for i, name := range s.Values {
		axis, err := d.axis(rs, name)
		if err != nil {
			return about("values", err)
		}
		if i > 0 && axis.Unit != c.Y.Unit {
			return about("values", problem("draw a chart for each", "%s is in %s, %s in %s", s.Values[0], c.Y.Unit, name, axis.Unit))
		}
		c.Y = axis
	}
	c.Y.Scale = Scale(s.Scale)
	c.Y.Title = locale.Text{}
	if family, _, ok := vocabulary.Statistic(s.Values[0]); ok {
		c.Y.Title = locale.MetricName(family)
	}
	gs := d.groups(rs, []string{s.Category})
	if err := d.sortGroups(gs, chartSpec{Sort: s.Sort, Value: s.Values[0]}, ""); err != nil {
		return about("sort", err)
	}
	for _, name := range s.Values {
		one := Series{Name: locale.MetricName(name)}
		for _, g := range gs {
			if err := repeats(g.runs, place([]string{s.Category}, g.values)); err != nil {
				return err
			}
			if f, ok := figureOf(g.runs, name); ok {
				one.Points = append(one.Points, d.point(c, f))
			} else {
				one.Points = append(one.Points, Point{Missing: true})
			}
		}
		c.Series = append(c.Series, one)
	}
	for _, g := range gs {
		c.Categories = append(c.Categories, d.title(s.Category, g.values[0]))
	}
	c.compared, c.metrics = comparison{rs, []string{s.Category}, s.Accept}, s.Values
	s.Series = "metric" // what the series of the alternative text are
	c.Alt = d.altCategories(c, s)
	return nil
}

// sortGroups orders the categories by the value in the first series.
func (d *Data) sortGroups(gs []group, s chartSpec, first string) error {
	by, descending := strings.CutPrefix(s.Sort, "-")
	switch by {
	case "":
		return nil
	case "value", s.Value:
	default:
		return problem(`write "value" or "-value"`, "sort = %q is not known", s.Sort)
	}
	value := func(g group) (float64, bool) {
		f, ok := figureOf(withLabel(g.runs, s.Series, first), s.Value)
		return f.metric.Value, ok
	}
	slices.SortStableFunc(gs, func(a, b group) int {
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

// mostGroups is how many series the marks of a scatter tell apart.
const mostGroups = 6

// scatter fills a chart of two value axes: one point for each label, in each
// series.
func (d *Data) scatter(c *Chart, rs []*result.Result, s chartSpec) error {
	if s.Label == "" {
		s.Label = "model"
	}
	if s.X == "" || s.Y == "" {
		return problem(`as x = "weight_size", y = "output_throughput"`, "a scatter needs x and y")
	}
	var err error
	if c.X, err = d.axis(rs, s.X); err != nil {
		return err
	}
	if c.Y, err = d.axis(rs, s.Y); err != nil {
		return err
	}
	if s.Size != "" {
		if c.Size, err = d.axis(rs, s.Size); err != nil {
			return about("size", err)
		}
	}
	c.X.Scale, c.Y.Scale = Scale(s.Scale), Scale(s.Scale)
	groups := []string{""}
	if s.Series != "" {
		if groups = d.values(rs, s.Series); len(groups) == 0 {
			return unknownName(rs, s.Series)
		}
		if len(groups) > mostGroups {
			return about("series", problem("name fewer in where", "the marks of %d series cannot be told apart; those of %d can", len(groups), mostGroups))
		}
		rs = having(rs, s.Series)
	}
	for _, v := range groups {
		one := d.series(s.Series, v)
		for _, g := range d.groups(withLabel(rs, s.Series, v), []string{s.Label}) {
			if err := repeats(g.runs, place([]string{s.Label, s.Series}, []string{g.values[0], v})); err != nil {
				return err
			}
			p, ok := d.scattered(c, g.runs, s)
			p.Label = d.title(s.Label, g.values[0])
			switch {
			case ok:
				one.Points = append(one.Points, p)
			case s.Series != "":
				c.Notes = append(c.Notes, locale.T("chart-note.left-out", locale.T("chart.axis", p.Label, one.Name)))
			default:
				c.Notes = append(c.Notes, locale.T("chart-note.left-out", p.Label))
			}
		}
		c.Series = append(c.Series, one)
	}
	c.compared, c.metrics = comparison{rs, []string{s.Label, s.Series}, s.Accept}, []string{s.X, s.Y}
	if s.Size != "" {
		c.metrics = append(c.metrics, s.Size)
	}
	c.outline()
	c.Alt = d.altScatter(c)
	return nil
}

// scattered makes the point of some repeats; ok is false when they lack one of
// its figures.
func (d *Data) scattered(c *Chart, rs []*result.Result, s chartSpec) (p Point, ok bool) {
	x, xDigits, xok := coordinate(rs, s.X)
	y, yDigits, yok := coordinate(rs, s.Y)
	size, _, sized := coordinate(rs, s.Size)
	if !xok || !yok || s.Size != "" && !sized {
		return Point{}, false
	}
	if f, ok := figureOf(rs, s.Y); ok {
		p = d.point(c, f)
	}
	if f, ok := figureOf(rs, s.X); ok {
		p.Warned = p.Warned || !inDoubt([]figure{f}).IsZero()
	}
	p.X, p.Y, p.Size, p.digits, p.Run, p.Others = x, y, size, [2]string{xDigits, yDigits}, rs[0].ID, besides(rs)
	p.Excluded = !slices.ContainsFunc(rs, func(r *result.Result) bool { return !r.Excluded() })
	return p, true
}

// outline finds the frontier of a scatter and the points it dominates. What is
// excluded is neither.
func (c *Chart) outline() {
	directions := []result.Better{c.X.Better, c.Y.Better}
	if slices.Contains(directions, result.Neutral) {
		return
	}
	var points []*Point
	for _, s := range c.Series {
		for i := range s.Points {
			points = append(points, &s.Points[i])
		}
	}
	var sound []int
	var xy [][]float64
	for i, p := range points {
		if !p.Excluded {
			sound = append(sound, i)
			xy = append(xy, []float64{p.X, p.Y})
		}
	}
	for k, i := range sound {
		points[i].Dominated = stats.Dominator(xy, directions, k) >= 0
	}
	for _, k := range stats.Frontier(xy, directions) {
		c.Frontier = append(c.Frontier, sound[k])
	}
	slices.SortStableFunc(c.Frontier, func(a, b int) int { return cmp.Compare(points[a].X, points[b].X) })
	c.Frontier = slices.CompactFunc(c.Frontier, func(a, b int) bool { return points[a].X == points[b].X && points[a].Y == points[b].Y })
}

// coordinate gives a metric, or a label that holds a figure, as number and as
// it is written.
func coordinate(rs []*result.Result, name string) (v float64, digits string, ok bool) {
	if f, ok := figureOf(rs, name); ok {
		return f.metric.Value, f.metric.Digits(), true
	}
	v, decimals, _, ok := labelNumber(rs[0].Label(name))
	return v, strconv.FormatFloat(v, 'f', decimals, 64), ok
}

// axis makes the axis of a metric, or of a label that holds figures.
func (d *Data) axis(rs []*result.Result, name string) (Axis, error) {
	metric, label := known(rs, name)
	switch {
	case metric:
		h := d.header(rs, column{name: name}, "", nil)
		return Axis{Title: h.Title, Unit: h.Unit, Better: h.Better}, nil
	case label:
		h := d.header(rs, column{name: name, label: true}, "", nil)
		if h.Align != Right {
			return Axis{}, lack("its values: "+shorten(d.values(rs, name), 6), "the label %q holds no figures of one unit", name)
		}
		return Axis{Title: h.Title, Unit: h.Unit, Better: vocabulary.LabelBetter(name)}, nil
	}
	return Axis{}, unknownName(rs, name)
}

// source says where the figures come from: what the runs agree in.
func (d *Data) source(rs []*result.Result) locale.Text {
	var parts []locale.Text
	for _, name := range []string{"hardware", "power_mode", "engine", "engine_version", "tool", "date", "published"} {
		vs := d.values(rs, name)
		if name == "date" && len(having(rs, name)) == len(rs) {
			if days := d.periods(rs, name); len(days) > 1 {
				parts = append(parts, locale.T("report.days", d.title(name, days[0]), d.title(name, days[len(days)-1])))
			} else if len(days) == 1 {
				parts = append(parts, d.title(name, days[0]))
			}
			continue
		}
		if len(vs) != 1 || len(withLabel(rs, name, vs[0])) != len(rs) {
			continue
		}
		if name == "engine_version" && len(parts) > 0 {
			parts[len(parts)-1] = locale.Join(" ", parts[len(parts)-1], locale.Lit(vs[0]))
			continue
		}
		parts = append(parts, d.title(name, vs[0]))
	}
	return locale.Join(" · ", parts...)
}

// altCategories says what a bar or dot chart shows: its axes and, for each
// series, the highest and the lowest value; of a slope what it leads from and to.
func (d *Data) altCategories(c *Chart, s chartSpec) locale.Text {
	sentences := []locale.Text{locale.T("alt.categories", withUnit(c.Y.Title, c.Y.Unit), locale.LabelName(s.Category))}
	for _, one := range c.Series {
		if c.Kind == Slope {
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

// altScatter names the axes and the points of the frontier.
func (d *Data) altScatter(c *Chart) locale.Text {
	var points []locale.Text // as a frontier counts them
	for _, s := range c.Series {
		for _, p := range s.Points {
			label := p.Label
			if len(c.Series) > 1 {
				label = locale.T("chart.axis", label, s.Name)
			}
			points = append(points, locale.T("alt.point", label, p.digits[0], p.digits[1]))
		}
	}
	sentences := []locale.Text{locale.T("alt.scatter", withUnit(c.Y.Title, c.Y.Unit), withUnit(c.X.Title, c.X.Unit), len(points))}
	if len(c.Frontier) > 0 {
		var names []locale.Text
		for _, i := range c.Frontier {
			names = append(names, points[i])
		}
		sentences = append(sentences, locale.T("alt.frontier", locale.List(names...)))
	}
	return locale.Sentences(sentences...)
}

// hollow tells whether the chart has a mark that a check has set aside.
func (c *Chart) hollow() bool {
	return slices.ContainsFunc(c.Series, func(s Series) bool {
		return slices.ContainsFunc(s.Points, func(p Point) bool { return p.Excluded && !p.Missing })
	}) || slices.ContainsFunc(c.Panels, func(p Panel) bool { return p.Chart.hollow() })
}

// remarks says what checks found about the runs of a chart: why marks are
// hollow, and which figures are in doubt.
func (d *Data) remarks(c *Chart) []locale.Text {
	var fs []figure
	for _, metric := range c.metrics {
		for _, r := range c.compared.runs {
			if f, ok := figureOf([]*result.Result{r}, metric); ok {
				fs = append(fs, f)
			}
		}
	}
	var out []locale.Text
	if len(c.repeats) > 0 && slices.Max(c.repeats) > 1 {
		n := strconv.Itoa(slices.Min(c.repeats))
		if most := slices.Max(c.repeats); most != slices.Min(c.repeats) {
			n += "–" + strconv.Itoa(most)
		}
		out = append(out, locale.T("chart-note.repeats", n))
	}
	switch {
	case c.Kind == HeatMap: // a cell shows none
	case c.intervals && c.ranges:
		out = append(out, locale.T("chart-note.mixed"))
	case c.intervals:
		out = append(out, locale.T("chart-note.interval"))
	case c.ranges:
		out = append(out, locale.T("chart-note.range"))
	}
	if why := broken(fs); !why.IsZero() {
		key := "chart-note.hollow"
		switch hollow := c.hollow(); {
		case c.aside && hollow:
			key = "chart-note.hollow-or-left-out"
		case c.aside:
			key = "chart-note.set-aside"
		}
		out = append(out, locale.T(key, why))
	}
	if doubt := inDoubt(fs); !doubt.IsZero() {
		out = append(out, doubt)
	}
	return out
}
