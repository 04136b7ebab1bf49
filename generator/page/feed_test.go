package page

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// parsedFeed is what a reader of feeds sees (RFC 4287).
type parsedFeed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string   `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Author  string   `xml:"author>name"`
	Links   []struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	} `xml:"link"`
	Entries []struct {
		ID        string `xml:"id"`
		Title     string `xml:"title"`
		Published string `xml:"published"`
		Updated   string `xml:"updated"`
		Link      struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Summary struct {
			Type string `xml:"type,attr"`
			Base string `xml:"http://www.w3.org/XML/1998/namespace base,attr"`
			Text string `xml:",chardata"`
		} `xml:"summary"`
	} `xml:"entry"`
}

func parseFeed(t *testing.T, data []byte) parsedFeed {
	t.Helper()
	var f parsedFeed
	if err := xml.Unmarshal(data, &f); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	ids := map[string]bool{f.ID: true}
	check := func(id string, times ...string) {
		if u, err := url.Parse(id); err != nil || !u.IsAbs() {
			t.Errorf("the id %q is not absolute", id)
		}
		for _, s := range times {
			if _, err := time.Parse(time.RFC3339, s); err != nil {
				t.Error(err)
			}
		}
	}
	check(f.ID, f.Updated)
	for _, e := range f.Entries {
		check(e.ID, e.Published, e.Updated)
		if ids[e.ID] {
			t.Errorf("the id %s is there twice", e.ID)
		}
		ids[e.ID] = true
	}
	return f
}

func TestFeed(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	f := parseFeed(t, files["en/feed.xml"])
	if f.Lang != "en" || f.Title != "Edge inference ledger" || f.Author != "Lin Wen" || f.Updated != "2025-10-14T06:00:00+08:00" ||
		f.ID != "https://example.org/bench/en/index.html" || f.Links[0].Href != "https://example.org/bench/en/feed.xml" {
		t.Errorf("got %+v", f)
	}
	if len(f.Entries) != 2 || f.Entries[0].ID != "https://example.org/bench/en/posts/tradeoffs/index.html" ||
		f.Entries[0].Link.Href != f.Entries[0].ID || f.Entries[0].Published != "2025-10-12T06:00:00+08:00" ||
		f.Entries[0].Summary.Base != "https://example.org/bench/en/index.html" || f.Entries[0].Summary.Type != "html" ||
		!strings.HasPrefix(f.Entries[0].Summary.Text, "<p>How fast") {
		t.Errorf("got %+v", f.Entries)
	}
	if zh := parseFeed(t, files["feed.xml"]); zh.Lang != "zh-CN" || len(zh.Entries) != 1 {
		t.Errorf("got %+v", zh)
	}
}

// TestFeedWithoutAddress checks that a site without an address has a feed that works anywhere, without elements that
// need absolute addresses.
func TestFeedWithoutAddress(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.BaseURL, s.Author = "", ""
	files, _ := render(t, s)
	f := parseFeed(t, files["en/feed.xml"])
	uuid := regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if !uuid.MatchString(f.ID) || f.Author != f.Title || f.Entries[0].Link.Href != "posts/tradeoffs/index.html" {
		t.Errorf("got %+v", f)
	}
	for _, name := range []string{"sitemap.xml", "robots.txt"} {
		if _, ok := files[name]; ok {
			t.Errorf("%s was made", name)
		}
	}
	if page := string(files["en/index.html"]); strings.Contains(page, "canonical") || strings.Contains(page, "og:image") {
		t.Error("a page claims an address")
	}
}

// TestFeedOfTrends checks that a level change of a trend is an entry with its own day that links to the step.
func TestFeedOfTrends(t *testing.T) {
	t.Parallel()
	s := fixture()
	for n := range mostEvents + 2 { // more variants with a regression than a feed contains
		for day := range 8 {
			r := &result.Result{ID: fmt.Sprintf("trend/%d/%d", n, day), Source: result.Position{File: "runs/trend.log", Line: 1 + n}}
			r.Labels.Set(result.Label{Name: "model", Value: fmt.Sprintf("fallen <%d>", n)})
			r.Labels.Set(result.Label{Name: "date", Value: fmt.Sprintf("2026-02-%02d", 1+day)})
			r.Metrics = []result.Metric{{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Better: result.Higher}, Value: []float64{100, 80}[day/4] + float64(day)/10, Decimals: 1}}
			s.Results = append(s.Results, r)
		}
	}
	files := renderLists(t, s)
	f := parseFeed(t, files["en/feed.xml"])
	if len(f.Entries) != 2+mostEvents || f.Updated != "2026-02-05T00:00:00Z" {
		t.Fatalf("%d entries, %s", len(f.Entries), f.Updated)
	}
	e := f.Entries[0] // later than the posts
	if e.Title != "fallen <0>: output throughput −19.6% since 2026-02-05" || e.Published != "2026-02-05T00:00:00Z" || e.Summary.Type != "text" || e.Summary.Text != "100.2 → 80.5 tok/s regression · p = 0.029, n = 4 and 4 · no label says what" {
		t.Errorf("%+v", e)
	}
	for _, e := range f.Entries[:mostEvents] {
		address, anchor, _ := strings.Cut(strings.TrimPrefix(e.Link.Href, "https://example.org/bench/"), "#")
		name, err := url.PathUnescape(address)
		if err != nil || !strings.Contains(string(files[name]), `id="`+anchor+`"`) {
			t.Errorf("%s leads nowhere", e.Link.Href)
		}
		if !strings.HasPrefix(e.ID, "https://example.org/bench/en/history/index.html#step-") || !strings.HasSuffix(e.ID, "-output_throughput") {
			t.Errorf("the id is %s", e.ID)
		}
	}
	s.BaseURL, s.Posts = "", nil
	files = renderLists(t, s)
	if f := parseFeed(t, files["feed.xml"]); len(f.Entries) != mostEvents || !strings.HasPrefix(f.Entries[0].ID, "urn:uuid:") {
		t.Errorf("without posts and address: %+v", f.Entries)
	}
	if !strings.Contains(string(files["index.html"]), `href="feed.xml"`) {
		t.Error("no page links to the feed")
	}
}

func TestSitemap(t *testing.T) {
	t.Parallel()
	files := renderFixture(t)
	var set struct {
		URLs []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(files["sitemap.xml"], &set); err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, u := range set.URLs {
		rel, ok := strings.CutPrefix(u.Loc, "https://example.org/bench/")
		name, err := url.PathUnescape(rel)
		if _, there := files[name]; !ok || err != nil || !there {
			t.Errorf("%s is not a page", u.Loc)
		}
		seen[name] = u.LastMod
	}
	if len(seen) != len(set.URLs) || len(seen) != 2*(len(sections())-2+16+1+2+33+5)+3 {
		t.Errorf("%d addresses, %d of them different", len(set.URLs), len(seen))
	}
	if got := seen["en/posts/tradeoffs/index.html"]; got != "2025-10-14" {
		t.Errorf("the post was modified %q", got)
	}
	if got := string(files["robots.txt"]); !strings.Contains(got, "Sitemap: https://example.org/bench/sitemap.xml\n") {
		t.Errorf("robots.txt is %q", got)
	}
}
