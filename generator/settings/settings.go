// Package settings decodes TOML strictly and provides the position of everything in it.
//
//	source := settings.Parse("site.toml", 1, text)
//	ms := source.Decode(&config) // broken text, values of a wrong type, unknown keys
//	pos := source.At("load", 1, "when") // of the condition of the second [[load]]
//
// Every message is an error with file and line. It says what to write instead: the nearest known key, or the
// expected type.
package settings

import (
	"cmp"
	"errors"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TOML is the id of the error that a text could not be decoded completely.
const TOML = "settings.toml"

// Source is a TOML text: a whole file or a part of one. Several goroutines may use it.
type Source struct {
	name   string
	first  int
	text   []byte
	places func() places
}

// Parse prepares a text that begins at line first of the file name (1 for a whole file). The text must not be
// changed afterwards.
func Parse(name string, first int, text []byte) *Source {
	return &Source{name, first, text, sync.OnceValue(func() places { return findPlaces(text) })}
}

// Decode parses a text and decodes it into v.
func Decode(name string, first int, text []byte, v any) []result.Message {
	return Parse(name, first, text).Decode(v)
}

// Decode decodes the text into v, a pointer to a struct or a map. If a message has the id TOML, v is
// incomplete.
func (s *Source) Decode(v any) []result.Message {
	md, err := toml.Decode(string(s.text), v)
	if err == nil && len(md.Undecoded()) == 0 {
		return nil
	}
	var all map[string]any
	if _, broken := toml.Decode(string(s.text), &all); broken != nil {
		return []result.Message{s.parseMessage(broken)}
	}
	c := comparison{source: s}
	c.table(nil, "", reflect.TypeOf(v), "", all)
	slices.SortStableFunc(c.messages, func(a, b result.Message) int { // wrong types first, because decoding stopped there
		return cmp.Or(strings.Compare(a.ID, b.ID), a.Pos.Line-b.Pos.Line)
	})
	if err != nil && (len(c.messages) == 0 || c.messages[0].ID != TOML) { // an error that comparison does not detect
		return []result.Message{s.parseMessage(err)}
	}
	return c.messages
}

// comparison compares a decoded text with the type it is decoded into.
type comparison struct {
	source   *Source
	messages []result.Message
}

func (c *comparison) report(path []any, id string, text, hint locale.Text) {
	pos := c.source.At(path...)
	pos.Column = 0
	c.messages = append(c.messages, result.Message{Pos: pos, Severity: result.Error, ID: id, Text: text, Hint: hint})
}

// value compares a value with its type. path is its path, name the dotted keys of the path. unit is the unit
// that a quantity of usual size has, "" for other values.
func (c *comparison) value(path []any, name string, t reflect.Type, unit string, v any) {
	for t.Kind() == reflect.Pointer && !t.Implements(unmarshaler) {
		t = t.Elem()
	}
	if own, ok := reflect.New(t).Interface().(toml.Unmarshaler); ok {
		if err := own.UnmarshalTOML(v); err != nil {
			c.report(path, TOML, locale.Textf("%v (at key %q)", err, name), locale.Text{})
		}
		return
	}
	wrong := func() {
		c.report(path, TOML, locale.Textf("this is %s, but %s is expected (at key %q)", wordOf(v), typeWord(t), name), c.converted(path, t, unit, v))
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		if _, ok := v.(time.Time); !ok {
			wrong()
		}
	case t == reflect.TypeFor[time.Duration]():
		if text, ok := v.(string); ok {
			if _, err := time.ParseDuration(text); err != nil {
				c.report(path, TOML, locale.Textf("%q is not a duration (at key %q)", text, name), locale.Textf(`for example "90s" or "5m"`))
			}
		} else if _, ok := v.(int64); !ok {
			wrong()
		}
	case t.Kind() == reflect.Slice:
		elements := reflect.ValueOf(v)
		if elements.Kind() != reflect.Slice {
			wrong()
			return
		}
		for i := range elements.Len() {
			c.value(append(slices.Clone(path), i), name, t.Elem(), unit, elements.Index(i).Interface())
		}
	case t.Kind() == reflect.Map || t.Kind() == reflect.Struct:
		if entries, ok := v.(map[string]any); ok {
			c.table(path, name, t, unit, entries)
		} else {
			wrong()
		}
	case !fits(t.Kind(), v):
		wrong()
	}
}

// converted returns a hint with the line corrected to a value of the right type, if the correction is clear.
func (c *comparison) converted(path []any, t reflect.Type, unit string, v any) locale.Text {
	key, ok := path[len(path)-1].(string)
	if !ok {
		return locale.Text{}
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		if _, table := v.(map[string]any); table {
			return locale.Textf("write [[%s]], in two brackets: there may be several", key)
		}
		return locale.Text{}
	}
	text, single := Text(v)
	switch {
	case t.Kind() == reflect.Slice && single && t.Elem().Kind() == reflect.String:
		return locale.Textf("write %s = [%s]", key, quoted(strconv.Quote(text)))
	case t.Kind() == reflect.String && single && unit != "" && len(strings.SplitN(text, ".", 2)[0]) < 7: // not a number of bytes
		return locale.Textf("write it with its unit, as %s = %q", key, text+" "+unit)
	case t.Kind() == reflect.String && single:
		return locale.Textf("write %s = %q", key, text)
	case t.Kind() == reflect.String:
		lines := strings.Split(string(c.source.text), "\n")
		line := lines[min(max(c.source.At(path...).Line-c.source.first, 0), len(lines)-1)]
		if _, written, ok := strings.Cut(line, "="); ok && strings.HasPrefix(strings.TrimSpace(written), "{") && !strings.Contains(written, "'") {
			return locale.Textf("write %s = '%s'", key, strings.TrimSpace(written))
		}
	case t.Kind() == reflect.Bool && single && slices.Contains([]string{"true", "false"}, strings.ToLower(text)):
		return locale.Textf("write %s = %s", key, strings.ToLower(text))
	case single && t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64:
		if number, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && (t.Kind() >= reflect.Float32 || number == float64(int64(number))) {
			return locale.Textf("write %s = %s, without quotes", key, strings.TrimSpace(text))
		}
	case t == reflect.TypeFor[time.Duration]() && single:
		return locale.Textf("write %s = \"%ss\"", key, text)
	}
	return locale.Text{}
}

// table compares the entries of a table with a map type or with the fields of a struct.
func (c *comparison) table(path []any, name string, t reflect.Type, unit string, entries map[string]any) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		at := append(slices.Clone(path), key)
		called := strings.TrimPrefix(name+"."+key, ".")
		if t.Kind() == reflect.Map {
			c.value(at, called, t.Elem(), unit, entries[key])
			continue
		}
		known, field, ok := fieldsOf(t, key)
		if ok {
			c.value(at, called, field.Type, field.Tag.Get("unit"), entries[key])
			continue
		}
		hint := locale.Textf("known here: %s", locale.Commas(known...))
		if near := Nearest(key, known); near != "" {
			hint = locale.Textf("did you mean %q? %s", near, hint)
		}
		c.report(at, "settings.unknown-key", locale.Textf("unknown key %q", called), hint)
	}
}

// fits reports whether a scalar value can be assigned to a kind.
func fits(kind reflect.Kind, v any) bool {
	switch v.(type) {
	case string:
		return kind == reflect.String || kind == reflect.Interface
	case bool:
		return kind == reflect.Bool || kind == reflect.Interface
	case int64:
		return kind >= reflect.Int && kind <= reflect.Float64 || kind == reflect.Interface
	case float64:
		return kind == reflect.Float32 || kind == reflect.Float64 || kind == reflect.Interface
	}
	return kind == reflect.Interface
}

var unmarshaler = reflect.TypeFor[toml.Unmarshaler]()

// fieldsOf lists the keys of a struct and returns the field for one of them.
func fieldsOf(t reflect.Type, key string) (known []string, field reflect.StructField, ok bool) {
	for name, of := range fields(t) {
		known = append(known, name)
		if strings.EqualFold(name, key) {
			field, ok = of, true
		}
	}
	return known, field, ok
}

// Keys yields the keys of a struct, each with the type of its value.
func Keys(t reflect.Type) iter.Seq2[string, reflect.Type] {
	return func(yield func(string, reflect.Type) bool) {
		for name, f := range fields(t) {
			if !yield(name, f.Type) {
				return
			}
		}
	}
}

// fields yields the fields of a struct that have keys, by key. A field's tag unit is the unit that a quantity
// of usual size has.
func fields(t reflect.Type) iter.Seq2[string, reflect.StructField] {
	return func(yield func(string, reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			if !f.IsExported() || f.Anonymous || name == "-" {
				continue
			}
			if name == "" {
				name = strings.ToLower(f.Name)
			}
			if !yield(name, f) {
				return
			}
		}
	}
}

// wordOf returns the word for the type of a value in messages to authors.
func wordOf(v any) locale.Text {
	switch v.(type) {
	case string:
		return locale.Textf("text")
	case int64:
		return locale.Textf("a whole number")
	case float64:
		return locale.Textf("a number")
	case bool:
		return locale.Textf("true or false")
	case time.Time:
		return locale.Textf("a date")
	case map[string]any:
		return locale.Textf("a table")
	}
	return locale.Textf("a list")
}

// typeWord returns the word for a type in messages to authors.
func typeWord(t reflect.Type) locale.Text {
	switch kind := t.Kind(); {
	case t == reflect.TypeFor[time.Time]():
		return locale.Textf("a date")
	case t == reflect.TypeFor[time.Duration]():
		return locale.Textf("a duration in quotes")
	case kind == reflect.String:
		return locale.Textf("text")
	case kind == reflect.Bool:
		return locale.Textf("true or false")
	case kind >= reflect.Int && kind <= reflect.Uint64:
		return locale.Textf("a whole number")
	case kind == reflect.Float32 || kind == reflect.Float64:
		return locale.Textf("a number")
	case kind == reflect.Slice:
		return locale.Textf("a list")
	}
	return locale.Textf("a table")
}

// parseMessage returns the message that a text is not valid TOML.
func (s *Source) parseMessage(err error) result.Message {
	f := Syntax(string(s.text), err)
	m := result.Message{Pos: result.Position{File: s.name}, Severity: result.Error, ID: TOML, Text: f.Text, Hint: f.Hint}
	var pe toml.ParseError
	if f.Line > 0 {
		m.Pos.Line, m.Pos.Column = s.first+f.Line-1, f.Column
	}
	if errors.As(err, &pe) && f.Hint.IsZero() {
		if pe.LastKey != "" && !strings.Contains(locale.English(f.Text), pe.LastKey) {
			m.Text = locale.Textf("%s (at key %q)", f.Text, pe.LastKey)
		}
		usage, _, _ := strings.Cut(strings.TrimSpace(pe.Usage), "\n")
		m.Hint = locale.Foreign(usage)
	}
	return m
}

// Text returns a TOML value as the text of a label. ok is false for a list or a table.
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
