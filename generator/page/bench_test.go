package page

import (
	"fmt"
	"testing"

	"benchpost/generator/bench"
)

// BenchmarkRunPages makes the pages of runs in both languages, with the copy
// of the raw file, and reports the time for one page.
func BenchmarkRunPages(b *testing.B) {
	s := fixture()
	builder, err := s.newBuilder()
	if err != nil {
		b.Fatal(err)
	}
	job := builder.runs(builder.results)
	pages := len(builder.results) * len(builder.languages)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := job(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*pages), "µs/page")
}

// BenchmarkRender makes a whole site of two thousand runs.
func BenchmarkRender(b *testing.B) {
	s := manyRuns(2000)
	for b.Loop() {
		n := 0
		if err := s.Render(func(string, []byte) error { n++; return nil }); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n), "files")
	}
}

// manyRuns is the fixture with the runs of a sweep added.
func manyRuns(n int) *Site {
	s := fixture()
	raw := s.Raw
	texts := map[string]string{}
	for i := range n {
		m := fixtureModels[i%len(fixtureModels)]
		r, text := fixtureRun(fmt.Sprintf("sweep/%s/c=%d", m.name, i), m.name, m.quantization, "high", i, 100, m.high)
		r.Labels.Set(labelOf("campaign", "sweep"))
		s.Results = append(s.Results, r)
		texts[r.Source.File] = text
	}
	s.Raw = func(r *bench.Result) (Raw, error) {
		if text, ok := texts[r.Source.File]; ok {
			return Whole([]byte(text)), nil
		}
		return raw(r)
	}
	return s
}

func labelOf(name, value string) bench.Label { return bench.Label{Name: name, Value: value} }
