package rundir

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

var update = flag.Bool("update", false, "write what is there now as what is wanted")

// unpack writes the files of an archive below a new folder.
func unpack(t testing.TB, archive *txtar.Archive) string {
	t.Helper()
	root := t.TempDir()
	for _, f := range archive.Files {
		if f.Name != "want" {
			write(t, filepath.Join(root, filepath.FromSlash(f.Name)), string(f.Data))
		}
	}
	return root
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, root, name string) *Dataset {
	t.Helper()
	d, err := Load(root, Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// describe formats a dataset for comparison.
func describe(d *Dataset) string {
	var b strings.Builder
	for _, r := range d.Results {
		fmt.Fprintf(&b, "%s (%v)\n", r.ID, r.Source)
		for _, l := range r.Labels {
			fmt.Fprintf(&b, "\t%s = %q, %v, %v\n", l.Name, l.Value, l.Origin, l.Pos)
		}
	}
	for _, s := range d.Unread {
		fmt.Fprintf(&b, "%s %s: %s\n", s.Kind, s.Name, locale.English(s.Reason))
	}
	for _, m := range d.Messages {
		fmt.Fprintf(&b, "%s\n", m.Error())
		if !m.Hint.IsZero() {
			fmt.Fprintf(&b, "\t%s\n", locale.English(m.Hint))
		}
	}
	return b.String()
}

func TestLoad(t *testing.T) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no archives")
	}
	for _, path := range archives {
		t.Run(filepath.Base(path), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d := load(t, filepath.Join(unpack(t, archive), "runs"), "runs")
			got := describe(d)
			want := &archive.Files[len(archive.Files)-1]
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want.Data) {
				t.Errorf("got\n%s\nwant\n%s", got, want.Data)
			}
		})
	}
}

const block = "============ Serving Benchmark Result ============\nSuccessful requests: 100\nBenchmark duration (s): 4.00\n" +
	"==================================================\n"

func ids(d *Dataset) string {
	var s []string
	for _, r := range d.Results {
		s = append(s, r.ID)
	}
	return strings.Join(s, " ")
}

// TestCampaign checks that the first folder is the campaign unless one is declared at any level above.
func TestCampaign(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ at, want string }{{"", "spring"}, {"x", "spring"}, {"x/y", "spring"}, {"z", "x"}} {
		root := t.TempDir()
		write(t, filepath.Join(root, "x", "y", "a.log"), block)
		write(t, filepath.Join(root, filepath.FromSlash(test.at), "run.toml"), `campaign = "spring"`)
		if got := load(t, root, "runs").Results[0].Label("campaign"); got != test.want {
			t.Errorf("declared in %q: %s", test.at, got)
		}
	}
}

// TestDeterministic checks that the dataset does not depend on the order in which files are found or read.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for i := range 200 {
		write(t, filepath.Join(root, fmt.Sprint("c=", i%7), fmt.Sprint(i, ".log")), block)
		write(t, filepath.Join(root, fmt.Sprint("c=", i%7), fmt.Sprint(i, ".md")), block+block)
	}
	write(t, filepath.Join(root, "run.toml"), "max_concurrency = 3\n")
	first := describe(load(t, root, "runs"))
	for range 5 {
		if again := describe(load(t, root, "runs")); again != first {
			t.Fatal("another reading gives another dataset")
		}
	}
}

// TestALinkAddsNoResult checks that the target of a link is read at its own place or not at all, and that the link is
// listed with its target.
func TestALinkAddsNoResult(t *testing.T) {
	t.Parallel()
	outside, root := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret.log"), block)
	write(t, filepath.Join(root, "a", "high.log"), block)
	write(t, filepath.Join(root, ".store", "x.log"), block) // hidden, but not a file of the system
	for link, target := range map[string]string{
		"loop": root, "a/up": "..", "a/self": "self", "out": outside, "file.log": filepath.Join(outside, "secret.log"), "a/run.toml": "../none",
		"latest": "a", "again": "latest", "b/best.log": "../a/high.log", "b/hidden": "../.store", "b/here": ".",
	} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	d := load(t, root, "runs")
	if ids(d) != "a/high" {
		t.Errorf("results %s", ids(d))
	}
	want := map[string]unread.File{
		"a/self": {Kind: unread.Loop, Reason: locale.Textf("in a circle")}, "a/up": {Kind: unread.Loop, Reason: locale.Textf("folder that contains it")},
		"loop": {Kind: unread.Loop, Reason: locale.Textf("folder that contains it")}, "b/here": {Kind: unread.Loop, Reason: locale.Textf("folder that contains it")},
		"file.log": {Kind: unread.Link, Reason: locale.Textf("outside of the runs")}, "out": {Kind: unread.Link, Reason: locale.Textf("outside of the runs")},
		"a/run.toml": {Kind: unread.Link, Reason: locale.Textf("../none, which does not exist")}, "b/hidden": {Kind: unread.Link, Reason: locale.Textf("hidden by a dot")},
		"latest": {Kind: unread.Linked, Reason: locale.Textf("the same as runs/a")}, "again": {Kind: unread.Linked, Reason: locale.Textf("the same as runs/a")},
		".store":     {Kind: unread.Hidden, Reason: locale.Textf("dot")},
		"b/best.log": {Kind: unread.Linked, Reason: locale.Textf("the same as runs/a/high.log")},
	}
	for _, u := range d.Unread {
		name := strings.TrimPrefix(u.Name, "runs/")
		if w := want[name]; u.Kind != w.Kind || !strings.Contains(locale.English(u.Reason), locale.English(w.Reason)) || w.Reason.IsZero() {
			t.Errorf("%+v, want %+v", u, w)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not named: %v", want)
	}
}

// TestRootMayBeALink checks that the root itself may be a link.
func TestRootMayBeALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "real", "high.log"), block)
	if err := os.Symlink("real", filepath.Join(dir, "runs")); err != nil {
		t.Fatal(err)
	}
	if d := load(t, filepath.Join(dir, "runs"), "runs"); ids(d) != "high" {
		t.Errorf("results %s", ids(d))
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"a/1.log", "b/2.log", "c/3.log"} {
		write(t, filepath.Join(root, name), block)
	}
	denied := func(path, name string, _ filemark.Mark) (format.Output, error) {
		if name == "runs/b/2.log" {
			return format.Output{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
		}
		return format.ReadFile(path, name)
	}
	d, err := Load(root, Options{Name: "runs", Read: denied})
	if err != nil {
		t.Fatal(err)
	}
	if ids(d) != "a/1 c/3" || len(d.Unread) != 1 || d.Unread[0].Kind != unread.Unreadable || len(d.Messages) != 1 ||
		d.Messages[0].Error() != "runs/b/2.log: error: cannot be read: permission denied" {
		t.Errorf("results %s, skipped %v, messages %v", ids(d), d.Unread, d.Messages)
	}
}

func TestNoRoot(t *testing.T) {
	t.Parallel()
	if _, err := Load(filepath.Join(t.TempDir(), "none"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestAdHocPaths checks that any folder or single file can be loaded without a site, and that positions use the path as
// given.
func TestAdHocPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "logs/x/high.log", block)
	write(t, "logs/x/low.log", block)
	write(t, "logs/x/run.toml", "load = \"any\"\n[files.\"high.log\"]\nload = \"high\"\n")
	for _, test := range []struct{ root, name, want string }{
		{"logs", "", "x/high@logs/x/high.log:1 high@logs/x/run.toml:3:1 x/low@logs/x/low.log:1 any@logs/x/run.toml:1:1"},
		{".", "", "logs/x/high@logs/x/high.log:1 high@logs/x/run.toml:3:1 logs/x/low@logs/x/low.log:1 any@logs/x/run.toml:1:1"},
		{"logs/", "", "x/high@logs/x/high.log:1 high@logs/x/run.toml:3:1 x/low@logs/x/low.log:1 any@logs/x/run.toml:1:1"},
		{"logs/x/high.log", "", "high@logs/x/high.log:1 high@logs/x/run.toml:3:1"},
		{"logs/x/low.log", "given/low.log", "low@given/low.log:1 any@given/run.toml:1:1"},
	} {
		d := load(t, test.root, test.name)
		var got []string
		for _, r := range d.Results {
			l, _ := r.Labels.Lookup("load")
			got = append(got, r.ID+"@"+r.Source.String(), l.Value+"@"+l.Pos.String())
		}
		if strings.Join(got, " ") != test.want || len(d.Messages) != 0 {
			t.Errorf("%s: %v, messages %v", test.root, got, d.Messages)
		}
	}
}

// TestReadIsNotChanged checks that declared labels do not change the output that a cache returns.
func TestReadIsNotChanged(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "a.log"), "Namespace(num_prompts=100, seed=1)\n"+block)
	write(t, filepath.Join(root, "run.toml"), "campaign = \"c\"\nseed = 2\n")
	kept, err := format.ReadFile(filepath.Join(root, "a.log"), "runs/a.log")
	if err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(kept.Results[0].Labels)
	d, err := Load(root, Options{Name: "runs", Read: func(string, string, filemark.Mark) (format.Output, error) { return kept, nil }})
	if err != nil || len(d.Results) != 1 || d.Results[0].Label("campaign") != "c" || d.Results[0].Label("seed") != "1" {
		t.Fatalf("%v, error %v", d.Results, err)
	}
	if !slices.Equal(kept.Results[0].Labels, before) || kept.Results[0].ID != "" {
		t.Errorf("%+v", kept.Results[0])
	}
}

// TestDeclaredValues checks how values of run.toml become labels.
func TestDeclaredValues(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "x.log"), block)
	for value, want := range map[string]string{
		`"text"`: "text", `8`: "8", `8.50`: "8.5", `-3`: "-3", `true`: "true", `inf`: "inf", `1_000`: "1000", `0x10`: "16",
		`2025-10-12`: "2025-10-12", `07:32:00`: "07:32:00", `2025-10-12T07:32:00`: "2025-10-12T07:32:00",
		`2025-10-12T07:32:00+08:00`: "2025-10-12T07:32:00+08:00", `'''lines'''`: "lines", `"功耗"`: "功耗",
	} {
		write(t, filepath.Join(root, "run.toml"), "# first line\n\"键\" = "+value+"\n")
		d := load(t, root, "runs")
		l, _ := d.Results[0].Labels.Lookup("键")
		if l.Value != want || l.Origin != result.Declared || l.Pos.Line != 2 || len(d.Messages) != 0 {
			t.Errorf("%s is %+v, messages %v", value, l, d.Messages)
		}
	}
}
