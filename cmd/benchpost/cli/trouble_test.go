package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// TestErrorsOfTheMachineSayWhatToDo checks that errors of the machine have a hint, however they are wrapped, and that
// other errors have none.
func TestErrorsOfTheMachineSayWhatToDo(t *testing.T) {
	t.Parallel()
	for errno, word := range map[syscall.Errno]string{
		syscall.ENOSPC: "free some space", syscall.EDQUOT: "quota", syscall.EROFS: "--out DIR", syscall.EACCES: "chmod", syscall.EPERM: "chmod",
		syscall.ENOTDIR: "in the place of a folder", syscall.EMFILE: "ulimit", syscall.ENAMETOOLONG: "shorten",
	} {
		var b strings.Builder
		newSpeaker(&b).fault("%v", errors.Join(fmt.Errorf("writing: %w", &fs.PathError{Op: "open", Path: "public/\x1b[2J", Err: errno})))
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[1], "hint: ") || !strings.Contains(lines[1], word) || strings.Contains(b.String(), "\x1b") {
			t.Errorf("%v: %q", errno, lines)
		}
	}
	if got := remedy(errors.New("odd")); got != "" {
		t.Error(got)
	}
}

// TestJoinedErrorsHaveALineEach checks that each joined error is on a line, however the errors are wrapped and joined
// again, and that a name with a newline stays on one line. An error made of two others keeps its text.
func TestJoinedErrorsHaveALineEach(t *testing.T) {
	t.Parallel()
	one, two, odd := errors.New("one"), errors.New("two"), errors.New("a\nb")
	for _, c := range []struct {
		err  error
		want string
	}{
		{one, "one"}, {odd, "a␊b"}, {errors.Join(one), "one"}, {errors.Join(one, two), "one\n  two"}, {errors.Join(errors.Join(one, odd), nil), "one\n  a␊b"},
		{fmt.Errorf("reading: %w", errors.Join(one, two)), "reading: one\n  two"}, {fmt.Errorf("%w, then %w", one, odd), "one, then a␊b"},
		{errors.Join(one, fmt.Errorf("x: %w", errors.Join(two, odd))), "one\n  x: two\n  a␊b"},
	} {
		if got := worded("%v", c.err); got != c.want {
			t.Errorf("%q is written %q, want %q", c.err, got, c.want)
		}
	}
}
