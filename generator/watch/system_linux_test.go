package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/need"
)

// alone runs the calling test again in separate namespaces, where it may lower limits and mount. It reports whether
// this is the run in the namespaces.
func alone(t *testing.T) bool {
	t.Helper()
	const inside = "BENCHPOST_TEST_NAMESPACE"
	if os.Getenv(inside) != "" {
		return true
	}
	c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), inside+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Errorf("%v\n%s", err, out)
	} else {
		need.Granted(t, err)
	}
	return false
}

// TestRealLimitOfWatches checks that the system's own limit is noticed and named, and can be raised while watching.
func TestRealLimitOfWatches(t *testing.T) {
	need.Thorough(t, "limits are met with a system of the test's own, too")
	if !alone(t) {
		return
	}
	s := newSite(t)
	s.must(os.WriteFile("/proc/sys/user/max_inotify_watches", []byte("100"), 0))
	s.aged(300)
	s.watch(Options{Look: 5 * time.Millisecond, Rescan: 20 * time.Millisecond}, "runs")
	m := s.w.Mode()
	if m.Kind != Mixed || !strings.Contains(m.Why, "user.max_inotify_watches is 100; with sudo sysctl user.max_inotify_watches=524288") {
		t.Errorf("mode %+v", m)
	}
	for i := range 40 {
		name := fmt.Sprintf("runs/%d/2.log", i)
		s.put(name)
		s.put(fmt.Sprintf("runs/new/%d/1.log", i))
		s.expect(name, fmt.Sprintf("runs/new/%d/1.log", i))
	}
	s.must(os.WriteFile("/proc/sys/user/max_inotify_watches", []byte("10000"), 0))
	need.Until(t, func() bool { return s.w.Mode().Kind == Events }, func() string { return fmt.Sprintf("mode %+v", s.w.Mode()) })
	s.put("runs/7/3.log")
	s.expect("runs/7/3.log")
}

func TestRealLimitOfInstances(t *testing.T) {
	if !alone(t) {
		return
	}
	s := newSite(t)
	s.must(os.WriteFile("/proc/sys/user/max_inotify_instances", []byte("0"), 0))
	s.put("runs/a/1.log")
	s.watch(Options{Look: 5 * time.Millisecond}, "runs")
	if m := s.w.Mode(); m.Kind != Polling || !strings.Contains(m.Why, "user.max_inotify_instances is 0") {
		t.Errorf("mode %+v", m)
	}
	s.put("runs/a/2.log")
	s.expect("runs/a/2.log")
}

// TestMounts checks that a folder that is mounted twice gives its events once, and that mount points are entered.
func TestMounts(t *testing.T) {
	if !alone(t) {
		return
	}
	s := newSite(t)
	s.put("runs/a/1.log")
	s.mkdir("runs/b")
	s.mkdir("runs/tmpfs")
	s.must(syscall.Mount(s.path("runs/a"), s.path("runs/b"), "", syscall.MS_BIND, ""))
	s.must(syscall.Mount("none", s.path("runs/tmpfs"), "tmpfs", 0, ""))
	defer syscall.Unmount(s.path("runs/b"), 0)
	defer syscall.Unmount(s.path("runs/tmpfs"), syscall.MNT_DETACH)
	s.watch(Options{Look: 5 * time.Millisecond}, "runs")
	s.put("runs/a/2.log")
	s.expect("runs/a/2.log", "runs/b/2.log")
	s.put("runs/tmpfs/deep/1.log")
	s.expect("runs/tmpfs/deep/1.log")
	s.put("runs/b/3.log")
	s.expect("runs/a/3.log", "runs/b/3.log")
}

// TestUnreadableFolder checks that an unreadable folder is scanned until it becomes readable.
func TestUnreadableFolder(t *testing.T) {
	for _, mode := range []Options{{Look: 5 * time.Millisecond}, {Poll: 5 * time.Millisecond}} {
		s := newSite(t)
		s.put("runs/a/1.log")
		s.must(os.Chmod(s.path("runs/a"), 0))
		denied := false
		if _, err := os.ReadDir(s.path("runs/a")); errors.Is(err, fs.ErrPermission) {
			denied = true // the superuser may read everything
		}
		s.watch(mode, "runs")
		s.must(os.Chmod(s.path("runs/a"), 0o755))
		if denied {
			s.expect("runs/a/1.log")
		}
		s.put("runs/a/2.log")
		s.expect("runs/a/2.log")
	}
}

func TestFileSystemsAreTold(t *testing.T) {
	if name := remoteFileSystem("/proc"); name != "" {
		t.Errorf("/proc is taken for %s", name)
	}
	if name := remoteFileSystem(filepath.Join(t.TempDir(), "absent")); name != "" {
		t.Errorf("nothing is taken for %s", name)
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	need.Granted(t, err)
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		name := remoteFileSystem(fields[1])
		kind := strings.HasPrefix(fields[2], "nfs") && fields[2] != "nfsd" || fields[2] == "cifs" || fields[2] == "9p" || strings.HasPrefix(fields[2], "fuse.")
		if kind != (name != "") && (kind || fields[2] == "ext4" || fields[2] == "tmpfs" || fields[2] == "overlay" || fields[2] == "btrfs" || fields[2] == "xfs") {
			t.Errorf("%s is %s and taken for %q", fields[1], fields[2], name)
		}
	}
}
