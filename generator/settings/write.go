package settings

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// String writes s as a string of TOML, on one line: a literal one where s has quotes or
// backslashes, so that a selector stays readable. Bytes that are not UTF-8 become U+FFFD.
func String(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	literal := func(r rune) bool { return r >= ' ' && r != 0x7f && r != '\'' }
	if strings.ContainsAny(s, `"\`) && strings.IndexFunc(s, func(r rune) bool { return !literal(r) }) < 0 {
		return "'" + s + "'"
	}
	line, err := toml.Marshal(map[string]string{"k": s})
	if err != nil {
		panic(fmt.Sprintf("settings: %q as TOML: %v", s, err)) // a string always has a form
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(line), "k = "), "\n")
}

// List writes texts as a list of TOML, on one line.
func List(texts []string) string {
	written := make([]string, len(texts))
	for i, t := range texts {
		written[i] = String(t)
	}
	return "[" + strings.Join(written, ", ") + "]"
}

// Key writes name as a key of TOML: bare where it can be.
func Key(name string) string { return toml.Key{strings.ToValidUTF8(name, "\uFFFD")}.String() }
