// Package browser opens pages in Chromium for tests.
package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/need"
)

// Tab is a tab of Chromium that records its console output and its requests.
type Tab struct {
	t   testing.TB
	Ctx context.Context

	mu       sync.Mutex
	requests []string
	console  []string
}

// Open starts Chromium. It skips the test if Chromium is not installed.
func Open(t testing.TB) *Tab {
	t.Helper()
	need.Thorough(t, "it starts a browser")
	path := need.Command(t, "chromium")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 10*time.Minute) // a slow machine opens several hundred pages in it
	t.Cleanup(cancel)
	b := &Tab{t: t, Ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *Tab) listen(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, ev.Request.URL)
	case *log.EventEntryAdded:
		b.console = append(b.console, ev.Entry.Text)
	case *runtime.EventExceptionThrown:
		b.console = append(b.console, ev.ExceptionDetails.Text)
	}
}

// Troubles returns the console messages and the requests outside of base since the last call, and the number of
// all requests.
func (b *Tab) Troubles(base string) (troubles []string, requests int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	troubles = b.console
	for _, r := range b.requests {
		if !strings.HasPrefix(r, base) && !strings.HasPrefix(r, "data:") {
			troubles = append(troubles, "a request for "+r)
		}
	}
	requests = len(b.requests)
	b.console, b.requests = nil, nil
	return troubles, requests
}

// Do performs steps. If one fails, the test ends.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.Ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// Eval returns the value of an expression in the page.
func Eval[T any](b *Tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// Await returns the value to which a promise in the page resolves.
func Await[T any](b *Tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// Bases returns the addresses under which a site in a folder is opened: the folder itself, and a server with a
// base path.
func Bases(t testing.TB, dir string) map[string]string {
	server := httptest.NewServer(http.StripPrefix("/some/base/", http.FileServer(http.Dir(dir))))
	t.Cleanup(server.Close)
	return map[string]string{
		"file": "file://" + filepath.ToSlash(dir) + "/",
		"http": server.URL + "/some/base/",
	}
}

// Until waits until an expression is true in the page. The page may be reloaded meanwhile.
func (b *Tab) Until(expression string) {
	b.t.Helper()
	var is bool
	var err error
	need.Until(b.t, func() bool {
		is, err = chromedp.Run(b.Ctx, chromedp.Evaluate[bool](expression))
		return is && err == nil
	}, func() string {
		troubles, _ := b.Troubles("")
		return fmt.Sprintf("it never came to %s (%v)\nconsole: %q\nthe page shows\n%s", expression, err, troubles, Eval[string](b, shown))
	})
}

// shown is an expression for the visible text of a page and of its shadow roots.
const shown = `(document.body?.innerText ?? "") + [...document.querySelectorAll("*")].map((e) => e.shadowRoot ? "\n<" + e.localName + "> " + e.shadowRoot.textContent : "").join("")`

// Fatal ends the test.
func (b *Tab) Fatal(args ...any) {
	b.t.Helper()
	b.t.Fatal(args...)
}

// Press presses keys one after another in the focused element.
func (b *Tab) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.Do(chromedp.KeyEvent(key))
	}
}
