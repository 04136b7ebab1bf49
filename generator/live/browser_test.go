//go:build linux || darwin

package live

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/need"
)

// TestAReaderFollowsABenchmark tests the whole chain: benchpost serves a site, one of its pages is open, and benchpost
// records a benchmark in another process. The page shows that the benchmark is running, its progress, and its result.
// The page is never reloaded: what the reader typed and the scroll position stay.
func TestAReaderFollowsABenchmark(t *testing.T) {
	tab := browser.Open(t)
	program := filepath.Join(t.TempDir(), "benchpost")
	if out, err := exec.Command(need.Command(t, "go"), "build", "-o", program, "../../cmd/benchpost").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := written(t)
	for _, m := range strings.Split("CEFGHIJKLMNOPQRSTUVW", "") {
		put(t, dir, "runs/c/model="+m+"/run.log", log(100))
	}
	put(t, dir, "runs/2026/run.toml", "model = \"D\"\n")
	server := exec.Command(program, "serve", "--site", dir, "--port", "0", "--no-browser")
	stderr, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	address := ""
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "built ") {
		if _, at, ok := strings.Cut(lines.Text(), "serving "); ok {
			address = at
		}
	}
	output := make(chan string, 1)
	go func() {
		var all strings.Builder
		for lines.Scan() {
			all.WriteString(lines.Text() + "\n")
		}
		output <- all.String()
	}()

	tab.Do(chromedp.EmulateViewport(800, 500), chromedp.Navigate(address+"results/index.html"))
	tab.Until(`document.readyState === "complete" && !!document.querySelector("benchpost-live") && !!document.querySelector("input[type=search]")`)
	browser.Eval[bool](tab, `(() => {
		self.remembered = true;
		const field = document.querySelector("input[type=search]");
		field.focus();
		field.value = "D";
		field.dispatchEvent(new Event("input", { bubbles: true }));
		scrollTo({ top: 120, behavior: "instant" });
		return true;
	})()`)
	scrolled := browser.Eval[float64](tab, `scrollY`)
	if scrolled == 0 {
		t.Error("the page cannot be scrolled: it tests nothing")
	}

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	record := exec.Command(program, "record", "--site", dir, "--quiet", "--telemetry", "none", "--dir", filepath.Join(dir, "runs", "2026"), "--name", "d", "--", self)
	record.Env = append(os.Environ(), "LIVE_TEST_LOG=-")
	in, err := record.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := record.Start(); err != nil {
		t.Fatal(err)
	}
	const panel = `document.querySelector("benchpost-live").shadowRoot.textContent`
	for range 11 {
		_, _ = io.WriteString(in, "\n")
	}
	tab.Until(panel + `.includes("D · High") && ` + panel + `.includes("10 of 40")`)
	for range 20 {
		_, _ = io.WriteString(in, "\n")
	}
	tab.Until(panel + `.includes("30 of 40")`)
	for range 10 {
		_, _ = io.WriteString(in, "\n")
	}
	if err := record.Wait(); err != nil {
		t.Error(err)
	}
	tab.Until(`[...document.querySelectorAll("main tr, main li")].some(e => e.checkVisibility() && e.textContent.includes("44.00")) && !` + panel + `.includes("of 40")`)
	for what, expression := range map[string]string{
		"the page was not loaded anew": `self.remembered === true`,
		"what was typed stays":         `document.querySelector("input[type=search]").value === "D"`,
		"the focus stays":              `document.activeElement === document.querySelector("input[type=search]")`,
	} {
		if !browser.Eval[bool](tab, expression) {
			t.Errorf("it is not so that %s", what)
		}
	}
	if now := browser.Eval[float64](tab, `scrollY`); now != scrolled {
		t.Errorf("scrolled to %v, not %v", now, scrolled)
	}
	if troubles, _ := tab.Troubles(address); len(troubles) > 0 {
		t.Errorf("the browser reports: %q", troubles)
	}

	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	all := <-output
	if err := server.Wait(); err != nil {
		t.Error(err)
	}
	// Progress is shown only in the status line. Nothing is reported twice, whichever changes of the recording's files
	// were read together.
	if strings.Count(all, "D · High is running (") != 1 || strings.Count(all, "differ in other settings") != 1 || strings.Contains(all, "of 40") || strings.Contains(all, "\x1b") {
		t.Errorf("the terminal shows\n%s", all)
	}
	plain(t, dir)
}
