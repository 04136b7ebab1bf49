package locale

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestEveryMessageHasBothLanguages(t *testing.T) {
	for key, forms := range words {
		for side, form := range forms {
			if form == "" {
				t.Errorf("%s: language %d has no words", key, side)
			}
		}
	}
}

func TestFormsTakeTheSameArguments(t *testing.T) {
	for key, forms := range words {
		if strings.Contains(forms[1], "|") {
			t.Errorf("%s: Chinese has one form, not %q", key, forms[1])
		}
		for _, english := range strings.Split(forms[0], "|") {
			if want, got := verbs(english), verbs(forms[1]); !maps.Equal(want, got) {
				t.Errorf("%s: %q takes %v, %q takes %v", key, english, want, forms[1], got)
			}
		}
	}
}

// Chinese is set with the punctuation of Chinese.
func TestChineseHasItsOwnPunctuation(t *testing.T) {
	half := regexp.MustCompile(`\p{Han}[,;:()?!]|[,;:(?!]\p{Han}`)
	for key, forms := range words {
		if m := half.FindString(forms[1]); m != "" {
			t.Errorf("%s: %q in %q", key, m, forms[1])
		}
	}
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z%])`)

// verbs gives the verb of every argument of a form, whatever their order.
func verbs(form string) map[int]string {
	out := map[int]string{}
	next := 1
	for _, m := range verb.FindAllStringSubmatch(form, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		out[next] = m[2]
		next++
	}
	return out
}

func TestVerbsAreCountedByArgument(t *testing.T) {
	for form, want := range map[string]map[int]string{
		"plain":             {},
		"%d of %s":          {1: "d", 2: "s"},
		"%[2]s 的 %[1]d":     {1: "d", 2: "s"},
		"100%% of %.1f":     {1: "f"},
		"%[2]s then %s, %d": {2: "s", 3: "s", 4: "d"},
	} {
		if got := verbs(form); !maps.Equal(got, want) {
			t.Errorf("verbs(%q) = %v, want %v", form, got, want)
		}
	}
}

// Pages write the messages without escaping them.
func TestMessagesHoldNoMarkup(t *testing.T) {
	for key, forms := range words {
		for _, form := range forms {
			if strings.ContainsAny(form, `<>&"`) {
				t.Errorf("%s: %q holds markup", key, form)
			}
		}
	}
}

func TestEveryNameOfTheVocabularyHasWords(t *testing.T) {
	metrics := strings.Fields(`duration requests_completed requests_failed input_tokens output_tokens
		request_throughput goodput output_throughput input_throughput total_throughput
		peak_output_throughput peak_concurrency effective_concurrency ttft_mean tpot_p50 itl_std
		e2el_min queue_max ttft_p99 ttft_p99_9 prefill_throughput decode_throughput
		output_throughput_per_user output_throughput_per_accelerator batch_latency_mean
		acceptance_rate acceptance_length power_mean power_max power_idle energy
		energy_per_output_token gpu_utilization memory_used_max temperature_max load_time startup_time
		quality quality_stderr mbu effective_bandwidth prefill_flops cost_per_million_output_tokens
		interactivity`)
	labels := strings.Fields(`model model_raw tokenizer quantization engine engine_version tool
		tool_version hardware accelerators parallelism power_mode clocks scenario load max_concurrency
		request_rate num_prompts dataset input_len output_len burstiness seed prefix_caching ignore_eos
		batch_size context_depth threads gpu_layers date repeat phase status campaign power_scope task
		quality_metric fewshot filter`)
	for _, tag := range Languages {
		p, _ := For(tag)
		for _, name := range metrics {
			if p.Metric(name) == name {
				t.Errorf("%s: metric %s has no words", tag, name)
			}
		}
		for _, name := range labels {
			if p.Label(name) == name {
				t.Errorf("%s: label %s has no words", tag, name)
			}
		}
	}
}

func TestLetter(t *testing.T) {
	// 26 letters, then two of them: 27 is aa, 52 = 26 + 26 is az, 703 = 26 + 26² + 1 is aaa.
	for n, want := range map[int]string{1: "a", 2: "b", 26: "z", 27: "aa", 52: "az", 53: "ba", 702: "zz", 703: "aaa"} {
		if got := Letter(n); got != want {
			t.Errorf("entry %d is %q, want %q", n, got, want)
		}
	}
}

func TestSay(t *testing.T) {
	en, _ := For("en-GB")
	zh, _ := For("zh")
	for _, c := range []struct {
		p    Printer
		t    Text
		want string
	}{
		{en, T("page.runs.n", 1), "1 run"},
		{en, T("page.runs.n", 2), "2 runs"},
		{zh, T("page.runs.n", 1), "1 次运行"},
		{en, T("no.such.key"), "[no.such.key]"},
		{en, Lit("Qwen3-8B"), "Qwen3-8B"},
		{zh, By(map[string]string{"zh": "基准", "en": "bench"}, "?"), "基准"},
		{zh, By(map[string]string{"en": "bench"}, "fallback"), "fallback"},
		{en, T("stat.mean", T("metric.ttft")), "Mean TTFT"},
	} {
		if got := c.p.Say(c.t); got != c.want {
			t.Errorf("%s: got %q, want %q", c.p.Lang(), got, c.want)
		}
	}
}

func TestMetricNames(t *testing.T) {
	en, _ := For("en")
	zh, _ := For("zh-CN")
	for name, want := range map[string][2]string{
		"ttft_mean":         {"Mean TTFT", "平均 TTFT"},
		"e2el_p99_9":        {"P99.9 E2EL", "P99.9 E2EL"},
		"output_throughput": {"Output throughput", "输出吞吐量"},
		"x_spec_tokens":     {"x_spec_tokens", "x_spec_tokens"},
		"ttft_mode":         {"ttft_mode", "ttft_mode"},
	} {
		if got := [2]string{en.Metric(name), zh.Metric(name)}; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestGroup(t *testing.T) {
	for in, want := range map[string]string{
		"1438.24": "1438.24", "43688.41": "43,688.41", "-1234567": "-1,234,567",
		"12345e3": "12345e3", "": "", "0.00001": "0.00001",
	} {
		if got := Group(in); got != want {
			t.Errorf("Group(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestList(t *testing.T) {
	en, _ := For("en")
	zh, _ := For("zh-CN")
	items := []string{"a", "b", "c"}
	for n, want := range []string{"", "a", "a and b", "a, b and c"} {
		if got := en.List(items[:n]); got != want {
			t.Errorf("List(%v) = %q, want %q", items[:n], got, want)
		}
	}
	for want, items := range map[string][]string{
		"a、b 和 c": items, "高负载和低负载": {"高负载", "低负载"}, "FP8 和高负载": {"FP8", "高负载"}, "高负载和 FP8": {"高负载", "FP8"},
	} {
		if got := zh.List(items); got != want {
			t.Errorf("List(%q) = %q, want %q", items, got, want)
		}
	}
}
