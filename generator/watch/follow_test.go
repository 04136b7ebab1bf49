package watch

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/need"
)

// mirror follows batches: it reads only what is reported.
type mirror struct {
	root string
	// deep includes everything below a reported folder. With polling, mirror follows each path separately, because more
	// can come and go between two scans than the scans can find.
	deep  bool
	files map[string]string // path → text; folders end in a slash
}

func (m *mirror) follow(b Batch) {
	looked := map[string]bool{}
	for _, path := range b.Paths {
		if looked[path] = path != m.root; !looked[path] {
			continue
		}
		above := filepath.Dir(path)
		for above != m.root && !(m.deep && looked[above]) {
			above = filepath.Dir(above)
		}
		if above == m.root { // otherwise it was read with the reported folder
			m.look(path)
		}
	}
}

func (m *mirror) look(path string) {
	maps.DeleteFunc(m.files, func(p, _ string) bool {
		return p == path || p == path+"/" || m.deep && strings.HasPrefix(p, path+"/")
	})
	_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == m.root:
		case d.IsDir():
			m.files[path+"/"] = ""
			if !m.deep {
				return fs.SkipDir
			}
		default:
			text, _ := os.ReadFile(path)
			m.files[path] = string(text)
		}
		return nil
	})
}

// difference returns how the mirror differs from the disk, "" if it does not.
func (m *mirror) difference() string {
	now := mirror{root: m.root, deep: true, files: map[string]string{}}
	now.look(m.root)
	for path, text := range now.files {
		if was, ok := m.files[path]; !ok {
			return path + " is not known"
		} else if was != text {
			return path + " is known with an old text"
		}
	}
	for path := range m.files {
		if _, ok := now.files[path]; !ok {
			return path + " is gone, and that is not known"
		}
	}
	return ""
}

// TestFollowingTheBatchesIsEnough checks that a follower of the batches knows the state of the disk in the end,
// whatever is done.
func TestFollowingTheBatchesIsEnough(t *testing.T) {
	for _, mode := range modes {
		for seed := range uint64(need.Times(1, 4)) {
			t.Run(fmt.Sprintf("%s %d", mode.name, seed), func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				s.mkdir("runs")
				s.watch(mode.opt, "runs")
				m := &mirror{root: s.path("runs"), deep: mode.name == "events", files: map[string]string{}}
				done := make(chan struct{})
				go func() {
					defer close(done)
					anything(s.path("runs"), rand.New(rand.NewPCG(seed, 7)), mode.name != "events")
				}()
				deadline := time.After(need.Patience)
				ended := false
				for diff := "not looked"; diff != ""; {
					select {
					case b := <-s.w.Changes():
						m.follow(b)
						if ended {
							diff = m.difference()
						}
					case <-done:
						ended, done = true, nil
						diff = m.difference()
					case <-deadline:
						t.Fatalf("%s; mode: %v", m.difference(), s.w.Mode())
					}
				}
			})
		}
	}
}

// anything makes random changes; errors, such as moving a folder into itself, are part of it. With newNames no name is
// used twice, because scans cannot notice that a file was removed, created and removed again.
func anything(root string, r *rand.Rand, newNames bool) {
	inside := func(path string) []os.DirEntry {
		entries, _ := os.ReadDir(path)
		return entries
	}
	existing := func() string {
		path := root
		for range 1 + r.IntN(3) {
			if entries := inside(path); len(entries) > 0 {
				path = filepath.Join(path, entries[r.IntN(len(entries))].Name())
			}
		}
		return path
	}
	for i := range need.Times(400, 3000) {
		name := string(rune('a' + r.IntN(4)))
		if newNames {
			name = fmt.Sprint(name, i)
		}
		path := existing()
		made := filepath.Join(path, name)
		if info, err := os.Stat(path); err != nil || !info.IsDir() || len(made) > len(root)+20 {
			made = filepath.Join(root, name)
		}
		switch r.IntN(10) {
		case 0, 1:
			_ = os.Mkdir(made, 0o755)
		case 2, 3:
			_ = os.WriteFile(made, []byte(fmt.Sprint(i)), 0o644)
		case 4, 5:
			_ = os.WriteFile(path, []byte(fmt.Sprint(i)), 0o644)
		case 6, 7:
			if path != root {
				_ = os.Rename(path, made)
			}
		default:
			if path != root && len(inside(root)) > 2 {
				_ = os.RemoveAll(path)
			}
		}
		if r.IntN(200) == 0 {
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		}
	}
}
