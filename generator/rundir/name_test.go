package rundir

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFolderName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"vllm-bench-serve": "vllm-bench-serve", "Qwen/Qwen3-8B": "Qwen--Qwen3-8B", "模型-测试": "模型-测试", "GLM-5.1": "GLM-5.1", "0.9": "0.9",
	} {
		if got, faithful := FolderName(text); got != want || !faithful {
			t.Errorf("%q: %q, %v", text, got, faithful)
		}
	}
	for _, text := range []string{"../x", "..", ".", "/", "", "a b", "a--b", "~", "a=b", "-rf", ".hidden", "a\x00b", "a\nb", "\xff", "C:\\x", "a%2f", "warmup", "warm-up-1",
		"x-old", "1.obsolete", strings.Repeat("模", 300), "a?*<>|\""} {
		got, faithful := FolderName(text)
		if faithful {
			t.Errorf("%q: %q is said to be no other's name", text, got)
		}
		if len(got) > 110 || strings.ContainsAny(got, "/\\ \x00\n=~*?%:\"<>|") || strings.HasPrefix(got, ".") || strings.HasPrefix(got, "-") || !utf8.ValidString(got) ||
			namedPhase(got) != "" || got != "" && plainPath(got) != got {
			t.Errorf("%q: %q", text, got)
		}
	}
}
