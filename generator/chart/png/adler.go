package png

import "encoding/binary"

// prime is the modulus of Adler-32.
const prime = 65521

// checksum returns the Adler-32 sum (RFC 1950, 9), eight at a time: most
// are zero, the background, and add nothing.
func checksum(b []byte) uint32 {
	const (
		lanes  = 0x00ff00ff00ff00ff
		ones   = 0x0001000100010001
		evenly = 0x0000000200040006 // by multiplying, lane i counts 2i times
	)
	n := len(b)
	sum, weighted := uint64(0), uint64(0) // of the bytes, and of each times the bytes from it on
	at := 0
	for ; at+8 <= n; at += 8 {
		w := binary.LittleEndian.Uint64(b[at:])
		if w == 0 {
			continue
		}
		even, odd := w&lanes, w>>8&lanes
		inWord, inOdd := (even+odd)*ones>>48, odd*ones>>48
		sum += inWord
		weighted += uint64(n-at)*inWord - (even+odd)*evenly>>48 - inOdd
	}
	for ; at < n; at++ {
		sum += uint64(b[at])
		weighted += uint64(n-at) * uint64(b[at])
	}
	low := (1 + sum) % prime
	high := (uint64(n) + weighted) % prime
	return uint32(high)<<16 | uint32(low)
}

// joined returns the sum of two parts from theirs; the second has n bytes. Most rows are
// alike, and so are their sums.
func joined(first, second uint32, n int) uint32 {
	a, b := first&0xffff, first>>16
	c, d := second&0xffff, second>>16
	low := (a + c + prime - 1) % prime
	high := (uint64(b) + uint64(d) + uint64(n)*uint64(a+prime-1)) % prime
	return uint32(high)<<16 | low
}
