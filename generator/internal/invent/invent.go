// Package invent generates sites of any size for tests and benchmarks.
package invent

import (
	"fmt"
	"testing"
)

// Site writes a site with the given numbers of posts and runs into a temporary folder, and returns the folder.
func Site(tb testing.TB, posts, runs int) string {
	tb.Helper()
	w := writer{dir: tb.TempDir()}
	w.write("site.toml", "title = \"Large\"\nlanguages = [\"en\"]\n")
	for i := range runs {
		w.write(fmt.Sprintf("runs/c%02d/model=m%03d/run-%05d.log", i%40, i%1000, i), Block(i))
	}
	for i := range posts {
		w.write(fmt.Sprintf("content/posts/post-%04d.en.md", i), fmt.Sprintf(`+++
title = "Post %d"
date = 2025-01-01T00:00:00Z
runs = '{campaign="c%02d", model="m%03d"}'
+++

The first run gives `+"`= output_throughput{id=~\".*run-%05d\"}`"+` tok/s.

## Table

`+"```benchpost table\nrows = [\"id\"]\ncolumns = [\"output_throughput\", \"ttft_mean\", \"tpot_mean\"]\n```\n", i, i%40, i%1000, i))
	}
	if w.err != nil {
		tb.Fatal(w.err)
	}
	return w.dir
}

// Block returns the output of a serving benchmark. The first thousand outputs are all different.
func Block(i int) string {
	duration := 40 + float64(i%977)/10
	return fmt.Sprintf(`============ Serving Benchmark Result ============
Successful requests:                     100
Maximum request concurrency:             8
Benchmark duration (s):                  %.2f
Total input tokens:                      204800
Total generated tokens:                  12800
Request throughput (req/s):              %.2f
Output token throughput (tok/s):         %.2f
Total Token throughput (tok/s):          %.2f
---------------Time to First Token----------------
Mean TTFT (ms):                          %.2f
Median TTFT (ms):                        480.11
P99 TTFT (ms):                           1090.45
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          %.2f
Median TPOT (ms):                        22.90
P99 TPOT (ms):                           30.15
---------------Inter-token Latency----------------
Mean ITL (ms):                           22.59
Median ITL (ms):                         17.88
P99 ITL (ms):                            150.30
==================================================
`, duration, 100/duration, 12800/duration, 217600/duration, 400+float64(i%331), 20+float64(i%53)/10)
}
