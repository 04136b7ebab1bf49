package compose_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// motley returns random runs as in a folder that several people used.
func motley(random *rand.Rand) *dataset.Selection {
	labels := [][]string{
		{"model", "A-1B", "B-2B", "C-3B", "D-4B"}, {"hardware", "h100", "mi300x", "", "rtx-4090"}, {"engine", "vllm", "sglang", ""},
		{"input_len", "128", "1024", ""}, {"max_concurrency", "1", "8", "16", "64"}, {"power_mode", "MAXN", "120W"}, {"num_prompts", "10", "200"},
		{"engine_version", "0.10", "0.11"}, {"load", "high", "low"}, {"tool", "vllm-serve", "sglang-serving", "llama-bench"}, {"campaign", "one", "two", "three"},
	}
	values := make([]int, len(labels)) // how many values of each label runs may have
	for i, l := range labels {
		values[i] = 1 + random.IntN(len(l)-1)
		if random.IntN(3) == 0 {
			values[i] = 1
		}
	}
	var rs []*result.Result
	for i := range 1 + random.IntN(30) {
		text := fmt.Sprintf("r/%02d output_throughput:%d.5 ttft_mean:%d.25 tpot_mean:%d.75 requests_completed:%d", i, 50+random.IntN(500), 20+random.IntN(200), 5+random.IntN(40), 10+i)
		for n, l := range labels {
			if v := l[1+random.IntN(values[n])]; v != "" {
				text += " " + l[0] + "=" + v
			}
		}
		rs = append(rs, run(text))
	}
	return selection(rs...)
}

// matched reports whether a rule compares only runs that differ in one setting, or only lists excluded runs.
func matched(rule string) bool { return rule == "effect" || rule == "excluded" }

// ofPlaced returns the messages about runs that a chart shows. The chart itself says how many it does not show.
func ofPlaced(ms []result.Message) []result.Message {
	return slices.DeleteFunc(slices.Clone(ms), func(m result.Message) bool { return m.ID == builder.Unplaced })
}

// TestOnlyWhatWasMeasuredAlikeIsCompared: for any runs, nothing in the report compares or ranks runs that
// differ in a condition that is not laid out: no best value of a table, chart, finding or ratio in the prose. A
// footnote is not enough.
func TestOnlyWhatWasMeasuredAlikeIsCompared(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(19, 5))
	marked, ratios, findings, machines := 0, 0, 0, 0
	for range need.Times(60, 1500) {
		d := motley(random)
		src, err := compose.Post(d, compose.Request{Language: "en", Date: "2026-01-15"})
		if err != nil {
			t.Fatal(err)
		}
		doc, ms := build(t, d, "en", src)
		for _, m := range ofPlaced(ms) {
			t.Errorf("%v", m)
		}
		for _, name := range doc.Front.Accept {
			if slices.Contains(condition.Decisive(), name) {
				others := slices.DeleteFunc(slices.Clone(doc.Front.Accept), func(of string) bool { return of == name })
				for _, b := range doc.Blocks {
					shown, ms := block.Evaluate(d.Accepting(others), b.Kind, b.Body, b.Pos)
					if effects := shown.Findings; len(ofPlaced(ms)) > 0 && (effects == nil || slices.ContainsFunc(effects.Claims, func(f report.Finding) bool { return !matched(f.Rule) })) {
						t.Errorf("runs that differ in %s are compared by %s\n%s", name, b.Kind, b.Body)
					}
				}
			}
		}
		alike := func(what string, rs []*result.Result, laid ...string) {
			if differ := condition.Of(rs, laid...); len(differ) > 0 {
				t.Errorf("%s compares runs that differ in %v:\n%s", what, differ, src)
			}
		}
		d = d.Accepting(doc.Front.Accept)
		for _, b := range doc.Blocks {
			var spec map[string]any
			settings.Decode("", 1, b.Body, &spec)
			where, _ := spec["where"].(string)
			rs, err := d.Select(where)
			if err != nil {
				t.Fatal(err)
			}
			label := func(name, otherwise string) string {
				if v, ok := spec[name].(string); ok {
					return v
				}
				return otherwise
			}
			shown, _ := block.Evaluate(d, b.Kind, b.Body, b.Pos)
			switch {
			case b.Kind == "findings" && slices.ContainsFunc(shown.Findings.Claims, func(f report.Finding) bool { return !matched(f.Rule) }):
				findings++
				alike("findings", rs, label("rows", "model"), label("load", "load"))
			case b.Kind == "chart" && spec["kind"] == "lines":
				alike("a chart", rs, label("over", "max_concurrency"), label("series", "model"))
			case b.Kind == "chart":
				alike("a chart", rs, label("category", label("label", label("series", "model"))), label("series", "load"), label("category", "model"))
			case b.Kind == "table" && slices.ContainsFunc(shown.Table.Rows, func(r report.Row) bool {
				return slices.ContainsFunc(r.Cells, func(c report.Cell) bool { return c.Best })
			}):
				marked++
				alike("a table with best values", rs, fmt.Sprint(spec["rows"].([]any)[0]), label("split", ""))
			}
			if label("split", "") == "hardware" {
				machines++
			}
		}
		p, _ := locale.For("en")
		for _, v := range doc.Values {
			in, err := inline.Evaluate(d, v.Expr, p)
			if err == nil && strings.Contains(v.Expr, " / ") {
				ratios++
				if !slices.ContainsFunc(slices.Concat([]string{"model", "load"}, condition.Decisive()), func(label string) bool { return len(condition.Of(in.Runs, label)) == 0 }) {
					t.Errorf("%s compares runs that differ in more than one condition", v.Expr)
				}
			}
		}
	}
	if marked == 0 || ratios == 0 || findings == 0 || machines == 0 {
		t.Errorf("%d tables mark a best value, %d sentences have a ratio, %d blocks findings, %d tables set machines side by side", marked, ratios, findings, machines)
	}
}

// TestTitlesClaimNoComparisonThatIsNone: a title names only labels by which runs can be compared. For two
// models under two conditions, there is no comparison.
func TestTitlesClaimNoComparisonThatIsNone(t *testing.T) {
	t.Parallel()
	apart := []*result.Result{
		run("c/1 campaign=c model=A-1B max_concurrency=1 dataset=random input_len=512 output_throughput:100.25 ttft_mean:50.5"),
		run("c/2 campaign=c model=B-1B max_concurrency=8 dataset=sharegpt output_throughput:200.25 ttft_mean:60.5"),
	}
	for _, c := range []struct {
		more   string // an additional run
		en, zh string
	}{
		{"", "A-1B and B-1B: benchmark results", "A-1B 和 B-1B：基准测试结果"},
		{"c/3 campaign=c model=B-1B max_concurrency=1 dataset=random input_len=512 output_throughput:90.25 ttft_mean:50.5", "A-1B and B-1B, compared by model", "A-1B 和 B-1B：按模型对比"},
		{"c/3 campaign=c model=A-1B max_concurrency=4 dataset=random input_len=512 output_throughput:90.25 ttft_mean:50.5", "A-1B and B-1B, compared by concurrency", "A-1B 和 B-1B：按并发数对比"},
		{"c/3 campaign=c model=B-1B quality:0.5", "A-1B and B-1B: benchmark results", "A-1B 和 B-1B：基准测试结果"},
	} {
		rs := apart
		if c.more != "" {
			rs = append(slices.Clone(apart), run(c.more))
		}
		for lang, want := range map[string]string{"en": c.en, "zh": c.zh} {
			source, err := compose.Post(selection(slices.Clone(rs)...), compose.Request{Language: lang, Date: "2026-01-15"})
			if err != nil {
				t.Fatal(err)
			}
			if title, _, _ := strings.Cut(strings.TrimPrefix(string(source), "+++\ntitle = "), "\n"); title != strconv.Quote(want) {
				t.Errorf("with %q: %s, want %q", c.more, title, want)
			}
		}
	}
}

// TestCampaignsAreCalledByTheirNames: a campaign is named without its label, because folder names are clear by
// themselves.
func TestCampaignsAreCalledByTheirNames(t *testing.T) {
	t.Parallel()
	var rs []*result.Result
	for i, campaign := range []string{"边缘盒子", "推理服务器"} {
		for n, model := range []string{"A-1B", "B-1B"} {
			rs = append(rs, run(fmt.Sprintf("%s/%d campaign=%s model=%s max_concurrency=8 output_throughput:%d.25 ttft_mean:50.5", campaign, n, campaign, model, 100*(1+i)+20*n)))
		}
	}
	source, err := compose.Post(selection(rs...), compose.Request{Language: "zh", Date: "2026-01-15"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), "边缘盒子") || strings.Contains(string(source), "测试批次边缘盒子") || strings.Contains(string(source), "测试批次推理服务器") {
		t.Errorf("%s", source)
	}
}

// TestFoldersOfUnknownMachinesAreStudiedApart: if some runs name their machine, runs that do not are only in a
// study with runs of the same folder, because other folders may be of another machine. If no run names one,
// folders may be in one study.
func TestFoldersOfUnknownMachinesAreStudiedApart(t *testing.T) {
	t.Parallel()
	for known, together := range map[string]bool{"": true, " hardware=h100": false} {
		rs := []*result.Result{
			run("p/1 campaign=p model=A-1B input_len=512 output_throughput:100.25 ttft_mean:50.5"), run("q/1 campaign=q model=B-1B input_len=512 output_throughput:300.25 ttft_mean:20.5"),
			run("r/1 campaign=r model=C-1B input_len=1024" + known + " output_throughput:200.25 ttft_mean:30.5"),
		}
		source, err := compose.Post(selection(rs...), compose.Request{Language: "en", Date: "2026-01-15"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(source), "compared by model"); got != together {
			t.Errorf("with%q: compared by model: %v\n%s", known, got, source)
		}
	}
}
