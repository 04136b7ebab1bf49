package site

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/result"
)

// Charts is the look of the pictures; what is absent is as chart.DefaultTheme has
// it. The HTML site draws them in the colours of its pages.
type Charts struct {
	Width    int      // pixels
	Height   int      // pixels that a chart strives for
	TextSize float64  `toml:"text_size"` // of names, at a width of 1200
	Palette  []string // colours of the series, as "#0072b2"
	Font     []string // TrueType files, the first asked first; the embedded one serves what they lack
	Bold     []string // the same for titles
	Dark     bool     // blogs get each picture in a form for dark pages too
}

// check tells what is wrong with the settings: the text it is about, what is
// wrong and what to do.
func (c *Charts) check() (about, text, hint string) {
	if w := c.Width; w != 0 && (w < 300 || w > 4800) {
		return "width", fmt.Sprintf("charts are 300 to 4800 pixels wide, not %d", w), "1200 is usual"
	}
	if h := c.Height; h != 0 && (h < 200 || h > 4800) {
		return "height", fmt.Sprintf("charts are 200 to 4800 pixels high, not %d", h), "675 is usual"
	}
	if s := c.TextSize; s != 0 && (s < 12 || s > 48) {
		return "text_size", fmt.Sprintf("text in charts is of size 12 to 48, not %g", s), "26 is usual: 8 pixels on a phone"
	}
	for _, hex := range c.Palette {
		if _, ok := parseColour(hex); !ok {
			return hex, fmt.Sprintf("%q is no colour", hex), `as palette = ["#0072b2", "#d55e00"]`
		}
	}
	if n := len(c.Palette); n > 24 {
		return "palette", fmt.Sprintf("a palette of %d colours is more than can be told apart", n), "seven are usual; shapes change with them"
	}
	return "", "", ""
}

func parseColour(hex string) (color.RGBA, bool) {
	digits, ok := strings.CutPrefix(hex, "#")
	v, err := strconv.ParseUint(digits, 16, 32)
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, ok && err == nil && len(digits) == 6
}

// theme makes the theme of the charts. Font files are named from the site's
// folder; one that cannot be read is a message, and the others serve.
func (c *Charts) theme(dir string) (chart.Theme, []result.Message) {
	t := chart.DefaultTheme()
	if c.Width > 0 {
		t.Scale = float64(c.Width) / float64(t.Width)
	}
	if c.Height > 0 {
		t.Height = int(float64(c.Height) / t.Scale)
	}
	if c.TextSize > 0 {
		t.TextSize = c.TextSize
	}
	if len(c.Palette) > 0 {
		t.Series = nil
		for _, hex := range c.Palette {
			colour, _ := parseColour(hex)
			t.Series = append(t.Series, colour)
		}
	}
	var ms []result.Message
	fonts := func(files []string) (found []*chart.Font) {
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			var font *chart.Font
			if err == nil {
				font, err = chart.ParseFont(data)
			}
			if err != nil {
				ms = append(ms, result.Message{Pos: result.Position{File: ConfigName}, Severity: result.Error, ID: "site.font",
					Text: fmt.Sprintf("the font %s cannot be used: %v", name, result.Reason(err)), Hint: "name a TrueType file (.ttf) of the site's folder"})
				continue
			}
			found = append(found, font)
		}
		return found
	}
	t.Regular, t.Bold = fonts(c.Font), fonts(c.Bold)
	if t.Bold == nil {
		t.Bold = t.Regular
	}
	return t, ms
}

// dark gives the form of a theme for dark pages. A palette of one's own is the
// same on both.
func (c *Charts) dark(t chart.Theme) chart.Theme {
	dark := chart.DarkTheme()
	dark.Width, dark.Height, dark.Scale, dark.TextSize = t.Width, t.Height, t.Scale, t.TextSize
	dark.Regular, dark.Bold = t.Regular, t.Bold
	if len(c.Palette) > 0 {
		dark.Series = t.Series
	}
	return dark
}
