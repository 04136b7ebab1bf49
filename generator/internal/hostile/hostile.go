// Package hostile contains texts that have an effect if a writer forgets to escape them. Tests put each of them
// wherever data can occur.
package hostile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Secret is the value of a blog variable, {{ site.secret }}, that must not appear in any output.
const Secret = "SECRETVALUE"

// Call is the function that hostile scripts call. If a page calls it, the page has executed data.
const Call = "pwned"

// Texts returns texts that have a meaning for Liquid, HTML, kramdown, YAML, XML, TeX, a spreadsheet, a shell, a
// CI workflow or a terminal. All are valid UTF-8.
func Texts() []string { return slices.Clone(texts) }

var texts = []string{
	// Liquid
	"{{ site.secret }}", "{{- site.secret -}}", "{{{ site.secret }}}", "a{{ site.secret", "{% raw %}", "{% endraw %}{{ site.secret }}", "{%- endraw -%}{{ site.secret }}",
	"{% include secret.html %}", "{% raw %}{% endraw %}{{ site.secret }}", "{% unknown %}", "{%", "}}", "{{ \"a\" | append: site.secret }}", "{% comment %}", "{% post_url x %}",
	// HTML
	"<script>pwned()</script>", "</script><script>pwned()</script>", "<img src=x onerror=pwned()>", `" onmouseover="pwned()`, `' onfocus='pwned()' autofocus='`,
	"</title><svg onload=pwned()>", "</style><script>pwned()</script>", "</textarea></pre></code><iframe srcdoc=x>", "<!-- a", "--> a", "--!><img src=x onerror=pwned()>", "]]>", "<![CDATA[ a",
	"&lt;b&gt; &amp; &#60;b&#62;", "&nosuch; &", "<a href=javascript:pwned()>a</a>", "<base href=https://evil.example/>", "<meta http-equiv=refresh content=0>", "<plaintext>", "<b", "a`onclick=pwned()`",
	"javascript:pwned()", "data:text/html,<script>pwned()</script>", " java\tscript:pwned()", "//evil.example/x.png", "https://evil.example/x.png",
	// kramdown and Markdown
	"[a](javascript:pwned())", `[a](x){: onclick="pwned()"}`, `{: onclick="pwned()"}`, `{:.evil onclick="pwned()"}`, "{::options parse_block_html=\"true\" /}", "{::comment}a{:/comment}", "{::nomarkdown}<img src=x onerror=pwned()>{:/}",
	"{:evil: .evil onclick=\"pwned()\"}", "[^1]", "[^1]: a note", "*[HTML]: abbreviation", "[ref]: https://evil.example/", "![a](https://evil.example/x.png)", "<https://evil.example/>", "$$ \\evil $$", "$$a$$",
	"a | b | c", "| a |", "|---|", "a `b` c", "```", "~~~", "`", "a``b", "# a", "## a {#evil}", "- a", "* a", "+ a", "1. a", "1) a", "> a", "---", "===", "***", ": a", "    a", "\ta", "[x] a", "[ ] a", "^",
	"*a* _b_ **c** ~~d~~ a_b_c", "\\", "\\*a\\*", "a\\", "a  \nb", "\"a\" 'b' -- --- ... << >>", "==a==", "::: a", "@evil", "#1", "evil@example.com", "www.evil.example",
	// YAML, TOML, JSON
	"key: value", "- [a, b]", "&anchor *alias", "!ruby/object:Object {}", "--- !tag", "...", "yes", "null", "~", "2026-01-01", "0x1F", "1e999", "{a: b}", "[a", "%YAML 1.2", "@a", "a # b", "'", "\"", "\"\"\"", "+++", "'''",
	"{\"a\": 1}", "\\u003cscript\\u003e", "__proto__", "constructor", "toString",
	// spreadsheets, TeX, shells, workflows
	"=HYPERLINK(\"https://evil.example/\")", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "a,b;c", "\\input{/etc/passwd}", "{unbalanced", "unbalanced}", "}, evil = {a", "$x_1^2$ & # ~", "% a", "@misc{evil,",
	"$(evil)", "`evil`", "; evil", "a && evil", "--evil", "-e", "../../evil", "/etc/passwd", "C:\\evil", "CON", "::error::a", "%0A::error::a", "##[error]a", "section_start:1:a",
	// characters with an effect that are not displayed
	"a\nb", "a\r\nb", "a\n\n# b", "a\n\n---\n\nb", "a\n{: onclick=\"pwned()\"}", "a\n  hint: evil", "a\rb", "a\tb", "a\x00b", "a\x07b\x08", "a\x1b[31mb", "a\x1b[2Jb", "a\x1b]52;c;ZXZpbA==\x07b", "a\x1b]8;;https://evil.example/\x1b\\b",
	"a\x1bPb\x1b\\", "a\u009b31mb", "a\u0085b", "a\u2028b\u2029c", "a\u202egpj.b", "a\u2066b\u2069", "a\u200bb\u200f", "a\ufeffb", "a\ufffeb", "a\ufffdb", "a\u00adb", "a\x7fb", "a\U000e0041b", "e\u0301\u0301\u0301",
	// lengths and scripts
	strings.Repeat("long", 80), strings.Repeat("长", 90), "混合 mixed עברית العربية 👩‍🔬",
}

// Bytes returns texts that are not valid UTF-8, for file names, logs and other data that no text parser has
// checked.
func Bytes() []string {
	return []string{"a\xffb", "\xed\xa0\x80", "a\xc0\xafb", "\xf5\x80\x80\x80", "a\x80", "\xe4\xbd"}
}

// Quote returns a text as a TOML basic string.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r == '"' || r == '\\' || r < ' ' || r == 0x7f {
			fmt.Fprintf(&b, `\u%04X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// Name turns a text into a file name: it replaces characters that Linux rejects and limits the length.
func Name(s string) string {
	s = strings.NewReplacer("/", "∕", "\x00", "").Replace(s)
	for len(s) > 200 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	if s == "" || s == "." || s == ".." {
		return s + "_"
	}
	return s
}

// Leaf is a key of a table that can contain text.
type Leaf struct {
	Path []string // from the top; "*" is any key of a map, "#" any element of a list
	Type reflect.Type
}

// Leaves returns the keys that can contain text, for a type that package settings decodes.
func Leaves(t reflect.Type) []Leaf { return leaves(nil, nil, t) }

func leaves(found []Leaf, path []string, t reflect.Type) []Leaf {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	at := func(step string) []string { return append(slices.Clone(path), step) }
	if decodesItself(t) {
		return append(found, Leaf{path, t})
	}
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		found = append(found, Leaf{path, t})
	case reflect.Slice, reflect.Array:
		found = leaves(found, at("#"), t.Elem())
	case reflect.Map:
		found = leaves(found, at("*"), t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			switch {
			case name == "-" || !f.IsExported():
			case f.Anonymous && name == "":
				found = leaves(found, path, f.Type)
			case name == "":
				found = leaves(found, at(strings.ToLower(f.Name)), f.Type)
			default:
				found = leaves(found, at(name), f.Type)
			}
		}
	}
	return found
}

// decodesItself reports whether a type decodes its own TOML. Such types accept a string.
func decodesItself(t reflect.Type) bool {
	_, value := t.MethodByName("UnmarshalTOML")
	_, pointer := reflect.PointerTo(t).MethodByName("UnmarshalTOML")
	return value || pointer
}
