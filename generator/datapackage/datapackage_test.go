package datapackage_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// made returns a result with labels and metrics.
func made(id string, labels map[string]string, metrics ...result.Metric) *result.Result {
	r := &result.Result{ID: id, Source: result.Position{File: "runs/" + id + ".log", Line: 3}, Tool: "vllm-serve", Format: "vllm-serve-text", Metrics: metrics}
	for name, value := range labels {
		r.Labels.Set(result.Label{Name: name, Value: value})
	}
	return r
}

func metric(name string, value float64, unit string, decimals int8) result.Metric {
	return result.Metric{Kind: &result.Kind{Name: name, Unit: unit, Field: "Its own name"}, Value: value, Decimals: decimals, Line: 7}
}

// odd returns results with unusual values that tables must handle.
func odd() []*result.Result {
	bad := made("b", map[string]string{"model": "=B", "batch_size": "auto", "date": "yesterday", "order": "2", "id": "x", "Team": "a", "team": "b", "x_time_s": "1", "request_rate": "inf"},
		metric("x_runs", 3, "", 0), metric("x_p95_latency_ms", 12.5, "ms", 1), metric("cost_per_million_output_tokens", 2, "CNY", 0))
	bad.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}, {ID: "a.b", Severity: result.Warning, Waived: "known"}}
	bad.Source.File = "runs/\xff.log"
	return []*result.Result{
		made("a/<高>", map[string]string{"model": "Qwen3 \"8B\"", "load": "高负载", "batch_size": "8", "max_concurrency": "16", "date": "2026-01-15T23:30:00+08:00", "flash_attention": "true",
			"weight_size": "8.9 GB", "x_runs": "five", "params": "8.2 B", "request_rate": "0.5"},
			metric("output_throughput", 298.07, "tok/s", 2), metric("ttft_mean", 249.13, "ms", 2), metric("requests_completed", 100, "1", 0),
			metric("cost_per_million_output_tokens", 0.25, "USD", 2), metric("x_memory_mb", 1.5, "MB", 1)),
		bad,
		made("c", map[string]string{"phase": "warmup", "date": "2026-01-16"}, metric("ttft_mean", 1.5, "s", result.FullPrecision), metric("ttft_mean", 9, "s", 0)),
		{ID: "d", Status: result.Failed},
	}
}

// read parses Parquet: it returns the names of the columns, and a map for each row without nulls.
func read(t *testing.T, data []byte) (names []string, rows []map[string]any) {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	for _, group := range file.RowGroups() {
		in := group.Rows()
		defer in.Close()
		buffer := make([]parquet.Row, 10)
		for {
			n, err := in.ReadRows(buffer)
			for _, row := range buffer[:n] {
				out := map[string]any{}
				for _, v := range row {
					switch {
					case v.IsNull():
					case v.Kind() == parquet.ByteArray:
						out[names[v.Column()]] = string(v.ByteArray())
					case v.Kind() == parquet.Double:
						out[names[v.Column()]] = v.Double()
					case v.Kind() == parquet.Boolean:
						out[names[v.Column()]] = v.Boolean()
					case v.Kind() == parquet.Int32:
						out[names[v.Column()]] = time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)
					default:
						out[names[v.Column()]] = v.Int64()
					}
				}
				rows = append(rows, out)
			}
			if err != nil {
				break
			}
		}
	}
	return names, rows
}

func tableOf(t *testing.T, rs []*result.Result) (names []string, rows []map[string]any) {
	t.Helper()
	var b, again bytes.Buffer
	if err := pieces.Whole(&b, datapackage.Of(rs).Parquet); err != nil {
		t.Fatal(err)
	}
	if err := pieces.Whole(&again, datapackage.Of(rs).Parquet); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("two writes differ, %v", err)
	}
	return read(t, b.Bytes())
}

func TestTable(t *testing.T) {
	t.Parallel()
	names, rows := tableOf(t, odd())
	want := "id file line tool format status excluded auxiliary checks model quantization engine hardware load max_concurrency request_rate " +
		"batch_size batch_size_text flash_attention date date_time date_text phase id_label weight_size_bytes params " +
		"order_label team team_2 x_runs x_time_s_label " +
		"ttft_mean_s requests_completed output_throughput cost_per_million_output_tokens_cny cost_per_million_output_tokens_usd x_memory_bytes x_p95_latency_s x_runs_value"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("columns\n got %s\nwant %s", got, want)
	}
	for i, want := range []map[string]any{
		{"id": "a/<高>", "file": "runs/a/<高>.log", "line": int64(3), "tool": "vllm-serve", "format": "vllm-serve-text", "status": "complete", "excluded": false, "auxiliary": false, "checks": "",
			"model": `Qwen3 "8B"`, "load": "高负载", "batch_size": int64(8), "max_concurrency": int64(16), "request_rate": 0.5, "date": "2026-01-15",
			"date_time": time.Date(2026, 1, 15, 23, 30, 0, 0, time.UTC).UnixMicro(), "flash_attention": true, "weight_size_bytes": 8.9e9, "params": 8.2e9, "x_runs": "five",
			"output_throughput": 298.07, "ttft_mean_s": 0.24913, "requests_completed": 100.0, "cost_per_million_output_tokens_usd": 0.25, "x_memory_bytes": 1.5e6},
		{"id": "b", "file": "runs/\uFFFD.log", "line": int64(3), "tool": "vllm-serve", "format": "vllm-serve-text", "status": "complete", "excluded": true, "auxiliary": false, "checks": "error:physics.memory-roofline",
			"model": "=B", "batch_size_text": "auto", "date_text": "yesterday", "order_label": "2", "id_label": "x", "team": "a", "team_2": "b", "x_time_s_label": "1", "request_rate": math.Inf(1),
			"x_runs_value": 3.0, "x_p95_latency_s": 0.0125, "cost_per_million_output_tokens_cny": 2.0},
		{"id": "c", "file": "runs/c.log", "line": int64(3), "tool": "vllm-serve", "format": "vllm-serve-text", "status": "complete", "excluded": false, "auxiliary": true, "checks": "", "phase": "warmup", "date": "2026-01-16", "ttft_mean_s": 1.5},
		{"id": "d", "file": "", "line": int64(0), "tool": "", "format": "", "status": "failed", "excluded": false, "auxiliary": false, "checks": ""},
	} {
		if fmt.Sprint(rows[i]) != fmt.Sprint(want) {
			t.Errorf("row %d\n got %v\nwant %v", i, rows[i], want)
		}
	}
}

// plainName matches names whose characters need no quotes in SQL.
var plainName = regexp.MustCompile(`^[\p{L}_][\p{L}\p{Nd}_]*$`)

// TestColumnsFollowFromWhatTheyHold: a label or metric has the same column with the same type in every table,
// and any two tables have their common columns in the same order.
func TestColumnsFollowFromWhatTheyHold(t *testing.T) {
	t.Parallel()
	all := odd()
	for _, l := range vocabulary.Labels() {
		all = append(all, made("label "+l.Name, map[string]string{l.Name: "some"}))
	}
	for _, m := range vocabulary.Metrics() {
		name := m.Name
		if m.Family {
			name += "_p99"
		}
		all = append(all, made("metric "+name, nil, metric(name, 1, m.Unit, 0)))
	}
	whole := datapackage.Of(all).Fields()
	place := map[string]int{}
	for i, f := range whole {
		if _, twice := place[f.Name]; twice || !plainName.MatchString(f.Name) || f.Name != strings.ToLower(f.Name) {
			t.Errorf("%q is no name of a column of its own", f.Name)
		}
		place[f.Name] = i
		for _, lang := range []string{"en", "zh-CN"} {
			if p, _ := locale.For(lang); p.Say(f.Meaning) == "" || strings.Contains(p.Say(f.Meaning), "schema.") {
				t.Errorf("%s: %s is %q", lang, f.Name, p.Say(f.Meaning))
			}
		}
	}
	for i := range all {
		last := -1
		for _, f := range datapackage.Of(all[i : i+1]).Fields() {
			at, ok := place[f.Name]
			if !ok || fmt.Sprint(whole[at]) != fmt.Sprint(f) || at <= last {
				t.Errorf("alone, %s has %+v; among all, %+v", all[i].ID, f, whole[at])
			}
			last = at
		}
	}
}

// TestCSVHasTheSameCells: CSV has the same columns and values as Parquet, with figures in the tool's digits.
func TestCSVHasTheSameCells(t *testing.T) {
	t.Parallel()
	names, rows := tableOf(t, odd())
	var b bytes.Buffer
	table := datapackage.Of(odd())
	if err := pieces.Whole(&b, table.CSV); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || !slices.Equal(lines[0], names) || len(lines) != 1+len(rows) {
		t.Fatalf("%v: %d lines, header %q", err, len(lines), lines[0])
	}
	for i, row := range rows {
		for k, f := range table.Fields() {
			text := lines[1+i][k]
			switch v := row[f.Name].(type) {
			case nil:
				if text != "" {
					t.Errorf("%s of row %d is %q, not in Parquet", f.Name, i, text)
				}
			case float64:
				if got, err := strconv.ParseFloat(text, 64); err != nil || got != v {
					t.Errorf("%s of row %d is %q, in Parquet %g", f.Name, i, text, v)
				}
			case int64:
				if at, err := time.Parse("2006-01-02T15:04:05", text); f.Type == "datetime" && (err != nil || at.UnixMicro() != v) || f.Type == "integer" && text != strconv.FormatInt(v, 10) {
					t.Errorf("%s of row %d is %q, in Parquet %d", f.Name, i, text, v)
				}
			default:
				if want := fmt.Sprint(v); text != want && text != "'"+want {
					t.Errorf("%s of row %d is %q, in Parquet %q", f.Name, i, text, want)
				}
			}
		}
	}
	at := func(row int, name string) string { return lines[1+row][slices.Index(names, name)] }
	if at(0, "ttft_mean_s") != "0.24913" || at(1, "request_rate") != "INF" || at(1, "model") != "'=B" {
		t.Errorf("%s, %s, %s", at(0, "ttft_mean_s"), at(1, "request_rate"), at(1, "model"))
	}
}

// TestManyRows writes more rows than are kept in memory at once, each with its own text.
func TestManyRows(t *testing.T) {
	t.Parallel()
	var rs []*result.Result
	for i := range 3000 {
		rs = append(rs, made(strconv.Itoa(i), map[string]string{"model": strconv.Itoa(i % 7), "x_text": strings.Repeat("x", 30) + strconv.Itoa(i)}, metric("ttft_mean", float64(i), "ms", 0)))
	}
	_, rows := tableOf(t, rs)
	for i, row := range rows {
		if row["id"] != strconv.Itoa(i) || row["model"] != strconv.Itoa(i%7) || row["x_text"] != strings.Repeat("x", 30)+strconv.Itoa(i) || row["ttft_mean_s"] != float64(i)/1000 {
			t.Fatalf("row %d is %v", i, row)
		}
	}
	if len(rows) != len(rs) {
		t.Errorf("%d rows", len(rows))
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := pieces.Whole(&b, datapackage.Of(odd()).Figures); err != nil {
		t.Fatal(err)
	}
	names, rows := read(t, b.Bytes())
	var described []string
	for _, f := range datapackage.FigureFields() {
		described = append(described, f.Name)
	}
	if !slices.Equal(names, described) {
		t.Errorf("columns %q, described %q", names, described)
	}
	if len(rows) != 10 {
		t.Fatalf("%d rows", len(rows))
	}
	want := map[string]any{"id": "a/<高>", "metric": "ttft_mean", "value": 249.13, "unit": "ms", "field": "Its own name", "file": "runs/a/<高>.log", "line": int64(7), "derived": false, "table_column": "ttft_mean_s"}
	if fmt.Sprint(rows[1]) != fmt.Sprint(want) {
		t.Errorf("got %v\nwant %v", rows[1], want)
	}
}

// Rules of version 2 of the standard, as far as they apply to the output.
var (
	packageName = regexp.MustCompile(`^[a-z0-9._-]+$`)
	fieldTypes  = []string{"string", "integer", "number", "boolean", "date", "datetime"}
)

func TestDescription(t *testing.T) {
	t.Parallel()
	rs := odd()
	sum := strings.Repeat("0", 64)
	var resources []datapackage.Resource
	for _, path := range []string{datapackage.ParquetFile, datapackage.CSVFile, datapackage.FiguresFile, datapackage.LinesFile, "results/a ä.json", "results/A ä.json"} {
		resources = append(resources, datapackage.Resource{Path: path, Bytes: 3, SHA256: sum})
	}
	p := datapackage.Package{Title: locale.Lit("T"), Table: datapackage.Of(rs), Resources: append(slices.Clone(resources[3:]), resources[0], resources[2], resources[1]),
		Work: cite.Work{License: "CC-BY-4.0", Repository: "https://example.org/r", Authors: []cite.Author{{Name: "A", ORCID: "0000-0002-1825-0097"}}}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Fields []struct {
			Name, Type, Title, Unit, Description string
			ZH                                   string `json:"title@zh"`
		}
		PrimaryKey  []string
		ForeignKeys []struct {
			Fields    []string
			Reference struct {
				Resource string
				Fields   []string
			}
		}
	}
	var got struct {
		Profile   string `json:"$schema"`
		Name      string
		Licenses  []struct{ Name, Path string }
		Resources []struct {
			Name, Path, Type, Format, MediaType, Encoding, Hash string
			Bytes                                               int
			Schema                                              *schema
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if !packageName.MatchString(got.Name) || got.Profile == "" || len(got.Licenses) != 1 || len(got.Resources) != len(resources) {
		t.Errorf("the package is %+v", got)
	}
	byName := map[string]*schema{}
	for i, r := range got.Resources {
		if !packageName.MatchString(r.Name) || byName[r.Name] != nil || r.Path != resources[i].Path || r.MediaType == "" || r.Bytes != 3 || r.Hash != "sha256:"+sum || (r.Encoding == "") != (r.Format == "parquet") {
			t.Errorf("resource %+v", r)
		}
		byName[r.Name] = &schema{}
		if r.Schema != nil {
			byName[r.Name] = r.Schema
		}
		if isTable := r.Path == datapackage.CSVFile || r.Format == "parquet"; isTable != (r.Type == "table") || isTable != (r.Schema != nil) {
			t.Errorf("%s is of type %q", r.Path, r.Type)
		}
	}
	for _, s := range byName {
		has := func(name string) bool {
			for _, f := range s.Fields {
				if f.Name == name {
					return true
				}
			}
			return false
		}
		for _, f := range s.Fields {
			if !slices.Contains(fieldTypes, f.Type) || f.Title+f.Description == "" {
				t.Errorf("field %+v", f)
			}
		}
		for _, name := range s.PrimaryKey {
			if !has(name) {
				t.Errorf("the key %s is no field", name)
			}
		}
		for _, key := range s.ForeignKeys {
			if other := byName[key.Reference.Resource]; other == nil || !slices.Equal(key.Reference.Fields, other.PrimaryKey) || !has(key.Fields[0]) {
				t.Errorf("the key %+v leads nowhere", key)
			}
		}
	}
	csvFields, parquetFields := byName[datapackage.CSVFile], byName[datapackage.ParquetFile]
	if fmt.Sprint(csvFields) != fmt.Sprint(parquetFields) || len(csvFields.PrimaryKey) != 1 || len(byName[datapackage.FiguresFile].ForeignKeys) != 1 {
		t.Errorf("CSV and Parquet have other columns")
	}
	i := slices.IndexFunc(csvFields.Fields, func(f struct {
		Name, Type, Title, Unit, Description string
		ZH                                   string `json:"title@zh"`
	}) bool {
		return f.Name == "ttft_mean_s"
	})
	if f := csvFields.Fields[i]; f.Unit != "s" || f.Type != "number" || !strings.Contains(f.Description, "first token") || f.ZH == "" {
		t.Errorf("TTFT is described as %+v", f)
	}

	twice := datapackage.Package{Table: datapackage.Of([]*result.Result{rs[0], rs[0]}), Resources: resources}
	b.Reset()
	if err := twice.Write(&b); err != nil || strings.Contains(b.String(), "primaryKey") || strings.Contains(b.String(), "foreignKeys") || !json.Valid(b.Bytes()) {
		t.Errorf("%v: ids that are not unique are a key", err)
	}
}
