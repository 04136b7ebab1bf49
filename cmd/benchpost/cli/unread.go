package cli

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// unread says in one line how many files gave no result and why, and what lists them.
func (s *speaker) unread(files []unread.File) {
	if line := unreadLine(files); line != "" {
		s.info("%s", line)
	}
}

// unreadLine is the line that unread says; "" for nothing to say.
func unreadLine(files []unread.File) string {
	sum := unread.Summary(files)
	if sum.IsZero() {
		return ""
	}
	return locale.English(sum) + ": benchpost results --verbose lists them"
}

// unreadFrom names files of a site as they are seen from the working folder.
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
