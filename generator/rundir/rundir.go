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
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/mask"
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
	// Read reads one file; positions call it name. Found is its mark of a moment ago, zero
	// without a Memory. A caller with a cache puts it in here; it is called from several
	// goroutines. When nil it is format.ReadFile.
	Read func(path, name string, found filemark.Mark) (format.Output, error)
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
	// Tree is what the caller has found below the root a moment ago; nil for looking at the disk.
	Tree Tree
	// Memory spares reading what has not changed since the Load before; nil
	// for none. The other options have to be those of that Load.
	Memory *Memory
}

// Tree is folders and files of a disk.
type Tree interface {
	ReadDir(folder string) ([]fs.DirEntry, error) // as os.ReadDir
	Mark(file string) filemark.Mark               // of a file, which is no link
}

// disk is the tree as it is.
type disk struct{}

func (disk) ReadDir(folder string) ([]fs.DirEntry, error) { return os.ReadDir(folder) }

func (disk) Mark(file string) filemark.Mark {
	info, err := os.Lstat(file)
	if err != nil {
		return filemark.Mark{}
	}
	return filemark.Of(info)
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
		tree:      opts.Tree,
		memory:    opts.Memory,
		mask:      opts.Mask,
		alive:     opts.Alive,
		folder:    info.IsDir(),
		jobs:      make(chan []*file, 1024), // who reads may begin later than the walk
	}
	if l.again = l.memory != nil; !l.again {
		l.memory = NewMemory()
	}
	if l.memory.names == nil {
		l.memory.names = l.mask.Names()
	}
	if l.tree == nil {
		l.tree = disk{}
	}
	if l.name == "" {
		l.name = string(l.mask.Text([]byte(filepath.ToSlash(root))))
	}
	l.prefix = strings.TrimSuffix(path.Join(l.name, "x"), "x")
	if l.read == nil {
		l.read = func(path, name string, _ filemark.Mark) (format.Output, error) {
			return ReadFile(path, name, opts.Mask)
		}
	}
	l.memory.begin()
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(l.work)
	}
	if l.folder {
		if len(l.memory.folders) == 0 && l.part == "" {
			l.ahead = &ahead{folders: map[string]*listing{}}
			workers.Go(func() { l.hasten("") })
		}
		l.files = make([]*file, 0, len(l.memory.named))
		err = l.walk("", nil, nil, nil, !l.memory.sure)
		l.hand(1)
	} else {
		l.single(info)
	}
	close(l.jobs)
	workers.Wait()
	if err != nil {
		return nil, err
	}
	d := l.dataset()
	if l.again {
		l.memory.settle()
	}
	return d, nil
}
