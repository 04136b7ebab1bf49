package cache

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Album keeps data that is made and read together in one file of a store: creating a file takes longer than writing it.
type Album struct {
	store  *Store
	key    []byte
	before []leaf          // contents when the album was opened
	asked  map[string]bool // keys that were read or put
	new    []leaf
}

// leaf is one entry of an album.
type leaf struct {
	key  []byte
	data [][]byte // in pieces
}

// Album opens the album with the given key.
func (s *Store) Album(key []byte) *Album {
	a := &Album{store: s, key: key, asked: map[string]bool{}}
	rest, _ := s.Get(key)
	for len(rest) > 0 {
		var data []byte
		p := leaf{}
		if p.key, rest = cut(rest); rest != nil {
			data, rest = cut(rest)
			p.data = [][]byte{data}
		}
		if rest == nil { // written by another version
			a.before = nil
			break
		}
		a.before = append(a.before, p)
	}
	return a
}

// cut splits off a piece that begins with its length. rest is nil if the data is invalid.
func cut(b []byte) (piece, rest []byte) {
	n, digits := binary.Uvarint(b)
	if digits <= 0 || n > uint64(len(b)-digits) {
		return nil, nil
	}
	b = b[digits:]
	return b[:n:n], b[n:]
}

// Get returns the data stored under a key.
func (a *Album) Get(key []byte) ([]byte, bool) {
	for _, p := range slices.Concat(a.new, a.before) {
		if bytes.Equal(p.key, key) {
			a.asked[string(key)] = true
			return join(p.data), true
		}
	}
	return nil, false
}

// join returns the pieces as one slice.
func join(pieces [][]byte) []byte {
	if len(pieces) == 1 {
		return pieces[0]
	}
	return slices.Concat(pieces...)
}

// Put adds data, in pieces, under a key. Close writes it; it must not change until then.
func (a *Album) Put(key []byte, pieces ...[]byte) {
	a.asked[string(key)] = true
	a.new = append(a.new, leaf{key, pieces})
}

// Close writes what was put into the album, and those earlier entries that were read. If more may be needed, it keeps
// all earlier entries.
func (a *Album) Close(more bool) {
	var kept []leaf
	for _, p := range a.before {
		if more || a.asked[string(p.key)] {
			kept = append(kept, p)
		}
	}
	if len(kept) == len(a.before) && len(a.new) == 0 {
		return
	}
	var file [][]byte
	for _, p := range slices.Concat(kept, a.new) {
		size := 0
		for _, piece := range p.data {
			size += len(piece)
		}
		file = append(file, length(len(p.key)), p.key, length(size))
		file = append(file, p.data...)
	}
	a.store.Put(a.key, file...)
}

// length returns the prefix of a piece, which cut reads.
func length(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
