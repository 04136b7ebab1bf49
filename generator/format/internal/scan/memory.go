package scan

import "io"

// Memory is working memory that is reused for one file after the other: buffers, and strings that the files of a
// dataset repeat. Emitted results do not refer to its buffers.
type Memory struct {
	buf     []byte
	texts   map[string]*interned
	last    *interned
	columns map[string]Columns // by the cells of the header, each followed by a newline
	arena   arena
	samples []*Sample // free samples
	lent    []*Sample // samples in use by the current document
	path    []byte
	plain   []byte
	ascii   []byte
}

const (
	WindowSize  = 64 << 10 // longer lines and tokens are cut
	MaxInterned = 4096
)

// NewMemory returns memory for reading one file after the other.
func NewMemory() *Memory {
	return &Memory{buf: make([]byte, WindowSize), texts: map[string]*interned{}, last: &interned{}, columns: map[string]Columns{}, path: make([]byte, 0, 256)}
}

// Over returns a window on a stream. The window uses the memory's buffer.
func (m *Memory) Over(r io.Reader) Window { return Window{R: r, Buf: m.buf} }

// sample returns an empty sample.
func (m *Memory) sample() *Sample {
	if n := len(m.samples); n > 0 {
		used := m.samples[n-1]
		m.samples = m.samples[:n-1]
		return used
	}
	return &Sample{}
}

// Forget frees the memory of the last document for reuse.
func (m *Memory) Forget() {
	m.arena.reset()
	m.takeBack(0)
}

// takeBack frees the lent samples from the n-th on.
func (m *Memory) takeBack(n int) {
	for _, sample := range m.lent[n:] {
		m.giveBack(sample)
	}
	m.lent = m.lent[:n]
}

// giveBack frees a sample.
func (m *Memory) giveBack(used *Sample) {
	used.reset()
	m.samples = append(m.samples, used)
}

// interned is a text that is stored once. Documents and rows are similar, so the text after it is usually the same as
// the last time and needs no lookup.
type interned struct {
	text string
	next *interned
}

// Intern returns the bytes as a string. Equal bytes give the same string.
func (m *Memory) Intern(b []byte) string {
	known := m.last.next
	if known == nil || known.text != string(b) {
		known = m.texts[string(b)]
	}
	if known == nil {
		if len(m.texts) >= MaxInterned {
			clear(m.texts)
		}
		known = &interned{text: string(b)}
		m.texts[known.text] = known
	}
	m.last.next, m.last = known, known
	return known.text
}

// Columns returns the columns of a header. It caches them, because many files have the same tables. The caller must not
// change them.
func (m *Memory) Columns(header []string) Columns {
	m.path = m.path[:0]
	for _, cell := range header {
		m.path = append(append(m.path, cell...), '\n')
	}
	if known, ok := m.columns[string(m.path)]; ok {
		return known
	}
	if len(m.columns) >= maxHeaders {
		clear(m.columns)
	}
	columns := NewColumns(header)
	m.columns[string(m.path)] = columns
	return columns
}

const maxHeaders = 256 // number of headers cached
