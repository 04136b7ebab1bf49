package archive

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

func measured(model, hardware, load string, throughput float64, checks ...result.Check) *result.Result {
	r := &result.Result{Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Better: result.Higher}, Value: throughput, Decimals: 2}}, Checks: checks}
	for name, value := range map[string]string{"model": model, "hardware": hardware, "load": load} {
		if value != "" {
			r.Labels.Set(result.Label{Name: name, Value: value})
		}
	}
	return r
}

// TestSubject checks that the first line states as much of what was measured as fits.
func TestSubject(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a-long-name-of-a-model", 4)
	for want, runs := range map[string][]*result.Result{
		"Archive 1 run: Qwen3-8B on Jetson AGX Thor":                     {measured("Qwen3-8B", "thor", "", 1)},
		"Archive 2 runs: Qwen3-8B on Jetson AGX Thor, load high and low": {measured("Qwen3-8B", "thor", "low", 1), measured("Qwen3-8B", "thor", "high", 1)},
		"Archive 2 runs: A, B on 2 machines":                             {measured("B", "x", "", 1), measured("A", "y", "", 1)},
		"Archive 1 run":                                                  {measured("", "", "", 1)},
		"Archive 1 run of 1 model on Jetson AGX Thor":                    {measured(long, "thor", "", 1)},
	} {
		if got := subject(runs, map[string]string{"thor": "Jetson AGX Thor"}, 0, 0); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	var many []*result.Result
	for i := range 200 {
		many = append(many, measured(strings.Repeat("m", 1+i%30), "thor", "high", 1))
	}
	for n := range many {
		if got := subject(many[:n+1], nil, 0, 0); letters(got) > mostSubject {
			t.Errorf("%d letters: %s", letters(got), got)
		}
	}
	if got := subject(nil, nil, 2, 1); got != "Archive 2 files of runs" {
		t.Error(got)
	}
}

// TestNothingIsSaidOfAllThatSomeSay checks that labels of only some runs are not stated for all, whether machine, load
// or models, and that all runs are counted.
func TestNothingIsSaidOfAllThatSomeSay(t *testing.T) {
	t.Parallel()
	for want, runs := range map[string][]*result.Result{
		"Archive 2 runs: A":                    {measured("A", "thor", "high", 1), measured("A", "", "", 1)},
		"Archive 2 runs: A, load high":         {measured("A", "thor", "high", 1), measured("A", "", "high", 1)},
		"Archive 2 runs: A and others on thor": {measured("A", "thor", "", 1), measured("", "thor", "", 1)},
		"Archive 3 runs: A, B and others":      {measured("A", "", "", 1), measured("B", "", "", 1), measured("", "", "", 1)},
	} {
		if got := subject(runs, nil, 0, 0); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		if got := strings.Join(figures(runs), "\n"); strings.Contains(want, "others") != strings.Contains(got, "- no model named: 1 run") {
			t.Errorf("%s:\n%s", want, got)
		}
	}
}

// TestHostileLabelsInMessages checks that the text of a run stays in its line: it can neither add a trailer nor control
// a terminal.
func TestHostileLabelsInMessages(t *testing.T) {
	t.Parallel()
	evil := "m\n\nSigned-off-by: Eve <eve@example.com>\x1b[31m\u202e\u2028x\x00\r" + strings.Repeat("y", 300)
	runs := []*result.Result{measured(evil, evil, evil, 1)}
	message := subject(runs, nil, 0, 0) + "\n" + strings.Join(append(figures(runs), checks(runs)...), "\n")
	for line := range strings.SplitSeq(message, "\n") {
		if strings.HasPrefix(line, "Signed-off-by") || letters(line) > 200 {
			t.Errorf("%q", line)
		}
	}
	if strings.ContainsAny(message, "\x1b\x00\r\u202e\u2028") {
		t.Errorf("%q", message)
	}
}

// TestNoClaimOfWhatIsSetAside checks that figures of excluded runs are not stated.
func TestNoClaimOfWhatIsSetAside(t *testing.T) {
	t.Parallel()
	aside := result.Check{ID: "physics.memory-roofline", Severity: result.Error}
	runs := []*result.Result{measured("A", "", "", 999, aside), measured("A", "", "", 10), measured("B", "", "", 999, aside), measured("C", "", "", 999, result.Check{ID: "x", Severity: result.Error, Waived: "why"})}
	got := strings.Join(append(figures(runs), checks(runs)...), "\n")
	want := "- A: 2 runs; best output 10.00 tok/s; 1 excluded or not complete\n- B: 1 run; 1 excluded or not complete\n- C: 1 run; best output 999.00 tok/s\n" +
		"- checks: 2 errors, 0 warnings, 1 waived (physics.memory-roofline)"
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestSubjectOfTheAuthor checks that a first line given by the author is used in any length, as a single line.
func TestSubjectOfTheAuthor(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	opt := options(t, r.Dir)
	own := strings.Repeat("Thor, 功耗 30 W; ", 10) + "end"
	opt.Subject = own + "\n\nSigned-off-by: Eve <eve@example.com>"
	mustArchive(t, opt)
	if got, want := r.Git("log", "-1", "--format=%s"), own+" Signed-off-by: Eve <eve@example.com>"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
