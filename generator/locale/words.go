package locale

// The messages by key. A form "one|other" is chosen by the first whole number
// among the arguments; Chinese has one form. locale_test.go checks that both
// languages hold the same keys with the same verbs.

var english = map[string]string{
	"metric.ttft":          "TTFT",
	"metric.tpot":          "TPOT",
	"metric.itl":           "ITL",
	"metric.e2el":          "E2EL",
	"metric.queue":         "queue time",
	"metric.batch_latency": "batch latency",
	"stat.mean":            "Mean %s",
	"stat.p50":             "Median %s",
	"stat.std":             "Std dev of %s",
	"stat.min":             "Min %s",
	"stat.max":             "Max %s",

	"chart.axis":           "%s (%s)", // title (unit, log scale); point (series)
	"chart.comma":          ", ",
	"chart.log":            "log scale",
	"chart.higher":         "higher is better",
	"chart.lower":          "lower is better",
	"chart.frontier":       "Pareto frontier",
	"chart.dominated":      "dominated",
	"chart.quarantined":    "quarantined: failed a check",
	"chart.missing":        "no data",
	"chart.missing.points": "No data: %s",
}

var chinese = map[string]string{
	"metric.ttft":          "TTFT",
	"metric.tpot":          "TPOT",
	"metric.itl":           "ITL",
	"metric.e2el":          "E2EL",
	"metric.queue":         "排队时间",
	"metric.batch_latency": "批延迟",
	"stat.mean":            "平均 %s",
	"stat.p50":             "中位 %s",
	"stat.std":             "%s 标准差",
	"stat.min":             "最小 %s",
	"stat.max":             "最大 %s",

	"chart.axis":           "%s（%s）",
	"chart.comma":          "，",
	"chart.log":            "对数刻度",
	"chart.higher":         "越高越好",
	"chart.lower":          "越低越好",
	"chart.frontier":       "帕累托前沿",
	"chart.dominated":      "被支配",
	"chart.quarantined":    "已隔离：未通过检查",
	"chart.missing":        "无数据",
	"chart.missing.points": "无数据：%s",
}
