package locale

// liveWords are the words of a site that is served while it is written.
var liveWords = catalogue{
	// Above the pages.
	"live.region":  {"Live build", "实时构建"},
	"live.faults":  {"%d fault|%d faults", "%d 处错误"},
	"live.broken":  {"The pages are those of the last good build.", "页面来自上一次成功的构建。"},
	"live.notices": {"%d run to look at|%d runs to look at", "%d 次运行需要查看"},
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

	// Why a request is refused.
	"live.refused.host":   {"This server does not answer to the name in this address. Open it as localhost, or start it with the name among those it may bear.", "此服务器不接受该地址中的主机名。请用 localhost 打开，或在启动时将该主机名加入允许的名称。"},
	"live.refused.origin": {"Only pages of this site may ask this.", "只有本站点的页面可以发出此请求。"},
	"live.refused.method": {"This server only gives out files.", "此服务器只提供文件读取。"},
	"live.refused.page":   {"There can be no page of this name.", "不可能有此名称的页面。"},
	"live.refused.many":   {"Too many pages are open.", "打开的页面过多。"},
}
