package visible

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestNothingActs tries every character and every byte: those with an effect are replaced, all others stay.
func TestNothingActs(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune + 1) {
		s := "a" + string(r) + "b"
		text, line, lines := Text(s), Line(s), Lines(s)
		for name, got := range map[string]string{"Text": text, "Line": line, "Lines": lines} {
			if !utf8.ValidString(got) || !strings.HasPrefix(got, "a") || !strings.HasSuffix(got, "b") || len(got) < 3 {
				t.Fatalf("%s(%q) = %q", name, s, got)
			}
		}
		if whole := string(Bytes([]byte(s))); whole != text {
			t.Fatalf("Bytes(%q) = %q, not %q", s, whole, text)
		}
		harmless := unicode.IsGraphic(r) && r != '\u2028' && r != '\u2029'
		if harmless && (text != s || line != s || lines != s) {
			t.Fatalf("%q became %q, %q, %q", s, text, line, lines)
		}
		if unicode.IsControl(r) && (strings.ContainsRune(line, r) || strings.ContainsRune(lines, r) != (r == '\n') || strings.ContainsRune(text, r) != (r == '\n' || r == '\t')) {
			t.Fatalf("%q is kept: %q, %q, %q", s, text, line, lines)
		}
		if unicode.Is(unicode.Bidi_Control, r) && strings.ContainsRune(line+lines, r) {
			t.Fatalf("%U turns the direction of reading: %q", r, line)
		}
	}
	for c := range 256 {
		s := "a" + string([]byte{byte(c)}) + "b"
		if got := string(Bytes([]byte(s))); got != Text(s) {
			t.Errorf("Bytes(%q) = %q, not %q", s, got, Text(s))
		}
		if got := Line(s); !utf8.ValidString(got) || c >= 0x80 && got != "a\uFFFDb" {
			t.Errorf("Line(%q) = %q", s, got)
		}
	}
}

// TestBytesWherever: Bytes does what Text does, wherever a character is in a file.
func TestBytesWherever(t *testing.T) {
	t.Parallel()
	around := strings.Repeat("0123456789", 3) + "\n" + strings.Repeat("八 ", 3) + strings.Repeat("abcdefg~", 3)
	for c := range 256 {
		for at := range len(around) + 1 {
			s := around[:at] + string([]byte{byte(c)}) + around[at:]
			if got := string(Bytes([]byte(s))); got != Text(s) {
				t.Fatalf("Bytes(%q) = %q, not %q", s, got, Text(s))
			}
		}
	}
	for _, r := range []rune{0x80, 0x9f, 0xa0, 0xfffd, 0xfffe, 0xffff, 0x10ffff} {
		for at := range 20 {
			s := around[:at] + string(r) + around[at:30]
			if got := string(Bytes([]byte(s))); got != Text(s) {
				t.Fatalf("Bytes(%q) = %q, not %q", s, got, Text(s))
			}
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   func(string) string
		s    string
		want string
	}{
		{Text, "a\r\nb\rc\td\x1b[0m\x00\x7f\u0085\ufffe\xff中", "a\nb\nc\td␛[0m␀␡\uFFFD\uFFFD\uFFFD中"},
		{Line, "a\nb\rc\td\x1b]0;x\x07\u009b1m\u202e\u2028\xff👩\u200d🔬", `a␊b␍c␉d␛]0;x␇\u{9B}1m\u{202E}\u{2028}` + "\uFFFD👩\u200d🔬"},
		{Lines, "a\nb\x1b", "a\nb␛"},
	} {
		if got := c.of(c.s); got != c.want {
			t.Errorf("%q became %q, not %q", c.s, got, c.want)
		}
	}
}

func TestNothingIsAFormula(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "-5.1": "-5.1", "1e-9": "1e-9", "Qwen3-8B": "Qwen3-8B", "=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx",
	} {
		if got := Cell(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

// TestWordsAreOneLine: Words returns one line, whatever white space the text contains.
func TestWordsAreOneLine(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", " ", "a", "a b", " a b", "a b ", "a  b", "a\tb\n", "八 个", "八\u3000个", "a\u00a0b", "\x85a", "a\xff b", "\xff "} {
		if got, want := Words(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Errorf("%q is %q, not %q", s, got, want)
		}
	}
}

// TestIsolatesAreNotForTerminals: Line removes isolates of text that is written from right to left or changes
// the direction. Isolates that contain others, or that lack an end or a beginning, are shown as characters.
func TestIsolatesAreNotForTerminals(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"a \u2068مودل 8\u2069: 5":               "a مودل 8: 5",
		"\u2068a \u2068שלום\u2069 b\u2069 c":    "a שלום b c",
		"\u2068abc\u2069":                       `\u{2068}abc\u{2069}`,
		"\u2068שלום":                            `\u{2068}שלום`,
		"שלום\u2069 5":                          `שלום\u{2069} 5`,
		"\u2068ש\u2069\u2069":                   `ש\u{2069}`,
		"\u2067שלום\u2069 \u2068a\u202eb\u2069": `\u{2067}שלום\u{2069} a\u{202E}b`,
		"\u2068\u2067ab\u2069 c\u2069 d":        `\u{2067}ab\u{2069} c d`,
	} {
		if got := Line(s); got != want {
			t.Errorf("%+q becomes %+q, want %+q", s, got, want)
		}
	}
}
