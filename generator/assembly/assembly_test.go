package assembly_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/assembly"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/internal/duckdb"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/internal/planted"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shard"
	"github.com/benchpost/benchpost/generator/site"
)

// manySite makes a site with everything that can be among runs: labels from folders at several depths; files that are
// compressed, in an archive, or larger than a piece; a model's files; a plan; telemetry; files without results; hidden
// files; a file that a post links to; and secrets and private names in contents and names.
func manySite(t testing.TB) string {
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, invent.Block(7))
	z.Close()
	var private strings.Builder
	for _, p := range append(planted.Some(planted.Secrets(1), 20), planted.Some(planted.Names(1), 20)...) {
		private.WriteString(p.Text + "\n\n")
	}
	header := `{"a":{"dtype":"BF16","shape":[1000,1000],"data_offsets":[0,2000000]}}`
	tensors := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	tensors = append(tensors, make([]byte, 2000000)...)
	telemetry := "timestamp, power.draw [W], utilization.gpu [%]\n"
	for i := range 60 {
		telemetry += fmt.Sprintf("2026/01/15 09:00:%02d.000, %d.00 W, 97 %%\n", i, 200+i)
	}
	folder.Write(t, dir, map[string]string{
		"site.toml":                            "title = \"Many\"\n[[load]]\nname = \"high\"\nwhen = '{max_concurrency=\"8\"}'\n",
		"runs/run.toml":                        "hardware = \"board\"\n",
		"runs/loose.log":                       invent.Block(1),
		"runs/a/run.toml":                      "engine = \"vllm\"\n",
		"runs/a/model=A/one.log":               invent.Block(2),
		"runs/a/model=A/two.log.gz":            packed.String(),
		"runs/a/model=B/deep/er/three.log":     private.String() + invent.Block(3),
		"runs/a/model=B/gpu.csv":               telemetry,
		"runs/a/notes.txt":                     "nothing\n",
		"runs/a/README.md":                     "# a\n",
		"runs/a/.hidden.log":                   invent.Block(4),
		"runs/b/all.zip":                       folder.Zip(t, "x/one.log", invent.Block(5), "x/two.log", private.String()+invent.Block(6)),
		"runs/b/long.log":                      strings.Repeat("a line of a server that says nothing of use\n", 60000) + invent.Block(8),
		"runs/b/empty.log":                     "",
		"runs/b/home/mary/four.log":            invent.Block(9),
		"runs/c/model.safetensors":             string(tensors),
		"runs/c/config.json":                   `{"architectures":["LlamaForCausalLM"],"model_type":"llama"}`,
		"runs/c/five.log":                      invent.Block(10),
		"content/posts/all.en.md":              "+++\ntitle = \"All\"\ndate = 2026-01-02\n+++\n\n[the log](../../runs/a/model=A/one.log)\n\n```benchpost table\nrows = [\"id\"]\ncolumns = [\"output_throughput\"]\n```\n\n```benchpost raw\nwhere = '{model=\"A\"}'\n```\n",
		"content/posts/wanting-a.en.md":        "+++\ntitle = \"A\"\ndate = 2026-01-03\nruns = '{campaign=\"a\"}'\n+++\n\n```benchpost table\nrows = [\"id\"]\ncolumns = [\"ttft_mean\"]\n```\n",
		"runs/d/date=2026-01-01/model=D/x.log": invent.Block(11),
	})
	if err := os.Symlink("one.log", filepath.Join(dir, "runs/a/model=A/latest.log")); err != nil {
		t.Log(err)
	}
	return dir
}

// campaignSite makes a site like those that people publish.
func campaignSite(t testing.TB) string {
	dir := t.TempDir()
	if err := invent.Campaigns(dir, 3); err != nil {
		t.Fatal(err)
	}
	return dir
}

// written writes shards of parts of a site; without parts, of each folder in runs/.
func written(t testing.TB, dir, to string, parts ...string) {
	t.Helper()
	about, _ := config.Read(dir)
	masks, _, err := site.Maskers(&about, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := assembly.Write(context.Background(), dir, &about, masks, to, parts, func(assembly.Written) {}); err != nil {
		t.Fatal(err)
	}
}

// built builds a site, from shards if any are named, and returns the published files.
func built(t testing.TB, dir string, shards ...string) map[string][]byte {
	t.Helper()
	opt := site.Options{Dir: dir, Out: t.TempDir()}
	if len(shards) > 0 {
		runs, done, err := assembly.Unpack(context.Background(), dir, shards, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		opt.Runs = runs
	}
	summary, ms, err := site.Build(context.Background(), opt)
	if err != nil || summary.Broken || summary.Results == 0 {
		t.Fatalf("%v %+v: %v", err, summary, ms)
	}
	return folder.Read(t, opt.Out)
}

// same compares published files.
func same(t testing.TB, want, got map[string][]byte) {
	t.Helper()
	differ := 0
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if data, ok := got[name]; !ok || !bytes.Equal(data, want[name]) {
			if differ++; differ < 5 {
				t.Errorf("%s: %d bytes from shards, %d from runs", name, len(data), len(want[name]))
			}
		}
	}
	if len(got) != len(want) || differ > 0 {
		t.Errorf("%d files from shards, %d from runs, %d differ", len(got), len(want), differ)
	}
}

// leaves divides a folder of runs at random: each folder in it becomes one part, or its contents do.
func leaves(t testing.TB, random *rand.Rand, runs, rel string) []string {
	entries, err := os.ReadDir(filepath.Join(runs, filepath.FromSlash(rel)))
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, e := range entries {
		at := strings.TrimPrefix(rel+"/"+e.Name(), "/")
		switch {
		case strings.HasPrefix(e.Name(), ".") || e.Type()&os.ModeSymlink != 0:
		case e.IsDir() && random.IntN(2) == 0:
			parts = append(parts, leaves(t, random, runs, at)...)
		default:
			parts = append(parts, at)
		}
	}
	return parts
}

// TestShardsGiveTheSameBytes checks that a site built from shards is the same as from its runs, byte for byte, however
// the runs are divided.
func TestShardsGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(testing.TB) string{"many": manySite, "campaigns": campaignSite} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := make(t)
			want := built(t, dir)
			runs, away := filepath.Join(dir, "runs"), filepath.Join(dir, "away")
			for n := range uint64(need.Times(2, 12)) {
				shards := t.TempDir()
				var parts []string
				if n > 0 {
					parts = leaves(t, rand.New(rand.NewPCG(n, 1)), runs, "")
				}
				written(t, dir, shards, parts...)
				if err := os.Rename(runs, away); err != nil {
					t.Fatal(err)
				}
				same(t, want, built(t, dir, shards))
				if err := os.Rename(away, runs); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestShardsAreReproducible checks that the same runs give the same shards, and that a part always gives the same
// shard.
func TestShardsAreReproducible(t *testing.T) {
	t.Parallel()
	dir := manySite(t)
	first, second := t.TempDir(), t.TempDir()
	written(t, dir, first)
	written(t, dir, second, "d", "b")
	one, two := folder.Read(t, first), folder.Read(t, second)
	if len(one) != 4 || len(two) != 2 {
		t.Errorf("%d and %d shards", len(one), len(two))
	}
	for name, data := range two {
		if !bytes.Equal(one[name], data) {
			t.Errorf("%s: %d bytes, and %d", name, len(one[name]), len(data))
		}
	}
}

// TestShardsAreMasked checks that shards contain nothing private.
func TestShardsAreMasked(t *testing.T) {
	t.Parallel()
	dir, shards := manySite(t), t.TempDir()
	written(t, dir, shards)
	set, err := shard.Find([]string{shards})
	if err != nil {
		t.Fatal(err)
	}
	runs := t.TempDir()
	if err := set.Unpack(context.Background(), runs, ""); err != nil {
		t.Fatal(err)
	}
	for name, data := range folder.Read(t, runs) {
		if strings.Contains(name, "mary/") || strings.Contains(name, "/.") {
			t.Errorf("%s is in a shard", name)
		}
		for _, p := range planted.Some(planted.Secrets(1), 20) {
			if left := p.Left(data); strings.HasSuffix(name, ".log") && left != "" {
				t.Errorf("%s contains %s", name, left)
			}
		}
	}
}

// TestShardsWrittenAnewByDuckDB checks that other programs, here DuckDB, may sort, compress, divide and partition the
// rows.
func TestShardsWrittenAnewByDuckDB(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "DuckDB writes four forms of a data set")
	for name, make := range map[string]func(testing.TB) string{"many": manySite, "campaigns": campaignSite} {
		dir := make(t)
		want := built(t, dir)
		at := t.TempDir()
		written(t, dir, filepath.Join(at, "shards"))
		from := "FROM read_parquet('shards/*.parquet', union_by_name=true)"
		for _, a := range duckdb.Query(t, at,
			"COPY ("+from+") TO 'one.parquet' (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 2048)",
			"COPY ("+from+" ORDER BY hash(raw_path || raw_piece)) TO 'mixed.parquet' (FORMAT parquet, COMPRESSION gzip, ROW_GROUP_SIZE 7)",
			"COPY ("+from+") TO 'parts' (FORMAT parquet, PARTITION_BY (model, max_concurrency))",
			"COPY ("+from+" ORDER BY raw_sha256) TO 'files' (FORMAT parquet, PER_THREAD_OUTPUT true)",
		) {
			if a.Error != "" {
				t.Fatal(name, a.Error)
			}
		}
		for _, shards := range [][]string{{"one.parquet"}, {"mixed.parquet"}, {"parts"}, {"parts/*/*/*.parquet"}, {"files"}, {"one.parquet", "shards"}} {
			for i := range shards {
				shards[i] = filepath.Join(at, shards[i])
			}
			t.Log(name, shards)
			same(t, want, built(t, dir, shards...))
		}
	}
}

// TestShardsThatOthersBroke checks that another version of the form, missing pieces and foreign pieces are refused.
func TestShardsThatOthersBroke(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "DuckDB breaks shards")
	dir, at := manySite(t), t.TempDir()
	written(t, dir, filepath.Join(at, "shards"))
	from := "FROM read_parquet('shards/*.parquet', union_by_name=true)"
	for name, c := range map[string]struct{ query, want string }{
		"version": {"SELECT * REPLACE ('benchpost.shard/9' AS raw_form) " + from, "write it again with this version"},
		"missing": {from + " WHERE raw_piece IS NULL OR raw_piece <> 1", "are in no shard"},
		"damaged": {"SELECT * REPLACE (repeat('0', 64) AS raw_sha256) " + from + " WHERE raw_path LIKE '%.gz'", "is damaged"},
		"long":    {"SELECT * REPLACE (repeat('0', 64) AS raw_sha256) " + from + " WHERE raw_path LIKE '%long.log'", "is damaged"},
		"outside": {"SELECT * REPLACE ('../x' AS raw_path) " + from + " WHERE raw_path LIKE '%.gz'", "no file in runs/ can be called"},
		"hidden":  {"SELECT * REPLACE ('a/.git/x' AS raw_path) " + from + " WHERE raw_path LIKE '%.gz'", "no file in runs/ can be called"},
	} {
		if a := duckdb.Query(t, at, "COPY ("+c.query+") TO '"+name+".parquet' (FORMAT parquet)"); a[0].Error != "" {
			t.Fatal(name, a[0].Error)
		}
		_, _, err := assembly.Unpack(context.Background(), dir, []string{filepath.Join(at, name+".parquet")}, func(string) {})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), name+".parquet") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestShardsAgain checks that a second build from the same shards does nothing, and that one from other shards leaves
// nothing of the first.
func TestShardsAgain(t *testing.T) {
	t.Parallel()
	dir, shards := campaignSite(t), t.TempDir()
	written(t, dir, shards)
	out := t.TempDir()
	build := func(shards ...string) site.Summary {
		t.Helper()
		runs, done, err := assembly.Unpack(context.Background(), dir, shards, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		s, ms, err := site.Build(context.Background(), site.Options{Dir: dir, Runs: runs, Out: out})
		if err != nil || s.Broken {
			t.Fatal(err, ms)
		}
		return s
	}
	if s := build(shards); s.Fresh || s.Results != 48 {
		t.Errorf("%+v", s)
	}
	if s := build(shards); !s.Fresh {
		t.Errorf("built again: %+v", s)
	}
	for _, post := range []string{"post-00001.en.md", "post-00002.en.md"} {
		if err := os.Remove(filepath.Join(dir, "content/posts", post)); err != nil {
			t.Fatal(err)
		}
	}
	if s := build(filepath.Join(shards, "c00000.parquet")); s.Fresh || s.Results != 16 {
		t.Errorf("%+v", s)
	}
}

// TestWrongShards checks that errors in shards are reported with the name of the file and advice.
func TestWrongShards(t *testing.T) {
	t.Parallel()
	dir, at := campaignSite(t), t.TempDir()
	path := func(name string) string { return filepath.Join(at, name) }
	written(t, dir, path("good"))
	folder.Write(t, at, map[string]string{"text.parquet": "no Parquet at all, but some text", "empty/x.txt": ""})
	good, err := os.ReadFile(path("good/c00001.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	folder.Write(t, at, map[string]string{"cut.parquet": string(good[:len(good)/2])})
	if err := os.WriteFile(filepath.Join(dir, "runs/c00001/run.toml"), []byte("engine = \"sglang\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	written(t, dir, path("other"), "c00001")
	table, err := os.Create(path("table.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	about, _ := config.Read(dir)
	set, err := site.Part(dir, &about, nil, "c00002")
	if err != nil {
		t.Fatal(err)
	}
	results := make([]*result.Result, len(set.Results))
	for i := range set.Results {
		results[i] = &set.Results[i]
	}
	if err := pieces.Whole(table, datapackage.Of(results).Parquet); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		shards []string
		want   []string
	}{
		{[]string{path("none.parquet")}, []string{"none.parquet", "no file matches"}},
		{[]string{path("none/*.parquet")}, []string{"none/*.parquet", "no file matches"}},
		{[]string{path("empty")}, []string{"empty", "no file", "results --shards"}},
		{[]string{path("text.parquet")}, []string{"text.parquet", "not Parquet", "results --shards"}},
		{[]string{path("good"), path("cut.parquet")}, []string{"cut.parquet", "cut off", "results --shards"}},
		{[]string{path("table.parquet")}, []string{"table.parquet", "no column raw_form", "results --shards"}},
		{[]string{path("good"), path("other")}, []string{"c00001/run.toml", "good/c00001.parquet", "other/c00001.parquet", "other contents"}},
	} {
		_, _, err := assembly.Unpack(context.Background(), dir, c.shards, func(string) {})
		for _, want := range c.want {
			if err == nil || !strings.Contains(filepath.ToSlash(err.Error()), want) {
				t.Errorf("%v: %v, without %q", c.shards, err, want)
			}
		}
	}
}

// TestParts checks that each part is a site of its own with its runs and posts, and that a page links to the parts.
// Building one part does not change the others, and does not depend on other shards.
func TestParts(t *testing.T) {
	t.Parallel()
	dir, shards := campaignSite(t), t.TempDir()
	written(t, dir, shards)
	out := t.TempDir()
	build := func(out string, from []string, parts ...string) map[string]site.Summary {
		t.Helper()
		summaries := map[string]site.Summary{}
		if err := assembly.BuildParts(context.Background(), assembly.Apart{Site: site.Options{Dir: dir, Out: out, Progress: func(string) {}}, Shards: from, Parts: parts}, func(b assembly.BuiltPart) {
			if b.Summary.Broken {
				t.Error(b.Name, b.Messages)
			}
			summaries[b.Name] = b.Summary
		}); err != nil {
			t.Fatal(err)
		}
		return summaries
	}
	for name, s := range build(out, []string{shards}) {
		if s.Results != 16 || s.Posts != 1 || s.Fresh {
			t.Errorf("%s: %+v", name, s)
		}
	}
	first := folder.Read(t, out)
	for i := range 3 {
		part := fmt.Sprintf("c%05d", i)
		if first[part+"/site/index.html"] == nil {
			t.Errorf("there is no site of %s", part)
		}
		if !bytes.Contains(first["index.html"], []byte(`href="`+part+`/site/index.html"`)) {
			t.Errorf("%s is not linked: %s", part, first["index.html"])
		}
		for _, page := range []struct{ file, root string }{{"index.html", ""}, {"deploy/index.html", "../"}} {
			if text := first[part+"/site/"+page.file]; !bytes.Contains(text, []byte(`<a href="`+page.root+`../../index.html">All parts</a>`)) {
				t.Errorf("%s: %s does not lead back to all parts", part, page.file)
			}
		}
	}
	for name, s := range build(out, []string{shards}) {
		if !s.Fresh {
			t.Errorf("%s is built again: %+v", name, s)
		}
	}
	if n := len(build(out, []string{shards}, "c00001")); n != 1 {
		t.Errorf("%d parts are built, not one", n)
	}
	same(t, first, folder.Read(t, out))

	some := t.TempDir()
	build(some, []string{shards}, "c00002")
	if page := folder.Read(t, some)["index.html"]; bytes.Count(page, []byte("/site/index.html")) != 1 || !bytes.Contains(page, []byte("c00000")) {
		t.Errorf("%s", page)
	}

	alone := t.TempDir()
	build(alone, []string{filepath.Join(shards, "c00001.parquet")})
	for name, data := range folder.Read(t, alone) {
		if strings.HasPrefix(name, "c00001/") && !bytes.Equal(data, first[name]) {
			t.Errorf("%s: %d bytes from one shard, %d from all", name, len(data), len(first[name]))
		}
	}
	err := assembly.BuildParts(context.Background(), assembly.Apart{Site: site.Options{Dir: dir, Out: out, Progress: func(string) {}}, Shards: []string{shards}, Parts: []string{"c9"}}, func(assembly.BuiltPart) {})
	if err == nil || !strings.Contains(err.Error(), "c9") {
		t.Error(err)
	}
}

// elsewhere matches a page's link to a post in another part.
var elsewhere = regexp.MustCompile(`It goes on <a href="([^"#]+)#more">elsewhere</a>`)

// TestThePostOfAPart checks that the post of a part is the same as in the site of all campaigns, and that it links to
// posts of other parts if these are published.
func TestThePostOfAPart(t *testing.T) {
	t.Parallel()
	dir, shards := campaignSite(t), t.TempDir()
	posts, err := filepath.Glob(filepath.Join(dir, "content", "posts", "*.md"))
	if err != nil || len(posts) != 3 {
		t.Fatal(posts, err)
	}
	for i, file := range posts {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = fmt.Appendf(text, "\nIt goes on [elsewhere](%s#more).\n", filepath.Base(posts[(i+1)%3]))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written(t, dir, shards)
	out := t.TempDir()
	if err := assembly.BuildParts(context.Background(), assembly.Apart{Site: site.Options{Dir: dir, Out: out, Progress: func(string) {}}, Shards: []string{shards}}, func(b assembly.BuiltPart) {
		if len(b.Messages) > 0 {
			t.Error(b.Name, b.Messages)
		}
	}); err != nil {
		t.Fatal(err)
	}
	parts := folder.Read(t, out)
	linked := 0
	for at, page := range parts {
		link := elsewhere.FindSubmatch(page)
		if link == nil || !strings.HasSuffix(at, ".html") {
			continue
		}
		to := path.Join(path.Dir(at), string(link[1]))
		if parts[to] == nil || strings.Split(to, "/")[0] == strings.Split(at, "/")[0] || !bytes.Contains(parts[to], []byte("It goes on")) {
			t.Errorf("%s leads to %s, which is no post of another part", at, to)
		}
		linked++
	}
	if linked != 3 {
		t.Errorf("%d posts lead to others", linked)
	}
	found := 0
	for name, want := range built(t, dir) {
		if !strings.HasPrefix(name, "jekyll/") || !strings.HasSuffix(name, ".md") {
			continue
		}
		isThere := false
		for i := range 3 {
			got, ok := parts[fmt.Sprintf("c%05d/", i)+name]
			isThere = isThere || ok && bytes.Equal(got, want)
		}
		if !isThere {
			t.Errorf("%s is another one in its part, or in none", name)
		}
		found++
	}
	if found != len(posts) {
		t.Errorf("%d posts", found)
	}
}
