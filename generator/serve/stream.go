package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// A page in sight keeps a stream of events open (SSE). Nothing is queued for it. It is woken, and its news is computed
// then, so that a slow reader costs the builder nothing and receives the newest state when it reads again.

const (
	changesKept = 64               // calls of Changed that a page may miss
	filesListed = 2000             // files listed in one change; with more, pages check for themselves
	streamsMost = 256              // open at the same time
	heartbeat   = 10 * time.Second // lets both sides notice that the other is gone
)

// change is one call of Changed. It does not list pages, because each stream checks its own page.
type change struct {
	generation uint64
	files      []string // files that pages depend on
	all        bool     // too many files to list
}

func newChange(generation uint64, paths []string) change {
	c := change{generation: generation}
	for _, p := range paths {
		if isPage(p) {
			continue
		}
		if len(c.files) == filesListed {
			return change{generation: generation, all: true}
		}
		c.files = append(c.files, p)
	}
	return c
}

// stream is the connection of a page in sight.
type stream struct {
	page string // path in the site; "" if the page has none
	wake chan struct{}

	printer    locale.Printer
	hash       string // of the page that the reader has; "" if it did not exist
	seen       uint64 // last generation sent
	lost       bool   // it is unknown which changes were sent
	stateCount uint64 // last state sent
	greeted    bool
}

// news is what a page receives. Unchanged parts are left out.
type news struct {
	Since string          `json:"since"`           // what the page knows now, to be sent back
	Live  string          `json:"live,omitempty"`  // version of the live script, in the first message
	Page  *string         `json:"page,omitempty"`  // hash of the page's source; "" if it is gone
	Files []string        `json:"files,omitempty"` // other files that changed
	All   bool            `json:"all,omitempty"`   // it is unknown which other files changed
	State json.RawMessage `json:"state,omitempty"`
}

// events serves the stream of a page. The query has
//
//	page   the path of the page in the site
//	hash   of the page's source, as it was served; "" for a page that did not exist
//	since  the last "since" that the page received
//	lang   of the page
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	st := &stream{wake: make(chan struct{}, 1), hash: q.Get("hash"), printer: s.printer}
	if name := q.Get("page"); name != "" {
		if !validName(name) || !isPage(name) {
			s.refuse(w, r, http.StatusBadRequest, "live.refused.page")
			return
		}
		st.page = name
	}
	if p, ok := locale.For(q.Get("lang")); ok {
		st.printer = p
	}
	instance, generation, _ := strings.Cut(q.Get("since"), ".")
	seen, err := strconv.ParseUint(generation, 10, 64)
	st.seen, st.lost = seen, err != nil || instance != s.instance
	if !s.join(st) {
		s.refuse(w, r, http.StatusServiceUnavailable, "live.refused.many")
		return
	}
	defer s.leave(st)

	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // for a proxy in between
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	send := func(event string, data []byte) bool {
		if out.SetWriteDeadline(time.Now().Add(writeTime)) != nil {
			return false
		}
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
		return err == nil && out.Flush() == nil
	}
	for {
		if data, err := s.news(st); err != nil || data != nil && !send("news", data) {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-st.wake:
		case <-beat.C:
			if !send("beat", []byte("0")) {
				return
			}
		}
	}
}

func (s *Server) join(st *stream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.streams) >= streamsMost {
		return false
	}
	s.streams = append(s.streams, st)
	return true
}

func (s *Server) leave(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams = slices.DeleteFunc(s.streams, func(other *stream) bool { return other == st })
}

// news returns what was not sent to a stream yet, nil for nothing.
func (s *Server) news(st *stream) ([]byte, error) {
	n := news{}
	s.mu.Lock()
	generation, stateCount := s.generation, s.stateCount
	if !st.greeted {
		n.Live = s.version
	}
	if st.seen > generation || len(s.changes) > 0 && st.seen+1 < s.changes[0].generation {
		st.lost = true
	}
	n.All = st.lost
	for _, c := range s.changes {
		if c.generation > st.seen {
			n.Files = append(n.Files, c.files...)
			n.All = n.All || c.all
		}
	}
	if n.All {
		n.Files = nil
	}
	if stateCount != st.stateCount || !st.greeted {
		n.State = s.state[st.printer.Lang()]
	}
	s.mu.Unlock()

	// Callers of Changed have written the page before, so the page read here is at least as new.
	if hash := s.hash(st.page); st.page != "" && hash != st.hash {
		n.Page = &hash
	}
	if st.greeted && n.Page == nil && n.Files == nil && !n.All && n.State == nil {
		st.seen = generation
		return nil, nil
	}
	n.Since = s.since(generation)
	data, err := encodeJSON(n)
	if n.Page != nil {
		st.hash = *n.Page
	}
	st.seen, st.stateCount, st.lost, st.greeted = generation, stateCount, false, true
	return data, err
}

// since returns a text that identifies a generation of this server.
func (s *Server) since(generation uint64) string {
	return s.instance + "." + strconv.FormatUint(generation, 10)
}

func isPage(name string) bool {
	switch path.Ext(name) {
	case ".html", ".htm":
		return true
	}
	return false
}
