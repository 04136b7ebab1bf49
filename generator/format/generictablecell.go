package format

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/column"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// pageLabel returns the label for a row of settings, or "" if the row is not a setting.
func pageLabel(c column.Column, name string) string {
	switch _, isMetric := vocabulary.Define(c.Name); {
	case c.Label:
		return c.Name
	case isMetric || c.Ambiguous || c.Name == "" || len(name) > 60:
		return ""
	}
	return c.Name
}

// tableCell reads a cell and reports whether it is a speed or a latency of the vocabulary.
func (t *genericTables) tableCell(c column.Column, text string, line int, many bool) bool {
	if scan.IsMissing(text) || text == "—" || text == "–" || text == "?" || c.Name == "" && c.Text != "" {
		return false
	}
	mean, spread := scan.PlusMinus(text)
	number, unit, ok := quantity(mean)
	if _, _, isUnit := draft.UnitOf(unit); ok && isUnit && c.Unit == "" {
		if with := t.meaning(c.Text + " " + unit); with.Unit != "" && (!c.Label || with.Speed) {
			with.Text = c.Text
			c, mean = with, number
		}
	} else if ok && unit != "" && sameUnit(unit, c.Unit) {
		mean = number
	}
	if c.Label {
		c.Name, text = c.Setting(text)
		if strings.Count(text, " ") < 8 {
			t.genericCSV.cell(c, text, line, many)
		}
		return false
	}
	if (c.Speed || c.Ambiguous) && !scan.IsPlainNumber(mean) {
		switch {
		case scan.HasNote(mean) && t.kind != onePage:
			t.noted = text
		case strings.ContainsAny(mean, "0123456789") && t.prose == "":
			t.prose = text
		}
		return false
	}
	if t.comma && scan.IsGrouped(mean) {
		mean = strings.ReplaceAll(mean, ",", "")
	}
	took := t.genericCSV.cell(c, mean, line, many) && c.Speed
	if took && spread != "" {
		if value, _, ok := scan.Quantity(spread); ok && c.Test != nil && len(t.tests) > 0 {
			t.tests[len(t.tests)-1].spread = value
		} else if ok {
			t.Number("x_"+draft.Snake(c.Text)+"_spread", c.Unit, c.Text+" ±", []byte(value), line)
		}
	}
	_, isMetric := vocabulary.Define(c.Name)
	return took && isMetric
}

// sameUnit reports whether two spellings denote the same unit.
func sameUnit(a, b string) bool {
	shift, ok := draft.UnitShift(a, b)
	return ok && shift == 0
}
