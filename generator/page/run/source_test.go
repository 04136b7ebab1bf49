package run

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/result"
)

func sourceOf(data string, from, to int) Source {
	return Show(&result.Result{Source: result.Position{File: "runs/a.log", Line: from}, EndLine: to}, Text{[]byte(data), 1, int64(len(data))}, nil)
}

// preformatted returns the HTML of lines that are shown together.
func preformatted(lines string) string {
	return `<pre class="source" tabindex="0"><code>` + lines + "</code></pre>\n"
}

func TestSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, data, want string }{
		{"a file that is all block", "a\nb\n", `<span id="L1">a</span>` + "\n" + `<span id="L2">b</span>` + "\n"},
		{"no newline at the end", "a\nb", `<span id="L1">a</span>` + "\n" + `<span id="L2">b</span>`},
		{"Windows lines, bars within a line", "10%\r20%\r\nb\r\n", `<span id="L1">10%␍20%</span>` + "\n" + `<span id="L2">b</span>` + "\n"},
		{"a block among others", "a\nb\nc\n", `<span class="block"><span id="L1">a</span>` + "\n" + `<span id="L2">b</span>` + "\n" + `</span><span id="L3">c</span>` + "\n"},
		{"colours and broken text", "\x1b[1m<b>\xff\n", `<span id="L1">␛[1m&lt;b&gt;` + "\uFFFD</span>\n"},
		{"nothing", "", ""},
	} {
		if c.want != "" {
			c.want = preformatted(c.want)
		}
		if got := string(sourceOf(c.data, 1, 2).Lines); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, got, c.want)
		}
	}
}

// TestSourceOfLongFile checks that a page shows the block and a few lines around it of a long file.
func TestSourceOfLongFile(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for n := 1; n <= 9000; n++ {
		fmt.Fprintf(&text, "line %d\n", n)
	}
	s := sourceOf(text.String(), 4000, 4030)
	if s.whole || s.cut || s.first != 3997 || s.last != 4033 || !s.shows(4033) || s.shows(4034) {
		t.Errorf("got %d to %d, whole %v, cut %v", s.first, s.last, s.whole, s.cut)
	}
	if got := string(s.Lines); !strings.HasPrefix(got, `<pre class="source" tabindex="0"><code><span id="L3997">line 3997</span>`) || !strings.Contains(got, `<span class="block"><span id="L4000">`) {
		t.Errorf("got %.200s", got)
	}
}

// TestSourceOfAnExcerpt checks that the lines of an excerpt keep their numbers in the file.
func TestSourceOfAnExcerpt(t *testing.T) {
	t.Parallel()
	s := Show(&result.Result{Source: result.Position{File: "runs/a.log", Line: 5000}, EndLine: 5000},
		Text{Data: []byte("before\nblock\nafter\n"), First: 4999, Size: 100 << 20}, nil)
	want := `<span id="L4999">before</span>` + "\n" + `<span class="block"><span id="L5000">block</span>` + "\n" + `</span><span id="L5001">after</span>` + "\n"
	if string(s.Lines) != preformatted(want) || s.text.Complete() {
		t.Errorf("got %s, complete %v", s.Lines, s.text.Complete())
	}
}

// TestSourceIsCut checks that a block that is too long is cut, even if it is one line of JSON.
func TestSourceIsCut(t *testing.T) {
	t.Parallel()
	s := sourceOf(strings.Repeat("é", 3<<20), 1, 1)
	if !s.cut || s.last != 1 || len(s.Lines) > rawWhole+100 || !utf8.ValidString(string(s.Lines)) {
		t.Errorf("got %d bytes, %d lines, cut %v", len(s.Lines), s.last, s.cut)
	}
	s = sourceOf(strings.Repeat("0123456789\n", 10_000), 1, 10_000)
	if !s.cut || s.last >= 10_000 || s.last < 5000 {
		t.Errorf("got %d lines, cut %v", s.last, s.cut)
	}
}
