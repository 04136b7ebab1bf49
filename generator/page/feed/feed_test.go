package feed

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestAtom checks that the update time of a feed is that of its newest entry, and that any text is preserved.
func TestAtom(t *testing.T) {
	t.Parallel()
	old, late := time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	data, err := Feed{Lang: "en", ID: "urn:x", Title: "A & B", Author: "Lin", Self: "feed.xml", Home: "index.html", Entries: []Entry{
		{ID: "1", Title: "<late>", Published: old, Updated: late, Href: "a", Categories: []string{"x"}, HTML: "<p>1 & 2</p>", Base: "https://example.org/"},
		{ID: "2", Published: old, Updated: old, Text: "1 < 2"},
		{ID: "3", Published: old, Updated: old},
	}}.Atom()
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Updated string `xml:"updated"`
		Title   string `xml:"title"`
		Entries []struct {
			Title   string `xml:"title"`
			Summary *struct {
				Type string `xml:"type,attr"`
				Text string `xml:",chardata"`
			} `xml:"summary"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if f.Updated != "2026-03-04T05:06:07Z" || f.Title != "A & B" || len(f.Entries) != 3 || f.Entries[0].Title != "<late>" {
		t.Errorf("read back: %+v", f)
	}
	if s := f.Entries[0].Summary; s == nil || s.Type != "html" || s.Text != "<p>1 & 2</p>" {
		t.Errorf("the summary is %+v", s)
	}
	if s := f.Entries[1].Summary; s == nil || s.Type != "text" || s.Text != "1 < 2" {
		t.Errorf("the summary is %+v", s)
	}
	if f.Entries[2].Summary != nil {
		t.Error("an entry without a summary has one")
	}
}

// TestAFeedIsBounded checks that a feed has the latest of many entries, in whatever order they are given.
func TestAFeedIsBounded(t *testing.T) {
	t.Parallel()
	var f Feed
	for i := range 3 * MostEntries {
		day := (7 * i) % (3 * MostEntries) // 7 and the number of days are coprime
		f.Entries = append(f.Entries, Entry{ID: fmt.Sprintf("day %d", day), Updated: time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC)})
	}
	data, err := f.Atom()
	if err != nil {
		t.Fatal(err)
	}
	for day := range 3 * MostEntries {
		if has := strings.Contains(string(data), fmt.Sprintf(">day %d<", day)); has != (day >= 2*MostEntries) {
			t.Errorf("day %d of %d is in the feed: %t", day, 3*MostEntries, has)
		}
	}
}

func TestUUID(t *testing.T) {
	t.Parallel()
	a, b := UUID("a"), UUID("b")
	if a == b || a != UUID("a") || len(a) != len("urn:uuid:00000000-0000-8000-8000-000000000000") || a[len("urn:uuid:00000000-0000-")] != '8' {
		t.Errorf("%s and %s", a, b)
	}
}

func TestSitemapIsBounded(t *testing.T) {
	t.Parallel()
	urls := make([]URL, MostURLs+1)
	for i := range urls {
		urls[i].Loc = fmt.Sprintf("https://example.org/%d", i)
	}
	data, err := Sitemap(urls)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "<loc>"); n != MostURLs {
		t.Errorf("%d addresses", n)
	}
	if strings.Contains(string(data), "lastmod") {
		t.Error("a day that nobody knows is written")
	}
}
