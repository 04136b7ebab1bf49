package rundir

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// loader walks the tree in one goroutine, which finds the files and the labels declared for each. Other goroutines read
// the files.
type loader struct {
	root, name string
	prefix     string // prefix of the positions of everything below the root
	folder     bool   // the root is a folder
	read       func(path, name string, found filemark.Mark) (format.Output, error)
	mapped     []format.Mapping
	noResults  []string
	part       string
	tree       Tree
	memory     *Memory
	again      bool // the memory is kept for further Loads
	mask       *mask.Masker
	alive      func(name string) bool
	ahead      *ahead // nil when the walk may skip folders
	jobs       chan []*file
	files      []*file
	waiting    []*file // to be handed to a worker
	unread     []unread.File
	sweeps     []string
	beside     []Beside
	messages   []result.Message
}

// file is one file to be read, and later its content.
type file struct {
	rel         string // slash path below the root
	name        string // as in positions
	phase       string // stated by its name; "" for none
	ending      string // stated by its name: "failed", "aborted"; "" for none
	parallelism string // stated by its name: "tp2"; "" for none
	declared    result.Labels
	model       *model // nil for none
	out         format.Output
	err         error
	members     []*file // of an archive
	state       state   // when it was read
	before      *file   // its last whole version; nil when this one is whole, or none was
	merged      merged  // its results with all labels
}

func newFile(rel, name string) *file {
	f := &file{rel: rel, name: name}
	if stem := uncompressed(rel); mayName(stem, tellingWords) {
		f.phase, f.ending, f.parallelism = namedPhase(stem), namedUnfinished(stem), namedParallelism(stem)
	}
	return f
}

// tellingWords are the words in names that say something about a run. Most names have none.
var tellingWords = slices.Concat(phaseWords, endingWords, degreeWords)

// called returns the name in positions of a slash path below the root.
func (l *loader) called(rel string) string {
	switch {
	case !l.folder && rel == l.memory.names.Published(path.Base(filepath.ToSlash(l.root))):
		return l.name
	case !l.folder:
		return path.Join(path.Dir(l.name), rel)
	case rel == "":
		return path.Clean(l.name)
	}
	return l.prefix + rel
}

// path returns the place on disk of a published slash path below the root.
func (l *loader) path(rel string) string {
	rel = l.memory.names.Disk(rel)
	if !l.folder {
		return filepath.Join(filepath.Dir(l.root), filepath.FromSlash(rel))
	}
	return filepath.Join(l.root, filepath.FromSlash(rel))
}

// walk visits one folder and those below it. The levels are what the folders above declare, from the root on; labels is
// their sum, and model the nearest one above. Changed reports whether any of them may differ from the last Load.
func (l *loader) walk(rel string, levels []*level, labels result.Labels, model *model, changed bool) error {
	changed = changed || l.memory.changed[key(rel)]
	here, err := l.memory.folder(l, rel, changed)
	if err != nil {
		if rel == "" {
			return err
		}
		l.unreadable(l.called(rel), err)
		return nil
	}
	l.messages = append(l.messages, here.messages...)
	whole := l.within(rel) // false for a folder above the wanted part
	if whole {
		l.unread = append(l.unread, here.unread...)
	}
	if here.sweep != "" {
		l.sweeps = append(l.sweeps, here.sweep)
	}
	levels = append(slices.Clip(levels), &here.level)
	if here.model != nil {
		model = here.model
	}
	labels, declared := here.declare(labels, model)
	for _, below := range here.folders {
		if !whole && !l.within(below) && !l.above(below) {
			continue
		}
		if err := l.walk(below, levels, labels, model, changed); err != nil {
			return err
		}
	}
	ruled := slices.ContainsFunc(levels, func(lv *level) bool { return len(lv.rules) > 0 })
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

// ahead holds the folders that another goroutine lists ahead of the walk. Each is listed once, by whichever goroutine
// reaches it first.
type ahead struct {
	mu      sync.Mutex
	folders map[string]*listing
}

// listing is a folder that is listed only once.
type listing struct {
	once   sync.Once
	folder *folder
	err    error
}

// of returns the folder at a path. It calls look if the folder has not been listed.
func (a *ahead) of(rel string, look func(rel string) (*folder, error)) (*folder, error) {
	a.mu.Lock()
	one := a.folders[rel]
	if one == nil {
		one = new(listing)
		a.folders[rel] = one
	}
	a.mu.Unlock()
	one.once.Do(func() { one.folder, one.err = look(rel) })
	return one.folder, one.err
}

// hasten lists a folder and everything below it, ahead of the walk.
func (l *loader) hasten(rel string) {
	here, err := l.list(rel)
	if err != nil {
		return // the walk reports the error
	}
	for _, below := range here.folders {
		l.hasten(below)
	}
}

// list returns the contents of a folder, listed by look, or ahead of the walk.
func (l *loader) list(rel string) (*folder, error) {
	if l.ahead == nil {
		return l.look(rel)
	}
	return l.ahead.of(rel, l.look)
}

// within reports whether a path below the root is in the wanted part.
func (l *loader) within(rel string) bool {
	rel = l.memory.names.Disk(rel)
	return l.part == "" || rel == l.part || strings.HasPrefix(rel, l.part+"/")
}

// above reports whether the wanted part lies in a folder.
func (l *loader) above(rel string) bool {
	return strings.HasPrefix(l.part, l.memory.names.Disk(rel)+"/")
}

// handful is how many files a worker takes at once: enough to wake it rarely.
const handful = 32

// hand sends the waiting files to the workers, if there are at least so many.
func (l *loader) hand(least int) {
	for len(l.waiting) >= least {
		n := min(handful, len(l.waiting))
		l.jobs <- l.waiting[:n:n]
		l.waiting = l.waiting[n:]
	}
}

// look lists a folder. Two goroutines may call it at once.
func (l *loader) look(rel string) (*folder, error) {
	entries, err := l.tree.ReadDir(l.path(rel))
	if err != nil {
		return nil, err
	}
	here := &folder{}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == result.OutputList }) {
		here.skip(l.called(rel), unread.Generated, locale.Textf("pages and posts that benchpost made"))
		return here, nil
	}
	onDisk := l.memory.names.Disk(rel)
	inside := onDisk
	if onDisk != "" {
		inside += "/"
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	l.memory.names.Add(onDisk, names)
	here.level = l.declare(here, rel, entries)
	own, modelFiles := l.readModel(here, rel, entries)
	here.model = own
	for _, e := range entries {
		below := l.memory.names.Published(inside + e.Name())
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

// single reads a root that is one file, with the labels that its folder declares and the model in that folder.
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
	beside, _ := os.ReadDir(l.path("")) // a folder that cannot be listed has no model
	model, modelFiles := l.readModel(&here, "", beside)
	l.messages = append(l.messages, here.messages...)
	if slices.Contains(modelFiles, rel) {
		l.skip(l.name, unread.Other, locale.Textf("a file of a model, not a result"))
		return
	}
	f := newFile(rel, l.name)
	f.model = model
	f.declared = declaredFor(rel, []*level{&here.level}, model, result.Spread(model.extend(here.level.extend(nil)), ""))
	l.files = append(l.files, f)
	l.jobs <- l.files
}
