package cite

import (
	"fmt"
	"net/url"
	"strings"
)

// tex escapes characters that have a meaning in TeX and BibTeX. Braces are replaced by commands, because BibTeX
// counts them even after a backslash.
var tex = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\textbraceleft{}`, "}", `\textbraceright{}`,
	"$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, `"`, `\textquotedbl{}`)

// BibTeX returns the work as an entry that BibTeX, biber and similar programs read.
func (w *Work) BibTeX() string {
	var b strings.Builder
	fmt.Fprintf(&b, "@misc{%s,\n", w.ID)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-12s = {%s},\n", name, value)
		}
	}
	var authors []string
	for _, a := range w.Authors {
		authors = append(authors, texAuthor(a))
	}
	field("author", strings.Join(authors, " and "))
	field("title", "{"+tex.Replace(clean(w.Title))+"}") // keeps its upper and lower case
	if w.In != "" {
		field("howpublished", tex.Replace(clean(w.In)))
	}
	if !w.Date.IsZero() {
		field("year", w.Date.Format("2006"))
		field("month", strings.ToLower(w.Date.Format("Jan")))
		field("date", w.Date.Format("2006-01-02"))
	}
	field("url", verbatim(w.address()))
	field("doi", verbatim(w.DOI))
	field("version", w.Revision[:min(12, len(w.Revision))])
	note := "Data revision sha256:" + w.Revision
	if w.Commit != "" {
		note += ", commit " + w.Commit
	}
	field("note", tex.Replace(note))
	b.WriteString("}\n")
	return b.String()
}

func texAuthor(a Author) string {
	if a.Family == "" {
		return "{" + tex.Replace(clean(a.String())) + "}" // a single name, whatever words it contains
	}
	part := func(s string) string {
		s = tex.Replace(clean(s))
		if strings.Contains(s, ",") || strings.Contains(" "+strings.ToLower(s)+" ", " and ") {
			return "{" + s + "}"
		}
		return s
	}
	if a.Given == "" {
		return "{" + tex.Replace(clean(a.Family)) + "}"
	}
	return part(a.Family) + ", " + part(a.Given)
}

// verbatim returns an address for a verbatim field. It escapes braces, backslashes, spaces and control
// characters.
func verbatim(address string) string {
	var b strings.Builder
	for _, r := range address {
		if r <= ' ' || r == '{' || r == '}' || r == '\\' || r == 0x7f {
			b.WriteString(url.PathEscape(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
