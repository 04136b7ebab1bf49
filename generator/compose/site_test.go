package compose_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
)

// TestASiteOfAnyRunsIsRead: for any names in the results, the written site.toml is read without messages.
func TestASiteOfAnyRunsIsRead(t *testing.T) {
	t.Parallel()
	for name, d := range variations() {
		dir := t.TempDir()
		text := compose.Site(d, `A "site"`)
		if err := os.WriteFile(filepath.Join(dir, config.Name), text, 0o644); err != nil {
			t.Fatal(err)
		}
		c, ms := config.Read(dir)
		if len(ms) > 0 || len(c.Languages) != 2 {
			t.Errorf("%s: %v\n%s", name, ms, text)
		}
	}
}

// TestWhatASiteSays: two or three concurrencies become loads, facts derived from names alone are marked, and
// facts in the results are not repeated.
func TestWhatASiteSays(t *testing.T) {
	t.Parallel()
	rs := serving([]string{"model", "Q-8B", "Q-8B-FP8"}, []string{"max_concurrency", "1", "8", "32"}, []string{"hardware", "thor"})
	for _, r := range rs {
		r.Labels.Set(result.Label{Name: "model_raw", Value: "org/" + r.Label("model"), Origin: result.Measured})
		r.Labels.Set(result.Label{Name: "quantization", Value: "FP8", Origin: result.Guessed})
		r.Labels.Set(result.Label{Name: "hardware", Value: "thor", Origin: result.Guessed})
	}
	text := string(compose.Site(selection(rs...), "S"))
	for _, want := range []string{
		"name = \"medium\"   # guessed\n", `when = '{max_concurrency="32"}'`, "id = \"thor\"   # guessed\n", "# memory = \"\"   # not known\n",
		"id = \"Q-8B-FP8\"\naliases = [\"org/Q-8B-FP8\"]\nbase = \"Q-8B\"   # guessed\nquantization = \"FP8\"   # guessed\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	many := string(compose.Site(selection(serving([]string{"model", "A"}, []string{"max_concurrency", "1", "2", "4", "8"})...), "S"))
	if strings.Contains(many, "\n[[load]]") || !strings.Contains(many, "No result says on what") {
		t.Errorf("steps of a sweep are no loads:\n%s", many)
	}
}
