package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
)

// engine describes a model on one imaginary accelerator for the stand-in of vLLM: the time to compute a prompt of 512
// tokens and to generate one token, in ms, each for a single stream.
type engine struct{ prompt, token float64 }

var engines = map[string]engine{
	"Qwen3-8B":     {74, 19.3},
	"Qwen3-8B-FP8": {46, 11.8},
	"Qwen3-8B-AWQ": {79, 8.4},
}

// standIn behaves like `vllm bench serve`, for the commands of docs/guide. It measures nothing: it simulates a server
// whose steps take longer the more requests share them. All printed figures are computed from the simulated requests,
// so they agree with each other. --scale slows the server down, like a lower power limit.
func standIn() {
	if len(os.Args) < 3 || os.Args[1] != "bench" || os.Args[2] != "serve" {
		fmt.Fprintln(os.Stderr, "usage: vllm bench serve --model MODEL")
		os.Exit(2)
	}
	fs := flag.NewFlagSet("vllm bench serve", flag.ExitOnError)
	model := fs.String("model", "", "")
	streams := fs.Int("max-concurrency", 1, "")
	prompts := fs.Int("num-prompts", 64, "")
	inputs := fs.Int("random-input-len", 512, "")
	outputs := fs.Int("random-output-len", 128, "")
	seed := fs.Uint64("seed", 0, "")
	scale := fs.Float64("scale", 1, "")
	fs.Bool("ignore-eos", false, "")
	fs.String("dataset-name", "random", "")
	fs.Parse(os.Args[3:])
	e, known := engines[path.Base(*model)]
	if !known {
		fmt.Fprintf(os.Stderr, "OSError: %s is not a model the server knows\n", *model)
		os.Exit(1)
	}

	fmt.Printf("Namespace(subparser='bench', bench_type='serve', backend='vllm', base_url=None, host='127.0.0.1', port=8000, endpoint='/v1/completions', dataset_name='random', model='%s', num_prompts=%d, max_concurrency=%d, request_rate=inf, ignore_eos=True, random_input_len=%d, random_output_len=%d, seed=%d)\n",
		*model, *prompts, *streams, *inputs, *outputs, *seed)
	fmt.Println("Traffic request rate: inf\nMaximum request concurrency:", *streams)
	imagine(e, *scale, *streams, *prompts, *inputs, *outputs, seedOf(*model, *streams, *seed)).print()
}

func seedOf(model string, streams int, seed uint64) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, model, streams, seed)
	return h.Sum64()
}

// run is what a client records about its requests; times in ms.
type run struct {
	streams, inputs, outputs int
	duration                 float64
	ttft, tpot, itl, e2el    []float64
}

// imagine simulates streams that send requests one after the other until all prompts are answered.
func imagine(e engine, scale float64, streams, prompts, inputs, outputs int, seed uint64) run {
	random := rand.New(rand.NewPCG(seed, 1))
	around := func(x, part float64) float64 { return x * (1 + part*(2*random.Float64()-1)) }
	others := float64(streams - 1)
	prompt := scale * e.prompt * float64(inputs) / 512 * (1 + 0.21*others)
	token := scale * e.token * (1 + 0.013*others + math.Pow(others/22, 3))
	r := run{streams: streams, inputs: prompts * inputs, outputs: prompts * outputs}
	free := make([]float64, streams)
	for range prompts {
		i := slices.Index(free, slices.Min(free))
		first := around(prompt, 0.18)
		total := first
		for range outputs - 1 {
			gap := around(token, 0.07)
			r.itl = append(r.itl, gap)
			total += gap
		}
		free[i] += total
		r.ttft = append(r.ttft, first)
		r.tpot = append(r.tpot, (total-first)/float64(outputs-1))
		r.e2el = append(r.e2el, total)
	}
	r.duration = slices.Max(free) / 1000
	return r
}

func (r run) print() {
	line := func(name, format string, value any) { fmt.Printf("%-40s "+format+"\n", name+":", value) }
	head := func(title, fill string) {
		left := (50 - len(title)) / 2
		fmt.Println(strings.Repeat(fill, left) + title + strings.Repeat(fill, 50-len(title)-left))
	}
	n := len(r.ttft)
	head(" Serving Benchmark Result ", "=")
	line("Successful requests", "%-10d", n)
	line("Maximum request concurrency", "%-10d", r.streams)
	line("Benchmark duration (s)", "%-10.2f", r.duration)
	line("Total input tokens", "%-10d", r.inputs)
	line("Total generated tokens", "%-10d", r.outputs)
	line("Request throughput (req/s)", "%-10.2f", float64(n)/r.duration)
	line("Output token throughput (tok/s)", "%-10.2f", float64(r.outputs)/r.duration)
	line("Total Token throughput (tok/s)", "%-10.2f", float64(r.inputs+r.outputs)/r.duration)
	for _, part := range []struct {
		title, name string
		values      []float64
	}{
		{"Time to First Token", "TTFT", r.ttft},
		{"Time per Output Token (excl. 1st token)", "TPOT", r.tpot},
		{"Inter-token Latency", "ITL", r.itl},
		{"End-to-end Latency", "E2EL", r.e2el},
	} {
		head(part.title, "-")
		line("Mean "+part.name+" (ms)", "%-10.2f", mean(part.values))
		line("Median "+part.name+" (ms)", "%-10.2f", quantile(part.values, 0.5))
		line("P99 "+part.name+" (ms)", "%-10.2f", quantile(part.values, 0.99))
	}
	fmt.Println(strings.Repeat("=", 50))
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// quantile interpolates linearly between the nearest values, as NumPy does.
func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 == len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}
