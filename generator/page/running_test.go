package page

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// going returns a site with two runs without a result: one in progress, one not.
func going() *Site {
	s := fixture()
	var labels result.Labels
	labels.Set(result.Label{Name: "model", Value: "Qwen3-8B"})
	labels.Set(result.Label{Name: "max_concurrency", Value: "512"})
	labels.Set(result.Label{Name: "x", Value: "<b>"})
	s.Report = &dataset.Selection{Site: dataset.Site{Plans: []dataset.Plan{{Name: "p", Title: locale.Lit("Second round"), Repeats: 1,
		Labels: []dataset.PlanLabel{{Name: "model", Values: []string{"Qwen3-8B"}}, {Name: "max_concurrency", Values: []string{"8", "512"}}}}}}, Results: s.Results, Unfinished: []*result.Unfinished{
		{ID: "a/going", Source: result.Position{File: "runs/a/going.log", Line: 7}, Labels: labels, Done: 4000, Total: 10000,
			Elapsed: 83 * time.Second, Left: 124 * time.Second, Rate: 48.3, Unit: "req/s", Running: true},
		{ID: "a/<stopped>", Source: result.Position{File: "runs/a/<stopped>.log", Line: 3}, Done: 12, Total: 40,
			Elapsed: 9 * time.Second, Left: -1, Unit: "req/s"},
	}}
	s.Unread = []unread.File{{Name: "runs/a/<stopped>.log", Kind: unread.Unfinished, Reason: locale.Textf("unfinished: 12 of 40 requests after 0:09")}, {Name: "runs/notes.txt", Kind: unread.Unknown, Reason: locale.Textf("no known format")}}
	return s
}

// TestRunningRuns checks that runs in progress are first on the front page and with the results, with their progress.
// Other unfinished runs are problems, but not files without a result.
func TestRunningRuns(t *testing.T) {
	t.Parallel()
	files, _ := render(t, going())
	for _, name := range []string{"en/index.html", "en/results/index.html"} {
		says(t, files, name, "Running now", `<progress max="10000" value="4000" aria-label="Qwen3-8B">40%</progress>`,
			"4000 of 10,000 requests", "48.3 req/s", "1:23 elapsed", "about 2 min left", "Concurrency 512", "runs/a/going.log:7", "Second round: ")
	}
	says(t, files, "index.html", "正在运行", "4000/10,000 个请求", "已用 1:23", "预计还需 2 分钟")
	says(t, files, "en/coverage/index.html", `data-rule="coverage.running"`, "planned or missing")
	const stopped = "runs/a/&lt;stopped&gt;.log:3"
	says(t, files, "en/problems/index.html", "unfinished: 12 of 40 requests after 0:09", stopped, "Run it again", "runs/notes.txt")
	says(t, files, "problems/index.html", "未跑完：12/40 个请求，已用 0:09", stopped)
	problems := string(files["en/problems/index.html"])
	if strings.Contains(problems, "going.log") || strings.Count(problems, "stopped&gt;") != 1 {
		t.Error("what runs is shown as a problem, or what stopped twice")
	}
}

// TestNothingRuns checks that no page mentions running runs if there are none.
func TestNothingRuns(t *testing.T) {
	t.Parallel()
	s := going()
	s.Report.Unfinished = slices.DeleteFunc(s.Report.Unfinished, func(u *result.Unfinished) bool { return u.Running })
	files, _ := render(t, s)
	for name, data := range files {
		if strings.HasSuffix(name, ".html") && (strings.Contains(string(data), "<progress") || strings.Contains(string(data), `id="running"`)) {
			t.Errorf("%s tells of what runs", name)
		}
	}
}
