package scan

import "io"

// Memory is working memory that outlives one file: buffers, and strings that
// the files of a dataset repeat. Nothing that is emitted refers to its
// buffers.
type Memory struct {
	buf     []byte
	texts   map[string]*interned
	last    *interned
	columns map[string]Columns // by the header, a cell in each line
	arena   arena
	samples []*Sample // to be used again
	lent    []*Sample // in use by the document that is read
	path    []byte
	plain   []byte
	ascii   []byte
}

const (
	WindowSize  = 64 << 10 // a longer line or token is cut
	MaxInterned = 4096
)

// NewMemory makes the memory that one file after the other is read with.
func NewMemory() *Memory {
	return &Memory{buf: make([]byte, WindowSize), texts: map[string]*interned{}, last: &interned{}, columns: map[string]Columns{}, path: make([]byte, 0, 256)}
}

// Over returns a window on a stream that uses the memory's buffer.
func (m *Memory) Over(r io.Reader) Window { return Window{R: r, Buf: m.buf} }

// sample returns an empty one.
func (m *Memory) sample() *Sample {
	if n := len(m.samples); n > 0 {
		used := m.samples[n-1]
		m.samples = m.samples[:n-1]
		return used
	}
	return &Sample{}
}

// Forget takes back the memory of the document that was read.
func (m *Memory) Forget() {
	m.arena.reset()
	m.takeBack(0)
}

// takeBack takes back the samples lent from the n-th on.
func (m *Memory) takeBack(n int) {
	for _, sample := range m.lent[n:] {
		m.giveBack(sample)
	}
	m.lent = m.lent[:n]
}

// giveBack takes a sample that is not needed any more.
func (m *Memory) giveBack(used *Sample) {
	used.reset()
	m.samples = append(m.samples, used)
}

// interned is a text that is held once. As documents and rows are alike, it mostly comes before the same text
// as the last time, which then need not be looked up.
type interned struct {
	text string
	next *interned
}

// Intern returns the bytes as a string, the same one for the same bytes.
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

// Columns returns those of a header, which tables of many files have. They are not to be changed.
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

const maxHeaders = 256 // that are remembered
