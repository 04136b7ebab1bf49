package result

import (
	"errors"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
)

// TestASelectorThatIsNearlyOneIsWrittenOut checks that the error has the corrected selector if the intention is
// clear.
func TestASelectorThatIsNearlyOneIsWrittenOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{load=high}`:                  `{load="high"}`,
		`{max_concurrency=64}`:         `{max_concurrency="64"}`,
		`load="high"`:                  `{load="high"}`,
		`load=high`:                    `{load="high"}`,
		`{load=="high"}`:               `{load="high"}`,
		`{load: "high"}`:               `{load="high"}`,
		`{model="a" and load="high"}`:  `{model="a",load="high"}`,
		`{model="a" && load="high"}`:   `{model="a",load="high"}`,
		`{model="a" load="high"}`:      `{model="a",load="high"}`,
		`model=Qwen3-8B,load=low`:      `{model="Qwen3-8B",load="low"}`,
		`{model="a"`:                   `{model="a"}`,
		`{model!=a,load='b'}`:          `{model!="a",load='b'}`,
		`{}x`:                          ``,
		`{model="`:                     ``,
		`{model=~"("}`:                 ``,
		`everything`:                   ``,
		``:                             ``,
		`output_throughput{model="a"}`: ``,
	} {
		_, err := ParseSelector(text)
		var wrong *SelectorError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		_, got, _ := strings.Cut(locale.English(wrong.Reason), "; write ")
		if got != want {
			t.Errorf("%s: %q, want %q written", text, wrong.Reason, want)
		}
		if want == "" {
			continue
		}
		if _, err := ParseSelector(want); err != nil {
			t.Errorf("%s is suggested, and wrong: %v", want, err)
		}
	}
	for text, want := range map[string]string{
		`max_concurrency >= 8`: `numbers are not compared with >=: list them, for example {max_concurrency=~"8|16|32"}`,
		`{input_len<"1024"}`:   `numbers are not compared with <: list them, for example {input_len=~"8|16|32"}`,
	} {
		if _, err := ParseSelector(text); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestQuotedValuesSelectThemselves checks that a quoted value matches itself.
func TestQuotedValuesSelectThemselves(t *testing.T) {
	for _, value := range []string{"", "high", `a "b"`, `C:\new\t`, "two\nlines", "\ttab", "\x00\x1b\x7f", "\u200b\u202e", "高并发", "\xff", "`'", "}", `\`} {
		source := "{model=" + Quote(value) + "}"
		selector, err := ParseSelector(source)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if got := selector.Matchers[0].Value; got != value {
			t.Errorf("%s selects %q, want %q", source, got, value)
		}
	}
}
