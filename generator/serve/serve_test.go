package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
)

// site makes a small site on disk.
func site(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"index.html":             `<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="` + page.Policy + `"><title>Home</title></head><body><main><p>home</p></main></body></html>`,
		"runs/a b/文/index.html":  `<!DOCTYPE html><html lang="zh-CN"><head><title>文</title></head><body></body></html>`,
		"bare.html":              `<p>No head at all`,
		"404.html":               `<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src data:"><title>404</title></head><body>nothing here</body></html>`,
		"style.css":              "body { color: black }",
		"script/site.js":         "1;",
		"data/index.json":        "{}",
		"data/results.csv":       "a,b\n1,2\n",
		"data/results.parquet":   "PAR1",
		"chart.png":              "\x89PNG",
		"favicon.svg":            `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
		"feed.xml":               "<feed/>",
		"sitemap.xml":            "<urlset/>",
		"raw/a/vllm.log":         "0123456789",
		"raw/a/no-ending":        "text",
		"raw/a/strange.xyz":      "bytes",
		".benchpost-files":       "secret",
		"raw/.hidden/secret.txt": "secret",
		"folder/note.txt":        "no index here",
	} {
		put(t, dir, name, text)
	}
	outside := t.TempDir()
	put(t, outside, "secret.txt", "secret")
	if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(dir, "raw", "link.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "raw", "linked")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// serving starts a server and stops it at the end of the test.
func serving(t testing.TB, opt Options) *Server {
	t.Helper()
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
	return s
}

// asked sends a raw request, also one that no client would send.
func asked(t testing.TB, s *Server, request string) (status int, header http.Header, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(need.Patience))
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%.100q: %v", request, err)
	}
	defer answer.Body.Close()
	data, _ := io.ReadAll(answer.Body) // a stream does not end
	return answer.StatusCode, answer.Header, string(data)
}

func get(t testing.TB, s *Server, path string, headers ...string) (int, http.Header, string) {
	t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(s.Address(), "http://"), "/")
	head := "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
	for _, h := range headers {
		head += h + "\r\n"
	}
	return asked(t, s, head+"\r\n")
}

func TestFilesAreServedByTheirPaths(t *testing.T) {
	s := serving(t, Options{Dir: site(t)})
	for _, c := range []struct{ path, kind, body string }{
		{"/", "text/html; charset=utf-8", "<p>home</p>"},
		{"/index.html", "text/html; charset=utf-8", "<p>home</p>"},
		{"/index.html?v=1", "text/html; charset=utf-8", "<p>home</p>"},
		{"/runs/a%20b/%E6%96%87/", "text/html; charset=utf-8", "<title>文</title>"},
		{"/runs/a%20b/%E6%96%87/index.html", "text/html; charset=utf-8", "<title>文</title>"},
		{"/style.css", "text/css; charset=utf-8", "black"},
		{"/script/site.js", "text/javascript; charset=utf-8", "1;"},
		{"/data/index.json", "application/json", "{}"},
		{"/data/results.csv", "text/csv; charset=utf-8", "1,2"},
		{"/data/results.parquet", "application/vnd.apache.parquet", "PAR1"},
		{"/chart.png", "image/png", "PNG"},
		{"/favicon.svg", "image/svg+xml", "<svg"},
		{"/feed.xml", "application/atom+xml; charset=utf-8", "<feed"},
		{"/sitemap.xml", "application/xml; charset=utf-8", "<urlset"},
		{"/raw/a/vllm.log", "text/plain; charset=utf-8", "0123456789"},
		{"/raw/a/no-ending", "text/plain; charset=utf-8", "text"},
		{"/raw/a/strange.xyz", "application/octet-stream", "bytes"},
		{"/.benchpost/live.js", "text/javascript; charset=utf-8", "benchpost"},
	} {
		status, header, body := get(t, s, c.path)
		if status != 200 || header.Get("Content-Type") != c.kind || !strings.Contains(body, c.body) {
			t.Errorf("%s: %d, %s\n%.200s", c.path, status, header.Get("Content-Type"), body)
		}
		for name, value := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache", "X-Frame-Options": "SAMEORIGIN",
			"Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "same-origin",
		} {
			if header.Get(name) != value {
				t.Errorf("%s: %s is %q", c.path, name, header.Get(name))
			}
		}
	}
	// A picture from a run that is opened as a document executes nothing.
	if _, header, _ := get(t, s, "/favicon.svg"); !strings.Contains(header.Get("Content-Security-Policy"), "sandbox") {
		t.Error("a picture may run scripts")
	}
}

func TestAFolderIsItsIndex(t *testing.T) {
	s := serving(t, Options{Dir: site(t)})
	for path, to := range map[string]string{
		"/runs/a%20b/%E6%96%87":     "/runs/a%20b/%E6%96%87/",
		"/runs/a%20b/%E6%96%87?x=1": "/runs/a%20b/%E6%96%87/?x=1",
		"/folder":                   "/folder/",
	} {
		if status, header, _ := get(t, s, path); status != 302 || header.Get("Location") != to {
			t.Errorf("%s: %d, to %s", path, status, header.Get("Location"))
		}
	}
	if status, _, body := get(t, s, "/folder/"); status != 404 || strings.Contains(body, "note.txt") {
		t.Errorf("a folder is listed: %d %s", status, body)
	}
}

// TestNoPathLeadsOut checks that no path reads files outside of the site or hidden files in it.
func TestNoPathLeadsOut(t *testing.T) {
	s := serving(t, Options{Dir: site(t)})
	for _, path := range []string{
		"/../secret.txt", "/raw/../../secret.txt", "/%2e%2e/secret.txt", "/raw/%2e%2e/%2e%2e/secret.txt", "/raw/..%2f..%2fsecret.txt",
		`/..\secret.txt`, `/raw\..\..\secret.txt`, "/raw/%5c..%5csecret.txt", "/%00", "/index.html%00.txt", "/raw/%0d%0aX-Evil:1",
		"//etc/passwd", "///etc/passwd", "/raw//a/vllm.log", "/./index.html", "/%2e/index.html", "/raw/a/./vllm.log",
		"/raw/link.txt", "/raw/linked/secret.txt", "/raw/linked/", "/raw/linked",
		"/.benchpost-files", "/%2ebenchpost-files", "/raw/.hidden/secret.txt", "/.benchpost/", "/.benchpost/other",
		"/%ff%fe", "/" + strings.Repeat("a/", 3000) + "x", "/" + strings.Repeat("a", 5000), "/index.html/", "/style.css/x",
	} {
		status, header, body := get(t, s, path)
		if status != 404 || strings.Contains(body, "secret") || header.Get("X-Evil") != "" {
			t.Errorf("%.80q: %d %.100s", path, status, body)
		}
	}
	// A path that looks like another host is not a path of the site.
	if status, header, _ := get(t, s, "//evil.example/"); status != 404 || header.Get("Location") != "" {
		t.Errorf("%d to %s", status, header.Get("Location"))
	}
}

func TestWhoMayAsk(t *testing.T) {
	s := serving(t, Options{Dir: site(t), Hosts: []string{"Bench.Example"}})
	port := strconv.Itoa(s.listener.Addr().(*net.TCPAddr).Port)
	for _, c := range []struct {
		request string
		want    int
	}{
		{"GET / HTTP/1.1\r\nHost: 127.0.0.1:" + port, 200},
		{"GET / HTTP/1.1\r\nHost: localhost:" + port, 200},
		{"GET / HTTP/1.1\r\nHost: LOCALHOST", 200},
		{"GET / HTTP/1.1\r\nHost: localhost:8080", 200}, // a forwarded port
		{"GET / HTTP/1.1\r\nHost: [::1]:" + port, 200},
		{"GET / HTTP/1.1\r\nHost: bench.example:" + port, 200},
		{"GET / HTTP/1.1\r\nHost: evil.example:" + port, 403},
		{"GET / HTTP/1.1\r\nHost: localhost.evil.example", 403},
		{"GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example", 403},
		{"GET / HTTP/1.1\r\nHost: 192.0.2.1:" + port, 403},
		{"GET / HTTP/1.1\r\nHost: ", 403},
		{"GET / HTTP/1.0", 403},
		{"GET http://evil.example/ HTTP/1.1\r\nHost: localhost", 403},
		{"GET /.benchpost/live.js HTTP/1.1\r\nHost: evil.example", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: evil.example", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost.evil.example", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:1", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\nOrigin: null", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\nOrigin: ::", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site", 403},
		{"GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-site", 403},
		{"GET /data/index.json HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script", 403},
		{"GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe", 403},
		{"GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", 200}, // a link elsewhere
		{"GET /.benchpost/events?page=../x.html HTTP/1.1\r\nHost: localhost", 400},
		{"GET /.benchpost/events?page=style.css HTTP/1.1\r\nHost: localhost", 400},
		{"GET /.benchpost/events?page=.x/index.html HTTP/1.1\r\nHost: localhost", 400},
		{"HEAD /.benchpost/events HTTP/1.1\r\nHost: localhost", 405},
		{"HEAD / HTTP/1.1\r\nHost: localhost", 200},
		{"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000", 405},
		{"POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Length: 0", 405},
		{"PUT /index.html HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0", 405},
		{"DELETE /index.html HTTP/1.1\r\nHost: localhost", 405},
		{"OPTIONS * HTTP/1.1\r\nHost: localhost", 405},
		{"TRACE / HTTP/1.1\r\nHost: localhost", 405},
		{"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 200<<10), 431},
		{"GET / HTTP/1.1\r\nHost: a\r\nHost: b", 400},
	} {
		status, header, body := asked(t, s, c.request+"\r\nConnection: close\r\n\r\n")
		if status != c.want {
			t.Errorf("%.90q: %d instead of %d", c.request, status, c.want)
		}
		if status == 405 && header.Get("Allow") == "" || status == 403 && len(body) < 20 {
			t.Errorf("%.90q: it gives no reason: %v %q", c.request, header, body)
		}
	}
	_, _, body := asked(t, s, "GET / HTTP/1.1\r\nHost: evil.example\r\nAccept-Language: fr, zh-TW;q=0.9\r\nConnection: close\r\n\r\n")
	if zh, _ := locale.For("zh"); strings.TrimSpace(body) != zh.Words("live.refused.host") {
		t.Errorf("the reason is in another language: %s", body)
	}
}

func TestTheMachineCallsItselfAsItLikes(t *testing.T) {
	for _, host := range []string{"localhost", "127.0.0.1", ""} {
		s := serving(t, Options{Dir: site(t), Host: host})
		for _, name := range []string{"localhost", "127.0.0.1", "[::1]:80"} {
			if status, _, _ := asked(t, s, "GET / HTTP/1.1\r\nHost: "+name+"\r\nConnection: close\r\n\r\n"); status != 200 {
				t.Errorf("listening on %q, asked as %s: %d", host, name, status)
			}
		}
	}
}

// TestAServerForTheNetwork checks that a server for all addresses accepts any IP address, but no unknown name.
func TestAServerForTheNetwork(t *testing.T) {
	s := serving(t, Options{Dir: site(t), Host: "0.0.0.0", Hosts: []string{"thor"}})
	if !strings.HasPrefix(s.Address(), "http://127.0.0.1:") {
		t.Errorf("%s", s.Address())
	}
	for host, want := range map[string]int{"192.0.2.7:80": 200, "thor": 200, "localhost": 200, "evil.example": 403} {
		if status, _, _ := asked(t, s, "GET / HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n"); status != want {
			t.Errorf("%s: %d", host, status)
		}
	}
}

func TestCachesAreAskedEachTime(t *testing.T) {
	dir := site(t)
	s := serving(t, Options{Dir: dir})
	for _, path := range []string{"/style.css", "/index.html", "/.benchpost/live.js"} {
		_, header, _ := get(t, s, path)
		tag := header.Get("Etag")
		if !strings.HasPrefix(tag, `"`) {
			t.Fatalf("%s has no strong tag: %q", path, tag)
		}
		if status, _, body := get(t, s, path, "If-None-Match: "+tag); status != 304 || body != "" {
			t.Errorf("%s: %d", path, status)
		}
		if status, _, _ := get(t, s, path, `If-None-Match: "other"`); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	// Two versions of the same length, written immediately after each other, are distinguished.
	for i := range 20 {
		text := fmt.Sprintf("body { color: #%03d }", i)
		put(t, dir, "style.css", text)
		if _, _, body := get(t, s, "/style.css"); body != text {
			t.Fatalf("%s instead of %s", body, text)
		}
	}
}

func TestParts(t *testing.T) {
	s := serving(t, Options{Dir: site(t)})
	status, header, body := get(t, s, "/raw/a/vllm.log", "Range: bytes=2-4")
	if status != 206 || body != "234" || header.Get("Content-Range") != "bytes 2-4/10" {
		t.Errorf("%d %s %v", status, body, header)
	}
	if status, _, _ := get(t, s, "/raw/a/vllm.log", "Range: bytes=20-"); status != 416 {
		t.Errorf("%d", status)
	}
	if status, _, body := get(t, s, "/raw/a/vllm.log", "Range: bytes=2-4", `If-Range: "other"`); status != 200 || body != "0123456789" {
		t.Errorf("%d %s", status, body)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	dir := site(t)
	s := serving(t, Options{Dir: dir})
	status, header, body := get(t, s, "/runs/to-come/")
	if status != 404 || !strings.Contains(body, "nothing here") || !strings.Contains(body, `data-page="runs/to-come/index.html" data-hash=""`) {
		t.Errorf("%d %s", status, body)
	}
	if header.Get("Cache-Control") != "no-store" {
		t.Errorf("it is kept: %v", header)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	status, _, body = get(t, s, "/", "Accept-Language: zh")
	if zh, _ := locale.For("zh"); status != 404 || !strings.Contains(body, zh.Words("page.404")) || !strings.Contains(body, livePath) {
		t.Errorf("without a folder: %d %s", status, body)
	}
	put(t, dir, "index.html", "<p>there again")
	if _, _, body := get(t, s, "/"); !strings.Contains(body, "there again") {
		t.Errorf("the folder was made anew: %s", body)
	}
}

func TestAPageIsWidenedByWhatItTakes(t *testing.T) {
	s := &Server{instance: "i", generation: 7}
	tag := `<script src="/.benchpost/live.js" defer data-page="a.html" data-hash="h" data-since="i.7"></script>`
	for _, c := range []struct{ name, source, want string }{
		{"a page of this server",
			`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + page.Policy + `"></head><body></body></html>`,
			`<!DOCTYPE html><html lang="en"><head>` + tag + `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + page.Policy + `; connect-src 'self'"></head><body></body></html>`},
		{"the page of what is not there", `<head><meta content="default-src 'none'; style-src data:" http-equiv='content-security-policy'>`,
			`<head>` + tag + `<meta content="default-src 'none'; style-src data:; connect-src 'self'; script-src 'self'" http-equiv='content-security-policy'>`},
		{"no head", `<p>text`, tag + `<p>text`},
		{"nothing", ``, tag},
		{"a comment first", "\ufeff<!-- <head> -->\n<!doctype html>\n<!-- x --><html><HEAD class=a><title>x</title>", "\ufeff<!-- <head> -->\n<!doctype html>\n<!-- x --><html><HEAD class=a>" + tag + "<title>x</title>"},
		{"a header is no head", `<!doctype html><header>x</header>`, `<!doctype html>` + tag + `<header>x</header>`},
		{"a policy in the text is text", `<head></head><body><meta http-equiv="Content-Security-Policy" content="default-src 'none'">`, `<head>` + tag + `</head><body><meta http-equiv="Content-Security-Policy" content="default-src 'none'">`},
		{"another meta", `<head><meta name="description" content="default-src 'none'">`, `<head>` + tag + `<meta name="description" content="default-src 'none'">`},
		{"quotes", `<head><meta http-equiv=Content-Security-Policy content='default-src &apos;none&apos;; img-src "'>`, `<head>` + tag + `<meta http-equiv=Content-Security-Policy content="default-src 'none'; img-src &#34;; connect-src 'self'; script-src 'self'">`},
	} {
		if got := string(s.alive([]byte(c.source), "a.html", "h")); got != c.want {
			t.Errorf("%s:\n%s\ninstead of\n%s", c.name, got, c.want)
		}
	}
}

func TestPolicies(t *testing.T) {
	for policy, want := range map[string]string{
		"":                                       "",
		"default-src 'self'":                     "default-src 'self'",
		"default-src *":                          "default-src *",
		"img-src 'none'":                         "img-src 'none'",
		"default-src 'none'":                     "default-src 'none'; connect-src 'self'; script-src 'self'",
		"connect-src 'none'":                     "connect-src 'self'",
		"CONNECT-SRC https:;":                    "connect-src https: 'self'",
		"default-src https:; connect-src 'self'": "default-src https:; connect-src 'self'; script-src https: 'self'",
		"default-src 'none'; default-src *":      "default-src 'none'; connect-src 'self'; script-src 'self'",
		"script-src 'none'; script-src-elem 'none'":                                   "script-src 'self'; script-src-elem 'self'",
		"default-src 'none'; script-src 'self'; style-src 'self'; form-action 'none'": "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'none'; connect-src 'self'",
	} {
		if got := widen(policy); got != want {
			t.Errorf("%s: %s instead of %s", policy, got, want)
		}
	}
}

func TestTheArchivedSiteStaysAsItIs(t *testing.T) {
	dir := site(t)
	before, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	s := serving(t, Options{Dir: dir})
	if _, _, body := get(t, s, "/"); !strings.Contains(body, livePath) {
		t.Error("the page does not follow the site")
	}
	if after, _ := os.ReadFile(filepath.Join(dir, "index.html")); !bytes.Equal(before, after) {
		t.Error("serving has changed a file")
	}
}

// TestFreshFiles checks that a fresh file is served before it is on disk, and no longer afterwards.
func TestFreshFiles(t *testing.T) {
	dir := site(t)
	s := serving(t, Options{Dir: dir})
	s.Put("style.css", []byte("fresh"))
	s.Put("new/index.html", []byte("<p>fresh page"))
	s.Put("chart.png", nil)
	for path, want := range map[string]string{"/style.css": "fresh", "/new/": "fresh page", "/chart.png": "nothing here"} {
		if _, _, body := get(t, s, path); !strings.Contains(body, want) {
			t.Errorf("%s: %s", path, body)
		}
	}
	s.Settle([]string{"style.css", "new/index.html", "chart.png"})
	for path, want := range map[string]string{"/style.css": "black", "/new/": "nothing here", "/chart.png": "PNG"} {
		if _, _, body := get(t, s, path); !strings.Contains(body, want) {
			t.Errorf("%s: %s", path, body)
		}
	}
}

func TestAPortInUse(t *testing.T) {
	s := serving(t, Options{Dir: t.TempDir()})
	port := s.listener.Addr().(*net.TCPAddr).Port
	_, err := New(Options{Dir: t.TempDir(), Port: port})
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(port)) || !strings.Contains(err.Error(), "--port") {
		t.Fatalf("%v", err)
	}
	if runtime.GOOS == "linux" && !strings.Contains(err.Error(), fmt.Sprintf("(process %d)", os.Getpid())) {
		t.Errorf("it does not name the process: %v", err)
	}
}

// follower reads the stream of a page.
type follower struct {
	*bufio.Scanner
	body io.Closer
}

func follow(t testing.TB, s *Server, query string) *follower {
	t.Helper()
	answer, err := http.Get(strings.TrimSuffix(s.Address(), "/") + eventsPath + "?" + query)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" {
		t.Fatalf("%s: %s", query, answer.Status)
	}
	t.Cleanup(func() { answer.Body.Close() })
	scanner := bufio.NewScanner(answer.Body)
	scanner.Buffer(nil, 1<<20)
	return &follower{scanner, answer.Body}
}

type heard struct {
	Since string
	Live  string
	Page  *string
	Files []string
	All   bool
	State *stateJSON
}

func (f *follower) next(t testing.TB) (n heard) {
	t.Helper()
	for f.Scan() {
		if data, ok := strings.CutPrefix(f.Text(), "data: "); ok && data != "0" {
			if err := json.Unmarshal([]byte(data), &n); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			return n
		}
	}
	t.Fatalf("the stream has ended: %v", f.Err())
	return n
}

func TestAPageReceivesWhatConcernsIt(t *testing.T) {
	dir := site(t)
	s := serving(t, Options{Dir: dir})
	first := follow(t, s, "page=index.html&lang=en&hash="+s.hash("index.html")+"&since="+s.since(0))
	if n := first.next(t); n.Page != nil || n.Files != nil || n.All || n.State == nil || n.Live != s.version {
		t.Errorf("at first: %+v", n)
	}
	if got := s.Open(); !slices.Equal(got, []string{"index.html"}) {
		t.Errorf("open: %v", got)
	}

	s.Put("bare.html", []byte("another page"))
	s.Changed([]string{"bare.html"}) // another page
	s.Put("index.html", []byte("<p>new home"))
	s.Changed([]string{"index.html", "style.css"})
	n := first.next(t)
	if n.Page == nil || *n.Page != sum([]byte("<p>new home")) || !slices.Equal(n.Files, []string{"style.css"}) {
		t.Errorf("%+v", n)
	}
	s.Say(State{Broken: true})
	if n := first.next(t); n.State == nil || !n.State.Broken || n.Page != nil {
		t.Errorf("%+v", n)
	}
	s.Put("index.html", nil)
	s.Changed([]string{"index.html"})
	if n := first.next(t); n.Page == nil || *n.Page != "" {
		t.Errorf("a page that is gone: %+v", n)
	}

	// A page that was away receives what it missed.
	again := follow(t, s, "page=index.html&hash=old&since="+s.since(1))
	if n := again.next(t); n.Page == nil || *n.Page != "" || n.All || !slices.Equal(n.Files, []string{"style.css"}) || !n.State.Broken {
		t.Errorf("%+v", n)
	}
	if got := s.Open(); !slices.Equal(got, []string{"index.html"}) {
		t.Errorf("open: %v", got)
	}
	// A page of another server must check for itself.
	other := follow(t, s, "page=bare.html&hash=&since=abc.1")
	if n := other.next(t); !n.All || n.Page == nil {
		t.Errorf("%+v", n)
	}
	if got := s.Open(); !slices.Equal(got, []string{"bare.html", "index.html"}) {
		t.Errorf("those looked at last are first: %v", got)
	}
}

func TestAPageThatMissedMuchLooksForItself(t *testing.T) {
	s := serving(t, Options{Dir: site(t)})
	for range 5 * changesKept {
		s.Changed([]string{"style.css"})
	}
	if len(s.changes) != changesKept {
		t.Errorf("%d changes are kept", len(s.changes))
	}
	if n := follow(t, s, "since="+s.since(3)).next(t); !n.All || n.Files != nil {
		t.Errorf("%+v", n)
	}
	many := make([]string, 3*filesListed)
	for i := range many {
		many[i] = fmt.Sprintf("raw/%d.txt", i)
	}
	f := follow(t, s, "since="+s.since(s.generation))
	if n := f.next(t); n.All {
		t.Errorf("%+v", n)
	}
	s.Changed(many)
	if n := f.next(t); !n.All || n.Files != nil {
		t.Errorf("%+v", n)
	}
}

// TestASlowReaderIsNotWaitedFor checks that a reader that does not read delays nobody.
func TestASlowReaderIsNotWaitedFor(t *testing.T) {
	s := serving(t, Options{Dir: site(t)})
	conn, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET /.benchpost/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	long := State{Faults: []Fault{{Message: result.Message{Text: locale.Lit(strings.Repeat("x", 1<<20))}}}}
	done := make(chan bool)
	go func() {
		for range 30 { // more than the buffers of a connection take
			s.Say(long)
			s.Changed([]string{"style.css"})
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(need.Patience):
		t.Fatal("the builder waits")
	}
}

func TestServeLeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	s, err := New(Options{Dir: site(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	f := follow(t, s, "page=index.html")
	f.next(t)
	conn, err := net.Dial("tcp", s.listener.Addr().String()) // sends no request
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(need.Patience):
		t.Fatal("it does not end")
	}
	for f.Scan() { // until it ends
	}
	f.body.Close()
	http.DefaultClient.CloseIdleConnections()
	if len(s.Open()) > 0 {
		t.Errorf("open: %v", s.Open())
	}
	again, err := net.Listen("tcp", s.listener.Addr().String())
	if err != nil {
		t.Errorf("the port is not free: %v", err)
	} else {
		again.Close()
	}
	need.Until(t, func() bool { return runtime.NumGoroutine() <= before }, func() string {
		buf := make([]byte, 1<<16)
		return fmt.Sprintf("goroutines are left: %s", buf[:runtime.Stack(buf, true)])
	})
}

// TestStateInWords checks that what pages show is in their language, and is escaped as text.
func TestStateInWords(t *testing.T) {
	s := serving(t, Options{Dir: site(t)})
	s.Say(State{
		Faults:  []Fault{{Message: result.Message{Pos: result.Position{File: "content/a.md", Line: 3}, Severity: result.Error, Text: locale.Textf("<b>no such run</b>"), Hint: locale.Textf("there is a")}, First: 2, Snippet: []string{"a", "b"}}},
		Notices: []Notice{{Message: result.Message{Severity: result.Warning, ID: "cache.warm", Text: locale.Textf("warm")}, Run: "x/y", Title: locale.Lit("y"), Page: "runs/x/文 y/index.html", Command: "vllm bench serve"}},
		Running: []Running{
			{Title: locale.Lit("z"), Done: 12000, Total: 48000, Elapsed: 3725 * time.Second, Left: 95 * time.Second, Rate: 3.456, Unit: "req/s"},
			{Title: locale.Lit("unknown"), Left: -1},
			{Title: locale.Lit("over"), Done: 7, Total: 5, Left: 0},
		},
	})
	for lang, want := range map[string][]string{
		"en":    {"12,000 of 48,000 · 3.46 req/s · 1 h 2 min elapsed · about 1 min 35 s left", "", "7 of 5 · about 0 s left"},
		"zh-CN": {"12,000 / 48,000 · 3.46 req/s · 已用 1 小时 2 分 · 约剩 1 分 35 秒", "", "7 / 5 · 约剩 0 秒"},
	} {
		state := follow(t, s, "lang="+lang).next(t).State
		for i, text := range want {
			if state.Running[i].Text != text {
				t.Errorf("%s: %q instead of %q", lang, state.Running[i].Text, text)
			}
		}
		if r := state.Running; r[0].Share != 0.25 || r[1].Share >= 0 || r[2].Share != 1 {
			t.Errorf("%+v", r)
		}
		if f := state.Faults[0]; f.Where != "content/a.md:3" || f.Text != "<b>no such run</b>" || f.Line != 3 || f.First != 2 {
			t.Errorf("%+v", f)
		}
		if n := state.Notices[0]; n.Href != "/runs/x/%E6%96%87%20y/index.html" || n.Command != "vllm bench serve" {
			t.Errorf("%+v", n)
		}
	}
}

func BenchmarkChangedWith50Streams(b *testing.B) {
	dir := site(b)
	s := serving(b, Options{Dir: dir})
	followers := make([]*follower, 50)
	for i := range followers {
		followers[i] = follow(b, s, "page=index.html&hash="+s.hash("index.html")+"&since="+s.since(0))
		followers[i].next(b)
	}
	for i := 0; b.Loop(); i++ {
		s.Put("index.html", fmt.Appendf(nil, "<p>%d", i))
		s.Changed([]string{"index.html"})
		for _, f := range followers {
			f.next(b)
		}
	}
}

func BenchmarkChangedAlone(b *testing.B) {
	s := serving(b, Options{Dir: site(b)})
	for range 50 {
		follow(b, s, "page=index.html&hash="+s.hash("index.html")+"&since="+s.since(0)).next(b)
	}
	for b.Loop() {
		s.Changed([]string{"index.html"})
	}
}
