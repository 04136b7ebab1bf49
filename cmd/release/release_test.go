package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/need"
)

// The tests work in the root of the repository, as the command does.
func TestMain(m *testing.M) {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestTheDocumentListsEveryLinkedModuleWithItsLicence(t *testing.T) {
	modules, err := linked(platforms)
	if err != nil {
		t.Fatal(err)
	}
	const document = "docs/dependencies.md"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if want := licenceTable(modules); !strings.Contains(string(text), want) {
		t.Errorf("%s lists other modules: put in what `go run ./cmd/release -licences` prints:\n%s", document, want)
	}
}

func TestEachModuleComesWithTheTextOfItsLicence(t *testing.T) {
	modules, err := linked(platforms[:1])
	if err != nil {
		t.Fatal(err)
	}
	texts, err := notices(modules)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(texts), strings.Repeat("=", 80)+"\n\n")[1:] {
		if len(part) < 200 {
			t.Errorf("a licence without its text: %q", part)
		}
	}
	for _, m := range modules {
		if !bytes.Contains(texts, []byte(m.Path+" "+m.Version+"\n")) {
			t.Errorf("%s is missing", m.Path)
		}
	}
}

func TestAReleaseIsTheSameBytesAgain(t *testing.T) {
	need.Thorough(t, "it compiles the program twice")
	t.Chdir(clone(t)) // Go stamps no version into what is built from a worktree
	here := []platform{{runtime.GOOS, runtime.GOARCH}}
	modules, err := linked(here)
	if err != nil {
		t.Fatal(err)
	}
	var made [2]map[string][]byte
	for i := range made {
		out := t.TempDir()
		if err := release(out, here, modules); err != nil {
			t.Fatal(err)
		}
		made[i] = map[string][]byte{}
		files, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if made[i][f.Name()], err = os.ReadFile(filepath.Join(out, f.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(made[0]) != 4 { // archive, package, bill of materials, sums
		t.Errorf("a release of one platform has %d files", len(made[0]))
	}
	for name, data := range made[0] {
		if !bytes.Equal(data, made[1][name]) {
			t.Errorf("%s differs", name)
		}
		if strings.HasSuffix(name, ".deb") {
			installs(t, name, data)
		}
	}
}

// installs unpacks a package as dpkg does, runs what it installs, and has lintian look at it.
func installs(t *testing.T, name string, data []byte) {
	t.Helper()
	dir := t.TempDir()
	file, root := filepath.Join(dir, name), filepath.Join(dir, "root")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	version := strings.Split(name, "_")[1]
	for _, try := range []struct {
		words []string
		want  string
	}{
		{[]string{"dpkg-deb", "-x", file, root}, ""},
		{[]string{"dpkg-deb", "-f", file, "Version"}, version},
		{[]string{root + "/usr/bin/benchpost", "version"}, "benchpost v" + strings.ReplaceAll(version, "~", "-") + " (commit "},
		{[]string{"man", "-M", root + "/usr/share/man", "-w", "benchpost-build"}, root + "/usr/share/man/man1/benchpost-build.1.gz"},
		{[]string{"lintian", "--allow-root", "--fail-on", "error,warning,override", file}, ""},
	} {
		out, err := exec.Command(need.Command(t, try.words[0]), try.words[1:]...).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), try.want) {
			t.Errorf("%s: %v, want %q\n%s", try.words, err, try.want, out)
		}
	}
}

func TestAPackageIsWhatDpkgReads(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("odd"), 0o755); err != nil {
		t.Fatal(err)
	}
	b := build{platform: platform{"linux", "arm64"}, file: program, version: "v1.2.3-rc.1", time: time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC)}
	files, err := tree(b, []byte("licences"))
	if err != nil {
		t.Fatal(err)
	}
	name, data, err := debian(b, files)
	if err != nil || name != "benchpost_1.2.3~rc.1_arm64.deb" {
		t.Fatal(name, err)
	}
	var parts []string
	contents, sums := map[string]string{}, ""
	rest, isArchive := bytes.CutPrefix(data, []byte("!<arch>\n"))
	for isArchive && len(rest) > 0 {
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || string(rest[58:60]) != "`\n" {
			t.Fatalf("a head is %q", rest[:60])
		}
		part := strings.TrimSpace(string(rest[:16]))
		parts = append(parts, part)
		if strings.HasSuffix(part, ".tar.gz") {
			z, err := gzip.NewReader(bytes.NewReader(rest[60 : 60+size]))
			if err != nil {
				t.Fatal(err)
			}
			known := map[string]bool{}
			for r := tar.NewReader(z); ; {
				h, err := r.Next()
				if err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if folder := path.Dir(strings.TrimSuffix(h.Name[2:], "/")); folder != "." && !known[folder] {
					t.Errorf("%s comes before its folder", h.Name)
				}
				text, err := io.ReadAll(r)
				if err != nil || !h.ModTime.Equal(b.time) || h.Uname != "root" {
					t.Errorf("%s: %v %v %s", h.Name, err, h.ModTime, h.Uname)
				}
				switch {
				case h.Typeflag == tar.TypeDir:
					known[strings.Trim(h.Name[2:], "/")] = true
				case h.Name == "./md5sums":
					sums = string(text)
				case part == "data.tar.gz":
					contents[h.Name[2:]] = fmt.Sprintf("%x", md5.Sum(text))
				case !strings.Contains(string(text), "Version: 1.2.3~rc.1\nArchitecture: arm64\n"):
					t.Errorf("control says\n%s", text)
				}
			}
		}
		rest = rest[60+size+size%2:]
	}
	if want := []string{"debian-binary", "control.tar.gz", "data.tar.gz"}; !slices.Equal(parts, want) {
		t.Errorf("the parts are %q", parts)
	}
	listed := 0
	for line := range strings.Lines(sums) {
		listed++
		if sum, file, _ := strings.Cut(strings.TrimSpace(line), "  "); contents[file] != sum {
			t.Errorf("%s has another sum than %s", file, sum)
		}
	}
	if listed != len(contents) || listed < len(files) {
		t.Errorf("%d sums of %d files, of %d in the tree", listed, len(contents), len(files))
	}
}
