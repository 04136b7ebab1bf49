package document

import (
	"encoding/xml"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// normalHTML normalises HTML so that texts that look the same to a reader are equal. It ignores white space,
// notations of entities, the order of attributes, and the additions of each renderer: anchors, scrolling, and
// the markup around footnotes and task lists.
func normalHTML(html string) string {
	html = regexp.MustCompile(`(?s)<section class="footnotes".*?<ol>(.*)</ol>\n</section>`).ReplaceAllString(html, "<footnotes>$1</footnotes>")
	html = regexp.MustCompile(`(?s)<div class="footnotes".*?<ol>(.*)</ol>\n</div>`).ReplaceAllString(html, "<footnotes>$1</footnotes>")
	html = regexp.MustCompile(`\s*<a class="anchor"[^>]*>#</a>`).ReplaceAllString(html, "")
	html = regexp.MustCompile(`(?:&nbsp;|\x{a0}|\s)*<a href="#fnref[^>]*>[^<]*(?:<sup>\d+</sup>)?</a>`).ReplaceAllString(html, "")
	html = regexp.MustCompile(`(?s)<div class="table-scroll"[^>]*>\n(.*?</table>)\n</div>`).ReplaceAllString(html, "$1")
	html = regexp.MustCompile(`<pre tabindex="0"[^>]*><code`).ReplaceAllString(html, "<pre><code")
	html = regexp.MustCompile(` (?:class="task-list[^"]*"|markdown="[^"]*")`).ReplaceAllString(html, "")
	html = strings.ReplaceAll(html, ` style="display: block; overflow-x: auto"`, "")
	// Alignment: kramdown uses style attributes, the pages use classes.
	html = strings.NewReplacer(` style="text-align: right"`, ` class="num"`, ` style="text-align: center"`, ` class="mid"`, ` style="text-align: left"`, "").Replace(html)
	html = regexp.MustCompile(`(role="doc-noteref">)\[(\d+)\]`).ReplaceAllString(html, "$1$2")
	// Formulas: the notation of a blog's scripts.
	html = regexp.MustCompile(`(?s)<pre class="math" tabindex="0"><code class="math">(.*?)</code></pre>`).ReplaceAllString(html, `\[$1\]`)
	html = regexp.MustCompile(`(?s)<code class="math">(.*?)</code>`).ReplaceAllString(html, `\($1\)`)
	html = strings.NewReplacer("<span>$</span>", "$", `\vert `, "|", `\vert\)`, `|\)`).Replace(html)
	html = regexp.MustCompile(`<!--.*?-->`).ReplaceAllString(html, "")
	d := xml.NewDecoder(strings.NewReader(html))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var out []string
	pre := 0
	for {
		t, err := d.Token()
		if err != nil {
			if err != io.EOF {
				out = append(out, "ERROR")
			}
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "pre" {
				pre++
			}
			var attrs []string
			for _, a := range t.Attr {
				name, value := a.Name.Local, a.Value
				switch {
				case name == "href" || name == "src":
					if u, err := url.PathUnescape(value); err == nil {
						value = u
					}
					if strings.HasPrefix(value, "#fn:") {
						continue
					}
				case strings.HasPrefix(value, "fn:") || strings.HasPrefix(value, "fnref:"):
					continue
				case name == "role" || name == "rel" || name == "class" && value == "footnote",
					name == "checked", name == "disabled":
					continue
				case name == "class":
					value = regexp.MustCompile(`^language-`).ReplaceAllString(value, "language-")
				}
				attrs = append(attrs, " "+name+"="+strings.Join(strings.Fields(value), " "))
			}
			slices.Sort(attrs)
			out = append(out, "<"+t.Name.Local+strings.Join(attrs, "")+">")
		case xml.EndElement:
			if t.Name.Local == "pre" {
				pre--
			}
			out = append(out, "</"+t.Name.Local+">")
		case xml.CharData:
			s := string(t)
			if pre == 0 {
				s = regexp.MustCompile(`[ \t\n]+`).ReplaceAllString(s, " ")
			} else {
				s = strings.TrimRight(s, "\n")
			}
			if s != "" {
				out = append(out, s)
			}
		}
	}
	s := strings.Join(out, "")
	blocks := `p|ul|ol|li|h[1-6]|blockquote|pre|table|thead|tbody|tr|td|th|hr|div|section|footnotes|details|summary|dl|dt|dd|figure|br`
	s = regexp.MustCompile(`\s*(</?(?:`+blocks+`)(?: [^>]*)?>)\s*`).ReplaceAllString(s, "$1")
	s = regexp.MustCompile(`(<t[dh][^>]*>)\x{a0}(</t[dh]>)`).ReplaceAllString(s, "$1$2")
	s = strings.ReplaceAll(s, "<p></p>", "")
	s = strings.ReplaceAll(s, "<input type=checkbox></input> ", "<input type=checkbox></input>")
	return strings.TrimSpace(s)
}
