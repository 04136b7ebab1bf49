package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page/script"
	"github.com/benchpost/benchpost/generator/result"
)

// sample returns a copy of the sample site with the current scripts.
func sample(t testing.TB) string {
	t.Helper()
	from := filepath.Join("..", "..", "public", "site")
	need.Path(t, from)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, entry := range script.Entries {
		data, err := script.Bundle(entry)
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, "script/"+entry+".js", string(data))
	}
	return dir
}

func read(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// replaced returns a text with one place changed.
func replaced(t testing.TB, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("there is no %q", old)
	}
	return strings.Replace(text, old, new, 1)
}

// reader is a browser tab with a served site.
type reader struct {
	*browser.Tab
	t testing.TB
	s *Server
}

// open opens a page in a wide window, and waits until it follows the site.
func (r *reader) open(path string) {
	r.t.Helper()
	r.Do(chromedp.EmulateViewport(1200, 800), chromedp.Navigate(r.s.Address()+path))
	r.ready()
}

func (r *reader) ready() {
	r.t.Helper()
	r.Until(`document.readyState === "complete" && !!document.querySelector("benchpost-live")`)
	r.following()
}

// following waits until the page has its event stream.
func (r *reader) following() {
	r.t.Helper()
	need.Until(r.t, func() bool { return len(r.s.Open()) > 0 }, func() string { return "the page does not follow the site" })
}

// remember marks the document, so that a reload is noticed.
func (r *reader) remember() { browser.Eval[bool](r.Tab, `self.remembered = true`) }

// same checks that the page was not reloaded.
func (r *reader) same() {
	r.t.Helper()
	if !browser.Eval[bool](r.Tab, `self.remembered === true`) {
		r.t.Error("the page was loaded anew")
	}
}

// change writes files and notifies pages, as a build does.
func (r *reader) change(files map[string]string) {
	var paths []string
	for path, text := range files {
		r.s.Put(path, []byte(text))
		paths = append(paths, path)
	}
	slices.Sort(paths)
	r.s.Changed(paths)
}

func reading(t testing.TB, dir string) *reader {
	t.Helper()
	tab := browser.Open(t)
	return &reader{tab, t, serving(t, Options{Dir: dir})}
}

const post = "en/posts/qwen3-8b-quantization/index.html"

// TestMorph changes hand-made pages from one source to the next. In each case scripts have changed the page in between.
// Elements have letters that only the page has, so that the test can find which elements were kept.
func TestMorph(t *testing.T) {
	dir := site(t)
	if err := os.CopyFS(filepath.Join(dir, "modules"), os.DirFS(filepath.Join("..", "page", "script"))); err != nil {
		t.Fatal(err)
	}
	r := reading(t, dir)
	r.open("bare.html")
	type morph struct{ Name, Was, Script, Will, Want string }
	cases := []morph{
		{"nothing", `<p>a</p>`, ``, `<p>a</p>`, `<p!>a</p>`},
		{"text", `<p>a</p><p>b</p>`, ``, `<p>a</p><p>c</p>`, `<p!>a</p><p!>c</p>`},
		{"a row between", `<ul><li>a</li><li>c</li></ul>`, ``, `<ul><li>a</li><li>b</li><li>c</li></ul>`, `<ul!><li!>a</li><li>b</li><li!>c</li></ul>`},
		{"a row gone", `<ul><li>a</li><li>b</li><li>c</li></ul>`, ``, `<ul><li>a</li><li>c</li></ul>`, `<ul!><li!>a</li><li!>c</li></ul>`},
		{"known by its link", `<ul><li><a href="x">x</a> 1</li><li><a href="y">y</a> 1</li></ul>`, ``,
			`<ul><li><a href="y">y</a> 2</li><li><a href="x">x</a> 1</li></ul>`, `<ul!><li!><a! href="y">y</a> 2</li><li!><a! href="x">x</a> 1</li></ul>`},
		{"known by its id", `<p id="a">1</p><p id="b">2</p>`, ``, `<p id="n">0</p><p id="b">3</p>`, `<p id="n">0</p><p! id="b">3</p>`},
		{"attributes", `<p class="a b" title="x" lang="en">a</p>`, `q("p").classList.add("own"); q("p").dir = "ltr"`,
			`<p class="b c" lang="zh">a</p>`, `<p! class="own b c" lang="zh" dir="ltr">a</p>`},
		{"open details", `<details><summary>s</summary>1</details>`, `q("details").open = true`, `<details><summary>s</summary>2</details>`, `<details! open=""><summary!>s</summary>2</details>`},
		{"what a script has wrapped", `<pre>a</pre><p>b</p>`, `const box = page.createElement("div"); q("pre").replaceWith(box); box.append(pre)`,
			`<pre>a</pre><p>new</p><p>b</p>`, `<div><pre!>a</pre></div><p>new</p><p!>b</p>`},
		{"what a script has put behind", `<p>a</p><p>b</p>`, `q("p").after(page.createElement("hr"))`, `<p>a</p><p>new</p><p>b</p>`, `<p!>a</p><hr><p>new</p><p!>b</p>`},
		{"what a script has taken", `<p>a</p><p id="t">b</p><p>c</p>`, `q("#t").remove()`, `<p>a</p><p id="t">B</p><p>c</p><p>d</p>`, `<p!>a</p><p!>c</p><p>d</p>`},
		{"what a script has sorted", `<ul><li>a</li><li>b</li></ul>`, `q("ul").append(q("li"))`, `<ul><li>a</li><li>B</li></ul>`, `<ul!><li!>B</li><li!>a</li></ul>`},
		{"what a script has written", `<p>a</p>`, `q("p").firstChild.data = "script"`, `<p>b</p>`, `<p!>b</p>`},
		{"a figure whose drawing was replaced", `<figure><a>1</a><p>x</p></figure>`, `q("a").replaceWith(page.createElement("div"))`,
			`<figure><a>2</a><em>new</em><p>y</p></figure>`, `<figure!><div></div><em>new</em><p!>y</p></figure>`},
		{"other elements", `<p>a</p>`, ``, `<h2>a</h2>`, `<h2>a</h2>`},
		{"a script of the source is not run", `<p>a</p>`, ``, `<p>a</p><script src="x.js"></scr` + `ipt>`, `<p!>a</p><!---->`},
		{"data is taken", `<script type="application/json">1</scr` + `ipt>`, ``, `<script type="application/json">2</scr` + `ipt>`, `<script! type="application/json">2</scr` + `ipt>`},
		{"what is there for those without scripts", `<noscript><p>a</p></noscript>`, ``, `<noscript><p>b</p></noscript>`, `<noscript!><p!>a</p></noscript>`},
		{"to nothing", `<p>a</p>`, ``, ``, ``},
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	got := browser.Await[[]string](r.Tab, `(async (cases) => {
		const { Source } = await import("/modules/live/morph.js");
		const parse = (body) => new DOMParser().parseFromString("<!DOCTYPE html><html><head></head><body>" + body + "</body></html>", "text/html");
		return cases.map(({ Was, Script, Will }) => {
			const page = parse(Was);
			const source = new Source(page);
			const kept = new Set(page.querySelectorAll("body *"));
			const q = (s) => page.querySelector(s);
			new Function("page", "q", "pre", Script)(page, q, q("pre"));
			const next = parse(Will);
			for (const step of source.plan(next)) step.run();
			if (source.source.body.innerHTML !== parse(Will).body.innerHTML.replace(/<noscript>.*<.noscript>/, "<noscript></noscript>")) return "the source is " + source.source.body.innerHTML;
			if (source.plan(parse(Will)).length > 0) return "it is not done";
			for (const e of page.querySelectorAll("body *")) if (kept.has(e)) e.setAttribute("kept", "");
			return page.body.innerHTML.replace(/<(\w+)([^>]*?) kept=""/g, "<$1!$2");
		});
	})(`+string(data)+`)`)
	for i, c := range cases {
		if got[i] != c.Want {
			t.Errorf("%s:\n%s\ninstead of\n%s", c.Name, got[i], c.Want)
		}
	}

	// Whatever the sources are, the page becomes the second.
	wrong := browser.Await[string](r.Tab, `(async () => {
		const { Source } = await import("/modules/live/morph.js");
		let seed = 1;
		const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
		const tags = ["p", "ul", "li", "b", "section"];
		const tree = (deep) => Array.from({ length: random(6) }, () => {
			const tag = tags[random(tags.length)];
			return random(4) === 0 ? "text " + random(5) : "<" + tag + (random(3) ? "" : ' id="i' + random(9) + '"') + (random(3) ? "" : ' class="c' + random(3) + '"') + ">" + (deep ? tree(deep - 1) : random(9)) + "</" + tag + ">";
		}).join(random(2) ? "\n" : "");
		const parse = (body) => new DOMParser().parseFromString("<body>" + body, "text/html");
		for (let i = 0; i < 3000; i++) {
			const [was, will] = [tree(3), tree(3)];
			const page = parse(was);
			const source = new Source(page);
			for (const text of [will, was]) {
				for (const step of source.plan(parse(text))) step.run();
				for (const made of [page, source.source]) {
					if (made.body.innerHTML !== parse(text).body.innerHTML) return was + "\n=> " + will + "\n=> " + made.body.innerHTML;
				}
			}
		}
		return "";
	})()`)
	if wrong != "" {
		t.Error(wrong)
	}
}

// TestAPostChangesInPlace checks that the state of a reader survives changes above and around it.
func TestAPostChangesInPlace(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	text := read(t, dir, post)
	text = replaced(t, text, `<div class="prose`, `<div id="typing"><input><textarea></textarea></div><details id="notes"><summary>notes</summary>hidden</details><div class="prose`)
	put(t, dir, post, text)
	r.open(post)
	r.remember()
	r.Until(`document.querySelectorAll("table button.turn").length > 0`)
	browser.Eval[bool](r.Tab, `(() => {
		document.querySelector("#notes").open = true;
		document.querySelector("#typing input").value = "typed";
		document.querySelector("textarea").value = "more";
		self.table = [...document.querySelectorAll("main table")].find((t) => t.querySelector("button.turn"));
		const turns = table.querySelectorAll("button.turn");
		turns[turns.length - 1].click();
		self.order = [...table.tBodies[0].rows].map((r) => r.cells[0].textContent);
		self.code = document.querySelectorAll(".copyable").length;
		self.tools = document.querySelectorAll(".tools").length;
		self.headings = [...document.querySelectorAll(".prose h2")];
		self.eye = headings.at(-1);
		eye.scrollIntoView({ behavior: "instant" });
		self.top0 = eye.getBoundingClientRect().top;
		document.querySelector("textarea").focus({ preventScroll: true });
		document.querySelector("textarea").setSelectionRange(1, 3);
		const animate = Element.prototype.animate;
		Element.prototype.animate = function (frames, options) {
			self.marked ||= options.id === "benchpost-changed"; // a mark fades
			return animate.call(this, frames, options);
		};
		return true;
	})()`)

	first := browser.Eval[string](r.Tab, `table.tBodies[0].rows[0].outerHTML ? [...document.querySelectorAll(".prose > p")][0].textContent.slice(0, 30) : ""`)
	next := replaced(t, text, `<div id="typing">`, `<p id="above">`+strings.Repeat("A new paragraph above. ", 60)+`</p><div id="typing">`)
	next = replaced(t, next, ">"+first, ">Changed: "+first) // the head has it in the page's description, too
	near := browser.Eval[string](r.Tab, `eye.firstChild.textContent.trim()`)
	next = strings.ReplaceAll(next, ">"+near, ">changed "+near)
	next = addRow(t, next)
	r.change(map[string]string{post: next})
	r.Until(`!!document.getElementById("above")`)
	r.Until(`performance.getEntriesByName("benchpost-updated").length > 0`)
	r.same()
	for _, expression := range []string{
		`Math.abs(eye.getBoundingClientRect().top - top0) < 1.5`,
		`document.querySelector("#notes").open`,
		`document.querySelector("#typing input").value === "typed" && document.querySelector("textarea").value === "more"`,
		`document.activeElement.localName === "textarea" && document.activeElement.selectionStart === 1 && document.activeElement.selectionEnd === 3`,
		`eye.textContent.startsWith("changed ")`,
		`headings.every((h) => h.isConnected)`,
		`document.querySelector(".prose").textContent.includes("Changed: ")`,
		`table.isConnected && table.tBodies[0].rows.length === order.length + 1`,
		`table.querySelector("[aria-sort]") !== null`,
		`document.querySelectorAll(".copyable").length === code && document.querySelectorAll(".tools").length === tools && table.querySelectorAll("button.turn button.turn").length === 0`,
		`(() => { const rows = [...table.tBodies[0].rows].filter((r) => !r.dataset.key).map((r) => r.cells[0].textContent); return rows.filter((r) => order.includes(r)).join() === order.join() })()`,
		`self.marked === true`,
		`document.querySelector("benchpost-live").shadowRoot.querySelector("[role=status]").textContent === "The page has been updated."`,
		`document.querySelector("benchpost-live").shadowRoot.adoptedStyleSheets.length === 1`,
	} {
		r.Until(expression)
	}

	// Changed back, the page is as it was built.
	r.change(map[string]string{post: text})
	r.Until(`!document.getElementById("above")`)
	r.same()
	r.Until(`[...table.tBodies[0].rows].map((r) => r.cells[0].textContent).join() === order.join()`)
	if troubles, _ := r.Troubles(r.s.Address()); len(troubles) > 0 {
		t.Errorf("%v", troubles)
	}
}

// addRow duplicates a row of the first sortable table, with another name.
func addRow(t *testing.T, text string) string {
	t.Helper()
	at := strings.Index(text, "<tbody>")
	end := at + strings.Index(text[at:], "</tr>") + len("</tr>")
	row := text[at+len("<tbody>") : end]
	return text[:end] + strings.Replace(row, ">", ` data-key="added">`, 1) + text[end:]
}

// TestChartsTakeNewData checks that a chart draws its new figures in the same place.
func TestChartsTakeNewData(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	r.open(post)
	r.remember()
	r.Until(`document.querySelector("figure[data-chart]").scrollIntoView(), !!document.querySelector("figure .live svg")`)
	text := read(t, dir, post)
	was := regexp.MustCompile(`<text [^>]*font-weight="700"[^>]*>([^<]+)</text>`).FindStringSubmatch(text)
	r.change(map[string]string{post: strings.ReplaceAll(text, ">"+was[1]+"</text>", ">Another title</text>")})
	r.Until(`!!document.querySelector("figure .live svg")?.textContent.includes("Another title")`)
	r.same()
	if n := browser.Eval[int](r.Tab, `document.querySelectorAll("figure .live").length - new Set([...document.querySelectorAll("figure .live")].map((l) => l.closest("figure"))).size`); n != 0 {
		t.Errorf("%d charts are there twice", n)
	}
}

// TestTheExplorerTakesNewData checks that the explorer shows new results with the reader's settings.
func TestTheExplorerTakesNewData(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	r.open("en/results/index.html")
	r.Until(`document.querySelectorAll(".grid tbody tr").length > 3`)
	r.remember()
	browser.Eval[bool](r.Tab, `(() => {
		const search = document.querySelector(".explorer input[type=search]");
		search.value = "qwen3";
		search.dispatchEvent(new Event("input"));
		search.focus();
		search.setSelectionRange(2, 4);
		document.querySelectorAll(".grid th button.sort")[1].click();
		search.focus();
		document.querySelector(".explorer details summary").click();
		const grid = document.querySelector(".grid-scroll");
		return true;
	})()`)
	hash := browser.Eval[string](r.Tab, `location.hash`)
	count := browser.Eval[string](r.Tab, `document.querySelector(".count").textContent`)
	const name = "data/columns/0.js"
	text := read(t, dir, name)
	id := browser.Eval[string](r.Tab, `benchpost["columns/0"].ids[0]`)
	figure := browser.Eval[string](r.Tab, `String(benchpost["columns/0"].metrics.output_throughput.split(",").find((cell) => /^\d+\.\d+$/.test(cell)))`)
	r.change(map[string]string{name: strings.Replace(text, figure, "9"+figure, 1)})
	r.Until(`document.getAnimations().some((a) => a.id === "benchpost-changed")`)
	r.change(map[string]string{name: strings.ReplaceAll(text, `"`+id+`"`, `"`+id+`-again"`)})
	r.Until(`benchpost["columns/0"].ids[0].endsWith("-again") && [...document.querySelectorAll(".grid a")].some((a) => a.href.includes("-again"))`)
	r.same()
	for name, expression := range map[string]string{
		"the address": fmt.Sprintf(`location.hash === %q`, hash),
		"the search":  `document.querySelector(".explorer input[type=search]").value === "qwen3"`,
		"its count":   fmt.Sprintf(`document.querySelector(".count").textContent === %q`, count),
		"the focus":   `document.activeElement.type === "search" && document.activeElement.selectionEnd === 4`,
		"the panel":   `document.querySelector(".explorer details").open`,
		"the order":   `document.querySelectorAll(".grid [aria-sort]").length === 1`,
		"one grid":    `document.querySelectorAll(".grid").length === 1 && document.querySelectorAll(".unless-explored").length === 0`,
	} {
		if !browser.Eval[bool](r.Tab, expression) {
			t.Errorf("%s did not survive: %s", name, browser.Eval[string](r.Tab, `location.hash + " " + document.querySelector(".count").textContent`))
		}
	}
	if troubles, _ := r.Troubles(r.s.Address()); len(troubles) > 0 {
		t.Errorf("%v", troubles)
	}
}

// TestChoicesSurviveNewData checks that the pages for comparison and advice use new results with the reader's choices.
func TestChoicesSurviveNewData(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	const name = "data/columns/0.js"
	text := read(t, dir, name)
	for _, c := range []struct{ path, made, typed, shown string }{
		{"en/compare/index.html", ".picker", "#compare input[type=search]", "#compare"},
		{"en/deploy/index.html", ".advice", "", "#deploy"},
	} {
		r.open(c.path)
		r.Until(`!!document.querySelector(` + quote(c.made) + `)`)
		r.remember()
		ids := browser.Eval[[]string](r.Tab, `benchpost["columns/0"].ids`)
		if c.typed != "" {
			browser.Eval[bool](r.Tab, `(() => {
				location.hash = "run=`+ids[0]+`&run=`+ids[1]+`";
				const field = document.querySelector(`+quote(c.typed)+`);
				field.value = "qwen";
				field.dispatchEvent(new Event("input"));
				field.focus();
				return true;
			})()`)
			r.Until(`document.querySelector("#compare").textContent.includes(` + quote(ids[1]) + `)`)
		}
		hash := browser.Eval[string](r.Tab, `location.hash`)
		browser.Eval[bool](r.Tab, `self.old = document.querySelector(`+quote(c.shown)+`).innerHTML, self.field = document.activeElement, true`)
		figure := browser.Eval[string](r.Tab, `String(benchpost["columns/0"].metrics.output_throughput.split(",").find((cell) => /^\d+\.\d+$/.test(cell)))`)
		if !strings.Contains(text, figure) {
			t.Fatalf("there is no %s", figure)
		}
		r.change(map[string]string{name: strings.Replace(text, figure, "9"+figure, 1)})
		r.Until(`document.querySelector(` + quote(c.shown) + `).innerHTML !== old`)
		r.same()
		if got := browser.Eval[bool](r.Tab, `location.hash === `+quote(hash)+` && document.querySelectorAll(`+quote(c.made)+`).length === 1 && document.activeElement === field`); !got {
			t.Errorf("%s: the choice or the focus is lost", c.path)
		}
		if c.typed != "" && browser.Eval[string](r.Tab, `document.querySelector(`+quote(c.typed)+`).value`) != "qwen" {
			t.Errorf("%s: what was typed is lost", c.path)
		}
		r.s.Settle([]string{name})
		r.s.Changed([]string{name})
	}
	if troubles, _ := r.Troubles(r.s.Address()); len(troubles) > 0 {
		t.Errorf("%v", troubles)
	}
}

func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

func TestStyleAndPicturesAreExchanged(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	r.open("en/index.html")
	r.remember()
	r.change(map[string]string{"style.css": read(t, dir, "style.css") + "\nmain { letter-spacing: 3px }\n"})
	r.Until(`getComputedStyle(document.querySelector("main")).letterSpacing === "3px"`)
	r.change(map[string]string{"style.css": read(t, dir, "style.css") + "\nmain { letter-spacing: 5px }\n"})
	r.Until(`getComputedStyle(document.querySelector("main")).letterSpacing === "5px" && document.querySelectorAll("link[rel=stylesheet]").length === 1`)
	r.change(map[string]string{"favicon.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"/>`})
	r.Until(`document.querySelector(".brand img").naturalWidth === 9`)
	r.same()
}

// TestAScriptThatChangesIsRunAnew checks that a page that cannot be changed in place is reloaded, and that the reader's
// position is kept.
func TestAScriptThatChangesIsRunAnew(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	text := replaced(t, read(t, dir, post), `<div class="prose`, `<input id="typed"><div class="prose`)
	put(t, dir, post, text)
	r.open(post)
	r.remember()
	browser.Eval[bool](r.Tab, `document.querySelector("#typed").value = "typed", scrollTo({ top: 900, behavior: "instant" }), true`)
	y := browser.Eval[float64](r.Tab, `scrollY`)
	r.change(map[string]string{"script/site.js": read(t, dir, "script/site.js") + ";self.again = true;"})
	r.Until(`self.again === true && self.remembered === undefined && document.readyState === "complete"`)
	r.Until(fmt.Sprintf(`document.querySelector("#typed").value === "typed" && Math.abs(scrollY - %v) < 2`, y))
}

func TestAPageThatIsGoneAndComesBack(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	r.open(post)
	r.remember()
	r.s.Put(post, nil)
	r.s.Changed([]string{post})
	r.Until(inPanel + `.textContent.includes("no longer part of the site")`)
	if !browser.Eval[bool](r.Tab, `!!document.querySelector(".prose h2")`) {
		t.Error("what could be read is gone")
	}
	r.s.Settle([]string{post})
	r.s.Changed([]string{post})
	r.Until(inPanel + `.querySelector(".line").hidden`)
	r.same()

	// A page that does not exist yet.
	r.open("en/posts/to-come/")
	r.change(map[string]string{"en/posts/to-come/index.html": `<!DOCTYPE html><html lang="en"><head><title>x</title></head><body><p id="come">come</p></body></html>`})
	r.Until(`!!document.getElementById("come")`)
}

const inPanel = `document.querySelector("benchpost-live").shadowRoot`

func fault(n int) Fault {
	return Fault{
		Message: result.Message{Pos: result.Position{File: "content/posts/thor.md", Line: 12 + n, Column: 3}, Severity: result.Error, ID: "block.unknown",
			Text: locale.Textf(`no run matches model = "Qwen3-9B" <img src=x onerror=alert(1)>`), Hint: locale.Textf(`there are "Qwen3-8B" and "Qwen3-8B-FP8"`)},
		First:   10 + n,
		Snippet: []string{"```bench", "table = \"throughput\"", "where.model = \"Qwen3-9B\" # a line that is longer than the panel is wide, so that it has to be scrolled to be read to its end", "```"},
	}
}

func stateShown() State {
	return State{
		Broken: true,
		Faults: []Fault{fault(0), fault(9)},
		Notices: []Notice{{
			Message: result.Message{Pos: result.Position{File: "runs/thor/qwen3-8b/high.txt", Line: 4}, Severity: result.Warning, ID: "cache.warm", Text: locale.Textf("the prefix cache was warm: 61 % of the prompt tokens came from it"), Hint: locale.Textf("start the server anew, or give --no-enable-prefix-caching")},
			Run:     "thor/qwen3-8b/high", Title: locale.Lit("Qwen3-8B · 高负载"), Page: "runs/jetson-thor/qwen3-8b/high.html",
			Command: "vllm bench serve --model Qwen/Qwen3-8B --dataset-name random --num-prompts 400 --max-concurrency 16",
		}},
		Running: []Running{
			{Title: locale.Lit("Qwen3-32B-FP8 · c16"), File: "runs/thor/qwen3-32b-fp8/high.txt", Page: "runs/jetson-thor/x.html", Done: 120, Total: 400, Elapsed: 130 * time.Second, Left: 303 * time.Second, Rate: 0.92, Unit: "req/s"},
			{Title: locale.Lit("Qwen3-30B-A3B · c64"), File: "runs/thor/x.txt", Elapsed: 12 * time.Second, Left: -1},
		},
	}
}

func TestFaultsAppearOverTheLastGoodPage(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	r.open(post)
	r.remember()
	r.s.Say(stateShown())
	r.Until(inPanel + `.querySelectorAll(".faults li").length === 2`)
	for name, expression := range map[string]string{
		"file and line":       `.querySelector(".faults .where").textContent === "content/posts/thor.md:12:3"`,
		"text as text":        `.querySelector(".faults .text").textContent.includes("<img src=x") && $.querySelectorAll("img").length === 0`,
		"the line":            `.querySelector(".faults mark").textContent.startsWith("12where.model")`,
		"the hint":            `.querySelector(".faults .hint").textContent.includes("Qwen3-8B-FP8")`,
		"the run":             `.querySelector(".notices a").getAttribute("href") === "/runs/jetson-thor/qwen3-8b/high.html"`,
		"the command":         `.querySelector(".again pre").textContent.startsWith("vllm bench serve")`,
		"the running":         `.querySelectorAll(".running .run").length === 2 && $.querySelector(".running .text").textContent === "120 of 400 · 0.92 req/s · 2 min 10 s elapsed · about 5 min 3 s left"`,
		"how far it is":       `.querySelector("progress").value === 0.3 && !$.querySelectorAll("progress")[1].hasAttribute("value")`,
		"the page beneath it": `.host.parentNode.querySelector(".prose h2") !== null`,
		"not printed":         `.adoptedStyleSheets[0].cssRules.length > 0`,
	} {
		if !browser.Eval[bool](r.Tab, strings.ReplaceAll(inPanel+expression, "$", inPanel)) {
			t.Errorf("%s is not shown", name)
		}
	}
	// Folded by keyboard, it stays folded when the state is sent again.
	browser.Eval[bool](r.Tab, inPanel+`.querySelector(".faults summary").focus() ?? true`)
	r.Press("\r")
	r.Until(`!` + inPanel + `.querySelector(".faults details").open`)
	again := stateShown()
	again.Running[0].Done = 121
	again.Faults = again.Faults[:1]
	r.s.Say(again)
	r.Until(inPanel + `.querySelectorAll(".faults li").length === 1`)
	if !browser.Eval[bool](r.Tab, `!`+inPanel+`.querySelector(".faults details").open && `+inPanel+`.activeElement?.localName === "summary"`) {
		t.Error("it opens again, or loses the focus")
	}
	// A dismissed notice stays dismissed, on other pages as well.
	browser.Eval[bool](r.Tab, inPanel+`.querySelector(".notices .drop").click() ?? true`)
	r.Until(inPanel + `.querySelectorAll(".notices li").length === 0`)
	r.same()
	r.open("en/index.html")
	r.Until(inPanel + `.querySelectorAll(".faults li").length === 1`)
	if n := browser.Eval[int](r.Tab, inPanel+`.querySelectorAll(".notices li").length`); n != 0 {
		t.Error("a dismissed notice is back")
	}
	r.s.Say(State{})
	r.Until(inPanel + `.querySelectorAll(".faults *, .notices *, .running *").length === 0`)
	if got := browser.Eval[string](r.Tab, inPanel+`.querySelector("[role=status]").textContent`); got != "The faults are mended." {
		t.Logf("said: %q", got)
	}
	if troubles, _ := r.Troubles(r.s.Address()); len(troubles) > 0 {
		t.Errorf("%v", troubles)
	}
}

func TestPanelsAreAccessible(t *testing.T) {
	r := reading(t, sample(t))
	r.open(post)
	for _, theme := range []string{"light", "dark"} {
		r.s.Say(stateShown())
		r.Until(inPanel + `.querySelectorAll(".faults li").length === 2`)
		browser.Eval[bool](r.Tab, `document.documentElement.dataset.theme = `+quote(theme)+`, `+inPanel+`.querySelectorAll("details").forEach((d) => d.open = true), true`)
		if problems := checker.Accessibility(t, r.Tab); len(problems) > 0 {
			t.Errorf("%s: %v", theme, problems)
		}
	}
	if got := browser.Eval[string](r.Tab, `getComputedStyle(`+inPanel+`.querySelector(".panel")).backgroundColor`); got != "rgb(23, 27, 31)" {
		t.Errorf("on a dark page the panel is %s", got)
	}
}

// TestAHiddenTabAsksWhenItIsShown checks that a hidden tab has no stream, and is brought up to date when it is shown.
func TestAHiddenTabAsksWhenItIsShown(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	r.open(post)
	r.remember()
	text := read(t, dir, post)
	hide := `(hidden) => { Object.defineProperty(document, "hidden", { value: hidden, configurable: true }); document.dispatchEvent(new Event("visibilitychange")); return true }`
	browser.Eval[bool](r.Tab, `(`+hide+`)(true)`)
	need.Until(t, func() bool { return len(r.s.Open()) == 0 }, func() string { return fmt.Sprintf("the hidden tab keeps its stream: %v", r.s.Open()) })
	r.change(map[string]string{post: replaced(t, text, `<div class="prose`, `<p id="meanwhile">x</p><div class="prose`), "style.css": read(t, dir, "style.css") + "main { letter-spacing: 2px }"})
	browser.Eval[bool](r.Tab, `(`+hide+`)(false)`)
	r.Until(`!!document.getElementById("meanwhile") && getComputedStyle(document.querySelector("main")).letterSpacing === "2px"`)
	r.same()
}

// TestTheServerIsStartedAnew checks that another server at the same address is noticed, and that changes in between are
// shown.
func TestTheServerIsStartedAnew(t *testing.T) {
	dir := sample(t)
	tab := browser.Open(t)
	s, err := New(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	r := &reader{tab, t, s}
	r.open(post)
	r.Until(`performance.getEntriesByType("resource").filter((e) => e.initiatorType === "fetch").length > 3`) // it knows its files
	r.remember()
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r.Until(inPanel + `.querySelector(".quiet").textContent.includes("does not answer")`)

	put(t, dir, post, replaced(t, read(t, dir, post), `<div class="prose`, `<p id="meanwhile">x</p><div class="prose`))
	put(t, dir, "style.css", read(t, dir, "style.css")+"main { letter-spacing: 2px }")
	r.s = serving(t, Options{Dir: dir, Port: portOf(t, s)})
	r.Until(`!!document.getElementById("meanwhile") && getComputedStyle(document.querySelector("main")).letterSpacing === "2px"`)
	r.Until(inPanel + `.querySelector(".quiet").hidden`)
	r.same()
}

func portOf(t *testing.T, s *Server) (port int) {
	t.Helper()
	if _, err := fmt.Sscanf(s.Address(), "http://127.0.0.1:%d/", &port); err != nil {
		t.Fatal(err)
	}
	return port
}

// TestEveryKindOfPageFollows checks that every kind of page can follow the site without a message on the console.
func TestEveryKindOfPageFollows(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	for _, path := range []string{"index.html", "results/index.html", "compare/index.html", "deploy/index.html", "coverage/index.html", "history/index.html", "methodology/index.html", "problems/index.html", "models/index.html", "loads/index.html", "en/downloads/index.html", "no/such/page/", "404.html"} {
		if !strings.HasSuffix(path, "/") && path != "404.html" {
			if _, err := os.Stat(filepath.Join(dir, path)); err != nil {
				continue
			}
		}
		r.Troubles(r.s.Address())
		r.open(path)
		r.remember()
		if path != "no/such/page/" {
			text := read(t, dir, path)
			r.change(map[string]string{path: replaced(t, text, "<h1>", `<h1 id="changed">`)})
			r.Until(`!!document.getElementById("changed")`)
			r.same()
			if got := browser.Eval[int](r.Tab, `document.querySelectorAll("#explorer .grid, #compare .picker, #deploy .advice").length`); got > 1 {
				t.Errorf("%s: made twice", path)
			}
		}
		troubles, _ := r.Troubles(r.s.Address())
		troubles = slices.DeleteFunc(troubles, func(s string) bool { return path == "no/such/page/" && strings.Contains(s, "404") })
		if len(troubles) > 0 {
			t.Errorf("%s: %v", path, troubles)
		}
	}
}

// TestPanelsLook saves pictures of the panels to the folder BENCHPOST_SHOTS for inspection, and checks that nothing is
// wider than the window.
func TestPanelsLook(t *testing.T) {
	dir := sample(t)
	r := reading(t, dir)
	for lang, path := range map[string]string{"zh": strings.TrimPrefix(post, "en/"), "en": post} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1200} {
				r.open(path)
				r.Do(chromedp.EmulateViewport(width, 800))
				if _, err := chromedp.Call(r.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
					Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
				}); err != nil {
					t.Fatal(err)
				}
				r.s.Say(stateShown())
				r.Until(inPanel + `.querySelectorAll(".notices li").length === 1`)
				if got := browser.Eval[int64](r.Tab, `Math.max(document.documentElement.scrollWidth, ...[...`+inPanel+`.querySelectorAll(".dock > *, .panel, .panel .body")].map((e) => e.getBoundingClientRect().right))`); got > width {
					t.Errorf("%s, %s: %d wide in %d", lang, scheme, got, width)
				}
				if folder := os.Getenv("BENCHPOST_SHOTS"); folder != "" {
					shot(t, r, filepath.Join(folder, fmt.Sprintf("panel-%s-%s-%d.png", lang, scheme, width)))
				}
				r.s.Say(State{})
				r.Until(inPanel + `.querySelectorAll(".notices li").length === 0`)
			}
		}
	}
}

func shot(t *testing.T, r *reader, name string) {
	t.Helper()
	data, err := chromedp.Run(r.Ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestEveryWordOfThePanelsIsThere(t *testing.T) {
	code := string(must(liveScript()))
	for _, tag := range locale.Languages {
		p, _ := locale.For(tag)
		for key := range p.Forms("live.") {
			if !strings.Contains(code, key) {
				t.Errorf("%s is not given to pages", key)
			}
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// BenchmarkPatch measures the time from Changed until the page is up to date, for the page of a run and for a post ten
// times as large.
func BenchmarkPatch(b *testing.B) {
	for _, path := range []string{"en/runs/jetson-thor/qwen3-30b-a3b/high.html", post} {
		b.Run(strings.Split(path, "/")[1], func(b *testing.B) {
			dir := sample(b)
			r := reading(b, dir)
			text := read(b, dir, path)
			r.open(path)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				r.s.Put(path, []byte(strings.Replace(text, `<main id="main">`, fmt.Sprintf(`<main id="main"><p id="n%d">new</p>`, i), 1)))
				shown := make(chan float64, 1)
				go func() {
					shown <- browser.Await[float64](r.Tab, fmt.Sprintf(`new Promise((done) => {
						const watch = new MutationObserver(() => { if (document.getElementById("n%d")) done(performance.timeOrigin + performance.now()) });
						watch.observe(document.querySelector("main"), { childList: true });
					})`, i))
				}()
				time.Sleep(50 * time.Millisecond) // until the page checks
				began := time.Now()
				r.s.Changed([]string{path})
				took = append(took, time.Duration(<-shown*1e6)-time.Duration(began.UnixNano()))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(took[len(took)*9/10].Microseconds())/1000, "ms-p90")
		})
	}
}
