package png

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// deflater compresses rows as DEFLATE (RFC 1951) has it, in blocks with codes of their own.
// Pixels go on as before, as above, or as a letter that was written before; each is looked
// for in one place only.
type deflater struct {
	rows   []byte // what is compressed: each with a filter's byte before it; bytes ahead of the last
	stride int    // of rows
	above  int    // where the last row began that has no filter; far away where there is none

	tokens  []token              // of the block
	latest  [1 << hashBits]int32 // where four pixels last began; by their hash
	symbols [endOfBlock + 1 + 29]int32
	offsets [30]int32 // how often each symbol occurs
	out     []byte
	pending uint64 // bits that are not in out yet, the first lowest
	held    uint32 // how many
}

const (
	hashBits   = 12
	window     = 32 << 10 // how far back a match may begin
	shortest   = 3        // match
	longest    = 258
	endOfBlock = 256
	ahead      = 8 // bytes are compared at once, also at the end
)

// token is a byte, or the length of a match times 1<<16 and how far back it begins.
type token uint32

// reset makes the deflater ready for an image.
func (d *deflater) reset(stride, height int) {
	size := stride*height + ahead
	d.rows = slices.Grow(d.rows[:0], size)[:size]
	d.stride, d.above = stride, math.MinInt/2
	d.tokens, d.out = d.tokens[:0], d.out[:0]
	clear(d.latest[:])
	clear(d.symbols[:])
	clear(d.offsets[:])
	d.pending, d.held = 0, 0
}

func (d *deflater) literal(b byte) {
	d.symbols[b]++
	d.tokens = append(d.tokens, token(b))
}

// match repeats what lies some bytes back.
func (d *deflater) match(length, back int) {
	offset := &d.offsets[offsetSymbol(back).symbol]
	for length > 0 {
		n := min(length, longest)
		if rest := length - n; rest > 0 && rest < shortest {
			n -= shortest
		}
		d.symbols[lengths[n].symbol]++
		*offset++
		d.tokens = append(d.tokens, token(n<<16|back))
		length -= n
	}
}

// row compresses a row, without a filter.
func (d *deflater) row(y int, pixels []byte) {
	start := y * d.stride
	end, above := start+d.stride, start-d.above
	rows := d.rows[:end+ahead]
	rows[start] = filterNone
	copy(rows[start+1:end], pixels)
	clear(rows[end:]) // of what was compressed before: the hash of the last pixels reads it
	d.literal(filterNone)
	for at := start + 1; at < end; {
		here := binary.LittleEndian.Uint64(rows[at:])
		length, back, gain := 0, 0, 0
		if n := alike(rows, at, at-1, here, end); n >= shortest {
			length, back, gain = n, 1, saved(n, 1)
		}
		if above <= window && at+length < end {
			if n := alike(rows, at, at-above, here, end); saved(n, above) > gain {
				length, back, gain = n, above, saved(n, above)
			}
		}
		if length < 16 {
			latest := &d.latest[uint32(here)*2654435761>>(32-hashBits)]
			if from := int(*latest); from > 0 && at-from <= window {
				if n := alike(rows, at, from, here, end); n > shortest && saved(n, at-from) > gain {
					length, back, gain = n, at-from, saved(n, at-from)
				}
			}
			*latest = int32(at)
		}
		if gain == 0 {
			d.literal(rows[at])
			at++
			continue
		}
		d.match(length, back)
		at += length
	}
	d.above = start
}

// same writes a row that is as the one above.
func (d *deflater) same(y int) {
	row := d.rows[y*d.stride : (y+1)*d.stride]
	clear(row)
	row[0] = filterUp
	d.literal(filterUp)
	d.literal(0)
	d.match(d.stride-2, 1)
}

// alike counts the bytes before end that are alike from two places on; here is what begins
// at the first.
func alike(rows []byte, at, from int, here uint64, end int) int {
	if x := here ^ binary.LittleEndian.Uint64(rows[from:]); x != 0 {
		return min(bits.TrailingZeros64(x)/8, end-at)
	}
	n := 8
	for at+n < end {
		if x := binary.LittleEndian.Uint64(rows[at+n:]) ^ binary.LittleEndian.Uint64(rows[from+n:]); x != 0 {
			return min(n+bits.TrailingZeros64(x)/8, end-at)
		}
		n += 8
	}
	return end - at
}

// saved is how many bits a match takes less than its bytes: a byte takes about five, a match
// ten and those of its distance.
func saved(length, back int) int { return 5*length - 10 - max(bits.Len(uint(back))-2, 0) }

// part is a symbol, and how many bits of what value follow it.
type part struct {
	symbol uint16
	extra  uint8
	value  uint16
}

// lengths are the parts of all lengths of a match.
var lengths = func() (all [longest + 1]part) {
	for n := shortest; n < longest; n++ {
		all[n] = logarithmic(n-shortest, 2)
		all[n].symbol += endOfBlock + 1
	}
	all[longest] = part{symbol: 285}
	return all
}()

func offsetSymbol(back int) part { return logarithmic(back-1, 1) }

// logarithmic numbers the values from 0 on so that a number stands for twice as
// many each 1<<steps numbers.
func logarithmic(v, steps int) part {
	extra := max(bits.Len(uint(v))-steps-1, 0)
	return part{uint16(extra<<steps + v>>extra), uint8(extra), uint16(v & (1<<extra - 1))}
}

// end writes the block and returns all that was written.
func (d *deflater) end() []byte {
	d.symbols[endOfBlock]++
	symbols, offsets := newCode(d.symbols[:], 15), newCode(d.offsets[:], 15)
	d.header(symbols, offsets)
	var matches [longest + 1]codeword // the lengths, with the bits that follow
	for n := shortest; n <= longest; n++ {
		c := symbols[lengths[n].symbol]
		matches[n] = codeword{c.bits | uint32(lengths[n].value)<<c.length, c.length + uint32(lengths[n].extra)}
	}
	for _, t := range d.tokens {
		if t < 1<<16 {
			d.write(symbols[t&0xff])
			continue
		}
		length, offset := matches[t>>16], offsetSymbol(int(t&0xffff))
		back := offsets[offset.symbol]
		d.bits(uint64(length.bits)|uint64(back.bits)<<length.length|uint64(offset.value)<<(length.length+back.length),
			length.length+back.length+uint32(offset.extra))
	}
	d.write(symbols[endOfBlock])
	if d.held > 0 {
		d.out = append(d.out, byte(d.pending))
	}
	return d.out
}

// order is that in which the lengths of the codes for lengths are written.
var order = [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// header begins the last block with its codes.
func (d *deflater) header(symbols, offsets []codeword) {
	const zeros, manyZeros = 17, 18 // 3 to 10 unused symbols, 11 to 138
	var parts []part
	var counts [19]int32
	all := append(append(make([]codeword, 0, 320), symbols...), offsets...)
	for i := 0; i < len(all); {
		n := 0
		for i+n < len(all) && n < 138 && all[i+n].length == 0 {
			n++
		}
		p := part{symbol: uint16(all[i].length)}
		switch {
		case n > 10:
			p = part{manyZeros, 7, uint16(n - 11)}
		case n > 2:
			p = part{zeros, 3, uint16(n - 3)}
		default:
			n = 1
		}
		counts[p.symbol]++
		parts = append(parts, p)
		i += n
	}
	code := newCode(counts[:], 7)
	d.bits(1|2<<1, 3)
	d.bits(uint64(len(symbols)-257), 5)
	d.bits(uint64(len(offsets)-1), 5)
	d.bits(uint64(len(order)-4), 4)
	for _, symbol := range order {
		d.bits(uint64(code[symbol].length), 3)
	}
	for _, p := range parts {
		d.write(code[p.symbol])
		d.bits(uint64(p.value), uint32(p.extra))
	}
}

func (d *deflater) write(c codeword) { d.bits(uint64(c.bits), c.length) }

// bits writes at most 56 bits.
func (d *deflater) bits(v uint64, n uint32) {
	d.pending |= v << d.held
	d.held += n
	at, whole := len(d.out), int(d.held/8)
	d.out = binary.LittleEndian.AppendUint64(d.out, d.pending)[:at+whole]
	d.pending >>= 8 * whole
	d.held %= 8
}
