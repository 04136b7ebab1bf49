package font

import (
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/chart/raster"
	"github.com/benchpost/benchpost/generator/locale"
)

// samples has texts in scripts that are shaped, and mixtures with others.
var samples = []string{
	"نموذج عربي Qwen3-8B (FP8)", "מודל עברי 7B", "मॉडल की तुलना क्षत्रिय", "แบบจำลองภาษาไทยที่", "Đà Nẵng a\u030b", "தமிழ் மாதிரி",
	"Latency of \u2068نموذج (8)\u2069: 5 of 9", "Qwen3 (عربي) 128 × שלום", "한국어 모델", "モデルの推論性能", "👩\u200d💻 ok", "\u064b\u0301 \u0e33", "เเเเ ๆๆ",
}

func TestEmbeddedFontsOpen(t *testing.T) {
	t.Parallel()
	for i, s := range supplements {
		regular, err := s.regular()
		if err != nil {
			t.Fatal(i, err)
		}
		bold, err := s.bold()
		if err != nil {
			t.Fatal(i, err)
		}
		found := 0
		for _, of := range s.ranges {
			for r := of[0]; r <= of[1]; r++ {
				if regular.has(r) != bold.has(r) {
					t.Errorf("%U is in one weight only", r)
				}
				if regular.has(r) {
					found++
				}
			}
		}
		if found < 80 {
			t.Errorf("supplement %d has %d characters", i, found)
		}
	}
}

// TestArabicJoins checks that joined Arabic letters have other glyphs than single ones.
func TestArabicJoins(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	alone := f.shape([]rune("ب"))
	joined := f.shape([]rune("ببب"))
	if len(alone) != 1 || len(joined) != 3 {
		t.Fatalf("%d and %d glyphs, want 1 and 3", len(alone), len(joined))
	}
	for i, p := range joined {
		if p.index == alone[0].index {
			t.Errorf("glyph %d is that of a letter alone", i)
		}
		if want := 2 - i; p.cluster != want {
			t.Errorf("glyph %d is of letter %d, want %d", i, p.cluster, want)
		}
	}
}

// TestMarksAndOrder checks that marks have no width, and that the Hindi vowel that is written before its
// consonant is placed before it.
func TestMarksAndOrder(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	if a, b := f.Width("ที่"), f.Width("ท"); a != b {
		t.Errorf("marks of Thai make %g of %g", a, b)
	}
	ka, ki := f.shape([]rune("क")), f.shape([]rune("कि"))
	if len(ki) != 2 || ki[1].index != ka[0].index {
		t.Errorf("कि is %v, want क after the vowel", ki)
	}
}

// TestVisualOrder checks the letters of the glyphs of a line from left to right.
func TestVisualOrder(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	for in, want := range map[string]string{
		"abc":             "abc",
		"אבג":             "גבא",
		"אבג 123":         "123 גבא",
		"abc אבג 12 de":   "abc 12 גבא de",
		"אב 12 cd":        "cd 12 בא",
		"א(b)":            "(b)א",
		"a (אב) c":        "a (בא) c",
		"אב (ab) גד":      "דג (ab) בא",
		"אב (cd":          "cd) בא",
		"100% אב":         "בא 100%",
		"א 1.5-2,0":       "1.5-2,0 א",
		"FP8-אב-W4A16":    "FP8-בא-W4A16",
		"אב abc! 3":       "abc! 3 בא",
		"𞤀𞤁 ab":           "ab 𞤁𞤀",
		"\u0663\u0664 אב": "בא \u0663\u0664",
	} {
		runes := []rune(in)
		var got []rune
		for _, p := range f.shape(runes) {
			got = append(got, runes[p.cluster])
		}
		mirrored := strings.NewReplacer("(", ")", ")", "(")
		if s := string(got); s != want && mirrored.Replace(s) != want {
			t.Errorf("%q is read %q, want %q", in, s, want)
		}
	}
}

func TestBracketsAreMirrored(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	line := f.shape([]rune("א(ב)"))
	open, end := f.font('(').glyph('(').index, f.font(')').glyph(')').index
	if len(line) != 4 || line[0].index != open || line[2].index != end {
		t.Errorf("glyphs %v, want ( first and ) before א", line)
	}
}

// TestAnyTextIsSet checks that no cluster of a text is lost, and that wrapped lines are no wider than allowed.
func TestAnyTextIsSet(t *testing.T) {
	t.Parallel()
	f, set := faces(t)
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune(strings.Join(samples, "") + "abc ()-%/0123\u0610\u0e31\u094d")
	for range 300 {
		runes := make([]rune, 1+random.IntN(40))
		for i := range runes {
			runes[i] = alphabet[random.IntN(len(alphabet))]
		}
		s := set.Clean(string(runes))
		m := f.measure(s)
		for _, p := range f.shape(m.runes) {
			if p.cluster < 0 || p.cluster >= len(m.runes) {
				t.Fatalf("%q: a glyph of rune %d", s, p.cluster)
			}
		}
		width := 40 + 300*random.Float64()
		lines, _ := f.Wrap(s, width)
		for _, line := range lines {
			if w := f.Width(line); w > width+0.01 && len(clusters([]rune(line))) > 2 {
				t.Errorf("%q: %q is %g wide, more than %g", s, line, w, width)
			}
		}
		if got := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); got != strings.ReplaceAll(s, " ", "") {
			t.Errorf("%q was wrapped to %q", s, lines)
		}
		for _, line := range f.NameLines(s, width, 1) {
			if !utf8.ValidString(line) {
				t.Errorf("%q is not UTF-8", line)
			}
		}
	}
}

// TestLevelsOfPlainTextAreNone checks that only texts that are read from right to left are reversed.
func TestLevelsOfPlainTextAreNone(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "abc 1-2 (x) %", "漢字 🚀", "हिन्दी 1", "ไทย"} {
		if slices.Max(append(levels([]rune(s)), 0)) != 0 || RightToLeft(s) {
			t.Errorf("%q has levels %v", s, levels([]rune(s)))
		}
	}
	for _, s := range []string{"אב", "12 אב", "(عربي) x"} {
		if !RightToLeft(s) {
			t.Errorf("%q is not read from right to left", s)
		}
	}
}

func TestUniform(t *testing.T) {
	t.Parallel()
	f, _ := faces(t)
	for s, want := range map[string]bool{"Qwen3 8B": true, "漢字": true, "한국어": true, "עברית": false, "தமிழ்": false, "\U00013080": false} {
		if f.Uniform(s) != want {
			t.Errorf("Uniform(%q) is %v", s, !want)
		}
	}
}

// TestSamplesAreDrawn checks that every sample, including boxes, covers at least the area of 134 pixels, and
// that thick fonts cover more than others.
func TestSamplesAreDrawn(t *testing.T) {
	t.Parallel()
	regular, bold, err := Stacks(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ink := func(stack Stack, s string) (sum int) {
		Face{Stack: stack, Size: 26}.Masks(s, 0, 30, 1, func(m *raster.Mask, at image.Point) {
			for _, level := range m.Levels {
				sum += int(level)
			}
		})
		return sum
	}
	for _, s := range samples {
		a, b := ink(regular, s), ink(bold, s)
		if a < 134*raster.Opaque || b <= a && !strings.Contains(s, "த") { // boxes have one weight
			t.Errorf("%q: levels of %d, and %d in bold", s, a, b)
		}
	}
}

// TestFontsAreShared checks that several goroutines can use a font.
func TestFontsAreShared(t *testing.T) {
	t.Parallel()
	regular, bold, err := Stacks(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	widths := func(stack Stack) (all []float64) {
		f := Face{Stack: stack, Size: 26}
		for _, s := range samples {
			f.Masks(s, 0, 30, 1, func(*raster.Mask, image.Point) {})
			all = append(all, f.Width(s))
		}
		return all
	}
	want := widths(regular)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			stack := regular
			if i%2 == 1 {
				stack = bold
			}
			if got := widths(stack); i%2 == 0 && !slices.Equal(got, want) {
				t.Errorf("widths %v, want %v", got, want)
			}
		})
	}
	wait.Wait()
}

// TestLongTextsAreSet checks that long texts are wrapped and shortened in reasonable time.
func TestLongTextsAreSet(t *testing.T) {
	t.Parallel()
	f, set := faces(t)
	for _, s := range samples {
		s = set.Clean(strings.Repeat(s+" ", 10_000/utf8.RuneCountInString(s)))
		if lines := f.NameLines(s, 300, 2); len(lines) > 2 || len(lines) == 0 || !strings.Contains(strings.Join(lines, ""), "…") {
			t.Errorf("%.40q…: %q", s, lines)
		}
		if lines := f.Paragraph(s, 300, 3); len(lines) != 3 {
			t.Errorf("%.40q…: %d lines", s, len(lines))
		}
	}
}

// TestIsolatedNames checks that an isolated name does not affect the direction of the text around it, and is
// itself read as if alone.
func TestIsolatedNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"נועם", "نموذج 8", "a נועם (5) b", "נ\u2068a 5\u2069ו", "נועם"} {
		alone := levels([]rune(name))
		for _, around := range [][2]string{{"", ": 5 of 9"}, {"12 ", " 13, "}, {"a (", ") 5"}, {"5 ", ""}} {
			line := []rune(around[0] + string(locale.Isolate) + name + string(locale.Release) + around[1])
			got := levels(line)
			from := len([]rune(around[0])) + 1
			for i, level := range got {
				if in := i - from; in < 0 || in >= len(alone) {
					if level != 0 {
						t.Errorf("%+q: %+q is at level %d", string(line), line[i], level)
					}
				} else if level != alone[in] {
					t.Errorf("%+q: %+q is at level %d, want %d", string(line), line[i], level, alone[in])
				}
			}
			if RightToLeft(string(line)) {
				t.Errorf("%+q is read from right to left", string(line))
			}
		}
	}
}
