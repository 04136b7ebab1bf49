package pieces

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// list writes a line for each piece and a line for each result, and finally the number of bytes so far. made
// counts the lines of results.
func list(results []*result.Result, made *int) func(*Writer) error {
	return func(w *Writer) error {
		notes := ""
		key := func(rs []*result.Result) func(*result.Stamper) {
			return func(s *result.Stamper) { s.Text("piece"); s.Results(rs) }
		}
		err := w.AddEach(results, 8, key, func() func(io.Writer, []*result.Result) error {
			return func(w io.Writer, rs []*result.Result) error {
				return write(w, "piece of", len(rs), "from", rs[0].ID, rs[0].Tool)
			}
		})
		if err != nil {
			return err
		}
		for rs := range Chunks(results, 8) {
			note, err := w.Add(func(s *result.Stamper) { s.Results(rs) }, func(w io.Writer) ([]byte, error) {
				for _, r := range rs {
					*made++
					fmt.Fprintln(w, r.ID, r.Tool)
				}
				return []byte(rs[0].ID), nil
			})
			if err != nil {
				return err
			}
			notes += string(note) + " "
		}
		_, err = w.Add(nil, func(to io.Writer) ([]byte, error) { return nil, write(to, notes, w.Size()) })
		return err
	}
}

func write(w io.Writer, of ...any) error {
	_, err := fmt.Fprintln(w, of...)
	return err
}

func stamped(id int, tool string) *result.Result {
	r := &result.Result{ID: fmt.Sprintf("run/%d", id), Tool: tool}
	var s result.Stamper
	s.Text(r.ID, r.Tool)
	r.Stamp = s.Sum()
	return r
}

// TestPieces: after any changes, a file with copied pieces equals a file that is made anew, and a change costs
// only the pieces that contain it.
func TestPieces(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 0))
		var results []*result.Result
		for i := range 500 {
			results = append(results, stamped(10*i, "a"))
		}
		var old *File
		for step := range 20 {
			changes := random.IntN(4)
			for range changes {
				i := random.IntN(len(results))
				switch random.IntN(3) {
				case 0:
					results = slices.Insert(slices.Clone(results), i, stamped(10000+1000*int(seed)+100*step+i, "b"))
				case 1:
					results = slices.Delete(slices.Clone(results), i, i+1)
				case 2:
					results = slices.Clone(results)
					results[i] = stamped(10*i, fmt.Sprint("c", step))
				}
			}
			made, all := 0, 0
			var got, want bytes.Buffer
			now, err := Write(&got, result.Stamp{}, old, list(results, &made))
			if err := errors.Join(err, Whole(&want, list(results, &all))); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Fatalf("seed %d, step %d: the file is another when pieces are copied", seed, step)
			}
			if old != nil && made > changes*3*4*8 {
				t.Errorf("seed %d, step %d: %d lines of %d are made for %d changes", seed, step, made, all, changes)
			}
			old = &File{bytes.NewReader(got.Bytes()), now}
		}
		another := result.Stamp{1}
		made := 0
		if _, err := Write(io.Discard, another, old, list(results, &made)); err != nil || made != len(results) {
			t.Errorf("another program makes %d of %d lines, %v", made, len(results), err)
		}
	}
}

// TestChunks: the chunks contain all results in order, and each except the last is within the limits.
func TestChunks(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 31, 32, 1000, 20000} {
		var results, joined []*result.Result
		for i := range n {
			results = append(results, stamped(i, ""))
		}
		count := 0
		for rs := range Chunks(results, 64) {
			if count++; len(rs) > 256 || len(rs) < 32 && len(joined)+len(rs) < n {
				t.Errorf("%d results: a chunk of %d", n, len(rs))
			}
			joined = append(joined, rs...)
		}
		if !slices.Equal(joined, results) || n >= 1000 && (count < n/128 || count > n/32) {
			t.Errorf("%d of %d results in %d chunks", len(joined), n, count)
		}
	}
}

// TestLostFile: an error is returned if a piece cannot be copied.
func TestLostFile(t *testing.T) {
	t.Parallel()
	results := []*result.Result{stamped(1, "")}
	made := 0
	var b bytes.Buffer
	all, err := Write(&b, result.Stamp{}, nil, list(results, &made))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(io.Discard, result.Stamp{}, &File{bytes.NewReader(nil), all}, list(results, &made)); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
}
