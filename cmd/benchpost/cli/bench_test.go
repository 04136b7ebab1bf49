package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkResults prints the results of 16,000 logs of 1.3 KB for programs. The goal is 0.5 s for CSV and 1 s for JSON
// on two cores.
func BenchmarkResults(b *testing.B) {
	dir := b.TempDir()
	for i := range 16_000 {
		folder := filepath.Join(dir, fmt.Sprintf("c%03d", i/16), fmt.Sprintf("model=m%d", i/2%8))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("run-%d.log", i)), served(i), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, format := range []string{"csv", "json"} {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var faults strings.Builder
				out := &count{}
				if code := Run(context.Background(), []string{"results", dir, "--format", format}, strings.NewReader(""), out, &faults); code != Fine {
					b.Fatalf("code %d, %s", code, faults.String())
				}
				b.SetBytes(out.bytes)
			}
		})
	}
}

// served returns the output of vLLM's serving benchmark, with figures that depend on i.
func served(i int) []byte {
	var text strings.Builder
	row := func(label string, value float64) { fmt.Fprintf(&text, "%-40s %-10.2f\n", label, value) }
	seconds := 40 + float64(i)/100
	text.WriteString("============ Serving Benchmark Result ============\n")
	fmt.Fprintf(&text, "%-40s %-10d\n%-40s %-10d\n", "Successful requests:", 100, "Maximum request concurrency:", 8)
	row("Benchmark duration (s):", seconds)
	fmt.Fprintf(&text, "%-40s %-10d\n%-40s %-10d\n", "Total input tokens:", 204169, "Total generated tokens:", 12800)
	row("Request throughput (req/s):", 100/seconds)
	row("Output token throughput (tok/s):", 12800/seconds)
	row("Total Token throughput (tok/s):", 216969/seconds)
	for _, family := range []struct{ title, name string }{
		{"---------------Time to First Token----------------", "TTFT"},
		{"-----Time per Output Token (excl. 1st token)------", "TPOT"},
		{"---------------Inter-token Latency----------------", "ITL"}} {
		fmt.Fprintln(&text, family.title)
		row("Mean "+family.name+" (ms):", seconds/4)
		row("Median "+family.name+" (ms):", seconds/5)
		row("P99 "+family.name+" (ms):", seconds)
	}
	text.WriteString("==================================================\n")
	return []byte(text.String())
}

// count counts the bytes written to it.
type count struct{ bytes int64 }

func (c *count) Write(p []byte) (int, error) {
	c.bytes += int64(len(p))
	return len(p), nil
}
