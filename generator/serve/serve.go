// Package serve shows a site while it is written: an HTTP server for this machine,
// whose pages change in place when a build has changed them (page/script/live.js).
package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
)

// Options say what is served, and to whom.
type Options struct {
	Dir   string   // the folder served; it may come to exist later
	Host  string   // listened on; "127.0.0.1" when empty
	Port  int      // 0: any free one
	Hosts []string // further names that a request may call this server by
	Lang  string   // of the words when a page has none; the first of locale.Languages when empty

	// Fresh is called before a file is answered, with its path in the site: who has a
	// newer one than the folder may Put it. Nil without one.
	Fresh func(path string)
}

// loopback is listened on by default.
const loopback = "127.0.0.1"

// Server serves a site. All its methods may be called at any time from any
// goroutine, and none waits for a browser.
type Server struct {
	dir      string
	host     string // as listened on
	names    map[string]bool
	printer  locale.Printer
	listener net.Listener
	instance string // distinguishes it from other servers at the same address
	script   []byte // live.js with its words
	version  string // of script
	renew    func(path string)

	sums      sums // of files on disk
	answering sync.WaitGroup

	mu         sync.Mutex
	generation uint64            // counts calls of Changed
	changes    []change          // the last ones, oldest first
	fresh      map[string]*fresh // by path
	state      map[string][]byte // as JSON, by language
	stateCount uint64            // counts how often it became another
	streams    []*stream         // in the order in which they were opened
}

// New listens; what comes in waits until Serve. A port in use is an error that
// reports that, with the process that has it where that can be found.
func New(opt Options) (*Server, error) {
	host := opt.Host
	if host == "" {
		host = loopback
	}
	lang := opt.Lang
	if lang == "" {
		lang = locale.Languages[0]
	}
	printer, ok := locale.For(lang)
	if !ok {
		return nil, fmt.Errorf("language %q is not known; there are %v", lang, locale.Languages)
	}
	script, err := liveScript()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(opt.Port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		by := ""
		if owner := portOwner(opt.Port); owner != "" {
			by = " by " + owner
		}
		return nil, &portError{fmt.Sprintf("port %d is in use%s; choose another with --port, or any free one with --port 0", opt.Port, by)}
	}
	if err != nil {
		return nil, err
	}
	names := map[string]bool{"localhost": true, strings.ToLower(strings.Trim(host, "[]")): true}
	for _, name := range opt.Hosts {
		names[strings.ToLower(name)] = true
	}
	if listening, ok := listener.Addr().(*net.TCPAddr); ok && listening.IP.IsLoopback() {
		names[loopback], names["::1"] = true, true
	}
	id := make([]byte, 8)
	rand.Read(id) // never fails
	return &Server{
		dir:      opt.Dir,
		host:     host,
		names:    names,
		printer:  printer,
		listener: listener,
		instance: hex.EncodeToString(id),
		script:   script,
		version:  sum(script),
		renew:    opt.Fresh,
		fresh:    map[string]*fresh{},
		state:    worded(State{}),
	}, nil
}

// portError is the error of a port in use; errors.Is knows it as EADDRINUSE.
type portError struct{ text string }

func (e *portError) Error() string { return e.text }
func (e *portError) Unwrap() error { return syscall.EADDRINUSE }

// Address is what a browser on this machine opens, "http://127.0.0.1:4000/".
func (s *Server) Address() string {
	_, port, err := net.SplitHostPort(s.listener.Addr().String())
	if err != nil {
		return "http://" + s.listener.Addr().String() + "/"
	}
	host := s.host
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = loopback
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

const (
	headerTime = 10 * time.Second // to send the head of a request
	idleTime   = 2 * time.Minute  // that an unused connection is kept
	writeTime  = 10 * time.Second // that a stream's reader has to take a message
	farewell   = time.Second      // to end what is being answered
	headerSize = 64 << 10         // bytes
)

// Serve answers until ctx ends, which is no error. When it returns, streams are
// closed, the port is free and no goroutine is left.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler:                      http.HandlerFunc(s.answer),
		BaseContext:                  func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout:            headerTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               headerSize,
		DisableGeneralOptionsHandler: true,                                      // OPTIONS is refused like the rest
		ErrorLog:                     slog.NewLogLogger(slog.DiscardHandler, 0), // a browser's slips are not the reader's
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.listener) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		late, done := context.WithTimeout(context.WithoutCancel(ctx), farewell)
		defer done()
		if server.Shutdown(late) != nil {
			server.Close()
		}
		<-ended
	}
	cancel()
	s.answering.Wait()
	return err
}

// Open returns the paths in the site of the pages that are in sight in browsers, as
// "runs/x.html", those looked at last first. A page in a hidden tab is not
// among them: it asks for what it missed when it is shown.
func (s *Server) Open() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var paths []string
	seen := map[string]bool{}
	for i := len(s.streams) - 1; i >= 0; i-- {
		if path := s.streams[i].page; path != "" && !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	return paths
}

// Put serves data at a path of the site instead of what the folder has there, until that
// path is settled; nil data for a file that is to go. Changed notifies pages. The data
// must not be changed afterwards.
func (s *Server) Put(path string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh[path] = newFresh(data)
}

// Settle forgets what was Put at some paths: the folder has it by now.
func (s *Server) Settle(paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range paths {
		delete(s.fresh, path)
	}
}

// Changed notifies open pages that the files at these paths are new or gone, in the
// folder or as Put.
func (s *Server) Changed(paths []string) {
	s.sums.forget(paths)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generation++
	s.changes = append(s.changes, newChange(s.generation, paths))
	if over := len(s.changes) - changesKept; over > 0 {
		s.changes = append([]change(nil), s.changes[over:]...)
	}
	s.wakeAll()
}

// Say replaces what pages show above the site.
func (s *Server) Say(state State) {
	now := worded(state)
	s.mu.Lock()
	defer s.mu.Unlock()
	if maps.EqualFunc(now, s.state, bytes.Equal) {
		return
	}
	s.state = now
	s.stateCount++
	s.wakeAll()
}

// worded returns a state in all languages.
func worded(state State) map[string][]byte {
	in := map[string][]byte{}
	for _, tag := range locale.Languages {
		p, _ := locale.For(tag)
		in[p.Lang()] = state.in(p)
	}
	return in
}

// wakeAll has every stream look for news. It is called with mu held.
func (s *Server) wakeAll() {
	for _, st := range s.streams {
		select {
		case st.wake <- struct{}{}:
		default: // it will look anyway
		}
	}
}

// livePath is where the live script is; no file of the site is there.
const (
	livePath   = "/.benchpost/live.js"
	eventsPath = "/.benchpost/events"
)

// liveScript is the live page's script, with its words in each language.
func liveScript() ([]byte, error) {
	code, err := page.LiveScript()
	if err != nil {
		return nil, err
	}
	words := map[string]map[string]string{}
	for _, tag := range locale.Languages {
		p, _ := locale.For(tag)
		words[tag] = map[string]string{}
		for _, prefix := range []string{"live.", "page.copy", "page.copied"} {
			for key, form := range p.Forms(prefix) {
				words[tag][key] = form
			}
		}
	}
	data, err := encodeJSON(map[string]any{"words": words, "events": eventsPath})
	if err != nil {
		return nil, err
	}
	return append([]byte("(self.benchpost??={}).live="+string(data)+";\n"), code...), nil
}
