package rundir

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/need"
)

// log returns a small console log of 1.7 kB. Its figures depend on i.
func log(i int) string {
	return fmt.Sprintf(`Namespace(subparser='bench', seed=0, num_prompts=100, dataset_name='random', random_input_len=2048, random_output_len=128, model='Qwen/Qwen3-8B', max_concurrency=8)
Starting initial single prompt test run...
Traffic request rate: inf
Burstiness factor: 1.0 (Poisson process)
Maximum request concurrency: 8
============ Serving Benchmark Result ============
Successful requests:                     100       
Failed requests:                         0         
Maximum request concurrency:             8         
Benchmark duration (s):                  %-10.2f
Total input tokens:                      204169    
Total generated tokens:                  12800     
Request throughput (req/s):              2.33      
Output token throughput (tok/s):         %-10.2f
Peak output token throughput (tok/s):    409.00    
Peak concurrent requests:                16.00     
Total token throughput (tok/s):          5052.84   
---------------Time to First Token----------------
Mean TTFT (ms):                          495.44    
Median TTFT (ms):                        455.84    
P99 TTFT (ms):                           912.34    
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          22.59     
Median TPOT (ms):                        23.00     
P99 TPOT (ms):                           25.05     
---------------Inter-token Latency----------------
Mean ITL (ms):                           22.59     
Median ITL (ms):                         17.88     
P99 ITL (ms):                            150.30    
==================================================
`, 40+float64(i)/100, 300-float64(i)/100)
}

// tree writes n logs in folders of twenty, each with a run.toml.
func tree(t testing.TB, n int) string {
	root := t.TempDir()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("campaign-%d", i/1000), fmt.Sprintf("model-%d", i/20))
		if i%20 == 0 {
			write(t, filepath.Join(dir, "run.toml"), "model = \"Qwen3-8B\"\nhardware = \"AGX Thor\"\nengine = \"vllm\"\nquantization = \"FP8\"\n")
		}
		write(t, filepath.Join(dir, fmt.Sprintf("run-%d.log", i)), log(i))
	}
	return root
}

// BenchmarkLoad loads 16,000 logs (27 MB). The target is 0.3 s on two cores with warm caches.
func BenchmarkLoad(b *testing.B) {
	const n = 16_000
	root := tree(b, n)
	b.SetBytes(int64(n * len(log(0))))
	for b.Loop() {
		d, err := Load(root, Options{Name: "runs"})
		if err != nil || len(d.Results) != n || len(d.Messages) != 0 {
			b.Fatal(len(d.Results), d.Messages, err)
		}
	}
}

// TestAllocationsOfALoad limits the number of allocations for each log.
func TestAllocationsOfALoad(t *testing.T) {
	need.Allocations(t)
	const n, most = 400, 34
	root := tree(t, n)
	each := testing.AllocsPerRun(5, func() { load(t, root, "runs") }) / n
	if t.Logf("a log takes %.0f allocations", each); each > most {
		t.Errorf("a log takes %.0f allocations, at most %d are expected", each, most)
	}
}

// TestSizeOfADataset limits the memory of a dataset. The target is 60 MB for 16,000 results.
func TestSizeOfADataset(t *testing.T) {
	need.Allocations(t)
	const n = 1600
	root := tree(t, n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := load(t, root, "runs")
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n
	t.Logf("a result takes %d bytes", each)
	if each > 60_000_000/16_000 {
		t.Errorf("a result takes %d bytes", each)
	}
	runtime.KeepAlive(d)
}

// BenchmarkReadFiles reads the same files without parsing, for comparison.
func BenchmarkReadFiles(b *testing.B) {
	const n = 16_000
	root := tree(b, n)
	b.SetBytes(int64(n * len(log(0))))
	buf := make([]byte, 64<<10)
	for b.Loop() {
		filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				f, _ := os.Open(path)
				f.Read(buf)
				f.Close()
			}
			return err
		})
	}
}

// BenchmarkRelate loads 4,000 runs in one folder, each with telemetry and a capture named after it. Related files must
// be looked up, not searched for.
func BenchmarkRelate(b *testing.B) {
	const n = 4000
	root := b.TempDir()
	for i := range n {
		for _, name := range []string{"run-%d.json", "run-%d-power.csv", "run-%d-env.txt"} {
			write(b, filepath.Join(root, fmt.Sprintf(name, i)), "as read")
		}
	}
	read := func(path, name string, _ filemark.Mark) (format.Output, error) {
		var i int
		var kind string
		fmt.Sscanf(filepath.Base(path), "run-%d%s", &i, &kind)
		out := format.Output{}
		switch kind {
		case "-power.csv":
			out = power(steady(20, 50)...)
		case "-env.txt":
			out = captured("power_mode", "MAXN")
		default:
			out = record(1+float64(i)/n, false)
		}
		for i := range out.Results {
			out.Results[i].Source.File = name
		}
		return out, nil
	}
	for b.Loop() {
		d, err := Load(root, Options{Read: read})
		if err != nil || len(d.Results) != n || len(d.Beside) != 2*n || d.Results[7].Label("power_mode") != "MAXN" {
			b.Fatalf("%d results, %d beside, error %v", len(d.Results), len(d.Beside), err)
		}
	}
}
