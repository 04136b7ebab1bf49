package page

import (
	"bytes"
	"encoding/json"
	"html"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
)

// TestAPageWithChartsRunsTheirScript checks that only pages with charts load the script of charts.
func TestAPageWithChartsRunsTheirScript(t *testing.T) {
	t.Parallel()
	s := fixture()
	if len(s.Posts) < 2 {
		t.Fatal("the fixture needs two posts")
	}
	for i := range s.Posts {
		s.Posts[i].Charts = nil
	}
	post := &s.Posts[0]
	post.Charts = []string{"a"}
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
	got := string(parts.Figure(parts.Picture{SVG: []byte("<svg></svg>"), Chart: `a"b`, Runs: "../../runs/", Paths: map[string]string{"a:b": "a~3Ab"}}, p))
	if !strings.HasPrefix(got, `<figure class="chart" data-chart="a&#34;b" data-runs="../../runs/" data-paths="{&#34;a:b&#34;:&#34;a~3Ab&#34;}"><div id="chart:a&#34;b">`) {
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

// described holds the metadata in the head of a page, as programs parse it.
type described struct {
	description string
	properties  map[string]string // Open Graph properties
	things      map[string]map[string]any
}

var (
	headTag = regexp.MustCompile(`<meta (?:name="description" )?(?:property|name)="([^"]+)" content="([^"]*)">`)
	linked  = regexp.MustCompile(`<script type="application/ld\+json">([^<]*)</script>`)
)

func describedBy(t *testing.T, name string, page []byte) described {
	t.Helper()
	d := described{properties: map[string]string{}, things: map[string]map[string]any{}}
	for _, m := range headTag.FindAllStringSubmatch(string(page), -1) {
		d.properties[m[1]] = html.UnescapeString(m[2])
	}
	d.description = d.properties["og:description"]
	blocks := linked.FindAllSubmatch(page, -1)
	if len(blocks) != 1 {
		t.Fatalf("%s has %d blocks of JSON-LD", name, len(blocks))
	}
	var doc struct {
		Context string           `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(blocks[0][1], &doc); err != nil || doc.Context != "https://schema.org" {
		t.Fatalf("%s: %v in %s", name, err, blocks[0][1])
	}
	for _, one := range doc.Graph {
		d.things[one["@type"].(string)] = one
	}
	return d
}

// TestEveryPageDescribesItself checks that the description of every page is unique in its language, and that pages have
// metadata for programs: the data set with the fields required by search engines, the post, and the place in the site.
func TestEveryPageDescribesItself(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Work = cite.Work{License: "CC-BY-4.0", Authors: []cite.Author{{Family: "Doe", Given: "J."}}}
	files, _ := render(t, s)
	seen := map[string]string{}
	kinds := map[string]int{}
	for name, page := range files {
		if path.Ext(name) != ".html" || path.Base(name) == "404.html" || bytes.Contains(page, []byte(`http-equiv="refresh"`)) {
			continue
		}
		d := describedBy(t, name, page)
		key := strconv.FormatBool(strings.HasPrefix(name, "en/")) + d.description
		if other := seen[key]; d.description == "" || other != "" {
			t.Errorf("%s has the description %q, as %q", name, d.description, other)
		}
		seen[key] = name
		at := "https://example.org/bench/" + address.Escape(name)
		if d.properties["og:url"] != at || d.properties["og:title"] == "" || d.properties["og:site_name"] == "" || d.properties["twitter:card"] == "" {
			t.Errorf("%s: %q", name, d.properties)
		}
		for kind, one := range d.things {
			kinds[kind]++
			required := map[string][]string{
				"Dataset":        {"name", "description", "url", "license", "creator", "variableMeasured", "includedInDataCatalog"},
				"BlogPosting":    {"headline", "description", "url", "author", "datePublished"},
				"TechArticle":    {"headline", "url", "author"},
				"BreadcrumbList": {"itemListElement"},
				"WebSite":        {"name", "url"},
			}[kind]
			if required == nil {
				t.Errorf("%s is a %s", name, kind)
			}
			for _, property := range required {
				if one[property] == nil {
					t.Errorf("%s: %s has no %s", name, kind, property)
				}
			}
			if text, _ := one["description"].(string); kind == "Dataset" && (utf8.RuneCountInString(text) < 50 || utf8.RuneCountInString(text) > 5000) {
				t.Errorf("%s: its data are described by %q", name, text)
			}
			if files := one["distribution"]; files != nil {
				for _, f := range files.([]any) {
					if !strings.HasPrefix(f.(map[string]any)["contentUrl"].(string), "https://example.org/") {
						t.Errorf("%s: %v", name, f)
					}
				}
			}
			if items, ok := one["itemListElement"].([]any); ok && (len(items) < 2 || items[len(items)-1].(map[string]any)["item"] != at) {
				t.Errorf("%s is at %v", name, items)
			}
		}
	}
	if kinds["Dataset"] < 50 || kinds["BlogPosting"] < 2 || kinds["BreadcrumbList"] != len(seen)-2 || kinds["WebSite"] != 2 {
		t.Errorf("%d pages: %v", len(seen), kinds)
	}
}

// TestExcludedRunsHaveNoValuesToFind checks that the metadata of an excluded run has no values, and that its
// description says why.
func TestExcludedRunsHaveNoValuesToFind(t *testing.T) {
	t.Parallel()
	s := fixture()
	files, _ := render(t, s)
	excluded := 0
	for _, r := range s.Results {
		d := describedBy(t, r.ID, files[s.RunPage("en", r.ID)])
		data, err := json.Marshal(d.things["Dataset"]["variableMeasured"])
		if err != nil || len(r.Metrics) > 0 && r.Excluded() == bytes.Contains(data, []byte(`"value"`)) || r.Excluded() != strings.Contains(d.description, "excluded") {
			t.Errorf("%s (excluded: %t): %s, %s", r.ID, r.Excluded(), d.description, data)
		}
		if r.Excluded() {
			excluded++
		}
	}
	if excluded == 0 {
		t.Error("the fixture has no excluded run")
	}
}

// TestChartsAreShared checks that a page with a chart has a card that shows it, and that each chart has an address that
// shows it alone, with a link back. A site can disable these, and has no cards without an address.
func TestChartsAreShared(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Draw = func(lang string, c *report.Chart) (Drawing, error) { return Drawing{SVG: []byte("<svg></svg>")}, nil }
	s.Card = func(lang, title, text string, c *report.Chart) ([]byte, error) { return []byte(lang + title), nil }
	s.Embeds = true
	files, _ := render(t, s)
	shared := 0
	for name, page := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		d := headTag.FindAllStringSubmatch(string(page), -1)
		for _, m := range regexp.MustCompile(`<div id="chart(:[^"]+)">`).FindAllStringSubmatch(string(page), -1) {
			shared++
			for _, want := range []string{`<figcaption id="frame` + m[1] + `">`, `<a href="#frame` + m[1] + `" class="embed"`, `<a href="#chart` + m[1] + `" target="_blank"`} {
				if strings.Count(string(page), want) != 1 {
					t.Errorf("%s has not one %s", name, want)
				}
			}
			card := address.Own(name, "social-card.png")
			if files[card] == nil || !slices.ContainsFunc(d, func(m []string) bool {
				return m[1] == "og:image" && m[2] == "https://example.org/bench/"+address.Escape(card)
			}) {
				t.Errorf("%s has no card", name)
			}
		}
	}
	if shared < 8 {
		t.Errorf("%d charts", shared)
	}
	s.Embeds, s.BaseURL = false, ""
	files, _ = render(t, s)
	for name, page := range files {
		if strings.HasSuffix(name, "social-card.png") || bytes.Contains(page, []byte(`class="embed"`)) || bytes.Contains(page, []byte(`id="frame:`)) {
			t.Errorf("%s is there", name)
		}
	}
}
