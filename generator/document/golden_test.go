package document

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/document/kramdown"
)

// TestGolden renders a typical post as HTML and as Markdown and compares the output with testdata. Run it with
// -update after an intended change.
func TestGolden(t *testing.T) {
	src, err := os.ReadFile("testdata/post.zh.md")
	if err != nil {
		t.Fatal(err)
	}
	d, msgs := Parse("post.zh.md", src, Options{Location: time.FixedZone("", 8*60*60)})
	if len(msgs) > 0 {
		t.Fatal(msgs)
	}
	var html, markdown bytes.Buffer
	if err := d.HTML(&html, testFill{}); err != nil {
		t.Fatal(err)
	}
	if err := d.Markdown(&markdown, moved{}, kramdown.Jekyll); err != nil {
		t.Fatal(err)
	}
	for file, got := range map[string][]byte{
		"testdata/post.zh.html":      html.Bytes(),
		"testdata/post.zh.jekyll.md": markdown.Bytes(),
	} {
		if *update {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s", file, got)
		}
	}
}

// benchmarkPost returns 20 KB of a typical post: half prose, half logs.
func benchmarkPost() []byte {
	const section = `## 结果与取舍

在 Jetson Thor 上,**FP8** 的吞吐是 BF16 的 ` + "`= a / b | ×`" + `,而 *P99 TTFT* 只增加了 12%。换句话说,在高负载之下量化几乎没有代价;在低负载之下,解码受显存带宽限制,权重减半即时间减半。这与 [roofline](https://example.org/roofline) 的估计一致:每个 token 读一次全部权重。

The client ran on the same board, so that its own load is part of the figures. We repeated each run three times and report the median; the spread was below two per cent everywhere except for the first run after a cold start, which is marked as a warm-up and left out.

- 高负载:并发 8,100 个请求
- 低负载:并发 1,10 个请求
- 数据集:ShareGPT

| 模型 | 吞吐 (tok/s) | TTFT (ms) |
|------|-------------:|----------:|
| Qwen3-8B | 82.45 | 96.15 |
| Qwen3-8B-FP8 | 298.07 | 41.75 |

` + "```" + `
============ Serving Benchmark Result ============
Successful requests:                     100
Maximum request concurrency:             8
Benchmark duration (s):                  459.09
Total input tokens:                      204169
Total generated tokens:                  12421
Request throughput (req/s):              0.22
Output token throughput (tok/s):         27.06
Total Token throughput (tok/s):          471.78
---------------Time to First Token----------------
Mean TTFT (ms):                          6799.32
Median TTFT (ms):                        6419.03
P99 TTFT (ms):                           19086.70
==================================================
` + "```\n\n"
	return []byte(head + strings.Repeat(section, 20_000/len(section)+1))
}

// BenchmarkHTML parses and renders 20 KB. It should take at most 0.8 ms.
func BenchmarkHTML(b *testing.B) {
	src := benchmarkPost()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var buf bytes.Buffer
	for b.Loop() {
		buf.Reset()
		d, _ := Parse("a.zh.md", src, Options{})
		if err := d.HTML(&buf, testFill{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMarkdown(b *testing.B) {
	src := benchmarkPost()
	d, _ := Parse("a.zh.md", src, Options{})
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var buf bytes.Buffer
	for b.Loop() {
		buf.Reset()
		if err := d.Markdown(&buf, testFill{}, kramdown.Jekyll); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRenderConcurrently: several goroutines may render one document.
func TestRenderConcurrently(t *testing.T) {
	src, err := os.ReadFile("testdata/post.zh.md")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := Parse("post.zh.md", src, Options{})
	renderBoth := func() string {
		var b strings.Builder
		if err := errors.Join(d.HTML(&b, testFill{}), d.Markdown(&b, testFill{}, kramdown.Jekyll), d.Excerpt(&b, testFill{})); err != nil {
			t.Error(err)
		}
		return b.String()
	}
	want := renderBoth()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := renderBoth(); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	wg.Wait()
}
