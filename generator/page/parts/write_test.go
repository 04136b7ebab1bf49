package parts

import (
	"html"
	"strings"
	"testing"
	"unicode/utf8"
)

// What is written as text reads back as the same text, and contains no markup.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a<b>&\"'", "\x00\x1b\r\n\t\x7f", "é\xff中", "&amp;"} {
		f.Add(s)
	}
	visible := strings.NewReplacer("\r", "␍", "\x7f", "␡")
	f.Fuzz(func(t *testing.T, s string) {
		var w Writer
		w.Text(s)
		got := string(w.HTML())
		if strings.ContainsAny(got, "<>\"'\r\x00") || !utf8.ValidString(got) {
			t.Errorf("%q is written as %q", s, got)
		}
		if html.UnescapeString(got) != visible.Replace(strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\t' && r != '\r' {
				return 0x2400 + r
			}
			return r
		}, s)) {
			t.Errorf("%q is written as %q, which reads otherwise", s, got)
		}
	})
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 5 << 20: "5.0 MiB"} {
		if got := Size(n); got != want {
			t.Errorf("size(%d) = %s, want %s", n, got, want)
		}
	}
}
