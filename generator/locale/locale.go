// Package locale produces text in the reader's language: words, plural forms, numbers and dates in Chinese
// (zh-CN) and English (en).
//
// A [Text] is independent of the language. A [Printer] turns it into words. The files words_*.go contain the
// messages.
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

// Text is one of: a message of the catalogue with its arguments, the user's words for each language, or a
// literal that is the same in all languages. It is small because tables contain many of them. It contains only
// data, so it can be stored in a file.
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

// kind is how a message becomes words.
type kind uint8

const (
	catalogued kind = iota // key is a key of the catalogue
	formatted              // key is the English format; see Textf
	given                  // the user's words by language
	named                  // key is a key of the catalogue without arguments, for a name
	metric                 // key is the name of a metric
	label                  // key is the name of a label
	inside                 // of one text: see Inside
	outside                // of one text: see Outside
	joined                 // texts separated by key
	sentences              // whole sentences
	listed                 // a list as in a sentence: a, b and c
	commas                 // texts separated by commas
	clauses                // texts separated by semicolons
)

// Lit returns a text that is the same in every language: a model's name, a figure.
func Lit(s string) Text { return Text{literal: s} }

// T returns a message of the catalogue. Arguments may be texts.
func T(key string, args ...any) Text { return Text{m: &message{key: key, args: args}} }

// By returns a text with the user's words for each language. fallback is used for languages that by lacks.
func By(by map[string]string, fallback string) Text {
	if len(by) == 0 {
		return Lit(fallback)
	}
	return Text{literal: fallback, m: &message{kind: given, by: by}}
}

// MetricName returns the displayed name of a metric.
func MetricName(name string) Text { return Text{m: &message{kind: metric, key: name}} }

// LabelName returns the displayed name of a label.
func LabelName(name string) Text { return Text{m: &message{kind: label, key: name}} }

// LabelValue returns the displayed word for a value of a label.
func LabelValue(label, value string) Text {
	key := valueKey(label, value)
	if key == "" {
		return Lit(inField(label, value)) // nearly all values have no words of their own: tables are full of them
	}
	return Text{m: &message{kind: named, key: key}}
}

// valueKey returns the key of the words for a value of a label, "" if there are none. Boolean labels are shown
// as on or off.
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

// Inside returns a name in the form for the middle of a sentence: mean TTFT, output throughput. A name that
// begins with an abbreviation does not change.
func Inside(name Text) Text { return of(inside, "", name) }

// Outside returns a text in the form for the beginning of a sentence, with a capital letter. The user's own
// names do not change.
func Outside(text Text) Text { return of(outside, "", text) }

// Join joins texts with a separator.
func Join(sep string, texts ...Text) Text {
	if len(texts) == 1 {
		return texts[0]
	}
	return of(joined, sep, texts...)
}

// Sentences joins sentences, with spaces between them in English. In Chinese the full stop already includes
// space.
func Sentences(texts ...Text) Text {
	return of(sentences, "", slices.DeleteFunc(slices.Clone(texts), Text.IsZero)...)
}

// List joins texts as in a sentence: a, b and c.
func List(texts ...Text) Text { return of(listed, "", texts...) }

// of returns a text of a kind that combines texts.
func of(k kind, key string, texts ...Text) Text {
	args := make([]any, len(texts))
	for i, t := range texts {
		args[i] = t
	}
	return Text{m: &message{kind: k, key: key, args: args}}
}

// Format writes the text in every language, for tests and error messages. Unlike the default format, which
// would print a pointer, it is the same in every process.
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

// IsZero reports whether the text is empty.
func (t Text) IsZero() bool { return t.literal == "" && t.m == nil }

// Printer turns texts into words of one language.
type Printer struct {
	lang string
}

// Languages lists the tags for which there is a Printer.
var Languages = []string{"zh-CN", "en"}

// For returns the printer of a language. Only the primary subtag counts, so "zh" and "en-GB" are known.
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

// Name returns the name of the language in the language itself.
func (p Printer) Name() string {
	if p.lang == "en" {
		return "English"
	}
	return "中文"
}

// Say returns the words of a text. A key that is missing from the catalogue is a bug in benchpost; Say returns
// it in brackets.
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

// sayAll returns the words of texts that are arguments.
func (p Printer) sayAll(args []any) []string {
	said := make([]string, len(args))
	for i, a := range args {
		said[i] = p.Say(a.(Text))
	}
	return said
}

// lowered returns a name with its first letter in lower case. A name that begins with an abbreviation does not
// change.
func lowered(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[n:])
	if unicode.IsUpper(first) && unicode.IsLower(second) {
		return string(unicode.ToLower(first)) + s[n:]
	}
	return s
}

// outside returns the words of a text with a capital letter, unless the text is a name.
func (p Printer) outside(t Text) string {
	said := p.Say(t)
	if t.m == nil || t.m.kind != catalogued {
		return said
	}
	if word, _, _ := strings.Cut(said, " "); strings.Contains(word, "_") { // an identifier of a program
		return said
	}
	first, n := utf8.DecodeRuneInString(said)
	return string(unicode.ToUpper(first)) + said[n:]
}

// catalogued returns the words of a message of the catalogue.
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

// argument marks both ends of an argument in a Chinese message until spaces are inserted.
const argument = '\x1f'

// spaced removes the marks of arguments. It inserts a space where a Latin letter or a digit at the end of an
// argument meets a Chinese character, as Chinese typography requires, or another such argument: Flash Attention
// 2.
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

// Has reports whether the catalogue has a key.
func (p Printer) Has(key string) bool { _, ok := words[key]; return ok }

// Forms returns the messages whose keys begin with a prefix, by key, as they are in the catalogue. Scripts use
// them and insert the arguments themselves.
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

// plural chooses one of the forms "one|other" by the first integer argument. Chinese messages have only one
// form.
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

// English returns the English words of a text, for programs and terminals.
func English(t Text) string { return Printer{"en"}.Say(t) }

// Words returns the words of a message of the catalogue.
func (p Printer) Words(key string, args ...any) string {
	if form, ok := p.form(key); ok && len(args) == 0 {
		return form // most messages have no arguments: pages are full of them
	}
	return p.Say(T(key, args...))
}

// Metric returns the displayed name of a metric, without unit: "Mean TTFT", "平均 TTFT". If the catalogue lacks
// it, Metric returns name.
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

// Label returns the displayed name of a label: "Concurrency", "并发数".
func (p Printer) Label(name string) string {
	if s, ok := p.form("label." + name); ok {
		return s
	}
	return name
}

// Value returns the displayed words for a label's value, as for clocks="locked", or the value itself if it has
// no words.
func (p Printer) Value(label, value string) string {
	if key := valueKey(label, value); key != "" {
		if s, ok := p.form(key); ok {
			return s
		}
	}
	return inField(label, value)
}

// inField returns a value in the usual notation of the field: 8.2 G of parameters are 8.2 B.
func inField(label, value string) string {
	if label == "params" || label == "active_params" {
		if number, ok := strings.CutSuffix(value, "G"); ok {
			return number + "B"
		}
	}
	return value
}

// Number formats v with the given number of decimals. From ten thousand on it has commas between thousands.
// Both languages use the same format.
func (p Printer) Number(v float64, decimals int) string {
	return Group(strconv.FormatFloat(v, 'f', decimals, 64))
}

// Group inserts commas between the thousands of a plain decimal with five or more digits before the point:
// 43688.41 gives 43,688.41; 1438.24 stays.
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

// Letter returns the letter for the n-th list entry, counted from 1: a, b, … z, aa.
func Letter(n int) string {
	var b []byte
	for ; n > 0; n = (n - 1) / 26 {
		b = append(b, 'a'+byte((n-1)%26))
	}
	slices.Reverse(b)
	return string(b)
}

// Date formats a day: "12 October 2025", "2025 年 10 月 12 日".
func (p Printer) Date(t time.Time) string {
	if p.lang == "en" {
		return t.Format("2 January 2006")
	}
	return t.Format("2006 年 1 月 2 日")
}

// List joins words as in a sentence: "a, b and c"; "a、b 和 c", "甲、乙和丙".
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
