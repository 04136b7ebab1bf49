package archive

import (
	"context"
	"fmt"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/repository"
)

// manyRuns makes a site with n runs, 16 in each folder.
func manyRuns(b *testing.B, n int) *repository.Repository {
	r := repository.New(b)
	r.Commit("Site", map[string]string{"site.toml": siteTOML, ".gitattributes": sound()[".gitattributes"]})
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("runs/f%d/r%d.log", i/16, i%16)] = run(fmt.Sprintf("m%d", i%40), 1+i%64, float64(10+i%500))
	}
	folder.Write(b, r.Dir, files)
	return r
}

// BenchmarkPrepare reads 16,000 runs, searches them for secrets, and computes checksums and manifests.
func BenchmarkPrepare(b *testing.B) {
	r := manyRuns(b, 16_000)
	opt := options(b, r.Dir)
	opt.DryRun = true
	for b.Loop() {
		p, err := Prepare(context.Background(), opt)
		if err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}

// BenchmarkArchive archives 16,000 runs; "again" has nothing left to do.
func BenchmarkArchive(b *testing.B) {
	r := manyRuns(b, 16_000)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			mustArchive(b, options(b, r.Dir))
			b.StopTimer()
			r.Git("reset", "-q", "--soft", "HEAD~1")
			r.Git("reset", "-q")
			b.StartTimer()
		}
	})
	mustArchive(b, options(b, r.Dir))
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			if _, out := mustArchive(b, options(b, r.Dir)); !out.Nothing {
				b.Fatal(out)
			}
		}
	})
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			if _, ms, err := Verify(r.Dir); err != nil || len(ms) > 0 {
				b.Fatal(ms, err)
			}
		}
	})
}
