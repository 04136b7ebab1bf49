// Package need declares what a test requires. If a requirement is missing, the test is skipped with the reason.
//
// BENCHPOST_REQUIRE=1 requests the thorough run. Then a missing program fails the test, and the tests that are
// too slow for every `go test ./...` ([Thorough]) run too. Samples beside the repository ([Beside]) are not
// part of a clone, so their absence skips a test in both modes.
package need

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

func required() bool { return os.Getenv("BENCHPOST_REQUIRE") != "" }

// Thorough skips the test unless BENCHPOST_REQUIRE is set. It is for tests that take seconds rather than
// milliseconds and have a quicker test of the same behaviour: browsers, kill matrices, random walks, soaks. why
// completes "runs only with BENCHPOST_REQUIRE=1: …".
func Thorough(t testing.TB, why string) {
	t.Helper()
	if !required() {
		t.Skipf("runs only with BENCHPOST_REQUIRE=1: %s", why)
	}
}

// Times returns how often to repeat a random test: quick for every `go test ./...`, thorough if
// BENCHPOST_REQUIRE is set.
func Times(quick, thorough int) int {
	if required() {
		return thorough
	}
	return quick
}

// System skips a test on all systems except the given ones, which are values of runtime.GOOS.
func System(t testing.TB, why string, systems ...string) {
	t.Helper()
	if !slices.Contains(systems, runtime.GOOS) {
		t.Skipf("not on %s: %s", runtime.GOOS, why)
	}
}

// Cores skips a test of concurrency on a machine with one core.
func Cores(t testing.TB) {
	t.Helper()
	if runtime.GOMAXPROCS(0) < 2 {
		Granted(t, errors.New("one core does nothing at once"))
	}
}

// Allocations skips a test that measures allocations under the race detector,
// which allocates itself and empties pools at random.
func Allocations(t testing.TB) {
	t.Helper()
	if racing {
		t.Skip("allocations cannot be measured under the race detector")
	}
}

// Beside needs a file or folder that lies beside the repository, such as the
// corpus of published results.
func Beside(t testing.TB, name string) {
	t.Helper()
	if _, err := os.Stat(name); err != nil {
		t.Skipf("left out, because the samples beside the repository are absent: %v", err)
	}
}

// Path needs a file or folder that an installation step provides.
func Path(t testing.TB, name string) {
	t.Helper()
	_, err := os.Stat(name)
	Granted(t, err)
}

// Command needs a program and returns its path.
func Command(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	Granted(t, err)
	return path
}

// Signals makes the processes that tests start obey SIGHUP, SIGINT and SIGQUIT even if the test process ignores
// these signals, as under nohup or in the background of a script. TestMain calls it.
func Signals() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // a signal that is handled here has its default action in child processes
		}
	}
}

// Granted requires something that the system may refuse, such as a user namespace. err is the refusal, nil if
// it was granted.
func Granted(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if required() {
		t.Fatal(err)
	}
	t.Skipf("cannot be tested here: %v", err)
}

// Patience is how long a test waits for something to happen. It is not a measurement: a busy machine may need
// most of it.
const Patience = time.Minute

// Until waits until is returns true. If it waits in vain, the test fails with the text that why returns.
func Until(t testing.TB, is func() bool, why func() string) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(why())
		}
	}
}
