package format

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/column"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// Scripts save the printed output of a benchmark in a JSON string, beside settings of their own: {"model": "m",
// "raw_output": "=== Serving Benchmark Result ===…"}. Such a text, under any key, is read as if it were a file. Its
// results have the line of the string, and get the settings around it as labels unless the text states them itself.

const (
	maxInner  = 2  // nesting limit of objects in texts in objects
	leastText = 40 // minimum bytes of a text with a result
	maxDepth  = 6  // depth to which objects and lists are searched
)

// inner reads the texts in an object of no known format. It reports whether they hold a result or an unfinished run.
func (in *input) inner(v *scan.Value) bool {
	if in.nested == maxInner {
		return false
	}
	found := len(in.Out.Results) + len(in.Out.Unfinished)
	in.around = in.around[:0]
	in.texts(v)
	return len(in.Out.Results)+len(in.Out.Unfinished) > found
}

// texts reads the texts below a value.
func (in *input) texts(v *scan.Value) {
	if len(in.around) == maxDepth {
		return
	}
	in.around = append(in.around, v)
	for child := range v.Children() {
		switch child.Kind {
		case scan.String:
			in.innerText(child.Raw, child.Line)
		case '{':
			in.texts(child)
		case '[':
			if text := lines(child); text != nil {
				in.innerText(text, child.Line)
			} else {
				in.texts(child)
			}
		}
	}
	in.around = in.around[:len(in.around)-1]
}

// lines joins a list of texts that are the lines of an output. It returns nil for other lists.
func lines(list *scan.Value) []byte {
	var out []byte
	if first := list.First; first == nil || first.Kind != scan.String || bytes.IndexByte(first.Raw, ' ') < 0 {
		return nil
	}
	for entry := range list.Children() {
		if entry.Kind != scan.String || bytes.IndexByte(bytes.TrimRight(entry.Raw, "\n"), '\n') >= 0 {
			return nil
		}
		out = append(append(out, bytes.TrimRight(entry.Raw, "\n")...), '\n')
	}
	return out
}

// innerText reads a text as a file, if one of its lines may belong to a result.
func (in *input) innerText(text []byte, line int) {
	if len(text) < leastText || bytes.IndexByte(text, '\n') < 0 {
		return
	}
	in.marked.clear()
	if in.marks.find(text, in.marked); in.marked.empty() && !isJSON(text) {
		return
	}
	out := in.innerOutput(text, line)
	var settings result.Labels
	if len(out.Results) > 0 {
		settings = in.settingsAround()
	}
	for _, r := range out.Results {
		if r.Tool != genericTool {
			addSettings(in.File, &r, settings)
			in.Out.Results = append(in.Out.Results, r)
		}
	}
	in.Out.Unfinished = append(in.Out.Unfinished, out.Unfinished...)
	in.Out.Messages = append(in.Out.Messages, out.Messages...)
}

// innerObjects reads the objects of known formats inside an object of no known format, such as {"host": "h", "row":
// {"build_commit": …}}. It reports whether it found results. The results get the settings around them. If they are
// under several keys, they are named after the keys.
func (in *input) innerObjects(v *scan.Value) bool {
	first := len(in.Out.Results)
	in.around = in.around[:0]
	names := in.objectsBelow(v, nil)
	several := len(slices.Compact(slices.Clone(names))) > 1
	for i, name := range names {
		if r := &in.Out.Results[first+i]; several && name != "" {
			r.Labels.Set(result.Label{Name: "x_name", Value: name, Origin: result.Measured, Pos: r.Source})
		}
	}
	return len(names) > 0
}

// objectsBelow reads the objects of known formats below a value, and appends to names, for each result, the keys that
// lead to it.
func (in *input) objectsBelow(v *scan.Value, names []string) []string {
	if len(in.around) == maxDepth {
		return names
	}
	in.around = append(in.around, v)
	for child := range v.Children() {
		if child.Kind != '{' && child.Kind != '[' {
			continue
		}
		f := -1
		if child.Kind == '{' {
			f = in.recognise(child)
		}
		if f < 0 || in.objectFormats[f].Read == nil {
			names = in.objectsBelow(child, names)
			continue
		}
		keys := append(in.around[1:len(in.around):len(in.around)], child)
		if slices.ContainsFunc(keys, func(v *scan.Value) bool { return isAside(v.Key) }) {
			continue
		}
		before := in.Out
		in.objectFormats[f].Read(in.File, child)
		if len(in.Out.Results) == len(before.Results) { // no messages about objects that only look like a result
			in.Out = before
			continue
		}
		settings, name := in.settingsAround(), ""
		for _, v := range keys {
			if !isPart(v.Key) {
				name = strings.Trim(name+"."+v.Key, ".")
			}
		}
		for i := len(before.Results); i < len(in.Out.Results); i++ {
			addSettings(in.File, &in.Out.Results[i], settings)
			names = append(names, name)
		}
	}
	in.around = in.around[:len(in.around)-1]
	return names
}

// innerOutput reads a text with an input of its own.
func (in *input) innerOutput(text []byte, line int) Output {
	sub := in.inputs.Get().(*input)
	defer in.inputs.Put(sub)
	sub.nested = in.nested + 1
	out, _ := sub.file(in.Name, bytes.NewReader(text), (*input).read) // reading from memory does not fail
	sub.nested = 0
	out.renumber(func(int) int { return line })
	return out
}

// settingsAround returns the settings of the objects around the current one.
func (in *input) settingsAround() (settings result.Labels) {
	for _, v := range in.around {
		settings = in.settingsOf(v, settings)
	}
	return settings
}

// settingsOf adds the settings among an object's members, and those of inner objects that hold settings.
func (in *input) settingsOf(v *scan.Value, settings result.Labels) result.Labels {
	for child := range v.Children() {
		switch {
		case child.Kind == '{' && isSettings(child.Key):
			settings = in.settingsOf(child, settings)
		case child.Scalar() && len(child.Raw) > 0 && len(child.Raw) <= draft.MaxLabel && bytes.IndexByte(child.Raw, '\n') < 0:
			if c := column.Of(child.Key); c.Label && c.Name[:2] != "x_" {
				s := in.Begin("", "", child.Line)
				s.SetText(c.Name, string(child.Raw), child.Line)
				for _, l := range s.Labels {
					settings.Set(l)
				}
			}
		}
	}
	return settings
}

// isSettings reports whether the key names an object with the settings of the run beside it.
func isSettings(key string) bool {
	switch draft.Snake(key) {
	case "config", "configuration", "settings", "params", "parameters", "args", "arguments", "metadata", "meta", "setup", "run", "benchmark_config", "test_config", "workload":
		return true
	}
	return false
}

// addSettings adds settings to a result that does not state them itself. Lengths and loads are left out if the result's
// counts contradict one of the settings.
func addSettings(in *draft.File, r *result.Result, settings result.Labels) {
	d := &draft.Draft{In: in, Tool: r.Tool, Format: r.Format, Start: r.Source.Line, Metrics: r.Metrics, Labels: slices.Clone(r.Labels)}
	asked := draft.Settings{}
	for _, l := range settings {
		asked.List = append(asked.List, draft.NewSetting(l.Name, l.Value, l.Pos.Line))
	}
	fits := asked.Fit(d)
	for _, l := range settings {
		if _, known := r.Labels.Lookup(l.Name); !known && (fits || !draft.IsCounted(l.Name)) {
			r.Labels.Set(l)
		}
	}
}
