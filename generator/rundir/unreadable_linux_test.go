package rundir

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A folder that may not be read costs its own runs alone. Nothing is denied to
// the superuser, so his file system identity is put down for the reading: that of the
// whole process, so that no other test may run meanwhile.
func TestUnreadableFolder(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a", "1.log"), block)
	write(t, filepath.Join(root, "b", "2.log"), block)
	for dir := root; dir != os.TempDir() && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root, "b"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "b"), 0o777)
	if os.Getuid() == 0 {
		const nobody = 65534
		if err := syscall.Setfsuid(nobody); err != nil {
			t.Fatal(err)
		}
		defer syscall.Setfsuid(0)
	}
	d := load(t, root, "runs")
	if ids(d) != "a/1" || len(d.Messages) != 1 || d.Messages[0].Error() != "runs/b: error: cannot be read: permission denied" {
		t.Errorf("results %s, messages %v", ids(d), d.Messages)
	}
}
