package site

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
)

// configOf reads a site.toml given as text.
func configOf(t *testing.T, text string) *config.Config {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, config.Name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, ms := config.Read(dir)
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	return &c
}

// labelled returns a result with labels, given as "model_raw=x load=high".
func labelled(labels string) result.Result {
	var r result.Result
	for _, l := range strings.Fields(labels) {
		name, value, _ := strings.Cut(l, "=")
		r.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Declared, Pos: result.Position{File: "run.toml", Line: 1}})
	}
	return r
}

func TestPlansAreGivenToReports(t *testing.T) {
	t.Parallel()
	c := configOf(t, `
[[plan]]
name = "thor"
title = { zh = "计划", en = "Plan" }
except = ['{model="B", load="high"}']
where = '{campaign="thor"}'
[plan.labels]
model = ["B", "A"]
load = ["low", "high"]
`)
	rs := []result.Result{
		labelled("model=A load=high campaign=thor"), labelled("model=A load=low campaign=orin"), labelled("model=B load=high campaign=thor"),
	}
	d := dataOf(c, pointers(rs), pointers(rs), nil, new(terms))
	// Two models at two loads, except one combination; only A at high load is in the campaign.
	if got, want := coverage.Of(d, d.Plans[0]), (coverage.Count{Planned: 3, Done: 1, Missing: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if p := d.Plans[0]; p.Repeats != 1 || p.Labels[0].Name != "load" || !slices.Equal(p.Labels[1].Values, []string{"B", "A"}) {
		t.Errorf("got %+v", p)
	}
}
