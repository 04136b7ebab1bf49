package settings

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// String returns s as a TOML string on one line. It is a literal string if s contains quotes or backslashes, so
// that selectors stay readable. Invalid UTF-8 becomes U+FFFD.
func String(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	literal := func(r rune) bool { return r >= ' ' && r != 0x7f && r != '\'' }
	if strings.ContainsAny(s, `"\`) && strings.IndexFunc(s, func(r rune) bool { return !literal(r) }) < 0 {
		return "'" + s + "'"
	}
	line, err := toml.Marshal(map[string]string{"k": s})
	if err != nil {
		panic(fmt.Sprintf("settings: %q as TOML: %v", s, err)) // impossible: every string can be written
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(line), "k = "), "\n")
}

// List returns texts as a TOML list on one line.
func List(texts []string) string {
	written := make([]string, len(texts))
	for i, t := range texts {
		written[i] = String(t)
	}
	return "[" + strings.Join(written, ", ") + "]"
}

// Key returns name as a TOML key, without quotes if possible.
func Key(name string) string { return toml.Key{strings.ToValidUTF8(name, "\uFFFD")}.String() }
