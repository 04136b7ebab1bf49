package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
)

// TestARefusalNamesTheNearestFormat checks that, for a file with a misspelt mark or key, its format is among those
// returned, with the similar line, and that the missing mark or key is not in the file.
func TestARefusalNamesTheNearestFormat(t *testing.T) {
	for text, want := range map[string]string{
		"a log\n=== Serving Benchmark Summary ===\nSuccessful requests 3\n":         "vllm-serve-text",
		"{\"mean_ttft\": 3,\n \"mean_tpot\": 4, \"list\": [{\"mean_ttft_ms\": 1}]}": "serving-json",
		"x\nllama_print_timings: eval\n":                                            "llama-timings-text",
	} {
		file := filepath.Join(t.TempDir(), "odd.log")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		refusals, err := format.Refusals(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		named := false
		for _, r := range refusals {
			named = named || r.Format == want
			if r.Line < 1 || r.Line > len(lines) || !strings.Contains(lines[r.Line-1], r.Has) {
				t.Errorf("%s: %q is not on line %d of %q", r.Format, r.Has, r.Line, text)
			}
			if r.Lacks != "" && strings.Contains(lines[r.Line-1], r.Lacks) {
				t.Errorf("%s: %q is in %q", r.Format, r.Lacks, text)
			}
		}
		if !named {
			t.Errorf("%s is not named for %q: %+v", want, text, refusals)
		}
	}
}
