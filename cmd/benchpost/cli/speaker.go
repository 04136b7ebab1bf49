package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

// speaker writes to people. What it is given is data, in which no character acts: a name
// with an escape sequence or a newline is seen as one, and stays on its line. Only the
// formats it is called with, and what is painted, are benchpost's own.
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
	if o, ok := w.(*outlet); ok {
		w = o.w
	}
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

// painted is text that may be printed as it is.
type painted string

// paint returns text in a colour, where there are colours. Newlines of it are kept.
func (s *speaker) paint(code, text string) painted {
	text = visible.Lines(text)
	if !s.colour {
		return painted(text)
	}
	return painted("\x1b[" + code + "m" + text + "\x1b[0m")
}

// data is an argument in which no character may act.
type data struct{ value any }

// Format writes the argument as its verb asks for, on one line.
func (d data) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, visible.Line(fmt.Sprintf(fmt.FormatString(f, verb), d.value)))
}

// worded formats what is for people.
func worded(format string, args ...any) string {
	safe := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case painted:
			safe[i] = string(a)
		case hint:
			safe[i] = a.String()
		case locale.Text:
			safe[i] = data{locale.English(a)}
		case error:
			safe[i] = strings.Join(joined(a), "\n  ")
		default:
			safe[i] = data{a}
		}
	}
	return fmt.Sprintf(format, safe...)
}

// joined writes an error on a line, one of errors.Join on a line each.
func joined(err error) []string {
	var several interface{ Unwrap() []error }
	text := err.Error()
	if !strings.Contains(text, "\n") || !errors.As(err, &several) {
		return []string{visible.Line(text)}
	}
	var lines, texts []string
	for _, err := range several.Unwrap() {
		lines, texts = append(lines, joined(err)...), append(texts, err.Error())
	}
	before, isJoin := strings.CutSuffix(text, strings.Join(texts, "\n"))
	if !isJoin {
		return []string{visible.Line(text)}
	}
	lines[0] = visible.Line(before) + lines[0]
	return lines
}

// fault reports what stopped the command, and what to do about an error of the machine.
func (s *speaker) fault(format string, args ...any) {
	fmt.Fprintf(s.w, "%s %s\n", s.paint("1;31", "benchpost: error:"), worded(format, args...))
	for _, a := range args {
		if err, ok := a.(error); ok && remedy(err) != "" {
			s.hint("%s", remedy(err))
		}
	}
}

// failed reports an error that stopped the command, and returns the exit code of it.
func (s *speaker) failed(err error) int {
	s.fault("%v", err)
	return Fault
}

// hint is that of a message. Its further lines are to be pasted somewhere.
type hint string

func (h hint) String() string {
	return strings.ReplaceAll(visible.Lines(string(h)), "\n", "\n    ")
}

// hint prints what to do about it.
func (s *speaker) hint(format string, args ...any) {
	fmt.Fprintf(s.w, "  %s\n", s.paint("36", "hint: "+worded(format, args...)))
}

// more prints a line below what was said last.
func (s *speaker) more(format string, args ...any) {
	fmt.Fprintf(s.w, "  %s\n", worded(format, args...))
}

// info reports what was done.
func (s *speaker) info(format string, args ...any) {
	if !s.quiet {
		fmt.Fprintf(s.w, "%s\n", worded(format, args...))
	}
}

// detail reports more, for those who asked.
func (s *speaker) detail(format string, args ...any) {
	if s.verbose && !s.quiet {
		fmt.Fprintf(s.w, "%s\n", worded(format, args...))
	}
}

// message prints file:line: severity: text and the hint below.
func (s *speaker) message(m result.Message) {
	if s.quiet && m.Severity != result.Error || m.Severity == result.Info && !s.verbose {
		return
	}
	colours := [...]string{"36", "1;33", "1;31"}
	if m.Pos.File != "" {
		fmt.Fprintf(s.w, "%s: ", s.paint("1", visible.Line(m.Pos.String())))
	}
	fmt.Fprintf(s.w, "%s %s\n", s.paint(colours[m.Severity], m.Severity.String()+":"), visible.Line(locale.English(m.Text)))
	if !m.Hint.IsZero() {
		s.hint("%s", hint(locale.English(m.Hint)))
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
