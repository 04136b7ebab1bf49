package cli

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

var manCommand = command{
	name:    "man",
	args:    "[COMMAND]",
	summary: "print the manual page of benchpost or of a command",
	help: `Prints a manual page for man(1), made from the same table as this help. Packages of
a release install them: man benchpost, man benchpost-build.

Examples
  benchpost man build | man -l -
`,
	run: func(_ context.Context, a *app, _ *options, args []string) int {
		page := strings.Join(append([]string{"benchpost"}, args...), "-") + ".1"
		text, ok := manual(a.commands, moduleVersion(), "")[page]
		if !ok {
			return a.unknown(strings.Join(args, " "))
		}
		fmt.Fprint(a.stdout, text)
		return Fine
	},
}

// Manual returns the manual pages by file name: benchpost.1, and one for each command, such as benchpost-build.1.
// version and date (2006-01-02) are printed at the foot of each page.
func Manual(version, date string) map[string]string {
	return manual(commands(), version, date)
}

func manual(table []command, version, date string) map[string]string {
	pages := map[string]string{"benchpost.1": mainPage(table, version, date)}
	for _, c := range table {
		pages["benchpost-"+c.name+".1"] = commandPage(c, version, date)
	}
	return pages
}

func mainPage(table []command, version, date string) string {
	var b strings.Builder
	title(&b, "benchpost", "reports from raw LLM-inference benchmark runs", version, date)
	section(&b, "SYNOPSIS")
	fmt.Fprintf(&b, ".B benchpost\n%s\n", roff("COMMAND [flags]"))
	section(&b, "COMMANDS")
	for _, c := range table {
		fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff("benchpost-"+c.name), roff(c.summary))
	}
	section(&b, "OPTIONS")
	b.WriteString("Every command accepts\n")
	body(&b, commonFlags)
	ending(&b, "")
	return b.String()
}

func commandPage(c command, version, date string) string {
	var b strings.Builder
	title(&b, "benchpost-"+c.name, c.summary, version, date)
	section(&b, "SYNOPSIS")
	fmt.Fprintf(&b, ".B %s\n", roff("benchpost "+c.name))
	if c.args != "" {
		b.WriteString(roff(c.args) + "\n")
	}
	section(&b, "DESCRIPTION")
	help, examples, _ := strings.Cut(c.help, "\nExamples\n")
	body(&b, help)
	if examples != "" {
		section(&b, "EXAMPLES")
		literal(&b, strings.Split(strings.TrimRight(examples, "\n"), "\n"))
	}
	ending(&b, ".BR benchpost (1)\n")
	return b.String()
}

func title(b *strings.Builder, name, summary, version, date string) {
	fmt.Fprintf(b, ".TH %s 1 \"%s\" \"benchpost %s\" \"benchpost\"\n", roff(strings.ToUpper(name)), date, roff(version))
	section(b, "NAME")
	fmt.Fprintf(b, "%s \\- %s\n", roff(name), roff(summary))
}

func ending(b *strings.Builder, seeAlso string) {
	section(b, "EXIT STATUS")
	for _, code := range exitCodes {
		fmt.Fprintf(b, ".TP\n%d\n%s\n", code.code, roff(code.means))
	}
	if seeAlso != "" {
		section(b, "SEE ALSO")
		b.WriteString(seeAlso)
	}
}

func section(b *strings.Builder, name string) { fmt.Fprintf(b, ".SH %s\n", name) }

// Patterns for indented lines of a help text: a flag or an argument with its meaning, an item of a list, and the
// continuation of the line before.
var (
	termLine  = regexp.MustCompile(`^  (-{1,2}[a-z]\S*(?: \S+)*|[A-Z]+)(?:  +(.*))?$`)
	itemLine  = regexp.MustCompile(`^  - (.*)$`)
	furthered = regexp.MustCompile(`^    +(\S.*)$`)
)

// body writes a help text: paragraphs, flags with their meaning, and lists. Other indented lines are printed unchanged.
func body(b *strings.Builder, help string) {
	listed := false // the last line belonged to a flag or an item
	open := false   // a paragraph has begun, or the section has begun with text
	for i, line := range strings.Split(strings.Trim(help, "\n"), "\n") {
		switch {
		case line == "":
			listed, open = false, false
			continue
		case termLine.MatchString(line):
			m := termLine.FindStringSubmatch(line)
			fmt.Fprintf(b, ".TP\n.B %s\n", roff(m[1]))
			if m[2] != "" {
				b.WriteString(roff(m[2]) + "\n")
			}
			listed = true
		case itemLine.MatchString(line):
			fmt.Fprintf(b, ".IP \\(bu 2\n%s\n", roff(itemLine.FindStringSubmatch(line)[1]))
			listed = true
		case listed && furthered.MatchString(line):
			b.WriteString(roff(strings.TrimSpace(line)) + "\n")
		case strings.HasPrefix(line, "  "):
			b.WriteString(".PP\n")
			literal(b, []string{line})
		default:
			if !open && i > 0 {
				b.WriteString(".PP\n")
			}
			b.WriteString(roff(line) + "\n")
		}
		open = true
	}
}

// literal writes lines unchanged, with an indent.
func literal(b *strings.Builder, lines []string) {
	b.WriteString(".RS 2\n.nf\n")
	for _, line := range lines {
		b.WriteString(roff(strings.TrimPrefix(line, "  ")) + "\n")
	}
	b.WriteString(".fi\n.RE\n")
}

// roff escapes a text for roff: hyphens can be copied to a shell, there are no characters beyond ASCII, and no line
// begins like a request.
func roff(text string) string {
	var b strings.Builder
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		b.WriteString(`\&`)
	}
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
