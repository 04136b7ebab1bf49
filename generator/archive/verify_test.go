package archive

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestVerify checks the message for each way in which a file can differ from its manifest.
func TestVerify(t *testing.T) {
	t.Parallel()
	r := newSite(t, map[string]string{"runs/d/x.log": run("m", 1, 2), "runs/d/y.log": run("m", 2, 2)})
	mustArchive(t, options(t, r.Dir))
	at := func(name string) string { return filepath.Join(r.Dir, filepath.FromSlash(name)) }
	change := func(name string, with func(string) string) {
		if err := os.WriteFile(at(name), []byte(with(read(t, r.Dir, name))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sum := ""
	change("runs/a/high.log", func(s string) string { return strings.Replace(s, "82.47", "92.47", 1) })
	change("runs/a/low.log", func(s string) string { return s[:40] })
	change("runs/a/run.toml", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })
	change("runs/b/large.log.zst", func(s string) string {
		sum = summed([]byte(s))
		return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", sum, len(s))
	})
	change("runs/d/manifest.json", func(s string) string { return s[:len(s)/2] })
	folder.Write(t, r.Dir, map[string]string{"runs/a/new.log": "x", "runs/new/run.log": "x"})
	os.Remove(at("runs/c/run.log"))
	done, ms, err := Verify(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"runs/a/high.log verify.changed differs from the manifest",
		"runs/a/low.log verify.truncated cut off: 40 of ",
		"runs/a/new.log verify.unlisted not in the manifest",
		"runs/a/run.toml verify.changed its line ends were converted",
		"runs/b/large.log.zst verify.pointer a pointer of Git LFS; the file itself was not fetched",
		"runs/c/run.log verify.missing listed, but missing",
		"runs/d/manifest.json verify.manifest broken manifest",
		"runs/new verify.unlisted no manifest lists these files (1 file)",
	}
	var got []string
	for i, m := range ms {
		line := m.Pos.File + " " + m.ID + " " + locale.English(m.Text)
		got = append(got, line)
		if i >= len(want) || !strings.HasPrefix(line, want[i]) {
			t.Errorf("got %q", line)
		}
	}
	if len(got) != len(want) || done.Files != 5 || done.Manifests != 3 {
		t.Errorf("%+v, got\n%s", done, strings.Join(got, "\n"))
	}
	for paths, n := range map[string]int{"runs/a": 4, "runs/a/high.log": 1, "runs/c/run.log": 1, "runs/b": 1, "runs/new": 1} {
		if _, ms, err := Verify(r.Dir, paths); len(ms) != n || err != nil {
			t.Errorf("%s: %v %v", paths, ms, err)
		}
	}
}

// TestHostileManifests checks that errors in a manifest from an untrusted source are reported, and that no name leads
// out of its folder.
func TestHostileManifests(t *testing.T) {
	t.Parallel()
	const sum = `"size": 1, "sha256": "4f702f9386d1f3de5c7f62807ebfd8fb018aef172e1dc03ad46d964f622f3af5"`
	file := func(name string) string {
		return `{"schema": "benchpost.manifest/1", "files": [{"name": ` + name + `, ` + sum + `}]}`
	}
	for text, want := range map[string]string{
		file(`"x.log"`):                         "",
		file(`"../x.log"`):                      "no name of a file",
		file(`"/etc/passwd"`):                   "no name of a file",
		file(`"a/b"`):                           "no name of a file",
		file(`".."`):                            "no name of a file",
		file(`""`):                              "no name of a file",
		file(`"manifest.json"`):                 "no name of a file",
		file(`"a\u0000b"`):                      "no name of a file",
		file(`"x"}, {"name": "x"`):              "has no size and SHA-256",
		file(`"x", ` + sum + `}, {"name": "x"`): "twice",
		`{"schema": "benchpost.manifest/1", "files": [{}]}`: "no name of a file",
		`{"schema": "benchpost.manifest/1", "files": {}}`:   "cannot unmarshal",
		`{"schema": "benchpost.manifest/2", "files": []}`:   `version "2"`,
		`{"schema": "benchpost.manifest/1"`:                 "unexpected end",
		`{"schema": "other"}`:                               "was not written by benchpost",
		`[]`:                                                "was not written by benchpost",
	} {
		_, err := ParseManifest("runs/manifest.json", []byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	dir := t.TempDir()
	folder.Write(t, dir, map[string]string{"manifest.json": ""})
	if err := os.Truncate(filepath.Join(dir, ManifestName), maxManifest+10); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readManifest(dir, "x"); err == nil || !strings.Contains(err.Error(), "larger than 64 MB") {
		t.Error(err)
	}
}

// TestManifestBytes checks that a manifest is parsed as it was encoded, with one line for each file, sorted by name.
func TestManifestBytes(t *testing.T) {
	t.Parallel()
	m := &Manifest{Schema: ManifestSchema + version, Files: []Entry{
		{Name: "b<&>.log.zst", Size: 2, SHA256: summed(nil), Content: &Content{3, summed(nil)}, Redact: map[string]int{"z": 1, "a": 2}, Read: now, By: "v"},
		{Name: "a\n功耗.log", Size: 1, SHA256: summed(nil), Results: []string{"a/1", "a/2"}, Read: now, By: "v"}}}
	data := m.Encode()
	again, err := ParseManifest("x", data)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(m.Files)
	if !reflect.DeepEqual(m, again) || string(again.Encode()) != string(data) || strings.Count(string(data), "\n") != 4 || !strings.Contains(string(data), `"redacted":{"a":2,"z":1}`) {
		t.Errorf("%s", data)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"schema": "benchpost.manifest/1", "files": [{"name": "x", "size": 1, "sha256": "00"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest("x", data)
		if err != nil {
			return
		}
		for _, e := range m.Files {
			if !filepath.IsLocal(e.Name) || strings.ContainsAny(e.Name, "/\x00") {
				t.Errorf("%q", e.Name)
			}
		}
	})
}

// TestVerifyOfNothing checks that a path that does not exist and that no manifest lists is an error, since it was
// probably mistyped.
func TestVerifyOfNothing(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	mustArchive(t, options(t, r.Dir))
	for _, name := range []string{"runs/none", "runs/a/hihg.log", "runs/none/x.log"} {
		_, ms, err := Verify(r.Dir, name)
		if err != nil || len(ms) != 1 || ms[0].ID != VerifyMissing || ms[0].Pos.File != name || ms[0].Severity != result.Error {
			t.Errorf("%s: %v, %v", name, ms, err)
		}
	}
}
