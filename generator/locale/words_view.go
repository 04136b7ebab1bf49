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
}
