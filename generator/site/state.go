package site

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"

	"benchpost/generator/bench"
	"benchpost/generator/publish"
)

// stateFolder is ours, ignored by git and safe to delete.
const stateFolder = ".benchpost"

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
	Messages        []bench.Message
}

// watched is what a build read and wrote elsewhere, which only the build
// itself can tell.
type watched struct {
	Files []string // shown by posts, relative to the site
	Blog  string   // the folder of the blog, "" for none
}

func openState(opt Options) *state {
	s := &state{opt: opt, file: filepath.Join(opt.Dir, stateFolder, "build.json")}
	h := sha256.New()
	fmt.Fprintf(h, "%q %v %v\n", opt.Out, opt.Drafts, opt.Strict)
	if exe, err := os.Executable(); err == nil {
		stamp(h, exe)
	}
	stamp(h, filepath.Join(opt.Dir, ConfigName))
	for _, folder := range []string{"runs", "content", "layouts"} {
		stampTree(h, filepath.Join(opt.Dir, folder))
	}
	s.inputs = hex.EncodeToString(h.Sum(nil))
	return s
}

// fresh tells whether the last build still stands.
func (s *state) fresh() (Summary, []bench.Message, bool) {
	var last saved
	data, err := os.ReadFile(s.file)
	if err != nil || json.Unmarshal(data, &last) != nil || last.Inputs != s.inputs || last.Outputs != s.outputs(last.Watched) {
		return Summary{}, nil, false
	}
	last.Summary.Fresh = true
	return last.Summary, last.Messages, true
}

// save notes a build. That it cannot is no fault: the next build only works
// for nothing.
func (s *state) save(summary Summary, ms []bench.Message, w watched) {
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
		for name := range publish.Files(dir) {
			stamp(h, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	for _, name := range w.Files {
		stamp(h, filepath.Join(s.opt.Dir, filepath.FromSlash(name)))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// stamp adds path, size and time of a file.
func stamp(h hash.Hash, name string) {
	info, err := os.Stat(name)
	if err != nil {
		fmt.Fprintf(h, "%q -\n", name)
		return
	}
	fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
}

func stampTree(h hash.Hash, root string) {
	w := bufio.NewWriter(h)
	defer w.Flush()
	// A walk stops at what cannot be read; the build will say why.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			fmt.Fprintf(w, "%q -\n", path)
			return nil
		}
		fmt.Fprintf(w, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		return nil
	})
}
