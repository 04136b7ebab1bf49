package result

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// Selector selects results, and possibly one of their metrics, in the syntax of Prometheus:
// output_throughput{model="Qwen3-8B",load=~"high|low"}. Both parts are optional. The operators are =, !=, =~
// and !~. Expressions are RE2 and match the whole value. An absent label equals "".
type Selector struct {
	Metric   string
	Matchers []Matcher
	source   string
}

// Matcher is one condition on a label.
type Matcher struct {
	Label, Op, Value string
	re               *regexp.Regexp
}

// SelectorError reports an invalid selector. Offset is the position of the error in bytes from 0.
type SelectorError struct {
	Offset int
	Reason locale.Text
}

func (e *SelectorError) Error() string { return locale.English(e.Reason) }

// Text returns the reason as a translatable text.
func (e *SelectorError) Text() locale.Text { return e.Reason }

// ParseSelector parses all of s as a selector of runs. A selector that names a metric is an error: a bare word
// would select every run.
func ParseSelector(s string) (Selector, error) {
	sel, err := parseWhole(s)
	if err == nil && sel.Metric != "" {
		err = &SelectorError{strings.Index(s, sel.Metric), locale.Textf("expected a condition in braces, not %q", sel.Metric)}
	}
	if err != nil {
		return Selector{}, meant(s, err, func(s string) bool {
			sel, err := parseWhole(s)
			return err == nil && sel.Metric == ""
		})
	}
	return sel, nil
}

// ParseQuery parses all of s as a selector that may name a metric.
func ParseQuery(s string) (Selector, error) {
	sel, err := parseWhole(s)
	if err != nil {
		return Selector{}, meant(s, err, func(s string) bool {
			_, err := parseWhole(s)
			return err == nil
		})
	}
	return sel, nil
}

func parseWhole(s string) (Selector, error) {
	sel, n, err := ParseSelectorPrefix(s)
	if err != nil {
		return Selector{}, err
	}
	if rest := strings.TrimSpace(s[n:]); rest != "" {
		return Selector{}, &SelectorError{n, locale.Textf("unexpected %q after the selector", rest)}
	}
	return sel, nil
}

var (
	unquoted  = lazy.Regexp("([\\p{L}_][\\p{L}\\p{N}_]*)\\s*(=~|!~|!=|==|=|:)\\s*(\"[^\"]*\"|'[^']*'|[^\\s,{}\"'`]+)")
	compared  = lazy.Regexp(`([\p{L}_][\p{L}\p{N}_]*)\s*(>=|<=|>|<)\s*"?[\d.]`)
	conjoined = lazy.Regexp(`(?i)(["'])\s*(?:&&?|\band\b|;|)\s*([\p{L}_][\p{L}\p{N}_]*\s*[=!])`)
)

// meant adds the corrected selector to an error if the intention is clear: with missing quotes, commas and
// braces added, and with = instead of == and colons.
func meant(s string, err error, valid func(string) bool) error {
	metric, inside, named := strings.Cut(strings.TrimSpace(s), "{")
	if !named || strings.ContainsAny(metric, `"'=`) {
		metric, inside = "", s
	}
	inside = strings.Trim(strings.TrimSpace(inside), "{}")
	inside = unquoted().ReplaceAllStringFunc(inside, func(condition string) string {
		part := unquoted().FindStringSubmatch(condition)
		op, value := part[2], part[3]
		if op == "==" || op == ":" {
			op = "="
		}
		if value[0] != '"' && value[0] != '\'' {
			value = `"` + value + `"`
		}
		return part[1] + op + value
	})
	inside = conjoined().ReplaceAllString(inside, "$1,$2")
	var wrong *SelectorError
	if part := compared().FindStringSubmatch(s); part != nil && errors.As(err, &wrong) {
		return &SelectorError{wrong.Offset, locale.Textf(`%s; numbers are not compared with %s: list them, for example {%s=~"8|16|32"}`, wrong.Reason, part[2], part[1])}
	}
	if written := strings.TrimSpace(metric) + "{" + inside + "}"; errors.As(err, &wrong) && inside != "" && valid(written) {
		return &SelectorError{wrong.Offset, locale.Textf("%s; write %s", wrong.Reason, written)}
	}
	return err
}

// ParseSelectorPrefix parses a selector at the start of s and returns its length in bytes.
func ParseSelectorPrefix(s string) (Selector, int, error) {
	p := selectorParser{s: s}
	p.space()
	start := p.i
	sel := Selector{Metric: p.name()}
	end := p.i
	p.space()
	if p.accept("{") {
		if err := p.matchers(&sel); err != nil {
			return Selector{}, 0, err
		}
		end = p.i
	}
	if end == start {
		return Selector{}, 0, &SelectorError{start, locale.Textf(`expected a selector, for example output_throughput{model="…"} or {load="high"}`)}
	}
	sel.source = s[start:end]
	return sel, end, nil
}

type selectorParser struct {
	s string
	i int
}

func (p *selectorParser) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *selectorParser) accept(tok string) bool {
	if strings.HasPrefix(p.s[p.i:], tok) {
		p.i += len(tok)
		return true
	}
	return false
}

// name reads letters, digits and underscores of any script. The first must not be a digit.
func (p *selectorParser) name() string {
	start := p.i
	for p.i < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[p.i:])
		if r != '_' && !isNameRune(r, p.i > start) {
			break
		}
		p.i += n
	}
	return p.s[start:p.i]
}

func (p *selectorParser) matchers(sel *Selector) error {
	for {
		p.space()
		if p.accept("}") {
			return nil
		}
		at := p.i
		label := p.name()
		if label == "" {
			if p.i == len(p.s) {
				return &SelectorError{p.i, locale.Textf("the selector is not closed: } is missing")}
			}
			return &SelectorError{at, locale.Textf("expected a label name")}
		}
		p.space()
		var op string
		for _, o := range []string{"=~", "!~", "!=", "="} {
			if p.accept(o) {
				op = o
				break
			}
		}
		if op == "" {
			return &SelectorError{p.i, locale.Textf("expected one of = != =~ !~ after %s", label)}
		}
		p.space()
		at = p.i
		value, err := p.quoted()
		if err != nil {
			return err
		}
		m := Matcher{Label: label, Op: op, Value: value}
		if op == "=~" || op == "!~" {
			m.re, err = regexp.Compile("^(?s:" + value + ")$")
			if err != nil {
				return &SelectorError{at, locale.Textf("the expression %q is wrong: %v", value, err)}
			}
		}
		sel.Matchers = append(sel.Matchers, m)
		p.space()
		if !p.accept(",") {
			p.space()
			if p.accept("}") {
				return nil
			}
			return &SelectorError{p.i, locale.Textf("expected a comma or }")}
		}
	}
}

func (p *selectorParser) quoted() (string, error) {
	at := p.i
	if p.i == len(p.s) || strings.IndexByte("\"'`", p.s[p.i]) < 0 {
		return "", &SelectorError{at, locale.Textf("expected a value in quotes")}
	}
	quote := p.s[p.i]
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == quote:
			return b.String(), nil
		case c == '\\' && quote != '`' && p.i < len(p.s):
			e := p.s[p.i]
			p.i++
			switch e {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case '\\', '"', '\'':
				b.WriteByte(e)
			default: // \d and the like belong to the expression
				b.WriteByte('\\')
				b.WriteByte(e)
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", &SelectorError{at, locale.Textf("the value is not closed: %s is missing", string(quote))}
}

// Quote quotes a value for a selector.
func Quote(value string) string { return `"` + quoter.Replace(value) + `"` }

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

// String returns the selector as it was written.
func (s Selector) String() string { return s.source }

// Match reports whether the result fulfils all conditions. The metric of the selector is not considered.
func (s Selector) Match(r *Result) bool {
	for i := range s.Matchers {
		if !s.Matchers[i].Match(r.Label(s.Matchers[i].Label)) {
			return false
		}
	}
	return true
}

// Match reports whether a value fulfils the condition.
func (m *Matcher) Match(v string) bool {
	switch m.Op {
	case "=":
		return v == m.Value
	case "!=":
		return v != m.Value
	case "=~":
		return m.re.MatchString(v)
	}
	return !m.re.MatchString(v)
}

func isNameRune(r rune, inside bool) bool {
	return unicode.IsLetter(r) || inside && unicode.IsDigit(r)
}
