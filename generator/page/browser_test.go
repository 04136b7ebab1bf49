package page

import (
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// bases returns the addresses at which a site is opened: in its folder, and on a server below a path.
func bases(t *testing.T, s *Site) map[string]string {
	dir := t.TempDir()
	write(t, s, dir)
	return browser.Bases(t, dir)
}

// pagesToOpen returns a page of each kind in each language.
func pagesToOpen(s *Site) []string {
	pages := []string{"404.html"}
	for _, lang := range s.Languages {
		pages = append(pages,
			s.PostPage(lang, "tradeoffs"), s.ModelPage(lang, "Qwen3-8B-FP8"),
			s.RunPage(lang, "edge-board/qwen3-8b-fp8/功率=15w/high"), s.RunPage(lang, "edge-board/qwen3-8b-q5_k_m/low"),
			s.HardwarePage(lang, "Edge Board 128 GB"), s.LoadPage(lang, "load", "high"))
		for _, part := range sections() {
			if part.name != "manual" || !s.Manual.Empty() {
				pages = append(pages, s.dir(lang)+part.path)
			}
		}
	}
	return pages
}

func TestPagesInABrowser(t *testing.T) {
	b := browser.Open(t)
	s := fixture()
	long := strings.Repeat("A-model-whose-name-has-no-end", 8)
	r, _ := fixtureRun("edge-board/"+strings.ToLower(long)+"/high", long, "FP8", "high", 8, 100, [3]float64{1, 2, 3})
	s.Results = append(s.Results, r)
	raw := s.Raw
	s.Raw = func(q *result.Result) (Raw, error) {
		if q.ID == r.ID {
			return Whole([]byte(strings.Repeat("x", 5000))), nil
		}
		return raw(q)
	}
	pages := append(pagesToOpen(s), s.RunPage("en", r.ID), s.ModelPage("zh-CN", long))
	for name, base := range bases(t, s) {
		for _, page := range pages {
			address := base + address.Escape(page)
			b.Do(chromedp.EmulateViewport(1200, 900), chromedp.Navigate(address))
			if page != "404.html" {
				if got := browser.Eval[string](b, `getComputedStyle(document.querySelector(".masthead")).display`); got != "flex" {
					t.Errorf("%s: %s has no style", name, page)
				}
				if browser.Eval[bool](b, `document.querySelector("button.theme").hidden`) {
					t.Errorf("%s: the script did not run on %s", name, page)
				}
				if broken := browser.Eval[[]string](b, `Array.from(document.images).filter(i => { i.loading = "eager"; return i.complete && i.naturalWidth === 0 }).map(i => i.src)`); len(broken) > 0 {
					t.Errorf("%s: %s shows no pictures: %v", name, page, broken)
				}
			}
			for _, width := range []int64{360, 1920} {
				b.Do(chromedp.EmulateViewport(width, 800))
				if got := browser.Eval[int64](b, `document.documentElement.scrollWidth`); got > width {
					t.Errorf("%s: %s is %d wide in a window of %d; %s sticks out", name, page, got, width, browser.Eval[string](b, sticksOut))
				}
				if got := browser.Eval[string](b, scrollsByMouseOnly); got != "" {
					t.Errorf("%s: %s, %d wide: no key scrolls %s", name, page, width, got)
				}
			}
			troubles, requests := b.Troubles(base)
			if len(troubles) > 0 {
				t.Errorf("%s: %s: %v", name, page, troubles)
			}
			if requests == 0 {
				t.Errorf("%s: %s: no request was seen", name, page)
			}
		}
	}
}

// sticksOut returns the first element that extends beyond the right edge and is in no scrolling box.
const sticksOut = `(() => {
	const e = Array.from(document.querySelectorAll("body *")).find(e =>
		e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, .grid-scroll, pre"));
	return e ? e.outerHTML.slice(0, 120) : "nothing found";
})()`

// scrollsByMouseOnly returns the first box that scrolls sideways and cannot be focused.
const scrollsByMouseOnly = `(() => {
	const e = Array.from(document.querySelectorAll("body *")).find(e => e.scrollWidth > e.clientWidth &&
		["auto", "scroll"].includes(getComputedStyle(e).overflowX) && e.tabIndex < 0);
	return e ? e.outerHTML.slice(0, 120) : "";
})()`

// TestTroublesAreSeen checks that the other tests of this file detect the faults they look for.
func TestTroublesAreSeen(t *testing.T) {
	b := browser.Open(t)
	s := &Site{Title: locale.Lit("Bad"), Languages: []string{"en"}, Layouts: fstest.MapFS{
		"home.html": {Data: []byte(`<p style="width:2000px">wide</p><img src="https://example.org/x.png" alt="">`)}}}
	base := bases(t, s)["file"]
	b.Do(chromedp.Navigate(base + "index.html"))
	troubles, _ := b.Troubles(base)
	if got := strings.Join(troubles, "\n"); !strings.Contains(got, "inline style") || !strings.Contains(got, "example.org") {
		t.Errorf("got %q", got)
	}
}

func TestSwitches(t *testing.T) {
	b := browser.Open(t)
	s := fixture()
	for name, base := range bases(t, s) {
		ground := func() string { return browser.Eval[string](b, `getComputedStyle(document.body).backgroundColor`) }
		if _, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}}); err != nil {
			t.Fatal(err)
		}
		from, to := s.RunPage("zh-CN", "edge-board/qwen3-8b-fp8/功率=15w/high"), s.RunPage("en", "edge-board/qwen3-8b-fp8/功率=15w/high")
		b.Do(chromedp.EmulateViewport(1200, 900), chromedp.Navigate(base+address.Escape(from)))
		light := ground()
		b.Do(chromedp.Click(chromedp.CSS("button.theme")))
		dark := ground()
		if light == dark || browser.Eval[string](b, `document.querySelector("button.theme").getAttribute("aria-pressed")`) != "true" {
			t.Errorf("%s: the theme stays %s", name, light)
		}
		if _, err := chromedp.RunResponse(b.Ctx, chromedp.Click(chromedp.CSS(".switches a"))); err != nil {
			t.Fatal(err)
		}
		location, err := url.PathUnescape(browser.Eval[string](b, `location.href`))
		location = strings.TrimSuffix(location, "index.html") // which the server leaves out
		if err != nil || location != base+strings.TrimSuffix(to, "index.html") {
			t.Errorf("%s: the switch of language leads to %s, want %s", name, location, base+to)
		}
		if got := ground(); got != dark {
			t.Errorf("%s: the next page is %s, the theme chosen %s", name, got, dark)
		}
		b.Do(chromedp.Click(chromedp.CSS("button.theme")))
		if got := ground(); got != light {
			t.Errorf("%s: back in the light it is %s, want %s", name, got, light)
		}
		if troubles, _ := b.Troubles(base); len(troubles) > 0 {
			t.Errorf("%s: %v", name, troubles)
		}
	}
}

// TestRunsLeadToAndFroWithoutScripts checks without scripts that a name links to its definition, a figure to its line
// and the line number back to the figure, and that the target is highlighted.
func TestRunsLeadToAndFroWithoutScripts(t *testing.T) {
	b := browser.Open(t)
	s := fixture()
	base := bases(t, s)["file"]
	r := s.Results[0]
	if _, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{ // a page that scrolls is missed
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}); err != nil {
		t.Fatal(err)
	}
	at := func() string { return browser.Eval[string](b, `(document.querySelector(":target") || {}).id || ""`) }
	for _, width := range []int64{375, 1280} {
		b.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate(base+address.Escape(s.RunPage("en", r.ID))))
		if browser.Eval[bool](b, `document.querySelector("button.theme").hidden`) != true {
			t.Fatal("scripts run")
		}
		b.Do(chromedp.Click(chromedp.CSS("#f-ttft_mean a")))
		if got := at(); got != "L13" {
			t.Errorf("%d wide: the mean TTFT leads to %q", width, got)
		}
		number := `(() => { const l = document.querySelector("#L13").getBoundingClientRect();
			return document.elementFromPoint(l.left + 9, l.top + l.height / 2).closest("a")?.getAttribute("href") ?? "" })()`
		if got := browser.Eval[string](b, number); got != "#f-ttft_mean" {
			t.Errorf("%d wide: the number of line 13 leads to %q", width, got)
		}
		line := browser.Eval[[]float64](b, `(() => { const l = document.querySelector("#L13").getBoundingClientRect(); return [l.left + 9, l.top + l.height / 2] })()`)
		b.Do(chromedp.MouseClickXY(line[0], line[1]))
		if got := at(); got != "f-ttft_mean" {
			t.Errorf("%d wide: line 13 leads to %q", width, got)
		}
		if _, err := chromedp.RunResponse(b.Ctx, chromedp.Click(chromedp.CSS(".latency tbody th a"))); err != nil {
			t.Fatal(err)
		}
		if got := at(); got != "metric-ttft" {
			t.Errorf("%d wide: TTFT leads to %q", width, got)
		}
	}
}

// TestLineNumbersAreNotText checks that copying the raw text does not copy the line numbers.
func TestLineNumbersAreNotText(t *testing.T) {
	b := browser.Open(t)
	s := fixture()
	base := bases(t, s)["http"]
	r := s.Results[0]
	b.Do(chromedp.Navigate(base + address.Escape(s.RunPage("en", r.ID)) + "#L10"))
	want, err := s.Raw(r)
	if err != nil {
		t.Fatal(err)
	}
	got := browser.Eval[string](b, `(() => { getSelection().selectAllChildren(document.querySelector("pre.source code")); return getSelection().toString() })()`)
	if strings.TrimSpace(got) != strings.TrimSpace(string(want.Data)) {
		t.Errorf("selecting yields\n%s\nwant\n%s", got, want.Data)
	}
	if got := browser.Eval[string](b, `getComputedStyle(document.querySelector("#L10"), "::before").content`); got != `attr(id)` && got != `"L10"` {
		t.Errorf("the number of line 10 is drawn as %s", got)
	}
	inView := `(() => { const l = document.querySelector(":target").getBoundingClientRect(); return l.top >= 0 && l.bottom <= innerHeight })()`
	b.Until(inView)
	b.Do(chromedp.Click(chromedp.CSS("button.copy")))
}

// TestFiguresAndLinesLightEachOther checks that pointing at or focusing a figure or its line highlights both, and that
// figures without a line highlight nothing. On a wide page the pane of the raw file scrolls to the line, and the page
// does not scroll.
func TestFiguresAndLinesLightEachOther(t *testing.T) {
	b := browser.Open(t)
	s := fixture()
	base := bases(t, s)["file"]
	r := s.Results[0]
	for _, width := range []int64{375, 1440} {
		b.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate(base+address.Escape(s.RunPage("en", r.ID))))
		lit := func(selector, event string) string {
			return strings.Join(browser.Eval[[]string](b, `(() => {
				const of = document.querySelector("`+selector+`");
				`+event+`;
				return Array.from(document.querySelectorAll(".lit"), (e) => e.id || e.tagName).sort();
			})()`), " ")
		}
		pointed := `of.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`
		focused := `of.dispatchEvent(new FocusEvent("focusin", { bubbles: true }))`
		for _, c := range []struct{ selector, event, want string }{
			{"#f-ttft_mean a", focused, "DD L13 f-ttft_mean"},
			{"#f-output_throughput td", pointed, "DD L10 f-output_throughput"},
			{"#L13", pointed, "DD L13 f-ttft_mean"},
			{"#L10 > a", focused, "DD L10 f-output_throughput"},
			{"#L12", pointed, "L12"},
			{"h1", pointed, ""},
		} {
			if got := lit(c.selector, c.event); got != c.want {
				t.Errorf("%d wide: %s lights %q, want %q", width, c.selector, got, c.want)
			}
		}
		beside := browser.Eval[bool](b, `document.querySelector(".raw").getBoundingClientRect().left > document.querySelector(".figures").getBoundingClientRect().right - 1`)
		if beside != (width == 1440) {
			t.Errorf("%d wide: the raw file is beside the figures: %t", width, beside)
		}
		if !beside {
			continue
		}
		covered := browser.Eval[bool](b, `(() => {
			const rest = document.querySelector(".rest");
			scrollTo({ top: rest.getBoundingClientRect().top + scrollY, behavior: "instant" });
			return document.querySelector(".explained").getBoundingClientRect().bottom > rest.getBoundingClientRect().top;
		})()`)
		if covered {
			t.Errorf("%d wide: the raw file covers what is below the figures", width)
		}
		moved := browser.Eval[[]float64](b, `(() => {
			const pane = document.querySelector(".explained");
			pane.style.maxHeight = "4rem";
			pane.scrollTop = 0;
			const before = scrollY;
			document.querySelector("#f-tpot_p99 a").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
			const [line, box] = [document.querySelector("mark.lit").getBoundingClientRect(), pane.getBoundingClientRect()];
			return [scrollY - before, line.top - box.top, box.bottom - line.bottom];
		})()`)
		if moved[0] != 0 || moved[1] < 0 || moved[2] < 0 {
			t.Errorf("the page scrolls by %g; the line is %g below the top of its pane and %g above its end", moved[0], moved[1], moved[2])
		}
	}
}
