package serve

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// alive makes a page follow the site. It widens the page's policy as needed for that, and inserts the live script at
// the beginning of the head, so that the script sees the page before any other script changes it. The script receives
// the page's path in the site, the hash of its source ("" if there is no such page yet), and the generation of changes
// that it knows.
func (s *Server) alive(source []byte, name, hash string) []byte {
	s.mu.Lock()
	since := s.since(s.generation)
	s.mu.Unlock()
	tag := `<script src="` + livePath + `" defer data-page="` + html.EscapeString(name) + `" data-hash="` + hash + `" data-since="` + since + `"></script>`
	at := len(opening().Find(source))
	out := make([]byte, 0, len(source)+len(tag)+64)
	out = append(out, source[:at]...)
	out = append(out, tag...)
	return append(out, widenPolicies(source[at:])...)
}

// opening matches a page up to the contents of its head. As in HTML, each part may be missing.
var opening = lazy.Regexp(`(?is)^\x{FEFF}?(?:\s|<!--.*?-->)*(?:<!doctype[^>]*>)?(?:\s|<!--.*?-->)*(?:<html(?:\s[^>]*)?>)?(?:\s|<!--.*?-->)*(?:<head(?:\s[^>]*)?>)?`)

var (
	bodyTag    = lazy.Regexp(`(?i)<body[\s>]`)
	metaTag    = lazy.Regexp(`(?is)<meta\s(?:[^>"']|"[^"]*"|'[^']*')*>`)
	isPolicy   = lazy.Regexp(`(?i)\shttp-equiv\s*=\s*["']?content-security-policy["'\s>/]`)
	contentOne = lazy.Regexp(`(?is)(\scontent\s*=\s*)("[^"]*"|'[^']*')`)
)

// widenPolicies rewrites the content security policies in a page's head.
func widenPolicies(source []byte) []byte {
	head := source
	if at := bodyTag().FindIndex(source); at != nil {
		head = source[:at[0]]
	}
	wide := metaTag().ReplaceAllFunc(head, func(tag []byte) []byte {
		if !isPolicy().Match(tag) {
			return tag
		}
		return contentOne().ReplaceAllFunc(tag, func(attribute []byte) []byte {
			m := contentOne().FindSubmatch(attribute)
			value := html.UnescapeString(string(m[2][1 : len(m[2])-1]))
			// Single quotes need no escape within double quotes.
			return slices.Concat(m[1], []byte(`"`), []byte(strings.ReplaceAll(html.EscapeString(widen(value)), "&#39;", "'")), []byte(`"`))
		})
	})
	return slices.Concat(wide, bytes.TrimPrefix(source, head))
}

// widen allows a page with a policy to load scripts from this server and to connect to it, and nothing else in
// addition.
func widen(policy string) string {
	var directives []string
	values := map[string][]string{}
	for part := range strings.SplitSeq(policy, ";") {
		f := strings.Fields(part)
		if len(f) == 0 {
			continue
		}
		name := strings.ToLower(f[0])
		if _, twice := values[name]; !twice { // the first directive of a name counts
			directives = append(directives, name)
			values[name] = f[1:]
		}
	}
	allow := func(name string) {
		was, set := values[name]
		if !set {
			usual, any := values["default-src"]
			if !any {
				return // no policy forbids it
			}
			was = usual
		}
		if slices.ContainsFunc(was, func(v string) bool { return v == "*" || strings.EqualFold(v, "'self'") }) {
			return
		}
		now := slices.DeleteFunc(slices.Clone(was), func(v string) bool { return strings.EqualFold(v, "'none'") })
		if !set {
			directives = append(directives, name)
		}
		values[name] = append(now, "'self'")
	}
	allow("connect-src")
	allow("script-src")
	if _, set := values["script-src-elem"]; set {
		allow("script-src-elem")
	}
	parts := make([]string, len(directives))
	for i, name := range directives {
		parts[i] = strings.Join(append([]string{name}, values[name]...), " ")
	}
	return strings.Join(parts, "; ")
}
