package page

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile is a hostile name of a run.
const hostile = `<img src=x onerror=document.title='bad'>"`

// repeated returns the fixture with sizes of weights, with four runs of two variants at high load, and with a run whose
// names and text are hostile.
func repeated() *Site {
	s := fixture()
	texts := map[string]string{}
	add := func(r *result.Result, text string) {
		s.Results = append(s.Results, r)
		texts[r.Source.File] = text
	}
	for i := 2; i <= 4; i++ {
		for _, m := range fixtureModels[:2] {
			f := m.high
			f[0] += float64(i)
			r, text := fixtureRun(fmt.Sprintf("edge-board/%s/high/%d", strings.ToLower(m.name), i), m.name, m.quantization, "high", 8, 100, f)
			r.Labels.Set(labelOf("repeat", fmt.Sprint(i)))
			add(r, text)
		}
	}
	r, text := fixtureRun("edge-board/</script><b>&%23", hostile, "FP8", "high", 8, 100, [3]float64{99, 98, 97})
	add(r, strings.Replace(text, "Successful", "</script><img src=x onerror=document.title='bad'>Successful", 1))
	sizes := map[string]string{hostile: "7 GB"}
	for _, m := range fixtureModels {
		sizes[m.name] = m.size
	}
	for _, r := range s.Results {
		r.Labels.Set(labelOf("weight_size", sizes[r.Label("model")]))
	}
	raw := s.Raw
	s.Raw = func(r *result.Result) (Raw, error) {
		if text, ok := texts[r.Source.File]; ok {
			return Whole([]byte(text)), nil
		}
		return raw(r)
	}
	s.Orders = map[string][]string{"load": {"high", "low"}}
	s.Comparing = compare.Options{Noise: .03}
	s.Settings = []string{"num_prompts", "answer_length", "model", "quantization", "max_concurrency", "engine_version"}
	s.Noise = .03
	s.Limits = map[string]string{"ttft_p99": "5000", "weight_size": "10 GB"}
	slices.SortFunc(s.Results, result.Compare)
	usual := slices.DeleteFunc(slices.Clone(s.Results), func(r *result.Result) bool { return r.Label("power_mode") != "MAXN" })
	s.Report = &dataset.Selection{Site: dataset.Site{Limits: s.Limits, Order: s.Orders}, Results: usual}
	return s
}

// openApp opens a page of a language that is filled by a script, with a fragment of the address.
func openApp(b *browser.Tab, base, lang, name, hash string) {
	path := name + "/index.html"
	if lang != "zh-CN" {
		path = lang + "/" + path
	}
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(base+path+hash))
	b.Until(fmt.Sprintf(`document.querySelector("#%s input") !== null`, name))
}

// row returns the text of a metric's row.
func row(metric string) string {
	return fmt.Sprintf(`[...document.querySelector('.figures th[title=%q]').parentNode.querySelectorAll("td")].map(td => td.innerText.replace(/\s+/g, " ").trim())`, metric)
}

const (
	bf16 = "edge-board/qwen3-8b/high"
	fp8  = "edge-board/qwen3-8b-fp8/high"
	q5   = "edge-board/qwen3-8b-q5_k_m/low"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	for name, base := range bases(t, repeated()) {
		t.Run(name, func(t *testing.T) {
			b.Do(chromedp.EmulateViewport(1280, 900))
			openApp(b, base, "en", "compare", "#set="+bf16+"&set="+fp8+"&run="+q5)
			sides := `[...document.querySelectorAll(".sides code")].map(c => c.textContent)`
			if got := browser.Eval[[]string](b, sides); !slices.Equal(got, []string{bf16, fp8, q5}) {
				t.Fatalf("side by side are %q", got)
			}
			got := browser.Eval[[]string](b, row("output_throughput"))
			if len(got) != 3 || !strings.Contains(got[1], "▲ 2.38× better p 0.029") || !strings.Contains(got[2], "excluded") || strings.Contains(got[2], "×") {
				t.Errorf("the throughputs are %q", got)
			}
			said := browser.Eval[[]string](b, `[...document.querySelectorAll(".sentences p")].map(p => p.innerText)`)
			if len(said) != 2 || !strings.HasPrefix(said[0], "At the same known settings, Qwen3-8B-FP8 is 2.4 times as fast as Qwen3-8B in output throughput; no compared metric is worse.") ||
				!strings.HasPrefix(said[1], "Qwen3-8B-Q5_K_M against Qwen3-8B: the figures support no verdict ("+q5+" is excluded by ") {
				t.Errorf("it is said:\n%s", strings.Join(said, "\n"))
			}
			if got := browser.Eval[string](b, `document.querySelector(".figures td a").getAttribute("href")`); !strings.Contains(got, ".html#f-") || !strings.Contains(got, "runs/edge-board/qwen3-8b/") {
				t.Errorf("a figure leads to %s", got)
			}
			variantsAndSwap(t, b, base)
			openApp(b, base, "en", "compare", "#set="+bf16+"&set="+fp8+"&run="+q5)
			rawSideBySide(t, b)
			chooseByKeys(t, b, base)
			if troubles, _ := b.Troubles(base); len(troubles) > 0 {
				t.Error(troubles)
			}
		})
	}
}

// variantsAndSwap compares two variants load by load with their mean, and then swaps them with a button.
func variantsAndSwap(t *testing.T, b *browser.Tab, base string) {
	t.Helper()
	openApp(b, base, "en", "compare", "#variant="+bf16+"&variant="+fp8)
	if got := browser.Eval[[]string](b, `[...document.querySelectorAll(".figures tbody tr")].filter(tr => tr.querySelector('th[title="output_throughput"]')).map(tr => tr.innerText.replace(/\s+/g, " "))`); len(got) != 3 ||
		!strings.Contains(got[0], "geometric mean") || !strings.Contains(got[0], "n = 2") || !strings.HasPrefix(got[1], "High load ") || !strings.HasPrefix(got[2], "Low load ") {
		t.Errorf("the throughputs of two variants are %q", got)
	}
	said := browser.Eval[string](b, `document.querySelector(".sentences").innerText`)
	if !strings.Contains(said, "in the geometric mean of 2 matched pairs, Qwen3-8B-FP8 is 2.1 times as fast as Qwen3-8B") {
		t.Errorf("of two variants it is said: %s", said)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#compare .actions button")].find(x => x.textContent === "Swap A and B").click()`))
	if got := browser.Eval[string](b, `document.querySelector(".sentences").innerText`); !strings.Contains(got, "Qwen3-8B is 51% slower than Qwen3-8B-FP8") {
		t.Errorf("the other way round: %s", got)
	}
	if got, want := browser.Eval[string](b, `location.hash`), "#variant="+fp8+"&variant="+bf16; got != want {
		t.Errorf("the address is %s, want %s", got, want)
	}
}

// rawSideBySide checks that equal fields are in one row, and that differences are marked.
func rawSideBySide(t *testing.T, b *browser.Tab) {
	t.Helper()
	b.Until(`document.querySelectorAll(".sides-raw tbody tr").length > 10`)
	const line = `(() => { const tr = [...document.querySelectorAll(".sides-raw tbody tr")].find(tr => tr.innerText.includes("P99 TTFT")); return [...tr.querySelectorAll("td")].map(td => td.querySelector("code").innerText + " | " + [...td.querySelectorAll("mark")].map(m => m.innerText).join()) })()`
	got := browser.Eval[[]string](b, line)
	if len(got) != 3 || !strings.HasSuffix(got[0], "| ") || !strings.Contains(got[1], "P99 TTFT (ms):") || !strings.Contains(strings.SplitN(got[1], "|", 2)[1], ".") {
		t.Errorf("P99 TTFT is %q", got)
	}
	all := browser.Eval[int](b, `document.querySelectorAll(".sides-raw tbody tr").length`)
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".tick input[type=checkbox]")].at(-1).click()`))
	if fewer := browser.Eval[int](b, `document.querySelectorAll(".sides-raw tbody tr").length`); fewer >= all || fewer < 5 {
		t.Errorf("%d of %d lines differ", fewer, all)
	}
	if got := browser.Eval[string](b, `document.querySelector(".sides-raw .line").getAttribute("href")`); !strings.Contains(got, ".html#L") {
		t.Errorf("a line leads to %s", got)
	}
}

// chooseByKeys selects another baseline, removes a run and finds one, without a mouse. The address changes, and
// restores the same view.
func chooseByKeys(t *testing.T, b *browser.Tab, base string) {
	t.Helper()
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".sides input[type=radio]").focus()`))
	b.Press(kb.ArrowRight)
	b.Until(`location.hash.includes("base=")`)
	if got := browser.Eval[[]string](b, row("output_throughput")); !strings.Contains(got[0], "▼ 0.42× worse") || strings.Contains(got[1], "×") {
		t.Errorf("against the second the throughputs are %q", got)
	}
	if !browser.Eval[bool](b, `document.activeElement.checked === true`) {
		t.Error("the focus was lost on choosing the baseline")
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll(".sides button")].at(-1).focus()`))
	b.Press(kb.Enter)
	b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("input[type=search]").focus()`))
	b.Press("gptq-int8 high", kb.ArrowDown, kb.Enter)
	b.Until(`document.querySelectorAll(".sides > li").length === 3`)
	hash, view := browser.Eval[string](b, `location.hash`), browser.Eval[string](b, `document.querySelector(".figures").innerText`)
	if want := "#set=" + bf16 + "&set=" + fp8 + "&run=edge-board/qwen3-8b-gptq-int8/high&base=" + fp8 + "&lines=differ"; hash != want {
		t.Errorf("the address is %s, want %s", hash, want)
	}
	openApp(b, base, "en", "compare", hash)
	if again := browser.Eval[string](b, `document.querySelector(".figures").innerText`); again != view {
		t.Errorf("the address restores\n%s\nnot\n%s", again, view)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = async text => { window.copied = text }`))
	b.Do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#compare .actions button")].find(x => x.textContent === "Copy as Markdown").click()`))
	b.Until(`window.copied !== undefined`)
	if got := browser.Eval[string](b, `window.copied`); !strings.HasPrefix(got, "| Metric | Qwen3-8B, edge-board") || !strings.Contains(got, "(baseline)") || !strings.Contains(got, "| Output throughput (tok/s) ↑ | ") {
		t.Errorf("copied is\n%s", got)
	}
	b.Do(chromedp.Evaluate[chromedp.Void](`location.hash = "run=` + q5 + `"`))
	b.Until(`document.querySelectorAll(".sides > li").length === 1`)
}

// TestComparingIsAccessible checks the accessibility of comparisons of runs and of variants, with equal rows unfolded.
func TestComparingIsAccessible(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	base := bases(t, repeated())["file"]
	for _, hash := range []string{"#set=" + bf16 + "&set=" + fp8 + "&run=" + q5, "#variant=" + bf16 + "&variant=" + fp8} {
		openApp(b, base, "en", "compare", hash)
		b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("button.fold")?.click()`))
		for _, v := range checker.Accessibility(t, b) {
			t.Errorf("%s: %s", hash, v)
		}
	}
}

// TestHostileNamesSideBySide checks that names and texts of runs do no harm on any page, and that an unknown id is
// reported.
func TestHostileNamesSideBySide(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := repeated()
	base := bases(t, s)["file"]
	hash := "#" + url.Values{"run": {"edge-board/</script><b>&%23", bf16, hostile}}.Encode()
	for _, lang := range s.Languages {
		for _, app := range []string{"compare", "deploy"} {
			openApp(b, base, lang, app, hash)
			if app == "compare" {
				b.Until(`document.querySelectorAll(".sides-raw mark").length > 3`)
				if got := browser.Eval[string](b, `document.querySelector(".sides-raw").innerText`); !strings.Contains(got, "</script><img src=x onerror=document.title='bad'>Successful requests") {
					t.Error("the raw text is not as it was printed")
				}
				if got := browser.Eval[string](b, `document.querySelector(".absent code").innerText`); got != hostile {
					t.Errorf("the id that no run has is reported as %q", got)
				}
				b.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("input[type=search]").focus()`))
				b.Press("onerror")
				b.Until(`document.querySelectorAll(".finds li").length === 1`)
			}
			if got := browser.Eval[string](b, fmt.Sprintf(`document.getElementById(%q).innerText`, app)); !strings.Contains(got, hostile) {
				t.Errorf("%s, %s: the model is not shown", lang, app)
			}
			if browser.Eval[bool](b, `document.querySelector("img[src=x]") !== null || document.title === "bad"`) {
				t.Errorf("%s, %s: a name has become an element", lang, app)
			}
			if troubles, _ := b.Troubles(base); len(troubles) > 0 {
				t.Errorf("%s, %s: %v", lang, app, troubles)
			}
		}
	}
}

// TestComparingOnAPhone checks that both pages fit a phone, in both languages and themes, and that every scrolling box
// can be reached by keyboard.
func TestComparingOnAPhone(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := repeated()
	base := bases(t, s)["http"]
	for _, lang := range s.Languages {
		for _, app := range []string{"compare", "deploy"} {
			for _, scheme := range []string{"light", "dark"} {
				if _, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
					Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
					t.Fatal(err)
				}
				for _, width := range []int64{360, 1920} {
					b.Do(chromedp.EmulateViewport(width, 800))
					openApp(b, base, lang, app, "#set="+bf16+"&set="+fp8+"&run="+q5)
					if app == "compare" {
						b.Until(`document.querySelectorAll(".sides-raw tbody tr").length > 10 && document.querySelector(".canvas svg") !== null`)
					}
					if got := browser.Eval[int64](b, `document.documentElement.scrollWidth`); got > width {
						t.Errorf("%s, %s: %d wide in a window of %d; %s sticks out", lang, app, got, width, browser.Eval[string](b, sticksOut))
					}
					if got := browser.Eval[string](b, scrollsByMouseOnly); got != "" {
						t.Errorf("%s, %s, %d wide: no key scrolls %s", lang, app, width, got)
					}
					if key := browser.Eval[string](b, fmt.Sprintf(`document.getElementById(%q).innerText.match(/\b(compare|deploy|tradeoff|figure|significance|chart|page|explore)\.[a-z.]+/)?.[0] ?? ""`, app)); key != "" {
						t.Errorf("%s, %s: the page has no words for %s", lang, app, key)
					}
				}
			}
			if troubles, _ := b.Troubles(base); len(troubles) > 0 {
				t.Errorf("%s, %s: %v", lang, app, troubles)
			}
		}
	}
}

// TestComparingWithoutScripts checks that the pages name what they need, and show what is available without scripts.
func TestComparingWithoutScripts(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	s := repeated()
	base := bases(t, s)["file"]
	if _, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	for _, lang := range s.Languages {
		p, _ := locale.For(lang)
		for app, wants := range map[string][]string{
			"compare": {p.Words("compare.noscript"), "Qwen3-8B-FP8"},
			"deploy":  {p.Words("deploy.noscript"), p.Words("tradeoff.fastest"), "ttft ≤ 5000 ms"},
		} {
			b.Do(chromedp.Navigate(base + s.dir(lang) + app + "/index.html"))
			got := browser.Eval[string](b, `document.body.innerText`)
			for _, want := range wants {
				if !strings.Contains(strings.ToLower(got), strings.ToLower(want)) {
					t.Errorf("%s, %s: %q is missing in\n%s", lang, app, want, got)
				}
			}
		}
	}
}

// quoteJS writes a string for a script.
func quoteJS(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}
