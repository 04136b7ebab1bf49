package site

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/benchpost/benchpost/generator/internal/browser"
)

const aPost = "posts/qwen3-8b-quantization/index.html"

// samplePost opens a post of the sample site in English.
func samplePost(t *testing.T, steps ...chromedp.Action[chromedp.Void]) *browser.Tab {
	t.Helper()
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	tab.Do(append([]chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(1280, 800)}, steps...)...)
	tab.Do(chromedp.Navigate("file://" + filepath.ToSlash(dir) + "/en/" + aPost))
	return tab
}

// inTable wraps an expression on the table of the high load; head is the column of output throughput.
func inTable(expression string) string {
	return `(() => {
	const table = document.querySelector("#section\\:3").parentElement.nextElementSibling.querySelector("table");
	const heads = Array.from(table.tHead.rows[0].cells);
	const column = heads.findIndex(h => h.textContent.includes("Output throughput"));
	const head = heads[column], button = head.querySelector("button");
	const rows = () => Array.from(table.tBodies[0].rows);
	const figures = () => rows().map(r => parseFloat(r.cells[column].textContent.replace(/[^\d.]*/, "")));
	return ` + expression + `;
})()`
}

// TestTablesAreSorted sorts a table by keyboard: first in descending order, then ascending, then as written. An
// excluded run stays marked wherever its row is.
func TestTablesAreSorted(t *testing.T) {
	tab := samplePost(t)
	written := browser.Eval[[]float64](tab, inTable(`figures()`))
	press := func() { tab.Do(chromedp.KeyEvent(kb.Enter)) }
	browser.Eval[bool](tab, inTable(`(button.focus(), true)`))

	press()
	descending := slices.Clone(written)
	slices.Sort(descending)
	slices.Reverse(descending)
	if got := browser.Eval[[]float64](tab, inTable(`figures()`)); !slices.Equal(got, descending) {
		t.Errorf("pressed once, the column is %v, want %v", got, descending)
	}
	if got := browser.Eval[string](tab, inTable(`head.ariaSort + " " + rows()[0].className`)); got != "descending quarantined" {
		t.Errorf("got %q: the fastest row is the one excluded", got)
	}
	press()
	slices.Reverse(descending)
	if got := browser.Eval[[]float64](tab, inTable(`figures()`)); !slices.Equal(got, descending) {
		t.Errorf("pressed twice, the column is %v, want %v", got, descending)
	}
	press()
	if got := browser.Eval[[]float64](tab, inTable(`figures()`)); !slices.Equal(got, written) {
		t.Errorf("pressed three times, the column is %v, want %v", got, written)
	}
	if browser.Eval[bool](tab, inTable(`head.hasAttribute("aria-sort")`)) {
		t.Error("the column still counts as sorted")
	}
	if !browser.Eval[bool](tab, inTable(`document.activeElement === button`)) {
		t.Error("the focus got lost")
	}
}

// TestTablesAreCopied checks that a table is copied in the order shown, and that excluded runs are marked in words.
func TestTablesAreCopied(t *testing.T) {
	tab := samplePost(t)
	browser.Eval[bool](tab, inTable(`(button.click(), navigator.clipboard.writeText = async (text) => { window.copied = text }, true)`))
	copied := func(format string) string {
		return browser.Eval[string](tab, inTable(`(Array.from(table.parentElement.nextElementSibling.querySelectorAll("button")).find(b => b.textContent === "`+format+`").click(), window.copied)`))
	}
	if got := copied("Markdown"); !strings.HasPrefix(got, "| Model | Quantization | Weights (G) |") ||
		!strings.Contains(got, "| :--- | :--- | ---: |") || strings.Index(got, "Qwen3-8B-FP4") > strings.Index(got, "Qwen3-8B-AWQ") {
		t.Errorf("Markdown: %s", got)
	}
	if got := copied("CSV"); !strings.Contains(got, "298.07 (excluded)") || !strings.Contains(got, "\r\nQwen3-8B-GGUF,Q5_K_M,5.5,0.06,7.91,43688.41,670.56\r\n") {
		t.Errorf("CSV: %s", got)
	}
	if got := copied("TSV"); !strings.Contains(got, "\nQwen3-8B-FP4\tFP4\t6\t") {
		t.Errorf("TSV: %s", got)
	}
}

// TestTheReadersPlaceIsKept checks that the table of contents shows where the reader is, and that the language switch
// leads to the same place.
func TestTheReadersPlaceIsKept(t *testing.T) {
	tab := samplePost(t)
	browser.Eval[bool](tab, `(document.documentElement.style.scrollBehavior = "auto", document.getElementById("section:5").scrollIntoView(), true)`)
	await(t, tab, `document.querySelector(".toc [aria-current]")?.textContent === "Figures to doubt"`)
	await(t, tab, `document.querySelector(".switches a").hash === "#section:5"`)
	if n := browser.Eval[int64](tab, `document.querySelectorAll(".toc [aria-current]").length`); n != 1 {
		t.Errorf("%d entries are the current one", n)
	}
	await(t, tab, `document.querySelector(".toc .version").hash === "#section:5"`)
	if _, err := chromedp.RunResponse(tab.Ctx, chromedp.Click(chromedp.CSS(".toc .version"))); err != nil {
		t.Fatal(err)
	}
	await(t, tab, `document.documentElement.lang === "zh-CN" && Math.abs(document.getElementById("section:5").getBoundingClientRect().top) < 400 && scrollY > 1000`)

	// Among charts, the current chart is kept.
	browser.Eval[bool](tab, `(document.documentElement.style.scrollBehavior = "auto", document.getElementById("block:8").scrollIntoView(), true)`)
	await(t, tab, `document.querySelector(".switches a").hash === "#block:8"`)

	// Scrolling up to the switch at the top does not change the place.
	browser.Eval[bool](tab, `(scrollTo(0, 0), true)`)
	time.Sleep(600 * time.Millisecond)
	if got := browser.Eval[string](tab, `document.querySelector(".switches a").hash`); got != "#block:8" {
		t.Errorf("back at the top the switch leads to %q", got)
	}
}

func await(t *testing.T, tab *browser.Tab, condition string) {
	t.Helper()
	if _, err := chromedp.Run(tab.Ctx, chromedp.Poll[bool](condition)); err != nil {
		t.Fatalf("%s does not come true: %v", condition, err)
	}
}

// TestContentsAreFoldedOnAPhone checks that the table of contents is folded on a phone and open in a wide window.
func TestContentsAreFoldedOnAPhone(t *testing.T) {
	tab := samplePost(t, chromedp.EmulateViewport(360, 800))
	if browser.Eval[bool](tab, `document.querySelector(".toc details").open`) {
		t.Error("it is open")
	}
	tab.Do(chromedp.EmulateViewport(1280, 800))
	await(t, tab, `document.querySelector(".toc details").open`)
}

// TestPostsWithoutScript checks that a post is complete without scripts: tables in their order, contents that can be
// unfolded, and links to the top of the translation.
func TestPostsWithoutScript(t *testing.T) {
	tab := browser.Open(t)
	if _, err := chromedp.Call(tab.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(buildSample(t), "site")
	tab.Do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/en/"+aPost))
	if got := browser.Eval[string](tab, `[document.querySelectorAll("button:not([hidden])").length, document.querySelectorAll("main table").length > 5,
		document.querySelector(".toc li a").checkVisibility(), document.querySelector(".switches a").hash, document.querySelectorAll("figure.chart svg").length > 3].join()`); got != "0,true,true,,true" {
		t.Errorf("got %s", got)
	}
}

// TestASingleFileOpens checks that a post as one file works anywhere: its policy refuses nothing, it requests nothing,
// its tables are interactive, and its data can be saved.
func TestASingleFileOpens(t *testing.T) {
	single, ms, err := BuildSingle(context.Background(), Options{Dir: copySite(t)}, "qwen3-8b-quantization.en")
	if err != nil || len(ms) > 0 {
		t.Fatal(err, ms)
	}
	if single.Name != "qwen3-8b-quantization.en.html" {
		t.Errorf("it is called %s", single.Name)
	}
	name := filepath.Join(t.TempDir(), "报告 1.html")
	if err := os.WriteFile(name, single.Data, 0o644); err != nil {
		t.Fatal(err)
	}
	tab := browser.Open(t)
	tab.Do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+filepath.ToSlash(name)))
	if got := browser.Eval[string](tab, `[document.documentElement.lang, getComputedStyle(document.querySelector(".masthead")).display,
		document.querySelectorAll(".tools").length > 3, document.querySelector(".toc details").open, document.images[0].naturalWidth > 0].join()`); got != "en,flex,true,true,true" {
		t.Errorf("got %s", got)
	}
	if href := browser.Eval[string](tab, `document.querySelector('a[download$=".json"]').href.slice(0, 40)`); !strings.HasPrefix(href, "data:application/json") {
		t.Errorf("its data is %s", href)
	}
	if troubles, requests := tab.Troubles("file://"); len(troubles) > 0 || requests > 3 {
		t.Errorf("%d requests, %v", requests, troubles)
	}
}
