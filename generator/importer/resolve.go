package importer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// candidate is a fact that may apply to a result.
type candidate struct {
	*fact
	depth    int  // of the section to which it applies, or whose title it is
	after    bool // it is below the result
	outer    bool // a heading is between the section and the result
	specific bool // it has a condition, which the result meets
	example  bool // it is from a command that is an example
}

// labelling decides what a file says about one result.
type labelling struct {
	*outline
	result   *result.Result
	chain    []*section // from the root to the section of the result
	open     []candidate
	named    candidate // the model if examples are not set aside; without a fact if there is none
	chosen   map[string]candidate
	told     []told
	messages []result.Message
}

// resolve returns the labels stated about each result.
func (o *outline) resolve() ([][]told, []result.Message) {
	all := make([]*labelling, len(o.results))
	for i := range o.results {
		all[i] = o.about(i)
	}
	capped := map[int]bool{} // commands under which any result has printed its concurrency
	for _, l := range all {
		if _, ok := l.printed("max_concurrency"); ok {
			for _, c := range l.open {
				capped[c.command] = true
			}
		}
	}
	models := titled{}
	for _, l := range all {
		models.add(l)
	}
	for _, l := range all {
		l.setExamplesAside(models)
	}
	out := make([][]told, len(all))
	var messages []result.Message
	for i, l := range all {
		l.decide(capped)
		out[i] = l.told
		messages = append(messages, l.messages...)
	}
	return out, messages
}

// about collects the candidates for a result.
func (o *outline) about(i int) *labelling {
	l := &labelling{outline: o, result: &o.results[i], chosen: map[string]candidate{}}
	for s := o.leaves[i]; s != nil; s = s.parent {
		l.chain = append(l.chain, s)
	}
	slices.Reverse(l.chain)
	for depth, s := range l.chain {
		for _, f := range s.facets {
			l.add(candidate{fact: &fact{facet: f, kind: f.kindOr(title), line: s.line}, depth: depth})
		}
		var near []*fact
		for _, t := range s.speaks {
			near = append(near, t.near(l.result.Source.Line, len(s.results))...)
		}
		slices.SortStableFunc(near, func(a, b *fact) int { return a.line - b.line })
		for _, f := range near {
			l.consider(f, s, depth)
		}
	}
	l.prune()
	// Conditions are compared with the facts that have no condition.
	for depth, s := range l.chain {
		for _, f := range s.supposes {
			if l.fulfils(f.when) {
				l.consider(f, s, depth)
			}
		}
	}
	l.prune()
	l.named, _ = l.best("model")
	return l
}

// prune removes candidates for which there is one of the same rank after a later result: each result has its own
// command.
func (l *labelling) prune() {
	type place struct {
		label           string
		kind            kind
		depth           int
		specific, after bool
	}
	last := map[place]int{}
	of := func(c candidate) place { return place{c.label, c.kind, c.depth, c.specific, c.after} }
	for _, c := range l.open {
		last[of(c)] = max(last[of(c)], c.round)
	}
	l.open = slices.DeleteFunc(l.open, func(c candidate) bool { return c.round < last[of(c)] })
}

// titled maps a section to the models that the text, not a command, names for its results, and to the line of each
// model's last result.
type titled map[*section]map[string]int

func (t titled) add(l *labelling) {
	if !l.isTitled() {
		return
	}
	for _, s := range l.chain {
		if t[s] == nil {
			t[s] = map[string]int{}
		}
		t[s][l.named.value] = l.result.Source.Line
	}
}

// haveOther reports whether results below a line have a different model.
func (t titled) haveOther(s *section, model string, line int) bool {
	for other, last := range t[s] {
		if last > line && other != model && letters(other) != letters(model) && !extends(model, other) {
			return true
		}
	}
	return false
}

// setExamplesAside marks the model in a command as an example if results after it have other models in their titles.
// For a result without a titled model, all facts of such a command are marked.
func (l *labelling) setExamplesAside(models titled) {
	examples := map[int]bool{}
	for i := range l.open {
		c := &l.open[i]
		c.example = c.label == "model" && c.kind == command && models.haveOther(c.scope, c.value, c.line)
		if c.example {
			examples[c.command] = true
		}
	}
	if l.isTitled() {
		return
	}
	for i := range l.open {
		if c := &l.open[i]; c.command != 0 && examples[c.command] {
			c.example = true
		}
	}
}

// isTitled reports whether the text, not a command, names the model.
func (l *labelling) isTitled() bool { return l.named.fact != nil && l.named.kind > command }

func (l *labelling) add(c candidate) { l.open = append(l.open, c) }

// consider adds a fact if it can apply to the result.
func (l *labelling) consider(f *fact, s *section, depth int) {
	at := l.result.Source.Line
	c := candidate{fact: f, depth: depth, after: f.line > at, specific: len(f.when) > 0}
	if c.after && (f.kind != statement || f.inline || f.round < len(s.results)) {
		return // it applies to what follows it
	}
	for _, below := range l.chain[depth+1:] {
		c.outer = c.outer || below.level <= levelCampaign
		if f.kind <= command && below.level == levelCampaign {
			return // done before a set of benchmarks began
		}
	}
	l.add(c)
}

// fulfils reports whether the result meets all conditions. A condition on an unknown fact is not met.
func (l *labelling) fulfils(when []facet) bool {
	for _, w := range when {
		if w.label == stem {
			if c, ok := l.best("model"); !ok || !extends(c.value, w.value) && letters(c.value) != letters(w.value) {
				return false
			}
			continue
		}
		if c, ok := l.best(w.label); !ok || c.value != w.value {
			return false
		}
	}
	return true
}

// best returns the nearest of the strongest candidates for a label.
func (l *labelling) best(label string) (candidate, bool) {
	group := l.strongest(label)
	if len(group) == 0 {
		return candidate{}, false
	}
	return group[len(group)-1], true
}

// compare orders candidates by how closely they relate to the result. The criteria are, in this order: stated rather
// than guessed; a nearer section; with a condition; a title before a statement before a command; above the result
// rather than below.
func (c candidate) compare(d candidate) int {
	return cmp.Or(
		cmp.Compare(min(c.kind, command), min(d.kind, command)),
		cmp.Compare(c.depth, d.depth),
		compareBool(c.specific, d.specific),
		cmp.Compare(c.kind, d.kind),
		compareBool(!c.after, !d.after))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// strongest returns the candidates for a label that no other candidate outranks, in the order of the text.
func (l *labelling) strongest(label string) []candidate {
	var group []candidate
	for _, c := range l.open {
		if c.label != label || c.example {
			continue
		}
		if len(group) > 0 {
			if order := c.compare(group[0]); order < 0 {
				continue
			} else if order > 0 {
				group = group[:0]
			}
		}
		group = append(group, c)
	}
	slices.SortStableFunc(group, func(a, b candidate) int { return a.line - b.line })
	return group
}

// decide chooses the labels of the result.
func (l *labelling) decide(capped map[int]bool) {
	var labels []string
	for _, c := range l.open {
		if !slices.Contains(labels, c.label) {
			labels = append(labels, c.label)
		}
	}
	slices.Sort(labels)
	for _, label := range labels {
		c, ok := l.choose(label)
		if ok {
			l.chosen[label] = c
		}
	}
	l.chooseModel()
	for _, label := range labels {
		if c, ok := l.chosen[label]; ok {
			l.dispute(c)
			l.tell(c, capped)
		}
	}
	l.tellModel()
	l.tellGuesses()
	l.tellMeasured()
}

// choose returns one of the strongest candidates, or none if they disagree and nothing shows which one is right.
func (l *labelling) choose(label string) (candidate, bool) {
	group := l.strongest(label)
	if len(group) == 0 {
		return candidate{}, false
	}
	if last := group[len(group)-1]; last.kind == title || last.kind == guess || last.kind == statement && !last.outer && !last.after {
		return last, true // the nearest one wins
	}
	if !agree(group) {
		// Several commands for several results: drop those that do not fit.
		group = slices.DeleteFunc(group, func(c candidate) bool { return c.kind == command && l.refutesCommand(c.command) })
	}
	if len(group) == 0 {
		return candidate{}, false
	}
	if !agree(group) {
		first, last := group[0], group[len(group)-1]
		for _, c := range group {
			if c.value != last.value {
				first = c
			}
		}
		l.warn("import.ambiguous", locale.Textf("%s is %s in line %d and %s in line %d, and neither is closer", label, first.value, first.line, last.value, last.line),
			locale.Textf("it is left out; name it with --label or in run.toml"))
		return candidate{}, false
	}
	return group[len(group)-1], true
}

func agree(group []candidate) bool {
	return !slices.ContainsFunc(group, func(c candidate) bool { return c.value != group[0].value })
}

// chooseModel replaces a short name in a title by a longer form: the command under "Qwen2.5VL-72B" serves
// Qwen2.5-VL-72B-Instruct.
func (l *labelling) chooseModel() {
	c, ok := l.chosen["model"]
	if !ok {
		return
	}
	for _, d := range l.open {
		if d.label == "model" && d.kind > guess && !d.example && d.depth >= c.depth && !d.after && extends(d.value, c.value) {
			c = d
		}
	}
	l.chosen["model"] = c
}

// dispute reports a fact that is as near to the result as the chosen one but contradicts it.
func (l *labelling) dispute(c candidate) {
	for _, d := range slices.Backward(l.open) {
		if d.label != c.label || d.kind <= guess || d.kind >= c.kind || d.depth < c.depth || d.value == c.value || d.value == "" {
			continue
		}
		if d.kind == command && l.refutesCommand(d.command) {
			continue
		}
		if c.label == "model" && (extends(c.value, d.value) || letters(c.value) == letters(d.value)) {
			continue
		}
		where := fmt.Sprintf("line %d", d.line)
		if d.kind == command {
			where = "the command in " + where
		}
		l.warn("import.contradiction", locale.Textf("%s is %s in line %d, but %s says %s", c.label, c.value, c.line, where, d.value),
			locale.Textf("%s is kept; correct run.toml if the other is right", c.value))
		return
	}
}

// tell adds a label unless the measured figures contradict it.
func (l *labelling) tell(c candidate, capped map[int]bool) {
	what := locale.Textf("line %d says", c.line)
	if c.kind == command {
		what = locale.Textf("the command in line %d asks for", c.line)
	}
	printed, ok := l.printed(c.label)
	switch {
	case c.label == "model" || c.value == "":
		return // tellModel adds the model; an empty value is an unset setting
	case ok && printed == c.value:
		return // the result itself states it
	case ok:
		l.warn("import.contradiction", locale.Textf("%s is %s in the result, but %s %s", c.label, printed, what, c.value), locale.Textf("the measured value counts"))
		return
	case c.label == "max_concurrency" && c.kind == command && capped[c.command]:
		l.warn("import.contradiction", locale.Textf("%s a concurrency of %s, but the result prints none as the others do", what, c.value), locale.Textf("max_concurrency is left out"))
		return
	}
	if measured, refuted := l.refutes(c.label, c.value); refuted {
		if c.label == "num_prompts" {
			text := locale.Textf("%s %s requests, but the result has %s", what, c.value, measured)
			if l.mayHaveFailed(c.value) {
				l.warn("import.contradiction", text, locale.Textf("num_prompts is left out: the others may have failed, or were never sent"))
				return
			}
			l.warn("import.contradiction", text, locale.Textf("the measured value counts"))
			l.say(c.label, measured, c, "measured; "+locale.English(what)+" "+c.value)
			return
		}
		l.warn("import.contradiction", locale.Textf("%s %s of %s, but the result has %s per request", what, c.label, c.value, measured), locale.Textf("%s is left out", c.label))
		return
	}
	l.say(c.label, c.value, c, c.note)
}

// say adds a label with the origin and position of a candidate.
func (l *labelling) say(label, value string, c candidate, note string) {
	origin := result.Declared
	if c.kind == guess {
		origin = result.Guessed
	}
	l.told = append(l.told, told{Label: result.Label{Name: label, Value: value, Origin: origin,
		Pos: result.Position{File: l.file, Line: c.line}}, kind: c.kind, note: note})
}

// tellModel adds the model and the path from which it was served.
func (l *labelling) tellModel() {
	above, named := l.result.Labels.Lookup("model_raw")
	named = named && l.isPrinted(above)
	c, ok := l.chosen["model"]
	if named && modelFacts(above.Value) != nil {
		// The client's own arguments are closer to the run than any title.
		c = candidate{depth: len(l.chain), fact: &fact{kind: statement, line: above.Pos.Line,
			facet: facet{label: "model", value: modelName(above.Value), raw: above.Value}}}
		l.chosen["model"], ok = c, true
	}
	if !ok {
		return
	}
	l.say("model", c.value, c, c.note)
	if !named {
		raw := c.raw
		for _, d := range l.open {
			if d.label == "model" && d.kind <= command && letters(d.value) == letters(c.value) {
				raw = d.raw
			}
		}
		if raw != c.value {
			l.say("model_raw", raw, c, "")
		}
	}
}

// tellGuesses adds labels that follow from the model's name and from other titles.
func (l *labelling) tellGuesses() {
	if i := slices.IndexFunc(l.told, func(t told) bool { return t.Name == "model" }); i >= 0 {
		model := l.told[i]
		line := candidate{fact: &fact{line: model.Pos.Line}}
		name := quantizationIn(model.Value)
		said, ok := l.chosen["quantization"]
		switch {
		case ok && name != "" && name != "GGUF" && said.depth < l.chosen["model"].depth:
			// "AWQ results" above "Qwen3-8B-FP8": the model's name is nearer.
			l.told = slices.DeleteFunc(l.told, func(t told) bool { return t.Name == "quantization" })
			l.say("quantization", name, line, "")
		case ok:
		case name != "":
			l.say("quantization", name, line, "")
		default:
			l.say("quantization", "BF16", line, "the model's name gives none")
		}
	}
	if power, ok := l.chosen["power_mode"]; ok && power.kind == title && l.locked {
		if _, ok := l.chosen["clocks"]; ok {
			return
		}
		l.say("clocks", "free", candidate{fact: &fact{line: power.line}}, "other titles name jetson_clocks")
	}
}

// tellMeasured adds labels that the client printed above its table, since only the table is copied from the file.
func (l *labelling) tellMeasured() {
	for _, label := range l.result.Labels {
		if !l.isPrinted(label) || l.inTable(label) {
			continue
		}
		l.told = slices.DeleteFunc(l.told, func(t told) bool { return t.Name == label.Name })
		l.told = append(l.told, told{Label: label, kind: title})
	}
}
