package rundir

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestMemoryChangesNothing checks that a Load with a Memory gives the same as one without, whatever has changed in
// between and however many changes are named.
func TestMemoryChangesNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	rng := rand.New(rand.NewPCG(7, 1))
	for i := range 12 {
		write(t, filepath.Join(root, fmt.Sprintf("a/model=m%d/run-%d.log", i%3, i)), log(i))
	}
	m := NewMemory()
	load := func(told []string, sure bool) {
		t.Helper()
		if sure {
			m.Changed(told)
		}
		got, err := Load(root, Options{Name: "runs", Memory: m})
		if err != nil {
			t.Fatal(err)
		}
		want, err := Load(root, Options{Name: "runs"})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			for i := range min(len(got.Results), len(want.Results)) {
				if !reflect.DeepEqual(got.Results[i], want.Results[i]) {
					t.Errorf("%v\nis not\n%v", got.Results[i], want.Results[i])
				}
			}
			t.Fatalf("after a change of %v, told %v, a memory gives %d results, %v, not %d, %v", told, sure,
				len(got.Results), got.Messages, len(want.Results), want.Messages)
		}
	}
	load(nil, false)
	load(nil, true)
	folders := []string{"a/model=m0", "a/model=m1", "a", "b/new", "b", "a/model=m0/deep/er"}
	for n := range 300 {
		var told []string
		for range 1 + rng.IntN(3) {
			folder := folders[rng.IntN(len(folders))]
			file := folder + "/" + []string{"x.log", "run.toml", "run-3.log", "config.json", "warmup.log", "x_failed.json", "power.log"}[rng.IntN(7)]
			at := filepath.Join(root, file)
			switch rng.IntN(6) {
			case 0:
				os.Remove(at)
				told = append(told, file)
			case 1:
				os.RemoveAll(filepath.Join(root, folder))
				told = append(told, folder)
			case 2: // move a folder with everything in it
				to := folders[rng.IntN(len(folders))]
				os.RemoveAll(filepath.Join(root, to, "moved"))
				os.MkdirAll(filepath.Join(root, to), 0o755)
				os.Rename(filepath.Join(root, folder), filepath.Join(root, to, "moved"))
				told = append(told, folder, to+"/moved", to)
			default:
				text := log(n)
				switch filepath.Base(file) {
				case "run.toml":
					text = fmt.Sprintf("engine = \"e%d\"\nmax_concurrency = %d\n[files.\"x.log\"]\nrepeat = %d\n", n, 7+n%2, n)
				case "config.json":
					text = qwen05B
				case "power.log":
					text = "nothing known"
				}
				write(t, at, text)
				told = append(told, file, filepath.ToSlash(filepath.Dir(file)))
			}
		}
		load(told, n%4 > 0)
	}
}

// TestMemoryLooksNowhereElse checks that only the named paths are looked at.
func TestMemoryLooksNowhereElse(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "a", "x.log"), log(1))
	write(t, filepath.Join(root, "b", "y.log"), log(2))
	m := NewMemory()
	values := func() (all []float64) {
		d, err := Load(root, Options{Memory: m})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range d.Results {
			v, _ := r.Metric("duration")
			all = append(all, v.Value)
		}
		return all
	}
	first := values()
	write(t, filepath.Join(root, "a", "x.log"), log(100))
	write(t, filepath.Join(root, "b", "y.log"), log(200))
	m.Changed([]string{"b/y.log"})
	if got := values(); got[0] != first[0] || got[1] == first[1] {
		t.Errorf("%v, before %v", got, first)
	}
	if got := values(); got[0] == first[0] {
		t.Errorf("a file that was not named was not looked at: %v", got)
	}
}

// BenchmarkLoadChanged loads again after one of 16,000 logs has changed and was named to the Memory.
func BenchmarkLoadChanged(b *testing.B) {
	const n = 16_000
	root := tree(b, n)
	m := NewMemory()
	if _, err := Load(root, Options{Name: "runs", Memory: m}); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		name := fmt.Sprintf("campaign-3/model-%d/run-%d.log", 3210/20, 3210)
		write(b, filepath.Join(root, name), log(i))
		m.Changed([]string{name})
		if d, err := Load(root, Options{Name: "runs", Memory: m}); err != nil || len(d.Results) != n {
			b.Fatal(len(d.Results), err)
		}
	}
}
