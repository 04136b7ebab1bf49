package png

import (
	"cmp"
	"math/bits"
	"slices"
)

// codeword is the bits of a symbol, the first lowest; none for an unused one.
type codeword struct{ bits, length uint32 }

// newCode returns the Huffman code of symbols that occur so often, in at most so
// many bits. Where that is too few, rare symbols count as more frequent.
func newCode(counts []int32, most int) []codeword {
	code := make([]codeword, len(counts))
	var used []int
	for symbol, n := range counts {
		if n > 0 {
			used = append(used, symbol)
		}
	}
	for symbol := 0; len(used) < 2; symbol++ { // a code of one symbol has no bits
		if !slices.Contains(used, symbol) {
			used = append(used, symbol)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return cmp.Compare(counts[a], counts[b]) })
	var perLength [16]int
	for least := int32(1); ; least *= 2 {
		depths := depths(counts, used, least)
		if slices.Max(depths) > most {
			continue
		}
		for i, symbol := range used {
			code[symbol].length = uint32(depths[i])
			perLength[depths[i]]++
		}
		break
	}
	next, c := [16]int{}, 0
	for length := 1; length < len(next); length++ {
		c = (c + perLength[length-1]) << 1
		next[length] = c
	}
	for symbol := range code {
		if n := code[symbol].length; n > 0 {
			code[symbol].bits = uint32(bits.Reverse16(uint16(next[n]))) >> (16 - n)
			next[n]++
		}
	}
	return code
}

// depths returns how deep in a Huffman tree each of the used symbols lies, which
// come by how often they occur; all count as at least so many.
func depths(counts []int32, used []int, least int32) []int {
	n := len(used)
	weights, parent := make([]int32, 2*n-1), make([]int, 2*n-1)
	for i, symbol := range used {
		weights[i] = max(counts[symbol], least)
	}
	leaf, inner := 0, n // the lightest leaf and inner node without a parent
	for node := n; node < 2*n-1; node++ {
		for range 2 {
			lightest := &leaf
			if leaf == n || inner < node && weights[inner] < weights[leaf] {
				lightest = &inner
			}
			weights[node] += weights[*lightest]
			parent[*lightest] = node
			*lightest++
		}
	}
	depths := make([]int, 2*n-1)
	for i := 2*n - 3; i >= 0; i-- {
		depths[i] = depths[parent[i]] + 1
	}
	return depths[:n]
}
