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

// sumsName has the SHA-256 of what was written into somebody's folder, as sha256sum --check
// reads it. By these an edit by hand is known, which no build overwrites: the file stays as
// long as what it is made from stays, and is an error then.
const sumsName = ".benchpost-sums"

// sums are those of the commit before and of the one that is going on. A nil *sums knows
// nothing, and notes nothing.
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

// note takes the bytes of a file that are going to be there.
func (s *sums) note(path string, data []byte) {
	if s != nil {
		s.set(path, digestOf(data))
	}
}

// keep takes over what is known of a file that stays.
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

// edited reports whether the file at a place is not what was written there.
func (s *sums) edited(path, at string) bool {
	if s == nil || s.before[path] == "" {
		return false
	}
	data, err := os.ReadFile(at)
	return err == nil && digestOf(data) != s.before[path]
}

// changed reports whether a file that is noted is to be another than before.
func (s *sums) changed(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now[path] != s.before[path]
}

// text returns the new list of sums, and whether it has to be written.
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
