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
	"chart.quarantined":    {"excluded: failed a check", "已排除：未通过检查"},
	"chart.missing":        {"no data", "无数据"},
	"chart.boxes":          {"Box: 25th to 75th percentile, the line in it the median; whiskers: 5th and 95th percentile.", "箱体：第 25 至 75 百分位，中线为中位数；须线：第 5 与第 95 百分位。"},
	"chart.warned":         {"in doubt: see the notes", "存疑：见注"},
	"chart.interval":       {"spread of repeats", "重复运行的离散范围"},
	"chart.apart":          {"Dots on a log scale: the values lie more than %d times apart, and the shortest bars could not be seen.", "数值相差超过 %d 倍，最短的柱会看不见，故以对数刻度上的点表示。"},
	"chart.area":           {"Area of a mark: %s.", "标记面积：%s。"},
	"chart.panel":          {"%s: %s", "%s：%s"},
	"chart.columns":        {"Columns: %s", "列：%s"},
	"chart.steepest":       {"In colour: the %d lines that change most in proportion.", "彩色：变化比例最大的 %d 条线。"},
	"chart.missing.points": {"No data: %s", "无数据：%s"},

	// Of charts that are used in a page.
	"chart.reset":      {"Show all", "显示全部"},
	"chart.save":       {"Save the chart as %s", "将图表保存为 %s"},
	"chart.saved":      {"Saved as %s", "已保存为 %s"},
	"chart.on":         {"%s is shown", "已显示 %s"},
	"chart.off":        {"%s is hidden", "已隐藏 %s"},
	"chart.zoomed":     {"Zoomed in: %d value is shown. Escape shows all.|Zoomed in: %d values are shown. Escape shows all.", "已放大：显示 %d 个数值，按 Esc 显示全部"},
	"chart.whole":      {"All %d values are shown.", "已显示全部 %d 个数值"},
	"chart.range":      {"%s to %s", "%s 至 %s"},
	"chart.repeats":    {"Repeats", "重复运行"},
	"chart.median":     {"Median", "中位数"},
	"chart.half":       {"25th to 75th percentile", "第 25 至 75 百分位"},
	"chart.most":       {"5th to 95th percentile", "第 5 至 95 百分位"},
	"chart.open":       {"Click or Enter opens the run", "点击或按回车键打开该次运行"},
	"chart.open.touch": {"Tap again to open the run", "再次轻触打开该次运行"},
}
