package page

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/feed"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const answers = `[...document.querySelectorAll(".decisions li")].map(li => li.innerText.replace(/\s+/g, " "))`

// why returns the page's reason about a variant.
func why(model string) string {
	return `[...document.querySelectorAll(".reasons-table tr")].find(tr => tr.querySelector("th").innerText === "` + model + `").querySelector(".why").innerText`
}

func TestDeploy(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := repeated()
	for name, base := range bases(t, s) {
		t.Run(name, func(t *testing.T) {
			b.Do(chromedp.EmulateViewport(1280, 900))
			openApp(b, base, "en", "deploy", "")
			if got := browser.Eval[[]string](b, answers); len(got) != 2 || !strings.Contains(got[0], "High load Qwen3-8B-FP8") || !strings.Contains(got[1], "Low load") {
				t.Fatalf("the answers are %q", got)
			}
			for model, want := range map[string]string{
				"Qwen3-8B-FP8":       "deploy this",
				"Qwen3-8B":           "Weights ≤ 10 GB: 16.4 GB",
				"Qwen3-8B-GPTQ-Int8": "P99 TTFT ≤ 5000 ms: 6036.71 ms",
				"Qwen3-8B-FP4":       "qualifies, but is slower than Qwen3-8B-FP8 (0.83×)",
			} {
				if got := browser.Eval[string](b, why(model)); !strings.Contains(got, want) {
					t.Errorf("%s: %s; want %s", model, got, want)
				}
			}
			// One step down on the slider of weights: FP8 is too large.
			b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector('[data-key="slide weight_size"]').focus()`))
			b.Press(kb.ArrowLeft)
			b.Until(`location.hash.includes("limit.weight_size=")`)
			b.Press(kb.ArrowLeft)
			if got := browser.Eval[[]string](b, answers); !strings.Contains(got[0], "Qwen3-8B-FP4") {
				t.Errorf("of the smaller ones the answers are %q at %s", got, browser.Eval[string](b, `location.hash`))
			}
			if !browser.Eval[bool](b, `document.activeElement.dataset.key === "slide weight_size"`) {
				t.Error("the slider lost the focus")
			}
			// The other load, by key.
			b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".decisions button")[1].focus()`))
			b.Press(kb.Enter)
			b.Until(`location.hash.includes("at=low")`)
			if got := browser.Eval[string](b, why("Qwen3-8B-Q5_K_M")); !strings.Contains(got, "excluded: physics.memory-roofline") {
				t.Errorf("what a check excluded: %s", got)
			}
			if got := browser.Eval[string](b, why("Qwen3-8B-GPTQ-Int4")); !strings.Contains(got, "is a percentile of too few requests (10)") {
				t.Errorf("a P99 of ten requests: %s", got)
			}
			b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".actions button")].find(x => x.textContent === "No limits").click()`))
			hash, view := browser.Eval[string](b, `location.hash`), browser.Eval[string](b, `document.getElementById("deploy").innerText`)
			if hash != "#at=low&limits=none" {
				t.Errorf("the address is %s", hash)
			}
			openApp(b, base, "en", "deploy", hash)
			if again := browser.Eval[string](b, `document.getElementById("deploy").innerText`); again != view {
				t.Errorf("the address restores\n%s\nnot\n%s", again, view)
			}
			b.Do(chromedp.Evaluate[chromedp.Void](`location.hash = "limit.ttft_p99=1"`))
			b.Until(`document.querySelector(".decisions").innerText.includes("none of the")`)
			if troubles, _ := b.Troubles(base); len(troubles) > 0 {
				t.Error(troubles)
			}
		})
	}
}

// TestDeployWithoutSizes checks that the fastest variant is chosen if no size is known, and that the page says so.
func TestDeployWithoutSizes(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := repeated()
	for _, r := range slices.Concat(s.Results, s.Report.Results) {
		r.Labels = slices.DeleteFunc(slices.Clone(r.Labels), func(l result.Label) bool { return l.Name == "weight_size" })
		r.Seal()
	}
	openApp(b, bases(t, s)["file"], "en", "deploy", "#limits=none")
	if got := browser.Eval[[]string](b, answers); len(got) != 2 || !strings.Contains(got[0], "High load Qwen3-8B-FP8") {
		t.Errorf("the answers are %q", got)
	}
	if got := browser.Eval[string](b, `document.getElementById("deploy").innerText`); !strings.Contains(got, "All sizes are unknown") || strings.Contains(got, "no variant has a valid measurement") {
		t.Errorf("the page says %s", got)
	}
}

// TestDeployAgreesWithTheTable checks that the page's script has the same verdicts and answer as the static table.
func TestDeployAgreesWithTheTable(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := repeated()
	tables := tradeoff.Tables(s.Report, s.Report.Results)
	if len(tables) != 1 {
		t.Fatalf("%d tables", len(tables))
	}
	table := tables[0]
	base := bases(t, s)["file"]
	for l, load := range []string{"high", "low"} {
		openApp(b, base, "en", "deploy", "#at="+load)
		for _, r := range table.Rows {
			verdicts := r.Cells[len(r.Cells)-3:] // of both loads, and the role
			want := locale.English(verdicts[l].Text)
			if verdicts[l].Missing {
				want = "not measured"
			}
			model := locale.English(r.Cells[0].Text)
			got := browser.Eval[string](b, `[...document.querySelectorAll(".reasons-table tr")].find(tr => tr.querySelector("th").innerText === `+quoteJS(model)+`).querySelector("td:nth-last-child(2)").innerText`)
			if !strings.Contains(got, want) {
				t.Errorf("%s at %s load: %q, and in the table %q", model, load, got, want)
			}
		}
		answer := locale.English(table.Answers[l].Text)
		got := browser.Eval[[]string](b, `[...document.querySelectorAll(".decisions b")].map(b => b.innerText)`)
		if strings.Contains(answer, "deploy ") != (len(got) > l) || len(got) > l && !strings.Contains(answer, "deploy "+got[l]+" ") {
			t.Errorf("%s load: %q, and in the table %q", load, got, answer)
		}
	}
}

// TestPagesOfAllResultsStaySmall checks that a page of any number of results shows a summary and links to the rest,
// without scripts.
func TestPagesOfAllResultsStaySmall(t *testing.T) {
	t.Parallel()
	s := repeated()
	for _, r := range manyRuns(2000).Results {
		if r.Labels.Get("campaign") == "sweep" {
			s.Results = append(s.Results, r)
			s.Report.Results = append(s.Report.Results, r)
		}
	}
	slices.SortFunc(s.Report.Results, result.Compare)
	files := renderSome(t, s, func(artifact string) bool {
		return !strings.HasPrefix(artifact, "runs/") && !strings.Contains(artifact, "models/")
	})
	board, load := s.HardwarePage("en", "Edge Board 128 GB"), s.LoadPage("en", "load", "high")
	for _, path := range []string{"deploy/index.html", "results/index.html", "hardware/index.html", "loads/index.html", "problems/index.html", "compare/index.html", board, load} {
		if size := len(files[path]); size == 0 || size > 300<<10 {
			t.Errorf("%s has %d bytes", path, size)
		}
	}
	says(t, files, "en/deploy/index.html", `<table class="reached">`, `results/index.html"`, "Qwen3-8B-FP8")
	says(t, files, "en/results/edge-board.html", `id="deploy"`, "Qwen3-8B-FP8")
	says(t, files, board, `<table class="reached">`, `results/sweep.html"`)
	if rows := rowsOfRuns(files[board]); rows != 0 {
		t.Errorf("%s lists %d runs", board, rows)
	}
}

// TestManyPosts checks that the front page has the newest of many posts, and that a list has all of them.
func TestManyPosts(t *testing.T) {
	t.Parallel()
	s := fixture()
	for i := range 1001 {
		s.Posts = append(s.Posts, Post{Slug: fmt.Sprint("report-", i), Lang: "en", Title: fmt.Sprint("Report ", i), Date: time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC)})
	}
	files := renderSome(t, s, func(artifact string) bool {
		return slices.Contains([]string{"en/index.html", "en/posts/index.html", "indexes"}, artifact)
	})
	if n := bytes.Count(files["en/feed.xml"], []byte("<entry>")); n != feed.MostEntries {
		t.Errorf("the feed has %d posts", n)
	}
	home := string(files["en/index.html"])
	if n := strings.Count(home, `<article class="entry">`); n != homePosts || !strings.Contains(home, `href="../en/posts/index.html"`) {
		t.Errorf("the front page has %d posts", n)
	}
	listed := 0
	for _, path := range []string{"en/posts/index.html", "en/posts/index~p2.html", "en/posts/index~p3.html"} {
		if len(files[path]) > 300<<10 {
			t.Errorf("%s has %d bytes", path, len(files[path]))
		}
		listed += strings.Count(string(files[path]), "<li><time")
		if !strings.Contains(string(files["sitemap.xml"]), "/"+path+"<") {
			t.Errorf("the sitemap has no %s", path)
		}
	}
	if want := len(s.Posts); listed < 1001 || listed > want {
		t.Errorf("%d posts are listed of %d", listed, want)
	}
}

// TestLoadsStandInTheOrderOfTheSite checks that the loads beside each model are in the site's order, or else sorted by
// name.
func TestLoadsStandInTheOrderOfTheSite(t *testing.T) {
	t.Parallel()
	for _, order := range [][]string{{"low", "high"}, {"high", "low"}, nil} {
		s := fixture()
		s.Orders = map[string][]string{"load": order}
		_, front, _ := strings.Cut(string(renderSome(t, s, func(artifact string) bool { return strings.Contains(artifact, "index") })["en/index.html"]), `<table class="models">`)
		high, low := strings.Index(front, "High load"), strings.Index(front, "Low load")
		if wanted := len(order) == 0 || order[0] == "high"; high < 0 || low < 0 || high < low != wanted {
			t.Errorf("%v: high at %d, low at %d", order, high, low)
		}
	}
}
