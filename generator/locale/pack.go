package locale

import (
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/pack"
)

// Types of packed arguments.
const (
	isText = iota
	isString
	isInt
	isUint
	isFloat
	isTrue
	isFalse
	isStrings
)

// PackTo packs a text: its literal, whether it has a message, and the message's kind, key, arguments and words
// by language.
func (t Text) PackTo(p *pack.Packer) {
	p.Text(t.literal)
	if t.m == nil {
		p.Uint(0)
		return
	}
	p.Uint(1 + uint64(t.m.kind))
	p.Text(t.m.key)
	p.Uint(uint64(len(t.m.args)))
	for _, a := range t.m.args {
		packArgument(p, a)
	}
	p.Uint(uint64(len(t.m.by)))
	for _, lang := range slices.Sorted(maps.Keys(t.m.by)) {
		p.Text(lang)
		p.Text(t.m.by[lang])
	}
}

func packArgument(p *pack.Packer, a any) {
	switch a := argumentOf(a).(type) {
	case Text:
		p.Uint(isText)
		a.PackTo(p)
	case string:
		p.Uint(isString)
		p.Text(a)
	case int:
		p.Uint(isInt)
		p.Int(int64(a))
	case uint64:
		p.Uint(isUint)
		p.Uint(a)
	case float64:
		p.Uint(isFloat)
		p.Float(a)
	case bool:
		if a {
			p.Uint(isTrue)
		} else {
			p.Uint(isFalse)
		}
	case []string:
		p.Uint(isStrings)
		p.Uint(uint64(len(a)))
		for _, s := range a {
			p.Text(s)
		}
	default:
		panic("an argument of no type that can be kept")
	}
}

// UnpackFrom unpacks what PackTo has packed.
func (t *Text) UnpackFrom(u *pack.Unpacker) {
	*t = Text{literal: u.Text()}
	of := u.Uint()
	if of == 0 {
		return
	}
	m := &message{kind: kind(of - 1), key: u.Text()}
	if n := u.Size(1); n > 0 {
		m.args = make([]any, n)
		for i := range m.args {
			m.args[i] = unpackArgument(u)
		}
	}
	if n := u.Size(2); n > 0 {
		m.by = make(map[string]string, n)
		for range n {
			lang := u.Text()
			m.by[lang] = u.Text()
		}
	}
	t.m = m
}

func unpackArgument(u *pack.Unpacker) any {
	switch u.Uint() {
	case isText:
		var t Text
		t.UnpackFrom(u)
		return t
	case isString:
		return u.Text()
	case isInt:
		return int(u.Int())
	case isUint:
		return u.Uint()
	case isFloat:
		return u.Float()
	case isTrue:
		return true
	case isFalse:
		return false
	case isStrings:
		all := make([]string, u.Size(1))
		for i := range all {
			all[i] = u.Text()
		}
		return all
	}
	u.Fail()
	return nil
}
