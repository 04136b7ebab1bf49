package importer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/lazy"
)

// facet is one fact, as a label and its value.
type facet struct {
	label, value string
	raw          string // a model as written in the text, such as "/models/Qwen/Qwen3-8B"
	unsure       bool   // recognised in a text that does not state it directly
	note         string // why it is unsure
}

// kindOr returns guess if the fact is unsure, and k otherwise.
func (f facet) kindOr(k kind) kind {
	if f.unsure {
		return guess
	}
	return k
}

// Ranks order titles of a text that has lost its heading levels: a model's section contains the sections of its loads,
// not the other way round, unless the text says so.
const rankLoad = 2

var ranks = map[string]int{
	"hardware": 6, "model": 5,
	"quantization": 4, "engine": 4, "engine_version": 4, "power_mode": 4, "clocks": 4, "parallelism": 4, "accelerators": 4,
	"scenario": 3, "load": rankLoad,
}

func rank(label string) int {
	if n, ok := ranks[label]; ok {
		return n
	}
	return 1
}

// rankOf returns the highest rank of the facets.
func rankOf(facets []facet) int {
	n := 0
	for _, f := range facets {
		n = max(n, rank(f.label))
	}
	return n
}

// overlap reports whether two titles have a label in common.
func overlap(a, b []facet) bool {
	return slices.ContainsFunc(a, func(f facet) bool {
		return slices.ContainsFunc(b, func(g facet) bool { return f.label == g.label })
	})
}

// pattern recognises one kind of fact in the words of a title. Value is the value of the label; if it is empty, the
// first group that matched is.
type pattern struct {
	label string
	value string
	re    func() *lazy.Pattern
}

func words(label, value, expr string) pattern {
	return pattern{label, value, lazy.Regexp(`(?i)` + expr)}
}

// patterns are tried in this order. Words that one has recognised are removed before the next is tried.
var patterns = []pattern{
	{"power_mode", "", lazy.Regexp(`\b(MAXN(?:[_ ]SUPER)?|\d{1,4} ?W)\b`)},
	words("clocks", "free", `(?:without|no|未运行|不) *jetson_clocks|(?:unlocked|free|dynamic) (?:gpu )?clocks|不锁频|未锁频`),
	words("clocks", "locked", `jetson_clocks|(?:locked|fixed|pinned) (?:gpu )?clocks|锁频|锁定频率`),
	words("load", "high", `\b(?:high|heavy|peak|full)[- ](?:load|concurrency|traffic)\b|[高重](?:负载|并发|压力)(?:场景|度|量)?`),
	words("load", "low", `\b(?:low|light)[- ](?:load|concurrency|traffic)\b|\bsingle[- ](?:user|stream|request)\b|低(?:负载|并发|压力)(?:场景|度|量)?|轻负载|单用户|单并发`),
	words("load", "medium", `\b(?:medium|moderate|mid)[- ](?:load|concurrency|traffic)\b|中等?(?:负载|并发|压力)(?:场景|度|量)?`),
	words("max_concurrency", "", `(?:\bmax(?:imum)?[-_ ]*)?\b(?:concurrency|concurrent[-_ ]requests)\s*(?:of\s+)?[:：=]?\s*(\d+)\b|\bc ?= ?(\d+)\b|\b(\d+)[- ](?:concurrent(?: requests| users| clients)?|users|clients)\b|(?:最大)?并发(?:数|量)?\s*[:：=]?\s*(\d+)|(\d+)\s*(?:个)?并发`),
	words("request_rate", "", `\b(?:qps|rps|request[-_ ]rate)\s*[:：=]?\s*(inf(?:inity)?|\d+(?:\.\d+)?)\b|\b(\d+(?:\.\d+)?) ?(?:qps|rps|req/s)\b`),
	words("num_prompts", "", `\b(?:num[-_ ]prompts)\s*[:：=]?\s*(\d+)\b|\b(\d+) (?:prompts|requests)\b|(\d+)\s*(?:个|条)?请求`),
	words("input_len", "", `\b(?:random[-_ ])?(?:input|isl|prompt)(?:[-_ ](?:len(?:gth)?|tokens))?\s*[:：=]?\s*(\d+)(?: ?tokens?)?\b|\b(\d+) ?(?:tokens? )?(?:in|input)\b|输入(?:序列)?(?:长度)?\s*[:：=]?\s*(\d+)`),
	words("output_len", "", `\b(?:random[-_ ])?(?:output|osl)(?:[-_ ](?:len(?:gth)?|tokens))?\s*[:：=]?\s*(\d+)(?: ?tokens?)?\b|\b(\d+) ?(?:tokens? )?(?:out|output)\b|输出(?:序列)?(?:长度)?\s*[:：=]?\s*(\d+)`),
	{"parallelism", "", lazy.Regexp(`\b(?:TP|tp|tensor[- ]parallel(?:ism)?)[ =-]?(\d+)\b`)},
	{"accelerators", "", lazy.Regexp(`\b(\d+) ?[x×*] ?(?:` + gpus + `)`)},
	{"hardware", "", lazy.Regexp(`\b((?:` + gpus + `)(?:[ -]\d+ ?GB| SXM\d?| PCIe| NVL)*)`)},
	words("quantization", "", `\b(BF16|FP16|FP8|FP4|NVFP4|MXFP4|INT8|INT4|AWQ(?:[- ](?:INT)?[48](?:bit)?)?|GPTQ(?:[- ](?:INT)?[48](?:bit)?)?|W\d{1,2}A\d{1,2}|I?Q\d_[A-Z0-9_]+)\b`),
}

// gpus matches the names of accelerators in headings.
const gpus = `(?:NVIDIA |AMD )?(?:GeForce )?(?:RTX (?:PRO |A)?\d{4}(?: ?Ti| SUPER| Ada|D)*|RTX\d{4}|[ABHL]\d{2,3}[sS]?|V100|T4|GH200|GB\d{2,3}|MI\d{3}[XAP]?|DGX Spark|Jetson (?:AGX |Orin |Xavier )?(?:Thor|Orin|Xavier|Nano|NX)(?: NX| Nano)?)\b`

var (
	engineVersion = lazy.Regexp(`(?i)\b(vllm|sglang|tensorrt-llm|trt-llm|lmdeploy|ollama|llama\.cpp)[ :：=@]*(?:version|版本)?[ :：=@v]*(\d+\.\d+(?:\.\d+)*(?:[-+.]?[a-z0-9]+)*)`)
	engineAlone   = lazy.Regexp(`(?i)\b(vllm|sglang|tensorrt-llm|trt-llm|lmdeploy|ollama|llama\.cpp)\b([ -]*bench\w*)?`)
	noSetting     = lazy.Regexp(`(?i)\b(?:no|without) (max[-_ ]?concurrency|request[-_ ]rate)(?: setting| limit| cap)?`)
	scenarioOf    = lazy.Regexp(`(?i)^(?:scenario|workload|场景)\s*[:：]\s*(.+)$|^(.+?)\s*(?:场景|\bscenario|\bworkload|\buse case)$`)
)

// scenarios maps words for common scenarios to their names.
var scenarios = map[string]string{
	"对话": "chat", "聊天": "chat", "chat": "chat", "chatbot": "chat", "conversation": "chat",
	"高吞吐": "throughput", "高吞吐量": "throughput", "high throughput": "throughput", "high-throughput": "throughput",
	"长上下文": "long-context", "long context": "long-context", "long-context": "long-context",
	"预热": "warmup", "warmup": "warmup", "warm-up": "warmup", "warm up": "warmup",
	"摘要": "summarization", "summarization": "summarization", "summarisation": "summarization",
	"rag": "rag",
}

// loads maps words to a load. They apply only if nothing else is left of a title.
var loads = map[string]string{
	"high": "high", "heavy": "high", "高": "high", "满载": "high", "重载": "high",
	"low": "low", "light": "low", "低": "low", "轻载": "low",
	"medium": "medium", "中": "medium",
}

// glue matches words that a title may contain besides its facts.
var glue = lazy.Regexp(`(?i)\b(?:the|a|an|and|with|at|for|of|on|in|using|running|run|runs|results?|tests?|tested|benchmarks?|benchmarking|serving|mode|load|scenario|workload|model|quantized|quantization|gpus?|case|output|baseline|raw)\b|基准测试|性能测试|测试|结果|模型|模式|场景|量化|精度|输出|下|的|时|与|和`)

// maxTitle is the greatest length of a bare title in characters.
const maxTitle = 60

// bareFacets returns the facets of a bare line if the line is a title.
func bareFacets(words string) []facet {
	if utf8.RuneCountInString(words) > maxTitle {
		return nil
	}
	return facetsOf(words, false)
}

// facetsOf returns the facets of a title. A heading may contain other words too; a bare line is only a title if it
// contains nothing else.
func facetsOf(text string, heading bool) []facet {
	rest := text
	var found []facet
	add := func(f facet) { found = append(found, f) }

	models, left := modelsIn(rest)
	rest = left
	for _, m := range models {
		add(m)
	}
	if engine, all := engineIn(rest); engine != nil {
		found = append(found, engine...)
		rest = strings.Replace(rest, all, " ", 1)
	}
	for _, m := range engineAlone().FindAllStringSubmatch(rest, -1) {
		if m[2] == "" { // "vLLM benchmark" names the client
			add(facet{label: "engine", value: engineName(m[1])})
			rest = strings.Replace(rest, m[0], " ", 1)
		}
	}
	for _, m := range noSetting().FindAllStringSubmatch(rest, -1) {
		add(facet{label: settingLabel(m[1])})
	}
	rest = noSetting().ReplaceAllString(rest, " ")
	for _, p := range patterns {
		for _, m := range p.re().FindAllStringSubmatch(rest, -1) {
			f := facet{label: p.label, value: p.value}
			for _, group := range m[1:] {
				if f.value == "" {
					f.value = group
				}
			}
			f.value = tidy(f.label, f.value)
			add(f)
		}
		rest = p.re().ReplaceAllStringFunc(rest, func(m string) string {
			if p.label == "accelerators" { // keep the name of the hardware for the next pattern
				return " " + strings.TrimLeft(m, "0123456789 x×*")
			}
			return " "
		})
	}
	if s, ok := scenarioIn(rest); ok {
		add(facet{label: "scenario", value: s})
		rest = ""
	} else if load := loads[strings.ToLower(trimSigns(rest))]; load != "" {
		add(facet{label: "load", value: load})
		rest = ""
	}
	if !heading && !isGlue(rest) {
		return nil
	}
	return unambiguous(found)
}

// engineIn returns the first engine that is named with its version, and the matched words. It ignores a truncated
// version ("0.10.1...").
func engineIn(text string) ([]facet, string) {
	m := engineVersion().FindStringSubmatchIndex(text)
	if m == nil || strings.HasPrefix(text[m[1]:], "..") || strings.HasPrefix(text[m[1]:], "…") {
		return nil, ""
	}
	return []facet{
		{label: "engine", value: engineName(text[m[2]:m[3]])},
		{label: "engine_version", value: text[m[4]:m[5]]},
	}, text[m[0]:m[1]]
}

// settingLabel returns the label of a setting that is stated to be unset. The facet then has no value.
func settingLabel(words string) string {
	if strings.HasPrefix(strings.ToLower(words), "max") {
		return "max_concurrency"
	}
	return "request_rate"
}

// unambiguous drops labels to which a title gives two values: "FP8 or BF16" and "A against B" are about both.
func unambiguous(found []facet) []facet {
	var out []facet
	for _, f := range found {
		same := func(g facet) bool { return g.label == f.label && g.value == f.value }
		other := func(g facet) bool { return g.label == f.label && g.value != f.value }
		if !slices.ContainsFunc(found, other) && !slices.ContainsFunc(out, same) {
			out = append(out, f)
		}
	}
	return out
}

// scenarioIn recognises a scenario if nothing else is left of a title.
func scenarioIn(rest string) (string, bool) {
	rest = strings.ToLower(strings.Join(strings.Fields(trimSigns(rest)), " "))
	if s, ok := scenarios[rest]; ok {
		return s, true
	}
	if m := scenarioOf().FindStringSubmatch(rest); m != nil {
		name := trimSigns(m[1] + m[2])
		if s, ok := scenarios[name]; ok {
			return s, true
		}
		if name != "" && len(strings.Fields(name)) <= 3 && !isGlue(name) {
			return slug(name), true
		}
	}
	return "", false
}

// isGlue reports whether a text contains nothing but glue.
func isGlue(text string) bool {
	return strings.IndexFunc(glue().ReplaceAllString(text, " "), isWordRune) < 0
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// trimSigns removes signs and symbols from both ends of a text.
func trimSigns(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return !isWordRune(r) && r != '(' && r != '（' })
}

// tidy converts a value to the form that labels use.
func tidy(label, value string) string {
	switch label {
	case "power_mode":
		return strings.ReplaceAll(strings.ToUpper(strings.ReplaceAll(value, " W", "W")), " ", "_")
	case "parallelism":
		return "tp" + value
	case "quantization":
		return quantizationName(value)
	case "request_rate":
		if strings.HasPrefix(strings.ToLower(value), "inf") {
			return "inf"
		}
	}
	return value
}

func engineName(s string) string {
	switch s = strings.ToLower(s); s {
	case "trt-llm":
		return "tensorrt-llm"
	}
	return s
}

var (
	numbering = lazy.Regexp(`^(?:\d{1,2}(?:\.\d{1,2})+[.)、]?\s+|\(?\d{1,2}[.)、]\s*|\(?[一二三四五六七八九十]+[、.)]\s*|\d️?⃣\s*|第[一二三四五六七八九十\d]+[章节部分]+\s*)(\D|\d+[^\d.]|$)`)
	unit      = lazy.Regexp(`(?i)^(?:req/s|qps|rps|tok|[gmk]?b\b|w\b|[x×*])`)
	htmlTag   = lazy.Regexp(`</?[a-zA-Z][^<>]*>`)
	address   = lazy.Regexp(`\S*://\S*`)
	mdLink    = lazy.Regexp(`!?\[([^\]]*)\]\([^)]*\)`)
	mdID      = lazy.Regexp(`\s*\{[#:][^}]*\}\s*$`)
	banner    = lazy.Regexp(`^[=#*~>\-_\s]+|[=#*~\-_\s]+$`)
)

// cleanTitle removes the markup of a title or list item: signs, numbers, emphasis, links.
func cleanTitle(text string) string {
	text = mdLink().ReplaceAllString(text, "$1")
	text = htmlTag().ReplaceAllString(text, "")
	text = address().ReplaceAllString(mdID().ReplaceAllString(text, ""), "")
	text = strings.NewReplacer("**", "", "__", "", "`", "", "（", "(", "）", ")").Replace(text)
	text = strings.TrimSpace(banner().ReplaceAllString(strings.TrimSpace(text), ""))
	text = strings.TrimLeft(text, "+•· ")
	if rest := numbering().ReplaceAllString(text, "$1"); !unit().MatchString(rest) {
		text = rest
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ":："))
}

var (
	campaignZH = lazy.Regexp(`^[^，。,；]{0,16}(?:基准测试|性能测试|压力测试|负载测试|压测)(?:\s*\([^)]*\))?$`)
	campaignEN = lazy.Regexp(`(?i)^(?:[\w./-]+ ){0,3}(?:benchmarks?|benchmarking|(?:load|stress) tests?)(?:\s*\([^)]*\))?$`)
	instructs  = lazy.Regexp(`(?i)^(?:运行|执行|进行|开始|启动|安装|如何|怎么|怎样|使用|run|running|how|execute|start|starting|install|use|using|this|that|the|we|our|it|a|an)(?:[^\w-]|$|\p{Han})`)
	outcome    = lazy.Regexp(`(?i)^(?:\w+ ){0,2}(?:outputs?|results?)$|^.{0,6}(?:结果|输出)$`)
	closing    = lazy.Regexp(`(?i)^.{0,8}(?:分析|总结|小结|结论|讨论|测试配置|测试环境|实验环境|参考资料|参考|附录)$|^(?:\w+ )?(?:analysis|summary|conclusions?|discussion|references|appendix|test (?:configuration|setup|environment))$`)
)

// isCampaign recognises a bare title that begins a new set of benchmarks, in a text without headings. "Run the
// benchmark" is an instruction instead.
func isCampaign(words string) bool {
	return (campaignZH().MatchString(words) || campaignEN().MatchString(words)) && !instructs().MatchString(words)
}

// isOutcome recognises the heading of a benchmark's output.
func isOutcome(words string) bool { return outcome().MatchString(words) }

// isClosing recognises the bare title of a part that follows the results.
func isClosing(words string) bool { return closing().MatchString(words) }
