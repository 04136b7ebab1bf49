//go:build !linux

package watch

import (
	"io/fs"
	"os"

	"github.com/benchpost/benchpost/generator/filemark"
)

func lstat(path string) (stamp, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}, err
	}
	st := stamp{kind: other, id: idOf(info), size: info.Size(), mtime: info.ModTime().UnixNano(), changed: filemark.Of(info).Changed, rights: rightsOf(info)}
	switch mode := info.Mode(); {
	case mode.IsDir():
		st.kind = dir
	case mode.IsRegular():
		st.kind = file
	case mode&fs.ModeSymlink != 0:
		st.kind = link
	}
	return st, nil
}

// remoteFileSystem returns "": remote file systems are not recognised on this system, so polling must be requested.
func remoteFileSystem(string) string { return "" }

func limitSetting(error) string { return "" }

func readSetting(string) string { return "" }
