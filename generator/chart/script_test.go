package chart

import (
	"encoding/json"
	"image/color"
	"testing"
)

func TestScriptsAreToldHowAThemeDiffers(t *testing.T) {
	if got := DefaultTheme().Script(); got != nil {
		t.Errorf("of the usual theme there is nothing to tell, not %s", got)
	}
	theme := DefaultTheme()
	theme.Scale, theme.TextSize, theme.Series = 1.5, 30, []color.RGBA{rgb(0x0072b2), rgb(0xd55e00)}
	if got, want := string(theme.Script()), `{"palette":["#0072b2","#d55e00"],"scale":1.5,"textSize":30}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Of a site's own fonts scripts are told the widths that differ from the embedded ones.
func TestScriptsAreToldTheWidthsOfOwnFonts(t *testing.T) {
	bold, err := embeddedBold()
	if err != nil {
		t.Fatal(err)
	}
	theme := DefaultTheme()
	theme.Regular, theme.Bold = []*Font{bold}, []*Font{bold}
	var told struct {
		Advances map[string][2]float64 `json:"advances"`
	}
	if err := json.Unmarshal(theme.Script(), &told); err != nil {
		t.Fatal(err)
	}
	if got := told.Advances["a"]; got != [2]float64{591, 591} {
		t.Errorf("a is %v wide, want that of the bold font", got)
	}
	if _, ok := told.Advances["中"]; ok {
		t.Error("a Chinese character is as wide in both fonts")
	}
}
