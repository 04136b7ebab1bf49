package format_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/need"
)

// BenchmarkTextLog reads a log of typical size, 1.5 KB. The goal is 15 µs.
func BenchmarkTextLog(b *testing.B) { fixture.BenchmarkRead(b, usualLog, 1) }

// usualLog is the output of vLLM's serving benchmark: its arguments, a bar, a table.
const usualLog = "Namespace(model='Qwen/Qwen3-8B', dataset_name='random', num_prompts=100, random_input_len=2048, random_output_len=128)\n" +
	"Starting initial single prompt test run...\nTraffic request rate: inf\nBurstiness factor: 1.0 (Poisson process)\n" +
	"Maximum request concurrency: 8\n100%|██████████| 100/100 [00:42<00:00, 2.33it/s]\n" + fixture.Table

// BenchmarkServerLog reads a server's log around one block. It measures how fast lines without a mark are skipped.
func BenchmarkServerLog(b *testing.B) {
	var log strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&log, "(APIServer pid=27089) INFO:     127.0.0.1:%d - \"POST /v1/completions HTTP/1.1\" 200 OK\n", 30000+i)
	}
	fixture.BenchmarkRead(b, log.String()+fixture.Table+log.String(), 1)
}

func BenchmarkProgressBar(b *testing.B) {
	bar := strings.Repeat("\r 50%|██████████          | 50/100 [00:21<00:21, 2.3it/s]", 2000)
	fixture.BenchmarkRead(b, bar+"\n"+fixture.Table, 1)
}

// BenchmarkJSON reads flat JSON of 0.8 KB. The goal is 10 µs.
func BenchmarkJSON(b *testing.B) { fixture.BenchmarkRead(b, fixture.Saved, 1) }

// BenchmarkJSONDetailed reads JSON with lists of every token. The goal is 500 MB/s.
func BenchmarkJSONDetailed(b *testing.B) { fixture.BenchmarkRead(b, fixture.Detailed(2000, false), 1) }

func BenchmarkJSONDetailedIndented(b *testing.B) {
	text := strings.NewReplacer("[", "[\n    ", ", ", ",\n    ").Replace(fixture.Detailed(2000, false))
	fixture.BenchmarkRead(b, text, 1)
}

// TestAllocationsOfAFile limits the allocations for reading one file: the results and little else.
func TestAllocationsOfAFile(t *testing.T) {
	need.Allocations(t)
	for _, test := range []struct {
		name, text string
		most       float64
	}{
		{"log", usualLog, 14},
		{"table", fixture.Table, 7},
		{"JSON", fixture.Saved, 15},
		{"JSON of every token", fixture.Detailed(200, false), 580},
		{"server's log", strings.Repeat("INFO:     127.0.0.1:30001 - \"POST /v1/completions HTTP/1.1\" 200 OK\n", 2000) + fixture.Table, 7},
	} {
		r := strings.NewReader("")
		allocations := testing.AllocsPerRun(20, func() {
			r.Reset(test.text)
			if out, err := format.Read("f", r); err != nil || len(out.Results) != 1 {
				t.Fatalf("%s: %d results, error %v", test.name, len(out.Results), err)
			}
		})
		if t.Logf("%s: %.0f allocations", test.name, allocations); allocations > test.most {
			t.Errorf("%s: %.0f allocations, at most %.0f are expected", test.name, allocations, test.most)
		}
	}
}

// TestAllocationsOfManyResults limits the allocations per kilobyte of consecutive samples. Meanings are cached, so they
// are not computed again for the next result.
func TestAllocationsOfManyResults(t *testing.T) {
	need.Allocations(t)
	most := map[string]float64{
		"evalscope-2025.log": 75, "exllamav2.txt": 30, "koboldcpp.txt": 40, "llama-batched-bench.log": 100, "llama-bench-compose.log": 60, "llama-bench.csv": 28, "llama-bench.log": 80,
		"llama-sweep-bench.log": 80, "mlx-lm.txt": 80, "lmdeploy-serving.csv": 27, "lmdeploy.csv": 25, "telemetry-elapsed.csv": 260, "telemetry.csv": 12,
		"tensorrt-llm-benchmark.txt": 20, "vllm-serve-commands.txt": 15, "vllm-structured-output.txt": 12, "xpu-smi-dump.csv": 15,
	}
	for _, path := range fixture.All(t) {
		limit, limited := most[filepath.Base(path)]
		if !limited {
			continue
		}
		sample, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		const size = 128 << 10
		text := bytes.Repeat(append(sample, '\n'), 1+size/len(sample))
		r := bytes.NewReader(nil)
		allocations := 1024 / float64(len(text)) * testing.AllocsPerRun(5, func() {
			r.Reset(text)
			if _, err := format.Read("f", r); err != nil {
				t.Fatal(err)
			}
		})
		if t.Logf("%s: %.1f allocations for each kilobyte", filepath.Base(path), allocations); allocations > limit {
			t.Errorf("%s: %.1f allocations for each kilobyte, at most %.0f are expected", filepath.Base(path), allocations, limit)
		}
		delete(most, filepath.Base(path))
	}
	if len(most) > 0 {
		t.Errorf("no samples of these: %v", most)
	}
}

// TestMemoryDoesNotGrow checks that only a window of a file is kept in memory, and of each list of numbers as much as
// an exact sample takes, whatever the size of the file.
func TestMemoryDoesNotGrow(t *testing.T) {
	need.Allocations(t)
	line := []byte("(APIServer pid=27089) INFO:     127.0.0.1:30001 - \"POST /v1/completions HTTP/1.1\" 200 OK\n")
	for _, test := range []struct {
		name               string
		first, again, last string
	}{
		{"log", fixture.Table, string(line), fixture.Table},
		{"one line", "", "no line end at all ", ""},
		{"progress bar", "", "\r 50%|█████     | 50/100", ""},
		{"runs that come to nothing", "", "Starting initial single prompt test run...\nStarting main benchmark run...\n\r 50%|█████     | 50/100 [00:21<00:21, 2.3it/s]\n", ""},
		{"runs that do not begin", "", "$ vllm bench serve --model m --num-prompts 3\n", ""},
		{"JSON list", `{"model_id": "m", "request_throughput": 1, "ttfts": [0`, ", 0.123456789", `]}`},
		{"JSON list of lists", `{"model_id": "m", "request_throughput": 1, "itls": [[0]`, ", [0.0123456789, 0.0456, 0.0789]", `]}`},
		{"JSON list of objects", `{"model_id": "m", "request_throughput": 1, "requests": [{"a": 0}`, `, {"a": 0.5, "b": {"c": 7}, "d": "text"}`, `]}`},
		{"JSON list of objects with lists", `{"model_id": "m", "request_throughput": 1, "requests": [{"a": 0}`, `, {"a": 0.5, "b": [1, 2, 3, 4]}`, `]}`},
		{"JSON lines", "", `{"a": 0.5, "b": {"c": [7, 8]}, "d": "text"}` + "\n", ""},
		{"JSON text", `{"model_id": "m", "request_throughput": 1, "text": "`, "words and \\\"words\\\" ", `"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			chunk := strings.Repeat(test.again, 1<<20/len(test.again))
			allocated := func(megabytes int) int64 {
				parts := []io.Reader{strings.NewReader(test.first)}
				for range megabytes {
					parts = append(parts, strings.NewReader(chunk))
				}
				parts = append(parts, strings.NewReader(test.last))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if _, err := format.Read("f", io.MultiReader(parts...)); err != nil {
					t.Fatal(err)
				}
				runtime.ReadMemStats(&after)
				return int64(after.TotalAlloc - before.TotalAlloc)
			}
			for attempt := 1; ; attempt++ { // the memory of another thread may have to be allocated again
				few, many := allocated(4), allocated(10)
				if many-few <= 1<<20 {
					break
				}
				if attempt < 3 {
					continue
				}
				t.Errorf("4 MB are read with %d bytes allocated, 10 MB with %d", few, many)
				break
			}
		})
	}
}

// TestSizeOfAResult limits the memory of a result, because the results of a dataset are kept in memory. The target is 4
// kB each.
func TestSizeOfAResult(t *testing.T) {
	need.Allocations(t)
	const n = 1000
	log := []byte("Namespace(model='Qwen/Qwen3-8B', dataset_name='random', num_prompts=100, random_input_len=2048, random_output_len=128)\n" + fixture.Table)
	results := make([]format.Output, n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range results {
		results[i], _ = format.Read("run.log", bytes.NewReader(log))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n; each > 4096 {
		t.Errorf("a result takes %d bytes", each)
	} else {
		t.Logf("a result takes %d bytes", each)
	}
	runtime.KeepAlive(results)
}

func BenchmarkTable(b *testing.B) { fixture.BenchmarkRead(b, fixture.Table, 1) }

// BenchmarkEveryFormat measures the speed of every format: for one file, which is small, and, if the format allows
// several results in a file, for a megabyte of concatenated files. The goals are 15 µs, and 100 MB/s for results of few
// lines.
func BenchmarkEveryFormat(b *testing.B) {
	read := func(b *testing.B, data []byte) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := format.Read("f", bytes.NewReader(data)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(1+bytes.Count(data, []byte("\n")))), "ns/line")
	}
	for _, path := range fixture.All(b) {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		name := filepath.Base(path)
		b.Run(name+"/one", func(b *testing.B) { read(b, data) })
		if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) && !strings.HasSuffix(path, ".yaml") {
			b.Run(name+"/long", func(b *testing.B) { read(b, bytes.Repeat(append(data, '\n'), 1+1<<20/len(data))) })
		}
	}
}
