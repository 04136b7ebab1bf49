package locale

// subjectWords are the words of the pages about what runs have in common, of the coverage and history pages,
// and of the index of all these pages.
var subjectWords = catalogue{
	"page.home":           {"Reports", "报告"},
	"page.hardware":       {"Hardware", "硬件"},
	"page.loads":          {"Loads", "负载"},
	"page.history":        {"History", "历史"},
	"page.index":          {"Site index", "站点索引"},
	"page.index.results":  {"Figures", "数据"},
	"page.index.subjects": {"What was measured", "测试对象"},
	"page.index.about":    {"About", "关于"},
	"page.start":          {"Where to start", "从这里开始"},
	"page.start.results":  {"Every run with its figures, by campaign", "每次运行及其指标，按测试批次排列"},
	"page.start.models":   {"What a model reaches, and its ratio to its base model", "每个模型的表现，以及相对基础模型的比值"},
	"page.start.hardware": {"The theoretical limits of a machine, and what the models reach on it", "每台机器的理论能力，以及各模型的实测表现"},
	"page.start.loads":    {"The models side by side at one load", "同一负载下各模型的对比"},
	"page.start.history":  {"How figures changed over dates and versions, and what changed with them", "指标随日期和版本的变化，以及同时变化的条件"},
	"page.overview":       {"Overview", "概览"},

	// Hardware.
	"page.hardware.hint":     {"What the vendors or this site state about each machine, and how much was measured on it.", "厂商或本站给出的各机器规格，以及在其上的测试数量。"},
	"page.board.product":     {"Product", "产品"},
	"page.board.memory":      {"Memory", "内存"},
	"page.board.bandwidth":   {"Memory bandwidth", "内存带宽"},
	"page.board.peak":        {"Dense peak, %s", "%s 稠密峰值算力"},
	"page.board.peaks":       {"Dense peaks", "稠密峰值算力"},
	"page.board.price":       {"Price", "价格"},
	"page.board.price.value": {"%s an hour for one accelerator", "每个加速器每小时 %s"},
	"page.board.price.dated": {"%s an hour for one accelerator (%s)", "每个加速器每小时 %s（%s）"},
	"page.board.source":      {"Source of the specification", "规格出处"},
	"page.board.source.site": {"stated by the author of this site", "由本站作者给出"},
	"page.board.source.both": {"stated by the author of this site; the rest: %s", "由本站作者给出；其余部分：%s"},
	"page.empty.hardware":    {"No run names its hardware.", "没有运行注明硬件。"},

	// Loads.
	"page.loads.hint":    {"The loads of the runs. A load or a scenario with a condition covers every run that meets it.", "运行时所加的负载。带条件的负载或场景适用于所有满足条件的运行。"},
	"page.load.kind":     {"Kind", "类别"},
	"page.load.when":     {"Condition", "判定条件"},
	"page.load.declared": {"none: a run.toml names it", "无：由 run.toml 指定"},
	"page.empty.loads":   {"No run has a load or a scenario.", "没有运行注明负载或场景。"},

	// Coverage.
	"page.plan":            {"Plan", "计划"},
	"page.plans":           {"Plans", "计划"},
	"page.plan.of":         {"%s: %d of %d done", "%s：完成 %d/%d"},
	"page.planned":         {"planned", "计划数"},
	"page.exists":          {"What is there", "已有的测试"},
	"page.exists.hint":     {"Runs of each model by measured condition; a number links to them.", "每个模型在各条件下的运行次数，点击数字可查看这些运行。"},
	"page.exists.none":     {"no run", "没有运行"},
	"page.exists.other":    {"other", "其他"},
	"page.exists.more":     {"and %d more model, listed under Models|and %d more models, listed under Models", "另有 %d 个模型，见模型列表"},
	"page.coverage.hint":   {"What is planned and what exists.", "计划与现有的测试。"},
	"page.coverage.exists": {"What has been measured, and how often.", "各项测试的数量。"},
	"page.coverage.link":   {"Coverage in detail", "覆盖情况详情"},

	// History.
	"page.history.needs":     {"No variant has been measured yet with the same settings on at least two dates or with at least two versions of the engine.", "目前没有任何变体在相同设置下至少有两个日期或两个引擎版本的结果。"},
	"page.history.rule":      {"Change: the current level relative to the previous one. A change is called a regression or an improvement if a test of the runs on both sides shows it (p below 0.05) and it exceeds their noise and scatter.", "变化：当前水平与之前水平之比。只有两侧的运行经检验有差异（p 小于 0.05），且超出噪声和离散程度，才称为性能回退或改进。"},
	"page.history.steady":    {"No change of level", "没有水平变化"},
	"page.history.unsettled": {"Unconfirmed changes have too few runs to judge, or one date only.", "未证实的变化，运行太少或仅见于一个日期，尚无法判定。"},
	"page.history.points":    {"All points", "全部数据点"},
}
