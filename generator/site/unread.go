package site

import (
	"fmt"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/unread"
)

// UnreadMessages returns a message for each file that gives no result and may be lost, as
// severe as the site wants it. What has a message of its own in any case is left out.
func UnreadMessages(c *config.Config, files []unread.File) []result.Message {
	severity := c.Check.Severity()
	var ms []result.Message
	for _, f := range unread.Counted(files) {
		switch f.Kind {
		case unread.Unreadable, unread.Format:
		case unread.Unfinished:
			if severity != result.Info {
				ms = append(ms, f.Message(severity))
			}
		default:
			ms = append(ms, f.Message(severity))
		}
	}
	return ms
}

// unusedFormats warns of each [[format]] that no file matches, and of each column or key in one that no
// file has, and lists the former among the files without a result.
func unusedFormats(c *config.Config, set *rundir.Dataset) []result.Message {
	var ms []result.Message
	warn := func(pos result.Position, id, hint, format string, args ...any) {
		ms = append(ms, result.Message{Pos: pos, Severity: result.Warning, ID: id, Text: fmt.Sprintf(format, args...), Hint: hint})
	}
	for i, used := range set.Mapped {
		m := &c.Format[i]
		if used.Files == 0 {
			pos := c.At("format", i, "files")
			reason := fmt.Sprintf("no file matches files = %q of format %q", m.Files, m.Name)
			hint := "a pattern without a slash is of a file's name, as \"*.csv\", one with a slash of its path below runs, as \"nightly/*/out.csv\""
			if used.Shadowed > 0 {
				reason = fmt.Sprintf("every file that matches files = %q of format %q is read by a format above it", m.Files, m.Name)
				hint = "put the narrower pattern first"
			}
			warn(pos, "site.format-unused", hint, "%s", reason)
			set.Unread = append(set.Unread, unread.File{Name: pos.File, Line: pos.Line, Kind: unread.Format, Reason: reason})
			continue
		}
		for _, a := range used.Missing {
			what, hint := "column", "the file has: "+dataset.Shorten(a.There, 20)
			if len(a.There) == 0 {
				hint = "no line of the file names columns like those of the format"
			}
			if strings.Contains(a.Column, ".") {
				what = "key"
			}
			if a.Near != "" {
				hint = fmt.Sprintf("did you mean %q? %s", a.Near, hint)
			}
			warn(c.At("format", i, "columns", a.Column), "site.format-column", hint, "no file of format %q has the %s %q", m.Name, what, a.Column)
		}
	}
	unread.Sort(set.Unread)
	return ms
}
