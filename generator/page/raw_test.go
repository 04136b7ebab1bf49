package page

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/held"
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

// TestAFileIsPublishedOnce checks that the text of a file is published once: a page that contains all of it unchanged
// saves it; otherwise a copy is beside the page, with a name that every server treats as text.
func TestAFileIsPublishedOnce(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("INFO ready\n", 300) + "Output token throughput (tok/s):  81.50\n" + strings.Repeat("\tdone\n", 50)
	for name, c := range map[string]struct {
		text string
		held bool
	}{
		"a line":              {"a\n", true},
		"no end of a line":    {"a\nb", true},
		"ends in empty lines": {"\n\na\n\n\n", true},
		"markup":              {"<script>alert(1)</script> &amp; \"'\n", true},
		"Chinese":             {"吞吐量：八十一\n", true},
		"a mark of order":     {"\ufeffa\n", true},
		"folded lines":        {many, true},
		"a long line":         {strings.Repeat("{}, ", 400), true},
		"nothing":             {"", false},
		"ends of Windows":     {"a\r\nb\r\n", false},
		"colours":             {"\x1b[32mok\x1b[0m\n", false},
		"a zero":              {"a\x00b\n", false},
		"no UTF-8":            {"a\xff\n", false},
		"more than is shown":  {strings.Repeat(many, 20), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fixture()
			twin := *s.Results[0]
			twin.ID += "#2" // a second run of the file
			s.Results = append(s.Results, &twin)
			raw := s.Raw
			s.Raw = func(r *result.Result) (Raw, error) {
				if r.Source.File == twin.Source.File {
					return Whole([]byte(c.text)), nil
				}
				return raw(r)
			}
			files, _ := render(t, s) // which fails if a file is made twice
			data, copied := files["runs/edge-board/qwen3-8b/high.log.txt"]
			if copied == c.held || copied && string(data) != c.text {
				t.Errorf("it is copied: %t, as %q", copied, data)
			}
			for _, at := range []string{"en/runs/edge-board/qwen3-8b/high.html", "runs/edge-board/qwen3-8b/high~232.html"} {
				name, text, ok := held.File(files[at])
				if ok != c.held || ok && (name != "high.log" || text != c.text) {
					t.Errorf("%s saves %q:\n%q\nof\n%q", at, name, text, c.text)
				}
				if linked := bytes.Contains(files[at], []byte(`/high.log.txt"`)); linked != copied {
					t.Errorf("%s leads to a copy: %t:\n%s", at, linked, files[at])
				}
			}
		})
	}
}

// TestOnlyWholeFilesUpToASizeAreCopied checks that a file is copied if all of it was read, up to a maximum size.
func TestOnlyWholeFilesUpToASizeAreCopied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw  Raw
		want string
	}{
		{Whole([]byte("a\r\n")), "runs/a.log.txt"},
		{Raw{Data: []byte("before\nblock\nafter\n"), First: 4999, Size: 100 << 20}, ""},
		{Whole(make([]byte, MaxRaw+1)), ""},
	} {
		b := &builder{contents: &contents{Site: &Site{Raw: func(*result.Result) (Raw, error) { return c.raw, nil }}}}
		if s := b.source(&result.Result{Source: result.Position{File: "runs/a.log", Line: c.raw.First}}); s.Copy != c.want {
			t.Errorf("%d bytes of %d are copied to %q, want %q", len(c.raw.Data), c.raw.Size, s.Copy, c.want)
		}
	}
}
