package prose

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// subjects maps words of a sentence to the metrics it is about. A metric is given by the prefix of its name.
var subjects = []struct {
	words   []string
	metrics []string
}{
	{[]string{"吞吐", "throughput", "tok/s", "tokens/s", "token/s", "tokens per second", "每秒"}, []string{"output_throughput", "peak_output_throughput", "decode_throughput"}},
	{[]string{"总吞吐", "total throughput", "total token"}, []string{"total_throughput"}},
	{[]string{"预填充", "输入吞吐", "prefill", "input throughput", "prompt processing"}, []string{"prefill_throughput", "input_throughput"}},
	{[]string{"请求吞吐", "request throughput", "req/s", "requests/s", "goodput"}, []string{"request_throughput", "goodput"}},
	{[]string{"ttft", "首 token", "首个 token", "首token", "first token", "首字"}, []string{"ttft_"}},
	{[]string{"tpot", "每 token", "每个 token", "per output token", "per token", "a token every", "each token", "every token", "生成延迟"}, []string{"tpot_"}},
	{[]string{"itl", "inter-token", "token 间"}, []string{"itl_"}},
	{[]string{"e2e", "端到端", "end-to-end"}, []string{"e2el_"}},
	{[]string{"耗时", "时长", "duration"}, []string{"duration"}},
	{[]string{"权重", "体积", "weights"}, []string{"weight_size"}},
	{[]string{"功耗", "瓦", "watt", "power draw"}, []string{"power_"}},
	{[]string{"能耗", "能量", "energy"}, []string{"energy"}},
}

// latencies are all times of a request. A sentence about latency may refer to any of them if it names none.
var latencies = []string{"ttft_", "tpot_", "itl_", "e2el_", "batch_latency_"}

// families groups the times of a request that texts distinguish. Authors do not distinguish those of one group.
var families = [][]string{{"ttft_"}, {"tpot_", "itl_"}, {"e2el_"}}

// rates lists the throughputs that texts distinguish. The word throughput alone may mean any of them.
var rates = []struct {
	words   []string
	metrics []string
}{
	{[]string{"总吞吐", "total throughput", "total token"}, []string{"total_throughput"}},
	{[]string{"预填充", "输入吞吐", "prefill", "input throughput", "prompt processing"}, []string{"prefill_throughput", "input_throughput"}},
	{[]string{"输出吞吐", "生成吞吐", "解码", "output throughput", "output token throughput", "decode"}, []string{"output_throughput", "peak_output_throughput", "decode_throughput", "steady_output_throughput"}},
}

// statistics lists words for statistics of a time. They count beside the name of the time: "mean TTFT", "TTFT 的
// P99".
var statistics = []struct {
	words []string
	stats []string
}{
	{[]string{"平均", "均值", "mean", "average"}, []string{"mean"}},
	{[]string{"中位", "中值", "p50", "median"}, []string{"p50"}},
	{[]string{"p99"}, []string{"p99"}},
	{[]string{"p95"}, []string{"p95"}},
	{[]string{"p90"}, []string{"p90"}},
}

// tails are words for statistics other than mean or median.
var tails = []string{"p9", "p5", "p75", "p25", "分位", "尾", "最大", "最小", "最坏", "percentile", "tail", "worst", "maximum", "minimum"}

// scopeOf returns the figures that a relation in a text may refer to. If its sentence names no metric, the
// metrics of the passage count, and finally all metrics of the number's dimension.
func (f *Figures) scopeOf(n number, sent sentence) scope {
	tail := containsAny(sent.text, tails...)
	fits := func(one *series) bool {
		_, stat, ok := vocabulary.Statistic(one.name)
		return (n.isRelative() || one.dim == n.unit.dim) && (!ok || stat == "mean" || stat == "p50" || tail && stat != "std")
	}
	s := scope{covers: f.pairsOf(sent)}
	for _, metrics := range [][]string{about(sent.text), about(sent.passage), {""}} {
		for _, one := range f.series {
			if beginsWithAny(one.name, metrics...) && fits(one) {
				s.groups = append(s.groups, f.peers(one)...)
			}
		}
		if s.groups != nil {
			break
		}
	}
	return s
}

// about returns the name prefixes of the metrics that a lower-case text is about.
func about(text string) []string {
	text = strings.NewReplacer("功耗模式", "", "功率模式", "").Replace(text)
	var metrics []string
	latency := false
	for _, s := range subjects {
		if containsAny(text, s.words...) {
			metrics = append(metrics, s.metrics...)
			latency = latency || slices.Contains(latencies, s.metrics[0])
		}
	}
	if !latency && containsAny(text, "延迟", "时延", "latency", "latencies") {
		metrics = append(metrics, latencies...)
	}
	return metrics
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// name is a word that identifies runs in a text: a label's value, or the site's title for it.
type name struct {
	word string // in lower case
	of   aspect
	runs []int // indices of the results
}

// naming lists the labels whose values are names. Values of load and scenario are everyday words such as
// "high", so only the site's titles for them count.
var naming = []struct {
	label  string
	of     aspect
	titled bool
}{
	{"model", ofModel, false}, {"base_model", ofModel, false}, {"quantization", ofModel, false},
	{"load", ofLoad, true}, {"scenario", ofLoad, true},
	{"power_mode", ofSystem, false}, {"hardware", ofSystem, false},
}

func (f *Figures) nameRuns() []name {
	var names []name
	index := map[string]int{}
	add := func(word string, of aspect, run int) {
		word = strings.ToLower(word)
		n, ok := index[word]
		if !ok {
			n = len(names)
			index[word] = n
			names = append(names, name{word: word, of: of})
		}
		if names[n].of == of {
			names[n].runs = append(names[n].runs, run)
		}
	}
	for _, l := range naming {
		for i, r := range f.results {
			value := r.Label(l.label)
			if value == "" {
				continue
			}
			if !l.titled {
				add(value, l.of, i)
			}
			title, ok := f.titles[l.label][value]
			if !ok {
				continue
			}
			for _, lang := range locale.Languages {
				p, _ := locale.For(lang)
				add(p.Say(title), l.of, i)
			}
		}
	}
	// Int8 also names GPTQ-Int8.
	for i := range names {
		for _, other := range names {
			at := strings.LastIndex(other.word, names[i].word)
			if names[i].of == ofModel && other.of == ofModel && at > 0 && other.word[at-1] == '-' {
				names[i].runs = append(names[i].runs, other.runs...)
			}
		}
	}
	return names
}

// valueScope limits the figures that a number may be.
type valueScope struct {
	metric func(name string) bool // nil for any
	runs   []bool                 // nil for any
}

// afterFirst matches words that mention the first token but refer to the other tokens.
var afterFirst = lazy.Regexp(`(?:after|excluding|excl\.|without|beyond|since) (?:the )?first token|首个? ?token ?(?:之后|以后|后)|(?:不含|除去|除|不计|扣除)首个? ?token`)

// valuesOf returns the figures that a number in a sentence can be: those of the metrics and runs that its
// clause names or, if it names no runs, its sentence.
func (f *Figures) valuesOf(n number, s sentence) valueScope {
	clause := afterFirst().ReplaceAllString(s.clause, "")
	var names []string
	switch n.unit.dim {
	case duration:
		subjects := about(clause)
		for _, family := range families {
			if slices.ContainsFunc(family, func(m string) bool { return slices.Contains(subjects, m) }) && containsAny(clause, latencyWords...) {
				names = append(names, family...)
			}
		}
	case tokenRate:
		for _, rate := range rates {
			if containsAny(clause, rate.words...) {
				names = append(names, rate.metrics...)
			}
		}
	}
	v := valueScope{runs: f.runsOf(s)}
	stats := statisticsOf(clause)
	metric := func(name string) bool {
		if !beginsWithAny(name, names...) {
			return false
		}
		_, stat, ok := vocabulary.Statistic(name)
		return !ok || len(stats) == 0 || slices.Contains(stats, stat)
	}
	if len(names) > 0 && slices.ContainsFunc(f.series, func(one *series) bool { return one.dim == n.unit.dim && metric(one.name) }) {
		v.metric = metric
	}
	return v
}

// latencyWords are words for one particular time of a request.
var latencyWords = []string{"ttft", "首 token", "首个 token", "首token", "first token", "首字", "tpot", "每 token", "每个 token", "per output token", "per token",
	"a token every", "each token", "every token", "生成延迟", "itl", "inter-token", "token 间", "e2e", "端到端", "end-to-end"}

// statisticsOf returns the statistics that a clause names beside a time.
func statisticsOf(clause string) []string {
	var stats []string
	for _, s := range statistics {
		for _, word := range s.words {
			for _, time := range []string{"ttft", "tpot", "itl", "e2el", "首 token", "每 token"} {
				if containsAny(clause, word+" "+time, word+time, time+" "+word, time+" 的 "+word, time+" 的"+word, time+"的"+word) {
					stats = append(stats, s.stats...)
				}
			}
		}
	}
	return stats
}

// elsewhere are words of a sentence that names some runs but may give a figure of others.
var elsewhere = []string{"其他", "其余", "另一", "另外", "前者", "后者", "基线", "原版", "原始", "未量化", "原来", "此前", "之前", "从", "由", "→", "对比", "而非", "不如", "之差", "相差",
	"other", "the rest", "former", "latter", "unlike", "baseline", "original", "unquanti", "previous", "before", "instead", "rather than", "from ", "between", "everything else", "anything", "none of", "any of"}

// runsOf returns the runs that a number may belong to, nil for any: those that its clause names or, if it names
// none, its sentence.
func (f *Figures) runsOf(s sentence) []bool {
	if s.strange || containsAny(s.text, elsewhere...) {
		return nil
	}
	within := s.mentions
	inClause := slices.DeleteFunc(slices.Clone(s.mentions), func(m mention) bool { return !s.holds(m) })
	if len(inClause) > 0 {
		within = inClause
	}
	var spoken, base [aspects]bool
	for _, m := range within {
		if m.base {
			base[m.of] = true
		} else {
			spoken[m.of] = true
		}
	}
	for a := range base {
		if base[a] && !spoken[a] { // the run that is compared with the base is not named
			return nil
		}
	}
	if f.isFamily(within, s.text) {
		return nil
	}
	return f.union(within, nil)
}

// isFamily reports whether a text names a model but may mean its variants.
func (f *Figures) isFamily(mentions []mention, text string) bool {
	if !containsAny(text, "量化", "系列", "变体", "版本", "位", "精度", "quant", "family", "variant", "version", "-bit", "precision", "weights") {
		return false
	}
	for _, m := range mentions {
		for _, n := range f.names {
			if m.of == ofModel && n.of == ofModel && n.word != m.word && strings.HasPrefix(n.word, m.word) {
				return true
			}
		}
	}
	return false
}

// union returns the runs that match a mention in every aspect that is mentioned. If keep is not nil, only the
// mentions for which it returns true count. The result is nil if nothing is mentioned or no run matches.
func (f *Figures) union(mentions []mention, keep func(mention) bool) []bool {
	var hit [aspects][]bool
	for _, m := range mentions {
		if keep != nil && !keep(m) {
			continue
		}
		if hit[m.of] == nil {
			hit[m.of] = make([]bool, len(f.results))
		}
		for _, run := range m.runs {
			hit[m.of][run] = true
		}
	}
	var all []bool
	some := false
	for a := range hit {
		if hit[a] == nil {
			continue
		}
		if all == nil {
			all = slices.Clone(hit[a])
			continue
		}
		for i := range all {
			all[i] = all[i] && hit[a][i]
		}
	}
	for _, in := range all {
		some = some || in
	}
	if !some {
		return nil
	}
	return all
}

// pairsOf returns which runs a sentence may compare. If the sentence names the base ("3.6 times that of BF16"),
// the base must match it, and the figure must match what else is named in the same aspect. Otherwise one of the
// two runs must be among those named.
func (f *Figures) pairsOf(s sentence) func(figure, base int) bool {
	within := slices.DeleteFunc(slices.Clone(s.mentions), func(m mention) bool { return !s.holds(m) })
	isBase := func(m mention) bool { return m.base }
	if !slices.ContainsFunc(within, isBase) {
		within = s.mentions
	}
	either := func(named []bool) func(int, int) bool {
		return func(a, b int) bool { return named == nil || named[a] || named[b] }
	}
	i := slices.IndexFunc(within, isBase)
	if i < 0 || f.isFamily(within, s.text) {
		return either(f.union(within, nil))
	}
	of := within[i].of
	base := f.union(within, func(m mention) bool { return m.of != of || m.base })
	figure := f.union(within, func(m mention) bool { return m.of != of || !m.base })
	if base == nil {
		return either(f.union(within, nil))
	}
	if s.strange {
		figure = nil
	}
	loose := containsAny(s.text, elsewhere...)
	return func(a, b int) bool {
		switch {
		case loose:
			return base[a] || base[b]
		default:
			return base[b] && (figure == nil || figure[a])
		}
	}
}
