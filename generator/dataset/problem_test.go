package dataset

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestASelectorThatOnlyCopiesMatchSaysSo checks that the message names the copy and the run that is counted
// instead.
func TestASelectorThatOnlyCopiesMatchSaysSo(t *testing.T) {
	t.Parallel()
	run := func(file, campaign string, more ...result.Label) *result.Result {
		r := &result.Result{ID: file, Source: result.Position{File: file, Line: 1}}
		r.Labels.Set(result.Label{Name: "campaign", Value: campaign})
		for _, l := range more {
			r.Labels.Set(l)
		}
		return r
	}
	copied := func(of string) result.Label {
		return result.Label{Name: "phase", Value: "superseded", Pos: result.Position{File: of}}
	}
	d := &Selection{Results: []*result.Result{run("runs/example/high.log", "example")},
		Auxiliary: []*result.Result{run("runs/liq/high.log", "liq", copied("runs/example/high.log")), run("runs/old/x.log", "old", copied("runs/old/x.log"))}}
	for selector, want := range map[string][]string{
		`{campaign="liq"}`:            {"runs/liq/high.log does", "runs/example/high.log"},
		`{campaign=~"liq|elsewhere"}`: {"runs/liq/high.log does", "runs/example/high.log"},
		`{campaign="old"}`:            {"values of campaign: example"}, // superseded because of its name, and not a copy
		`{campaign="none"}`:           {"values of campaign: example"},
	} {
		sel, err := result.ParseSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Select(selector)
		problem := AsProblem(err)
		if problem == nil || !problem.Lack {
			t.Fatalf("%s: %v", sel, err)
		}
		for _, part := range want {
			if !strings.Contains(locale.English(problem.Hint), part) {
				t.Errorf("%s: %q is not in the hint %q", selector, part, problem.Hint)
			}
		}
	}
}
