package parts

import (
	"fmt"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// OpenFinding opens an entry of a list of problems: its severity, and the rule that found it.
func (w *Writer) OpenFinding(s result.Severity, id string, p locale.Printer) {
	w.OpenVerdict(s.String(), id, "", p)
}

// OpenVerdict opens an entry. class has a word in the catalogue. id is shown on hover, "" for none. rule is the link to
// the definition of the check, escaped for markup, "" for none.
func (w *Writer) OpenVerdict(class, id, rule string, p locale.Printer) {
	element := "span"
	if rule != "" {
		element = "a"
	}
	w.Tag(`<li class="`, class, `"><`, element)
	if rule != "" {
		w.Tag(` href="`, rule, `"`)
	}
	w.Tag(` class="severity"`)
	if id != "" {
		w.Tag(` title="`)
		w.Text(id)
		w.Tag(`"`)
	}
	w.Tag(">", p.Words("page.severity."+class), "</", element, "> <div>")
}

// Hint appends the advice of a message. Its further lines are text to copy.
func (w *Writer) Hint(hint string) {
	if hint == "" {
		return
	}
	first, paste, _ := strings.Cut(hint, "\n")
	w.Tag(` <small class="hint">`)
	w.Text(first)
	w.Tag("</small>")
	if paste != "" {
		w.Tag("<pre><code>")
		w.Text(paste)
		w.Tag("</code></pre>")
	}
}

// Size writes a number of bytes with a unit.
func Size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
