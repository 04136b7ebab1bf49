package site

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// sampleResults returns the judged results of the sample site by id.
func sampleResults(t *testing.T) map[string]*result.Result {
	t.Helper()
	c, ms := config.Read(root)
	if hasErrors(ms) {
		t.Fatal(ms)
	}
	set, err := Dataset(root, &c, nil)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*result.Result{}
	for i := range set.Results {
		byID[set.Results[i].ID] = &set.Results[i]
	}
	return byID
}

// sampleFaults lists the faults of the sample data, calculated by hand. The machine reads 273 GB/s and computes 257
// TFLOPS in BF16, 515 in FP8 and 1030 in FP4, dense.
//
// Memory: the input embedding, 151,936 · 4,096 parameters in 16 bits, is 1.245 GB, of which a token reads one row.
// Reading the other 7.655 of 8.9 GB takes 7.655/273 = 28.04 ms, so with Qwen3-8B-FP8 hardly any token can come sooner,
// at any load and in any power mode. Of the 30B models a token reads 3.04 G parameters, 3.04/273 = 11.13 ms.
//
// Compute: 2043.1 tokens · 2 · 8.2 G = 33.51 Tflop, which takes 130.4 ms at 257 TFLOPS, 65.1 at 515 and 32.5 at 1030;
// the one prompt of GGUF has 2048 tokens, 130.7 ms. 32.8 G parameters take 521.5 ms, 3.3 G active ones 52.5 ms.
var sampleFaults = map[string]struct {
	share float64 // of the bandwidth, or of the peak
	how   string
}{
	"jetson-thor/qwen3-8b-fp8/high memory error":        {1.241, "28.04/22.59"},
	"jetson-thor/qwen3-8b-fp8/low memory error":         {3.158, "28.04/8.88"},
	"jetson-thor-power/120w-free/high memory warning":   {0.992, "28.04/28.27"},
	"jetson-thor-power/120w-free/low memory error":      {1.809, "28.04/15.50"},
	"jetson-thor-power/120w-locked/high memory warning": {1.002, "28.04/27.99, a gap may be lost"},
	"jetson-thor-power/120w-locked/low memory error":    {2.263, "28.04/12.39"},
	"jetson-thor-power/maxn-free/high memory error":     {1.040, "28.04/26.96"},
	"jetson-thor-power/maxn-free/low memory error":      {1.802, "28.04/15.56"},

	"jetson-thor/qwen3-30b-a3b-fp8/low memory error":                  {1.119, "11.13/9.95"},
	"jetson-thor/qwen3-coder-30b-a3b-instruct-fp8/low memory warning": {0.971, "11.13/11.46"},

	"jetson-thor/qwen3-8b/low compute warning":            {1.668, "130.4/78.19"},
	"jetson-thor/qwen3-8b-fp8/low compute warning":        {2.821, "65.1/23.06"},
	"jetson-thor/qwen3-8b-fp4/low compute warning":        {0.844, "32.5/38.55: hardly any time is left"},
	"jetson-thor/qwen3-8b-gguf/low compute warning":       {0.880, "130.7/148.53: hardly any time is left"},
	"jetson-thor/qwen3-8b-awq/low compute warning":        {3.528, "130.4/36.95"},
	"jetson-thor/qwen3-8b-gptq-int4/low compute warning":  {3.536, "130.4/36.87"},
	"jetson-thor/qwen3-8b-gptq-int8/low compute warning":  {2.565, "130.4/50.83"},
	"jetson-thor/qwen3-8b-int4-w4a16/low compute warning": {3.445, "130.4/37.85"},
	"jetson-thor/qwen3-8b-int8-w8a16/low compute warning": {2.596, "130.4/50.23"},
	"jetson-thor-power/120w-free/low compute warning":     {1.884, "65.1/34.54"},
	"jetson-thor-power/120w-locked/low compute warning":   {2.389, "65.1/27.23"},
	"jetson-thor-power/maxn-free/low compute warning":     {1.822, "65.1/35.70"},
	"jetson-thor/qwen3-32b-awq/low compute warning":       {5.398, "521.5/96.62"},

	"jetson-thor/qwen3-coder-30b-a3b-instruct-awq-4bit/low compute warning":   {1.191, "52.5/44.06"},
	"jetson-thor/qwen3-coder-30b-a3b-instruct-awq-8bit/low compute warning":   {0.856, "52.5/61.33: hardly any time is left"},
	"jetson-thor/qwen3-coder-30b-a3b-instruct-int4-w4a16/low compute warning": {1.257, "52.5/41.75"},
}

func TestTheSampleHasTheFaultsThatAreThere(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for id, r := range sampleResults(t) {
		for _, c := range r.Checks {
			kind, ok := strings.CutPrefix(c.ID, "physics.")
			if !ok {
				t.Errorf("%s: %s is not met, though every block agrees with itself", id, c.ID)
				continue
			}
			name := fmt.Sprintf("%s %s %s", id, strings.TrimSuffix(kind, "-roofline"), c.Severity)
			found[name] = true
			want, ok := sampleFaults[name]
			share := max(c.Figures["mbu"], c.Figures["share"])
			if !ok {
				t.Errorf("%s is a fault that is not there", name)
			} else if math.Abs(share-want.share) > 0.002 {
				t.Errorf("%s: share %.4f, by hand %s = %.3f", name, share, want.how, want.share)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sampleFaults)) {
		if !found[name] {
			t.Errorf("%s (%s) is not found", name, sampleFaults[name].how)
		}
	}
}

// TestTheSampleReadsItsWeightsNearTheLimit checks the MBU. BF16 comes near the limit of the machine, (16 −
// 1.245)/273/0.06363 = 84.9 %, with its size in GiB as du reports it. The others follow. GGUF, which also quantizes its
// embedding, is far from it: (5.5 − 0.622·5/8)/273/0.03341 = 56.0 %.
func TestTheSampleReadsItsWeightsNearTheLimit(t *testing.T) {
	t.Parallel()
	results := sampleResults(t)
	for model, want := range map[string]float64{
		"qwen3-8b": 84.9, "qwen3-8b-fp4": 70.4, "qwen3-8b-gptq-int4": 70.7, "qwen3-8b-gptq-int8": 77.3, "qwen3-8b-awq": 70.0,
		"qwen3-8b-int4-w4a16": 70.0, "qwen3-8b-int8-w8a16": 77.4, "qwen3-8b-gguf": 56.0, "qwen3-8b-fp8": 315.8,
	} {
		m, ok := results["jetson-thor/"+model+"/low"].Metric("mbu")
		if !ok || math.Abs(m.Value-want) > 0.05 || !m.Derived {
			t.Errorf("%s: MBU %v, want %v", model, m, want)
		}
	}
}

// TestOnlyTheEditedRunOfTheCorpusContradictsItself checks that the consistency checks do not fire on real output of
// tools. Of all runs in the corpus only one has a fault: a block of a recipe that was edited by hand, where 127152
// tokens in 54.65 s make 2326.7 and not 2200.83 tok/s.
func TestOnlyTheEditedRunOfTheCorpusContradictsItself(t *testing.T) {
	t.Parallel()
	need.Beside(t, root+"/../shared/corpus")
	set, err := rundir.Load(root+"/../shared/corpus", rundir.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Results) < 20 {
		t.Fatalf("only %d results", len(set.Results))
	}
	var got []string
	for i := range set.Results {
		r := &set.Results[i]
		for _, c := range audit.Judge(r).Raised {
			if c.Severity == result.Error {
				got = append(got, fmt.Sprintf("%s:%d %s", path.Base(r.Source.File), c.Line, c.ID))
			}
		}
	}
	if want := []string{"v0.12-recipes-glm-v-2-blocks.md:69 consistency.output-throughput"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestThePostsDrawHonestConclusions checks that the posts state the guide's figures about power modes and clocks as not
// claimed, and that they name no excluded variant as the best.
func TestThePostsDrawHonestConclusions(t *testing.T) {
	t.Parallel()
	posts := jekyllPosts(t, buildSample(t))
	lines := func(name, holding string) (out []string) {
		for line := range strings.Lines(posts[name]) {
			if strings.Contains(line, holding) {
				out = append(out, line)
			}
		}
		return out
	}
	for name, words := range map[string]struct{ withheld, bandwidth, leads, load string }{
		"2025-10-04-power-and-scenarios-en.md":   {"Not claimed", "of the memory bandwidth", "", ""},
		"2025-10-04-power-and-scenarios.md":      {"未作结论", "需要内存带宽的", "", ""},
		"2025-10-04-qwen3-8b-quantization-en.md": {"Not claimed", "of the memory bandwidth", " lead", " load: "},
		"2025-10-04-qwen3-8b-quantization.md":    {"未作结论", "需要内存带宽的", "领先", "负载："},
	} {
		if words.leads == "" {
			for _, figures := range []string{"251.56 → 298.07 tok/s", "+18.5%", "15.56 → 8.88 ms", "−42.9%"} {
				found := lines(name, figures)
				found = slices.DeleteFunc(found, func(line string) bool { return !strings.Contains(line, words.withheld) })
				if len(found) == 0 || !strings.Contains(found[0], words.bandwidth) {
					t.Errorf("%s: %q is not shown as withheld for the bandwidth", name, figures)
				}
			}
			continue
		}
		crowned := 0
		for _, line := range lines(name, words.leads) {
			if strings.Contains(line, words.withheld) || !strings.HasPrefix(line, "- ") || !strings.Contains(line, words.load) {
				continue
			}
			crowned++
			if strings.Contains(line, "FP8") {
				t.Errorf("%s crowns excluded runs: %s", name, line)
			}
		}
		if crowned != 2 {
			t.Errorf("%s: %d leaders, want one for each load", name, crowned)
		}
		for _, line := range lines(name, "<strong>") {
			if strings.HasPrefix(line, "| ") && strings.Contains(line, "FP8") {
				t.Errorf("%s marks a struck row as best: %s", name, line)
			}
		}
	}
}
