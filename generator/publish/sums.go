package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/sitefile"
)

// sumsName is the file with the SHA-256 of the files written into somebody else's folder, in the format of sha256sum
// --check. It reveals edits by hand, which no build overwrites: an edited file is kept while its source is unchanged,
// and is an error when its source changes.
const sumsName = ".benchpost-sums"

// sums holds the checksums of the previous commit and of the current one. A nil *sums records nothing.
type sums struct {
	read   []byte
	before map[string]string

	mu  sync.Mutex
	now map[string]string
}

func readSums(dir string) (*sums, error) {
	text, err := sitefile.Read(filepath.Join(dir, sumsName))
	if err != nil && !absent(err) {
		return nil, err
	}
	s := &sums{read: text, before: map[string]string{}, now: map[string]string{}}
	for line := range strings.Lines(string(text)) {
		if sum, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  "); ok {
			s.before[path] = sum
		}
	}
	return s, nil
}

// note records the checksum of a file that will be written.
func (s *sums) note(path string, data []byte) {
	if s != nil {
		s.set(path, digestOf(data))
	}
}

// keep takes over the checksum of a file that stays.
func (s *sums) keep(path string) {
	if s != nil && s.before[path] != "" {
		s.set(path, s.before[path])
	}
}

func (s *sums) set(path, sum string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now[path] = sum
}

// edited reports whether the file differs from what was written there.
func (s *sums) edited(path, at string) bool {
	if s == nil || s.before[path] == "" {
		return false
	}
	data, err := os.ReadFile(at)
	return err == nil && digestOf(data) != s.before[path]
}

// changed reports whether the recorded contents of a file differ from the previous ones.
func (s *sums) changed(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now[path] != s.before[path]
}

// text returns the new list of checksums, and whether it must be written.
func (s *sums) text() (list []byte, changed bool) {
	if s == nil {
		return nil, false
	}
	for _, path := range slices.Sorted(maps.Keys(s.now)) {
		list = append(list, s.now[path]+"  "+path+"\n"...)
	}
	return list, string(list) != string(s.read)
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
