package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// point makes the point of a figure: repeats have an interval, what a check sets
// aside or doubts is marked.
func (d *Data) point(c *Chart, f figure) Point {
	c.repeats = append(c.repeats, len(f.runs))
	c.aside = c.aside || f.aside > 0
	p := Point{Y: f.metric.Value, Label: locale.Lit(f.metric.Digits()), Run: pageOf(f.runs[0]), Others: besides(f.runs), Excluded: f.excluded(),
		Warned: !inDoubt([]figure{f}).IsZero()}
	if s := stats.Summarize(f.values); s.N > 1 && s.High > s.Low {
		p.Low, p.High, p.Spread = s.Low, s.High, true
		c.intervals, c.ranges = c.intervals || s.HasInterval, c.ranges || !s.HasInterval
	}
	return p
}

// series begins the series of a label's value.
func (d *Data) series(label, value string) Series {
	return Series{Name: d.title(label, value), Style: d.Styles[label][value]}
}

// lines fills a chart of one line for each series: a metric over a label of
// numbers, as over the concurrency, or over another metric, joined in the order of
// that label.
func (d *Data) lines(c *Chart, rs []*result.Result, s chartSpec) error {
	s.Series, s.Over = cmp.Or(s.Series, "model"), cmp.Or(s.Over, "max_concurrency")
	s.Y = cmp.Or(s.Y, s.Value)
	if s.Y == "" {
		return problem(`as y = "output_throughput"`, "y is missing")
	}
	var err error
	if c.Y, err = d.axis(rs, s.Y); err != nil {
		return about("y", err)
	}
	for _, name := range []string{s.Series, s.Over} {
		if _, label := known(rs, name); !label {
			return unknownName(rs, name)
		}
	}
	rs = having(having(rs, s.Series), s.Over)
	rs = slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return strings.EqualFold(r.Label(s.Over), "inf") })
	if len(rs) == 0 {
		return about("over", lack("write over and series so that runs have both", "no run has both %s and a number for %s", s.Series, s.Over))
	}
	if c.X, err = d.axis(rs, cmp.Or(s.X, s.Over)); err != nil {
		return about(cmp.Or(map[bool]string{true: "x"}[s.X != ""], "over"), err)
	}
	c.X.Scale, c.Y.Scale = Auto, Scale(s.Scale)
	for _, g := range d.groups(rs, []string{s.Series}) {
		one := d.series(s.Series, g.values[0])
		for _, v := range d.values(g.runs, s.Over) {
			here := withLabel(g.runs, s.Over, v)
			if err := repeats(here, place([]string{s.Series, s.Over}, []string{g.values[0], v})); err != nil {
				return err
			}
			x, _, _, numeric := labelNumber(v)
			written := fmt.Sprint(x)
			if s.X != "" {
				f, ok := figureOf(here, s.X)
				x, written, numeric = f.metric.Value, f.metric.Digits(), ok
			}
			f, ok := figureOf(here, s.Y)
			if !numeric {
				continue
			}
			p := Point{X: x, Missing: true}
			if ok {
				p = d.point(c, f)
				p.X, p.digits = x, [2]string{written, f.metric.Digits()}
			}
			one.Points = append(one.Points, p)
		}
		if s.X == "" {
			slices.SortStableFunc(one.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		}
		c.Series = append(c.Series, one)
	}
	c.compared = comparison{rs, []string{s.Series, s.Over}, s.Accept}
	c.metrics = []string{s.Y}
	if s.X != "" {
		c.metrics = append(c.metrics, s.X)
	}
	c.Alt = d.altLines(c)
	return nil
}

// trend fills a chart of a metric over versions or dates, and marks where its
// level changed.
func (d *Data) trend(c *Chart, rs []*result.Result, s chartSpec) error {
	s.Series = cmp.Or(s.Series, "model")
	if s.Over == "" {
		s.Over = "engine_version"
		if len(having(rs, "date")) == len(rs) {
			s.Over = "date"
		}
	}
	if s.Value == "" {
		return problem(`as value = "output_throughput"`, "value is missing")
	}
	axis, err := d.axis(rs, s.Value)
	if err != nil {
		return about("value", err)
	}
	c.Kind = Lines
	c.Y, c.Y.Scale = axis, Scale(s.Scale)
	for _, name := range []string{s.Series, s.Over} {
		if _, label := known(rs, name); !label {
			return unknownName(rs, name)
		}
	}
	rs = having(having(rs, s.Over), s.Series)
	across := d.periods(rs, s.Over)
	c.X = Axis{Title: locale.LabelName(s.Over)}
	for i, v := range across {
		c.Ticks = append(c.Ticks, Tick{float64(i), d.title(s.Over, v)})
	}
	for k, g := range d.groups(rs, []string{s.Series}) {
		one := d.series(s.Series, g.values[0])
		var values [][]float64
		by := byPeriod(g.runs, s.Over)
		for i, v := range across {
			here := slices.DeleteFunc(by[v], func(r *result.Result) bool { return r.Status == result.Failed })
			if err := repeats(here, place([]string{s.Series, s.Over}, []string{g.values[0], v})); err != nil {
				return err
			}
			f, ok := figureOf(here, s.Value)
			if !ok {
				one.Points = append(one.Points, Point{X: float64(i), Missing: true})
				values = append(values, nil)
				continue
			}
			p := d.point(c, f)
			p.X = float64(i)
			one.Points = append(one.Points, p)
			if p.Excluded {
				f.values = nil
			}
			values = append(values, f.values)
		}
		c.Series = append(c.Series, one)
		steps := s.steps
		if !s.stepped {
			steps, _ = stats.Steps(values, d.rules().Noise)
		}
		for _, step := range steps {
			c.Steps = append(c.Steps, Step{Series: k, Point: step.Index, Text: locale.Lit(writePercent(step.After/step.Before-1, 1)),
				Worse: axis.Better != result.Neutral && !better(axis.Better, step.After, step.Before)})
		}
	}
	c.compared, c.metrics = comparison{rs, []string{s.Series, s.Over}, s.Accept}, []string{s.Value}
	c.Alt = d.altLines(c)
	return nil
}

// distributed gives the runs of each series with the distribution of a latency,
// one run for each.
func (d *Data) distributed(rs []*result.Result, s chartSpec, labels []string) ([]group, error) {
	if s.Value == "" {
		return nil, problem(`as value = "ttft"`, "value is missing")
	}
	have := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Distribution(s.Value) == nil })
	if len(have) == 0 {
		return nil, about("value", lack("it needs files with single requests, as vLLM's --save-detailed writes; families: ttft, tpot, itl, e2el",
			"no run tells how %s is spread over requests", s.Value))
	}
	gs := d.groups(have, labels)
	for _, g := range gs {
		if err := repeats(g.runs, place(labels, g.values)); err != nil {
			return nil, err
		}
	}
	return gs, nil
}

// cumulative fills a chart of the share of requests, or tokens, that took no
// longer.
func (d *Data) cumulative(c *Chart, rs []*result.Result, s chartSpec) error {
	s.Series = cmp.Or(s.Series, "model")
	gs, err := d.distributed(rs, s, []string{s.Series})
	if err != nil {
		return err
	}
	c.Kind, c.Form = Lines, Stair
	c.X = Axis{Title: locale.MetricName(s.Value), Unit: "ms", Better: result.Lower, Scale: Scale(s.Scale)}
	c.Y = Axis{Title: locale.T("chart-axis.share"), Unit: "%", Scale: Linear}
	for _, g := range gs {
		of := g.runs[0].Distribution(s.Value)
		one := d.series(s.Series, g.values[0])
		one.Points = stair(of, g.runs[0])
		c.Series = append(c.Series, one)
		c.Notes = append(c.Notes, spreadNote(one.Name, of))
	}
	c.compared, c.metrics = comparison{rs, []string{s.Series}, s.Accept}, []string{s.Value + "_mean"}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.cumulative", locale.MetricName(s.Value))}, c.Notes...)...)
	return nil
}

// stair gives the cumulative distribution of a latency of a run.
func stair(of *result.Distribution, r *result.Result) []Point {
	points := make([]Point, len(of.Quantiles))
	for i, v := range of.Quantiles {
		points[i] = Point{X: v, Y: 100 * float64(i) / float64(max(len(points)-1, 1)), Run: r.ID, Excluded: r.Excluded()}
	}
	return points
}

// spreadNote says how many values a distribution has, and its median and tail.
func spreadNote(name locale.Text, of *result.Distribution) locale.Text {
	digits := func(share float64) string {
		return result.Metric{Value: of.Quantile(share), Unit: of.Unit, Decimals: result.FullPrecision}.Digits()
	}
	return locale.T("chart-note.spread", name, of.N, digits(0.5), digits(0.99))
}

// histogram fills a chart of how many requests took how long, with the median and
// the 99th percentile of the first series.
func (d *Data) histogram(c *Chart, rs []*result.Result, s chartSpec) error {
	const most, bars = 4, 40
	s.Series = cmp.Or(s.Series, "model")
	gs, err := d.distributed(rs, s, []string{s.Series})
	if err != nil {
		return err
	}
	if len(gs) > most {
		return problem("name fewer in where, or write kind = \"boxes\"", "a histogram of %d series cannot be read; %d can", len(gs), most)
	}
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, g := range gs { // the outermost thousandth would leave most bars empty
		of := g.runs[0].Distribution(s.Value)
		least, greatest = min(least, of.Quantiles[0]), max(greatest, of.Quantile(0.999))
	}
	if greatest <= least {
		greatest = least + 1
	}
	log := Scale(s.Scale) == Log && least > 0 || s.Scale == "" && least > 0 && greatest/least > 100
	edge := func(i int) float64 {
		if log {
			return least * math.Pow(greatest/least, float64(i)/bars)
		}
		return least + (greatest-least)*float64(i)/bars
	}
	c.X = Axis{Title: locale.MetricName(s.Value), Unit: "ms", Better: result.Lower, Scale: map[bool]Scale{true: Log, false: Linear}[log]}
	c.Y = Axis{Title: locale.T("chart-axis.share"), Unit: "%"}
	for n, g := range gs {
		of := g.runs[0].Distribution(s.Value)
		one := d.series(s.Series, g.values[0])
		for i := range bars {
			below := of.Share(edge(i))
			if i == 0 {
				below = 0
			}
			one.Points = append(one.Points, Point{Low: edge(i), High: edge(i + 1), Y: 100 * (of.Share(edge(i+1)) - below), Run: g.runs[0].ID,
				Excluded: g.runs[0].Excluded()})
		}
		c.Series = append(c.Series, one)
		c.Notes = append(c.Notes, spreadNote(one.Name, of))
		if n == 0 && len(gs) == 1 {
			c.Bands = []Band{{From: of.Quantile(0.5), Text: locale.Lit("p50")}, {From: min(of.Quantile(0.99), greatest), Text: locale.Lit("p99")}}
		}
	}
	c.compared, c.metrics = comparison{rs, []string{s.Series}, s.Accept}, []string{s.Value + "_mean"}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.histogram", locale.MetricName(s.Value))}, c.Notes...)...)
	return nil
}

// boxes fills a chart of the quartiles of a latency.
func (d *Data) boxes(c *Chart, rs []*result.Result, s chartSpec) error {
	s.Category = cmp.Or(s.Category, "model")
	labels := []string{s.Category}
	series := []string{""}
	if s.Series != "" {
		labels = append(labels, s.Series)
		series = d.values(rs, s.Series)
	}
	gs, err := d.distributed(rs, s, labels)
	if err != nil {
		return err
	}
	c.Y = Axis{Title: locale.MetricName(s.Value), Unit: "ms", Better: result.Lower, Scale: Scale(s.Scale)}
	var categories []string
	for _, g := range gs {
		if !slices.Contains(categories, g.values[0]) {
			categories = append(categories, g.values[0])
		}
	}
	for _, name := range categories {
		c.Categories = append(c.Categories, d.title(s.Category, name))
	}
	least := math.MaxInt
	for _, v := range series {
		one := d.series(s.Series, v)
		for _, category := range categories {
			i := slices.IndexFunc(gs, func(g group) bool { return g.values[0] == category && (s.Series == "" || g.values[1] == v) })
			if i < 0 {
				one.Points = append(one.Points, Point{Missing: true})
				continue
			}
			r := gs[i].runs[0]
			of := r.Distribution(s.Value)
			p := Point{Y: of.Quantile(0.5), Run: r.ID, Excluded: r.Excluded()}
			p.Label = locale.Lit(result.Metric{Value: p.Y, Unit: "ms", Decimals: result.FullPrecision}.Digits())
			for k, share := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
				p.Five[k] = of.Quantile(share)
			}
			least = min(least, of.N)
			one.Points = append(one.Points, p)
		}
		c.Series = append(c.Series, one)
	}
	c.Notes = append(c.Notes, locale.T("chart-note.least", least))
	c.compared, c.metrics = comparison{rs, labels, s.Accept}, []string{s.Value + "_mean"}
	c.Alt = d.altCategories(c, s)
	return nil
}

// power fills a chart of what a machine drew, or another quantity of its
// telemetry, over the time of each run.
func (d *Data) power(c *Chart, rs []*result.Result, s chartSpec) error {
	const most = 6
	s.Series, s.Value = cmp.Or(s.Series, "model"), cmp.Or(s.Value, "power")
	have := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Telemetry == nil || r.Telemetry.Channel(s.Value) == nil })
	if len(have) == 0 {
		var there []string
		for _, r := range rs {
			if r.Telemetry != nil {
				for _, channel := range r.Telemetry.Channels {
					if !slices.Contains(there, channel.Name) {
						there = append(there, channel.Name)
					}
				}
			}
		}
		hint := "put the telemetry beside its run, as tegrastats or nvidia-smi print it"
		if len(there) > 0 {
			hint = "there are: " + shorten(there, 12)
		}
		return about("value", lack(hint, "no run has telemetry of %s", s.Value))
	}
	if len(have) > most {
		return lack("name fewer in where", "%d runs have telemetry; %d can be drawn", len(have), most)
	}
	c.Kind, c.Form = Lines, Trace
	var inOrder []*result.Result
	for _, g := range d.groups(have, []string{s.Series}) {
		inOrder = append(inOrder, g.runs...)
	}
	have = inOrder
	channel := have[0].Telemetry.Channel(s.Value)
	c.X = Axis{Title: locale.T("chart-axis.time"), Unit: "s", Scale: Linear}
	c.Y = Axis{Title: channelName(channel.Name), Unit: channel.Unit, Scale: Scale(s.Scale)}
	longest := 0.0
	for _, r := range have {
		t := r.Telemetry
		one := d.series(s.Series, r.Label(s.Series))
		values := t.Channel(s.Value).Values
		for i, at := range t.Times {
			one.Points = append(one.Points, Point{X: at - t.From, Y: values[i], Missing: math.IsNaN(values[i]), Run: r.ID, Excluded: r.Excluded()})
		}
		longest = max(longest, t.To-t.From)
		c.Series = append(c.Series, one)
		first, end := t.Window(t.From, t.To)
		if during := t.Summarize(t.Channel(s.Value), first, end); during.N > 0 {
			c.Notes = append(c.Notes, locale.T("chart-note.trace", one.Name, t.Channel(s.Value).Field,
				result.Metric{Value: during.Mean, Unit: channel.Unit, Decimals: 1}.Digits()+" "+channel.Unit,
				result.Metric{Value: during.Max, Unit: channel.Unit, Decimals: 1}.Digits()+" "+channel.Unit, during.N))
		}
	}
	c.Bands = []Band{{From: 0, To: longest, Text: locale.T("chart-band.run")}}
	c.compared, c.metrics = comparison{have, []string{s.Series}, s.Accept}, []string{"power_mean"}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.trace", c.Y.Title)}, c.Notes...)...)
	return nil
}

// channelName words a quantity of telemetry.
func channelName(name string) locale.Text {
	switch name {
	case "power", "gpu_utilization", "memory_used", "temperature", "gpu_clock":
		return locale.T("channel." + name)
	}
	return locale.Lit(strings.TrimPrefix(name, "x_"))
}

// altLines says of each line where it begins and ends and its greatest value.
func (d *Data) altLines(c *Chart) locale.Text {
	sentences := []locale.Text{locale.T("alt.lines", withUnit(c.Y.Title, c.Y.Unit), c.X.Title, len(c.Series))}
	at := func(p Point) locale.Text {
		for _, t := range c.Ticks {
			if t.At == p.X {
				return t.Text
			}
		}
		return locale.Lit(p.digits[0])
	}
	for _, s := range c.Series {
		sound := slices.DeleteFunc(slices.Clone(s.Points), func(p Point) bool { return p.Missing || p.Excluded })
		if len(sound) < 2 {
			continue
		}
		first, last := sound[0], sound[len(sound)-1]
		sentences = append(sentences, locale.T("alt.line", s.Name, first.Label, at(first), last.Label, at(last)))
	}
	for _, step := range c.Steps {
		s := c.Series[step.Series]
		key := "alt.better"
		if step.Worse {
			key = "alt.worse"
		}
		sentences = append(sentences, locale.T(key, s.Name, step.Text, at(s.Points[step.Point])))
	}
	return locale.Sentences(sentences...)
}
