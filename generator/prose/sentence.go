package prose

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// sentence is the sentence that contains a number, with the runs it names. Its texts are in lower case.
type sentence struct {
	text     string
	passage  string
	at       int       // offset of the number in text
	clause   string    // part of the sentence that contains the number, with the clauses before that contain no number
	offset   int       // offset of clause in text
	plain    string    // the clause without names and without words of a bound
	mentions []mention // names in the sentence, in order
	ratio    bool      // the number is a multiple
	strange  bool      // it contains a word that looks like a name but is in no label, such as Int8 of W8A16
}

// holds reports whether a mention is in the clause.
func (s *sentence) holds(m mention) bool {
	return s.offset <= m.start && m.end <= s.offset+len(s.clause)
}

// bounds removes the words of a bound, which compare nothing.
var bounds = strings.NewReplacer("more than", "", "less than", "", "fewer than", "",
	"大于", "", "小于", "", "多于", "", "少于", "", "至少", "", "最多", "", "多达", "", "高达", "", "最高", "", "最低", "", "最大", "", "最小", "")

// mention is the occurrence of a name in a sentence.
type mention struct {
	start, end int
	*name
	base bool // it is the base of a comparison: "than BF16", "是 BF16 的 3 倍"
}

// sentenceOf analyses the sentence of a passage that contains a number.
func (f *Figures) sentenceOf(n number, passage string) sentence {
	start, end := sentenceAt(passage, n.at)
	s := sentence{text: lower(passage[start:end]), passage: lower(passage), at: n.at - start}
	s.ratio = n.unit.dim == ratio
	s.offset, s.clause = clauseAt(s.text, max(0, n.start-start), min(n.end-start, end-start))
	s.mentions = f.mentionsIn(s.text)
	for i := range s.mentions {
		s.mentions[i].base = s.isBase(s.mentions[i])
	}
	s.plain = s.clause
	for _, m := range slices.Backward(s.mentions) {
		if s.holds(m) {
			s.plain = s.plain[:m.start-s.offset] + " " + s.plain[m.end-s.offset:]
		}
	}
	s.plain = bounds.Replace(s.plain)
	rest := passage[start:end]
	for _, m := range slices.Backward(s.mentions) {
		rest = rest[:m.start] + " " + rest[m.end:]
	}
	s.strange = slices.ContainsFunc(likeNames().FindAllString(rest, -1), func(name string) bool { return !slices.Contains(noNames, strings.ToLower(name)) })
	return s
}

// likeNames matches words that look like the name of a model, a format or a machine.
var likeNames = lazy.Regexp(`[A-Za-z][A-Za-z_.-]*[0-9][\w.-]*|\b[A-Z]{2,}\b`)

// noNames are words that match likeNames but are not names.
var noNames = []string{"ttft", "tpot", "itl", "e2el", "e2e", "p50", "p90", "p95", "p99", "p99.9", "llm", "gpu", "gb", "gib", "mb", "mib", "tb", "tps", "qps", "rps", "mbu", "kv", "slo", "id"}

// lower is strings.ToLower if that does not change the length of s, else it lowers only ASCII letters. So
// offsets stay valid.
func lower(s string) string {
	if l := strings.ToLower(s); len(l) == len(s) {
		return l
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// mentionsIn returns the names in a text. Of names within another name, only the longest counts.
func (f *Figures) mentionsIn(text string) []mention {
	var all []mention
	for i := range f.names {
		n := &f.names[i]
		for at := 0; ; {
			k := strings.Index(text[at:], n.word)
			if k < 0 {
				break
			}
			k += at
			at = k + len(n.word)
			if isWhole(text, k, at) {
				all = append(all, mention{start: k, end: at, name: n})
			}
		}
	}
	all = slices.DeleteFunc(all, func(m mention) bool {
		return slices.ContainsFunc(all, func(o mention) bool {
			return o.start <= m.start && m.end <= o.end && o.end-o.start > m.end-m.start
		})
	})
	slices.SortStableFunc(all, func(a, b mention) int { return a.start - b.start })
	return all
}

// isWhole reports whether a word of a text is not part of a longer name: Qwen3-8B-FP8 does not mention
// Qwen3-8B.
func isWhole(text string, start, end int) bool {
	joins := func(r rune) bool { return r < 0x80 && (isWord(byte(r)) && r != 0 || r == '-') }
	word := text[start:end]
	return !(joins(lastRune(text[:start])) && joins(firstRune(word))) && !(joins(lastRune(word)) && joins(firstRune(text[end:])))
}

// Words before and after a name that make it the base of a comparison.
var (
	baseBefore = []string{"than", "compared with", "compared to", "compared against", "relative to", "versus", "vs", "vs.", "against", "over", "times", "×", "% of",
		"that of", "those of", "third of", "quarter of", "half of", "half", "unlike", "from", "instead of", "rather than", "twice", "double", "triple",
		"比", "比起", "较", "相较于", "相较", "相比", "相比于", "相对于", "相对", "与", "不如", "而非", "优于", "从", "由", "高于", "低于", "快于", "慢于", "超过", "超出", "高出"}
	baseFillers = []string{"the ", "its ", "that of ", "those of ", "what ", "with ", "at ", "on ", "in ", "under "}
	baseAfter   = []string{"的", "时的", "下的", "版的", "版本的", "变体的", "吞吐的", "吞吐量的", "权重的", "体积的", "延迟的"}
)

// ofThings are the properties of a run that can be multiplied.
var ofThings = []string{"throughput", "ttft", "tpot", "itl", "e2el", "weights", "weight", "size", "latency", "rate", "speed", "energy", "power", "time"}

// isBase reports whether a mention names the base of a comparison.
func (s *sentence) isBase(m mention) bool {
	before := strings.TrimRight(s.text[:m.start], blanks)
	for trimmed := true; trimmed; {
		trimmed = false
		for _, filler := range baseFillers {
			if rest, ok := strings.CutSuffix(before+" ", " "+filler); ok {
				before, trimmed = strings.TrimRight(rest, blanks), true
			}
		}
	}
	for _, word := range baseBefore {
		if rest, ok := strings.CutSuffix(before, word); ok && (word[0] >= 0x80 || !isWord(word[0]) || rest == "" || !isWord(rest[len(rest)-1])) {
			if word == "与" && !containsAny(s.text[m.end:], "相比", "比较") {
				continue
			}
			return true
		}
	}
	// "3.6× the throughput of BF16": the run after "of" is the base.
	if rest, ok := strings.CutSuffix(before, " of"); ok && s.ratio && s.at < m.start && endsWithAny(rest, ofThings...) {
		return true
	}
	// "BF16 的 3.6 倍": only a word like 约 may be between.
	after := strings.TrimLeft(s.text[m.end:], blanks)
	for _, word := range baseAfter {
		if rest, ok := strings.CutPrefix(after, word); ok && isQuantity(rest) {
			return true
		}
	}
	return false
}

// isQuantity reports whether a text begins with a number, in digits or words.
func isQuantity(s string) bool {
	for trimmed := true; trimmed; {
		trimmed = false
		s = strings.TrimLeft(s, blanks)
		for _, filler := range []string{"大约", "约", "近", "将近", "接近", "不到", "不足", "超过", "差不多", "~", "≈", "整整"} {
			if rest, ok := strings.CutPrefix(s, filler); ok {
				s, trimmed = rest, true
			}
		}
	}
	return beginsWithDigit(s) || beginsWithAny(s, "一半", "百分之", "两倍", "三分之", "四分之", "五分之", "十分之") ||
		strings.ContainsRune("一二两三四五六七八九十", firstRune(s)) && containsAny(s[:min(len(s), 9)], "倍", "成")
}

// sentenceAt returns the start and end of the sentence of a text that contains a byte.
func sentenceAt(text string, at int) (start, end int) {
	end = len(text)
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
	return start, end
}

// clauseEnds separate the clauses of a sentence.
var clauseEnds = []string{"，", ", ", ",\n", "：", ": ", " while ", " whereas ", " but "}

// clauseAt returns the clause of a sentence around the range from start to end. It includes the clauses
// directly before it that contain no number, so that lists of names and introductions count. If the sentence
// lists figures in turn ("respectively"), it returns the whole sentence.
func clauseAt(text string, start, end int) (offset int, clause string) {
	if containsAny(text, "分别", "依次", "respectively", "in turn") {
		return 0, text
	}
	begins, to := []int{0}, len(text)
	for i := 0; i < len(text); {
		n := 0
		for _, sep := range clauseEnds {
			if strings.HasPrefix(text[i:], sep) {
				n = len(sep)
			}
		}
		switch {
		case n > 0 && i+n <= start:
			begins = append(begins, i+n)
		case n > 0 && i >= end:
			to = min(to, i)
		}
		i += max(1, n)
	}
	k := len(begins) - 1
	for k > 0 && len(numbers(text[begins[k-1]:begins[k]])) == 0 {
		k--
	}
	return begins[k], text[begins[k]:to]
}
