package parts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// sayings returns findings of every kind: a claim of one run, one of more runs than are linked, a withheld claim, and a
// limit without runs.
func sayings() report.Findings {
	both := func(zh, en string) locale.Text { return locale.By(map[string]string{"zh": zh, "en": en}, "") }
	f := report.Findings{
		Title: both("八台", "Eight boards"),
		Claims: []report.Finding{
			{Rule: "leader", N: 1, Runs: []string{"board/fp8/high"}, Text: both("FP8 最快 & 最小。", "FP8 is fastest & smallest.")},
			{Rule: "spread", N: 3, Text: both("相差 5 倍。", "They span a factor of 5.")},
		},
		Withheld: []report.Finding{{Rule: "leader", N: 1, Runs: []string{"board/fp4/high"},
			Text: both("FP4 快 2%。", "FP4 is 2% faster."), Reason: both("只运行一次。", "It ran once.")}},
		Limits: []report.Finding{{Text: both("没有并发 16 的运行。", "No run has concurrency 16.")}},
	}
	for i := range 6 {
		f.Claims[1].Runs = append(f.Claims[1].Runs, fmt.Sprintf("board/q%d/high", i))
	}
	return f
}

func TestFindings(t *testing.T) {
	for lang, want := range map[string]string{
		"en": `<div class="said">
<p class="name">Eight boards</p>
<ul class="claims" aria-label="Findings">
<li data-rule="leader">FP8 is fastest &amp; smallest. <small class="sources"><span class="n">n = 1</span> · <a href="r:board/fp8/high" title="board/fp8/high">fp8/high</a></small></li>
<li data-rule="spread">They span a factor of 5. <small class="sources"><span class="n">n = 3</span> · <a href="r:board/q0/high" title="board/q0/high">q0/high</a> · <a href="r:board/q1/high" title="board/q1/high">q1/high</a> · <a href="r:board/q2/high" title="board/q2/high">q2/high</a> · <a href="r:board/q3/high" title="board/q3/high">q3/high</a> · <span title="board/q4/high
board/q5/high">and 2 more</span></small></li>
</ul>
<ul class="withheld" aria-label="Not claimed">
<li data-rule="leader"><b class="tag">Not claimed</b> <span class="unclaimed">“FP4 is 2% faster.”</span> <span class="reason">It ran once.</span> <small class="sources"><span class="n">n = 1</span> · <a href="r:board/fp4/high" title="board/fp4/high">fp4/high</a></small></li>
</ul>
<p class="label">What the data cannot say</p>
<ul class="limits" aria-label="What the data cannot say">
<li>No run has concurrency 16.</li>
</ul>
</div>
`,
		"zh-CN": `<div class="said">
<p class="name">八台</p>
<ul class="claims" aria-label="结论">
<li data-rule="leader">FP8 最快 &amp; 最小。 <small class="sources"><span class="n">n = 1</span> · <a href="r:board/fp8/high" title="board/fp8/high">fp8/high</a></small></li>
<li data-rule="spread">相差 5 倍。 <small class="sources"><span class="n">n = 3</span> · <a href="r:board/q0/high" title="board/q0/high">q0/high</a> · <a href="r:board/q1/high" title="board/q1/high">q1/high</a> · <a href="r:board/q2/high" title="board/q2/high">q2/high</a> · <a href="r:board/q3/high" title="board/q3/high">q3/high</a> · <span title="board/q4/high
board/q5/high">另有 2 个</span></small></li>
</ul>
<ul class="withheld" aria-label="未作结论">
<li data-rule="leader"><b class="tag">未作结论</b> <span class="unclaimed">“FP4 快 2%。”</span> <span class="reason">只运行一次。</span> <small class="sources"><span class="n">n = 1</span> · <a href="r:board/fp4/high" title="board/fp4/high">fp4/high</a></small></li>
</ul>
<p class="label">数据不能说明的</p>
<ul class="limits" aria-label="数据不能说明的">
<li>没有并发 16 的运行。</li>
</ul>
</div>
`,
	} {
		p, _ := locale.For(lang)
		if got := string(Findings(sayings(), p, func(id string) string { return "r:" + id })); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", lang, got, want)
		}
	}
}

func TestFindingsWithoutAny(t *testing.T) {
	for lang, words := range map[string]string{"en": "Nothing to report from these runs.", "zh-CN": "这些运行没有可报告的结论。"} {
		p, _ := locale.For(lang)
		want := "<div class=\"said\">\n<p class=\"empty\">" + words + "</p>\n</div>\n"
		if got := string(Findings(report.Findings{}, p, nil)); got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}

// TestFindingsOfOneKind checks that absent parts leave no trace, and that a run without a page has no link.
func TestFindingsOfOneKind(t *testing.T) {
	en, _ := locale.For("en")
	one := []report.Finding{{Text: locale.Lit("x"), Runs: []string{"<b>"}}}
	for want, f := range map[string]report.Findings{
		`<ul class="claims"`:   {Claims: one},
		`<ul class="withheld"`: {Withheld: one},
		`<ul class="limits"`:   {Limits: one},
	} {
		got := string(Findings(f, en, func(string) string { return "" }))
		if strings.Count(got, "<ul") != 1 || !strings.Contains(got, want) || strings.Contains(got, `class="reason"`) || strings.Contains(got, `class="n"`) {
			t.Errorf("want only %s in\n%s", want, got)
		}
		if !strings.Contains(got, `<span title="&lt;b&gt;">&lt;b&gt;</span>`) {
			t.Errorf("want the run without a link in\n%s", got)
		}
	}
}

func TestCommonFolder(t *testing.T) {
	for _, c := range []struct {
		ids  []string
		want string
	}{
		{nil, ""},
		{[]string{"high"}, ""},
		{[]string{"fp8/high"}, ""}, // two segments are kept
		{[]string{"board/fp8/high"}, "board/"},
		{[]string{"a/board/fp8/high", "a/board/fp4/low"}, "a/board/"},
		{[]string{"a/board/fp8/high", "a/boards/fp4/low"}, "a/"}, // only complete folders are removed
		{[]string{"a/board/fp8/high", "b/board/fp8/high"}, ""},
		{[]string{"a/board/fp8/high", "a/high"}, ""},
	} {
		if got := commonFolder([]report.Finding{{Runs: c.ids}}); got != c.want {
			t.Errorf("%q: got %q, want %q", c.ids, got, c.want)
		}
	}
}
