package compose

import (
	"slices"

	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// tables returns a table of a study with a row for each variant, and for each setting that distinguishes its
// runs. If it would have too many rows, it contains only the settings under which the most variants were
// measured. shown is the number of runs in it.
func (s *study) tables() (blocks []blockOf, shown int) {
	columns := s.measured(4)
	if s.loads != "" {
		columns = columns[:min(3, len(columns))]
	}
	if len(columns) == 0 {
		columns = []string{"status"}
	}
	if s.variant == "hardware" && len(s.data.Values(s.runs, "model")) > 0 && len(s.data.Values(s.runs, "hardware")) <= mostLoads {
		rows, ok := condition.Apart(s.data, s.runs, []string{"model"}, "hardware") // machines side by side
		if ok && !slices.Contains(rows, "id") {
			if b, ok := s.table(s.all(), rows, columns[:min(2, len(columns))], "hardware"); ok {
				return []blockOf{b}, len(s.runs)
			}
		}
	}
	for _, split := range slices.Compact([]string{s.loads, ""}) {
		rows, ok := condition.Apart(s.data, s.runs, []string{s.variant}, split)
		if !ok {
			continue
		}
		for held := 0; held < len(rows); held++ {
			if slices.Contains(rows[1:1+held], "id") { // the table would have one run
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
	telling := condition.Of(of.runs, "id")
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

// mostTelling is the number of labels up to which more labels are added beside the ids of runs that nothing
// else distinguishes.
const mostTelling = 4

// table returns a table of a slice, with the ratio to the baseline if there is one. No cell is marked as best
// if the rows differ in conditions.
func (s *study) table(of slice, rows, columns []string, split string) (blockOf, bool) {
	columns = slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		_, isMetric := vocabulary.Define(name)
		return isMetric && !dataset.AnyHas(of.runs, name)
	})
	if len(columns) == 0 {
		return blockOf{}, false
	}
	alike := len(rows) == 1 && len(condition.Of(of.runs, append(slices.Clone(rows), split)...)) == 0 && rows[0] != "id"
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

// settings returns blocks about the effects of the settings besides the variants.
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
		of, ok := s.at(s.all(), condition.Of(s.runs, append(slices.Clone(factors[:n]), s.loads)...), factors[0])
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
	rows, ok := condition.Apart(s.data, s.runs, []string{s.variant, beside}, "")
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

// tradeoff returns a block that compares size with speed.
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
