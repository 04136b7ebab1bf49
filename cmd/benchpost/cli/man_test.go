package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// TestManualPagesSayWhatTheHelpSays compares the texts word by word, in order.
func TestManualPagesSayWhatTheHelpSays(t *testing.T) {
	t.Parallel()
	pages := Manual("v1.2.3", "2026-01-15")
	if len(pages) != len(commands())+1 {
		t.Errorf("%d pages of %d commands", len(pages), len(commands()))
	}
	item := regexp.MustCompile(`(?m)^  - `)
	for _, c := range commands() {
		page, ok := pages["benchpost-"+c.name+".1"]
		if !ok {
			t.Errorf("%s has no page", c.name)
			continue
		}
		got := printed(page)
		end := strings.Index(got, "EXIT STATUS")
		help := item.ReplaceAllString(strings.Replace(c.help, "\nExamples\n", "\nEXAMPLES\n", 1), "")
		want := strings.Join([]string{"NAME benchpost-" + c.name, "-", c.summary, "SYNOPSIS benchpost", c.name, c.args, "DESCRIPTION", help}, " ")
		if g, w := strings.Fields(got[:max(end, 0)]), strings.Fields(want); !slices.Equal(g, w) {
			t.Errorf("%s: the page says\n%s\nthe help\n%s", c.name, strings.Join(g, " "), strings.Join(w, " "))
		}
	}
	for _, c := range commands() {
		if !strings.Contains(printed(pages["benchpost.1"]), "benchpost-"+c.name+" (1)\n"+c.summary+"\n") {
			t.Errorf("benchpost.1 does not list %s", c.name)
		}
	}
}

// printed returns the text of a page without roff requests, with escapes resolved.
func printed(page string) string {
	var b strings.Builder
	for line := range strings.Lines(page) {
		request, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case !strings.HasPrefix(request, "."):
			b.WriteString(line)
		case slices.Contains([]string{".B", ".BR", ".SH"}, request):
			b.WriteString(rest + "\n")
		}
	}
	text := strings.NewReplacer(`\&`, "", `\-`, "-", `\(aq`, "'", `\(ti`, "~", `\(ha`, "^", `\(ga`, "`", `\e`, `\`).Replace(b.String())
	return regexp.MustCompile(`\\\[u([0-9A-F]+)\]`).ReplaceAllStringFunc(text, func(s string) string {
		var r rune
		for _, digit := range s[3 : len(s)-1] {
			r = r*16 + rune(strings.IndexRune("0123456789ABCDEF", digit))
		}
		return string(r)
	})
}

func TestManIsOfCommands(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{"man": Fine, "man build": Fine, "man biuld": Usage, "man build check": Usage} {
		var out, errs bytes.Buffer
		if code := Run(context.Background(), strings.Fields(line), nil, &out, &errs); code != want || (code == Fine) != strings.HasPrefix(out.String(), ".TH BENCHPOST") {
			t.Errorf("%s: %d\n%s%s", line, code, out.String(), errs.String())
		}
	}
}

// TestManualPagesAreWellFormed checks that groff and mandoc report no problem.
func TestManualPagesAreWellFormed(t *testing.T) {
	need.Thorough(t, "man and mandoc read each page")
	need.Command(t, "man")
	need.Command(t, "mandoc")
	t.Parallel()
	dir := t.TempDir()
	var files []string
	for name, text := range Manual("v1.2.3", "2026-01-15") {
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(files)
	if out, err := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, files...)...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("mandoc: %v\n%s", err, out)
	}
	for _, file := range files {
		cmd := exec.Command("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "MANROFFSEQ=")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			t.Errorf("man %s: %v\n%s", filepath.Base(file), err, errs.String())
		}
	}
}
