package page

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
)

// A page with charts runs the script of charts; one without does not.
func TestAPageWithChartsRunsTheirScript(t *testing.T) {
	t.Parallel()
	s := fixture()
	if len(s.Posts) < 2 {
		t.Fatal("the fixture needs two posts")
	}
	for i := range s.Posts {
		s.Posts[i].Charts = 0
	}
	post := &s.Posts[0]
	post.Charts = 1
	files, _ := render(t, s)
	page := string(files[s.PostPage(post.Lang, post.Slug)])
	if !strings.Contains(page, `src="`+address.Root(s.PostPage(post.Lang, post.Slug))+`script/chart.js" defer`) || !strings.Contains(page, `"chart.reset"`) {
		t.Error("the page does not run the script of charts with its words")
	}
	for _, other := range s.Posts[1:] {
		if page := files[s.PostPage(other.Lang, other.Slug)]; bytes.Contains(page, []byte("script/chart.js")) {
			t.Errorf("%s has no charts and runs their script", other.Slug)
		}
	}
}

func TestAPictureNamesItsChart(t *testing.T) {
	t.Parallel()
	p, _ := locale.For("en")
	got := string(parts.Figure(parts.Picture{Src: "a.png", SVG: "<svg></svg>", Chart: `a"b`, Runs: "../../runs/", Paths: map[string]string{"a:b": "a~3Ab"}}, p))
	if !strings.HasPrefix(got, `<figure class="chart" data-chart="a&#34;b" data-runs="../../runs/" data-paths="{&#34;a:b&#34;:&#34;a~3Ab&#34;}"><a href="a.png">`) {
		t.Errorf("%s", got)
	}
}

func TestPathsOfAChartAreThoseOfItsPointsThatDiffer(t *testing.T) {
	t.Parallel()
	series := func(runs ...string) []report.Series {
		s := report.Series{}
		for _, run := range runs {
			s.Points = append(s.Points, report.Point{Run: run})
		}
		return []report.Series{s}
	}
	c := &report.Chart{Series: series("board/功率=15w/a:b", "a", ""), Panels: []report.Panel{{Chart: report.Chart{Series: series("c:d", "a")}}}}
	want := map[string]string{"board/功率=15w/a:b": "board/功率=15w/a~3Ab", "c:d": "c~3Ad"}
	if got := new(Site).PathsOf(c); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
