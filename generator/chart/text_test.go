package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
)

func faces(t *testing.T) (regular face, set *typesetter) {
	t.Helper()
	r, b, err := DefaultTheme().weights()
	if err != nil {
		t.Fatal(err)
	}
	return face{weight: r, size: 26}, &typesetter{regular: r, bold: b, lang: "zh-CN"}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
		warns          string // runes the warnings name
	}{
		{name: "plain", in: "Qwen3-8B FP8", want: "Qwen3-8B FP8"},
		{name: "Chinese", in: "平均首词元延迟（毫秒）", want: "平均首词元延迟（毫秒）"},
		{name: "Japanese, Greek, signs", in: "ベンチ Δt ≤ 3 µs × 2 ≈ 6 → ✓ 25 °C ≥ ±", want: "ベンチ Δt ≤ 3 µs × 2 ≈ 6 → ✓ 25 °C ≥ ±"},
		{name: "white space", in: " a\n\tb\u00a0\u3000c ", want: "a b c"},
		{name: "equivalents", in: "✅ CO₂ ❌", want: "✓ CO2 ×"},
		{name: "nothing to see", in: "⚠\ufe0f a\u200db\ufeff", want: "⚠ ab"},
		{name: "emoji", in: "🚀 fast 🚀", want: "fast", warns: "U+1F680"},
		{name: "letters", in: "한 Łódź", want: "? ?ód?", warns: "U+D55C U+0141 U+017A"},
		{name: "not UTF-8", in: "a\xffb", want: "a?b", warns: "U+FFFD"},
		{name: "apostrophe", in: "it’s ‘量化’", want: "it's ‘量化’"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, set := faces(t)
			if got := set.clean(c.in); got != c.want {
				t.Errorf("clean(%q) = %q, want %q", c.in, got, c.want)
			}
			var warned []string
			for _, m := range set.warnings() {
				warned = append(warned, strings.Fields(locale.English(m.Text))[4])
			}
			if got := strings.Join(warned, " "); got != c.warns {
				t.Errorf("warnings name %q, want %q", got, c.warns)
			}
		})
	}
}

func TestEnglishQuotes(t *testing.T) {
	t.Parallel()
	_, set := faces(t)
	set.lang = "en"
	if got, want := set.clean("“FP8” isn’t ‘free’"), `"FP8" isn't 'free'`; got != want {
		t.Errorf("clean gives %s, want %s", got, want)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	for _, c := range []struct {
		in    string
		width float64
		want  []string
		fits  bool
	}{
		{"", 100, nil, true},
		{"FP8", 100, []string{"FP8"}, true},
		{"GPTQ-Int4", 100, []string{"GPTQ-", "Int4"}, true},
		{"high load", 70, []string{"high", "load"}, true},
		{"Unbreakable", 70, []string{"Unbr", "eaka", "ble"}, false},
		{"量化后的模型", 80, []string{"量化后", "的模型"}, true},
		{"四个字符，五个", 106, []string{"四个字", "符，五个"}, true}, // no comma begins a line
	} {
		got, fits := wrap(c.in, f, c.width)
		if !slices.Equal(got, c.want) || fits != c.fits {
			t.Errorf("wrap(%q, %g) = %q, %v, want %q, %v", c.in, c.width, got, fits, c.want, c.fits)
		}
		for _, line := range got {
			if w := f.width(line); w > c.width {
				t.Errorf("wrap(%q, %g): %q is %g wide", c.in, c.width, line, w)
			}
		}
	}
}

func TestNamesLoseTheirMiddle(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	const name = "Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit"
	for _, c := range []struct {
		width float64
		lines int
		want  string
	}{
		{600, 1, name},
		{430, 2, "Qwen3-Coder-30B-A3B-Instruct-|AWQ-4bit"},
		{300, 1, "Qwen3-Cod…-AWQ-4bit"},
		{50, 1, "Q…"},
		{1, 1, "…"},
	} {
		if got := strings.Join(nameLines(name, f, c.width, c.lines), "|"); got != c.want {
			t.Errorf("nameLines(%g, %d) = %q, want %q", c.width, c.lines, got, c.want)
		}
	}
}

func TestParagraphsLoseTheirEnd(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	got := paragraph("one two three four five six", f, 120, 2)
	if want := []string{"one two", "three…"}; !slices.Equal(got, want) {
		t.Errorf("paragraph gives %q, want %q", got, want)
	}
}

// The separator of Chinese fonts is a character wide; ours takes half.
func TestSeparatorIsNarrow(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	if got := f.width("·"); got != 13 {
		t.Errorf("· is %g wide at size 26, want 13", got)
	}
}
