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

// speaker writes output for people. Control characters in its arguments are made visible: an escape sequence or a
// newline in a name cannot act on the terminal. Only the format strings and painted text are printed unchanged.
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

// terminalWidth returns the number of columns of a terminal.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

// painted is text that is printed unchanged.
type painted string

// paint returns text in a colour if colour is used. It keeps newlines.
func (s *speaker) paint(code, text string) painted {
	text = visible.Lines(text)
	if !s.colour {
		return painted(text)
	}
	return painted("\x1b[" + code + "m" + text + "\x1b[0m")
}

// data is an argument whose control characters are made visible.
type data struct{ value any }

// Format writes the argument with its verb, on one line.
func (d data) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, visible.Line(fmt.Sprintf(fmt.FormatString(f, verb), d.value)))
}

// worded formats output for people.
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

// joined returns an error as one line, and the parts of errors.Join as a line each.
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

// fault reports what stopped the command. For errors of the machine it adds a hint.
func (s *speaker) fault(format string, args ...any) {
	fmt.Fprintf(s.w, "%s %s\n", s.paint("1;31", "benchpost: error:"), worded(format, args...))
	for _, a := range args {
		if err, ok := a.(error); ok && remedy(err) != "" {
			s.hint("%s", remedy(err))
		}
	}
}

// failed reports an error that stopped the command, and returns the exit code.
func (s *speaker) failed(err error) int {
	s.fault("%v", err)
	return Fault
}

// hint is the hint of a message. Its further lines are meant to be copied.
type hint string

func (h hint) String() string {
	return strings.ReplaceAll(visible.Lines(string(h)), "\n", "\n    ")
}

// hint prints what to do about the last message.
func (s *speaker) hint(format string, args ...any) {
	fmt.Fprintf(s.w, "  %s\n", s.paint("36", "hint: "+worded(format, args...)))
}

// more prints a line below the last message.
func (s *speaker) more(format string, args ...any) {
	fmt.Fprintf(s.w, "  %s\n", worded(format, args...))
}

// info reports what was done.
func (s *speaker) info(format string, args ...any) {
	if !s.quiet {
		fmt.Fprintf(s.w, "%s\n", worded(format, args...))
	}
}

// detail reports details if --verbose is set.
func (s *speaker) detail(format string, args ...any) {
	if s.verbose && !s.quiet {
		fmt.Fprintf(s.w, "%s\n", worded(format, args...))
	}
}

// message prints file:line: severity: text, and the hint below.
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

// seenFrom turns positions in a site into paths relative to the working folder, so that editors and workflows find the
// files.
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
				seen = rel // "a.log" inside runs, not "../runs/a.log"
			}
		}
		out[i].Pos.File = filepath.ToSlash(seen)
	}
	return out
}

// messages prints all messages and counts errors and warnings.
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
