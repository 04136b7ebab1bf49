package finding

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/stats"
)

// Practices describe how runs are compared, with the thresholds in force.
func Practices(d *dataset.Selection) []report.Practice {
	rules := d.Thresholds()
	share := func(of float64) string { return strconv.FormatFloat(100*of, 'g', 4, 64) + "%" }
	var settings []locale.Text
	for _, name := range audit.Settings() {
		settings = append(settings, locale.LabelName(name))
	}
	practice := func(id string, numbers ...any) report.Practice {
		return report.Practice{ID: id, Title: locale.T("practice." + id), Text: locale.T("practice."+id+".text", numbers...)}
	}
	return []report.Practice{
		practice("alike", locale.List(settings...), share(audit.Tolerance)),
		practice("repeats", intervalRuns(), share(stats.Confidence), share(stats.UnstableCV)),
		practice("comparison", strconv.FormatFloat(stats.Alpha, 'g', 4, 64), share(rules.Noise)),
		practice("samples", audit.Needed(99), audit.Needed(95), audit.Needed(90)),
		practice("ranking", share(rules.Noise), strconv.FormatFloat(rules.Outlier, 'g', 4, 64), share(rules.Limit)),
		practice("mean"),
		practice("aside"),
		practice("claims"),
	}
}

// intervalRuns returns the smallest number of repeats whose median has an interval.
func intervalRuns() int {
	var values []float64
	for !stats.Summarize(values).HasInterval {
		values = append(values, float64(len(values)+1))
	}
	return len(values)
}
