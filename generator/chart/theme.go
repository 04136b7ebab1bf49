package chart

import (
	"image/color"
	"math"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Theme describes how charts look. Lengths are layout units; a unit is Scale pixels.
type Theme struct {
	Width    int     // of the canvas
	Height   int     // the height a chart aims at; one with many rows is higher
	Scale    float64 // pixels per unit
	TextSize float64 // of names; titles are larger, axes smaller

	// The user's own fonts, in order of preference. Characters that they lack are drawn with the embedded Noto
	// Sans SC.
	Regular, Bold []*font.Font
	Machine       *font.Machine // for characters that these and the embedded fonts lack; nil for none

	Background color.RGBA
	Ink        color.RGBA // titles, names, values
	Muted      color.RGBA // subtitles, axes, notes
	Line       color.RGBA // the zero line, guides and leaders
	Grid       color.RGBA // at labelled ticks
	MinorGrid  color.RGBA
	Dominated  color.RGBA   // marks of points that another is better than in both quantities
	Series     []color.RGBA // used in turn; shapes change with another period
}

// DefaultTheme returns a theme of 1200×675 pixels on white in the colours of Okabe and Ito, which people with a
// colour-vision deficiency can distinguish ("Color Universal Design", 2008). When scaled to the 360 pixels of a
// phone, the smallest text is still 7 pixels high.
func DefaultTheme() Theme {
	return Theme{
		Width:      1200,
		Height:     675,
		Scale:      1,
		TextSize:   26,
		Background: rgb(0xffffff),
		Ink:        rgb(0x1a1a1a),
		Muted:      rgb(0x595959),
		Line:       rgb(0x8a8a8a),
		Grid:       rgb(0xdedede),
		MinorGrid:  rgb(0xefefef),
		Dominated:  rgb(0x929292),
		Series: []color.RGBA{
			rgb(0x0072b2), // blue
			rgb(0xd55e00), // vermillion
			rgb(0x009e73), // bluish green
			rgb(0xcc79a7), // reddish purple
			rgb(0xc18000), // orange, darker: 3:1 on white
			rgb(0x3399d6), // sky blue, darker
			rgb(0x3d3d3d), // in place of black
		},
	}
}

// stamp returns a checksum of the theme. Fonts count by the contents of their files.
func (t Theme) stamp() result.Stamp {
	var s result.Stamper
	for _, fonts := range [][]*font.Font{t.Regular, t.Bold} {
		s.Int(len(fonts))
		for _, f := range fonts {
			s.Text(f.Sum())
		}
	}
	t.Regular, t.Bold, t.Machine = nil, nil, nil
	s.Value(t)
	return s.Sum()
}

// DarkTheme returns DefaultTheme in colours for a dark page.
func DarkTheme() Theme {
	t := DefaultTheme()
	t.Background = rgb(0x16181d)
	t.Ink = rgb(0xececec)
	t.Muted = rgb(0xa9adb5)
	t.Line = rgb(0x7c818a)
	t.Grid = rgb(0x363a42)
	t.MinorGrid = rgb(0x262930)
	t.Dominated = rgb(0x80858e)
	t.Series = []color.RGBA{
		rgb(0x3d9be0), // the same hues, lighter if they were dark
		rgb(0xe8712a),
		rgb(0x1fb88a),
		rgb(0xd990b8),
		rgb(0xe9ab1e),
		rgb(0x7cc7ef),
		rgb(0xc9c9c9),
	}
	return t
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// shade returns the n-th of a sequence of colours from the background to the first colour of the series.
func (t Theme) shade(n, of int) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(of-n) + int(b)*n + of/2) / of) }
	from, to := t.Background, t.Series[0]
	return color.RGBA{mix(from.R, to.R), mix(from.G, to.G), mix(from.B, to.B), 255}
}

// contrast returns the ratio of the lighter colour's luminance to the darker's, from
// 1 to 21, as the Web Content Accessibility Guidelines 2 define it.
func contrast(a, b color.RGBA) float64 {
	luminance := func(c color.RGBA) float64 {
		linear := func(v uint8) float64 {
			s := float64(v) / 255
			if s <= 0.04045 {
				return s / 12.92
			}
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	}
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// colours lists all colours of the theme, the background first.
func (t Theme) colours() []color.RGBA {
	return append([]color.RGBA{t.Background, t.Ink, t.Muted, t.Line, t.Grid, t.MinorGrid, t.Dominated}, t.Series...)
}

func (t Theme) check() error {
	switch {
	case t.Width < 320 || t.Width > 4000 || t.Height < 180 || t.Height > 4000:
		return locale.Errorf("a chart of %d×%d units cannot be drawn; 320×180 to 4000×4000 can", t.Width, t.Height)
	case !(t.Scale >= 0.25 && t.Scale <= 4):
		return locale.Errorf("a chart cannot be drawn at scale %g; 0.25 to 4 can", t.Scale)
	case !(t.TextSize >= 8 && t.TextSize <= 60):
		return locale.Errorf("text of size %g cannot be drawn; 8 to 60 can", t.TextSize)
	case len(t.Series) == 0:
		return locale.Errorf("a theme needs a colour for series")
	}
	return nil
}
