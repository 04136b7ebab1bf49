// Package sweep reads plans of measurements. A sweep.toml in a folder of runs contains commands with placeholders, and
// the values for these. Every combination is a run with a folder of its own beside the file. The folders alone show the
// progress of a plan, so that it can be interrupted and continued at any time.
package sweep

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/shell"
)

// Label is the label with the name of a run's sweep.
const Label = "x_sweep"

// Sweep is one [[sweep]] of a file.
type Sweep struct {
	Name     string
	Command  Words
	Repeat   int           // number of runs of each combination; 0 means 1
	CoolDown time.Duration `toml:"cool_down"` // between two runs
	Before   Words         // command to run before each; may be empty
	Over     map[string][]any
	Except   []map[string]any // combinations to leave out

	Factors []Factor `toml:"-"` // Over, in the order of the file
}

// Factor is a placeholder and its values, in the order of the file.
type Factor struct {
	Name   string
	Values []string
}

// Words is a command: a list of words, or a text that is split as a shell does.
type Words []string

// UnmarshalTOML parses a list or a text.
func (w *Words) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		words, err := shell.Split(v)
		*w = words
		return err
	case []any:
		for _, word := range v {
			text, ok := word.(string)
			if !ok {
				text, ok = settings.Text(word)
			}
			if !ok {
				return locale.Errorf("a command is a list of words, or a text")
			}
			*w = append(*w, text)
		}
		return nil
	}
	return locale.Errorf(`a command is a list of words, for example ["vllm", "bench", "serve"], or a text`)
}

// JSONSchema returns the schema of what UnmarshalTOML accepts.
func (w *Words) JSONSchema() map[string]any {
	return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "array", "items": map[string]any{"type": []string{"string", "number", "boolean"}}}}}
}

// File is the content of a sweep.toml.
type File struct{ Sweep []Sweep }

// Run is one run of a plan.
type Run struct {
	Sweep   *Sweep
	Values  []string // of the factors, in the same order
	Repeat  int      // from 1
	Dir     string   // slash path below the file's folder
	Command []string
	Before  []string
}

// mostRuns is the greatest number of runs that a sweep may plan. More is considered a mistake.
const mostRuns = 100_000

// Load reads a file, which is called name in positions. Errors are returned as messages, and then there is no plan.
func Load(file, name string) ([]Sweep, []result.Message) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, []result.Message{{Pos: result.Position{File: name}, Severity: result.Error, ID: "sweep.unreadable", Text: locale.Textf("cannot be read: %s", result.Reason(err))}}
	}
	return Parse(name, data)
}

// Parse does what Load does, for the content of a file.
func Parse(name string, data []byte) ([]Sweep, []result.Message) {
	var doc File
	p := parser{source: settings.Parse(name, 1, data)}
	if ms := p.source.Decode(&doc); len(ms) > 0 {
		return nil, ms
	}
	if len(doc.Sweep) == 0 {
		p.complain(nil, locale.Textf("for example [[sweep]] with name, command and [sweep.over]"), "it has no [[sweep]]")
	}
	for i := range doc.Sweep {
		s := &doc.Sweep[i]
		for _, name := range p.source.Keys("sweep", i, "over") {
			f := Factor{Name: name}
			for n, v := range s.Over[name] {
				text, ok := settings.Text(v)
				if !ok {
					p.complain(place{"sweep", i, "over", name, n}, locale.Textf("values are text, numbers, true or false"), "%s: a value of %s is none", s.called(), name)
				}
				f.Values = append(f.Values, text)
			}
			s.Factors = append(s.Factors, f)
		}
	}
	for i := range doc.Sweep {
		p.check(doc.Sweep, i)
	}
	if slices.ContainsFunc(p.messages, func(m result.Message) bool { return m.Severity == result.Error }) {
		return nil, p.messages
	}
	return doc.Sweep, p.messages
}

type parser struct {
	source   *settings.Source
	messages []result.Message
}

// place is the path of a key in the file, as for settings.Source.At.
type place []any

func (p *parser) complain(at place, hint locale.Text, format string, args ...any) {
	pos := p.source.At(at...)
	pos.Column = 0
	p.messages = append(p.messages, result.Message{Pos: pos, Severity: result.Error, ID: "sweep.config",
		Text: locale.Textf(format, args...), Hint: hint})
}

func (s *Sweep) called() string { return fmt.Sprintf("sweep %q", s.Name) }

// check reports the errors of a sweep.
func (p *parser) check(all []Sweep, i int) {
	s := &all[i]
	name, _ := rundir.FolderName(s.Name)
	switch {
	case s.Name == "":
		p.complain(place{"sweep", i}, locale.Textf(`for example name = "qwen3"`), "a [[sweep]] has no name")
	case name == "":
		p.complain(place{"sweep", i, "name"}, locale.Textf("it names a folder"), "%s has no letter in its name", s.called())
	case slices.ContainsFunc(all[:i], func(o Sweep) bool { return strings.EqualFold(o.folder(), s.folder()) }):
		p.complain(place{"sweep", i, "name"}, locale.Textf("the name is that of the folder of its runs"), "two sweeps are called %q", s.Name)
	}
	if len(s.Command) == 0 {
		p.complain(place{"sweep", i, "command"}, locale.Textf(`for example command = ["vllm", "bench", "serve", "--model", "{model}"]`), "%s has no command", s.called())
	}
	if s.Repeat < 0 {
		p.complain(place{"sweep", i, "repeat"}, locale.Textf("leave it out for one run"), "%s: repeat is %d", s.called(), s.Repeat)
	}
	if s.CoolDown < 0 {
		p.complain(place{"sweep", i, "cool_down"}, locale.Textf(`for example cool_down = "60s"`), "%s: cool_down is negative", s.called())
	}
	runs := max(s.Repeat, 1)
	var names []string
	for _, f := range s.Factors {
		names = append(names, f.Name)
		if problem, hint := rundir.CheckLabel(f.Name); !problem.IsZero() {
			p.complain(place{"sweep", i, "over", f.Name}, hint, "%s: %s %s", s.called(), f.Name, problem)
		} else if f.Name == "repeat" || f.Name == Label {
			p.complain(place{"sweep", i, "over", f.Name}, locale.Textf("choose another name"), "%s: %s is a label that every run has", s.called(), f.Name)
		}
		if len(f.Values) == 0 {
			p.complain(place{"sweep", i, "over", f.Name}, locale.Textf(`as %s = ["…"]`, f.Name), "%s: %s has no values", s.called(), f.Name)
		}
		for n, v := range f.Values {
			switch {
			case v == "":
				p.complain(place{"sweep", i, "over", f.Name, n}, locale.Textf("a label is not empty"), "%s: a value of %s is empty", s.called(), f.Name)
			case slices.Contains(f.Values[:n], v):
				p.complain(place{"sweep", i, "over", f.Name, n}, locale.Text{}, "%s: %s has %q twice", s.called(), f.Name, v)
			}
		}
		if runs = runs * max(len(f.Values), 1); runs > mostRuns {
			p.complain(place{"sweep", i, "over", f.Name}, locale.Textf("part it in several files"), "%s plans more than %d runs", s.called(), mostRuns)
			return
		}
	}
	used := map[string]bool{}
	for _, part := range []struct {
		key   string
		words Words
	}{{"command", s.Command}, {"before", s.Before}} {
		for w, word := range part.words {
			for _, m := range placeholder().FindAllStringSubmatch(word, -1) {
				used[m[1]] = true
				if !slices.Contains(names, m[1]) {
					p.complain(place{"sweep", i, part.key, w}, settings.Offer(m[1], names, locale.Textf("placeholders are the keys of [sweep.over]: %s", locale.Commas(names...))),
						"%s: {%s} is undefined", s.called(), m[1])
				}
			}
		}
	}
	for _, name := range names {
		if !used[name] {
			p.complain(place{"sweep", i, "over", name}, locale.Textf("write {%s} where it belongs, or give it as a label in run.toml", name), "%s: neither command nor before has {%s}, so its runs would be alike", s.called(), name)
		}
	}
	for n, except := range s.Except {
		for _, key := range slices.Sorted(maps.Keys(except)) {
			f := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == key })
			value, ok := settings.Text(except[key])
			switch {
			case f < 0:
				p.complain(place{"sweep", i, "except", n, key}, settings.Offer(key, names, locale.Textf("there are: %s", locale.Commas(names...))), "%s: except names %s, which does not vary", s.called(), key)
			case !ok || !slices.Contains(s.Factors[f].Values, value):
				p.complain(place{"sweep", i, "except", n, key}, settings.Offer(value, s.Factors[f].Values, locale.Textf("there are: %s", locale.Commas(s.Factors[f].Values...))),
					"%s: except names %s = %q, which is not planned", s.called(), key, value)
			}
		}
	}
	if len(p.messages) == 0 && len(s.Factors) > 0 && len(s.runs()) == 0 {
		p.complain(place{"sweep", i, "except"}, locale.Textf("remove the entry that excludes too much"), "%s excludes everything it plans", s.called())
	}
}

// placeholder matches a name in braces. Other braces are plain text.
var placeholder = lazy.Regexp(`\{([\p{L}_][\p{L}\p{N}_]*)\}`)

// left reports whether a combination is excepted.
func (s *Sweep) left(values []string) bool {
	return slices.ContainsFunc(s.Excepted(), func(except [][2]string) bool {
		return !slices.ContainsFunc(except, func(pair [2]string) bool {
			i := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == pair[0] })
			return values[i] != pair[1]
		})
	})
}

// Excepted returns the excepted combinations, as pairs of a factor and its value in the order of the factors.
func (s *Sweep) Excepted() [][][2]string {
	var all [][][2]string
	for _, except := range s.Except {
		var pairs [][2]string
		for _, f := range s.Factors {
			if v, named := except[f.Name]; named {
				text, _ := settings.Text(v)
				pairs = append(pairs, [2]string{f.Name, text})
			}
		}
		all = append(all, pairs)
	}
	return all
}

// Runs returns the runs of all sweeps in the order of the file. The repeats of a combination follow one another.
func Runs(all []Sweep) []Run {
	var runs []Run
	for i := range all {
		runs = append(runs, all[i].runs()...)
	}
	return runs
}

func (s *Sweep) runs() []Run {
	combinations := [][]string{nil}
	for _, f := range s.Factors {
		var longer [][]string
		for _, c := range combinations {
			for _, v := range f.Values {
				longer = append(longer, append(slices.Clone(c), v))
			}
		}
		combinations = longer
	}
	var runs []Run
	taken := map[string]bool{}
	for _, values := range combinations {
		if s.left(values) {
			continue
		}
		folder := s.nameOf(values)
		if key := strings.ToLower(folder); taken[key] { // the file system may ignore case
			folder += "-" + s.sum(values)
		} else {
			taken[key] = true
		}
		for n := range max(s.Repeat, 1) {
			runs = append(runs, Run{Sweep: s, Values: values, Repeat: n + 1, Dir: path.Join(s.folder(), folder+"_r"+strconv.Itoa(n+1)),
				Command: s.fill(s.Command, values), Before: s.fill(s.Before, values)})
		}
	}
	return runs
}

// folder returns the name of the folder with a sweep's runs.
func (s *Sweep) folder() string {
	name, _ := rundir.FolderName(s.Name)
	return name
}

// nameOf returns the name of a combination's folder. It depends only on the values, not on anything else in the file.
// If other values could give the same name, the name contains a hash of the values.
func (s *Sweep) nameOf(values []string) string {
	if len(values) == 0 {
		return "run"
	}
	const most = 120
	var parts []string
	faithful := true
	for i, f := range s.Factors {
		value, ok := rundir.FolderName(values[i])
		key, _ := rundir.FolderName(f.Name)
		faithful = faithful && ok
		parts = append(parts, key+"-"+value)
	}
	name := strings.Join(parts, "_")
	if clean, ok := rundir.FolderName(name); !ok && clean != name || len(name) > most { // joined, the parts may be invalid
		name, faithful = clean, false
	}
	if !faithful {
		name = cmp.Or(name, "run") + "-" + s.sum(values)
	}
	return name
}

// sum returns a hash that distinguishes combinations with similar names.
func (s *Sweep) sum(values []string) string {
	h := sha256.New()
	for i, f := range s.Factors {
		fmt.Fprintf(h, "%s\x00%s\x00", f.Name, values[i])
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// fill replaces placeholders by values. Braces within a value are plain text.
func (s *Sweep) fill(words []string, values []string) []string {
	var out []string
	for _, word := range words {
		out = append(out, placeholder().ReplaceAllStringFunc(word, func(m string) string {
			i := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == m[1:len(m)-1] })
			return values[i]
		}))
	}
	return out
}

// LabelOf returns the label for the value of a factor. The path of a model becomes model_raw, as tools report it; a
// site derives the model's name from that.
func LabelOf(factor, value string) (name string) {
	if factor == "model" && strings.Contains(value, "/") {
		return "model_raw"
	}
	return factor
}

// Labels returns the labels of a run for its run.toml.
func (r *Run) Labels() [][2]string {
	labels := [][2]string{{Label, r.Sweep.Name}}
	for i, f := range r.Sweep.Factors {
		labels = append(labels, [2]string{LabelOf(f.Name, r.Values[i]), r.Values[i]})
	}
	if r.Sweep.Repeat > 1 {
		labels = append(labels, [2]string{"repeat", strconv.Itoa(r.Repeat)})
	}
	return labels
}

// Title returns a readable name of a run.
func (r *Run) Title() string {
	parts := []string{r.Sweep.Name}
	for i, f := range r.Sweep.Factors {
		parts = append(parts, f.Name+"="+r.Values[i])
	}
	if r.Sweep.Repeat > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d", r.Repeat, r.Sweep.Repeat))
	}
	return strings.Join(parts, " · ")
}

// Path returns the path of the run's folder, given the folder of the sweep.toml.
func (r *Run) Path(dir string) string { return filepath.Join(dir, filepath.FromSlash(r.Dir)) }
