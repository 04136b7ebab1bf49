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

// Textf is a message to the author: what is wrong, or what to do. Format is its English, as of
// fmt.Sprintf, and the key of its row in package chinese, which a test demands. Without
// arguments it is said as it is. Arguments may be texts and errors; others must not be words.
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

// argumentOf returns an argument as it can be kept in a file.
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

// Errorf is an error whose words are a text, for those that messages repeat. It wraps the first error
// among its arguments.
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

// Reason is what an error says: the text of one that has such, as those of Errorf, or the words of the
// system, which are known in every language.
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

// repeated is what the words of a library repeat of their input.
var repeated = lazy.Regexp(`'[^']*'|"(?:[^"\\]|\\.)*"|\d+`)

// Foreign is what a system or a library says, in English. Its row in package chinese has %s for what is
// in quotes and for numbers; what has none stays as it is.
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

// Commas is words in a row: with a comma between them, or what a language has for it.
func Commas(words ...string) Text {
	return of(commas, "", literals(words)...)
}

// Few is words in a row, so many at the most, and how many more there are.
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

// FewTexts is texts in a row, so many at the most, and how many more there are.
func FewTexts(texts []Text, most int) Text {
	if len(texts) > most {
		return Textf("%s and %d more", of(commas, "", texts[:most]...), len(texts)-most)
	}
	return of(commas, "", texts...)
}

// Clauses is texts of one sentence one after another, with semicolons between them. Those that say nothing
// are left out.
func Clauses(texts ...Text) Text {
	texts = slices.DeleteFunc(slices.Clone(texts), Text.IsZero)
	if len(texts) == 1 {
		return texts[0]
	}
	return of(clauses, "", texts...)
}

// Plural is a number of things: one where n is 1, else many, which takes n.
func Plural(n int, one, many string) Text {
	if n == 1 {
		return Textf(one)
	}
	return Textf(many, n)
}

// format says a message: in English by its key, in Chinese by its row.
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

// wide is a space that a form has beside an argument, where Han is on both sides, or a mark that brings its own space.
var wide = lazy.Regexp(`(\p{Han}|[（），、。：；》”]) (\x1f[\p{Han}（《“])|([\p{Han}（），、。：；》”]\x1f) (\p{Han}|[（《“])`)

// marked puts the mark of an argument on both sides of every verb of a form.
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

// Map returns the text with every word that is not benchpost's own, literals and arguments, replaced by what
// change returns for it.
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
