package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/term"

	"github.com/benchpost/benchpost/generator/result"
)

// speaker writes to people.
type speaker struct {
	w              io.Writer
	colour         bool
	terminal       bool
	quiet, verbose bool
}

func newSpeaker(w io.Writer) *speaker {
	s := &speaker{w: w, terminal: isTerminal(w) && os.Getenv("TERM") != "dumb"}
	s.colour = s.terminal && os.Getenv("NO_COLOR") == ""
	return s
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is how many letters fit into a line of a terminal.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

func (s *speaker) paint(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// fault reports what stopped the command.
func (s *speaker) fault(format string, args ...any) {
	fmt.Fprintf(s.w, "%s %s\n", s.paint("1;31", "benchpost: error:"), fmt.Sprintf(format, args...))
}

// hint prints what to do about it.
func (s *speaker) hint(format string, args ...any) {
	fmt.Fprintf(s.w, "  %s\n", s.paint("36", "hint: "+fmt.Sprintf(format, args...)))
}

// info reports what was done.
func (s *speaker) info(format string, args ...any) {
	if !s.quiet {
		fmt.Fprintf(s.w, format+"\n", args...)
	}
}

// detail reports more, for those who asked.
func (s *speaker) detail(format string, args ...any) {
	if s.verbose && !s.quiet {
		fmt.Fprintf(s.w, format+"\n", args...)
	}
}

// message prints file:line: severity: text and the hint below.
func (s *speaker) message(m result.Message) {
	if s.quiet && m.Severity != result.Error || m.Severity == result.Info && !s.verbose {
		return
	}
	colours := [...]string{"36", "1;33", "1;31"}
	if m.Pos.File != "" {
		fmt.Fprintf(s.w, "%s: ", s.paint("1", m.Pos.String()))
	}
	fmt.Fprintf(s.w, "%s %s\n", s.paint(colours[m.Severity], m.Severity.String()+":"), m.Text)
	if m.Hint != "" {
		s.hint("%s", m.Hint)
	}
}

// seenFrom turns positions in a site into paths from the working folder, so
// that an editor or a workflow finds them.
func seenFrom(dir string, ms []result.Message) []result.Message {
	wd, wdErr := os.Getwd()
	out := slices.Clone(ms)
	for i := range out {
		file := filepath.FromSlash(out[i].Pos.File)
		if file == "" || filepath.IsAbs(file) {
			continue
		}
		seen := filepath.Join(dir, file)
		if abs, err := filepath.Abs(seen); err == nil && wdErr == nil && !filepath.IsAbs(dir) {
			if rel, err := filepath.Rel(wd, abs); err == nil {
				seen = rel // "a.log" from within runs, not "../runs/a.log"
			}
		}
		out[i].Pos.File = filepath.ToSlash(seen)
	}
	return out
}

// messages prints all and counts them by severity.
func (s *speaker) messages(ms []result.Message) (errors, warnings int) {
	for _, m := range ms {
		s.message(m)
		switch m.Severity {
		case result.Error:
			errors++
		case result.Warning:
			warnings++
		}
	}
	return errors, warnings
}
