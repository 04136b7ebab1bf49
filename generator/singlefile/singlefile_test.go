package singlefile

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"
)

const page = `<!DOCTYPE html>
<html lang="en"><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'">
<link rel="alternate" hreflang="zh" href="../../zh/posts/x/index.html">
<link rel="icon" type="image/svg+xml" href="../../icon.svg">
<link rel="stylesheet" href="../../style.css">
<script src="../../theme.js"></script>
<script src="../../post.js" defer></script>
<script type="application/json" id="words">{"a":"\u003c/script>"}</script>
</head><body>
<nav><a href="../../index.html">Home</a></nav>
<nav class="toc"><a href="#part">Part</a></nav>
<p>Before<a href="../../zh/posts/x/index.html" hreflang="zh">中文</a></p>
<h2 id="part">Part</h2>
<figure><a href="chart.png"><svg viewBox="0 0 1 1"><path d="M0 0"/></svg></a><a href="chart.png">PNG</a><a href="chart.csv">Data</a></figure>
<img src="photo.jpg" alt="">
<td><a href="../../runs/a/index.html#L4" title="runs/a.log:4">298.07</a></td>
<p>Of two runs.<span data-site> Each leads on.</span></p>
<a href="index.html#part">here</a> <a href="https://example.org/">elsewhere</a> <a href="mailto:a@b.c">mail</a>
</body></html>`

var files = map[string]string{
	"icon.svg": "<svg/>", "style.css": "p{color:red}", "theme.js": "early()", "post.js": "late()",
	"posts/x/chart.png": "png", "posts/x/chart.csv": "a,b", "posts/x/photo.jpg": "jpg",
}

func pack(t *testing.T, base string) string {
	t.Helper()
	got, err := Pack(site(base), "posts/x/index.html", []byte(page))
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func site(base string) Site {
	return Site{Base: base,
		Open: func(path string) ([]byte, error) {
			if s, ok := files[path]; ok {
				return []byte(s), nil
			}
			return nil, fs.ErrNotExist
		},
		Inside: func(path string) bool { return strings.HasPrefix(path, "posts/x/chart") },
	}
}

func TestAPageContainsAllThatItNeeds(t *testing.T) {
	got := pack(t, "")
	for _, want := range []string{
		"<style>p{color:red}</style>",
		"<script>early()</script>",
		"<script>late()</script>\n</body>", // it runs after the page has loaded
		`<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,`,
		`<img src="data:image/jpeg;base64,anBn"`,
		`<a href="data:image/png;base64,cG5n" download="chart.png">PNG</a>`,
		`<a href="data:text/csv;charset=utf-8;base64,YSxi" download="chart.csv">Data</a>`,
		`<span><svg viewBox="0 0 1 1">`, // the picture itself is on the page
		`{"a":"\u003c/script>"}`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "../") {
		t.Errorf("something leads out of the file:\n%s", got)
	}
}

func TestLinksWithoutASite(t *testing.T) {
	got := pack(t, "")
	for _, want := range []string{
		`<a href="#part">Part</a>`, `<a href="#part">here</a>`, `<a href="https://example.org/">`, `<a href="mailto:a@b.c">`,
		`<span title="runs/a.log:4">298.07</span>`, // its source is still shown
		"<p>Before</p>", "<p>Of two runs.</p>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Home") {
		t.Errorf("a navigation that leads nowhere is left:\n%s", got)
	}
}

func TestLinksToASite(t *testing.T) {
	got := pack(t, "https://example.org/bench/")
	for _, want := range []string{
		`<a href="https://example.org/bench/index.html">Home</a>`, "Each leads on.",
		`<a href="https://example.org/bench/runs/a/index.html#L4" title="runs/a.log:4">298.07</a>`,
		`<link rel="alternate" hreflang="zh" href="https://example.org/bench/zh/posts/x/index.html"/>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

func TestThePolicyAllowsWhatIsInThePageAndNothingElse(t *testing.T) {
	got := pack(t, "")
	if strings.Count(got, "sha256-") != 3 || strings.Contains(got, "unsafe") || strings.Contains(got, "&#39;self&#39;") {
		t.Errorf("want one style and two scripts allowed:\n%s", got[:600])
	}
}

func TestWhatThePolicyForbadeStaysForbidden(t *testing.T) {
	got, err := Pack(site(""), "posts/x/index.html", []byte(`<meta http-equiv="Content-Security-Policy" content="x"><p><script>alert(1)</script><style>p{}</style>`))
	if err != nil || !strings.Contains(string(got), "style-src &#39;none&#39;; script-src &#39;none&#39;") {
		t.Errorf("%v: %s", err, got)
	}
}

func TestPackingIsDeterministic(t *testing.T) {
	if a, b := pack(t, ""), pack(t, ""); !bytes.Equal([]byte(a), []byte(b)) {
		t.Error("two packings differ")
	}
}

func TestWhatIsMissingIsAnError(t *testing.T) {
	_, err := Pack(site(""), "posts/x/index.html", []byte(`<img src="gone.png">`))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestAScriptThatWouldEndItselfIsRefused(t *testing.T) {
	s := site("")
	s.Open = func(string) ([]byte, error) { return []byte(`x = "</SCRIPT>"`), nil }
	if _, err := Pack(s, "index.html", []byte(`<script src="a.js"></script>`)); err == nil || !strings.Contains(err.Error(), "a.js") {
		t.Errorf("got %v", err)
	}
}
