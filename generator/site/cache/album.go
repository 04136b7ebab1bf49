package cache

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Album keeps what is made and wanted together in one file of a store: to make a file takes longer than
// to write it.
type Album struct {
	store  *Store
	key    []byte
	before []leaf          // what was kept
	asked  map[string]bool // keys of all that was asked for or put
	new    []leaf
}

// leaf is one thing in an album.
type leaf struct{ key, data []byte }

// Album opens what is kept together by a key.
func (s *Store) Album(key []byte) *Album {
	a := &Album{store: s, key: key, asked: map[string]bool{}}
	rest, _ := s.Get(key)
	for len(rest) > 0 {
		var p leaf
		if p.key, rest = cut(rest); rest != nil {
			p.data, rest = cut(rest)
		}
		if rest == nil { // of another version
			a.before = nil
			break
		}
		a.before = append(a.before, p)
	}
	return a
}

// cut takes a piece that begins with its length; rest is nil where there is none.
func cut(b []byte) (piece, rest []byte) {
	n, digits := binary.Uvarint(b)
	if digits <= 0 || n > uint64(len(b)-digits) {
		return nil, nil
	}
	b = b[digits:]
	return b[:n:n], b[n:]
}

// Get returns what is in the album by a key.
func (a *Album) Get(key []byte) ([]byte, bool) {
	for _, p := range slices.Concat(a.new, a.before) {
		if bytes.Equal(p.key, key) {
			a.asked[string(key)] = true
			return p.data, true
		}
	}
	return nil, false
}

// Put adds data by a key. It is kept when the album is closed.
func (a *Album) Put(key, data []byte) {
	a.asked[string(key)] = true
	a.new = append(a.new, leaf{key, data})
}

// Close keeps what was put into the album and, of what was in it before, what was asked for, or all of
// it if more may be wanted.
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
	size := 0
	for _, p := range slices.Concat(kept, a.new) {
		size += 2*binary.MaxVarintLen64 + len(p.key) + len(p.data)
	}
	b := make([]byte, 0, size)
	for _, p := range slices.Concat(kept, a.new) {
		b = append(binary.AppendUvarint(b, uint64(len(p.key))), p.key...)
		b = append(binary.AppendUvarint(b, uint64(len(p.data))), p.data...)
	}
	a.store.Put(a.key, b)
}
