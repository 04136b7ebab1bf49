package site

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

// remembering is the configuration of a site whose trends show past results from git.
const remembering = "title = \"Nights\"\nlanguages = [\"zh-CN\", \"en\"]\ntime_zone = \"Asia/Shanghai\"\n[history]\ngit = true\ncommit_url = \"https://example.org/commit/{commit}\"\n"

// nightly makes a repository of a site with one run that is measured again every night, once per level. All nights are
// committed except the last.
func nightly(t *testing.T, levels ...float64) *repository.Repository {
	t.Helper()
	r := repository.New(t)
	r.Write(map[string]string{config.Name: remembering, ".gitignore": "/public/\n"})
	for i, level := range levels {
		version := "0.10.2"
		if level < 1 {
			version = "0.11.0"
		}
		r.Write(map[string]string{"runs/n/run.toml": "model = \"m\"\nhardware = \"L40S\"\nengine = \"vllm\"\nengine_version = \"" + version + "\"\n", "runs/n/c8.log": night(i, level)})
		if i < len(levels)-1 {
			r.Commit(fmt.Sprintf("Night %d", i), nil)
		}
	}
	return r
}

// falling returns the levels of a number of nights; those of the last low nights are lower by a tenth.
func falling(nights, low int) []float64 {
	levels := slices.Repeat([]float64{1}, nights)
	for i := nights - low; i < nights; i++ {
		levels[i] = 0.9
	}
	return levels
}

func buildSite(t *testing.T, dir string) (Summary, []result.Message) {
	t.Helper()
	s, ms, err := Build(context.Background(), Options{Dir: dir})
	if err != nil || s.Broken {
		t.Fatal(s, ms, err)
	}
	return s, ms
}

func pageOf(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "public", "site", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// trendOf returns the path of the page of a site's only trend.
func trendOf(t *testing.T, dir string) string {
	t.Helper()
	page := regexp.MustCompile(`history/trend-[0-9a-f]+.html`).FindString(pageOf(t, dir, "history/index.html"))
	if page == "" {
		t.Fatal("the list leads to no trend")
	}
	return page
}

// TestTheTrendOfANightlyRun checks that a folder that is overwritten and committed every night has a trend from git
// alone, which shows changes with their commits.
func TestTheTrendOfANightlyRun(t *testing.T) {
	r := nightly(t, falling(20, 6)...)
	_, ms := buildSite(t, r.Dir)
	if len(ms) > 0 {
		t.Error(ms)
	}
	commits := strings.Fields(r.Git("log", "--reverse", "--format=%H"))
	list := pageOf(t, r.Dir, "en/history/index.html")
	page := trendOf(t, r.Dir)
	if !strings.Contains(list, `<tr id="trend-`) {
		t.Error("no row of the list has the anchor of its trend")
	}
	trend := pageOf(t, r.Dir, "en/"+page)
	for _, want := range []string{
		"<td>0.10.2</td>", "<td>0.11.0</td>", "between " + commits[13][:10] + " and " + commits[14][:10], "Regression", `<td class="num">`,
		`href="https://example.org/commit/` + commits[14] + `"`, "Night 12", commits[3][:10] + ":runs/n/c8.log:8", ">now<",
	} {
		if !strings.Contains(trend, want) {
			t.Errorf("the trend lacks %q", want)
		}
	}
	if rows := strings.Count(trend, "Night "); rows != 19+2 {
		t.Errorf("%d nights are listed", rows)
	}
	if zh := pageOf(t, r.Dir, page); !strings.Contains(zh, commits[13][:10]+" 与 "+commits[14][:10]+" 之间") || !strings.Contains(zh, "当前") {
		t.Error("the Chinese page lacks the commits")
	}
	if run := pageOf(t, r.Dir, "en/runs/n/c8.html"); !strings.Contains(run, page) || strings.Count(run, "Night ") != 9 {
		t.Error("the page of the run does not show its past")
	}
}

// TestThePastIsNoResult checks that past results are shown in trends and count nowhere else.
func TestThePastIsNoResult(t *testing.T) {
	r := nightly(t, falling(12, 5)...)
	r.Write(map[string]string{"content/posts/p.en.md": "+++\ntitle = \"P\"\ndate = 2026-01-01\n+++\n`= count{}` run\n\n```benchpost table\ncolumns = [\"output_throughput\"]\n```\n"})
	if s, _ := buildSite(t, r.Dir); s.Results != 1 {
		t.Errorf("%d results", s.Results)
	}
	without := r.Clone()
	for _, name := range []string{"runs/n/c8.log", "runs/n/run.toml", "content/posts/p.en.md"} {
		data, err := os.ReadFile(filepath.Join(r.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		without.Write(map[string]string{name: string(data)})
	}
	without.Write(map[string]string{config.Name: strings.Replace(remembering, "git = true", "git = false", 1)})
	buildSite(t, without.Dir)
	got, want := folder.Read(t, filepath.Join(r.Dir, "public")), folder.Read(t, filepath.Join(without.Dir, "public"))
	var differ []string
	for name, data := range got {
		shown := strings.Contains(name, "history/") || strings.Contains(name, "/models/m.") || strings.Contains(name, "feed.xml") || strings.Contains(name, "/runs/") || strings.HasPrefix(name, "jekyll/") || name == ".benchpost-files" ||
			strings.HasSuffix(name, "search/index.html") || strings.HasPrefix(name, "site/data/find/") || name == "site/index.html" || name == "site/en/index.html" // which list the sections of the site
		html := regexp.MustCompile(`\s*(<li>\s*)?<a [^>]*(history/index.html|feed.xml)[^>]*>[^<]*</a>(\s*</li>)?|\s*<link [^>]*feed[^>]*>|\s*<template id="courses">[\s\S]*?</template>`) // links to it
		if !shown && html.ReplaceAllString(string(data), "") != html.ReplaceAllString(string(want[name]), "") {
			differ = append(differ, name)
		}
	}
	slices.Sort(differ)
	for _, name := range differ {
		t.Errorf("%s is another: %s", name, difference(got[name], want[name]))
	}
}

// TestACommitChangesNothing checks that committing changes no byte of the output, whatever is uncommitted before.
func TestACommitChangesNothing(t *testing.T) {
	for name, change := range map[string]map[string]string{
		"the night that lies there": nil,
		"a run more":                {"runs/other/model=b/run.log": invent.Block(77)},
		"labels":                    {"runs/n/run.toml": "model = \"m\"\nhardware = \"H200\"\nengine = \"vllm\"\n"},
		"a run moved":               {"runs/n/c8.log": "", "runs/n/again/c8.log": night(9, 1)},
		"a post":                    {"content/posts/p.en.md": "+++\ntitle = \"P\"\ndate = 2026-01-01\n+++\nWords.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "a run moved" {
				need.Thorough(t, "a history of ten nights and four builds; a moved run is the hardest case")
			}
			r := nightly(t, falling(10, 4)...)
			r.Write(change)
			buildSite(t, r.Dir)
			before := folder.Read(t, filepath.Join(r.Dir, "public"))
			r.Commit("All", nil)
			if s, _ := buildSite(t, r.Dir); s.Fresh {
				t.Error("the build did not look whether the history is another")
			}
			if s, _ := buildSite(t, r.Dir); !s.Fresh {
				t.Error("a second build did something")
			}
			compareFolders(t, folder.Read(t, filepath.Join(r.Dir, "public")), before)
			clone := r.Clone()
			buildSite(t, clone.Dir)
			compareFolders(t, folder.Read(t, filepath.Join(clone.Dir, "public")), before)
		})
	}
}

func compareFolders(t *testing.T, got, want map[string][]byte) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d files, not %d", len(got), len(want))
	}
	for name, data := range want {
		if string(got[name]) != string(data) {
			t.Errorf("%s: %s", name, difference(got[name], data))
		}
	}
}

// TestMissingHistory checks that missing history is reported, and that the site is built without it.
func TestMissingHistory(t *testing.T) {
	need.Command(t, "git")
	has := func(t *testing.T, ms []result.Message, words ...string) {
		t.Helper()
		for _, w := range words {
			if !slices.ContainsFunc(ms, func(m result.Message) bool {
				return m.Severity == result.Warning && m.Pos.File == config.Name && m.Pos.Line == 4 && strings.Contains(locale.English(m.Text)+locale.English(m.Hint), w)
			}) {
				t.Errorf("no message contains %q: %v", w, ms)
			}
		}
	}
	t.Run("no repository", func(t *testing.T) {
		repository.Alone(t)
		dir := t.TempDir()
		folder.Write(t, dir, map[string]string{config.Name: remembering, "runs/a/run.log": invent.Block(1)})
		_, ms := buildSite(t, dir)
		has(t, ms, "not in a git repository")
		if s, ms := buildSite(t, dir); !s.Fresh || len(ms) != 1 {
			t.Error("the second build did something, or reported nothing", ms)
		}
		r := repository.In(t, dir)
		r.Git("init", "-q")
		if s, ms := buildSite(t, dir); s.Fresh || len(ms) != 0 {
			t.Error("that there is a repository now is not noticed", ms)
		}
	})
	t.Run("no git", func(t *testing.T) {
		dir := t.TempDir()
		folder.Write(t, dir, map[string]string{config.Name: remembering, "runs/a/run.log": invent.Block(1)})
		t.Setenv("PATH", t.TempDir())
		_, ms := buildSite(t, dir)
		has(t, ms, "no program git")
	})
	t.Run("a shallow clone", func(t *testing.T) {
		r := nightly(t, falling(8, 3)...)
		clone := r.Clone("--depth=3")
		_, ms := buildSite(t, clone.Dir)
		has(t, ms, "history begins at commit "+r.Git("rev-parse", "HEAD~2")[:10]+", of 2026-01-05", "git fetch --unshallow", "fetch-depth: 0")
		clone.Git("fetch", "-q", "--unshallow")
		if s, ms := buildSite(t, clone.Dir); s.Fresh || len(ms) > 0 {
			t.Error("that the rest came is not noticed", ms)
		}
	})
}

// TestHostileHistory checks that commit messages and file names are shown as text and have no effect.
func TestHostileHistory(t *testing.T) {
	r := repository.New(t)
	name := "runs/n/<img src=x onerror=alert(1)>.log"
	r.Write(map[string]string{config.Name: remembering})
	for i := range 5 {
		r.Commit("<script>alert(1)</script> \"]]> & {{.}}", map[string]string{name: night(i, 1), "runs/run.toml": "model = \"m<b>\"\n"})
	}
	buildSite(t, r.Dir)
	for _, lang := range []string{"", "en/"} {
		text := pageOf(t, r.Dir, lang+trendOf(t, r.Dir))
		if !strings.Contains(text, "&lt;script&gt;alert(1)&lt;/script&gt; &#34;]]&gt; &amp; {{.}}") {
			t.Error("the subject is not shown as it is")
		}
		if strings.Contains(text, "<script>alert") || strings.Contains(text, "<img src=x") {
			t.Error("a name or a subject became markup")
		}
	}
}

// TestATrendThatEnded checks the trend of a variant without a current run.
func TestATrendThatEnded(t *testing.T) {
	r := nightly(t, falling(8, 3)...)
	r.Commit("Last night", nil)
	r.Git("rm", "-qr", "runs/n")
	r.Commit("No more", map[string]string{"runs/other/model=b/run.log": invent.Block(3)})
	buildSite(t, r.Dir)
	text := pageOf(t, r.Dir, "en/"+trendOf(t, r.Dir))
	if !strings.Contains(text, "ended: no current run has this variant") || !strings.Contains(pageOf(t, r.Dir, "en/history/index.html"), "ended: no current run") || strings.Contains(text, `models/m.html`) || strings.Count(text, "Night ")+strings.Count(text, "Last night") != 8+2 {
		t.Errorf("it is not shown, or leads to a page that is not there:\n%s", text)
	}
}

// TestTheFeedReportsChanges checks that each change of level is an entry of the feed, with the date of its commit, and
// stays the same entry.
func TestTheFeedReportsChanges(t *testing.T) {
	type entry struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Link    struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Summary string `xml:"summary"`
	}
	feed := func(dir, name string) []entry {
		var f struct {
			Entries []entry `xml:"entry"`
		}
		if err := xml.Unmarshal([]byte(pageOf(t, dir, name)), &f); err != nil {
			t.Fatal(err)
		}
		return f.Entries
	}
	r := nightly(t, falling(12, 1)...)
	buildSite(t, r.Dir)
	if _, err := os.Stat(filepath.Join(r.Dir, "public", "site", "feed.xml")); err == nil {
		t.Error("there is a feed of what may be nothing: the last point")
	}
	for i := 12; i < 16; i++ {
		r.Commit("Night", nil)
		r.Write(map[string]string{"runs/n/c8.log": night(i, 0.9)})
	}
	buildSite(t, r.Dir)
	entries := feed(r.Dir, "en/feed.xml")
	if len(entries) != 2 {
		t.Fatalf("%+v", entries)
	}
	e := entries[0]
	if e.Title != "m on L40S: output throughput −9.9% since 2026-01-12 (0.10.2 → 0.11.0)" || e.Updated != "2026-01-12T20:00:00+08:00" || !strings.Contains(e.Summary, "regression") {
		t.Errorf("%+v", e)
	}
	place, anchor, _ := strings.Cut(e.Link.Href, "#")
	if place != trendOf(t, r.Dir) || !strings.Contains(pageOf(t, r.Dir, "en/"+place), `<tr id="`+anchor+`"`) {
		t.Errorf("it leads to %s", e.Link.Href)
	}
	if zh := feed(r.Dir, "feed.xml")[0]; zh.Title != "m（L40S）：输出吞吐量自 2026-01-12 起 −9.9%（0.10.2 → 0.11.0）" || zh.ID == e.ID {
		t.Errorf("%+v", zh)
	}
	r.Commit("Night", nil)
	r.Write(map[string]string{"runs/n/c8.log": night(17, 0.9)})
	buildSite(t, r.Dir)
	if again := feed(r.Dir, "en/feed.xml"); len(again) != 2 || again[0].ID != e.ID || again[0].Updated != e.Updated || again[1].ID == e.ID {
		t.Errorf("a night later: %+v", again)
	}
}

// TestTheHistoryInABrowser checks that a long trend can be read on a phone and used like any chart. Past points lead to
// no page, current ones to their pages.
func TestTheHistoryInABrowser(t *testing.T) {
	tab := browser.Open(t)
	r := nightly(t, falling(60, 20)...)
	buildSite(t, r.Dir)
	for name, base := range browser.Bases(t, filepath.Join(r.Dir, "public", "site")) {
		trend := trendOf(t, r.Dir)
		for _, page := range []string{"history/index.html", trend, "en/" + trend, "en/runs/n/c8.html"} {
			for _, width := range []int64{360, 880, 1280} {
				tab.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate(base+page))
				if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > width {
					t.Errorf("%s: %s is %d wide on a screen of %d", name, page, wide, width)
				}
			}
			if strings.Contains(page, "history/trend-") {
				roles := chartEval[[]string](tab, 0, `
					const role = (key) => {
						focus().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
						return focus().getAttribute("role");
					};
					focus().focus();
					return [role("Home"), role("End")]`)
				if !slices.Equal(roles, []string{"img", "link"}) {
					t.Errorf("%s: %s: the first point and the last are %v", name, page, roles)
				}
			}
			if troubles, _ := tab.Troubles(base); len(troubles) > 0 {
				t.Errorf("%s: %s: %v", name, page, troubles)
			}
		}
		tab.Do(chromedp.Navigate(base + "results/index.html"))
		tab.Until(`!!document.querySelector(".grid tbody th a.course")`)
		if to := browser.Eval[string](tab, `document.querySelector(".grid a.course:has(svg[aria-label])").href`); to != base+trend {
			t.Errorf("%s: the course of a run leads to %s", name, to)
		}
		if troubles, _ := tab.Troubles(base); len(troubles) > 0 {
			t.Errorf("%s: results: %v", name, troubles)
		}
	}
}
