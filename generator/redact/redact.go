// Package redact finds in text what must not be published: secrets (keys, tokens,
// passwords) and private names (addresses, hosts, users, networks, serial numbers).
// It replaces secrets by a fixed word, and private names by pseudonyms that stay the
// same within a site, so that runs of one machine are still runs of one machine.
//
// Text is treated as the bytes of a log. A finding lies within one line, and its replacement consists only of letters,
// digits and dashes. So JSON stays JSON, a URL a URL and a shell word a word, and the number of lines stays the same.
// Numbers in JSON are not replaced. docs/redaction.md lists what is searched for, and what is not.
package redact

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// Kinds of findings. A Rule of a site may use any other word as its kind.
const (
	Secret = "secret"
	Host   = "host"
	User   = "user"
	IP     = "ip"
	MAC    = "mac"
	Email  = "email"
	WiFi   = "wifi"
	GPU    = "gpu"    // the UUID of an accelerator
	Serial = "serial" // the serial number or UUID of a machine or a part
)

// Finding is a place in a text where something was found. It does not contain the text itself.
type Finding struct {
	Rule        string // the rule that matched: of benchpost, of gitleaks, or of the site
	Kind        string
	Line        int    // counted from 1
	Column      int    // byte of the line, counted from 1
	Start, End  int    // byte offsets in the searched text
	Replacement string // the text that replaces it
}

// Rule is a rule defined by the site.
type Rule struct {
	ID      string
	Pattern string // RE2, matched in each line
	Kind    string // Secret when empty
	Group   int    // the group of the pattern that is replaced; 0 for the whole match
}

// Options configure a Redactor.
type Options struct {
	Key         []byte // for pseudonyms: the same key gives the same pseudonyms
	Own         []Rule // rules of the site, which take precedence over built-in ones
	Keep        []string
	OnlySecrets bool // do not search for private names
	Authored    bool // a person wrote the text: its hosts, e-mail addresses and people are intentional
}

// Redactor finds and replaces secrets and private names. It is safe for concurrent use.
type Redactor struct {
	key         []byte
	own         []ownRule
	keep        keeper
	onlySecrets bool
	authored    bool
	refusals    []refusal
	ours        *regexp.Regexp // matches replacements that a redactor wrote earlier
	begins      [][]byte       // the beginnings of such replacements
	finders     sync.Pool
}

type ownRule struct {
	Rule
	pattern *regexp.Regexp
}

// RuleError describes a rule of the site that is invalid.
type RuleError struct {
	Index  int // in Options.Own
	Field  string
	Reason string
}

// Error names the rule, the invalid field and the reason.
func (e *RuleError) Error() string {
	return fmt.Sprintf("rule %d: %s: %s", e.Index+1, e.Field, e.Reason)
}

var (
	ruleID   = regexp.MustCompile(`^[a-z0-9]+(?:[-.][a-z0-9]+)*$`)
	ruleKind = regexp.MustCompile(`^[a-z]+$`)
)

// New returns a redactor. Any error is a *RuleError.
func New(o Options) (*Redactor, error) {
	r := &Redactor{key: o.Key, keep: newKeeper(o.Keep), onlySecrets: o.OnlySecrets, authored: o.Authored, refusals: refusals}
	r.finders.New = func() any { return r.newFinder() }
	kinds := []string{Host, User, IP, MAC, Email, WiFi, GPU, Serial}
	seen := map[string]bool{}
	for i, rule := range o.Own {
		fault := func(field, reason string) (*Redactor, error) { return nil, &RuleError{i, field, reason} }
		if !ruleID.MatchString(rule.ID) {
			return fault("id", fmt.Sprintf("%q is no name of a rule: small letters, digits and dashes", rule.ID))
		}
		if seen[rule.ID] {
			return fault("id", fmt.Sprintf("two rules are called %q", rule.ID))
		}
		seen[rule.ID] = true
		rule.Kind = cmp.Or(rule.Kind, Secret)
		if !ruleKind.MatchString(rule.Kind) {
			return fault("kind", fmt.Sprintf("%q is no kind: a word of small letters, as secret, host or project", rule.Kind))
		}
		if rule.Pattern == "" {
			return fault("pattern", "it is empty")
		}
		pattern, err := regexp.Compile("(?m)" + rule.Pattern)
		if err != nil {
			return fault("pattern", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		if rule.Group < 0 || rule.Group > pattern.NumSubexp() {
			return fault("group", fmt.Sprintf("the pattern has no group %d", rule.Group))
		}
		r.own = append(r.own, ownRule{rule, pattern})
		kinds = append(kinds, rule.Kind)
	}
	for _, kind := range append(kinds, "redacted") {
		r.begins = append(r.begins, []byte(kind+"-"))
	}
	r.ours = regexp.MustCompile(`(?:\b|_)(?:redacted-[a-z0-9][a-z0-9.-]*|(?:` + strings.Join(kinds, "|") + `)-[0-9a-f]{6}\b)`)
	return r, nil
}

// Find returns the places to be replaced, in order and not overlapping. The name is that of the file, for rules that
// depend on it.
func (r *Redactor) Find(name string, text []byte) []Finding {
	enc := encodingOf(text)
	var lines lineCounter
	var found []Finding
	for _, c := range r.find(window{name: name, text: text, enc: enc, first: true, last: true}) {
		found = append(found, r.finding(c, &lines, text, 0, enc))
	}
	return found
}

// Replace returns the text with all findings replaced.
func (r *Redactor) Replace(name string, text []byte) ([]byte, []Finding) {
	found := r.Find(name, text)
	if len(found) == 0 {
		return text, nil
	}
	enc := encodingOf(text)
	var out bytes.Buffer
	at := 0
	for _, f := range found {
		out.Write(text[at:f.Start])
		out.Write(enc.encode(f.Replacement))
		at = f.End
	}
	out.Write(text[at:])
	return out.Bytes(), found
}

// FindInName returns the places to be replaced in the name of a file or folder, in order. The folder that contains it
// is given as a slash path: "alice" is a private name in "home". FindInName also looks at the name without its
// extensions, since these may hide something: "gpubox.corp.log" contains a host.
func (r *Redactor) FindInName(folder, name string) []Finding {
	begin := "/" // an absolute path, since a folder of runs may be a copy of one
	if folder != "" {
		begin += folder + "/"
	}
	var best []Finding
	most := 0
	for part := range withoutEndings(name) {
		var found []Finding
		sum := 0
		for _, f := range r.Find("", []byte(begin+part)) {
			f.Start, f.End = max(f.Start-len(begin), 0), f.End-len(begin)
			if f.End > 0 {
				f.Line, f.Column = 0, 0
				found, sum = append(found, f), sum+f.End-f.Start
			}
		}
		if sum > most {
			best, most = found, sum
		}
	}
	return best
}

// AnyInNames reports whether any of the names in a folder may contain something to be replaced. It is faster than
// checking each name.
func (r *Redactor) AnyInNames(folder string, names []string) bool {
	size := 0
	for _, name := range names {
		size += 2 * (len(folder) + len(name) + 3) // most names have one extension
	}
	text := make([]byte, 0, size)
	for _, name := range names {
		for part := range withoutEndings(name) {
			text = append(append(append(append(append(text, '/'), folder...), '/'), part...), '\n')
		}
	}
	return len(r.Find("", text)) > 0
}

// withoutEndings yields a name as it is, and without its last one to three extensions.
func withoutEndings(name string) iter.Seq[string] {
	const most, longest = 3, 8 // ".parquet"
	return func(yield func(string) bool) {
		for range most {
			if !yield(name) {
				return
			}
			i := strings.LastIndexByte(name, '.')
			if i <= 0 || len(name)-i > longest {
				return
			}
			name = name[:i]
		}
		yield(name)
	}
}

// window is the part of a text that is searched.
type window struct {
	name        string
	text        []byte
	enc         encoding
	from        int  // candidates that begin earlier are done
	first, last bool // whether it contains the beginning and the end of the text
}

// candidate is a place that a rule would replace.
type candidate struct {
	start, end int
	rule, kind string
	original   string // normalised; the pseudonym is made from it
	rank       int    // of two overlapping candidates, the one with the lower rank wins
	plain      bool   // a backslash before it does not begin an escape
}

// Ranks of candidates. The end of a candidate found only after decoding escapes is less certain, so it ranks lower.
const (
	rankOwn = iota
	rankSecret
	rankEscapedSecret
	rankPrivate
	rankEscapedPrivate
)

// finder searches one window after another. It must not be used concurrently.
type finder struct {
	*Redactor
	window
	wide  *view // the text in UTF-8 if it is UTF-16; nil otherwise
	names names
	whole scanner // for the text as written
	ours  span    // the last earlier replacement found in it
	all   []candidate
}

func (r *Redactor) newFinder() *finder {
	f := &finder{Redactor: r}
	f.whole.add = func(c candidate) bool {
		text := f.whole.text
		return (c.plain || !inEscape(text, c.start)) && f.wants(c, text, &f.ours) && f.add(c)
	}
	return f
}

// find returns the places to be replaced in a window, in order and not overlapping.
func (r *Redactor) find(w window) []candidate {
	f := r.finders.Get().(*finder)
	defer r.finders.Put(f)
	f.window, f.wide = w, nil
	if w.enc != plain {
		v := w.enc.utf8View(w.text)
		f.wide, f.text = &v, v.text
	}
	f.collect()
	found := settle(f.all)
	f.window, f.whole.text, f.all = window{}, nil, nil // release what few texts need
	return found
}

// add adds a candidate. It returns false if the candidate is before the part to be searched, or empty.
func (f *finder) add(c candidate) bool {
	if c.kind == Secret && isEscaped(f.text, c.start) {
		c.start-- // "\r" before a replacement would be an escape
	}
	if f.wide != nil {
		c.start, c.end = f.wide.origin(c.start), f.wide.origin(c.end)
	}
	if c.start < f.from || c.start >= c.end {
		return false
	}
	f.all = append(f.all, c)
	return true
}

// collect adds the candidates in a UTF-8 text: in the text as written, and in its parts with escapes after decoding
// these.
func (f *finder) collect() {
	f.ours = span{}
	f.whole = scanner{text: withoutColours(f.text), first: f.first, last: f.last, add: f.whole.add}
	f.scan(&f.whole)
	unescaped(f.whole.text, func(v view, begin, end bool) {
		v.text = withoutColours(v.text)
		var ours span
		begin, end = begin && f.first, end && f.last
		f.scan(&scanner{text: v.text, first: begin, last: end, add: func(c candidate) bool {
			if c.start == 0 && !begin || c.end == len(v.text) && !end || !v.spelledBetween(c.start-nearEscape, c.end+1) || !f.wants(c, v.text, &ours) {
				return false
			}
			c.start, c.end = v.origin(c.start), v.origin(c.end)
			if c.rank != rankOwn {
				c.rank++
			}
			return f.add(c)
		}})
	})
}

// nearEscape is how far before a candidate an escape may have hidden it, for example in the name of the value.
const nearEscape = 96

// scan reports what all rules find in one spelling of a text.
func (f *finder) scan(s *scanner) {
	s.name, s.onlySecrets, s.refusals, s.known = f.name, f.onlySecrets, f.refusals, &f.names
	f.findOwn(s.text, s.add)
	s.names()
	s.patterns()
}

// wants rejects candidates that overlap an earlier replacement, and those that the site keeps. Written is the last
// earlier replacement that was found. It avoids searching again, since a text may have many candidates around one
// replacement.
func (r *Redactor) wants(c candidate, text []byte, written *span) bool {
	if c.start < written.to && written.from < c.end || r.authored && isMeant(c) {
		return false
	}
	const around = 64 // longer than any replacement
	from, to := max(0, c.start-around), min(len(text), c.end+around)
	if !slices.ContainsFunc(r.begins, func(word []byte) bool { return bytes.Contains(text[from:to], word) }) {
		return !r.keep.keeps(c.original, string(text[c.start:c.end]))
	}
	for _, m := range r.ours.FindAllIndex(text[from:to], -1) {
		if from+m[0] < c.end && from+m[1] > c.start {
			*written = span{from + m[0], from + m[1]}
			return false
		}
	}
	// A replacement may begin where the candidate begins: sshpass -predacted-password.
	if m := r.ours.FindIndex(text[c.start:to]); m != nil && m[0] == 0 {
		return false
	}
	return !r.keep.keeps(c.original, string(text[c.start:c.end]))
}

// isMeant reports whether a candidate is something that the author of a text names intentionally.
func isMeant(c candidate) bool {
	return c.rank != rankOwn && (c.kind == Host || c.kind == Email || c.kind == User && (c.rule == "person" || c.rule == "phone" || c.rule == "account"))
}

// inEscape reports whether a place is the letter of an escape such as "\n", where no word begins.
func inEscape(text []byte, at int) bool {
	return at < len(text) && bytes.IndexByte([]byte("nrtbfu"), text[at]) >= 0 && isEscaped(text, at)
}

// isEscaped reports whether the character at a place is escaped by a backslash.
func isEscaped(text []byte, at int) bool {
	n := 0
	for at-1-n >= 0 && text[at-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// finding converts a candidate into a Finding; base is the offset of text in the stream.
func (r *Redactor) finding(c candidate, lines *lineCounter, text []byte, base int, enc encoding) Finding {
	line, column := lines.position(text, c.start, enc)
	f := Finding{Rule: c.rule, Kind: c.kind, Line: line, Column: column, Start: base + c.start, End: base + c.end}
	if c.kind == Secret {
		f.Replacement = Word(c.rule)
	} else {
		f.Replacement = r.Pseudonym(c.kind, c.original)
	}
	return f
}

// lineCounter determines lines and columns of places that are given in order.
type lineCounter struct {
	lines     int // lines that ended before at
	at, begin int // how far it has counted; where the current line begins
}

func (l *lineCounter) position(text []byte, at int, enc encoding) (line, column int) {
	for l.at < at {
		if enc == plain { // skip to the next line end
			next := bytes.IndexByte(text[l.at:at], '\n')
			if next < 0 {
				l.at = at
				break
			}
			l.at += next
		}
		if enc.endsLine(text, l.at) {
			l.lines++
			l.begin = l.at + enc.unit()
		}
		l.at += enc.unit()
	}
	return l.lines + 1, at - l.begin + 1
}

// settle resolves overlaps: the candidate with the better rank is kept, and overlapping secrets of the same rank are
// merged.
func settle(all []candidate) []candidate {
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.start, b.start) })
	var kept []candidate
	for len(all) > 0 { // one group of overlapping candidates after the other
		n, end := 1, all[0].end
		for n < len(all) && all[n].start < end {
			end = max(end, all[n].end)
			n++
		}
		kept = append(kept, settleHeap(all[:n])...)
		all = all[n:]
	}
	return kept
}

// settleHeap resolves the overlaps in one group of candidates.
func settleHeap(all []candidate) []candidate {
	if len(all) == 1 {
		return all
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(generic(a.rule), generic(b.rule)), strings.Compare(a.rule, b.rule))
	})
	var kept []candidate // sorted by start, not overlapping
	for _, c := range all {
		i, _ := slices.BinarySearchFunc(kept, c.start, func(k candidate, start int) int { return cmp.Compare(k.end, start+1) })
		j := i
		for j < len(kept) && kept[j].start < c.end {
			j++
		}
		if i == j {
			kept = slices.Insert(kept, i, c)
			continue
		}
		if c.kind == Secret && !slices.ContainsFunc(kept[i:j], func(k candidate) bool { return k.kind != Secret || k.rank != c.rank }) {
			one := kept[i]
			one.start, one.end = min(one.start, c.start), max(kept[j-1].end, c.end)
			kept = slices.Replace(kept, i, j, one)
		}
	}
	return kept
}

// generic orders the rule that knows a secret only by its name after rules that know the service of a token.
func generic(rule string) int {
	if rule == namedSecret {
		return 1
	}
	return 0
}

// keeper matches what the site keeps.
type keeper struct {
	words    map[string]bool
	patterns []*regexp.Regexp
	nets     []prefix
}

func newKeeper(list []string) keeper {
	k := keeper{words: map[string]bool{}}
	for _, s := range list {
		if net, ok := parsePrefix(s); ok {
			k.nets = append(k.nets, net)
		} else if strings.Contains(s, "*") {
			k.patterns = append(k.patterns, regexp.MustCompile(`(?is)^`+strings.ReplaceAll(regexp.QuoteMeta(s), `\*`, `.*`)+`$`))
		} else {
			k.words[strings.ToLower(s)] = true
		}
	}
	return k
}

func (k keeper) keeps(original, text string) bool {
	if len(k.words) == 0 && len(k.patterns) == 0 && len(k.nets) == 0 {
		return false
	}
	for _, s := range []string{original, text} {
		if k.words[strings.ToLower(s)] || slices.ContainsFunc(k.patterns, func(p *regexp.Regexp) bool { return p.MatchString(s) }) || inAny(k.nets, s) {
			return true
		}
	}
	return false
}

// findOwn passes on the matches of the site's rules, which are matched line by line.
func (r *Redactor) findOwn(text []byte, add func(candidate) bool) {
	for _, rule := range r.own {
		for _, m := range rule.pattern.FindAllSubmatchIndex(text, -1) {
			start, end := m[2*rule.Group], m[2*rule.Group+1]
			if start < 0 {
				continue
			}
			for _, p := range pieces(text, start, end) {
				if !isNumberOfJSON(text, p[0], p[1]) {
					add(candidate{start: p[0], end: p[1], rule: rule.ID, kind: rule.Kind, original: string(text[p[0]:p[1]]), rank: rankOwn})
				}
			}
		}
	}
}

// pieces divides a match at line ends and at quotation marks. A replacement must not include these, because quotation
// marks delimit JSON strings.
func pieces(text []byte, start, end int) [][2]int {
	var out [][2]int
	for at := start; at < end; {
		next := bytes.IndexAny(text[at:end], "\r\n\"")
		stop := end
		if next >= 0 {
			stop = at + next
		}
		from, to := at, stop
		for from < to && (text[from] == ' ' || text[from] == '\t') {
			from++
		}
		for to > from && (text[to-1] == ' ' || text[to-1] == '\t' || text[to-1] == '\\') {
			to--
		}
		if from < to && bytes.IndexByte([]byte(":,{}[]"), text[from]) < 0 && bytes.ContainsFunc(text[from:to], func(c rune) bool { return c >= utf8.RuneSelf || isWord(byte(c)) }) {
			out = append(out, [2]int{from, to})
		}
		at = stop + 1
	}
	return out
}
