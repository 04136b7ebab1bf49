package page

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What a reader sees of the explorer: the rows under their headings, and the cells of a column from top to bottom.
const (
	explored  = `document.getElementById("explorer")?.hidden === false`
	shownRuns = `[...document.querySelectorAll(".grid tbody tr:not(.group, .summary, .gap) th a")].map(a => decodeURIComponent(a.getAttribute("href")).replace(/^.*?runs\//, "").replace(/\.html$/, ""))`
	headings  = `[...document.querySelectorAll(".grid tr.group b")].map(b => b.textContent)`
)

// column returns the cells of a column by the name of its button, without additions to figures.
func column(name string) string {
	return fmt.Sprintf(`(() => {
		const at = [...document.querySelectorAll(".grid thead th")].findIndex(th => th.querySelector("button").dataset.sort === %q);
		return [...document.querySelectorAll(".grid tbody tr:not(.group, .summary, .gap)")].map(tr => (tr.children[at].querySelector("s, span") ?? tr.children[at]).textContent);
	})()`, name)
}

// openExplorer opens the page of results and waits for its script.
func openExplorer(b *browser.Tab, base, lang, hash string) {
	path := "results/index.html"
	if lang != "zh-CN" {
		path = lang + "/" + path
	}
	b.Do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(base+path+hash))
	b.Until(explored)
	if troubles, _ := b.Troubles(base); len(troubles) > 0 {
		b.Fatal(troubles)
	}
}

func TestExplorer(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := fixture()
	for name, base := range bases(t, s) {
		t.Run(name, func(t *testing.T) {
			openExplorer(b, base, "en", "")
			if got := browser.Eval[int](b, `document.querySelectorAll(".unless-explored").length`); got != 0 {
				t.Error("the static tables are below the explorer")
			}
			if got := len(browser.Eval[[]string](b, shownRuns)); got != len(s.Results) {
				t.Errorf("%d rows of %d results", got, len(s.Results))
			}
			sorting(t, b)
			filtering(t, b)
			roundTrip(t, b, base)
			if troubles, _ := b.Troubles(base); len(troubles) > 0 {
				t.Error(troubles)
			}
		})
	}
}

// sorting checks that the first press sorts the best first, the second the worst first, and the third restores the
// order of the data, and that the header shows it.
func sorting(t *testing.T, b *browser.Tab) {
	t.Helper()
	const header = `document.querySelector('.grid button[data-sort="output_throughput"]')`
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".controls select").value = ""; document.querySelector(".controls select").dispatchEvent(new Event("change"))`))
	unsorted := browser.Eval[[]string](b, shownRuns)
	for _, step := range []struct {
		aria string
		less func(a, b float64) bool
	}{
		{"descending", func(a, b float64) bool { return a > b }},
		{"ascending", func(a, b float64) bool { return a < b }},
	} {
		b.Do(chromedp.Evaluate[chromedp.Void](header + `.focus()`))
		b.Press(kb.Enter)
		if got := browser.Eval[string](b, header+`.parentNode.getAttribute("aria-sort")`); got != step.aria {
			t.Errorf("the header is %q, want %q", got, step.aria)
		}
		if !browser.Eval[bool](b, header+` === document.activeElement`) {
			t.Error("the focus was lost on sorting")
		}
		var values []float64
		for _, text := range browser.Eval[[]string](b, column("output_throughput")) {
			var v float64
			if _, err := fmt.Sscan(strings.ReplaceAll(text, ",", ""), &v); err == nil {
				values = append(values, v)
			}
		}
		if len(values) < 10 || !slices.IsSortedFunc(values, func(x, y float64) int {
			if step.less(y, x) {
				return 1
			}
			return -1
		}) {
			t.Errorf("%s: %v", step.aria, values)
		}
	}
	b.Press(kb.Enter)
	if got := browser.Eval[[]string](b, shownRuns); !slices.Equal(got, unsorted) {
		t.Error("the third press does not restore the order of the data")
	}
}

// filtering filters by a checkbox and by the search, and resets.
func filtering(t *testing.T, b *browser.Tab) {
	t.Helper()
	all := len(browser.Eval[[]string](b, shownRuns))
	if got := browser.Eval[int](b, `document.querySelectorAll(".facets").length`); got != 0 {
		t.Errorf("%d panels are filled before they are opened", got)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".controls summary").click()`))
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".facets .tick")].find(l => l.textContent.startsWith("Low load")).querySelector("input").click()`))
	low := browser.Eval[[]string](b, shownRuns)
	if len(low) == 0 || len(low) >= all || slices.ContainsFunc(low, func(id string) bool { return !strings.HasSuffix(id, "/low") }) {
		t.Errorf("of %d runs, %v have a low load", all, low)
	}
	if got := browser.Eval[bool](b, `document.querySelector(".controls details").open`); !got {
		t.Error("the panel closed on the first choice")
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".controls summary").focus()`))
	b.Press(kb.Escape)
	if browser.Eval[bool](b, `document.querySelector(".controls details").open`) {
		t.Error("Escape leaves the panel open")
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".chip").focus()`))
	b.Press(kb.Enter)
	if got := browser.Eval[int](b, `document.querySelectorAll(".chip").length`); got != 0 || !browser.Eval[bool](b, `document.activeElement.type === "search"`) {
		t.Errorf("%d filters are left, or the focus is lost with the last", got)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`location.hash = "group=&where.load=low"`))
	b.Until(`document.querySelectorAll(".chip").length === 1`)
	b.Press("fp8")
	if got := browser.Eval[[]string](b, shownRuns); len(got) == 0 || slices.ContainsFunc(got, func(id string) bool { return !strings.Contains(id, "fp8") || !strings.HasSuffix(id, "/low") }) {
		t.Errorf("fp8 at low load: %v", got)
	}
	if got := browser.Eval[string](b, `document.querySelector(".count").textContent`); !strings.Contains(got, fmt.Sprintf("of %d runs", all)) {
		t.Errorf("the count is %q", got)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".controls > button")].find(b => b.textContent === "Reset").click()`))
	if got := len(browser.Eval[[]string](b, shownRuns)); got != all {
		t.Errorf("%d rows after the reset, want %d", got, all)
	}
}

// roundTrip checks that a view is in the address, and that the address restores the view.
func roundTrip(t *testing.T, b *browser.Tab, base string) {
	t.Helper()
	openExplorer(b, base, "en", "#query=qwen3&group=load&sort=-output_throughput&base=edge-board%2Fqwen3-8b%2Fhigh&where.load=high&columns=ttft_mean&columns=output_throughput")
	const view = `[...document.querySelectorAll(".grid tr")].map(tr => tr.textContent).join("\n")`
	first := browser.Eval[string](b, view)
	if !strings.Contains(first, "×") || !strings.Contains(first, "baseline") {
		t.Fatalf("no ratios in\n%s", first)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".controls summary")[2].click()`))
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".controls details")][2].querySelectorAll("input")[4 - Number(!document.querySelector(".controls").textContent.includes("warm-ups"))]?.click()`))
	changed := browser.Eval[string](b, view)
	hash := browser.Eval[string](b, `location.hash`)
	if changed == first || !strings.Contains(hash, "percent=1") {
		t.Fatalf("the choice of per cent is not in %q", hash)
	}
	openExplorer(b, base, "en", hash)
	if got := browser.Eval[string](b, view); got != changed {
		t.Errorf("the address %s restores\n%s\nnot\n%s", hash, got, changed)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`location.hash = "group="`))
	b.Until(`document.querySelectorAll(".grid tr.group").length === 0 && !document.querySelector(".grid").textContent.includes("baseline")`)
}

// TestExplorerComparesRunsWithABaseline checks that ratios equal those computed by Go, and that excluded runs have
// none.
func TestExplorerComparesRunsWithABaseline(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := fixture()
	openExplorer(b, bases(t, s)["file"], "zh-CN", "#group=load&base=edge-board%2Fqwen3-8b%2Fhigh&columns=output_throughput")
	of := func(id string) float64 {
		r := s.Results[slices.IndexFunc(s.Results, func(r *result.Result) bool { return r.ID == id })]
		m, _ := r.Metric("output_throughput")
		return m.Value
	}
	const ratio = `[...document.querySelectorAll(".grid tr")].find(tr => tr.querySelector("a")?.getAttribute("href").includes(%q)).querySelector("td:last-child .ratio").textContent`
	for id, base := range map[string]string{
		"edge-board/qwen3-8b-awq/high": "edge-board/qwen3-8b/high",
		"edge-board/qwen3-8b-awq/low":  "edge-board/qwen3-8b/low",
	} {
		want := fmt.Sprintf("%.2f×", of(id)/of(base))
		if got := browser.Eval[string](b, fmt.Sprintf(ratio, id)); got != want {
			t.Errorf("%s is %s of %s, want %s", id, got, base, want)
		}
	}
	if got := browser.Eval[string](b, fmt.Sprintf(ratio, "edge-board/qwen3-8b-q5_k_m/low")); got != "" {
		t.Errorf("a run that is excluded is %s of the baseline", got)
	}
	if got := browser.Eval[int](b, `document.querySelectorAll(".grid tr.summary").length`); got != 2 {
		t.Errorf("%d rows with the geometric mean, want one for each load", got)
	}
}

// TestExplorerSearchesChinese checks that Chinese is searched without spaces.
func TestExplorerSearchesChinese(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	openExplorer(b, bases(t, fixture())["file"], "zh-CN", "#query=低负载32b")
	if got := browser.Eval[[]string](b, shownRuns); !slices.Equal(got, []string{"edge-board/qwen3-32b-awq/low"}) {
		t.Errorf("低负载32b finds %v", got)
	}
}

// TestExplorerCopies checks that the table can be copied as shown.
func TestExplorerCopies(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	openExplorer(b, bases(t, fixture())["file"], "en", "#group=&where.load=low&query=qwen3-8b-awq&columns=quantization&columns=output_throughput")
	b.Do(chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = async text => { window.copied = text }`))
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".controls summary")].at(-1).click()`))
	for form, want := range map[string]string{
		"Markdown": "| Run | Quantization | Output throughput (tok/s) |\n| :--- | :--- | ---: |\n| edge-board/qwen3-8b-awq/low | AWQ | ",
		"CSV":      "Run,Quantization,Output throughput (tok/s)\r\nedge-board/qwen3-8b-awq/low,AWQ,",
		"JSON":     "[\n {\n  \"runs\": [\n   \"edge-board/qwen3-8b-awq/low\"\n  ],\n  \"quantization\": \"AWQ\",\n  \"output_throughput\": {\n   \"value\": ",
	} {
		b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll(".controls .actions button")].find(b => b.textContent === %q).click()`, form)))
		b.Until(`window.copied !== undefined`)
		if got := browser.Eval[string](b, `window.copied`); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", form, got)
		}
		b.Do(chromedp.Evaluate[chromedp.Void](`delete window.copied`))
	}
}

// TestExplorerOfAnAddressThatNamesWhatIsNot checks addresses that name runs, columns and labels that no longer exist,
// and hostile ones that name properties of every object.
func TestExplorerOfAnAddressThatNamesWhatIsNot(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	base := bases(t, fixture())["file"]
	openExplorer(b, base, "en", "#base=no/such/run&pick=gone&columns=nothing&x=nothing&y=nothing")
	if got := browser.Eval[string](b, `document.querySelector(".explorer .legend").textContent`); !strings.Contains(got, "no/such/run, gone") {
		t.Errorf("the notes do not mention the runs that are gone: %q", got)
	}
	if browser.Eval[bool](b, `document.querySelector(".canvas svg") === null`) {
		t.Error("there is no chart on the usual axes")
	}
	openExplorer(b, base, "en", "#where.__proto__=x&where.constructor=x&columns=constructor&group=constructor&sort=constructor&x=toString&by=valueOf")
	if got := browser.Eval[string](b, `document.querySelector(".count").textContent`); !strings.HasPrefix(got, "0 of ") {
		t.Errorf("a filter that no run passes leaves %q", got)
	}
}

// TestExplorerOfAnAddressThatWantsLines checks that lines run over a numeric label, with a line for each model, even if
// the address only selects lines.
func TestExplorerOfAnAddressThatWantsLines(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	openExplorer(b, bases(t, fixture())["file"], "en", "#chart=lines")
	chosen := browser.Eval[string](b, `[...document.querySelectorAll(".axes select")].map((e) => e.value).join(" ")`)
	if !strings.HasPrefix(chosen, "lines ") || !strings.Contains(chosen, " max_concurrency ") || !strings.HasSuffix(chosen, " model") {
		t.Errorf("the axes are %q", chosen)
	}
	if title := browser.Eval[string](b, `document.querySelector(".canvas svg").textContent`); !strings.Contains(title, "Concurrency") {
		t.Errorf("the chart is of %q", title)
	}
}

// TestExplorerCountsRepeats checks that a heading counts runs, like the page, even if repeats share a row.
func TestExplorerCountsRepeats(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := fixture()
	for _, id := range []string{"edge-board/repeat/1", "edge-board/repeat/2"} {
		r, _ := fixtureRun(id, "Repeated", "FP8", "high", 8, 100, [3]float64{1, 2, 3})
		s.Results = append(s.Results, r)
	}
	openExplorer(b, bases(t, s)["file"], "en", "#query=repeated&group=load")
	if got := browser.Eval[string](b, `document.querySelector(".grid tr.group").textContent`); !strings.HasSuffix(got, "2 runs") {
		t.Errorf("the heading of one row of two runs is %q", got)
	}
}

// TestExplorerOfThousands checks that only visible rows of thousands are in the page, and that all are printed.
func TestExplorerOfThousands(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := manyRuns(1500)
	s.Raw = nil
	openExplorer(b, bases(t, s)["file"], "en", "#group=&chart=none")
	rows := `document.querySelectorAll(".grid tbody tr:not(.gap)").length`
	if got := browser.Eval[int](b, rows); got < 10 || got > 120 {
		t.Errorf("%d rows are in the page", got)
	}
	if got := browser.Eval[int](b, `Number(document.querySelector(".grid").getAttribute("aria-rowcount"))`); got != len(s.Results)+1 {
		t.Errorf("the table announces %d rows, want %d", got, len(s.Results)+1)
	}
	// A label with hundreds of values has no list to pick from, and the page says so.
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".controls summary").click()`))
	b.Until(`document.querySelector(".facets .hint")?.textContent.includes("Concurrency") === true`)
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".controls summary").click()`))
	// A row keeps the focus when it is scrolled out of sight.
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".grid tbody a").focus()`))
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".grid-scroll").scrollTop = 1e9`))
	last := s.Results[len(s.Results)-1].ID
	b.Until(fmt.Sprintf(`[...document.querySelectorAll(".grid tbody tr")].at(-1).getAttribute("aria-rowindex") === "%d"`, len(s.Results)+1))
	if got := browser.Eval[[]string](b, shownRuns); len(got) > 120 || got[0] == got[len(got)-1] {
		t.Errorf("at the end of %s: %d rows", last, len(got))
	}
	if !browser.Eval[bool](b, `document.activeElement.closest("tr")?.dataset.at === "0"`) {
		t.Error("the focus was lost on scrolling")
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("input[type=search]").focus()`))
	b.Do(chromedp.Evaluate[chromedp.Void](`dispatchEvent(new Event("beforeprint"))`))
	if got := browser.Eval[int](b, rows); got != len(s.Results) {
		t.Errorf("%d rows are printed, want %d", got, len(s.Results))
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`dispatchEvent(new Event("afterprint"))`))
	if got := browser.Eval[int](b, rows); got > 120 {
		t.Errorf("%d rows are left in the page", got)
	}
}

// TestPagesWithoutTheirData checks that without its data the explorer leaves the static tables in place, and that other
// pages say that it is missing.
func TestPagesWithoutTheirData(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	dir := t.TempDir()
	write(t, fixture(), dir)
	if err := os.RemoveAll(filepath.Join(dir, "data", "columns")); err != nil {
		t.Fatal(err)
	}
	for page, seen := range map[string]string{
		"results": `document.getElementById("explorer") === null && document.querySelector(".unless-explored table").getClientRects().length > 0`,
		"compare": `document.querySelector("#compare > .absent") !== null`,
		"deploy":  `document.querySelector("#deploy > .absent") !== null`,
	} {
		b.Do(chromedp.Navigate("file://" + filepath.ToSlash(dir) + "/en/" + page + "/index.html"))
		b.Until(`document.readyState === "complete"`)
		b.Until(seen)
	}
}

// TestResultsWithoutScripts checks that there are static tables without scripts, and no empty explorer.
func TestResultsWithoutScripts(t *testing.T) {
	t.Parallel()
	s := fixture()
	files, _ := render(t, s)
	html := string(files["en/results/index.html"])
	if !strings.Contains(html, `<div id="explorer" class="explorer" hidden></div>`) || strings.Count(html, `<tr><th scope="row">`)+strings.Count(html, `<tr class="quarantined"><th scope="row">`) < len(s.Results) {
		t.Error("the page without scripts lacks rows, or shows an empty explorer")
	}
}
