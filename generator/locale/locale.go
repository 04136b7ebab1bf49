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
// is the same in all. It is small, since tables are full of it, and holds data alone, so
// that it can be kept in a file.
type Text struct {
	literal string
	m       *message // nil for a literal
}

type message struct {
	kind kind
	key  string
	args []any
	by   map[string]string
}

// kind is how a message is put into words.
type kind uint8

const (
	catalogued kind = iota // key is in the catalogue, with its arguments
	formatted              // key is the English format, with its arguments; see Textf
	given                  // by language, the user's words
	named                  // key is in the catalogue, and is a name
	metric                 // key is the name of a metric
	label                  // key is the name of a label
	inside                 // of one argument: see Inside
	outside                // of one argument: see Outside
	joined                 // key is between the arguments
	sentences              // the arguments one after another
	listed                 // the arguments as a sentence lists them
	commas                 // the arguments with commas between them
	clauses                // the arguments with semicolons between them
)

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
	return Text{literal: fallback, m: &message{kind: given, by: by}}
}

// MetricName is the reader's name of a metric.
func MetricName(name string) Text { return Text{m: &message{kind: metric, key: name}} }

// LabelName is the reader's name of a label.
func LabelName(name string) Text { return Text{m: &message{kind: label, key: name}} }

// LabelValue is the reader's word for a value of a label.
func LabelValue(label, value string) Text {
	key := valueKey(label, value)
	if key == "" {
		return Lit(inField(label, value)) // nearly all are such: tables are full of them
	}
	return Text{m: &message{kind: named, key: key}}
}

// valueKey is the key of the words for a value of a label, "" where there are none. A switch is on or off.
func valueKey(label, value string) string {
	if _, ok := words["value."+label+"."+inField(label, value)]; ok {
		return "value." + label + "." + inField(label, value)
	}
	if value == "true" || value == "false" {
		if l, ok := vocabulary.LookupLabel(label); ok && l.Type == vocabulary.Boolean {
			return "value." + value
		}
	}
	return ""
}

// Inside is a name in the middle of a sentence: mean TTFT, output throughput.
// What begins with an abbreviation stays as it is.
func Inside(name Text) Text { return of(inside, "", name) }

// Outside is a text at the head of a sentence, its first letter a capital. A
// name of the reader's own stays as it is.
func Outside(text Text) Text { return of(outside, "", text) }

// Join is texts one after another with a separator.
func Join(sep string, texts ...Text) Text {
	if len(texts) == 1 {
		return texts[0]
	}
	return of(joined, sep, texts...)
}

// Sentences is whole sentences one after another: with a space between them,
// but for Chinese, whose full stop brings its own.
func Sentences(texts ...Text) Text {
	return of(sentences, "", slices.DeleteFunc(slices.Clone(texts), Text.IsZero)...)
}

// List is texts joined as a sentence does.
func List(texts ...Text) Text { return of(listed, "", texts...) }

// of is texts put together.
func of(k kind, key string, texts ...Text) Text {
	args := make([]any, len(texts))
	for i, t := range texts {
		args[i] = t
	}
	return Text{m: &message{kind: k, key: key, args: args}}
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
	m := t.m
	if m == nil {
		return t.literal
	}
	switch m.kind {
	case formatted:
		return p.format(m)
	case given:
		if s, ok := m.by[p.lang]; ok {
			return s
		}
		if primary, _, _ := strings.Cut(p.lang, "-"); m.by[primary] != "" {
			return m.by[primary]
		}
		return t.literal
	case named:
		form, _ := p.form(m.key)
		return form
	case metric:
		return p.Metric(m.key)
	case label:
		return p.Label(m.key)
	case inside:
		said := p.sayAll(m.args)[0]
		if p.lang == "en" {
			return lowered(said)
		}
		return said
	case outside:
		return p.outside(m.args[0].(Text))
	case joined:
		return strings.Join(beside(p.sayAll(m.args)), m.key)
	case sentences:
		if p.lang == "en" {
			return strings.Join(p.sayAll(m.args), " ")
		}
		return strings.Join(p.sayAll(m.args), "")
	case listed:
		return p.List(p.sayAll(m.args))
	case commas:
		if p.lang == "en" {
			return strings.Join(beside(p.sayAll(m.args)), ", ")
		}
		return strings.Join(beside(p.sayAll(m.args)), "、")
	case clauses:
		if p.lang == "en" {
			return strings.Join(beside(p.sayAll(m.args)), "; ")
		}
		return strings.Join(beside(p.sayAll(m.args)), "；")
	}
	return p.catalogued(m)
}

// sayAll says texts that are arguments.
func (p Printer) sayAll(args []any) []string {
	said := make([]string, len(args))
	for i, a := range args {
		said[i] = p.Say(a.(Text))
	}
	return said
}

// lowered is a name without the capital of its first word. What begins with an abbreviation stays.
func lowered(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[n:])
	if unicode.IsUpper(first) && unicode.IsLower(second) {
		return string(unicode.ToLower(first)) + s[n:]
	}
	return s
}

// outside says a text with a capital, unless it is a name.
func (p Printer) outside(t Text) string {
	said := p.Say(t)
	if t.m == nil || t.m.kind != catalogued {
		return said
	}
	if word, _, _ := strings.Cut(said, " "); strings.Contains(word, "_") { // a name that programs have
		return said
	}
	first, n := utf8.DecodeRuneInString(said)
	return string(unicode.ToUpper(first)) + said[n:]
}

// catalogued says a message of the catalogue.
func (p Printer) catalogued(m *message) string {
	form, ok := p.form(m.key)
	if !ok {
		return "[" + m.key + "]"
	}
	if len(m.args) == 0 {
		return form
	}
	args := make([]any, len(m.args))
	for i, a := range m.args {
		if text, ok := a.(Text); ok {
			a = p.Say(text)
		}
		if s, ok := a.(string); ok && p.lang != "en" {
			a = string(argument) + s + string(argument)
		}
		args[i] = inSentence(a)
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
// a digit and Han is next to it, as Chinese typography asks, or another such argument: Flash Attention 2.
func spaced(s string) string {
	if strings.IndexByte(s, argument) < 0 {
		return s
	}
	var b strings.Builder
	last := ' '
	edges := 0
	for _, r := range s {
		if r == argument {
			edges++
			continue
		}
		if edges > 0 && (unicode.Is(unicode.Han, last) && isLatin(r) || isLatin(last) && unicode.Is(unicode.Han, r)) || edges > 1 && isLatin(last) && isLatin(r) {
			b.WriteByte(' ')
		}
		edges = 0
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
// are in the catalogue: for scripts, which put in the arguments themselves.
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
	if key := valueKey(label, value); key != "" {
		if s, ok := p.form(key); ok {
			return s
		}
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
	items = beside(slices.Clone(items))
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
