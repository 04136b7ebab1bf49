package font

import (
	"bytes"
	"encoding/binary"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/chart/font/woff"
	"github.com/benchpost/benchpost/generator/chart/raster"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
)

// hieroglyphs returns an embedded font whose letters are moved to U+13000 and above, which no other font has.
func hieroglyphs(t *testing.T) []byte {
	t.Helper()
	packed, err := files.ReadFile("NotoSansHebrew-Regular.woff2")
	if err != nil {
		t.Fatal(err)
	}
	sfnt, err := woff.Decode(packed)
	if err != nil {
		t.Fatal(err)
	}
	var cmap []byte // one table, of format 12, with one group
	for _, v := range []uint16{0, 1, 3, 10, 0, 12, 12, 0, 0, 28, 0, 0, 0, 1, 1, 0x3000, 1, 0x3013, 0, 5} {
		cmap = binary.BigEndian.AppendUint16(cmap, v)
	}
	for at := 12; ; at += 16 {
		if string(sfnt[at:at+4]) == "cmap" {
			binary.BigEndian.PutUint32(sfnt[at+8:], uint32(len(sfnt)))
			binary.BigEndian.PutUint32(sfnt[at+12:], uint32(len(cmap)))
			return append(sfnt, cmap...)
		}
	}
}

func machine(t *testing.T, fonts map[string][]byte) *Machine {
	t.Helper()
	dir := t.TempDir()
	for name, file := range fonts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return NewMachine(filepath.Join(dir, "none"), dir)
}

// TestInstalledFontsSupplyTheRest checks that characters without an embedded font are drawn in an installed
// one, and that a warning names both.
func TestInstalledFontsSupplyTheRest(t *testing.T) {
	t.Parallel()
	file := hieroglyphs(t)
	m := machine(t, map[string][]byte{
		"a/Broken-Regular.ttf":       []byte("no font"),
		"a/NotoSansCut-Regular.ttf":  file[:200],
		"b/NotoSansSigns-Bold.ttf":   file,
		"b/NotoSansSigns.TTF":        file,
		"b/NotoSansSigns-Italic.ttf": file,
		"b/Signs.txt":                file,
	})
	regular, bold, err := Stacks(nil, nil, m)
	if err != nil {
		t.Fatal(err)
	}
	set := NewSetter(regular, bold, "en")
	const label = "abc \U00013000\U00013001 漢"
	if got := set.Clean(label); got != label {
		t.Errorf("Clean gives %q", got)
	}
	ms := set.Warnings()
	if len(ms) != 1 || ms[0].ID != "chart.font" {
		t.Fatalf("warnings: %v", ms)
	}
	text := locale.English(ms[0].Text)
	for _, want := range []string{"U+13000", "U+13001", label, "NotoSansSigns.TTF"} {
		if !strings.Contains(text, want) {
			t.Errorf("the warning %q does not name %s", text, want)
		}
	}
	if strings.Contains(text, "漢") != strings.Contains(label, "漢") || strings.Contains(text, "U+6F22") || strings.Contains(text, string(filepath.Separator)+"b") {
		t.Errorf("the warning is %q", text)
	}
	if len(set.Sums()) != 1 {
		t.Errorf("%d fonts were needed, want 1", len(set.Sums()))
	}
	f := Face{Stack: regular, Size: 20}
	if drawn := f.font(0x13000); drawn == nil || drawn.name == "" || f.Width("\U00013000") == f.Width("□") {
		t.Error("the sign is drawn as a box")
	}
	if again := f.font(0x13001); again != f.font(0x13000) {
		t.Error("a font was opened twice")
	}
	if thick := bold.font(0x13000); thick == nil || !thick.thick {
		t.Error("titles have no thicker form")
	}
}

// TestEmbeddedFontsComeFirst checks that installed fonts do not affect other texts: the bytes are the same on
// every machine.
func TestEmbeddedFontsComeFirst(t *testing.T) {
	t.Parallel()
	m := machine(t, map[string][]byte{"NotoSansSigns-Regular.ttf": hieroglyphs(t)})
	regular, bold, err := Stacks(nil, nil, m)
	if err != nil {
		t.Fatal(err)
	}
	set := NewSetter(regular, bold, "en")
	for _, s := range samples {
		if !strings.Contains(s, "த") {
			set.Clean(strings.ReplaceAll(s, "👩\u200d💻", ""))
		}
	}
	if len(set.Sums()) > 0 {
		t.Errorf("installed fonts were used: %v", set.Warnings())
	}
}

func TestNamesOfFontsAreRanked(t *testing.T) {
	t.Parallel()
	order := []string{"NotoSansTamil-Regular.ttf", "NotoSansTamilUI-Bold.ttf", "NotoSerifTamil-Regular.ttf", "DejaVuSansMono.ttf"}
	better := [][2]string{{order[0], order[1]}, {order[0], order[2]}, {order[2], order[1]}, {"DejaVuSans.ttf", order[3]}, {"DejaVuSans.ttf", "FreeSerif.ttf"}}
	for _, pair := range better {
		if rank(pair[0]) >= rank(pair[1]) {
			t.Errorf("%s has rank %d, %s %d", pair[0], rank(pair[0]), pair[1], rank(pair[1]))
		}
	}
}

// TestInstalledNoto checks that each script is shaped in its own font of Debian's Noto package.
func TestInstalledNoto(t *testing.T) {
	need.Thorough(t, "it opens all fonts of the machine")
	need.Path(t, "/usr/share/fonts/truetype/noto/NotoSansTamil-Regular.ttf")
	need.Path(t, "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
	regular, bold, err := Stacks(nil, nil, Installed())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"தமிழ் மாதிரி": "NotoSansTamil-Regular.ttf", "বাংলা মডেল": "NotoSansBengali-Regular.ttf", "ქართული": "NotoSansGeorgian-Regular.ttf",
		"မြန်မာ": "NotoSansMyanmar-Regular.ttf", "ភាសាខ្មែរ": "NotoSansKhmer-Regular.ttf", "彁龘": "NotoSansCJK-Regular.ttc",
	} {
		set := NewSetter(regular, bold, "en")
		if got := set.Clean(text); got != text {
			t.Errorf("Clean(%q) = %q", text, got)
		}
		ms := set.Warnings()
		if len(ms) != 1 || !strings.Contains(locale.English(ms[0].Text), want) {
			t.Errorf("%q: %v, want %s", text, ms, want)
		}
		for _, p := range regular.shape([]rune(text)) {
			if p.index == 0 {
				t.Errorf("%q: a letter has no glyph", text)
			}
		}
	}
}

// TestDamagedFontsAreSurvived checks that damaged fonts never end the program.
func TestDamagedFontsAreSurvived(t *testing.T) {
	t.Parallel()
	file := hieroglyphs(t)
	random := rand.New(rand.NewPCG(5, 6))
	for range need.Times(15, 200) {
		broken := bytes.Clone(file)
		for range 1 + random.IntN(20) {
			broken[random.IntN(len(broken))] = byte(random.Uint32())
		}
		own, _ := Parse(broken) // as if named by the site
		var fonts []*Font
		if own != nil {
			fonts = append(fonts, own)
		}
		regular, bold, err := Stacks(fonts, nil, machine(t, map[string][]byte{"Broken-Regular.ttf": broken}))
		if err != nil {
			t.Fatal(err)
		}
		set := NewSetter(regular, bold, "en")
		for _, stack := range []Stack{regular, bold} {
			f := Face{Stack: stack, Size: 20}
			for _, s := range []string{"\U00013000\U00013001\U00013005\U00013013", "\u05d0\u05b0\u05d1", "abc"} {
				if s = set.Clean(s); f.Width(s) < -1e6 {
					t.Errorf("%q is %g wide", s, f.Width(s))
				}
				f.Masks(s, 0, 30, 1, func(*raster.Mask, image.Point) {})
			}
		}
	}
}
