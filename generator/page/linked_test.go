package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Parts of the explorer that readers see.
const (
	counted  = `document.querySelector(".count").textContent`
	chips    = `[...document.querySelectorAll(".chip")].map(c => c.textContent)`
	zoomedIn = `!document.querySelector(".chart-tools button").hidden`
)

// TestTheChartFiltersTheTable checks that zooming and the legend filter the table, and that each step is undone by its
// chip and by Back.
func TestTheChartFiltersTheTable(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	openExplorer(b, bases(t, fixture())["file"], "en", "#group=")
	whole := browser.Eval[string](b, counted)
	focus := `document.querySelector(".chart-stage [tabindex]").focus()`
	b.Do(chromedp.Evaluate[chromedp.Void](focus))
	b.Press("+")
	if got := browser.Eval[string](b, counted); got == whole || !browser.Eval[bool](b, zoomedIn) {
		t.Errorf("zoomed in there are %s, of %s", got, whole)
	}
	rows, marks := browser.Eval[[]string](b, shownRuns), browser.Eval[string](b, `document.querySelector(".chart-stage [role=status]").textContent`)
	if len(rows) == 0 || !strings.Contains(marks, fmt.Sprintf(" %d value", len(rows))) {
		t.Errorf("%d rows, and the chart says %q", len(rows), marks)
	}
	hash := browser.Eval[string](b, `location.hash`)
	b.Do(chromedp.Evaluate[chromedp.Void](`history.back()`))
	b.Until(counted + ` === ` + fmt.Sprintf("%q", whole))
	if browser.Eval[bool](b, zoomedIn) {
		t.Error("Back leaves the chart zoomed in")
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`history.forward()`))
	b.Until(`location.hash === ` + fmt.Sprintf("%q", hash) + ` && ` + zoomedIn)
	if got := browser.Eval[[]string](b, shownRuns); !slices.Equal(got, rows) {
		t.Errorf("Forward shows %v, not %v", got, rows)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".chip")].at(-1).click()`))
	if got := browser.Eval[string](b, counted); got != whole || browser.Eval[bool](b, zoomedIn) {
		t.Errorf("after the undoing there are %s, of %s", got, whole)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".chart-keys button")].find(k => k.textContent === "High load").click()`))
	if got := browser.Eval[[]string](b, shownRuns); len(got) == 0 || slices.ContainsFunc(got, func(id string) bool { return strings.HasSuffix(id, "/high") }) {
		t.Errorf("with high load switched off: %v", got)
	}
	if got := browser.Eval[[]string](b, chips); len(got) != 2 || !strings.Contains(got[0], "High load") {
		t.Errorf("the page says %q", got)
	}
}

// TestRowsAndPointsLightEachOther checks that a row highlights its point, and that a point highlights its row and links
// to it.
func TestRowsAndPointsLightEachOther(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	if _, err := chromedp.Call(b.Ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	openExplorer(b, bases(t, fixture())["file"], "en", "#group=")
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".grid tbody a").focus()`))
	if got := browser.Eval[int](b, `document.querySelectorAll("[data-live] > g:first-child circle").length`); got != 1 {
		t.Errorf("a row lights %d points", got)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".chart-stage [tabindex]").focus()`))
	lit := browser.Eval[string](b, `document.querySelector(".grid tr.lit")?.dataset.at ?? ""`)
	if lit == "" || browser.Eval[int](b, `document.querySelectorAll(".grid tr.lit").length`) != 1 {
		t.Fatalf("the point with the focus lights row %q", lit)
	}
	b.Press(kb.Enter)
	if got := browser.Eval[string](b, `document.activeElement.closest("tr")?.dataset.at ?? ""`); got != lit {
		t.Errorf("the point of row %s leads to %q", lit, got)
	}
}

// TestKeysOfTheExplorer checks that keys do what the dialog says, except while typing.
func TestKeysOfTheExplorer(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	openExplorer(b, bases(t, fixture())["file"], "en", "#group=")
	b.Press("?")
	if got := browser.Eval[string](b, `[...document.querySelectorAll("dialog[open] kbd")].map(k => k.textContent).join("")`); got != "/jkxcbr?" {
		t.Errorf("the dialog lists %q", got)
	}
	b.Press(kb.Escape)
	b.Press("j")
	b.Press("j")
	b.Press("k")
	b.Press("x")
	b.Press("b")
	first := browser.Eval[[]string](b, shownRuns)[0]
	hash := browser.Eval[string](b, `decodeURIComponent(location.hash)`)
	if !strings.Contains(hash, "pick="+first) || !strings.Contains(hash, "base="+first) || !browser.Eval[bool](b, `document.activeElement.closest("tr")?.dataset.at === "0"`) {
		t.Errorf("of row %s: %s", first, hash)
	}
	b.Press("/")
	b.Do(chromedp.Evaluate[chromedp.Void](`document.activeElement.value = ""`)) // a synthetic key is typed as well
	b.Press("bjr")
	if got := browser.Eval[string](b, `document.querySelector("input[type=search]").value`); got != "bjr" {
		t.Errorf("typed is %q", got)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.Press("r")
	if got := browser.Eval[string](b, `location.hash + document.querySelector("input[type=search]").value`); got != "" {
		t.Errorf("after the reset there is %q", got)
	}
	b.Press("?")
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("dialog[open] input[type=checkbox]").click()`)) // WCAG 2.1.4
	b.Press(kb.Escape)
	for _, key := range []string{"j", "x", "?", "/"} {
		b.Press(key)
	}
	if got := browser.Eval[string](b, `location.hash + (document.querySelector("dialog[open]") ? "open" : "") + localStorage.getItem("benchpost.keys")`); got != "off" {
		t.Errorf("keys that are switched off give %q", got)
	}
}

// TestViewsAreSaved checks that a saved view, with its typed bounds, is available when the page is opened again.
func TestViewsAreSaved(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	base := bases(t, fixture())["http"]
	openExplorer(b, base, "en", "")
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("input[type=search]").focus()`))
	b.Press("8b ttft < 5 GB")
	if got := browser.Eval[string](b, `document.querySelector(".fault").textContent`); !strings.Contains(got, "GB is not a unit") {
		t.Errorf("a mistake is reported as %q", got)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("input[type=search]").select()`))
	b.Press("8b ttft < 0.15 s")
	b.Press(kb.Enter)
	if got := browser.Eval[[]string](b, chips); len(got) != 1 || !strings.Contains(got[0], "< 150 ms") {
		t.Errorf("the bounds are %q", got)
	}
	want := browser.Eval[[]string](b, shownRuns)
	open := `[...document.querySelectorAll(".controls summary")].find(s => s.textContent === "Saved views").click()`
	b.Do(chromedp.Evaluate[chromedp.Void](open))
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".saved input").focus()`))
	b.Press("mine")
	b.Press(kb.Enter)
	openExplorer(b, base, "en", "")
	b.Do(chromedp.Evaluate[chromedp.Void](open))
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".saved a")].find(a => a.textContent === "mine").click()`))
	b.Until(chips + `.length === 1`)
	if got := browser.Eval[[]string](b, shownRuns); len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("the view shows %v, not %v", got, want)
	}
}

// TestMenusOfTheExplorer checks that no menu extends beyond the window, that no figure is cut at its edge, and that the
// page is accessible with each menu and the dialog open.
func TestMenusOfTheExplorer(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	base := bases(t, fixture())["file"]
	for _, width := range []int64{375, 768, 1024, 1280, 1440} {
		b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(base+"en/results/index.html#bars=1&base=edge-board%2Fqwen3-8b%2Fhigh"))
		b.Until(explored)
		if got := browser.Eval[string](b, cutFigure); got != "" {
			t.Errorf("%d wide: %s is cut", width, got)
		}
		if got := browser.Eval[int](b, wholeColumns); got < 2 {
			t.Errorf("%d wide: %d columns of figures are seen whole", width, got)
		}
		for i := range browser.Eval[int](b, `document.querySelectorAll(".controls summary").length`) {
			b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelectorAll(".controls summary")[%d].click()`, i)))
			if got := browser.Eval[[]float64](b, `(() => { const r = document.querySelector(".controls [open] .sheet").getBoundingClientRect(); return [r.left, r.right]; })()`); got[0] < 0 || got[1] > float64(width) {
				t.Errorf("%d wide: menu %d is from %v", width, i, got)
			}
			if width == 375 || width == 1280 {
				for _, v := range checker.Accessibility(t, b) {
					t.Errorf("%d wide, menu %d: %s", width, i, v)
				}
			}
			b.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelectorAll(".controls summary")[%d].click()`, i)))
		}
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("dialog.keys").showModal()`))
	for _, v := range checker.Accessibility(t, b) {
		t.Errorf("the keys: %s", v)
	}
}

// wholeColumns counts the columns of figures before the edge of the table, or what covers it.
const wholeColumns = `(() => {
	const box = document.querySelector(".grid-scroll").getBoundingClientRect(), more = document.querySelector(".grid-box .more");
	const edge = more.hidden ? box.right : more.getBoundingClientRect().left;
	return [...document.querySelectorAll(".grid thead th.num")].filter(th => th.getBoundingClientRect().right <= edge + 1).length;
})()`

// cutFigure returns the first figure that the right edge of the table cuts and that nothing covers.
const cutFigure = `(() => {
	const edge = document.querySelector(".grid-scroll").getBoundingClientRect().left + document.querySelector(".grid-scroll").clientWidth;
	const cut = [...document.querySelectorAll(".grid tbody td.num > span:not(.aloud, .none)")].find(e => {
		const r = e.getBoundingClientRect();
		if (r.left >= edge || r.right <= edge) return false;
		const more = document.querySelector(".grid-box .more").getBoundingClientRect();
		return more.left > r.left || more.right < edge - 1;
	});
	return cut ? cut.textContent : "";
})()`
