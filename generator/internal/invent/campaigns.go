package invent

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Campaigns writes a typical site into a folder: a post for each campaign, with sixteen runs (eight variants at
// two loads), three tables, four charts, raw output and a value in its prose. The same number gives the same
// bytes.
func Campaigns(dir string, posts int) error {
	w := writer{dir: dir}
	w.write("site.toml", siteOfCampaigns())
	random := rand.New(rand.NewPCG(7, 7))
	for i := range posts {
		campaign := campaignName(i)
		w.write("runs/"+campaign+"/run.toml", campaignLabels)
		for _, v := range variants {
			w.write(Run(i, v.name, "high"), v.run(random, 8))
			w.write(Run(i, v.name, "low"), v.run(random, 1))
		}
		w.write(fmt.Sprintf("content/posts/post-%05d.en.md", i), campaignPost(random, i, campaign))
	}
	return w.err
}

func campaignName(i int) string { return fmt.Sprintf("c%05d", i) }

// campaignLabels are the declarations in a campaign's run.toml.
const campaignLabels = "hardware = \"board\"\nengine = \"vllm\"\ndataset = \"random\"\ninput_len = \"2048\"\noutput_len = \"128\"\n"

// Run returns the file of a run of the i-th campaign, such as "runs/c00007/model=Base-8B/high.log".
func Run(i int, variant, load string) string {
	return fmt.Sprintf("runs/c%05d/model=%s/%s.log", i, variant, load)
}

// Variant is the baseline of every campaign.
const Variant = "Base-8B"

// variant is a model with the size of its weights and the part of them that is read for a token, in GB.
type variant struct {
	name          string
	weights, read float64
}

var variants = []variant{
	{"Dense-32B-AWQ", 18, 18}, {"Sparse-30B", 57, 6.6}, {"Sparse-30B-FP8", 30, 3.3}, {"Sparse-30B-FP4", 17, 1.7},
	{Variant, 16, 16}, {"Base-8B-FP8", 8.9, 8.9}, {"Base-8B-FP4", 6, 6}, {"Small-4B-W4A16", 2.6, 2.6},
}

func siteOfCampaigns() string {
	var b strings.Builder
	b.WriteString(`title = "Campaigns"
languages = ["en"]

[[hardware]]
id = "board"
title = "A board"
memory = "128 GB"
bandwidth = "273 GB/s"
peak = { BF16 = "257 TFLOPS" }

[[load]]
name = "high"
title = "High load"
when = '{max_concurrency="8"}'

[[load]]
name = "low"
title = "Low load"
when = '{max_concurrency="1"}'
`)
	for _, v := range variants {
		fmt.Fprintf(&b, "\n[[model]]\nid = %q\nweight_size = \"%v GB\"\n", v.name, v.weights)
	}
	return b.String()
}

// run returns the output of a serving benchmark for a variant on a board with 273 GB/s.
func (v variant) run(random *rand.Rand, concurrency int) string {
	requests, slower, first := 10, 1.0, 600.0
	if concurrency > 1 {
		requests, slower, first = 100, 1.7, 2000
	}
	tpot := v.read / 273 * 1000 * (1.1 + random.Float64()/5) * slower
	return block(requests, concurrency, first*(1+random.Float64()), tpot)
}

// block returns a table of vLLM's serving benchmark for prompts of 2,048 tokens and answers of 128.
func block(requests, concurrency int, ttft, tpot float64) string {
	n := float64(requests)
	in, out := 2048*n, 128*n
	duration := n * (ttft + 127*tpot) / 1000 / float64(concurrency)
	var b strings.Builder
	heading := func(s string) { b.WriteString(s + "\n") }
	row := func(name, format string, v any) { fmt.Fprintf(&b, "%-40s "+format+"\n", name, v) }
	latencies := func(name string, mean, median, p99 float64) {
		row("Mean "+name+" (ms):", "%.2f", mean)
		row("Median "+name+" (ms):", "%.2f", median)
		row("P99 "+name+" (ms):", "%.2f", p99)
	}
	heading("============ Serving Benchmark Result ============")
	row("Successful requests:", "%d", requests)
	row("Maximum request concurrency:", "%d", concurrency)
	row("Benchmark duration (s):", "%.2f", duration)
	row("Total input tokens:", "%.0f", in)
	row("Total generated tokens:", "%.0f", out)
	row("Request throughput (req/s):", "%.2f", n/duration)
	row("Output token throughput (tok/s):", "%.2f", out/duration)
	row("Total Token throughput (tok/s):", "%.2f", (in+out)/duration)
	heading("---------------Time to First Token----------------")
	latencies("TTFT", ttft, 0.98*ttft, 1.9*ttft)
	heading("-----Time per Output Token (excl. 1st token)------")
	latencies("TPOT", tpot, 0.99*tpot, 1.2*tpot)
	heading("---------------Inter-token Latency----------------")
	latencies("ITL", tpot, 0.9*tpot, 5*tpot)
	heading("==================================================")
	return b.String()
}

// words are the words of the prose.
var words = strings.Fields("requests wait in a queue until the engine has room and then share each step of the model so that throughput grows with load while latency follows the longest batch")

func campaignPost(random *rand.Rand, i int, campaign string) string {
	prose := func() string {
		said := make([]string, 120)
		for k := range said {
			said[k] = words[random.IntN(len(words))]
		}
		said[0] = strings.ToUpper(said[0][:1]) + said[0][1:]
		return strings.Join(said, " ") + "."
	}
	const columns = `columns = ["weight_size", "request_throughput", "output_throughput", "ttft_mean", "tpot_mean"]`
	report := func(kind string, lines ...string) string {
		return "```benchpost " + kind + "\n" + strings.Join(lines, "\n") + "\n```"
	}
	parts := []string{
		fmt.Sprintf("+++\ntitle = \"Report %d: eight variants, two loads\"\ndate = 20%02d-%02d-%02dT10:00:00Z\ntags = [\"Board\", \"t%d\"]\nruns = '{campaign=%q}'\n+++", i, 10+i%16, 1+i%12, 1+i%28, i%40, campaign),
		"Four bits give `= output_throughput{model=\"Base-8B-FP4\",load=\"high\"} / output_throughput{model=\"" + Variant + "\",load=\"high\"} | ×` the throughput. " + prose(),
		"<!--more-->",
		"## High load",
		report("table", `where = '{load="high"}'`, columns),
		prose(),
		report("chart throughput", `kind = "bars"`, `title = "Output throughput"`, `value = "output_throughput"`, `series = "load"`),
		"## Low load",
		report("table", `where = '{load="low"}'`, columns),
		report("chart tpot", `kind = "dots"`, `title = "Mean TPOT"`, `value = "tpot_mean"`, `series = "load"`, `scale = "log"`),
		prose(),
		"## Tradeoffs",
		report("chart size-high", `kind = "scatter"`, `where = '{load="high"}'`, `title = "Weights and throughput, high load"`, `x = "weight_size"`, `y = "output_throughput"`),
		report("chart size-low", `kind = "scatter"`, `where = '{load="low"}'`, `title = "Weights and throughput, low load"`, `x = "weight_size"`, `y = "output_throughput"`),
		report("tradeoff", `baseline = '{model="`+Variant+`"}'`, `columns = ["output_throughput", "ttft_mean"]`),
		prose() + " " + prose(),
		"## Raw output",
		report("raw", `title = ["model", "load"]`),
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// writer writes files below a folder until a write fails.
type writer struct {
	dir string
	err error
}

func (w *writer) write(name, text string) {
	if w.err != nil {
		return
	}
	name = filepath.Join(w.dir, filepath.FromSlash(name))
	if w.err = os.MkdirAll(filepath.Dir(name), 0o755); w.err == nil {
		w.err = os.WriteFile(name, []byte(text), 0o644)
	}
}
