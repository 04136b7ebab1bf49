package publish

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// at returns a folder. If benchpost may replace files in it, it has a spare tree.
func at(t *testing.T, dir string, foreign Foreign) *Folder {
	t.Helper()
	opt := Options{Foreign: foreign, Durable: true}
	if foreign == Replace {
		opt.Work = filepath.Join(filepath.Dir(dir), workName)
		if err := os.MkdirAll(opt.Work, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return At(dir, opt)
}

const workName = "work"

// build publishes files given as "path=content".
func build(t *testing.T, dir string, foreign Foreign, files ...string) (Summary, error) {
	t.Helper()
	f := at(t, dir, foreign)
	defer f.Close()
	return commit(t, f, files...)
}

func commit(t *testing.T, f *Folder, files ...string) (Summary, error) {
	t.Helper()
	o, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path, content, _ := strings.Cut(f, "=")
		if err := o.Put(path, []byte(content)); err != nil {
			return Summary{}, errors.Join(err, o.Discard())
		}
	}
	return o.Commit()
}

// tree lists the files below dir, except the list of written files and the work folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == workName {
			return filepath.SkipDir
		}
		if err == nil && d.Name() != listName && path != dir {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, filepath.ToSlash(rel))
		}
		return err
	})
	return out
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	build(t, dir, Replace, "a.html=1", "b/c.html=2")
	old := time.Now().Add(-time.Hour)
	os.Chtimes(filepath.Join(dir, "a.html"), old, old)
	s, err := build(t, dir, Replace, "a.html=1", "b/c.html=changed")
	if err != nil || s != (Summary{Written: 1, Unchanged: 1}) {
		t.Errorf("got %+v, %v", s, err)
	}
	if info, _ := os.Stat(filepath.Join(dir, "a.html")); !info.ModTime().Equal(old) {
		t.Error("the unchanged file was touched")
	}
}

func TestOnlyOurFilesAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	build(t, dir, Replace, "a.html=1", "b/c.html=2", "b/d/e.html=3")
	os.WriteFile(filepath.Join(dir, "b", "CNAME"), []byte("mine"), 0o644)
	s, err := build(t, dir, Replace, "a.html=1")
	if err != nil || s.Removed != 2 {
		t.Errorf("got %+v, %v", s, err)
	}
	if got, want := tree(t, dir), []string{"a.html", "b", "b/CNAME"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
}

func TestAFileBecomesAFolderAndBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	for _, files := range [][]string{{"x=1"}, {"x/index.html=2"}, {"x=3"}} {
		if _, err := build(t, dir, Replace, files...); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := tree(t, dir), []string{"x"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// TestACommitThatFailsIsTakenBack has a last file that cannot be moved into place, because somebody's folder is there.
func TestACommitThatFailsIsTakenBack(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "public")
	build(t, dir, Replace, "a.html=1", "gone/b.html=1", "z.html=1")
	os.Remove(filepath.Join(dir, "z.html"))
	os.MkdirAll(filepath.Join(dir, "z.html", "mine"), 0o755)
	before, list := tree(t, parent), slices.Collect(Files(dir))
	if _, err := build(t, dir, Replace, "a.html=2", "new/c.html=2", "z.html=2"); err == nil {
		t.Fatal("the folder in the way was overwritten")
	}
	if after := tree(t, parent); !slices.Equal(after, before) {
		t.Errorf("left %v, want %v", after, before)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a.html")); string(data) != "1" {
		t.Errorf("a.html became %q", data)
	}
	if after := slices.Collect(Files(dir)); !slices.Equal(after, list) {
		t.Errorf("the list became %v, want %v", after, list)
	}
}

func TestAFolderInPlaceOfAnOldOutputIsLeftAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	build(t, dir, Replace, "a=1", "b=1")
	os.Remove(filepath.Join(dir, "b"))
	os.MkdirAll(filepath.Join(dir, "b", "mine"), 0o755)
	if s, err := build(t, dir, Replace, "a=1"); err != nil || s.Removed != 0 {
		t.Errorf("got %+v, %v", s, err)
	}
	if got, want := tree(t, dir), []string{"a", "b", "b/mine"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
}

func TestABrokenBuildLeavesTheFolderAsItWas(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "public")
	build(t, dir, Replace, "a.html=1")
	o, err := at(t, dir, Replace).Open()
	if err != nil {
		t.Fatal(err)
	}
	o.Put("a.html", []byte("half"))
	o.Put("new.html", []byte("half"))
	o.Discard()
	if got := tree(t, parent); !slices.Equal(got, []string{"public", "public/" + listName, "public/a.html"}) && !slices.Equal(got, []string{"public", "public/a.html"}) {
		t.Errorf("left %v", got)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "a.html")); string(data) != "1" {
		t.Errorf("a.html became %q", data)
	}
}

func TestSomebodysFileIsNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "post.md"), []byte("by hand"), 0o644)
	_, err := build(t, dir, Refuse, "post.md=generated")
	var foreign *ForeignError
	if !errors.As(err, &foreign) {
		t.Fatalf("error %v", err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "post.md")); string(data) != "by hand" {
		t.Errorf("post.md became %q", data)
	}
	if _, err := build(t, dir, Refuse, "other.md=1"); err != nil {
		t.Error(err)
	}
	if _, err := build(t, dir, Refuse, "other.md=2"); err != nil {
		t.Errorf("our own file is refused: %v", err)
	}
}

func TestPathsStayInside(t *testing.T) {
	for _, path := range []string{"../x", "/etc/x", "a/../../x", listName, ""} {
		if _, err := build(t, t.TempDir(), Replace, path+"=1"); err == nil {
			t.Errorf("%q was accepted", path)
		}
	}
	if _, err := build(t, t.TempDir(), Replace, "a=1", "a=2"); err == nil {
		t.Error("two outputs of one path were accepted")
	}
}

// TestStream checks that a file written in pieces is treated like one that was put: it is kept if the bytes are the
// same, and refused if somebody else's file is there.
func TestStream(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error {
			for _, c := range text {
				if _, err := io.WriteString(w, string(c)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	commit := func(text string) Summary {
		o, err := at(t, dir, Refuse).Open()
		if err != nil {
			t.Fatal(err)
		}
		if err := o.Stream("data/a.csv", write(text)); err != nil {
			t.Fatal(err)
		}
		if err := o.Put("data/a.csv", nil); err == nil {
			t.Error("one path is written twice")
		}
		s, err := o.Commit()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for i, c := range []struct {
		text string
		want Summary
	}{{"first", Summary{Written: 1}}, {"first", Summary{Unchanged: 1}}, {"other", Summary{Written: 1}}, {"longer still", Summary{Written: 1}}, {"", Summary{Written: 1}}, {"", Summary{Unchanged: 1}}} {
		if got := commit(c.text); got != c.want {
			t.Errorf("%d: %+v, want %+v", i, got, c.want)
		}
		if data, err := os.ReadFile(filepath.Join(dir, "data", "a.csv")); err != nil || string(data) != c.text {
			t.Errorf("%d: %q, %v", i, data, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.csv"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	o, err := at(t, dir, Refuse).Open()
	if err != nil {
		t.Fatal(err)
	}
	defer o.Discard()
	var foreign *ForeignError
	if err := o.Stream("mine.csv", write("ours")); !errors.As(err, &foreign) {
		t.Errorf("somebody's file is overwritten: %v", err)
	}
	full := errors.New("disk full")
	if err := o.Stream("b.csv", func(io.Writer) error { return full }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestEditsByHandStay checks that a file that somebody edited in their own folder is neither replaced nor removed,
// however it is written again; that unedited files are; and that the checksums have the format of sha256sum.
func TestEditsByHandStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	again := map[string]func(o *Output, path, text string) error{
		"put":     func(o *Output, path, text string) error { return o.Put(path, []byte(text)) },
		"rewrite": func(o *Output, path, text string) error { return o.Rewrite(path, []byte(text)) },
		"stream": func(o *Output, path, text string) error {
			return o.Stream(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		},
		"keep":   func(o *Output, path, text string) error { return o.Keep(path) },
		"remove": func(o *Output, path, text string) error { return nil },
	}
	commit := func(how, path, text string) error {
		o, err := at(t, dir, Refuse).Open()
		if err != nil {
			t.Fatal(err)
		}
		defer o.Discard()
		if err := o.Put("always.md", []byte("always")); err != nil {
			t.Fatal(err)
		}
		if err := again[how](o, path, text); err != nil {
			return err
		}
		_, err = o.Commit()
		return err
	}
	file := filepath.Join(dir, "_posts", "a.md")
	for how := range again {
		for _, text := range []string{"one", "two"} { // unedited files are replaced
			if err := commit("put", "_posts/a.md", text); err != nil {
				t.Fatal(how, err)
			}
		}
		sums, err := os.ReadFile(filepath.Join(dir, sumsName))
		if want := fmt.Sprintf("%x  _posts/a.md\n%x  always.md\n", sha256.Sum256([]byte("two")), sha256.Sum256([]byte("always"))); err != nil || string(sums) != want {
			t.Fatalf("%s: %q, %v", how, sums, err)
		}
		if err := os.WriteFile(file, []byte("edited"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := commit("put", "_posts/a.md", "two"); err != nil { // only the edit is a change
			t.Errorf("%s: %v", how, err)
		}
		var foreign *ForeignError
		stays := how == "keep" || how == "remove"
		if err := commit(how, "_posts/a.md", "three"); stays != (err == nil) || !stays && (!errors.As(err, &foreign) || !foreign.Edited || foreign.Path != file) {
			t.Errorf("%s: %v", how, err)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != "edited" {
			t.Errorf("%s: %q, %v", how, data, err)
		}
		if err := commit("put", "_posts/a.md", "edited"); err != nil { // the source has the same edit
			t.Errorf("%s: %v", how, err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := commit("put", "_posts/a.md", "four"); err != nil { // a removed file comes back
		t.Error(err)
	}
	if err := commit("remove", "", ""); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("a file of no post stays: %v", err)
	}
}

// TestPathsThatSomeDiskTakesForOne checks that two paths which some file systems cannot distinguish are an error that
// names both, however each is added, and that the folder stays as it was.
func TestPathsThatSomeDiskTakesForOne(t *testing.T) {
	t.Parallel()
	for _, two := range [][2]string{
		{"runs/A/x.html", "runs/a/x.html"},
		{"models/é.html", "models/e\u0301.html"},
		{"models/É.html", "models/e\u0301.html"},
		{"Straße", "STRASSE"},
		{"\u1e9b\u0323", "\u1e61\u0323"},
	} {
		dir := filepath.Join(t.TempDir(), "public")
		if _, err := build(t, dir, Replace, two[0]+"=before", "other=x"); err != nil {
			t.Fatal(err)
		}
		before := tree(t, dir)
		for name, add := range map[string]func(*Output) error{
			"Put":     func(o *Output) error { return o.Put(two[1], []byte("2")) },
			"Rewrite": func(o *Output) error { return o.Rewrite(two[1], []byte("2")) },
			"Keep":    func(o *Output) error { return o.Keep(two[1]) },
			"Stream":  func(o *Output) error { return o.Stream(two[1], func(io.Writer) error { return nil }) },
		} {
			o, err := at(t, dir, Replace).Open()
			if err == nil {
				err = o.Put(two[0], []byte("1"))
			}
			if err != nil {
				t.Fatal(err)
			}
			err = add(o)
			if err == nil || !strings.Contains(err.Error(), two[0]) || !strings.Contains(err.Error(), two[1]) {
				t.Errorf("%s of %q after %q: %v", name, two[1], two[0], err)
			}
			if err := o.Discard(); err != nil {
				t.Fatal(err)
			}
		}
		if after := tree(t, dir); !slices.Equal(after, before) {
			t.Errorf("%q: %q, before %q", two, after, before)
		}
		// A file name whose case changes from one build to the next is one file.
		if _, err := build(t, dir, Replace, two[1]+"=after"); err != nil {
			t.Error(err)
		}
		if got := slices.Collect(Files(dir)); !slices.Equal(got, []string{two[1]}) {
			t.Errorf("%q are listed, want %q", got, two[1])
		}
	}
}
