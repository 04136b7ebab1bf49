package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/stats"
)

// TestSentence checks that the sentence says what is better, what is worse, by how much, and what may be the
// cause.
func TestSentence(t *testing.T) {
	t.Parallel()
	repeats := func(line, metric string, from float64) []string {
		return repeated(line, metric, from, from+.1, from+.2, from+.3)
	}
	for _, c := range []struct {
		what     string
		a, b     []string
		en, zh   string
		variants bool
	}{
		{"both ways", []string{"1 model=x output_throughput:100 ttft_p99:100 requests_completed:200"}, []string{"2 model=y output_throughput:183 ttft_p99:120 requests_completed:200"},
			"At the same known settings, B is 1.8 times as fast as A in output throughput; its P99 TTFT is 20% higher (worse). Single runs: differences under 3%–12% are not ranked.",
			"在已知设置相同时，B 的输出吞吐量是 A 的 1.8 倍（更好）；其 P99 TTFT 高 20%（更差）。均为单次运行：小于 3%–12% 的差异不作排序。", false},
		{"better in all", []string{"1 model=x output_throughput:100 ttft_mean:100"}, []string{"2 model=y output_throughput:112 ttft_mean:50"},
			"At the same known settings, B is 12% faster than A in output throughput; no compared metric is worse. Single runs: differences under 3% are not ranked.",
			"在已知设置相同时，B 的输出吞吐量比 A 高 12%（更好）；对比的指标均未变差。均为单次运行：小于 3% 的差异不作排序。", false},
		{"no throughput", []string{"1 model=x ttft_mean:100 tpot_mean:10"}, []string{"2 model=y ttft_mean:300 tpot_mean:11"},
			"At the same known settings, the mean TTFT of B is 3.0 times that of A (worse); no compared metric is better. Single runs: differences under 3% are not ranked.", "", false},
		{"another setting", []string{"1 model=x num_prompts=10 output_throughput:100"}, []string{"2 model=y num_prompts=20 output_throughput:50"},
			"Settings differ that may be the cause (prompts); as measured, B is 50% slower than A in output throughput; no compared metric is better. Single runs: differences under 3% are not ranked.", "", false},
		{"within noise", []string{"1 model=x output_throughput:100"}, []string{"2 model=y output_throughput:102"},
			"At the same known settings, no difference is shown between B and A. Single runs: differences under 3% are not ranked.", "", false},
		{"excluded", []string{"1 model=x output_throughput:100"}, []string{"2 model=y output_throughput:200 !physics.x"},
			"B against A: the figures support no verdict (2 is excluded by physics.x).", "", false},
		{"repeats", repeats("a model=x", "output_throughput", 100), repeats("b model=y", "output_throughput", 120),
			"At the same known settings, B is 20% faster than A in output throughput; no compared metric is worse. Differences are tested over the repeats.", "", false},
		{"nothing in common", []string{"1 model=x ttft_mean:1"}, []string{"2 model=y tpot_mean:1"}, "Nothing could be compared.", "没有可以对比的结果。", false},
		{"loads of two variants", []string{"1 model=x load=low output_throughput:100", "2 model=x load=high output_throughput:100 ttft_mean:10", "3 model=x load=peak output_throughput:900"},
			[]string{"4 model=y load=low output_throughput:200", "5 model=y load=high output_throughput:400 ttft_mean:20"},
			"At the same known settings, in the geometric mean of 2 matched pairs, B is 2.8 times as fast as A in output throughput; its mean TTFT is 2.0 times as high (worse). Single runs: differences under 3% are not ranked.",
			"在已知设置相同时，按 2 对匹配结果的几何平均，B 的输出吞吐量是 A 的 2.8 倍（更好）；其平均 TTFT 为 2.0 倍（更差）。均为单次运行：小于 3% 的差异不作排序。", true},
		{"loads that contradict", []string{"1 model=x load=low output_throughput:100", "2 model=x load=high output_throughput:100"}, []string{"4 model=y load=low output_throughput:200", "5 model=y load=high output_throughput:50"},
			"At the same known settings, B against A: output throughput is better in 1 and worse in 1 of the pairs. Single runs: differences under 3% are not ranked.", "", true},
		{"a sweep without names", []string{"1 model=x max_concurrency=1 output_throughput:100", "2 model=x max_concurrency=8 output_throughput:400"}, []string{"3 model=y max_concurrency=8 output_throughput:800", "4 model=y max_concurrency=32 output_throughput:1"},
			"At the same known settings, B is 2.0 times as fast as A in output throughput; no compared metric is worse. Single runs: differences under 3% are not ranked.", "", true},
	} {
		compared := Runs(side("A", c.a...), side("B", c.b...), Options{})
		if c.variants {
			compared = Variants(side("A", c.a...), side("B", c.b...), Options{})
		}
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			p, _ := locale.For(lang)
			if got := p.Say(compared.Sentence()); want != "" && got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", c.what, got, want)
			}
		}
	}
}

// TestOverall checks for random comparisons that the figures of a pair are sorted by size, differences first,
// and that the mean of a metric is that of the pairs in which both values count.
func TestOverall(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	metrics := []string{"output_throughput", "ttft_mean", "ttft_p99", "tpot_mean", "requests_failed"}
	for range 120 {
		draw := func(model string) []string {
			var lines []string
			for i, load := range []string{"low", "high", "peak"} {
				if random.IntN(5) == 0 {
					continue
				}
				line := fmt.Sprintf("%s%d model=%s load=%s", model, i, model, load)
				for _, m := range metrics {
					if random.IntN(5) > 0 {
						line += fmt.Sprintf(" %s:%d", m, random.IntN(4)*40+random.IntN(3))
					}
				}
				if random.IntN(6) == 0 {
					line += " !check"
				}
				lines = append(lines, line)
			}
			return lines
		}
		a, b := draw("x"), draw("y")
		c := Variants(side("A", a...), side("B", b...), Options{})
		for _, p := range c.Pairs {
			for i := 1; i < len(p.Figures); i++ {
				x, y := &p.Figures[i-1], &p.Figures[i]
				if rank(x.Verdict) > rank(y.Verdict) || x.Verdict != Same && rank(x.Verdict) == rank(y.Verdict) && x.Size() < y.Size() {
					t.Fatalf("%s %s (%g) is before %s %s (%g)", x.Metric, x.Verdict, x.Size(), y.Metric, y.Verdict, y.Size())
				}
			}
		}
		for _, o := range c.Overall() {
			var ratios []float64
			n := 0
			for _, p := range c.Pairs {
				for _, f := range p.Figures {
					if f.Metric != o.Metric {
						continue
					}
					n++
					if f.HasRatio && f.Ground != Aside && len(f.A.Runs) > 0 && len(f.B.Runs) > 0 && f.A.reason.IsZero() && f.B.reason.IsZero() {
						ratios = append(ratios, f.B.Median/f.A.Median)
					}
				}
			}
			mean, _ := stats.GeoMean(ratios)
			if math.Abs(o.Ratio-mean) > 1e-12 || o.Pairs != len(ratios) || len(o.Figures) != n {
				t.Fatalf("%s: mean %g of %d, want %g of %d", o.Metric, o.Ratio, o.Pairs, mean, len(ratios))
			}
			if o.Verdict == Better && o.Counts[Worse] > 0 || o.Verdict == Worse && o.Counts[Better] > 0 {
				t.Fatalf("%s is %s though pairs contradict it: %v", o.Metric, o.Verdict, o.Counts)
			}
		}
		back := Variants(side("B", b...), side("A", a...), Options{})
		for _, o := range c.Overall() {
			i := slices.IndexFunc(back.Overall(), func(other Overall) bool { return other.Metric == o.Metric })
			if other := back.Overall()[i]; (o.Verdict == Better) != (other.Verdict == Worse) || o.Pairs > 0 && math.Abs(o.Ratio*other.Ratio-1) > 1e-9 {
				t.Fatalf("%s is %s by %g, and the other way round %s by %g", o.Metric, o.Verdict, o.Ratio, other.Verdict, other.Ratio)
			}
		}
		if said := locale.English(c.Sentence()); strings.Contains(said, "%!") || strings.Contains(said, "[compare") {
			t.Fatal(said)
		}
	}
}
