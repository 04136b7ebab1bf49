package problem

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// site returns findings of several rules about runs, messages, and a writer for them.
func site(lang string, runs int) (*Writer, []Problem) {
	p, _ := locale.For(lang)
	book := (&address.Index{}).Book()
	w := &Writer{Reader: &parts.Reader{Printer: p, Names: book}, Home: "../",
		Rules: []result.Rule{{ID: "consistency.rates", Raises: []string{"consistency.output-throughput"}, Title: locale.T("rule.consistency.rates.title")}}}
	var results []*result.Result
	for i := range runs {
		r := &result.Result{ID: fmt.Sprintf("a/%d", i)}
		r.Checks = []result.Check{{ID: "consistency.output-throughput", Severity: result.Error, Text: locale.Lit("too fast"), Hint: locale.Lit("measure again")}}
		if i%2 == 1 {
			r.Checks[0].Severity = result.Warning
		}
		results = append(results, r)
	}
	messages := []result.Message{
		{Pos: result.Position{File: "runs/a.log", Line: 3}, Severity: result.Warning, ID: "run.contradiction", Text: locale.Lit("two values"), Hint: locale.Lit("remove one")},
		{Severity: result.Info, ID: "run.note", Text: locale.Lit("nothing wrong")},
	}
	return w, Find(results, messages, []*result.Unfinished{{Source: result.Position{File: "runs/b.log"}}, {Running: true}})
}

func TestTheWorstComeFirst(t *testing.T) {
	t.Parallel()
	_, all := site("en", 4)
	if len(all) != 4+1+1 {
		t.Errorf("%d problems", len(all))
	}
	if !slices.IsSortedFunc(all, func(a, b Problem) int { return int(b.Severity - a.Severity) }) {
		t.Errorf("they are not in the order of their severity: %+v", all)
	}
}

func TestEachRuleIsOneGroupWithTitleCountAndAnchor(t *testing.T) {
	t.Parallel()
	for _, lang := range locale.Languages {
		w, all := site(lang, 9)
		html := string(w.ByRule(all))
		if got := strings.Count(html, "<details"); got != 4 {
			t.Errorf("%s: %d groups, want errors and warnings of a rule, a contradiction, a run without a result", lang, got)
		}
		ids := regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(html, -1)
		seen := map[string]bool{}
		for _, id := range ids {
			if seen[id[1]] {
				t.Errorf("%s: two groups are at #%s", lang, id[1])
			}
			seen[id[1]] = true
		}
		if !seen["consistency.output-throughput"] || !seen["run.contradiction"] || !seen[unfinishedID] {
			t.Errorf("%s: the anchors are %v", lang, seen)
		}
		for _, title := range regexp.MustCompile(`<b>([^<]*)</b>`).FindAllStringSubmatch(html, -1) {
			if title[1] == "" || regexp.MustCompile(`^[a-z]+\.[a-z-]+$`).MatchString(title[1]) {
				t.Errorf("%s: a group is titled %q", lang, title[1])
			}
		}
		for i := range 9 {
			if got := strings.Count(html, fmt.Sprintf(`>a/%d</a>`, i)); got != 1 {
				t.Errorf("%s: run %d is listed %d times", lang, i, got)
			}
		}
		if got := strings.Count(html, "measure again"); got != 2 {
			t.Errorf("%s: what to do is said %d times, want once a group", lang, got)
		}
	}
}

func TestFewAreOpenAndManyAreCut(t *testing.T) {
	t.Parallel()
	w, all := site("en", 2*inSight)
	if html := string(w.ByRule(all)); strings.Count(html, " open>") != 4 {
		t.Errorf("groups of %d are folded: %s", inSight, html)
	}
	w, all = site("en", 4*perRule)
	html := string(w.ByRule(all))
	if got := strings.Count(html, "too fast"); got != 2*perRule {
		t.Errorf("%d are listed, want %d of each severity", got, perRule)
	}
	if strings.Count(html, fmt.Sprintf("and %d more", perRule)) != 2 {
		t.Errorf("it is not said how many are left out: %s", html[len(html)-300:])
	}
}

func TestRepeatsAreSummedUp(t *testing.T) {
	t.Parallel()
	w, all := site("en", 6)
	few := Summed(all)
	if len(few) != 4 { // two severities, a message, a run without a result
		t.Errorf("%d are left", len(few))
	}
	if html := string(w.HTML(few)); strings.Count(html, "and 2 more runs") != 2 {
		t.Errorf("got %s", html)
	}
}
