package compose

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// slice is runs of a study under the same settings, and what selects them.
type slice struct {
	matchers []matcher
	runs     []*result.Result
	held     locale.Text // the settings; zero where there are none
}

// all are the runs of a study.
func (s *study) all() slice { return slice{s.matchers, s.runs, locale.Text{}} }

// at narrows a slice to the combination of settings with the most values of a label.
func (s *study) at(of slice, settings []string, most string) (slice, bool) {
	if len(settings) == 0 {
		return of, len(of.runs) > 0
	}
	g, ok := view.Stratum(s.data, of.runs, settings, most, func(dataset.Group) bool { return true })
	if !ok {
		return slice{}, false
	}
	out := slice{matchers: slices.Clone(of.matchers), runs: g.Runs}
	held := []locale.Text{}
	if !of.held.IsZero() {
		held = append(held, of.held)
	}
	for i, label := range settings {
		out.matchers = add(out.matchers, label, g.Values[i])
		if g.Values[i] != "" {
			held = append(held, s.named(label, g.Values[i]))
		}
	}
	if len(held) > 0 {
		out.held = locale.Join(" · ", held...)
	}
	return out, true
}

// planes are the slices that variants are compared in.
func (s *study) planes() []slice { return s.flat }

// plane is the slice in which most variants are compared; it is false where there is none.
func (s *study) plane() (slice, bool) {
	if len(s.flat) == 0 {
		return slice{}, false
	}
	return s.flat[0], true
}

// ramp is the slice of a sweep; it is false where there is none.
func (s *study) ramp(over string) (slice, bool) {
	of, ok := s.ramps[over]
	return of, ok
}

// with narrows a slice to a value of a label.
func (s *study) with(of slice, label, value string) slice {
	if label == "" {
		return of
	}
	return slice{add(of.matchers, label, value), dataset.WithLabel(of.runs, label, value), of.held}
}

// findPlanes returns slices in which runs of one variant at one load are repeats of one
// another and agree in all else, those with most variants first: what charts of variants are
// drawn of, and findings are made of. One variant is compared with nothing: of such slices
// there is the largest, where there are no others.
func (s *study) findPlanes() []slice {
	rows, ok := view.Apart(s.data, s.runs, []string{s.variant}, s.loads)
	if !ok || slices.Contains(rows, "id") { // one run of many that nothing tells apart says little
		return nil
	}
	var out []slice
	rest := s.all()
	for len(rest.runs) > 0 {
		of, ok := s.at(rest, rows[1:], s.variant)
		if !ok || len(out) > 0 && len(s.data.Values(of.runs, s.variant)) < 2 {
			break
		}
		out = append(out, of)
		rest.runs = slices.DeleteFunc(slices.Clone(rest.runs), func(r *result.Result) bool { return slices.Contains(of.runs, r) })
	}
	return out
}

// findRamp returns a slice in which runs of one variant at one step are repeats of one
// another.
func (s *study) findRamp(over string) (slice, bool) {
	of := s.all()
	of.runs = dataset.Having(of.runs, over)
	rows, ok := view.Apart(s.data, of.runs, []string{s.variant, over}, "")
	if !ok || slices.Contains(rows, "id") {
		return slice{}, false
	}
	out, ok := s.at(of, rows[2:], over)
	return out, ok && s.steps(out.runs, over) >= fewestSteps
}

// measured returns the metrics that a study is shown by, the most telling first.
func (s *study) measured(most int) []string {
	of := s.data.Of(s.runs)
	names := view.Measured(of, most)
	for _, list := range []vocabulary.List{vocabulary.Column, vocabulary.Console, vocabulary.Compared} {
		for _, name := range vocabulary.Listed(list) {
			if len(names) < most && !slices.Contains(names, name) && dataset.AnyHas(s.runs, name) && len(view.Measured(of, 1)) == 0 {
				names = append(names, name)
			}
		}
	}
	for _, r := range s.runs { // of telemetry, and of tools that measure something else
		for _, m := range r.Metrics {
			if _, known := vocabulary.Define(m.Name); known && len(names) < min(most, 3) && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		d, _ := vocabulary.Define(name)
		return dataset.OneUnit(s.runs, name) != nil || d.Unit == "B/s" && len(names) > 1 // ten digits and more
	})
}

// baseline is the selector of the variant that others are compared with: what they were
// made of. It is "" where nothing says so.
func (s *study) baseline() string {
	models := s.data.Values(s.runs, "model")
	if s.variant != "model" || len(models) < 2 {
		return ""
	}
	var bases []string
	for _, r := range s.runs {
		base := r.Label("base_model")
		if base == "" {
			base = r.Label("base")
		}
		if base != "" && slices.Contains(models, base) && !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	if len(bases) != 1 {
		return ""
	}
	return where([]matcher{{"model", "=", bases[0]}})
}

// factors are the settings with a few values beside the variant and the loads.
func (s *study) factors() []string {
	var out []string
	for _, label := range slices.Concat(view.ViewSettings[:7], []string{"prefix_caching", "speculative_decoding", "flash_attention"}) {
		if label == s.variant || label == s.loads || slices.Contains(s.sweeps, label) || len(out) == 3 {
			continue
		}
		if n := len(s.data.Values(s.runs, label)); n >= 2 && n <= mostLoads && s.crosses(label, append(out, s.variant)) {
			out = append(out, label)
		}
	}
	return out
}

// crosses reports whether a label varies while each of some others stays: it does not
// follow from one of them.
func (s *study) crosses(label string, others []string) bool {
	return !slices.ContainsFunc(others, func(of string) bool {
		return !slices.ContainsFunc(s.data.Groups(s.runs, []string{of}), func(g dataset.Group) bool { return len(s.data.Values(g.Runs, label)) > 1 })
	})
}

// conclusions are findings about runs that were measured alike.
type conclusions struct {
	held  locale.Text // what they have in common; zero where the study has nothing else
	block blockOf
}

// mostConclusions are the sets of conditions of a study that findings are made of.
const mostConclusions = 3

// findings are what the runs of a study show: nothing is concluded from runs that differ in a
// condition which the findings do not lay out.
func (s *study) findings() []conclusions {
	type attempt struct {
		of   slice
		rows string
		load string
	}
	var attempts []attempt
	if s.variant != "model" && s.variant != "hardware" && len(s.factors()) > 0 && len(s.data.Values(s.runs, "model")) == 1 && len(view.Conditions(s.runs, append(s.factors(), s.variant, s.loads)...)) == 0 {
		attempts = append(attempts, attempt{s.all(), "model", s.loads}) // what the settings do
	}
	for _, of := range s.planes() {
		attempts = append(attempts, attempt{of, s.variant, s.loads})
	}
	for _, over := range s.sweeps {
		if of, ok := s.ramp(over); ok {
			attempts = append(attempts, attempt{of, s.variant, over})
		}
	}
	var out []conclusions
	for _, a := range attempts {
		if len(out) > 0 && a.load != s.loads || len(out) == mostConclusions {
			break // one way to look at the runs is enough
		}
		b := blockOf{kind: "findings"}
		b.set("where", where(a.of.matchers))
		if a.rows != "model" {
			b.set("rows", a.rows)
		}
		if a.load != "" && a.load != "load" {
			b.set("load", a.load)
		}
		b.set("baseline", s.baseline())
		shown, ok := s.try(b)
		if !ok {
			continue
		}
		claims := len(shown.Findings.Claims) + len(shown.Findings.Withheld)
		if claims > 0 || len(s.studies) == 1 && len(out) == 0 && len(shown.Findings.Limits) > 0 { // what data cannot say goes with what they say
			s.compares(a.of.runs, a.rows, a.load)
			out = append(out, conclusions{a.of.held, b})
			if a.rows != s.variant {
				break
			}
		}
	}
	return out
}

// tables shows the figures of a study: a row for each variant, and for each setting that
// tells runs of it apart. Where that makes too many rows, it shows those of the settings
// at which most variants were measured, and says of how many runs it is.
func (s *study) tables() (blocks []blockOf, shown int) {
	columns := s.measured(4)
	if s.loads != "" {
		columns = columns[:min(3, len(columns))]
	}
	if len(columns) == 0 {
		columns = []string{"status"}
	}
	if s.variant == "hardware" && len(s.data.Values(s.runs, "model")) > 0 && len(s.data.Values(s.runs, "hardware")) <= mostLoads {
		rows, ok := view.Apart(s.data, s.runs, []string{"model"}, "hardware") // the machines side by side
		if ok && !slices.Contains(rows, "id") {
			if b, ok := s.table(s.all(), rows, columns[:min(2, len(columns))], "hardware"); ok {
				return []blockOf{b}, len(s.runs)
			}
		}
	}
	for _, split := range slices.Compact([]string{s.loads, ""}) {
		rows, ok := view.Apart(s.data, s.runs, []string{s.variant}, split)
		if !ok {
			continue
		}
		for held := 0; held < len(rows); held++ {
			if slices.Contains(rows[1:1+held], "id") { // a table of one run
				break
			}
			of, ok := s.at(s.all(), rows[1:1+held], s.variant)
			left := slices.Concat(rows[:1], rows[1+held:])
			if !ok || len(s.data.Groups(of.runs, left)) > view.MostRows {
				continue
			}
			if b, ok := s.table(of, left, columns, split); ok {
				return []blockOf{b}, len(of.runs)
			}
		}
	}
	of := s.all()
	if len(of.runs) > view.MostRows {
		of = s.largest()
	}
	telling := view.Conditions(of.runs, "id")
	if len(s.data.Values(of.runs, "model")) > 1 {
		telling = append([]string{"model"}, slices.DeleteFunc(telling, func(label string) bool { return label == "model" || label == "quantization" })...)
	}
	for _, label := range dataset.Apart(of.runs, telling...) {
		if len(telling) < mostTelling && label != "id" && label != "campaign" && label != "status" {
			telling = append(telling, label)
		}
	}
	if b, ok := s.table(of, []string{"id"}, slices.Concat(telling, columns), ""); ok {
		return []blockOf{b}, len(of.runs)
	}
	return nil, 0
}

// mostTelling are the labels, if not all are conditions, beside the ids of runs that nothing else tells apart.
const mostTelling = 4

// table is a table of a slice, with the ratio to the baseline where there is one. Nothing in it
// is the best where its rows are of several conditions.
func (s *study) table(of slice, rows, columns []string, split string) (blockOf, bool) {
	columns = slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		_, isMetric := vocabulary.Define(name)
		return isMetric && !dataset.AnyHas(of.runs, name)
	})
	if len(columns) == 0 {
		return blockOf{}, false
	}
	alike := len(rows) == 1 && len(view.Conditions(of.runs, append(slices.Clone(rows), split)...)) == 0 && rows[0] != "id"
	for _, fact := range []string{"weight_size", "quantization"} {
		if s.variant == "model" && len(s.data.Values(of.runs, fact)) > 1 && !slices.Contains(rows, fact) && !slices.Contains(columns, fact) && len(rows) < 3 && rows[0] == "model" {
			columns = append([]string{fact}, columns...)
		}
	}
	for _, baseline := range slices.Compact([]string{s.baseline(), ""}) {
		b := blockOf{kind: "table"}
		b.set("caption", s.printer.Say(of.held))
		b.set("where", where(of.matchers))
		b.set("rows", rows)
		b.set("columns", columns)
		b.set("split", split)
		if !alike {
			b.set("best", false)
		}
		if baseline != "" && alike {
			b.set("baseline", baseline)
			b.set("change", "ratio")
		}
		if shown, ok := s.try(b); ok && len(shown.Table.Rows) <= view.MostRows {
			s.compares(of.runs, append(slices.Clone(rows), split)...)
			return b, true
		}
	}
	return blockOf{}, false
}

// largest is the largest slice with one value of one label that a table has room for.
func (s *study) largest() slice {
	best := slice{matchers: s.matchers}
	for _, label := range slices.Concat([]string{"campaign"}, view.ViewSettings, variants) {
		for _, g := range s.data.Groups(s.runs, []string{label}) {
			if len(g.Runs) > len(best.runs) && len(g.Runs) <= view.MostRows && g.Values[0] != "" {
				best = s.with(s.all(), label, g.Values[0])
				best.held = s.named(label, g.Values[0])
			}
		}
	}
	return best
}

// charts draws the variants of a study beside each other.
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
		if shown, ok := s.try(b); !ok || shown.Chart == nil || empty(shown.Chart) {
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

// runByRun draws runs that only their files tell apart.
func (s *study) runByRun() []blockOf {
	metrics := s.measured(1)
	if len(metrics) == 0 || len(s.runs) < 2 || len(s.runs) > mostBars || len(view.Conditions(s.runs, "id")) > 0 {
		return nil
	}
	b := s.chart(metrics[0], "bars", locale.T("compose.by-run", locale.MetricName(metrics[0])), s.all())
	b.category("id")
	b.set("value", metrics[0])
	b.set("sort", "-value")
	if shown, ok := s.try(b); !ok || empty(shown.Chart) {
		return nil
	}
	s.compares(s.runs, "id")
	return []blockOf{b}
}

// power draws the telemetry of a study's runs.
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

// sweep shows what steps of a label do.
func (s *study) sweep(over string) []blockOf {
	of, ok := s.ramp(over)
	if !ok || len(s.data.Values(of.runs, s.variant)) > mostSeries {
		return nil
	}
	var out []blockOf
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
	for _, x := range []string{"output_throughput_per_user", "interactivity", "tpot_mean", "ttft_mean"} {
		b := s.chart("cost-of-"+over, "lines", locale.T("view.against", locale.MetricName("output_throughput"), locale.Inside(locale.MetricName(x))), of)
		b.set("over", over)
		b.set("x", x)
		b.set("y", "output_throughput")
		b.set("series", s.variant)
		if add(b) {
			break
		}
	}
	return out
}

// pressing are the labels whose steps put more and more on a machine: that its throughput
// follows them, up to a knee, is a question only of these.
var pressing = []string{"max_concurrency", "request_rate", "batch_size"}

// settings shows what the settings beside the variants do.
func (s *study) settings() []blockOf {
	factors := s.factors()
	metrics := s.measured(3)
	if len(factors) == 0 || len(metrics) == 0 {
		return nil
	}
	beside := factors[0]
	if s.variant != "model" && s.variant != "quantization" && !slices.Contains(factors, s.variant) {
		factors = append([]string{s.variant}, factors...)
	}
	var out []blockOf
	for n := len(factors); n > 0 && len(out) == 0; n-- {
		of, ok := s.at(s.all(), view.Conditions(s.runs, append(slices.Clone(factors[:n]), s.loads)...), factors[0])
		if !ok {
			continue
		}
		b := blockOf{kind: "effects"}
		b.set("caption", s.printer.Say(of.held))
		b.set("where", where(of.matchers))
		b.set("factors", factors[:n])
		b.set("metrics", metrics)
		if shown, ok := s.try(b); ok && len(shown.Table.Rows) <= view.MostRows {
			s.compares(of.runs, append(slices.Clone(factors[:n]), s.loads)...)
			out = append(out, b)
		}
	}
	rows, ok := view.Apart(s.data, s.runs, []string{s.variant, beside}, "")
	if !ok {
		return out
	}
	of, ok := s.at(s.all(), rows[2:], beside)
	if !ok || len(s.data.Values(of.runs, beside)) < 2 || len(s.data.Values(of.runs, s.variant)) > mostSeries {
		return out
	}
	b := s.chart("by-"+beside, "bars", locale.T("compose.by", locale.MetricName(metrics[0]), locale.Inside(locale.LabelName(beside))), of)
	b.category(s.variant)
	b.set("value", metrics[0])
	b.set("series", beside)
	if shown, ok := s.try(b); ok && !empty(shown.Chart) {
		s.compares(of.runs, s.variant, beside)
		out = append(out, b)
	}
	return out
}

// tradeoff weighs size against speed.
func (s *study) tradeoff() (blockOf, bool) {
	if s.loads == "" || len(s.data.Values(s.runs, s.variant)) < 2 || len(s.data.Values(s.runs, "weight_size")) < 2 {
		return blockOf{}, false
	}
	of, ok := s.plane()
	if !ok {
		return blockOf{}, false
	}
	b := blockOf{kind: "tradeoff"}
	b.set("where", where(of.matchers))
	if s.variant != "model" {
		b.set("rows", s.variant)
	}
	if s.loads != "load" {
		b.set("load", s.loads)
	}
	b.set("baseline", s.baseline())
	shown, ok := s.try(b)
	if !ok || len(shown.Table.Rows) > view.MostRows {
		return blockOf{}, false
	}
	s.compares(of.runs, s.variant, s.loads)
	return b, true
}

// chart begins a chart of a slice.
func (s *study) chart(name, kind string, title locale.Text, of slice) blockOf {
	b := blockOf{kind: "chart", name: name}
	b.set("kind", kind)
	b.set("title", s.printer.Say(title))
	b.set("subtitle", s.printer.Say(of.held))
	b.set("where", where(of.matchers))
	return b
}

// held names the settings of a slice and a value more.
func (s *study) held(of slice, label, value string) locale.Text {
	more := s.named(label, value)
	if of.held.IsZero() {
		return more
	}
	return locale.Join(" · ", of.held, more)
}

// speaking are the labels whose values say what they are.
var speaking = []string{"load", "scenario", "model", "quantization", "engine", "hardware", "power_mode", "gpu", "tool", "dataset"}

// named is a value with its label where it does not say by itself what it is: clocks free.
func (s *study) named(label, value string) locale.Text {
	if slices.Contains(speaking, label) {
		return s.data.Title(label, value)
	}
	return locale.T("finding.held", locale.LabelName(label), s.data.Title(label, value))
}

// ofVariants titles a chart of a metric.
func (s *study) ofVariants(metric string) locale.Text {
	if s.variant == "model" {
		return locale.T("view.of-models", locale.MetricName(metric))
	}
	return locale.T("compose.by", locale.MetricName(metric), locale.Inside(locale.LabelName(s.variant)))
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
