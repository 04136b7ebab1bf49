package record

import (
	"bytes"
	"fmt"
	"io"

	"github.com/benchpost/benchpost/generator/format"
)

// disk is a file on a disk that may be full.
type disk interface {
	io.WriterAt
	io.ReaderAt
	Truncate(size int64) error
}

// keeper writes the output of a command to a file and never fails. If the disk is full, it counts the lost bytes, and
// marks the gap with a line of its own. Only whole lines are kept around a gap, so that digits before it cannot join
// with digits after it.
type keeper struct {
	file   disk
	size   int64  // of the file
	whole  int64  // the length up to the end of its last complete line
	within bool   // the last loss ended within a line
	lost   int64  // since the last mark
	total  int64  // all lost bytes that have been marked
	reason string // of the last loss
}

// Write implements io.Writer. It accepts everything.
func (k *keeper) Write(p []byte) (int, error) {
	n := len(p)
	if k.within { // skip the rest of a line whose beginning was lost
		end := bytes.IndexByte(p, '\n') + 1
		if end == 0 {
			end = n
		} else {
			k.within = false
		}
		k.lost += int64(end)
		p = p[end:]
	}
	if len(p) == 0 {
		return n, nil
	}
	if k.lost > 0 && !k.mark() {
		k.lose(p)
		return n, nil
	}
	written, err := k.file.WriteAt(p, k.size)
	k.size += int64(written)
	if end := bytes.LastIndexByte(p[:written], '\n'); end >= 0 {
		k.whole = k.size - int64(written-end) + 1
	}
	if err != nil {
		k.reason = reason(err)
		k.lost += k.size - k.whole // drop the beginning of the incomplete line
		k.cut(k.whole)
		k.lose(p[written:])
	}
	return n, nil
}

// lose counts lost bytes.
func (k *keeper) lose(p []byte) {
	k.lost += int64(len(p))
	k.within = len(p) == 0 || p[len(p)-1] != '\n'
}

// cut truncates the file.
func (k *keeper) cut(size int64) {
	if k.file.Truncate(size) == nil {
		k.size, k.whole = size, min(k.whole, size)
	}
}

// mark writes a line that states how much was lost. It reports whether there was room for it.
func (k *keeper) mark() bool {
	line := format.LostMark(k.lost, k.reason) + "\n"
	if k.size > k.whole { // an incomplete line that could not be cut off
		line = "\n" + line
	}
	if _, err := k.file.WriteAt([]byte(line), k.size); err != nil {
		k.cut(k.size)
		return false
	}
	k.size += int64(len(line))
	k.whole = k.size
	k.total += k.lost
	k.lost = 0
	return true
}

// close marks a loss at the end. If the disk has no room for that, the mark replaces the last lines. It returns the
// total loss.
func (k *keeper) close() *format.Lost {
	if k.lost > 0 && !k.mark() {
		k.makeRoom()
	}
	k.total += k.lost // no room for a mark at all
	k.lost = 0
	if k.total == 0 {
		return nil
	}
	return &format.Lost{File: logName, Bytes: k.total, Reason: k.reason}
}

// makeRoom replaces the last lines by a mark, since the file already occupies their space.
func (k *keeper) makeRoom() {
	const most = 64 << 10
	need := int64(len(format.LostMark(k.lost+most, k.reason)) + 2)
	tail := make([]byte, min(most, k.size))
	if _, err := k.file.ReadAt(tail, k.size-int64(len(tail))); err != nil && err != io.EOF || int64(len(tail)) < need {
		return
	}
	begin := int64(bytes.LastIndexByte(tail[:int64(len(tail))-need+1], '\n') + 1)
	from := k.size - int64(len(tail)) + begin
	for line := range bytes.Lines(tail[begin:]) {
		var before int64
		if n, _ := fmt.Sscanf(string(line), format.LostBegin, &before); n == 1 { // merge an earlier mark
			k.lost += before
			k.total -= before
		} else {
			k.lost += int64(len(line))
		}
	}
	line := fmt.Appendln(nil, format.LostMark(k.lost, k.reason))
	if _, err := k.file.WriteAt(line, from); err != nil { // overwrites existing bytes
		return
	}
	k.total += k.lost
	k.lost = 0
	k.cut(from + int64(len(line)))
}
