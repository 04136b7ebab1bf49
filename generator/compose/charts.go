package compose

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// charts returns charts that compare the variants of a study. It omits charts with fewer than two figures.
func (s *study) charts() []blockOf {
	of, ok := s.plane()
	variants := s.data.Values(of.runs, s.variant)
	if !ok {
		return s.runByRun()
	}
	if len(variants) < 2 || len(variants) > mostBars {
		return nil
	}
	var out []blockOf
	add := func(b blockOf, laid ...string) bool {
		if shown, ok := s.try(b); !ok || shown.Chart == nil || figures(shown.Chart) < 2 {
			return false
		}
		s.compares(of.runs, append([]string{s.variant, s.loads}, laid...)...)
		out = append(out, b)
		return true
	}
	metrics := s.measured(4)
	for i, metric := range metrics[:min(3, len(metrics))] {
		kinds := []string{"bars", "dots"}
		if d, _ := vocabulary.Define(metric); d.Better == result.Lower {
			kinds = []string{"dots", "bars"}
		}
		for _, kind := range kinds {
			b := s.chart(metric, kind, s.ofVariants(metric), of)
			b.category(s.variant)
			b.set("value", metric)
			b.set("series", s.loads)
			if i == 0 {
				b.set("sort", "-value")
			}
			if kind == "dots" {
				b.set("scale", "log")
			}
			if add(b) {
				break
			}
		}
	}
	one := of
	if s.loads != "" {
		values := s.data.Values(of.runs, s.loads)
		if len(values) == 0 {
			return out
		}
		one = s.with(of, s.loads, values[0])
		one.held = s.held(of, s.loads, values[0])
	}
	for _, tail := range [][]string{{"ttft_p50", "ttft_p90", "ttft_p99"}, {"ttft_p50", "ttft_p95", "ttft_p99"}, {"ttft_p50", "ttft_p99"}, {"tpot_p50", "tpot_p99"}} {
		b := s.chart("tail", "dots", locale.T("compose.tail", locale.MetricName(strings.SplitN(tail[0], "_", 2)[0]+"_p50")), one)
		b.category(s.variant)
		b.set("values", tail)
		if add(b) {
			break
		}
	}
	if len(variants) >= fewestSteps {
		for _, axes := range [][2]string{{"weight_size", firstOf(metrics)}, {"ttft_mean", "output_throughput"}, {"tpot_mean", "output_throughput"}} {
			x := locale.MetricName(axes[0])
			if axes[0] == "weight_size" {
				x = locale.LabelName(axes[0])
			}
			b := s.chart("tradeoff", "scatter", locale.T("view.against", locale.MetricName(axes[1]), locale.Inside(x)), one)
			b.set("x", axes[0])
			b.set("y", axes[1])
			if s.variant != "model" {
				b.set("label", s.variant)
			}
			if add(b) {
				break
			}
		}
	}
	if slices.ContainsFunc(one.runs, func(r *result.Result) bool { return len(r.Distributions) > 0 }) && len(variants) <= mostSeries {
		b := s.chart("cdf", "cdf", locale.T("compose.cdf", locale.MetricName("ttft_p50")), one)
		b.set("value", "ttft")
		b.set("series", s.variant)
		add(b)
	}
	return out
}

// runByRun returns a chart of runs that differ only in their files.
func (s *study) runByRun() []blockOf {
	metrics := s.measured(1)
	if len(metrics) == 0 || len(s.runs) < 2 || len(s.runs) > mostBars || len(condition.Of(s.runs, "id")) > 0 {
		return nil
	}
	b := s.chart(metrics[0], "bars", locale.T("compose.by-run", locale.MetricName(metrics[0])), s.all())
	b.category("id")
	b.set("value", metrics[0])
	b.set("sort", "-value")
	if shown, ok := s.try(b); !ok || figures(shown.Chart) < 2 {
		return nil
	}
	s.compares(s.runs, "id")
	return []blockOf{b}
}

// power returns a chart of the telemetry of a study's runs.
func (s *study) power() []blockOf {
	of, ok := s.plane()
	if !ok {
		of = s.all()
	}
	if s.loads != "" {
		if values := s.data.Values(of.runs, s.loads); len(values) > 0 {
			one := s.with(of, s.loads, values[0])
			one.held = s.held(of, s.loads, values[0])
			of = one
		}
	}
	if !slices.ContainsFunc(of.runs, func(r *result.Result) bool { return r.Telemetry != nil }) || len(s.data.Values(of.runs, s.variant)) > mostLoads {
		return nil
	}
	b := s.chart("power", "power", locale.T("compose.power"), of)
	b.set("series", s.variant)
	if shown, ok := s.try(b); ok && shown.Chart != nil && !empty(shown.Chart) {
		s.compares(of.runs, s.variant)
		return []blockOf{b}
	}
	return nil
}

// sweep returns charts and tables of the effect of a label with steps.
func (s *study) sweep(over string) []blockOf {
	of, ok := s.ramp(over)
	if !ok || len(s.data.Values(of.runs, s.variant)) > mostSeries {
		return nil
	}
	out := s.curves(over)
	add := func(b blockOf) bool {
		shown, ok := s.try(b)
		if !ok || shown.Chart != nil && empty(shown.Chart) || shown.Table != nil && (len(shown.Table.Rows) == 0 || len(shown.Table.Rows) > view.MostRows) {
			return false
		}
		s.compares(of.runs, s.variant, over)
		out = append(out, b)
		return true
	}
	metrics := s.measured(6)
	for i, metric := range metrics[:min(3, len(metrics))] {
		b := s.chart(metric+"-by-"+over, "lines", locale.T("view.over", locale.MetricName(metric), locale.Inside(locale.LabelName(over))), of)
		b.set("over", over)
		b.set("y", metric)
		b.set("series", s.variant)
		add(b)
		if i == 0 {
			summary := blockOf{kind: "sweep"}
			summary.set("where", where(of.matchers))
			summary.set("series", s.variant)
			summary.set("over", over)
			if metric != "output_throughput" {
				summary.set("throughput", metric)
			}
			if d, _ := vocabulary.Define(metric); d.Better == result.Higher && slices.Contains(pressing, over) && add(summary) {
				points := summary.copy()
				points.set("table", "points")
				add(points)
			}
		}
	}
	return out
}

// curves returns a chart of throughput against performance for one user at each step of a label, for all
// variants and configurations that were measured under the same conditions.
func (s *study) curves(over string) []blockOf {
	of, ok := s.crest(over)
	if !ok || !slices.Contains(pressing, over) {
		return nil
	}
	b := s.chart("curves-by-"+over, "curves", locale.Text{}, of)
	b.set("over", over)
	shown, ok := s.try(b)
	if !ok {
		return nil
	}
	title := locale.T("view.against", shown.Chart.Y.Title, locale.Inside(shown.Chart.X.Title))
	b = s.chart(b.name, "curves", title, of)
	b.set("over", over)
	s.compares(of.runs, s.variant, over)
	return []blockOf{b}
}

// pressing are the labels whose steps increase the load on a machine. Only for these does throughput rise up to
// a knee.
var pressing = []string{"max_concurrency", "request_rate", "batch_size"}

// chart returns a new chart of a slice.
func (s *study) chart(name, kind string, title locale.Text, of slice) blockOf {
	b := blockOf{kind: "chart", name: name}
	b.set("kind", kind)
	b.set("title", s.printer.Say(title))
	b.set("subtitle", s.printer.Say(of.held))
	b.set("where", where(of.matchers))
	return b
}

// ofVariants returns the title of a chart of a metric.
func (s *study) ofVariants(metric string) locale.Text {
	if s.variant == "model" {
		return locale.T("view.of-models", locale.MetricName(metric))
	}
	return locale.T("compose.by", locale.MetricName(metric), locale.Inside(locale.LabelName(s.variant)))
}
