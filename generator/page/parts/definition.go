package parts

import (
	"strings"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

// DefinitionOf returns the name by which the methodology page defines a metric: its
// family where it is a statistic; "" for a tool's own.
func DefinitionOf(metric string) string {
	if family, _, ok := vocabulary.Statistic(metric); ok {
		return family
	}
	if _, ok := vocabulary.Define(metric); ok {
		return metric
	}
	return ""
}

// StatisticOf returns the name by which it defines a statistic.
func StatisticOf(stat string) string {
	if strings.HasPrefix(stat, "p") && stat != "p50" {
		return "pN"
	}
	return stat
}

// The anchors of definitions: these, and the name.
const (
	MetricAnchor    = "metric-"
	StatisticAnchor = "stat-"
	CheckAnchor     = "check-"
)
