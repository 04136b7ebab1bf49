package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
)

// render returns the files of a site by path, and their order.
func render(t testing.TB, s *Site) (map[string][]byte, []string) {
	t.Helper()
	files := map[string][]byte{}
	var order []string
	err := s.Render(func(path string, data []byte) error {
		if _, ok := files[path]; ok {
			t.Errorf("%s is emitted twice", path)
		}
		files[path] = data
		order = append(order, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files["assets/tradeoffs.png"] = fixtureChart()
	for _, p := range s.Posts { // which the site's builder writes
		files[s.PostData(p.Lang, p.Slug)] = []byte("{}")
	}
	return files, order
}

// some is a store that has all artifacts except the wanted ones.
type some struct {
	emitter
	wanted func(artifact string) bool
}

func (s some) Kept(artifact string, _ result.Stamp) ([]DataFile, bool) {
	return nil, !s.wanted(artifact)
}

// renderSome returns the files of the wanted artifacts of a site, and of those that are always made. Most artifacts of
// a large site take long and show nothing new.
func renderSome(t testing.TB, s *Site, wanted func(artifact string) bool) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := s.RenderInto(some{func(path string, data []byte) error {
		files[path] = data
		return nil
	}, wanted})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// renderLists returns the files of a site except the pages of runs, and those of all subjects except one.
func renderLists(t testing.TB, s *Site) map[string][]byte {
	t.Helper()
	subject := regexp.MustCompile(`^(?:en/)?(?:models|hardware|loads|scenarios)/.+/`)
	return renderSome(t, s, func(artifact string) bool {
		return !strings.HasPrefix(artifact, "runs/") && (!subject.MatchString(artifact) || strings.Contains(artifact, "models/"+fixtureModels[0].name+"/"))
	})
}

// rendered returns the files of the fixture, which must not be changed.
var rendered = sync.OnceValues(func() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fixture().Render(func(path string, data []byte) error {
		files[path] = data
		return nil
	})
	return files, err
})

// renderFixture returns the files of the unchanged fixture.
func renderFixture(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := rendered()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// write renders a site into a folder.
func write(t testing.TB, s *Site, dir string) {
	t.Helper()
	files, _ := render(t, s)
	for path, data := range files {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var reference = regexp.MustCompile(`\s(?:href|src)="([^"]*)"`)

// TestReferencesResolve checks that every link of every page leads to a file of the site and, if it has a fragment, to
// an anchor in it.
func TestReferencesResolve(t *testing.T) {
	t.Parallel()
	small, _ := render(t, fixture())
	large := manyRuns(1200)
	paged := renderLists(t, large)
	for _, r := range large.Results { // not made here; their pages are like those of the small site
		for _, lang := range large.Languages {
			paged[large.RunPage(lang, r.ID)] = nil
		}
		paged[large.Names.RawText(r.Source.File)] = nil
	}
	for name, data := range small {
		if _, made := paged[name]; !made {
			paged[name] = data[:0:0]
		}
	}
	for _, post := range large.Posts {
		paged[large.PostData(post.Lang, post.Slug)] = nil
	}
	paged["assets/tradeoffs.png"] = nil
	for _, files := range []map[string][]byte{small, paged} {
		pages := 0
		for from, data := range files {
			if !strings.HasSuffix(from, ".html") || from == "404.html" || len(data) == 0 {
				continue
			}
			pages++
			for _, m := range reference.FindAllSubmatch(data, -1) {
				ref := html.UnescapeString(string(m[1]))
				if strings.HasPrefix(ref, "https://") {
					continue
				}
				u, err := url.Parse(ref)
				if err != nil || u.Scheme != "" || strings.HasPrefix(u.Path, "/") {
					t.Errorf("%s: %q is not a relative reference", from, ref)
					continue
				}
				to := from
				if u.Path != "" {
					to = path.Join(path.Dir(from), u.Path)
				}
				target, ok := files[to]
				if !ok {
					t.Errorf("%s: %q leads to %s, which is not there", from, ref, to)
				} else if u.Fragment != "" && len(target) > 0 && !strings.Contains(u.Fragment, "=") && !bytes.Contains(target, []byte(`id="`+u.Fragment+`"`)) { // with = it is a state of the page
					t.Errorf("%s: %q: %s has no such anchor", from, ref, to)
				}
			}
		}
		if pages < 30 {
			t.Errorf("only %d pages were looked at", pages)
		}
	}
}

func TestEveryPageIsSaidInItsLanguage(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	missing := regexp.MustCompile(`\[[a-z]+\.[a-z0-9.]+\]|%!`)
	for name, data := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if m := missing.Find(data); m != nil {
			t.Errorf("%s: a message is missing: %s", name, m)
		}
		want := `<html lang="zh-CN"`
		if strings.HasPrefix(name, "en/") {
			want = `<html lang="en"`
		}
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("%s: want %s", name, want)
		}
	}
}

// TestLanguageSwitchKeepsThePlace checks that a page links to its other language, not to the front page.
func TestLanguageSwitchKeepsThePlace(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.BaseURL = ""
	files, _ := render(t, s)
	for from, want := range map[string]string{
		"index.html":                                       "en/index.html",
		"en/results/index.html":                            "../../results/index.html",
		"runs/edge-board/qwen3-8b/high.html":               "../../../en/runs/edge-board/qwen3-8b/high.html",
		"en/models/Qwen3-8B.html":                          "../../models/Qwen3-8B.html",
		"posts/tradeoffs/index.html":                       "../../en/posts/tradeoffs/index.html",
		"en/posts/quiet-board/index.html":                  "../../../index.html", // no translation
		"en/runs/edge-board/qwen3-8b-fp8/功率=15w/high.html": "../../../../../runs/edge-board/qwen3-8b-fp8/%E5%8A%9F%E7%8E%87=15w/high.html",
	} {
		switches := regexp.MustCompile(`<div class="switches"><a href="([^"]*)"`).FindSubmatch(files[from])
		if switches == nil || string(switches[1]) != want {
			t.Errorf("%s: the switch leads to %q, want %q", from, switches, want)
		}
		alternate := bytes.Contains(files[from], []byte(`hreflang="`))
		if translated := from != "en/posts/quiet-board/index.html"; alternate != translated {
			t.Errorf("%s: hreflang = %v, want %v", from, alternate, translated)
		}
	}
}

// TestVersionsNameEachOther checks that every version of a page lists all versions, itself included, by absolute
// address.
func TestVersionsNameEachOther(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	alternates := regexp.MustCompile(`<link rel="alternate" hreflang="[^>]*>`)
	zh := alternates.FindAllString(string(files["posts/tradeoffs/index.html"]), -1)
	en := alternates.FindAllString(string(files["en/posts/tradeoffs/index.html"]), -1)
	slices.Sort(zh)
	slices.Sort(en)
	if len(zh) != 2 || !slices.Equal(zh, en) || !strings.Contains(zh[0], `href="`+fixture().BaseURL) {
		t.Errorf("Chinese %q, English %q", zh, en)
	}
	if alone := files["en/posts/quiet-board/index.html"]; alternates.Match(alone) {
		t.Errorf("a page without a translation names %s", alternates.Find(alone))
	}
}

func TestRenderIsDeterministic(t *testing.T) {
	t.Parallel()
	first, order := render(t, fixture())
	s := fixture()
	slices.Reverse(s.Results)
	slices.Reverse(s.Posts)
	slices.Reverse(s.Messages)
	second, again := render(t, s)
	if !slices.Equal(order, again) {
		t.Error("the order of the files depends on the order of the input")
	}
	for name, data := range first {
		if !bytes.Equal(data, second[name]) {
			t.Errorf("%s differs from run to run", name)
		}
	}
}

func TestEmitErrorEndsTheWork(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	n := 0
	err := fixture().Render(func(string, []byte) error {
		if n++; n == 20 {
			return full
		}
		return nil
	})
	if err != full || n != 20 {
		t.Errorf("got %v after %d files, want %v after 20", err, n, full)
	}
}

// TestHostileTextIsEscaped: names and logs come from files that anyone may have written.
func TestHostileTextIsEscaped(t *testing.T) {
	t.Parallel()
	const img, quote, script = `<img src=x onerror=alert(1)>`, `"><script>alert(2)</script>`, `</code></pre></script><script>alert(3)</script>`
	s := fixture()
	r, text := fixtureRun(`bad/`+img+`/../'onmouseover=alert(4) x='`, quote, `javascript:alert(5)`, img, 8, 100, [3]float64{1, 2, 3})
	r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: "x_" + img, Unit: quote, Field: script}, Value: 1, Line: 5})
	r.Checks = []result.Check{{ID: quote, Severity: result.Warning, Text: locale.Lit(img), Figures: map[string]float64{script: 1}}}
	r.Labels.Set(result.Label{Name: img, Value: script, Pos: result.Position{File: quote, Line: 1}})
	r.Labels.Set(result.Label{Name: "campaign", Value: quote})
	r.Labels.Set(result.Label{Name: "command", Value: script})
	s.Commands = func(*result.Result, Raw) []result.Command {
		return []result.Command{{Text: script, Line: 1}, {Text: img, Flags: []result.Flag{{Name: img, Label: quote}}}}
	}
	s.Drawings = func(q *result.Result, lang string) ([]Drawing, error) {
		if q.ID != r.ID {
			return nil, nil
		}
		return []Drawing{{Name: "ttft", Alt: script, CSV: []byte(script)}}, nil
	}
	s.Method.Waivers = append(s.Method.Waivers, Waiver{quote, img, script})
	s.Method.Limits = append(s.Method.Limits, Limit{img, script})
	r.Labels.Set(result.Label{Name: "hardware", Value: quote})
	r.Labels.Set(result.Label{Name: "scenario", Value: script})
	s.Results = append(s.Results, r)
	later := *r // measured once more, for a history
	later.ID, later.Labels = r.ID+"2", slices.Clone(r.Labels)
	later.Labels.Set(result.Label{Name: "date", Value: "2025-11-01"})
	later.Labels.Set(result.Label{Name: "driver", Value: img})
	s.Results = append(s.Results, &later)
	s.Hardware = []Hardware{{ID: quote, Title: locale.Lit(script), Memory: img, Peaks: []Peak{{img, quote}}, Source: "javascript:alert(7)"}}
	s.Loads = []Load{{Label: "load", Name: script, When: quote}}
	raw := s.Raw
	s.Raw = func(q *result.Result) (Raw, error) {
		if q.ID == r.ID {
			return Whole([]byte(text + script + "\n\x1b[31m\x00\xff\r\r\n")), nil
		}
		return raw(q)
	}
	s.Messages = append(s.Messages, result.Message{Pos: result.Position{File: img}, Severity: result.Error, ID: quote, Text: locale.Lit(script), Hint: locale.Lit(quote)})
	s.Unread = append(s.Unread, unread.File{Name: img, Kind: unread.Unknown, Reason: locale.Lit(script)})
	s.Models = append(s.Models, Model{ID: quote, Title: locale.Lit(script), URL: "javascript:alert(6)", Base: img, Note: locale.Lit(img)})
	s.Title, s.Author = locale.Lit(`{{printf "%s" "`+img), quote
	s.Posts = append(s.Posts, Post{Slug: `../../` + img, Lang: "en", Title: script, Tags: []string{img}, Headings: []Heading{{2, `"` + img, img}, {2, "b", quote}}})
	files, _ := render(t, s)
	hits := 0
	for name, data := range files {
		if strings.HasPrefix(name, "runs/") && strings.HasSuffix(name, ".txt") { // a raw file
			continue
		}
		if name != path.Clean(name) || strings.HasPrefix(name, "../") {
			t.Errorf("%q leaves the site", name)
		}
		markup := []string{"<img src=x", "<script>alert", "href=\"javascript:", "'onmouseover"}
		if path.Ext(name) == ".json" { // markup is text there
			if !json.Valid(data) {
				t.Errorf("%s is no JSON", name)
			}
			markup = nil
		}
		if strings.HasPrefix(name, "data/") && path.Ext(name) == ".js" { // text there, unless it ends the script
			markup = []string{"<"}
		}
		if path.Ext(name) == ".html" { // blocks of data are text, unless markup ends them
			data = dataBlock.ReplaceAll(data, nil)
		}
		for _, bad := range append(markup, "\x1b", "\x00", "\xff", "\r") {
			if bytes.Contains(data, []byte(bad)) && path.Ext(name) != ".png" {
				t.Errorf("%s contains %q", name, bad)
			}
		}
		if bytes.Contains(data, []byte("alert(")) {
			hits++
		}
	}
	if hits < 10 {
		t.Errorf("the hostile text came to only %d pages", hits)
	}
}

// dataBlock matches a block of data up to the first character that could end it.
var dataBlock = regexp.MustCompile(`<script type="application/json" id="\w+">[^<]*</script>`)

func TestLayoutsAreOverridden(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Layouts = fstest.MapFS{
		"problems.html": {Data: []byte(`{{define "note"}}<em>{{.}}</em>{{end}}<h1>{{words "page.problems"}}: {{.Data.Total}}</h1>{{template "note" .Title}}`)},
		"style.css":     {Data: []byte("body{color:red}")},
	}
	files, _ := render(t, s)
	if got := string(files["en/problems/index.html"]); !strings.Contains(got, "<h1>Problems: 4</h1><em>Problems</em>") || !strings.Contains(got, "masthead") {
		t.Errorf("the layout was not used:\n%s", got)
	}
	if got := string(files["style.css"]); got != "body{color:red}" {
		t.Errorf("style.css is %q", got)
	}
}

func TestBrokenLayoutsNameFileAndLine(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"<p>\n{{if}}":                                   "run.html:2: missing value for if",
		"<p>\n\n{{.Data.Wrong}}":                        "run.html:3:",
		`{{words "page.run"`:                            "run.html:1: unclosed action",
		"\n{{words \"page.rum\"}}":                      `run.html:2: there is no message "page.rum"`,
		`{{with .Data}}{{(words "page.rum" 1)}}{{end}}`: `run.html:1: there is no message "page.rum"`,
	} {
		s := fixture()
		s.Layouts = fstest.MapFS{"run.html": {Data: []byte(source)}}
		err := s.Render(func(string, []byte) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", source, err, want)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	t.Parallel()
	s := &Site{Languages: []string{"tlh"}}
	err := s.Render(func(string, []byte) error { return nil })
	if want := `language "tlh" is not known; there are [zh-CN en]`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestEmptySite checks that an empty site has pages that say so.
func TestEmptySite(t *testing.T) {
	t.Parallel()
	s := &Site{Title: locale.Lit("Empty"), Languages: []string{"en"}}
	files, order := render(t, s)
	want := []string{"style.css", "favicon.svg", "script/site.js", "script/chart.js", "script/results.js", "script/compare.js", "script/deploy.js", "script/find.js"}
	for _, section := range sections() {
		if section.path != downloadsPath && section.name != "manual" {
			want = append(want, section.path)
		}
	}
	want = append(want, "data/find/en.js", "404.html", "data/index.json", "data/datapackage.json", downloadsPath)
	if !slices.Equal(order, want) {
		t.Errorf("got %v, want %v", order, want)
	}
	for name, words := range map[string]string{
		"index.html":          "No report has been written yet.",
		"models/index.html":   "There are no models.",
		"results/index.html":  "There are no runs.",
		"problems/index.html": "No problems were found",
		"compare/index.html":  "There are no models.",
		"deploy/index.html":   "No campaign has runs that form a portfolio",
	} {
		if !bytes.Contains(files[name], []byte(words)) {
			t.Errorf("%s lacks %q", name, words)
		}
	}
}

// TestTroubleIsShown checks that a broken run's page and the front page show what is missing.
func TestTroubleIsShown(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	for name, words := range map[string][]string{
		"en/runs/edge-board/qwen3-8b-fp8/功率=15w/high.html": {
			`<span class="status partial">partial</span>`, "the closing rule is missing", `<a href="#L14">high.log:14</a>`},
		"en/runs/edge-board/qwen3-8b-q5_k_m/low.html": {
			`<span class="status quarantined">excluded</span>`, "3.7 times the memory bandwidth"},
		"en/index.html":          {"the closing rule is missing", `<b>4</b> problems`},
		"en/results/index.html":  {`<small class="tag partial">partial</small>`, "<s>29.02</s>"},
		"en/problems/index.html": {"4 problems were found", "content/posts/tradeoffs.zh-CN.md:41:7", "there is Qwen3-8B", "placeholders, not figures"},
	} {
		for _, w := range words {
			if !bytes.Contains(files[name], []byte(w)) {
				t.Errorf("%s lacks %q", name, w)
			}
		}
	}
	if bytes.Contains(files["en/models/Qwen3-8B-Q5_K_M.html"], []byte(">29.02</span>")) {
		t.Error("a figure that was excluded is on its model's page as a result")
	}
}

func TestChecksSpeakTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Results[17].Checks[0].Text = locale.By(map[string]string{"zh": "超出带宽", "en": "over the bandwidth"}, "")
	files, _ := render(t, s)
	for name, want := range map[string]string{
		"runs/edge-board/qwen3-8b-q5_k_m/low.html":    "超出带宽",
		"en/runs/edge-board/qwen3-8b-q5_k_m/low.html": "over the bandwidth",
		"problems/index.html":                         "超出带宽",
	} {
		if !bytes.Contains(files[name], []byte(want)) {
			t.Errorf("%s lacks %q", name, want)
		}
	}
}

// TestRunPageShowsChecksThatHold checks that a page shows also the checks that passed.
func TestRunPageShowsChecksThatHold(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Verdicts = func(r *result.Result) (passed, unjudged []result.Check) {
		return []result.Check{{ID: "consistency.rates", Text: locale.Lit("rates agree")}},
			[]result.Check{{ID: "physics.memory-fit", Text: locale.Lit("memory unknown")}}
	}
	s.Results[0].Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast"), Waived: "measured twice"}}
	files, _ := render(t, s)
	page := string(files["en/runs/edge-board/qwen3-8b/high.html"])
	for _, want := range []string{"rates agree", "memory unknown", `<li class="pass">`, `<li class="unjudged">`, `<li class="waived">`, "measured twice"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<s>") {
		t.Error("a run whose fault is waived is struck")
	}
}

// TestTheFrontPageSumsUpWhatRepeatsShare: repeats fail alike, so the front page shows one of them and the problems page
// all.
func TestTheFrontPageSumsUpWhatRepeatsShare(t *testing.T) {
	t.Parallel()
	s := fixture()
	var struck []string
	for _, r := range s.Results {
		if r.Labels.Get("model") == "Qwen3-8B-AWQ" {
			r.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast: " + r.ID)}}
			struck = append(struck, r.ID)
		}
	}
	if len(struck) < 2 {
		t.Fatalf("only %v", struck)
	}
	files, _ := render(t, s)
	if home := string(files["en/index.html"]); strings.Count(home, "too fast: ") != 1 || !strings.Contains(home, "</a> and 1 more run") {
		t.Error("the front page does not show once what both runs share")
	}
	if problems := string(files["en/problems/index.html"]); strings.Count(problems, "too fast: ") != len(struck) {
		t.Error("the page of problems does not show each")
	}
}

func TestManyResultsArePaged(t *testing.T) {
	t.Parallel()
	files := renderLists(t, manyRuns(1200))
	if !bytes.Contains(files["en/results/index.html"], []byte(`<a href="../../en/results/sweep.html">sweep</a> <small>1200 runs</small>`)) {
		t.Errorf("the list of campaigns is wrong:\n%s", files["en/results/index.html"])
	}
	for name, rows := range map[string]int{
		"results/sweep.html": 500, "results/sweep~p2.html": 500, "results/sweep~p3.html": 200, "results/edge-board.html": 33,
	} {
		if got := bytes.Count(files[name], []byte(`<th scope="row">`)); got != rows {
			t.Errorf("%s has %d rows, want %d", name, got, rows)
		}
		if len(files[name]) > 400_000 {
			t.Errorf("%s has %d bytes", name, len(files[name]))
		}
	}
	if _, ok := files["results/sweep~p4.html"]; ok {
		t.Error("there is a fourth page")
	}
}

// TestPlansAreAboveTheResults checks that the progress of each plan is above the results, also if these have several
// pages, and links to its cells. Without a plan there is no such part.
func TestPlansAreAboveTheResults(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*Site{"one page": fixture(), "several": manyRuns(600)} {
		files := renderLists(t, s)
		if bytes.Contains(files["en/results/index.html"], []byte("<h2>Coverage")) {
			t.Errorf("%s: a part of plans without a plan", name)
		}
		plan(s)
		files = renderLists(t, s)
		for lang, part := range map[string]string{"": "<h2>覆盖情况</h2>", "en/": "<h2>Coverage</h2>"} {
			page := string(files[lang+"results/index.html"])
			at, results := strings.Index(page, part), strings.LastIndex(page, "edge-board")
			if at < 0 || results < at {
				t.Errorf("%s: the part is at %d, the results at %d", name, at, results)
			}
			if link := lang + `coverage/index.html#plan-1">Everything &lt;at&gt; both loads</a></th><td class="num">4</td>` + "\n"; !strings.Contains(strings.ReplaceAll(page, "</td><td", "</td>\n<td"), link) {
				t.Errorf("%s: no link %s", name, link)
			}
		}
		for path, data := range files {
			if strings.HasPrefix(path, "results/") && path != "results/index.html" && bytes.Contains(data, []byte("<h2>覆盖情况")) {
				t.Errorf("%s: %s shows the plans too", name, path)
			}
		}
	}
}

// plan adds a plan of four cells to a site, of which one is excluded and one is missing.
func plan(s *Site) {
	s.Report = &dataset.Selection{Site: dataset.Site{Plans: []dataset.Plan{{Name: "all", Title: locale.Lit("Everything <at> both loads"), Repeats: 1,
		Labels: []dataset.PlanLabel{{Name: "model", Values: []string{"Qwen3-8B-Q5_K_M", "Qwen3-9B"}}, {Name: "load", Values: []string{"high", "low"}}}}}}, Results: s.Results}
}

// TestModelOfManyRuns checks that a model with many runs lists them below each other.
func TestModelOfManyRuns(t *testing.T) {
	t.Parallel()
	files := renderLists(t, manyRuns(160))
	page := files["en/models/Qwen3-8B.html"]
	if bytes.Contains(page, []byte(`class="compare"`)) || rowsOfRuns(page) != 12 {
		t.Errorf("want a table of 12 runs:\n%s", page)
	}
	s := manyRuns(600)
	for _, r := range s.Results {
		r.Labels.Set(labelOf("model", "Qwen3-8B"))
	}
	files = renderLists(t, s)
	page = files["en/models/Qwen3-8B.html"]
	second := files["en/models/Qwen3-8B~p2.html"]
	if rowsOfRuns(page) != rowsPerPage || rowsOfRuns(second) != 133 || !bytes.Contains(page, []byte(`/en/models/Qwen3-8B~p2.html">2</a>`)) {
		t.Errorf("want tables of %d and 133 runs, they have %d and %d", rowsPerPage, rowsOfRuns(page), rowsOfRuns(second))
	}
}

// rowsOfRuns counts the runs that a page lists.
func rowsOfRuns(page []byte) int {
	n := 0
	for _, table := range bytes.Split(page, []byte(`<table class="runs"`))[1:] {
		body, _, _ := bytes.Cut(table, []byte("</table>"))
		n += bytes.Count(body, []byte(`<th scope="row">`))
	}
	return n
}

func TestFigureAndRawBlock(t *testing.T) {
	t.Parallel()
	en, _ := locale.For("en")
	got := string(parts.Figure(parts.Picture{SVG: []byte("<svg></svg>"), CSV: []byte("a,\"b\"\n1,2\n"), Caption: "x < y", Data: "<table></table>"}, en))
	want := `<figure class="chart"><div><svg></svg></div>
<div class="files" data-csv="a,&#34;b&#34;
1,2
"></div>
<details><summary>Data</summary>
<table></table></details>
<figcaption>x &lt; y</figcaption></figure>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = string(parts.RawBlock("a < b\r\nc\n", "high.log", "../runs/x.html", en))
	want = `<figure class="raw"><figcaption>high.log <a data-site href="../runs/x.html">run page</a></figcaption>
<pre tabindex="0"><code>a &lt; b
c
</code></pre></figure>
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := parts.RawBlock("x", "", "", en); got != template.HTML("<figure class=\"raw\"><pre tabindex=\"0\"><code>x</code></pre></figure>\n") {
		t.Errorf("got %s", got)
	}
}

func Example() {
	s := &Site{Title: locale.Lit("Bench"), Languages: []string{"en"}}
	_ = s.Render(func(path string, data []byte) error {
		if path == s.HomePage("en") {
			fmt.Println(path)
		}
		return nil
	})
	fmt.Println(address.Link(s.PostPage("en", "first"), s.RunPage("en", "board/clocks=free/c8")))
	// Output:
	// index.html
	// ../../runs/board/clocks=free/c8.html
}

// TestTagsListTheirPosts checks that each tag links to a page with its posts, including those of other languages
// without a translation. Tags that differ only in case or Unicode form share a page.
func TestTagsListTheirPosts(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.BaseURL = ""
	hostile := []string{"../../../etc", "a/b", "<b>&amp;", "con", "index.html", strings.Repeat("长", 200), "POWER", "Ｐower", ""}
	for i := range s.Posts {
		if s.Posts[i].Slug == "quiet-board" {
			s.Posts[i].Tags = append(s.Posts[i].Tags, hostile...)
		}
	}
	files, _ := render(t, s)
	tags := regexp.MustCompile(`<ul class="tags">.*?</ul>`)
	href := regexp.MustCompile(`href="([^"]*)"`)
	for _, from := range []string{"index.html", "en/index.html", "en/posts/quiet-board/index.html", "posts/tradeoffs/index.html", "en/tags/index.html", "tags/index.html"} {
		list := tags.FindAllString(strings.ReplaceAll(string(files[from]), "\n", ""), -1)
		if len(list) == 0 {
			t.Errorf("%s has no tags", from)
		}
		for _, link := range href.FindAllStringSubmatch(strings.Join(list, ""), -1) {
			to, err := url.PathUnescape(path.Join(path.Dir(from), html.UnescapeString(link[1])))
			if _, ok := files[to]; err != nil || !ok || !strings.Contains("/"+to, "/tags/") {
				t.Errorf("%s: a tag leads to %s, which is no page", from, to)
			}
		}
	}
	for name, want := range map[string][]string{
		"en/tags/power.html": {"quiet-board"}, "tags/power.html": {"quiet-board"}, "en/tags/fp8.html": {"tradeoffs"},
	} {
		var got []string
		for _, m := range regexp.MustCompile(`<li><time[^>]*>[^<]*</time> <a href="[^"]*posts/([^/"]*)/index.html"`).FindAllStringSubmatch(string(files[name]), -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lists %q, want %q", name, got, want)
		}
	}
	if twice := regexp.MustCompile(`(?i)>power<`).FindAllString(string(files["en/tags/index.html"]), -1); len(twice) != 1 {
		t.Errorf("a tag in three spellings is listed as %q", twice)
	}
}
