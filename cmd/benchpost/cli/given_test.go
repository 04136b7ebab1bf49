package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPathsThatCannotBeRead checks that, whatever is at a path on the command line, the command reports what is wrong
// and what to do in its own words. It does not block, and does not suggest the same name.
func TestPathsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, make := range []error{os.Mkdir("folder", 0o755), os.WriteFile("file.md", []byte("text\n"), 0o600), os.Symlink("nowhere", "link")} {
		if make != nil {
			t.Fatal(make)
		}
	}
	commands := map[string]string{ // command → what it takes
		"import": "file", "report": "", "results": "", "check": "", "results --explain": "file", "diff file.md": "",
		"record --sweep": "file", "init new --from": "folder", "check --site": "folder", "build --site": "folder", "serve --site": "folder",
	}
	kinds := map[string]struct{ path, takes, fault, hint string }{ // takes: which commands accept it; "" for none
		"nothing":             {"xyz", "", "does not exist", "paths begin at the folder you are in, " + dir},
		"nothing, from /":     {filepath.Join(dir, "xyz", "abc"), "", "does not exist", "the part of it that exists is " + dir},
		"a misspelt name":     {"fodler", "", "does not exist", "did you mean folder?"},
		"a link to nothing":   {"link", "", "is a link to nowhere, which does not exist", "ln -sf"},
		"what is no file":     {"folder", "folder", "folder", "benchpost results --verbose folder"},
		"what is no folder":   {"file.md", "file", "file.md is no folder", "name the folder that it lies in, ."},
		"a name with escapes": {"x\x1b[2Jy", "", "does not exist", "paths begin"},
	}
	system := regexp.MustCompile(`no such file|not a directory|is a directory|\b(open|stat|lstat|read) `)
	for words, takes := range commands {
		for kind, k := range kinds {
			if k.takes != "" && (takes == "" || takes == k.takes) {
				continue
			}
			if strings.HasPrefix(words, "diff") && !filepath.IsAbs(k.path) {
				k.path = "./" + k.path // otherwise it may be a revision
			}
			var out, said bytes.Buffer
			code := Run(t.Context(), append(strings.Fields(words), k.path), strings.NewReader(""), &out, &said)
			first, rest, _ := strings.Cut(said.String(), "\n")
			if kind == "what is no file" { // --sweep finds the plan in a folder, and import takes files of any name
				k.hint, k.fault = "", strings.TrimSuffix(k.fault, "folder")
			}
			if code != Usage || !strings.HasPrefix(first, "benchpost: error: ") || !strings.Contains(first, k.fault) || !strings.Contains(rest, "hint: ") || !strings.Contains(rest, k.hint) ||
				system.MatchString(said.String()) || strings.Contains(said.String(), "\x1b") || strings.Contains(rest, "did you mean "+k.path+"?") {
				t.Errorf("%s, given %s: exit %d\n%s", words, kind, code, said.String())
			}
		}
	}
}
