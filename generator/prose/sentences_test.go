package prose

import (
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// planted returns three variants of one model at two loads. Their figures are far enough apart that no two
// pairs have the same ratio.
func planted() []*result.Result {
	return []*result.Result{
		run("bf16/high model=M-8B quantization=BF16 load=high weight_size=16.4_GB output_throughput:82.47 ttft_mean:110.00 ttft_p99:240.50 tpot_mean:63.61"),
		run("bf16/low  model=M-8B quantization=BF16 load=low  weight_size=16.4_GB output_throughput:15.70 ttft_mean:52.00 ttft_p99:61.10 tpot_mean:63.00"),
		run("fp8/high  model=M-8B-FP8 quantization=FP8 load=high weight_size=9.4_GB output_throughput:150.60 ttft_mean:78.40 ttft_p99:131.20 tpot_mean:36.20"),
		run("fp8/low   model=M-8B-FP8 quantization=FP8 load=low  weight_size=9.4_GB output_throughput:27.81 ttft_mean:44.19 ttft_p99:49.50 tpot_mean:35.71"),
		run("awq/high  model=M-8B-AWQ quantization=AWQ load=high weight_size=6.1_GB output_throughput:236.90 ttft_mean:95.30 ttft_p99:410.00 tpot_mean:23.09"),
		run("awq/low   model=M-8B-AWQ quantization=AWQ load=low  weight_size=6.1_GB output_throughput:42.71 ttft_mean:36.81 ttft_p99:40.20 tpot_mean:23.30"),
	}
}

// Ratios at high load for throughput, TTFT, TPOT and weights: FP8 / BF16 1.826, 0.713, 0.569 and 0.573; AWQ /
// BF16 2.873, 0.866, 0.363 and 0.372; AWQ / FP8 1.573, 1.216, 0.638 and 0.649. High / low load: 5.25 for BF16,
// 5.42 for FP8 and 5.55 for AWQ.
var sentences = []struct {
	language     string
	right, wrong []string
}{
	{"English",
		[]string{
			"M-8B reaches 82.47 tok/s.",
			"The mean TTFT of AWQ is 95.3 ms.",
			"M-8B-FP8 serves 150.6 tok/s with a TPOT of 36.2 ms.",
			"At low load AWQ answers after 36.81 ms.",
			"BF16 and FP8 reach 82.47 tok/s and 150.60 tok/s.",
			"M-8B, M-8B-FP8 and M-8B-AWQ reach 82.47 tok/s, 150.60 tok/s and 236.90 tok/s.",
			"TTFT is 110 ms and a token every 63.61 ms follows on M-8B.",
			"After the first token, each takes 36.2 ms on FP8.",
			"FP8 raises throughput by 82.6% over BF16.",
			"FP8 lowers mean TTFT by 28.7%.",
			"TPOT falls from 63.61 ms to 23.09 ms (63.7%).",
			"TPOT falls from 63.61 ms to 23.09 ms, a drop of 63.7%.",
			"Throughput rises from 82.47 tok/s to 150.60 tok/s (1.83×).",
			"With AWQ, TPOT falls to 36.3% of that of BF16.",
			"AWQ is 2.87 times as fast as BF16 in throughput.",
			"AWQ has 2.9× the throughput of BF16.",
			"The throughput of AWQ is 57.3% higher than that of FP8.",
			"The weights of FP8 are 42.7% smaller than those of BF16.",
			"FP8 nearly doubles the throughput.",
			"AWQ almost triples the throughput of BF16.",
			"TPOT of FP8 is more than half that of BF16.",
			"AWQ cuts the weights to about a third of those of BF16.",
			"The throughput is five times as high at high load.",
			"When concurrency doubles, throughput stays the same.",
			"Half of the models have a TTFT under 100 ms.",
			"AWQ reaches more than 230 tok/s.",
			"AWQ stays under 100 ms of TTFT.",
			"A TTFT below 500 ms is the target for chat.",
			"FP8 gains 68.13 tok/s over BF16.",
			"Unlike FP8, the baseline reaches 82.47 tok/s.",
			"FP8 reaches 150.60 tok/s, up from 82.47 tok/s.",
			"The P99 TTFT of AWQ is 410 ms, its mean 95.3 ms.",
			"AWQ is 63.7% faster per token than BF16.",
			"From FP8 to AWQ, weights shrink by 35.1%.",
			"It was run twice, and M-8B reached 82.47 tok/s.",
			"Going from BF16 to FP8 improves throughput by 82.6%.",
			"BF16 takes 63.61 ms a token, and Q4_K_M 36.2 ms.",
		},
		[]string{
			"M-8B reaches 150.60 tok/s.",
			"The mean TTFT of AWQ is 110.0 ms.",
			"M-8B-FP8 serves 236.9 tok/s.",
			"At low load AWQ answers after 95.3 ms.",
			"The TPOT of FP8 is 78.4 ms.",
			"M-8B-AWQ has a TTFT of 36.2 ms.",
			"The mean TTFT of AWQ is 410 ms.",
			"The P99 TTFT of FP8 is 78.4 ms.",
			"FP8 raises throughput by 45%.",
			"FP8 lowers mean TTFT by 40.3%.",
			"TPOT falls from 63.61 ms to 23.09 ms (36.3%).",
			"TPOT falls from 63.61 ms to 23.09 ms, a drop of 36.3%.",
			"Throughput rises from 82.47 tok/s to 150.60 tok/s (2.4×).",
			"With AWQ, TPOT falls to 63.7% of that of BF16.",
			"AWQ is five times faster than BF16.",
			"AWQ has 1.8× the throughput of BF16.",
			"The throughput of AWQ is 36.4% higher than that of FP8.",
			"The weights of FP8 are 62.8% smaller than those of BF16.",
			"FP8 halves the throughput of AWQ at high load.",
			"AWQ doubles the throughput of BF16.",
			"AWQ triples the throughput of FP8.",
			"FP8 cuts the weights to a quarter of those of BF16.",
			"The throughput is seven times as high at high load.",
			"M-8B reaches more than 90 tok/s.",
			"AWQ reaches more than 150 tok/s.",
			"FP8 stays under 70 ms of TTFT.",
			"M-8B reaches 68.13 tok/s.",
			"TTFT of FP8 rises by 28.7%.",
			"AWQ raises the mean TTFT by 13.4%.",
			"The throughput of BF16 is 82.6% higher than that of FP8.",
			"FP8 halves the weights of AWQ.",
			"AWQ doubles the TPOT.",
			"The weights of AWQ are twice those of FP8.",
			"BF16 has 2.87× the throughput of AWQ.",
			"M-8B-FP8 reaches 82.47 tok/s at high load.",
			"Going from BF16 to FP8 improves throughput by 28.7%.",
		}},
	{"中文",
		[]string{
			"M-8B 的输出吞吐量为 82.47 tok/s。",
			"M-8B-AWQ 的平均 TTFT 为 95.3 毫秒。",
			"FP8 达到 150.6 tok/s，TPOT 为 36.2 ms。",
			"低负载下 AWQ 的首 token 时间为 36.81 ms。",
			"BF16、FP8 和 AWQ 分别达到 82.47 tok/s、150.60 tok/s 和 236.90 tok/s。",
			"M-8B 的 TTFT 是 110 ms，P99 达到 240.5 ms。",
			"首 token 之后，FP8 每个词元耗时 36.2 ms。",
			"FP8 使吞吐量提升 82.6%。",
			"FP8 的平均 TTFT 降低 28.7%。",
			"TPOT 从 63.61 ms 降至 23.09 ms（降低 63.7%）。",
			"TPOT 从 63.61 ms 降至 23.09 ms，降幅 63.7%。",
			"吞吐量从 82.47 tok/s 提升至 150.60 tok/s，涨幅 82.6%。",
			"AWQ 的 TPOT 降至 BF16 的 36.3%。",
			"AWQ 的吞吐量是 BF16 的 2.87 倍。",
			"AWQ 的吞吐量比 FP8 高 57.3%。",
			"FP8 的权重比 BF16 小 42.7%。",
			"FP8 的吞吐量接近翻倍。",
			"AWQ 的吞吐量接近 BF16 的三倍。",
			"FP8 的权重比 BF16 少四成多。",
			"FP8 的 TPOT 是 BF16 的一半多一点，减少约 43%。",
			"AWQ 的权重约为 BF16 的三分之一多。",
			"高负载下的吞吐量是低负载的五倍多。",
			"并发翻倍时吞吐量不变。",
			"一半的模型 TTFT 低于 100 ms。",
			"AWQ 的吞吐量超过 230 tok/s。",
			"AWQ 的 TTFT 不到 100 ms。",
			"聊天场景要求 TTFT 低于 500 ms。",
			"FP8 比 BF16 多 68.13 tok/s。",
			"它只有 82.47 tok/s，不到 FP8 的六成。",
			"FP8 达到 150.60 tok/s，此前为 82.47 tok/s。",
			"AWQ 的 P99 TTFT 为 410 ms，均值 95.3 ms。",
			"从 FP8 到 AWQ，权重缩小 35.1%。",
			"FP8 的吞吐量增幅为 82.6%。",
			"AWQ 的 TPOT 降幅达 63.7%。",
			"与 BF16 相比，AWQ 的吞吐量提高了 1.87 倍。",
			"M-8B 量化为 FP8 后达到 150.60 tok/s。",
			"BF16 的 TPOT 为 63.61 ms，Int8 在 36–37 ms 之间。",
		},
		[]string{
			"M-8B 的输出吞吐量为 150.60 tok/s。",
			"M-8B-AWQ 的平均 TTFT 为 110 毫秒。",
			"FP8 达到 236.9 tok/s。",
			"低负载下 AWQ 的首 token 时间为 95.3 ms。",
			"FP8 的 TPOT 为 78.4 ms。",
			"M-8B-AWQ 的 TTFT 为 36.2 ms。",
			"AWQ 的平均 TTFT 为 410 ms。",
			"FP8 的 TTFT P99 为 78.4 ms。",
			"FP8 使吞吐量提升 45%。",
			"FP8 的平均 TTFT 降低 40.3%。",
			"TPOT 从 63.61 ms 降至 23.09 ms（降低 36.3%）。",
			"TPOT 从 63.61 ms 降至 23.09 ms，降幅 36.3%。",
			"吞吐量从 82.47 tok/s 提升至 150.60 tok/s，涨幅 45.2%。",
			"AWQ 的 TPOT 降至 BF16 的 63.7%。",
			"AWQ 的吞吐量是 BF16 的 5.25 倍。",
			"AWQ 的吞吐量比 FP8 高 82.6%。",
			"FP8 的权重比 BF16 小 62.8%。",
			"AWQ 的吞吐量是 FP8 的两倍。",
			"AWQ 的吞吐量是 BF16 的两倍。",
			"FP8 的权重比 BF16 少七成。",
			"FP8 的 TPOT 是 AWQ 的一半。",
			"AWQ 的权重是 BF16 的五分之一。",
			"高负载下的吞吐量是低负载的七倍。",
			"M-8B 的吞吐量超过 90 tok/s。",
			"AWQ 的吞吐量超过 150 tok/s。",
			"FP8 的 TTFT 不到 70 ms。",
			"M-8B 的吞吐量为 68.13 tok/s。",
			"FP8 的 TTFT 上升 28.7%。",
			"AWQ 的平均 TTFT 增加 13.4%。",
			"BF16 的吞吐量比 FP8 高 82.6%。",
			"AWQ 的吞吐量翻两番。",
			"FP8 的吞吐量增幅为 45%。",
			"AWQ 的 TPOT 降幅达 36.3%。",
			"BF16 的吞吐量是 AWQ 的 2.87 倍。",
			"M-8B-FP8 在高负载下达到 82.47 tok/s。",
			"FP8 的吞吐量翻了三番。",
		}},
}

// TestSentences: no right sentence causes a warning, and at least nine tenths of the wrong ones do.
func TestSentences(t *testing.T) {
	t.Parallel()
	for _, of := range sentences {
		if len(of.right)+len(of.wrong) < 60 {
			t.Errorf("%s: only %d sentences", of.language, len(of.right)+len(of.wrong))
		}
		f := figuresOf(planted())
		for _, text := range of.right {
			for _, m := range check(f, "", text) {
				t.Errorf("%s: accused: %s; %s", text, m.Text, m.Hint)
			}
		}
		missed := 0
		for _, text := range of.wrong {
			if len(check(f, "", text)) == 0 {
				t.Logf("not found: %s", text)
				missed++
			}
		}
		if 10*missed > len(of.wrong) {
			t.Errorf("%s: %d of %d wrong sentences are not found", of.language, missed, len(of.wrong))
		}
	}
}
