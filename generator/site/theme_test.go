package site

import (
	"testing"

	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
)

func TestThemeOfASite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := config.Config{Charts: config.Charts{Width: 1600, Height: 900, TextSize: 30, Palette: []string{"#102030", "#a0b0c0"}, Font: []string{"none.ttf"}}}
	got, ms := theme(&c, dir)
	if got.Scale != 1600.0/1200 || got.Height != 675 || got.TextSize != 30 || len(got.Series) != 2 || got.Series[0].B != 0x30 {
		t.Errorf("%+v", got)
	}
	if len(ms) != 1 || locale.English(ms[0].Text) != "the font none.ttf cannot be used: no such file or directory" {
		t.Errorf("messages %v", ms)
	}
	dark := darkTheme(&c.Charts, got)
	if dark.Background == got.Background || dark.Series[0] != got.Series[0] || dark.Scale != got.Scale {
		t.Errorf("%+v", dark)
	}
	if usual, _ := theme(&config.Config{}, dir); usual.Width != chart.DefaultTheme().Width || usual.Scale != 1 {
		t.Errorf("%+v", usual)
	}
}
