package cache

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/pack"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsRecalledIsWhatWasRead checks for every file of the corpus that the recalled contents equal those that were
// read.
func TestWhatIsRecalledIsWhatWasRead(t *testing.T) {
	t.Parallel()
	corpus := filepath.Join("..", "..", "..", "..", "shared", "corpus")
	need.Beside(t, corpus)
	n, kept := 0, 0
	texts := pack.NewTexts()
	filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		out, err := format.ReadFile(path, "runs/x")
		if err != nil {
			return nil
		}
		n++
		data, ok := pack.Pack(&reading{Output: out})
		if !ok {
			return nil
		}
		kept++
		recalled, ok := pack.Unpack[reading](data, texts)
		again := recalled.Output
		if !ok {
			t.Fatalf("%s is not recalled", path)
		}
		if len(again.Results) != len(out.Results) {
			t.Fatalf("%s: %d results, not %d", path, len(again.Results), len(out.Results))
		}
		for i := range out.Results {
			a, b := out.Results[i], again.Results[i]
			a.Seal()
			b.Seal()
			if a.Stamp != b.Stamp {
				t.Errorf("%s: result %d is another:\n%+v\n%+v", path, i+1, a, b)
			}
		}
		if fmt.Sprint(again.Messages, again.Captured, again.Capture, again.Cut, again.Archive, again.Reason, len(again.Traces)) !=
			fmt.Sprint(out.Messages, out.Captured, out.Capture, out.Cut, out.Archive, out.Reason, len(out.Traces)) {
			t.Errorf("%s is recalled as\n%+v\nnot\n%+v", path, again, out)
		}
		if len(again.Traces) > 0 && !reflect.DeepEqual(fmt.Sprint(again.Traces), fmt.Sprint(out.Traces)) {
			t.Errorf("the telemetry of %s is another", path)
		}
		if !reflect.DeepEqual(fmt.Sprint(again.Unfinished), fmt.Sprint(out.Unfinished)) {
			t.Errorf("the unfinished runs of %s are others", path)
		}
		return nil
	})
	if n < 300 || kept < n*9/10 {
		t.Errorf("%d of %d files can be kept", kept, n)
	}
}

// TestASmallFileIsReadOnce checks that a small file is read once for both its contents and its checksum, and that both
// equal those of two separate readings: plain, with a masked secret, compressed, in an archive, and broken.
func TestASmallFileIsReadOnce(t *testing.T) {
	t.Parallel()
	log := "============ Serving Benchmark Result ============\nSuccessful requests: 100\nOutput token throughput (tok/s): 53.88\n"
	secret := log + "api_key=sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1x\n"
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	_, err := z.Write([]byte(secret))
	if err := errors.Join(err, z.Close(), rawfile.Compress(&zst, strings.NewReader(log))); err != nil {
		t.Fatal(err)
	}
	redactor, err := redact.New(redact.Options{Key: []byte("k")})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"plain": log, "masked": secret, "empty": "", "gzip": gz.String(), "zstd": zst.String(), "cut off": gz.String()[:gz.Len()/2], "no gzip": "\x1f\x8b\x08x",
		"zip": folder.Zip(t, "a.log", secret), "binary": "\x00\x01\x02", "utf-16": "\xff\xfea\x00",
	} {
		for _, m := range []*mask.Masker{nil, mask.New(redactor, result.Stamp{1})} {
			dir := t.TempDir()
			path := filepath.Join(dir, "x")
			writeFile(t, path, data)
			want, wantErr := rundir.ReadFile(path, "runs/x", m)
			measured := OpenSums(dir, dir)
			measured.Mask = m
			sum, err := measured.sum(path)
			if err != nil {
				t.Fatal(err)
			}
			sums := OpenSums(dir, dir)
			sums.Mask = m
			r := OpenReader(dir, sums)
			r.Mask = m
			out, err := r.Read(path, "runs/x", filemark.Mark{})
			if fmt.Sprint(out.Results, out.Messages, out.Reason, out.Archive, err) != fmt.Sprint(want.Results, want.Messages, want.Reason, want.Archive, wantErr) {
				t.Errorf("%s is read as %v, %v, not %v, %v", name, out, err, want, wantErr)
			}
			if noted := sums.known["runs/x"]; err == nil && noted != sum {
				t.Errorf("%s: the sum is %+v, not %+v", name, noted, sum)
			}
		}
	}
}

// TestLargeFilesAreRecalled checks that another session reads a large file again only if it has changed or its record
// is damaged.
func TestLargeFilesAreRecalled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // its clock is far from the files' times, so the files count as settled
		dir := t.TempDir()
		file := filepath.Join(dir, "big.log")
		put := func(i int) {
			writeFile(t, file, strings.Repeat("(worker) INFO nothing to see here\n", large/30)+invent.Block(i))
		}
		reader := func() *Reader { return OpenReader(dir, OpenSums(dir, dir)) }
		duration := func() float64 {
			out, err := reader().Read(file, "runs/big.log", filemark.At(file))
			if err != nil || len(out.Results) != 1 {
				t.Fatal(out, err)
			}
			m, _ := out.Results[0].Metric("duration")
			return m.Value
		}
		put(1)
		first := duration()
		names, _ := filepath.Glob(filepath.Join(dir, Name, "cache", "*"))
		if len(names) != 1 {
			t.Fatalf("%d files are kept", len(names))
		}
		// A record with other contents shows that it is used.
		other, err := format.ReadFile(file, "runs/big.log")
		if err != nil {
			t.Fatal(err)
		}
		for i := range other.Results[0].Metrics {
			other.Results[0].Metrics[i].Value = 77
		}
		record, ok := pack.Pack(&reading{Output: other})
		if !ok {
			t.Fatal("it cannot be kept")
		}
		key := Key(ReadingKey{"runs/big.log", filemark.At(file), result.Stamp{}})
		reader().Put(key[:], record)
		if got := duration(); got != 77 {
			t.Errorf("it was read again: %g", got)
		}
		data, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-1] ^= 1
		writeFile(t, names[0], string(data))
		if got := duration(); got != first {
			t.Errorf("a damaged record was believed: %g", got)
		}
		put(2)
		if got := duration(); got == first || got == 77 {
			t.Errorf("a changed file was recalled: %g", got)
		}
	})
}

// TestSmallFilesAreRecalled checks that what another session read from small files is used, except for changed files,
// and that nothing is used if the file with the records is damaged in any byte, truncated, or from another program.
func TestSmallFilesAreRecalled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // its clock is far from the files' times, so the files count as settled
		dir := t.TempDir()
		path := func(i int) string { return filepath.Join(dir, "runs", fmt.Sprint(i, ".log")) }
		for i := range 3 {
			writeFile(t, path(i), invent.Block(i))
		}
		recalled := func(r *Reader, i int) bool {
			name := fmt.Sprintf("runs/%d.log", i)
			_, ok := r.small.get(ReadingKey{name, filemark.At(path(i)), result.Stamp{}})
			out, err := r.Read(path(i), name, filemark.At(path(i)))
			read, _ := format.ReadFile(path(i), name)
			if err != nil || !reflect.DeepEqual(out, read) {
				t.Errorf("%s is\n%+v\nnot\n%+v", name, out, read)
			}
			return ok
		}
		reader := func() *Reader { return OpenReader(dir, OpenSums(dir, dir)) }
		session := func() (n int) {
			r := reader()
			for i := range 3 {
				if recalled(r, i) {
					n++
				}
			}
			r.Save()
			return n
		}
		if a, b := session(), session(); a != 0 || b != 3 {
			t.Fatalf("first %d are recalled, then %d", a, b)
		}
		writeFile(t, path(1), invent.Block(7))
		if a, b := session(), session(); a != 2 || b != 3 {
			t.Errorf("after a change %d are recalled, then %d", a, b)
		}
		file := filepath.Join(dir, Name, "readings")
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		step := max(1, len(whole)/200)
		for n := 0; n < len(whole); n += step {
			damaged := append([]byte(nil), whole...)
			damaged[n] ^= 1
			for _, bytes := range [][]byte{damaged, whole[:n]} {
				writeFile(t, file, string(bytes))
				if recalled(reader(), 0) {
					t.Fatalf("damaged at byte %d of %d it is believed", n, len(whole))
				}
			}
		}
		writeFile(t, file, string(whole))
		other := reader()
		other.small.program[0] ^= 1
		if recalled(other, 0) {
			t.Error("what another program left is believed")
		}
		if err := os.Remove(path(2)); err != nil {
			t.Fatal(err)
		}
		last := reader()
		recalled(last, 0)
		writeFile(t, path(1), invent.Block(8))
		recalled(last, 1)
		last.Save()
		if last.small.load(); len(last.small.known) != 2 {
			t.Errorf("%d files are known, of which one is gone", len(last.small.known))
		}
	})
}
