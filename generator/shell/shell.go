// Package shell writes words as a shell takes them, and takes a line apart as a
// shell does. It runs nothing: no variable, pattern or operator means anything.
package shell

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Quote writes a word so that a shell takes it as one. Control characters but newlines
// and tabs, which a terminal would act on where the line is pasted, are written as bash,
// zsh and ksh read them: $'\x1b'.
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

// fromANSI reads what follows $' in a line: the word, and how many bytes it takes with
// the quote that ends it; 0 when none does. Of the escapes it knows those that Quote
// writes.
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
func Split(line string) ([]string, error) { return split(line, true) }

// First returns the words of the first command of a line that somebody noted, in a
// post or a log: up to a pipe, the next command or a comment. It takes what it gets: a
// quote that is not closed ends with the line, redirections are words.
func First(line string) []string {
	words, _ := split(line, false)
	return words
}

// split is [Split] where strict, else [First], which has no errors.
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
			case i < len(line) && line[i] != '\n': // that only continues the line
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
