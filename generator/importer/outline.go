package importer

import (
	"slices"
	"sort"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// A text is a tree of sections. Markdown headings have a level. Text copied from a page has lost its levels. There, a
// bare line or a list item is a title only if it contains nothing but facts that can distinguish runs (a model, a load,
// a power mode …). Its place in the tree follows from these facts: see openTitle.
const ( // headings have levels 1 to 6, the whole text has 0
	levelCampaign = 7 // "Benchmark (power)" in a text without headings
	levelTitle    = 8 // a bare line, such as "Qwen3-8B-FP8"
	levelItem     = 9 // a list item, such as "- high load"
)

// section is a part of the text under one title.
type section struct {
	parent   *section
	level    int
	line     int
	facets   []facet
	command  bool       // contains a command
	late     bool       // was opened in an analysis of the results above it
	results  []int      // lines of the results in it and in its subsections
	speaks   []*topic   // facts that apply to these results
	supposes []*fact    // facts that apply to results that meet a condition
	headings []*section // headings directly below it
}

// kind orders facts by how much they are trusted.
type kind int

const (
	guess     kind = iota // recognised from a name, or the example in a command
	command               // a flag of a shell command
	statement             // "vLLM version: 0.10.1"
	title                 // a heading
)

// fact is one fact stated in the text.
type fact struct {
	facet
	kind    kind
	line    int
	owner   *section
	scope   *section // the section to which it applies: see settle
	round   int      // number of results of that section above it
	inline  bool     // mentioned in passing, so it does not apply to what is above it
	command int      // number of the command that states it
	when    []facet  // it applies only to results for which these are true
}

// outline is the context of the results of one file.
type outline struct {
	file    string
	root    *section
	facts   []*fact
	leaves  []*section // the section of each result
	stated  []*section // sections opened by a line such as "Model: …"
	results []result.Result
	lines   []string
	locked  bool // a title names locked clocks, so a title without them means free clocks
}

// readOutline reads the text around the results.
func readOutline(file File, results []result.Result) *outline {
	o := &outline{file: file.Name, root: &section{}, results: results,
		lines: strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(file.Data), "\ufeff"), "\r\n", "\n"), "\n")}
	r := reader{outline: o, at: o.root}
	r.read()
	o.settle()
	return o
}

// reader reads the lines one after another.
type reader struct {
	*outline
	at       *section
	headings bool   // the text has Markdown headings
	commands int    // number of commands so far
	entry    entry  // the last bare title
	late     bool   // the current lines analyse the results above them
	pending  string // key of a line such as "vLLM version:" whose value is on the next line
}

// entry holds the last bare title, so that a list of models is not mistaken for a sequence of titles.
type entry struct {
	line, level int
	before      *section
	label       string
}

func (r *reader) read() {
	fences := findFences(r.lines)
	for i := range r.lines {
		if level, _ := r.heading(i, fences); level > 0 {
			r.headings = true
			break
		}
	}
	r.leaves = make([]*section, len(r.results))
	next := 0
	for i := r.frontMatter(); i < len(r.lines); i++ {
		if next < len(r.results) && r.results[next].Source.Line <= i+1 {
			r.result(next)
			i = max(i, r.results[next].EndLine-1)
			next++
			continue
		}
		i = r.line(i, fences)
	}
}

// line reads one line that is not part of a result. It returns the index of the last line that it has read.
func (r *reader) line(i int, fences []fence) int {
	text := strings.TrimSpace(r.lines[i])
	inside := fences[i]
	if text == "" || inside.mark || len(text) > maxLine && !inside.fenced {
		return i
	}
	if level, words := r.heading(i, fences); level > 0 {
		r.pending = ""
		r.openHeading(level, i+1, words)
		return i
	}
	if isUnderline(text) {
		return i
	}
	if facts, last, ok := r.shell(i); ok {
		r.pending = ""
		r.commands++
		for _, f := range facts {
			r.say(fact{facet: f, kind: f.kindOr(command), line: i + 1, command: r.commands})
			r.at.command = true
		}
		return last
	}
	if r.pending != "" {
		key := r.pending
		r.pending = ""
		if !isItem(text) {
			r.state(statementFacts(key+": "+text), i+1)
			return i
		}
	}
	switch {
	case !inside.fenced:
		r.prose(text, i+1)
	case inside.results:
		r.console(text, i+1)
	default:
		r.listing(text, i+1)
	}
	return i
}

// maxLine is the greatest length of a line of prose in bytes. Longer ones are progress bars and the like.
const maxLine = 4000

// prose reads a line that is neither a heading nor a command.
func (r *reader) prose(text string, line int) {
	if strings.Contains(text, "|") {
		if cells := strings.Split(strings.Trim(text, "| "), "|"); len(cells) == 2 {
			r.state(statementFacts(cleanTitle(strings.TrimSpace(cells[0])+": "+strings.TrimSpace(cells[1]))), line)
		}
		return
	}
	item := isItem(text)
	words := cleanTitle(text)
	if stated := statementFacts(words); stated != nil {
		if !item && strings.ContainsAny(words, ":：") && len(stated) == 1 && stated[0].when == nil && rank(stated[0].label) >= rankLoad {
			r.openTitle(levelTitle, line, []facet{stated[0].facet})
			r.stated = append(r.stated, r.at)
			return
		}
		r.leave(stated)
		r.state(stated, line)
		return
	}
	if isKey(words) {
		r.pending = words
		return
	}
	level := levelTitle
	if item {
		level = levelItem
	}
	switch facets := bareFacets(words); {
	case facets != nil:
		r.openBare(level, line, facets)
	case !item && !r.headings && isClosing(words):
		r.conclude()
	case !item && !r.headings && isCampaign(words):
		r.pop(levelCampaign)
		r.push(levelCampaign, line, nil)
	default:
		r.inline(text, line)
	}
}

// console reads a line of a fenced block that contains results. Comments in it are titles.
func (r *reader) console(text string, line int) {
	words := cleanTitle(text)
	facets := bareFacets(words)
	if strings.HasPrefix(text, "#") {
		facets = facetsOf(words, true)
	}
	if facets != nil {
		r.openBare(levelTitle, line, facets)
		return
	}
	r.listing(text, line)
}

// listing reads a line of a fenced block. A line with a colon may be a setting; one with an equals sign is program
// output.
func (r *reader) listing(text string, line int) {
	if len(text) <= maxLine && strings.ContainsAny(text, ":：") && !strings.Contains(text, "=") {
		r.state(statementFacts(cleanTitle(text)), line)
	}
	r.inline(text, line)
}

// inline reads what a sentence mentions in passing.
func (r *reader) inline(text string, line int) {
	for _, f := range inlineFacts(text) {
		r.say(fact{facet: f.facet, kind: statement, line: line, inline: true, when: f.when})
	}
}

func (r *reader) state(stated []stated, line int) {
	for _, f := range stated {
		r.say(fact{facet: f.facet, kind: statement, line: line, when: f.when})
	}
}

func (r *reader) say(f fact) {
	f.owner = r.at
	r.facts = append(r.facts, &f)
}

// result records that a result begins here.
func (r *reader) result(n int) {
	r.pending, r.late = "", false
	r.leaves[n] = r.at
	for s := r.at; s != nil; s = s.parent {
		s.results = append(s.results, r.results[n].Source.Line)
	}
}

// openHeading opens a section for a Markdown heading. A heading "Expected output" takes the facets of a section of the
// same level, such as "FP8 on H100", if that is the only one waiting for its results.
func (r *reader) openHeading(level, line int, words string) {
	r.pop(level)
	facets := facetsOf(words, true)
	if facets == nil && isOutcome(words) {
		if waiting := r.at.waiting(level); len(waiting) == 1 {
			facets = waiting[0].facets
		}
	}
	r.push(level, line, facets)
	r.at.parent.headings = append(r.at.parent.headings, r.at)
}

// waiting returns the sections of a level that have facets and no result, since the last section with results.
func (s *section) waiting(level int) []*section {
	var out []*section
	for _, below := range slices.Backward(s.headings) {
		if len(below.results) > 0 {
			break
		}
		if below.level == level && below.facets != nil {
			out = append(out, below)
		}
	}
	return out
}

// openBare opens a section for a bare title. Names on consecutive lines are an enumeration, for which it opens none.
func (r *reader) openBare(level, line int, facets []facet) {
	label := facets[0].label
	if r.entry.line == line-1 && r.entry.level == level && r.entry.label == label {
		r.at = r.entry.before
		r.entry.line = line
		return
	}
	r.entry = entry{line: line, level: level, before: r.at, label: label}
	r.openTitle(level, line, facets)
}

// openTitle finds the place of a title whose level is unknown.
//
// A title ends the section of the previous title of the same kind: the next model ends the last model. A section in
// between with facts of more weight survives if it has no result yet. It then was not part of the ended section but
// came after it ("low load", a command, "Qwen3-8B", "high load"). A title of more weight also ends lighter sections
// that already have results or a command.
func (r *reader) openTitle(level, line int, facets []facet) {
	if level == levelTitle {
		r.pop(levelItem)
	}
	weight := rankOf(facets)
	var ended *section
	for s := r.at; s.level >= levelTitle; s = s.parent {
		if overlap(s.facets, facets) && rankOf(s.facets) <= weight {
			ended = s
		}
	}
	if ended != nil {
		r.end(ended, weight)
	} else {
		for r.at.level >= levelTitle && rankOf(r.at.facets) < weight && (len(r.at.results) > 0 || r.at.command) {
			r.at = r.at.parent
		}
	}
	r.push(level, line, facets)
}

// end closes a bare section. It keeps open the sections in it that have more weight and neither results nor a command
// yet.
func (r *reader) end(ended *section, weight int) {
	var waiting []*section
	for s := r.at; s != ended; s = s.parent {
		if rankOf(s.facets) > weight && len(s.results) == 0 && !s.command {
			waiting = append(waiting, s)
		}
	}
	r.at = ended.parent
	for _, s := range slices.Backward(waiting) {
		s.parent = r.at
		r.at = s
	}
}

// leave closes the bare sections that have results and less weight than the stated facts: "GPU: A100" after the last
// result under "low load" does not only apply to the low load.
func (r *reader) leave(stated []stated) {
	weight := 0
	for _, s := range stated {
		weight = max(weight, rank(s.label))
	}
	for r.at.level >= levelTitle && len(r.at.results) > 0 && rankOf(r.at.facets) < weight {
		r.at = r.at.parent
	}
}

// conclude closes the bare sections that have results, and those opened in an analysis, at a title such as "Analysis".
func (r *reader) conclude() {
	for r.at.level >= levelTitle && (len(r.at.results) > 0 || r.at.late) {
		r.at = r.at.parent
	}
	r.late = true
}

func (r *reader) pop(level int) {
	for r.at.level >= level && r.at.parent != nil {
		r.at = r.at.parent
	}
}

func (r *reader) push(level, line int, facets []facet) {
	if level <= levelCampaign {
		r.late = false
	}
	r.at = &section{parent: r.at, level: level, line: line, facets: facets, late: r.late}
	for _, f := range facets {
		r.locked = r.locked || f.label == "clocks" && f.value == "locked"
	}
}

// settle determines the section to which each fact applies: the smallest one around it that contains results. If a fact
// thereby leaves the sections of some titles, it only applies to results that match these titles. So a command under
// "high load" in a chapter on how to run applies to all high-load results of the text.
func (o *outline) settle() {
	for _, s := range o.stated {
		if len(s.results) > 0 {
			continue
		}
		for _, f := range s.facets {
			o.facts = append(o.facts, &fact{facet: f, kind: statement, line: s.line, owner: s.parent})
		}
		s.facets = nil
	}
	slices.SortStableFunc(o.facts, func(a, b *fact) int { return a.line - b.line })
	type topicKey struct {
		section *section
		label   string
		kind    kind
	}
	topics := map[topicKey]*topic{}
	for _, f := range o.facts {
		s := f.owner
		for len(s.results) == 0 && s.parent != nil {
			f.when = append(f.when, s.facets...)
			s = s.parent
		}
		f.scope = s
		f.round, _ = slices.BinarySearch(s.results, f.line)
		if len(f.when) > 0 {
			s.supposes = append(s.supposes, f)
			continue
		}
		key := topicKey{s, f.label, f.kind}
		if topics[key] == nil {
			topics[key] = &topic{}
			s.speaks = append(s.speaks, topics[key])
		}
		topics[key].facts = append(topics[key].facts, f)
	}
}

// topic holds the facts of one label and kind that apply to a section, in the order of the text. A log with thousands
// of results has thousands of facts of each kind, of which few can apply to one result.
type topic struct{ facts []*fact }

// near returns the facts between a line and the last result above it, and those below the section's last result.
func (t *topic) near(line, results int) []*fact {
	above := sort.Search(len(t.facts), func(i int) bool { return t.facts[i].line > line })
	first := above
	for first > 0 && t.facts[first-1].round == t.facts[above-1].round {
		first--
	}
	below := max(above, sort.Search(len(t.facts), func(i int) bool { return t.facts[i].round >= results }))
	return slices.Concat(t.facts[first:above], t.facts[below:])
}
