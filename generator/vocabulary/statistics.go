package vocabulary

import "slices"

// Stat is a statistic of a latency.
type Stat struct {
	Name  string // suffix of a metric's name; pN means any percentile: p90, p99_9
	Words Words  // with %s for the latency; for pN another %s before it, for the rank
	Means Words
}

// Statistics returns the statistics that a latency may have.
func Statistics() []Stat { return slices.Clone(statistics) }

var statistics = []Stat{
	{Name: "mean", Words: Words{"Mean %s", "平均 %s"},
		Means: Words{"Arithmetic mean over the requests; of inter-token latency, over all gaps.", "各请求的算术平均；token 间延迟则为所有间隔的平均。"}},
	{Name: "p50", Words: Words{"Median %s", "中位 %s"},
		Means: Words{"Median: half of the requests take no longer.", "中位数：一半的请求不超过该值。"}},
	{Name: "pN", Words: Words{"P%s %s", "P%s %s"},
		Means: Words{"Percentile: N in a hundred requests take no longer. P99.9 is written p99_9 in data.", "分位数：一百个请求中有 N 个不超过该值。P99.9 在数据中写作 p99_9。"}},
	{Name: "min", Words: Words{"Min %s", "最小 %s"},
		Means: Words{"The least of all requests.", "所有请求中的最小值。"}},
	{Name: "max", Words: Words{"Max %s", "最大 %s"},
		Means: Words{"The greatest of all requests.", "所有请求中的最大值。"}},
	{Name: "std", Words: Words{"Std dev of %s", "%s 标准差"},
		Means: Words{"Standard deviation over the requests. It has no better direction.", "各请求的标准差，无优劣方向。"}},
}
