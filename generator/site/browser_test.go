package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/internal/browser"
)

// TestSampleSiteInABrowser opens every page of the sample site, and two of the pages of single runs, in Chromium, from
// its folder and from a server below a path. It expects an empty console, no request to other sites, nothing wider than
// a phone, and every picture loaded.
func TestSampleSiteInABrowser(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	var pages []string
	for name := range files(t, dir) {
		run := strings.Contains(name, "runs/") && !strings.Contains(name, "gptq-int4/high") && !strings.Contains(name, "scenarios/qwen3-8b/chat")
		if path.Ext(name) == ".html" && name != "404.html" && !run {
			pages = append(pages, name)
		}
	}
	slices.Sort(pages)
	if len(pages) < 40 {
		t.Fatalf("only %d pages", len(pages))
	}
	for name, base := range browser.Bases(t, dir) {
		for _, page := range pages {
			tab.Do(chromedp.EmulateViewport(360, 800), chromedp.Navigate(base+page))
			if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > 360 {
				t.Errorf("%s: %s is %d wide on a phone", name, page, wide)
			}
			for _, width := range []int64{360, 880, 1280} {
				tab.Do(chromedp.EmulateViewport(width, 800))
				if got := browser.Eval[string](tab, scrollsBeyond); got != "" {
					t.Errorf("%s: %s, %d wide: there is nothing to scroll to: %s", name, page, width, got)
				}
				if got := browser.Eval[string](tab, chartsTooSmall); got != "" {
					t.Errorf("%s: %s, %d wide: %s", name, page, width, got)
				}
			}
			broken := browser.Eval[[]string](tab, `Array.from(document.images).filter(i => i.loading !== "lazy" && !(i.complete && i.naturalWidth > 0)).map(i => i.src)`)
			if len(broken) > 0 {
				t.Errorf("%s: %s lacks %v", name, page, broken)
			}
			if strings.HasPrefix(strings.TrimPrefix(page, "en/"), "posts/") && browser.Eval[int64](tab, `document.querySelectorAll("figure.chart svg").length`) == 0 {
				t.Errorf("%s: %s shows no chart", name, page)
			}
			if troubles, requests := tab.Troubles(base); len(troubles) > 0 || requests == 0 {
				t.Errorf("%s: %s: %d requests, %v", name, page, requests, troubles)
			}
		}
	}
}

// scrollsBeyond returns the first box that scrolls sideways although its table fits into it: the fade at its edge would
// then hide figures unnecessarily.
const scrollsBeyond = `(() => {
	const e = Array.from(document.querySelectorAll(".scroll, .table-scroll")).find(e => e.firstElementChild &&
		e.scrollWidth > e.clientWidth && e.firstElementChild.getBoundingClientRect().width <= e.clientWidth);
	return e ? e.scrollWidth + " > " + e.clientWidth + " " + e.outerHTML.slice(0, 120) : "";
})()`

// chartsTooSmall returns the first chart that is not shown exactly once, or whose text is too small to read.
const chartsTooSmall = `(() => {
	for (const figure of document.querySelectorAll("figure.chart")) {
		const shown = Array.from(figure.querySelectorAll("svg, img")).filter(e => e.getClientRects().length > 0);
		if (shown.length !== 1) return shown.length + " pictures: " + figure.outerHTML.slice(0, 200);
		const texts = Array.from(shown[0].querySelectorAll("text"));
		const least = Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a));
		if (texts.length > 0 && least < 9) return "text is " + least + " px high: " + figure.outerHTML.slice(0, 200);
	}
	return "";
})()`

// TestFilesAreSavedAsTheyLieOnTheDisk checks that a run's page saves the bytes of its file, with the checksum that the
// page shows.
func TestFilesAreSavedAsTheyLieOnTheDisk(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	base := browser.Bases(t, dir)["file"]
	saved := 0
	for name, page := range files(t, dir) {
		if !strings.HasPrefix(name, "runs/") || !bytes.Contains(page, []byte(" data-save=")) {
			continue
		}
		tab.Do(chromedp.Navigate(base + name))
		got := browser.Await[[][]string](tab, `(async () => {
			const all = [], made = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
			for (const link of document.querySelectorAll("a[data-save]")) {
				let blob, called;
				URL.createObjectURL = (b) => (blob = b, made.call(URL, b));
				HTMLAnchorElement.prototype.click = function () { called = this.download; };
				link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
				URL.createObjectURL = made; HTMLAnchorElement.prototype.click = click;
				all.push([called, await blob.text(), link.closest("tr")?.querySelector("td.code").textContent ?? ""]);
			}
			return all;
		})()`)
		if len(got) != 2 {
			t.Fatalf("%s saves %d files, want one, from its note and its list", name, len(got))
		}
		for _, one := range got {
			file := path.Join("..", "..", "runs", path.Dir(strings.TrimPrefix(name, "runs/")), one[0])
			want, err := os.ReadFile(file)
			if err != nil || one[1] != string(want) || one[2] != "" && one[2] != fmt.Sprintf("%x", sha256.Sum256(want)) {
				t.Errorf("%s saves %s as\n%s\nwith the sum %s, want\n%s\n%v", name, one[0], one[1], one[2], want, err)
			}
		}
		if saved++; saved == 30 {
			return
		}
	}
	t.Errorf("only %d pages save a file", saved)
}
