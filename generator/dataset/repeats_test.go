package dataset

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestWhatTellsRunsApart checks that arguments of a tool with any name distinguish runs, and that times,
// addresses, names of files and seeds do not.
func TestWhatTellsRunsApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		label string
		apart bool
	}{
		{"x_flash_attn", true}, {"x_type_k", true}, {"x_n_ubatch", true}, {"x_backends", true}, {"x_enforce_eager", true}, {"x_dataset_path", true},
		{"x_kv_cache_dtype", true}, {"x_spec_decoding", true}, {"x_temperature", true}, {"x_stddev_input_tokens", true}, {"flash_attention", true},
		{"x_never_heard_of", true}, {"name", true}, {"model_raw", true}, {"engine_version", true},
		{"repeat", false}, {"date", false}, {"seed", false}, {"x_seed", false}, {"x_host", false}, {"x_port", false}, {"x_tag", false},
		{"x_timestamp", false}, {"x_request_id", false}, {"x_served_model_name", false}, {"x_result_filename", false}, {"x_latency_std", false},
	} {
		rs := []*result.Result{labelled("1", "model=a "+c.label+"=1"), labelled("2", "model=a "+c.label+"=2")}
		if err := Repeats(rs, "cell"); (err != nil) != c.apart {
			t.Errorf("runs that differ in %s: %v", c.label, err)
		}
		if sets := RepeatSets(rs); (sets[0] != sets[1]) != c.apart {
			t.Errorf("runs that differ in %s are in sets %v", c.label, sets)
		}
	}
}

// TestTheProblemNamesWhatDiffers checks that the problem has the labels that differ, with their values.
func TestTheProblemNamesWhatDiffers(t *testing.T) {
	t.Parallel()
	err := Repeats([]*result.Result{labelled("1", "model=a x_flash_attn=0"), labelled("2", "model=a x_flash_attn=1")}, `model="a"`)
	var p *Problem
	if !errors.As(err, &p) || p.Error() != `2 runs fall into one cell: model="a"` || !strings.Contains(locale.English(p.Hint), "x_flash_attn (0, 1)") {
		t.Errorf("%+v", p)
	}
}

// TestRunsWithoutAModelAreNoRepeats checks that runs without a label that names what they measured are not
// pooled unless declared to be repeats, and that the problem suggests the names of their files.
func TestRunsWithoutAModelAreNoRepeats(t *testing.T) {
	t.Parallel()
	named := func(labels string) []*result.Result {
		a, b := labelled("1", labels), labelled("2", labels)
		a.Source.File, b.Source.File = "runs/llama3-8b.txt", "runs/qwen3-8b.txt"
		return []*result.Result{a, b}
	}
	rs := named("load=high")
	var p *Problem
	if err := Repeats(rs, "cell"); !errors.As(err, &p) || !p.Lack || !strings.Contains(p.Error(), "runs/llama3-8b.txt, runs/qwen3-8b.txt") ||
		!strings.Contains(locale.English(p.Hint), `files."llama3-8b.txt".model = "llama3-8b"`) {
		t.Errorf("%+v", p)
	}
	if sets := RepeatSets(rs); sets[0] == sets[1] {
		t.Error("they are one set")
	}
	for _, labels := range []string{"model=a", "repeat=1", "x_benchmark=sort"} {
		rs := named(labels)
		rs[0].Source.File, rs[1].Source.File = "runs/1.txt", "runs/2.txt"
		if err := Repeats(rs, "cell"); err != nil {
			t.Errorf("%s: %v", labels, err)
		}
	}
}

// TestSetsAreWhatRepeatsAre checks that two runs are in the same set exactly if they are repeats of one
// another.
func TestSetsAreWhatRepeatsAre(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	names := []string{"model", "load", "seed", "date", "x_flash_attn", "x_host", "repeat"}
	for range 2000 {
		rs := make([]*result.Result, 2)
		for i := range rs {
			var labels []string
			for _, name := range names {
				if v := random.IntN(3); v > 0 {
					labels = append(labels, name+"="+string(rune('0'+v)))
				}
			}
			rs[i] = labelled(string(rune('a'+i)), strings.Join(labels, " "))
			if random.IntN(4) == 0 {
				rs[i].Metrics[0].Kind = &result.Kind{Name: "quality"}
			}
		}
		sets, err := RepeatSets(rs), Repeats(rs, "cell")
		if MeasureAlike(rs[0], rs[1]) && (sets[0] == sets[1]) != (err == nil) {
			t.Fatalf("%v and %v: sets %v, %v", rs[0].Labels, rs[1].Labels, sets, err)
		}
	}
}

func TestDatesFarApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dates []string
		far   bool
	}{
		{nil, false}, {[]string{"2026-01-01"}, false}, {[]string{"2026-01-01", "2026-01-08"}, false}, {[]string{"2026-01-09", "2026-01-01"}, true},
		{[]string{"2026-01-01T23:59:00Z", "2026-01-08T00:01:00Z"}, false}, {[]string{"yesterday", "2026-01-08"}, false},
	} {
		var rs []*result.Result
		for _, date := range c.dates {
			rs = append(rs, labelled("", "date="+date))
		}
		if _, _, far := Dates(rs); far != c.far {
			t.Errorf("%v: far apart %v", c.dates, far)
		}
	}
}

// TestNamesOfFiles checks that names of files and folders distinguish runs if they have more information than
// the number of the repeat and the labels.
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b   string
		repeat bool
	}{
		{"run-1.log", "run-2.log", true}, {"run-1.log", "run-again.log", true}, {"run.log", "rerun.log", true}, {"first.json", "second.json", true},
		{"bench-20260131-120000.json", "bench-20260201-093000.json", true}, {"bench-20260131T120000Z.json", "bench-20260201T093000Z.json", true},
		{"out-3f9c2ab1.json", "out-77d0e4c2.json", true}, {"monday.log", "tuesday.log", true}, {"a.log", "b.log", true}, {"x/seed7.log", "y/seed8.log", true},
		{"gpu_only.json", "hybrid.json", false}, {"minimax_dep8.json", "minimax_tep8.json", false}, {"rocm6_4_4__hblt0.log", "rocm6_4_4.log", false},
		{"GLM-4.6-Q4_K__rocm6.log", "GLM-4.6-Q4_K__rocm7.log", false}, {"GLM-4.6-Q4_K_1.log", "GLM-4.6-Q4_K_2.log.gz", true},
		{"isl20480.json", "isl22528.json", false}, {"llama-fp8.log", "llama-q4.log", false}, {"run-1.log", "run-1-mtp.log", false},
		{"default-profile/x.json", "profile_performance_iommu-off/x.json", false}, {"fp8/deep/x.json", "q4/deep/x.json", false}, {"x.json", "tuned/x.json", false},
		{"2026-01-01T12-00-00/x.json", "2026-01-02T09:30:05/x.json", true}, {"x-2026-01-01T12-00-00Z.json", "x-2026-01-02T09-30-05Z.json", true},
		{"16t32/x.json", "32t16/x.json", false}, {"tp2/x.json", "tp4/x.json", false},
		{"run1/high.log", "run2/high.log", true}, {"2026-01-01/high.log", "2026-01-02/high.log", true}, {"trial-a/1/x.log", "3f9c2ab1/trial-b/x.log", true},
		{"spring/x.log", "x.log", true}, {"M/x.log", "m/again/x.log", true}, {"spring/load=high/x.log", "load=high/rerun/x.log", true},
		{"第1次/压测.log", "第2次/压测.log", true}, {"压测第一次.log", "压测第二次.log", true}, {"第1轮测试/压测.log", "复测/压测.log", true}, {"压测.log", "压测 - 副本 (2).log", true},
		{"11月2日/压测.log", "2026年11月3日下午/压测.log", true}, {"压测_重复1.log", "压测_重复2.log", true}, {"周一/压测.log", "星期二/压测.log", true},
		{"并发8/压测.log", "并发32/压测.log", false}, {"优化前/压测.log", "优化后/压测.log", false}, {"第1次-开启缓存/压测.log", "第2次/压测.log", false}, {"批次1.log", "批次8.log", false},
		{"load=high/x.log", "x.log", true}, {"what=this/x.log", "what=that/x.log", false}, {"here/x.log", "there/x.log", false},
	} {
		labels := "model=m campaign=spring load=high x_output_dir=here"
		rs := []*result.Result{labelled("1", labels), labelled("2", labels)}
		rs[0].Source.File, rs[1].Source.File = "runs/"+c.a, "runs/"+c.b
		sets := RepeatSets(rs)
		if got := Repeats(rs, "cell") == nil; got != c.repeat || got != (sets[0] == sets[1]) {
			t.Errorf("%s and %s: repeats %v, sets %v", c.a, c.b, got, sets)
		}
	}
	tagged := []*result.Result{labelled("1", "model=m x_tag=pd_1p1d"), labelled("2", "model=m x_tag=pd_1p8d")}
	if Repeats(tagged, "cell") == nil {
		t.Error("tags that say more than which repeat it is are passed over")
	}
}

// TestResultsOfOneFile checks that equal rows of a table are not repeats, and that runs of a loop, whose log
// has their arguments, are.
func TestResultsOfOneFile(t *testing.T) {
	t.Parallel()
	rs := []*result.Result{labelled("1", "model=m"), labelled("2", "model=m")}
	for _, r := range rs {
		r.Source.File = "runs/session.log"
	}
	if Repeats(rs, "cell") == nil {
		t.Error("two rows of a table are pooled")
	}
	for _, r := range rs {
		r.Labels.Set(result.Label{Name: "seed", Value: "0", Origin: result.Measured})
	}
	if err := Repeats(rs, "cell"); err != nil {
		t.Error(err)
	}
	for i, r := range rs {
		r.Labels = labelled("", "model=m date=2026-01-0"+string(rune('1'+i))).Labels
	}
	if err := Repeats(rs, "cell"); err != nil {
		t.Error(err)
	}
}

// TestResultsOfOneFileThatAreFarApart checks that results of one file with very different throughputs are not
// repeats unless declared so, because no label states their difference, and that those of two files are: they
// scatter.
func TestResultsOfOneFileThatAreFarApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		files  string // last letter of each name
		repeat bool
		times  float64
		pooled bool
	}{
		{"aa", false, 1.4, true}, {"aa", false, 1.6, false}, {"aa", false, 1 / 1.6, false}, {"ab", false, 5, true}, {"aa", true, 5, true},
	} {
		rs := []*result.Result{labelled("1", "model=m date=2026-01-01"), labelled("2", "model=m date=2026-01-02")}
		for i, r := range rs {
			r.Source.File = "runs/session-" + c.files[i:i+1] + ".jsonl"
			if c.repeat {
				r.Labels.Set(result.Label{Name: "repeat", Value: string(rune('1' + i))})
			}
		}
		rs[1].Metrics[0].Value *= c.times
		if err := Repeats(rs, "cell"); (err == nil) != c.pooled {
			t.Errorf("%+v: %v", c, err)
		}
		if sets := RepeatSets(rs); (sets[0] == sets[1]) != c.pooled {
			t.Errorf("%+v: sets %v", c, sets)
		}
	}
}

// TestCapturedLabels checks that captured arguments distinguish runs, and that captured facts of the machine do
// not.
func TestCapturedLabels(t *testing.T) {
	t.Parallel()
	for name, apart := range map[string]bool{"x_extra_vllm_args": true, "x_gpu_memory_utilization": true, "x_kernel": false, "x_cpu": false, "x_driver": false, "x_started": false} {
		rs := []*result.Result{labelled("1", "model=m"), labelled("2", "model=m")}
		for i, r := range rs {
			r.Labels.Set(result.Label{Name: name, Value: string(rune('a' + i)), Origin: result.Captured})
		}
		if got := Repeats(rs, "cell") != nil; got != apart {
			t.Errorf("%s tells apart: %v", name, got)
		}
	}
}
