package chinese

// manualRows are messages about documents that become pages of a site.
var manualRows = []row{
	{"the page has no title; it is called by its file", "页面没有标题，暂以文件名称呼"},
	{"begin it with a heading: # Title", "请以标题开头：# 标题"},
	{"its page would be that of %s too", "它的页面与 %s 的页面重复"},
	{"its headings are: %s", "其标题有：%s"},
	{"%s has no heading #%s", "%s 没有标题 #%s"},
	{"a page that %s is not read", "页面未读取：它%s"},
	{"%s is not written yet; the link leads to %s", "%s 尚未撰写，链接指向 %s"},
	{"addresses are relative to the file", "地址相对于文件所在位置"},
	{"the picture %s is not below %s/", "图片 %s 不在 %s/ 之下"},
	{"put it there, and it is published with the pages", "放到那里，即随页面一同发布"},
	{"%s is not a page, so nobody can open it on the site", "%s 不是页面，在网站上无法打开"},
	{`say in site.toml where files of the repository are read, as [cite] files = "https://github.com/me/bench/blob/HEAD/"`,
		`请在 site.toml 中写明仓库的文件在何处阅读，例如 [cite] files = "https://github.com/me/bench/blob/HEAD/"`},
	{"the site has no language %q", "站点没有语言 %q"},
	{"%q is not a pattern of names", "%q 不是名称的模式"},
	{`for example "drafts/*"`, `例如 "drafts/*"`},
	{`name a folder of the site's own for them, for example "docs"`, `请指定站点中专用的文件夹，例如 "docs"`},
	{"the folder of pages %q is hidden, or not in the site", "页面的文件夹 %q 是隐藏的，或不在站点之内"},
	{"the folder of pages %q and %s conflict", "页面的文件夹 %q 与 %s 相互冲突"},
	{"there is no folder %q", "没有文件夹 %q"},
	{"make it, or remove the line", "请建立它，或删去这一行"},
	{"%q is not a folder", "%q 不是文件夹"},
}
