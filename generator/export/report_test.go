package export

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

func both(zh, en string) locale.Text {
	return locale.By(map[string]string{"zh": zh, "en": en}, "")
}

// reported returns a post with a block of every kind. Every field is set somewhere.
func reported() Post {
	return Post{
		Slug: "fp8", Lang: "en", Title: "FP8 < BF16 & more", Date: time.Date(2025, 10, 12, 6, 0, 0, 0, time.FixedZone("", 8*3600)),
		Source: "content/posts/fp8.en.md", Runs: []string{"a", "b"},
		Blocks: []Block{
			{Kind: "tradeoff", Line: 9, Block: report.Block{Table: &report.Table{
				Kind: "tradeoff", Caption: both("表", "Table"),
				Columns: []report.Column{
					{Title: both("模型", "Model")},
					{Group: both("高负载", "High load"), Title: both("吞吐量", "Throughput"), Unit: "tok/s", Metric: "output_throughput", Better: result.Higher},
				},
				Rows: []report.Row{
					{Baseline: true, Cells: []report.Cell{
						{Text: locale.Lit("A"), URL: "https://example.org/?a&b"},
						{Text: locale.Lit("0"), Numeric: true, Run: "a", Source: result.Position{File: "runs/a.log", Line: 7}, Field: "Output (tok/s)"}}},
					{Excluded: true, Cells: []report.Cell{
						{Text: both("最快", "fastest"), Rule: "tradeoff.fastest", Why: both("没有更快的", "none is faster")},
						{Text: locale.Lit("2.50"), Value: 2.5, Numeric: true, Best: true, Change: locale.Lit("2.00×"), Spread: locale.Lit("3 runs, 2.40 to 2.60"), Weak: true, Excluded: true, Notes: []int{1}}}},
					{Cells: []report.Cell{{Missing: true, Numeric: true}}},
				},
				Notes:   []report.Note{{Severity: result.Warning, Text: both("少", "few")}},
				Answers: []report.Finding{{Text: both("用 A", "Take A"), Runs: []string{"a"}}},
			}}},
			{Kind: "findings", Line: 20, Block: report.Block{Findings: &report.Findings{
				Title:    both("发现", "Shown"),
				Claims:   []report.Finding{{Rule: "leader", Text: both("A 快", "A leads"), Runs: []string{"a", "b"}, N: 3, Effect: 0.5}},
				Withheld: []report.Finding{{Rule: "leader", Text: both("B 快", "B leads"), Reason: both("一次", "once"), N: 1, Effect: math.Inf(-1)}},
				Limits:   []report.Finding{{Text: both("没有质量", "Quality is not known")}},
			}}},
			{Kind: "chart", Line: 30, Block: report.Block{Chart: &report.Chart{
				Kind: report.GroupedBars, Title: both("图", "Chart"), Subtitle: locale.Lit("n = 1"), Source: locale.Lit("board"), Alt: locale.Lit("A 1, B 2"),
				Notes: []locale.Text{both("注", "note")}, Y: report.Axis{Title: both("吞吐量", "Throughput"), Unit: "tok/s", Scale: report.Log, Better: result.Higher},
				Categories: []locale.Text{locale.Lit("A"), locale.Lit("B")},
				Series: []report.Series{{Name: both("高", "high"), Points: []report.Point{
					{Y: 0, Label: locale.Lit("0"), Run: "a"}, {Y: 4, Missing: true, Excluded: true}}}},
			}}},
			{Kind: "chart", Line: 40, Block: report.Block{Chart: &report.Chart{Kind: report.Scatter, Frontier: [][]int{{0}},
				Series: []report.Series{{Points: []report.Point{{X: 1, Y: math.NaN(), Dominated: true}}}}}}},
			{Kind: "chart", Line: 45, Block: report.Block{Chart: &report.Chart{Kind: report.Lines, Form: report.Stair,
				Ticks: []report.Tick{{At: 1, Text: both("一", "one")}}, Bands: []report.Band{{From: 1, To: 2, Text: both("运行", "run")}},
				Steps: []report.Step{{Series: 0, Point: 1, Text: locale.Lit("+9%"), Worse: true}},
				Panels: []report.Panel{{Title: both("小图", "small"), Chart: report.Chart{Kind: report.Lines, Series: []report.Series{{Points: []report.Point{
					{X: 1, Y: 5, Low: 4, High: 6, Spread: true, Warned: true}, {X: 2, Missing: true}}}}}}}}}},
			{Kind: "chart", Line: 46, Block: report.Block{Chart: &report.Chart{Kind: report.Scatter, Size: report.Axis{Unit: "GB"},
				Series: []report.Series{{Points: []report.Point{{X: 1, Y: 2, Size: 3}, {Missing: true, Size: 3}}}}}}},
			{Kind: "chart", Line: 47, Block: report.Block{Chart: &report.Chart{Kind: report.Boxes,
				Series: []report.Series{{Points: []report.Point{{Y: 3, Five: [5]float64{1, 2, 3, 4, 5}}, {Y: 3, Five: [5]float64{1, 2, 3, 4, math.NaN()}}}}}}}},
			{Kind: "raw", Line: 50, Block: report.Block{Raw: []report.Raw{{Title: locale.Lit("A"), Result: &result.Result{ID: "a", Source: result.Position{File: "runs/a.log", Line: 3}, EndLine: 20}}}}},
			{Kind: "table", Line: 60, Absent: "no run matches"},
			{Kind: "findings", Line: 70, Block: report.Block{Findings: &report.Findings{}}},
		},
	}
}

func TestReport(t *testing.T) {
	en, _ := locale.For("en")
	want := `{"schema":"benchpost.report/1","slug":"fp8","lang":"en","title":"FP8 < BF16 & more","date":"2025-10-12T06:00:00+08:00","source":"content/posts/fp8.en.md",
 "runs":[
  "a",
  "b"],
 "blocks":[
  {"kind":"tradeoff","line":9,
   "table":{"kind":"tradeoff","caption":"Table",
    "columns":[
     {"title":"Model"},
     {"title":"Throughput","group":"High load","unit":"tok/s","metric":"output_throughput","better":"higher"}],
    "rows":[
     {"baseline":true,"cells":[{"text":"A","url":"https://example.org/?a&b"},{"text":"0","value":0,"run":"a","file":"runs/a.log","line":7,"field":"Output (tok/s)"}]},
     {"quarantined":true,"cells":[{"text":"fastest","rule":"tradeoff.fastest","why":"none is faster"},{"text":"2.50","value":2.5,"best":true,"change":"2.00×","spread":"3 runs, 2.40 to 2.60","weak":true,"quarantined":true,"notes":[1]}]},
     {"cells":[{"missing":true}]}],
    "notes":[
     {"severity":"warning","text":"few"}],
    "answers":[
     {"text":"Take A","runs":["a"]}]}},
  {"kind":"findings","line":20,
   "findings":{"title":"Shown",
    "claims":[
     {"rule":"leader","text":"A leads","runs":["a","b"],"n":3,"effect":0.5}],
    "withheld":[
     {"rule":"leader","text":"B leads","reason":"once","n":1}],
    "limits":[
     {"text":"Quality is not known"}]}},
  {"kind":"chart","line":30,
   "chart":{"kind":"bars","title":"Chart","subtitle":"n = 1","source":"board","alt":"A 1, B 2","notes":["note"],"y":{"title":"Throughput","unit":"tok/s","scale":"log","better":"higher"},
    "categories":[
     "A",
     "B"],
    "series":[
     {"name":"high",
      "points":[
       {"y":0,"label":"0","run":"a"},
       {"missing":true,"quarantined":true}]}]}},
  {"kind":"chart","line":40,
   "chart":{"kind":"scatter","frontier":[0],
    "series":[
     {"points":[
       {"x":1,"dominated":true}]}]}},
  {"kind":"chart","line":45,
   "chart":{"kind":"lines","form":"stair",
    "ticks":[
     {"at":1,"text":"one"}],
    "bands":[
     {"from":1,"to":2,"text":"run"}],
    "steps":[
     {"series":0,"point":1,"text":"+9%","worse":true}],
    "panels":[
     {"kind":"lines","title":"small",
      "series":[
       {"points":[
         {"x":1,"y":5,"low":4,"high":6,"warned":true},
         {"x":2,"missing":true}]}]}]}},
  {"kind":"chart","line":46,
   "chart":{"kind":"scatter","size":{"unit":"GB"},
    "series":[
     {"points":[
       {"x":1,"y":2,"size":3},
       {"missing":true}]}]}},
  {"kind":"chart","line":47,
   "chart":{"kind":"boxes",
    "series":[
     {"points":[
       {"y":3,"quantiles":[1,2,3,4,5]},
       {"y":3}]}]}},
  {"kind":"raw","line":50,
   "raw":[
    {"title":"A","run":"a","file":"runs/a.log","line":3,"end_line":20}]},
  {"kind":"table","line":60,"absent":"no run matches"},
  {"kind":"findings","line":70,
   "findings":{}}]}
`
	var b bytes.Buffer
	if err := Report(&b, reported(), en); err != nil || b.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, b.String(), want)
	}
	if !json.Valid(b.Bytes()) {
		t.Error("it is no JSON")
	}
}

// TestReportInChinese: words are in the language of the post, everything else is the same.
func TestReportInChinese(t *testing.T) {
	zh, _ := locale.For("zh-CN")
	var b bytes.Buffer
	if err := Report(&b, reported(), zh); err != nil || !json.Valid(b.Bytes()) {
		t.Fatalf("%v, got\n%s", err, b.String())
	}
	for _, want := range []string{`"caption":"表"`, `{"title":"吞吐量","group":"高负载","unit":"tok/s",`, `"why":"没有更快的"`, `{"severity":"warning","text":"少"}`,
		`"text":"B 快","reason":"一次"`, `"notes":["注"]`, `{"name":"高",`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is missing in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "Throughput") {
		t.Errorf("it speaks English:\n%s", b.String())
	}
}

func TestReportOfNothing(t *testing.T) {
	en, _ := locale.For("en")
	var b bytes.Buffer
	if err := Report(&b, Post{Slug: "x", Lang: "en"}, en); err != nil || b.String() != `{"schema":"benchpost.report/1","slug":"x","lang":"en"}`+"\n" {
		t.Errorf("%v, got %s", err, b.String())
	}
}

func TestWriteIndex(t *testing.T) {
	want := `{"schema":"benchpost.index/1",
 "posts":[
  {"file":"posts/en/fp8.json","slug":"fp8","lang":"en","title":"FP8","date":"2025-10-12","runs":2}],
 "results":[
  {"file":"results/_.json","results":1,"skipped":0,"errors":2},
  {"file":"results/thor.json","campaign":"thor","results":16,"skipped":1,"errors":0}]}
`
	var b bytes.Buffer
	err := WriteIndex(&b, Index{
		Posts:   []PostEntry{{"posts/en/fp8.json", "fp8", "en", "FP8", "2025-10-12", 2}},
		Results: []ResultsEntry{{File: "results/_.json", Results: 1, Errors: 2}, {"results/thor.json", "thor", 16, 1, 0}},
	})
	if err != nil || b.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, b.String(), want)
	}
	b.Reset()
	if err := WriteIndex(&b, Index{}); err != nil || b.String() != `{"schema":"benchpost.index/1"}`+"\n" {
		t.Errorf("%v, an empty list is %s", err, b.String())
	}
}
