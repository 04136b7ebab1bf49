package dataset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// randomRuns returns runs with random labels. Lists do not show some of these by default.
func randomRuns(random *rand.Rand) []*result.Result {
	var rs []*result.Result
	names := []string{"model", "load", "hardware", "max_concurrency", "flash_attention", "x_kv", "num_prompts", "date", "repeat"}
	random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	names = names[:random.IntN(len(names)+1)]
	for i := range 1 + random.IntN(9) {
		labels := ""
		for _, name := range names {
			if random.IntN(5) > 0 {
				labels += fmt.Sprintf(" %s=%d", name, random.IntN(3))
			}
		}
		rs = append(rs, runOf(fmt.Sprint(i), labels))
	}
	return rs
}

// groupsBy returns the number of groups of results that differ in some labels.
func groupsBy(rs []*result.Result, labels []string) int {
	p := newPartition(rs)
	for _, name := range labels {
		p = p.by(name)
	}
	return p.groups
}

// TestFewLabelsTellApart checks that none of the returned labels is redundant or already shown.
func TestFewLabelsTellApart(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 18))
	several := 0
	for range 3000 {
		rs := randomRuns(random)
		shown := []string{"model", "load", "date"}[:random.IntN(4)]
		apart := Apart(rs, shown...)
		if g, all := groupsBy(rs, slices.Concat(shown, apart)), groupsBy(rs, slices.Concat(shown, Telling(rs))); g != all {
			t.Fatalf("beside %v %v part %d groups, all labels %d", shown, apart, g, all)
		}
		for i, name := range apart {
			if slices.Contains(shown, name) || groupsBy(rs, slices.Concat(shown, slices.Delete(slices.Clone(apart), i, i+1))) == groupsBy(rs, slices.Concat(shown, apart)) {
				t.Fatalf("beside %v %v: %s is superfluous", shown, apart, name)
			}
		}
		if len(apart) > 1 {
			several++
		}
	}
	if several < 100 {
		t.Errorf("only %d lists take several labels", several)
	}
}

// TestColumnsTellRowsApart checks that a list has the usual columns if these distinguish its rows, or else
// columns that do, as far as there is room.
func TestColumnsTellRowsApart(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	plain, extended := 0, 0
	for range 5000 {
		rs := randomRuns(random)
		usual := []string{"hardware", "max_concurrency", "num_prompts", "repeat"}
		room := 1 + random.IntN(len(usual))
		shown := []string{"model", "load"}
		columns := Columns(rs, usual, room, shown...)
		first := usual[:room]
		all := groupsBy(rs, slices.Concat(shown, first, Telling(rs)))
		switch {
		case groupsBy(rs, slices.Concat(shown, first)) == all:
			plain++
			if !slices.Equal(columns, first) {
				t.Fatalf("%v where %v are enough", columns, first)
			}
		case groupsBy(rs, slices.Concat(shown, columns)) != groupsBy(rs, slices.Concat(shown, Telling(rs))) && len(columns) < max(room, MostTelling):
			t.Fatalf("rows read alike beside %v", columns)
		default:
			extended++
		}
		if len(columns) > room+MostTelling {
			t.Fatalf("%d columns where there is room for %d", len(columns), room)
		}
	}
	if plain < 100 || extended < 100 {
		t.Errorf("%d lists need nothing, %d more", plain, extended)
	}
}

// TestNamesThatStandTogetherDiffer checks that names are unique, and that names that already are stay
// unchanged.
func TestNamesThatStandTogetherDiffer(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 23))
	longer := 0
	for range 2000 {
		rs := randomRuns(random)
		names := make([]locale.Text, len(rs))
		count := map[string]int{}
		for i, r := range rs {
			names[i] = locale.Lit("model " + r.Label("model"))
			count[locale.English(names[i])]++
		}
		seen := map[string]bool{}
		for i, name := range new(Selection).Distinct(rs, names) {
			text, was := locale.English(name), locale.English(names[i])
			if seen[text] {
				t.Fatalf("two runs are called %s", text)
			}
			seen[text] = true
			if count[was] == 1 && text != was || !strings.HasPrefix(text, was) {
				t.Fatalf("%s is called %s", was, text)
			}
			if text != was {
				longer++
			}
		}
	}
	if longer == 0 {
		t.Error("no name needed more words")
	}
}
