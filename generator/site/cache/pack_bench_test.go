package cache

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/pack"
)

// BenchmarkRecall compares reading a log with taking what it held from a pack, and from gob.
func BenchmarkRecall(b *testing.B) {
	file := filepath.Join(b.TempDir(), "a.log")
	os.WriteFile(file, []byte(invent.Block(1)), 0o644)
	out, _ := format.ReadFile(file, "runs/a.log")
	one := reading{Output: out}
	data, _ := pack.Pack(&one)
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			format.ReadFile(file, "runs/a.log")
		}
	})
	b.Run("pack", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(float64(len(data)), "bytes")
		texts := pack.NewTexts()
		for b.Loop() {
			pack.Unpack[reading](data, texts)
		}
	})
	b.Run("packing", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pack.Pack(&one)
		}
	})
	b.Run("gob", func(b *testing.B) { // many in one stream
		var buf bytes.Buffer
		enc := gob.NewEncoder(&buf)
		for range b.N + 1 {
			enc.Encode(one)
		}
		b.ReportMetric(float64(buf.Len()/(b.N+1)), "bytes")
		dec := gob.NewDecoder(&buf)
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			var r reading
			if dec.Decode(&r) != nil {
				b.Fatal()
			}
		}
	})
}
