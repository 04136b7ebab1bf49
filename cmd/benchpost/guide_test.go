package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

const (
	guide        = "../../docs/guide"
	guideChinese = "../../docs/zh/guide"
	root         = "../.."
)

// TestGuide runs the pages of docs/guide as a reader would, each in an empty home folder with a clone of benchpost. A
// console block shows the output of its commands. A block whose info string names a file, such as ```toml site.toml, is
// that file (+site.toml: appended to it). In expected output, … matches any text in a line, and a line with only …
// matches any lines. A command must succeed unless the next one is echo $?. UPDATE=1 writes the actual output into the
// pages. A Chinese page only runs if its blocks differ from those of the English one, in thorough runs.
func TestGuide(t *testing.T) {
	t.Parallel()
	need.System(t, "the pages have commands of a POSIX shell", "linux", "darwin")
	for _, name := range guidePages(t) {
		english, chinese := filepath.Join(guide, name), filepath.Join(guideChinese, name)
		blocks, others := blocksOf(t, english), blocksOf(t, chinese)
		files := []string{english}
		if slices.EqualFunc(blocks, others, block.does) {
			files = append(files, chinese)
		} else {
			t.Run("zh/"+name, func(t *testing.T) {
				t.Parallel()
				if os.Getenv("UPDATE") == "" {
					need.Thorough(t, "the English page has the same commands")
				}
				walk(t, others, chinese)
			})
		}
		t.Run("en/"+name, func(t *testing.T) {
			t.Parallel()
			walk(t, blocks, files...)
		})
	}
}

// walk runs the blocks in files.
func walk(t *testing.T, blocks []block, files ...string) {
	home := t.TempDir()
	examples := "benchpost/docs/guide/examples"
	if err := os.CopyFS(filepath.Join(home, examples), os.DirFS(filepath.Join(guide, "examples"))); err != nil {
		t.Fatal(err)
	}
	sh := &session{home: home, folder: home}
	for _, b := range blocks {
		if b.file != "" {
			sh.write(t, b)
		}
		if b.language != "console" {
			continue
		}
		if got := sh.transcript(t, b); got != b.text && os.Getenv("UPDATE") != "" {
			replace(t, files, b.text, got)
		}
	}
}

// TestGuideInChinese checks that each page exists in Chinese, with commands and files in the same places.
func TestGuideInChinese(t *testing.T) {
	t.Parallel()
	for _, name := range guidePages(t) {
		english, chinese := blocksOf(t, filepath.Join(guide, name)), blocksOf(t, filepath.Join(guideChinese, name))
		if !slices.EqualFunc(english, chinese, func(e, c block) bool {
			return e.language == c.language && (e.file == "") == (c.file == "")
		}) {
			t.Errorf("%s has %d blocks in English and %d in Chinese, or others", name, len(english), len(chinese))
		}
	}
}

var comment = regexp.MustCompile(`(?m)^#.*\n|[ ]+# .*$|[ ]+$`)

// TestGuideNamesItsFiles checks that the text above a block names the file that the block is, because readers do not
// see info strings.
func TestGuideNamesItsFiles(t *testing.T) {
	t.Parallel()
	for _, name := range guidePages(t) {
		for _, folder := range []string{guide, guideChinese} {
			for _, b := range blocksOf(t, filepath.Join(folder, name)) {
				if file := strings.TrimPrefix(b.file, "+"); file != "" && !strings.Contains(b.above, "`"+file+"`") {
					t.Errorf("%s/%s:%d: the text above does not name %s", folder, name, b.line, file)
				}
			}
		}
	}
}

// does reports whether another block does the same: whether it is equal except for comments.
func (b block) does(other block) bool {
	plain := func(text string) string { return comment.ReplaceAllString(text, "") }
	return b.language == other.language && b.file == other.file && plain(b.text) == plain(other.text)
}

// TestTroubleshootingQuotesMessages checks that every message quoted in a text block of the page is in the program:
// each of its parts between … is part of a string literal.
func TestTroubleshootingQuotesMessages(t *testing.T) {
	t.Parallel()
	all := literals(t)
	for _, file := range []string{guide + "/troubleshooting.md", guideChinese + "/troubleshooting.md"} {
		quoted := 0
		for _, b := range blocksOf(t, file) {
			if b.language != "text" {
				continue
			}
			for line := range strings.Lines(b.text) {
				for part := range strings.SplitSeq(line, "…") {
					part = strings.TrimSpace(part)
					quoted++
					if part != "" && !strings.Contains(all, part) {
						t.Errorf("%s:%d: the program has no message %q", file, b.line, part)
					}
				}
			}
		}
		if quoted < 10 {
			t.Errorf("%s quotes %d messages", file, quoted)
		}
	}
}

// TestGlossaryHasTheWordsOfTheProgram checks that a row of the glossary that names a metric or a label has the words
// that pages show for it.
func TestGlossaryHasTheWordsOfTheProgram(t *testing.T) {
	t.Parallel()
	words := map[string]vocabulary.Words{}
	for _, m := range vocabulary.Metrics() {
		words[m.Name] = m.Words
	}
	for _, l := range vocabulary.Labels() {
		words[l.Name] = l.Words
	}
	row := regexp.MustCompile("(?m)^\\|.*\\| `([a-z0-9_]+)` \\|.*$")
	for _, file := range []string{guide + "/glossary.md", guideChinese + "/glossary.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows := row.FindAllStringSubmatch(string(text), -1)
		if len(rows) < 20 {
			t.Errorf("%s has %d rows with a name", file, len(rows))
		}
		for _, m := range rows {
			w, known := words[m[1]]
			if !known {
				t.Errorf("%s: %s is no metric and no label", file, m[1])
			}
			for _, word := range []string{w.English, w.Chinese} {
				if !strings.Contains(strings.ToLower(m[0]), strings.ToLower(word)) {
					t.Errorf("%s: the row of %s lacks %q", file, m[1], word)
				}
			}
		}
	}
}

// TestLinksOfTheGuide checks that the targets of links in the READMEs and the pages exist.
func TestLinksOfTheGuide(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	files := []string{root + "/README.md", root + "/README.zh.md"}
	for _, name := range guidePages(t) {
		files = append(files, filepath.Join(guide, name), filepath.Join(guideChinese, name))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// guidePages returns the names of the English pages.
func guidePages(t *testing.T) []string {
	files, err := filepath.Glob(guide + "/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v %v", files, err)
	}
	for i, f := range files {
		files[i] = filepath.Base(f)
	}
	return files
}

// block is a fenced block of a page.
type block struct {
	line           int // line of its first fence
	language, file string
	above, text    string // above: the text since the previous block; text: without fences
}

func blocksOf(t *testing.T, file string) []block {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	fence, above := "", ""
	for i, line := range strings.SplitAfter(string(data), "\n") {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
			language, name, _ := strings.Cut(strings.TrimSpace(line[len(ticks):]), " ")
			blocks = append(blocks, block{line: i + 1, language: language, file: name, above: above})
			above = ""
		case fence != "" && strings.TrimSpace(line) == fence:
			fence = ""
		case fence != "":
			blocks[len(blocks)-1].text += line
		default:
			above += line
		}
	}
	return blocks
}

// session is a shell that runs one command after the other.
type session struct {
	home, folder string
	code         int // exit code of the last command
}

func (s *session) write(t *testing.T, b block) {
	name, appended := strings.CutPrefix(b.file, "+")
	file := filepath.Join(s.folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := []byte(b.text)
	if appended {
		old, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = append(old, text...)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// transcript runs the commands of a block and returns the block with their output. Output that matches the expected one
// keeps its ….
func (s *session) transcript(t *testing.T, b block) string {
	steps := strings.Split("\n"+b.text, "\n$ ")[1:]
	var all strings.Builder
	for i, step := range steps {
		lines := strings.SplitAfter(strings.TrimSuffix(step, "\n"), "\n")
		n := 1
		for n < len(lines) && strings.HasSuffix(lines[n-1], "\\\n") {
			n++
		}
		command, want := strings.Join(lines[:n], ""), strings.Join(lines[n:], "")
		command = strings.TrimSuffix(command, "\n")
		if want != "" {
			want += "\n"
		}
		got := s.run(t, command)
		if s.code != 0 && (i+1 == len(steps) || !strings.HasPrefix(steps[i+1], "echo $?")) {
			t.Errorf("line %d: %s: exit code %d\n%s", b.line, command, s.code, got)
		}
		if !matches(want, got) {
			if os.Getenv("UPDATE") == "" {
				t.Errorf("line %d: %s\nprinted:\n%s\nexpected:\n%s", b.line, command, got, want)
			}
			want = abridged(want, got)
		}
		all.WriteString("$ " + command + "\n" + want)
	}
	return all.String()
}

// run runs one command and returns its output, with ~ for the home folder.
func (s *session) run(t *testing.T, command string) string {
	where := filepath.Join(t.TempDir(), "folder")
	cmd := exec.Command("bash", "-c", fmt.Sprintf("(exit %d)\n%s\ncode=$?\npwd >'%s'\nexit $code", s.code, command, where))
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "HOME="+s.home, "LC_ALL=C.UTF-8", "NO_COLOR=1", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Reader", "GIT_AUTHOR_EMAIL=reader@example.org",
		"GIT_COMMITTER_NAME=Reader", "GIT_COMMITTER_EMAIL=reader@example.org")
	out, err := cmd.CombinedOutput()
	s.code = cmd.ProcessState.ExitCode()
	folder, broken := os.ReadFile(where)
	if broken != nil {
		t.Fatalf("%s: %v %v\n%s", command, err, broken, out)
	}
	s.folder = strings.TrimSpace(string(folder))
	var text strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(string(out), s.home, "~")) {
		text.WriteString(strings.TrimRight(line, " \r\n") + "\n")
	}
	return text.String()
}

// matches reports whether output matches what a page expects.
func matches(want, got string) bool {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for line := range strings.Lines(want) {
		if line == "…\n" {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		pattern.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
	}
	return regexp.MustCompile(pattern.String() + `\z`).MatchString(got)
}

// abridged returns output with … in the lines where the expected output had it within a line.
func abridged(want, got string) string {
	var b strings.Builder
	for line := range strings.Lines(got) {
		for expected := range strings.Lines(want) {
			if strings.Contains(expected, "…") && expected != "…\n" && matches(expected, line) {
				line = expected
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// replace replaces a block in files.
func replace(t *testing.T, files []string, old, text string) {
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, bytes.Replace(data, []byte("\n"+old+"```"), []byte("\n"+text+"```"), 1), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// literals returns all string literals of the program, concatenated.
func literals(t *testing.T) string {
	var all strings.Builder
	for _, folder := range []string{"../../cmd/benchpost", "../../generator"} {
		err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					if text, err := strconv.Unquote(l.Value); err == nil {
						all.WriteString(text + "\n")
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(strings.Split(all.String(), "\n"), "benchpost") {
		t.Fatal("the literals of the program were not read")
	}
	return all.String()
}
