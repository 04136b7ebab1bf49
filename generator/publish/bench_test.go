package publish

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkCommit publishes a site of 10,000 files in 6,000 folders: first, and then with one changed file, in one
// process and in successive ones.
func BenchmarkCommit(b *testing.B) {
	const folders = 5000
	page := make([]byte, 8<<10)
	put := func(b *testing.B, f *Folder, changed int) {
		o, err := f.Open()
		if err != nil {
			b.Fatal(err)
		}
		for i := range folders {
			for _, name := range []string{"index.html", "data.json"} {
				path := fmt.Sprintf("runs/c%d/r%d/%s", i/5, i, name)
				switch {
				case changed < 0:
					err = o.Put(path, page)
				case i == 7 && name == "index.html":
					err = o.Rewrite(path, fmt.Append(nil, changed))
				default:
					err = o.Keep(path)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		if _, err := o.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			put(b, At(filepath.Join(b.TempDir(), "public"), Options{Work: b.TempDir()}), -1)
		}
	})
	for _, processes := range []bool{false, true} {
		b.Run(map[bool]string{false: "one changed", true: "one changed, new process"}[processes], func(b *testing.B) {
			dir, work := filepath.Join(b.TempDir(), "public"), b.TempDir()
			f := At(dir, Options{Work: work})
			put(b, f, -1)
			put(b, f, 0)
			n := 0
			for b.Loop() {
				if processes {
					f.Close()
					f = At(dir, Options{Work: work})
				}
				n++
				put(b, f, n)
			}
		})
	}
	b.Run("spare tree", func(b *testing.B) {
		dir, work := filepath.Join(b.TempDir(), "public"), b.TempDir()
		f := At(dir, Options{Work: work})
		put(b, f, -1)
		n := 0
		for b.Loop() {
			n++
			f = At(dir, Options{Work: work}) // without a known spare tree
			put(b, f, n)
		}
	})
}
