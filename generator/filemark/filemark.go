// Package filemark tells whether a file is still the one that was read, without reading it.
//
//	before := filemark.Of(info)
//	…
//	if filemark.At(name) != before { … } // read it again
//
// A mark is what the system notes of a file: its size, the time of its last change, the time
// at which the system noted that, and its number on the disk. The second time cannot be set
// by programs such as touch, cp and tar, so that an edit which keeps size and time shows. So
// does a file that was put in the place of another, by its number. Where a system notes
// neither, as on Windows, size and time decide.
//
// The clock of a file system ticks, on some every 4 ms, on FAT every two seconds: of two
// changes within a tick the second leaves no trace. A file that was changed less than [Settled]
// before it was looked at ([Mark.Fresh]) is to be read again.
package filemark

import (
	"encoding/binary"
	"io/fs"
	"os"
	"time"
)

// Mark is what is known of a file without reading it. That of a missing file is zero.
type Mark struct {
	Size    int64
	Time    int64  // of its last change, in nanoseconds, as programs set it
	Changed int64  // when the system noted a change of the file or of its names; 0 where it does not say
	Inode   uint64 // its number on the disk; 0 where it has none
}

// Settled is how long after its change a file may change once more without its mark showing that.
const Settled = 50 * time.Millisecond

// Of returns the mark of a file that was found so.
func Of(info fs.FileInfo) Mark {
	m := Mark{Size: info.Size(), Time: info.ModTime().UnixNano()}
	m.Changed, m.Inode = system(info)
	return m
}

// At returns the mark of the file of a name, following links, and the zero one where there is
// none.
func At(name string) Mark {
	info, err := os.Stat(name)
	if err != nil {
		return Mark{}
	}
	return Of(info)
}

// Size of what Append appends, in bytes.
const Size = 4 * 8

// Append appends the mark to b, as In reads it.
func (m Mark) Append(b []byte) []byte {
	for _, part := range []uint64{uint64(m.Size), uint64(m.Time), uint64(m.Changed), m.Inode} {
		b = binary.LittleEndian.AppendUint64(b, part)
	}
	return b
}

// In returns the mark that b begins with, which has at least Size bytes.
func In(b []byte) Mark {
	part := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return Mark{Size: int64(part(0)), Time: int64(part(1)), Changed: int64(part(2)), Inode: part(3)}
}

// Fresh reports whether the file had been changed less than a time before, or is of the
// future, where a clock was set back.
func (m Mark) Fresh(within time.Duration) bool {
	return time.Since(time.Unix(0, m.Time)).Abs() < within || m.Changed != 0 && time.Since(time.Unix(0, m.Changed)).Abs() < within
}

// IsMoved reports whether a file is the one that had the mark before but for its names: it
// was renamed or linked, or its owner or mode is another. Only its bytes can tell whether
// they changed, too.
func (m Mark) IsMoved(before Mark) bool {
	before.Changed = m.Changed
	return m == before
}
