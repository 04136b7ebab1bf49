package address

import (
	"encoding/hex"
	"math/rand/v2"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/need"
)

func TestFileName(t *testing.T) {
	for id, want := range map[string]string{
		"jetson/qwen3-8b/high":     "jetson/qwen3-8b/high",
		"power=15W/功率 模式":          "power=15W/功率 模式",
		"a/../b":                   "a/~2E~2E/b",
		"CON/nul.txt/Com1/console": "~43ON/~6Eul~2Etxt/~43om1/console",
		"x./y /.z./ a":             "x~2E/y~20/~2Ez~2E/~20a",
		"./.git":                   "~2E/~2Egit",
		"a//b":                     "a/~/b",
		"":                         "~",
		"index.html/x":             "index~2Ehtml/x",
		"index.html":               "~69ndex.html",
		"index/Index":              "index/~49ndex",
		"a.html/b.TXT/c.zst":       "a~2Ehtml/b~2ETXT/c.zst",
		"v0.11.txt./.csv/b":        "v0.11.txt~2E/~2Ecsv/b",
		`c:\x?y*"<z>|#1%`:          "c~3A~5Cx~3Fy~2A~22~3Cz~3E~7C~231~25",
		"tilde~1":                  "tilde~7E1",
		"line\nbreak":              "line~0Abreak",
		"broken\xff":               "broken~FF",
		"\xff":                     "~FF",
	} {
		if got := FileName(id); got != want {
			t.Errorf("fileName(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestLink(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"index.html", "style.css", "style.css"},
		{"en/posts/a/index.html", "en/runs/x=1/功.html", "../../../en/runs/x=1/%E5%8A%9F.html"},
		{"a/index.html", "b c/d&e/index.html", "../b%20c/d&e/index.html"},
	} {
		if got := Link(c.from, c.to); got != c.want {
			t.Errorf("Link(%q, %q) = %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

// FuzzFileName checks for any id that its page stays below its folder, that no two ids share a page, and that a browser
// that follows the link requests the page.
func FuzzFileName(f *testing.F) {
	for _, id := range []string{"a/b", "../x", "~", "", "/", "a//", "index.html", "a\xffb", "%2e%2e/", "C:\\", "~2E"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		name := FileName(id)
		full := "runs/" + name + ".html"
		if path.Clean(full) != full || !strings.HasPrefix(path.Clean(full), "runs/") {
			t.Errorf("%q yields %q, which is not a clean path", id, full)
		}
		if back := unescapeName(t, name); back != id && !strings.Contains(name, "~-") {
			t.Errorf("%q yields %q, which reads back as %q", id, name, back)
		}
		at, _ := url.Parse("https://example.org/base/posts/p/index.html")
		ref, err := url.Parse(Link("posts/p/index.html", full))
		if err != nil {
			t.Fatal(err)
		}
		if got := at.ResolveReference(ref).Path; got != "/base/"+full {
			t.Errorf("%q: the link leads to %q, want %q", id, got, "/base/"+full)
		}
	})
}

// TestFileNamesAreGoodEverywhere checks that no step of a path is too long or has a special meaning on Windows or in a
// browser.
func TestFileNamesAreGoodEverywhere(t *testing.T) {
	t.Parallel()
	reserved := regexp.MustCompile(`(?i)^(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\.|$)`)
	parts := []string{"a", "B", ".", " ", "/", "con", "NUL", "com¹", ".txt", "lpt9 .x", "模型", "é", "e\u0301", "~", "~-", ":", "*", "\xff", "\x1b", "\u202e", strings.Repeat("long", 30), strings.Repeat("长", 40), "index.html", ""}
	random := rand.New(rand.NewPCG(1, 2))
	var alone *Book
	seen := map[string]string{}
	for range need.Times(2000, 50_000) {
		id := ""
		for range random.IntN(12) {
			id += parts[random.IntN(len(parts))]
		}
		name := FileName(id)
		if other, taken := seen[name]; taken && other != id {
			t.Fatalf("%q and %q are both %q", other, id, name)
		}
		seen[name] = id
		for _, file := range []string{alone.Run(id), JSON(id), alone.RawText(id), alone.Raw(id, ".zst"), alone.Raw(id, ".zip"), alone.Raw(id, ".tar"), alone.Raw(id, ".tar.gz")} {
			if len(file) > 300 || len(alone.Run(id)) > 180 {
				t.Fatalf("%q has the path %q", id, file)
			}
			for _, step := range strings.Split(file, "/") {
				if len(step) > mostSegment+len("~.json") || step == "" || strings.ContainsAny(step, `\:*?"<>|`) || strings.HasPrefix(step, ".") || strings.HasSuffix(step, ".") || strings.HasSuffix(step, " ") ||
					reserved.MatchString(step) || !utf8.ValidString(step) || strings.ContainsFunc(step, func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Fatalf("%q has the step %q", id, step)
				}
			}
		}
	}
	long := strings.Repeat("x", 300)
	if a, b := alone.Model(long+"1"), alone.Model(long+"2"); a == b || len(a) > 130 || a != alone.Model(long+"1") {
		t.Errorf("%q, %q", a, b)
	}
}

// unescapeName undoes fileName.
func unescapeName(t *testing.T, name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		if s == "~" {
			segments[i] = ""
			continue
		}
		var b strings.Builder
		for j := 0; j < len(s); j++ {
			if s[j] != '~' {
				b.WriteByte(s[j])
				continue
			}
			if j+1 < len(s) && s[j+1] == '-' { // a checksum
				break
			}
			c, err := hex.DecodeString(s[j+1 : j+3])
			if err != nil {
				t.Fatal(err)
			}
			b.Write(c)
			j += 2
		}
		segments[i] = b.String()
	}
	return strings.Join(segments, "/")
}
