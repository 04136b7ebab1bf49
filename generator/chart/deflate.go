package chart

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// A deflater compresses the rows of an image as DEFLATE (RFC 1951) has it, in
// one block with codes of its own. It need not search as a general compressor
// must: pixels repeat the one before, those above, or a letter written before.
type deflater struct {
	pixels        []byte
	width, stride int // of a row; stride counts the filter's byte as well
	above         int // where the last row began that went through row; -1 for none

	tokens  []token
	latest  [1 << hashBits]int32 // where four pixels last began, plus one; by their hash
	symbols [endOfBlock + 1 + 29]int32
	offsets [30]int32 // how often each symbol occurs
	out     []byte
	pending uint64 // bits that are not in out yet, the first lowest
	held    int    // how many
}

const (
	hashBits   = 13
	window     = 32 << 10 // how far back a match may begin
	shortest   = 3        // match
	longest    = 258
	endOfBlock = 256
)

// token is a byte, or the length of a match and how far back it begins.
type token struct{ length, value uint16 }

// reset makes the deflater ready for an image.
func (d *deflater) reset(pixels []byte, width, stride int) {
	d.pixels, d.width, d.stride, d.above = pixels, width, stride, -1
	d.tokens, d.out = d.tokens[:0], d.out[:0]
	clear(d.latest[:])
	clear(d.symbols[:])
	clear(d.offsets[:])
	d.pending, d.held = 0, 0
}

func (d *deflater) literal(b byte) {
	d.symbols[b]++
	d.tokens = append(d.tokens, token{value: uint16(b)})
}

// match repeats what lies some bytes back.
func (d *deflater) match(length, back int) {
	for length > 0 {
		n := min(length, longest)
		if rest := length - n; rest > 0 && rest < shortest {
			n -= shortest
		}
		symbol, _, _ := lengthSymbol(n)
		offset, _, _ := offsetSymbol(back)
		d.symbols[symbol]++
		d.offsets[offset]++
		d.tokens = append(d.tokens, token{uint16(n), uint16(back)})
		length -= n
	}
}

// row compresses a row of the image. Only rows that went through it are matched.
func (d *deflater) row(y int) {
	start := y * d.stride
	end, above := start+d.width, start-d.above
	if d.above < 0 || above > window {
		above = 0
	}
	d.above = start
	for at := start; at < end; {
		rest := d.pixels[at:end]
		length, back, gain := 0, 0, 0
		try := func(n, b int) {
			// A byte takes about five bits, a match ten and those of its distance.
			if g := 5*n - 10 - max(bits.Len(uint(b))-2, 0); n >= shortest && g > gain {
				length, back, gain = n, b, g
			}
		}
		if at > start && rest[0] == d.pixels[at-1] {
			try(alike(rest, d.pixels[at-1:]), 1)
		}
		if above > 0 && rest[0] == d.pixels[at-above] && length < len(rest) {
			try(alike(rest, d.pixels[at-above:]), above)
		}
		if length < 16 && len(rest) >= 4 {
			four := binary.LittleEndian.Uint32(rest)
			latest := &d.latest[four*2654435761>>(32-hashBits)]
			if from := int(*latest) - 1; from >= 0 && at-from <= window && four == binary.LittleEndian.Uint32(d.pixels[from:]) {
				inRow := d.width - from%d.stride
				try(min(alike(rest, d.pixels[from:]), inRow), at-from)
			}
			*latest = int32(at + 1)
		}
		if gain == 0 {
			d.literal(rest[0])
			at++
			continue
		}
		d.match(length, back)
		at += length
	}
}

// alike counts the bytes in which b begins like a.
func alike(a, b []byte) int {
	n := 0
	for n+8 <= len(a) {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}

// lengthSymbol gives the symbol of a length, and how many bits of what value
// follow it.
func lengthSymbol(length int) (symbol, extra, value int) {
	if length == longest {
		return 285, 0, 0
	}
	symbol, extra, value = logarithmic(length-shortest, 2)
	return endOfBlock + 1 + symbol, extra, value
}

func offsetSymbol(back int) (symbol, extra, value int) { return logarithmic(back-1, 1) }

// logarithmic numbers the values from 0 on so that a number stands for twice as
// many each 1<<steps numbers.
func logarithmic(v, steps int) (symbol, extra, value int) {
	extra = max(bits.Len(uint(v))-steps-1, 0)
	return extra<<steps + v>>extra, extra, v & (1<<extra - 1)
}

// end writes the block and gives all that was written.
func (d *deflater) end() []byte {
	d.symbols[endOfBlock]++
	d.tokens = append(d.tokens, token{value: endOfBlock})
	symbols, offsets := newCode(d.symbols[:], 15), newCode(d.offsets[:], 15)
	d.header(symbols, offsets)
	for _, t := range d.tokens {
		if t.length == 0 {
			d.write(symbols[t.value])
			continue
		}
		symbol, extra, value := lengthSymbol(int(t.length))
		d.write(symbols[symbol])
		d.bits(value, extra)
		symbol, extra, value = offsetSymbol(int(t.value))
		d.write(offsets[symbol])
		d.bits(value, extra)
	}
	for ; d.held > 0; d.held -= 8 {
		d.out = append(d.out, byte(d.pending))
		d.pending >>= 8
	}
	return d.out
}

// order is that in which the lengths of the codes for lengths are written.
var order = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// header begins the last block, one with codes of its own, which it tells.
func (d *deflater) header(symbols, offsets []codeword) {
	const zeros, manyZeros = 17, 18 // 3 to 10 unused symbols, 11 to 138
	type piece struct{ symbol, value, extra int }
	var pieces []piece
	var counts [19]int32
	all := append(slices.Clone(symbols), offsets...)
	for i := 0; i < len(all); {
		n := 0
		for i+n < len(all) && n < 138 && all[i+n].length == 0 {
			n++
		}
		p := piece{symbol: int(all[i].length)}
		switch {
		case n > 10:
			p = piece{manyZeros, n - 11, 7}
		case n > 2:
			p = piece{zeros, n - 3, 3}
		default:
			n = 1
		}
		counts[p.symbol]++
		pieces = append(pieces, p)
		i += n
	}
	code := newCode(counts[:], 7)
	d.bits(1|2<<1, 3)
	d.bits(len(symbols)-257, 5)
	d.bits(len(offsets)-1, 5)
	d.bits(len(order)-4, 4)
	for _, symbol := range order {
		d.bits(int(code[symbol].length), 3)
	}
	for _, p := range pieces {
		d.write(code[p.symbol])
		d.bits(p.value, p.extra)
	}
}

func (d *deflater) write(c codeword) { d.bits(int(c.bits), int(c.length)) }

func (d *deflater) bits(v, n int) {
	d.pending |= uint64(v) << d.held
	d.held += n
	if d.held >= 32 {
		d.out = binary.LittleEndian.AppendUint32(d.out, uint32(d.pending))
		d.pending >>= 32
		d.held -= 32
	}
}

// codeword is the bits of a symbol, the first lowest; none for an unused one.
type codeword struct{ bits, length uint16 }

// newCode gives the Huffman code of symbols that occur so often, in at most so
// many bits. Where that is too few, rare symbols count as more frequent.
func newCode(counts []int32, most int) []codeword {
	code := make([]codeword, len(counts))
	var used []int
	for symbol, n := range counts {
		if n > 0 {
			used = append(used, symbol)
		}
	}
	for len(used) < 2 { // a code of one symbol has no bits
		used = append(used, len(used))
	}
	slices.SortStableFunc(used, func(a, b int) int { return cmp.Compare(counts[a], counts[b]) })
	var perLength [16]int
	for least := int32(1); ; least *= 2 {
		depths := huffman(counts, used, least)
		if slices.Max(depths) > most {
			continue
		}
		for i, symbol := range used {
			code[symbol].length = uint16(depths[i])
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
			code[symbol].bits = bits.Reverse16(uint16(next[n])) >> (16 - n)
			next[n]++
		}
	}
	return code
}

// huffman gives how deep in a Huffman tree each of the used symbols lies, which
// come by how often they occur; all count as at least so many.
func huffman(counts []int32, used []int, least int32) []int {
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
