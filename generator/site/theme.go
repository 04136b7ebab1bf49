package site

import (
	"fmt"
	"path/filepath"

	"github.com/benchpost/benchpost/generator/chart"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// theme makes the theme of the charts. Font files are named from the site's
// folder; one that cannot be read is a message, and the others serve.
func theme(of *config.Config, dir string) (chart.Theme, []result.Message) {
	c, t := &of.Charts, chart.DefaultTheme()
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
		t.Series = c.Colours()
	}
	var ms []result.Message
	fonts := func(key string, files []string) (found []*chart.Font) {
		for i, name := range files {
			data, err := sitefile.Read(filepath.Join(dir, filepath.FromSlash(name)))
			var font *chart.Font
			if err == nil {
				font, err = chart.ParseFont(data)
			}
			if err != nil {
				ms = append(ms, result.Message{Pos: of.At("charts", key, i), Severity: result.Error, ID: "site.font",
					Text: fmt.Sprintf("the font %s cannot be used: %v", name, result.Reason(err)), Hint: "name a TrueType file (.ttf) of the site's folder, or remove the line; charts are lettered in the built-in font meanwhile"})
				continue
			}
			found = append(found, font)
		}
		return found
	}
	t.Regular, t.Bold = fonts("font", c.Font), fonts("bold", c.Bold)
	if t.Bold == nil {
		t.Bold = t.Regular
	}
	return t, ms
}

// darkTheme makes the form of a theme for dark pages. A palette of one's own is the
// same on both.
func darkTheme(c *config.Charts, t chart.Theme) chart.Theme {
	dark := chart.DarkTheme()
	dark.Width, dark.Height, dark.Scale, dark.TextSize = t.Width, t.Height, t.Scale, t.TextSize
	dark.Regular, dark.Bold = t.Regular, t.Bold
	if len(c.Palette) > 0 {
		dark.Series = t.Series
	}
	return dark
}
