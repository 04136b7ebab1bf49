package importer

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// telling lists labels that distinguish runs of the same name, in the order in which they are tried for file names.
var telling = []string{"scenario", "load", "quantization", "power_mode", "clocks", "engine", "engine_version", "hardware",
	"accelerators", "parallelism", "max_concurrency", "request_rate", "input_len", "output_len", "num_prompts", "dataset", "image"}

// layOut sets the path of every run: a folder named after the model, and a file named after the load or scenario.
// Further labels are added as far as needed to distinguish files.
func (p *Plan) layOut() {
	names := map[string][]*Run{}
	var order []string
	for i := range p.Runs {
		r := &p.Runs[i]
		name := slug(r.Labels.Get("model"))
		if name == "" {
			name = "unknown-model"
		}
		name += "/" + r.baseName()
		if names[name] == nil {
			order = append(order, name)
		}
		names[name] = append(names[name], r)
	}
	taken := map[string]bool{}
	for _, name := range order {
		if runs := names[name]; len(runs) == 1 {
			runs[0].Path = unique(name, runs[0].extension(), taken)
		}
	}
	for _, name := range order {
		if runs := names[name]; len(runs) > 1 {
			for i, suffix := range distinguish(runs) {
				runs[i].Path = unique(name+suffix, runs[i].extension(), taken)
			}
		}
	}
	slices.SortFunc(p.Runs, func(a, b Run) int { return result.NaturalCompare(stemOf(a.Path), stemOf(b.Path)) })
}

func stemOf(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

func unique(name, ext string, taken map[string]bool) string {
	for n, try := 2, name; ; n++ {
		if !taken[try] {
			taken[try] = true
			return try + ext
		}
		try = name + "-" + strconv.Itoa(n)
	}
}

// label returns a label of the run, stated or measured.
func (r *Run) label(name string) string {
	if v := r.Labels.Get(name); v != "" {
		return v
	}
	if l, ok := r.result.Labels.Lookup(name); ok && inTable(&r.result, l) {
		return l.Value
	}
	return ""
}

// baseName returns a name for a run from its purpose: scenario and load, else concurrency and request rate.
func (r *Run) baseName() string {
	var parts []string
	for _, name := range []string{"scenario", "load"} {
		if v := slug(r.label(name)); v != "" {
			parts = append(parts, v)
		}
	}
	if parts == nil {
		for _, name := range [][2]string{{"max_concurrency", "c"}, {"request_rate", "rate-"}} {
			if v := slug(r.label(name[0])); v != "" && (v != "inf" || parts == nil) {
				parts = append(parts, name[1]+v)
			}
		}
	}
	if parts == nil {
		return "run"
	}
	return strings.Join(parts, "-")
}

func (r *Run) extension() string {
	if strings.HasSuffix(r.result.Format, "-text") {
		return ".log"
	}
	switch ext := strings.ToLower(path.Ext(r.Sources[0].File)); ext {
	case ".json", ".jsonl", ".csv":
		return ext
	}
	return ".log"
}

// distinguish returns suffixes for runs of the same name: values of the first labels that all of them have and in which
// they differ.
func distinguish(runs []*Run) []string {
	suffixes := make([]string, len(runs))
	for _, label := range telling {
		values := map[string]bool{}
		for _, r := range runs {
			values[slug(r.label(label))] = true
		}
		if len(values) == 1 || values[""] {
			continue
		}
		for i, r := range runs {
			suffixes[i] += "-" + slug(r.label(label))
		}
		if sorted := slices.Sorted(slices.Values(suffixes)); len(slices.Compact(sorted)) == len(runs) {
			break
		}
	}
	return suffixes
}

// maxSlug is the greatest number of characters of a slug.
const maxSlug = 80

// slug converts a name into a path element of small letters and digits of any script, dots, underscores and dashes.
func slug(name string) string {
	var b strings.Builder
	n, dash := 0, false
	for _, c := range strings.ToLower(name) {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '.' && c != '_' {
			dash = true
			continue
		}
		if n++; n > maxSlug {
			break
		}
		if dash && b.Len() > 0 {
			b.WriteByte('-')
		}
		dash = false
		b.WriteRune(c)
	}
	return strings.Trim(b.String(), ".-")
}

// Outputs returns the files to write, sorted by path: the results, and the run.toml files with their labels.
func (p *Plan) Outputs() []File {
	var files []File
	folders := map[string][]*Run{}
	var all []*Run
	for i := range p.Runs {
		r := &p.Runs[i]
		files = append(files, File{r.Path, r.Raw})
		folders[path.Dir(r.Path)] = append(folders[path.Dir(r.Path)], r)
		all = append(all, r)
	}
	var top []string
	if len(folders) > 1 {
		top = common(all, append([]string{"model", "model_raw", "quantization"}, single...))
		if len(top) > 0 {
			files = append(files, File{"run.toml", p.topTOML(all, top)})
		}
	}
	for folder, runs := range folders {
		files = append(files, File{folder + "/run.toml", folderTOML(runs, top)})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// single lists labels that are always written for a single file, even if there is only one.
var single = []string{"load", "scenario", "source"}

// common returns the labels with the same value in all runs, except those in without.
func common(runs []*Run, without []string) []string {
	var names []string
	for name, value := range runs[0].Labels.Values() {
		if !slices.Contains(without, name) && !slices.ContainsFunc(runs, func(r *Run) bool { return r.Labels.Get(name) != value }) {
			names = append(names, name)
		}
	}
	return names
}

func (p *Plan) topTOML(runs []*Run, top []string) []byte {
	var b strings.Builder
	names := make([]string, len(p.names))
	for i, name := range p.names {
		names[i] = path.Base(name)
	}
	fmt.Fprintf(&b, "# What benchpost import found in %s.\n\n", oneLine(strings.Join(names, ", ")))
	writeLabels(&b, runs, top)
	return []byte(b.String())
}

// folderTOML writes the labels of the runs in a folder: first the common ones, then those of each file. It omits labels
// that are declared above.
func folderTOML(runs []*Run, above []string) []byte {
	var b strings.Builder
	shared := common(runs, append(slices.Clone(above), single...))
	sameUnknown := !slices.ContainsFunc(runs, func(r *Run) bool { return !slices.Equal(r.Unknown, runs[0].Unknown) })
	if sameUnknown && runs[0].Unknown != nil {
		fmt.Fprintf(&b, "# Missing: %s\n", strings.Join(runs[0].Unknown, ", "))
	}
	writeLabels(&b, runs, shared)
	for _, r := range runs {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[files.%s]\n", settings.String(path.Base(r.Path)))
		if len(r.Sources) > 1 {
			fmt.Fprintf(&b, "# the same figures: %s\n", oneLine(joinPositions(r.Sources[1:])))
		}
		if !sameUnknown && r.Unknown != nil {
			fmt.Fprintf(&b, "# missing: %s\n", strings.Join(r.Unknown, ", "))
		}
		var own []string
		for name := range r.Labels.Values() {
			if !slices.Contains(above, name) && !slices.Contains(shared, name) {
				own = append(own, name)
			}
		}
		writeLabels(&b, []*Run{r}, own)
	}
	return []byte(b.String())
}

// reading lists labels in the order in which people read them. Other labels follow in the order of their names.
var reading = []string{"model", "model_raw", "quantization", "engine", "engine_version", "image", "hardware", "accelerators",
	"parallelism", "power_mode", "clocks", "scenario", "load", "dataset", "input_len", "output_len", "num_prompts",
	"max_concurrency", "request_rate"}

func writeLabels(b *strings.Builder, runs []*Run, names []string) {
	place := func(name string) int {
		if i := slices.Index(reading, name); i >= 0 {
			return i
		}
		return len(reading)
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, c string) int { return place(a) - place(c) })
	for _, name := range names {
		fmt.Fprintf(b, "%s = %s", settings.Key(name), settings.String(runs[0].Labels.Get(name)))
		if note := runs[0].note(name); note != "" && !slices.ContainsFunc(runs, func(r *Run) bool { return r.note(name) != note }) {
			fmt.Fprintf(b, " # %s", oneLine(note))
		}
		b.WriteByte('\n')
	}
}

// note returns why the value of a label is less certain than others.
func (r *Run) note(name string) string {
	note := r.notes[name]
	if l, _ := r.Labels.Lookup(name); note != "" && l.Origin == result.Guessed {
		return "guessed: " + note
	}
	return note
}

// oneLine makes a text fit for a comment in TOML.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func joinPositions(ps []result.Position) string {
	all := make([]string, len(ps))
	for i, p := range ps {
		all[i] = fmt.Sprintf("%s:%d", path.Base(p.File), p.Line)
	}
	return strings.Join(all, ", ")
}
