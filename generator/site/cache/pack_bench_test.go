package cache

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/pack"
)

// BenchmarkRecall compares reading a log with unpacking its cached contents.
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
}
