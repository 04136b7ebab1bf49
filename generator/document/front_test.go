package document

import (
	"fmt"
	"testing"
)

// TestAKeyIsFoundWhereItIs: a mistake is reported on the line of its own key, even if the same key occurs
// earlier in a multi-line text, a table or a comment.
func TestAKeyIsFoundWhereItIs(t *testing.T) {
	t.Parallel()
	src := "+++\ntitle = 'T'\n# slug = 1\ndate = 2026-01-01\nexcerpt = '''\nslug = 2\n'''\nnote = { slug = 'x',\n  author = [{ slug = 'b', b = 1, a = 2 }, { a = 3, slug = 'c' }] }\nslug = 7\n+++\n\nText.\n"
	doc, ms := Parse("p.en.md", []byte(src), Options{})
	if len(ms) != 1 || ms[0].ID != "post.wrong-type" || ms[0].Pos.Line != 10 {
		t.Errorf("%v", ms)
	}
	if got := fmt.Sprint(doc.Front.Extra); got != "[{note [{slug x} {author [[{slug b} {b 1} {a 2}] [{a 3} {slug c}]]}]}]" {
		t.Errorf("tables are not in their order: %s", got)
	}
}
