package page

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func layout(t *testing.T, name string) string {
	t.Helper()
	data, err := embedded.ReadFile("layouts/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestContrast checks that text is readable in both themes: WCAG 2.2 requires a contrast of 4.5 to 1, and 7 to 1 for
// readers who request more.
func TestContrast(t *testing.T) {
	t.Parallel()
	usual, more, found := strings.Cut(layout(t, "style.css"), "(prefers-contrast: more)")
	if !found {
		t.Fatal("there are no tokens for more contrast")
	}
	tokens := map[string][2]string{}
	for _, part := range []struct {
		of     string
		css    string
		ground []string
		least  float64
	}{
		{"usual", usual, []string{"paper", "sunken", "accent-wash"}, 4.5},
		{"more contrast", more, []string{"paper"}, 7},
	} {
		for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#\w+), (#\w+)\);`).FindAllStringSubmatch(part.css, -1) {
			tokens[m[1]] = [2]string{m[2], m[3]}
		}
		for _, text := range []string{"ink", "soft", "accent", "error", "warning", "good"} {
			for _, ground := range part.ground {
				for theme, name := range []string{"light", "dark"} {
					a, b := tokens[text][theme], tokens[ground][theme]
					if a == "" || b == "" {
						t.Fatalf("the tokens %s and %s are not both there", text, ground)
					}
					if ground == "accent-wash" && text != "ink" && text != "soft" {
						continue
					}
					if c := contrast(luminance(a), luminance(b)); c < part.least {
						t.Errorf("%s, %s: %s on %s has a contrast of %.2f", part.of, name, text, ground, c)
					}
				}
			}
		}
	}
}

func contrast(a, b float64) float64 { return (max(a, b) + .05) / (min(a, b) + .05) }

// luminance returns the relative luminance, as defined by WCAG 2.2, of a colour such as #0072b2.
func luminance(hex string) float64 {
	n, _ := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	linear := func(c uint64) float64 {
		v := float64(c&255) / 255
		if v <= .04045 {
			return v / 12.92
		}
		return math.Pow((v+.055)/1.055, 2.4)
	}
	return .2126*linear(n>>16) + .7152*linear(n>>8) + .0722*linear(n)
}

func TestLuminance(t *testing.T) {
	t.Parallel()
	if c := contrast(luminance("#000000"), luminance("#ffffff")); math.Abs(c-21) > 1e-9 {
		t.Errorf("black on white has a contrast of %f, want 21", c)
	}
}

// TestColoursAreTokens checks that colours are named only in the definitions of tokens.
func TestColoursAreTokens(t *testing.T) {
	t.Parallel()
	_, rules, _ := strings.Cut(layout(t, "style.css"), "/* Ground */")
	rules, _, _ = strings.Cut(rules, "@media print")
	if m := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|rgba?\(`).FindString(rules); m != "" {
		t.Errorf("style.css uses the colour %s outside of the tokens", m)
	}
	for _, m := range regexp.MustCompile(`var\((--[\w-]+)\)`).FindAllStringSubmatch(layout(t, "style.css"), -1) {
		if !strings.Contains(layout(t, "style.css"), m[1]+":") {
			t.Errorf("style.css uses %s, which is not defined", m[1])
		}
	}
}

// TestLayoutsObeyThePolicy checks that the layouts need nothing that the policy forbids.
func TestLayoutsObeyThePolicy(t *testing.T) {
	t.Parallel()
	if !strings.Contains(layout(t, "base.html"), `content="`+Policy+`"`) {
		t.Errorf("base.html does not have the policy %s", Policy)
	}
	files, err := embedded.ReadDir("layouts")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text := layout(t, f.Name())
		if m := regexp.MustCompile(`<style|<script>|\sstyle="|\son\w+="|//[a-z]+\.[a-z]+/|@import|url\(`).FindString(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")); m != "" {
			t.Errorf("%s contains %s", f.Name(), m)
		}
	}
}
