package document

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"testing"
)

// TestFormulas distinguishes formulas from money, shell variables and code.
func TestFormulas(t *testing.T) {
	t.Parallel()
	element := regexp.MustCompile(`(?s)<code class="math">(.*?)</code>`)
	for source, want := range map[string][]string{
		"$x$":                            {"x"},
		"is $a_1*b_2$, $c*d$ and ($e$).": {"a_1*b_2", "c*d", "e"},
		"其中$n$是请求数，$t_i$是时间。":                 {"n", "t_i"},
		`\(a_1\) and \(b\)`:                   {"a_1", "b"},
		"a $$x^2$$ b":                         {"x^2"},
		"$5$ and $5 \\times 3$":               {"5", `5 \times 3`},
		"**$x$** [$y$](z) ~~$w$~~":            {"x", "y", "w"},
		`$\text{cost} = \$5$`:                 {`\text{cost} = \$5`},
		"| a |\n|---|\n| $P(x\\|y)$ |":        {"P(x|y)"},
		"$$\na\n= b\n- c\n$$":                 {"a\n= b\n- c"},
		"- i\n\n  $$\n  x\n  $$":              {"x"},
		"text\n$$\nx\n$$\nmore":               {"x"},
		"> $$\n> x\n> y\n> $$\nz":             {"x\ny"},
		"$$ x $$":                             {"x"},
		"$5 and $6":                           nil,
		"$5–$6, US$7, A$8 and $9":             nil,
		"$HOME/$USER and $PATH or $HOME$PATH": nil,
		"costs $20 (A$), £3":                  nil,
		"每小时 $0.35，比A$便宜；花费$5每小时，B$。": nil,
		`\$x\$`:                                         nil,
		"$ x $ and $$ or":                               nil,
		"`$x$` and `\\(y\\)`":                           nil,
		"$`= x`$, $`= y`$":                              nil,
		"$$\nnot closed\n\n$$":                          nil,
		"```\n$x$\n$$\ny\n$$\n```":                      nil,
		"    $$\n    code\n    $$":                      nil,
		`\\(x\\) and \(\)`:                              nil,
		"$5 per hour\nand $6 per month_of_30":           nil,
		"[a](https://x.org/$b/$c) <b title='$d$'>e</b>": nil,
	} {
		d, _ := Parse("a.en.md", []byte(head+source+"\n"), Options{})
		var b bytes.Buffer
		if err := d.HTML(&b, testFill{}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range element.FindAllStringSubmatch(b.String(), -1) {
			got = append(got, html.UnescapeString(m[1]))
		}
		if !slices.Equal(got, want) || d.Math != (want != nil) {
			t.Errorf("%q: %q, want %q\n%s", source, got, want, b.String())
		}
	}
}

// TestFormulasAreNoProse: formulas are not part of the prose in which numbers are searched.
func TestFormulasAreNoProse(t *testing.T) {
	t.Parallel()
	d, _ := Parse("a.en.md", []byte(head+"Fast: $v = 300\\,\\text{tok/s}$.\n\n$$\n42 ms\n$$\n"), Options{})
	for _, p := range d.Prose() {
		if p.Text != "Fast: "+string(Gap)+"." {
			t.Errorf("%q", p.Text)
		}
	}
}
