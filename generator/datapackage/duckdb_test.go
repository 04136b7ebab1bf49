package datapackage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/internal/duckdb"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

// written writes results as a package into the folder data and returns its parent folder.
func written(t *testing.T, rs []*result.Result) string {
	t.Helper()
	folder := t.TempDir()
	table := datapackage.Of(rs)
	p := datapackage.Package{Table: table}
	for name, write := range map[string]func(*pieces.Writer) error{
		datapackage.ParquetFile: table.Parquet, datapackage.CSVFile: table.CSV, datapackage.FiguresFile: table.Figures,
		datapackage.LinesFile: export.Set{Results: rs}.JSONLines,
	} {
		put(t, filepath.Join(folder, "data", name), whole(write))
		p.Resources = append(p.Resources, datapackage.Resource{Path: name, SHA256: strings.Repeat("0", 64)})
	}
	put(t, filepath.Join(folder, "data", datapackage.File), p.Write)
	return folder
}

func whole(write func(*pieces.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error { return pieces.Whole(w, write) }
}

func put(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sweeps returns results of three models at six concurrencies in two nights, twice in each, with power. Some are
// excluded or warm-ups, and faster than all others.
func sweeps() []*result.Result {
	var rs []*result.Result
	for m, model := range []string{"Qwen3-8B", "Qwen3-8B-FP8", "Gemma-'9B'"} {
		for i, concurrency := range []int{1, 2, 4, 8, 16, 32} {
			for night := range 4 {
				load := float64(concurrency)
				rate := float64(100+50*m) * load / (1 + load/float64(4+3*m)) * (1 + 0.01*float64(night))
				r := made(fmt.Sprintf("%s/c%d/%d", model, concurrency, night), map[string]string{"model": model, "max_concurrency": fmt.Sprint(concurrency), "date": fmt.Sprintf("2026-01-%02dT03:00:00Z", 10+night/2)},
					metric("output_throughput", math.Round(rate*100)/100, "tok/s", 2), metric("ttft_mean", 40*math.Pow(1.9, float64(i))+float64(night), "ms", 2), metric("power_mean", 120+3*load, "W", 1))
				switch {
				case night == 1 && i == 5:
					r.Metrics[0].Value, r.Metrics[1].Value = 1e6, 1
					r.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast")}}
				case night == 2 && i == 4:
					r.Metrics[0].Value, r.Metrics[1].Value = 1e6, 1
					r.Labels.Set(result.Label{Name: "phase", Value: "warmup"})
				}
				rs = append(rs, r)
			}
		}
	}
	return rs
}

// facts is a result as in the results document.
type facts struct {
	ID      string
	Source  struct{ File string }
	Labels  map[string]string
	Metrics map[string]struct {
		Value       float64
		Unit, Field string
		Line        int
	}
	Checks []struct{ ID, Severity, Message string }
}

func (f facts) counts() bool {
	return f.Labels["phase"] == "" && !slices.ContainsFunc(f.Checks, func(c struct{ ID, Severity, Message string }) bool { return c.Severity == "error" })
}

func (f facts) value(metric string) float64 { return f.Metrics[metric].Value }

// concurrency returns the concurrency of a result, by which groups are also named.
func (f facts) concurrency() (c float64) {
	fmt.Sscan(f.Labels["max_concurrency"], &c)
	return c
}

// grouped groups the results that count by the text that name returns.
func grouped(all []facts, name func(facts) string) map[string][]facts {
	groups := map[string][]facts{}
	for _, f := range all {
		if f.counts() {
			groups[name(f)] = append(groups[name(f)], f)
		}
	}
	return groups
}

func medianOf(group []facts, of func(facts) float64) float64 {
	var values []float64
	for _, f := range group {
		values = append(values, of(f))
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

func throughput(f facts) float64 { return f.value("output_throughput") }

// expected computes the results of the recipes from the results document, one row for each key.
var expected = map[string]func(all []facts) [][]any{
	"columns and units": func([]facts) [][]any {
		return [][]any{{"output_throughput", "number", "tok/s", "Output throughput"}, {"power_mean", "number", "W", "Mean power"}, {"ttft_mean_s", "number", "s", "Mean TTFT"}}
	},
	"best throughput under a limit": func(all []facts) (rows [][]any) {
		for model, group := range grouped(all, func(f facts) string { return f.Labels["model"] }) {
			group = slices.DeleteFunc(group, func(f facts) bool { return f.value("ttft_mean") > 500 })
			best := slices.MaxFunc(group, func(a, b facts) int { return int(math.Round(100 * (throughput(a) - throughput(b)))) })
			rows = append(rows, []any{model, throughput(best), best.concurrency(), best.value("ttft_mean") / 1000})
		}
		return rows
	},
	"speedup over a baseline": func(all []facts) (rows [][]any) {
		groups := grouped(all, func(f facts) string { return f.Labels["model"] + " " + f.Labels["max_concurrency"] })
		for _, group := range groups {
			f := group[0]
			base := groups["Qwen3-8B "+f.Labels["max_concurrency"]]
			if f.Labels["model"] != "Qwen3-8B" {
				v := medianOf(group, throughput)
				rows = append(rows, []any{f.Labels["model"], f.concurrency(), v, v / medianOf(base, throughput), float64(len(group))})
			}
		}
		return rows
	},
	"knee of a sweep": func(all []facts) (rows [][]any) {
		for model, group := range grouped(all, func(f facts) string { return f.Labels["model"] }) {
			var points []stats.SweepPoint
			for _, c := range slices.Sorted(maps.Keys(grouped(group, func(f facts) string { return fmt.Sprintf("%4s", f.Labels["max_concurrency"]) }))) {
				at := grouped(group, func(f facts) string { return fmt.Sprintf("%4s", f.Labels["max_concurrency"]) })[c]
				points = append(points, stats.SweepPoint{Concurrency: at[0].concurrency(), Throughput: medianOf(at, throughput)})
			}
			knee, ok := stats.Knee(points)
			if ok {
				rows = append(rows, []any{model, knee.Concurrency, knee.Throughput})
			}
		}
		return rows
	},
	"energy per token": func(all []facts) (rows [][]any) {
		for _, group := range grouped(all, func(f facts) string { return f.Labels["model"] + " " + f.Labels["max_concurrency"] }) {
			j := medianOf(group, func(f facts) float64 { return f.value("power_mean") / throughput(f) })
			rows = append(rows, []any{group[0].Labels["model"], group[0].concurrency(), j, j / 3.6})
		}
		return rows
	},
	"history": func(all []facts) (rows [][]any) {
		groups := grouped(all, func(f facts) string { return f.Labels["model"] + f.Labels["max_concurrency"] + f.Labels["date"] })
		for _, group := range groups {
			f := group[0]
			var change any
			if before := groups[f.Labels["model"]+f.Labels["max_concurrency"]+"2026-01-10T03:00:00Z"]; f.Labels["date"] > "2026-01-11" && before != nil {
				change = medianOf(group, throughput)/medianOf(before, throughput) - 1
			}
			rows = append(rows, []any{f.Labels["model"], f.concurrency(), f.Labels["date"][:10], medianOf(group, throughput), change})
		}
		return rows
	},
	"shards": func(all []facts) (rows [][]any) {
		for model, group := range grouped(all, func(f facts) string { return f.Labels["model"] }) {
			best := slices.MaxFunc(group, func(a, b facts) int { return int(math.Round(100 * (throughput(a) - throughput(b)))) })
			rows = append(rows, []any{"s" + fmt.Sprint(len(model)), model, float64(len(group)), throughput(best)})
		}
		return rows
	},
	"provenance": func(all []facts) (rows [][]any) {
		for _, f := range all {
			if m := f.Metrics["ttft_mean"]; f.Labels["model"] == "Qwen3-8B" {
				rows = append(rows, []any{f.ID, "ttft_mean", m.Value, m.Unit, m.Field, f.Source.File, float64(m.Line)})
			}
		}
		return rows
	},
	"checks": func(all []facts) (rows [][]any) {
		for _, f := range all {
			for _, c := range f.Checks {
				rows = append(rows, []any{f.ID, c.ID, c.Severity, c.Message})
			}
		}
		return rows
	},
}

var recipe = regexp.MustCompile("(?ms)^```sql\n-- ([^\n]*)\n(.*?);\n```$")

// TestRecipes: the queries of the documents give the figures that are computed from the results document.
func TestRecipes(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "it runs the recipes of the documents in DuckDB")
	var titles, queries []string
	for i, name := range []string{"../../docs/data.md", "../../docs/zh/data.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var here []string
		for _, m := range recipe.FindAllStringSubmatch(string(text), -1) {
			here = append(here, m[2])
			if i == 0 {
				titles = append(titles, m[1])
			}
		}
		if i > 0 && !slices.Equal(here, queries) {
			t.Errorf("%s has other queries", name)
		}
		queries = here
		if n := strings.Count(string(text), "```sql"); n != len(here) {
			t.Errorf("%s has %d queries, %d with a title", name, n, len(here))
		}
	}
	rs := sweeps()
	folder := written(t, rs)
	for _, model := range []string{"Qwen3-8B", "Qwen3-8B-FP8", "Gemma-'9B'"} {
		shard := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Label("model") != model })
		shard[0].Labels.Set(result.Label{Name: "x_only_here_" + fmt.Sprint(len(model)), Value: "yes"})
		put(t, filepath.Join(folder, "shards", "s"+fmt.Sprint(len(model))+".parquet"), whole(datapackage.Of(shard).Parquet))
	}
	var document bytes.Buffer
	if err := export.JSON(&document, export.Set{Results: rs}); err != nil {
		t.Fatal(err)
	}
	var all struct{ Results []facts }
	if err := json.Unmarshal(document.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	for i, a := range duckdb.Query(t, folder, queries...) {
		if a.Error != "" || expected[titles[i]] == nil {
			t.Errorf("%s: %s", titles[i], a.Error)
			continue
		}
		if got, want := canonical(a.Rows), canonical(expected[titles[i]](all.Results)); !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%s\n got %d: %s\nwant %d: %s", titles[i], len(got), strings.Join(got, "; "), len(want), strings.Join(want, "; "))
		}
	}
	if len(titles) != len(expected) {
		t.Errorf("%d recipes, %d expectations", len(titles), len(expected))
	}
}

// canonical returns rows in a uniform notation and sorted, with figures to nine digits. DuckDB writes large
// integers as text.
func canonical(rows [][]any) []string {
	var out []string
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			var number float64
			switch v := v.(type) {
			case float64:
				number = v
			case string:
				if n, err := fmt.Sscanf(v+"|", "%g|", &number); n != 1 || err != nil {
					cells = append(cells, v)
					continue
				}
			default:
				cells = append(cells, fmt.Sprint(v))
				continue
			}
			cells = append(cells, fmt.Sprintf("%.9g", number))
		}
		out = append(out, strings.Join(cells, " | "))
	}
	slices.Sort(out)
	return out
}

// TestAnotherReader: DuckDB reads the same values from Parquet and CSV and accepts every column name without
// quotes. All words reserved by DuckDB are handled.
func TestAnotherReader(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "it reads the tables in DuckDB")
	rs := odd()
	words := duckdb.Query(t, t.TempDir(), "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function') ORDER BY 1")[0]
	if len(words.Rows) < 50 {
		t.Fatalf("DuckDB has %d words, %s", len(words.Rows), words.Error)
	}
	for _, row := range words.Rows {
		rs = append(rs, made("word "+row[0].(string), map[string]string{row[0].(string): "x"}))
	}
	rs = append(rs, made("zh", map[string]string{"x_总耗时": "1"}, metric("x_平均_ttft_ms", 3, "ms", 0)))
	folder := written(t, rs)
	table := datapackage.Of(rs)
	var names []string
	for _, f := range table.Fields() {
		names = append(names, f.Name)
	}
	list := strings.Join(names, ", ")
	answers := duckdb.Query(t, folder,
		"SELECT "+list+" FROM 'data/results.parquet' ORDER BY file, id",
		"SELECT "+list+" FROM read_csv('data/results.csv', all_varchar = false, sample_size = -1, types = {'id': 'VARCHAR'}) ORDER BY file, id",
		"SELECT decode(value) FROM parquet_kv_metadata('data/results.parquet') WHERE decode(key) = 'table_schema'",
		"SELECT count(*) FROM 'data/figures.parquet' f JOIN 'data/results.parquet' USING (id)")
	for _, a := range answers {
		if a.Error != "" {
			t.Fatal(a.Error)
		}
	}
	want := map[string]string{"string": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN", "date": "DATE", "datetime": "TIMESTAMP"}
	for i, f := range table.Fields() {
		if answers[0].Types[i] != want[f.Type] || answers[0].Columns[i] != f.Name {
			t.Errorf("%s is %s in DuckDB, described as %s", f.Name, answers[0].Types[i], f.Type)
		}
	}
	if len(answers[0].Rows) != len(rs) || len(answers[1].Rows) != len(rs) {
		t.Errorf("%d and %d rows of %d", len(answers[0].Rows), len(answers[1].Rows), len(rs))
	}
	var kept struct{ Fields []struct{ Name, Unit string } }
	if err := json.Unmarshal([]byte(answers[2].Rows[0][0].(string)), &kept); err != nil || len(kept.Fields) != len(names) {
		t.Errorf("%v: the metadata have %d columns", err, len(kept.Fields))
	}
	if n := canonical(answers[3].Rows); n[0] != "11" {
		t.Errorf("%s figures have a result", n[0])
	}
}
