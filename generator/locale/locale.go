// Package locale says things in the reader's language: words, plural forms,
// numbers and dates in Chinese (zh-CN) and English (en).
//
// A Text is language-neutral; a Printer says it. words.go holds the messages.
package locale

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Text is something to be said: a message of the catalogue with its
// arguments, words written by the user for each language, or a literal that
// is the same in all. It is small, since tables are full of it.
type Text struct {
	literal string
	m       *message // nil for a literal
}

type message struct {
	key  string
	args []any
	by   map[string]string
	say  func(Printer) string
}

// Lit is a text that is the same in every language: a model's name, a figure.
func Lit(s string) Text { return Text{literal: s} }

// T is a message of the catalogue. Arguments may be texts themselves.
func T(key string, args ...any) Text { return Text{m: &message{key: key, args: args}} }

// By is a text given for each language by the user; fallback serves languages
// without one.
func By(by map[string]string, fallback string) Text {
	if len(by) == 0 {
		return Lit(fallback)
	}
	return Text{literal: fallback, m: &message{by: by}}
}

func saying(say func(Printer) string) Text { return Text{m: &message{say: say}} }

// MetricName is the reader's name of a metric.
func MetricName(name string) Text {
	return saying(func(p Printer) string { return p.Metric(name) })
}

// LabelName is the reader's name of a label.
func LabelName(name string) Text {
	return saying(func(p Printer) string { return p.Label(name) })
}

// LabelValue is the reader's word for a value of a label.
func LabelValue(label, value string) Text {
	value = inField(label, value)
	if _, ok := words["value."+label+"."+value]; !ok {
		return Lit(value) // nearly all are such: tables are full of them
	}
	return saying(func(p Printer) string { return p.Value(label, value) })
}

// Inside is a name in the middle of a sentence: mean TTFT, output throughput.
// What begins with an abbreviation stays as it is.
func Inside(name Text) Text {
	return saying(func(p Printer) string {
		s := p.Say(name)
		first, n := utf8.DecodeRuneInString(s)
		second, _ := utf8.DecodeRuneInString(s[n:])
		if unicode.IsUpper(first) && unicode.IsLower(second) {
			return string(unicode.ToLower(first)) + s[n:]
		}
		return s
	})
}

// Outside is a text at the head of a sentence, its first letter a capital. A
// name of the reader's own stays as it is.
func Outside(text Text) Text {
	return saying(func(p Printer) string {
		s := p.Say(text)
		first, n := utf8.DecodeRuneInString(s)
		if text.m == nil || text.m.key == "" {
			return s
		}
		return string(unicode.ToUpper(first)) + s[n:]
	})
}

// Join is texts one after another with a separator.
func Join(sep string, texts ...Text) Text {
	if len(texts) == 1 {
		return texts[0]
	}
	return saying(func(p Printer) string {
		said := make([]string, len(texts))
		for i, t := range texts {
			said[i] = p.Say(t)
		}
		return strings.Join(said, sep)
	})
}

// Sentences is whole sentences one after another: with a space between them,
// but for Chinese, whose full stop brings its own.
func Sentences(texts ...Text) Text {
	texts = slices.DeleteFunc(slices.Clone(texts), Text.IsZero)
	return saying(func(p Printer) string {
		if p.lang == "en" {
			return p.Say(Join(" ", texts...))
		}
		return p.Say(Join("", texts...))
	})
}

// List is texts joined as a sentence does.
func List(texts ...Text) Text {
	return saying(func(p Printer) string {
		said := make([]string, len(texts))
		for i, t := range texts {
			said[i] = p.Say(t)
		}
		return p.List(said)
	})
}

// Format writes what a text says in every language, for tests and failures: the same in
// every process, which its fields, of which one is a pointer, would not be.
func (t Text) Format(f fmt.State, _ rune) {
	if t.m == nil {
		fmt.Fprint(f, t.literal)
		return
	}
	fmt.Fprint(f, "{")
	for _, lang := range Languages {
		p, _ := For(lang)
		fmt.Fprintf(f, " %s %q", lang, p.Say(t))
	}
	fmt.Fprint(f, " }")
}

// IsZero reports whether the text says nothing.
func (t Text) IsZero() bool { return t.literal == "" && t.m == nil }

// Printer says texts in one language.
type Printer struct {
	lang string
}

// Languages are the tags a Printer can be had for.
var Languages = []string{"zh-CN", "en"}

// For returns the printer of a language. A tag is matched by its primary
// subtag, so "zh" and "en-GB" are known.
func For(tag string) (Printer, bool) {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	switch primary {
	case "zh":
		return Printer{"zh-CN"}, true
	case "en":
		return Printer{"en"}, true
	}
	return Printer{}, false
}

// Lang returns the language tag, "zh-CN" or "en".
func (p Printer) Lang() string { return p.lang }

// Name returns the language's own name.
func (p Printer) Name() string {
	if p.lang == "en" {
		return "English"
	}
	return "中文"
}

// Say returns the words of a text. A key that is not in the catalogue is a
// mistake in benchpost and shows as itself in brackets.
func (p Printer) Say(t Text) string {
	if t.m == nil {
		return t.literal
	}
	if t.m.say != nil {
		return t.m.say(p)
	}
	if t.m.by != nil {
		if s, ok := t.m.by[p.lang]; ok {
			return s
		}
		if primary, _, _ := strings.Cut(p.lang, "-"); t.m.by[primary] != "" {
			return t.m.by[primary]
		}
		return t.literal
	}
	form, ok := p.form(t.m.key)
	if !ok {
		return "[" + t.m.key + "]"
	}
	if len(t.m.args) == 0 {
		return form
	}
	args := make([]any, len(t.m.args))
	for i, a := range t.m.args {
		if text, ok := a.(Text); ok {
			a = p.Say(text)
		}
		if s, ok := a.(string); ok && p.lang != "en" {
			a = string(argument) + s + string(argument)
		}
		args[i] = a
	}
	said := fmt.Sprintf(p.plural(form, args), args...)
	if p.lang != "en" {
		return spaced(said)
	}
	return said
}

// argument is put on both sides of what is put into a Chinese form, until it
// is known what comes beside it.
const argument = '\x1f'

// spaced puts a space where an argument begins or ends with a Latin letter or
// a digit and Han is next to it, as Chinese typography asks.
func spaced(s string) string {
	if strings.IndexByte(s, argument) < 0 {
		return s
	}
	var b strings.Builder
	last := ' '
	edge := false
	for _, r := range s {
		if r == argument {
			edge = true
			continue
		}
		if edge && (unicode.Is(unicode.Han, last) && isLatin(r) || isLatin(last) && unicode.Is(unicode.Han, r)) {
			b.WriteByte(' ')
		}
		edge = false
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func isLatin(r rune) bool {
	return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || r == '%' || r == '×'
}

// Has reports whether the catalogue holds a key.
func (p Printer) Has(key string) bool { _, ok := words[key]; return ok }

// Forms returns the messages whose keys begin with a prefix, by key, as they
// stand in the catalogue: for scripts, which put in the arguments themselves.
func (p Printer) Forms(prefix string) map[string]string {
	forms := map[string]string{}
	for key, pair := range words {
		if strings.HasPrefix(key, prefix) {
			forms[key] = pair.in(p)
		}
	}
	return forms
}

func (p Printer) form(key string) (string, bool) {
	pair, ok := words[key]
	return pair.in(p), ok
}

// plural chooses between the forms "one|other" by the first integer argument.
// Chinese has one form.
func (p Printer) plural(form string, args []any) string {
	one, other, ok := strings.Cut(form, "|")
	if !ok {
		return form
	}
	for _, a := range args {
		if n, ok := a.(int); ok {
			if n == 1 {
				return one
			}
			break
		}
	}
	return other
}

// English says a text as programs and terminals get it.
func English(t Text) string { return Printer{"en"}.Say(t) }

// Words says a message of the catalogue at once.
func (p Printer) Words(key string, args ...any) string {
	if form, ok := p.form(key); ok && len(args) == 0 {
		return form // nearly all are such: pages are full of them
	}
	return p.Say(T(key, args...))
}

// Metric returns the reader's name of a metric, without unit: "Mean TTFT",
// "平均 TTFT". A name outside the catalogue is given as it is.
func (p Printer) Metric(name string) string {
	if s, ok := p.form("metric." + name); ok {
		return s
	}
	family, stat, ok := vocabulary.Statistic(name)
	if !ok {
		return name
	}
	base, _ := p.form("metric." + family)
	if form, ok := p.form("stat." + stat); ok {
		return fmt.Sprintf(form, base)
	}
	form, _ := p.form("stat.pN")
	return fmt.Sprintf(form, strings.ReplaceAll(stat[1:], "_", "."), base)
}

// Label returns the reader's name of a label: "Concurrency", "并发数".
func (p Printer) Label(name string) string {
	if s, ok := p.form("label." + name); ok {
		return s
	}
	return name
}

// Value returns the reader's words for a label's value where there are any, as
// for clocks="locked"; otherwise the value itself.
func (p Printer) Value(label, value string) string {
	if s, ok := p.form("value." + label + "." + value); ok {
		return s
	}
	return inField(label, value)
}

// inField writes a value as the field does: 8.2 G of parameters are 8.2 B.
func inField(label, value string) string {
	if label == "params" || label == "active_params" {
		if number, ok := strings.CutSuffix(value, "G"); ok {
			return number + "B"
		}
	}
	return value
}

// Number writes v with the given decimals and, from ten thousand on, with
// grouping commas. Both languages write numbers alike.
func (p Printer) Number(v float64, decimals int) string {
	return Group(strconv.FormatFloat(v, 'f', decimals, 64))
}

// Group puts commas between the thousands of a plain decimal of five or more
// whole digits: 43688.41 gives 43,688.41; 1438.24 stays.
func Group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, frac, hasFrac := strings.Cut(s, ".")
	if len(whole) >= 5 && strings.Trim(whole, "0123456789") == "" {
		var b strings.Builder
		for i, c := range whole {
			if i > 0 && (len(whole)-i)%3 == 0 {
				b.WriteByte(',')
			}
			b.WriteRune(c)
		}
		whole = b.String()
	}
	if hasFrac {
		whole += "." + frac
	}
	return sign + whole
}

// Letter numbers entries by letters, from 1 on, as lists do: a, b, … z, aa.
func Letter(n int) string {
	var b []byte
	for ; n > 0; n = (n - 1) / 26 {
		b = append(b, 'a'+byte((n-1)%26))
	}
	slices.Reverse(b)
	return string(b)
}

// Date writes a day: "12 October 2025", "2025 年 10 月 12 日".
func (p Printer) Date(t time.Time) string {
	if p.lang == "en" {
		return t.Format("2 January 2006")
	}
	return t.Format("2006 年 1 月 2 日")
}

// List joins words as a sentence does: "a, b and c"; "a、b 和 c", "甲、乙和丙".
func (p Printer) List(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	if p.lang == "en" {
		return strings.Join(items[:last], ", ") + " and " + items[last]
	}
	and := "和"
	if r, _ := utf8.DecodeLastRuneInString(items[last-1]); !isWide(r) {
		and = " " + and
	}
	if r, _ := utf8.DecodeRuneInString(items[last]); !isWide(r) {
		and += " "
	}
	return strings.Join(items[:last], "、") + and + items[last]
}
