// Package hardware knows common accelerators and boards: how much memory they
// have, how fast it is read, and how fast they multiply matrices. The figures
// are the vendors' own; one that has no vendor's document is left out.
package hardware

import (
	"strings"
	"unicode"
)

// Spec is what a vendor states of one accelerator. Of a package that joins
// several, as GB200, it is one of them.
type Spec struct {
	ID   string // "h100-sxm"
	Name string // "NVIDIA H100 SXM"

	// Memory is in bytes, the vendor's GB taken as 10⁹ of them. The chips hold
	// as many GiB, of which some are kept for error correction and firmware,
	// so that a tool may count up to 7 % more. It is 0 where the product is
	// sold with various sizes.
	Memory int64

	// Bandwidth is the peak of the memory in bytes per second.
	Bandwidth float64

	// Peak gives the dense peak of the matrix units in FLOP/s by data type:
	// BF16, FP8, INT8 and FP4, and FP16 where that is not the figure of BF16.
	// A type is absent when the hardware lacks it or the vendor gives no
	// figure. The map is shared and not to be changed.
	Peak map[string]float64

	// Source names the vendor's documents that print the figures and where to
	// find them.
	Source string

	// also are further names by which the hardware is known.
	also []string
}

// Find gives the hardware of a name: an id, a name of the table, or what tools
// print, as "NVIDIA A100-SXM4-80GB" of nvidia-smi. Case, punctuation and the
// words that only tell vendor and kind are ignored, everything else counts. A
// name that several variants share, as "A100" or "M4 Max", finds none; but
// "NVIDIA H200", "NVIDIA B200" and "NVIDIA GB200" are what the modules of that
// name call themselves, and the card of the first is "NVIDIA H200 NVL".
func Find(name string) (Spec, bool) {
	i, ok := byName[plain(name)]
	if !ok {
		return Spec{}, false
	}
	return table[i], true
}

// byName gives the place in the table of each plain name.
var byName = func() map[string]int {
	names := map[string]int{}
	for i, s := range table {
		for _, name := range append([]string{s.ID, s.Name}, s.also...) {
			names[plain(name)] = i
		}
	}
	return names
}()

// plain reduces a name to the letters and digits that tell one product from
// another.
func plain(name string) string {
	name = strings.NewReplacer("(r)", " ", "(tm)", " ").Replace(strings.ToLower(name))
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var b strings.Builder
	for _, word := range words {
		switch word {
		case "nvidia", "amd", "intel", "habana", "apple", "tesla", "geforce", "instinct", "tensor", "core", "gpu", "accelerator":
		default:
			b.WriteString(word)
		}
	}
	return b.String()
}
