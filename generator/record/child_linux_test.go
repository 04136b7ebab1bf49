package record

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/benchpost/benchpost/generator/need"
)

// TestSamplersEndWithUs checks that a sampler ends with benchpost, however that ends. Only Linux tells a process that
// its parent was killed.
func TestSamplersEndWithUs(t *testing.T) {
	for _, signal := range []syscall.Signal{unix.SIGKILL, unix.SIGTERM} {
		r := newRecording(t, "wait=3000")
		r.Env = append(r.Env, "RECORD_TEST_TELEMETRY=/bin/sh -c 'echo $$; while :; do /bin/sleep 0.05; done'")
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		var pid int
		need.Until(t, func() bool {
			data, _ := os.ReadFile(filepath.Join(r.dir, "telemetry.log"))
			_, err := fmt.Sscan(string(data), &pid)
			return err == nil && r.logged()
		}, func() string { return "no sampler" })
		if err := r.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		need.Until(t, func() bool { return unix.Kill(pid, 0) != nil }, func() string { return "the sampler goes on after " + signal.String() })
		_ = r.Wait()
	}
}
