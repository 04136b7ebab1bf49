package chart

import (
	"encoding/json"
	"math"
	"slices"
)

// Script gives, as JSON, what a theme has otherwise than DefaultTheme: what the scripts
// that draw charts in pages have to know. It is nil where they know all.
func (t Theme) Script() []byte {
	usual := DefaultTheme()
	differs := map[string]any{}
	set := func(key string, own, usual float64) {
		if own != usual {
			differs[key] = own
		}
	}
	set("width", float64(t.Width), float64(usual.Width))
	set("height", float64(t.Height), float64(usual.Height))
	set("scale", t.Scale, usual.Scale)
	set("textSize", t.TextSize, usual.TextSize)
	if !slices.Equal(t.Series, usual.Series) {
		var palette []string
		for _, c := range t.Series {
			palette = append(palette, hexColour(c))
		}
		differs["palette"] = palette
	}
	if advances := t.advances(); len(advances) > 0 {
		differs["advances"] = advances
	}
	if len(differs) == 0 {
		return nil
	}
	data, err := json.Marshal(differs)
	if err != nil {
		panic(err) // numbers and texts can be written
	}
	return data
}

// advances are the widths, regular and bold, of the characters that the fonts of a
// site have in another width than the embedded ones, in thousandths of the size.
func (t Theme) advances() map[string][2]float64 {
	own := map[string][2]float64{}
	if len(t.Regular) == 0 && len(t.Bold) == 0 {
		return own
	}
	regular, bold, err := t.weights()
	if err != nil {
		return own
	}
	usual, heavy, err := DefaultTheme().weights()
	if err != nil {
		return own
	}
	width := func(w weight, r rune) float64 {
		advance, _ := w.font(r).advance(r)
		return math.Round(1000 * advance)
	}
	for r := rune(0x20); r < 0x10000; r++ {
		both := [2]float64{width(regular, r), width(bold, r)}
		if both != [2]float64{width(usual, r), width(heavy, r)} {
			own[string(r)] = both
		}
	}
	return own
}
