// Package shell writes words as a shell takes them, and takes a line apart as a
// shell does. It runs nothing: no variable, pattern or operator means anything.
package shell

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Quote writes a word so that a shell takes it as one.
func Quote(s string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("@%+=:,./_-", c)
	}
	if s != "" && !strings.ContainsFunc(s, func(c rune) bool { return !plain(c) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Join writes a command.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// Split takes a line apart into words: at white space outside of quotes. What only
// a shell could carry out, as a pipe, is an error rather than a word.
func Split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\n', '\r':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		case '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return nil, errors.New("a quote ' is not closed")
			}
			word.WriteString(line[i+1 : i+1+end])
			i, begun = i+1+end, true
		case '"':
			begun = true
			for i++; ; i++ {
				if i >= len(line) {
					return nil, errors.New(`a quote " is not closed`)
				}
				if line[i] == '"' {
					break
				}
				if line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`\n", line[i+1]) >= 0 {
					if i++; line[i] == '\n' {
						continue
					}
				}
				word.WriteByte(line[i])
			}
		case '\\':
			if i++; i == len(line) {
				return nil, errors.New(`nothing follows the last \`)
			}
			if line[i] != '\n' { // that only continues the line
				word.WriteByte(line[i])
				begun = true
			}
		case '|', '&', ';', '<', '>', '`':
			return nil, fmt.Errorf("%c means something to a shell alone; quote it, or write [\"sh\", \"-c\", …]", c)
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// Word cuts the next word off a line, its quotes included, and returns nil after the
// last. It takes any text: a quote that is not closed goes on to the end, and an
// operator of the shell is part of a word or one of its own. [Split] is for commands
// that are run.
func Word(text []byte) (word, rest []byte) {
	text = bytes.TrimLeft(text, " \t")
	if len(text) == 0 {
		return nil, nil
	}
	var quote byte
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' || c == '\t':
			return text[:i], text[i:]
		}
	}
	return text, nil
}
