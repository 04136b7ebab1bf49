package format

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/column"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
)

// genericJSON reads objects with unmistakable keys that users' own scripts, and forks of tools, write. It uses the same
// names, units and rules for doubtful cases as genericCSV. It comes last: it reads nothing from an object that a tool's
// reader knows, and nothing from a file in which a tool's reader has found a result.
//
// An object is a result if its figures are those of a benchmark (see isLooseResult). Objects inside it that are not
// results are parts of it ("ttft_ms": {"mean": 31.2}). Each inner object that is a result becomes one of its own, gets
// the settings around it, and is named after its key. A repeated result, such as the best run in a summary, is kept
// once. Targets, limits, comparisons and single requests are not results; neither are samples over time and the
// examples of a page.
type genericJSON struct {
	genericCSV
	columns map[string]column.Column // cached meanings of keys
	found   []result.Result
	doubts  []result.Message // warnings about the figures of found
}

const maxColumnNames = 1 << 12

// looseField is a member of a result, with the keys that lead to it.
type looseField struct {
	path string
	v    *scan.Value
	c    column.Column
}

// looseNode is an object, or a list of objects, with the fields found in it.
type looseNode struct {
	v      *scan.Value
	name   string // its key
	fields []looseField
	inner  []*looseNode // objects that are results or contain results
	claims bool
	before int // number of fields of the parent object that precede this one

	command *scan.Value // the command beside the figures or around them; nil for none
}

// generic reads an object of no known format, and reports whether it is a result or contains one. The results are kept
// aside until it is known that no tool's reader found any.
func (in *input) generic(v *scan.Value) bool {
	g := &in.loose
	if g.columns == nil || len(g.columns) > maxColumnNames {
		g.columns = map[string]column.Column{}
	}
	g.In = in.File
	if !g.speaks(v, 0) {
		return false
	}
	node := g.gather(v, "", 0)
	if node == nil || !node.claims && len(node.inner) == 0 {
		return false
	}
	g.emit(node, nil, "")
	return true
}

// speaks reports whether a key of an object, at any level, names a speed or a latency.
func (g *genericJSON) speaks(v *scan.Value, depth int) bool {
	if depth > maxDepth {
		return false
	}
	for child := range v.Children() {
		if child.Key != "" {
			if c := g.column(child.Key); c.Speed || c.Ambiguous {
				return true
			}
		}
		if (child.Kind == '{' || child.Kind == '[') && g.speaks(child, depth+1) {
			return true
		}
	}
	return false
}

// settleGeneric adds the kept results, unless a tool's reader found a result or a trace in the file.
func (in *input) settleGeneric() {
	found, doubts := in.loose.found, in.loose.doubts
	in.loose.found, in.loose.doubts = nil, nil
	if len(found) == 0 || len(in.Out.Traces) > 0 || slices.ContainsFunc(in.Out.Results, func(r result.Result) bool { return r.Tool != genericTool }) {
		return
	}
	in.Out.Results = append(in.Out.Results, found...)
	in.Message(found[0].Source.Line, result.Info, "format.generic", locale.Textf("read by its keys: no tool is known to write this"),
		locale.Textf("check the figures once; a [[format]] in site.toml gives names to those that begin with x_"))
	in.Out.Messages = append(in.Out.Messages, doubts...)
}

// gather finds the results in an object. It returns nil for an object to be skipped.
func (g *genericJSON) gather(v *scan.Value, name string, depth int) *looseNode {
	if depth > maxDepth || isNoRun(v) {
		return nil
	}
	node := &looseNode{v: v, name: name}
	var below []*looseNode
	for child := range v.Children() {
		switch {
		case isCommand(child):
			node.command = child
		case child.Scalar():
			node.fields = append(node.fields, looseField{path: child.Key, v: child, c: g.column(child.Key)})
		case isAside(child.Key):
		case child.Kind == '{':
			if of := g.gather(child, child.Key, depth+1); of != nil {
				of.before = len(node.fields)
				below = append(below, of)
			}
		case child.Kind == '[' && child.First != nil && child.First.Kind == '{':
			list := &looseNode{v: child, name: child.Key, before: len(node.fields)}
			for entry := range child.Children() {
				if of := g.gather(entry, "", depth+2); of != nil && (of.claims || len(of.inner) > 0) {
					list.inner = append(list.inner, of)
				}
			}
			below = append(below, list)
		}
	}
	g.join(node, below)
	node.claims = isLooseResult(node, false)
	return node
}

// join adds the objects below a node, either as results of their own or as parts of it. Parts that state the same
// figure with different values belong to different runs ("8k": {"ttft_ms": 31.2}, "32k": {"ttft_ms": 93.5}). They are
// read if they pass isLooseResult for objects that are alike; otherwise they are left out with a warning.
func (g *genericJSON) join(n *looseNode, below []*looseNode) {
	type statement struct {
		by    int
		value []byte
	}
	parts := make([][]looseField, len(below))
	stated, contested := map[string]statement{}, map[string]bool{}
	for i, b := range below {
		if b.isRun() {
			continue
		}
		for _, f := range b.fields {
			part := looseField{path: b.name + "." + f.path, v: f.v, c: g.part(b.name, f)}
			parts[i] = append(parts[i], part)
			if name := part.figure(); name != "" {
				known, twice := stated[name]
				stated[name] = statement{i, f.v.Raw}
				contested[name] = contested[name] || twice && known.by != i && !bytes.Equal(known.value, f.v.Raw)
			}
		}
	}
	own, done := n.fields, 0
	n.fields = nil
	for i, b := range below {
		n.fields, done = append(n.fields, own[done:b.before]...), b.before
		rivals := slices.ContainsFunc(parts[i], func(f looseField) bool { return contested[f.figure()] })
		b.claims = b.claims || rivals && isLooseResult(b, true)
		switch {
		case b.isRun():
			n.inner = append(n.inner, b)
		case rivals:
			g.note(b.v.Line, "format.twice", locale.Textf("%s: objects beside it state the same figures with other values", b.name),
				locale.Textf("the figures are left out, as nothing says of which runs they are; add the settings of each, such as its concurrency or lengths"))
		default:
			n.fields = append(n.fields, parts[i]...)
		}
	}
	n.fields = append(n.fields, own[done:]...)
}

// isRun reports whether an object is a result or contains results.
func (n *looseNode) isRun() bool { return n.claims || len(n.inner) > 0 }

// figure returns the name of the speed or latency that a member states, or "" for other members.
func (f *looseField) figure() string {
	switch number, ok := f.v.Float(); {
	case !ok || number <= 0 || !f.c.Speed:
		return ""
	case f.c.Bare:
		return f.c.Unit
	case f.c.Test != nil:
		return f.c.Test.Name()
	case isMeant(f.c):
		return f.c.Name
	}
	return ""
}

// column returns the meaning of a key. It caches the answers.
func (g *genericJSON) column(key string) column.Column {
	c, known := g.columns[key]
	if !known {
		c = column.Of(key)
		g.columns[key] = c
	}
	return c
}

// part returns the meaning of a member of an object inside a result. The member's own key may suffice ("latency":
// {"ttft_p50_ms": 1}). Otherwise both keys give the meaning; the first may be the statistic ("p50": {"ttft_ms": 1}) or
// end in the unit ("ttft_ms": {"p50": 1}).
func (g *genericJSON) part(name string, f looseField) column.Column {
	if statistic, ok := draft.StatisticName(name); ok && f.c.Speed && statistic != "mean" {
		c := g.column(name + "_" + f.path)
		if !isMeant(c) { // a statistic of a rate has no name in the vocabulary
			c = column.Column{Text: f.path, Name: "x_" + draft.Snake(name+"_"+f.path), Unit: f.c.Unit}
		}
		return c
	}
	if isMeant(f.c) && (!isVersions(name) || strings.HasSuffix(f.c.Name, "_version")) {
		return f.c
	}
	if c := g.column(name + "_" + f.path); isMeant(c) {
		return c
	}
	if words, unit := column.Unit(column.Words(name)); unit != "" {
		if c := g.column(strings.Join(words, "_") + "_" + f.path + "_" + strings.ReplaceAll(unit, "/", "_")); isMeant(c) {
			return c
		}
	}
	c := f.c
	if !c.Ambiguous && c.Name != "" {
		c.Name = "x_" + draft.Snake(name+"."+strings.TrimPrefix(f.path, "x_"))
	}
	return c
}

// isVersions reports whether the key names an object that holds versions of things, not their names.
func isVersions(name string) bool {
	words := column.Words(name)
	return len(words) > 0 && strings.TrimSuffix(words[len(words)-1], "s") == "version"
}

// isMeant reports whether a key is a setting or metric of the vocabulary, or a number of accelerators or degree of
// parallelism.
func isMeant(c column.Column) bool {
	return c.Name != "" && (!strings.HasPrefix(c.Name, "x_") || c.Label && column.Spreads(c.Name)) && !c.Ambiguous
}

// isAside reports whether the key names an object that holds targets, descriptions or defaults, not measurements.
func isAside(key string) bool {
	return slices.ContainsFunc(column.Words(key), func(word string) bool {
		switch word {
		case "slo", "slos", "sla", "target", "targets", "threshold", "thresholds", "limit", "limits", "goal", "goals", "budget", "budgets",
			"expected", "expectations", "schema", "properties", "example", "examples", "default", "defaults", "requirements", "criteria", "alerts", "panels":
			return true
		}
		return false
	})
}

// isComparison reports whether the key names an object that compares others. An object that contains one is derived
// from runs that have their own files.
func isComparison(key string) bool {
	return slices.ContainsFunc(column.Words(key), func(word string) bool {
		switch word {
		case "comparison", "compare", "diff", "difference", "delta", "deltas", "improvement", "speedup", "regression", "gain":
			return true
		}
		return false
	})
}

// isNoRun reports whether an object is a single request, a description or a comparison.
func isNoRun(v *scan.Value) bool {
	for child := range v.Children() {
		switch child.Key {
		case "request_id", "req_id", "requestId", "trace_id", "span_id", "prompt", "request_index", "request_idx", "messages", "conversation", "$schema":
			return true
		}
		if child.Kind == '{' && isComparison(child.Key) {
			return true
		}
	}
	return false
}

// isLooseResult reports whether the figures of an object are those of a run. At least one speed must have a fraction or
// not be a multiple of 5, because targets are round. Without settings and counts, an object with a date is a sample
// over time. For alike objects (several that state the same figures), a rate with a latency, a count or a setting is
// enough.
func isLooseResult(n *looseNode, alike bool) bool {
	statistics, latencies, counts, settings := 0, 0, 0, 0
	rates := map[string]bool{}
	measured, timed := false, false
	for _, f := range n.fields {
		number, isNumber := f.v.Float()
		name := f.c.Name
		switch {
		case f.c.Label && name == "date":
			timed = true
		case f.c.Label:
			settings++
		case !isNumber || number <= 0 || f.c.Ambiguous:
		case name == "requests_completed", name == "duration", name == "input_tokens", name == "output_tokens":
			counts++
		case f.c.Speed && (isMeant(f.c) || f.c.Bare):
			measured = measured || number != float64(int64(number)) || int64(number)%5 != 0
			if f.c.Unit == "tok/s" || f.c.Unit == "req/s" {
				if f.c.Test != nil {
					name = f.c.Test.Name()
				}
				rates[name] = true
				continue
			}
			latencies++
			if !strings.HasSuffix(name, "_mean") || len(column.Words(f.path)) > 2 { // ttft_ms may be one request's
				statistics++
			}
		}
	}
	switch {
	case !measured || timed && settings+counts == 0: // a sample over time
		return false
	case statistics > 0 && len(rates) > 0, statistics > 1 && counts > 0, latencies > 0 && len(rates) > 0 && counts+settings > 0:
		return true
	case alike && len(rates) > 0 && latencies+counts+settings > 0:
		return true
	}
	return len(rates) > 0 && counts > 1 || len(rates) > 1 && settings > 0
}

// emit adds results for an object and for the objects in it.
func (g *genericJSON) emit(n *looseNode, around result.Labels, name string) {
	settings := slices.Clone(around)
	for _, f := range n.fields {
		if f.c.Label && isMeant(f.c) && len(f.v.Raw) > 0 && len(f.v.Raw) <= draft.MaxLabel {
			s := g.In.Begin("", "", f.v.Line)
			s.SetText(f.c.Name, string(f.v.Raw), f.v.Line)
			for _, l := range s.Labels {
				settings.Set(l)
			}
		}
	}
	entries := 0
	for _, below := range n.inner {
		if below.command == nil {
			below.command = n.command
		}
		of := name
		if !isPart(below.name) {
			of = strings.Trim(name+"."+below.name, ".")
		}
		entries += len(below.inner)
		g.emit(below, settings, of)
	}
	if n.claims && entries < 2 { // with several entries, the object is their summary
		g.result(n, around, name)
	}
}

// isCommand reports whether a member holds the command of a run, as one text or as a list of words.
func isCommand(v *scan.Value) bool {
	return slices.Contains(commandKeys, v.Key) && (v.Kind == scan.String || v.Kind == '[' && v.First != nil && v.First.Kind == scan.String)
}

// addCommand adds the settings of the command beside a result to the result, if its counts do not contradict them.
func addCommand(in *draft.File, r *result.Result, command *scan.Value) {
	if command == nil {
		return
	}
	text := slices.Clone(command.Raw)
	for word := range command.Children() {
		text = append(append(text, shell.Quote(string(word.Raw))...), ' ')
	}
	i := draft.CommandFlags(text, draft.ServeCommands)
	if i < 0 {
		return
	}
	d := &draft.Draft{In: in, Tool: r.Tool, Start: r.Source.Line, Metrics: r.Metrics, Labels: slices.Clone(r.Labels)}
	s := draft.Settings{Line: command.Line}
	s.ReadCommand(in, text[i:], command.Line)
	if s.Fit(d) {
		s.Labels(d)
		r.Labels = d.Labels
	}
}

// isPart reports whether a key names a part of a run, not the run itself.
func isPart(key string) bool {
	switch draft.Snake(key) {
	case "metrics", "metric", "results", "result", "summary", "stats", "statistics", "performance", "benchmark", "benchmarks", "aggregate", "overall", "data",
		"report", "rows", "runs", "tests", "entries", "measurements", "output":
		return true
	}
	return false
}

// result adds a result for an object, unless the file already has the same result.
func (g *genericJSON) result(n *looseNode, around result.Labels, name string) {
	g.header, g.tables = g.header[:0], append(g.tables[:0], genericTable{})
	cells := make([]string, len(n.fields))
	for i, f := range n.fields {
		g.header = append(g.header, f.c)
		cells[i] = f.v.AsWritten()
	}
	g.settleRates()
	many := g.many(cells)
	g.begin("generic-json", n.v.Line)
	for i, f := range n.fields {
		c := g.header[i]
		c.Text = f.path
		if (f.v.Kind == scan.Number || c.Label || f.v.Kind == scan.String && !strings.ContainsAny(cells[i], "\n\t")) && len(cells[i]) <= 80 && !scan.IsMissing(cells[i]) {
			g.cell(c, cells[i], f.v.Line, many)
		}
	}
	if name != "" {
		g.SetText("x_name", name, n.v.Line)
	}
	for _, r := range g.rowResults(n.v.Last, true) {
		own := r.Labels
		r.Labels = nil
		addSettings(g.In, &r, own)
		addCommand(g.In, &r, n.command)
		addSettings(g.In, &r, around)
		r.Labels = result.Spread(r.Labels, "x_")
		if !slices.ContainsFunc(g.found, func(known result.Result) bool { return isRepeated(&known, &r) }) {
			g.found = append(g.found, r)
			g.doubt()
		}
	}
	g.header = nil
}

// doubt records warnings about values of the last result that could not be read.
func (g *genericJSON) doubt() {
	for _, f := range g.tables[0].faults {
		g.note(f.line, "format.row", f.text, f.hint)
	}
	var unclear []string
	for _, c := range g.header {
		if c.Ambiguous {
			unclear = append(unclear, c.Text)
		}
	}
	if len(unclear) > 0 {
		g.note(g.Start, "format.unit", locale.Textf("the unit of %s is not known", strings.Join(unclear, ", ")), locale.Textf("name it with [[format]] in site.toml; the other figures are read"))
	}
}

// note keeps a warning until it is known that no tool wrote the file.
func (g *genericJSON) note(line int, id string, text, hint locale.Text) {
	if len(g.doubts) < maxGenericFaults {
		g.doubts = append(g.doubts, result.Message{Pos: result.Position{File: g.In.Name, Line: line}, Severity: result.Warning, ID: id, Text: text, Hint: hint})
	}
}

// isRepeated reports whether two results state the same figures (at least two) and the same settings, apart from the
// names derived from their keys.
func isRepeated(a, b *result.Result) bool {
	named := func(l result.Label) bool { return l.Name == "x_name" }
	return len(a.Metrics) > 1 &&
		slices.EqualFunc(a.Metrics, b.Metrics, func(x, y result.Metric) bool { return x.Name == y.Name && x.Value == y.Value }) &&
		slices.EqualFunc(slices.DeleteFunc(slices.Clone(a.Labels), named), slices.DeleteFunc(slices.Clone(b.Labels), named),
			func(x, y result.Label) bool { return x.Name == y.Name && x.Value == y.Value })
}
