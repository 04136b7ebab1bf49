package rundir

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sitefile"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

const (
	runTOML    = "run.toml"
	filesTable = "files"

	// SweepName is the file in a folder of runs that plans what is to be measured there; package sweep reads it.
	SweepName = "sweep.toml"
)

// level holds what one folder declares: by its name, at the top of its run.toml, and in that file's tables for single
// files.
type level struct {
	folder string // slash path below the root
	labels result.Labels
	rules  []*rule
}

// rule is a table [files."PATTERN"] of a run.toml. The pattern is that of path.Match. Without a slash it matches the
// name of any file below the folder; with one it matches the path from the folder. It also matches a file that has been
// compressed, by its uncompressed name.
type rule struct {
	pattern string
	labels  result.Labels
	pos     result.Position
	used    bool // a file matched
}

func (r *rule) match(rel string) bool {
	if !strings.Contains(r.pattern, "/") {
		rel = path.Base(rel)
	}
	ok, _ := path.Match(r.pattern, rel)
	if plain := uncompressed(rel); !ok && plain != rel {
		ok, _ = path.Match(r.pattern, plain)
	}
	return ok
}

// extend returns the labels of the folders above together with those of this one. An empty value removes a label. A
// label guessed from a folder's name does not replace one declared above.
func (lv level) extend(above result.Labels) result.Labels {
	if len(lv.labels) == 0 {
		return above
	}
	sum := append(make(result.Labels, 0, len(above)+len(lv.labels)), above...)
	for _, label := range lv.labels {
		if known, ok := sum.Lookup(label.Name); !ok || known.Origin <= label.Origin {
			sum.Set(label)
		}
	}
	return sum
}

// declaredFor returns the labels declared for a file together with those of the model. This is sum, the labels of the
// folder, unless a rule matches the file.
func declaredFor(rel string, levels []*level, model *model, sum result.Labels) result.Labels {
	matched := func(lv *level, r *rule) bool {
		return r.match(strings.TrimPrefix(strings.TrimPrefix(rel, lv.folder), "/"))
	}
	if !slices.ContainsFunc(levels, func(lv *level) bool {
		return slices.ContainsFunc(lv.rules, func(r *rule) bool { return matched(lv, r) })
	}) {
		return sum
	}
	var labels result.Labels
	for _, lv := range levels {
		labels = lv.extend(labels)
		for _, r := range lv.rules {
			if matched(lv, r) {
				r.used = true
				labels = level{labels: r.labels}.extend(labels)
			}
		}
	}
	return result.Spread(model.extend(labels), "")
}

// unused reports the rules of a folder that no file below it matched.
func (l *loader) unused(lv level) {
	for _, r := range lv.rules {
		if !r.used {
			l.messages = append(l.messages, result.Message{Pos: r.pos, Severity: result.Warning, ID: "run.no-such-file",
				Text: locale.Textf("no file matches %q", r.pattern),
				Hint: locale.Textf("without a slash it names any file below this folder, with one it is a path from here")})
		}
	}
}

// declare returns what a folder declares. The first folder below the root is the campaign.
func (l *loader) declare(in *folder, rel string, entries []fs.DirEntry) level {
	here := level{folder: rel}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == runTOML && e.Type().IsRegular() }) {
		here = l.readRunTOML(in, rel, path.Join(rel, runTOML))
	}
	pos := result.Position{File: l.called(rel)}
	own := func(label result.Label) {
		if _, declared := here.labels.Lookup(label.Name); !declared {
			here.labels.Set(label)
		}
	}
	name := path.Base(rel)
	if key, value, ok := strings.Cut(name, "="); ok && value != "" && isLabelName(key) && !isReserved(key) {
		own(result.Label{Name: key, Value: value, Origin: result.Declared, Pos: pos})
		if problem, hint := question(key, value); !problem.IsZero() {
			in.messages = append(in.messages, doubt(pos, problem, hint))
		}
	}
	for _, label := range sweepLabels(name, pos) {
		own(label)
	}
	if rel != "" && !strings.Contains(rel, "/") {
		own(result.Label{Name: "campaign", Value: name, Origin: result.Guessed, Pos: pos})
	}
	return here
}

// readRunTOML reads the run.toml at a slash path. Errors in it become messages, and the rest of the file is used.
func (l *loader) readRunTOML(in *folder, of, rel string) level {
	name := l.called(rel)
	data, err := sitefile.Read(l.path(rel))
	if err != nil {
		in.messages = append(in.messages, unreadable(name, err))
		return level{folder: of}
	}
	here, messages := declarationsOf(string(l.mask.Bytes(l.path(rel), data))).in(of, name)
	in.messages = append(in.messages, messages...)
	return here
}

// declarations holds what the text of a run.toml says, independent of the file's place.
type declarations struct {
	labels   result.Labels
	rules    []rule
	messages []result.Message
}

// declarationsOf parses a run.toml. It caches recent texts, because campaigns often have the same one.
var declarationsOf = lazy.Recent(1000, func(text string) *declarations {
	p := runParser{text: text}
	p.parse()
	return &p.declarations
})

// in returns the declarations with positions in a given file of a folder. Folder is a slash path below the root, and
// file a name as in positions.
func (d *declarations) in(folder, file string) (level, []result.Message) {
	here := level{folder: folder, labels: labelsIn(file, d.labels)}
	for _, r := range d.rules {
		r.labels, r.pos.File = labelsIn(file, r.labels), file
		here.rules = append(here.rules, &r)
	}
	messages := slices.Clone(d.messages)
	for i := range messages {
		messages[i].Pos.File = file
	}
	return here, messages
}

// labelsIn returns a copy of labels with their positions in a file.
func labelsIn(file string, labels result.Labels) result.Labels {
	labels = slices.Clone(labels)
	for i := range labels {
		labels[i].Pos.File = file
	}
	return labels
}

// runParser reads one run.toml.
type runParser struct {
	declarations
	text   string
	source *settings.Source
}

func (p *runParser) parse() {
	var top map[string]any
	if _, err := toml.Decode(p.text, &top); err != nil {
		f := settings.Syntax(p.text, err)
		hint := locale.Clauses(f.Hint, locale.Textf("the labels of this file are not used until it is corrected"))
		p.report(result.Position{Line: f.Line, Column: f.Column}, "run.syntax", f.Text, hint)
		return
	}
	p.source = settings.Parse("", 1, []byte(p.text))
	for _, key := range p.source.Keys() {
		if key == filesTable {
			p.files(top[key])
		} else {
			p.label(&p.labels, key, top[key], p.source.At(key))
		}
	}
}

// files reads the table of labels for single files.
func (p *runParser) files(value any) {
	patterns, ok := value.(map[string]any)
	if !ok {
		p.report(p.source.At(filesTable), "run.files", locale.Textf("files is a table of files, not a label"), locale.Textf(`write [files."high.log"] and the labels below it`))
		return
	}
	for _, pattern := range p.source.Keys(filesTable) {
		pos := p.source.At(filesTable, pattern)
		labels, ok := patterns[pattern].(map[string]any)
		if !ok {
			p.report(pos, "run.files", locale.Textf("the entry for %q is not a table", pattern),
				locale.Textf("write [files.%q] and the labels below it", pattern))
			continue
		}
		if _, err := path.Match(pattern, ""); err != nil {
			p.report(pos, "run.files", locale.Textf("%q is not a pattern", pattern), locale.Textf("* matches any letters, [ab] one of them"))
			continue
		}
		r := rule{pattern: pattern, pos: pos}
		for _, key := range p.source.Keys(filesTable, pattern) {
			p.label(&r.labels, key, labels[key], p.source.At(filesTable, pattern, key))
		}
		p.rules = append(p.rules, r)
	}
}

// label reads one label.
func (p *runParser) label(labels *result.Labels, key string, value any, pos result.Position) {
	text, ok := settings.Text(value)
	problem, hint := CheckLabel(key)
	switch {
	case !ok:
		p.report(pos, "run.label", locale.Textf("%s is %s, but a label has one value", key, kind(value)),
			locale.Textf(`labels are at the top as key = "value"; [files."high.log"] has those of one file`))
	case !problem.IsZero():
		text := locale.Textf("%s %s", key, problem)
		if !isLabelName(key) {
			text = locale.Textf("%q %s", key, problem)
		}
		p.report(pos, "run.label", text, hint)
	default:
		labels.Set(result.Label{Name: key, Value: text, Origin: result.Declared, Pos: pos})
		if problem, hint := question(key, text); !problem.IsZero() {
			p.messages = append(p.messages, doubt(pos, problem, hint))
		}
	}
}

// doubt returns the message for a label that is kept although its value is not understood.
func doubt(pos result.Position, text, hint locale.Text) result.Message {
	return result.Message{Pos: pos, Severity: result.Warning, ID: "run.accelerators", Text: text, Hint: hint}
}

func (p *runParser) report(pos result.Position, id string, text, hint locale.Text) {
	p.messages = append(p.messages, result.Message{Pos: pos, Severity: result.Error, ID: id, Text: text, Hint: hint})
}

func kind(v any) locale.Text {
	if _, ok := v.(map[string]any); ok {
		return locale.Textf("a table")
	}
	return locale.Textf("a list")
}

// isLabelName reports whether a selector can name the label.
func isLabelName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// labelName converts s into a similar valid name of a label.
func labelName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, s)
	if !isLabelName(s) {
		s = "_" + s
	}
	return s
}

// isMetric reports whether a name is that of a metric. A metric as a label would give every run a variant of its own,
// since repeats differ in what they measure.
func isMetric(name string) bool {
	_, known := vocabulary.Define(name)
	return known
}

// isReserved reports whether a name is that of a field of results, which no label can have.
func isReserved(name string) bool {
	switch name {
	case "id", "tool", "format", "status":
		return true
	}
	return false
}
