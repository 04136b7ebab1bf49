package record

import (
	"bytes"
	"fmt"
	"io"

	"github.com/benchpost/benchpost/generator/format"
)

// disk is a file that may run out of space.
type disk interface {
	io.WriterAt
	io.ReaderAt
	Truncate(size int64) error
}

// keeper writes what a command prints to a file, and never fails: what the disk does not take
// is counted, and the place of it is marked on a line of its own. Around such a hole are
// whole lines alone, so that no digits before it join with those behind it.
type keeper struct {
	file   disk
	size   int64  // of the file
	whole  int64  // of its whole lines
	within bool   // what was lost last did not end a line
	lost   int64  // since the last mark
	total  int64  // all that was lost and is marked
	reason string // of the last loss
}

// Write is that of io.Writer; it takes everything.
func (k *keeper) Write(p []byte) (int, error) {
	n := len(p)
	if k.within { // the rest of a line whose begin was lost
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
		k.lost += k.size - k.whole // the begin of a line says nothing
		k.cut(k.whole)
		k.lose(p[written:])
	}
	return n, nil
}

// lose counts what is lost.
func (k *keeper) lose(p []byte) {
	k.lost += int64(len(p))
	k.within = len(p) == 0 || p[len(p)-1] != '\n'
}

// cut shortens the file.
func (k *keeper) cut(size int64) {
	if k.file.Truncate(size) == nil {
		k.size, k.whole = size, min(k.whole, size)
	}
}

// mark writes where something was lost, and reports whether there was room for it.
func (k *keeper) mark() bool {
	line := format.LostMark(k.lost, k.reason) + "\n"
	if k.size > k.whole { // which could not be cut off
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

// close marks what was lost at the end, where the disk has no room in the place of the last
// lines, and returns how much was lost altogether.
func (k *keeper) close() *format.Lost {
	if k.lost > 0 && !k.mark() {
		k.makeRoom()
	}
	k.total += k.lost // for which there is no room at all
	k.lost = 0
	if k.total == 0 {
		return nil
	}
	return &format.Lost{File: logName, Bytes: k.total, Reason: k.reason}
}

// makeRoom gives up the last lines, as many as a mark needs, whose space the file keeps.
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
		if n, _ := fmt.Sscanf(string(line), format.LostBegin, &before); n == 1 { // a mark, which this one takes in
			k.lost += before
			k.total -= before
		} else {
			k.lost += int64(len(line))
		}
	}
	line := fmt.Appendln(nil, format.LostMark(k.lost, k.reason))
	if _, err := k.file.WriteAt(line, from); err != nil { // in place
		return
	}
	k.total += k.lost
	k.lost = 0
	k.cut(from + int64(len(line)))
}
