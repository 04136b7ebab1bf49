package compose_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/internal/hostile"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/prose"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// run returns a result described as "a/1 model=A load=high output_throughput:12.5".
func run(text string) *result.Result {
	words := strings.Fields(text)
	r := &result.Result{ID: words[0], Source: result.Position{File: "runs/" + words[0] + ".log", Line: 1}, EndLine: 20, Tool: "vllm-serve", Format: "vllm-serve-text"}
	for _, w := range words[1:] {
		if name, value, ok := strings.Cut(w, "="); ok {
			if name == "tool" {
				r.Tool = value
				continue
			}
			r.Labels.Set(result.Label{Name: name, Value: strings.ReplaceAll(value, "_", " "), Origin: result.Declared})
			continue
		}
		name, value, _ := strings.Cut(w, ":")
		var v float64
		fmt.Sscan(value, &v)
		d, _ := vocabulary.Define(name)
		_, decimals, _ := strings.Cut(value, ".")
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: d.Unit, Better: d.Better},
			Value: v, Decimals: int8(len(decimals)), Line: 2})
	}
	return r
}

func selection(rs ...*result.Result) *dataset.Selection {
	slices.SortFunc(rs, result.Compare)
	return &dataset.Selection{Results: rs}
}

// serving returns runs for all combinations of the values of labels.
func serving(labels ...[]string) []*result.Result {
	texts := []string{""}
	for _, label := range labels {
		var more []string
		for _, t := range texts {
			for _, v := range label[1:] {
				more = append(more, t+" "+label[0]+"="+v)
			}
		}
		texts = more
	}
	var rs []*result.Result
	for i, t := range texts {
		rs = append(rs, run(fmt.Sprintf("c/%02d campaign=c input_len=512 output_len=128 dataset=random%s output_throughput:%d.25 request_throughput:1.%02d ttft_mean:%d.5 ttft_p50:%d.1 ttft_p99:%d.9 tpot_mean:%d.75 requests_completed:100",
			i, t, 100+37*i, i, 50+11*i, 40+11*i, 90+13*i, 20+i)))
	}
	return rs
}

// variations returns typical datasets.
func variations() map[string]*dataset.Selection {
	failed := serving([]string{"model", "A-1B", "B-1B"})
	for _, r := range failed {
		r.Status, r.Metrics = result.Failed, nil
	}
	excluded := serving([]string{"model", "A-1B", "B-1B", "C-1B"}, []string{"load", "high", "low"})
	excluded[0].Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast"), Figures: map[string]float64{}}}
	excluded[2].Checks = []result.Check{{ID: "requests.failed", Severity: result.Warning, Text: locale.Lit("3 of 100 requests failed")}}
	excluded[3].Checks = []result.Check{{ID: "requests.failed", Severity: result.Error, Waived: "known", Text: locale.Lit("4 of 100 requests failed")}}
	trace := run("t/power tool=tegrastats power_mean:31.5 duration:60")
	var many []*result.Result
	for i := range 300 {
		many = append(many, run(fmt.Sprintf("m%02d/%03d campaign=m%02d model=M%02d-7B load=load%d max_concurrency=%d input_len=512 output_len=64 output_throughput:%d.5 ttft_mean:%d.25 tpot_mean:11.5", i%30, i, i%30, i%30, i/30, 1+i/30, 50+i, 20+i)))
	}
	nameless := []*result.Result{run("a output_throughput:12.5 ttft_mean:30.25"), run("b output_throughput:13.5 ttft_mean:31.25")}
	mixed := append(serving([]string{"model", "A-1B", "B-1B"}, []string{"load", "high", "low"}),
		run("q/1 campaign=q tool=lm-eval model=A-1B task=gsm8k fewshot=5 quality:0.71 quality_stderr:0.01"),
		run("q/2 campaign=q tool=lm-eval model=B-1B task=gsm8k fewshot=5 quality:0.69 quality_stderr:0.01"),
		run("l/1 campaign=l tool=llama-bench model=A-1B input_len=512 prefill_throughput:2413.3"),
		run("l/2 campaign=l tool=llama-bench model=A-1B output_len=128 decode_throughput:132.1"))
	odd := serving([]string{"model", "A-1B"}, []string{"load", "high", "low"})
	for i, text := range hostile.Texts() {
		r := run(fmt.Sprintf("h/%d campaign=h max_concurrency=1 output_throughput:%d.5 ttft_mean:20.25", i, 10+i))
		r.Labels.Set(result.Label{Name: "model", Value: text, Origin: result.Declared})
		odd = append(odd, r)
	}
	return map[string]*dataset.Selection{
		"one run":            selection(run("one model=A-1B output_throughput:12.5 ttft_mean:30.25")),
		"no model":           selection(nameless...),
		"models":             selection(serving([]string{"model", "A-1B", "B-1B", "C-1B"})...),
		"models and loads":   selection(serving([]string{"model", "A-1B", "B-1B", "C-1B"}, []string{"load", "high", "low"}, []string{"weight_size", "2_GB"})...),
		"sizes":              sizes(),
		"a sweep":            selection(serving([]string{"model", "A-1B", "B-1B"}, []string{"max_concurrency", "1", "2", "4", "8", "16"})...),
		"configurations":     selection(serving([]string{"model", "A-1B", "B-1B"}, []string{"parallelism", "tp2", "tp4"}, []string{"max_concurrency", "1", "2", "4", "8"})...),
		"two sweeps":         selection(serving([]string{"model", "A-1B"}, []string{"max_concurrency", "1", "4", "16"}, []string{"context_depth", "0", "4096", "16384"})...),
		"settings":           selection(serving([]string{"model", "A-1B"}, []string{"power_mode", "MAXN", "120W"}, []string{"clocks", "free", "locked"}, []string{"load", "high", "low"})...),
		"hardware":           selection(serving([]string{"hardware", "h100", "mi300x", "rtx-4090"}, []string{"model", "A-1B", "B-1B"})...),
		"engines":            selection(serving([]string{"engine", "vllm", "sglang"}, []string{"model", "A-1B"}, []string{"seed", "1", "2"})...),
		"repeats":            selection(serving([]string{"model", "A-1B", "B-1B"}, []string{"repeat", "1", "2", "3"})...),
		"unlike":             selection(append(serving([]string{"model", "A-1B", "B-1B"}, []string{"num_prompts", "100"}), run("c/x campaign=c dataset=random input_len=1024 output_len=128 num_prompts=7 model=C-1B output_throughput:5.5 ttft_mean:20.5"))...),
		"chinese":            selection(serving([]string{"model", "通义千问-8B", "书生-20B"}, []string{"load", "高", "低"}, []string{"hardware", "开发板"})...),
		"failed":             selection(failed...),
		"excluded":           selection(excluded...),
		"telemetry":          {Auxiliary: []*result.Result{trace}},
		"quality and speed":  selection(mixed...),
		"sections":           sections(),
		"quality alone":      selection(run("q/1 tool=lm-eval model=A-1B task=gsm8k quality:0.71"), run("q/2 tool=lm-eval model=A-1B task=mmlu quality:0.61")),
		"thirty campaigns":   selection(many...),
		"names that inject":  selection(odd...),
		"hundreds of a kind": selection(serving([]string{"model", "A-1B", "B-1B"}, []string{"seed", "1", "2", "3"}, []string{"batch_size", "1", "2", "3", "4", "5"}, []string{"power_mode", "a", "b"}, []string{"threads", "1", "2", "3"})...),
	}
}

// sections returns two tables of a page for one model before and after a change, with prefill and decoding.
func sections() *dataset.Selection {
	return selection(run("p.1 tool=llama-bench model=A-1B section=Master input_len=512 prefill_throughput:2101.10"),
		run("p.2 tool=llama-bench model=A-1B section=Master output_len=128 decode_throughput:101.10"),
		run("p.3 tool=llama-bench model=A-1B section=This_PR input_len=512 prefill_throughput:2301.10"),
		run("p.4 tool=llama-bench model=A-1B section=This_PR output_len=128 decode_throughput:121.10"))
}

// TestSectionsAreCompared: runs that a page shows under two titles are compared by title.
func TestSectionsAreCompared(t *testing.T) {
	t.Parallel()
	src, err := compose.Post(sections(), compose.Request{Language: "en", Date: "2026-01-15"})
	if err != nil {
		t.Fatal(err)
	}
	if title, _, _ := strings.Cut(string(src), "\n\n"); !strings.Contains(title, "compared by section") || strings.Contains(string(src), `where = '{section=`) {
		t.Errorf("the sections are not compared:\n%s", src)
	}
}

// TestAllThatDiffersIsNamed: labels that change together with the compared one are named beside it, in both
// languages, so that nobody attributes a figure to one label alone. Labels that the compared one determines are
// not named.
func TestAllThatDiffersIsNamed(t *testing.T) {
	t.Parallel()
	for following, compared := range map[string]string{"weight_size": "model", "compute_peak": "model", "params": "quantization", "gpu": "hardware"} {
		for _, beside := range []string{"section", "flash_attention", "kv_cache_dtype", "micro_batch_size", "threads", "endpoint", "x_mode"} {
			var rs []*result.Result
			for i := range 3 {
				rs = append(rs, run(fmt.Sprintf("c/%d campaign=c %s=v%d %s=%d %s=%d output_throughput:%d.25 ttft_mean:50.5", i, compared, i, beside, 2+i, following, 4+i, 100+i)))
			}
			for _, lang := range []string{"en", "zh"} {
				src, err := compose.Post(selection(rs...), compose.Request{Language: lang, Date: "2026-01-15"})
				if err != nil {
					t.Fatal(err)
				}
				p, _ := locale.For(lang)
				name := func(label string) locale.Text { return locale.Inside(locale.LabelName(label)) }
				want := locale.T("compose.differ", locale.List(name(compared), name(beside)))
				if lead, _, _ := strings.Cut(string(src), "<!--more-->"); !strings.Contains(lead, p.Say(want)) {
					t.Errorf("%s: no %q in\n%s", lang, p.Say(want), lead)
				}
			}
		}
	}
}

// TestManySettingsAreCounted: of many differing settings and tools, a sentence names the first and the number
// of the rest.
func TestManySettingsAreCounted(t *testing.T) {
	t.Parallel()
	var rs []*result.Result
	for i := range 3 {
		text := fmt.Sprintf("c/%d campaign=c model=v%d output_throughput:%d.25 ttft_mean:50.5", i, i, 100+i)
		for n := range 30 {
			text += fmt.Sprintf(" x_mode_%02d=%d", n, i)
		}
		rs = append(rs, run(text))
	}
	src, err := compose.Post(selection(rs...), compose.Request{Language: "en", Date: "2026-01-15"})
	if err != nil {
		t.Fatal(err)
	}
	lead, _, _ := strings.Cut(string(src), "<!--more-->")
	if !strings.Contains(lead, "They differ in model, ") || !strings.Contains(lead, " and 21 more.") || strings.Contains(lead, "x_mode_29") {
		t.Error(lead)
	}
}

// TestAMachineIsThatOfAllRuns: the machine of some runs is not attributed to all. Runs without a machine get an
// environment table of their own.
func TestAMachineIsThatOfAllRuns(t *testing.T) {
	t.Parallel()
	for all, silent := range map[bool]string{true: " hardware=h100", false: ""} {
		d := selection(run("a/1 campaign=a hardware=h100 model=A-1B engine=vllm output_throughput:5.5 ttft_mean:20.5"), run("b/1 campaign=b model=B-1B engine=vllm output_throughput:6.5 ttft_mean:21.5"+silent))
		for lang, on := range map[string]string{"en": "on h100", "zh": "h100 上"} {
			src, err := compose.Post(d, compose.Request{Language: lang, Date: "2026-01-15"})
			if err != nil {
				t.Fatal(err)
			}
			if lead, _, _ := strings.Cut(string(src), "<!--more-->"); strings.Contains(lead, on) != all || strings.Contains(string(src), `where = '{hardware=""}'`) == all {
				t.Errorf("%s: all on one machine: %v\n%s", lang, all, src)
			}
		}
	}
}

// TestRunsWithoutAModelAreCounted: if some runs do not name their model, a comment tells the author how to add
// it.
func TestRunsWithoutAModelAreCounted(t *testing.T) {
	t.Parallel()
	for _, named := range []int{0, 1, 2, 3} {
		var rs []*result.Result
		for i := range 3 {
			text := fmt.Sprintf("a/%d campaign=a max_concurrency=%d output_throughput:5.5 ttft_mean:20.5", i, 1+i)
			if i < named {
				text += " model=A-1B"
			}
			rs = append(rs, run(text))
		}
		for _, lang := range []string{"en", "zh"} {
			src, err := compose.Post(selection(rs...), compose.Request{Language: lang, Date: "2026-01-15"})
			if err != nil {
				t.Fatal(err)
			}
			p, _ := locale.For(lang)
			if said := strings.Contains(string(src), "<!-- "+p.Words("compose.nameless", 3-named, 3)+" -->"); said != (named == 1 || named == 2) {
				t.Errorf("%s: %d of 3 say their model: a comment is %v\n%s", lang, named, said, src)
			}
		}
	}
}

// sizes returns variants of one base with their sizes.
func sizes() *dataset.Selection {
	rs := serving([]string{"model", "Q-8B", "Q-8B-FP8", "Q-8B-Int4"}, []string{"load", "high", "low"})
	for _, r := range rs {
		size := map[string]string{"Q-8B": "16 GB", "Q-8B-FP8": "9 GB", "Q-8B-Int4": "6 GB"}[r.Label("model")]
		r.Labels.Set(result.Label{Name: "weight_size", Value: size})
		if r.Label("model") != "Q-8B" {
			r.Labels.Set(result.Label{Name: "base_model", Value: "Q-8B"})
		}
	}
	return selection(rs...)
}

// build evaluates a post as a build does and returns its messages.
func build(t *testing.T, d *dataset.Selection, lang string, src []byte) (*document.Document, []result.Message) {
	t.Helper()
	doc, ms := document.Parse("content/posts/report."+lang+".md", src, document.Options{Language: lang})
	if where := doc.Front.Runs; where != "" {
		narrowed, err := d.Narrow(where)
		if err != nil {
			t.Fatal(err)
		}
		d = narrowed
	}
	if err := dataset.Unaccepted(doc.Front.Accept); err != nil {
		t.Error(err)
	}
	ms = append(ms, prose.Of(d).Check(doc)...)
	d = d.Accepting(doc.Front.Accept)
	for _, b := range doc.Blocks {
		_, problems := block.Evaluate(d, b.Kind, b.Body, b.Pos)
		ms = append(ms, problems...)
	}
	p, _ := locale.For(lang)
	for _, v := range doc.Values {
		in, err := inline.Evaluate(d, v.Expr, p)
		if err != nil {
			ms = append(ms, inline.Message(v.Pos, err))
		}
		if m, unlike := in.Warning(v.Pos); unlike {
			ms = append(ms, m)
		}
	}
	return doc, ms
}

// TestAPostOfAnyRunsBuilds: the post about any runs builds without messages, in both languages, and is the same
// each time.
func TestAPostOfAnyRunsBuilds(t *testing.T) {
	t.Parallel()
	for name, d := range variations() {
		for _, lang := range []string{"en", "zh"} {
			t.Run(name+" "+lang, func(t *testing.T) {
				t.Parallel()
				request := compose.Request{Language: lang, Date: "2026-01-15"}
				src, err := compose.Post(d, request)
				if err != nil {
					t.Fatal(err)
				}
				doc, ms := build(t, d, lang, src)
				for _, m := range ms {
					t.Errorf("%v", m)
				}
				if len(doc.Blocks) == 0 || !doc.More || doc.Front.Title == "" {
					t.Errorf("the post shows nothing, or has no title or excerpt:\n%s", src)
				}
				if strings.Contains(string(src), "[compose.") {
					t.Error("words are missing")
				}
				again, err := compose.Post(d, request)
				if err != nil || string(again) != string(src) {
					t.Errorf("written again it is another post: %v", err)
				}
			})
		}
	}
}

// TestFiguresAreBound: every figure of a run in a post is an inline value.
func TestFiguresAreBound(t *testing.T) {
	t.Parallel()
	for name, d := range variations() {
		src, err := compose.Post(d, compose.Request{Language: "en", Date: "2026-01-15"})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range slices.Concat(d.Results, d.Auxiliary) {
			for _, m := range r.Metrics {
				if digits := m.Digits(); strings.Contains(digits, ".") && strings.Contains(string(src), digits) {
					t.Errorf("%s: %s = %s of %s is typed", name, m.Name, digits, r.ID)
				}
			}
		}
	}
}

// TestBlocksSuitTheRuns: a post has the blocks for which its runs have data.
func TestBlocksSuitTheRuns(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"sizes":             {"findings", "config", "environment", "table", "chart bars", "chart dots", "chart scatter", "tradeoff", "checks", "raw"},
		"a sweep":           {"findings", "table", "chart curves", "chart lines", "sweep", "checks", "raw"},
		"settings":          {"findings", "table", "effects", "chart bars", "checks", "raw"},
		"hardware":          {"findings", "table", "chart bars", "raw"},
		"quality and speed": {"findings", "config", "table", "chart bars"},
		"telemetry":         {"table", "checks"},
		"failed":            {"table", "checks"},
	} {
		src, err := compose.Post(variations()[name], compose.Request{Language: "en", Date: "2026-01-15"})
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range want {
			fence := "```benchpost " + kind + "\n"
			if of, ok := strings.CutPrefix(kind, "chart "); ok {
				fence = "kind = \"" + of + "\"\n"
			}
			if !strings.Contains(string(src), fence) {
				t.Errorf("%s: no %s in\n%s", name, kind, src)
			}
		}
	}
}

// TestCurvesHaveAllConfigurations: the curves of a sweep contain all configurations in which variants were
// served.
func TestCurvesHaveAllConfigurations(t *testing.T) {
	t.Parallel()
	src, err := compose.Post(variations()["configurations"], compose.Request{Language: "en", Date: "2026-01-15"})
	if err != nil {
		t.Fatal(err)
	}
	const want = "kind = \"curves\"\ntitle = \"Output throughput against mean TPOT\"\nover = \"max_concurrency\"\n"
	if !strings.Contains(string(src), want) {
		t.Errorf("no %q in\n%s", want, src)
	}
}

// TestSentencesCompareSoundFigures: variants are compared with the model they were made from, and sentences do
// not use excluded figures while others exist.
func TestSentencesCompareSoundFigures(t *testing.T) {
	t.Parallel()
	src, err := compose.Post(variations()["excluded"], compose.Request{Language: "en", Date: "2026-01-15"})
	if err != nil {
		t.Fatal(err)
	}
	lead, _, _ := strings.Cut(string(src), "<!--more-->")
	if high, _, _ := strings.Cut(lead, "Low load"); strings.Contains(high, `model="A-1B"} | unit`) {
		t.Errorf("the excluded run is compared:\n%s", lead)
	}
	src, err = compose.Post(sizes(), compose.Request{Language: "en", Date: "2026-01-15"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(src), `baseline = '{model="Q-8B"}'`) || !strings.Contains(string(src), `/ output_throughput{load="high", model="Q-8B"} | .2`) {
		t.Errorf("no comparison with the base:\n%s", src)
	}
}

// TestWhere: a selector narrows the post. An invalid selector is an error with a hint.
func TestWhere(t *testing.T) {
	t.Parallel()
	d := variations()["models and loads"]
	src, err := compose.Post(d, compose.Request{Where: `{load="high"}`, Language: "en", Date: "2026-01-15"})
	if err != nil {
		t.Fatal(err)
	}
	doc, ms := build(t, d, "en", src)
	if len(ms) > 0 || doc.Front.Runs != `{load="high"}` {
		t.Errorf("%q %v", doc.Front.Runs, ms)
	}
	src, err = compose.Post(d, compose.Request{Language: "en", Date: "2026-01-15"})
	if doc, _ := build(t, d, "en", src); err != nil || doc.Front.Runs != `{campaign="c"}` {
		t.Errorf("the campaign that all runs are of: %v\n%s", err, src)
	}
	flat := selection(run("a model=A-1B tool=vllm-serve output_throughput:5.5"), run("b model=B-1B tool=vllm-serve output_throughput:6.5"))
	src, err = compose.Post(flat, compose.Request{Language: "en", Date: "2026-01-15"})
	if doc, _ := build(t, flat, "en", src); err != nil || doc.Front.Runs != `{campaign=""}` {
		t.Errorf("runs in no folder: %v\n%s", err, src)
	}
	src, err = compose.Post(variations()["thirty campaigns"], compose.Request{Language: "en", Date: "2026-01-15"})
	if doc, _ := build(t, d, "en", src); err != nil || doc.Front.Runs != "" {
		t.Errorf("one of many campaigns: %v\n%s", err, src)
	}
	_, err = compose.Post(d, compose.Request{Where: `{load="none"}`, Language: "en", Date: "2026-01-15"})
	if p := dataset.AsProblem(err); p == nil || !strings.Contains(locale.English(p.Hint), "high") {
		t.Errorf("%v", err)
	}
	if _, err := compose.Post(&dataset.Selection{}, compose.Request{Language: "en"}); !errors.Is(err, compose.ErrNoRuns) {
		t.Errorf("%v", err)
	}
}

// TestDraftsAndCommands: a draft says that it is one and how to keep it. Commands are shown unchanged.
func TestDraftsAndCommands(t *testing.T) {
	t.Parallel()
	src, err := compose.Post(variations()["one run"], compose.Request{Language: "en", Date: "2026-01-15", Draft: "benchpost new post",
		Commands: func(*result.Result) []result.Command {
			return []result.Command{{Text: "vllm bench serve --model ```x", Line: 3}}
		}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Draft from the runs", "`benchpost new post`", "````bash\nvllm bench serve --model ```x\n````\n"} {
		if !strings.Contains(string(src), want) {
			t.Errorf("no %q in\n%s", want, src)
		}
	}
}
