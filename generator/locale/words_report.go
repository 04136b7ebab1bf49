package locale

// reportWords are the words of tables, charts and findings: English, Chinese.
var reportWords = catalogue{
	"report.with-unit":    {"%s (%s)", "%s(%s)"},
	"report.setting":      {"Setting", "配置项"},
	"report.item":         {"Item", "项目"},
	"report.value":        {"Value", "内容"},
	"report.except":       {"%s (%s: %s)", "%s(%s:%s)"},
	"report.median":       {"median of %d runs", "%d 次运行的中位数"},
	"report.partial":      {"the tool's output is cut off", "工具输出不完整"},
	"tradeoff.suits":      {"Suits (%s)", "适用性(%s)"},
	"tradeoff.fastest":    {"speed first: fastest of all", "速度优先:最快"},
	"tradeoff.balance":    {"balance: on the size–speed frontier", "兼顾:位于大小–速度前沿"},
	"tradeoff.size-only":  {"size only: slower than the baseline", "仅当体积优先:慢于基线"},
	"tradeoff.dominated":  {"no: %s is no larger and no slower", "不推荐:%s 不更大也不更慢"},
	"tradeoff.rule":       {"%s is judged by size and %s.", "%s按体积与%s判定。"},
	"tradeoff.ratio":      {"× is the ratio to the baseline row.", "× 为与基线行之比。"},
	"chart-note.left-out": {"%s is left out: it lacks one of the two figures.", "%s 缺少其中一项数据,未画出。"},
	"alt.categories":      {"%s by %s.", "按%[2]s比较%[1]s。"},
	"alt.range":           {"Highest: %s, %s; lowest: %s, %s.", "最高:%s,%s;最低:%s,%s。"},
	"alt.series-range":    {"%s: highest %s, %s; lowest %s, %s.", "%s:最高 %s,%s;最低 %s,%s。"},
	"alt.scatter":         {"%[1]s against %[2]s, %[3]d points.", "%[1]s与%[2]s的关系,%[3]d 个点。"},
	"alt.frontier":        {"Pareto frontier: %s.", "帕累托前沿:%s。"},
}
