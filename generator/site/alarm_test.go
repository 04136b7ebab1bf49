package site

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
)

// alarmed returns what is reported about new runs in a site that already has runs.
func alarmed(t *testing.T, there, come map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, config.Name), "title = \"x\"\n[[load]]\nname = \"high\"\ntitle = {\"zh-CN\" = \"高\", en = \"High\"}\nwhen = '{max_concurrency=\"8\"}'\n")
	put := func(runs map[string]string) (paths []string) {
		for name, text := range runs {
			writeFile(t, filepath.Join(dir, "runs", "c", filepath.FromSlash(name)), text)
			paths = append(paths, "runs/c/"+name)
		}
		return paths
	}
	put(there)
	s := Open(Options{Dir: dir})
	if _, err := s.Read(); err != nil {
		t.Fatal(err)
	}
	s.Changed(put(come))
	e, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	var reported []string
	for _, a := range e.Alarms() {
		reported = append(reported, a.Run.ID+": "+a.Check.ID+": "+locale.English(a.Check.Text))
	}
	slices.Sort(reported)
	return reported
}

// measured returns the output of vLLM for a run, below the command that started it.
func measured(prompts, failed int, throughput float64) string {
	return fmt.Sprintf("$ vllm bench serve --model A --num-prompts %d --max-concurrency 8\n============ Serving Benchmark Result ============\nSuccessful requests: %d\nFailed requests: %d\nMaximum request concurrency: 8\nOutput token throughput (tok/s): %.2f\n==================================================\n",
		prompts, prompts-failed, failed, throughput)
}

// TestAlarms checks what is reported about a run that has finished: failed checks, settings that differ from those of
// comparable runs, and repeats that scatter.
func TestAlarms(t *testing.T) {
	t.Parallel()
	many := map[string]string{}
	for i := range measuredAtOnce + 1 {
		many[fmt.Sprintf("%d.log", i)] = measured(100, 5, 200)
	}
	two := map[string]string{"a.log": measured(100, 0, 200), "b.log": measured(100, 0, 201)}
	for _, c := range []struct {
		name        string
		there, come map[string]string
		want        []string // beginning of each
	}{
		{"a sound run", two, map[string]string{"c.log": measured(100, 0, 200)}, nil},
		{"what was there before is not reported", map[string]string{"a.log": measured(100, 5, 200)}, map[string]string{"c.log": measured(100, 0, 200)}, nil},
		{"a run that fails", two, map[string]string{"c.log": measured(100, 5, 200)}, []string{"c/c: consistency.failed-requests: 5 of 100 requests failed"}},
		{"a run with other prompts", two, map[string]string{"c.log": measured(500, 0, 200)}, []string{"c/c: compare.num_prompts: "}},
		{"repeats that scatter", two, map[string]string{"c.log": measured(100, 0, 400)}, []string{"c/c: compare.unstable: "}},
		{"what was copied in", two, many, nil},
	} {
		got := alarmed(t, c.there, c.come)
		if len(got) != len(c.want) || slices.ContainsFunc(got, func(s string) bool {
			return !slices.ContainsFunc(c.want, func(w string) bool { return strings.HasPrefix(s, w) })
		}) {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}
