package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/chart/calendar"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// point returns the point of a figure: repeats have an interval, excluded or doubted figures are marked.
func point(d *dataset.Selection, c *builder.Chart, f dataset.Figure) report.Point {
	c.Repeats = append(c.Repeats, len(f.Runs))
	c.LeftOut = c.LeftOut || f.LeftOut > 0
	if first, last, far := dataset.Dates(f.Runs); far && len(c.FarApart) == 0 {
		c.FarApart = append(c.FarApart, locale.T("report.far-apart", first, last))
	}
	p := report.Point{Y: f.Metric.Value, Label: locale.Lit(f.Metric.Digits()), Run: builder.PageOf(f.Runs[0]), Others: builder.Besides(f.Runs), Excluded: f.Excluded(),
		Warned: !builder.InDoubt([]dataset.Figure{f}).IsZero()}
	if s := stats.Summarize(f.Values); s.N > 1 && s.High > s.Low {
		p.Low, p.High, p.Spread = s.Low, s.High, true
		c.Intervals, c.Ranges = c.Intervals || s.HasInterval, c.Ranges || !s.HasInterval
	}
	return p
}

// titled returns the title of a label's value. Runs without the label are named too.
func titled(d *dataset.Selection, label, value string) locale.Text {
	if value == "" && label != "" {
		return locale.T("explore.none")
	}
	return d.Title(label, value)
}

// newSeries returns an empty series for a label's value.
func newSeries(d *dataset.Selection, label, value string) report.Series {
	return report.Series{Name: titled(d, label, value), Style: d.Styles[label][value]}
}

// lines fills a chart with one line for each series. The line shows a metric over a numeric label, such as the
// concurrency, or over another metric; its points are joined in the order of that label.
func lines(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	s.Series, s.Over = cmp.Or(s.Series, "model"), cmp.Or(s.Over, "max_concurrency")
	s.Y = cmp.Or(s.Y, s.Value)
	if s.Y == "" {
		return dataset.Wrongf(locale.Textf(`for example y = "output_throughput"`), "y is missing")
	}
	if metric, label := dataset.Known(rs, s.X); s.X != "" && label && !metric {
		return dataset.About("x", dataset.Unknown(rs, s.X))
	}
	var err error
	if c.Y, err = builder.Axis(d, rs, s.Y); err != nil {
		return dataset.About("y", err)
	}
	for _, name := range []string{s.Series, s.Over} {
		if _, label := dataset.Known(rs, name); !label {
			return dataset.Unknown(rs, name)
		}
	}
	rs = dataset.Having(dataset.Having(rs, s.Series), s.Over)
	rs = slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return strings.EqualFold(r.Label(s.Over), "inf") })
	if len(rs) == 0 {
		return dataset.About("over", dataset.Lackf(locale.Textf("write over and series so that runs have both"), "no run has both %s and a number for %s", s.Series, s.Over))
	}
	if c.X, err = builder.Axis(d, rs, cmp.Or(s.X, s.Over)); err != nil {
		return dataset.About(cmp.Or(map[bool]string{true: "x"}[s.X != ""], "over"), err)
	}
	c.X.Scale, c.Y.Scale = report.Auto, report.Scale(s.Scale)
	for _, g := range d.Groups(rs, []string{s.Series}) {
		one := newSeries(d, s.Series, g.Values[0])
		for _, v := range d.Values(g.Runs, s.Over) {
			here := dataset.WithLabel(g.Runs, s.Over, v)
			if err := dataset.Repeats(here, dataset.Place([]string{s.Series, s.Over}, []string{g.Values[0], v})); err != nil {
				return err
			}
			x, _, _, numeric := dataset.Number(v)
			written := fmt.Sprint(x)
			if s.X != "" {
				f, ok := dataset.FigureOf(here, s.X)
				x, written, numeric = f.Metric.Value, f.Metric.Digits(), ok
			}
			f, ok := dataset.FigureOf(here, s.Y)
			if !numeric {
				continue
			}
			p := report.Point{X: x, Missing: true}
			if ok {
				p = point(d, c, f)
				p.X, p.Digits = x, [2]string{written, f.Metric.Digits()}
			}
			one.Points = append(one.Points, p)
		}
		if s.X == "" {
			slices.SortStableFunc(one.Points, func(a, b report.Point) int { return cmp.Compare(a.X, b.X) })
		}
		c.Series = append(c.Series, one)
	}
	c.Compared = builder.Comparison{Runs: rs, Laid: []string{s.Series, s.Over}, Accept: s.Accept}
	c.Metrics = []string{s.Y}
	if s.X != "" {
		c.Metrics = append(c.Metrics, s.X)
	}
	c.Alt = altLines(c.Readable())
	return nil
}

// trend fills a chart of a metric over versions or dates, and marks where its level changed.
func trend(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	s.Series = cmp.Or(s.Series, "model")
	if s.Over == "" {
		s.Over = "engine_version"
		if len(dataset.Having(rs, "date")) == len(rs) {
			s.Over = "date"
		}
	}
	if s.Value == "" {
		return dataset.Wrongf(locale.Textf(`for example value = "output_throughput"`), "value is missing")
	}
	axis, err := builder.Axis(d, rs, s.Value)
	if err != nil {
		return dataset.About("value", err)
	}
	c.Kind = report.Lines
	c.Y, c.Y.Scale = axis, report.Scale(s.Scale)
	for _, name := range []string{s.Series, s.Over} {
		if _, label := dataset.Known(rs, name); !label {
			return dataset.Unknown(rs, name)
		}
	}
	rs = dataset.Having(dataset.Having(rs, s.Over), s.Series)
	across := d.Periods(rs, s.Over)
	c.X = report.Axis{Title: locale.LabelName(s.Over)}
	places, inTime := Along(across)
	if inTime {
		c.X.Scale = report.Time
	}
	for i, v := range across {
		_, day := dayOf(v)
		c.Ticks = append(c.Ticks, report.Tick{At: places[i], Text: d.Title(s.Over, v), Apart: inTime && !day})
	}
	if s.Over != "engine_version" {
		c.Bands = releases(rs, s.Over, across, places)
	}
	for k, g := range d.Groups(rs, []string{s.Series}) {
		one := newSeries(d, s.Series, g.Values[0])
		var values [][]float64
		by := dataset.ByPeriod(g.Runs, s.Over)
		for i, v := range across {
			here := slices.DeleteFunc(by[v], func(r *result.Result) bool { return r.Status == result.Failed })
			if err := dataset.Repeats(here, dataset.Place([]string{s.Series, s.Over}, []string{g.Values[0], v})); err != nil {
				return err
			}
			f, ok := dataset.FigureOf(here, s.Value)
			if !ok {
				one.Points = append(one.Points, report.Point{X: places[i], Missing: true})
				values = append(values, nil)
				continue
			}
			p := point(d, c, f)
			p.X = places[i]
			one.Points = append(one.Points, p)
			if p.Excluded {
				f.Values = nil
			}
			values = append(values, f.Values)
		}
		c.Series = append(c.Series, one)
		steps := s.Steps
		if !s.Stepped {
			steps, _ = stats.Steps(values, d.Thresholds().Noise)
		}
		for _, step := range steps {
			c.Steps = append(c.Steps, report.Step{Series: k, Point: step.Index, Text: locale.Lit(builder.Percent(step.After/step.Before-1, 1)),
				Unsettled: !step.Supported(s.Over != "date"), Worse: axis.Better != result.Neutral && !dataset.Better(axis.Better, step.After, step.Before)})
		}
	}
	c.Compared, c.Metrics = builder.Comparison{Runs: rs, Laid: []string{s.Series, s.Over}, Accept: s.Accept}, []string{s.Value}
	c.Alt = altLines(c.Readable())
	return nil
}

// Along returns the places of periods on an axis, and whether it is a time axis. Days are placed by the calendar,
// several of one day at equal fractions of it. If only the last period is not a day, such as results not archived yet,
// it is placed beyond the others at their mean distance. If another period is not a day, all periods have equal
// distances.
func Along(periods []string) (places []float64, inTime bool) {
	places = make([]float64, len(periods))
	ofDay := map[float64]int{}
	for i, p := range periods {
		at, day := dayOf(p)
		switch {
		case day:
			places[i] = at
			ofDay[at]++
		case i > 1 && i == len(periods)-1:
			places[i] = places[i-1] + (places[i-1]-places[0])/float64(i-1)
		default:
			for k := range places {
				places[k] = float64(k)
			}
			return places, false
		}
	}
	for i := 1; i < len(places); i++ { // of n periods on a day, each lies 1/n of the day after the previous one
		if n := ofDay[places[i]]; n > 1 && math.Floor(places[i-1]) == places[i] {
			places[i] = places[i-1] + 1/float64(n)
		}
	}
	return places, len(periods) > 0
}

// dayOf returns the place of a period that is a day, a month or a year. A number after the day, as in "2026-01-31 (2)",
// is ignored.
func dayOf(period string) (place float64, ok bool) {
	period, _, _ = strings.Cut(period, " (")
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, period); err == nil {
			return calendar.Place(t), true
		}
	}
	return 0, false
}

// releases marks periods whose runs all have another version of the engine than the runs of the last earlier period
// with one version.
func releases(rs []*result.Result, over string, across []string, places []float64) []report.Band {
	var marks []report.Band
	by := dataset.ByPeriod(rs, over)
	before := ""
	for i, period := range across {
		versions := dataset.LabelValues(by[period], "engine_version")
		if len(versions) != 1 || versions[0] == "" {
			continue
		}
		if before != "" && before != versions[0] {
			marks = append(marks, report.Band{From: places[i], To: places[i], Text: locale.Lit(before + " → " + versions[0])})
		}
		before = versions[0]
	}
	return marks
}

// distributed returns the runs with the distribution of a latency, one run for each combination of labels.
func distributed(d *dataset.Selection, rs []*result.Result, s Spec, labels []string) ([]dataset.Group, error) {
	if s.Value == "" {
		return nil, dataset.Wrongf(locale.Textf(`for example value = "ttft"`), "value is missing")
	}
	have := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Distribution(s.Value) == nil })
	if len(have) == 0 {
		return nil, dataset.About("value", dataset.Lackf(locale.Textf("it needs files with single requests, such as those of vLLM's --save-detailed; families: ttft, tpot, itl, e2el"),
			"no run records how %s is spread over requests", s.Value))
	}
	gs := d.Groups(have, labels)
	for i, g := range gs {
		if err := dataset.Repeats(g.Runs, dataset.Place(labels, g.Values)); err != nil {
			return nil, err
		}
		if f, ok := dataset.FigureOf(g.Runs, s.Value+"_mean"); ok { // of repeats the one in the middle is used
			gs[i].Runs = f.Runs
		}
	}
	return gs, nil
}

// cumulative fills a chart of the share of requests, or tokens, with at most a given latency.
func cumulative(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	s.Series = cmp.Or(s.Series, "model")
	gs, err := distributed(d, rs, s, []string{s.Series})
	if err != nil {
		return err
	}
	c.Kind, c.Form = report.Lines, report.Stair
	c.X = report.Axis{Title: locale.MetricName(s.Value), Unit: "ms", Better: result.Lower, Scale: report.Scale(s.Scale)}
	c.Y = report.Axis{Title: locale.T("chart-axis.share"), Unit: "%", Scale: report.Linear}
	for _, g := range gs {
		of := g.Runs[0].Distribution(s.Value)
		one := newSeries(d, s.Series, g.Values[0])
		one.Points = stair(of, g.Runs[0])
		c.Series = append(c.Series, one)
		c.Notes = append(c.Notes, spreadNote(one.Name, of))
	}
	c.Compared, c.Metrics = builder.Comparison{Runs: rs, Laid: []string{s.Series}, Accept: s.Accept}, []string{s.Value + "_mean"}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.cumulative", locale.MetricName(s.Value))}, c.Notes...)...)
	return nil
}

// stair returns the cumulative distribution of a latency of a run.
func stair(of *result.Distribution, r *result.Result) []report.Point {
	points := make([]report.Point, len(of.Quantiles))
	for i, v := range of.Quantiles {
		points[i] = report.Point{X: v, Y: 100 * float64(i) / float64(max(len(points)-1, 1)), Run: r.ID, Excluded: r.Excluded()}
	}
	return points
}

// spreadNote returns a note with the number of values of a distribution, its median and its 99th percentile.
func spreadNote(name locale.Text, of *result.Distribution) locale.Text {
	digits := func(share float64) string {
		return result.Metric{Kind: &result.Kind{Unit: of.Unit}, Value: of.Quantile(share), Decimals: result.FullPrecision}.Digits()
	}
	return locale.T("chart-note.spread", name, of.N, digits(0.5), digits(0.99))
}

// histogram fills a chart of the distribution of a latency over requests. If there is only one series, it marks the
// median and the 90th and 99th percentiles.
func histogram(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	const most, bars = 4, 40
	s.Series = cmp.Or(s.Series, "model")
	gs, err := distributed(d, rs, s, []string{s.Series})
	if err != nil {
		return err
	}
	if len(gs) > most {
		return dataset.Wrongf(locale.Textf("name fewer in where, or write kind = \"boxes\""), "a histogram of %d series is unreadable; %d are the limit", len(gs), most)
	}
	least, greatest := math.Inf(1), math.Inf(-1)
	for _, g := range gs { // the top thousandth would leave most bars empty
		of := g.Runs[0].Distribution(s.Value)
		least, greatest = min(least, of.Quantiles[0]), max(greatest, of.Quantile(0.999))
	}
	if greatest <= least {
		greatest = least + 1
	}
	log := report.Scale(s.Scale) == report.Log && least > 0 || s.Scale == "" && least > 0 && greatest/least > 100
	edge := func(i int) float64 {
		if log {
			return least * math.Pow(greatest/least, float64(i)/bars)
		}
		return least + (greatest-least)*float64(i)/bars
	}
	c.X = report.Axis{Title: locale.MetricName(s.Value), Unit: "ms", Better: result.Lower, Scale: map[bool]report.Scale{true: report.Log, false: report.Linear}[log]}
	c.Y = report.Axis{Title: locale.T("chart-axis.share"), Unit: "%"}
	for n, g := range gs {
		of := g.Runs[0].Distribution(s.Value)
		one := newSeries(d, s.Series, g.Values[0])
		for i := range bars {
			below := of.Share(edge(i))
			if i == 0 {
				below = 0
			}
			one.Points = append(one.Points, report.Point{Low: edge(i), High: edge(i + 1), Y: 100 * (of.Share(edge(i+1)) - below), Run: g.Runs[0].ID,
				Excluded: g.Runs[0].Excluded()})
		}
		c.Series = append(c.Series, one)
		c.Notes = append(c.Notes, spreadNote(one.Name, of))
		if n == 0 && len(gs) == 1 {
			for _, p := range []struct {
				name  string
				share float64
			}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}} {
				c.Bands = append(c.Bands, report.Band{From: min(of.Quantile(p.share), greatest), Text: locale.Lit(p.name)})
			}
		}
	}
	c.Compared, c.Metrics = builder.Comparison{Runs: rs, Laid: []string{s.Series}, Accept: s.Accept}, []string{s.Value + "_mean"}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.histogram", locale.MetricName(s.Value))}, c.Notes...)...)
	return nil
}

// boxes fills a chart of the quantiles of a latency.
func boxes(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
	s.Category = cmp.Or(s.Category, "model")
	labels := []string{s.Category}
	series := []string{""}
	if s.Series != "" {
		labels = append(labels, s.Series)
		series = d.Values(rs, s.Series)
	}
	gs, err := distributed(d, rs, s, labels)
	if err != nil {
		return err
	}
	c.Y = report.Axis{Title: locale.MetricName(s.Value), Unit: "ms", Better: result.Lower, Scale: report.Scale(s.Scale)}
	var categories []string
	for _, g := range gs {
		if !slices.Contains(categories, g.Values[0]) {
			categories = append(categories, g.Values[0])
		}
	}
	for _, name := range categories {
		c.Categories = append(c.Categories, titled(d, s.Category, name))
	}
	least := math.MaxInt
	for _, v := range series {
		one := newSeries(d, s.Series, v)
		for _, category := range categories {
			i := slices.IndexFunc(gs, func(g dataset.Group) bool { return g.Values[0] == category && (s.Series == "" || g.Values[1] == v) })
			if i < 0 {
				one.Points = append(one.Points, report.Point{Missing: true})
				continue
			}
			r := gs[i].Runs[0]
			of := r.Distribution(s.Value)
			p := report.Point{Y: of.Quantile(0.5), Run: r.ID, Excluded: r.Excluded()}
			p.Label = locale.Lit(result.Metric{Kind: &result.Kind{Unit: "ms"}, Value: p.Y, Decimals: result.FullPrecision}.Digits())
			for k, share := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
				p.Five[k] = of.Quantile(share)
			}
			least = min(least, of.N)
			one.Points = append(one.Points, p)
		}
		c.Series = append(c.Series, one)
	}
	c.Notes = append(c.Notes, locale.T("chart-note.least", least))
	c.Compared, c.Metrics = builder.Comparison{Runs: rs, Laid: labels, Accept: s.Accept}, []string{s.Value + "_mean"}
	c.Alt = altCategories(c.Readable(), s)
	return nil
}

// power fills a chart of the power of a machine, or another quantity of its telemetry, over the time of each run.
func power(d *dataset.Selection, c *builder.Chart, rs []*result.Result, s Spec) error {
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
		hint := locale.Textf("put the telemetry beside its run, as printed by tegrastats or nvidia-smi")
		if len(there) > 0 {
			hint = locale.Textf("there are: %s", locale.Few(there, 12))
		}
		return dataset.About("value", dataset.Lackf(hint, "no run has telemetry of %s", s.Value))
	}
	if len(have) > most { // one run of each set of repeats is enough
		sets := dataset.RepeatSets(have)
		drawn := map[int]*result.Result{}
		for i, r := range have {
			if old := drawn[sets[i]]; old == nil || (old.Excluded() || old.Status != result.Complete) && !r.Excluded() && r.Status == result.Complete {
				drawn[sets[i]] = r
			}
		}
		if len(drawn) < len(have) {
			c.Notes = append(c.Notes, locale.T("chart-note.one-of", len(drawn), len(have)))
		}
		all := have
		have = nil
		for i, r := range all {
			if drawn[sets[i]] == r {
				have = append(have, r)
			}
		}
	}
	if len(have) > most {
		return dataset.Lackf(locale.Textf("name fewer in where"), "%d runs have telemetry; %d can be drawn", len(have), most)
	}
	c.Kind, c.Form = report.Lines, report.Trace
	var inOrder []*result.Result
	for _, g := range d.Groups(have, []string{s.Series}) {
		inOrder = append(inOrder, g.Runs...)
	}
	have = inOrder
	channel := have[0].Telemetry.Channel(s.Value)
	c.X = report.Axis{Title: locale.T("chart-axis.time"), Unit: "s", Scale: report.Linear}
	c.Y = report.Axis{Title: channelName(channel.Name), Unit: channel.Unit, Scale: report.Scale(s.Scale)}
	longest := 0.0
	for _, r := range have {
		t := r.Telemetry
		one := newSeries(d, s.Series, r.Label(s.Series))
		values := t.Channel(s.Value).Values
		for i, at := range t.Times {
			one.Points = append(one.Points, report.Point{X: at - t.From, Y: values[i], Missing: math.IsNaN(values[i]), Run: r.ID, Excluded: r.Excluded()})
		}
		longest = max(longest, t.To-t.From)
		c.Series = append(c.Series, one)
		first, end := t.Window(t.From, t.To)
		if during := t.Summarize(t.Channel(s.Value), first, end); during.N > 0 {
			c.Notes = append(c.Notes, locale.T("chart-note.trace", one.Name, t.Channel(s.Value).Field,
				sampled(during.Mean, channel.Unit), sampled(during.Max, channel.Unit), during.N))
		}
	}
	c.Bands = []report.Band{{From: 0, To: longest, Text: locale.T("chart-band.run")}}
	c.Compared, c.Metrics = builder.Comparison{Runs: have, Laid: []string{s.Series}, Accept: s.Accept}, []string{"power_mean"}
	c.Alt = locale.Sentences(append([]locale.Text{locale.T("alt.trace", c.Y.Title)}, c.Notes...)...)
	return nil
}

// sampled writes a value of telemetry with its unit. Bytes are written as gigabytes.
func sampled(v float64, unit string) string {
	if sheet, ok := magnitude.Sheet(unit); ok {
		v, unit = sheet.Of(v), sheet.Name
	}
	return result.Metric{Kind: &result.Kind{Unit: unit}, Value: v, Decimals: 1}.Digits() + " " + unit
}

// channelName returns the name of a quantity of telemetry.
func channelName(name string) locale.Text {
	switch name {
	case "power", "gpu_utilization", "memory_used", "temperature", "gpu_clock":
		return locale.T("channel." + name)
	}
	return locale.Lit(strings.TrimPrefix(name, "x_"))
}

// altLines returns alternative text: where each line begins and ends, and the steps.
func altLines(c report.Chart) locale.Text {
	sentences := []locale.Text{locale.T("alt.lines", builder.WithUnit(c.Y.Title, c.Y.Unit), c.X.Title, len(c.Series))}
	at := func(p report.Point) locale.Text {
		for _, t := range c.Ticks {
			if t.At == p.X {
				return t.Text
			}
		}
		return locale.Lit(p.Digits[0])
	}
	for _, s := range c.Series {
		sound := slices.DeleteFunc(slices.Clone(s.Points), func(p report.Point) bool { return p.Missing || p.Excluded })
		if len(sound) < 2 {
			continue
		}
		first, last := sound[0], sound[len(sound)-1]
		sentences = append(sentences, locale.T("alt.line", s.Name, first.Label, at(first), last.Label, at(last)))
	}
	for _, step := range c.Steps {
		s := c.Series[step.Series]
		key := "alt.better"
		switch {
		case step.Unsettled:
			key = "alt.unsettled"
		case step.Worse:
			key = "alt.worse"
		}
		sentences = append(sentences, locale.T(key, s.Name, step.Text, at(s.Points[step.Point])))
	}
	return locale.Sentences(sentences...)
}
