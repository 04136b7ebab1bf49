package site

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/benchpost/benchpost/generator/internal/browser"
)

// chartPost has bar charts and scatter plots, in both languages.
const chartPost = "posts/qwen3-8b-quantization/index.html"

// inChart evaluates an expression on the page's chart with the given index, once it is interactive.
const inChart = `(async () => {
	const figure = document.querySelectorAll("figure[data-chart]")[%d];
	figure.scrollIntoView({ block: "center", behavior: "instant" });
	for (let n = 0; n < 200 && !figure.querySelector(".chart-stage"); n++) await new Promise(r => setTimeout(r, 20));
	await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
	const stage = figure.querySelector(".chart-stage");
	const svg = stage.querySelector("svg");
	const card = stage.querySelector(".chart-card");
	const focus = () => stage.querySelector("[data-live] [tabindex]");
	const middle = (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
	%s
})()`

func chartEval[T any](tab *browser.Tab, n int, body string) T {
	return browser.Await[T](tab, fmt.Sprintf(inChart, n, body))
}

func TestChartsInAPageCanBeUsed(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	for name, base := range browser.Bases(t, dir) {
		for lang, home := range map[string]string{"zh-CN": "", "en": "en/"} {
			t.Run(name+" "+lang, func(t *testing.T) {
				tab.Do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(base+home+chartPost))
				useChart(t, tab, lang)
				if troubles, _ := tab.Troubles(base); len(troubles) > 0 {
					t.Error(troubles)
				}
			})
		}
	}
}

func useChart(t *testing.T, tab *browser.Tab, lang string) {
	t.Helper()
	const n = 0
	expect := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s", what)
		}
	}
	state := func() string { return chartEval[string](tab, n, `return card.hidden ? "" : card.innerText`) }

	// The interactive chart replaces the picture, as wide as the text, and nothing moves.
	expect("the chart is where the picture was", chartEval[bool](tab, n, `return svg.viewBox.baseVal.width === 1200 && svg.getBoundingClientRect().width > 600`))
	expect("a chart is a group of values with a name", chartEval[bool](tab, n, `return svg.getAttribute("role") === "group" && svg.getAttribute("aria-label").length > 20`))

	// Pointing at a mark describes it; there is no description beside a mark.
	at := chartEval[[]float64](tab, n, `return middle(focus())`)
	tab.Do(chromedp.MouseEvent(cdp.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
	card := state()
	expect("the card has name and figure with its unit: "+card, strings.Contains(card, "Qwen3-8B") && strings.Contains(card, "tok/s"))
	label := chartEval[string](tab, n, `return focus().getAttribute("aria-label")`)
	expect("who listens hears the same: "+label, strings.Contains(label, "Qwen3-8B") && strings.Contains(label, "tok/s"))
	tab.Do(chromedp.MouseEvent(cdp.DispatchMouseEventTypeMouseMoved, at[0], at[1]-300))
	expect("beside the mark the card goes", state() == "")

	// On the keyboard, the arrow keys move from value to value.
	chartEval[bool](tab, n, `focus().focus(); return true`)
	expect("the focus shows it too", state() == card)
	first := label
	tab.Do(chromedp.KeyEvent(kb.ArrowDown))
	second := chartEval[string](tab, n, `return document.activeElement.getAttribute("aria-label")`)
	expect("down leads to another value", second != "" && second != first && state() != "")
	tab.Do(chromedp.KeyEvent(kb.ArrowUp))
	expect("up leads back", chartEval[string](tab, n, `return document.activeElement.getAttribute("aria-label")`) == first)
	tab.Do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Home))
	expect("there is one value to tab to", chartEval[int](tab, n, `return svg.querySelectorAll("[tabindex]").length`) == 1)

	// A name in the legend is a button that hides its series.
	drawn := `return svg.querySelectorAll('[fill="#d55e00"]').length`
	before := chartEval[int](tab, n, drawn)
	box := chartEval[[]float64](tab, n, `return middle(stage.querySelectorAll(".chart-keys button")[1])`)
	tab.Do(chromedp.MouseClickXY(box[0], box[1]))
	after := chartEval[int](tab, n, drawn)
	expect(fmt.Sprintf("a click hides the series: %d of %d", after, before), after < before && after > 0)
	expect("its button shows that", chartEval[string](tab, n, `return stage.querySelectorAll(".chart-keys button")[1].getAttribute("aria-pressed")`) == "false")
	chartEval[bool](tab, n, `stage.querySelectorAll(".chart-keys button")[1].focus(); return true`)
	tab.Do(chromedp.KeyEvent(" "))
	expect("a key shows it again", chartEval[int](tab, n, drawn) == before)
	expect("the change is announced", chartEval[string](tab, n, `return stage.querySelector("[role=status]").textContent`) != "")

	// Dragging a frame zooms in; Escape shows everything.
	tick := `return Array.from(svg.querySelectorAll("text"), t => t.textContent).join("|")`
	whole := chartEval[string](tab, n, tick)
	frame := chartEval[[]float64](tab, n, `const r = svg.getBoundingClientRect(); return [r.x + 0.55 * r.width, r.y + 0.4 * r.height, r.x + 0.8 * r.width]`)
	drag := func() {
		tab.Do(chromedp.MouseEvent(cdp.DispatchMouseEventTypeMousePressed, frame[0], frame[1], chromedp.ButtonType(cdp.MouseButtonLeft), chromedp.ClickCount(1)),
			chromedp.MouseEvent(cdp.DispatchMouseEventTypeMouseMoved, (frame[0]+frame[2])/2, frame[1]+2, chromedp.ButtonType(cdp.MouseButtonLeft)),
			chromedp.MouseEvent(cdp.DispatchMouseEventTypeMouseMoved, frame[2], frame[1]+3, chromedp.ButtonType(cdp.MouseButtonLeft)),
			chromedp.MouseEvent(cdp.DispatchMouseEventTypeMouseReleased, frame[2], frame[1]+3, chromedp.ButtonType(cdp.MouseButtonLeft), chromedp.ClickCount(1)))
	}
	drag()
	expect("a frame zooms in", chartEval[string](tab, n, tick) != whole)
	expect("no value is outside", chartEval[int](tab, n, `return svg.querySelectorAll("clipPath").length`) > 0)
	chartEval[bool](tab, n, `focus().focus(); return true`)
	tab.Do(chromedp.KeyEvent(kb.Escape))
	expect("Escape shows all", chartEval[string](tab, n, tick) == whole)
	drag()
	chartEval[bool](tab, n, `stage.querySelector(".chart-tools button").click(); return true`)
	expect("the button shows all", chartEval[string](tab, n, tick) == whole)
	chartEval[bool](tab, n, `focus().focus(); return true`)
	tab.Do(chromedp.KeyEvent("+"))
	expect("a key zooms in", chartEval[string](tab, n, tick) != whole)
	tab.Do(chromedp.KeyEvent("-"))
	expect("and out", chartEval[string](tab, n, tick) == whole)

	// A saved chart is complete by itself, in the colours of a light page.
	const saved = `
		const blobs = [];
		const made = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
		URL.createObjectURL = (b) => (blobs.push(b), made.call(URL, b));
		HTMLAnchorElement.prototype.click = () => {};
		const menu = (stage.closest("figure") ?? stage).querySelector(".panel");
		menu.querySelector("summary").click();
		for (const form of ["SVG", "PNG"]) Array.from(menu.querySelectorAll("fieldset:nth-of-type(2) button")).find(b => b.textContent === form).click();
		for (let i = 0; i < 100 && blobs.length < 2; i++) await new Promise(r => setTimeout(r, 20));
		URL.createObjectURL = made; HTMLAnchorElement.prototype.click = click;
		const [svgBlob, pngBlob] = blobs[0].type === "image/png" ? [blobs[1], blobs[0]] : blobs;
		const picture = await createImageBitmap(pngBlob);
		return [await svgBlob.text(), pngBlob.type, String(picture.width), String(picture.height)];`
	for _, scheme := range []string{"light", "dark"} {
		if _, err := chromedp.Call(tab.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
			t.Fatal(err)
		}
		files := chartEval[[]string](tab, n, saved)
		expect("the PNG is twice as large", files[1] == "image/png" && files[2] == "2400")
		for d := xml.NewDecoder(strings.NewReader(files[0])); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("the SVG is no XML: %v", err)
			}
		}
		expect("the SVG has resolved colours", strings.Contains(files[0], "rgb(255, 255, 255)") && !strings.Contains(files[0], "rgb(22, 24, 29)") && !strings.Contains(files[0], "class=") && !strings.Contains(files[0], "tabindex"))
	}

	// A shared address leads to the chart as it is shown; an embedding address shows only the chart.
	shared := chartEval[[]string](tab, n, `
		const texts = [];
		navigator.clipboard.writeText = async (t) => void texts.push(t);
		stage.querySelectorAll(".chart-keys button")[0].click();
		const menu = figure.querySelector(".panel");
		for (const b of menu.querySelectorAll("fieldset:first-of-type button, fieldset:last-of-type button")) b.click();
		await new Promise(r => setTimeout(r));
		return [location.hash, ...texts, figure.querySelector("a.embed").getAttribute("href")]`)
	fragment, link, code := shared[0], shared[1], shared[len(shared)-2]
	expect("the address names the chart and what is hidden: "+fragment, strings.HasPrefix(fragment, "#chart:throughput?") && strings.Contains(fragment, "hide="))
	expect("the link is that of the published page: "+link, strings.HasPrefix(link, "https://benchpost.example/") && strings.HasSuffix(link, fragment))
	expect("the table is there in every form", len(shared) == 8 && strings.HasPrefix(shared[2], "| ") && strings.Contains(shared[5], `\toprule`))
	expect("a frame shows the page alone: "+code, strings.HasPrefix(code, "<iframe src=\"https://benchpost.example/") && strings.Contains(code, strings.TrimLeft(shared[7], "./")+`"`))
	tab.Do(chromedp.Reload())
	expect("the address shows the same again", chartEval[string](tab, n, `return stage.querySelector(".chart-keys button").getAttribute("aria-pressed")`) == "false")

	// Enter opens the run.
	chartEval[bool](tab, n, `focus().focus(); return true`)
	tab.Do(chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("h1"))
	expect("Enter opens the run's page", strings.Contains(browser.Eval[string](tab, `location.pathname`), "/runs/"))
	expect("in the page's language", browser.Eval[string](tab, `document.documentElement.lang`) == lang)
}

// TestFiguresAreSavedAsTheBlogHasThem checks that the figures that a reader saves from a chart equal the file in the
// blog.
func TestFiguresAreSavedAsTheBlogHasThem(t *testing.T) {
	tab := browser.Open(t)
	dir := buildSample(t)
	bases := browser.Bases(t, filepath.Join(dir, "site"))
	files, err := filepath.Glob(filepath.Join(dir, "jekyll", "assets", "benchpost", "*", "*.csv"))
	if err != nil || len(files) < 20 {
		t.Fatalf("the blog has %d files of figures, error %v", len(files), err)
	}
	of := map[string][]string{} // page → files
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))[len("2006-01-02-"):]
		page := "posts/" + name + "/index.html"
		if slug, ok := strings.CutSuffix(name, "-en"); ok {
			page = "en/posts/" + slug + "/index.html"
		}
		of[page] = append(of[page], file)
	}
	for page, files := range of {
		tab.Do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(bases["file"]+page))
		charts := browser.Eval[[]string](tab, `[...document.querySelectorAll("figure[data-chart]")].map(f => f.dataset.chart)`)
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".csv")
			saved := chartEval[[]string](tab, slices.Index(charts, name), `
				const made = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
				let blob, called;
				URL.createObjectURL = (b) => (blob = b, made.call(URL, b));
				HTMLAnchorElement.prototype.click = function () { called = this.download; };
				const menu = figure.querySelector(".panel");
				menu.querySelector("summary").click();
				[...menu.querySelectorAll("button")].find(b => b.textContent === "CSV" && b.ariaLabel).click();
				URL.createObjectURL = made; HTMLAnchorElement.prototype.click = click;
				return [called, blob.type, await blob.text()]`)
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if saved[0] != name+".csv" || saved[1] != "text/csv" || saved[2] != string(want) {
				t.Errorf("%s: %s of type %s is saved as\n%s\nthe blog has\n%s", page, saved[0], saved[1], saved[2], want)
			}
		}
	}
}

// TestAliveChartsReplaceThePictures checks that a page shows every chart without scripts, and that with scripts the
// charts neither move nor look different, on wide and narrow screens.
func TestAliveChartsReplaceThePictures(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	base := browser.Bases(t, dir)["file"]
	scripts := func(off bool) {
		if _, err := chromedp.Call(tab.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off}); err != nil {
			t.Fatal(err)
		}
	}
	const places = `JSON.stringify(Array.from(document.querySelectorAll("figure[data-chart]"), f => {
		const svg = Array.from(f.querySelectorAll("svg.chart")).find(s => s.checkVisibility());
		const texts = Array.from(svg.querySelectorAll("text"), t => t.lastChild.data);
		return [f.offsetHeight, Math.round(svg.getBoundingClientRect().width), texts.join("|")];
	}))`
	for _, page := range []string{chartPost, "en/posts/power-and-scenarios/index.html"} {
		for _, width := range []int64{320, 1280, 1600} {
			scripts(true)
			tab.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(base+page))
			still := browser.Eval[string](tab, places)
			if n := browser.Eval[int](tab, `document.querySelectorAll("figure[data-chart] > div svg.chart").length`); n == 0 {
				t.Fatalf("%s shows no chart without scripts", page)
			}
			scripts(false)
			tab.Do(chromedp.Navigate(base + page))
			n := browser.Eval[int](tab, `document.querySelectorAll("figure[data-chart]").length`)
			for i := range n {
				chartEval[bool](tab, i, `return true`)
			}
			if alive := browser.Eval[string](tab, places); alive != still {
				t.Errorf("%s, %d wide: with scripts the charts are\n%s\nwithout\n%s", page, width, alive, still)
			}
			if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s is %d wide in a window of %d", page, wide, width)
			}
		}
	}
}

// TestAFrameShowsAChartAlone checks the address for embedding a chart in a frame. It shows the chart, its notes and its
// source, and nothing else of the page, with scripts and without, in light and dark themes. The chart is at the top of
// the frame.
func TestAFrameShowsAChartAlone(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	page := browser.Bases(t, dir)["file"] + chartPost
	for _, c := range []struct {
		name   string
		still  bool
		scheme string
	}{{"scripts", false, "light"}, {"no scripts", true, "dark"}} {
		if _, err := chromedp.Call(tab.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: c.still}); err != nil {
			t.Fatal(err)
		}
		dark := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.scheme}}}
		if _, err := chromedp.Call(tab.Ctx, emulation.SetEmulatedMedia, dark); err != nil {
			t.Fatal(err)
		}
		tab.Do(chromedp.EmulateViewport(600, 300), chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#frame:throughput"))
		seen := browser.Eval[[]string](tab, `[5, 150, 295].flatMap(y => [5, 300, 580].map(x => document.elementFromPoint(x, y))).filter(e => e.closest("figure")?.dataset.chart !== "throughput").map(e => e.outerHTML.slice(0, 80))`)
		if len(seen) > 0 {
			t.Errorf("%s: a frame shows %q", c.name, seen)
		}
		figure := browser.Eval[string](tab, `const f = document.querySelector("figure:has(> :target)"); [f.dataset.chart, f.getBoundingClientRect().top, f.querySelector(".from").innerText, getComputedStyle(f).backgroundColor].join("|")`)
		if !strings.HasPrefix(figure, "throughput|0|来源：") || strings.Contains(figure, "|rgb(2") == (c.scheme == "dark") {
			t.Errorf("%s: a frame shows the chart %q", c.name, figure)
		}
	}
}

// TestChartsCanBeTouched checks that the first touch shows the card and the second opens the run, and that a finger on
// a chart still scrolls the page vertically.
func TestChartsCanBeTouched(t *testing.T) {
	tab := browser.Open(t)
	dir := filepath.Join(buildSample(t), "site")
	base := browser.Bases(t, dir)["file"]
	tab.Do(chromedp.EmulateViewport(375, 800), chromedp.Navigate(base+chartPost))
	if got := chartEval[string](tab, 0, `return getComputedStyle(stage).touchAction`); got != "pan-y" {
		t.Errorf("touch-action is %s", got)
	}
	at := chartEval[[]float64](tab, 0, `return middle(focus())`)
	tap := func() {
		for _, kind := range []cdp.DispatchTouchEventType{cdp.DispatchTouchEventTypeTouchStart, cdp.DispatchTouchEventTypeTouchEnd} {
			params := cdp.DispatchTouchEventParams{Type: kind, TouchPoints: []*cdp.TouchPoint{}}
			if kind == cdp.DispatchTouchEventTypeTouchStart {
				params.TouchPoints = []*cdp.TouchPoint{{X: at[0], Y: at[1]}}
			}
			if _, err := chromedp.Call(tab.Ctx, cdp.DispatchTouchEvent, params); err != nil {
				t.Fatal(err)
			}
		}
	}
	tap()
	if card := chartEval[string](tab, 0, `for (let n = 0; n < 100 && card.hidden; n++) await new Promise(r => setTimeout(r, 20)); return card.innerText`); !strings.Contains(card, "tok/s") {
		t.Errorf("a touch shows %q", card)
	}
	if strings.Contains(browser.Eval[string](tab, `location.pathname`), "/runs/") {
		t.Fatal("the first touch opens the run")
	}
	tap()
	tab.Do(chromedp.WaitVisible(".page-run"))
}
