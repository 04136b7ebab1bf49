package blogpost

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// sayings returns findings of every kind: a claim of one run, one of more runs than are named, a withheld
// statement, and a limit without runs.
func sayings() report.Findings {
	both := func(zh, en string) locale.Text { return locale.By(map[string]string{"zh": zh, "en": en}, "") }
	f := report.Findings{
		Title: both("八台", "Eight boards"),
		Claims: []report.Finding{
			{N: 1, Runs: []string{"board/q5_k_m/high"}, Text: both("FP8 最快 | 最小。", "FP8 is fastest | smallest.")},
			{N: 3, Text: both("相差 5 倍。", "They span a factor of 5.")},
		},
		Withheld: []report.Finding{{N: 1, Runs: []string{"board/fp4/high"},
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
		"en": `*Eight boards*

- FP8 is fastest \| smallest.  
  <small>n = 1 · board/q5\_k_m/high</small>
- They span a factor of 5.  
  <small>n = 3 · board/q0/high · board/q1/high · board/q2/high · board/q3/high · <span title="board/q4/high, board/q5/high">and 2 more</span></small>
- <strong>Not claimed:</strong> “FP4 is 2% faster.” It ran once.  
  <small>n = 1 · board/fp4/high</small>

**What the data cannot say**

- No run has concurrency 16.
`,
		"zh-CN": `*八台*

- FP8 最快 \| 最小。  
  <small>n = 1 · board/q5\_k_m/high</small>
- 相差 5 倍。  
  <small>n = 3 · board/q0/high · board/q1/high · board/q2/high · board/q3/high · <span title="board/q4/high, board/q5/high">另有 2 个</span></small>
- <strong>未作结论：</strong>“FP4 快 2%。”只运行一次。  
  <small>n = 1 · board/fp4/high</small>

**数据不能说明的**

- 没有并发 16 的运行。
`,
	} {
		if got := in(printer(t, lang)).Findings(sayings()).text; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", lang, got, want)
		}
	}
}

func TestFindingsWithoutAny(t *testing.T) {
	for lang, want := range map[string]string{"en": "*Nothing to report from these runs.*\n", "zh-CN": "*这些运行没有可报告的结论。*\n"} {
		if got := in(printer(t, lang)).Findings(report.Findings{}).text; got != want {
			t.Errorf("%s: got %q, want %q", lang, got, want)
		}
	}
}

// TestFindingsOfOneKind: missing parts produce no output.
func TestFindingsOfOneKind(t *testing.T) {
	one := []report.Finding{{Text: lit("x")}}
	for want, f := range map[string]report.Findings{
		"- x\n": {Claims: one},
		"- <strong>Not claimed:</strong> “x”\n": {Withheld: one},
		"**What the data cannot say**\n\n- x\n": {Limits: one},
	} {
		if got := in(printer(t, "en")).Findings(f).text; strings.TrimRight(got, "\n ")+"\n" != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// FuzzFindings: for any text, every finding is one list item, and Liquid finds nothing to run.
func FuzzFindings(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s)
	}
	p := printer(f, "en")
	f.Fuzz(func(t *testing.T, text, id string) {
		one := report.Finding{Text: lit(text), Reason: lit(text), Runs: []string{id, id, id, id, id}}
		got := in(p).Findings(report.Findings{Claims: []report.Finding{one, one}, Withheld: []report.Finding{one}}).text
		for i, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
			if want := []string{"- ", "  "}[i%2]; !strings.HasPrefix(line, want) {
				t.Errorf("line %d does not begin with %q:\n%s", i+1, want, got)
			}
		}
		if n := strings.Count(got, "\n"); n != 6 { // three items of two lines
			t.Errorf("%d lines:\n%s", n, got)
		}
		if strings.Contains(got, "{{") || strings.Contains(got, "{%") {
			t.Errorf("Liquid would run in\n%s", got)
		}
	})
}
