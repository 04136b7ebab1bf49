package site

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/chart"
)

func TestThemeOfASite(t *testing.T) {
	dir := t.TempDir()
	c := Charts{Width: 1600, Height: 900, TextSize: 30, Palette: []string{"#102030", "#a0b0c0"}, Font: []string{"none.ttf"}}
	theme, ms := c.theme(dir)
	if theme.Scale != 1600.0/1200 || theme.Height != 675 || theme.TextSize != 30 || len(theme.Series) != 2 || theme.Series[0].B != 0x30 {
		t.Errorf("%+v", theme)
	}
	if len(ms) != 1 || ms[0].Text != "the font none.ttf cannot be used: no such file or directory" {
		t.Errorf("messages %v", ms)
	}
	dark := c.dark(theme)
	if dark.Background == theme.Background || dark.Series[0] != theme.Series[0] || dark.Scale != theme.Scale {
		t.Errorf("%+v", dark)
	}
	if usual, _ := (&Charts{}).theme(dir); usual.Width != chart.DefaultTheme().Width || usual.Scale != 1 {
		t.Errorf("%+v", usual)
	}
}

func TestThemesAreChecked(t *testing.T) {
	for want, c := range map[string]Charts{
		"300 to 4800 pixels wide": {Width: 20},
		"200 to 4800 pixels high": {Height: 20},
		"size 12 to 48":           {TextSize: 4},
		`"red" is no colour`:      {Palette: []string{"red"}},
		"more than can be told":   {Palette: strings.Split(strings.Repeat("#000000 ", 30)+"#000000", " ")},
	} {
		if _, text, hint := c.check(); !strings.Contains(text, want) || hint == "" {
			t.Errorf("%q, hint %q; want %q", text, hint, want)
		}
	}
}
