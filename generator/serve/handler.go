package serve

import (
	"bytes"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// answer answers a request. It checks first who asks, then how, then what for.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	s.answering.Add(1)
	defer s.answering.Done()
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Cache-Control", "no-cache") // cached, but revalidated each time
	switch {
	case !s.known(r.Host):
		s.refuse(w, r, http.StatusForbidden, "live.refused.host")
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		s.refuse(w, r, http.StatusMethodNotAllowed, "live.refused.method")
	case embedded(r):
		s.refuse(w, r, http.StatusForbidden, "live.refused.origin")
	case r.URL.Path == eventsPath:
		if r.Method != http.MethodGet {
			h.Set("Allow", "GET")
			s.refuse(w, r, http.StatusMethodNotAllowed, "live.refused.method")
		} else if !ownPage(r) {
			s.refuse(w, r, http.StatusForbidden, "live.refused.origin")
		} else {
			s.events(w, r)
		}
	case r.URL.Path == livePath:
		send(w, r, "live.js", s.script, s.version)
	default:
		s.file(w, r)
	}
}

// known reports whether a request uses one of this server's names. A foreign page whose name was pointed at this
// machine (DNS rebinding) uses that name. A plain IP address cannot be pointed elsewhere.
func (s *Server) known(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if s.names[name] {
		return true
	}
	listening := net.ParseIP(s.host)
	return net.ParseIP(name) != nil && listening != nil && listening.IsUnspecified()
}

// ownPage reports whether a request comes from a page of this server, or from no page.
func ownPage(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		from, err := url.Parse(origin)
		return err == nil && strings.EqualFold(from.Host, r.Host)
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return false
}

// embedded reports whether a foreign page requests something to embed, such as a script with the site's data. Foreign
// pages may only link to pages.
func embedded(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
	}
	return false
}

// refuse explains in words why a request is refused, in the browser's language.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write([]byte(s.asked(r).Words(why) + "\n"))
	}
}

// asked returns the printer for the first of the browser's languages that benchpost has.
func (s *Server) asked(r *http.Request) locale.Printer {
	for tag := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, _, _ = strings.Cut(tag, ";")
		if p, ok := locale.For(strings.TrimSpace(tag)); ok {
			return p
		}
	}
	return s.printer
}

const index = "index.html"

// file serves a file of the site, and for a folder its index.html.
func (s *Server) file(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	folder := name == "" || strings.HasSuffix(name, "/")
	if folder {
		name += index
	}
	if !validName(name) {
		s.missing(w, r, "")
		return
	}
	if s.renew != nil {
		s.renew(name)
	}
	f, err := s.open(name)
	switch {
	case errors.Is(err, errFolder):
		to := (&url.URL{Path: "/" + name + "/", RawQuery: r.URL.RawQuery}).String()
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
		return
	case err != nil:
		s.missing(w, r, name)
		return
	}
	defer f.Close()
	if !isPage(name) {
		w.Header().Set("Content-Type", contentType(name))
		if policy := documentPolicy(name); policy != "" {
			w.Header().Set("Content-Security-Policy", policy)
		}
		w.Header().Set("Etag", `"`+f.hash+`"`)
		http.ServeContent(w, r, "", time.Time{}, f)
		return
	}
	source, err := f.all()
	if err != nil {
		s.missing(w, r, name)
		return
	}
	page := s.alive(source, name, f.hash)
	send(w, r, name, page, sum(page))
}

// missing serves the site's 404 page. It turns into the requested page once there is one.
func (s *Server) missing(w http.ResponseWriter, r *http.Request, name string) {
	source := []byte(nil)
	if f, err := s.open("404.html"); err == nil {
		source, _ = f.all() // a page that cannot be read counts as missing
		f.Close()
	}
	if source == nil {
		p := s.asked(r)
		source = []byte("<!DOCTYPE html>\n<html lang=\"" + p.Lang() + "\">\n<head><meta charset=\"utf-8\"><title>404</title></head>\n<body><h1>404</h1>\n<p>" + p.Words("page.404") + "</p></body>\n</html>\n")
	}
	if !isPage(name) {
		name = ""
	}
	page := s.alive(source, name, "")
	w.Header().Set("Content-Type", contentType("404.html"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		w.Write(page)
	}
}

// send answers with data whose hash is known.
func send(w http.ResponseWriter, r *http.Request, name string, data []byte, hash string) {
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Etag", `"`+hash+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// validName reports whether a name can be that of a file of the site: slash-separated, without "..", and not hidden,
// because a site has no hidden files.
func validName(name string) bool {
	if !fs.ValidPath(name) || len(name) > 4096 {
		return false
	}
	for element := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(element, ".") {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || r < ' ' || r == 0x7f })
}

// types maps extensions to media types. The system's own table differs between machines.
var types = map[string]string{
	".html":    "text/html; charset=utf-8",
	".htm":     "text/html; charset=utf-8",
	".css":     "text/css; charset=utf-8",
	".js":      "text/javascript; charset=utf-8",
	".mjs":     "text/javascript; charset=utf-8",
	".json":    "application/json",
	".jsonl":   "application/x-ndjson",
	".csv":     "text/csv; charset=utf-8",
	".parquet": "application/vnd.apache.parquet",
	".png":     "image/png",
	".jpg":     "image/jpeg",
	".jpeg":    "image/jpeg",
	".gif":     "image/gif",
	".webp":    "image/webp",
	".avif":    "image/avif",
	".svg":     "image/svg+xml",
	".ico":     "image/x-icon",
	".woff":    "font/woff",
	".woff2":   "font/woff2",
	".ttf":     "font/ttf",
	".otf":     "font/otf",
	".pdf":     "application/pdf",
	".zip":     "application/zip",
	".gz":      "application/gzip",
	".zst":     "application/zstd",
	".bz2":     "application/x-bzip2",
	".tar":     "application/x-tar",
	".xml":     "application/xml; charset=utf-8",
	".atom":    "application/atom+xml; charset=utf-8",
}

// texts lists extensions that are served as text: raw files keep the extensions of their tools.
var texts = map[string]bool{
	"": true, ".txt": true, ".log": true, ".out": true, ".err": true, ".md": true, ".toml": true,
	".yaml": true, ".yml": true, ".ini": true, ".conf": true, ".sh": true, ".py": true, ".tsv": true,
}

func contentType(name string) string {
	if path.Base(name) == "feed.xml" {
		return types[".atom"]
	}
	ext := strings.ToLower(path.Ext(name))
	if t, ok := types[ext]; ok {
		return t
	}
	if texts[ext] {
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// documentPolicy returns a policy that prevents files which a browser shows as documents from running scripts. Pages
// have their own policy.
func documentPolicy(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".svg", ".xml", ".atom":
		return "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; sandbox"
	}
	return ""
}
