package rundir

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pack "github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/unread"
)

// bundles returns archives of "name", "content" pairs, by kind of archive.
func bundles(t *testing.T, pairs ...string) map[string]string {
	t.Helper()
	bundle := pack.Tar(t, pairs...)
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write([]byte(bundle))
	z.Close()
	if err := rawfile.Compress(&zst, strings.NewReader(bundle)); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"zip": pack.Zip(t, pairs...), "tar": bundle, "tar.gz": gz.String(), "tar.zst": zst.String()}
}

// figures formats the metrics of a dataset with their positions.
func figures(d *Dataset) []string {
	var all []string
	for i := range d.Results {
		r := &d.Results[i]
		for _, m := range r.Metrics {
			all = append(all, fmt.Sprintf("%v %s %v %v", r.Source, m.Name, m.Value, m.Line))
		}
	}
	slices.Sort(all)
	return all
}

// TestFixturesInArchives checks that the fixtures of all formats give the same labels, positions and messages in every
// kind of archive, and the same figures as in a folder.
func TestFixturesInArchives(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../format/*/testdata/fixtures/*")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	flat := t.TempDir()
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".want" {
			continue
		}
		member := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(name)))) + "/" + filepath.Base(name)
		pairs = append(pairs, member, string(data))
		write(t, filepath.Join(flat, "quantization=fp8", "bundle", filepath.FromSlash(member)), string(data))
	}
	want := figures(load(t, flat, "runs"))
	if len(want) < 1000 {
		t.Fatalf("%d figures", len(want))
	}
	in, alone := map[string]string{}, map[string]string{}
	for kind, data := range bundles(t, pairs...) {
		root := t.TempDir()
		file := filepath.Join(root, "quantization=fp8", "bundle")
		write(t, file, data)
		d := load(t, root, "runs")
		if got := figures(d); !slices.Equal(got, want) {
			t.Errorf("%s: %d figures, not the %d of the folder", kind, len(got), len(want))
		}
		in[kind] = describe(d)
		alone[kind] = describe(load(t, file, "bundle"))
	}
	for kind := range in {
		if in[kind] != in["zip"] || alone[kind] != alone["zip"] {
			t.Errorf("%s is not read as zip is", kind)
		}
	}
	if !strings.Contains(in["zip"], `quantization = "fp8"`) {
		t.Error("no result has the label of the folder")
	}
}

// bundleInBzip2 is output of bzip2 in base64: a tar archive of high.log and low/run.log, which both contain a block.
// blockInBzip2 is the block alone.
const (
	bundleInBzip2 = "QlpoOTFBWSZTWfXf7QUAAN1/0MzQAEBAYf0SEAAaQG/vv4AgAAQAAAgwAPgDAGmho0YjIBoANDDAGmho0YjIBoANDAqoQ1MptTyjT1BiaYTTEwT1OZsXMVSyQIzBDDCpFEi5sqtNBBEh7mZIuUnJF8F69wTRcWDotXsvHvNcC9pSQhu3ZmhEhSyNcmlXDWujFUmo0KK3m+mZAyMWpJFEinBndDU7uTOVt5U4Kk3Be7LHbdjWbMXk8S1sdZJlqXctb0VZUUUsib0SNra6zdVzBQsRMplUvBF7MWKhfixSWaoIH+LuSKcKEh67/aCg"
	blockInBzip2  = "QlpoOTFBWSZTWYVeuPsAABLfgABQQGFkEhAAGAAv778AIABUNSbRGQBpgg9Tag1T1NNpD1NHqDRkHqF4OAdRA0pvKiMioMFMGsKgHZAiIF0G9nqDkH0bfTNzAk3DAGLGLC5mpgjfoSumluiEm34u5IpwoSEKvXH2"
)

// TestBzip2 checks that files compressed with bzip2 are read, and that a run keeps its id.
func TestBzip2(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"a/all.tar.bz2": bundleInBzip2, "b/one.log.bz2": blockInBzip2} {
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(root, filepath.FromSlash(name)), string(data))
	}
	d := load(t, root, "runs")
	if got := ids(d); got != "a/all.tar.bz2/high a/all.tar.bz2/low/run b/one" || d.Results[1].Source.String() != "runs/a/all.tar.bz2/low/run.log:1" || len(d.Messages) > 0 {
		t.Errorf("%s\n%s", got, describe(d))
	}
}

// TestArchivesWithoutResults checks that archives that are damaged, without results, or in another archive give the
// same reasons in every kind.
func TestArchivesWithoutResults(t *testing.T) {
	t.Parallel()
	for kind, data := range bundles(t, "notes.txt", "nothing", "more.txt", "nothing") {
		root := t.TempDir()
		write(t, filepath.Join(root, "notes"), data)
		write(t, filepath.Join(root, "cut"), data[:len(data)/2])
		for outer, nested := range bundles(t, "inner", data, "a.log", block) {
			write(t, filepath.Join(root, "in-"+outer), nested)
		}
		d := load(t, root, "runs")
		what := "a tar archive"
		if kind == "zip" {
			what = "a zip archive"
		}
		nested := 0
		for _, u := range d.Unread {
			switch {
			case u.Name == "runs/notes" && u.Kind == unread.Archive && locale.English(u.Reason) == what+" of 2 files, none of them of a known format":
			case u.Name == "runs/cut" && u.Kind == unread.Unreadable:
			case strings.HasSuffix(u.Name, "/inner") && u.Kind == unread.Archive && locale.English(u.Reason) == "an archive in an archive":
				nested++
			case u.Kind == unread.Copy:
			default:
				t.Errorf("%s: %v", kind, u)
			}
		}
		if nested != 4 || len(d.Results) != 4 || len(d.Messages) != 1 || d.Messages[0].ID != "run.unreadable" || d.Messages[0].Pos.File != "runs/cut" {
			t.Errorf("%s: %d nested\n%s", kind, nested, describe(d))
		}
	}
}
