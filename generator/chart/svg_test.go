package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSVG checks that an SVG is valid XML, has the same texts as the PNG except the notes, which a page has as
// text, and states the width of its texts. Style attributes may only have colours of the page.
func TestSVG(t *testing.T) {
	t.Parallel()
	for name, c := range charts() {
		t.Run(name, func(t *testing.T) {
			l := arranged(t, c, "zh-CN")
			var said []string
			image := draw(t, c, "zh-CN")
			d := xml.NewDecoder(bytes.NewReader(image.SVG))
			inText := false
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				switch token := token.(type) {
				case xml.StartElement:
					inText = token.Name.Local == "text"
					for _, a := range token.Attr {
						if a.Name.Local == "style" && !strings.Contains(a.Value, "var(--chart-") {
							t.Errorf("a %s has a colour of its own: %s", token.Name.Local, a.Value)
						}
						if width, err := strconv.ParseFloat(a.Value, 64); a.Name.Local == "textLength" && (err != nil || width <= 0 || width > l.width) {
							t.Errorf("a text is %s wide", a.Value)
						}
					}
				case xml.CharData:
					if inText {
						said = append(said, string(token))
					}
				case xml.EndElement:
					inText = false
				}
			}
			foot := l.footLines()
			if want := texts(l); !slices.Equal(slices.Concat(said, foot), want) {
				t.Errorf("the SVG says %q and the notes %q, the PNG %q", said, foot, want)
			}
			unbroken := func(lines []string) string { return strings.ReplaceAll(strings.Join(lines, ""), " ", "") }
			if got, want := unbroken(image.Notes), unbroken(foot); got != want {
				t.Errorf("the notes are %q, the PNG's %q", got, want)
			}
		})
	}
}

func TestSVGEscapes(t *testing.T) {
	t.Parallel()
	c := bar(1, 2)
	c.Title, c.Alt = both("a<b & \"c\"", "a<b & \"c\""), both("<svg>", "<svg>")
	got := string(draw(t, c, "en").SVG)
	if !strings.Contains(got, "a&lt;b &amp; &#34;c&#34;") || !strings.Contains(got, `aria-label="&lt;svg&gt;"`) {
		t.Errorf("not escaped: %s", got)
	}
}

// TestSVGLeavesShapedTextsAlone checks that texts which may have another width in other fonts do not state one,
// and that texts read from right to left state that and end where others start.
func TestSVGLeavesShapedTextsAlone(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]struct{ width, rtl, family bool }{
		"Plain 漢字":     {width: true},
		"한국어":          {width: true},
		"Łódź":         {width: true, family: true},
		"मॉडल":         {},
		"\U00013000 x": {},
		"نموذج 7B":     {rtl: true},
		"7B נמל":       {},
		"B7 נמל":       {},
	} {
		c := bar(1, 2)
		c.Title = both(title, title)
		svg := string(draw(t, c, "en").SVG)
		before, _, found := strings.Cut(svg, ">"+title+"</text>")
		if !found {
			t.Errorf("%q is not in the drawing", title)
			continue
		}
		tag := before[strings.LastIndex(before, "<text"):]
		if got := strings.Contains(tag, "textLength"); got != want.width {
			t.Errorf("%q has a width: %v", title, got)
		}
		if got := strings.Contains(tag, `direction="rtl" text-anchor="end"`); got != want.rtl {
			t.Errorf("%q is read from right to left: %v", title, got)
		}
		if got := strings.Contains(tag, "font-family"); got != want.family {
			t.Errorf("%q has fonts of its own: %v", title, got)
		}
	}
}
