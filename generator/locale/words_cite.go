package locale

// citeWords are the words of citations and of statements about a report's data.
var citeWords = catalogue{
	"cite.data":      {"%[1]s. %[3]s, %[2]s.", "%[1]s：《%[3]s》，%[2]s。"},
	"cite.self":      {"%[2]s, %[1]s.", "《%[2]s》，%[1]s。"},
	"cite.within":    {"%[1]s. %[3]s. %[4]s, %[2]s.", "%[1]s：《%[3]s》，载%[4]s，%[2]s。"},
	"cite.at":        {" %s.", "%s。"},
	"cite.undated":   {"undated", "日期不详"},
	"cite.revision":  {" Data revision %s.", "数据修订版 %s。"},
	"cite.run.title": {"Benchmark run %s", "基准测试运行 %s"},
	"cite.commit":    {" Commit %s.", "提交 %s。"},

	"cite.files":    {"%d raw file|%d raw files", "%d 个原始文件"},
	"cite.data.of":  {"Data revision", "数据修订版"},
	"cite.sums":     {"sums of the files", "各文件的校验和"},
	"cite.versions": {"Measured with %s.", "测量所用：%s。"},
	"cite.this":     {"Cite this report", "引用本文"},
	"cite.run":      {"Cite this run", "引用本次运行"},

	// The files of a run.
	"cite.run.files":   {"Files", "文件"},
	"cite.file":        {"File", "文件"},
	"cite.size":        {"Size", "大小"},
	"cite.role":        {"Content", "内容"},
	"cite.role.result": {"result", "结果"},
	"cite.role.joined": {"telemetry", "遥测"},
	"cite.role.told":   {"machine and software", "机器与软件"},
	"cite.too.large":   {"too large to be published here", "过大，未在此发布"},
}
