package hostile_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/creack/pty"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/hostile"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/visible"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

func TestMain(m *testing.M) { os.Exit(repository.Main(m)) }

// commands returns the names of all commands as the program lists them.
func commands(t *testing.T) []string {
	t.Helper()
	var out bytes.Buffer
	cli.Run(t.Context(), []string{"help"}, strings.NewReader(""), &out, io.Discard)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+)  +[a-z]`).FindAllStringSubmatch(out.String(), -1) {
		names = append(names, m[1])
	}
	if len(names) < 12 {
		t.Fatalf("only %q are commands", names)
	}
	return names
}

// run runs a command line. If terminal is true, stderr contains what was sent to the terminal. A server ends as
// soon as it serves.
func run(t *testing.T, terminal bool, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	sink := &until{&errs, "serving", cancel}
	if !terminal {
		code = cli.Run(ctx, args, strings.NewReader(""), &out, sink)
		return code, out.String(), errs.String()
	}
	master, slave, err := pty.Open()
	need.Granted(t, err)
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(sink, master) // ends with an error when the other side is closed
	}()
	code = cli.Run(ctx, args, strings.NewReader(""), &out, slave)
	slave.Close()
	<-read
	master.Close()
	return code, out.String(), strings.ReplaceAll(errs.String(), "\r\n", "\n")
}

const serving = `============ Serving Benchmark Result ============
Successful requests:                     100
Benchmark duration (s):                  52.16
Total input tokens:                      51200
Total generated tokens:                  12800
Request throughput (req/s):              1.92
Output token throughput (tok/s):         %d.40
Mean TTFT (ms):                          210.40
==================================================
`

// hostileSite returns the files of a site in which each text is the value of every label, the name of a folder
// and of a file, part of an invalid run.toml, and part of an invalid post.
func hostileSite(texts []string) map[string]string {
	files := map[string]string{"site.toml": "title = \"A\"\nlanguages = [\"en\"]\n" + hostile.Quote(texts[0]+" key") + " = 1\n"}
	for i, s := range texts {
		dir := fmt.Sprintf("runs/c%d/%s/", i%7, hostile.Name(s)+fmt.Sprint(i))
		labels := ""
		for _, l := range vocabulary.Labels() {
			labels += l.Name + " = " + hostile.Quote(s) + "\n"
		}
		files[dir+"run.toml"] = labels + "x_note = " + hostile.Quote(s) + "\n" + hostile.Quote("x "+s) + " = 1\n[files." + hostile.Quote("no "+strings.NewReplacer("[", "", "\\", "").Replace(s)) + "]\nx = \"y\"\n"
		files[dir+hostile.Name("b "+s)+".log"] = s + "\n" + fmt.Sprintf(serving, 100+i) + s + "\n"
		files[dir+hostile.Name("n "+s)+".txt"] = s
		files[fmt.Sprintf("content/posts/p%d.en.md", i)] = "+++\ntitle = " + hostile.Quote(s) + "\ndate = 2026-01-01\n" + hostile.Quote("k"+s) + " = 1\n+++\n" +
			"`= output_throughput{model=" + hostile.Quote(strings.ReplaceAll(s, "\n", " ")) + "}` and [a](<" + strings.NewReplacer("\n", " ", "\x00", "", "<", "", ">", "").Replace(s) + ">)\n\n" +
			"```benchpost table\nrows = [" + hostile.Quote("r"+s) + "]\n```\n"
	}
	return files
}

// lines lists the command lines to test for each command. $SITE is a site and $FILE a text file.
var lines = map[string][][]string{
	"build": {{"build", "--verbose"}, {"build", "--strict"}, {"build", "--single-file", "p1.en", "--out", "-"}},
	"serve": {{"serve", "--port", "0"}},
	"check": {{"check", "--verbose"}, {"check", "--strict"}, {"check", "--format", "github"}},
	"results": {{"results", "--verbose"}, {"results", "$SITE/runs/c1", "--verbose"}, {"results", "--where", "{model=\"\x1b[31m\n\"}"},
		{"results", "--where", "\x1b[31m\n"}, {"results", "no\x1b[31m\nfile"}, {"results", "--format", "\x1b[31m"}},
	"explain":    {{"explain", "{model=\"\x1b[31m\n\"}"}, {"explain", "\x1b[31m\n"}},
	"list":       {{"list", "runs"}, {"list", "labels"}, {"list", "models"}, {"list", "no\x1b[31m\nlist"}},
	"new":        {{"new", "post"}, {"new", "post", "no\x1b[31m\nname"}, {"new", "post", "--where", "\x1b[31m\n"}},
	"report":     {{"report", "$SITE/runs", "-o", "$SITE/report.html"}, {"report", "no\x1b[31m\nfolder"}, {"report", "$SITE/runs", "-o", "$SITE/report.html", "--where", "\x1b[31m\n"}},
	"completion": {{"completion", "bash"}, {"completion", "no\x1b[31m\nshell"}},
	"diff":       {{"diff", "$SITE/runs/c1", "$SITE/runs/c2", "--all"}, {"diff", "$SITE/runs/c1", "$SITE/runs/c3", "--by", "load"}, {"diff", "no\x1b[31m\nrev"}},
	"record":     {{"record", "--name", "a", "--", "no-such\x1b[31m\nprogram"}, {"record", "--label", "a\x1b[31m\n"}, {"record", "--sweep", "no\x1b[31m\nfile"}},
	"export": {{"export", "p1", "--to", "markdown", "-o", "$SITE/md", "--verbose"}, {"export", "no\x1b[31m\npost", "--to", "hugo"}, {"export", "p1", "--to", "no\x1b[31m\ntarget"},
		{"export", "p1", "--to", "hugo", "-o", "$SITE/no\x1b[31m\nfolder", "--lang", "no\x1b[31m\nlanguage"}},
	"import":  {{"import", "$FILE", "--dry-run", "--verbose"}, {"import", "no\x1b[31m\nfile"}},
	"cite":    {{"cite", "--verbose"}, {"cite", "no\x1b[31m\npost"}},
	"archive": {{"archive", "--dry-run", "--verbose"}, {"archive", "--as", "\x1b[31m\n"}},
	"verify":  {{"verify", "--verbose"}, {"verify", "no\x1b[31m\nfolder"}},
	"init":    {{"init", "$SITE"}, {"init", "$SITE/no\x1b[31m\nfolder"}},
	"schema":  {{"schema"}, {"schema", "no\x1b[31m\nschema"}},
	"man":     {{"man"}, {"man", "no\x1b[31m\ncommand"}},
	"version": {{"version"}, {"version", "\x1b[31m\n"}},
}

// own matches the escape sequences that benchpost itself sends to a terminal.
var own = regexp.MustCompile("\x1b\\[[0-9;]*m|\r\x1b\\[K(\x1b\\[A)?")

// acting returns the first character that would have an effect on a terminal, with the text around it.
func acting(s string) string {
	for i, r := range s {
		joiner := r == '\u200c' || r == '\u200d'
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") || r != '\n' && unicode.IsControl(r) || !joiner && unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return fmt.Sprintf("%q", s[max(0, i-60):min(len(s), i+60)])
		}
	}
	return ""
}

// until is a writer that calls a function when a certain text is written.
type until struct {
	io.Writer
	text string
	then func()
}

func (u *until) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(u.text)) {
		u.then()
	}
	return u.Writer.Write(p)
}

// TestNothingActsOnATerminal: whatever the names of runs, files and arguments are, no command sends them to a
// terminal as control characters, as additional lines, or as characters that change the direction of text.
func TestNothingActsOnATerminal(t *testing.T) {
	names := commands(t)
	for _, name := range names {
		if lines[name] == nil {
			t.Errorf("no command line tries %s", name)
		}
	}
	all := need.Times(0, 1) > 0
	var texts []string
	for _, s := range hostile.Texts() {
		if all || visible.Line(s) != s {
			texts = append(texts, strings.NewReplacer("\n", "\n"+forged, "\r", "\r"+forged).Replace(s))
		}
	}
	dir := t.TempDir()
	folder.Write(t, dir, map[string]string{"post.md": "# " + strings.Join(texts, "\n\n# ") + "\n\n```\n" + fmt.Sprintf(serving, 7) + "```\n"})
	site := filepath.Join(dir, "site")
	need.Granted(t, write(site, hostileSite(texts)))
	try := func(line []string, terminal bool) {
		args := []string{line[0]}
		if !slices.Contains([]string{"init", "version", "verify", "report"}, line[0]) {
			args = append(args, "--site", site)
		}
		for _, arg := range line[1:] {
			args = append(args, strings.NewReplacer("$SITE", site, "$FILE", filepath.Join(dir, "post.md")).Replace(arg))
		}
		_, stdout, stderr := run(t, terminal, args...)
		if slices.Contains(line, "--single-file") { // it prints a page
			stdout = ""
		}
		for what, text := range map[string]string{"stdout": stdout, "stderr": stderr} {
			text = strings.ReplaceAll(text, dir, "")
			if terminal {
				text = own.ReplaceAllString(text, "")
			}
			if got := acting(text); got != "" {
				t.Errorf("%q: something acts in the %s: %s", line, what, got)
			}
			if got := regexp.MustCompile(`(?m)^[\s>]*` + forged + `.*`).FindString(text); got != "" {
				t.Errorf("%q: data makes a line of its own in the %s: %q", line, what, got)
			}
		}
	}
	for _, wrong := range []bool{true, false} { // if site.toml is invalid, little else is read
		if !wrong {
			need.Granted(t, write(site, map[string]string{"site.toml": "title = \"A\"\nlanguages = [\"en\"]\n"}))
		}
		for _, name := range names {
			for n, line := range lines[name] {
				if wrong && n > 0 {
					continue
				}
				try(line, false)
				if all || n == 0 && !wrong {
					try(line, true)
				}
			}
		}
	}
}

// forged marks the text after a newline in the data.
const forged = "FORGED"

// write does what folder.Write does, but returns an error if the file system does not support a name.
func write(dir string, files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// full is a standard output that accepts nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestAFullOutputIsAFault: a command fails if its output cannot be written.
func TestAFullOutputIsAFault(t *testing.T) {
	dir := t.TempDir()
	folder.Write(t, dir, map[string]string{"site.toml": "title = \"A\"\n", "runs/a.log": fmt.Sprintf(serving, 1), "b/a.log": fmt.Sprintf(serving, 2),
		"x.md": "```\n" + fmt.Sprintf(serving, 3) + "```\n", "content/posts/p.en.md": "+++\ntitle = \"P\"\ndate = 2026-01-01\n+++\nText\n"})
	for _, args := range [][]string{
		{"help"}, {"help", "build"}, {"build", "--help"}, {"version"}, {"results"}, {"results", "--format", "json"}, {"results", "--format", "csv"}, {"results", "--format", "parquet"},
		{"check", "--verbose"}, {"check", "--format", "json"}, {"check", "--format", "github"}, {"check", "--format", "gitlab"}, {"diff", dir + "/runs", dir + "/b"}, {"diff", dir + "/runs", dir + "/b", "--format", "json"},
		{"diff", dir + "/runs", dir + "/b", "--format", "markdown"}, {"diff", dir + "/runs", dir + "/b", "--format", "html"}, {"cite"}, {"cite", "--format", "bibtex"}, {"cite", "--format", "cff"}, {"cite", "--format", "csl-json"},
		{"import", dir + "/x.md", "--dry-run"}, {"build", "--single-file", "p.en", "--out", "-"},
	} {
		if args[0] != "help" && args[0] != "version" {
			args = append([]string{args[0], "--site", dir}, args[1:]...)
		}
		var out, errs bytes.Buffer
		code := cli.Run(t.Context(), args, strings.NewReader(""), &out, &errs)
		if out.Len() == 0 {
			if !strings.HasPrefix(strings.Join(args, " "), "check") { // it has nothing to print
				t.Errorf("%q writes nothing: %s", args, errs.String())
			}
			continue
		}
		if code != cli.Fine && args[0] != "check" {
			t.Errorf("%q: exit code %d: %s", args, code, errs.String())
		}
		if code := cli.Run(t.Context(), args, strings.NewReader(""), full{}, io.Discard); code != cli.Fault {
			t.Errorf("%q with a full output: exit code %d", args, code)
		}
	}
}

// TestNamesOnATerminalAreTheirOwn: a name in a sentence is shown on a terminal as it is shown alone, without
// the isolate that the sentence adds.
func TestNamesOnATerminalAreTheirOwn(t *testing.T) {
	english, _ := locale.For("en")
	for _, name := range hostile.Texts() {
		if strings.ContainsAny(name, "\u2066\u2067\u2068\u2069") {
			continue // its own isolates are balanced first
		}
		if got, want := visible.Line(english.Say(locale.Commas("5", name, "6"))), visible.Line("5, "+name+", 6"); got != want {
			t.Errorf("%+q, want %+q", got, want)
		}
	}
}
