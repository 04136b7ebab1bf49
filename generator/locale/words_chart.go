package locale

// chartWords are the words that charts add by themselves.
var chartWords = catalogue{
	"chart.axis":           {"%s (%s)", "%s（%s）"},
	"chart.comma":          {", ", "，"},
	"chart.log":            {"log scale", "对数刻度"},
	"chart.higher":         {"higher is better", "越高越好"},
	"chart.lower":          {"lower is better", "越低越好"},
	"chart.frontier":       {"Pareto frontier", "帕累托前沿"},
	"chart.dominated":      {"dominated", "被支配"},
	"chart.quarantined":    {"quarantined: failed a check", "已隔离：未通过检查"},
	"chart.missing":        {"no data", "无数据"},
	"chart.boxes":          {"Box: 25th to 75th percentile, the line in it the median; whiskers: 5th and 95th percentile.", "箱体：第 25 至 75 百分位，中线为中位数；须线：第 5 与第 95 百分位。"},
	"chart.warned":         {"in doubt: see the notes", "存疑：见注"},
	"chart.interval":       {"spread of repeats", "重复运行的离散范围"},
	"chart.apart":          {"Dots on a log scale: the values lie more than %d times apart, and the shortest bars could not be seen.", "数值相差超过 %d 倍，最短的柱会看不见，故以对数刻度上的点表示。"},
	"chart.area":           {"Area of a mark: %s.", "标记面积：%s。"},
	"chart.panel":          {"%s: %s", "%s：%s"},
	"chart.missing.points": {"No data: %s", "无数据：%s"},
}
