package compose

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/visible"
)

// writer writes a plan as text.
type writer struct {
	*plan
	request Request
	printer locale.Printer
	out     strings.Builder
	names   map[string]bool // names of charts so far
	led     *study          // study all of whose sentences are in the lead
}

// post writes the whole post. It writes the front matter last, because that lists the settings in which
// compared runs differ.
func (w *writer) post() []byte {
	w.names = map[string]bool{}
	w.lead()
	w.findings()
	w.conditions()
	w.results()
	w.tradeoffs()
	w.doubts()
	w.reproduce()
	w.raw()
	return []byte(visible.Text(w.front() + w.out.String()))
}

// front writes the front matter.
func (w *writer) front() string {
	var b strings.Builder
	line := func(name, value string) { b.WriteString(name + " = " + value + "\n") }
	b.WriteString("+++\n")
	line("title", settings.String(w.printer.Say(w.title())))
	line("date", w.request.Date)
	if tags := w.tags(); len(tags) > 0 {
		line("tags", settings.List(tags))
	}
	if s := w.selector(); s != "" {
		line("runs", settings.String(s))
	}
	if accepted := w.accepted(); len(accepted) > 0 {
		line("accept", settings.List(accepted)+"  # "+w.words("compose.accept"))
	}
	b.WriteString("+++\n\n")
	return b.String()
}

// selector returns the selector of the post: the requested one, or else that of the campaign if all runs are of
// one, so that runs added elsewhere do not change the post. Runs directly in the folder of runs have the campaign "".
func (w *writer) selector() string {
	asked := w.request.Where != "" || w.request.Draft != ""
	if groups := w.data.Groups(w.runs, []string{"campaign"}); !asked && len(groups) == 1 {
		return where([]matcher{{"campaign", "=", groups[0].Runs[0].Label("campaign")}})
	}
	return w.request.Where
}

// title returns a title of what was measured, on which machines, and by which labels it is compared.
func (w *writer) title() locale.Text {
	subject := w.subject()
	if subject.IsZero() {
		subject = locale.T("compose.inference")
	}
	if machines := w.on(); len(machines) > 0 {
		subject = locale.T("compose.on", subject, w.list("hardware", machines))
	}
	if by := w.varying(3); len(by) > 0 {
		return locale.T("compose.title", subject, locale.List(by...))
	}
	return locale.T("compose.title.alone", subject)
}

// on returns the machines of the post's runs. It returns nil if there are many, or if a run does not state its
// machine.
func (w *writer) on() []string {
	machines := w.data.Values(w.runs, "hardware")
	if len(machines) > mostModels || len(dataset.Having(w.runs, "hardware")) < len(w.runs) {
		return nil
	}
	return machines
}

// subject names the models of the post. It is zero if none is known.
func (w *writer) subject() locale.Text {
	models := w.data.Values(w.runs, "model")
	switch {
	case len(models) == 0:
		return locale.Text{}
	case len(models) <= mostModels:
		return w.list("model", models)
	}
	if stem := common(models); stem != "" {
		return locale.Lit(stem)
	}
	return locale.T("compose.models", w.data.Title("model", models[0]), w.data.Title("model", models[1]))
}

// common returns the words that all names begin with, "" if these are not a name.
func common(names []string) string {
	stem := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, stem) || len(name) > len(stem) && !strings.ContainsAny(name[len(stem):len(stem)+1], "-_ .:") && !strings.HasSuffix(stem, "-") {
			i := strings.LastIndexAny(stem, "-_ .:")
			if i < 0 {
				return ""
			}
			stem = stem[:i]
		}
	}
	stem = strings.TrimRight(stem, "-_ .:")
	if !strings.ContainsAny(stem, "0123456789") {
		return ""
	}
	return stem
}

// list returns the titles of values of a label as a list.
func (w *writer) list(label string, values []string) locale.Text {
	titles := make([]locale.Text, len(values))
	for i, v := range values {
		titles[i] = w.data.Title(label, v)
	}
	return listed(titles)
}

// listed joins texts for a sentence. Of many it lists only the first and the number of the rest.
func listed(texts []locale.Text) locale.Text {
	if len(texts) > mostInSentence {
		return locale.FewTexts(texts, mostInSentence-2)
	}
	return locale.List(texts...)
}

// varying returns the names of the first labels by which runs of a study are compared.
func (w *writer) varying(most int) []locale.Text {
	labels := w.compared()
	return inside(labels[:min(most, len(labels))])
}

// inside returns the names of labels in the form for the middle of a sentence.
func inside(labels []string) []locale.Text {
	var names []locale.Text
	for _, label := range labels {
		names = append(names, locale.Inside(locale.LabelName(label)))
	}
	return names
}

// compared returns the labels by which runs of a study are compared, the most informative first. A label counts
// only if some runs differ in nothing else that is a condition.
func (w *writer) compared() []string {
	return w.laid(func(label string, runs []*result.Result) bool { return len(condition.Paired(w.data, runs, label)) > 0 })
}

// laid returns the labels over which tables and charts are laid out and for which holds returns true in a
// study, the most informative first.
func (w *writer) laid(holds func(label string, runs []*result.Result) bool) []string {
	var labels []string
	add := func(label string, runs []*result.Result) {
		if label != "" && !slices.Contains(labels, label) && holds(label, runs) {
			labels = append(labels, label)
		}
	}
	for _, s := range w.studies {
		add(s.variant, s.runs)
	}
	for _, s := range w.studies {
		add(s.loads, s.runs)
		for _, label := range slices.Concat(s.sweeps, s.factors()) {
			if s.loads != "load" || label != "max_concurrency" {
				add(label, s.runs)
			}
		}
	}
	return labels
}

// differing returns the labels in which runs differ: those over which tables are laid out, and all that change
// with them, so that no reader attributes a figure to one label alone.
func (w *writer) differing() []string {
	labels := w.laid(func(label string, runs []*result.Result) bool { return len(w.data.Values(runs, label)) > 1 })
	for _, s := range w.studies {
		for _, alike := range dataset.ByMeasure(s.runs) {
			for _, name := range dataset.Differing(alike) {
				if !slices.Contains(labels, name) && !slices.ContainsFunc(labels, func(label string) bool { return follows(name, label) }) && len(w.data.Values(alike, name)) > 1 {
					labels = append(labels, name)
				}
			}
		}
	}
	return labels
}

// follows reports whether a label is determined by another.
func follows(name, from string) bool {
	return audit.Explains(from, name) ||
		slices.Contains(modelLabels, from) && (slices.Contains(modelLabels, name) || strings.HasPrefix(name, "x_model")) ||
		from == "hardware" && slices.Contains(machineLabels, name)
}

// tags returns the machines, engines and tools.
func (w *writer) tags() []string {
	var tags []string
	for _, label := range []string{"hardware", "engine", "tool"} {
		for _, v := range w.data.Values(w.runs, label) {
			if tag := w.printer.Say(w.data.Title(label, v)); len(tags) < 6 && !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}

// lead writes what was measured, and the first figures.
func (w *writer) lead() {
	if w.request.Draft != "" {
		w.paragraph(locale.T("compose.draft", code(w.request.Draft)))
	}
	tools := w.list("tool", w.data.Values(w.runs, "tool"))
	subject, machines := w.subject(), w.on()
	sentences := []locale.Text{}
	switch {
	case subject.IsZero():
		sentences = append(sentences, locale.T("compose.covers-tool", w.plain(tools)))
	case len(machines) == 0:
		sentences = append(sentences, locale.T("compose.covers", w.plain(subject), w.plain(tools)))
	default:
		sentences = append(sentences, locale.T("compose.covers-on", w.plain(subject), w.plain(w.list("hardware", machines)), w.plain(tools)))
	}
	sentences = append(sentences, locale.T("compose.count", w.count()))
	if by := w.differing(); len(by) > 0 {
		sentences = append(sentences, locale.T("compose.differ", listed(inside(by))))
	}
	w.paragraph(sentences...)
	for _, s := range w.studies {
		if figures := s.headline(w); len(figures) > 0 {
			w.paragraph(figures...)
			if len(s.comparisons(w)) <= mostLed {
				w.led = s
			}
			break
		}
	}
	w.comment("compose.why")
	w.out.WriteString("<!--more-->\n\n")
}

// count returns the number of runs as an inline value.
func (w *writer) count() locale.Text {
	if all := w.everything(); all != nil {
		return inlined("count" + where(all))
	}
	return inlined("count{}")
}

// findings writes the findings.
func (w *writer) findings() {
	first := true
	for _, s := range w.all() {
		found := s.findings()
		if len(found) == 0 {
			continue
		}
		if first {
			w.heading(2, locale.T("compose.shows"))
		}
		if !s.title.IsZero() {
			w.heading(3, s.title)
		}
		for _, of := range found {
			if !of.held.IsZero() {
				w.paragraph(locale.T("compose.held", w.plain(of.held)))
			}
			w.block(of.block)
		}
		first = false
	}
	if !first {
		w.paragraph(locale.T("compose.rules"))
	}
}

// all returns the studies, including those that compare machines.
func (w *writer) all() []*study { return slices.Concat(w.studies, w.machines) }

// conditions writes the hardware, the software and the settings of the measurements.
func (w *writer) conditions() {
	var blocks []blockOf
	for _, s := range w.studies {
		for _, columns := range []string{s.loads, "tool"} {
			b := blockOf{kind: "config"}
			b.set("where", where(s.matchers))
			b.set("columns", columns)
			if shown, ok := w.try(b); columns != "" && ok && len(shown.Table.Rows) > 0 {
				if !s.title.IsZero() {
					b.set("caption", w.printer.Say(s.title))
				}
				blocks = append(blocks, b)
				break
			}
		}
	}
	blocks = append(blocks, w.environment()...)
	w.heading(2, locale.T("compose.conditions"))
	for _, b := range blocks {
		w.block(b)
	}
	if missing := w.missing(); len(missing) > 0 {
		w.comment("compose.missing", locale.List(missing...))
	}
	if named := len(dataset.Having(w.runs, "model")); 0 < named && named < len(w.runs) {
		w.comment("compose.nameless", len(w.runs)-named, len(w.runs))
	}
	if guessed := w.guessed(); len(guessed) > 0 {
		w.comment("compose.guessed", locale.List(guessed...))
	}
}

// environment returns blocks about the software and hardware of the measurements, one for each machine.
func (w *writer) environment() []blockOf {
	var blocks []blockOf
	add := func(ms []matcher, caption string) {
		b := blockOf{kind: "environment"}
		b.set("where", where(ms))
		b.set("caption", caption)
		if shown, ok := w.try(b); ok && len(shown.Table.Rows) > 0 {
			blocks = append(blocks, b)
		}
	}
	machines := w.data.Values(w.runs, "hardware")
	known := len(dataset.Having(w.runs, "hardware"))
	if len(machines) < 2 && (known == 0 || known == len(w.runs)) || len(machines) > mostStudies || w.everything() != nil {
		add(w.everything(), "")
		return blocks
	}
	for _, id := range machines {
		add([]matcher{{"hardware", "=", id}}, w.printer.Say(w.data.Title("hardware", id)))
	}
	if known < len(w.runs) {
		add([]matcher{{"hardware", "=", ""}}, w.printer.Words("compose.hardware.unknown"))
	}
	return blocks
}

// missing returns the facts that are needed to repeat the measurements but that no run states.
func (w *writer) missing() []locale.Text {
	absent := map[string]int{}
	var order []string
	for _, r := range w.runs {
		_, missing := dataset.Needs(r)
		for _, name := range missing {
			if name == "model_raw" && r.Label("model") != "" {
				continue
			}
			if absent[name] == 0 {
				order = append(order, name)
			}
			absent[name]++
		}
	}
	var names []locale.Text
	for _, name := range order {
		if absent[name] == len(w.runs) {
			names = append(names, locale.Inside(locale.LabelName(name)))
		}
	}
	return names
}

// guessed returns the labels that were derived from names alone.
func (w *writer) guessed() []locale.Text {
	var labels []string
	for _, r := range w.runs {
		for _, l := range r.Labels {
			if l.Origin == result.Guessed && l.Name != "campaign" && !slices.Contains(labels, l.Name) {
				labels = append(labels, l.Name)
			}
		}
	}
	slices.Sort(labels)
	var names []locale.Text
	for _, name := range labels {
		names = append(names, locale.Inside(locale.LabelName(name)))
	}
	return names
}

// results writes tables and charts, study by study.
func (w *writer) results() {
	w.heading(2, locale.T("compose.results"))
	for _, s := range w.all() {
		level := 3
		if !s.title.IsZero() {
			w.heading(3, s.title)
			level = 4
		}
		tables, shown := s.tables()
		switch {
		case len(tables) == 0:
			w.paragraph(locale.T("compose.no-table", len(s.runs)))
		case shown < len(s.runs):
			w.paragraph(locale.T("compose.part", shown, len(s.runs)))
		}
		w.blocks(tables)
		if figures := s.comparisons(w); len(figures) > 0 && s != w.led {
			w.items(figures)
		}
		w.blocks(s.charts())
		for _, over := range s.sweeps[:min(2, len(s.sweeps))] {
			w.section(level, locale.T("view.by", locale.Inside(locale.LabelName(over))), s.sweep(over), s.rise(w, over)...)
		}
		w.section(level, locale.T("compose.settings"), s.settings())
		w.section(level, locale.T("compose.power"), s.power())
	}
	if len(w.left) > 0 {
		w.comment("compose.left")
		for _, s := range w.left[:min(len(w.left), 20)] {
			w.note("benchpost new post NAME --where '" + where(s.matchers) + "'")
		}
	}
}

// tradeoffs writes the blocks that compare size with speed.
func (w *writer) tradeoffs() {
	var blocks []blockOf
	for _, s := range w.studies {
		if b, ok := s.tradeoff(); ok {
			if !s.title.IsZero() {
				b.set("caption", w.printer.Say(s.title))
			}
			blocks = append(blocks, b)
		}
	}
	if len(blocks) == 0 {
		return
	}
	w.section(2, locale.T("compose.tradeoff"), blocks)
	w.comment("compose.limits")
}

// doubts writes the findings of checks.
func (w *writer) doubts() {
	b := blockOf{kind: "checks"}
	b.set("where", where(w.everything()))
	if _, ok := w.try(b); !ok {
		return
	}
	w.heading(2, locale.T("compose.doubts"))
	w.paragraph(locale.T("compose.checked"))
	w.block(b)
	w.comment("compose.doubts.own")
}

// mostCommands is the maximum number of commands that are shown.
const mostCommands = 4

// reproduce writes the commands that started the runs.
func (w *writer) reproduce() {
	w.heading(2, locale.T("compose.reproduce"))
	var kept, printed, rebuilt []string
	for _, r := range w.runs[:min(mostRaw, len(w.runs))] {
		if len(kept) >= mostCommands {
			break
		}
		for _, label := range []string{"command", "x_command"} {
			if v := r.Label(label); v != "" && !slices.Contains(kept, v) {
				kept = append(kept, v)
			}
		}
		for _, c := range w.request.Commands(r) {
			switch {
			case c.Line == 0 && !slices.Contains(rebuilt, c.Text):
				rebuilt = append(rebuilt, c.Text)
			case c.Arguments && !slices.Contains(printed, c.Text):
				printed = append(printed, c.Text)
			case c.Line > 0 && !c.Arguments && !slices.Contains(kept, c.Text):
				kept = append(kept, c.Text)
			}
		}
	}
	switch {
	case len(kept) > 0:
		w.paragraph(locale.T("compose.commands"))
		w.code("bash", kept[:min(len(kept), mostCommands)])
	case len(printed) > 0:
		w.paragraph(locale.T("compose.arguments"))
		w.code("text", printed[:min(len(printed), mostCommands)])
	case len(rebuilt) > 0:
		w.paragraph(locale.T("compose.rebuilt"))
		w.code("bash", rebuilt[:min(len(rebuilt), mostCommands)])
	default:
		w.paragraph(locale.T("compose.no-command"))
	}
	w.comment("compose.steps")
}

// raw writes the output of the tools, for as many studies as fit.
func (w *writer) raw() {
	var blocks []blockOf
	n := 0
	for _, s := range w.studies {
		if n+len(s.runs) > mostRaw || slices.ContainsFunc(s.runs, func(r *result.Result) bool { return !short(r) }) {
			continue
		}
		var titles []string
		for _, label := range slices.Concat([]string{"model", s.variant, s.loads}, s.sweeps, s.factors()) {
			if label != "" && !slices.Contains(titles, label) && len(w.data.Values(s.runs, label)) > 1 {
				titles = append(titles, label)
			}
		}
		if len(titles) == 0 {
			titles = []string{s.variant}
		}
		b := blockOf{kind: "raw"}
		b.set("where", where(s.matchers))
		b.set("title", titles)
		b.set("sort", titles)
		if _, ok := w.try(b); ok {
			blocks = append(blocks, b)
			n += len(s.runs)
		}
	}
	w.heading(2, locale.T("compose.raw"))
	w.blocks(blocks)
	switch {
	case n == 0:
		w.paragraph(locale.T("compose.raw.pages"))
	case n < len(w.runs):
		w.paragraph(locale.T("compose.raw.others"))
	}
}

// short reports whether the output of a run is readable text and not too long for a post.
func short(r *result.Result) bool {
	document := slices.ContainsFunc([]string{"json", "csv", "parquet", "html", "yaml"}, func(s string) bool { return strings.Contains(r.Format, s) })
	return !document && r.EndLine-r.Source.Line < mostLines
}
