package page

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// TestPostsLeadToTheirData checks that a post's page links to its document.
func TestPostsLeadToTheirData(t *testing.T) {
	t.Parallel()
	s := fixture()
	files, _ := render(t, s)
	for page, link := range map[string]string{
		"posts/tradeoffs/index.html":    "../../data/posts/zh-CN/tradeoffs.json",
		"en/posts/tradeoffs/index.html": "../../../data/posts/en/tradeoffs.json",
	} {
		if want := `<a href="` + link + `" type="application/json">`; !bytes.Contains(files[page], []byte(want)) {
			t.Errorf("%s lacks %s", page, want)
		}
	}
	if got, want := s.PostData("en", "../a/b"), "data/posts/en/~2E~2E~2Fa~2Fb.json"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestResultsAreGivenAsData checks that every campaign has a document of its results, that files of no campaign are
// with the results without one, and that the list names all documents.
func TestResultsAreGivenAsData(t *testing.T) {
	t.Parallel()
	s := fixture()
	stray, _ := fixtureRun("stray", "M", "FP8", "high", 8, 100, [3]float64{1, 2, 3})
	stray.Labels = slices.DeleteFunc(stray.Labels, func(l result.Label) bool { return l.Name == "campaign" })
	odd, _ := fixtureRun("odd", "M", "FP8", "high", 8, 100, [3]float64{1, 2, 3})
	odd.Labels.Set(labelOf("campaign", "2025/10"))
	s.Results = append(s.Results, stray, odd)
	s.Unread = append(s.Unread, unread.File{Name: "runs/README", Kind: unread.Unknown, Reason: locale.Textf("no known format")}, unread.File{Name: "runs/elsewhere/x", Kind: unread.Unknown, Reason: locale.Textf("no known format")})
	s.Messages = append(s.Messages,
		result.Message{Pos: result.Position{File: "runs/edge-board/run.toml", Line: 2}, Severity: result.Error, Text: locale.Textf("broken")},
		result.Message{Pos: result.Position{File: "site.toml"}, Severity: result.Error, Text: locale.Textf("of no run")})
	files, _ := render(t, s)

	type entry struct {
		File, Campaign           string
		Results, Skipped, Errors int
	}
	var index struct {
		Schema  string
		Posts   []struct{ File string }
		Results []entry
	}
	if err := json.Unmarshal(files["data/index.json"], &index); err != nil {
		t.Fatal(err)
	}
	want := []entry{
		{"results/2025~2F10.json", "2025/10", 1, 0, 0},
		{"results/_.json", "", 1, 2, 0},
		{"results/edge-board.json", "edge-board", 33, 2, 1}, // 16 models at two loads, and the run cut short
	}
	if index.Schema != "benchpost.index/1" || !reflect.DeepEqual(index.Results, want) {
		t.Errorf("got %+v, want %+v", index.Results, want)
	}
	listed := map[string]bool{"data/index.json": true}
	for _, e := range index.Results {
		listed["data/"+e.File] = true
		var doc struct {
			Schema                   string
			Results, Skipped, Errors []any
		}
		if err := json.Unmarshal(files["data/"+e.File], &doc); err != nil {
			t.Fatal(err)
		}
		if doc.Schema != "benchpost.results/1" || len(doc.Results) != e.Results || len(doc.Skipped) != e.Skipped || len(doc.Errors) != e.Errors {
			t.Errorf("%s contains %d results, %d skipped and %d errors, want %+v", e.File, len(doc.Results), len(doc.Skipped), len(doc.Errors), e)
		}
	}
	for _, e := range index.Posts {
		listed["data/"+e.File] = true
	}
	for name := range files {
		if strings.HasPrefix(name, "data/columns/") || strings.HasPrefix(name, "data/blocks/") || strings.HasPrefix(name, "data/find/") {
			continue // the same data and raw text, only for the pages' scripts
		}
		if strings.HasPrefix(name, "data/") && !listed[name] && name != packageFile {
			t.Errorf("%s is not in the list", name)
		}
	}
	if !bytes.Contains(files["data/results/edge-board.json"], []byte(`"id":"physics.memory-roofline"`)) {
		t.Error("the results are without their checks")
	}
	page := string(files["en/results/index.html"])
	for _, link := range []string{"../../data/index.json", "../../data/results/edge-board.json", "../../data/results/_.json", "../../data/results/2025~2F10.json"} {
		if !strings.Contains(page, `<a href="`+link+`" type="application/json">`) {
			t.Errorf("the page of results does not lead to %s", link)
		}
	}
}

// TestPagesOfACampaignLeadToItsData checks that each page of a campaign links to its document.
func TestPagesOfACampaignLeadToItsData(t *testing.T) {
	t.Parallel()
	files := renderLists(t, manyRuns(1200))
	for page, link := range map[string]string{
		"en/results/index.html":    "../../data/index.json",
		"en/results/sweep.html":    "../../data/results/sweep.json",
		"en/results/sweep~p3.html": "../../data/results/sweep.json",
	} {
		if got := strings.Count(string(files[page]), `" type="application/json">`); got != 1 || !strings.Contains(string(files[page]), `<a href="`+link+`"`) {
			t.Errorf("%s has %d links to data, want one to %s", page, got, link)
		}
	}
}

// TestLayoutsAreGivenTheBlocks checks that a layout of the site can show a block elsewhere, and select parts of it.
func TestLayoutsAreGivenTheBlocks(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Layouts = fstest.MapFS{"post.html": {Data: []byte(
		`{{range .Data.Data}}{{with .Findings}}<aside>{{findings .}}</aside>{{range .Claims}}<i>{{say .Text}}</i>{{end}}{{end}}{{with .Table}}{{table .}}{{end}}{{end}}`)}}
	files, _ := render(t, s)
	page := string(files["en/posts/tradeoffs/index.html"])
	for _, want := range []string{
		"<aside><div class=\"said\">\n<ul class=\"claims\"",
		"<i>The output throughput of the ten variants spans a factor of 25.</i>",
		`<div class="table table-tradeoff">`,
		`<a href="../../../en/runs/edge-board/qwen3-8b/high.html"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in\n%s", want, page)
		}
	}
}
