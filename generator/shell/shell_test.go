package shell

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

var words = [][]string{
	{"vllm", "bench", "serve", "--model", "Qwen/Qwen3-8B"},
	{"a b", "", "it's", `"x"`, `back\slash`, "$HOME", "`id`", "*", "a\nb", "模型", "-", "~", "#"},
	{"--extra", `{"temperature": 0}`},
}

// TestJoin checks that a real shell and Split both parse what Join writes into the same words.
func TestJoin(t *testing.T) {
	sh := need.Command(t, "sh")
	for _, want := range words {
		line := Join(want)
		if got, err := Split(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%s) = %q, %v", line, got, err)
		}
		out, err := exec.Command(sh, "-c", `for w in `+line+`; do printf '%s\000' "$w"; done`).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, want) {
			t.Errorf("sh takes %s as %q", line, got)
		}
	}
}

// TestControlsAreEscaped checks that quoted text contains no control characters, and that bash restores them.
func TestControlsAreEscaped(t *testing.T) {
	t.Parallel()
	bash := need.Command(t, "bash")
	for c := byte(1); c < 0x80; c++ {
		want := "it's " + string(c) + `\ \x41 模`
		line := Quote(want)
		if strings.ContainsFunc(line, acts) {
			t.Errorf("Quote(%q) = %q", want, line)
		}
		if got, err := Split("a" + line + " b"); err != nil || !slices.Equal(got, []string{"a" + want, "b"}) {
			t.Errorf("Split takes %s as %q, %v", line, got, err)
		}
		if c != 0x1b && c != '\'' && c != 'a' {
			continue // a few processes are enough
		}
		if out, err := exec.Command(bash, "-c", "printf %s "+line).Output(); err != nil || string(out) != want {
			t.Errorf("bash takes %s as %q, %v", line, out, err)
		}
	}
	if _, err := Split(`$'a`); err == nil {
		t.Error("a quote that is not closed is no error")
	}
}

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                       nil,
		"  a \t b\n":             {"a", "b"},
		`a'b c'"d e"f`:           {"ab cd ef"},
		`"a\"b\\c\$d\e"`:         {`a"b\c$d\e`},
		`a\ b \'`:                {"a b", "'"},
		"vllm \\\n --model m":    {"vllm", "--model", "m"},
		`'{"a": 1}' "" x=$HOME`:  {`{"a": 1}`, "", "x=$HOME"},
		"--model {model} {a}{b}": {"--model", "{model}", "{a}{b}"},
	} {
		if got, err := Split(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, %v", line, got, err)
		}
	}
	for _, line := range []string{`a 'b`, `a "b`, `a\`, "a | b", "a; b", "a > b", "a && b", "a `b`"} {
		if got, err := Split(line); err == nil {
			t.Errorf("Split(%q) = %q, no error", line, got)
		}
	}
}

// TestWord checks that Word divides any text, and that the words contain all of it.
func TestWord(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                                nil,
		"  a \t b":                        {"a", "b"},
		`--model 'a b' --x="c d" "e`:      {"--model", "'a b'", `--x="c d"`, `"e`},
		"a; b | c > d && e":               {"a;", "b", "|", "c", ">", "d", "&&", "e"},
		`--extra '{"temperature": 0}' \\`: {"--extra", `'{"temperature": 0}'`, `\\`},
	} {
		var got []string
		for word, rest := Word([]byte(line)); word != nil; word, rest = Word(rest) {
			got = append(got, string(word))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q gives %q, want %q", line, got, want)
		}
	}
}
func TestFirst(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         nil,
		"| a | b |":                nil,
		"# vllm":                   nil,
		"vllm serve m#1 # comment": {"vllm", "serve", "m#1"},
		"a | b":                    {"a"},
		"a && b":                   {"a"},
		"a; b":                     {"a"},
		"a > log.txt":              {"a", ">", "log.txt"},
		`a "b c`:                   {"a", "b c"},
		`a 'b c`:                   {"a", "b c"},
		`a\`:                       {"a"},
		`a "b" 'c'`:                {"a", "b", "c"},
	} {
		if got := First(line); !slices.Equal(got, want) {
			t.Errorf("First(%q) = %q, not %q", line, got, want)
		}
	}
}

// FuzzFirst checks that First returns the same words as Split for lines that Split accepts, unless they contain a #.
func FuzzFirst(f *testing.F) {
	for _, w := range words {
		f.Add(Join(w))
	}
	f.Fuzz(func(t *testing.T, line string) {
		want, err := Split(line)
		if err != nil || strings.Contains(line, "#") {
			return
		}
		if got := First(line); !slices.Equal(got, want) {
			t.Errorf("First(%q) = %q, Split %q", line, got, want)
		}
	})
}
