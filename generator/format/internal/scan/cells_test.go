package scan

import (
	"slices"
	"strings"
	"testing"
)

// A row is split at its separator; what is in quotes is one cell, and blanks around a cell go.
func TestCommas(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                         {""},
		"model, ttft_ms ,":         {"model", "ttft_ms", ""},
		`"a, b",1,"say ""x"""`:     {"a, b", "1", `say "x"`},
		`"never closed,1`:          {"never closed,1"},
		"Qwen3-8B,298.07,模型\u00a0": {"Qwen3-8B", "298.07", "模型"},
	} {
		if got := Commas(nil, []byte(line), ','); !slices.Equal(got, want) {
			t.Errorf("%q is split into %q", line, got)
		}
	}
}

// A header is known by its names in any letters, wherever they are.
func TestAreColumns(t *testing.T) {
	t.Parallel()
	header := []string{"Model", "TTFT (ms)", "", "t/s"}
	for _, test := range []struct {
		names []string
		want  bool
	}{{nil, true}, {[]string{"t/s", "model"}, true}, {[]string{"ttft (ms)"}, true}, {[]string{"model", "test"}, false}, {[]string{"mode"}, false}} {
		if got := AreColumns(header, test.names...); got != test.want {
			t.Errorf("%q: %t", test.names, got)
		}
		if got := NewColumns(header).Has(test.names...); got != test.want {
			t.Errorf("columns %q: %t", test.names, got)
		}
	}
}

// What stands for no figure is known in any letters; a figure never does.
func TestIsMissing(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{"": true, "-": true, "N/A": true, "[Not Supported]": true, "[Unknown Error]": true, "NaN": true,
		"0": false, "298.07": false, "not supported by this driver": false} {
		if IsMissing(cell) != want {
			t.Errorf("%q: %t", cell, !want)
		}
	}
}

// A row is cut where the rule below the heads says so; a line with text where no column is, is none.
func TestRowsAreCutByTheRule(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, row, want string }{
		{"--------  -----  ----", "Qwen3-8B     16  12.5", "Qwen3-8B,16,12.5"},
		{"--------  -----  ----", "Qwen3-8B", "Qwen3-8B,,"},
		{"--------  -----  ----", "千问 8B        16  12.5 ms", "千问 8B,16,12.5 ms"}, // in characters
		{"--------  -----  ----", "千问 8B      16  12.5 ms", "千问 8B,16,12.5 ms"},   // in columns of a terminal
		{"  ======  =====", "  Qwen        8", "Qwen,8"},
		{"         -----  -----", "Output      8      9", ""}, // a column without a rule
		{"-------- ----- ----", "A sentence that goes on.", ""},
		{"-----+-----", " a   | b", "a,b"},
		{"--- | ---", "a | b", "a,b"},
		{"-----+-----", " a b", ""},
		{"+---+===+", "| a | b |", "a,b"},
		{"|---+---|", "| a | b |", "a,b"},
		{"┡━━━╇━━━┩", "│ a │ b │", "a,b"},
		{"----------", "a", ""}, {"- -", "a b", ""}, {"a - b", "a", ""}, {"", "", ""},
	} {
		rule, ok := ParseRule([]byte(test.rule))
		got := ""
		if ok {
			if cells, isRow := rule.Cut(nil, []byte(test.row)); isRow {
				got = strings.Join(cells, ",")
			}
		}
		if got != test.want {
			t.Errorf("%q below %q: %q, want %q", test.row, test.rule, got, test.want)
		}
	}
}

// A comma behind a point is between no thousands: 1.234,5 is a thousand and more, and not 1.2345.
func TestCommasBehindAPoint(t *testing.T) {
	for text, want := range map[string]bool{"1,234": true, "1,234.5": true, "12": true, "1.234,5": false, "1.234,567": false, "12,34": false} {
		if got := IsGrouped(text); got != want {
			t.Errorf("%s is grouped: %v", text, got)
		}
		if number, unit, ok := Quantity(text + " ms"); ok != want || ok && unit != "ms" {
			t.Errorf("%s ms is %s %s, %v", text, number, unit, ok)
		}
	}
}
