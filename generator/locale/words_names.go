package locale

// nameWords are the names of values of labels, of origins and of states.
var nameWords = catalogue{
	// Values of labels.
	"value.load.high":           {"High load", "高负载"},
	"value.load.low":            {"Low load", "低负载"},
	"value.clocks.locked":       {"locked", "锁定"},
	"value.clocks.free":         {"free", "未锁定"},
	"value.phase.warmup":        {"warm-up", "预热"},
	"value.phase.measured":      {"measured", "正式测量"},
	"value.phase.superseded":    {"superseded", "已被取代"},
	"value.power_scope.gpu":     {"GPU", "GPU"},
	"value.power_scope.module":  {"module", "模组"},
	"value.power_scope.board":   {"board", "整板"},
	"value.power_scope.package": {"package", "芯片封装"},
	"value.power_scope.wall":    {"wall", "墙上插座"},
	"value.true":                {"on", "开启"},
	"value.false":               {"off", "关闭"},
	"value.ignore_eos.true":     {"yes", "是"},
	"value.ignore_eos.false":    {"no", "否"},
	"value.status.complete":     {"complete", "完整"},
	"value.status.partial":      {"partial", "不完整"},
	"value.status.failed":       {"failed", "失败"},

	// Origins of labels, and states of runs.
	"origin.guessed":  {"guessed", "推测"},
	"origin.derived":  {"derived", "推导"},
	"origin.declared": {"declared", "声明"},
	"origin.captured": {"captured", "采集"},
	"origin.measured": {"measured", "实测"},
	"status.complete": {"complete", "完整"},
	"status.partial":  {"partial", "不完整"},
	"status.failed":   {"failed", "失败"},
}
