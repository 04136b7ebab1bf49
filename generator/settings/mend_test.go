package settings

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/benchpost/benchpost/generator/locale"
)

// TestWhatIsSuggestedIsTOML: for a line that is invalid in a common way, the suggestion is valid TOML with the
// same key, or the message is that of the parser. Valid lines are not changed.
func TestWhatIsSuggestedIsTOML(t *testing.T) {
	t.Parallel()
	breaks := map[string]func(string) string{
		"no quotes":          func(s string) string { return strings.NewReplacer(`"`, "", "'", "").Replace(s) },
		"typographic quotes": func(s string) string { return strings.ReplaceAll(s, `"`, "“") },
		"a colon":            func(s string) string { return strings.Replace(s, " = ", ": ", 1) },
		"the last letter":    func(s string) string { return s[:len(s)-1] },
		"commas":             func(s string) string { return strings.ReplaceAll(s, ",", "") },
		"double quotes":      func(s string) string { return strings.ReplaceAll(s, "'", `"`) },
		"capitals":           func(s string) string { return strings.ReplaceAll(s, "true", "True") },
	}
	tried, mended := 0, 0
	for _, line := range []string{
		`model = "Qwen3-8B"`, `model = "Qwen 3 8B"`, `rows = ["model", "load"]`, `where = '{load="high"}'`, `where = '{model=~"a|b",load!="low"}'`,
		`draft = true`, `date = 2026-01-15`, `weight_size = "8.9 GB"`, `engine_version = "0.9.2"`, `columns = ["ttft_mean", 'x']`, `repeat = 3`, `title = "它"`,
	} {
		var v map[string]any
		if _, err := toml.Decode(line, &v); err != nil {
			t.Fatal(line, err)
		}
		for how, broken := range breaks {
			text := "# a comment\n" + broken(line) + "\nafter = 1\n"
			_, err := toml.Decode(text, &v)
			if err == nil {
				continue
			}
			tried++
			f := Syntax(text, err)
			if f.Line < 2 || f.Line > 3 || f.Text.IsZero() {
				t.Errorf("%s, %s: line %d, %q", line, how, f.Line, f.Text)
			}
			written, ok := strings.CutPrefix(locale.English(f.Hint), "write ")
			if !ok {
				continue
			}
			mended++
			var got map[string]any
			if _, err := toml.Decode(written, &got); err != nil {
				t.Errorf("%s, %s: %s is suggested: %v", line, how, written, err)
			}
			key, _, _ := strings.Cut(line, " ")
			if _, same := got[key]; !same {
				t.Errorf("%s, %s: %s is of another key", line, how, written)
			}
		}
	}
	if tried < 25 || mended*10 < tried*9 {
		t.Errorf("%d of %d broken lines are written out", mended, tried)
	}
}
