package site

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
)

// TestWhatOpensIsAccessible checks what opens over a page or below a button: its markup, its accessibility, its place
// in a narrow window, and its requests.
func TestWhatOpensIsAccessible(t *testing.T) {
	dir := filepath.Join(buildSample(t), "site")
	base := "file://" + filepath.ToSlash(dir) + "/"
	var dumps []string
	for width, lang := range map[int64]string{320: "en/", 1280: ""} {
		tab := browser.Open(t)
		held := func(name, what string) {
			t.Helper()
			if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s, %s: %d wide in a window of %d", name, what, wide, width)
			}
			if out := browser.Eval[string](tab, outside); out != "" {
				t.Errorf("%s, %s, %d wide: out of the window: %s", name, what, width, out)
			}
			if troubles, _ := tab.Troubles(base); len(troubles) > 0 {
				t.Errorf("%s, %s: %v", name, what, troubles)
			}
			for _, v := range checker.Accessibility(t, tab) {
				t.Errorf("%s, %s, %d wide: %s", name, what, width, v)
			}
			tab.Troubles(base) // axe reads the style sheet, which the policy forbids
			dump := filepath.Join(t.TempDir(), "page.html")
			if err := os.WriteFile(dump, []byte("<!DOCTYPE html>\n"+browser.Eval[string](tab, `document.documentElement.outerHTML`)), 0o644); err != nil {
				t.Fatal(err)
			}
			dumps = append(dumps, dump)
		}
		home, query, results := lang+"index.html", lang+"search/index.html#q=ttft", lang+"results/index.html"
		tab.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate(base+home))
		tab.Do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		tab.Until(`!!document.querySelector("dialog[open] input")`)
		held(home, "the search, empty")
		tab.Do(chromedp.KeyEvent("fp8"))
		tab.Until(`document.querySelectorAll("#find-runs").length === 1`)
		if chosen := browser.Eval[string](tab, `document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") ?? ""`); chosen != "true" {
			t.Errorf("%s: what is announced is not what is chosen", home)
		}
		held(home, "the search, with finds")
		tab.Do(chromedp.KeyEvent(kb.Escape))
		tab.Until(`!document.querySelector("dialog[open]")`)
		tab.Do(chromedp.Navigate(base + query))
		tab.Until(`document.querySelectorAll("#find-page [role=option]").length > 1`)
		held(query, "a query")
		tab.Do(chromedp.Navigate(base + results))
		tab.Until(`document.querySelectorAll("#explorer .panel > summary").length > 1`)
		for i := range browser.Eval[int](tab, `document.querySelectorAll("#explorer .panel > summary").length`) {
			tab.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelectorAll("#explorer .panel").forEach((p, n) => { p.open = n === %d })`, i)))
			held(results, fmt.Sprintf("menu %d", i+1))
		}
	}
	for _, problem := range checker.Problems(t, dumps...) {
		if !ofSources.MatchString(problem) {
			t.Error(problem)
		}
	}
}

// ofSources matches rules about how sources are written, which do not apply to what a browser serialises. A list of
// finds is not a form control, and the policy allows scripts to set styles.
var ofSources = regexp.MustCompile(`\((attribute-empty-style|attribute-boolean-style|no-inline-style|prefer-native-element)\) at `)

// outside returns the first part of an open element that is outside of the window and cannot be scrolled to.
const outside = `(() => {
	const open = document.querySelector("dialog[open], .panel[open] > .sheet");
	const r = open?.getBoundingClientRect();
	return r && (r.left < -1 || r.right > innerWidth + 1) ? open.outerHTML.slice(0, 120) : "";
})()`
