package cache

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestATableIsWhatItWasLeftAs checks that the next process reads what the last one saved, whatever was put, changed and
// removed, and however often it was saved in between.
func TestATableIsWhatItWasLeftAs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		file := filepath.Join(t.TempDir(), "table")
		left := map[string]int{}
		for process := range 30 {
			table := openTable[int](file, 1)
			all := table.load()
			if !maps.Equal(all, left) {
				t.Fatalf("process %d has %v, not %v", process, all, left)
			}
			if all == nil {
				all = map[string]int{}
			}
			for range 1 + rng.IntN(2) { // a session that saves more than once
				for range rng.IntN(4) {
					key := fmt.Sprint(rng.IntN(400))
					if all[key] = rng.IntN(10); rng.IntN(4) == 0 {
						delete(all, key)
					}
					table.change(key)
				}
				if process == 0 {
					for i := range 400 {
						all[fmt.Sprint(i)] = i
						table.change(fmt.Sprint(i))
					}
				}
				table.saving(all)()
			}
			left = maps.Clone(all)
		}
	}
}

// TestATableWritesWhatHasChanged checks that saving one change costs as much as the change, until there are many
// changes.
func TestATableWritesWhatHasChanged(t *testing.T) {
	t.Parallel()
	const entries = 10 * few
	file := filepath.Join(t.TempDir(), "table")
	all, table := map[string]string{}, openTable[string](file, 1)
	for i := range entries {
		all[fmt.Sprint(i)] = "an entry"
		table.change(fmt.Sprint(i))
	}
	save := func() (whole bool) {
		before, _ := os.Stat(file)
		table.saving(all)()
		after, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return before == nil || !os.SameFile(before, after)
	}
	if !save() || save() {
		t.Fatal("it is not written once")
	}
	for i := range entries / few {
		key := fmt.Sprint(i)
		all[key] = "another"
		table.change(key)
		if save() {
			t.Fatalf("all was written down for %d changes", i+1)
		}
	}
	table.change("last")
	if all["last"] = "more"; !save() {
		t.Error("many changes were written down beside the others")
	}
}

// TestATableOfAnotherTimeIsNotBelieved checks that a table is not used if it is from another version, is damaged, or
// has changes to another whole file.
func TestATableOfAnotherTimeIsNotBelieved(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "table")
	write := func(first int) {
		table, all := openTable[int](file, 1), map[string]int{}
		for i := range few {
			all[fmt.Sprint(i)] = first
			table.change(fmt.Sprint(i))
		}
		table.saving(all)()
		all["0"] = 7
		table.change("0")
		table.saving(all)()
	}
	value := func() (n int) {
		table := openTable[int](file, 1)
		return table.load()["0"]
	}
	write(1)
	old, err := os.ReadFile(file + ".changed")
	if err != nil || value() != 7 {
		t.Fatal(value(), err)
	}
	write(2)
	writeFile(t, file+".changed", string(old))
	if n := value(); n != 2 {
		t.Errorf("changes of another whole are believed: %d", n)
	}
	write(1)
	for _, part := range []string{file + ".changed", file} {
		data, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(data); n += 1 + len(data)/100 {
			damaged := append([]byte(nil), data...)
			damaged[n] ^= 1
			writeFile(t, part, string(damaged))
			if v := value(); v == 7 {
				t.Fatalf("%s is believed though byte %d is damaged", filepath.Base(part), n)
			}
		}
		if writeFile(t, part, string(data)); value() != 7 {
			t.Fatal("what is sound is not believed")
		}
	}
	write(1)
	if table := openTable[int](file, 2); table.load() != nil {
		t.Error("what is of another version is believed")
	}
}
