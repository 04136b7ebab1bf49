package prose

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// run returns a result described as "id label=value … metric:value …". In a value, _ means a space.
func run(spec string) *result.Result {
	fields := strings.Fields(spec)
	r := &result.Result{ID: fields[0]}
	for _, field := range fields[1:] {
		if name, value, ok := strings.Cut(field, "="); ok {
			r.Labels.Set(result.Label{Name: name, Value: strings.ReplaceAll(value, "_", " ")})
			continue
		}
		name, digits, _ := strings.Cut(field, ":")
		def, _ := vocabulary.Define(name)
		_, fraction, _ := strings.Cut(digits, ".")
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: def.Unit},
			Value: parse(digits), Decimals: int8(len(fraction)), Line: int32(len(r.Metrics) + 7)})
	}
	return r
}

// sample returns runs of BF16 and FP8 at two loads with locked clocks, and of FP8 with free clocks, with
// figures of Qwen3-8B.
func sample() []*result.Result {
	return []*result.Result{
		run("bf16/high model=Qwen3-8B quantization=BF16 load=high clocks=locked power_mode=MAXN weight_size=16_G params=8.2_G memory_bandwidth=273_GB/s output_throughput:82.47 request_throughput:0.66 ttft_mean:974.57 ttft_p99:2200.61 tpot_mean:85.33"),
		run("bf16/low  model=Qwen3-8B quantization=BF16 load=low  clocks=locked power_mode=MAXN weight_size=16_G params=8.2_G memory_bandwidth=273_GB/s output_throughput:15.69 request_throughput:0.12 ttft_mean:78.19 tpot_mean:63.63"),
		run("fp8/high  model=Qwen3-8B-FP8 quantization=FP8 load=high clocks=locked power_mode=MAXN weight_size=8.9_G params=8.2_G memory_bandwidth=273_GB/s output_throughput:298.07 request_throughput:2.33 ttft_mean:495.44 tpot_mean:22.59"),
		run("fp8/low   model=Qwen3-8B-FP8 quantization=FP8 load=low  clocks=locked power_mode=MAXN weight_size=8.9_G params=8.2_G memory_bandwidth=273_GB/s output_throughput:111.15 request_throughput:0.87 ttft_mean:23.06 tpot_mean:8.88"),
		run("free/high model=Qwen3-8B-FP8 quantization=FP8 load=high clocks=free power_mode=MAXN weight_size=8.9_G params=8.2_G memory_bandwidth=273_GB/s output_throughput:251.56 request_throughput:1.97 ttft_mean:554.96 tpot_mean:26.96"),
		run("free/low  model=Qwen3-8B-FP8 quantization=FP8 load=low  clocks=free power_mode=MAXN weight_size=8.9_G params=8.2_G memory_bandwidth=273_GB/s output_throughput:63.61 request_throughput:0.50 ttft_mean:35.70 tpot_mean:15.56"),
	}
}

func figuresOf(results []*result.Result) *Figures {
	return Of(&dataset.Selection{Site: dataset.Site{Titles: map[string]map[string]locale.Text{"load": {
		"high": locale.By(map[string]string{"zh": "高负载", "en": "High load"}, "high"),
		"low":  locale.By(map[string]string{"zh": "低负载", "en": "Low load"}, "low"),
	}}}, Results: results})
}

// check returns the messages about prose.
func check(f *Figures, front, text string) []result.Message {
	d, ms := document.Parse("a.zh.md", []byte("+++\ntitle = \"T\"\ndate = 2025-10-12\n"+front+"+++\n"+text+"\n"), document.Options{})
	return append(ms, f.Check(d)...)
}

func TestSupportedNumbersPass(t *testing.T) {
	f := figuresOf(sample())
	for _, text := range []string{
		// A metric, rounded or truncated, in its unit or another.
		"输出吞吐量 298.07 tok/s，约 300 tok/s", "output throughput is 298.1 tokens/s",
		"每秒 298 个 token", "makes 298 tokens per second", "２９８．０７ tok/s", "2.33 req/s",
		"TTFT 974.57 ms，即 0.97 秒", "a TTFT of 0.97 s, or 974 ms, or 975 ms", "P99 2.2 s", "P99 达 2,200.6 ms",
		// Within 5% of 974.57 ms: 1,000 · 0.95 = 950.
		"约 1,000 ms", "about 1000 ms",
		"TPOT 22–27 ms", "TPOT 从 8.88 到 15.56 ms", "between 22 and 27 ms",
		"more than 290 tok/s", "不到 9 ms",
		// A label's figure. The G of du may mean GB or GiB.
		"权重 8.9G", "8.9 GB of weights", "8.9 GiB", "带宽 273 GB/s", "8.2 G 参数", "8.2 G parameters",
		// 298.07 / 82.47 = 3.614; 298.07 / 111.15 = 2.68.
		"吞吐量是 BF16 的 3.6 倍", "3.6× the throughput of BF16", "3.61x the throughput", "8 路是单路吞吐量的 2.68 倍",
		// 3.614 − 1 = 2.61.
		"FP8 的吞吐量提高了 2.6 倍", "throughput is 2.6 times higher",
		// 298.07 / 251.56 − 1 = 18.49%; 1 − 8.88 / 15.56 = 42.93%; 22.59 / 26.96 = 83.8%.
		"锁频使吞吐量提升约 18.5%", "throughput rises by 18.5 per cent", "+18.5% throughput", "TPOT 减少约 43%", "TPOT 降低百分之四十三", "TPOT is 43% lower",
		"TPOT 为不锁频时的 84%", "TPOT is 84% of that with free clocks",
		// 298.07 − 82.47 = 215.60; 16 − 8.9 = 7.1.
		"多 215.6 tok/s", "215.6 tok/s more", "权重小 7.1 G",
		"吞吐量从 251.56 tok/s 提升至 298.07 tok/s（提升约 18.5%）", "from 251.56 tok/s to 298.07 tok/s (18.5%)",
		// A sentence without a metric may refer to any: 16 / 8.9 = 1.798.
		"BF16 是 FP8 的 1.8 倍",
	} {
		for _, m := range check(f, "", text) {
			t.Errorf("%s: %s; %s", text, m.Text, m.Hint)
		}
	}
}

func TestWhatNothingMeasuresCannotBeChecked(t *testing.T) {
	// The power modes MAXN and 120W are not measurements of power.
	f := figuresOf(append(sample(), run("cool/high model=Qwen3-8B power_mode=120W output_throughput:70.00")))
	for _, text := range []string{"功耗 130 W", "at 130W and 25 °C", "257 TFLOPS", "0.3 J/token"} {
		for _, m := range check(f, "", text) {
			t.Errorf("%s: %s", text, m.Text)
		}
	}
	measured := append(sample(), run("w/high model=W power_mode=120W power_mean:98.5"))
	for text, want := range map[string]int{"98.5 W": 0, "120W 模式": 0, "130 W": 1} {
		if ms := check(figuresOf(measured), "", text); len(ms) != want {
			t.Errorf("%s, with power measured: %v", text, ms)
		}
	}
	if ms := check(figuresOf(nil), "", "298.07 tok/s，3.6 倍，18.5%"); ms != nil {
		t.Errorf("without runs: %v", ms)
	}
	if ms := check(figuresOf(sample()[:1]), "", "82.47 tok/s, 3.6×, 18.5%"); ms != nil {
		t.Errorf("with one run: %v", ms)
	}
}

func TestUnsupportedNumbersAreTold(t *testing.T) {
	f := figuresOf(sample())
	for text, want := range map[string]string{
		"吞吐量达 318.07 tok/s":      `no selected run supports "318.07 tok/s"; the runs have 298.07 tok/s (output_throughput, fp8/high, line 7): write ` + "`= output_throughput{id=\"fp8/high\"} | unit`",
		"makes 318 tokens/s":     `no selected run supports "318 tokens/s"; the runs have 298.07 tok/s (`,
		"每秒 318 个 token":         `no selected run supports "318 个 token"; the runs have 298.07 tok/s (`,
		"２９８．１７ tok/s":           `no selected run supports "２９８．１７ tok/s"; the runs have 298.07 tok/s (`,
		"a TTFT of 1,024.5 ms":   `no selected run supports "1,024.5 ms"; the runs have 974.57 ms (ttft_mean, bf16/high, line 9)`,
		"首 token 要 1.05 秒":       `no selected run supports "1.05 秒"; the runs have 974.57 ms (ttft_mean, bf16/high, line 9): write ` + "`= ttft_mean{id=\"bf16/high\"} | s`",
		"带宽 260 GB/s":            `no selected run supports "260 GB/s"; the runs have 273 GB/s (memory_bandwidth of bf16/high): write ` + "`= memory_bandwidth{id=\"bf16/high\"}`",
		"10 TB of weights":       `no selected run supports "10 TB"; the runs have nothing near it: write what they have as an inline value, ` + "`= weight_size{…} | unit`",
		"TPOT 20–27 ms":          `no selected run supports the 20 of "20–27 ms"`,
		"more than 6000 tok/s":   `no selected run supports "6000 tok/s"`,
		"多 225.6 tok/s":          `no selected run supports "225.6 tok/s"`,
		"14 req/s":               `no selected run supports "14 req/s"; the runs have nothing near it: write what they have as an inline value, ` + "`= request_throughput{…} | unit`",
		"FP8 的吞吐量是 BF16 的 3.3 倍": `no two comparable runs support "3.3 倍"; the runs have 3.61× (output_throughput, fp8/high against bf16/high): write ` + "`= output_throughput{id=\"fp8/high\"} / output_throughput{id=\"bf16/high\"} | ×`",
		"4.9× the throughput":    `no two comparable runs support "4.9×"; the runs have 5.26× (`,
		"锁频使吞吐量提升约 28.5%":        `no two comparable runs support "28.5%"; the runs have nothing near it`,
		"throughput rises 19.5%": `no two comparable runs support "19.5%"; the runs have +18.5% (output_throughput, fp8/high against free/high): write ` + "`= output_throughput{id=\"fp8/high\"} / output_throughput{id=\"free/high\"} | +%`",
		"TPOT 减少百分之五十三":          `no two comparable runs support "百分之五十三"`,
		"about 53% lower TPOT":   `no two comparable runs support "53%"`,
		// The change is between the two figures before it, whatever other runs have.
		"TPOT 从 15.56 ms 降至 8.88 ms（减少约 73%）": `"73%" is not the change between the figures before it; from 15.56 ms to 8.88 ms is -42.9%`,
		// 298.07 / 15.69 = 19.0, but the runs differ in model and load.
		"throughput is 19.0× that of BF16": `no two comparable runs support "19.0×"`,
	} {
		ms := check(f, "", text)
		if len(ms) != 1 || ms[0].ID != "prose.unsupported" || ms[0].Severity != result.Warning || !strings.HasPrefix(locale.English(ms[0].Text)+"; "+locale.English(ms[0].Hint), want) {
			t.Errorf("%s: got %v, want %s", text, ms, want)
			for _, m := range ms {
				t.Log(m.Hint)
			}
		}
	}
}

// TestTheSentenceSaysWhatAChangeIsOf: a sentence that names a metric refers to that metric, and a sentence that
// names runs refers to pairs with one of them.
func TestTheSentenceSaysWhatAChangeIsOf(t *testing.T) {
	f := figuresOf(sample())
	for text, want := range map[string]bool{
		// 1 − 495.44 / 974.57 = 49.2% of TTFT. No change of throughput is near.
		"TTFT 减少 49.2%。":       true,
		"吞吐量减少 49.2%。":         false,
		"吞吐量不变。TTFT 减少 49.2%。": true,
		"TTFT 不变。吞吐量减少 49.2%。": false,
		// 1 − 35.70 / 554.96 = 93.6% between the loads of FP8 with free clocks.
		"On FP8 TTFT falls by 93.6%.":               true,
		"On BF16 TTFT falls by 93.6%.":              false,
		"BF16 is slow. On FP8 TTFT falls by 93.6%.": true,
		// Qwen3-8B-FP8 does not mention Qwen3-8B: 1 − 78.19 / 974.57 = 92.0%.
		"Qwen3-8B 的 TTFT 减少 92.0%":     true,
		"Qwen3-8B-FP8 的 TTFT 减少 92.0%": false,
		// High load: 85.33 / 22.59 = 3.78; low load: 63.63 / 8.88 = 7.17.
		"高负载下 TPOT 相差 3.78 倍": true,
		"低负载下 TPOT 相差 3.78 倍": false,
		// 2200.61 is a P99 that no other run has. 2200.61 / 974.57 would compare two metrics.
		"TTFT 相差 2.26 倍": false,
	} {
		if ms := check(f, "", text); (len(ms) == 0) != want {
			t.Errorf("%s: supported is %v", text, !want)
		}
	}
}

// TestRepeatsSupportTheirMedianAndMean: the median and the mean of repeats support numbers, because posts quote
// them.
func TestRepeatsSupportTheirMedianAndMean(t *testing.T) {
	f := figuresOf([]*result.Result{
		run("r1 model=A repeat=1 output_throughput:100.00"),
		run("r2 model=A repeat=2 output_throughput:104.00"),
		run("r3 model=A repeat=3 output_throughput:105.00"),
		run("r4 model=A repeat=4 output_throughput:110.00"),
	})
	// The median is (104 + 105) / 2, the mean 419 / 4.
	for text, want := range map[string]int{"104.50 tok/s": 0, "104.75 tok/s": 0, "104.60 tok/s": 1} {
		if ms := check(f, "", text); len(ms) != want {
			t.Errorf("%s: %v", text, ms)
		}
	}
}

func TestAuthorsAnswerForNumbersFromElsewhere(t *testing.T) {
	f := figuresOf(sample())
	if ms := check(f, "unchecked = [\"318.07 tok/s\", \"20–27ms\"]\n", "别处测得 318.07 tok/s，TPOT 20–27 ms。"); ms != nil {
		t.Errorf("got %v", ms)
	}
	ms := check(f, "unchecked = [\"318.07 tok/s\"]\n", "318.08 tok/s")
	ids := []string{}
	for _, m := range ms {
		ids = append(ids, m.ID+" "+m.Pos.String())
	}
	if want := []string{"prose.unsupported a.zh.md:6:1", "prose.unused a.zh.md:4:1"}; !slices.Equal(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
}

// TestOffersAreInlineValues: the inline value that a warning offers is valid.
func TestOffersAreInlineValues(t *testing.T) {
	results := sample()
	data := &dataset.Selection{Results: results}
	printer, _ := locale.For("en")
	n := 0
	for _, text := range []string{"318.07 tok/s", "1.05 秒", "带宽 260 GB/s", "4.9× the throughput", "throughput rises 17%", "17% lower TPOT"} {
		for _, m := range check(figuresOf(results), "", text) {
			n++
			_, rest, _ := strings.Cut(locale.English(m.Hint), "`=")
			expr, _, ok := strings.Cut(rest, "`")
			if _, err := inline.Evaluate(data, strings.TrimSpace(expr), printer); !ok || err != nil {
				t.Errorf("%s: %q: %v", text, expr, err)
			}
		}
	}
	if n != 6 {
		t.Errorf("%d offers", n)
	}
}
