package font

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"golang.org/x/text/unicode/bidi"
)

// levels returns the embedding level of each rune of a line, by the Unicode Bidirectional Algorithm
// (https://www.unicode.org/reports/tr9/). Odd levels are read from right to left. The line has the direction of
// its first letter. The only formatting characters of the text are those that isolate a name: Clean removes the
// others.
func levels(runes []rune) []int {
	result := make([]int, len(runes))
	rightToLeft := func(r rune) bool {
		p, _ := bidi.LookupRune(r)
		return p.Class() == bidi.R || p.Class() == bidi.AL || p.Class() == bidi.AN
	}
	if slices.ContainsFunc(runes, rightToLeft) {
		resolve(runes, result, 0)
	}
	return result
}

// resolve finds the levels of a text inside a text of level least. The base level is least or one more,
// depending on the direction of the first letter. It need not be higher than the level around it, because the
// characters that isolate the text have that level. Isolated parts count as one sign and are resolved by
// themselves.
func resolve(runes []rune, result []int, least int) {
	var own []rune
	var at []int
	for i := 0; i < len(runes); i++ {
		own, at = append(own, runes[i]), append(at, i)
		if runes[i] == locale.Isolate {
			i = released(runes, i) - 1
		}
	}
	classes := make([]bidi.Class, len(own))
	for i, r := range own {
		p, _ := bidi.LookupRune(r)
		if classes[i] = p.Class(); isolating(r) {
			classes[i] = bidi.ON
		}
	}
	base := least
	if first := firstStrong(classes); least%2 == 0 && first != bidi.L || least%2 == 1 && first == bidi.L {
		base++
	}
	original := slices.Clone(classes)
	weak(classes, direction(base))
	brackets(own, classes, original, direction(base))
	neutral(classes, direction(base))
	for i, c := range classes {
		level := base
		switch { // I1, I2
		case base%2 == 0 && c == bidi.R, base%2 == 1 && (c == bidi.L || c == bidi.EN || c == bidi.AN):
			level++
		case base%2 == 0 && (c == bidi.EN || c == bidi.AN):
			level += 2
		}
		result[at[i]] = level
		if own[i] == locale.Isolate {
			inner := result[at[i]+1 : released(runes, at[i])]
			resolve(runes[at[i]+1:][:len(inner)], inner, level)
		}
	}
	for i := len(own) - 1; i >= 0 && (original[i] == bidi.WS || original[i] == bidi.S); i-- {
		result[at[i]] = base // L1
	}
}

// released returns the index of the character that ends the isolate at from, or the length of the text.
func released(runes []rune, from int) int {
	depth := 0
	for i := from; i < len(runes); i++ {
		switch runes[i] {
		case locale.Isolate:
			depth++
		case locale.Release:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(runes)
}

// RightToLeft reports whether a line is read from right to left. That depends on its first letter outside of
// isolates.
func RightToLeft(s string) bool {
	depth := 0
	for _, r := range s {
		switch p, _ := bidi.LookupRune(r); {
		case r == locale.Isolate:
			depth++
		case r == locale.Release:
			depth--
		case depth > 0:
		case p.Class() == bidi.L:
			return false
		case p.Class() == bidi.R || p.Class() == bidi.AL:
			return true
		}
	}
	return false
}

func firstStrong(classes []bidi.Class) bidi.Class {
	for _, c := range classes {
		if c == bidi.L || c == bidi.R || c == bidi.AL {
			return c
		}
	}
	return bidi.L
}

// direction returns the class of the letters of a level.
func direction(level int) bidi.Class {
	if level%2 == 1 {
		return bidi.R
	}
	return bidi.L
}

// weak resolves numbers and their signs: rules W1 to W7.
func weak(classes []bidi.Class, start bidi.Class) {
	before := start
	for i, c := range classes { // W1; invisible runes also take the class before them
		if c == bidi.NSM || c == bidi.BN {
			classes[i] = before
		}
		before = classes[i]
	}
	strong := start
	for i, c := range classes { // W2, W3
		switch c {
		case bidi.L, bidi.R:
			strong = c
		case bidi.AL:
			strong, classes[i] = c, bidi.R
		case bidi.EN:
			if strong == bidi.AL {
				classes[i] = bidi.AN
			}
		}
	}
	for i := 1; i+1 < len(classes); i++ { // W4
		a, c, b := classes[i-1], classes[i], classes[i+1]
		if a == b && (c == bidi.ES && a == bidi.EN || c == bidi.CS && (a == bidi.EN || a == bidi.AN)) {
			classes[i] = a
		}
	}
	for i := 0; i < len(classes); { // W5, W6
		switch classes[i] {
		case bidi.ES, bidi.CS:
			classes[i] = bidi.ON
			fallthrough
		default:
			i++
		case bidi.ET:
			end := i
			for end < len(classes) && classes[end] == bidi.ET {
				end++
			}
			c := bidi.ON
			if i > 0 && classes[i-1] == bidi.EN || end < len(classes) && classes[end] == bidi.EN {
				c = bidi.EN
			}
			for ; i < end; i++ {
				classes[i] = c
			}
		}
	}
	strong = start
	for i, c := range classes { // W7
		switch {
		case c == bidi.L || c == bidi.R:
			strong = c
		case c == bidi.EN && strong == bidi.L:
			classes[i] = bidi.L
		}
	}
}

// strongOf returns the direction that a class has for adjacent neutrals. Numbers count as letters read from
// right to left.
func strongOf(c bidi.Class) (of bidi.Class, strong bool) {
	switch c {
	case bidi.L:
		return bidi.L, true
	case bidi.R, bidi.EN, bidi.AN:
		return bidi.R, true
	}
	return bidi.ON, false
}

// brackets gives both brackets of a pair, and the marks on them, the same direction: rule N0.
func brackets(runes []rune, classes, original []bidi.Class, base bidi.Class) {
	for _, pair := range pairs(runes, classes) {
		opposite := false
		found := bidi.ON
		for _, c := range classes[pair[0]+1 : pair[1]] {
			of, strong := strongOf(c)
			if strong && of == base {
				found = base
				break
			}
			opposite = opposite || strong
		}
		if found != base && opposite {
			found = base
			for i := pair[0] - 1; i >= 0; i-- {
				if of, strong := strongOf(classes[i]); strong {
					found = of
					break
				}
			}
		}
		if found == bidi.ON {
			continue
		}
		for _, at := range pair {
			classes[at] = found
			for i := at + 1; i < len(original) && original[i] == bidi.NSM; i++ {
				classes[i] = found
			}
		}
	}
}

// pairs returns the pairs of brackets, ordered by the opening one: definition BD16.
func pairs(runes []rune, classes []bidi.Class) [][2]int {
	const mostOpen = 63
	var open []int
	var found [][2]int
	for i, r := range runes {
		p, _ := bidi.LookupRune(r)
		switch {
		case classes[i] != bidi.ON || !p.IsBracket():
		case p.IsOpeningBracket():
			if len(open) == mostOpen {
				return found
			}
			open = append(open, i)
		default:
			for n := len(open) - 1; n >= 0; n-- {
				if closing(runes[open[n]]) == r {
					found = append(found, [2]int{open[n], i})
					open = open[:n]
					break
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b [2]int) int { return a[0] - b[0] })
	return found
}

// closing returns the closing bracket of an opening one.
func closing(r rune) rune {
	switch r {
	case '[', '{', '［', '｛':
		return r + 2
	}
	return r + 1
}

// neutral resolves spaces and punctuation: rules N1 and N2.
func neutral(classes []bidi.Class, base bidi.Class) {
	before := base
	for i := 0; i < len(classes); i++ {
		if of, strong := strongOf(classes[i]); strong {
			before = of
			continue
		}
		end, after := i, base
		for ; end < len(classes); end++ {
			if of, strong := strongOf(classes[end]); strong {
				after = of
				break
			}
		}
		c := base
		if before == after {
			c = before
		}
		for ; i < end; i++ {
			classes[i] = c
		}
		i--
	}
}

// reorder puts the parts of a line into visual order: rule L2.
func reorder(items []item) {
	highest := 0
	for _, it := range items {
		highest = max(highest, it.level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(items); i++ {
			end := i
			for end < len(items) && items[end].level >= level {
				end++
			}
			slices.Reverse(items[i:end])
			i = end
		}
	}
}
