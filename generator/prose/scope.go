package prose

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// subjects are the words by which a sentence says which metrics it is about.
// A metric is named by the beginning of its name.
var subjects = []struct {
	words   []string
	metrics []string
}{
	{[]string{"吞吐", "throughput", "tok/s", "tokens/s", "token/s", "tokens per second", "每秒"}, []string{"output_throughput", "peak_output_throughput", "decode_throughput"}},
	{[]string{"总吞吐", "total throughput", "total token"}, []string{"total_throughput"}},
	{[]string{"预填充", "输入吞吐", "prefill", "input throughput", "prompt processing"}, []string{"prefill_throughput", "input_throughput"}},
	{[]string{"请求吞吐", "request throughput", "req/s", "requests/s", "goodput"}, []string{"request_throughput", "goodput"}},
	{[]string{"ttft", "首 token", "首个 token", "首token", "first token", "首字"}, []string{"ttft_"}},
	{[]string{"tpot", "每 token", "每个 token", "per output token", "生成延迟"}, []string{"tpot_"}},
	{[]string{"itl", "inter-token", "token 间"}, []string{"itl_"}},
	{[]string{"e2e", "端到端", "end-to-end"}, []string{"e2el_"}},
	{[]string{"耗时", "时长", "duration"}, []string{"duration"}},
	{[]string{"权重", "体积", "weights"}, []string{"weight_size"}},
	{[]string{"功耗", "瓦", "watt", "power draw"}, []string{"power_"}},
	{[]string{"能耗", "能量", "energy"}, []string{"energy"}},
}

// latencies stand for all times of a request, unless a sentence names one.
var latencies = []string{"ttft_", "tpot_", "itl_", "e2el_", "batch_latency_"}

// tails are the words that speak of another statistic than mean or median.
var tails = []string{"p9", "p5", "p75", "p25", "分位", "尾", "最大", "最小", "最坏", "percentile", "tail", "worst", "maximum", "minimum"}

// scopeOf says what a number's sentence is about. Where it speaks of no
// metric, its passage counts, and at last everything of the number's
// dimension; the runs that another sentence names may well be others.
func (f *Figures) scopeOf(n number, passage string) scope {
	sentence := strings.ToLower(sentenceAt(passage, n.at))
	passage = strings.ToLower(passage)
	tail := containsAny(sentence, tails...)
	fits := func(one *series) bool {
		_, stat, ok := vocabulary.Statistic(one.name)
		return (n.isRelative() || one.dim == n.unit.dim) && (!ok || stat == "mean" || stat == "p50" || tail && stat != "std")
	}
	var s scope
	for _, metrics := range [][]string{about(sentence), about(passage), {""}} {
		for _, one := range f.series {
			if beginsWithAny(one.name, metrics...) && fits(one) {
				s.groups = append(s.groups, f.peers(one)...)
			}
		}
		if s.groups != nil {
			break
		}
	}
	s.named = f.named(sentence)
	return s
}

// about gives how the names of the metrics begin that a text in small letters
// is about.
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

// name is a word by which a text names runs: a label's value, or the site's
// title of it.
type name struct {
	word string // in small letters
	of   aspect
	runs []int // indices of the results
}

// naming are the labels whose values are names. Those of a load or scenario
// are everyday words, as "high": of them only the site's titles count.
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
	return names
}

// named marks the runs that a text in small letters names: in each aspect it
// speaks of, one of those it names. It is nil when the text names none.
func (f *Figures) named(text string) []bool {
	var spoken [aspects]bool
	var hit [aspects]map[int]bool
	for _, n := range f.names {
		if !holdsWord(text, n.word) {
			continue
		}
		if !spoken[n.of] {
			spoken[n.of], hit[n.of] = true, map[int]bool{}
		}
		for _, run := range n.runs {
			hit[n.of][run] = true
		}
	}
	var named []bool
	for i := range f.results {
		in := spoken != [aspects]bool{}
		for a := range hit {
			in = in && (!spoken[a] || hit[a][i])
		}
		if in && named == nil {
			named = make([]bool, len(f.results))
		}
		if in {
			named[i] = true
		}
	}
	return named
}

// holdsWord reports whether a text holds a word that is no part of a longer
// name: Qwen3-8B is not named by Qwen3-8B-FP8.
func holdsWord(text, word string) bool {
	joins := func(r rune) bool { return r < 0x80 && (isWord(byte(r)) && r != 0 || r == '-') }
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(word)
		if !(joins(lastRune(text[:i])) && joins(firstRune(word))) && !(joins(lastRune(word)) && joins(firstRune(text[end:]))) {
			return true
		}
		at = end
	}
}

// sentenceAt gives the sentence of a text that holds a byte.
func sentenceAt(text string, at int) string {
	start, end := 0, len(text)
	for i, r := range text {
		next := i + len(string(r))
		switch r {
		case '。', '！', '？', '；', ';':
		case '.', '!', '?':
			if next < len(text) && text[next] != ' ' && text[next] != '\n' {
				continue
			}
		default:
			continue
		}
		if next > at {
			end = next
			break
		}
		start = next
	}
	return text[start:end]
}
