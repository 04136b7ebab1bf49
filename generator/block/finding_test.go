package block_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// judged adds derived metrics and checks to runs, like a site.
func judged(rs ...*result.Result) *dataset.Selection {
	d := sample()
	d.Results = rs
	for _, r := range rs {
		new(audit.Auditor).Complete(r)
	}
	return d
}

// thor returns five variants of Qwen3-8B on a machine with a memory bandwidth of 273 GB/s. Those of FP8 are faster than
// that allows.
func thor() *dataset.Selection {
	const machine = " memory_bandwidth=273_GB/s params=8.2_G active_params=8.2_G output_len=128 "
	high, low := machine+"load=high max_concurrency=8 num_prompts=100 requests_completed:100 ", machine+"load=low max_concurrency=1 num_prompts=10 requests_completed:10 "
	return judged(
		run("bf16/high model=BF16 quantization=BF16 weight_size=16_G output_throughput:82.47 ttft_mean:974.57 tpot_mean:85.33"+high),
		run("bf16/low model=BF16 quantization=BF16 weight_size=16_G output_throughput:15.69 ttft_mean:78.19 tpot_mean:63.63"+low),
		run("fp4/high model=FP4 quantization=FP4 weight_size=6_G output_throughput:167.20 ttft_mean:570.92 tpot_mean:42.08"+high),
		run("fp4/low model=FP4 quantization=FP4 weight_size=6_G output_throughput:40.26 ttft_mean:38.55 tpot_mean:24.73"+low),
		run("fp8/high model=FP8 quantization=FP8 weight_size=8.9_G output_throughput:298.07 ttft_mean:495.44 tpot_mean:22.59"+high),
		run("fp8/low model=FP8 quantization=FP8 weight_size=8.9_G output_throughput:111.15 ttft_mean:23.06 tpot_mean:8.88"+low),
		run("gguf/high model=GGUF quantization=Q5_K_M weight_size=5.5_G output_throughput:7.91 ttft_mean:43688.41 tpot_mean:670.56"+high),
		run("gguf/low model=GGUF quantization=Q5_K_M weight_size=5.5_G output_throughput:29.14 ttft_mean:148.53 tpot_mean:33.41"+low),
		run("int8/high model=Int8 quantization=W8A16 weight_size=8.9_G output_throughput:81.28 ttft_mean:2294.06 tpot_mean:77.95"+high),
		run("int8/low model=Int8 quantization=W8A16 weight_size=8.9_G output_throughput:27.52 ttft_mean:50.23 tpot_mean:36.22"+low),
	)
}

// findings evaluates a block and writes it: "+" claims, "-" withheld, "?" limits.
func findings(t *testing.T, d *dataset.Selection, body, lang string) string {
	t.Helper()
	b, ms := block.Evaluate(d, "findings", []byte(body), result.Position{File: "post.md", Line: 10})
	if len(ms) > 0 || b.Findings == nil {
		t.Fatalf("messages %v", ms)
	}
	p, _ := locale.For(lang)
	var out strings.Builder
	for _, f := range b.Findings.Claims {
		fmt.Fprintf(&out, "+ %s %v %s\n", f.Rule, f.Runs, p.Say(f.Text))
	}
	for _, f := range b.Findings.Withheld {
		fmt.Fprintf(&out, "- %s %v %s [%s]\n", f.Rule, f.Runs, p.Say(f.Text), p.Say(f.Reason))
	}
	for _, f := range b.Findings.Limits {
		fmt.Fprintf(&out, "? %s %v %s\n", f.Rule, f.Runs, p.Say(f.Text))
	}
	return out.String()
}

// TestFindingsOfASoundAndAnImpossibleVariant: 8.9/273 is 32.60 ms: 144 % of the bandwidth at 22.59 ms, 367 % at 8.88.
// 16/273/63.63 = 92.1 %, 6/273/24.73 = 88.9 %, 8.9/273/36.22 = 90.0 %, 5.5/273/33.41 = 60.3 %. 43688.41/148.53 = 294;
// 2294.06/50.23 = 45.7, 570.92/38.55 = 14.8, 974.57/78.19 = 12.5.
func TestFindingsOfASoundAndAnImpossibleVariant(t *testing.T) {
	body := `baseline = '{model="BF16"}'`
	for lang, want := range map[string]string{
		"en": `
+ aside [fp8/high fp8/low] FP8: 2 runs (high load and low load) are excluded and not counted below: at this speed it would need 144–367% of the memory bandwidth.
+ leader [bf16/high fp4/high] High load: FP4 leads by output throughput: 167.20 tok/s, 2.03× that of BF16 (82.47 tok/s).
+ leader [fp4/low gguf/low] Low load: FP4 leads by mean TPOT: 24.73 ms, 26.0% below that of GGUF (33.41 ms).
+ collapse [gguf/high gguf/low] GGUF collapses under load: from low load to high load its mean TTFT goes from 148.53 ms to 43.7 s (294×); with the others the factor is 12–46×.
+ baseline [bf16/high fp4/high gguf/high int8/high] High load: against BF16 (output throughput 82.47 tok/s), of the other 3 variants 1 is faster (2.03×, FP4), 1 is level (within 3%), 1 is slower (0.0959×, GGUF).
+ gain [bf16/high bf16/low gguf/high gguf/low] From low load to high load output throughput grows most with BF16 (5.26×); with GGUF it falls (0.27×).
+ baseline [bf16/low fp4/low gguf/low int8/low] Low load: against BF16 (mean TPOT 63.63 ms), all 3 other variants are faster (up to 2.57×, FP4).
+ bandwidth [bf16/low fp4/low gguf/low int8/low] Low load: 3 of 4 variants read their weights at 89–92% of the memory bandwidth: TPOT follows the size of the weights. From 16 G to 6 G (BF16, FP4) it falls from 63.63 ms to 24.73 ms. GGUF reaches only 60%; something else limits it.
- leader [bf16/low fp8/low] Low load: FP8 leads by mean TPOT: 8.88 ms, 86.0% below that of BF16 (63.63 ms). [Because at this speed it would need 367% of the memory bandwidth.]
- leader [bf16/high fp8/high] High load: FP8 leads by output throughput: 298.07 tok/s, 3.61× that of BF16 (82.47 tok/s). [Because at this speed it would need 144% of the memory bandwidth.]
? single [] Every figure comes from one run (n = 1). How much runs scatter is unknown; differences under 3% are not ranked.
? quality [] The loss of quality by quantization was not measured.
`,
		"zh": `
+ aside [fp8/high fp8/low] FP8 的 2 次运行（高负载和低负载）被排除，以下均不计入。原因：按此速度需要内存带宽的 144–367%。
+ leader [bf16/high fp4/high] 高负载：FP4 的输出吞吐量领先，为 167.20 tok/s，是 BF16（82.47 tok/s）的 2.03 倍。
+ leader [fp4/low gguf/low] 低负载：FP4 的平均 TPOT 领先，为 24.73 ms，比 GGUF（33.41 ms）低 26.0%。
+ collapse [gguf/high gguf/low] GGUF 在负载升高后性能急剧恶化：从低负载到高负载，平均 TTFT 由 148.53 ms 升至 43.7 s（294 倍）；其余变体为 12–46 倍。
+ baseline [bf16/high fp4/high gguf/high int8/high] 高负载：以 BF16（输出吞吐量 82.47 tok/s）为基线，其余 3 个变体中 1 个更快（2.03×，FP4），1 个持平（3% 以内），1 个更慢（0.0959×，GGUF）。
+ gain [bf16/high bf16/low gguf/high gguf/low] 从低负载到高负载，输出吞吐量增长最多的是 BF16（5.26×）；GGUF 反而下降（0.27×）。
+ baseline [bf16/low fp4/low gguf/low int8/low] 低负载：以 BF16（平均 TPOT 63.63 ms）为基线，其余 3 个变体都更快（最高 2.57×，FP4）。
+ bandwidth [bf16/low fp4/low gguf/low int8/low] 低负载：4 个变体中有 3 个以内存带宽的 89–92% 读取权重：TPOT 随权重大小而变。从 16 G 到 6 G（BF16，FP4），TPOT 由 63.63 ms 降至 24.73 ms。GGUF 只达到 60%，瓶颈在别处。
- leader [bf16/low fp8/low] 低负载：FP8 的平均 TPOT 领先，为 8.88 ms，比 BF16（63.63 ms）低 86.0%。 [因为按此速度需要内存带宽的 367%。]
- leader [bf16/high fp8/high] 高负载：FP8 的输出吞吐量领先，为 298.07 tok/s，是 BF16（82.47 tok/s）的 3.61 倍。 [因为按此速度需要内存带宽的 144%。]
? single [] 每个数字来自单次运行（n = 1），离散程度未知；3% 以内的差别不作排序。
? quality [] 未测量量化对质量的影响。
`,
	} {
		if got := "\n" + findings(t, thor(), body, lang); got != want {
			t.Errorf("%s: got%swant%s", lang, got, want)
		}
	}
}

// TestFindingsAcrossASwitch checks that switches are named with their label, and that runs are not compared if only
// some of them name the model.
func TestFindingsAcrossASwitch(t *testing.T) {
	of := func(model, other string) *dataset.Selection {
		return judged(run("on load=high flash_attention=true output_throughput:30.00"+model), run("off load=high flash_attention=false output_throughput:90.00"+other))
	}
	const body = `rows = "flash_attention"`
	for _, c := range []struct{ model, other, lang, want string }{
		{" model=A", " model=A", "en", "+ leader [off on] High load: flash attention off leads by output throughput: 90.00 tok/s, 3.00× that of flash attention on (30.00 tok/s)."},
		{"", "", "en", "+ leader [off on] High load: flash attention off leads"},
		{" model=A", " model=A", "zh", "+ leader [off on] 高负载：Flash Attention 关闭的输出吞吐量领先，为 90.00 tok/s，是 Flash Attention 开启（30.00 tok/s）的 3.00 倍。"},
		{" model=A", "", "en", "- leader [off on] High load: flash attention off leads by output throughput: 90.00 tok/s, 3.00× that of flash attention on (30.00 tok/s). [Because the runs are not known to share one model.]"},
		{" model=A", " model=B", "zh", "[因为无法确定各次运行用的是同一个模型。]"},
	} {
		if got := findings(t, of(c.model, c.other), body, c.lang); !strings.Contains(got, c.want) {
			t.Errorf("%q and %q: got\n%swithout %s", c.model, c.other, got, c.want)
		}
	}
}

// TestANoteNamesFewValues checks that a note names a few values of a setting and counts the others.
func TestANoteNamesFewValues(t *testing.T) {
	en, _ := locale.For("en")
	others := regexp.MustCompile(`(\d+) other values`)
	for n := 2; n < 40; n++ {
		d := sample()
		d.Results = nil
		for i := range n {
			d.Results = append(d.Results, run(fmt.Sprintf("r%02d model=M%02d dataset=corpus%02d output_throughput:%d", i, i, i, 30+i)))
		}
		b, ms := block.Evaluate(d, "table", []byte("columns = ['output_throughput']"), result.Position{})
		if faults(ms) != nil || b.Table == nil {
			t.Fatal(ms)
		}
		named, counted := 0, 0
		for _, note := range b.Table.Notes {
			said := en.Say(note.Text)
			named += strings.Count(said, "corpus")
			if m := others.FindStringSubmatch(said); m != nil {
				counted, _ = strconv.Atoi(m[1])
			}
		}
		if named+counted != n || named > 8 {
			t.Errorf("of %d values %d are named and %d counted", n, named, counted)
		}
	}
}

// TestAClaimNamesWhatElseDiffers checks that a claim that compares models names every setting in which they differ.
func TestAClaimNamesWhatElseDiffers(t *testing.T) {
	said := func(first, second string) string {
		return findings(t, judged(run("a model=A output_throughput:30.00 "+first), run("b model=B output_throughput:90.00 "+second)), `rows = "model"`, "en")
	}
	en, _ := locale.For("en")
	for _, setting := range condition.Decisive() {
		if setting == "model" || audit.Explains("model", setting) || audit.Explains(setting, "model") {
			continue
		}
		if got := said(setting+"=1", setting+"=1"); !strings.Contains(got, "+ leader [a b]") || strings.Contains(got, "? unlike") {
			t.Errorf("%s is the same:\n%s", setting, got)
		}
		if got, want := said(setting+"=1", setting+"=2"), "? unlike [b] "+en.Say(locale.LabelName(setting))+": "; !strings.Contains(got, want) {
			t.Errorf("%s differs:\n%swithout %s", setting, got, want)
		}
	}
}

// TestEachRuleFiresAndDoesNot checks that every rule fires in its case, and in no other.
func TestEachRuleFiresAndDoesNot(t *testing.T) {
	high := func(model, rest string) *result.Result {
		return run(model + "/high load=high max_concurrency=8 model=" + model + " " + rest)
	}
	low := func(model, rest string) *result.Result {
		return run(model + "/low load=low max_concurrency=1 model=" + model + " " + rest)
	}
	setting := func(clocks, rest string) *result.Result {
		return run("c/" + clocks + " model=M load=high clocks=" + clocks + " " + rest)
	}
	for _, c := range []struct {
		name, rule, want string // want is part of the sentence, "" if the rule must not fire
		runs             []*result.Result
	}{
		{"one leads", "leader", "A leads by output throughput: 12.00 tok/s, 1.20× that of B", []*result.Result{high("A", "output_throughput:12.00"), high("B", "output_throughput:10.00")}},
		{"two lead together", "leader", "A and B lead by output throughput and cannot be told apart: 12.00–12.20 tok/s", []*result.Result{high("A", "output_throughput:12.20"), high("B", "output_throughput:12.00"), high("C", "output_throughput:10.00")}},
		{"all are level", "leader", "", []*result.Result{high("A", "output_throughput:10.20"), high("B", "output_throughput:10.00")}},
		{"all are level", "indistinct", "A and B cannot be told apart by output throughput: 10.00–10.20 tok/s (n = 1)", []*result.Result{high("A", "output_throughput:10.20"), high("B", "output_throughput:10.00")}},
		{"all differ", "indistinct", "", []*result.Result{high("A", "output_throughput:12.00"), high("B", "output_throughput:10.00")}},
		{"one alone", "leader", "", []*result.Result{high("A", "output_throughput:12.00")}},

		{"the larger is slower", "dominated", "B: at every load measured, a variant that is no larger beats it and is worse in nothing: A", []*result.Result{high("A", "base_model=M weight_size=6_G output_throughput:12.00"), high("B", "base_model=M weight_size=9_G output_throughput:10.00")}},
		{"the larger is the base itself", "dominated", "B: at every load measured", []*result.Result{high("A", "base_model=B weight_size=6_G output_throughput:12.00"), high("B", "weight_size=9_G output_throughput:10.00")}},
		{"the larger is faster", "dominated", "", []*result.Result{high("A", "base_model=M weight_size=6_G output_throughput:10.00"), high("B", "base_model=M weight_size=9_G output_throughput:12.00")}},
		{"outdone at one load only", "dominated", "", []*result.Result{
			high("A", "base_model=M weight_size=6_G output_throughput:12.00"), high("B", "base_model=M weight_size=9_G output_throughput:10.00"),
			low("A", "base_model=M weight_size=6_G output_throughput:4.00 tpot_mean:40.0"), low("B", "base_model=M weight_size=9_G output_throughput:5.00 tpot_mean:30.0")}},
		{"a small model against a large one", "dominated", "", []*result.Result{high("Llama-3.2-1B-Instruct", "weight_size=2_G output_throughput:900.00"), high("gpt-oss-20b", "weight_size=13_G output_throughput:100.00")}},
		{"other bases of one size", "dominated", "", []*result.Result{high("A", "base_model=M params=8_B weight_size=6_G output_throughput:12.00"), high("B", "base_model=N params=8_B weight_size=9_G output_throughput:10.00")}},
		{"as many parameters", "dominated", "B: at every load measured", []*result.Result{high("A", "params=8.03_B weight_size=6_G output_throughput:12.00"), high("B", "params=8.19_B weight_size=9_G output_throughput:10.00")}},
		{"fewer parameters", "dominated", "", []*result.Result{high("A", "params=7.2_B weight_size=6_G output_throughput:12.00"), high("B", "params=8.2_B weight_size=9_G output_throughput:10.00")}},
		{"published as variants of one model", "dominated", "Qwen3-8B: at every load measured", []*result.Result{high("Qwen3-8B-AWQ", "weight_size=6_G output_throughput:12.00"), high("Qwen3-8B", "weight_size=16_G output_throughput:10.00")}},
		{"a faster model that is smaller hides no variant", "dominated", "Qwen3-8B: at every load measured, a variant that is no larger beats it and is worse in nothing: Qwen3-8B-AWQ", []*result.Result{
			high("Llama-3.2-1B-Instruct", "weight_size=2_G output_throughput:900.00"), high("Qwen3-8B-AWQ", "weight_size=6_G output_throughput:12.00"), high("Qwen3-8B", "weight_size=16_G output_throughput:10.00")}},

		{"one collapses", "collapse", "C collapses under load: from low load to high load its mean TTFT goes from 10.0 ms to 900.0 ms (90×); with the others the factor is 10–12×.", []*result.Result{
			low("A", "ttft_mean:10.0"), high("A", "ttft_mean:100.0"), low("B", "ttft_mean:10.0"), high("B", "ttft_mean:120.0"), low("C", "ttft_mean:10.0"), high("C", "ttft_mean:900.0")}},
		{"all wait alike", "collapse", "mean TTFT grows 10–13×, most with C", []*result.Result{
			low("A", "ttft_mean:10.0"), high("A", "ttft_mean:100.0"), low("B", "ttft_mean:10.0"), high("B", "ttft_mean:120.0"), low("C", "ttft_mean:10.0"), high("C", "ttft_mean:130.0")}},
		// The ratio of C, 2.0, is four times the 0.5 of the others, but its time only doubles.
		{"the others become faster", "collapse", "", []*result.Result{
			low("A", "ttft_mean:10.0"), high("A", "ttft_mean:5.0"), low("B", "ttft_mean:10.0"), high("B", "ttft_mean:5.0"), low("C", "ttft_mean:10.0"), high("C", "ttft_mean:20.0")}},
		{"two are too few to call one an outlier", "collapse", "", []*result.Result{low("A", "ttft_mean:10.0"), high("A", "ttft_mean:100.0"), low("B", "ttft_mean:10.0"), high("B", "ttft_mean:900.0")}},

		{"streams together bring more", "gain", "grows most with A (4.00×) and least with B (2.00×)", []*result.Result{
			low("A", "output_throughput:1.00 tpot_mean:1.0"), high("A", "output_throughput:4.00"), low("B", "output_throughput:1.00 tpot_mean:1.0"), high("B", "output_throughput:2.00")}},
		{"streams together bring less", "gain", "with B it falls (0.50×)", []*result.Result{
			low("A", "output_throughput:1.00 tpot_mean:1.0"), high("A", "output_throughput:4.00"), low("B", "output_throughput:1.00 tpot_mean:1.0"), high("B", "output_throughput:0.50")}},
		{"no streams bring more", "gain", "grows with no variant: from A (0.80×) to B (0.50×)", []*result.Result{
			low("A", "output_throughput:10.00 tpot_mean:1.0"), high("A", "output_throughput:8.00"), low("B", "output_throughput:10.00 tpot_mean:1.0"), high("B", "output_throughput:5.00")}},
		{"all gain alike", "gain", "", []*result.Result{
			low("A", "output_throughput:1.00 tpot_mean:1.0"), high("A", "output_throughput:4.00"), low("B", "output_throughput:2.00 tpot_mean:1.0"), high("B", "output_throughput:8.00")}},
		{"one load alone", "gain", "", []*result.Result{high("A", "output_throughput:4.00"), high("B", "output_throughput:2.00")}},

		{"a setting", "effect", "Clocks, free → locked: output throughput 100.00 → 120.00 tok/s (+20.0%) and mean TPOT 20.0 → 15.0 ms (−25.0%).", []*result.Result{
			setting("free", "output_throughput:100.00 tpot_mean:20.0"), setting("locked", "output_throughput:120.00 tpot_mean:15.0")}},
		{"a setting without effect", "effect", "", []*result.Result{
			setting("free", "output_throughput:100.00 tpot_mean:20.0"), setting("locked", "output_throughput:102.00 tpot_mean:20.0")}},

		{"a setting, and other prompts", "effect", "(+20.0%) and mean TPOT 20.0 → 15.0 ms (−25.0%). [High load – Prompts: 200 for locked, 100 for free.]", []*result.Result{
			setting("free", "num_prompts=100 output_throughput:100.00 tpot_mean:20.0"), setting("locked", "num_prompts=200 output_throughput:120.00 tpot_mean:15.0")}},
		{"an engine comes with its version", "effect", "Engine, sglang → vllm: output throughput 100.00 → 120.00 tok/s (+20.0%)", []*result.Result{
			run("s model=M load=high engine=sglang engine_version=0.5 output_throughput:100.00"), run("v model=M load=high engine=vllm engine_version=0.9 output_throughput:120.00")}},
		{"nothing is excluded", "aside", "", []*result.Result{high("A", "memory_bandwidth=1_TB/s weight_size=1_G active_weight_size=1_G tpot_mean:10.0"), high("B", "memory_bandwidth=1_TB/s weight_size=1_G active_weight_size=1_G tpot_mean:20.0")}},
		{"too fast", "aside", "A: 1 run (high load) is excluded and not counted below: at this speed it would need 1000% of the memory bandwidth.", []*result.Result{high("A", "memory_bandwidth=1_TB/s weight_size=1_G active_weight_size=1_G tpot_mean:0.1"), high("B", "memory_bandwidth=1_TB/s weight_size=1_G active_weight_size=1_G tpot_mean:20.0")}},
		{"what contradicts itself", "aside", "A: 1 run (high load) is excluded", []*result.Result{high("A", "requests_completed:10 output_tokens:100 duration:10.0 output_throughput:20.0"), high("B", "output_throughput:10.00")}},
		// 100 and 98, and 98 and 96, cannot be distinguished; 100 and 96 can (4.2 %).
		{"the second is level with the third, too", "leader", "A has the best reading of output throughput, though B cannot be told apart from it: 98.00–100.00 tok/s, for A 1.04× that of C (96.00 tok/s).", []*result.Result{
			high("A", "output_throughput:100.00"), high("B", "output_throughput:98.00"), high("C", "output_throughput:96.00")}},
		{"llama-bench", "leader", "A leads by decode throughput: 50.00 tok/s, 1.25× that of B", []*result.Result{
			run("A model=A load=tg128 decode_throughput:50.00"), run("B model=B load=tg128 decode_throughput:40.00")}},
		{"nothing is produced", "leader", "A leads by output throughput: 10.00 tok/s, where B has 0.00 tok/s.", []*result.Result{high("A", "output_throughput:10.00"), high("B", "output_throughput:0.00")}},
		{"failed requests put in doubt", "leader", "In doubt: 5 of 100 requests failed; the figures are of the others.", []*result.Result{
			high("A", "requests_completed:95 requests_failed:5 output_throughput:12.00"), high("B", "output_throughput:10.00")}},
		{"no baseline is named", "baseline", "", []*result.Result{high("A", "output_throughput:12.00"), high("B", "output_throughput:10.00"), high("C", "output_throughput:8.00")}},
		{"three read at the limit", "bandwidth", "3 of 3 variants read their weights at 90–95% of the memory bandwidth", []*result.Result{
			low("A", "memory_bandwidth=1_TB/s weight_size=9_G active_weight_size=9_G tpot_mean:10.0"), low("B", "memory_bandwidth=1_TB/s weight_size=5_G active_weight_size=5_G tpot_mean:5.5"), low("C", "memory_bandwidth=1_TB/s weight_size=19_G active_weight_size=19_G tpot_mean:20.0")}},
		{"machines that read at different speeds", "bandwidth", "", []*result.Result{
			low("A", "memory_bandwidth=1_TB/s weight_size=9_G active_weight_size=9_G tpot_mean:10.0"), low("B", "memory_bandwidth=2_TB/s weight_size=5_G active_weight_size=5_G tpot_mean:2.75"), low("C", "memory_bandwidth=1_TB/s weight_size=19_G active_weight_size=19_G tpot_mean:20.0")}},
		{"two that are far from it", "bandwidth", "D and E reach only 10–50%; something else limits them.", []*result.Result{
			low("A", "memory_bandwidth=1_TB/s weight_size=9_G active_weight_size=9_G tpot_mean:10.0"), low("B", "memory_bandwidth=1_TB/s weight_size=5_G active_weight_size=5_G tpot_mean:5.5"), low("C", "memory_bandwidth=1_TB/s weight_size=19_G active_weight_size=19_G tpot_mean:20.0"),
			low("D", "memory_bandwidth=1_TB/s weight_size=5_G active_weight_size=5_G tpot_mean:10.0"), low("E", "memory_bandwidth=1_TB/s weight_size=1_G active_weight_size=1_G tpot_mean:10.0")}},
		{"two are too few to speak of size", "bandwidth", "", []*result.Result{
			low("A", "memory_bandwidth=1_TB/s weight_size=9_G active_weight_size=9_G tpot_mean:10.0"), low("B", "memory_bandwidth=1_TB/s weight_size=5_G active_weight_size=5_G tpot_mean:10.0"), low("C", "memory_bandwidth=1_TB/s weight_size=19_G active_weight_size=19_G tpot_mean:20.0")}},

		{"one run each", "single", "n = 1", []*result.Result{high("A", "output_throughput:12.00"), high("B", "output_throughput:10.00")}},
		{"repeats", "single", "", []*result.Result{high("A", "output_throughput:12.00"), run("A/2 load=high max_concurrency=8 model=A repeat=2 output_throughput:12.10"), high("B", "output_throughput:10.00")}},
		{"percentiles of ten", "samples", "P99 of as few as 10 requests", []*result.Result{high("A", "requests_completed:10 ttft_p99:1.0"), high("B", "requests_completed:100 ttft_p99:1.0")}},
		{"percentiles of one", "samples", "P99 of one request", []*result.Result{high("A", "requests_completed:1 ttft_p99:1.0"), high("B", "requests_completed:100 ttft_p99:1.0")}},
		{"percentiles of a hundred", "samples", "", []*result.Result{high("A", "requests_completed:100 ttft_p99:1.0"), high("B", "requests_completed:100 ttft_p99:1.0")}},
		{"unequal prompts", "unlike", "Prompts: 200 for B, 100 for A.", []*result.Result{high("A", "num_prompts=100 output_throughput:1.00"), high("B", "num_prompts=200 output_throughput:2.00")}},
		{"each on a machine of its own", "unlike", "Hardware: h100 for A, a100 for B.", []*result.Result{high("A", "hardware=h100 output_throughput:1.00"), high("B", "hardware=a100 output_throughput:2.00")}},
		{"each on both machines", "unlike", "", []*result.Result{
			high("A", "hardware=h100 output_throughput:1.00"), high("A", "hardware=a100 output_throughput:1.00"), high("B", "hardware=h100 output_throughput:2.00"), high("B", "hardware=a100 output_throughput:2.00")}},
		{"unequal prompts of one model", "unlike", "Prompts: 200 for c/locked, 100 for c/free.", []*result.Result{setting("free", "num_prompts=100 output_throughput:1.00"), setting("locked", "num_prompts=200 output_throughput:2.00")}},
		{"unequal prompts of a model among others", "unlike", "Prompts: 200 for A/high, 100 for the others.", []*result.Result{
			high("A", "num_prompts=200 clocks=free output_throughput:1.00"), run("A2 model=A load=high max_concurrency=8 num_prompts=100 clocks=locked output_throughput:1.00"), high("B", "num_prompts=100 clocks=free output_throughput:2.00")}},
		{"equal prompts", "unlike", "", []*result.Result{high("A", "num_prompts=100 output_throughput:1.00"), high("B", "num_prompts=100 output_throughput:2.00")}},
		{"no quality", "quality", "was not measured", []*result.Result{high("A", "quantization=FP8 output_throughput:1.00"), high("B", "quantization=AWQ output_throughput:2.00")}},
		{"one quantization", "quality", "", []*result.Result{high("A", "quantization=FP8 output_throughput:1.00"), high("B", "quantization=FP8 output_throughput:2.00")}},
		{"physics not known", "unjudged", "None of the 2 runs could be checked against the memory roofline.", []*result.Result{high("A", "tpot_mean:1.0"), high("B", "tpot_mean:2.0")}},
		{"physics known", "unjudged", "", []*result.Result{high("A", "memory_bandwidth=1_TB/s weight_size=1_G active_weight_size=1_G tpot_mean:10.0"), high("B", "memory_bandwidth=1_TB/s weight_size=1_G active_weight_size=1_G tpot_mean:20.0")}},
		{"warm prompts", "first-token", "1 of 2 mean TTFTs leaves little or no time to compute the prompt (200% of the dense peak)", []*result.Result{
			high("A", "compute_peak=100_TFLOPS params=10_G active_params=10_G requests_completed:1 input_tokens:1000 ttft_mean:100.0"), high("B", "compute_peak=100_TFLOPS params=10_G active_params=10_G requests_completed:1 input_tokens:1000 ttft_mean:400.0")}},
		{"cold prompts", "first-token", "", []*result.Result{
			high("A", "compute_peak=100_TFLOPS params=10_G active_params=10_G requests_completed:1 input_tokens:1000 ttft_mean:400.0"), high("B", "compute_peak=100_TFLOPS params=10_G active_params=10_G requests_completed:1 input_tokens:1000 ttft_mean:500.0")}},
	} {
		t.Run(c.rule+": "+c.name, func(t *testing.T) {
			metrics := `metrics = ["output_throughput"]`
			if c.rule == "effect" {
				metrics = `metrics = ["output_throughput", "tpot_mean"]`
			} else if _, ok := c.runs[0].Metric("output_throughput"); !ok {
				metrics = `metrics = ["` + c.runs[0].Metrics[len(c.runs[0].Metrics)-1].Name + `"]`
			}
			got := findings(t, judged(c.runs...), metrics, "en")
			var reported []string
			for line := range strings.Lines(got) {
				if strings.HasPrefix(line[2:], c.rule+" ") {
					reported = append(reported, line)
				}
			}
			switch {
			case c.want == "" && len(reported) > 0:
				t.Errorf("says %q", reported)
			case c.want != "" && !strings.Contains(strings.Join(reported, ""), c.want):
				t.Errorf("no %q in\n%s", c.want, got)
			}
		})
	}
}

// TestEffectsOfImpossibleRunsAreWithheld checks that the effect of locked clocks is reported with its figures but
// withheld.
func TestEffectsOfImpossibleRunsAreWithheld(t *testing.T) {
	d := judged(
		run("free model=FP8 load=high clocks=free memory_bandwidth=273_GB/s params=8.2_G active_params=8.2_G weight_size=8.9_G output_throughput:251.56 tpot_mean:26.96"),
		run("locked model=FP8 load=high clocks=locked memory_bandwidth=273_GB/s params=8.2_G active_params=8.2_G weight_size=8.9_G output_throughput:298.07 tpot_mean:22.59"))
	got := findings(t, d, `metrics = ["output_throughput", "tpot_mean"]`, "en")
	want := "- effect [free locked] Clocks, free → locked: output throughput 251.56 → 298.07 tok/s (+18.5%) and mean TPOT 26.96 → 22.59 ms (−16.2%). [Because at this speed it would need 121–144% of the memory bandwidth.]\n"
	if !strings.Contains(got, want) || strings.Contains(got, "+ effect") {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestTheWordsFollowWhatDecides: the deciding metric is not a speed, so lower is called better, not faster.
func TestTheWordsFollowWhatDecides(t *testing.T) {
	d := judged(run("a model=A load=high energy_per_output_token:4.00"), run("b model=B load=high energy_per_output_token:2.00"), run("c model=C load=high energy_per_output_token:1.00"))
	got := findings(t, d, "baseline = '{model=\"A\"}'\njudge = { high = \"energy_per_output_token\" }\nmetrics = [\"energy_per_output_token\"]", "en")
	if want := "both other variants are better (up to 4.00×, C)"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	for body, want := range map[string]string{
		`judge = { hihg = "energy_per_output_token" }`: `judge names "hihg"`,
		`judge = { high = "requests_completed" }`:      "no better direction",
		`judge = { high = "enregy" }`:                  "neither a metric nor a label",
	} {
		if _, ms := block.Evaluate(d, "findings", []byte(body), result.Position{}); len(ms) != 1 || !strings.Contains(locale.English(ms[0].Text), want) {
			t.Errorf("%s: %v", body, ms)
		}
	}
}

// TestLevelByATestIsNotLevelWithinAShare: the repeats 90 to 115 and 80 to 105 cannot be distinguished, although their
// medians differ by some 10 %.
func TestLevelByATestIsNotLevelWithinAShare(t *testing.T) {
	var rs []*result.Result
	for model, first := range map[string]int{"A": 90, "B": 80, "C": 20} {
		for i := range 6 {
			rs = append(rs, run(fmt.Sprintf("%s.%d model=%s load=high repeat=%d output_throughput:%d.00", model, i, model, i, first+5*i)))
		}
	}
	slices.SortFunc(rs, result.Compare)
	got := findings(t, judged(rs...), `baseline = '{model="A"}'`, "en")
	if want := "of the other 2 variants 1 cannot be told apart from it, 1 is slower"; !strings.Contains(got, want) || strings.Contains(got, "within") {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// TestRepeatsAreComparedByATest: six overlapping repeats per side show no difference, six separate ones do.
func TestRepeatsAreComparedByATest(t *testing.T) {
	repeats := func(model string, values ...float64) []*result.Result {
		var rs []*result.Result
		for i, v := range values {
			rs = append(rs, run(fmt.Sprintf("%s.%d model=%s load=high repeat=%d output_throughput:%.2f", model, i, model, i, v)))
		}
		return rs
	}
	apart := judged(slices.Concat(repeats("A", 100, 101, 102, 103, 104, 105), repeats("B", 97, 97.5, 98, 98.5, 99, 99.5))...)
	if got := findings(t, apart, `metrics = ["output_throughput"]`, "en"); !strings.Contains(got, "A leads by output throughput") {
		t.Errorf("a small but certain lead is not told:\n%s", got)
	}
	mixed := judged(slices.Concat(repeats("A", 90, 95, 100, 105, 110, 115), repeats("B", 88, 93, 98, 103, 108, 113))...)
	if got := findings(t, mixed, `metrics = ["output_throughput"]`, "en"); strings.Contains(got, "leads") || !strings.Contains(got, "A and B cannot be told apart") {
		t.Errorf("a lead within the scatter is reported:\n%s", got)
	}
	// In a table the change of such a row is ~, and the interval is with the figure.
	got := table(t, mixed, "table", "columns = ['output_throughput']\nbaseline = '{model=\"A\"}'\nchange = 'percent'")
	for _, want := range []string{"B | 100.50 ± 12% (~)\n", "[1] Each figure is the median of 6 runs (n = 6).", "± is the interval of the median (95%)", "~: no difference shown"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in%s", want, got)
		}
	}
}

func TestOrderOfRunsChangesNothingThatIsReported(t *testing.T) {
	body, trade := `baseline = '{model="BF16"}'`, "columns = ['output_throughput']\nbaseline = '{model=\"BF16\"}'\nlimits = { weight_size = \"9 G\" }"
	d := thor()
	reported, laid := findings(t, d, body, "en"), table(t, d, "tradeoff", trade)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(d.Results), func(i, j int) { d.Results[i], d.Results[j] = d.Results[j], d.Results[i] })
		shuffled := &dataset.Selection{Site: dataset.Site{Titles: d.Titles, Order: d.Order}, Results: d.Results}
		if got := findings(t, shuffled, body, "en"); got != reported {
			t.Fatalf("got\n%swant\n%s", got, reported)
		}
		if got := table(t, shuffled, "tradeoff", trade); got != laid {
			t.Fatalf("got%swant%s", got, laid)
		}
	}
}

// verdictsOf returns, by variant, the rules of its verdicts and its place on the frontier.
func verdictsOf(t *testing.T, d *dataset.Selection) map[string]string {
	t.Helper()
	return verdictsUnder(t, d, "baseline = '{model=\"BF16\"}'")
}

func verdictsUnder(t *testing.T, d *dataset.Selection, body string) map[string]string {
	t.Helper()
	b, ms := block.Evaluate(d, "tradeoff", []byte("columns = ['output_throughput']\n"+body), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	out := map[string]string{}
	for _, row := range b.Table.Rows {
		var rules []string
		for _, c := range row.Cells {
			if c.Rule != "" {
				rules = append(rules, c.Rule)
			}
		}
		out[english().Say(row.Cells[0].Text)] = strings.Join(rules, " ")
	}
	return out
}

func TestADominatedVariantChangesNoVerdict(t *testing.T) {
	want := verdictsOf(t, thor())
	if want["FP4"] != "tradeoff.fastest tradeoff.fastest tradeoff.suits-first" || want["FP8"] != "tradeoff.aside tradeoff.aside tradeoff.suits-aside" {
		t.Fatalf("%v", want)
	}
	d := thor()
	d.Results = append(d.Results,
		run("zz/high model=Z load=high max_concurrency=8 weight_size=20_G output_throughput:1.00 tpot_mean:999"),
		run("zz/low model=Z load=low max_concurrency=1 requests_completed:10 weight_size=20_G output_throughput:1.00 tpot_mean:999"))
	got := verdictsOf(t, d)
	for model, rules := range want {
		if got[model] != rules {
			t.Errorf("%s: %s, was %s", model, got[model], rules)
		}
	}
}

// TestUnitsChangeNoVerdict checks that the unit of sizes has no effect on verdicts.
func TestUnitsChangeNoVerdict(t *testing.T) {
	want := verdictsOf(t, thor())
	d := thor()
	for _, r := range d.Results {
		gb, _ := audit.Quantity(r.Label("weight_size"))
		r.Labels.Set(result.Label{Name: "weight_size", Value: fmt.Sprintf("%.0f MB", gb/1e6)})
	}
	got := verdictsOf(t, d)
	for model, rules := range want {
		if got[model] != rules {
			t.Errorf("%s: %s, was %s", model, got[model], rules)
		}
	}
}

// TestSizesInSeveralUnits checks that sizes are compared in bytes: 16 GiB are 17.2 GB.
func TestSizesInSeveralUnits(t *testing.T) {
	d := judged(
		run("a model=A load=high weight_size=16.38_GB output_throughput:10.00"), run("b model=B load=high weight_size=16_GiB output_throughput:9.00"),
		run("c model=C load=high weight_size=900_MB output_throughput:5.00"), run("d model=D load=high weight_size=950_MB output_throughput:4.00"))
	got := verdictsUnder(t, d, "")
	for model, want := range map[string]string{"A": "tradeoff.fastest tradeoff.suits-first", "B": "tradeoff.dominated tradeoff.suits-none", "C": "tradeoff.balance tradeoff.suits-smallest", "D": "tradeoff.dominated tradeoff.suits-none"} {
		if got[model] != want {
			t.Errorf("%s: %s, want %s", model, got[model], want)
		}
	}
	b, _ := block.Evaluate(d, "tradeoff", nil, result.Position{})
	for _, c := range b.Table.Rows[2].Cells {
		if why := english().Say(c.Why); c.Rule == "tradeoff.balance" && strings.Contains(why, "baseline") {
			t.Errorf("there is no baseline, and yet: %s", why)
		}
	}
}

// TestModelsOfOtherBasesDoNotOutdo checks that a smaller, faster model does not outdo another model.
func TestModelsOfOtherBasesDoNotOutdo(t *testing.T) {
	d := judged(
		run("a model=Qwen3-8B load=high weight_size=16_G output_throughput:100.00"), run("b model=Qwen3-8B-AWQ load=high weight_size=6_G output_throughput:200.00"),
		run("c model=Qwen3-1.7B load=high weight_size=3_G output_throughput:500.00"))
	got := verdictsUnder(t, d, "")
	for model, want := range map[string]string{"Qwen3-8B": "tradeoff.dominated", "Qwen3-8B-AWQ": "tradeoff.balance", "Qwen3-1.7B": "tradeoff.fastest"} {
		if rule, _, _ := strings.Cut(got[model], " "); rule != want {
			t.Errorf("%s: %s, want %s", model, got[model], want)
		}
	}
}

// TestAnswersRestOnWhatHolds checks that a percentile of ten requests meets no limit, that doubts are named, and that
// the answer is the smallest variant that cannot be distinguished from the fastest, not from another such variant: 100,
// 98 and 96 tok/s.
func TestAnswersRestOnWhatHolds(t *testing.T) {
	for _, c := range []struct {
		name, body, want string
		runs             []*result.Result
	}{
		{"few samples", `limits = { ttft_p99 = 500 }`, "no valid variant meets the limits (of 1). Not: A (unknown whether P99 TTFT ≤ 500 ms).", []*result.Result{
			run("a model=A load=high weight_size=9_G requests_completed:10 ttft_p99:50.0 output_throughput:10.00")}},
		{"few samples that fail", `limits = { ttft_p99 = 40 }`, "Not: A (misses P99 TTFT ≤ 40 ms).", []*result.Result{
			run("a model=A load=high weight_size=9_G requests_completed:10 ttft_p99:50.0 output_throughput:10.00")}},
		{"in doubt", `limits = { ttft_mean = 500 }`, "valid variants within the limits: 1 of 1. In doubt: computing the prompts would take 200% of the dense peak", []*result.Result{
			run("a model=A load=high weight_size=9_G compute_peak=100_TFLOPS params=10_G active_params=10_G requests_completed:1 input_tokens:1000 ttft_mean:100.0 output_throughput:10.00")}},
		{"level with the fastest", `limits = { weight_size = "20 G" }`, "deploy B (8 G, 98.00 tok/s)", []*result.Result{
			run("a model=A load=high weight_size=10_G output_throughput:100.00"), run("b model=B load=high weight_size=8_G output_throughput:98.00"), run("c model=C load=high weight_size=6_G output_throughput:96.00")}},
		{"no size", `limits = { ttft_mean = 500 }`, "Not: B (size unknown).", []*result.Result{
			run("a model=A load=high weight_size=10_G output_throughput:10.00 ttft_mean:100.0"), run("b model=B load=high output_throughput:98.00 ttft_mean:100.0")}},
	} {
		b, ms := block.Evaluate(judged(c.runs...), "tradeoff", []byte(c.body), result.Position{})
		if faults(ms) != nil || len(b.Table.Answers) != 1 {
			t.Fatalf("%s: %v", c.name, ms)
		}
		a := b.Table.Answers[0]
		if got := english().Say(a.Text) + " " + english().Say(a.Reason); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestTradeoffAnswersWhichToDeploy(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		// FP4 meets both; FP8 is excluded; BF16 is too large; the TTFT of Int8 and GGUF is too long.
		{"one meets", `limits = { weight_size = "9 G", ttft_mean = 1000 }
at = "high"`, "High load, with mean TTFT ≤ 1000 ms and weights ≤ 9 G: deploy FP4 (6 G, 167.20 tok/s); valid variants within the limits: 1 of 4. " +
			"Not: BF16 (misses weights ≤ 9 G), FP8 (excluded by a check), GGUF (misses mean TTFT ≤ 1000 ms) and Int8 (misses mean TTFT ≤ 1000 ms)."},
		{"none meets", `limits = { weight_size = "1 G" }
at = "high"`, "no valid variant meets the limits (of 4)"},
		{"more is better", `limits = { output_throughput = 100 }
at = "high"`, "High load, with output throughput ≥ 100 tok/s: deploy FP4"},
		{"quality that nobody measured", `limits = { quality = 0.6 }
at = "high"`, "unknown whether quality ≥ 0.6"},
		{"no limits, no answer", ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, ms := block.Evaluate(thor(), "tradeoff", []byte(c.body), result.Position{})
			if faults(ms) != nil {
				t.Fatal(ms)
			}
			var got []string
			for _, a := range b.Table.Answers {
				got = append(got, english().Say(a.Text)+" "+english().Say(a.Reason))
			}
			if s := strings.Join(got, "\n"); c.want == "" && s != "" || !strings.Contains(s, c.want) {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
	d := thor()
	d.Limits = map[string]string{"weight_size": "9 G"}
	if b, _ := block.Evaluate(d, "tradeoff", nil, result.Position{}); len(b.Table.Answers) != 2 {
		t.Errorf("the limits of the site give %d answers, want one for each load", len(b.Table.Answers))
	}
	for body, want := range map[string]string{
		`limits = { ttft_maen = 5 }`:             `neither a metric nor a label`,
		`limits = { ttft_mean = "soon" }`:        `has no number`,
		`limits = { ttft_mean = "5 s" }`:         `is not in the unit of the metric`,
		`limits = { weight_size = "3 stone" }`:   `is not a quantity`,
		"limits = { ttft_mean = 5 }\nat = 'lwo'": `at = "lwo" is not a load`,
	} {
		if _, ms := block.Evaluate(thor(), "tradeoff", []byte(body), result.Position{}); len(ms) != 1 || !strings.Contains(locale.English(ms[0].Text), want) {
			t.Errorf("%s: %v", body, ms)
		}
	}
}

// TestChecksMarkTheCellsTheyConcern checks that findings mark the cells they concern, once for each rule.
func TestChecksMarkTheCellsTheyConcern(t *testing.T) {
	d := thor()
	d.Results[1].Labels.Set(result.Label{Name: "compute_peak", Value: "257 TFLOPS"})
	for _, name := range []string{"input_tokens"} {
		d.Results[1].Metrics = append(d.Results[1].Metrics, result.Metric{Kind: &result.Kind{Name: name}, Value: 20431})
	}
	d.Results[1].Checks = audit.Judge(d.Results[1]).Raised
	got := table(t, d, "table", "where = '{load=\"low\"}'\ncolumns = ['output_throughput', 'ttft_mean', 'tpot_mean']\naccept = ['num_prompts']")
	for _, want := range []string{
		"BF16 | 15.69 | 78.19 [1] | 63.63\n",
		"FP8 | 111.15 [2] | 23.06 | 8.88\n",
		"FP4 | *40.26 | *38.55 | *24.73\n",
		"[1] TTFT in doubt: computing the prompt would need 167% of the dense peak",
		"[2] Struck: faster than memory allows. Reading the weights for each token would need 367% of the bandwidth.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in%s", want, got)
		}
	}
}

// TestOnlyTheRunThatIsExcludedIsStruck checks that a row with one excluded run keeps the others.
func TestOnlyTheRunThatIsExcludedIsStruck(t *testing.T) {
	d := judged(
		run("a/high model=A load=high memory_bandwidth=273_GB/s weight_size=8.9_G active_weight_size=8.9_G output_throughput:100.00 tpot_mean:50.0"),
		run("a/low model=A load=low memory_bandwidth=273_GB/s weight_size=8.9_G active_weight_size=8.9_G output_throughput:100.00 tpot_mean:10.0"),
		run("b/high model=B load=high memory_bandwidth=273_GB/s weight_size=8.9_G active_weight_size=8.9_G output_throughput:90.00 tpot_mean:50.0"),
		run("b/low model=B load=low memory_bandwidth=273_GB/s weight_size=8.9_G active_weight_size=8.9_G output_throughput:20.00 tpot_mean:40.0"))
	b, _ := block.Evaluate(d, "table", []byte("columns = ['output_throughput']\nsplit = 'load'"), result.Position{})
	a := b.Table.Rows[0]
	if a.Excluded || a.Cells[1].Excluded || !a.Cells[1].Best || !a.Cells[2].Excluded || a.Cells[2].Best {
		t.Errorf("%+v", a)
	}
}

// TestRepeatsOfZeroHaveNoShare: six repeats without a failure have the median 0, which has no relative interval.
func TestRepeatsOfZeroHaveNoShare(t *testing.T) {
	var rs []*result.Result
	for i := range 6 {
		rs = append(rs, run(fmt.Sprintf("a.%d model=A repeat=%d requests_failed:0", i, i)))
	}
	if got := table(t, judged(rs...), "table", "columns = ['requests_failed']"); !strings.Contains(got, "A | 0 [1]\n") || strings.Contains(got, "NaN") {
		t.Error(got)
	}
}

// TestAWaiverBringsARepeatBack checks that a repeat counts if the check that excludes it is waived.
func TestAWaiverBringsARepeatBack(t *testing.T) {
	d := judged(
		run("a.1 model=A load=high repeat=1 memory_bandwidth=273_GB/s weight_size=8.9_G active_weight_size=8.9_G output_throughput:100.00 tpot_mean:10.0"),
		run("a.2 model=A load=high repeat=2 memory_bandwidth=273_GB/s weight_size=8.9_G active_weight_size=8.9_G output_throughput:120.00 tpot_mean:11.0"),
		run("b model=B load=high memory_bandwidth=273_GB/s weight_size=8.9_G active_weight_size=8.9_G output_throughput:50.00 tpot_mean:50.0"))
	if got := findings(t, d, `metrics = ["output_throughput"]`, "en"); !strings.Contains(got, "- leader [a.1 a.2 b]") || strings.Contains(got, "+ leader") {
		t.Errorf("a run that is excluded leads:\n%s", got)
	}
	for i := range d.Results[0].Checks {
		d.Results[0].Checks[i].Waived = "measured with drafts"
	}
	got := findings(t, d, `metrics = ["output_throughput"]`, "en")
	for _, want := range []string{"A: 1 run (high load) is excluded", "+ leader [a.1 b] High load: A leads by output throughput: 100.00 tok/s, 2.00× that of B"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestPercentilesOfFewRequestsAreWeak(t *testing.T) {
	d := judged(run("a model=A requests_completed:10 ttft_p99:50.0"), run("b model=B requests_completed:100 ttft_p99:60.0"), run("c model=C requests_completed:100 ttft_p99:70.0"))
	b, _ := block.Evaluate(d, "table", []byte("columns = ['ttft_p99']"), result.Position{})
	rows := b.Table.Rows
	if !rows[0].Cells[1].Weak || rows[0].Cells[1].Best || rows[1].Cells[1].Weak || !rows[1].Cells[1].Best {
		t.Errorf("%+v", rows)
	}
	if got := show(b.Table); !strings.Contains(got, "P99 of 10 samples is close to the maximum; it needs 100") {
		t.Error(got)
	}
}

func TestAnInlineValueKnowsItsRuns(t *testing.T) {
	d := thor()
	in, err := inline.Evaluate(d, `output_throughput{model="FP8",load="high"} / output_throughput{model="BF16",load="high"} | ×`, english())
	if err != nil || in.Text != "3.61×" || !in.Excluded() || len(in.Runs) != 2 || len(in.Unlike) > 0 {
		t.Errorf("%+v, %v", in, err)
	}
	d.Results[4].Labels.Set(result.Label{Name: "num_prompts", Value: "200"})
	in, _ = inline.Evaluate(d, `output_throughput{model="FP8",load="high"} / output_throughput{model="BF16",load="high"} | ×`, english())
	if m, unlike := in.Warning(result.Position{}); !unlike || !strings.Contains(locale.English(m.Text), "Prompts: 100 for BF16, 200 for FP8.") && !strings.Contains(locale.English(m.Text), "Prompts: 200 for FP8, 100 for BF16.") {
		t.Errorf("%+v", m)
	}
	in, _ = inline.Evaluate(d.Accepting([]string{"num_prompts"}), `output_throughput{model="FP8",load="high"} / output_throughput{model="BF16",load="high"} | ×`, english())
	if _, unlike := in.Warning(result.Position{}); unlike {
		t.Error("an accepted difference is a warning")
	}
}

func TestCostsReportTheirPrice(t *testing.T) {
	d := judged(run("a model=A price_per_hour=2.49_USD price_date=2026-01-15 output_throughput:100.00"), run("b model=B price_per_hour=2.49_USD price_date=2026-01-15 output_throughput:200.00"))
	// 2.49 / 3600 / 100 · 10⁶ = 6.92
	got := table(t, d, "table", "columns = ['cost_per_million_output_tokens']")
	for _, want := range []string{"A | 6.92\n", "B | *3.46\n", "price: 2.49 USD per accelerator and hour, as of 2026-01-15"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in%s", want, got)
		}
	}
}

// TestTradeoffsShowBothCosts checks that a tradeoff shows the cost of all tokens beside that of the output.
func TestTradeoffsShowBothCosts(t *testing.T) {
	const fields = " load=high price_per_hour=2.49_USD output_throughput:%s total_throughput:1000.00"
	d := judged(run("a model=A weight_size=16_GB"+fmt.Sprintf(fields, "100.00")), run("b model=B weight_size=8_GB"+fmt.Sprintf(fields, "200.00")))
	got := table(t, d, "tradeoff", "")
	for _, want := range []string{"Cost per million output tokens", "Cost per million total tokens", "0.692"} { // 2.49 / 3600 / 1000 · 10⁶
		if !strings.Contains(got, want) {
			t.Errorf("no %q in%s", want, got)
		}
	}
}

func TestChartsReportRepeatsAndWhatIsExcluded(t *testing.T) {
	notes := func(d *dataset.Selection) string {
		b, ms := block.Evaluate(d, "chart", []byte("kind = 'bars'\nvalue = 'tpot_mean'\nwhere = '{load=\"low\"}'"), result.Position{})
		if len(ms) > 0 {
			t.Fatal(ms)
		}
		var out []string
		for _, n := range b.Chart.Notes {
			out = append(out, english().Say(n))
		}
		return strings.Join(out, " ")
	}
	if got := notes(thor()); got != "Hollow, excluded: at this speed it would need 367% of the memory bandwidth." {
		t.Errorf("notes: %s", got)
	}
	d := judged(
		run("a.1 model=A load=low repeat=1 tpot_mean:10.0"), run("a.2 model=A load=low repeat=2 tpot_mean:11.0"), run("a.3 model=A load=low repeat=3 tpot_mean:12.0"),
		run("b model=B load=low tpot_mean:20.0"))
	if got := notes(d); got != "Medians of repeated runs, n = 1–3. The thin bars run from the lowest to the highest of the repeats." {
		t.Errorf("notes: %s", got)
	}
}

// TestAWaiverIsNamedWhereItCounts checks that a waiver allows a claim, and that the claim and the table name it.
func TestAWaiverIsNamedWhereItCounts(t *testing.T) {
	d := thor()
	for _, r := range d.Results {
		for i := range r.Checks {
			r.Checks[i].Waived = "a draft model answers first"
		}
	}
	got := findings(t, d, "", "en")
	if !strings.Contains(got, "High load: FP8 leads by output throughput: 298.07 tok/s, 1.78× that of FP4 (167.20 tok/s). A check is waived for these runs: a draft model answers first.") || strings.Contains(got, "aside") {
		t.Error(got)
	}
	laid := table(t, d, "table", "where = '{load=\"high\"}'\ncolumns = ['output_throughput']")
	if !strings.Contains(laid, "FP8 | *298.07 [1]\n") || !strings.Contains(laid, "[1] physics.memory-roofline is waived by the site: a draft model answers first\n") {
		t.Error(laid)
	}
}

// TestALoadWithoutANameIsReportedWithItsLabel has loads with bare numbers, which need their label.
func TestALoadWithoutANameIsReportedWithItsLabel(t *testing.T) {
	d := judged(
		run("a/1 model=A max_concurrency=1 output_throughput:10.00"), run("a/8 model=A max_concurrency=8 output_throughput:60.00"),
		run("b/1 model=B max_concurrency=1 output_throughput:12.00"), run("b/8 model=B max_concurrency=8 output_throughput:50.00"))
	got := findings(t, d, "load = 'max_concurrency'\nmetrics = ['output_throughput']", "en")
	for _, want := range []string{"Concurrency 8: A leads by output throughput", "From concurrency 1 to concurrency 8 output throughput grows most with A (6.00×)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestAClaimOnACutOffRunSaysSo checks that a warning about a whole run is part of every claim that uses it, and that
// each finding is reported; a long list is shortened.
func TestAClaimOnACutOffRunSaysSo(t *testing.T) {
	b := run("b model=B load=high output_throughput:10.00")
	b.Status = result.Partial
	got := findings(t, judged(run("a model=A load=high output_throughput:12.00"), b), "metrics = ['output_throughput']", "en")
	if want := "A leads by output throughput: 12.00 tok/s, 1.20× that of B (10.00 tok/s). In doubt: the tool's output is incomplete."; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	var fs []dataset.Figure
	for i := range 6 {
		r := run(fmt.Sprintf("r%d requests_failed:%d requests_completed:90 output_throughput:10.00", i, i+1))
		new(audit.Auditor).Complete(r)
		f, _ := dataset.FigureOf([]*result.Result{r}, "output_throughput")
		fs = append(fs, f)
	}
	if got := english().Say(builder.InDoubt(fs[:2])); !strings.Contains(got, "1 of 91 requests failed") || !strings.Contains(got, "2 of 92 requests failed") {
		t.Error(got)
	}
	if got := english().Say(builder.InDoubt(fs)); !strings.Contains(got, "and 3 more") || strings.Contains(got, "4 of 94") {
		t.Error(got)
	}
}

// TestAnAnswerThatFindsNothingRestsOnNothing: if no variant is within the limits, there is no run whose repeats are
// counted.
func TestAnAnswerThatFindsNothingRestsOnNothing(t *testing.T) {
	b, _ := block.Evaluate(thor(), "tradeoff", []byte("limits = { weight_size = '1 G' }\nat = 'high'"), result.Position{})
	if a := b.Table.Answers[0]; a.N != 0 || a.Runs != nil {
		t.Errorf("%+v", a)
	}
}
