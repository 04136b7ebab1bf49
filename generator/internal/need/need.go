// Package need says what a test cannot do without. Where it is absent the
// test is skipped with the reason; with BENCHPOST_REQUIRE set, it fails.
package need

import (
	"os"
	"os/exec"
	"testing"
)

// Path needs a file or folder, as the samples beside the repository.
func Path(t testing.TB, name string) {
	t.Helper()
	_, err := os.Stat(name)
	Granted(t, err)
}

// Command needs a program and gives its path.
func Command(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	Granted(t, err)
	return path
}

// Granted needs what the system may refuse, as a user namespace: err tells that it did.
func Granted(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if os.Getenv("BENCHPOST_REQUIRE") != "" {
		t.Fatal(err)
	}
	t.Skipf("cannot be tested here: %v", err)
}
