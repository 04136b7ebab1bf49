package page

import (
	"bytes"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// fixtureModels lists the runs of a board that does not exist: sixteen models at two loads, with plausible output
// throughput, TTFT and TPOT.
var fixtureModels = []struct {
	name, quantization, size string
	high, low                [3]float64
}{
	{"Qwen3-8B", "BF16", "16.4 GB", [3]float64{81.50, 981.20, 86.10}, [3]float64{15.62, 79.40, 63.90}},
	{"Qwen3-8B-FP8", "FP8", "9.4 GB", [3]float64{197.35, 512.73, 37.02}, [3]float64{27.81, 44.19, 35.71}},
	{"Qwen3-8B-FP4", "FP4", "6.0 GB", [3]float64{166.08, 574.66, 42.35}, [3]float64{40.02, 38.91, 24.88}},
	{"Qwen3-8B-GPTQ-Int4", "GPTQ-Int4", "6.1 GB", [3]float64{101.22, 1902.87, 63.81}, [3]float64{43.33, 36.52, 22.96}},
	{"Qwen3-8B-GPTQ-Int8", "GPTQ-Int8", "9.5 GB", [3]float64{79.90, 2203.18, 80.44}, [3]float64{27.30, 50.37, 36.49}},
	{"Qwen3-8B-AWQ", "AWQ", "6.1 GB", [3]float64{100.07, 1834.60, 64.17}, [3]float64{42.71, 36.81, 23.30}},
	{"Qwen3-8B-W4A16", "W4A16", "6.1 GB", [3]float64{99.81, 2101.94, 62.02}, [3]float64{42.60, 37.99, 23.35}},
	{"Qwen3-8B-W8A16", "W8A16", "9.5 GB", [3]float64{80.96, 2301.77, 78.20}, [3]float64{27.49, 50.30, 36.27}},
	{"Qwen3-8B-Q5_K_M", "Q5_K_M", "5.9 GB", [3]float64{7.88, 43790.25, 671.33}, [3]float64{29.02, 149.21, 33.52}},
	{"Qwen3-32B-AWQ", "AWQ", "19.3 GB", [3]float64{27.12, 6781.40, 240.10}, [3]float64{13.04, 96.40, 76.55}},
	{"Qwen3-30B-A3B", "BF16", "61.1 GB", [3]float64{70.51, 1641.08, 98.90}, [3]float64{34.29, 81.44, 28.77}},
	{"Qwen3-30B-A3B-FP8", "FP8", "31.2 GB", [3]float64{114.40, 1290.25, 59.70}, [3]float64{95.73, 71.50, 9.97}},
	{"Qwen3-Coder-30B-A3B-FP8", "FP8", "31.2 GB", [3]float64{99.40, 1361.11, 69.81}, [3]float64{82.30, 96.44, 11.49}},
	{"Qwen3-Coder-30B-A3B-AWQ-8bit", "AWQ", "31.9 GB", [3]float64{97.02, 1670.90, 68.50}, [3]float64{46.71, 61.42, 21.09}},
	{"Qwen3-Coder-30B-A3B-AWQ-4bit", "AWQ", "17.0 GB", [3]float64{123.51, 1294.36, 53.69}, [3]float64{61.70, 44.11, 15.98}},
	{"Qwen3-Coder-30B-A3B-W4A16", "W4A16", "16.9 GB", [3]float64{129.04, 1310.70, 51.20}, [3]float64{65.00, 41.80, 15.18}},
}

// fixtureRun prints a result like the tool and parses it by hand, so that every figure has its line.
func fixtureRun(id, model, quantization, load string, concurrency, prompts int, f [3]float64) (*result.Result, string) {
	output, ttft, tpot := f[0], f[1], f[2]
	out := prompts * 128
	seconds := float64(out) / output
	file := "runs/" + id + ".log"
	r := &result.Result{ID: id, Tool: "vllm-serve", Format: "vllm-serve-text",
		Source: result.Position{File: file, Line: 4}}
	var text strings.Builder
	fmt.Fprintf(&text, "$ vllm bench serve --model %s --max-concurrency %d\nNamespace(backend='vllm', seed=0)\n"+
		"100%%|██████████| %d/%d\n============ Serving Benchmark Result ============\n", model, concurrency, prompts, prompts)
	line := 4
	put := func(name, unit, field string, decimals int8, v float64) {
		line++
		fmt.Fprintf(&text, "%-40s %.*f\n", field+":", decimals, v)
		d, _ := vocabulary.Define(name)
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: unit, Better: d.Better, Field: field},
			Value: v, Decimals: decimals, Line: int32(line)})
	}
	rule := func(title string) {
		line++
		fmt.Fprintf(&text, "%s\n", title)
	}
	put("requests_completed", "1", "Successful requests", 0, float64(prompts))
	put("duration", "s", "Benchmark duration (s)", 2, seconds)
	put("input_tokens", "tok", "Total input tokens", 0, float64(prompts*2042))
	put("output_tokens", "tok", "Total generated tokens", 0, float64(out))
	put("request_throughput", "req/s", "Request throughput (req/s)", 2, float64(prompts)/seconds)
	put("output_throughput", "tok/s", "Output token throughput (tok/s)", 2, output)
	put("total_throughput", "tok/s", "Total Token throughput (tok/s)", 2, float64(prompts*2042+out)/seconds)
	for _, l := range []struct {
		family, name, title string
		mean                float64
	}{
		{"ttft", "TTFT", "---------------Time to First Token----------------", ttft},
		{"tpot", "TPOT", "-----Time per Output Token (excl. 1st token)------", tpot},
		{"itl", "ITL", "---------------Inter-token Latency----------------", tpot * .998},
		{"e2el", "E2EL", "----------------End-to-end Latency----------------", ttft + 127*tpot},
	} {
		rule(l.title)
		put(l.family+"_mean", "ms", "Mean "+l.name+" (ms)", 2, l.mean)
		put(l.family+"_p50", "ms", "Median "+l.name+" (ms)", 2, l.mean*.962)
		put(l.family+"_p90", "ms", "P90 "+l.name+" (ms)", 2, l.mean*1.31)
		put(l.family+"_p99", "ms", "P99 "+l.name+" (ms)", 2, l.mean*2.74)
	}
	rule("==================================================")
	r.EndLine = line
	text.WriteString("\nProcess finished with exit code 0\n")

	set := func(name, value string, origin result.Origin, pos result.Position) {
		r.Labels.Set(result.Label{Name: name, Value: value, Origin: origin, Pos: pos})
	}
	declared := result.Position{File: "runs/edge-board/run.toml", Line: 3}
	set("model", model, result.Declared, result.Position{File: "runs/edge-board/run.toml", Line: 8})
	set("quantization", quantization, result.Guessed, result.Position{})
	set("load", load, result.Derived, result.Position{File: "site.toml", Line: 21})
	set("max_concurrency", fmt.Sprint(concurrency), result.Measured, result.Position{File: file, Line: 1})
	set("num_prompts", fmt.Sprint(prompts), result.Measured, result.Position{File: file, Line: 5})
	set("hardware", "Edge Board 128 GB", result.Declared, declared)
	set("engine", "vllm", result.Declared, declared)
	set("engine_version", "0.11.0", result.Declared, declared)
	set("power_mode", "MAXN", result.Declared, declared)
	set("clocks", "locked", result.Declared, declared)
	set("input_len", "2048", result.Declared, declared)
	set("output_len", "128", result.Declared, declared)
	set("campaign", "edge-board", result.Derived, result.Position{})
	set("date", "2025-10-11", result.Declared, declared)
	return r, text.String()
}

// fixtureMethod has two rules, one of which is waived for some runs.
func fixtureMethod() Method {
	return Method{
		Rules: []result.Rule{
			{ID: "physics.memory-roofline", Raises: []string{"physics.memory-roofline"}, Asks: locale.Lit("TPOT ≥ active weights / bandwidth"),
				Bounds: []result.Bound{{Severity: result.Error, When: locale.Lit("MBU over 100%")}, {Severity: result.Warning, When: locale.Lit("MBU over 95%")}}},
			{ID: "consistency.rates", Raises: []string{"consistency.output-throughput"}, Asks: locale.Lit("a rate is its count over the duration"),
				Bounds: []result.Bound{{Severity: result.Error, When: locale.Lit("further apart than rounding")}}},
		},
		Formulas:  map[string][]string{"interactivity": {"1000 / tpot_mean"}},
		Practices: []report.Practice{{ID: "repeats", Title: locale.Lit("Repeats"), Text: locale.Lit("the median of six")}},
		Waivers:   []Waiver{{"consistency.output-throughput", `{load="high"}`, "the drain is not counted"}},
		Limits:    []Limit{{"ttft_p99", "500"}, {"output_throughput", "20"}, {"weight_size", "8 G"}},
	}
}

// fixture returns a realistic site: reports in both languages, runs with and without faults, models declared and not.
func fixture() *Site {
	s := &Site{
		Title: locale.By(map[string]string{"zh": "边缘推理台账", "en": "Edge inference ledger"}, "Edge"),
		Description: locale.By(map[string]string{
			"zh": "在一块边缘计算板上测得的大模型推理性能：吞吐量、延迟与取舍，每个数字都能追溯到原始输出。",
			"en": "What large language models do on one edge board: throughput, latency and the trade-offs between them, each figure traced to the line it was printed on.",
		}, ""),
		Author:    "Lin Wen",
		Languages: []string{"zh-CN", "en"},
		BaseURL:   "https://example.org/bench",
		Method:    fixtureMethod(),
	}
	raw := map[string]string{}
	add := func(r *result.Result, text string) *result.Result {
		s.Results = append(s.Results, r)
		raw[r.Source.File] = text
		return r
	}
	for _, m := range fixtureModels {
		id := "edge-board/" + strings.ToLower(m.name)
		add(fixtureRun(id+"/high", m.name, m.quantization, "high", 8, 100, m.high))
		add(fixtureRun(id+"/low", m.name, m.quantization, "low", 1, 10, m.low))
		s.Models = append(s.Models, Model{ID: m.name, Quantization: m.quantization, Size: m.size,
			Params: "8.2 B", Base: "Qwen3-8B", URL: "https://huggingface.co/Qwen/" + m.name})
	}
	s.Models[0].Base = ""
	s.Results[2].Checks = []result.Check{{ID: "physics.prefix-cache", Severity: result.Warning,
		Text:    locale.Lit("the first token came faster than the prompt can be computed: the prefix cache was probably warm"),
		Figures: map[string]float64{"ttft_ms": 44.19, "floor_ms": 65.2}}}
	s.Results[17].Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error,
		Text:    locale.Lit("29.02 tok/s at concurrency 1 needs 3.7 times the memory bandwidth of the board"),
		Figures: map[string]float64{"mbu": 3.7, "bandwidth": 2.73e11}}}
	cut := add(fixtureRun("edge-board/qwen3-8b-fp8/功率=15w/high", "Qwen3-8B-FP8", "FP8", "high", 8, 100, [3]float64{61.4, 1804.2, 119.6}))
	cut.Status = result.Partial
	cut.Labels.Set(result.Label{Name: "power_mode", Value: "15W", Origin: result.Declared,
		Pos: result.Position{File: "runs/edge-board/qwen3-8b-fp8/功率=15w"}})
	cut.Metrics = cut.Metrics[:11]
	s.Messages = []result.Message{
		{Pos: result.Position{File: cut.Source.File, Line: 14}, Severity: result.Warning, ID: "format.cut-off",
			Text: locale.Textf("the block ends in the middle: the closing rule is missing"), Hint: locale.Textf("the run may have been stopped; figures after TTFT are absent")},
		{Pos: result.Position{File: "content/posts/tradeoffs.zh-CN.md", Line: 41, Column: 7}, Severity: result.Error, ID: "block.nothing-selected",
			Text: locale.Textf(`the table selects nothing: {model="Qwen3-9B"}`), Hint: locale.Textf(`there is Qwen3-8B`)},
	}
	s.Unread = []unread.File{{Name: "runs/edge-board/notes.txt", Kind: unread.Unknown, Reason: locale.Textf("no known format")},
		{Name: "runs/edge-board/template.md", Kind: unread.LookAlike, Reason: locale.Textf("placeholders, not figures")}}
	s.Raw = func(r *result.Result) (Raw, error) {
		text, ok := raw[r.Source.File]
		if !ok {
			return Raw{}, fmt.Errorf("%s: no such file", r.Source.File)
		}
		return Whole([]byte(text)), nil
	}
	for _, lang := range s.Languages {
		s.Posts = append(s.Posts, fixturePost(s, lang, raw))
	}
	s.Posts = append(s.Posts, Post{Slug: "quiet-board", Lang: "en", Title: "A board that stays quiet: notes on power modes",
		Date: time.Date(2025, 10, 4, 9, 0, 0, 0, time.FixedZone("", 8*3600)), Tags: []string{"power"},
		Excerpt: "<p>What the board draws when nothing runs, and how much of it a power mode takes back.</p>",
		Body:    "<p>What the board draws when nothing runs, and how much of it a power mode takes back.</p>\n<h2 id=\"idle\">Idle</h2>\n<p>Little.</p>"})
	return s
}

func fixturePost(s *Site, lang string, raw map[string]string) Post {
	p, _ := locale.For(lang)
	zh := lang == "zh-CN"
	pick := func(z, e string) string {
		if zh {
			return z
		}
		return e
	}
	page := s.PostPage(lang, "tradeoffs")
	link := func(id string) string { return address.Link(page, s.RunPage(lang, id)) }
	t := fixtureTable(s)
	alt := pick("各模型的输出吞吐量", "Output throughput of each model")
	chart := parts.Figure(parts.Picture{Alt: alt, SVG: []byte(`<svg viewBox="0 0 900 420" role="img" aria-label="` + alt + `"><rect width="450" height="40"/></svg>`),
		Caption: pick("高负载下的输出吞吐量，tok/s；越高越好，每个模型一次运行。", "Output throughput at high load, tok/s; higher is better, one run of each model."),
		Data:    parts.Table(t, p, link)}, p)
	first := s.Results[2]
	block := parts.RawBlock(raw[first.Source.File], first.Source.File, link(first.ID), p)
	body := pick(`<p>一块 128 GB 内存的边缘计算板能跑多快？我们用同一组请求测试了 Qwen3-8B 的九种量化。<a href="https://docs.vllm.ai/">vLLM</a> 的 <code>bench serve</code> 给出全部数字，没有一个是手工抄写的。</p>
<h2 id="结果">结果与取舍</h2>
<p>FP8 在高负载下达到 <a href="`+link(first.ID)+`">197.35 tok/s</a>，是 BF16 的 2.42 倍。<strong>注意</strong>：Q5_K_M 低负载的数字超出内存带宽的物理上限，已排除。</p>
`, `<p>How fast is a board with 128 GB of memory? The same requests were sent to nine quantizations of Qwen3-8B. <a href="https://docs.vllm.ai/">vLLM</a>’s <code>bench serve</code> gave every figure; none was copied by hand.</p>
<h2 id="results">Results and trade-offs</h2>
<p>FP8 reaches <a href="`+link(first.ID)+`">197.35 tok/s</a> under high load, 2.42 times BF16. <strong>Note</strong> that Q5_K_M at low load breaks the bound of memory bandwidth and is excluded.</p>
`) + string(parts.Findings(fixtureFindings(s), p, link)) + string(parts.Table(t, p, link)) + string(chart) + pick(`<h2 id="条件">测试条件</h2><h3 id="负载">负载</h3><ul><li>高负载：并发 8，100 个请求</li><li>低负载：并发 1，10 个请求</li></ul>
<blockquote><p>每次测试前，时钟锁定在最高频率。</p></blockquote>`, `<h2 id="conditions">Conditions</h2><h3 id="loads">Loads</h3><ul><li>High load: concurrency 8, 100 prompts</li><li>Low load: concurrency 1, 10 prompts</li></ul>
<blockquote><p>Clocks were locked at their highest before every run.</p></blockquote>`) + string(block)
	headings := []Heading{{2, pick("结果", "results"), pick("结果与取舍", "Results and trade-offs")}, {2, pick("条件", "conditions"), pick("测试条件", "Conditions")}, {3, pick("负载", "loads"), pick("负载", "Loads")}}
	var ids []string
	for _, r := range s.Results[:18] {
		ids = append(ids, r.ID)
	}
	return Post{Slug: "tradeoffs", Lang: lang,
		Title:      pick("八十亿参数，九种量化：边缘计算板上的速度与取舍", "Nine quantizations of an 8 B model: speed and trade-offs on an edge board"),
		Date:       time.Date(2025, 10, 12, 6, 0, 0, 0, time.FixedZone("", 8*3600)),
		Updated:    time.Date(2025, 10, 14, 6, 0, 0, 0, time.FixedZone("", 8*3600)),
		Tags:       []string{"Qwen3", "vLLM", "FP8"},
		Categories: []string{"LLM"},
		Excerpt: template.HTML(pick("<p>一块 128 GB 内存的边缘计算板能跑多快？九种量化，两种负载，一张取舍表。</p>",
			"<p>How fast is a board with 128 GB of memory? Nine quantizations, two loads, and one table of what each costs.</p>")),
		Body: template.HTML(body), Headings: headings,
		Translations: map[string]string{"zh-CN": "tradeoffs", "en": "tradeoffs"},
		Image:        "assets/tradeoffs.png", Source: "content/posts/tradeoffs." + lang + ".md", Runs: ids,
		Data: fixtureBlocks(s)}
}

// fixtureBlocks are the blocks of the post, as values.
func fixtureBlocks(s *Site) []export.Block {
	table, findings := fixtureTable(s), fixtureFindings(s)
	return []export.Block{
		{Kind: "findings", Line: 12, Block: report.Block{Findings: &findings}},
		{Kind: "tradeoff", Line: 16, Block: report.Block{Table: &table}},
	}
}

// fixtureFindings returns a claim of one run and one of many, a withheld claim, and a limit.
func fixtureFindings(s *Site) report.Findings {
	both := func(zh, en string) locale.Text { return locale.By(map[string]string{"zh": zh, "en": en}, "") }
	var many []string
	for i := 0; i < 20; i += 2 {
		many = append(many, s.Results[i].ID)
	}
	return report.Findings{
		Claims: []report.Finding{
			{Rule: "leader", N: 1, Effect: .884, Runs: many[:2],
				Text: both("高负载下 Qwen3-8B-FP8 最快：197.35 tok/s，是 BF16 的 2.42 倍。", "Under high load Qwen3-8B-FP8 is the fastest: 197.35 tok/s, 2.42 times BF16.")},
			{Rule: "spread", N: 3, Runs: many,
				Text: both("十个变体的输出吞吐量相差 25 倍。", "The output throughput of the ten variants spans a factor of 25.")},
		},
		Withheld: []report.Finding{
			{Rule: "leader", N: 1, Runs: []string{s.Results[3].ID, s.Results[17].ID},
				Text:   both("低负载下 Qwen3-8B-Q5_K_M 比 FP8 快 4%。", "Under low load Qwen3-8B-Q5_K_M is 4% faster than FP8."),
				Reason: both("其中一次运行超出内存带宽的物理上限，已排除。", "One of the runs exceeds what the bandwidth of the memory allows and is excluded.")},
		},
		Limits: []report.Finding{
			{Rule: "single-runs", Text: both("每个变体只运行一次，因此无法判断小于 3% 的差异。", "Each variant ran once: differences below 3% cannot be told from chance.")},
		},
	}
}

// fixtureTable has everything a table can have: a best value, a baseline, a change, a missing value, a weak one, a row
// and a cell that are struck through, verdicts with reasons, an answer and notes.
func fixtureTable(s *Site) report.Table {
	t := report.Table{
		Kind:    "tradeoff",
		Caption: locale.By(map[string]string{"zh": "表 1 各量化在两种负载下的表现", "en": "Table 1. Each quantization under both loads"}, ""),
		Columns: []report.Column{
			{Title: locale.T("label.model")},
			{Title: locale.T("label.quantization")},
			{Title: locale.By(map[string]string{"zh": "高负载输出吞吐量", "en": "Output throughput, high load"}, ""), Unit: "tok/s", Align: report.Right, Metric: "output_throughput", Better: result.Higher},
			{Title: locale.By(map[string]string{"zh": "低负载输出吞吐量", "en": "Output throughput, low load"}, ""), Unit: "tok/s", Align: report.Right, Metric: "output_throughput", Better: result.Higher},
			{Title: locale.T("stat.mean", "TTFT"), Unit: "ms", Align: report.Right, Metric: "ttft_mean", Better: result.Lower},
			{Title: locale.T("stat.mean", "TPOT"), Unit: "ms", Align: report.Right, Metric: "tpot_mean", Better: result.Lower},
			{Title: locale.Lit("P99 TTFT"), Unit: "ms", Align: report.Right, Metric: "ttft_p99", Better: result.Lower},
			{Title: locale.By(map[string]string{"zh": "适用性", "en": "Suits"}, "")},
		},
		Answers: []report.Finding{{Rule: "tradeoff.answer", N: 1, Runs: []string{s.Results[2].ID, s.Results[0].ID},
			Text: locale.By(map[string]string{"zh": "FP8 兼顾体积与速度。", "en": "FP8 balances size and speed."}, "")}},
		Notes: []report.Note{
			{Severity: result.Error, Text: locale.By(map[string]string{"zh": "超出内存带宽的物理上限（MBU 370 %），不作为结果。", "en": "Needs 3.7 times the bandwidth of the memory; not a result."}, "")},
			{Severity: result.Warning, Text: locale.By(map[string]string{"zh": "首 token 过快，前缀缓存可能已预热。", "en": "The prefix cache was probably warm."}, "")},
		},
	}
	base := s.Results[0]
	for i := 0; i < 18; i += 2 {
		high, low := s.Results[i], s.Results[i+1]
		cell := func(r *result.Result, name string) report.Cell {
			m, ok := r.Metric(name)
			if !ok {
				return report.Cell{Missing: true}
			}
			c := report.Cell{Text: locale.Lit(locale.Group(m.Text())), Value: m.Value, Numeric: true, Run: r.ID,
				Source: result.Position{File: r.Source.File, Line: int(m.Line)}, Field: m.Field}
			if b, ok := base.Metric(name); ok && r != base && r == high {
				c.Change = locale.Lit(fmt.Sprintf("×%.2f", m.Value/b.Value))
			}
			return c
		}
		row := report.Row{Baseline: i == 0, Excluded: i == 16, Cells: []report.Cell{
			{Text: locale.Lit(high.Label("model")), URL: "https://huggingface.co/Qwen/" + high.Label("model")},
			{Text: locale.Lit(high.Label("quantization"))},
			cell(high, "output_throughput"), cell(low, "output_throughput"), cell(high, "ttft_mean"), cell(high, "tpot_mean"), cell(high, "ttft_p99"),
			{Missing: true},
		}}
		row.Cells[6].Weak, row.Cells[6].Change = true, locale.Text{}
		switch i {
		case 2:
			row.Cells[2].Best, row.Cells[4].Best, row.Cells[5].Best = true, true, true
			row.Cells[4].Notes = []int{2}
			row.Cells[7] = report.Cell{Text: locale.T("tradeoff.fastest"), Rule: "tradeoff.fastest",
				Why: locale.By(map[string]string{"zh": "197.35 tok/s，其次是 166.08 tok/s", "en": "197.35 tok/s; the next is 166.08 tok/s"}, "")}
		case 4:
			row.Cells[6] = report.Cell{Missing: true}
			row.Cells[7] = report.Cell{Text: locale.T("tradeoff.balance"), Rule: "tradeoff.balance",
				Why: locale.By(map[string]string{"zh": "更小的变体都更慢", "en": "every smaller variant is slower"}, "")}
		case 6:
			row.Cells[3].Best = true
		case 10:
			row.Cells[3].Excluded = true
		case 16:
			row.Cells[3].Notes = []int{1}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// fixtureChart replaces a chart: a white picture with bars.
func fixtureChart() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 900, 420))
	for y := range 420 {
		for x := range 900 {
			c := color.RGBA{255, 255, 255, 255}
			if row, top := y/42, y%42; row > 0 && row < 10 && top > 8 && top < 30 && x > 160 && x < 160+row*75 {
				c = color.RGBA{0, 0x72, 0xb2, 255}
			}
			img.Set(x, y, c)
		}
	}
	var buf bytes.Buffer
	_ = png.Encode(&buf, img)
	return buf.Bytes()
}
