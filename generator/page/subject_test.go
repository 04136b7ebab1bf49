package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// drawn makes a site draw its charts as their alternative texts.
func drawn(s *Site) *Site {
	s.Draw = func(lang string, c *report.Chart) (Drawing, error) {
		p, _ := locale.For(lang)
		return Drawing{SVG: []byte("<svg><title>" + p.Say(c.Title) + " | " + p.Say(c.Subtitle) + "</title></svg>")}, nil
	}
	return s
}

// says reports which of some texts are missing on a page.
func says(t *testing.T, files map[string][]byte, name string, texts ...string) {
	t.Helper()
	page, ok := files[name]
	if !ok {
		t.Errorf("there is no %s", name)
		return
	}
	for _, text := range texts {
		if !bytes.Contains(page, []byte(text)) {
			t.Errorf("%s lacks %q", name, text)
		}
	}
}

// TestHardwarePage checks that a machine's page has its specification and the source of it, compares the models on it
// at each load, and lists the runs.
func TestHardwarePage(t *testing.T) {
	t.Parallel()
	s := drawn(fixture())
	s.Hardware = []Hardware{
		{ID: "Edge Board 128 GB", Product: "Edge Board", Memory: "128 GB", Bandwidth: "273 GB/s", Peaks: []Peak{{"FP8", "515 TFLOPS"}}, Declared: true, Source: "Edge Board data sheet"},
		{ID: "unused", Title: locale.By(map[string]string{"zh": "闲置机器", "en": "Idle machine"}, "")},
	}
	plan(s)
	s.Report.Plans[0].Labels = append(s.Report.Plans[0].Labels, dataset.PlanLabel{Name: "hardware", Values: []string{"Edge Board 128 GB"}})
	files, _ := render(t, s)
	says(t, files, "en/hardware/Edge Board 128 GB.html",
		"<dt>Memory bandwidth</dt><dd>273 GB/s</dd>", "<dt>Dense peak, FP8</dt><dd>515 TFLOPS</dd>",
		"stated by the author of this site; the rest: Edge Board data sheet",
		`coverage/index.html#plan-1">Everything &lt;at&gt; both loads: 1 of 4 done</a>`,
		"<h2>By load</h2>", "<title>Output throughput of the models | MAXN</title>",
		`<a href="../../en/models/Qwen3-8B-FP8.html"`,
		`<table class="runs" id="runs-1">`)
	says(t, files, "hardware/Edge Board 128 GB.html", "<dt>内存带宽</dt>", "<h2>按负载</h2>", "<h2>运行</h2>")
	says(t, files, "en/hardware/unused.html", "<h1>Idle machine</h1>", "There are no runs.")
	says(t, files, "hardware/index.html", ">闲置机器</a>", `<td class="num">273 GB/s</td>`, "FP8 515 TFLOPS")
}

// TestLoadPage checks that the page of a load has the condition of the load, and compares the models with their
// frontier. Excluded runs are struck through and not on it.
func TestLoadPage(t *testing.T) {
	t.Parallel()
	s := drawn(fixture())
	s.Loads = []Load{{Label: "load", Name: "low", When: `{max_concurrency="1"}`}}
	s.Titles = map[string]map[string]locale.Text{"load": {"low": locale.By(map[string]string{"zh": "低负载", "en": "Low load"}, "")}}
	s.Results[4].Labels.Set(labelOf("scenario", "chat"))
	files, _ := render(t, s)
	says(t, files, "en/loads/low.html", "<h1>Low load</h1>", `<code>{max_concurrency=&#34;1&#34;}</code>`,
		"<title>Output throughput against mean TTFT | </title>", "Pareto")
	says(t, files, "loads/low.html", "<h1>低负载</h1>", "<dt>判定条件</dt>")
	says(t, files, "loads/high.html", "无：由 run.toml 指定")
	says(t, files, "en/scenarios/chat.html", "<dt>Kind</dt><dd>Scenario</dd>")
	says(t, files, "en/loads/index.html", `../../en/loads/low.html">Low load</a>`, `../../en/scenarios/chat.html">chat</a>`)
	row := regexp.MustCompile(`<tr class="quarantined">.*`).Find(files["en/loads/low.html"])
	if !bytes.Contains(row, []byte(">Qwen3-8B-Q5_K_M</a>")) || bytes.Contains(row, []byte("◆")) {
		t.Errorf("the row that is excluded is %s", row)
	}
}

// TestModelPageComparesWithTheBase checks that a model's page shows the ratio to its base at each load.
func TestModelPageComparesWithTheBase(t *testing.T) {
	t.Parallel()
	files, _ := render(t, drawn(fixture()))
	says(t, files, "en/models/Qwen3-8B-FP4.html", `<small class="tag">baseline</small>`,
		`166.08</a> <small class="change">2.04×</small>`, `40.02</a> <small class="change">2.56×</small>`, "<title>Output throughput against mean TTFT | High load · MAXN</title>")
	if page := files["en/models/Qwen3-8B-FP4.html"]; bytes.Contains(page, []byte("Qwen3-8B-AWQ")) {
		t.Error("the page of one model compares others")
	}
	says(t, files, "en/models/Qwen3-8B.html", ">Qwen3-8B-AWQ</a>", `<small class="change">2.04×</small>`)
}

// TestPartsOfTheSiteAreThereWithLittle checks that subjects with no or few runs have pages in both languages, and that
// each section has one.
func TestPartsOfTheSiteAreThereWithLittle(t *testing.T) {
	t.Parallel()
	one := fixture()
	one.Results, one.Posts, one.Messages, one.Models = one.Results[:1], nil, nil, nil
	bare := &result.Result{ID: "x", Status: result.Failed, Source: result.Position{File: "runs/x.log"}}
	for name, s := range map[string]*Site{"empty": {Languages: []string{"zh-CN", "en"}}, "one run": drawn(one), "a bare run": {Languages: []string{"zh-CN", "en"}, Results: []*result.Result{bare}}} {
		files, _ := render(t, s)
		for _, part := range sections() {
			if part.name == "manual" { // a manual without an author's page
				if len(files[part.path]) > 0 || bytes.Contains(files["index.html"], []byte(part.path)) {
					t.Errorf("%s: there is a manual without pages", name)
				}
				continue
			}
			for _, l := range []string{"", "en/"} {
				page := files[l+part.path]
				if len(page) == 0 {
					t.Errorf("%s: no %s", name, l+part.path)
				}
				if m := regexp.MustCompile(`\[[a-z]+\.[a-z0-9.]+\]|%!`).Find(page); m != nil {
					t.Errorf("%s: %s: %s", name, l+part.path, m)
				}
				if part.name == "history" && bytes.Contains(page, []byte(`history/index.html"`)) != bytes.Contains(page, []byte(`class="switches"><a href="`)) && bytes.Contains(page, []byte(">History</a>")) {
					t.Errorf("%s: the history is among the links though it is empty", name)
				}
			}
		}
		says(t, files, "en/history/index.html", "on at least two dates or with at least two versions")
		says(t, files, "history/index.html", "至少有两个日期或两个引擎版本")
	}
}

// TestSiteIndex checks that a section is linked at the foot of every page and, if so defined, at the head, and that the
// current section is marked.
func TestSiteIndex(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	page := files["en/coverage/index.html"]
	head, _, _ := bytes.Cut(page, []byte("</header>"))
	_, foot, _ := bytes.Cut(page, []byte(`<footer class="colophon">`))
	for _, s := range sections() {
		link := []byte(`<a href="../../en/` + s.path + `"`)
		shown := s.shown == nil || s.name == "tags" // which posts of the fixture have
		if got := bytes.Count(head, link); got != map[bool]int{true: 1}[s.main && shown] && s.name != "home" {
			t.Errorf("%s is %d times at the head", s.name, got)
		}
		if got, want := bytes.Contains(foot, link), shown; got != want {
			t.Errorf("%s is at the foot: %v", s.name, got)
		}
	}
	says(t, files, "en/coverage/index.html", `coverage/index.html" aria-current="true">Coverage</a>`)
	says(t, files, "hardware/Edge Board 128 GB.html", `hardware/index.html" aria-current="true">硬件</a>`)
}

// TestCoveragePage checks that the coverage shows each plan with all its states, and the runs of each model; numbers
// link to the runs.
func TestCoveragePage(t *testing.T) {
	t.Parallel()
	s := fixture()
	plan(s)
	files := renderSome(t, s, func(artifact string) bool { return !strings.HasPrefix(artifact, "runs/") })
	says(t, files, "en/coverage/index.html", `id="plan-1"`, ">excluded<", ">missing<", `data-rule="coverage.failed"`,
		`<td class="num"><a href="../../en/models/Qwen3-8B-FP8.html#runs">2</a></td>`)
	says(t, files, "coverage/index.html", `<h2>已有的测试</h2>`, ">Qwen3-8B-Q5_K_M</a></th>")

	s = manyRuns(1200)
	for i, r := range s.Results {
		r.Labels.Set(labelOf("model", "A/2")) // its page has the path that a second page of A could have
		if i%2 == 0 {
			r.Labels.Set(labelOf("hardware", "Other board"))
		}
	}
	files = renderSome(t, s, func(artifact string) bool { return !strings.HasPrefix(artifact, "runs/") })
	found := regexp.MustCompile(`href="\.\./\.\./en/(models/A/2[^"]*)#(runs-[0-9]+)"`).FindAllSubmatch(files["en/coverage/index.html"], -1)
	if len(found) != 3 {
		t.Errorf("%d places of the model, want 2 machines at high load and one at low", len(found))
	}
	for _, m := range found {
		if page := files["en/"+string(m[1])]; !bytes.Contains(page, []byte(`id="`+string(m[2])+`"`)) {
			t.Errorf("%s has no %s", m[1], m[2])
		}
	}
	if rows := rowsOfRuns(files["en/models/A/2~p3.html"]); rows != 233 {
		t.Errorf("the third page of the model lists %d runs", rows)
	}
}

// history returns a site whose model is measured with each version of an engine, with one figure for each version.
func history(figures ...float64) *Site {
	s := fixture()
	s.Results = nil
	for i, v := range figures {
		r, _ := fixtureRun(fmt.Sprintf("nightly/v%d", i), "Qwen3-8B", "BF16", "high", 8, 100, [3]float64{v, 900, 80})
		r.Labels.Set(labelOf("engine_version", fmt.Sprintf("0.%d.0", i+9)))
		r.Labels.Set(labelOf("date", fmt.Sprintf("2026-01-%02d", i+1)))
		r.Labels.Set(labelOf("driver", fmt.Sprint(570+i/3)))
		s.Results = append(s.Results, r)
	}
	s.Raw = nil
	return drawn(s)
}

// TestTheInventoryNamesMachinesFirst checks that runs without a machine have columns without a head, after those of the
// machines.
func TestTheInventoryNamesMachinesFirst(t *testing.T) {
	t.Parallel()
	s := manyRuns(4)
	s.Results[0].Labels.Set(labelOf("hardware", ""))
	files, _ := render(t, s)
	text := string(files["en/coverage/index.html"])
	machine, unnamed := strings.Index(text, `class="group"`), strings.Index(text, `<th scope="col" class="num" rowspan="2">`)
	if machine < 0 || unnamed < machine {
		t.Errorf("a machine at %d, none at %d", machine, unnamed)
	}
}

// TestHistoryPage checks that the history shows where a level changed, the values before and after, and what else
// changed.
func TestHistoryPage(t *testing.T) {
	t.Parallel()
	files, _ := render(t, history(100, 100.2, 99.9, 100.1, 120, 120.3, 119.8, 120.1))
	says(t, files, "en/history/index.html", "1 variant measured more than once over time · 1 improvement", "<h2>Improvements</h2>", `<svg class="spark improvement"`,
		"+20.0%", "0.029", "n = 4 and 4", "0.12.0 → 0.13.0", "120.10 tok/s")
	list := regexp.MustCompile(`href="\.\./\.\./en/(history/trend-[0-9a-f]+.html)#(step-[0-9a-f]+)"`).FindSubmatch(files["en/history/index.html"])
	if list == nil {
		t.Fatal("the list leads to no step")
	}
	page := string(list[1])
	says(t, files, "en/"+page, "<h2>Step: 2026-01-05</h2>", `id="`+string(list[2])+`"`, "p = 0.029, n = 4 and 4", "<td>0.12.0</td>", "<td>0.13.0</td>", "<svg><title>Output throughput | ",
		`runs/nightly/v3.html"`, `runs/nightly/v4.html"`, `compare/index.html#run=nightly%2Fv3&amp;run=nightly%2Fv4"`)
	says(t, files, page, "改进", "阶跃：2026-01-05")
	says(t, files, "en/models/Qwen3-8B.html", "<h2>History</h2>", "<caption><span>Improvements</span>", page)
	says(t, files, "en/runs/nightly/v0.html", `class="spark improvement"`, page)
	says(t, files, "en/results/index.html", `<template id="courses">`, `<a class="course" href="../../en/`+page+`" data-runs="[&#34;nightly/v0&#34;,&#34;nightly/v1&#34;`)
	says(t, files, "en/index.html", `en/history/index.html">History</a>`)
	says(t, files, "sitemap.xml", "/en/history/index.html")

	files, _ = render(t, history(100, 100.2))
	says(t, files, "en/history/index.html", "1 level", "<h2>Level</h2>")
	files, _ = render(t, history(100, 120))
	says(t, files, "en/history/index.html", "1 not confirmed", "cannot be judged: a single run on one side (n = 1 and 1)", "have too few runs to judge")
	files, _ = render(t, history(100))
	says(t, files, "en/history/index.html", "on at least two dates or with at least two versions")
	if bytes.Contains(files["en/index.html"], []byte(">History</a>")) || bytes.Contains(files["sitemap.xml"], []byte("history")) {
		t.Error("a history of nothing is led to")
	}
}

func TestHistoryIsPaged(t *testing.T) {
	t.Parallel()
	s := history(100, 120)
	for i := range trendsPerPage {
		for _, r := range slices.Clone(s.Results[:2]) {
			more := *r
			more.ID, more.Labels = fmt.Sprintf("%s-%d", r.ID, i), slices.Clone(r.Labels)
			more.Labels.Set(labelOf("model", fmt.Sprintf("M%d", i)))
			s.Results = append(s.Results, &more)
		}
	}
	files, _ := render(t, s)
	for name, want := range map[string]int{"en/history/index.html": trendsPerPage, "en/history/index~p2.html": 1} {
		if got := bytes.Count(files[name], []byte(`<tr id="trend-`)); got != want {
			t.Errorf("%s has %d trends, want %d", name, got, want)
		}
	}
}

// TestManyDownloads checks that some files of many campaigns and posts are listed, with a link to the others.
func TestManyDownloads(t *testing.T) {
	t.Parallel()
	s := fixture()
	for i := range 3 * mostDownloads {
		slug := fmt.Sprint("report-", i)
		s.Posts = append(s.Posts, Post{Slug: slug, Lang: "en", Title: slug})
		s.Written = append(s.Written, DataFile{s.PostData("en", slug), 2, strings.Repeat("cd", 32)})
	}
	files := renderSome(t, s, func(artifact string) bool { return artifact == "en/downloads/index.html" || artifact == packageFile })
	page := string(files["en/downloads/index.html"])
	if n := strings.Count(page, `href="../../data/posts/en/report-`); n != mostDownloads || !strings.Contains(page, `<a href="../../data/datapackage.json">200 more files`) {
		t.Errorf("%d files of posts are listed:\n%s", n, page)
	}
	if n := bytes.Count(files[packageFile], []byte("/report-")); n != len(s.Written) {
		t.Errorf("the package has %d files of posts", n)
	}
}

// TestDownloads checks that the downloads page describes each file, with size and checksum, and every column, and that
// the data package does so for programs.
func TestDownloads(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Written = []DataFile{{ResultsCSV, 10, strings.Repeat("ab", 32)}, {s.PostData("en", "tradeoffs"), 2, strings.Repeat("cd", 32)}}
	files, _ := render(t, s)
	sum := sha256.Sum256(files["data/results/edge-board.json"])
	says(t, files, "en/downloads/index.html", hex.EncodeToString(sum[:]), strings.Repeat("ab", 32), `href="../../data/results.csv"`,
		`<code>output_throughput</code></th><td>number</td><td class="unit">tok/s</td>`, "metric-output_throughput\">Output throughput</a> <small class=\"unit\">↑ higher is better</small>", "<code>checks[].severity</code>", "<code>ttft_mean_s</code>", "<code>table_column</code>",
		"Nine quantizations of an 8 B model")
	says(t, files, "downloads/index.html", "输出吞吐量</a> <small", "<td>模型</td>", "结果块的起始行")
	var p struct {
		Schema    string `json:"$schema"`
		Name      string
		Resources []struct {
			Name, Path, Format, MediaType, Hash, Type string
			Bytes                                     int
			Schema                                    *struct {
				PrimaryKey []string
				Fields     []struct{ Name, Type, Title string }
			}
		}
	}
	if err := json.Unmarshal(files[packageFile], &p); err != nil {
		t.Fatal(err)
	}
	if p.Schema != "https://datapackage.org/profiles/2.0/datapackage.json" || p.Name == "" || len(p.Resources) < 4 || p.Resources[0].Path != "results.csv" || p.Resources[0].Schema == nil {
		t.Fatalf("the package is %+v", p)
	}
	names := map[string]bool{}
	for _, r := range p.Resources {
		if !regexp.MustCompile(`^[a-z0-9._-]+$`).MatchString(r.Name) || names[r.Name] || strings.HasPrefix(r.Path, "/") || strings.Contains(r.Path, "..") ||
			!regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(r.Hash) || r.MediaType == "" || r.Format == "" {
			t.Errorf("resource %+v", r)
		}
		names[r.Name] = true
		data, made := files["data/"+r.Path]
		if sum := sha256.Sum256(data); made && !slices.ContainsFunc(s.Written, func(f DataFile) bool { return f.Path == "data/"+r.Path }) && (r.Hash != "sha256:"+hex.EncodeToString(sum[:]) || r.Bytes != len(data)) {
			t.Errorf("%s has another sum or size", r.Path)
		}
	}
	if f := p.Resources[0].Schema.Fields; f[0].Name != "id" || !slices.ContainsFunc(f, func(f struct{ Name, Type, Title string }) bool {
		return f.Name == "ttft_mean_s" && f.Type == "number" && f.Title == "Mean TTFT"
	}) {
		t.Errorf("the fields are %+v", f)
	}
}
