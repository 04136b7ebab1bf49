package rundir

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/result"
)

func TestExtension(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"high.log": ".log", "a/b.json": ".json", "run.pbs111": ".pbs111", "x.JSONL": ".JSONL", "sweep-0.1.json": ".json",
		"none": "", "glm-5.1": "", "v0.18-ascend": "", "dot.": "", ".log": "", "a.b/c": "", "x.averylongword": "",
	} {
		if got := extension(name); got != want {
			t.Errorf("the extension of %s is %q, not %q", name, got, want)
		}
	}
}

func TestPlainPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"a/b=c/d.1_e+f@g,h":  "a/b=c/d.1_e+f@g,h",
		"功耗 模式/高#1":          "功耗-模式/高-1",
		`?%:\*"<>|` + "\t\n": "-----------",
		"bad\xffbytes":       "bad-bytes",
	} {
		if got := plainPath(path); got != want {
			t.Errorf("%q is %q, not %q", path, got, want)
		}
	}
}

// TestIDsAreUnique checks that results have unique ids for any file names, and that ids do not depend on the order of
// the files.
func TestIDsAreUnique(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	parts := []string{"a", "b", " ", "-", ".", "1", ".1", ".log", ".json", "/", "#"}
	for range 2000 {
		files := map[string]*file{}
		for range 2 + rng.IntN(12) {
			var name strings.Builder
			for range 1 + rng.IntN(4) {
				name.WriteString(parts[rng.IntN(len(parts))])
			}
			files[name.String()] = &file{rel: name.String(), out: format.Output{Results: make([]result.Result, 1+rng.IntN(3))}}
		}
		var before map[string]string
		for range 3 {
			var order []*file
			for _, f := range files {
				order = append(order, f)
			}
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			bases, owner, after := assignIDs(order), map[string]string{}, map[string]string{}
			for i, f := range order {
				after[f.rel] = string(bases[i])
				for n := range f.out.Results {
					id := bases[i].of(n, len(f.out.Results))
					if other, taken := owner[id]; taken {
						t.Fatalf("%q and %q both have the id %q", other, f.rel, id)
					}
					owner[id] = f.rel
				}
			}
			if before != nil && !maps.Equal(before, after) {
				t.Fatalf("another order gives %v, not %v", after, before)
			}
			before = after
		}
	}
}
