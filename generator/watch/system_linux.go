package watch

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// lstat returns the stamp of a path. It allocates less than os.Lstat.
func lstat(path string) (stamp, error) {
	var st syscall.Stat_t
	for {
		err := syscall.Lstat(path, &st)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return stamp{}, err
		}
		break
	}
	s := stamp{kind: other, id: id{uint64(st.Dev), st.Ino}, size: st.Size, mtime: st.Mtim.Nano(), changed: st.Ctim.Nano(),
		rights: rights{st.Mode, st.Uid, st.Gid, uint64(st.Nlink)}}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFDIR:
		s.kind = dir
	case syscall.S_IFREG:
		s.kind = file
	case syscall.S_IFLNK:
		s.kind = link
	}
	return s, nil
}

// remote lists the file systems on which others change files without events on this system, by the numbers of
// statfs(2). The classification is that of tail in coreutils.
var remote = map[uint32]string{
	0x00006969: "NFS",
	0xff534d42: "SMB",
	0xfe534d42: "SMB",
	0x0000517b: "SMB",
	0x65735546: "FUSE",
	0x01021997: "9p",
	0x786f4256: "a shared folder of VirtualBox",
	0xbacbacbc: "a shared folder of VMware",
	0x7c7c6673: "a shared folder of Parallels",
	0x00c0ffee: "hostfs",
	0x00c36400: "Ceph",
	0x0bd00bd0: "Lustre",
	0x47504653: "GPFS",
	0x19830326: "BeeGFS",
	0x01161970: "GFS2",
	0x7461636f: "OCFS2",
	0xaad7aaea: "PanFS",
	0x013111a8: "IBRIX",
	0xbeefdead: "SNFS",
	0x61636673: "ACFS",
	0xa501fcf5: "VxFS",
	0x5346414f: "AFS",
	0x6b414653: "AFS",
	0x73757245: "Coda",
	0x0000564c: "NCP",
}

// remoteFileSystem returns the name of a path's file system if it does not report all changes, and otherwise "".
func remoteFileSystem(path string) string {
	var st syscall.Statfs_t
	if syscall.Statfs(path, &st) != nil {
		return ""
	}
	return remote[uint32(st.Type)]
}

// limitSetting returns the name of the sysctl that limits what was refused.
func limitSetting(err error) string {
	what := "instances"
	if errors.Is(err, syscall.ENOSPC) {
		what = "watches"
	} else if !errors.Is(err, syscall.EMFILE) {
		return ""
	}
	system, namespace := "fs.inotify.max_user_"+what, "user.max_inotify_"+what
	all, err1 := strconv.Atoi(readSetting(system))
	here, err2 := strconv.Atoi(readSetting(namespace))
	if err1 == nil && err2 == nil && here < all {
		return namespace
	}
	return system
}

func readSetting(name string) string {
	data, err := os.ReadFile("/proc/sys/" + strings.ReplaceAll(name, ".", "/"))
	if name == "" || err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
