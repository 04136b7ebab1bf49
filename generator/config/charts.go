package config

import (
	"image/color"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Charts configures the appearance of charts. Defaults are those of chart.DefaultTheme. The HTML site draws
// charts in the colours of its pages.
type Charts struct {
	Width    int      // pixels
	Height   int      // approximate height in pixels
	TextSize float64  `toml:"text_size"` // size of names at a width of 1200
	Palette  []string // colours of the series, as "#0072b2"
	Font     []string // TrueType or OpenType files in order of preference; embedded fonts fill gaps
	Bold     []string // fonts of titles
	Dark     bool     // blogs get each chart in a dark version too
	Embed    string   // "never" omits the addresses that show a chart alone, for frames on other sites
}

func (c *Charts) check(at place) {
	if w := c.Width; w != 0 && (w < 300 || w > 4800) {
		at.at("width").wrong(locale.Textf("1200 is usual"), "charts are 300 to 4800 pixels wide, not %d", w)
	}
	if h := c.Height; h != 0 && (h < 200 || h > 4800) {
		at.at("height").wrong(locale.Textf("675 is usual"), "charts are 200 to 4800 pixels high, not %d", h)
	}
	if s := c.TextSize; s != 0 && (s < 12 || s > 48) {
		at.at("text_size").wrong(locale.Textf("26 is usual: 8 pixels on a phone"), "text in charts is of size 12 to 48, not %g", s)
	}
	if c.Embed != "" && c.Embed != "never" {
		at.at("embed").wrong(locale.Textf(`embed = "never"`), "%q is not a choice of embed", c.Embed)
	}
	for i, hex := range c.Palette {
		if _, ok := parseColour(hex); !ok {
			at.at("palette", i).wrong(locale.Textf(`for example palette = ["#0072b2", "#d55e00"]`), "%q is not a colour", hex)
		}
	}
	if n := len(c.Palette); n > 24 {
		at.at("palette").wrong(locale.Textf("seven are usual; shapes change with them"), "%d colours in a palette are too many to distinguish", n)
	}
}

// Colours returns the parsed palette.
func (c *Charts) Colours() []color.RGBA {
	var colours []color.RGBA
	for _, hex := range c.Palette {
		colour, _ := parseColour(hex)
		colours = append(colours, colour)
	}
	return colours
}

func parseColour(hex string) (color.RGBA, bool) {
	digits, ok := strings.CutPrefix(hex, "#")
	v, err := strconv.ParseUint(digits, 16, 32)
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}, ok && err == nil && len(digits) == 6
}
