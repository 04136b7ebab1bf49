// Package serve shows a site while it is being written. It is an HTTP server for this machine whose pages change in
// place when a build has changed them (page/script/live.js).
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
	Dir   string   // the folder to serve; it may be created later
	Host  string   // address to listen on; "127.0.0.1" if empty
	Port  int      // 0 for any free port
	Hosts []string // further host names that requests may use
	Lang  string   // language for pages without one; the first of locale.Languages if empty

	// Fresh is called before a file is served, with its path in the site. It may Put a newer version than the folder
	// has. May be nil.
	Fresh func(path string)
}

// loopback is the default address to listen on.
const loopback = "127.0.0.1"

// Server serves a site. All its methods may be called at any time from any goroutine, and none waits for a browser.
type Server struct {
	dir      string
	host     string // address that the server listens on
	names    map[string]bool
	printer  locale.Printer
	listener net.Listener
	instance string // distinguishes this server from others at the same address
	script   []byte // live.js with its texts
	version  string // hash of script
	renew    func(path string)

	sums      sums // hashes of files on disk
	answering sync.WaitGroup

	mu         sync.Mutex
	generation uint64            // counts calls of Changed
	changes    []change          // the latest, oldest first
	fresh      map[string]*fresh // files that were Put, by path
	state      map[string][]byte // as JSON, by language
	stateCount uint64            // counts changes of state
	streams    []*stream         // in the order of opening
}

// New listens on the port; requests wait until Serve is called. If the port is in use, the error says so, and names the
// process that uses it if possible.
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
	rand.Read(id) // never returns an error
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

// portError reports a port in use; errors.Is matches it with EADDRINUSE.
type portError struct{ text string }

func (e *portError) Error() string { return e.text }
func (e *portError) Unwrap() error { return syscall.EADDRINUSE }

// Address returns the address for a browser on this machine, such as "http://127.0.0.1:4000/".
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
	headerTime = 10 * time.Second // for the head of a request
	idleTime   = 2 * time.Minute  // for an unused connection
	writeTime  = 10 * time.Second // for the reader of a stream to take a message
	farewell   = time.Second      // for requests still being answered at the end
	headerSize = 64 << 10         // bytes
)

// Serve answers requests until ctx ends, which is not an error. When it returns, all streams are closed, the port is
// free and no goroutine is left.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &http.Server{
		Handler:                      http.HandlerFunc(s.answer),
		BaseContext:                  func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout:            headerTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               headerSize,
		DisableGeneralOptionsHandler: true,                                      // OPTIONS is refused like other methods
		ErrorLog:                     slog.NewLogLogger(slog.DiscardHandler, 0), // errors of browsers
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

// Open returns the pages in sight in browsers, as paths in the site ("runs/x.html"), the last opened first. It does not
// include pages in hidden tabs: they request what they missed when they are shown.
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

// Put serves data at a path of the site instead of the file in the folder, until the path is settled. nil means that
// the file will be removed. Changed notifies pages. data must not be modified afterwards.
func (s *Server) Put(path string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh[path] = newFresh(data)
}

// Settle drops what was Put at some paths, because the folder now has it.
func (s *Server) Settle(paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range paths {
		delete(s.fresh, path)
	}
}

// Changed notifies open pages that the files at these paths are new or gone, in the folder or by Put.
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

// worded returns a state as JSON in all languages.
func worded(state State) map[string][]byte {
	in := map[string][]byte{}
	for _, tag := range locale.Languages {
		p, _ := locale.For(tag)
		in[p.Lang()] = state.in(p)
	}
	return in
}

// wakeAll makes every stream check for news. The caller holds mu.
func (s *Server) wakeAll() {
	for _, st := range s.streams {
		select {
		case st.wake <- struct{}{}:
		default: // it will check anyway
		}
	}
}

// Paths of the live script and of the events; no file of the site has such a path.
const (
	livePath   = "/.benchpost/live.js"
	eventsPath = "/.benchpost/events"
)

// liveScript returns the live script, with its texts in each language.
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
