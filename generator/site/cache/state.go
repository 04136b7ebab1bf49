package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/pack"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// State remembers the last build, so that one with nothing changed does nothing. It compares
// path and mark of every input and output, and of the program itself; bytes are not
// read. What the last build had to report is kept with it.
type State struct {
	in     Inputs
	file   string
	inputs string
	files  *listing // of the inputs
	names  []string // of all files in it
	marks  []filemark.Mark
	index  func() *inputs
}

// inputs are folders and marks of files, by path.
type inputs struct {
	folders map[string]*listedFolder
	marks   map[string]filemark.Mark
}

// Inputs are what a build is made from.
type Inputs struct {
	Dir            string // the site's folder
	Home           string // the folder that contains the site's own folder
	Out            string // the output folder
	Drafts, Strict bool
	Files, Folders []string // read by every build, relative to the site
}

// Watched is what a build read and wrote elsewhere, which only the build itself knows.
type Watched struct {
	Files      []string // shown by posts, relative to the site
	Blog       string   // the folder of the blog, "" for none
	Repository []string // the files that change when the history does
}

// saved is the file build.json.
type saved struct {
	Inputs, Outputs string
	Watched         Watched
	Report          []byte // packed: texts of messages are not for JSON
}

// OpenState prepares what is known of the last build.
func OpenState(in Inputs) *State {
	return &State{in: in, file: filepath.Join(in.Home, Name, "build.json")}
}

// stampInputs stamps all that a build of the site reads from its own folders.
func (s *State) stampInputs() {
	h := sha256.New()
	fmt.Fprintf(h, "%q %t %t\n", s.in.Out, s.in.Drafts, s.in.Strict)
	made := program()
	h.Write(made[:])
	var youngest int64
	for _, name := range s.in.Files {
		m := stat(h, filepath.Join(s.in.Dir, name), filemark.At)
		youngest = max(youngest, m.Time, m.Changed)
	}
	s.files = openListing(filepath.Join(s.in.Home, Name, "files"))
	var folders []string
	for _, folder := range s.in.Folders {
		folders = append(folders, filepath.Join(s.in.Dir, folder))
	}
	s.names = s.files.below(folders)
	s.marks = statAll(h, s.names, filemark.At)
	for _, m := range s.marks {
		youngest = max(youngest, m.Time, m.Changed)
	}
	s.index = sync.OnceValue(s.indexed)
	// What is read from here on is what these marks are of, or its next change has another one.
	time.Sleep(min(tick, tick-time.Since(time.Unix(0, youngest))))
	s.inputs = hex.EncodeToString(h.Sum(nil))
}

func (s *State) indexed() *inputs {
	x := &inputs{make(map[string]*listedFolder, len(s.files.found)), make(map[string]filemark.Mark, len(s.names))}
	for _, f := range s.files.found {
		x.folders[f.Path] = f
	}
	for i, name := range s.names {
		x.marks[name] = s.marks[i]
	}
	return x
}

// ReadDir returns what a folder of the inputs contained when Fresh looked at it, and of another folder what it
// contains. What has changed since is seen by the next build.
func (s *State) ReadDir(folder string) ([]fs.DirEntry, error) {
	if f := s.index().folders[folder]; f != nil {
		return f.entries(), nil
	}
	return os.ReadDir(folder)
}

// Mark returns the mark that a file of the inputs had when Fresh looked at it, and of another file the one it has.
func (s *State) Mark(file string) filemark.Mark {
	if m, known := s.index().marks[file]; known {
		return m
	}
	return filemark.At(file)
}

// Fresh reports whether neither inputs nor outputs have changed since the last build, and
// then returns the report that it saved.
func Fresh[T any](s *State) (report T, ok bool) {
	var last saved
	data, err := sitefile.Read(s.file)
	known := err == nil && json.Unmarshal(data, &last) == nil
	known = known && !publish.Unfinished(s.in.Out) && (last.Watched.Blog == "" || !publish.Unfinished(last.Watched.Blog))
	s.stampInputs()
	if !known || s.inputs != last.Inputs { // it does not matter whether the outputs have changed, too
		return report, false
	}
	if s.outputs(last.Watched, func(dir, name string) filemark.Mark { return FileOf(dir, name).Mark }) != last.Outputs {
		return report, false
	}
	return pack.Unpack[T](last.Report, pack.NewTexts())
}

// Save notes a build and its report; the ledger knows its files as they were left. That it cannot is not an
// error: the next build does the work again.
func Save[T any](s *State, report T, w Watched, of *Ledger) {
	reported, ok := pack.Pack(&report)
	if !ok {
		return
	}
	out, blog := of.marks()
	left := map[string]map[string]filemark.Mark{w.Blog: blog, s.in.Out: out}
	outputs := s.outputs(w, func(dir, name string) filemark.Mark {
		if mark, ok := left[dir][name]; ok {
			return mark
		}
		return FileOf(dir, name).Mark
	})
	s.files.save()
	_ = write(s.file, func(to io.Writer) error {
		return json.NewEncoder(to).Encode(saved{s.inputs, outputs, w, reported})
	})
}

// tick is how long two changes of a file may have the same time, on the file systems that people
// write in.
const tick = 10 * time.Millisecond

// outputs stamps what the build wrote, and what it read that no folder of the
// site contains, by the marks that at returns of the files in a folder.
func (s *State) outputs(w Watched, at func(dir, name string) filemark.Mark) string {
	h := sha256.New()
	for _, dir := range []string{s.in.Out, w.Blog} {
		if dir == "" {
			continue
		}
		fmt.Fprintf(h, "%q\n", dir)
		statAll(h, slices.Collect(publish.Files(dir)), func(name string) filemark.Mark { return at(dir, name) })
	}
	for _, name := range w.Files {
		stat(h, name, func(name string) filemark.Mark { return at(s.in.Dir, name) })
	}
	for _, name := range w.Repository {
		stat(h, name, filemark.At)
	}
	return hex.EncodeToString(h.Sum(nil))
}
