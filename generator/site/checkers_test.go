package site

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
)

var kindOfPage = regexp.MustCompile(`<html lang="([^"]+)"[\s\S]*<body class="page-([^" ]+)`)

// ofEachKind returns the longest page of each kind in each language.
func ofEachKind(t *testing.T, dir string) []string {
	t.Helper()
	pages := files(t, dir)
	longest := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if m := kindOfPage.FindSubmatch(pages[name]); path.Ext(name) == ".html" && m != nil {
			kind := string(m[1]) + " " + string(m[2])
			if len(pages[name]) > len(pages[longest[kind]]) {
				longest[kind] = name
			}
		}
	}
	if len(longest) < 14 {
		t.Fatalf("only the kinds %v", slices.Sorted(maps.Keys(longest)))
	}
	return slices.Sorted(maps.Values(longest))
}

func TestMarkupIsValid(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(buildSample(t), "site")
	var pages []string
	for name := range files(t, dir) {
		if path.Ext(name) == ".html" {
			pages = append(pages, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	slices.Sort(pages)
	checker.Markup(t, pages...)
}

// TestBadMarkupIsSeen checks that html-validate reports invalid markup.
func TestBadMarkupIsSeen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "bad.html")
	if err := os.WriteFile(name, []byte("<!DOCTYPE html>\n<title>x</title><p><div id=a></div><b id=a></b>\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if found := checker.Problems(t, name); len(found) == 0 {
		t.Error("nothing was found")
	}
}

// TestPagesAreAccessible expects no serious or critical accessibility problem in any kind of page, in both languages,
// light and dark, on a phone and wide. A page is loaded in the first theme and switches to the second, so that each
// theme is loaded at one of the widths.
func TestPagesAreAccessible(t *testing.T) {
	dir := filepath.Join(buildSample(t), "site")
	for width, themes := range map[int64][]string{360: {"light", "dark"}, 1280: {"dark", "light"}} {
		tab := browser.Open(t) // each has its own timeout
		for _, name := range ofEachKind(t, dir) {
			prefer(t, tab, themes[0])
			tab.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/"+name))
			browser.Await[bool](tab, openMenu)
			for _, theme := range themes {
				prefer(t, tab, theme)
				for _, v := range checker.Accessibility(t, tab) {
					t.Errorf("%s, %s, %d wide: %s", name, theme, width, v)
				}
			}
		}
	}
}

// openMenu opens the menu of the first chart of a page, if it has one.
const openMenu = `(async () => {
	const figure = document.querySelector("figure[data-chart]");
	if (!figure) return false;
	figure.scrollIntoView({ block: "center", behavior: "instant" });
	for (let n = 0; n < 200 && !figure.querySelector(".panel"); n++) await new Promise(r => setTimeout(r, 20));
	figure.querySelector(".panel summary").click();
	return true;
})()`

func prefer(t *testing.T, tab *browser.Tab, theme string) {
	t.Helper()
	_, err := chromedp.Call(tab.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPagesFitWhenEnlarged checks narrow windows: 320 pixels correspond to 1280 at four times the size (WCAG 2.2,
// 1.4.10). Only tables and code in their own boxes may scroll sideways.
func TestPagesFitWhenEnlarged(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	for _, name := range ofEachKind(t, dir) {
		for _, width := range []int64{320, 640, 1920} {
			tab.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/"+name))
			if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s is %d wide in a window of %d", name, wide, width)
			}
		}
	}
}

// TestTheKeyboardReachesEverything checks that the Tab key reaches everything that can be pressed or scrolled, and that
// the focus is visible.
func TestTheKeyboardReachesEverything(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	for _, name := range ofEachKind(t, dir) {
		tab.Do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/"+name))
		total := browser.Eval[int64](tab, interactive)
		for range min(total, 120) + 1 {
			tab.Do(chromedp.KeyEvent(kb.Tab))
			if trouble := browser.Eval[string](tab, focused); trouble != "" {
				t.Errorf("%s: %s", name, trouble)
			}
		}
		reached := browser.Eval[int64](tab, `window.reached.size`)
		if reached < min(total, 120) {
			t.Errorf("%s: the keyboard comes to %d of %d: it misses %s", name, reached, total, browser.Eval[string](tab, `window.targets.find(e => !window.reached.has(e))?.outerHTML.slice(0, 200) ?? ""`))
		}
	}
}

// interactive counts the elements that a mouse can use.
const interactive = `(() => {
	window.reached = new Set();
	window.targets = Array.from(document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")).filter(e =>
		e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }));
	return window.targets.length;
})()`

// focused records the focused element, and reports if its focus is not visible. A mark of a chart shows the focus by a
// ring that it has at no other time.
const focused = `(() => {
	const e = document.activeElement;
	if (!e || e === document.body) return "";
	window.reached.add(e);
	const s = getComputedStyle(e), box = e.getBoundingClientRect();
	const ring = e => e && getComputedStyle(e).stroke !== "none" && parseFloat(getComputedStyle(e).strokeWidth) >= 2;
	const ringed = e instanceof SVGElement && ring(e.querySelector("circle, rect")) && !ring(e.parentNode.querySelector("[tabindex='-1'] :is(circle, rect)"));
	if (!ringed && (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 1)) return "no focus is to be seen on " + e.outerHTML.slice(0, 200);
	return box.width > 0 && box.height > 0 && box.right > 0 ? "" : "the focus is out of sight on " + e.outerHTML.slice(0, 200);
})()`

// TestPostsOnPaper prints posts. Paper is A4 and light whatever the screen is, shows the contents without the page
// frame, has no table wider than the page, and contains all of the text.
func TestPostsOnPaper(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	prefer(t, tab, "dark")
	for _, lang := range []string{"", "en/"} {
		for slug, most := range map[string]int{"qwen3-8b-quantization": 16, "power-and-scenarios": 16, "qwen3-30b-32b": 11} {
			name := lang + "posts/" + slug + "/index.html"
			tab.Do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/"+name))
			pdf, err := chromedp.Run(tab.Ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(pdf), "/Type /Page\n"); n < 5 || n > most {
				t.Errorf("%s takes %d pages, want up to %d", name, n, most)
			}
			if box := regexp.MustCompile(`/MediaBox \[0 0 594\.\d+ 841\.\d+\]`); !box.Match(pdf) {
				t.Errorf("%s is not printed on A4", name)
			}
			onPaper(t, tab, name)
		}
	}
}

// onPaper checks the page in print layout, 174 mm wide.
func onPaper(t *testing.T, tab *browser.Tab, name string) {
	t.Helper()
	media := func(medium string) {
		if _, err := chromedp.Call(tab.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium,
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}); err != nil {
			t.Fatal(err)
		}
	}
	media("print")
	defer media("")
	const width = 658
	tab.Do(chromedp.EmulateViewport(width, 900))
	if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > width {
		t.Errorf("%s is %d wide on paper of %d: %s", name, wide, width, browser.Eval[string](tab, `(() => {
			const e = Array.from(document.querySelectorAll("table, pre, figure")).find(e => e.getBoundingClientRect().right > innerWidth + 1);
			return e ? e.textContent.slice(0, 80) : "";
		})()`))
	}
	if ground := browser.Eval[string](tab, `getComputedStyle(document.body).backgroundColor`); ground != "rgb(255, 255, 255)" {
		t.Errorf("%s is printed on %s", name, ground)
	}
	if shown := browser.Eval[string](tab, `Array.from(document.querySelectorAll("nav:not(.toc), button:not(.turn), .switches")).filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80)).join("\n")`); shown != "" {
		t.Errorf("%s prints %s", name, shown)
	}
	if cut := browser.Eval[string](tab, `Array.from(document.querySelectorAll("table, figure.chart, figure.raw pre")).filter(e => {
			const box = e.closest(".scroll, .table-scroll") ?? e;
			return e.getBoundingClientRect().height < 900 && !getComputedStyle(box).breakInside.startsWith("avoid");
		}).map(e => e.outerHTML.slice(0, 80)).join("\n")`); cut != "" {
		t.Errorf("%s may be cut by the end of a page: %s", name, cut)
	}
	if foot := browser.Eval[string](tab, `document.querySelector(".paper").innerText`); !strings.Contains(foot, "2025") || !strings.Contains(foot, "https://") {
		t.Errorf("the foot of %s is %q, which lacks its date or address", name, foot)
	}
}

// TestBadContrastIsSeen checks that axe-core reports problems.
func TestBadContrastIsSeen(t *testing.T) {
	tab := browser.Open(t)
	tab.Do(chromedp.Navigate(`data:text/html,<html lang=en><title>x</title><p style="color:%23ccc;background:%23fff">faint<img src=x>`))
	found := strings.Join(checker.Accessibility(t, tab), "\n")
	for _, rule := range []string{"color-contrast", "image-alt"} {
		if !strings.Contains(found, rule) {
			t.Errorf("%s is not seen: %s", rule, found)
		}
	}
}
