package memory

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestOfMachine(t *testing.T) {
	t.Parallel()
	const meminfo, cgroup = "proc/meminfo", "sys/fs/cgroup/memory.max"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"unknown":        {nil, math.MaxInt64},
		"machine":        {map[string]string{meminfo: "MemTotal:       16 kB\nMemFree:        8 kB\n"}, 16 << 10},
		"container":      {map[string]string{meminfo: "MemTotal: 16 kB\n", cgroup: "4096\n"}, 4096},
		"open container": {map[string]string{meminfo: "MemTotal: 16 kB\n", cgroup: "max\n"}, 16 << 10},
		"unreadable":     {map[string]string{meminfo: "", cgroup: "-1\n"}, math.MaxInt64},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := ofMachine(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
