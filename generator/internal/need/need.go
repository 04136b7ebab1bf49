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
	if _, err := os.Stat(name); err != nil {
		absent(t, err)
	}
}

// Command needs a program and gives its path.
func Command(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		absent(t, err)
	}
	return path
}

func absent(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("BENCHPOST_REQUIRE") != "" {
		t.Fatal(err)
	}
	t.Skipf("cannot be tested here: %v", err)
}
