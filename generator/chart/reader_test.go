package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page/script"
	"github.com/benchpost/benchpost/generator/report"
)

// parts returns the attributes of all groups of a drawing that have the named attribute.
func parts(t *testing.T, svg []byte, name string) []map[string]string {
	t.Helper()
	return groups(t, svg, func(as map[string]string) bool { return has(as, name) })
}

// groups returns the attributes of some groups of a drawing.
func groups(t *testing.T, svg []byte, some func(map[string]string) bool) []map[string]string {
	t.Helper()
	var found []map[string]string
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		as := map[string]string{}
		for _, a := range start.Attr {
			as[strings.TrimPrefix(a.Name.Local, "data-")] = a.Value
		}
		if start.Name.Local == "g" && some(as) {
			found = append(found, as)
		}
	}
}

// marks returns the data of the values and lines of a drawing, completed as the script of a page does. For a
// narrow form, wide has those of the wide form.
func marks(t *testing.T, svg []byte, wide []map[string]string) []map[string]string {
	t.Helper()
	var all []map[string]string
	for i, g := range groups(t, svg, func(as map[string]string) bool { return has(as, "mark") || has(as, "points") }) {
		take := func(from map[string]string, names ...string) {
			for _, name := range names {
				if value, ok := from[name]; ok && !has(g, name) {
					g[name] = value
				}
			}
		}
		if wide != nil && !has(g, "title") && g["points"] == "" {
			delete(g, "points")
			take(wide[i], "title", "series", "of", "names", "units", "rows", "doubt", "beside", "run", "points")
		}
		if i > 0 {
			take(all[i-1], "title", "series", "names", "units", "reach")
		}
		if !has(g, "of") && g["title"] != g["series"] && !strings.HasSuffix(g["title"], " · "+g["series"]) {
			g["of"] = g["series"]
		}
		all = append(all, g)
	}
	return all
}

func has(as map[string]string, name string) bool {
	_, ok := as[name]
	return ok
}

// figuresOf returns the charts that are drawn: the small ones, or the chart itself.
func figuresOf(c report.Chart) []report.Chart {
	if len(c.Panels) == 0 {
		return []report.Chart{c}
	}
	var all []report.Chart
	for _, p := range c.Panels {
		all = append(all, p.Chart)
	}
	return all
}

// TestEveryValueCanBePointedAt checks that every value of every kind can be pointed at, with a title, figures,
// its run and its series, in the wide and the narrow form.
func TestEveryValueCanBePointedAt(t *testing.T) {
	t.Parallel()
	for name, c := range charts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := map[string]int{}
			for f, one := range figuresOf(c) {
				for i := range one.Series {
					one.Series[i].Points = slices.Clone(one.Series[i].Points)
					for k := range one.Series[i].Points {
						p := &one.Series[i].Points[k]
						if one.Kind == report.Histogram && p.Y <= 0 {
							continue
						}
						p.Run = fmt.Sprintf("run %d/%d/%d", f, i, k)
						if !p.Missing {
							want[locale.English(one.Series[i].Name)]++
						}
					}
				}
			}
			drawn := sketched(t, c, "en", DefaultTheme())
			wide := marks(t, drawn.SVG, nil)
			forms := map[string][]map[string]string{"wide": wide}
			if drawn.Narrow != nil {
				forms["narrow"] = marks(t, drawn.Narrow, wide)
			}
			for form, all := range forms {
				got, runs := map[string]int{}, map[string]bool{}
				for _, mark := range all {
					if has(mark, "points") {
						got[mark["series"]] += len(strings.Fields(mark["points"])) / 2
						continue
					}
					got[mark["series"]]++
					if mark["title"] == "" && mark["series"] == "" && c.Kind != report.GroupedBars && c.Kind != report.Dots {
						t.Errorf("%s: a value has no name: %v", form, mark)
					}
					if strings.Count(mark["rows"], "\n") != strings.Count(mark["names"], "\n") || mark["rows"] == "" {
						t.Errorf("%s: a value has the figures %q, named %q", form, mark["rows"], mark["names"])
					}
					if n := len(strings.Fields(mark["mark"])); n != 0 && n != 4 && (n != 2 || mark["reach"] == "") {
						t.Errorf("%s: a value has no place: %v", form, mark)
					}
					if runs[mark["run"]] {
						t.Errorf("%s: two values lead to %q", form, mark["run"])
					}
					runs[mark["run"]] = true
				}
				svg := map[string][]byte{"wide": drawn.SVG, "narrow": drawn.Narrow}[form]
				if boxes := len(firstBox.FindAll(svg, -1)); boxes != bytes.Count(svg, []byte(`data-mark=""`)) {
					t.Errorf("%s: only %d values without a place fill one", form, boxes)
				}
				if !maps.Equal(got, want) {
					t.Errorf("%s: values that can be pointed at are %v, want %v", form, got, want)
				}
			}
		})
	}
}

// firstBox matches a value whose place is the first shape drawn.
var firstBox = regexp.MustCompile(`data-mark=""[^>]*><path fill="[^"]*" d="M[\d.]+ [\d.]+H[\d.]+V[\d.]+H[\d.]+Z"`)

// TestEverySeriesOfALegendCanBeHidden checks that a legend names each of several series once, where it can be
// pressed.
func TestEverySeriesOfALegendCanBeHidden(t *testing.T) {
	t.Parallel()
	for name, c := range charts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svg := draw(t, c, "en").SVG
			series, keys := map[string]bool{}, map[string]int{}
			for _, one := range figuresOf(c) {
				for _, s := range one.Series {
					if slices.ContainsFunc(s.Points, func(p report.Point) bool { return !p.Missing }) {
						series[locale.English(s.Name)] = true
					}
				}
			}
			for _, key := range parts(t, svg, "key") {
				keys[key["key"]]++
				if key["box"] == "" || !series[key["key"]] {
					t.Errorf("the legend has %v", key)
				}
			}
			if len(series) > 1 && c.Kind != report.HeatMap && len(keys) < len(series) {
				t.Errorf("the legend has %v of the series %v", keys, series)
			}
		})
	}
}

// useEvery is a script that uses each chart of a page as a reader does, and returns what went wrong.
const useEvery = `(async () => {
	const wrong = [];
	const frame = () => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
	for (const figure of document.querySelectorAll("figure")) {
		const expect = (what, ok) => ok || wrong.push(figure.id + ": " + what);
		const before = figure.offsetHeight;
		figure.scrollIntoView({ block: "center" });
		for (let n = 0; n < 200 && !figure.querySelector(".chart-stage"); n++) await new Promise((r) => setTimeout(r, 10));
		await frame();
		expect("its height changes from " + before + " to " + figure.offsetHeight, figure.offsetHeight === before);
		const stage = figure.querySelector(".chart-stage"), card = stage.querySelector(".chart-card");
		const svg = () => stage.querySelector(":scope > svg");
		const focus = () => stage.querySelector("[data-live] [tabindex]");
		const key = (name) => focus().dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
		const texts = () => Array.from(svg().querySelectorAll("text"), (t) => t.textContent).join("|");
		const drawn = () => svg().querySelector("[aria-hidden]").innerHTML;
		const places = () => svg().querySelectorAll("[data-title]").length + Array.from(svg().querySelectorAll("[data-points]"), (g) => g.dataset.points.split(" ").length / 2).reduce((a, b) => a + b, 0);
		if (!focus()) {
			expect("no value can have the focus", figure.id === "empty");
			continue;
		}
		// Pointing at values: each has a card of its own, and listeners get the same.
		const whole = drawn();
		key("Home");
		expect("the focus tells nothing", !card.hidden && card.querySelector("dd")?.textContent);
		const told = new Set([focus().getAttribute("aria-label")]);
		for (let n = 0; n < 8; n++) {
			key(n % 2 ? "ArrowDown" : "ArrowRight");
			told.add(focus().getAttribute("aria-label"));
			const r = focus().getBoundingClientRect();
			stage.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: 0, clientY: 0 }));
			expect("a card stays", card.hidden);
			svg().dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: r.x + r.width / 2, clientY: r.y + r.height / 2 }));
			expect("a value that is pointed at tells nothing: " + focus().getAttribute("aria-label"), !card.hidden);
		}
		expect("the arrows lead nowhere", told.size > 1);
		key("Home");
		expect("no run opens", (location.hash = "", key("Enter"), location.hash.startsWith("#run")));
		// Hiding: what is of a series goes, all else stays where it is.
		const names = new Set(Array.from(stage.querySelectorAll(".chart-keys button"), (b) => b.textContent));
		for (const name of names) {
			const button = () => Array.from(stage.querySelectorAll(".chart-keys button")).find((b) => b.textContent === name);
			const ticks = Array.from(svg().querySelectorAll("[data-axis]"), (g) => g.innerHTML).join();
			button().click();
			expect(name + " is not hidden", button().ariaPressed === "false" && !Array.from(svg().querySelectorAll("[data-series]")).some((g) => g.dataset.series === name));
			expect("axes change without " + name, Array.from(svg().querySelectorAll("[data-axis]"), (g) => g.innerHTML).join() === ticks);
			button().click();
			expect(name + " does not come back", drawn() === whole);
		}
		// Zooming: other ticks, no value outside, and back.
		if (svg().querySelector("[data-plot] [data-scale]")) {
			const all = places(), labels = texts();
			key("Home");
			key("+");
			expect("there is nothing left", focus());
			expect("no axis changes", drawn() !== whole);
			const several = svg().querySelectorAll("[data-panel]").length > 0;
			if (svg().querySelector("[data-axis] text") && !svg().querySelector("[data-ticks]")) expect("ticks stay: " + labels, texts() !== labels);
			expect("values come from nowhere", places() <= all);
			for (const g of svg().querySelectorAll("[data-plot]")) {
				const [x0, y0, x1, y1] = g.dataset.plot.split(" ").map(Number);
				for (const m of g.querySelectorAll("[data-title][data-at]")) {
					const [x, y] = m.dataset.at.split(" ").map(Number);
					expect("a value is outside", x >= x0 - 2 && x <= x1 + 2 && y >= y0 - 2 && y <= y1 + 2);
				}
				expect("a place is no number", !/NaN|Infinity|undefined/.test(g.innerHTML));
			}
			key("Escape");
			expect("all does not come back", drawn() === whole);
		}
	}
	return wrong;
})()`

// tellAll is a script that returns the values of each chart as the script of a page knows them, wide and
// narrow.
const tellAll = `Array.from(document.querySelectorAll("figure"), (figure, i) => spare[i].map((svg) =>
	benchpost.chart.still(svg, { hidden: new Set(), view: {} }).marks.filter((m) => m.rows.length > 0 && !svg.querySelector("[data-points]")).map((m) =>
		[m.title, m.series, svg.querySelector("[data-panel]") ? m.of.split(" · ")[1] ?? "" : m.of, m.rows.flat().join(), m.doubts.join(), m.beside, m.run].join("|"))))`

// told returns the same values from the layout.
func told(l *layout) []string {
	_, cards := l.vectors("", nil)
	all := []string{}
	for _, c := range cards {
		if c.line != nil {
			continue
		}
		var rows []string
		for _, r := range c.rows {
			if r.value != "" {
				rows = append(rows, r.name, r.value)
			}
		}
		all = append(all, strings.Join([]string{c.title, c.series, c.of, strings.Join(rows, ","), c.doubt, c.beside, c.run}, "|"))
	}
	return all
}

// TestEveryKindCanBeUsed checks that a reader can point at, hide, zoom and open the values of every kind of
// chart.
func TestEveryKindCanBeUsed(t *testing.T) {
	need.Thorough(t, "it takes a browser; what Go writes is tested in TestEveryValueCanBePointedAt, what the script makes of it in its own tests")
	tab := browser.Open(t)
	bundle, err := script.Bundle("chart")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "chart.js"), bundle, 0o644); err != nil {
		t.Fatal(err)
	}
	style, err := os.ReadFile("../page/layouts/style.css")
	if err != nil {
		t.Fatal(err)
	}
	p := printer(t, "en")
	var words []string
	for key, form := range p.Forms("chart.") {
		words = append(words, fmt.Sprintf("%q:%q", key, form))
	}
	var want [][][]string // values of each chart, in both forms
	for _, width := range []int64{1280, 375} {
		page := `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><style>` + string(style) + DefaultTheme().Style(DarkTheme()) +
			`</style><script type="application/json" id="words">{` + strings.Join(words, ",") + `}</script><script src="chart.js" defer></script>`
		for _, name := range slices.Sorted(maps.Keys(charts())) {
			c := charts()[name]
			for _, one := range figuresOf(c) {
				for i := range one.Series {
					for k := range one.Series[i].Points {
						one.Series[i].Points[k].Run = fmt.Sprintf("run-%d-%d", i, k)
					}
				}
			}
			drawn := sketched(t, c, "en", DefaultTheme())
			if width == 1280 {
				l := arrangedIn(t, c, "en", DefaultTheme())
				forms := [][]string{told(l)}
				if narrow := narrowForm(c, p, DefaultTheme()); narrow != nil {
					forms = append(forms, told(narrow))
				}
				want = append(want, forms)
			}
			page += `<figure class="chart" id="` + html.EscapeString(name) + `" data-chart="a" data-runs="#"><div>`
			if drawn.Narrow != nil {
				page += `<span class="wide">` + string(drawn.SVG) + `</span><span class="narrow" hidden>` + string(drawn.Narrow) + `</span>`
			} else {
				page += string(drawn.SVG)
			}
			page += `</div></figure>`
		}
		if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		tab.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/index.html"))
		if width == 1280 {
			browser.Eval[bool](tab, `(spare = Array.from(document.querySelectorAll("figure"), (f) => benchpost.chart.spelled([...f.querySelectorAll("svg.chart")])), true)`)
			if got := browser.Eval[[][][]string](tab, tellAll); !reflect.DeepEqual(got, want) {
				for i := range want {
					if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
						t.Errorf("chart %d tells %q, want %q", i, got[i], want[i])
					}
				}
			}
		}
		for _, wrong := range browser.Await[[]string](tab, useEvery) {
			t.Errorf("%d wide: %s", width, wrong)
		}
		if troubles, _ := tab.Troubles("file://"); len(troubles) > 0 {
			t.Error(troubles)
		}
	}
}
