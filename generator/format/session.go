package format

import "sync"

// session is working memory that outlives one file: buffers, and strings that
// the files of a dataset repeat. Nothing that is handed out refers to its
// buffers.
type session struct {
	buf     []byte
	strings map[string]string
	sheet   sheet
	arena   arena
	samples []*sample // to be used again
	lent    []*sample // in use by the document that is read
	path    []byte
	keys    map[string]*meaning // of JSON, as understood before
	rows    map[string]*meaning // of tables
	key     []byte
	plain   []byte
	ascii   []byte
	readers [maxBlockFormats]lineReader
}

const maxBlockFormats = 128

var sessions = sync.Pool{New: func() any {
	return &session{buf: make([]byte, windowSize), strings: map[string]string{}, path: make([]byte, 0, 256),
		keys: map[string]*meaning{}, rows: map[string]*meaning{}}
}}

// sample gives an empty one.
func (s *session) sample() *sample {
	if n := len(s.samples); n > 0 {
		used := s.samples[n-1]
		s.samples = s.samples[:n-1]
		return used
	}
	return &sample{}
}

// forget takes back the memory of the document that was read.
func (s *session) forget() {
	s.arena.reset()
	s.takeBack(0)
}

// takeBack takes back the samples lent from the n-th on.
func (s *session) takeBack(n int) {
	for _, sample := range s.lent[n:] {
		s.giveBack(sample)
	}
	s.lent = s.lent[:n]
}

// giveBack takes a sample that is not needed any more.
func (s *session) giveBack(used *sample) {
	used.reset()
	s.samples = append(s.samples, used)
}

// intern gives the bytes as a string, the same one for the same bytes.
func (s *session) intern(b []byte) string {
	if v, ok := s.strings[string(b)]; ok {
		return v
	}
	if len(s.strings) >= maxInterned {
		clear(s.strings)
	}
	v := string(b)
	s.strings[v] = v
	return v
}

// release gives the session back for the next file. It keeps no hold of this
// one, and does not grow with the number of files.
func (s *session) release() {
	s.sheet.in = nil
	if len(s.keys)+len(s.rows) > maxInterned {
		clear(s.keys)
		clear(s.rows)
	}
	sessions.Put(s)
}
