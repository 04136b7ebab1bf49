package document

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// Front is the front matter.
type Front struct {
	Title        string
	Date         time.Time
	Slug         string
	Categories   List
	Tags         List
	Excerpt      string
	Image        string
	Layout       string
	Description  string
	Author       string
	Draft        bool
	Aliases      []string          // slugs the post had before
	AliasesPos   []result.Position // position of each alias
	Runs         string            // a selector applied to all blocks and values; "" for all runs
	RunsPos      result.Position   // position of its key
	Unchecked    []string          // numbers of the prose, as written, that do not come from the runs
	UncheckedPos result.Position   // position of its key
	Accept       []string          // settings in which the runs of the post may differ
	AcceptPos    result.Position   // position of its key
	Bare         bool              // omit the provenance of the data at the end of the post
	Extra        []Field           // all other keys, in the order of the source
}

// List is a key whose value is a list or one string, which Jekyll splits at spaces.
type List struct {
	Items []string
	Plain bool // written as one string
}

// JSONSchema returns the schema of such a key.
func (l *List) JSONSchema() map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{"anyOf": []any{text, map[string]any{"type": "array", "items": text}}}
}

// Field is a key with its TOML value: string, int64, float64, bool,
// time.Time, []any or, for a table, []Field.
type Field struct {
	Key   string
	Value any
}

const fence = "+++"

// splitFront finds the front matter between its fences. body is the offset of the prose. ok is false if there
// is no front matter or it is not closed.
func splitFront(src []byte) (front []byte, body int, ok bool) {
	first, _, _ := bytes.Cut(src, []byte("\n"))
	if string(bytes.TrimRight(first, " \t")) != fence {
		return nil, 0, false
	}
	for start := len(first) + 1; start < len(src); {
		line, _, _ := bytes.Cut(src[start:], []byte("\n"))
		end := min(start+len(line)+1, len(src))
		if string(bytes.TrimRight(line, " \t")) == fence {
			return src[len(first)+1 : start], end, true
		}
		start = end
	}
	return nil, 0, false
}

// frontReader decodes the TOML front matter of one file into a [Front].
type frontReader struct {
	lines  *lines
	toml   []byte // the front matter; its first line is line 2
	source *settings.Source
	zone   *time.Location
	page   bool // title and date are optional
	msgs   *[]result.Message
}

func (r *frontReader) read() Front {
	var f Front
	var raw map[string]any
	r.source = settings.Parse(r.lines.file, 2, r.toml)
	if _, err := toml.Decode(string(r.toml), &raw); err != nil {
		r.syntax(err)
		return f
	}
	var table []Field
	for _, key := range r.source.Keys() {
		table = append(table, Field{key, raw[key]})
	}
	hasDate := false
	for _, e := range table {
		switch e.Key {
		case "title":
			r.text(e, &f.Title)
		case "slug":
			r.text(e, &f.Slug)
		case "excerpt":
			r.text(e, &f.Excerpt)
		case "runs":
			r.text(e, &f.Runs)
			f.RunsPos = r.keyPosition(e.Key)
		case "accept":
			f.Accept = r.list(e).Items
			f.AcceptPos = r.keyPosition(e.Key)
		case "aliases":
			f.Aliases = r.list(e).Items
			for i, alias := range f.Aliases {
				f.AliasesPos = append(f.AliasesPos, r.source.At(e.Key, i))
				if strings.Trim(alias, " ") == "" || strings.HasPrefix(alias, "/") || strings.HasSuffix(alias, "/") || strings.Contains(alias, "://") {
					*r.msgs = append(*r.msgs, result.Message{Pos: f.AliasesPos[i], Severity: result.Error, ID: "post.alias",
						Text: locale.Textf("the alias %q is not the name of a post", alias),
						Hint: locale.Textf(`write the earlier name of the post, for example aliases = ["old-name"]; whole addresses of a blog belong in redirect_from`)})
				}
			}
		case "unchecked":
			f.Unchecked = r.list(e).Items
			f.UncheckedPos = r.keyPosition(e.Key)
		case "layout":
			r.text(e, &f.Layout)
		case "description":
			r.text(e, &f.Description)
		case "image", "author": // themes also accept tables here
			s, ok := e.Value.(string)
			switch {
			case !ok:
				f.Extra = append(f.Extra, Field{e.Key, r.value(e.Value, e.Key)})
			case e.Key == "image":
				f.Image = s
			default:
				f.Author = s
			}
		case "draft":
			b, ok := e.Value.(bool)
			if !ok {
				r.wrongType(e, locale.Textf("true or false"))
			}
			f.Draft = b
		case "provenance":
			shown, ok := e.Value.(bool)
			if !ok {
				r.wrongType(e, locale.Textf("true or false"))
			}
			f.Bare = ok && !shown
		case "date":
			hasDate = true
			t, ok := e.Value.(time.Time)
			if !ok {
				r.wrongType(e, locale.Textf("a date without quotes, for example 2025-10-12T06:00:00+08:00"))
				break
			}
			f.Date = inZone(t, r.zone)
		case "categories":
			f.Categories = r.list(e)
		case "tags":
			f.Tags = r.list(e)
		default:
			f.Extra = append(f.Extra, Field{e.Key, r.value(e.Value, e.Key)})
		}
	}
	if r.page {
		return f
	}
	if strings.TrimSpace(f.Title) == "" {
		r.missing("title", `title = "Qwen3-8B on Jetson Thor"`)
	}
	if !hasDate {
		r.missing("date", "date = 2025-10-12T06:00:00+08:00")
	}
	return f
}

// syntax reports a TOML syntax error with its position in the file.
func (r *frontReader) syntax(err error) {
	f := settings.Syntax(string(r.toml), err)
	pos := result.Position{File: r.lines.file, Line: 1 + max(f.Line, 1), Column: f.Column}
	text := locale.Textf("the front matter is not TOML: %s", f.Text)
	hint := f.Hint
	if hint.IsZero() {
		hint = locale.Textf(`write key = "value" lines between the +++ lines`)
	}
	*r.msgs = append(*r.msgs, result.Message{Pos: pos, Severity: result.Error, ID: "post.front-matter", Text: text, Hint: hint})
}

func (r *frontReader) missing(key, example string) {
	*r.msgs = append(*r.msgs, result.Message{
		Pos: result.Position{File: r.lines.file, Line: 1}, Severity: result.Error, ID: "post.missing-key",
		Text: locale.Textf("the front matter has no %s", key),
		Hint: locale.Textf("add a line such as %s", example),
	})
}

func (r *frontReader) wrongType(e Field, want locale.Text) {
	*r.msgs = append(*r.msgs, result.Message{
		Pos: r.keyPosition(e.Key), Severity: result.Error, ID: "post.wrong-type",
		Text: locale.Textf("%s is %s", e.Key, typeName(e.Value)),
		Hint: locale.Textf("write %s", want),
	})
}

func typeName(v any) locale.Text {
	switch v.(type) {
	case string:
		return locale.Textf("a string")
	case int64, float64:
		return locale.Textf("a number")
	case bool:
		return locale.Textf("true or false")
	case time.Time:
		return locale.Textf("a date")
	case []any:
		return locale.Textf("a list")
	}
	return locale.Textf("a table")
}

// keyPosition returns the position of a top-level key.
func (r *frontReader) keyPosition(key string) result.Position { return r.source.At(key) }

func (r *frontReader) text(e Field, to *string) {
	s, ok := e.Value.(string)
	if !ok {
		r.wrongType(e, locale.Textf("text in quotes"))
		return
	}
	*to = s
}

func (r *frontReader) list(e Field) List {
	switch v := e.Value.(type) {
	case string:
		return List{Items: []string{v}, Plain: true}
	case []any:
		var l List
		for _, item := range v {
			s, ok := item.(string)
			if !ok {
				r.wrongType(e, locale.Textf(`a list of texts, for example ["vLLM", "3.10"]`))
				return List{}
			}
			l.Items = append(l.Items, s)
		}
		return l
	}
	r.wrongType(e, locale.Textf(`a list of texts, for example ["vLLM", "FP8"]`))
	return List{}
}

// value returns a TOML value with its tables in the order of the source. path is the path of its key.
func (r *frontReader) value(v any, path ...any) any {
	switch v := v.(type) {
	case time.Time:
		return inZone(v, r.zone)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = r.value(v[i], slices.Concat(path, []any{i})...)
		}
		return list
	case []map[string]any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = r.value(v[i], slices.Concat(path, []any{i})...)
		}
		return list
	case map[string]any:
		var table []Field
		for _, key := range r.source.Keys(path...) {
			table = append(table, Field{key, r.value(v[key], slices.Concat(path, []any{key})...)})
		}
		return table
	}
	return v
}

// inZone interprets a date without a time zone in the site's zone.
func inZone(t time.Time, zone *time.Location) time.Time {
	switch t.Location().String() {
	case "datetime-local", "date-local", "time-local":
		zone = cmp.Or(zone, time.UTC)
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
	}
	return t
}
