// Package singlefile turns a page and all files it needs into one HTML file that can be mailed or stored. Style
// sheets, scripts and images are embedded. The file needs neither a server nor the site.
package singlefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Site is the source of a page. Paths are slash-separated and relative to the site's root.
type Site struct {
	Base string // the site's address, with a slash at its end; "" if it has none

	// Open returns a file of the site.
	Open func(path string) ([]byte, error)

	// Inside reports whether a file that the page links to is embedded, so that readers can save it. Links to
	// other files lead to Base. Without a Base they become plain text.
	Inside func(path string) bool
}

// Pack returns the page at a path of the site as one file. The same files always give the same bytes.
func Pack(site Site, at string, page []byte) ([]byte, error) {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	p := &packer{site: site, at: at}
	if err := p.walk(root); err != nil {
		return nil, err
	}
	p.runLast(root)
	p.allow(root)
	var out bytes.Buffer
	err = html.Render(&out, root)
	return out.Bytes(), err
}

type packer struct {
	site   Site
	at     string       // path of the page
	styles []string     // embedded styles, which the policy must allow
	script []string     // embedded scripts, which the policy must allow
	last   []*html.Node // scripts that run after the page has loaded
}

// walk embeds what the elements below n refer to.
func (p *packer) walk(n *html.Node) error {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode {
			if err := p.element(c); err != nil {
				return err
			}
		}
		if c.Parent != nil { // it may have been removed
			if err := p.walk(c); err != nil {
				return err
			}
			if c.DataAtom == atom.Nav && !contains(c, atom.A) {
				n.RemoveChild(c)
			}
		}
		c = next
	}
	return nil
}

func (p *packer) element(n *html.Node) error {
	if p.site.Base == "" && attribute(n, ofTheSite) != nil {
		n.Parent.RemoveChild(n)
		return nil
	}
	switch n.DataAtom {
	case atom.Link:
		return p.link(n)
	case atom.Script:
		return p.scriptElement(n)
	case atom.Img, atom.Source, atom.Video, atom.Audio:
		for i := range n.Attr {
			if a := &n.Attr[i]; a.Key == "src" || a.Key == "poster" {
				if err := p.embed(a); err != nil {
					return err
				}
			}
		}
	case atom.A:
		return p.anchor(n)
	}
	return nil
}

// local returns the path of the site to which an address leads. ok is false for other addresses and for those
// on the page itself.
func (p *packer) local(address string) (file, fragment string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", "", false
	}
	if u.Fragment != "" {
		fragment = "#" + u.EscapedFragment()
	}
	return path.Join(path.Dir(p.at), u.Path), fragment, true
}

func (p *packer) embed(a *html.Attribute) error {
	file, _, ok := p.local(a.Val)
	if !ok {
		return nil
	}
	data, err := p.site.Open(file)
	if err != nil {
		return err
	}
	a.Val = dataURL(file, data)
	return nil
}

func (p *packer) link(n *html.Node) error {
	href := attribute(n, "href")
	if href == nil {
		return nil
	}
	file, _, local := p.local(href.Val)
	switch rel := value(n, "rel"); {
	case !local:
	case rel == "stylesheet":
		data, err := p.site.Open(file)
		if err != nil {
			return err
		}
		style := strings.ReplaceAll(string(data), "</", `<\/`) // the same inside a CSS string; it occurs nowhere else
		p.styles = append(p.styles, style)
		replace(n, element(atom.Style, style))
	case rel == "icon":
		return p.embed(href)
	case p.site.Base != "":
		href.Val = p.address(file)
	default:
		n.Parent.RemoveChild(n)
	}
	return nil
}

// scriptElement embeds a script. A deferred script is moved to the end of the page, because inline scripts
// cannot be deferred.
func (p *packer) scriptElement(n *html.Node) error {
	src := attribute(n, "src")
	if src == nil {
		return nil
	}
	file, _, ok := p.local(src.Val)
	if !ok {
		return nil
	}
	data, err := p.site.Open(file)
	if err != nil {
		return err
	}
	code := string(data)
	if lower := strings.ToLower(code); strings.Contains(lower, "</script") || strings.Contains(lower, "<!--") {
		return fmt.Errorf("%s cannot be put into a page: it contains what would end the script", file)
	}
	p.script = append(p.script, code)
	in := element(atom.Script, code)
	if attribute(n, "defer") == nil {
		replace(n, in)
		return nil
	}
	n.Parent.RemoveChild(n)
	p.last = append(p.last, in)
	return nil
}

func (p *packer) runLast(root *html.Node) {
	body := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Body })
	for _, s := range p.last {
		body.AppendChild(s)
		body.AppendChild(&html.Node{Type: html.TextNode, Data: "\n"})
	}
}

// anchor keeps the target of a link reachable, if possible.
func (p *packer) anchor(n *html.Node) error {
	href := attribute(n, "href")
	if href == nil {
		return nil
	}
	file, fragment, ok := p.local(href.Val)
	if !ok {
		return nil
	}
	switch {
	case file == p.at && fragment != "":
		href.Val = fragment
	case p.site.Inside(file):
		if strings.TrimSpace(text(n)) == "" || contains(n, atom.Svg) { // the image itself is on the page
			unlink(n)
			return nil
		}
		if err := p.embed(href); err != nil {
			return err
		}
		n.Attr = append(n.Attr, html.Attribute{Key: "download", Val: path.Base(file)})
	case p.site.Base != "":
		href.Val = p.address(file) + fragment
	case isFurniture(n):
		n.Parent.RemoveChild(n)
	default:
		unlink(n)
	}
	return nil
}

func (p *packer) address(file string) string {
	return p.site.Base + (&url.URL{Path: file}).EscapedPath()
}

// allow restricts the page's policy to the embedded styles and scripts. Other inline code, such as a script in
// a post, stays forbidden.
func (p *packer) allow(root *html.Node) {
	meta := find(root, func(n *html.Node) bool {
		return n.DataAtom == atom.Meta && strings.EqualFold(value(n, "http-equiv"), "Content-Security-Policy")
	})
	if meta == nil {
		return
	}
	policy := "default-src 'none'; img-src data:; media-src data:; style-src" + hashes(p.styles) + "; script-src" + hashes(p.script) + "; base-uri 'none'; form-action 'none'"
	attribute(meta, "content").Val = policy
}

// hashes returns policy sources that allow exactly these texts.
func hashes(texts []string) string {
	if len(texts) == 0 {
		return " 'none'"
	}
	var b strings.Builder
	for _, s := range texts {
		sum := sha256.Sum256([]byte(s))
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return b.String()
}

// types maps file name extensions to media types. It does not depend on the machine.
var types = map[string]string{
	".avif": "image/avif", ".css": "text/css", ".csv": "text/csv", ".gif": "image/gif", ".html": "text/html", ".jpeg": "image/jpeg",
	".jpg": "image/jpeg", ".json": "application/json", ".log": "text/plain", ".md": "text/markdown", ".mp3": "audio/mpeg", ".mp4": "video/mp4",
	".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml", ".txt": "text/plain", ".webm": "video/webm", ".webp": "image/webp",
}

func dataURL(file string, data []byte) string {
	kind := types[strings.ToLower(path.Ext(file))]
	if kind == "" {
		kind = "application/octet-stream"
	}
	if strings.HasPrefix(kind, "text/") || kind == "application/json" {
		kind += ";charset=utf-8"
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

// ofTheSite marks elements that are correct or useful only together with the rest of the site.
const ofTheSite = "data-site"

// isFurniture reports whether a link belongs to the site rather than to the content of the page. Without the
// site it leads nowhere.
func isFurniture(n *html.Node) bool {
	if attribute(n, "hreflang") != nil {
		return true
	}
	for up := n.Parent; up != nil; up = up.Parent {
		class := strings.Fields(value(up, "class"))
		if up.DataAtom == atom.Nav || slices.Contains(class, "switches") || slices.Contains(class, "colophon") {
			return true
		}
	}
	return false
}

// unlink turns a link into plain text. Its title stays.
func unlink(n *html.Node) {
	n.Data, n.DataAtom = "span", atom.Span
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		return slices.Contains([]string{"href", "hreflang", "rel", "type", "download"}, a.Key)
	})
}

func element(a atom.Atom, content string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: a.String(), DataAtom: a}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: content})
	return n
}

func replace(old, with *html.Node) {
	old.Parent.InsertBefore(with, old)
	old.Parent.RemoveChild(old)
}

func attribute(n *html.Node, key string) *html.Attribute {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return nil
	}
	return &n.Attr[i]
}

func value(n *html.Node, key string) string {
	if a := attribute(n, key); a != nil {
		return a.Val
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func find(n *html.Node, is func(*html.Node) bool) *html.Node {
	for c := range n.Descendants() {
		if is(c) {
			return c
		}
	}
	return nil
}

func contains(n *html.Node, a atom.Atom) bool {
	return find(n, func(c *html.Node) bool { return c.DataAtom == a }) != nil
}
