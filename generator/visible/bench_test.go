package visible

import (
	"bytes"
	"testing"
)

// BenchmarkBytes checks a typical page. Every page is checked once.
func BenchmarkBytes(b *testing.B) {
	page := bytes.Repeat([]byte(`<tr><th scope="row"><a href="../../runs/a/index.html">Qwen3-8B · 八</a></th><td class="num">53.88</td></tr>`+"\n"), 250)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		Bytes(page)
	}
}
