package cli

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// unread prints one line: how many files gave no result and why, and the command that lists them.
func (s *speaker) unread(files []unread.File) {
	if line := unreadLine(files); line != "" {
		s.info("%s", line)
	}
}

// unreadLine returns that line; "" if there is nothing to report.
func unreadLine(files []unread.File) string {
	sum := unread.Summary(files)
	if sum.IsZero() {
		return ""
	}
	return locale.English(sum) + ": benchpost results --verbose lists them"
}

// unreadFrom returns files of a site with names relative to the working folder.
func unreadFrom(dir string, files []unread.File) []unread.File {
	ms := make([]result.Message, len(files))
	for i, f := range files {
		ms[i].Pos.File = f.Name
	}
	out := make([]unread.File, len(files))
	for i, m := range seenFrom(dir, ms) {
		out[i] = files[i]
		out[i].Name = m.Pos.File
	}
	return out
}
