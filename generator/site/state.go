package site

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// stateFolder is ours, ignored by git and safe to delete but for what Folder keeps there.
const stateFolder = ".benchpost"

// Folder makes a folder of the site for what is to be kept out of git, and gives its
// path.
func Folder(dir, name string) (string, error) {
	folder := filepath.Join(dir, stateFolder, name)
	return folder, makeStateFolder(folder)
}

// makeStateFolder makes it, or a folder in it. It tells git to leave it out, whatever
// the site's own list says.
func makeStateFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	top := dir
	for filepath.Base(top) != stateFolder && filepath.Dir(top) != top {
		top = filepath.Dir(top)
	}
	list := filepath.Join(top, ".gitignore")
	if _, err := os.Lstat(list); err == nil || filepath.Base(top) != stateFolder {
		return nil
	}
	return os.WriteFile(list, []byte("*\n"), 0o644)
}

// state remembers the last build, so that one with nothing changed does
// nothing. It compares path, size and time of every input and output, and of
// the program itself; bytes are not read. The messages of the last build are
// told again.
type state struct {
	opt    Options
	file   string
	inputs string
}

// saved is the file .benchpost/build.json.
type saved struct {
	Inputs, Outputs string
	Watched         watched
	Summary         Summary
	Messages        []result.Message
}

// watched is what a build read and wrote elsewhere, which only the build
// itself can tell.
type watched struct {
	Files []string // shown by posts, relative to the site
	Blog  string   // the folder of the blog, "" for none

	Repository []string // the files by which it is told that the history is another
}

func openState(opt Options) *state {
	return &state{opt: opt, file: filepath.Join(opt.home(), stateFolder, "build.json")}
}

// stampInputs stamps all that a build of the site reads from its own folders.
func (s *state) stampInputs() {
	h := sha256.New()
	fmt.Fprintf(h, "%q %v %v\n", s.opt.Out, s.opt.Drafts, s.opt.Strict)
	if exe, err := os.Executable(); err == nil {
		stamp(h, exe)
	}
	stamp(h, filepath.Join(s.opt.Dir, config.Name))
	for _, folder := range []string{"runs", "content", "layouts"} {
		var names []string
		// A walk stops at what cannot be read; the build will say why.
		_ = filepath.WalkDir(filepath.Join(s.opt.Dir, folder), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				names = append(names, path)
			}
			return err
		})
		stampFiles(h, names)
	}
	s.inputs = hex.EncodeToString(h.Sum(nil))
}

// fresh tells whether the last build still stands.
func (s *state) fresh() (Summary, []result.Message, bool) {
	var last saved
	data, err := os.ReadFile(s.file)
	known := err == nil && json.Unmarshal(data, &last) == nil
	var both sync.WaitGroup
	both.Go(s.stampInputs)
	outputs := ""
	if known {
		outputs = s.outputs(last.Watched)
	}
	both.Wait()
	if !known || last.Inputs != s.inputs || last.Outputs != outputs {
		return Summary{}, nil, false
	}
	last.Summary.Fresh = true
	return last.Summary, last.Messages, true
}

// save notes a build. That it cannot is no fault: the next build only works
// for nothing.
func (s *state) save(summary Summary, ms []result.Message, w watched) {
	data, err := json.Marshal(saved{s.inputs, s.outputs(w), w, summary, ms})
	if err != nil || makeStateFolder(filepath.Dir(s.file)) != nil {
		return
	}
	temporary := s.file + ".new"
	if os.WriteFile(temporary, data, 0o644) == nil {
		_ = os.Rename(temporary, s.file)
	}
}

// outputs stamps what the build wrote, and what it read that no folder of the
// site holds.
func (s *state) outputs(w watched) string {
	h := sha256.New()
	for _, dir := range []string{s.opt.Out, w.Blog} {
		if dir == "" {
			continue
		}
		var names []string
		for name := range publish.Files(dir) {
			names = append(names, filepath.Join(dir, filepath.FromSlash(name)))
		}
		stampFiles(h, names)
	}
	for _, name := range w.Files {
		stamp(h, filepath.Join(s.opt.Dir, filepath.FromSlash(name)))
	}
	for _, name := range w.Repository {
		stamp(h, name)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// stamp adds path, size and time of a file.
func stamp(w io.Writer, name string) {
	info, err := os.Stat(name)
	if err != nil {
		fmt.Fprintf(w, "%q -\n", name)
		return
	}
	fmt.Fprintf(w, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
}

// stampFiles adds path, size and time of many files, which are looked at on all cores.
func stampFiles(h hash.Hash, names []string) {
	const atOnce = 1024
	chunks := slices.Collect(slices.Chunk(names, atOnce))
	sums := make([][]byte, len(chunks))
	var wg sync.WaitGroup
	busy := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, some := range chunks {
		busy <- struct{}{}
		wg.Go(func() {
			h := sha256.New()
			w := bufio.NewWriter(h)
			for _, name := range some {
				stamp(w, name)
			}
			w.Flush()
			sums[i] = h.Sum(nil)
			<-busy
		})
	}
	wg.Wait()
	for _, sum := range sums {
		h.Write(sum)
	}
}
