package parts

import (
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// FuzzText checks that text written to HTML is parsed back as the same text, without markup.
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

// TestAPageHoldsFiguresWhole checks that the page's script finds the figures byte for byte as written.
func TestAPageHoldsFiguresWhole(t *testing.T) {
	p, _ := locale.For("zh")
	chart := report.Chart{Kind: report.GroupedBars, Y: report.Axis{Title: locale.Lit("吞吐 \"输出\""), Unit: "tok/s"},
		Categories: []locale.Text{locale.Lit("a,b\n\"c\""), locale.Lit("</div><script>pwned()</script>"), locale.Lit("=1+1\t\r\x00&amp;'")},
		Series:     []report.Series{{Name: locale.Lit("FP4 & \u2028"), Points: []report.Point{{Y: 1}, {Y: 2}, {Y: 3, Run: "中\xff"}}}}}
	want := export.Points(&chart, p)
	d, err := xhtml.Parse(strings.NewReader(string(Figure(Picture{CSV: want}, p))))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for n := range d.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "data-csv" {
				found = append(found, a.Val)
			}
		}
	}
	if len(found) != 1 || found[0] != string(want) {
		t.Errorf("the page holds %q, want %q", found, want)
	}
}
