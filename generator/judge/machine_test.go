package judge

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// on returns a run on the given hardware, declared in the given line of a run.toml.
func on(hardware string, line int, labels ...result.Label) result.Result {
	pos := result.Position{File: "runs/a/run.toml", Line: line}
	r := result.Result{ID: hardware, Labels: result.Labels{{Name: "hardware", Value: hardware, Origin: result.Declared, Pos: pos}}}
	for _, l := range labels {
		r.Labels.Set(l)
	}
	return r
}

// TestHardwareNamesAreQuestioned checks that an unknown or ambiguous name of hardware is reported once, where
// it is declared, with advice.
func TestHardwareNamesAreQuestioned(t *testing.T) {
	t.Parallel()
	c := &config.Config{Hardware: []config.Hardware{{ID: "my-board"}}}
	rs := []result.Result{on("H100 SXM", 1), on("Foo 9000", 2), on("Foo 9000", 3), on("A100", 4), on("my-board", 5), {ID: "none"}}
	ms := UnknownHardware(c, pointers(rs), MachinesOf(pointers(rs)))
	if len(ms) != 2 {
		t.Fatal(ms)
	}
	ambiguous, unknown := ms[0], ms[1]
	if ambiguous.ID != "site.hardware-ambiguous" || ambiguous.Pos.Line != 4 || ambiguous.Severity != result.Info ||
		!strings.Contains(locale.English(ambiguous.Text), "A100 PCIe 40GB") || !strings.Contains(locale.English(ambiguous.Hint), `"a100-sxm-80gb"`) {
		t.Error(ambiguous)
	}
	if unknown.ID != "site.hardware-unknown" || unknown.Pos.Line != 2 || unknown.Severity != result.Warning || !strings.Contains(locale.English(unknown.Text), "2 runs") {
		t.Error(unknown)
	}
	for _, part := range []string{"[[hardware]]", `id = "Foo 9000"`, "memory = ", "bandwidth = "} {
		if !strings.Contains(locale.English(unknown.Hint), part) {
			t.Errorf("the hint %q has no %s", unknown.Hint, part)
		}
	}
}

// TestAcceleratorsOfAName checks that the number of accelerators in a name counts if nothing else states it.
func TestAcceleratorsOfAName(t *testing.T) {
	t.Parallel()
	label := func(name, value string) result.Label {
		return result.Label{Name: name, Value: value, Origin: result.Declared}
	}
	for _, test := range []struct {
		run  result.Result
		want string
	}{
		{on("8x H100 SXM", 1), "8"},
		{on("2 × RTX 3090", 1), "2"},
		{on("H100 SXM", 1), ""},
		{on("8x H100 SXM", 1, label("parallelism", "tp4")), ""},
		{on("8x H100 SXM", 1, label("accelerators", "4")), "4"},
	} {
		machines{}.describe(&test.run)
		if got := test.run.Labels.Get("accelerators"); got != test.want || test.run.Labels.Get("memory_bandwidth") == "" {
			t.Errorf("%v: %q accelerators, not %q", test.run.Labels, got, test.want)
		}
	}
}
