package site

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// Drift reports where the outputs differ from what the inputs produce now. It builds the site in a temporary folder,
// without using anything left by an earlier build, and compares byte by byte. It changes neither site, output nor blog.
// Each file that differs, is missing, or is no longer made by a build is an error. Files that others put into the
// output or the blog are ignored.
//
// If a site cannot be built, the messages report why. Errors are those of Build.
func Drift(ctx context.Context, dir string) ([]result.Message, error) {
	into, err := os.MkdirTemp("", "benchpost-drift-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(into)
	s := Open(Options{Dir: dir, Into: into})
	defer s.Discard()
	s.once = true
	summary, ms, err := s.Build(ctx)
	if err != nil || summary.Broken {
		return slices.DeleteFunc(ms, func(m result.Message) bool { return m.Severity < result.Error }), err
	}
	ms = compareOutput(filepath.Join(into, "public"), filepath.Join(dir, "public"), "public")
	if blog := s.config.Jekyll.Dir; blog != "" {
		at := blog
		if !filepath.IsAbs(blog) {
			at = filepath.Join(dir, blog)
		}
		ms = append(ms, compareOutput(filepath.Join(into, "blog"), at, path.Clean(filepath.ToSlash(blog)))...)
	}
	return ms, nil
}

// compareOutput compares the folder at with the folder made. Messages call it name.
func compareOutput(made, at, name string) []result.Message {
	var ms []result.Message
	differs := func(file string, line int, id string, text, hint locale.Text) {
		ms = append(ms, result.Message{Pos: result.Position{File: path.Join(name, file), Line: line}, Severity: result.Error, ID: id, Text: text, Hint: hint})
	}
	rebuild := locale.Textf("benchpost build, and commit what it changes")
	if _, err := os.Stat(at); err != nil {
		differs("", 0, "drift.missing", locale.Textf("there is no such folder"), rebuild)
		return ms
	}
	wanted := map[string]bool{result.OutputList: true}
	for file := range publish.Files(made) {
		wanted[file] = true
	}
	scripts := "" // a differing file that depends only on the program
	for _, file := range slices.Sorted(maps.Keys(wanted)) {
		want, err := os.ReadFile(filepath.Join(made, filepath.FromSlash(file)))
		if err != nil {
			continue // a site without output has no list
		}
		target := filepath.Join(at, filepath.FromSlash(file))
		info, err := os.Lstat(target)
		if err != nil {
			differs(file, 0, "drift.missing", locale.Textf("a build makes this file, but it is missing"), rebuild)
			continue
		}
		if !info.Mode().IsRegular() {
			differs(file, 0, "drift.differs", locale.Textf("a build makes a file here, but this is not one"), rebuild)
			continue
		}
		got, err := os.ReadFile(target)
		switch {
		case err != nil:
			differs(file, 0, "drift.differs", locale.Textf("cannot be read: %s", result.Reason(err)), locale.Text{})
		case bytes.Equal(got, want):
		case bytes.Equal(unixLines(got), unixLines(want)):
			differs(file, 0, "drift.line-ends", locale.Textf("differs from what a build makes only in its line ends"),
				locale.Textf("git has changed them: put \"public/** -text\" and \"runs/** -text\" into .gitattributes, then check the files out again"))
		default:
			line, text := firstDifference(got, want)
			differs(file, line, "drift.differs", text, rebuild)
			if strings.HasPrefix(file, "site/script/") {
				scripts = file
			}
		}
	}
	for file := range publish.Files(at) {
		if _, err := os.Lstat(filepath.Join(at, filepath.FromSlash(file))); err == nil && !wanted[file] {
			differs(file, 0, "drift.extra", locale.Textf("an earlier build made this file, but a build no longer does"), rebuild)
		}
	}
	if scripts != "" {
		ms = append(ms, result.Message{Pos: result.Position{File: path.Join(name, scripts)}, Severity: result.Warning, ID: "drift.version",
			Text: locale.Textf("scripts come from benchpost alone and not from the site: another version of benchpost made this output"), Hint: locale.Textf("build and check with the same version")})
	}
	return ms
}

// unixLines undoes git's conversion of line ends.
func unixLines(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// firstDifference describes where a text begins to differ. For files that are not text it gives the sizes.
func firstDifference(got, want []byte) (line int, text locale.Text) {
	if bytes.IndexByte(got, 0) >= 0 || bytes.IndexByte(want, 0) >= 0 {
		return 0, locale.Textf("differs from what a build makes: %d bytes, not %d", len(got), len(want))
	}
	here, made := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for line < len(here) && line < len(made) && bytes.Equal(here[line], made[line]) {
		line++
	}
	show := func(lines [][]byte) locale.Text {
		if line >= len(lines) {
			return locale.Textf("the end of the file")
		}
		return locale.Lit(strconv.Quote(around(lines[line], here, made, line)))
	}
	return line + 1, locale.Textf("differs from what a build makes: %s, not %s", show(here), show(made))
}

// mostShown is the number of bytes of a line that are shown.
const mostShown = 60

// around returns the part of a line around the first difference between two texts.
func around(one []byte, here, made [][]byte, line int) string {
	from := 0
	if line < len(here) && line < len(made) {
		a, b := here[line], made[line]
		for from < len(a) && from < len(b) && a[from] == b[from] {
			from++
		}
	}
	from = max(0, from-mostShown/3)
	end := min(len(one), from+mostShown)
	part := strings.ToValidUTF8(string(one[min(from, end):end]), "")
	if from > 0 {
		part = "…" + part
	}
	if end < len(one) {
		part += "…"
	}
	return part
}
