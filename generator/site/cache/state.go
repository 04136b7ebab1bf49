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

// State remembers the last build, so that a build without changes does nothing. It compares path and mark of every
// input and output, and of the program itself; it reads no contents. It also keeps what the last build reported.
type State struct {
	in     Inputs
	file   string
	inputs string
	files  *listing // listing of the inputs
	names  []string // all files in the listing
	marks  []filemark.Mark
	index  func() *inputs
}

// inputs maps paths to folders and to the marks of files.
type inputs struct {
	folders map[string]*listedFolder
	marks   map[string]filemark.Mark
}

// Inputs describes what a build is made from.
type Inputs struct {
	Dir            string // the site's folder
	Home           string // the folder that contains the .benchpost folder
	Out            string // the output folder
	Drafts, Strict bool
	Files, Folders []string // read by every build, relative to the site
}

// Watched lists what a build read and wrote outside of its inputs and outputs, which only the build itself knows.
type Watched struct {
	Files      []string // shown by posts, relative to the site
	Blog       string   // the folder of the blog; "" for none
	Repository []string // the files that change when the git history does
}

// saved is the contents of build.json.
type saved struct {
	Inputs, Outputs string
	Watched         Watched
	Report          []byte // packed, because texts of messages cannot be encoded as JSON
}

// OpenState returns the state of the last build. It reads nothing yet.
func OpenState(in Inputs) *State {
	return &State{in: in, file: filepath.Join(in.Home, Name, "build.json")}
}

// stampInputs computes the stamp of everything that a build reads from the site's own folders.
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
	// Wait until no further change can have the same time: what is read from here on then has these marks, or a later
	// change has another mark.
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

// ReadDir returns the contents of a folder. For a folder of the inputs they are those that Fresh saw; later changes are
// found by the next build.
func (s *State) ReadDir(folder string) ([]fs.DirEntry, error) {
	if f := s.index().folders[folder]; f != nil {
		return f.entries(), nil
	}
	return os.ReadDir(folder)
}

// Mark returns the mark of a file. For a file of the inputs it is the one that Fresh saw.
func (s *State) Mark(file string) filemark.Mark {
	if m, known := s.index().marks[file]; known {
		return m
	}
	return filemark.At(file)
}

// Fresh reports whether neither inputs nor outputs have changed since the last build. If so, it returns the report that
// was saved.
func Fresh[T any](s *State) (report T, ok bool) {
	var last saved
	data, err := sitefile.Read(s.file)
	known := err == nil && json.Unmarshal(data, &last) == nil
	known = known && !publish.Unfinished(s.in.Out) && (last.Watched.Blog == "" || !publish.Unfinished(last.Watched.Blog))
	s.stampInputs()
	if !known || s.inputs != last.Inputs { // then it does not matter whether the outputs have changed, too
		return report, false
	}
	if s.outputs(last.Watched, func(dir, name string) filemark.Mark { return FileOf(dir, name).Mark }) != last.Outputs {
		return report, false
	}
	return pack.Unpack[T](last.Report, pack.NewTexts())
}

// Save saves the state after a build, with the report. The ledger knows the marks of the files that were written. A
// failure is not an error: the next build does the work again.
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

// tick is the longest time within which two changes of a file may get the same timestamp, on commonly used file
// systems.
const tick = 10 * time.Millisecond

// outputs computes the stamp of what the build wrote, and of what it read outside of the site's folders. at returns the
// mark of a file in a folder.
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
