package locale

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale/chinese"
)

// Textf returns a message to the author: what is wrong, or what to do. format is the English fmt.Sprintf
// format. It is also the key of the message's row in package chinese; a test requires that row. Without
// arguments, format is used unchanged. Arguments may be texts and errors. Other arguments must not be words
// that need translation.
//
//	locale.Textf("runs has no folder %q", name)
//	locale.Textf("cannot be read: %s", locale.Reason(err))
func Textf(format string, args ...any) Text {
	if len(args) == 0 {
		return Text{m: &message{kind: formatted, key: format}}
	}
	plain := make([]any, len(args))
	for i, a := range args {
		plain[i] = argumentOf(a)
	}
	return Text{m: &message{kind: formatted, key: format, args: plain}}
}

// argumentOf converts an argument to a type that can be stored in a file.
func argumentOf(a any) any {
	switch a := a.(type) {
	case Text, string, int, float64, []string:
		return a
	case []byte:
		return string(a)
	case error:
		return Reason(a)
	case fmt.Stringer:
		return a.String()
	}
	switch v := reflect.ValueOf(a); {
	case v.CanInt():
		return int(v.Int())
	case v.CanUint():
		return v.Uint()
	case v.CanFloat():
		return v.Float()
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Bool:
		return v.Bool()
	}
	return fmt.Sprint(a)
}

// Errorf returns an error with a text, for errors that messages include. It wraps the first error among its
// arguments.
func Errorf(format string, args ...any) error {
	e := &textError{text: Textf(format, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			e.wrapped = err
			break
		}
	}
	return e
}

type textError struct {
	text    Text
	wrapped error
}

func (e *textError) Error() string { return English(e.text) }
func (e *textError) Text() Text    { return e.text }
func (e *textError) Unwrap() error { return e.wrapped }

// Reason returns the text of an error: its own text if it has one, as errors of [Errorf] do, or the message of
// the system, whose translations package chinese contains.
func Reason(err error) Text {
	if saying, ok := err.(interface{ Text() Text }); ok {
		return saying.Text()
	}
	var of *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	switch {
	case errors.As(err, &of) && error(of) == err:
		return Textf("%s %s: %s", of.Op, of.Path, Reason(of.Err))
	case errors.As(err, &link) && error(link) == err:
		return Textf("%s %s %s: %s", link.Op, link.Old, link.New, Reason(link.Err))
	case errors.As(err, &call) && error(call) == err:
		return Textf("%s: %s", call.Syscall, Reason(call.Err))
	}
	return Foreign(err.Error())
}

// repeated matches parts of a library's message that quote its input.
var repeated = lazy.Regexp(`'[^']*'|"(?:[^"\\]|\\.)*"|\d+`)

// Foreign returns a message of a system or library, which is in English. Its row in package chinese has %s in
// place of quoted parts and numbers. A message without a row stays in English.
func Foreign(said string) Text {
	if _, known := chinese.Of(said); known {
		return Textf(said)
	}
	form := repeated().ReplaceAllString(said, "%s")
	if _, known := chinese.Of(form); !known || strings.Count(said, "%") > 0 {
		return Lit(said)
	}
	var args []any
	for _, part := range repeated().FindAllString(said, -1) {
		args = append(args, part)
	}
	return Textf(form, args...)
}

// Commas joins words with commas, or with the Chinese enumeration comma.
func Commas(words ...string) Text {
	return of(commas, "", literals(words)...)
}

// Few joins the first words, at most most, and adds the number of the rest.
func Few(words []string, most int) Text {
	return FewTexts(literals(words), most)
}

func literals(words []string) []Text {
	texts := make([]Text, len(words))
	for i, w := range words {
		texts[i] = Lit(w)
	}
	return texts
}

// FewTexts joins the first texts, at most most, and adds the number of the rest.
func FewTexts(texts []Text, most int) Text {
	if len(texts) > most {
		return Textf("%s and %d more", of(commas, "", texts[:most]...), len(texts)-most)
	}
	return of(commas, "", texts...)
}

// Clauses joins parts of a sentence with semicolons. It omits empty ones.
func Clauses(texts ...Text) Text {
	texts = slices.DeleteFunc(slices.Clone(texts), Text.IsZero)
	if len(texts) == 1 {
		return texts[0]
	}
	return of(clauses, "", texts...)
}

// Plural returns the message one if n is 1, otherwise the message many with n as its argument.
func Plural(n int, one, many string) Text {
	if n == 1 {
		return Textf(one)
	}
	return Textf(many, n)
}

// format returns the words of a message: in English its key with the arguments, in Chinese the row of the key.
func (p Printer) format(m *message) string {
	form := m.key
	if p.lang != "en" {
		if row, ok := chinese.Of(form); ok {
			form = row
		}
	}
	if len(m.args) == 0 {
		return form
	}
	args := make([]any, len(m.args))
	for i, a := range m.args {
		if text, ok := a.(Text); ok {
			a = p.Say(text)
		}
		args[i] = inSentence(a)
	}
	if p.lang == "en" {
		return fmt.Sprintf(form, args...)
	}
	said := fmt.Sprintf(marked(form), args...)
	return spaced(wide().ReplaceAllString(said, "$1$2$3$4"))
}

// wide matches a space of a format beside an argument that is not needed: Chinese characters, or punctuation
// that includes space, are on both sides.
var wide = lazy.Regexp(`(\p{Han}|[（），、。：；》”]) (\x1f[\p{Han}（《“])|([\p{Han}（），、。：；》”]\x1f) (\p{Han}|[（《“])`)

// marked puts argument marks around every verb of a format.
func marked(form string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(form, '%')
		if i < 0 || i+1 == len(form) {
			break
		}
		end := i + 1
		for end < len(form)-1 && strings.IndexByte("+-# 0123456789.[]", form[end]) >= 0 {
			end++
		}
		b.WriteString(form[:i])
		verb := form[i : end+1]
		form = form[end+1:]
		if verb == "%%" {
			b.WriteString(verb)
			continue
		}
		b.WriteByte(argument)
		b.WriteString(verb)
		b.WriteByte(argument)
	}
	return b.String() + form
}

// Map returns the text with change applied to every word that is not part of benchpost: literals, string
// arguments and the user's words.
func (t Text) Map(change func(string) string) Text {
	t.literal = change(t.literal)
	if t.m == nil {
		return t
	}
	m := *t.m
	m.args = make([]any, len(t.m.args))
	for i, a := range t.m.args {
		switch a := a.(type) {
		case string:
			m.args[i] = change(a)
		case Text:
			m.args[i] = a.Map(change)
		default:
			m.args[i] = a
		}
	}
	if len(t.m.by) > 0 {
		m.by = make(map[string]string, len(t.m.by))
		for lang, s := range t.m.by {
			m.by[lang] = change(s)
		}
	}
	t.m = &m
	return t
}
