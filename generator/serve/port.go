package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// portOwner returns the process that listens on a TCP port, such as "nginx (process 412)"; "" if the system does not
// report it.
func portOwner(port int) string {
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			// sl local_address rem_address st … uid timeout inode; 0A is LISTEN
			f := strings.Fields(line)
			if len(f) > 9 && f[3] == "0A" && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) {
				sockets["socket:["+f[9]+"]"] = true
			}
		}
	}
	if len(sockets) == 0 {
		return ""
	}
	handles, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return ""
	}
	for _, handle := range handles {
		if to, err := os.Readlink(handle); err != nil || !sockets[to] {
			continue
		}
		process := filepath.Dir(filepath.Dir(handle))
		name, err := os.ReadFile(filepath.Join(process, "comm"))
		if err != nil {
			return ""
		}
		return fmt.Sprintf("%s (process %s)", strings.TrimSpace(string(name)), filepath.Base(process))
	}
	return ""
}
