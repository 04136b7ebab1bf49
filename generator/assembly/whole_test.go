package assembly_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/assembly"
	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/internal/duckdb"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/page/reached"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shard"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// randomSite makes a site with campaigns of runs under random conditions: repeats with equal figures, copies, warm-ups,
// runs that failed, were truncated or are impossible, and some without a model.
func randomSite(t testing.TB, random *rand.Rand, campaigns int) string {
	dir := t.TempDir()
	files := map[string]string{"site.toml": `title = { en = "All", zh = "全部" }
languages = ["en", "zh-CN"]

[[hardware]]
id = "slow"
bandwidth = "1 GB/s"

[[load]]
name = "high"
when = '{max_concurrency="8"}'

[[model]]
id = "B"
weight_size = "16 GB"
`, "runs/loose.log": invent.Block(1)}
	for i := range campaigns {
		campaignOf(files, random, fmt.Sprintf("c%02d", i))
	}
	folder.Write(t, dir, files)
	return dir
}

// campaignOf adds the files of a campaign.
func campaignOf(files map[string]string, random *rand.Rand, name string) {
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	files["runs/"+name+"/run.toml"] = fmt.Sprintf("hardware = %q\nengine_version = %q\n", one("fast", "fast", "slow"), one("1", "2"))
	for j := range 6 + random.IntN(20) {
		at := "runs/" + name + "/" + one("model=A", "model=A", "model=B", "model=b", "unnamed") + "/" + one("", "", "warmup/", "input_len=2048/")
		text := strings.Replace(invent.Block(random.IntN(8)), "concurrency:             8", "concurrency:             "+one("1", "8"), 1)
		switch random.IntN(12) {
		case 0:
			text = text[:len(text)/2]
		case 1:
			text = strings.Replace(text, "requests:                     100", "requests:                     0", 1)
		}
		if random.IntN(4) > 0 {
			at += fmt.Sprintf("repeat=%d/", j)
		}
		files[at+fmt.Sprintf("run-%d.log", j)] = text
	}
}

// resultsOf returns the raw results of each folder in runs/.
func resultsOf(t testing.TB, dir string) []*result.Result {
	t.Helper()
	about, _ := config.Read(dir)
	entries, err := os.ReadDir(filepath.Join(dir, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*result.Result
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		set, err := site.Part(dir, &about, nil, e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for i := range set.Results {
			all = append(all, &set.Results[i])
		}
	}
	return all
}

// memory is a cache for the census that counts what is stored.
type memory struct {
	kept map[string][]byte
	puts int
}

func (m *memory) Key(name string) []byte {
	info, err := os.Stat(name)
	if err != nil {
		return nil
	}
	return fmt.Append(nil, name, info.ModTime().UnixNano(), info.Size())
}

func (m *memory) Get(key []byte) ([]byte, bool) {
	data, ok := m.kept[string(key)]
	return data, ok
}

func (m *memory) Put(key []byte, pieces ...[]byte) {
	m.puts++
	m.kept[string(key)] = bytes.Join(pieces, nil)
}

// nothing is a cache that stores nothing.
type nothing struct{}

func (nothing) Key(string) []byte         { return nil }
func (nothing) Get([]byte) ([]byte, bool) { return nil, false }
func (nothing) Put([]byte, ...[]byte)     {}

func censusOf(t testing.TB, kept census.Kept, shards ...string) *census.Census {
	t.Helper()
	set, err := shard.Find(shards)
	if err != nil {
		t.Fatal(err)
	}
	c, err := census.Of(context.Background(), set, kept)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var figureInCell = regexp.MustCompile(`<a href="runs/[^"]*">([^<]*)</a>`)

// TestTheCensusIsThatOfTheRawResults compares the census of shards with the raw results: rows contain the runs with the
// same conditions, and best and median are those that the site of a single machine shows.
func TestTheCensusIsThatOfTheRawResults(t *testing.T) {
	t.Parallel()
	p, _ := locale.For("en")
	counted, excluded := 0, 0
	for seed := range uint64(need.Times(4, 40)) {
		random := rand.New(rand.NewPCG(seed, 3))
		dir, shards := randomSite(t, random, 1+random.IntN(6)), t.TempDir()
		written(t, dir, shards)
		all := resultsOf(t, dir)
		rows := map[string][]*result.Result{}
		n := 0
		for _, r := range all {
			if r.Excluded() {
				excluded++
			}
			if r.Status == result.Complete && !r.Excluded() && !r.Auxiliary() && r.Label("model") != "" {
				key := fmt.Sprint(dataset.Conditions(r))
				rows[key], n = append(rows[key], r), n+1
			}
		}
		c := censusOf(t, nothing{}, shards)
		counted += n
		if c.Results != len(all) || c.Runs != n || len(c.Rows) != len(rows) {
			t.Fatalf("seed %d: %d results, %d runs and %d rows, not %d, %d and %d", seed, c.Results, c.Runs, len(c.Rows), len(all), n, len(rows))
		}
		for _, row := range c.Rows {
			of := rows[fmt.Sprint(row.Labels)]
			sum := 0
			for _, s := range row.Parts {
				name := c.Parts[s.Part].Name
				here := 0
				for _, r := range of {
					if strings.HasPrefix(r.ID, name+"/") {
						here++
					}
				}
				if here != s.Runs {
					t.Errorf("seed %d: %v: %d runs in %s, not %d", seed, row.Labels, s.Runs, name, here)
				}
				sum += here
			}
			if row.Runs != len(of) || sum != len(of) {
				t.Fatalf("seed %d: %v: %d runs, %d in parts, not %d", seed, row.Labels, row.Runs, sum, len(of))
			}
			table := reached.Table{Runs: of, L: &parts.Reader{Printer: p}}
			shown := figureInCell.FindAllStringSubmatch(string(table.HTML()), -1)
			if len(shown) != 2 || shown[0][1] != parts.Digits(row.Figures[0].Best.Metric) || shown[1][1] != parts.Digits(row.Figures[0].Median.Metric) {
				t.Errorf("seed %d: %v: best and median are %s and %s, and on a site %v", seed, row.Labels, parts.Digits(row.Figures[0].Best.Metric), parts.Digits(row.Figures[0].Median.Metric), shown)
			}
			checkFigures(t, &row, of)
		}
	}
	if counted < 40 || excluded == 0 {
		t.Errorf("%d runs are counted, %d excluded", counted, excluded)
	}
}

// checkFigures compares the figures of a row with those of its runs.
func checkFigures(t *testing.T, row *census.Row, of []*result.Result) {
	t.Helper()
	var want []string
	for _, name := range vocabulary.Listed(vocabulary.View) {
		if len(want) < 3 && slices.ContainsFunc(of, func(r *result.Result) bool { _, ok := r.Metric(name); return ok }) {
			want = append(want, name)
		}
	}
	for i, name := range want {
		var ms []result.Metric
		ids := map[string]result.Metric{}
		for _, r := range of {
			if m, ok := r.Metric(name); ok {
				ms, ids[r.ID] = append(ms, m), m
			}
		}
		slices.SortFunc(ms, func(a, b result.Metric) int { // the worst first
			if a.Value == b.Value {
				return 0
			}
			if (a.Value < b.Value) == (a.Better == result.Higher) {
				return -1
			}
			return 1
		})
		f := row.Figures[i]
		for _, reading := range []struct {
			census.Reading
			want result.Metric
		}{{f.Best, ms[len(ms)-1]}, {f.Median, ms[(len(ms)-1)/2]}, {f.Worst, ms[0]}} {
			m, known := ids[reading.Run]
			if !known || reading.Name != name || reading.Unit != reading.want.Unit || reading.Value != reading.want.Value || m.Value != reading.want.Value || m.Decimals != reading.Decimals {
				t.Errorf("%v: %s of %s is %v, not %v", row.Labels, name, reading.Run, reading.Metric, reading.want)
			}
		}
		if f.Runs != len(ms) || len(row.Figures) != len(want) {
			t.Errorf("%v: %s of %d runs, not %d", row.Labels, name, f.Runs, len(ms))
		}
	}
}

// split distributes the rows of shards over other files, some rows to two of them.
func split(t testing.TB, random *rand.Rand, from string) string {
	t.Helper()
	to := t.TempDir()
	for name, data := range folder.Read(t, from) {
		file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		var outs []*parquet.GenericWriter[any]
		for i := range 1 + random.IntN(4) {
			out, err := os.Create(filepath.Join(to, fmt.Sprintf("%d-%s", i, name)))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			outs = append(outs, parquet.NewGenericWriter[any](out, file.Schema(), parquet.MaxRowsPerRowGroup(int64(2+random.IntN(9)))))
		}
		for _, group := range file.RowGroups() {
			rows := group.Rows()
			for {
				row := make([]parquet.Row, 1)
				n, err := rows.ReadRows(row)
				if n == 1 {
					for range 1 + random.IntN(5)/4 {
						if _, err := outs[random.IntN(len(outs))].WriteRows(row); err != nil {
							t.Fatal(err)
						}
					}
				}
				if errors.Is(err, io.EOF) || n == 0 {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			rows.Close()
		}
		for _, out := range outs {
			if err := out.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return to
}

// partsOf builds the parts of an archive into a folder.
func partsOf(t testing.TB, dir, out string, shards ...string) {
	t.Helper()
	if err := assembly.BuildParts(context.Background(), assembly.Apart{Site: site.Options{Dir: dir, Out: out, Progress: func(string) {}}, Shards: shards}, func(b assembly.BuiltPart) {
		if b.Summary.Broken {
			t.Error(b.Name, b.Messages)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestTheWholeIsTheSameHoweverShardsAreSplit checks that the pages do not depend on how rows are distributed over
// files.
func TestTheWholeIsTheSameHoweverShardsAreSplit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(need.Times(1, 8)) {
		random := rand.New(rand.NewPCG(seed, 4))
		dir, shards, out := randomSite(t, random, 3), t.TempDir(), t.TempDir()
		written(t, dir, shards)
		partsOf(t, dir, out, shards)
		want := folder.Read(t, out)
		if len(want["models/A.html"])*len(want["zh-CN/models/A.html"])*len(want["index.html"]) == 0 {
			t.Errorf("there is no page of a model, in %v", slices.Sorted(maps.Keys(want)))
		}
		other := t.TempDir()
		partsOf(t, dir, other, split(t, random, shards))
		same(t, want, folder.Read(t, other))
	}
}

// TestTheWholeOfShardsWrittenAnew checks shards that DuckDB has rewritten, also with a column in the names of folders.
func TestTheWholeOfShardsWrittenAnew(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "DuckDB writes two forms of a data set")
	dir, at, out := randomSite(t, rand.New(rand.NewPCG(9, 4)), 3), t.TempDir(), t.TempDir()
	written(t, dir, filepath.Join(at, "shards"))
	partsOf(t, dir, out, filepath.Join(at, "shards"))
	want := folder.Read(t, out)
	from := "FROM read_parquet('shards/*.parquet', union_by_name=true)"
	for _, a := range duckdb.Query(t, at,
		"COPY ("+from+" ORDER BY hash(raw_path)) TO 'mixed.parquet' (FORMAT parquet, ROW_GROUP_SIZE 7)",
		"COPY ("+from+") TO 'folders' (FORMAT parquet, PARTITION_BY (model, excluded))",
	) {
		if a.Error != "" {
			t.Fatal(a.Error)
		}
	}
	for _, name := range []string{"mixed.parquet", "folders"} {
		other := t.TempDir()
		partsOf(t, dir, other, filepath.Join(at, name))
		same(t, want, folder.Read(t, other))
	}
}

// wholePages returns the pages of the whole archive, and when they were written.
func wholePages(t testing.TB, out string) (pages map[string][]byte, times map[string]int64) {
	pages, times = map[string][]byte{}, map[string]int64{}
	for name, data := range folder.Read(t, out) {
		if strings.Contains(name, "/site/") || strings.Contains(name, "/jekyll/") || strings.HasPrefix(name, ".benchpost-") {
			continue
		}
		info, err := os.Stat(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		pages[name], times[name] = data, info.ModTime().UnixNano()
	}
	return pages, times
}

// TestTheWholeFollowsItsParts checks that after a part was added, changed or removed the pages are the same as from a
// build from scratch, and that unchanged pages are not written again.
func TestTheWholeFollowsItsParts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	dir, shards, out := randomSite(t, random, 4), t.TempDir(), t.TempDir()
	written(t, dir, shards)
	partsOf(t, dir, out, shards)
	before, written0 := wholePages(t, out)
	check := func(step string) {
		t.Helper()
		partsOf(t, dir, out, shards)
		got, times := wholePages(t, out)
		scratch := t.TempDir()
		for _, name := range []string{"c00", "c01", "c02", "c03", "c04"} { // parts that were removed stay published
			if _, err := os.Stat(filepath.Join(out, name)); err == nil {
				if err := os.CopyFS(filepath.Join(scratch, name), os.DirFS(filepath.Join(out, name))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := os.RemoveAll(filepath.Join(dir, ".benchpost/census")); err != nil {
			t.Fatal(err)
		}
		partsOf(t, dir, scratch, shards)
		want, _ := wholePages(t, scratch)
		if len(want) == 0 {
			t.Error("there are no pages")
		}
		t.Log(step)
		same(t, want, got)
		for name, at := range times {
			if written0[name] != 0 && (at != written0[name]) == bytes.Equal(before[name], got[name]) {
				t.Errorf("%s: %s, as it was: %v; written again: %v", step, name, bytes.Equal(before[name], got[name]), at != written0[name])
			}
		}
		before, written0 = got, times
	}
	check("nothing")
	files := map[string]string{}
	campaignOf(files, random, "c04")
	folder.Write(t, dir, files)
	written(t, dir, shards, "c04")
	check("added")
	folder.Write(t, dir, map[string]string{"runs/c01/model=A/new.log": invent.Block(500)})
	written(t, dir, shards, "c01")
	check("changed")
	if err := os.Remove(filepath.Join(shards, "c02.parquet")); err != nil {
		t.Fatal(err)
	}
	check("taken away")
}

// TestUnchangedShardsAreNotRead checks that only changed shards are read, and that lost cached values are computed
// again.
func TestUnchangedShardsAreNotRead(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 6))
	dir, shards := randomSite(t, random, 5), t.TempDir()
	written(t, dir, shards)
	kept := &memory{kept: map[string][]byte{}}
	first := censusOf(t, kept, shards)
	all := kept.puts
	if again := censusOf(t, kept, shards); kept.puts != all || fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("%d shards are read again", kept.puts-all)
	}
	written(t, dir, shards, "c03")
	if again := censusOf(t, kept, shards); kept.puts-all > all/5 || fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("of %d pieces %d are read again after one of five shards changed", all, kept.puts-all)
	}
	for key := range kept.kept {
		if random.IntN(2) == 0 {
			delete(kept.kept, key)
		}
	}
	if again := censusOf(t, kept, shards); fmt.Sprint(again) != fmt.Sprint(first) {
		t.Errorf("%v, without some of what was kept %v", first, again)
	}
}
