package blogpost

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/lazy"
)

// appendField appends "key: value" lines. Tables are indented below their key. Lists are on one line with
// everything in them.
func appendField(b []byte, f document.Field, indent int) []byte {
	b = append(b, strings.Repeat("  ", indent)...)
	b = append(b, scalar(f.Key)...)
	b = append(b, ':')
	if table, ok := f.Value.([]document.Field); ok && len(table) > 0 {
		b = append(b, '\n')
		for _, item := range table {
			b = appendField(b, item, indent+1)
		}
		return b
	}
	b = append(b, ' ')
	return append(appendFlow(b, f.Value), '\n')
}

// appendFlow writes a value in YAML's flow style.
func appendFlow(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(b, scalar(v)...)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return append(b, float(v)...)
	case time.Time:
		return append(b, v.Format("2006-01-02 15:04:05 -0700")...)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendFlow(b, item)
		}
		return append(b, ']')
	case []document.Field:
		b = append(b, '{')
		for i, item := range v {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(append(b, scalar(item.Key)...), ": "...)
			b = appendFlow(b, item.Value)
		}
		return append(b, '}')
	}
	return append(b, scalar(fmt.Sprint(v))...)
}

// float returns a number that Psych, Ruby's YAML parser, reads as a number: it needs a decimal point.
func float(v float64) string {
	switch {
	case math.IsNaN(v):
		return ".nan"
	case math.IsInf(v, 1):
		return ".inf"
	case math.IsInf(v, -1):
		return "-.inf"
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// plainScalar matches strings that need no quotes: they begin with a letter and contain no syntax of YAML.
var plainScalar = lazy.Regexp(`^\p{L}(?:[\p{L}\p{Nd}_./+()-]| [\p{L}\p{Nd}(])*$`)

// yamlWords are words that YAML 1.1, as Psych reads it, does not read as strings.
var yamlWords = map[string]bool{
	"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true,
	"y": true, "n": true, "null": true, "nan": true, "inf": true,
}

// scalar returns a string for YAML. Unless it needs no quotes, it is in double quotes as in JSON.
func scalar(s string) string {
	if plainScalar().MatchString(s) && !yamlWords[strings.ToLower(s)] {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '{' && i+1 < len(s) && (s[i+1] == '{' || s[i+1] == '%'):
			b.WriteString(`\u007b`) // Liquid must find nothing, whenever it runs
		case r == '\ufeff' || r == '\u2028' || r == '\u2029' || r == '\u00ad' || unicode.IsControl(r) || r == 0xfffe || r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == utf8.RuneError:
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
