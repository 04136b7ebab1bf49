package page

import (
	"os"
	"path/filepath"
	"testing"
)

// write renders a site into a folder.
func write(t testing.TB, s *Site, dir string) {
	t.Helper()
	put := func(path string, data []byte) error {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o666)
	}
	if err := s.Render(put); err != nil {
		t.Fatal(err)
	}
	if err := put("assets/tradeoffs.png", fixtureChart()); err != nil {
		t.Fatal(err)
	}
}

func TestPreview(t *testing.T) {
	if dir := os.Getenv("BENCHPOST_PREVIEW"); dir != "" {
		write(t, fixture(), dir)
	}
}
