// Package rundir reads a folder of raw benchmark runs into one dataset: every
// file through package format, every result with the labels that run.toml
// files and folder names declare for it, and with an id.
//
// A run.toml in any folder gives labels to all files below it; for the same label, the nearest file wins. The name of a
// folder key=value also gives a label to everything below it. What a raw file says of itself wins over both, and a
// contradiction gives a warning.
//
// The files of a model in a folder (config.json, safetensors, GGUF) give the model's sizes for all runs beside and
// below them; the nearest folder with such files wins. Declared labels win over them.
//
// A symbolic link adds no results. A target inside the folder is read at its own place and counts once; a target
// outside is not part of the runs. Both kinds of links are listed in Unread.
//
//	d, err := rundir.Load("runs", rundir.Options{Name: "runs"})
//	for _, r := range d.Results {
//		fmt.Println(r.ID, r.Label("model"), r.Labels.Get("hardware"))
//	}
//	d.Messages // contradictions, files that cannot be read, telemetry that fits no run
//	d.Unread   // files that give no result of their own, and why
//
// Accelerators and parallelism are recognised under the names that people give them (tp, gpus = "4 GPUs") and guessed
// from file names (model_tp2.json). A declared value that cannot be parsed gives a warning.
//
// A program that loads the same folder repeatedly, such as a server, keeps a Memory. Unchanged files are then not read
// again.
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

// Dataset holds the contents of a folder of runs. It does not depend on the order in which files were read.
type Dataset struct {
	Root       string
	Results    []result.Result     // sorted by result.Compare; ids are unique
	Unfinished []result.Unfinished // runs without a result yet, sorted by file and line; ids are unique
	Unread     []unread.File       // files that give no result of their own, including unfinished runs; sorted by name
	Sweeps     []string            // files with plans of measurements (sweep.toml), as in positions; sorted
	Beside     []Beside            // sorted by file
	Mapped     []Mapped            // one for each mapping of the options
	Messages   []result.Message

	called string      // the name of the root in positions
	names  *mask.Names // published names of what is below the root
}

// Disk returns the name on disk of a file that is given by its published name, as in positions.
func (d *Dataset) Disk(name string) string { return d.below(name, d.names.Disk) }

// Published returns the name in positions of a file that is given by its name on disk. The two differ when a part of
// the name is masked.
func (d *Dataset) Published(name string) string { return d.below(name, d.names.Published) }

func (d *Dataset) below(name string, rename func(string) string) string {
	if rel, ok := strings.CutPrefix(name, d.called+"/"); ok {
		return d.called + "/" + rename(rel)
	}
	return name
}

// Beside is a file about runs that holds no run itself: telemetry or server metrics that were joined to runs, or a
// capture of the machine.
type Beside struct {
	File   string
	Format string
	Runs   []string // ids of the runs that it was joined to
	Facts  int      // number of labels of a capture
}

// Mapped says what a mapping was used for.
type Mapped struct {
	Files    int             // number of files that this mapping is the first to match
	Shadowed int             // number of files that it matches after another mapping
	Missing  []format.Absent // columns or keys that none of its files has; sorted
}

// Options configure Load. The zero value is ready to use.
type Options struct {
	// Name is the name of the root in positions, "runs" in a site. When it is empty, the root is named as it was
	// passed.
	Name string
	// Read reads one file; name is its name in positions. Found is the file's current mark, zero without a Memory. A
	// caller with a cache sets Read; it is called from several goroutines. Nil means the function [ReadFile] with Mask.
	Read func(path, name string, found filemark.Mark) (format.Output, error)
	// Mask masks the contents of files before they are parsed; nil for no masking. A Read function must mask by itself.
	Mask *mask.Masker
	// Mappings say how files of unknown tools are read. The first mapping that matches a file is used.
	Mappings []format.Mapping
	// NoResults are patterns of files that hold no results according to the author. A pattern without a slash matches
	// the file's name; one with a slash matches its path below the root, or the path of a folder above it.
	NoResults []string
	// Part limits Load to one folder or file, as a slash path below the root; "" is everything. Load then reads what is
	// in it, and the files directly in the folders above it, because they hold declarations, captures and records that
	// apply to it. It does not open other folders.
	Part string
	// Alive reports whether somebody is still writing a file, as named in positions. While a file is being rewritten,
	// truncated JSON does not replace its previous content, if a Memory has that. Nil means that nobody writes.
	Alive func(name string) bool
	// Tree is what the caller has just found below the root; nil to read the disk.
	Tree Tree
	// Memory avoids reading unchanged files again; nil for none. All other options must be those of the previous Load.
	Memory *Memory
}

// Tree gives access to folders and files.
type Tree interface {
	ReadDir(folder string) ([]fs.DirEntry, error) // as os.ReadDir
	Mark(file string) filemark.Mark               // of a file that is not a symbolic link
}

// disk is the Tree that reads the disk itself.
type disk struct{}

func (disk) ReadDir(folder string) ([]fs.DirEntry, error) { return os.ReadDir(folder) }

func (disk) Mark(file string) filemark.Mark {
	info, err := os.Lstat(file)
	if err != nil {
		return filemark.Mark{}
	}
	return filemark.Of(info)
}

// Load reads the folder, or the single file, at root. A problem with one file gives a message, and the other files are
// read. Load returns an error only if the root itself cannot be read.
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
		jobs:      make(chan []*file, 1024), // the workers may start later than the walk
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
