package assembly_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/duckdb"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/need"
)

// TestShardsByDask runs the script and the queries of docs/shards.md: four processes of Dask write shards of the runs,
// and DuckDB reads and partitions these. A site built from either is the same as from the runs.
func TestShardsByDask(t *testing.T) {
	need.Thorough(t, "Dask starts four processes")
	python := need.Command(t, "/usr/bin/python3") // Debian's Python, for which Debian packages Dask
	need.Granted(t, exec.Command(python, "-c", "import distributed").Run())
	var code [2]map[string][]string
	for i, name := range []string{"docs/shards.md", "docs/zh/shards.md"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		code[i] = map[string][]string{}
		for _, m := range regexp.MustCompile("(?s)```(python|sql)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			code[i][m[1]] = append(code[i][m[1]], regexp.MustCompile("(?m)^--.*$").ReplaceAllString(m[2], ""))
		}
	}
	script, queries := code[0]["python"][0], code[0]["sql"][0]
	if code[1]["python"][0] != script || code[1]["sql"][0] != queries || !strings.Contains(script, "n_workers=4") {
		t.Fatal("the pages differ in what they run")
	}

	dir, bin := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/benchpost").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := invent.Campaigns(dir, 6); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args, err, out)
		}
	}
	run(filepath.Join(bin, "benchpost"), "build", "--out", "from-runs")
	if err := os.WriteFile(filepath.Join(dir, "shard.py"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	run(python, "shard.py")
	if shards := folder.Read(t, filepath.Join(dir, "shards")); len(shards) != 6 {
		t.Fatalf("%d shards", len(shards))
	}
	all := strings.Split(strings.TrimSuffix(strings.TrimSpace(queries), ";"), ";")
	answers := duckdb.Query(t, dir, all...)
	for i, a := range answers {
		if a.Error != "" {
			t.Errorf("%s: %s", all[i], a.Error)
		}
	}
	if len(answers) != 2 || len(answers[0].Rows) != 16 { // eight variants at two loads
		t.Fatalf("%+v", answers)
	}
	if err := os.RemoveAll(filepath.Join(dir, "runs")); err != nil {
		t.Fatal(err)
	}
	want := folder.Read(t, filepath.Join(dir, "from-runs"))
	for _, from := range []string{"shards", "by-model"} {
		run(filepath.Join(bin, "benchpost"), "build", "--out", "from-"+from, "--results", from)
		got := folder.Read(t, filepath.Join(dir, "from-"+from))
		if len(got) != len(want) || len(want) < 100 {
			t.Errorf("%s: %d files, not %d", from, len(got), len(want))
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%s: %s is another", from, name)
			}
		}
	}
}
