package redact

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/lazy"
)

// pattern is a rule that is only matched near its keywords.
type pattern struct {
	id, kind string
	keywords []string // in lower case
	compiled func() *lazy.Pattern
	group    int  // the group that is replaced; -1 for the first that matched
	leads    bool // a match begins with the keyword
	lines    bool // a match begins at the beginning of a line
	accept   func(s *scanner, start, end int) bool
}

func ownPattern(id, kind, expr string, accept func(s *scanner, start, end int) bool, keywords ...string) pattern {
	return pattern{id: id, kind: kind, keywords: keywords, group: -1, lines: strings.HasPrefix(expr, `(?m)^`), accept: accept,
		compiled: lazy.Regexp(expr)}
}

func tokenPattern(id, expr string, accept func(s *scanner, start, end int) bool, keywords ...string) pattern {
	p := ownPattern(id, Secret, expr, accept, keywords...)
	p.leads = true
	return p
}

// ourPatterns are rules that gitleaks lacks, or has in a form too narrow for logs, apart from those for tokens of
// services and for people.
var ourPatterns = []pattern{
	ownPattern("authorization", Secret, `(?i)\b(?:bearer\b|basic\b)[ \t]+([A-Za-z0-9._~+/=-]{6,})`, isCredential, "bearer", "basic"),

	// Network names in the output of programs.
	ownPattern("wifi", WiFi, `(?i)(?:[0-9a-f]{2}\\?:){5}[0-9a-f]{2}[ \t]+(\S[^\r\n]*?)[ \t]+(?:infra|ad-hoc|mesh|master)\b`, isNetworkName, "infra", "ad-hoc"),
	ownPattern("wifi", WiFi, `(?m)^([^\r\n]*\S)[ \t]+[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[ \t]+(?:wifi|802-11-wireless)\b`, isNetworkName, "wifi", "802-11-wireless"),
	ownPattern("wifi", WiFi, `(?m)^[ \t]*\S+[ \t]+wifi[ \t]+connected[ \t]+(\S[^\r\n]*?)[ \t]*\r?$`, isNetworkName, "wifi"),
	ownPattern("wifi", WiFi, `(?i)\bcurrent wi-?fi network:[ \t]*(\S[^\r\n]*?)[ \t]*(?:\r?\n|$)`, isNetworkName, "current wi"),
	ownPattern("wifi", WiFi, `(?m)(?:^|[ \t])ssid[ \t]+(\S[^\r\n]*?)[ \t]*\r?$`, isNetworkName, "ssid"),
	ownPattern("wifi", WiFi, `(?i)\b(?:join|connect)(?:ed|ing)?[ \t]+(?:to[ \t]+)?(?:wi-?fi|ssid|network)[ \t]+"([^"\r\n]+)"`, isNetworkName, "join", "connect"),
	ownPattern("wifi", WiFi, `\bnmcli\b[^\r\n]*?\bwifi[ \t]+connect[ \t]+("[^"\r\n]+"|'[^'\r\n]+'|[^\s"'-][^\s"']*)`, isNetworkName, "nmcli"),
	ownPattern("password", Secret, `\bnmcli\b[^\r\n]*?\bpassword[ \t]+("[^"\r\n]+"|'[^'\r\n]+'|[^\s"']+)`, nil, "nmcli"),

	// Places where a host reports its name.
	ownPattern("host", Host, `\bLinux[ \t]+([A-Za-z0-9][A-Za-z0-9.-]*)[ \t]+\d+\.\d+[.\d]*[-+.\w]*[ \t]+#`, isHostName, "linux"),
	ownPattern("host", Host, `\bDarwin[ \t]+([A-Za-z0-9][A-Za-z0-9.-]*)[ \t]+\d+\.\d+[.\d]*[ \t]+Darwin\b`, isHostName, "darwin"),
	ownPattern("host", Host, `(?m)^([A-Za-z0-9][A-Za-z0-9.-]*)[ \t]+(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ \t]+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ \t]+\d+[ \t]+\d\d:\d\d:\d\d[ \t]+\d{4}[ \t]+\d+\.\d+`, isHostName, "mon ", "tue ", "wed ", "thu ", "fri ", "sat ", "sun "),
	ownPattern("host", Host, `(?m)^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ \t]+\d{1,2}[ \t]\d\d:\d\d:\d\d[ \t]([A-Za-z0-9][A-Za-z0-9.-]*)[ \t][\w./()@-]+(?:\[\d+\])?:`, isHostName, "jan ", "feb ", "mar ", "apr ", "may ", "jun ", "jul ", "aug ", "sep ", "oct ", "nov ", "dec "),
	ownPattern("host", Host, `(?:^|[ \t\r\n])([A-Za-z0-9][A-Za-z0-9.-]*):\d+:\d+(?:[ \t]+\[\d+\])?[ \t]+(?:NCCL|RCCL|HCCL)\b`, isHostName, "nccl", "rccl", "hccl"),
	ownPattern("gpu", GPU, `\b((?:GPU|MIG)-(?:GPU-)?[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?:/\d+/\d+)?)`, nil, "gpu-", "mig-"),
}

// index finds the keywords of all patterns and blocks in one pass.
type index struct {
	*keywords
	patterns []pattern
	uses     [][]int // by keyword: the patterns that use it
	blocks   []int   // by keyword: a bit mask of the kinds of blocks that use it
}

// patternIndex is built on first use. Parsing and compiling the rules of gitleaks takes about 30 ms, which commands
// that redact nothing do not pay.
var patternIndex = sync.OnceValue(func() *index {
	x := &index{patterns: slices.Concat(serviceTokens, ourPatterns, peoplePatterns, placePatterns, libraryPatterns())}
	number := map[string]int{}
	var words []string
	place := func(w string) int {
		n, known := number[w]
		if !known {
			n = len(words)
			number[w] = n
			words, x.uses, x.blocks = append(words, w), append(x.uses, nil), append(x.blocks, 0)
		}
		return n
	}
	for i, p := range x.patterns {
		for _, w := range p.keywords {
			n := place(w)
			x.uses[n] = append(x.uses[n], i)
		}
	}
	for i, b := range blockKinds {
		x.blocks[place(b.keyword)] |= 1 << i
	}
	x.keywords = newKeywords(words)
	return x
})

// A pattern is matched in this much text around its keyword, and in more if a match reaches the end of that.
const (
	lookBefore = 256
	lookAfter  = 1 << 10
	leastToken = 8 // characters of a token after its keyword
)

// patterns reports what patterns and blocks find.
func (s *scanner) patterns() {
	x := patternIndex()
	var few [32]keyword
	found := x.find(s.text, few[:0])
	if len(found) == 0 {
		return
	}
	type region struct{ pattern, from, to int }
	var regions []region
	last := map[int]int{} // by pattern: its last region
	kinds := 0
	for _, k := range found {
		kinds |= x.blocks[k.word]
		for _, i := range x.uses[k.word] {
			p := &x.patterns[i]
			if s.onlySecrets && p.kind != Secret || p.leads && !s.beginsToken(k.start, k.end-k.start) {
				continue
			}
			r := region{i, max(0, k.start-lookBefore), min(len(s.text), k.end+lookAfter)}
			if n, known := last[i]; known && regions[n].to >= r.from {
				regions[n].to = r.to
			} else {
				last[i] = len(regions)
				regions = append(regions, r)
			}
		}
	}
	slices.SortStableFunc(regions, func(a, b region) int { return cmp.Compare(a.pattern, b.pattern) })
	for _, r := range regions {
		s.match(&x.patterns[r.pattern], r.from, r.to)
	}
	for i, b := range blockKinds {
		if kinds&(1<<i) != 0 {
			b.find(blocks{s})
		}
	}
}

// beginsToken reports whether a keyword begins a word, and is followed by enough characters for a token.
func (s *scanner) beginsToken(at, n int) bool {
	if at > 0 && isWord(s.text[at-1]) && isWord(s.text[at]) {
		return false
	}
	for i := at + n; i < at+n+leastToken; i++ {
		if i >= len(s.text) || !isToken(s.text[i]) {
			return false
		}
	}
	return true
}

// match reports the matches of a pattern between two places.
func (s *scanner) match(p *pattern, from, to int) {
	expr := p.compiled()
	if p.lines {
		from = s.lineStart(from)
	}
	for at := from; at < to; {
		m := expr.FindSubmatchIndex(s.text[at:to])
		if m == nil {
			return
		}
		if at+m[1] == to && to < len(s.text) && m[1]-m[0] < reach/2 { // the match may continue
			to = min(len(s.text), to+lookAfter)
			continue
		}
		group := p.group
		if group < 0 {
			group = 0
			for g := 1; g < len(m)/2; g++ {
				if m[2*g] < m[2*g+1] {
					group = g
					break
				}
			}
		}
		begin, start, end := at+m[0], at+m[2*group], at+m[2*group+1]
		cutOff := begin == at && at > 0 && (isWord(s.text[at]) && isWord(s.text[at-1]) || p.lines && s.text[at-1] != '\n') || begin == 0 && !s.first
		if start >= 0 && start < end && !cutOff && (p.accept == nil || p.accept(s, start, end)) {
			s.take(p.id, p.kind, start, end)
		}
		at = max(at+m[1], at+1)
	}
}

// take adds a match of a pattern, without the quotation marks around it, and at most up to the end of its line or of
// the JSON string that contains it.
func (s *scanner) take(rule, kind string, start, end int) {
	for start < end && isQuote(s.text[start]) {
		start++
	}
	for to := start; to < end; to++ {
		if c := s.text[to]; c == '\r' || c == '\n' || c == '"' || s.escapeAt(to) {
			end = to
		}
	}
	for end > start && (isQuote(s.text[end-1]) || s.text[end-1] == ' ' || s.text[end-1] == '\t' || s.text[end-1] == '\\') {
		end--
	}
	if start < end {
		s.put(rule, kind, start, end, string(s.text[start:end]))
	}
}

// notCode distinguishes a token from an identifier such as hf_transfer.
func notCode(s *scanner, start, end int) bool {
	word := strings.ToLower(string(s.text[start+3 : end]))
	return !slices.ContainsFunc([]string{"transf", "config", "token", "model", "process", "quant", "check", "overrid", "deepspeed", "pars", "hub", "cache",
		"home", "data", "text", "load", "weight", "pipeline", "generat", "inference", "endpoint", "runner", "argument", "xxxx", "your"}, func(part string) bool {
		return strings.Contains(word, part)
	})
}

// looksLikeKey distinguishes a key from words that are joined by dashes.
func looksLikeKey(s *scanner, start, end int) bool {
	t := s.text[start:end]
	if bytes.Contains(bytes.ToLower(t), []byte("xxxx")) || bytes.Contains(bytes.ToLower(t), []byte("your")) {
		return false
	}
	return bytes.ContainsAny(t, "0123456789") || len(t) >= 20 && entropy(t) > 3.5
}

// isCredential distinguishes a credential from a word after "basic" or "bearer".
func isCredential(s *scanner, start, end int) bool {
	t := s.text[start:end]
	low := strings.ToLower(string(t))
	if isPlaceholder(string(t)) || low == "realm" || strings.HasPrefix(low, "realm=") || strings.HasPrefix(low, "token") || strings.HasPrefix(low, "auth") || low == "format" {
		return false
	}
	return s.isHeader(start) || len(t) >= 8 && bytes.ContainsAny(t, "0123456789") && !bytes.ContainsAny(t, "/") || len(t) >= 16 && low != string(t) && entropy(t) > 3.5
}

// entropy returns the entropy of the bytes of a text in bits per byte.
func entropy(text []byte) float64 {
	var counts [256]int
	for _, c := range text {
		counts[c]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
