package redact

import (
	"bytes"
	"errors"
	"io"
)

// A stream is looked at through a window. What is found depends on no more than reach
// bytes before it and after its begin; so a window is settled but for its last reach
// bytes, and the next one begins with what went before.
const (
	windowSize = 1 << 20
	reach      = 64 << 10
	behind     = 8 << 10
)

// Copy writes what it reads with all that is found replaced. It holds a window of the
// stream, however long its lines.
func (r *Redactor) Copy(dst io.Writer, src io.Reader, name string) ([]Finding, error) {
	return r.copy(dst, src, name, windowSize)
}

func (r *Redactor) copy(dst io.Writer, src io.Reader, name string, size int) ([]Finding, error) {
	var (
		found []Finding
		buf   []byte // behind bytes that are done with, then what is to be looked at
		done  int    // of buf
		base  int    // where buf begins in the stream
		enc   encoding
		lines lineCounter
	)
	for first := true; ; first = false {
		n := len(buf)
		buf = append(buf, make([]byte, size)...)
		more, err := io.ReadFull(src, buf[n:])
		buf = buf[:n+more]
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return found, err
		}
		if first {
			enc = encodingOf(buf)
		}
		all := r.find(window{name: name, text: buf, enc: enc, from: done, first: base == 0, last: last})
		cut := len(buf)
		if !last {
			cut = max(done, len(buf)-reach)
			cut -= (base + cut) % enc.unit()
			for i := len(all) - 1; i >= 0; i-- { // what reaches over the cut waits for the next window
				if all[i].end > cut && all[i].start < cut {
					cut = all[i].start
				}
			}
		}
		var out bytes.Buffer
		for _, c := range all {
			if c.start >= cut {
				break
			}
			f := r.finding(c, &lines, buf, base, enc)
			out.Write(buf[done:c.start])
			out.Write(enc.encode(f.Replacement))
			found = append(found, f)
			done = c.end
		}
		out.Write(buf[done:cut])
		if _, err := dst.Write(out.Bytes()); err != nil {
			return found, err
		}
		if last {
			return found, nil
		}
		lines.position(buf, cut, enc)
		drop := max(0, cut-behind)
		drop -= (base + drop) % enc.unit()
		buf = append(buf[:0], buf[drop:]...)
		done, base = cut-drop, base+drop
		lines.at -= drop
		lines.begin -= drop
	}
}
