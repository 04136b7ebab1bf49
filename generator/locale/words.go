package locale

// The messages by key. A form "one|other" is chosen by the first whole number
// among the arguments; Chinese has one form. locale_test.go checks that both
// languages hold the same keys with the same verbs.

// catalogue gives the words of a key in English and in Chinese.
type catalogue map[string][2]string

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
}
