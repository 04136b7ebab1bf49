package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// TestErrorsOfTheMachineSayWhatToDo, however they are wrapped; others are left as they are.
func TestErrorsOfTheMachineSayWhatToDo(t *testing.T) {
	t.Parallel()
	for errno, word := range map[syscall.Errno]string{
		syscall.ENOSPC: "free some space", syscall.EDQUOT: "quota", syscall.EROFS: "--out DIR", syscall.EACCES: "chmod", syscall.EPERM: "chmod",
		syscall.ENOTDIR: "in the place of a folder", syscall.EMFILE: "ulimit", syscall.ENAMETOOLONG: "shorten",
	} {
		var b strings.Builder
		newSpeaker(&b).trouble(fmt.Errorf("writing: %w", &fs.PathError{Op: "open", Path: "public/\x1b[2J", Err: errno}))
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if len(lines) != 2 || !strings.Contains(lines[1], "hint: ") || !strings.Contains(lines[1], word) || strings.Contains(b.String(), "\x1b") {
			t.Errorf("%v: %q", errno, lines)
		}
	}
	if got := remedy(errors.New("odd")); got != "" {
		t.Error(got)
	}
}
