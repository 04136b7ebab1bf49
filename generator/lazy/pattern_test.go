package lazy

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestPatternMatchesAsItsExpression: skipping texts without the words of a pattern changes no result.
func TestPatternMatchesAsItsExpression(t *testing.T) {
	t.Parallel()
	for expr, wants := range map[string]bool{ // whether words are found
		`(\d+) tok/s`:               true,
		`(?:^|[^\d.])(\d+) ?s to`:   true,
		`(ab|cd)+x?`:                true,
		`(?i)tok/s`:                 false,
		`x|tok/s`:                   false,
		`(?:tok/s)?`:                false,
		`(?:tok){2}`:                true,
		`(?:tok){0,2}s`:             false,
		`^tok\b|\bsec$`:             true,
		`a|b`:                       false,
		`[tk]ok`:                    true,
		`tok|tok/s|sec|ab|cd|to s`:  false,
		`(?s)tok.*(?:sec|to\b)|abx`: true,
	} {
		p := newPattern(expr)
		if got := len(p.words) > 0; got != wants {
			t.Errorf("%s: words %q", expr, p.words)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for range 3000 {
			var b strings.Builder
			for range random.IntN(7) {
				b.WriteString([]string{"tok", "/s", "sec", "TOK", "ab", "cd", "x", " ", "12", "s to", "\xff", "k"}[random.IntN(12)])
			}
			text := b.String()
			if got, want := p.MatchString(text), p.Regexp.MatchString(text); got != want || p.Match([]byte(text)) != want {
				t.Fatalf("%s matches %q: %v, not %v", expr, text, got, want)
			}
			if got, want := p.FindStringSubmatch(text), p.Regexp.FindStringSubmatch(text); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s finds %q in %q, not %q", expr, got, text, want)
			}
			if got, want := p.ReplaceAllString(text, "<$0>"), p.Regexp.ReplaceAllString(text, "<$0>"); got != want {
				t.Fatalf("%s makes %q of %q, not %q", expr, got, text, want)
			}
			if got, want := p.FindSubmatchIndex([]byte(text)), p.Regexp.FindSubmatchIndex([]byte(text)); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s finds %v in %q, not %v", expr, got, text, want)
			}
		}
	}
}
