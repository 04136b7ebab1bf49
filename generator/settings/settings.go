// Package settings decodes TOML strictly: a broken file, a value of the wrong
// type and an unknown key are messages with file, line and what to write
// instead.
package settings

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/benchpost/benchpost/generator/result"
)

// TOML is the id of the error that a text could not be decoded to its end.
const TOML = "settings.toml"

// Decode fills v, a pointer to a struct, from TOML text. The text begins on
// line first of the file name (1 for a whole file). Every message is an error.
func Decode(name string, first int, text []byte, v any) []result.Message {
	md, err := toml.Decode(string(text), v)
	if err != nil {
		return []result.Message{parseMessage(name, first, err)}
	}
	var out []result.Message
	seen := map[string]bool{}
	for _, key := range md.Undecoded() {
		path := strings.Join(key, ".")
		if seen[path] || seen[strings.Join(key[:len(key)-1], ".")] {
			seen[path] = true // one message for an unknown table, not one for each key in it
			continue
		}
		seen[path] = true
		known := knownKeys(reflect.TypeOf(v), key[:len(key)-1])
		hint := "known here: " + strings.Join(known, ", ")
		if near := Nearest(key[len(key)-1], known); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		for _, line := range find(string(text), key) {
			out = append(out, result.Message{
				Pos:      result.Position{File: name, Line: first + line - 1},
				Severity: result.Error,
				ID:       "settings.unknown-key",
				Text:     fmt.Sprintf("unknown key %q", path),
				Hint:     hint,
			})
		}
	}
	return out
}

func parseMessage(name string, first int, err error) result.Message {
	m := result.Message{Pos: result.Position{File: name}, Severity: result.Error, ID: TOML, Text: err.Error()}
	var pe toml.ParseError
	if errors.As(err, &pe) {
		m.Pos.Line, m.Pos.Column = first+pe.Position.Line-1, pe.Position.Col
		m.Text = pe.Message
		if pe.LastKey != "" && !strings.Contains(pe.Message, pe.LastKey) {
			m.Text = fmt.Sprintf("%s (at key %q)", pe.Message, pe.LastKey)
		}
		m.Hint = strings.TrimSpace(pe.Usage)
		if i := strings.IndexByte(m.Hint, '\n'); i >= 0 {
			m.Hint = m.Hint[:i]
		}
		return m
	}
	// A value of the wrong type comes as plain text with its line in front.
	var line int
	var key string
	if n, _ := fmt.Sscanf(m.Text, "toml: line %d (last key %q):", &line, &key); n == 2 {
		_, reason, _ := strings.Cut(m.Text, "): ")
		if types := mismatch.FindStringSubmatch(reason); types != nil {
			got, want := types[1]+types[4], types[2]+types[3]
			reason = "this is " + typeWord(got) + ", where " + typeWord(want) + " is wanted"
		}
		m.Pos.Line = first + line - 1
		m.Text = fmt.Sprintf("%s (at key %q)", reason, key)
	}
	return m
}

// mismatch is how the library words a value of the wrong type.
var mismatch = regexp.MustCompile(`^(?:incompatible types: TOML value has type (.*); destination has type (.*)|type mismatch for .*: expected (.*) but found (.*))$`)

// typeWord gives the author's word for a type of TOML or Go.
func typeWord(name string) string {
	switch name {
	case "string":
		return "text"
	case "integer", "int64":
		return "a whole number"
	case "float", "float64":
		return "a number"
	case "boolean", "bool":
		return "true or false"
	case "time.Time":
		return "a date"
	case "slice", "[]any", "[]map[string]any":
		return "a list"
	case "map", "struct", "table", "map[string]any":
		return "a table"
	}
	return name
}

// knownKeys lists the TOML keys that the struct reached by path takes.
func knownKeys(t reflect.Type, path []string) []string {
	for {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() == reflect.Map {
			t = t.Elem()
			if len(path) > 0 {
				path = path[1:]
			}
			continue
		}
		if t.Kind() != reflect.Struct {
			return nil
		}
		if len(path) == 0 {
			break
		}
		next, ok := fieldByKey(t, path[0])
		if !ok {
			return nil
		}
		t, path = next, path[1:]
	}
	var keys []string
	for f := range fields(t) {
		keys = append(keys, keyOf(f))
	}
	return keys
}

func fields(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous && keyOf(f) != "-" && !yield(f) {
				return
			}
		}
	}
}

func keyOf(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
	if key == "" {
		key = strings.ToLower(f.Name)
	}
	return key
}

func fieldByKey(t reflect.Type, key string) (reflect.Type, bool) {
	for f := range fields(t) {
		if keyOf(f) == key {
			return f.Type, true
		}
	}
	return nil, false
}

// find gives the lines, counted from 1, on which a dotted key is written: as
// `key =` below its table's header, or inside an inline table of its parent.
func find(text string, key toml.Key) []int {
	var lines, tables []int
	var table []string
	inString := ""
	for i, line := range strings.Split(text, "\n") {
		if inString != "" {
			if strings.Contains(line, inString) {
				inString = ""
			}
			continue
		}
		s := strings.TrimSpace(line)
		switch {
		case s == "" || s[0] == '#':
		case s[0] == '[':
			header := strings.Trim(s[:strings.LastIndexByte(s, ']')+1], "[] ")
			table = splitKey(header)
			if slices.Equal(table, key) {
				tables = append(tables, i+1)
			}
		default:
			name, value, ok := strings.Cut(s, "=")
			if !ok {
				continue
			}
			full := append(slices.Clone(table), splitKey(name)...)
			if slices.Equal(full, key) || len(key) > len(full) && slices.Equal(full, key[:len(full)]) &&
				strings.Contains(value, key[len(key)-1]) {
				lines = append(lines, i+1)
			}
			for _, q := range []string{`"""`, `'''`} {
				if strings.Count(value, q) == 1 {
					inString = q
				}
			}
		}
	}
	if len(lines) == 0 {
		lines = tables
	}
	if len(lines) == 0 {
		lines = []int{1}
	}
	return lines
}

func splitKey(s string) []string {
	var parts []string
	for _, p := range strings.Split(s, ".") {
		parts = append(parts, strings.Trim(strings.TrimSpace(p), `"'`))
	}
	return parts
}

// Nearest gives the word of known that word is most likely a slip of: the one
// with the fewest edits, at most a third of its length; "" when none is near.
func Nearest(word string, known []string) string {
	best, bestDistance := "", len([]rune(word))/3+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// Offer is the hint at a word that is none of those known: the nearest of them,
// then what to choose from.
func Offer(word string, known []string, choice string) string {
	if near := Nearest(word, known); near != "" {
		return "did you mean " + near + "? " + choice
	}
	return choice
}

// distance counts insertions, deletions, replacements and swaps of
// neighbours between two words (optimal string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(t)]
}

// Keys gives the keys of a TOML text in the order in which they stand there. One of
// a list of tables stands there once for each.
func Keys(text []byte) [][]string {
	var v map[string]any
	md, err := toml.Decode(string(text), &v)
	if err != nil {
		return nil
	}
	var keys [][]string
	for _, k := range md.Keys() {
		keys = append(keys, k)
	}
	return keys
}

// Line finds a line of the n-th table of a list [[table]], counted from 0: the one
// below a key, or on it, that holds a value in quotes or as a number; that of the
// key when none does; that of the table's header when there is no such key.
func Line(text, table string, n int, key, value string) int {
	header := regexp.MustCompile(`(?m)^[ \t]*\[\[[ \t]*` + regexp.QuoteMeta(table) + `[ \t]*\]\]`)
	begin, end := 0, len(text)
	if headers := header.FindAllStringIndex(text, -1); n < len(headers) {
		begin = headers[n][0]
		if n+1 < len(headers) {
			end = headers[n+1][0]
		}
	}
	first := 1 + strings.Count(text[:begin], "\n")
	lines := strings.Split(text[begin:end], "\n")
	at := max(0, slices.IndexFunc(lines, func(line string) bool {
		name, _, ok := strings.Cut(line, "=")
		return ok && strings.Trim(name, " \t\"'") == key
	}))
	if value == "" {
		return first + at
	}
	holds := regexp.MustCompile(`(?:["']` + regexp.QuoteMeta(value) + `["']|(?:^|[\s=,\[])` + regexp.QuoteMeta(value) + `(?:$|[\s,\]]))`)
	for i, line := range lines[at:] {
		if holds.MatchString(line) {
			return first + at + i
		}
	}
	return first + at
}

// Text writes a value of TOML as the text of a label; ok is false for a list or a
// table.
func Text(v any) (text string, ok bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(v, 'f', -1, 64)), "+"), true
	case time.Time:
		switch v.Location().String() {
		case "date-local":
			return v.Format(time.DateOnly), true
		case "time-local":
			return v.Format("15:04:05.999999999"), true
		case "datetime-local":
			return v.Format("2006-01-02T15:04:05.999999999"), true
		}
		return v.Format(time.RFC3339Nano), true
	}
	return "", false
}
