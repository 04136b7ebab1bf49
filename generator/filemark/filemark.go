// Package filemark detects whether a file has changed since it was read, without reading it again.
//
//	before := filemark.Of(info)
//	…
//	if filemark.At(name) != before { … } // read it again
//
// A mark consists of what the file system records about a file: its size, its modification time, its status
// change time (ctime), and its inode number. Programs such as touch, cp and tar cannot set the ctime, so an
// edit that keeps the size and the modification time is detected. The inode number detects a file that replaced
// another. On systems without ctime and inode numbers, such as Windows, only size and modification time are
// compared.
//
// The clock of a file system has ticks: 4 ms on some, two seconds on FAT. If two changes occur within a tick,
// the second is not detected. So a file that was changed less than [Settled] before its mark was taken
// ([Mark.Fresh]) must be read again.
package filemark

import (
	"encoding/binary"
	"io/fs"
	"os"
	"time"
)

// Mark identifies a state of a file without its contents. The mark of a missing file is zero.
type Mark struct {
	Size    int64
	Time    int64  // modification time in nanoseconds, as programs set it
	Changed int64  // status change time in nanoseconds: when contents, attributes or names last changed; 0 if unknown
	Inode   uint64 // inode number; 0 if unknown
}

// Settled is how long after a change a file may change again without a change of its mark.
const Settled = 50 * time.Millisecond

// Of returns the mark of a file with this info.
func Of(info fs.FileInfo) Mark {
	m := Mark{Size: info.Size(), Time: info.ModTime().UnixNano()}
	m.Changed, m.Inode = system(info)
	return m
}

// At returns the mark of the file at this path. It follows links. It returns the zero mark if there is no file.
func At(name string) Mark {
	info, err := os.Stat(name)
	if err != nil {
		return Mark{}
	}
	return Of(info)
}

// Size is the number of bytes that [Mark.Append] appends.
const Size = 4 * 8

// Append appends the mark to b in the form that [In] reads.
func (m Mark) Append(b []byte) []byte {
	for _, part := range []uint64{uint64(m.Size), uint64(m.Time), uint64(m.Changed), m.Inode} {
		b = binary.LittleEndian.AppendUint64(b, part)
	}
	return b
}

// In returns the mark at the beginning of b. b must have at least [Size] bytes.
func In(b []byte) Mark {
	part := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return Mark{Size: int64(part(0)), Time: int64(part(1)), Changed: int64(part(2)), Inode: part(3)}
}

// Fresh reports whether the file was changed less than within before now. A time equally close in the future
// counts too, because a clock may have been set back.
func (m Mark) Fresh(within time.Duration) bool {
	return time.Since(time.Unix(0, m.Time)).Abs() < within || m.Changed != 0 && time.Since(time.Unix(0, m.Changed)).Abs() < within
}

// IsMoved reports whether a file differs from the one marked before at most in its change time: it was renamed
// or linked, or its owner or mode changed. Only its contents can show whether they changed as well.
func (m Mark) IsMoved(before Mark) bool {
	before.Changed = m.Changed
	return m == before
}
