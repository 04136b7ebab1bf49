package locale

// liveWords are the words that a served site shows while it is being written.
var liveWords = catalogue{
	// The bar above the pages.
	"live.region":  {"Live build", "实时构建"},
	"live.faults":  {"%d fault|%d faults", "%d 处错误"},
	"live.broken":  {"The pages show the last successful build.", "页面来自上一次成功的构建。"},
	"live.notices": {"%d run needs attention|%d runs need attention", "%d 次运行需要查看"},
	"live.again":   {"To run it again:", "重新运行："},
	"live.dismiss": {"Dismiss", "忽略"},
	"live.running": {"%d benchmark is running|%d benchmarks are running", "%d 项基准测试正在运行"},
	"live.of":      {"%s of %s", "%s / %s"},
	"live.elapsed": {"%s elapsed", "已用 %s"},
	"live.left":    {"about %s left", "约剩 %s"},
	"live.hours":   {"%d h %d min", "%d 小时 %d 分"},
	"live.minutes": {"%d min %d s", "%d 分 %d 秒"},
	"live.seconds": {"%d s", "%d 秒"},
	"live.lost":    {"The server does not answer. This page may be out of date.", "服务器没有响应，页面可能不是最新的。"},
	"live.gone":    {"This page is no longer part of the site.", "站点中已没有此页面。"},
	"live.updated": {"The page has been updated.", "页面已更新。"},
	"live.mended":  {"The faults are mended.", "错误已修正。"},

	// Reasons to repeat a run, besides failed checks.
	"alarm.unlike":        {"%s is %s here, and %s in %d other runs of the same load: they cannot be compared", "%s在此为 %s，而在同一负载的其他运行中为 %s（%d 次）：不能并列比较"},
	"alarm.unlike.hint":   {"run it again with the same value, or give it a load of its own", "请以相同的设置重新运行，或为它单独定义一个负载"},
	"alarm.unstable":      {"%s varies by %s over %d repeats (coefficient of variation; more than %s is not a figure to report)", "%s的离散程度达 %s（变异系数，%d 次重复），超过 %s 的数值不宜报告"},
	"alarm.unstable.hint": {"find out what else the machine is doing, let it cool down, and run the repeats again", "请查明机器上还在运行什么，待其冷却后重做这些重复"},

	// Reasons to refuse a request.
	"live.refused.host":   {"This server does not accept the host name in this address. Open it as localhost, or add the name to those the server accepts.", "此服务器不接受该地址中的主机名。请用 localhost 打开，或在启动时将该主机名加入允许的名称。"},
	"live.refused.origin": {"Only pages of this site may send this request.", "只有本站点的页面可以发出此请求。"},
	"live.refused.method": {"This server only serves files.", "此服务器只提供文件读取。"},
	"live.refused.page":   {"This name is not valid for a page.", "不可能有此名称的页面。"},
	"live.refused.many":   {"Too many pages are open.", "打开的页面过多。"},
}
