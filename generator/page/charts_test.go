package page

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
)

// A page with charts loads the specifications of its own, and what draws them; one
// without loads neither.
func TestAPageLoadsItsOwnChartsOnly(t *testing.T) {
	s := fixture()
	if len(s.Posts) < 2 {
		t.Fatal("the fixture needs two posts")
	}
	for i := range s.Posts {
		s.Posts[i].Charts = nil
	}
	post := &s.Posts[0]
	post.Charts = []Chart{{ID: "sweep", Spec: []byte(`{"kind":"lines","title":"</script>"}`), Runs: []string{"board/a", "board/功率=15w/a:b"}}}
	files, _ := render(t, s)
	page := string(files[s.PostPage(post.Lang, post.Slug)])
	script := strings.TrimSuffix(s.PostPage(post.Lang, post.Slug), ".html") + ".js"
	up := address.Root(s.PostPage(post.Lang, post.Slug))
	own, drawn := strings.Index(page, `src="`+up+address.Escape(script)+`" defer`), strings.Index(page, `src="`+up+`script/chart.js" defer`)
	if own < 0 || drawn < own {
		t.Errorf("the page has its data at %d and the script at %d, want one after the other", own, drawn)
	}
	if !strings.Contains(page, `"chart.reset"`) {
		t.Error("the page has no words for its charts")
	}
	data := files[script]
	want := "(self.benchpost??={})[\"charts\"]={\"sweep\":{\"kind\":\"lines\",\"title\":\"\\u003c/script\\u003e\"}};\n" +
		"(self.benchpost??={})[\"paths\"]={\"board/功率=15w/a:b\":\"board/功率=15w/a~3Ab\"};\n"
	if string(data) != want {
		t.Errorf("the data script is %s, want %s", data, want)
	}
	for _, other := range s.Posts[1:] {
		if page := files[s.PostPage(other.Lang, other.Slug)]; bytes.Contains(page, []byte("script/chart.js")) {
			t.Errorf("%s has no charts and loads what draws them", other.Slug)
		}
	}
	if files[chartTheme] != nil {
		t.Error("charts that look as usual need no theme")
	}
}

func TestChartsThatLookOtherwiseSaySo(t *testing.T) {
	s := fixture()
	s.ChartTheme = []byte(`{"textSize":30}`)
	s.Posts[0].Charts = []Chart{{ID: "a", Spec: []byte(`{}`)}}
	files, _ := render(t, s)
	if got := string(files[chartTheme]); got != "(self.benchpost??={})[\"theme\"]={\"textSize\":30};\n" {
		t.Errorf("%s", got)
	}
	if page := files[s.PostPage(s.Posts[0].Lang, s.Posts[0].Slug)]; !bytes.Contains(page, []byte(chartTheme)) {
		t.Error("the page does not load it")
	}
}

func TestAPictureNamesItsChart(t *testing.T) {
	p, _ := locale.For("en")
	got := string(parts.Figure(parts.Picture{Src: "a.png", SVG: "<svg></svg>", Chart: `a"b`, Runs: "../../runs/"}, p))
	if !strings.HasPrefix(got, `<figure class="chart" data-chart="a&#34;b" data-runs="../../runs/"><a href="a.png">`) {
		t.Errorf("%s", got)
	}
}

func TestRunsOfAChartAreThoseOfItsPoints(t *testing.T) {
	series := func(runs ...string) []report.Series {
		s := report.Series{}
		for _, run := range runs {
			s.Points = append(s.Points, report.Point{Run: run})
		}
		return []report.Series{s}
	}
	c := &report.Chart{Series: series("b", "a", "", "b"), Panels: []report.Panel{{Chart: report.Chart{Series: series("c", "a")}}}}
	if got := RunsOf(c); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%v", got)
	}
}
