// Package held extracts the whole file from a run's page, as the script of the page saves it.
package held

import (
	"html"
	"regexp"
	"strings"
)

var (
	link   = regexp.MustCompile(`<a href="#raw" data-save="([^"]*)">`)
	source = regexp.MustCompile(`(?s)<pre class="source" tabindex="0"><code>(.*?)</code></pre>`)
	beside = regexp.MustCompile(`(?s)<(em|a)\b[^>]*>.*?</(em|a)>|<[^>]*>`)
)

// File returns the file that a page saves, with its name. ok is false if the page saves none.
func File(page []byte) (name, text string, ok bool) {
	m := link.FindSubmatch(page)
	if m == nil {
		return "", "", false
	}
	var b strings.Builder
	for _, block := range source.FindAllSubmatch(page, -1) {
		b.WriteString(html.UnescapeString(beside.ReplaceAllString(string(block[1]), "")))
	}
	return html.UnescapeString(string(m[1])), b.String(), true
}
