package locale

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

func TestEveryMessageHasBothLanguages(t *testing.T) {
	t.Parallel()
	for key, forms := range words {
		if forms.English == "" || forms.Chinese == "" {
			t.Errorf("%s lacks words: %+v", key, forms)
		}
	}
}

func TestFormsTakeTheSameArguments(t *testing.T) {
	for key, forms := range words {
		if strings.Contains(forms.Chinese, "|") {
			t.Errorf("%s: Chinese has one form, not %q", key, forms.Chinese)
		}
		for _, english := range strings.Split(forms.English, "|") {
			if want, got := verbs(english), verbs(forms.Chinese); !maps.Equal(want, got) {
				t.Errorf("%s: %q takes %v, %q takes %v", key, english, want, forms.Chinese, got)
			}
		}
	}
}

// TestChineseHasItsOwnPunctuation: Chinese words use full-width punctuation.
func TestChineseHasItsOwnPunctuation(t *testing.T) {
	half := regexp.MustCompile(`\p{Han}[,;:()?!]|[,;:(?!]\p{Han}`)
	for key, forms := range words {
		if m := half.FindString(forms.Chinese); m != "" {
			t.Errorf("%s: %q in %q", key, m, forms.Chinese)
		}
	}
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z%])`)

// verbs returns the verb of each argument of a format, whatever their order.
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

// TestMessagesHoldNoMarkup: messages contain no markup, because pages do not escape them.
func TestMessagesHoldNoMarkup(t *testing.T) {
	for key, forms := range words {
		for _, form := range []string{forms.English, forms.Chinese} {
			if strings.ContainsAny(form, `<>&"`) {
				t.Errorf("%s: %q holds markup", key, form)
			}
		}
	}
}

// TestEveryNameOfTheVocabularyHasWords: no name of the vocabulary is displayed as it is in data.
func TestEveryNameOfTheVocabularyHasWords(t *testing.T) {
	t.Parallel()
	for _, tag := range Languages {
		p, _ := For(tag)
		for _, m := range vocabulary.Metrics() {
			names := []string{m.Name}
			if m.Family {
				names = names[:0]
				for _, stat := range []string{"mean", "p50", "p99", "p99_9", "min", "max", "std"} {
					names = append(names, m.Name+"_"+stat)
				}
			}
			for _, name := range names {
				if said := p.Metric(name); said == "" || strings.Contains(said, "_") || strings.Contains(said, "%!") || said == name {
					t.Errorf("%s: metric %s is %q", tag, name, said)
				}
			}
			if !p.Has("define." + m.Name) {
				t.Errorf("%s: metric %s is not defined", tag, m.Name)
			}
		}
		for _, l := range vocabulary.Labels() {
			if said := p.Label(l.Name); said == "" || said == l.Name {
				t.Errorf("%s: label %s is %q", tag, l.Name, said)
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

// TestAPrintedTextIsWhatItSays: fmt prints the words of a text, not pointers, so equal texts are printed in the
// same way in every process.
func TestAPrintedTextIsWhatItSays(t *testing.T) {
	t.Parallel()
	one, two := By(map[string]string{"zh": "甲", "en": "A"}, "A"), By(map[string]string{"zh": "甲", "en": "A"}, "A")
	if a, b := fmt.Sprintf("%v %+v", one, []Text{one}), fmt.Sprintf("%v %+v", two, []Text{two}); a != b || !strings.Contains(a, `"甲"`) || strings.Contains(a, "0x") {
		t.Errorf("%s and %s", a, b)
	}
	if got := fmt.Sprint(Lit("x")); got != "x" {
		t.Error(got)
	}
}

func TestParametersAreWrittenAsTheFieldDoes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"8.2 G": "8.2 B", "8.2G": "8.2B", "70 B": "70 B", "1.6 T": "1.6 T", "": ""} {
		if got := (Printer{"zh-CN"}).Value("active_params", text); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
		if got := English(LabelValue("params", text)); got != want {
			t.Errorf("%q becomes the text %q, want %q", text, got, want)
		}
	}
	if got := English(LabelValue("weight_size", "16 G")); got != "16 G" {
		t.Errorf("a size is written %q", got)
	}
}
