package chart

import (
	"image/color"
	"slices"
	"testing"
)

func TestContrast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b uint32
		want float64
	}{{0x000000, 0xffffff, 21}, {0xffffff, 0x000000, 21}, {0x777777, 0x777777, 1}, {0x767676, 0xffffff, 4.54}} {
		if got := contrast(rgb(c.a), rgb(c.b)); got < c.want-0.01 || got > c.want+0.01 {
			t.Errorf("the contrast of %06x and %06x is %.2f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

// TestThemesCanBeRead checks the contrast of texts, at least 4.5, and of signs, at least 3 (Web Content
// Accessibility Guidelines 2.2, 1.4.3 and 1.4.11). Okabe and Ito's orange and sky blue on white have less,
// which is why shapes and names accompany them.
func TestThemesCanBeRead(t *testing.T) {
	t.Parallel()
	for name, theme := range map[string]Theme{"light": DefaultTheme(), "dark": DarkTheme()} {
		if err := theme.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for what, c := range map[string]struct {
			color.RGBA
			least float64
		}{"ink": {theme.Ink, 4.5}, "muted": {theme.Muted, 4.5}, "line": {theme.Line, 3}, "dominated": {theme.Dominated, 2.8}} {
			if got := contrast(c.RGBA, theme.Background); got < c.least {
				t.Errorf("%s: %s has a contrast of %.2f, want %.1f", name, what, got, c.least)
			}
		}
		for n := range shades + 1 {
			cell := theme.shade(n, shades)
			if got := max(contrast(cell, theme.Ink), contrast(cell, theme.Background)); got < 4 { // no ink has 4.5 on a medium colour
				t.Errorf("%s: what is written in shade %d of a heat map has a contrast of %.2f, want 4", name, n, got)
			}
		}
	}
	for i, c := range DarkTheme().Series {
		if got := contrast(c, DarkTheme().Background); got < 3 {
			t.Errorf("dark: series %d has a contrast of %.2f, want 3", i, got)
		}
	}
	if light, dark := DefaultTheme(), DarkTheme(); len(light.Series) != len(dark.Series) {
		t.Errorf("the light theme has %d colours of series, the dark one %d", len(light.Series), len(dark.Series))
	}
}

func TestDarkGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sweep", "heatmap"} {
		t.Run(name, func(t *testing.T) {
			img, err := Draw(charts()[name], printer(t, "en"), DarkTheme())
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, img.PNG, "testdata/"+name+".dark.png")
		})
	}
}

// TestNoTwoSeriesLookAlike checks for palettes of any length that no two series look alike before all pairs of
// a colour and a shape are used.
func TestNoTwoSeriesLookAlike(t *testing.T) {
	t.Parallel()
	for colours := 1; colours <= 12; colours++ {
		theme := DefaultTheme()
		theme.Series = nil
		for i := range colours {
			theme.Series = append(theme.Series, color.RGBA{uint8(10 * i), 0, 0, 255})
		}
		seen := map[style]int{}
		for n := range colours * len(shapes) {
			if before, ok := seen[theme.style(n)]; ok {
				t.Errorf("of %d colours, series %d looks like series %d", colours, n, before)
			}
			seen[theme.style(n)] = n
		}
	}
}

// TestContrastOfMarks checks that everything with a meaning has a contrast of at least 3:1 to its background,
// as the Web Content Accessibility Guidelines 2 require of graphics.
func TestContrastOfMarks(t *testing.T) {
	t.Parallel()
	for name, theme := range map[string]Theme{"light": DefaultTheme(), "dark": DarkTheme()} {
		for i, c := range append(slices.Clone(theme.Series), theme.Dominated, theme.Line, theme.Muted, theme.Ink) {
			if got := contrast(c, theme.Background); got < 3 {
				t.Errorf("%s: colour %d, %v, has a contrast of %.2f", name, i, c, got)
			}
		}
	}
}
