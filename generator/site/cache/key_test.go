package cache

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestMain prints the keys of the examples if CACHE_TEST_KEYS is set, for comparison with those of another process.
func TestMain(m *testing.M) {
	if os.Getenv("CACHE_TEST_KEYS") != "" {
		fmt.Print(exampleKeys())
		return
	}
	os.Exit(m.Run())
}

// exampleKeys returns the keys of one value of each type. The values contain everything that may differ between
// processes: pointers, maps, and texts in two languages.
func exampleKeys() string {
	r := &result.Result{ID: "a", Checks: []result.Check{{ID: "c", Text: locale.T("page.csv"), Figures: map[string]float64{"x": 1, "y": 2, "z": 3}}}}
	r.Seal()
	selector, _ := result.ParseSelector(`{model=~"a.*",load!="high"}`)
	plan := dataset.Plan{Name: "p", Title: locale.By(map[string]string{"zh": "计划", "en": "plan"}, "plan"),
		Labels: []dataset.PlanLabel{{Name: "model", Values: []string{"a", "b"}}}, Except: []result.Selector{selector}, Repeats: 2}
	styles := map[string]map[string]int{"model": {"a": 1, "b": 2, "c": 3}, "engine": {"x": 1, "y": 2}}
	site := Key(SiteKey{Config: []byte("title = 'x'"), Fonts: []File{{"a.ttf", filemark.Mark{Size: 1, Time: 2}}}})
	plans := Key(PlansKey{Site: site, Plans: []dataset.Plan{plan}})
	posts := Key(PostsKey{Plans: plans, Past: []*result.Result{r}})
	keys := []result.Stamp{site, plans, posts,
		Key(ReadingKey{"a", filemark.Mark{Size: 1, Time: 2}, result.Stamp{}}),
		Key(ReadingKey{"a", filemark.Mark{Size: 1, Time: 2}, result.Stamp{1}}),
		Key(UnfinishedKey{posts, []*result.Unfinished{{ID: "u", Done: 3}}}),
		Key(EvaluationKey{Posts: posts, Results: []*result.Result{r}, Styles: styles, Linked: map[string]string{"a": "1", "b": "2", "c": "3"}}),
		Key(PostKey{Evaluation: posts, Cited: map[string]string{"a": "1", "b": "2", "c": "3"}, Linked: map[string]File{"x": {"x", filemark.Mark{Size: 1, Time: 2}}, "y": {"y", filemark.Mark{Size: 3, Time: 4}}}}),
		Key(ResultsKey{site, []*result.Result{r}}),
		Key(FilesKey{[]File{{"a", filemark.Mark{Size: 1, Time: 2}}}}),
	}
	return fmt.Sprintf("%x\n", keys)
}

// TestKeysAreTheSameInEveryProcess checks that equal inputs have equal keys in every process, independent of addresses
// and the order of maps.
func TestKeysAreTheSameInEveryProcess(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here := exampleKeys()
	for range 2 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), "CACHE_TEST_KEYS=1")
		there, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if string(there) != here {
			t.Errorf("another process makes the keys\n%s\nnot\n%s", there, here)
		}
	}
	fields := strings.Fields(here)
	for i, key := range fields {
		for _, other := range fields[:i] {
			if key == other {
				t.Errorf("two keys of different things are equal: %s", key)
			}
		}
	}
}

// TestEveryPartOfAKeyMatters checks that each part of a key changes it.
func TestEveryPartOfAKeyMatters(t *testing.T) {
	t.Parallel()
	selector := func(text string) result.Selector { s, _ := result.ParseSelector(text); return s }
	is := func(label, value string) result.Selector { // as sweeps make one, without a text
		return result.Selector{Matchers: []result.Matcher{{Label: label, Op: "=", Value: value}}}
	}
	plan := func(except ...result.Selector) result.Stamp {
		return Key(PlansKey{Plans: []dataset.Plan{{Name: "p", Except: except}}})
	}
	post := func(k PostKey) result.Stamp { return Key(k) }
	evaluation := func(k EvaluationKey) result.Stamp { return Key(k) }
	all := []result.Stamp{
		plan(), plan(selector(`{a="1"}`)), plan(selector(`{a="2"}`)), plan(is("a", "3")), plan(is("a", "4")), plan(is("a", "3"), is("a", "4")),
		post(PostKey{}), post(PostKey{OwnLayouts: true}), post(PostKey{Evaluation: result.Stamp{1}}),
		evaluation(EvaluationKey{}), evaluation(EvaluationKey{Versions: []string{"1"}}), evaluation(EvaluationKey{Versions: []string{"1", ""}}),
		evaluation(EvaluationKey{Waiting: true}), evaluation(EvaluationKey{Source: [32]byte{1}}),
		evaluation(EvaluationKey{Linked: map[string]string{"a": ""}}), evaluation(EvaluationKey{Linked: map[string]string{"a": "missing"}}),
		evaluation(EvaluationKey{Aims: []string{"a.md"}}), evaluation(EvaluationKey{Styles: map[string]map[string]int{"model": {"a": 1}}}),
		evaluation(EvaluationKey{Styles: map[string]map[string]int{"model": {"a": 2}}}),
		post(PostKey{Cited: map[string]string{"a": "1"}}), post(PostKey{Cited: map[string]string{"a": "2"}}), post(PostKey{Cited: map[string]string{"a1": ""}}),
		post(PostKey{Linked: map[string]File{"a": {"a", filemark.Mark{Size: 1, Time: 2}}}}), post(PostKey{Linked: map[string]File{"a": {"a", filemark.Mark{Size: 1, Time: 3}}}}),
	}
	for i, key := range all {
		for n, other := range all[:i] {
			if key == other {
				t.Errorf("keys %d and %d are equal", n, i)
			}
		}
	}
}
