// Package rundir reads a folder of raw benchmark runs into one dataset: every
// file through package format, every result with the labels that run.toml
// files and folder names declare for it, and with an id.
//
// A run.toml in any folder gives labels to all files below it; of two that
// name the same label, the nearer wins. A folder named key=value is a label of
// all below it too. What a raw file says of itself wins over both, and a
// contradiction is a warning.
//
// The files of a model in a folder (config.json, safetensors, GGUF) say the
// sizes of the model of all runs beside and below them; the nearest folder with
// such files wins. What is declared wins over what they say.
//
// A symbolic link adds no results: what it leads to inside the folder is read where it lies, and
// counts once, and what lies outside is not part of the runs. Both are listed in Unread.
//
//	d, err := rundir.Load("runs", rundir.Options{Name: "runs"})
//	for _, r := range d.Results {
//		fmt.Println(r.ID, r.Label("model"), r.Labels.Get("hardware"))
//	}
//	d.Messages // contradictions, files that cannot be read, telemetry that fits no run
//	d.Unread   // files that give no result of their own, and why
//
// Accelerators and parallelism are understood by the names that people give them
// (tp, gpus = "4 GPUs") and guessed from names of files (model_tp2.json); what
// cannot be understood is questioned where it is declared.
//
// Who loads the same folder again and again, as a server does, keeps a Memory: files
// that did not change are not read again.
package rundir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// Dataset is what a folder of runs holds. It does not depend on the order in
// which files were read.
type Dataset struct {
	Root       string
	Results    []result.Result     // sorted by result.Compare, each with an id of its own
	Unfinished []result.Unfinished // runs without a result yet, sorted by file and line, each with an id of its own
	Unread     []unread.File       // files that give no result of their own, sorted by name; unfinished runs too
	Sweeps     []string            // files with plans to measure, as in positions; sorted
	Beside     []Beside            // sorted by file
	Mapped     []Mapped            // one for each mapping of the options
	Messages   []result.Message

	called string      // what positions call the root
	names  *mask.Names // of what is below it
}

// Disk returns where a file lies that a position names as it is published.
func (d *Dataset) Disk(name string) string { return d.below(name, d.names.Disk) }

// Published returns how positions name a file that is called otherwise on the disk, as something
// in its name is masked.
func (d *Dataset) Published(name string) string { return d.below(name, d.names.Published) }

func (d *Dataset) below(name string, rename func(string) string) string {
	if rel, ok := strings.CutPrefix(name, d.called+"/"); ok {
		return d.called + "/" + rename(rel)
	}
	return name
}

// Beside is a file about runs that is not one itself: telemetry or a server's
// metrics that were joined to runs, or what was captured of the machine.
type Beside struct {
	File   string
	Format string
	Runs   []string // the ids of those that it was joined to
	Facts  int      // labels of a capture
}

// Mapped is what a mapping was used for.
type Mapped struct {
	Files    int             // that it fits, and no mapping before it
	Shadowed int             // that it fits, and one before it
	Missing  []format.Absent // columns or keys that no such file has; sorted
}

// Options of Load. The zero value is fit for use.
type Options struct {
	// Name is what positions call the root, "runs" in a site. When empty it
	// is the root as it was passed.
	Name string
	// Read reads one file; positions call it name. A caller with a cache puts
	// it in here; it is called from several goroutines. When nil it is
	// format.ReadFile.
	Read func(path, name string) (format.Output, error)
	// Mask masks what files contain, before it is read; nil for none. Read has to do so itself.
	Mask *mask.Masker
	// Mappings say how files of unknown tools are read; the first that fits a
	// file counts.
	Mappings []format.Mapping
	// NoResults are patterns of files that hold no results, as the author knows: of their name,
	// or with a slash of their path below the root or of a folder above them.
	NoResults []string
	// Part is a folder or a file below the root, as a slash path, when nothing else is wanted: what
	// lies in it is read, and the files of the folders above it, which declare, capture and
	// record what holds for it. Other folders are not opened. "" is all.
	Part string
	// Alive reports whether somebody still writes a file, as positions name it. JSON that
	// is broken off while it is being written does not take the place of what the file
	// held before, as far as a Memory knows that. Nil is never.
	Alive func(name string) bool
	// Memory spares reading what has not changed since the Load before; nil
	// for none. The other options have to be those of that Load.
	Memory *Memory
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
		root:      root,
		name:      opts.Name,
		read:      opts.Read,
		mapped:    opts.Mappings,
		noResults: opts.NoResults,
		part:      opts.Part,
		memory:    opts.Memory,
		mask:      opts.Mask,
		alive:     opts.Alive,
		folder:    info.IsDir(),
		jobs:      make(chan []*file, 64),
	}
	if l.memory == nil {
		l.memory = NewMemory()
	}
	if l.memory.names == nil {
		l.memory.names = l.mask.Names()
	}
	if l.name == "" {
		l.name = string(l.mask.Text([]byte(filepath.ToSlash(root))))
	}
	if l.read == nil {
		l.read = func(path, name string) (format.Output, error) { return ReadFile(path, name, opts.Mask) }
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(l.work)
	}
	if l.folder {
		err = l.walk("", nil, nil, nil)
		l.hand(1)
	} else {
		l.single(info)
	}
	close(l.jobs)
	workers.Wait()
	if err != nil {
		l.memory.visited = nil
		return nil, err
	}
	d := l.dataset()
	l.memory.settle()
	return d, nil
}

// loader walks the tree in one goroutine, which finds the files and what is
// declared for each, and reads them in others.
type loader struct {
	root, name string
	folder     bool // the root is one
	read       func(path, name string) (format.Output, error)
	mapped     []format.Mapping
	noResults  []string
	part       string
	memory     *Memory
	mask       *mask.Masker
	alive      func(name string) bool
	jobs       chan []*file
	files      []*file
	waiting    []*file // to be handed to a worker
	unread     []unread.File
	sweeps     []string
	beside     []Beside
	messages   []result.Message
}

// file is one file to be read, and then what it held.
type file struct {
	rel         string // slash path below the root
	name        string // as in positions
	phase       string // that its name states, "" for none
	ending      string // as its name says: "failed", "aborted"; "" when it does not
	parallelism string // that its name states: "tp2"; "" for none
	declared    result.Labels
	model       *model // nil for none
	out         format.Output
	err         error
	members     []*file // of an archive
	state       state   // of the file when it was read
	before      *file   // as it was when it was last whole; nil when it is so, or never was
	merged      merged  // its results with their labels
}

func newFile(rel, name string) *file {
	stem := uncompressed(rel)
	return &file{rel: rel, name: name, phase: namedPhase(stem), ending: namedUnfinished(stem), parallelism: namedParallelism(stem)}
}

// called returns the name in positions of a slash path below the root.
func (l *loader) called(rel string) string {
	switch {
	case !l.folder && rel == l.memory.names.Published(path.Base(filepath.ToSlash(l.root))):
		return l.name
	case !l.folder:
		return path.Join(path.Dir(l.name), rel)
	}
	return path.Join(l.name, rel)
}

// path returns the place of a slash path below the root, which is as it is published.
func (l *loader) path(rel string) string {
	rel = l.memory.names.Disk(rel)
	if !l.folder {
		return filepath.Join(filepath.Dir(l.root), filepath.FromSlash(rel))
	}
	return filepath.Join(l.root, filepath.FromSlash(rel))
}

// walk goes through one folder. The levels are what the folders above declare,
// from the root on, labels their sum, and model the nearest above.
func (l *loader) walk(rel string, levels []level, labels result.Labels, model *model) error {
	here, err := l.memory.folder(l, rel)
	if err != nil {
		if rel == "" {
			return err
		}
		l.unreadable(l.called(rel), err)
		return nil
	}
	l.messages = append(l.messages, here.messages...)
	whole := l.within(rel) // not of a folder above the part that is wanted
	if whole {
		l.unread = append(l.unread, here.unread...)
	}
	if here.sweep != "" {
		l.sweeps = append(l.sweeps, here.sweep)
	}
	levels = append(slices.Clip(levels), here.level)
	if here.model != nil {
		model = here.model
	}
	labels, declared := here.declare(labels, model)
	for _, below := range here.folders {
		if !whole && !l.within(below) && !l.above(below) {
			continue
		}
		if err := l.walk(below, levels, labels, model); err != nil {
			return err
		}
	}
	ruled := slices.ContainsFunc(levels, func(lv level) bool { return len(lv.rules) > 0 })
	for _, f := range here.files {
		f.declared, f.model = declared, model
		if ruled {
			f.declared = declaredFor(f.rel, levels, model, declared)
		}
		for _, m := range f.members {
			m.declared, m.model = f.declared, f.model
		}
		if !f.state.read {
			l.waiting = append(l.waiting, f)
		}
	}
	if whole {
		l.unused(here.level)
	}
	l.files = append(l.files, here.files...)
	l.hand(handful)
	return nil
}

// within reports whether a path below the root is of the part that is wanted.
func (l *loader) within(rel string) bool {
	rel = l.memory.names.Disk(rel)
	return l.part == "" || rel == l.part || strings.HasPrefix(rel, l.part+"/")
}

// above reports whether the part that is wanted lies in a folder.
func (l *loader) above(rel string) bool {
	return strings.HasPrefix(l.part, l.memory.names.Disk(rel)+"/")
}

// handful is how many files a worker takes at once: so many that it is seldom woken.
const handful = 32

// hand hands the workers the files that wait, if there are at least so many.
func (l *loader) hand(least int) {
	for len(l.waiting) >= least {
		n := min(handful, len(l.waiting))
		l.jobs <- l.waiting[:n:n]
		l.waiting = l.waiting[n:]
	}
}

// list finds what a folder holds.
func (l *loader) list(rel string) (*folder, error) {
	entries, err := os.ReadDir(l.path(rel))
	if err != nil {
		return nil, err
	}
	here := &folder{}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == result.OutputList }) {
		here.skip(l.called(rel), unread.Generated, locale.Textf("pages and posts that benchpost made"))
		return here, nil
	}
	onDisk := l.memory.names.Disk(rel)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	l.memory.names.Add(onDisk, names)
	here.level = l.declare(here, rel, entries)
	own, modelFiles := l.readModel(here, rel, entries)
	here.model = own
	for _, e := range entries {
		below := l.memory.names.Published(path.Join(onDisk, e.Name()))
		switch {
		case isHousekeeping(e.Name()):
		case strings.HasPrefix(e.Name(), "."):
			here.skip(l.called(below), unread.Hidden, locale.Textf("its name begins with a dot"))
		case e.Type()&fs.ModeSymlink != 0:
			here.unread = append(here.unread, l.link(below))
		case e.IsDir():
			here.folders = append(here.folders, below)
		case e.Name() == runTOML || slices.Contains(modelFiles, e.Name()):
		case e.Name() == SweepName && e.Type().IsRegular():
			here.sweep = l.called(below)
		case !e.Type().IsRegular():
			here.skip(l.called(below), unread.Special, locale.Textf("not a regular file"))
		default:
			here.files = append(here.files, newFile(below, l.called(below)))
		}
	}
	return here, nil
}

// single reads a root that is one file, with the labels its own folder declares
// and the model that lies there.
func (l *loader) single(info fs.FileInfo) {
	rel := filepath.Base(l.root)
	l.memory.names.Add("", []string{rel})
	rel = l.memory.names.Published(rel)
	if !info.Mode().IsRegular() {
		l.skip(l.name, unread.Special, locale.Textf("not a regular file"))
		return
	}
	var here folder
	if _, err := os.Stat(l.path(runTOML)); err == nil {
		here.level = l.readRunTOML(&here, "", runTOML)
	}
	beside, _ := os.ReadDir(l.path("")) // one that cannot be listed has no model
	model, modelFiles := l.readModel(&here, "", beside)
	l.messages = append(l.messages, here.messages...)
	if slices.Contains(modelFiles, rel) {
		l.skip(l.name, unread.Other, locale.Textf("a file of a model, not a result"))
		return
	}
	f := newFile(rel, l.name)
	f.model = model
	f.declared = declaredFor(rel, []level{here.level}, model, spread(model.extend(here.level.extend(nil))))
	l.files = append(l.files, f)
	l.jobs <- l.files
}

func (l *loader) work() {
	for files := range l.jobs {
		for _, f := range files {
			f.state = stateOf(l.path(f.rel))
			if m := l.mapping(f.rel); m != nil {
				f.out, f.err = l.readMapped(f, m)
				l.hold(f)
				continue
			}
			f.out, f.err = l.read(l.path(f.rel), f.name)
			l.title(f)
			l.hold(f)
			if f.out.Archive {
				l.unpack(f)
			}
		}
	}
}

// ReadFile reads one file as format.ReadFile does, masked.
func ReadFile(path, name string, m *mask.Masker) (format.Output, error) {
	if m == nil {
		return format.ReadFile(path, name)
	}
	f, err := m.Open(path)
	if err != nil { // which reading it reports
		return format.ReadFile(path, name)
	}
	defer f.Close()
	return format.Read(name, f)
}

// readMapped reads a file as a mapping says.
func (l *loader) readMapped(f *file, m *format.Mapping) (format.Output, error) {
	in, err := l.mask.Open(l.path(f.rel))
	if err != nil {
		return format.Output{}, err
	}
	defer in.Close()
	return format.ReadMapped(f.name, in, m)
}

// mapping returns how a file is to be read, nil when its content decides.
func (l *loader) mapping(rel string) *format.Mapping {
	rel = uncompressed(l.memory.names.Disk(rel)) // as the author knows it
	i := slices.IndexFunc(l.mapped, func(m format.Mapping) bool { return m.Match(rel) })
	if i < 0 {
		return nil
	}
	return &l.mapped[i]
}

// mappings returns what the mappings were used for.
func (l *loader) mappings() []Mapped {
	used := make([]Mapped, len(l.mapped))
	lacking := make([]map[string]int, len(l.mapped)) // files without a column
	for _, f := range l.files {
		first := true
		for i := range l.mapped {
			if !l.mapped[i].Match(uncompressed(l.memory.names.Disk(f.rel))) {
				continue
			}
			if !first {
				used[i].Shadowed++
				continue
			}
			first = false
			used[i].Files++
			for _, a := range f.out.Missing {
				if lacking[i] == nil {
					lacking[i] = map[string]int{}
				}
				if lacking[i][a.Column]++; lacking[i][a.Column] == 1 {
					used[i].Missing = append(used[i].Missing, a)
				}
			}
		}
	}
	for i := range used {
		used[i].Missing = slices.DeleteFunc(used[i].Missing, func(a format.Absent) bool { return lacking[i][a.Column] < used[i].Files })
		slices.SortFunc(used[i].Missing, func(a, b format.Absent) int { return strings.Compare(a.Column, b.Column) })
	}
	return used
}

// unpack reads the files of an archive, as if they lay in a folder of its name.
func (l *loader) unpack(f *file) {
	err := rawfile.Each(l.path(f.rel), func(member string, r io.Reader, err error) {
		rel := l.memory.names.Member(l.memory.names.Disk(f.rel), member)
		m := newFile(rel, l.called(rel))
		if err == nil {
			r = l.mask.Through(filepath.Join(l.path(f.rel), filepath.FromSlash(member)), r)
		}
		m.declared, m.model, m.err = f.declared, f.model, err
		if mapping := l.mapping(m.rel); err == nil && mapping != nil {
			m.out, m.err = format.ReadMapped(m.name, r, mapping)
		} else if err == nil {
			m.out, m.err = format.Read(m.name, r)
		}
		if m.out.Archive {
			m.out.Reason, m.out.Kind = locale.Textf("an archive in an archive"), unread.Archive
		}
		f.members = append(f.members, m)
	})
	f.err = errors.Join(f.err, err)
	slices.SortFunc(f.members, func(a, b *file) int { return strings.Compare(a.rel, b.rel) })
	of := len(f.members)
	if !slices.ContainsFunc(f.members, func(m *file) bool { return m.err != nil || m.out.Reason.IsZero() || len(m.out.Unfinished) > 0 }) {
		f.members = nil // a spreadsheet, a library, weights: its parts are no files of a person
		f.out.Reason, f.out.Kind = locale.Textf("%s of %d files, of which none is of a known format", f.out.Reason, of), unread.Archive
	} else if f.err == nil {
		f.out.Reason = locale.Text{}
	}
}

func (l *loader) skip(name string, kind unread.Kind, reason locale.Text) {
	l.unread = append(l.unread, unread.File{Name: name, Kind: kind, Reason: reason})
}

func (l *loader) unreadable(name string, err error) {
	l.skip(name, unread.Unreadable, result.Reason(err))
	l.messages = append(l.messages, unreadable(name, err))
}

func unreadable(name string, err error) result.Message {
	return result.Message{Pos: result.Position{File: name}, Severity: result.Error,
		ID: "run.unreadable", Text: locale.Textf("cannot be read: %s", result.Reason(err)), Hint: locale.Textf("put a sound copy in its place, or take it away")}
}

// dataset puts together what the files held.
func (l *loader) dataset() *Dataset {
	d := &Dataset{Root: l.root, called: l.name, names: l.memory.names}
	for i := 0; i < len(l.files); i++ { // archives are followed by what they hold
		if members := l.files[i].members; members != nil {
			l.files = slices.Insert(l.files, i+1, members...)
			i += len(members)
		}
	}
	ids := l.memory.assignIDs(l.files)
	var disputes disputes
	captures := l.capture()
	for i, f := range l.files {
		l.messages = append(l.messages, f.out.Messages...)
		first := len(d.Unfinished)
		captured := captures.of(f)
		l.memory.merge(f, ids[i], captured)
		for _, c := range f.merged.contradictions {
			disputes.add(c.declared, c.measured)
		}
		for n, u := range f.out.Unfinished {
			u.ID = ids[i].of(len(f.out.Results)+n, len(f.out.Results)+len(f.out.Unfinished))
			run := u.Run()
			u.Labels = f.guess(f.model.fit(merge(&run, withCaptured(u.Labels, captured), f.declared, disputes.add)))
			l.lastLines(&u)
			d.Unfinished = append(d.Unfinished, u)
		}
		if f.err != nil {
			l.unreadable(f.name, f.err)
		} else if len(f.out.Unfinished) > 0 {
			l.tellUnfinished(d.Unfinished[first:])
		} else if !f.out.Reason.IsZero() && path.Base(f.rel) != manifestName {
			l.unread = append(l.unread, l.unreadFile(f))
		}
	}
	d.Unfinished = append(d.Unfinished, l.failedRecordings(d.Unfinished)...)
	places := l.memory.order(l.files)
	d.Results = make([]result.Result, len(places))
	runs := make([]entry, len(places))
	for i, at := range places {
		f := l.files[at.file]
		d.Results[i] = f.merged.results[at.result]
		runs[i] = entry{&d.Results[i], f, &f.merged.traits[at.result]}
	}
	if l.relate(d, runs, &disputes) {
		slices.SortFunc(d.Results, func(a, b result.Result) int { return result.Compare(&a, &b) })
	}
	d.Messages = append(l.messages, disputes.messages()...)
	d.Mapped = l.mappings()
	d.Unread, d.Beside, d.Sweeps = l.unread, l.beside, l.sweeps
	slices.Sort(d.Sweeps)
	slices.SortFunc(d.Unfinished, compareUnfinished)
	d.partUnfinished()
	unread.Sort(d.Unread)
	slices.SortStableFunc(d.Beside, func(a, b Beside) int { return strings.Compare(a.File, b.File) })
	result.SortMessages(d.Messages)
	return d
}

// entry is a result of the dataset and where it is from.
type entry struct {
	*result.Result
	file   *file
	traits *traits
}

// relate finds the runs that are no measurements of their own, and joins what
// servers counted and telemetry to the others; what belongs to none is added behind them. The place of
// the results must not change before.
func (l *loader) relate(d *Dataset, runs []entry, disputes *disputes) (added bool) {
	l.phases(runs)
	l.unread = append(l.unread, copied(runs)...)
	l.joinServers(runs)
	if !slices.ContainsFunc(l.files, func(f *file) bool { return len(f.out.Traces) > 0 }) {
		return false
	}
	runs = slices.DeleteFunc(runs, func(r entry) bool { return r.Label("phase") != "" })
	taken := map[string]bool{}
	for _, r := range d.Results {
		taken[r.ID] = true
	}
	for _, t := range l.joinTelemetry(newNeighbours(runs)) {
		r := t.result()
		r.ID = plainPath(t.file.rel)
		for taken[r.ID] {
			r.ID += "-telemetry"
		}
		taken[r.ID] = true
		r.Labels = merge(&r, withCaptured(r.Labels, t.file.out.Captured), t.file.declared, disputes.add)
		d.Results = append(d.Results, r)
		added = true
	}
	return added
}
