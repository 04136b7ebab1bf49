package assembly_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/assembly"
	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/site"
)

// BenchmarkArchive writes shards of an archive, takes their census with and without cached values, and builds one of
// its parts for the first time.
func BenchmarkArchive(b *testing.B) {
	const campaigns = 4
	dir, shards := b.TempDir(), b.TempDir()
	if err := invent.ArchiveSite(dir, campaigns); err != nil {
		b.Fatal(err)
	}
	for i := range campaigns {
		if err := invent.ArchiveCampaign(dir, i); err != nil {
			b.Fatal(err)
		}
	}
	written(b, dir, shards)
	b.Run("shards", func(b *testing.B) {
		for b.Loop() {
			written(b, dir, shards)
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*campaigns*invent.ArchiveRuns), "µs/run")
	})
	for name, kept := range map[string]census.Kept{"census": nothing{}, "census again": &memory{kept: map[string][]byte{}}} {
		censusOf(b, kept, shards)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				censusOf(b, kept, shards)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*campaigns*invent.ArchiveRuns), "ns/run")
		})
	}
	b.Run("part", func(b *testing.B) {
		for b.Loop() {
			if err := os.RemoveAll(filepath.Join(dir, ".benchpost")); err != nil { // what a part caches for the next build
				b.Fatal(err)
			}
			results := 0
			if err := assembly.BuildParts(context.Background(), assembly.Apart{Site: site.Options{Dir: dir, Out: b.TempDir(), Progress: func(string) {}}, Shards: []string{shards}, Parts: []string{"c00001"}},
				func(p assembly.BuiltPart) { results += p.Summary.Results }); err != nil || results != invent.ArchiveRuns {
				b.Fatalf("%d results, %v", results, err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*invent.ArchiveRuns), "µs/run")
	})
}
