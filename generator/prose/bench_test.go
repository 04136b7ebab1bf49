package prose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/result"
)

// BenchmarkCheck compares 20 KB of prose with 180 numbers, some of them wrong, with 300 runs: ten models, ten
// loads, three systems.
func BenchmarkCheck(b *testing.B) {
	var results []*result.Result
	for i := range 300 {
		model, load, system := i%10, i/10%10, i/100
		rate := 50 + 17.31*float64(model) + 23.7*float64(load) + 5.13*float64(system)
		spec := fmt.Sprintf("r%03d model=m%d load=l%d max_concurrency=%d power_mode=p%d hardware=h weight_size=%d_G output_throughput:%.2f total_throughput:%.2f request_throughput:%.2f duration:%.2f",
			i, model, load, 1<<load, system, model+5, rate, 17*rate, rate/128, 12800/rate)
		for k, name := range []string{"ttft", "tpot", "itl", "e2el"} {
			for j, stat := range []string{"mean", "p50", "p99"} {
				spec += fmt.Sprintf(" %s_%s:%.2f", name, stat, float64(1000*(k+1)+37*j)/rate)
			}
		}
		results = append(results, run(spec))
	}
	var prose strings.Builder
	for i := range 20 {
		r := results[i*13]
		rate, _ := r.Metric("output_throughput")
		ttft, _ := r.Metric("ttft_mean")
		fmt.Fprintf(&prose, "在 l3 负载下，%s 的输出吞吐量为 %s tok/s，平均 TTFT 为 %s ms，是基线的 1.%d 倍，提升约 %d%%。%s\n\n", r.Label("model"), rate.Digits(), ttft.Digits(), i, i+11, strings.Repeat("这一段没有数字。", 13))
		fmt.Fprintf(&prose, "At that load %s makes %s tok/s at 12 to 14 ms; that is 12.%d%% more and 9999.%d tok/s. %s\n\n", r.Label("model"), rate.Digits(), i, i, strings.Repeat("Plain words fill it. ", 23))
	}
	d, _ := document.Parse("a.zh.md", []byte("+++\ntitle = \"T\"\ndate = 2025-10-12\n+++\n"+prose.String()), document.Options{})
	n := 0
	for _, p := range d.Prose() {
		n += len(numbers(p.Text))
	}
	b.ReportAllocs()
	warnings := 0
	for b.Loop() {
		warnings = len(figuresOf(results).Check(d))
	}
	b.ReportMetric(float64(prose.Len())/1000, "kB")
	b.ReportMetric(float64(n), "numbers")
	b.ReportMetric(float64(warnings), "warnings")
}
