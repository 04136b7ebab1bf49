package locale

// shareWords are the words for sharing pages: their descriptions, and the texts that readers copy.
var shareWords = catalogue{
	// Descriptions of pages. %s is the title of the site.
	"about.home":        {"%s: benchmark results of LLM inference, traced to the raw output of the tools.", "%s：大模型推理基准测试结果，可追溯到测试工具的原始输出。"},
	"about.posts":       {"All reports of %s, latest first.", "%s的全部报告，最新的在前。"},
	"about.tags":        {"The subjects of the reports of %s.", "%s各报告的主题标签。"},
	"about.results":     {"Every run of %s with its figures, to be filtered, sorted and charted.", "%s的每次运行及其指标，可筛选、排序和绘图。"},
	"about.compare":     {"Any runs of %s side by side: what is better, what is worse, and whether it is more than noise.", "并排对比%s的任意运行：哪些更好、哪些更差，以及差异是否超出噪声。"},
	"about.deploy":      {"What to deploy under limits of latency, memory and price, according to the measurements of %s.", "根据%s的实测数据，在延迟、内存和价格限制下选择部署方案。"},
	"about.coverage":    {"What %s has measured, what is planned, and what is missing.", "%s已完成、计划中和缺失的测试。"},
	"about.history":     {"How the figures of %s changed over dates and versions, and where their level shifted.", "%s的指标随日期和版本的变化，以及水平发生变化之处。"},
	"about.models":      {"The models that %s measured, and what each reaches.", "%s测试的模型及其表现。"},
	"about.hardware":    {"The machines that %s measured on, with their specifications and results.", "%s使用的测试机器、规格与结果。"},
	"about.loads":       {"The loads and scenarios of %s, with the models side by side at each.", "%s的负载与场景，以及各模型在其下的对比。"},
	"about.manual":      {"Documentation of %s.", "%s的文档。"},
	"about.methodology": {"How %s measures, judges and compares: definitions of all metrics, and the checks of every run.", "%s如何测试、判断和比较：所有指标的定义，以及每次运行的检查。"},
	"about.problems":    {"What checks found in the runs of %s, by severity.", "各项检查在%s的运行中发现的问题，按严重程度排列。"},
	"about.downloads":   {"All data of %s as Parquet, CSV and JSON, with a description of every column.", "%s的全部数据：Parquet、CSV 与 JSON，附各列说明。"},
	"about.diff":        {"What changed between two sets of results of %s.", "%s两组结果之间的变化。"},
	"about.data": {"Benchmark results of LLM inference, traced to the raw output of the tools, with settings, checks and definitions.",
		"大模型推理基准测试结果：每个数值都可追溯到测试工具的原始输出文件，并附有运行的各项设置、每次检查的结论以及所有指标的定义。"},
	"about.counts": {"%s, %s.", "%s，%s。"},
	"about.label":  {"%s: %s.", "%s：%s。"},
	"about.of":     {"%s (%s).", "%s（%s）。"},
	"about.then":   {"%s %s", "%s%s"},
	"about.more":   {"%s and others", "%s等"},

	// What readers copy from a page.
	"share.embed":      {"Embed", "嵌入"},
	"share.from":       {"From", "来源："},
	"share.menu":       {"Share", "分享"},
	"share.copy":       {"Copy", "复制"},
	"share.save":       {"Save", "保存"},
	"share.show":       {"Show elsewhere", "在别处展示"},
	"share.link":       {"Link", "链接"},
	"share.link.table": {"Copy the address of the table", "复制表格的链接"},
	"share.frame":      {"Frame (HTML)", "框架（HTML）"},
	"share.name":       {"Name", "名称"},
	"share.series":     {"Series", "系列"},
	"share.notes":      {"Notes", "备注"},
}
