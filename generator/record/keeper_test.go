package record

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/result"
)

// fullDisk is a file on a disk with limited space.
type fullDisk struct {
	data []byte
	room int
}

func (d *fullDisk) WriteAt(p []byte, at int64) (int, error) {
	n := min(len(p), max(0, d.room-int(at)))
	d.data = append(d.data[:min(len(d.data), int(at))], append(bytes.Clone(p[:n]), d.data[min(len(d.data), int(at)+n):]...)...)
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func (d *fullDisk) ReadAt(p []byte, at int64) (int, error) { return copy(p, d.data[at:]), nil }

func (d *fullDisk) Truncate(size int64) error {
	d.data = d.data[:size]
	return nil
}

// errFull is the error of a system whose disk is full.
var errFull = errors.New("no space left on device")

// mark matches the line that marks a gap.
var mark = regexp.MustCompile(`^\[benchpost: (\d+) bytes were lost here: no space left on device\]$`)

// TestWhatTheDiskDoesNotTakeIsMarked checks that the file contains whole printed lines in order, and marks for
// everything lost in between, whenever and for however long the disk is full.
func TestWhatTheDiskDoesNotTakeIsMarked(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		disk := &fullDisk{room: 1 << 20}
		k := &keeper{file: disk}
		var printed bytes.Buffer
		for i := range 400 {
			fmt.Fprintf(&printed, "line %d: Output token throughput (tok/s): %d.%02d\n", i, 100+r.IntN(900), r.IntN(100))
		}
		all := printed.Bytes()
		for at := 0; at < len(all); {
			n := min(len(all)-at, 1+r.IntN(300))
			switch r.IntN(12) {
			case 0:
				disk.room = len(disk.data) + r.IntN(200)
			case 1:
				disk.room = 1 << 20
			}
			if written, err := k.Write(all[at : at+n]); written != n || err != nil {
				t.Fatal(written, err)
			}
			at += n
		}
		lost := k.close()
		var marked, kept int64
		last := -1
		lines := strings.SplitAfter(string(disk.data), "\n")
		for _, line := range lines[:len(lines)-1] {
			if m := mark.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
				n, _ := strconv.ParseInt(m[1], 10, 64)
				marked += n
				continue
			}
			i := bytes.Index(all, []byte(line))
			if i <= last || i > 0 && all[i-1] != '\n' {
				t.Fatalf("seed %d: %q was not printed there", seed, line)
			}
			last, kept = i, kept+int64(len(line))
		}
		if rest := lines[len(lines)-1]; rest != "" {
			t.Fatalf("seed %d: it ends in %q", seed, rest)
		}
		if kept+marked != int64(len(all)) || (lost == nil) != (marked == 0) || lost != nil && lost.Bytes != marked {
			t.Fatalf("seed %d: %d of %d bytes are kept, %d are marked, %+v are noted", seed, kept, len(all), marked, lost)
		}
	}
}

// TestALogWithAHoleIsPartial checks that the text around a gap is not joined, and that the result is partial.
func TestALogWithAHoleIsPartial(t *testing.T) {
	t.Parallel()
	const log = "============ Serving Benchmark Result ============\nSuccessful requests:                     100\nBenchmark duration (s):                  12.34\nTotal input tokens:                      51200\n" +
		"Total generated tokens:                  12800\nOutput token throughput (tok/s):         298.07\nMean TTFT (ms):                          974.57\nMean TPOT (ms):                          31.20\n==================================================\n"
	whole, err := format.Read("console.log", strings.NewReader(log))
	if err != nil || len(whole.Results) != 1 || whole.Results[0].Status != result.Complete {
		t.Fatal(whole, err)
	}
	figures := map[string]float64{}
	for _, m := range whole.Results[0].Metrics {
		figures[m.Name] = m.Value
	}
	for from := 60; from < len(log)-60; from++ {
		disk := &fullDisk{room: from}
		k := &keeper{file: disk}
		k.Write([]byte(log[:from+7]))
		disk.room = 1 << 20
		k.Write([]byte(log[from+7:]))
		if k.close() == nil {
			t.Fatalf("nothing is lost at %d", from)
		}
		out, err := format.Read("console.log", bytes.NewReader(disk.data))
		if err != nil || !strings.Contains(fmt.Sprint(out.Messages), "bytes of the log were lost from here on") {
			t.Fatalf("%d: %v %v\n%s", from, out, err, disk.data)
		}
		for _, r := range out.Results {
			if r.Status == result.Complete {
				t.Errorf("%d: the result is complete", from)
			}
			for _, m := range r.Metrics {
				if m.Value != figures[m.Name] {
					t.Errorf("%d: %s is %v, not %v:\n%s", from, m.Name, m.Value, figures[m.Name], disk.data)
				}
			}
		}
	}
}

// TestTheEndOfALogIsMarkedWithoutRoom checks that the mark replaces the last lines if the disk stays full.
func TestTheEndOfALogIsMarkedWithoutRoom(t *testing.T) {
	t.Parallel()
	disk := &fullDisk{room: 5000}
	k := &keeper{file: disk}
	text := strings.Repeat("one line of a log\n", 1000)
	k.Write([]byte(text))
	lost := k.close()
	lines := strings.Split(strings.TrimSuffix(string(disk.data), "\n"), "\n")
	if lost == nil || !mark.MatchString(lines[len(lines)-1]) || len(disk.data) > 5000 || lost.Bytes != int64(len(text)-(len(lines)-1)*18) {
		t.Errorf("%+v, %q", lost, lines[len(lines)-1])
	}
}
