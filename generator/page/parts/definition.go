package parts

import (
	"strings"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

// DefinitionOf returns the name under which the methodology page defines a metric. For a statistic it is the family. It
// is "" for a tool's own metrics.
func DefinitionOf(metric string) string {
	if family, _, ok := vocabulary.Statistic(metric); ok {
		return family
	}
	if _, ok := vocabulary.Define(metric); ok {
		return metric
	}
	return ""
}

// StatisticOf returns the name under which the methodology page defines a statistic.
func StatisticOf(stat string) string {
	if strings.HasPrefix(stat, "p") && stat != "p50" {
		return "pN"
	}
	return stat
}

// Prefixes of the anchors of definitions, followed by the name.
const (
	MetricAnchor    = "metric-"
	StatisticAnchor = "stat-"
	CheckAnchor     = "check-"
)
