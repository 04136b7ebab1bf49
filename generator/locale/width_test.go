package locale

import (
	"testing"
	"unicode"
)

// TestColumnsAreThoseOfUnicode: characters whose width is determined without tables have the width of the
// tables.
func TestColumnsAreThoseOfUnicode(t *testing.T) {
	for r := range rune(unicode.MaxRune) {
		want := 1
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			want = 0
		case isWide(r):
			want = 2
		}
		if got := Columns(r); got != want {
			t.Errorf("%U takes %d columns, not %d", r, got, want)
		}
	}
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "TTFT (ms)": 9, "首 token 延迟": 13, "│ 12.5 ┃": 8, "e\u0301": 1, "soft\u00adhyphen": 10} {
		if got := Width(text); got != want {
			t.Errorf("%q takes %d columns, not %d", text, got, want)
		}
	}
}
