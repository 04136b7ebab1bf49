package locale

// findingWords are the sentences of findings: English, Chinese. Names of
// variants and figures are put in as they are.
var findingWords = catalogue{
	"finding.within": {"%s: %s", "%s：%s"},
	"finding.doubt":  {"In doubt: %s.", "存疑：%s。"},
	"finding.times":  {"%s× that of %s (%s)", "是%[2]s（%[3]s）的 %[1]s 倍"},
	"finding.beside": {"where %s has %s", "而%s为 %s"},
	"finding.less":   {"%s below that of %s (%s)", "比%[2]s（%[3]s）低 %[1]s"},

	"reason.physics.memory-roofline":  {"it would take %s of the memory bandwidth", "这需要内存带宽的 %s"},
	"reason.physics.compute-roofline": {"computing the prompts would take %s of the dense peak, so the prefix cache was probably warm", "计算提示词需要稠密峰值的 %s，前缀缓存很可能已命中"},

	"finding.aside":    {"%s: %d run is set aside and counts nowhere below; %s.|%s: %d runs are set aside and count nowhere below; %s.", "%s的 %d 次运行被排除，以下均不计入：%s。"},
	"finding.aside-at": {"%s: %d run (%s) is set aside and counts nowhere below; %s.|%s: %d runs (%s) are set aside and count nowhere below; %s.", "%s的 %d 次运行（%s）被排除，以下均不计入：%s。"},

	"finding.leads":         {"%s leads by %s: %s, %s.", "%s的%s领先，为%s，%s。"},
	"finding.lead-together": {"%s lead by %s and cannot be told apart: %s, %s.", "%s的%s并列领先，无法区分：%s，%s。"},
	"finding.lead-level":    {"%s reads best by %s, though %s cannot be told apart from it: %s, for %[1]s %[5]s.", "%s的%s读数最好，但与%s无法区分：%s，其中%[1]s%[5]s。"},
	"finding.baseline":      {"against %s (%s of %s), %s.", "以%s（%[3]s %[2]s）为基线，%[4]s。"},
	"finding.all-faster":    {"all %d other variants are faster (up to %s, %s)", "其余 %d 个变体都更快（最高 %s，%s）"},
	"finding.all-slower":    {"all %d other variants are slower (down to %s, %s)", "其余 %d 个变体都更慢（最低 %s，%s）"},
	"finding.all-better":    {"all %d other variants are better (up to %s, %s)", "其余 %d 个变体都更好（最高 %s，%s）"},
	"finding.all-worse":     {"all %d other variants are worse (down to %s, %s)", "其余 %d 个变体都更差（最低 %s，%s）"},
	"finding.better":        {"%d is better (%s, %s)|%d are better (up to %s, %s)", "%d 个更好（最高 %s，%s）"},
	"finding.worse":         {"%d is worse (%s, %s)|%d are worse (down to %s, %s)", "%d 个更差（最低 %s，%s）"},
	"finding.undecided":     {"%d cannot be told apart from it", "%d 个与之无法区分"},
	"finding.of":            {"of the other %d variants %s", "其余 %d 个变体中 %s"},
	"finding.faster":        {"%d is faster (%s, %s)|%d are faster (up to %s, %s)", "%d 个更快（最高 %s，%s）"},
	"finding.level":         {"%d is level (within %s)|%d are level (within %s)", "%d 个持平（%s 以内）"},
	"finding.slower":        {"%d is slower (%s, %s)|%d are slower (down to %s, %s)", "%d 个更慢（最低 %s，%s）"},
	"finding.indistinct":    {"%s cannot be told apart by %s: %s (n = %s).", "%s的%s无法区分：%s（n = %s）。"},
	"finding.bandwidth":     {"%d of %d variants read their weights at %s of the memory bandwidth: TPOT follows the size of the weights.", "%[2]d 个变体中有 %[1]d 个以内存带宽的 %[3]s 读取权重：TPOT 随权重大小而变。"},
	"finding.size":          {"From %s to %s (%s, %s) it falls from %s to %s.", "从%s到%s（%s，%s），TPOT 由%s降至%s。"},
	"finding.far":           {"%[1]s reaches only %[2]s; something else holds it up.|%[1]s reach only %[2]s; something else holds them up.", "%[1]s只达到%[2]s，瓶颈在别处。"},
	"finding.dominated":     {"%s is outdone wherever it was measured by something no larger: %[3]s.|%s are outdone wherever they were measured by something no larger: %[3]s.", "%s在每种测过的负载下都不如不比它大的变体：%[3]s。"},
	"finding.gain":          {"From %s to %s output throughput grows most with %s (%s) and least with %s (%s).", "从%s到%s，输出吞吐量增长最多的是%s（%s），最少的是%s（%s）。"},
	"finding.gain-loss":     {"From %s to %s output throughput grows most with %s (%s); with %s it falls (%s).", "从%s到%s，输出吞吐量增长最多的是%s（%s）；%s反而下降（%s）。"},
	"finding.gain-none":     {"From %s to %s output throughput grows with no variant: from %s (%s) to %s (%s).", "从%s到%s，没有变体的输出吞吐量增长：从%s（%s）到%s（%s）。"},
	"finding.collapse":      {"%s collapses under load: from %s to %s its %s goes from %s to %s (%s); with the others the factor is %s.", "%s在负载下崩溃：从%s到%s，%s由%s升至%s（%s）；其余变体为%s。"},
	"finding.wait":          {"From %s to %s %s grows %s, most with %s.", "从%s到%s，%s增至%s，增幅最大的是%s。"},
	"finding.effect":        {"%s, %s → %s: %s.", "%s由%s改为%s：%s。"},
	"finding.change":        {"%s %s → %s (%s)", "%s %s → %s（%s）"},

	"finding.single":      {"Every figure is of one run (n = 1). How much runs scatter is not known; differences under %s are not ranked.", "每个数字来自单次运行（n = 1），离散程度未知；%s 以内的差别不作排序。"},
	"finding.samples":     {"with as few as %d request P99 is close to the maximum; nothing here rests on it.|with as few as %d requests P99 is close to the maximum; nothing here rests on it.", "最少只有 %d 个请求，P99 几乎就是最大值；此处结论不以它为据。"},
	"finding.first-token": {"%[1]d of %[2]d mean TTFTs leaves no time, or hardly any, to compute the prompt (%[3]s of the dense peak): the prefix cache was probably warm, and this is no cold-start time.|%[1]d of %[2]d mean TTFTs leave no time, or hardly any, to compute the prompt (%[3]s of the dense peak): the prefix cache was probably warm, and these are no cold-start times.", "%[2]d 个平均 TTFT 中有 %[1]d 个来不及或几乎来不及计算提示词（需稠密峰值的 %[3]s）：前缀缓存很可能已命中，这不是冷启动的首 token 延迟。"},
	"finding.quality":     {"What quantization costs in quality was not measured.", "未测量量化对质量的影响。"},
	"finding.unjudged":    {"Runs that could not be held against the memory roofline: %d of %d. The size of the weights, the bandwidth or the tokens of a step are not known, or answers are too short.", "%[2]d 次运行中有 %[1]d 次无法用内存屋顶线检验：权重大小、带宽或每步 token 数未知，或回答太短。"},
	"finding.held":        {"%s %s", "%s%s"},
	"finding.because":     {"Because %s.", "因为%s。"},
	"finding.clauses":     {"%s, %s", "%s，%s"},
}
