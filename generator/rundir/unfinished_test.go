package rundir

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

const goingOn = "Starting main benchmark run...\nTraffic request rate: inf\nMaximum request concurrency: 8\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]\n"

const finished = `============ Serving Benchmark Result ============
Successful requests:                     100
Benchmark duration (s):                  20.00
Output token throughput (tok/s):         500.00
==================================================
`

// TestUnfinished checks that an unfinished run has the labels that its result will have, and an id that does not change
// the ids of results.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	files := &txtar.Archive{Files: []txtar.File{
		{Name: "run.toml", Data: []byte("model = \"Chat-7B\"\n")},
		{Name: "load=high/a.log", Data: []byte(goingOn)},
		{Name: "load=high/a.txt", Data: []byte(finished)},
		{Name: "load=low/sweep.log", Data: []byte(finished + finished + goingOn)},
		{Name: "notes.txt", Data: []byte("nothing")},
	}}
	d := load(t, unpack(t, files), "runs")
	var got strings.Builder
	for _, r := range d.Results {
		fmt.Fprintf(&got, "result %s\n", r.ID)
	}
	for _, u := range d.Unfinished {
		fmt.Fprintf(&got, "unfinished %s at %s: %d of %d, %s %s %s\n", u.ID, u.Source, u.Done, u.Total,
			u.Labels.Get("model"), u.Labels.Get("load"), u.Labels.Get("max_concurrency"))
	}
	for _, s := range d.Unread {
		fmt.Fprintf(&got, "skipped %s: %s\n", s.Name, locale.English(s.Reason))
	}
	for _, m := range d.Messages {
		if m.ID == "run.unfinished" {
			fmt.Fprintf(&got, "%s %s\n", m.Severity, m.Pos)
		}
	}
	const want = `result load=high/a
result load=low/sweep.1
result load=low/sweep.2
unfinished load=high/a-unfinished at runs/load=high/a.log:4: 40 of 100, Chat-7B high 8
unfinished load=low/sweep.3 at runs/load=low/sweep.log:14: 40 of 100, Chat-7B low 8
skipped runs/load=high/a.log: unfinished: 40 of 100 requests after 1:23
skipped runs/load=low/sweep.log: unfinished: 40 of 100 requests after 1:23
skipped runs/notes.txt: no known format
info runs/load=high/a.log:4
info runs/load=low/sweep.log:14
`
	if got.String() != want {
		t.Errorf("%s\nnot\n%s", got.String(), want)
	}
}

// TestUnfinishedContradiction checks that contradictions are reported while a run is in progress.
func TestUnfinishedContradiction(t *testing.T) {
	t.Parallel()
	files := &txtar.Archive{Files: []txtar.File{
		{Name: "run.toml", Data: []byte("max_concurrency = \"16\"\n")},
		{Name: "a.log", Data: []byte(goingOn)},
	}}
	d := load(t, unpack(t, files), "runs")
	if len(d.Messages) != 2 || d.Messages[1].ID != "run.contradiction" || d.Messages[1].Severity != result.Warning {
		t.Errorf("messages: %v", d.Messages)
	}
}

// TestTelemetryOfARunThatGoesOn checks that telemetry beside an unfinished run gives no result of its own.
func TestTelemetryOfARunThatGoesOn(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	going := "Namespace(backend='vllm', dataset_name='random', model='m', num_prompts=100)\nStarting main benchmark run...\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]"
	samples := "timestamp, power.draw [W]\n"
	for i := range 20 {
		samples += fmt.Sprintf("2026/01/01 10:00:%02d.000, %d.00 W\n", i, 50+i)
	}
	write(t, filepath.Join(root, "a", "console.log"), going)
	write(t, filepath.Join(root, "a", "power.csv"), samples)
	d := load(t, root, "runs")
	if len(d.Results) != 0 || len(d.Unfinished) != 1 || len(d.Beside) != 1 {
		t.Errorf("%d results, %d unfinished runs, beside them %v", len(d.Results), len(d.Unfinished), d.Beside)
	}
	write(t, filepath.Join(root, "a", "console.log"), block)
	if d = load(t, root, "runs"); len(d.Results) != 1 || d.Results[0].Telemetry == nil {
		t.Errorf("when the run is done, its telemetry is not joined: %v", d.Results)
	}
}
