// Package shell quotes words for a shell, and splits lines as a shell does. It runs nothing, and does not interpret
// variables, patterns or operators.
package shell

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Quote quotes a text so that a shell reads it as one word. A terminal would act on control characters when the line is
// pasted, so they are written in the form of bash, zsh and ksh: $'\x1b'. Newlines and tabs are kept.
func Quote(s string) string {
	if strings.ContainsFunc(s, acts) {
		return ansi(s)
	}
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("@%+=:,./_-", c)
	}
	if s != "" && !strings.ContainsFunc(s, func(c rune) bool { return !plain(c) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func acts(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }

func ansi(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(s) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

// fromANSI parses the text after $' in a line. It returns the word and the number of bytes up to and including the
// closing quote; 0 if there is none. It knows the escapes that Quote writes.
func fromANSI(s string) (word []byte, n int) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			return word, i + 1
		case c == '\\' && i+3 < len(s) && s[i+1] == 'x':
			if b, err := hex.DecodeString(s[i+2 : i+4]); err == nil {
				word = append(word, b...)
				i += 3
				continue
			}
			word = append(word, c)
		case c == '\\' && i+1 < len(s) && (s[i+1] == '\'' || s[i+1] == '\\'):
			i++
			word = append(word, s[i])
		default:
			word = append(word, c)
		}
	}
	return word, 0
}

// Join returns a command line with quoted words.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// Split splits a line into words at white space outside of quotes. It returns an error for what only a shell could
// execute, such as a pipe.
func Split(line string) ([]string, error) { return split(line, true) }

// First returns the words of the first command in a line from a post or a log, up to a pipe, the next command or a
// comment. It accepts any text: an unclosed quote ends with the line, and redirections are words.
func First(line string) []string {
	words, _ := split(line, false)
	return words
}

// split implements [Split] if strict, and otherwise [First], which returns no errors.
func split(line string, strict bool) ([]string, error) {
	var words []string
	var word strings.Builder
	begun := false
	end := func() {
		if begun {
			words = append(words, word.String())
			word.Reset()
			begun = false
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case strings.IndexByte(" \t\n\r", c) >= 0:
			end()
		case c == '$' && strings.HasPrefix(line[i:], "$'"):
			text, n := fromANSI(line[i+2:])
			if n == 0 {
				if strict {
					return nil, locale.Errorf("a quote ' is not closed")
				}
				n = len(line) - i - 2
			}
			word.Write(text)
			i, begun = i+1+n, true
		case c == '\'':
			n := strings.IndexByte(line[i+1:], c)
			if n < 0 {
				if strict {
					return nil, locale.Errorf("a quote ' is not closed")
				}
				n = len(line) - i - 1
			}
			word.WriteString(line[i+1 : i+1+n])
			i, begun = i+1+n, true
		case c == '"':
			begun = true
			for i++; i < len(line) && line[i] != '"'; i++ {
				if line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`\n", line[i+1]) >= 0 {
					if i++; line[i] == '\n' {
						continue
					}
				}
				word.WriteByte(line[i])
			}
			if i >= len(line) && strict {
				return nil, locale.Errorf(`a quote " is not closed`)
			}
		case c == '\\':
			switch i++; {
			case i == len(line) && strict:
				return nil, locale.Errorf(`nothing follows the last \`)
			case i < len(line) && line[i] != '\n': // a newline only continues the line
				word.WriteByte(line[i])
				begun = true
			}
		case !strict && (strings.IndexByte("|&;", c) >= 0 || c == '#' && !begun):
			end()
			return words, nil
		case strict && strings.IndexByte("|&;<>`", c) >= 0:
			return nil, locale.Errorf("only a shell understands %c; quote it, or write [\"sh\", \"-c\", …]", c)
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	end()
	return words, nil
}

// Word cuts the next word, with its quotes, off a line. It returns nil after the last one. It accepts any text: an
// unclosed quote extends to the end, and an operator of the shell is a word or a part of one. [Split] is for commands
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
