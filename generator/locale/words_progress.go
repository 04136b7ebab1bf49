package locale

// progressWords are the words of what is planned and of what changed over
// time: English, Chinese.
var progressWords = catalogue{
	"coverage.done":      {"done", "完成"},
	"coverage.partial":   {"partial", "未完成"},
	"coverage.set-aside": {"set aside", "已排除"},
	"coverage.failed":    {"failed", "失败"},
	"coverage.missing":   {"missing", "缺失"},
	"coverage.unplanned": {"— is not planned", "— 表示未列入计划"},
	"coverage.of":        {"%d of %d done", "完成 %d/%d"},
	"coverage.sum":       {"%d of %d planned cells is done|%d of %d planned cells are done", "计划的 %[2]d 项中已完成 %[1]d 项"},
	"coverage.and":       {"%s; %s: %s", "%s；%s：%s"},
	"coverage.more":      {"%d more", "另外 %d 项"},
	"coverage.outside":   {"%d run lies outside the plan: %s|%d runs lie outside the plan: %s", "%d 次运行不在计划之内：%s"},

	"progress.of.req":           {"%s of %s requests", "%s/%s 个请求"},
	"progress.of.it":            {"%s of %s iterations", "%s/%s 次迭代"},
	"progress.of.test":          {"%s of %s tests", "%s/%s 项测试"},
	"progress.some.req":         {"%s requests", "%s 个请求"},
	"progress.some.it":          {"%s iterations", "%s 次迭代"},
	"progress.some.test":        {"%s tests", "%s 项测试"},
	"progress.begun":            {"begun", "已开始"},
	"progress.unfinished":       {"unfinished: %s", "未跑完：%s"},
	"progress.unfinished.after": {"unfinished: %s after %s", "未跑完：%s，已用 %s"},

	"duration.s":     {"%d s", "%d 秒"},
	"duration.min":   {"%d min", "%d 分钟"},
	"duration.h":     {"%d h", "%d 小时"},
	"duration.h.min": {"%d h %d min", "%d 小时 %d 分钟"},
	"duration.d":     {"%d d", "%d 天"},
	"duration.d.h":   {"%d d %d h", "%d 天 %d 小时"},

	"history.overall":     {"First to last", "首末变化"},
	"history.change":      {"Per cent: the change against the figure before it.", "百分比为与前一个数值相比的变化。"},
	"history.improvement": {"%s improvement", "%s 改进"},
	"history.regression":  {"%s regression", "%s 退步"},
	"history.step":        {"%s step", "%s 阶跃"},
	"history.rule":        {"Marked by a word: steps, which are changes of level of %s or more and beyond the scatter of the points.", "以文字标出的是阶跃：水平变化不小于 %s，且超出各点的离散程度。"},
	"history.rises":       {"%s: %s rises by %s at %s (%s).", "%s：%s自 %[4]s 起上升 %[3]s（%[5]s）。"},
	"history.falls":       {"%s: %s falls by %s at %s (%s).", "%s：%s自 %[4]s 起下降 %[3]s（%[5]s）。"},
	"history.basis":       {"%s, n = %d and %d", "%s，n = %d 和 %d"},
	"history.last":        {"%s; the last point, so it is not yet known whether it lasts", "%s；位于最后一个点，能否持续尚不可知"},
	"history.failed":      {"no request succeeded", "没有请求成功"},
	"history.left-out":    {"%d run lacks %s or %s and is left out|%d runs lack %s or %s and are left out", "%d 次运行缺少%s或%s，未列入"},
}
