package site

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/result"
)

// TestSweepsArePlans checks that a sweep.toml is a plan of the site: it counts its own runs, with the site's names of
// models.
func TestSweepsArePlans(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const file = "[[sweep]]\nname = 'thor'\ncommand = 'x {model} {c}'\nrepeat = 2\n[sweep.over]\nmodel = ['org/B', '/models/A', 'C']\nc = [1, 8]\n[[sweep.except]]\nmodel = 'org/B'\nc = 8\n" +
		"[[sweep]]\nname = 'once'\ncommand = 'x'\n"
	for name, text := range map[string]string{
		"runs/a/sweep.toml": file,
		"runs/b/sweep.toml": strings.Replace(file, "'once'", "'another'", 1),
		"runs/c/sweep.toml": "[[sweep]]\nnam = 'x'\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := configOf(t, "[[model]]\nid = 'Qwen'\naliases = ['/models/A']\n")
	set, err := Dataset(dir, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	var reported []string
	for _, m := range set.Messages {
		reported = append(reported, m.Error())
	}
	if want := []string{
		`runs/b/sweep.toml: warning: another plan is called "thor", so that the coverage leaves this sweep out`,
		`runs/c/sweep.toml:2: error: unknown key "sweep.nam"`,
	}; !slices.Equal(reported, want) {
		t.Errorf("%q", reported)
	}
	var results []result.Result
	for _, labels := range []string{
		"x_sweep=thor model_raw=/models/A c=1 repeat=1", "x_sweep=thor model_raw=/models/A c=1 repeat=2", // done
		"x_sweep=thor model_raw=org/B c=1 repeat=1", // half done
		"x_sweep=thor model=C c=8 repeat=1",
		"model_raw=org/B c=1", "x_sweep=other model=C c=1", // of no sweep, and of another one
	} {
		results = append(results, labelled(labels))
	}
	judge.All(c, pointers(results))
	plans, _ := sweepPlans(c, Options{Dir: dir}, set, nil)
	d := dataOf(c, pointers(results), nil, plans, new(terms))
	if len(d.Plans) != 1 || d.Plans[0].Name != "thor" || d.Plans[0].Repeats != 2 || !slices.Equal(d.Plans[0].Labels[0].Values, []string{"B", "Qwen", "C"}) {
		t.Fatalf("%+v", d.Plans)
	}
	if got, want := coverage.Of(d, d.Plans[0]), (coverage.Count{Planned: 5, Done: 1, Partial: 2, Missing: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
