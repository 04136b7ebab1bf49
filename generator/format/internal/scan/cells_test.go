package scan

import (
	"slices"
	"strings"
	"testing"
)

// TestCommas checks that a row is split at its separator, that quoted text is one cell, and that blanks around a cell
// are removed.
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

// TestAreColumns checks that a header is recognised by its names in any letter case, at any position.
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

// TestIsMissing checks that placeholders for a missing figure are recognised in any letter case, and that figures are
// not.
func TestIsMissing(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]bool{"": true, "-": true, "N/A": true, "[Not Supported]": true, "[Unknown Error]": true, "NaN": true,
		"0": false, "298.07": false, "not supported by this driver": false} {
		if IsMissing(cell) != want {
			t.Errorf("%q: %t", cell, !want)
		}
	}
}

// TestRowsAreCutByTheRule checks that a row is cut at the columns of the rule below the heads, and that a line with
// text outside of the columns is not a row.
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

// TestCommasBehindAPoint checks that commas after a point do not separate thousands: 1.234,5 is more than a thousand,
// not 1.2345.
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
