package site

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/site/cache"
)

func TestPicturesAreRemembered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	draws := 0
	image := chart.Image{PNG: []byte("png\nof two lines"), SVG: []byte("<svg/>"), Narrow: []byte("<svg></svg>"), Width: 3, Height: 2}
	draw := func() (chart.Image, error) { draws++; return image, nil }
	for range 3 {
		p := openPictures(dir)
		got, err := pictures{p}.draw([]byte("key"), draw)
		if err != nil || !bytes.Equal(got.PNG, image.PNG) || !bytes.Equal(got.SVG, image.SVG) || !bytes.Equal(got.Narrow, image.Narrow) || got.Width != 3 || got.Height != 2 {
			t.Fatalf("%+v, error %v", got, err)
		}
		p.Prune(true)
	}
	if draws != 1 {
		t.Errorf("drawn %d times", draws)
	}
	p := openPictures(dir)
	pictures{p}.draw([]byte("another key"), draw)
	if p.Prune(false); len(listed(dir)) != 2 {
		t.Error("what is small was removed though pages may want it")
	}
	p.Prune(true)
	kept := listed(dir)
	if draws != 2 || len(kept) != 1 {
		t.Errorf("drawn %d times, %d files are kept", draws, len(kept))
	}
	whole, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(whole)
	changed[len(changed)-1] ^= 1
	for i, broken := range [][]byte{whole[:len(whole)-3], changed, []byte("cut"), nil} {
		if err := os.WriteFile(kept[0], broken, 0o644); err != nil {
			t.Fatal(err)
		}
		if (pictures{p}).draw([]byte("another key"), draw); draws != 3+i {
			t.Errorf("a broken file was taken for a picture: %q", broken)
		}
	}
}

func listed(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, cache.Name, "charts", "*"))
	return names
}

// TestKeysOfCharts checks that a chart's key depends on what determines how it looks, and on nothing else.
func TestKeysOfCharts(t *testing.T) {
	t.Parallel()
	zh, _ := locale.For("zh-CN")
	en, _ := locale.For("en")
	of := func(title string, y float64) report.Chart {
		return report.Chart{Kind: report.GroupedBars, Title: locale.Lit(title), Categories: []locale.Text{locale.Lit("a")},
			Series: []report.Series{{Points: []report.Point{{Y: y}}}}}
	}
	theme := chart.DefaultTheme()
	other := theme
	other.Series = theme.Series[1:]
	key := func(c report.Chart, p locale.Printer, t chart.Theme) string { return string(chart.Key(c, p, t)) }
	base := key(of("t", 1), en, theme)
	if base != key(of("t", 1), en, theme) {
		t.Error("the same chart has two keys")
	}
	for name, k := range map[string]string{"another title": key(of("u", 1), en, theme), "another value": key(of("t", 2), en, theme),
		"another language": key(of("t", 1), zh, theme), "another theme": key(of("t", 1), en, other)} {
		if k == base {
			t.Errorf("%s has the same key", name)
		}
	}
}

// TestChartsAreFilesForABlogAlone checks that a site has its charts only as SVG. PNGs of charts are only drawn for a
// blog; the card of a post exists in either case.
func TestChartsAreFilesForABlogAlone(t *testing.T) {
	t.Parallel()
	for _, blog := range []bool{true, false} {
		dir := detailedSite(t)
		writeFile(t, filepath.Join(dir, "content/posts/a.en.md"), "+++\ntitle = \"A\"\ndate = 2026-01-01\n+++\n```benchpost chart speed\nkind = \"bars\"\nvalue = \"output_throughput\"\ntitle = \"Speed\"\n```\n")
		if !blog {
			settings := filepath.Join(dir, "site.toml")
			writeFile(t, settings, readFile(t, settings)+"[jekyll]\nlanguages = []\n")
		}
		_, site := build(t, dir)
		var pictures []string
		for name := range site {
			if ext := filepath.Ext(name); ext == ".png" || ext == ".csv" && !strings.HasPrefix(name, "data/") {
				pictures = append(pictures, name)
			}
		}
		if !slices.Contains(pictures, "en/posts/a/social-card.png") || slices.ContainsFunc(pictures, func(name string) bool { return filepath.Base(name) != "social-card.png" }) {
			t.Errorf("blog %v: the site has %q", blog, pictures)
		}
		png := filepath.Join(dir, "public/jekyll/assets/benchpost/2026-01-01-a-en/speed.png")
		if _, err := os.Stat(png); blog != (err == nil) {
			t.Errorf("blog %v: its picture: %v", blog, err)
		}
		pngs := 0 // including the card
		for _, file := range listed(dir) {
			pngs += strings.Count(readFile(t, file), "\x89PNG")
		}
		want := 1
		if blog {
			want++
		}
		if pngs != want {
			t.Errorf("blog %v: %d PNGs were drawn, not %d", blog, pngs, want)
		}
	}
}
