package font

import (
	"embed"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/chart/font/woff"
)

// files has the embedded fonts: Noto Sans (SIL Open Font License, OFL.txt), subset as docs/fonts.md describes.
// Each is unpacked on first use.
//
//go:embed *.woff2
var files embed.FS

// Latin letters and signs of Noto Sans SC are fonts of their own. Texts with no others need not unpack the
// rest, which takes a tenth of a second.
var (
	latin      = load("NotoSansSC-Latin-Regular.woff2")
	boldLatin  = load("NotoSansSC-Latin-Bold.woff2")
	thickLatin = thick(latin)
	boldSC     = load("NotoSansSC-Bold.woff2")
	regularSC  = load("NotoSansSC-Regular.woff2", boldSC)
	thickSC    = thick(regularSC) // has more characters than boldSC
)

// load returns a function that unpacks a font once. It also starts to unpack the fonts in next on other cores.
func load(name string, next ...func() (*Font, error)) func() (*Font, error) {
	return sync.OnceValues(func() (*Font, error) {
		for _, open := range next {
			go open()
		}
		file, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		sfnt, err := woff.Decode(file)
		if err != nil {
			return nil, err
		}
		return Parse(sfnt)
	})
}

// supplement is an embedded font for characters that Noto Sans SC lacks. It is used for those in ranges.
type supplement struct {
	ranges        [][2]rune
	regular, bold func() (*Font, error)
}

var supplements = [...]supplement{
	supply("NotoSans-Regular.woff2", [2]rune{0x100, 0x52f}, [2]rune{0x1e00, 0x1eff}),
	supply("NotoSansHebrew-Regular.woff2", [2]rune{0x590, 0x5ff}),
	supply("NotoSansArabic-Regular.woff2", [2]rune{0x600, 0x6ff}),
	supply("NotoSansDevanagari-Regular.woff2", [2]rune{0x900, 0x97f}),
	supply("NotoSansThai-Regular.woff2", [2]rune{0xe00, 0xe7f}),
	supply("NotoSansKR-Regular.woff2", [2]rune{0xac00, 0xd7a3}),
}

func supply(name string, ranges ...[2]rune) supplement {
	regular := load(name)
	return supplement{ranges, regular, thick(regular)}
}

func thick(regular func() (*Font, error)) func() (*Font, error) {
	return sync.OnceValues(func() (*Font, error) {
		f, err := regular()
		if err != nil {
			return nil, err
		}
		return f.thicken(), nil
	})
}

// supplied returns the embedded font for a cluster that Noto Sans SC lacks, or nil.
func supplied(cluster []rune, bold bool) *Font {
	for _, s := range supplements {
		covered := func(r rune) bool {
			return slices.ContainsFunc(s.ranges, func(of [2]rune) bool { return of[0] <= r && r <= of[1] })
		}
		if !slices.ContainsFunc(cluster, covered) {
			continue
		}
		open := s.regular
		if bold {
			open = s.bold
		}
		if f, err := open(); err == nil && f.has(cluster...) { // errors are skipped: a test opens each font
			return f
		}
	}
	return nil
}
