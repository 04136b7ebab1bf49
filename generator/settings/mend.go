package settings

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// Fault is the reason why a text is not valid TOML, worded for authors. Line and Column count from 1; Line is 0
// if unknown. Hint contains the corrected line. It is zero if no correction is clear.
type Fault struct {
	Line, Column int
	Text, Hint   locale.Text
}

// Syntax describes an error of the TOML parser in a text.
func Syntax(text string, err error) Fault {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return Fault{Text: locale.Reason(err)}
	}
	f := Fault{Line: pe.Position.Line, Column: pe.Position.Col, Text: locale.Foreign(strings.TrimPrefix(pe.Message, "toml: "))}
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	if f.Line < 1 || f.Line > len(lines) {
		return f
	}
	if key, ok := strings.CutPrefix(locale.English(f.Text), "Key '"); ok && strings.HasSuffix(key, "' has already been defined.") {
		key = strings.TrimSuffix(key, "' has already been defined.")
		return Fault{f.Line, f.Column, locale.Textf("the key %s is defined twice", key), locale.Textf("keep one of the two lines")}
	}
	if line := lines[f.Line-1]; yamlKey().MatchString(line) {
		var items []string
		for _, next := range lines[f.Line:] {
			item, ok := strings.CutPrefix(strings.TrimSpace(next), "- ")
			if !ok {
				break
			}
			items = append(items, quoted(strings.TrimSpace(item)))
		}
		key := strings.TrimSuffix(strings.TrimSpace(line), ":")
		if len(items) > 0 {
			return Fault{f.Line, f.Column, locale.Textf("this is YAML, but TOML is expected"), locale.Textf("write %s = [%s]", key, strings.Join(items, ", "))}
		}
	}
	for _, n := range []int{f.Line - 1, f.Line} { // the parser reports an unclosed list on the next line
		if n < 1 || n < f.Line && !(strings.Contains(lines[n-1], "[") && strings.Count(lines[n-1], "[") > strings.Count(lines[n-1], "]")) {
			continue
		}
		if reason, written, ok := mend(lines[n-1]); ok {
			column := 0
			if n == f.Line {
				column = f.Column
			}
			return Fault{n, column, reason, locale.Textf("write %s", written)}
		}
	}
	if strings.HasPrefix(strings.TrimSpace(lines[f.Line-1]), "{") {
		return Fault{f.Line, f.Column, locale.Textf("this is JSON, but TOML is expected"), locale.Textf(`write a line key = "value" for each member, without braces and commas`)}
	}
	if locale.English(f.Text) == "strings cannot contain newlines" {
		f.Text = locale.Textf("a string is not closed")
	}
	return f
}

var (
	yamlKey   = lazy.Regexp(`^\s*[\w-]+:\s*$`)
	bareValue = lazy.Regexp(`^[^"'\[\]{}#]+$`)
	lineParts = lazy.Regexp(`^(\s*)([\w."' -]*?[\w"'])(\s*[=:]\s*)(.*?)\s*$`)
	slashDate = lazy.Regexp(`^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$`)
)

// mend returns a corrected form of a line: key, =, and a value. ok is false if no correction makes it valid.
func mend(line string) (reason locale.Text, written string, ok bool) {
	part := lineParts().FindStringSubmatch(line)
	if part == nil {
		return locale.Text{}, "", false
	}
	key, join, value := part[2], part[3], part[4]
	try := func(why locale.Text, key, value string) bool {
		written = key + " = " + value
		var v map[string]any
		_, err := toml.Decode(written, &v)
		reason = why
		return err == nil && len(v) > 0
	}
	var colon locale.Text
	if strings.TrimSpace(join) == ":" {
		colon = locale.Textf("a key and its value are joined by =, not by a colon")
		if try(colon, key, value) {
			return reason, written, true
		}
	}
	if straight := strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "＂", `"`).Replace(value); straight != value && try(locale.Textf("these quotation marks are not those of TOML"), key, straight) {
		return reason, written, true
	}
	if strings.ContainsAny(key, " ") && try(locale.Textf("a key has no spaces"), strings.ReplaceAll(key, " ", "_"), value) {
		return reason, written, true
	}
	text, comment := value, ""
	if i := strings.Index(value, " #"); i >= 0 && !strings.ContainsAny(value[:i], `"'`) {
		text, comment = strings.TrimSpace(value[:i]), " "+strings.TrimSpace(value[i:])
	}
	switch strings.ToLower(text) {
	case "true", "yes", "on":
		return orElse(colon, locale.Textf("yes and no are written true and false")), key + " = true" + comment, true
	case "false", "no", "off":
		return orElse(colon, locale.Textf("yes and no are written true and false")), key + " = false" + comment, true
	case "none", "null", "nil", "~":
		return locale.Textf("TOML has no null"), "nothing: leave the line out", true
	case "", `"`, "'":
		return locale.Textf("the value is missing"), key + ` = "…"`, true
	}
	if d := slashDate().FindStringSubmatch(text); d != nil && try(locale.Textf("a date is written with hyphens"), key, d[1]+"-"+pad(d[2])+"-"+pad(d[3])) {
		return reason, written + comment, true
	}
	switch {
	case strings.HasPrefix(text, "["):
		return mendList(key, text, comment, try)
	case strings.HasPrefix(text, `"`) && strings.Count(text, `"`) > 2 && strings.HasSuffix(text, `"`) && !strings.Contains(text, "'"):
		ok = try(locale.Textf(`a text with " in it needs single quotes`), key, "'"+text[1:len(text)-1]+"'")
	case strings.HasPrefix(text, `"`) && strings.Contains(text, `\`) && !strings.Contains(text, "'"):
		ok = try(locale.Textf(`a text with a backslash needs single quotes`), key, "'"+strings.Trim(text, `"`)+"'")
	case strings.HasPrefix(text, `"`) && strings.Count(text, `"`) == 1:
		ok = try(locale.Textf("the text is not closed"), key, text+`"`)
	case strings.HasPrefix(text, "'") && strings.Count(text, "'") == 1:
		ok = try(locale.Textf("the text is not closed"), key, text+"'")
	case strings.HasPrefix(text, "{") && strings.Contains(text, `="`) && !strings.Contains(text, "'"):
		ok = try(locale.Textf("a selector is text in single quotes"), key, "'"+text+"'")
	case bareValue().MatchString(text):
		ok = try(orElse(colon, locale.Textf("text needs quotes")), key, quoted(text))
	}
	return reason, written + comment, ok
}

// mendList adds a missing closing bracket, commas and quotes to a list.
func mendList(key, text, comment string, try func(why locale.Text, key, value string) bool) (reason locale.Text, written string, ok bool) {
	why := locale.Textf("text needs quotes, in a list too")
	inside := strings.TrimPrefix(text, "[")
	if !strings.HasSuffix(inside, "]") {
		why = locale.Textf("the list is not closed")
	} else if strings.Contains(text, `"`) || strings.Contains(text, `'`) {
		why = locale.Textf("a comma is missing in the list")
		if strings.Count(text, `"`)%2 > 0 || strings.Count(text, "'")%2 > 0 {
			why = locale.Textf("a text in the list is not closed")
		}
	}
	var items []string
	for _, item := range listItems().FindAllString(strings.TrimSuffix(inside, "]"), -1) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, quoted(item))
		}
	}
	value := "[" + strings.Join(items, ", ") + "]"
	return why, key + " = " + value + comment, len(items) > 0 && try(why, key, value)
}

var listItems = lazy.Regexp(`"[^"]*"|'[^']*'|[^,"'\s][^,"']*`)

// quoted adds quotes to a text unless it is already a TOML value, such as a quoted text, a number or a boolean.
func quoted(text string) string {
	var v map[string]any
	if _, err := toml.Decode("k = "+text, &v); err == nil {
		return text
	}
	if strings.ContainsAny(text, `"\`) {
		return "'" + text + "'"
	}
	return `"` + text + `"`
}

func pad(day string) string {
	if len(day) == 1 {
		return "0" + day
	}
	return day
}

func orElse(text, other locale.Text) locale.Text {
	if text.IsZero() {
		return other
	}
	return text
}
