package hardware

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/lazy"
)

// set is a set of words.
type set map[string]bool

func setOf(words ...string) set {
	s := set{}
	for _, w := range words {
		s[w] = true
	}
	return s
}

func (s set) has(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !s[w] })
}

// noise lists the words that name only a vendor, a brand or a kind of product. The first word of a product's
// name is its vendor.
var noise = sync.OnceValue(func() set {
	words := setOf(strings.Fields(`
		habana ascend cloud amazon huawei intel google aws
		tesla geforce instinct rtx gtx rx radeon arc jetson tensor core cores silicon
		gpu gpus npu graphics card cards accelerator accelerators oam module developer devkit dev kit generation gen edition
		memory unified ram vram video chip soc board desktop founders fe oc single each of on with w and the node
		gddr5 gddr6 gddr7 lpddr5 lpddr5x maxn corporation inc
		radv amdvlk llvm rocm vulkan open source driver navi10 navi21 navi22 navi23 navi24 navi31 navi32 navi33 navi44 navi48 gfx1030 gfx1100 gfx1101 gfx1200 gfx1201`)...)
	for _, r := range table() {
		if vendor := fields(plainName(r.name)); r.need == "" && len(vendor) > 1 {
			words[vendor[0]] = true
		}
	}
	return words
})

// known is a row prepared for matching.
type known struct {
	row
	needs []set // a name must contain all words of one of these
	words set   // words that a name may contain
	exact []set // names that mean this row only
}

type index struct {
	rows       []known
	dictionary set
}

var prepared = sync.OnceValue(func() *index {
	in := &index{dictionary: maps.Clone(noise())}
	for _, r := range table() {
		in.rows = append(in.rows, prepare(r))
	}
	for _, k := range in.rows {
		maps.Copy(in.dictionary, k.words)
		for _, need := range k.needs {
			maps.Copy(in.dictionary, need)
		}
	}
	return in
})

func prepare(r row) known {
	plain := func(text string) []string { return fields(plainName(text)) }
	k := known{row: r, words: setOf(slices.Concat(plain(r.id), plain(r.name), plain(r.may))...)}
	for _, name := range []string{r.id, r.name} {
		k.exact = append(k.exact, significant(plain(name)))
	}
	if r.memory > 0 {
		k.words[strconv.FormatFloat(r.memory, 'f', -1, 64)+"gb"] = true
	}
	if r.need == "" {
		need := significant(plain(r.name))
		maps.DeleteFunc(need, func(w string, _ bool) bool { return isSize(w) })
		k.needs = []set{need}
		return k
	}
	for alternative := range strings.SplitSeq(r.need, "|") {
		need := setOf(plain(alternative)...)
		k.needs = append(k.needs, need)
		maps.Copy(k.words, need)
	}
	return k
}

// significant returns the words that distinguish products.
func significant(words []string) set {
	s := setOf(words...)
	maps.DeleteFunc(s, func(w string, _ bool) bool { return noise()[w] })
	return s
}

// findOne returns the accelerator for a name of a single product.
func findOne(name string) (Match, bool) {
	text, count := plainName(name), 0
	rows := prepared().matching(text)
	if rows == nil { // MLU370-X8 is one accelerator, but H100 X8 are eight
		text, count = counted(text)
		rows = prepared().matching(text)
	}
	if rows == nil {
		return Match{}, false
	}
	slices.SortStableFunc(rows, func(a, b known) int {
		return cmp.Or(cmp.Compare(b.bandwidth, a.bandwidth), cmp.Compare(b.peak.bf16, a.peak.bf16), cmp.Compare(b.peak.int8, a.peak.int8),
			cmp.Compare(b.memory, a.memory))
	})
	m := Match{Spec: rows[0].spec(), Count: count}
	if len(rows) > 1 {
		for _, r := range rows {
			m.Variants = append(m.Variants, r.name)
		}
	}
	return m, true
}

// findList returns the accelerator for a list of names that all mean the same, such as "NVIDIA H100, NVIDIA
// H100".
func findList(name string) (Match, bool) {
	var sum Match
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(",;+&", r) })
	if len(parts) < 2 {
		return Match{}, false
	}
	for i, part := range parts {
		m, ok := findOne(part)
		if !ok || i > 0 && m.ID != sum.ID {
			return Match{}, false
		}
		m.Count = max(m.Count, 1) + sum.Count
		sum = m
	}
	return sum, true
}

// matching returns the rows that a plain name may mean, or only the row that has exactly this name.
func (in *index) matching(name string) []known {
	words, ok := in.segment(fields(name))
	if !ok {
		return nil
	}
	query, plain := setOf(words...), significant(words)
	if len(plain) == 0 {
		return nil
	}
	if last := len(words) - 1; strings.HasPrefix(words[last], "x") && slices.Contains(words[:last], words[last]) {
		return nil // MLU370-X8 x8: the second x8 is a count
	}
	var rows []known
	for _, k := range in.rows {
		if !slices.ContainsFunc(k.needs, func(need set) bool { return query.has(slices.Collect(maps.Keys(need))) }) {
			continue
		}
		fits := func(w string) bool { return k.words[w] || k.memory == 0 && strings.HasSuffix(w, "gb") }
		if slices.ContainsFunc(slices.Collect(maps.Keys(plain)), func(w string) bool { return !fits(w) }) {
			continue
		}
		if slices.ContainsFunc(k.exact, func(name set) bool { return maps.Equal(name, plain) }) {
			return []known{k}
		}
		rows = append(rows, k)
	}
	return rows
}

// segment splits words that are written together: "rtx4090d" is rtx 4090 d.
func (in *index) segment(words []string) ([]string, bool) {
	var out []string
	for _, word := range words {
		parts, ok := in.split(word)
		if !ok {
			return nil, false
		}
		out = append(out, parts...)
	}
	return out, true
}

// split divides a word into words of the dictionary. It tries longer ones first.
func (in *index) split(word string) ([]string, bool) {
	if word == "" || in.dictionary[word] || isSize(word) {
		return []string{word}, true
	}
	dead := make([]bool, len(word)) // positions from which no division succeeds
	var from func(at int) ([]string, bool)
	from = func(at int) ([]string, bool) {
		if at == len(word) {
			return nil, true
		}
		for end := len(word); end > at && !dead[at]; end-- {
			if in.dictionary[word[at:end]] {
				if rest, ok := from(end); ok {
					return append([]string{word[at:end]}, rest...), true
				}
			}
		}
		dead[at] = true
		return nil, false
	}
	return from(0)
}

// isSize reports whether a word is a memory size or a number of cores.
func isSize(word string) bool { return sizeWord().MatchString(word) }

func fields(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) })
}

func isWordRune(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127 }

// plainName normalises a name: lower case, Latin words, and uniform notations of memory sizes and Apple's
// products.
var plainName = lazy.Recent(1000, func(name string) string {
	name = translated().Replace(strings.ToLower(name))
	name = machines().ReplaceAllString(name, " ")
	name = cpuCores().ReplaceAllString(name, " ")
	name = gpuCores().ReplaceAllString(name, "${1}${3}${2}${4}core ")
	name = sizes().ReplaceAllString(name, "${1}${2}gb ")
	name = powers().ReplaceAllString(name, " ")
	name = maxQ().ReplaceAllString(name, "maxq")
	return strings.Join(strings.Fields(name), " ")
})

var (
	sizeWord = lazy.Regexp(`^\d+(?:\.\d+)?(?:gb|core)$`)
	sizes    = lazy.Regexp(`(^|[^a-z0-9.])(\d+)[ -]?(?:gib|gb|g)\b`)
	gpuCores = lazy.Regexp(`(^|[^a-z0-9])(\d+)[- ]?(?:cores?|c)\b(?:[- ]gpu)?|(^|[^a-z0-9])(\d+)[- ]gpu[- ]cores?\b`)
	cpuCores = lazy.Regexp(`\b\d+[- ]?(?:cores?|c)[- ]cpu\b`)
	powers   = lazy.Regexp(`@? ?\b\d+ ?w\b`)
	maxQ     = lazy.Regexp(`\bmax[- ]?q\b`)
	machines = lazy.Regexp(`\b(?:macbook ?(?:pro|air)|mac ?(?:studio|mini|pro)|imac|ipad ?pro|(?:gmktec ?)?evo-?x2)\b(?: ?\d\d(?:["”]|[- ]?inch)?\b)?|\b\d\d(?:\.\d)?(?:["”]|[- ]?inch\b)|\b20[12]\d\b`)
)

// translated replaces signs and Chinese names by Latin words.
var translated = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("_", " ", "(r)", " ", "(tm)", " ", "®", " ", "™", " ", "×", " x ", "✕", " x ", "（", "(", "）", ")", "，", ",", "、", ",", "＋", "+",
		"英伟达", " nvidia ", "华为", " huawei ", "昇腾", " ascend ", "苹果", " apple ", "寒武纪", " cambricon ", "摩尔线程", " moore threads ", "昆仑芯", " kunlun ",
		"壁仞", " biren ", "海光", " hygon ", "显卡", " ", "显存", " ", "笔记本", " laptop ", "双卡", " x2 ", "四卡", " x4 ", "八卡", " x8 ", "单卡", " x1 ")
})

// counted removes the number of accelerators from a plain name. The number is 0 if the name has none.
func counted(text string) (rest string, count int) {
	for _, c := range countings {
		m := c.pattern().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		number := m[c.pattern().SubexpIndex("n")]
		count, err := strconv.Atoi(number)
		if err != nil {
			count = numerals[number]
		}
		return c.pattern().ReplaceAllString(text, c.keep), count
	}
	return text, 0
}

// countings lists the notations of a number of accelerators, and the text that replaces each.
var countings = []struct {
	pattern func() *lazy.Pattern
	keep    string
}{
	{lazy.Regexp(`^[ (]*(?P<n>\d{1,3})(?: ?[x*] ?| ?gpus? | ?cards? | ?卡 ?)`), ""},
	{lazy.Regexp(`^x(?P<n>\d{1,3}) `), ""},
	{lazy.Regexp(`^[ (]*(?P<n>single|one|dual|two|quad|four|eight)[ -]+`), ""},
	{lazy.Regexp(`^ *(?P<n>\d{1,2}) (?P<next>[a-z])`), "${next}"},                           // 8 H100
	{lazy.Regexp(`(?:(?P<last>^|[^a-z])x|[*]) ?(?P<n>\d{1,3})[ )]*$`), "${last}"},           // H100 x8, H100*8
	{lazy.Regexp(`(?P<last>\d[a-z]{0,2})x(?P<n>\d{1,2})$`), "${last}"},                      // L40Sx2, MI300Xx8
	{lazy.Regexp(`[ ,(-]+(?P<n>\d{1,2})[ -]?(?:gpus?|cards|npus?|chips|卡|张|块)[ )]*$`), " "}, // H100, 8 GPUs
	{lazy.Regexp(`\b(?P<tpu>v5e|v5litepod|v6e)-(?P<n>\d+)\b`), "${tpu}"},
}

var numerals = map[string]int{"single": 1, "one": 1, "dual": 2, "two": 2, "quad": 4, "four": 4, "eight": 8}
