package prose

import (
	"slices"
	"testing"
)

// written returns the numbers of a text as digits and unit.
func written(text string) []string {
	var out []string
	for _, n := range numbers(text) {
		out = append(out, n.digits+" "+n.unit.text)
	}
	return out
}

func TestNumbersWithUnitsAreFound(t *testing.T) {
	for text, want := range map[string][]string{
		"298.07 tok/s":                     {"298.07 tok/s"},
		"298.07tokens/s, 12.3 t/s":         {"298.07 tok/s", "12.3 t/s"},
		"298 output tokens per second":     {"298 tok/s"},
		"makes 298 tokens a second":        {"298 tok/s"},
		"每秒 298 个 token":                   {"298 tok/s"},
		"每秒输出约 298 个 token，共 1024 个 token": {"298 tok/s"},
		"298 token/秒":                      {"298 tok/s"},
		"12.3 req/s，每秒 3 个请求":              {"12.3 req/s", "3 req/s"},
		"23.06 ms、8.88 ms/token":           {"23.06 ms", "8.88 ms"},
		"43.7 秒，43.7 s":                    {"43.7 秒", "43.7 s"},
		"1,024.5 ms":                       {"1024.5 ms"},
		"２９８．０７ tok/s，４３％":                 {"298.07 tok/s", "43 ％"},
		"8.9G 模型，8.9 GB，5.7 GiB":           {"8.9 G", "8.9 GB", "5.7 GiB"},
		"273 GB/s":                         {"273 GB/s"},
		"3.6× that of BF16, 3.6x，3.6 倍":    {"3.6 ×", "3.6 x", "3.6 倍"},
		"3.6 times faster":                 {"3.6 times"},
		"18.5%, 18.5 %, 43 per cent":       {"18.5 %", "18.5 %", "43 per cent"},
		"百分之 43，百分之四十三点五":                  {"43 %", "43.5 %"},
		"130W、25 °C":                       {"130 W", "25 °C"},
		"20–25 ms":                         {"20 ms", "25 ms"},
		"23 到 25 ms":                       {"23 ms", "25 ms"},
		"23 ms 到 25 ms":                    {"23 ms", "25 ms"},
		"between 23 and 25 ms":             {"23 ms", "25 ms"},
		"−42.9%，+18.5%，-3 ms":              {"42.9 %", "18.5 %", "3 ms"},
		"TTFT:23 ms TTFT=24 ms (25 ms)":    {"23 ms", "24 ms", "25 ms"},
		"the 98\u00a0ms of it, 298.07\nms": {"98 ms", "298.07 ms"},
	} {
		if got := written(text); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

func TestOtherNumbersAreLeftAlone(t *testing.T) {
	for _, text := range []string{
		"Qwen3-8B, W4A16, Int4, GPTQ-Int8, Q5_K_M, E4M3",
		"0.10.1 s, v1.2 ms, r38.2 G, CUDA 13.0",
		"2025-10-04 s, 12:30 s, 1980s",
		"192.168.55.1 s, /8 s, 16:9 s",
		"8 路并发，100 个请求，2048 个输入 token，2048 tokens",
		"a 4-bit format, 256-bit, 1024 steps",
		"2 × 4, 1024x768, 8× H100, 2× A100",
		"run 3 times, 3 遍",
		"A100 80GB, Orin AGX 64GB",
		"a 95% confidence interval, 95% 置信区间，置信度 95%",
		"the 99% percentile, 99% of requests, 99% 的请求",
		"100% of it, 0%",
		"3 percentage points, 3 个百分点",
		"5 minutes, 25 MB3",
	} {
		if got := written(text); got != nil {
			t.Errorf("%q: found %q", text, got)
		}
	}
}

// TestQualifiedNumbers: the words beside a number are evaluated.
func TestQualifiedNumbers(t *testing.T) {
	for text, want := range map[string]struct {
		about bool
		bound int
		grown bool
	}{
		"43%":                    {},
		"约 43%":                  {about: true},
		"about 43%":              {about: true},
		"~100 tok/s":             {about: true},
		"100 tok/s 左右":           {about: true},
		"more than 40% smaller":  {bound: +1},
		"超过 40%":                 {bound: +1},
		"不超过 40%":                {bound: -1},
		"under 9 ms":             {bound: -1},
		"up to 300 tok/s":        {bound: -1},
		"提高了 2.6 倍":              {grown: true},
		"快约 2.6 倍":               {about: true, grown: true},
		"2.6 times faster":       {grown: true},
		"BF16 的 2.6 倍":           {},
		"2.6× the throughput of": {},
	} {
		ns := numbers(text)
		if len(ns) != 1 || ns[0].about != want.about || ns[0].bound != want.bound || ns[0].grown != want.grown {
			t.Errorf("%q: %+v, want %+v", text, ns, want)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{"约 298.07 tok/s", "20–25 ms", "百分之四十三点五", "每秒 298 个 token", "1,024.5", "２９８．０７％", "\xff3 ms"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, n := range numbers(text) {
			if n.start > n.at || n.at >= n.end || n.end > len(text) || n.value <= 0 || n.unit.dim == noDimension {
				t.Errorf("%q: %+v", text, n)
			}
			if start, end := sentenceAt(text, n.at); end-start < len(n.digits) || len(n.readings(text, sentence{})) == 0 {
				t.Errorf("%q: %+v in %q", text, n, text[start:end])
			}
		}
	})
}
