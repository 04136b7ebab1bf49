// Package importer turns posts and notes that contain benchmark results (Markdown, text copied from a page, logs) into
// run directories.
//
// Package format finds the results themselves. This package adds what a person would read around them: headings, list
// items, commands and settings. outline.go puts these into a tree of sections; resolve.go decides what they say about a
// result; merge.go joins the copies of a run; and layout.go names the files. Nothing is invented: what the text does
// not say stays unknown and is reported.
package importer

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// File is one text to import.
type File struct {
	Name string // as in positions and in the label source
	Data []byte
}

// Plan holds everything that an import will write, so that it can be shown before anything is written.
type Plan struct {
	Runs   []Run // sorted by path
	Files  int   // number of texts with a result
	Blocks int   // number of results found, including copies
	names  []string
}

// Run is one run, however often its result occurs in the files.
type Run struct {
	Path       string            // below the destination folder: "qwen3-8b-fp8/high.log"
	Raw        []byte            // the result, byte for byte as in Sources[0]
	Labels     result.Labels     // content of the run.toml
	Sources    []result.Position // positions of the result; Raw is from the first
	Duplicates int               // copies beyond the first
	Unknown    []string          // labels that a report needs and the text does not state

	result result.Result
	notes  map[string]string // by label: why a value is less certain than others
}

// Read finds every result in the files and what the files say about it. The given labels apply to all runs. They win
// over what the files say, but not over what a result has measured. The order of the files matters only between copies
// of a run that are equally good.
//
// The messages report contradictions and what could not be read, sorted by position. The plan is usable despite them.
func Read(files []File, given result.Labels) (*Plan, []result.Message) {
	plan := &Plan{}
	var found []finding
	var messages []result.Message
	for _, file := range files {
		out, err := format.Read(file.Name, bytes.NewReader(file.Data))
		if err != nil {
			messages = append(messages, result.Message{Pos: result.Position{File: file.Name}, Severity: result.Error,
				ID: "import.unreadable", Text: locale.Reason(err)})
		}
		if len(out.Results) == 0 {
			messages = append(messages, out.Messages...)
			messages = append(messages, result.Message{Pos: result.Position{File: file.Name}, Severity: result.Warning,
				ID: "import.no-result", Text: locale.Textf("no result here: %s", out.Reason)})
			continue
		}
		plan.Files++
		plan.Blocks += len(out.Results)
		plan.names = append(plan.names, file.Name)
		fs, ms := findings(file, out)
		found = append(found, fs...)
		messages = append(messages, ms...)
	}
	runs, ms := merge(found)
	messages = append(messages, ms...)
	for i := range runs {
		messages = append(messages, runs[i].declare(given)...)
		runs[i].complete()
	}
	plan.Runs = runs
	plan.layOut()
	result.SortMessages(messages)
	return plan, messages
}

// finding is one result in one file, with what that file says about it.
type finding struct {
	result result.Result
	raw    []byte
	told   []told
}

// told is a label as stated in one place.
type told struct {
	result.Label
	kind kind
	note string // why the value is less certain than others; becomes a comment
}

// findings reads the context of the results of one file. The messages include those of the file's reader.
func findings(file File, out format.Output) ([]finding, []result.Message) {
	var found []finding
	around, messages := file, slices.Clone(out.Messages)
	if strings.HasSuffix(out.Results[0].Format, "-text") {
		// The outline evaluates commands itself, and reports what it does with each label.
		messages = slices.DeleteFunc(messages, func(m result.Message) bool { return m.ID == "format.command" })
	} else {
		around.Data = nil // a document of a tool: no text surrounds the results
	}
	told, ms := readOutline(around, out.Results).resolve()
	messages = append(messages, ms...)
	lines := bytes.SplitAfter(file.Data, []byte("\n"))
	for i, r := range out.Results {
		raw := bytes.Join(lines[r.Source.Line-1:r.EndLine], nil)
		alone, err := format.Read(file.Name, bytes.NewReader(raw))
		if err != nil || len(alone.Results) != 1 || alone.Results[0].Digest != r.Digest {
			messages = append(messages, result.Message{Pos: r.Source, Severity: result.Error, ID: "import.not-apart",
				Text: locale.Textf("this result cannot be read without the rest of the file"), Hint: locale.Textf("copy the whole file into runs/")})
			continue
		}
		found = append(found, finding{result: r, raw: raw, told: told[i]})
	}
	return found, messages
}

// declare sets the given labels. They win over those of the files.
func (r *Run) declare(given result.Labels) []result.Message {
	var messages []result.Message
	for _, l := range given {
		if measured, ok := r.result.Labels.Lookup(l.Name); ok && inTable(&r.result, measured) && measured.Value != l.Value {
			messages = append(messages, result.Message{Pos: r.Sources[0], Severity: result.Warning, ID: "import.contradiction",
				Text: locale.Textf("%s=%s is given, but the result says %s", l.Name, l.Value, measured.Value),
				Hint: locale.Textf("the measured value counts")})
			continue
		}
		l.Origin = result.Declared
		r.Labels.Set(l)
		delete(r.notes, l.Name)
	}
	return messages
}

// wanted lists the labels that a report needs to compare runs, in the order in which they are reported as unknown.
var wanted = []string{"model", "hardware", "engine", "engine_version", "load", "dataset", "input_len", "output_len", "num_prompts"}

// complete adds the label source, and lists the wanted labels that are unknown.
func (r *Run) complete() {
	r.Labels.Set(result.Label{Name: "source", Value: fmt.Sprintf("%s:%d", path.Base(r.Sources[0].File), r.Sources[0].Line),
		Origin: result.Declared, Pos: r.Sources[0]})
	for _, name := range wanted {
		measured, ok := r.result.Labels.Lookup(name)
		switch {
		case r.Labels.Get(name) != "", ok && inTable(&r.result, measured):
		case name == "load" && r.Labels.Get("scenario") != "":
		default:
			r.Unknown = append(r.Unknown, name)
		}
	}
}
