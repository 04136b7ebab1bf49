package rundir

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// readAs is the variable with the folder that the test reads in a process of its own.
const readAs = "BENCHPOST_TEST_UNREADABLE"

// TestUnreadableFolder checks that an unreadable folder only affects its own runs. Since root may read everything, the
// test then runs again in a process of a user without rights.
func TestUnreadableFolder(t *testing.T) {
	if root := os.Getenv(readAs); root != "" {
		d := load(t, root, "runs")
		if ids(d) != "a/1" || len(d.Messages) != 1 || d.Messages[0].Error() != "runs/b: error: cannot be read: permission denied" {
			t.Errorf("results %s, messages %v", ids(d), d.Messages)
		}
		return
	}
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "a", "1.log"), block)
	write(t, filepath.Join(root, "b", "2.log"), block)
	for dir := root; dir != os.TempDir() && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// Other users cannot enter the folder of the test binary either.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "rundir.test")
	if err := os.WriteFile(copied, program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(copied), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "b"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "b"), 0o777)
	again := exec.Command(copied, "-test.run", "^TestUnreadableFolder$")
	again.Dir, again.Env = root, append(os.Environ(), readAs+"="+root)
	if os.Getuid() == 0 {
		const nobody = 65534
		again.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
