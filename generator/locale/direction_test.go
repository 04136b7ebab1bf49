package locale

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// TestNamesDoNotTurnTheirSentence: a name that is written from right to left, or changes the direction, does
// not affect the text after it in any sentence.
func TestNamesDoNotTurnTheirSentence(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"نموذج 8", "מודל (8B)", "Qwen-נועם", "a\u202egpj.b", "a\u2067b", "ש\u2069", "\u2068ש", "\u202d٣"} {
		for what, text := range map[string]Text{
			"catalogue":      T("report.except", "5", Lit(name), "7"),
			"a message":      Textf("%s of hardware %q is no quantity", Lit(name), name),
			"a list":         List(Lit("a"), Lit(name), Lit("5")),
			"commas":         Commas("5", name, "6"),
			"clauses":        Clauses(Lit("a"), Lit(name), Lit("5 b")),
			"a row":          Join(" · ", Lit(name), Lit("5")),
			"another's name": T("report.except", Join(" · ", Lit(name), Lit("5")), List(Lit(name), Lit("x")), "7"),
		} {
			for _, lang := range Languages {
				p, _ := For(lang)
				said := p.Say(text)
				if !strings.ContainsRune(said, Isolate) {
					t.Errorf("%s in %s: %+q is not isolated", what, lang, said)
				}
				depth := 0
				for _, r := range said {
					switch p, _ := bidi.LookupRune(r); p.Class() {
					case bidi.FSI, bidi.LRI, bidi.RLI:
						depth++
					case bidi.PDI:
						depth--
					case bidi.R, bidi.AL, bidi.AN, bidi.RLO, bidi.LRO, bidi.RLE, bidi.LRE:
						if depth < 1 {
							t.Errorf("%s in %s: %+q turns outside an isolate", what, lang, said)
						}
					}
					if depth < 0 {
						t.Errorf("%s in %s: %+q ends what it has not begun", what, lang, said)
					}
				}
				if depth != 0 {
					t.Errorf("%s in %s: %+q does not end an isolate", what, lang, said)
				}
			}
		}
	}
}

// TestNamesThatReadOnAreNotIsolated: other names are not isolated.
func TestNamesThatReadOnAreNotIsolated(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Qwen3-8B", "千问 8B", "Ψηφίο", "Ё", "👩‍🚀 8", "モデル"} {
		for _, lang := range Languages {
			p, _ := For(lang)
			for _, text := range []Text{List(Lit("a"), Lit(name)), T("report.except", "5", name, "7"), Textf("%s of hardware %q is no quantity", name, name), Lit("שלום"), Commas("שלום")} {
				if said := p.Say(text); strings.ContainsAny(said, string(Isolate)+string(Release)) {
					t.Errorf("%+q", said)
				}
			}
		}
	}
}

// TestNoSpaceStandsBesideAWideMark: a space of the format is removed beside an argument that begins or ends
// with wide punctuation.
func TestNoSpaceStandsBesideAWideMark(t *testing.T) {
	t.Parallel()
	p, _ := For("zh")
	for _, argument := range []string{"model（A、B）", "《报告》", "“甲”", "并发数", "（无）", "A"} {
		said := p.Say(Textf("they differ in %s: name one in the braces", argument))
		if want := argument + map[bool]string{true: " "}[argument == "A"] + "不同"; !strings.Contains(said, want) {
			t.Errorf("%q does not contain %q", said, want)
		}
	}
}

// TestEveryCharacterThatTurnsIsFound: turns finds every right-to-left character of Unicode, although it skips
// some ranges for speed.
func TestEveryCharacterThatTurnsIsFound(t *testing.T) {
	t.Parallel()
	found := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		p, _ := bidi.LookupRune(r)
		class := p.Class()
		want := class == bidi.R || class == bidi.AL || class == bidi.AN
		if unicode.Is(unicode.Cf, r) || !utf8.ValidRune(r) {
			continue // TestNamesDoNotTurnTheirSentence covers control characters
		}
		if want {
			found++
		}
		if got := turns("a" + string(r)); got != want {
			t.Errorf("%U: %v", r, got)
		}
	}
	if found < 1000 {
		t.Errorf("only %d characters turn", found)
	}
}
