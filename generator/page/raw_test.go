package page

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/result"
)

func sourceOf(data string, from, to int) source {
	b := &builder{contents: &contents{Site: &Site{Raw: func(*result.Result) (Raw, error) { return Whole([]byte(data)), nil }}}}
	return b.source(&result.Result{Source: result.Position{File: "runs/a.log", Line: from}, EndLine: to})
}

// preformatted are lines that are shown together.
func preformatted(lines string) string {
	return `<pre class="source" tabindex="0"><code>` + lines + "</code></pre>\n"
}

func TestSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, data, want string }{
		{"a file that is all block", "a\nb\n", `<span id="L1">a</span>` + "\n" + `<span id="L2">b</span>` + "\n"},
		{"no newline at the end", "a\nb", `<span id="L1">a</span>` + "\n" + `<span id="L2">b</span>` + "\n"},
		{"Windows lines, bars within a line", "10%\r20%\r\nb\r\n", `<span id="L1">10%␍20%</span>` + "\n" + `<span id="L2">b</span>` + "\n"},
		{"a block among others", "a\nb\nc\n", `<span class="block"><span id="L1">a</span>` + "\n" + `<span id="L2">b</span>` + "\n" + `</span><span id="L3">c</span>` + "\n"},
		{"colours and broken text", "\x1b[1m<b>\xff\n", `<span id="L1">␛[1m&lt;b&gt;` + "\uFFFD</span>\n"},
		{"nothing", "", ""},
	} {
		if c.want != "" {
			c.want = preformatted(c.want)
		}
		if got := string(sourceOf(c.data, 1, 2).lines); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, got, c.want)
		}
	}
}

// Of a long file a page shows the block and a few lines around it.
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
	if got := string(s.lines); !strings.HasPrefix(got, `<pre class="source" tabindex="0"><code><span id="L3997">line 3997</span>`) || !strings.Contains(got, `<span class="block"><span id="L4000">`) {
		t.Errorf("got %.200s", got)
	}
	if s.copy != "raw/runs/a.log.txt" {
		t.Errorf("copied to %q", s.copy)
	}
}

// Of a file too large to be given whole the lines keep their numbers.
func TestSourceOfAnExcerpt(t *testing.T) {
	t.Parallel()
	raw := Raw{Data: []byte("before\nblock\nafter\n"), First: 4999, Size: 100 << 20}
	b := &builder{contents: &contents{Site: &Site{Raw: func(*result.Result) (Raw, error) { return raw, nil }}}}
	s := b.source(&result.Result{Source: result.Position{File: "runs/a.log", Line: 5000}, EndLine: 5000})
	want := `<span id="L4999">before</span>` + "\n" + `<span class="block"><span id="L5000">block</span>` + "\n" + `</span><span id="L5001">after</span>` + "\n"
	if string(s.lines) != preformatted(want) || s.copy != "" || s.size != 100<<20 {
		t.Errorf("got %s, copy %q, size %d", s.lines, s.copy, s.size)
	}
}

// A block that is itself too long is cut, one line of JSON too.
func TestSourceIsCut(t *testing.T) {
	t.Parallel()
	s := sourceOf(strings.Repeat("é", 3<<20), 1, 1)
	if !s.cut || s.last != 1 || len(s.lines) > rawWhole+100 || !utf8.ValidString(string(s.lines)) {
		t.Errorf("got %d bytes, %d lines, cut %v", len(s.lines), s.last, s.cut)
	}
	if s.copy != "" {
		t.Errorf("a file of %d bytes is copied to %s", s.size, s.copy)
	}
	s = sourceOf(strings.Repeat("0123456789\n", 10_000), 1, 10_000)
	if !s.cut || s.last >= 10_000 || s.last < 5000 {
		t.Errorf("got %d lines, cut %v", s.last, s.cut)
	}
}

func TestSourceThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Raw = func(r *result.Result) (Raw, error) { return Raw{}, errors.New(r.Source.File + ": permission denied") }
	files, _ := render(t, s)
	page := string(files["en/runs/edge-board/qwen3-8b/high/index.html"])
	if !strings.Contains(page, "could not be read: runs/edge-board/qwen3-8b/high.log: permission denied") || strings.Contains(page, `href="#L`) {
		t.Errorf("the page does not state that, or links to lines it does not show:\n%s", page)
	}
	for name := range files {
		if strings.HasPrefix(name, "raw/") {
			t.Errorf("%s was made", name)
		}
	}
}

// A file of several runs is copied once, under a name that no server takes
// for anything but text.
func TestRawCopies(t *testing.T) {
	t.Parallel()
	s := fixture()
	twin := *s.Results[0]
	twin.ID += "#2"
	twin.Source.Line = 10
	s.Results = append(s.Results, &twin)
	s.Results[1].Source.File = "runs/edge-board/evil.html"
	text := "<script>alert(1)</script>"
	raw := s.Raw
	s.Raw = func(r *result.Result) (Raw, error) {
		if r.Source.File == "runs/edge-board/evil.html" {
			return Whole([]byte(text)), nil
		}
		return raw(r)
	}
	files, _ := render(t, s) // which fails on a file made twice
	if got := string(files["raw/runs/edge-board/evil.html.txt"]); got != text {
		t.Errorf("got %q, want the bytes of the file", got)
	}
	if page := string(files["runs/edge-board/qwen3-8b/high~232/index.html"]); !strings.Contains(page, `href="../../../../raw/runs/edge-board/qwen3-8b/high.log.txt"`) {
		t.Errorf("the second run of a file does not link to it:\n%s", page)
	}
}
