package page

import (
	"errors"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

func TestSourceThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := fixture()
	s.Raw = func(r *result.Result) (Raw, error) { return Raw{}, errors.New(r.Source.File + ": permission denied") }
	files, _ := render(t, s)
	page := string(files["en/runs/edge-board/qwen3-8b/high.html"])
	if !strings.Contains(page, "could not be read: runs/edge-board/qwen3-8b/high.log: permission denied") || strings.Contains(page, `href="#L`) {
		t.Errorf("the page does not state that, or links to lines it does not show:\n%s", page)
	}
	for name := range files {
		if strings.HasSuffix(name, ".txt") && name != "robots.txt" {
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
	if got := string(files["runs/edge-board/evil.html.txt"]); got != text {
		t.Errorf("got %q, want the bytes of the file", got)
	}
	if page := string(files["runs/edge-board/qwen3-8b/high~232.html"]); !strings.Contains(page, `href="../../../runs/edge-board/qwen3-8b/high.log.txt"`) {
		t.Errorf("the second run of a file does not link to it:\n%s", page)
	}
}

// A file is copied where its page has all of it, up to a size.
func TestOnlyWholeFilesUpToASizeAreCopied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw  Raw
		want string
	}{
		{Whole([]byte("a\n")), "runs/a.log.txt"},
		{Raw{Data: []byte("before\nblock\nafter\n"), First: 4999, Size: 100 << 20}, ""},
		{Whole(make([]byte, MaxRaw+1)), ""},
	} {
		b := &builder{contents: &contents{Site: &Site{Raw: func(*result.Result) (Raw, error) { return c.raw, nil }}}}
		if s := b.source(&result.Result{Source: result.Position{File: "runs/a.log", Line: c.raw.First}}); s.Copy != c.want {
			t.Errorf("%d bytes of %d are copied to %q, want %q", len(c.raw.Data), c.raw.Size, s.Copy, c.want)
		}
	}
}
