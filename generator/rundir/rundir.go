// Package rundir reads a folder of raw benchmark runs into one dataset: every
// file through package format, every result with the labels that run.toml
// files and folder names declare for it, and with an id.
//
// A run.toml in any folder gives labels to all files below it; of two that
// name the same label, the nearer wins. A folder named key=value is a label of
// all below it too. What a raw file says of itself wins over both, and a
// contradiction is a warning.
//
// The files of a model in a folder (config.json, safetensors, GGUF) tell the
// sizes of the model of all runs beside and below them; the nearest folder with
// such files wins. What is declared stands before what they tell.
//
// Symbolic links are not followed: what they lead to inside the folder is read
// where it lies, and what lies outside is not part of it.
package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"benchpost/generator/bench"
	"benchpost/generator/format"
	"benchpost/generator/rawfile"
)

// Dataset is what a folder of runs holds. It does not depend on the order in
// which files were read.
type Dataset struct {
	Root     string
	Results  []bench.Result // sorted by bench.Compare, each with an id of its own
	Skipped  []Skipped      // sorted by file
	Sweeps   []string       // files with plans to measure, as in positions; sorted
	Beside   []Beside       // sorted by file
	Messages []bench.Message
}

// Beside is a file that tells of runs without being one: telemetry that was
// joined to runs, or what was captured of the machine.
type Beside struct {
	File   string
	Format string
	Runs   []string // the ids of those that telemetry was joined to
	Facts  int      // labels of a capture
}

// Skipped is a file without result, and why it has none.
type Skipped struct {
	File   string // as in positions
	Reason string
}

// Options of Load. The zero value is fit for use.
type Options struct {
	// Name is what positions call the root, "runs" in a site. When empty it
	// is the root as given.
	Name string
	// Read reads one file; positions call it name. A caller with a cache puts
	// it in here; it is called from several goroutines. When nil it is
	// format.ReadFile.
	Read func(path, name string) (format.Output, error)
	// Mappings tell how files of unknown tools are read; the first that fits a
	// file counts.
	Mappings []format.Mapping
}

// Load reads the folder, or the one file, at root. What is wrong with a file
// is a message and the others go on; the error is for a root that cannot be
// read at all.
func Load(root string, opts Options) (*Dataset, error) {
	info, err := os.Stat(root)
	if err != nil {
		return nil, err
	}
	l := &loader{
		root:   root,
		name:   opts.Name,
		read:   opts.Read,
		mapped: opts.Mappings,
		folder: info.IsDir(),
		jobs:   make(chan []*file, 64),
	}
	if l.name == "" {
		l.name = filepath.ToSlash(root)
	}
	if l.read == nil {
		l.read = format.ReadFile
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(l.work)
	}
	if l.folder {
		err = l.walk("", nil, nil, nil)
	} else {
		l.single(info)
	}
	close(l.jobs)
	workers.Wait()
	if err != nil {
		return nil, err
	}
	return l.dataset(), nil
}

// loader walks the tree in one goroutine, which finds the files and what is
// declared for each, and reads them in others.
type loader struct {
	root, name string
	folder     bool // the root is one
	read       func(path, name string) (format.Output, error)
	mapped     []format.Mapping
	jobs       chan []*file
	files      []*file
	skipped    []Skipped
	sweeps     []string
	beside     []Beside
	messages   []bench.Message
}

// file is one file to be read, and then what it held.
type file struct {
	rel      string // slash path below the root
	name     string // as in positions
	declared bench.Labels
	model    *model // nil for none
	out      format.Output
	err      error
	members  []*file // of an archive
}

// called gives the name in positions of a slash path below the root.
func (l *loader) called(rel string) string {
	switch {
	case !l.folder && rel == path.Base(filepath.ToSlash(l.root)):
		return l.name
	case !l.folder:
		return path.Join(path.Dir(l.name), rel)
	}
	return path.Join(l.name, rel)
}

// path gives the place of a slash path below the root.
func (l *loader) path(rel string) string {
	if !l.folder {
		return filepath.Join(filepath.Dir(l.root), filepath.FromSlash(rel))
	}
	return filepath.Join(l.root, filepath.FromSlash(rel))
}

// walk goes through one folder. The levels are what the folders above declare,
// from the root on, labels their sum, and model the nearest above.
func (l *loader) walk(rel string, levels []level, labels bench.Labels, model *model) error {
	entries, err := os.ReadDir(l.path(rel))
	if err != nil {
		if rel == "" {
			return err
		}
		l.unreadable(l.called(rel), err)
		return nil
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == bench.OutputList }) {
		l.skip(l.called(rel), "pages and posts that benchpost made")
		return nil
	}
	here := l.declare(rel, entries)
	levels = append(slices.Clip(levels), here)
	labels = here.extend(labels)
	own, modelFiles := l.readModel(rel, entries)
	if own != nil {
		model = own
	}
	declared := model.extend(labels)
	var files []*file
	for _, e := range entries {
		below := path.Join(rel, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if err := l.walk(below, levels, labels, model); err != nil {
				return err
			}
		case e.Name() == runTOML || slices.Contains(modelFiles, e.Name()):
		case e.Name() == SweepName && e.Type().IsRegular():
			l.sweeps = append(l.sweeps, l.called(below))
		case e.Type()&fs.ModeSymlink != 0:
			l.skip(l.called(below), "a symbolic link; links are not followed")
		case !e.Type().IsRegular():
			l.skip(l.called(below), "not a regular file")
		default:
			files = append(files, &file{rel: below, name: l.called(below), declared: declaredFor(below, levels, model, declared), model: model})
		}
	}
	l.unused(here)
	l.files = append(l.files, files...)
	for chunk := range slices.Chunk(files, 32) {
		l.jobs <- chunk
	}
	return nil
}

// single reads a root that is one file, with the labels its own folder declares
// and the model that stands there.
func (l *loader) single(info fs.FileInfo) {
	rel := filepath.Base(l.root)
	if !info.Mode().IsRegular() {
		l.skip(l.name, "not a regular file")
		return
	}
	var here level
	if _, err := os.Stat(l.path(runTOML)); err == nil {
		here = l.readRunTOML("", runTOML)
	}
	beside, _ := os.ReadDir(l.path("")) // one that cannot be listed tells of no model
	model, modelFiles := l.readModel("", beside)
	if slices.Contains(modelFiles, rel) {
		l.skip(l.name, "a file of a model, not a result")
		return
	}
	f := &file{rel: rel, name: l.name, model: model}
	f.declared = declaredFor(rel, []level{here}, model, model.extend(here.extend(nil)))
	l.files = append(l.files, f)
	l.jobs <- l.files
}

func (l *loader) work() {
	for files := range l.jobs {
		for _, f := range files {
			if m := l.mapping(f.rel); m != nil {
				f.out, f.err = format.ReadMappedFile(l.path(f.rel), f.name, m)
				continue
			}
			f.out, f.err = l.read(l.path(f.rel), f.name)
			if f.out.Archive {
				l.unpack(f)
			}
		}
	}
}

// mapping gives how a file is to be read, nil when its content tells.
func (l *loader) mapping(rel string) *format.Mapping {
	i := slices.IndexFunc(l.mapped, func(m format.Mapping) bool { return m.Match(uncompressed(rel)) })
	if i < 0 {
		return nil
	}
	return &l.mapped[i]
}

// unpack reads the files of an archive, as if they lay in a folder of its name.
func (l *loader) unpack(f *file) {
	err := rawfile.Each(l.path(f.rel), func(member string, r io.Reader, err error) {
		m := &file{rel: f.rel + "/" + member, name: f.name + "/" + member, declared: f.declared, model: f.model, err: err}
		if mapping := l.mapping(m.rel); err == nil && mapping != nil {
			m.out, m.err = format.ReadMapped(m.name, r, mapping)
		} else if err == nil {
			m.out, m.err = format.Read(m.name, r)
		}
		if m.out.Archive {
			m.out.Reason = "an archive in an archive"
		}
		f.members = append(f.members, m)
	})
	f.err = errors.Join(f.err, err)
	of := len(f.members)
	if !slices.ContainsFunc(f.members, func(m *file) bool { return m.err != nil || m.out.Reason == "" }) {
		f.members = nil // a spreadsheet, a library, weights: its parts are no files of a person
		f.out.Reason = fmt.Sprintf("a zip archive of %d files, of which none is of a known format", of)
	} else if f.err == nil {
		f.out.Reason = ""
	}
}

func (l *loader) skip(name, reason string) {
	l.skipped = append(l.skipped, Skipped{name, reason})
}

func (l *loader) unreadable(name string, err error) {
	l.messages = append(l.messages, bench.Message{Pos: bench.Position{File: name}, Severity: bench.Error,
		ID: "run.unreadable", Text: "cannot be read: " + bench.Reason(err), Hint: "put a sound copy in its place, or take it away"})
}

// dataset puts together what the files held.
func (l *loader) dataset() *Dataset {
	d := &Dataset{Root: l.root}
	for i := 0; i < len(l.files); i++ { // archives are followed by what they hold
		l.files = slices.Insert(l.files, i+1, l.files[i].members...)
		i += len(l.files[i].members)
	}
	ids := assignIDs(l.files)
	var disputes disputes
	results := 0
	for _, f := range l.files {
		results += len(f.out.Results)
	}
	d.Results = make([]bench.Result, 0, results)
	captures := l.capture()
	of := map[*bench.Result]*file{}
	for i, f := range l.files {
		l.messages = append(l.messages, f.out.Messages...)
		captured := captures.of(f)
		for n := range f.out.Results {
			r := f.out.Results[n] // a copy: what was read may be shared
			r.ID = ids[i].of(n, len(f.out.Results))
			r.Labels = f.model.fit(disputes.merge(&r, withCaptured(r.Labels, captured), f.declared))
			if n := sweepRepeat(f.rel); n != "" && r.Label("repeat") == "" {
				r.Labels.Set(bench.Label{Name: "repeat", Value: n, Origin: bench.Declared, Pos: bench.Position{File: f.name}})
			}
			d.Results = append(d.Results, r)
			of[&d.Results[len(d.Results)-1]] = f
		}
		if f.err != nil {
			l.unreadable(f.name, f.err)
		} else if f.out.Reason != "" && !isSilent(f.rel) {
			l.skip(f.name, f.out.Reason)
		}
	}
	l.relate(d, of, &disputes)
	d.Messages = append(l.messages, disputes.messages()...)
	d.Skipped, d.Beside, d.Sweeps = l.skipped, l.beside, l.sweeps
	slices.Sort(d.Sweeps)
	slices.SortFunc(d.Results, func(a, b bench.Result) int { return bench.Compare(&a, &b) })
	slices.SortFunc(d.Skipped, func(a, b Skipped) int { return strings.Compare(a.File, b.File) })
	slices.SortStableFunc(d.Beside, func(a, b Beside) int { return strings.Compare(a.File, b.File) })
	bench.SortMessages(d.Messages)
	return d
}

// relate finds the runs that are no measurements of their own, and joins
// telemetry to the others. The place of the results must not change before.
func (l *loader) relate(d *Dataset, of map[*bench.Result]*file, disputes *disputes) {
	runs := make([]*bench.Result, len(d.Results))
	for i := range d.Results {
		runs[i] = &d.Results[i]
	}
	l.phases(runs, of)
	runs = slices.DeleteFunc(runs, func(r *bench.Result) bool { return r.Label("phase") != "" })
	taken := map[string]bool{}
	for _, r := range d.Results {
		taken[r.ID] = true
	}
	for _, t := range l.joinTelemetry(newNeighbours(runs, of)) {
		r := t.result()
		r.ID = plainPath(t.file.rel)
		for taken[r.ID] {
			r.ID += "-telemetry"
		}
		taken[r.ID] = true
		r.Labels = disputes.merge(&r, withCaptured(r.Labels, t.file.out.Captured), t.file.declared)
		d.Results = append(d.Results, r)
	}
}

// isSilent tells whether a file beside the runs is one that is expected to
// hold none.
func isSilent(rel string) bool {
	name := path.Base(rel)
	return name == "manifest.json" || strings.HasPrefix(name, "README")
}
