package locale

// viewWords are the words of what is said of runs without an author: on the
// pages of models, hardware and loads, and of the history.
var viewWords = catalogue{
	"view.by":        {"By %s", "按%s"},
	"view.others":    {"Other runs", "其他运行"},
	"view.against":   {"%s against %s", "%s与%s"},
	"view.over":      {"%s over %s", "%s随%s的变化"},
	"view.of-models": {"%s of the models", "各模型的%s"},

	"steps.rule":        {"Steps are changes of level of %s or more and beyond the scatter of the points.", "阶跃指不小于 %s 且超出各点离散程度的水平变化。"},
	"steps.improvement": {"%s, better", "%s，改进"},
	"steps.regression":  {"%s, worse", "%s，退步"},
	"steps.step":        {"%s", "%s"},
	"steps.none":        {"no step", "无阶跃"},
	"steps.changed":     {"What changed with it", "同时变化的条件"},
	"steps.label":       {"%s %s → %s", "%s %s → %s"},
	"steps.nothing":     {"nothing that a label tells", "标签中没有变化"},

	// Of the past that a repository remembers.
	"value.date.now":     {"now", "当前"},
	"past.commit":        {"Commit", "提交"},
	"past.last":          {"The last %d of %d; the chart has them all.", "仅列最近 %d 个（共 %d 个），图中为全部。"},
	"steps.between":      {"between %s and %s", "%s 与 %s 之间"},
	"steps.after":        {"after %s", "%s 之后"},
	"steps.until":        {"up to %s", "截至 %s"},
	"page.run.past":      {"Earlier results of the same variant, from the repository: the whole trend", "仓库中同一变体的历史结果：查看完整趋势"},
	"page.history.ended": {"ended: nothing in runs is of it now", "已结束：runs 中已无此变体"},
	"event.on":           {"%s on %s", "%s（%s）"},
	"event.title":        {"%s: %s %s since %s", "%s：%s自 %[4]s 起 %[3]s"},
}
