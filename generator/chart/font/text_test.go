package font

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
)

func faces(t *testing.T) (regular Face, set *Setter) {
	t.Helper()
	r, b, err := Stacks(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Face{Stack: r, Size: 26}, NewSetter(r, b, "zh-CN")
}

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
		warns          string // runes named by the warnings
	}{
		{name: "plain", in: "Qwen3-8B FP8", want: "Qwen3-8B FP8"},
		{name: "Chinese", in: "平均首词元延迟（毫秒）", want: "平均首词元延迟（毫秒）"},
		{name: "Japanese, Greek, signs", in: "ベンチ Δt ≤ 3 µs × 2 ≈ 6 → ✓ 25 °C ≥ ±", want: "ベンチ Δt ≤ 3 µs × 2 ≈ 6 → ✓ 25 °C ≥ ±"},
		{name: "white space", in: " a\n\tb\u00a0\u3000c ", want: "a b c"},
		{name: "equivalents", in: "✅ CO₂ ❌", want: "✓ CO2 ×"},
		{name: "nothing to see", in: "⚠\ufe0f a\u200db\ufeff", want: "⚠ ab"},
		{name: "emoji", in: "🚀 fast 👩\u200d💻 🚀", want: "fast", warns: "U+1F680 U+1F469"},
		{name: "letters of the embedded fonts", in: "한 Łódź ỳ ĝ", want: "한 Łódź ỳ ĝ"},
		{name: "letters of no font", in: "தமிழ் 𓂀", want: "தமிழ் 𓂀", warns: "U+0BA4 U+0BAE U+0BB4 U+13080"},
		{name: "not UTF-8", in: "a\xffb", want: "a\ufffdb", warns: "U+FFFD"},
		{name: "composed", in: "e\u0301 か\u3099", want: "é が"},
		{name: "accents of no font", in: "漢\u0301", want: "漢", warns: "U+0301"},
		{name: "joiners", in: "क्\u200dष می\u200cخواهم a\u200cb", want: "क्\u200dष می\u200cخواهم ab"},
		{name: "directions", in: "a\u202eb\u2066c\u200f", want: "abc"},
		{name: "full width", in: "ＡＢ１ ｱｲｳ", want: "ＡＢ１ ｱｲｳ"},
		{name: "controls", in: "\x00a\x1b[31m\u0085b", want: "a[31m b"},
		{name: "apostrophe", in: "it’s ‘量化’", want: "it's ‘量化’"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, set := faces(t)
			if got := set.Clean(c.in); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
			var warned []string
			for _, m := range set.Warnings() {
				for _, part := range strings.Split(locale.English(m.Text), "(U+")[1:] {
					code, _, _ := strings.Cut(part, ")")
					warned = append(warned, "U+"+code)
				}
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
	if got, want := set.Clean("“FP8” isn’t ‘free’"), `"FP8" isn't 'free'`; got != want {
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
		{"モデル・ループ", 80, []string{"モデ", "ル・", "ループ"}, true},
		{"四个字符，五个", 106, []string{"四个字", "符，五个"}, true}, // a line must not start with a comma
	} {
		got, fits := f.Wrap(c.in, c.width)
		if !slices.Equal(got, c.want) || fits != c.fits {
			t.Errorf("wrap(%q, %g) = %q, %v, want %q, %v", c.in, c.width, got, fits, c.want, c.fits)
		}
		for _, line := range got {
			if w := f.Width(line); w > c.width {
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
		{430, 2, "Qwen3-Coder-30B-|A3B-Instruct-AWQ-4bit"},
		{300, 1, "Qwen3-Cod…-AWQ-4bit"},
		{50, 1, "Q…"},
		{1, 1, "…"},
	} {
		if got := strings.Join(f.NameLines(name, c.width, c.lines), "|"); got != c.want {
			t.Errorf("nameLines(%g, %d) = %q, want %q", c.width, c.lines, got, c.want)
		}
	}
}

// TestLinesOfANameAreAboutAsLong checks that a name is wrapped into as few lines as possible of similar length,
// without a last line of only "FP8".
func TestLinesOfANameAreAboutAsLong(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	for _, name := range []string{
		"Qwen3-235B-A22B-Instruct-2507-FP8", "DeepSeek-R1-Distill-Llama-70B-AWQ-INT4-group128", "Mixtral-8x22B-Instruct-v0.1-GPTQ-v1",
		"阿里云通义千问三点五超大规模混合专家模型指令微调版", "נתוני מודל עברית גדול", "a b c d e f",
	} {
		for width := 200.0; width < 900; width += 10 {
			wrapped, fits := f.Wrap(name, width)
			if !fits {
				continue
			}
			lines := f.NameLines(name, width, 9)
			if len(lines) != len(wrapped) {
				t.Errorf("%q has %d lines of %g, and %d fit", name, len(lines), width, len(wrapped))
			}
			longest := 0.0
			for _, line := range lines {
				longest = max(longest, f.Width(line))
			}
			if shorter, fits := f.Wrap(name, longest-1); fits && len(shorter) <= len(lines) || longest > width {
				t.Errorf("%q within %g: %q could be %q", name, width, lines, shorter)
			}
		}
	}
}

func TestParagraphsLoseTheirEnd(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	got := f.Paragraph("one two three four five six", 120, 2)
	if want := []string{"one two", "three…"}; !slices.Equal(got, want) {
		t.Errorf("paragraph gives %q, want %q", got, want)
	}
}

// TestSeparatorIsNarrow checks that the separator takes half the width that Chinese fonts give it.
func TestSeparatorIsNarrow(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	if got := f.Width("·"); got != 13 {
		t.Errorf("· is %g wide at size 26, want 13", got)
	}
}

func TestWarningsNameTheTextAndFewCharacters(t *testing.T) {
	t.Parallel()
	_, set := faces(t)
	var all strings.Builder
	for r := rune(0x13000); r < 0x13000+1000; r++ {
		all.WriteRune(r)
	}
	set.Clean("fine")
	set.Clean("label " + all.String())
	set.Clean("another " + all.String())
	ms := set.Warnings()
	if len(ms) != 1 {
		t.Fatalf("%d warnings, want 1: %v", len(ms), ms)
	}
	if text := locale.English(ms[0].Text); !strings.Contains(text, "\"label ") || len(text) > 700 {
		t.Errorf("the warning is %q", text)
	}
}

func TestWhatIsNoFontIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := Parse([]byte("no font")); err == nil {
		t.Error("Parse took what is no font")
	}
}

// TestLatinIsPartOfNotoSansSC checks that Latin letters and signs are drawn as in all of Noto Sans SC, without
// unpacking the rest: ASCII, Latin-1, and the signs of axes, tables and notes.
func TestLatinIsPartOfNotoSansSC(t *testing.T) {
	t.Parallel()
	regular, bold, err := Stacks(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		stack Stack
		whole func() (*Font, error)
	}{{regular, regularSC}, {bold, boldSC}} {
		whole, err := of.whole()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for r := rune(' '); r < 0x3000; r++ {
			part := of.stack.fonts[0]
			got, want := part.glyph(r), whole.glyph(r)
			if got.index == 0 {
				if r < 0x7f || r > 0xa0 && r <= 0xff && r != 0xad && want.index != 0 || strings.ContainsRune("–—…·•→↑↓×≤≥≈−▲▼□✓", r) && want.index != 0 {
					t.Errorf("%q needs the whole font", r)
				}
				continue
			}
			n++
			a, b := part.mask(got.index, 26*64, 1), whole.mask(want.index, 26*64, 1)
			if got.width != want.width || a.Bounds != b.Bounds || !slices.Equal(a.Levels, b.Levels) {
				t.Errorf("%q is drawn otherwise", r)
			}
			if f := of.stack.font(r); f != part {
				t.Errorf("%q is looked for in another font", r)
			}
		}
		t.Log(n, "characters")
	}
}
