package page

import (
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// definitionOf gives the name by which the methodology page defines a metric: its
// family where it is a statistic; "" for a tool's own.
func definitionOf(metric string) string {
	if family, _, ok := vocabulary.Statistic(metric); ok {
		return family
	}
	if _, ok := vocabulary.Define(metric); ok {
		return metric
	}
	return ""
}

// statisticOf gives the name by which it defines a statistic.
func statisticOf(stat string) string {
	if strings.HasPrefix(stat, "p") && stat != "p50" {
		return "pN"
	}
	return stat
}

// The anchors of definitions: these, and the name.
const (
	metricAnchor    = "metric-"
	statisticAnchor = "stat-"
	checkAnchor     = "check-"
)

// define says what a metric without a statistic, or a family, is.
func define(name string, p locale.Printer) string {
	if name == "energy" {
		return p.Words("define.energy", result.MaxGap)
	}
	return p.Words("define." + name)
}

// sourcesOf are the works that a practice follows, by the catalogue's keys; a metric
// and a rule name their own.
var sourcesOf = map[string][]string{
	"repeats": {"order"}, "comparison": {"mann"}, "mean": {"geometric"},
}

// sourceAddresses are where they can be read.
var sourceAddresses = map[string]string{
	"vllm":        "https://github.com/vllm-project/vllm",
	"llama":       "https://github.com/ggml-org/llama.cpp",
	"lm-eval":     "https://github.com/EleutherAI/lm-evaluation-harness",
	"goodput":     "https://arxiv.org/abs/2401.09670",
	"speculative": "https://arxiv.org/abs/2211.17192",
	"little":      "https://doi.org/10.1287/opre.9.3.383",
	"mbu":         "https://www.databricks.com/blog/llm-inference-performance-engineering-best-practices",
	"kaplan":      "https://arxiv.org/abs/2001.08361",
	"mann":        "https://doi.org/10.1214/aoms/1177730491",
	"geometric":   "https://doi.org/10.1145/5666.5673",
}
