package site

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// TestSampleIsGivenAsData checks that the data documents of the sample are complete: each is in the index, every post
// has its blocks, and what they name has a page.
func TestSampleIsGivenAsData(t *testing.T) {
	t.Parallel()
	all := files(t, filepath.Join(buildSample(t), "site"))
	var index struct {
		Posts []struct {
			File, Slug, Lang string
			Runs             int
		}
		Results []struct {
			File    string
			Results int
		}
	}
	if err := json.Unmarshal(all["data/index.json"], &index); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{"data/index.json": true}
	results := 0
	for _, r := range index.Results {
		listed["data/"+r.File] = true
		results += r.Results
	}
	pages := 0
	for name := range all {
		if strings.HasPrefix(name, "runs/") && strings.HasSuffix(name, ".html") {
			pages++
		}
	}
	if results != pages || results == 0 {
		t.Errorf("the documents contain %d results, and %d have a page", results, pages)
	}
	if len(index.Posts) != 6 { // three posts in two languages
		t.Errorf("%d posts are listed, want 6", len(index.Posts))
	}
	for _, p := range index.Posts {
		listed["data/"+p.File] = true
		var doc struct {
			Source string
			Runs   []string
			Blocks []struct {
				Kind  string
				Line  int
				Table struct {
					Rows []struct{ Cells []struct{ Run string } }
				}
				Findings struct {
					Claims []struct {
						Text string
						Runs []string
					}
				}
				Chart struct{ Series []any }
				Raw   []struct{ Run string }
			}
		}
		if err := json.Unmarshal(all["data/"+p.File], &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Runs) != p.Runs || len(doc.Runs) == 0 || len(doc.Blocks) == 0 || !strings.HasPrefix(doc.Source, "content/posts/") {
			t.Errorf("%s: %d runs, want %d; %d blocks; source %q", p.File, len(doc.Runs), p.Runs, len(doc.Blocks), doc.Source)
		}
		home := ""
		if p.Lang != "zh-CN" {
			home = p.Lang + "/"
		}
		for _, id := range doc.Runs {
			if all[home+"runs/"+id+".html"] == nil {
				t.Errorf("%s: the run %s has no page", p.File, id)
			}
		}
		for _, b := range doc.Blocks {
			if b.Line < 2 || len(b.Table.Rows) == 0 && len(b.Findings.Claims) == 0 && len(b.Chart.Series) == 0 && len(b.Raw) == 0 {
				t.Errorf("%s: the block %s at line %d is empty", p.File, b.Kind, b.Line)
			}
			for _, claim := range b.Findings.Claims {
				if claim.Text == "" || len(claim.Runs) == 0 {
					t.Errorf("%s: a claim without words or runs: %+v", p.File, claim)
				}
			}
			for _, row := range b.Table.Rows {
				for _, c := range row.Cells {
					if c.Run != "" && !slices.Contains(doc.Runs, c.Run) {
						t.Errorf("%s: the run %s is not among those of the post", p.File, c.Run)
					}
				}
			}
		}
	}
	for name := range all {
		if strings.HasPrefix(name, "data/") && path.Ext(name) == ".json" && !listed[name] && name != "data/datapackage.json" {
			t.Errorf("%s is not in the list", name)
		}
	}
}

// TestFindingsReachTheReader checks that a post depends on the runs that its findings and answers name, and that both
// outputs show the findings.
func TestFindingsReachTheReader(t *testing.T) {
	t.Parallel()
	zh, _ := locale.For("zh-CN")
	block := &document.Block{Kind: "findings"}
	finding := func(id string) []report.Finding {
		return []report.Finding{{Text: locale.Lit("of " + id), Runs: []string{id}}}
	}
	doc, ms := document.Parse("content/posts/x.zh-CN.md", []byte("+++\ntitle = \"X\"\ndate = 2026-01-15\n+++\n"), document.Options{Language: "zh-CN", Location: time.UTC})
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	p := &post{doc: doc, printer: zh, runs: map[string]bool{}}
	findings := report.Block{Findings: &report.Findings{Claims: finding("claimed"), Withheld: finding("withheld"), Limits: finding("limit")}}
	p.blocks = map[*document.Block]report.Block{block: findings}
	p.noteRuns(findings)
	p.noteRuns(report.Block{Table: &report.Table{Answers: finding("answer")}})
	for _, id := range []string{"claimed", "withheld", "limit", "answer"} {
		if !p.runs[id] {
			t.Errorf("the run of the %s is not noted", id)
		}
	}

	b := &builder{theme: chart.DefaultTheme(), dark: chart.DarkTheme(), session: Open(Options{Dir: t.TempDir()})}
	b.config.Languages = []string{"zh-CN"}
	b.dataset = &rundir.Dataset{}
	b.pages = b.site([]*result.Result{})
	html := string(htmlFill{b, p, b.pages.PostPage("zh-CN", "x"), false}.Block(nil, block))
	if want := `<a href="../../runs/claimed.html" title="claimed">claimed</a>`; !strings.Contains(html, want) {
		t.Errorf("%s is missing in\n%s", want, html)
	}
	if md, want := (markdownFill{b, p, outlet{}}).Block(block).String(), "- <strong>未作结论：</strong>“of withheld”  \n  <small>withheld</small>\n"; !strings.Contains(md, want) {
		t.Errorf("%s is missing in\n%s", want, md)
	}
}
