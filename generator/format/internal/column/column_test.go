package column

import (
	"strings"
	"testing"
)

// TestNamesMeanTheSameHoweverTheyAreWritten checks that letter case and the characters between words do not change the
// meaning of a name.
func TestNamesMeanTheSameHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"output tok/s": "output_throughput tok/s", "p99 ttft (ms)": "ttft_p99 ms", "ttft p99 (s)": "ttft_p99 s", "mean itl ms": "itl_mean ms",
		"decode tokens per second": "decode_throughput tok/s", "total token throughput": "total_throughput tok/s", "completed requests": "requests_completed ",
		"batch size": "batch_size ", "max concurrency": "max_concurrency ", "avg power (w)": "power_mean W", "benchmark duration (s)": "duration s",
		"first token latency (ms)": "ttft_mean ms", "p99 next token latency (ms/token)": "tpot_p99 ms", "1st token avg latency (ms)": "ttft_mean ms",
		"2+ avg latency (ms/token)": "tpot_mean ms",
	} {
		for _, form := range []string{name, strings.ToUpper(name), strings.ReplaceAll(name, " ", "_"), strings.ReplaceAll(name, " ", "-"), "  " + name + " "} {
			if c := Of(form); c.Name+" "+c.Unit != want {
				t.Errorf("%q means %s in %q, not %s", form, c.Name, c.Unit, want)
			}
		}
	}
}

// TestChineseNames checks that Chinese names are understood with and without blanks between words.
func TestChineseNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"输出 Token 吞吐量 (tok/s)": "output_throughput tok/s", "峰值输出Token吞吐量 (tok/s)": "peak_output_throughput tok/s", "总 Token 吞吐量(tok/s)": "total_throughput tok/s",
		"请求吞吐量 (req/s)": "request_throughput req/s", "平均 TTFT (ms)": "ttft_mean ms", "平均TTFT (ms)": "ttft_mean ms", "TTFT 中位数 (ms)": "ttft_p50 ms",
		"P99 首Token延迟 (ms)": "ttft_p99 ms", "首字时延(毫秒)": "ttft_mean ms", "最大 TPOT (ms)": "tpot_max ms", "端到端延迟 P95 (秒)": "e2el_p95 s",
		"成功请求数": "requests_completed ", "输出吞吐 (tok/s)": "output_throughput tok/s", "请求吞吐(req/s)": "request_throughput req/s", "总输入 Tokens": "input_tokens ", "测试持续时间 (s)": "duration s", "最大并发数": "max_concurrency ", "解码速度 (tok/s)": "decode_throughput tok/s",
	} {
		if c := Of(name); c.Name+" "+c.Unit != want {
			t.Errorf("%q means %s in %q, not %s", name, c.Name, c.Unit, want)
		}
	}
	for _, name := range []string{"平均延迟 (ms)", "延迟", "标题", "测试 TTFT 的时间 (ms)"} {
		if c := Of(name); !strings.HasPrefix(c.Name, "x_") || c.Speed {
			t.Errorf("%q means %s", name, c.Name)
		}
	}
}

// TestUnknownNamesAreKept checks that an unknown name is kept with x_, and that a latency without unit has no name.
func TestUnknownNamesAreKept(t *testing.T) {
	t.Parallel()
	if c := Of("Widgets per Fortnight"); c.Name != "x_widgets_per_fortnight" || c.Speed || c.Label {
		t.Errorf("%+v", c)
	}
	if c := Of("P99 TTFT"); !c.Ambiguous || !strings.HasPrefix(c.Name, "x_") {
		t.Errorf("%+v", c)
	}
	if c := Of("tg128 (t/s)"); c.Test == nil || c.Test.Gen != "128" || c.Name != "decode_throughput" {
		t.Errorf("%+v", c)
	}
}
