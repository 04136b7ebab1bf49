package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/held"
	"github.com/benchpost/benchpost/generator/need"
)

// TestFiguresBytesAndSumsAgree changes a raw file and its times before and during builds. The published figure, the
// copy of the file and its checksum always come from the same bytes.
func TestFiguresBytesAndSumsAgree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "runs", "a", "run.log")
	rng := rand.New(rand.NewPCG(5, 6))
	rate := 10
	text := func() string {
		text := fmt.Sprintf("============ Serving Benchmark Result ============\nSuccessful requests: 10\nOutput token throughput (tok/s): %d.00\n==================================================\n", rate)
		if rate%2 > 0 { // no page contains these line ends unchanged
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		return text
	}
	folder.Write(t, dir, map[string]string{"site.toml": "title = \"S\"\nlanguages = [\"en\"]\n", "runs/a/run.toml": "model = \"M\"\n", "runs/a/run.log": text()})
	then := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	edit := func() {
		rate = 10 + rng.IntN(90)
		to := file
		if rng.IntN(2) == 0 { // like an editor that replaces the file
			to += "~"
		}
		err := errors.Join(os.WriteFile(to, []byte(text()), 0o644), os.Chtimes(to, then, then))
		if to != file {
			err = errors.Join(err, os.Rename(to, file))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	grow := func() {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString("one more line\n")
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	var rates []int
	agree := func(what string) {
		t.Helper()
		public := folder.Read(t, filepath.Join(dir, "public", "site"))
		page := public["runs/a/run.html"]
		data := public["runs/a/run.log.txt"]
		if _, text, ok := held.File(page); ok == (data != nil) {
			t.Fatalf("%s: there is a copy: %t, as well as what the page saves", what, data != nil)
		} else if ok {
			data = []byte(text)
		}
		var published int
		if _, err := fmt.Sscanf(string(data[bytes.Index(data, []byte("(tok/s): ")):]), "(tok/s): %d", &published); err != nil {
			t.Fatal(err)
		}
		rates = append(rates, published)
		if !bytes.Contains(public["data/results.csv"], fmt.Appendf(nil, ",%d.00", published)) {
			t.Fatalf("%s: the copy has %d, the data do not", what, published)
		}
		sum := sha256.Sum256(data)
		if !bytes.Contains(page, []byte(hex.EncodeToString(sum[:]))) || !bytes.Contains(page, fmt.Appendf(nil, "%d.00", published)) {
			t.Fatalf("%s: the page is of other bytes than the copy, whose rate is %d", what, published)
		}
	}
	s := Open(Options{Dir: dir})
	defer s.Close()
	for range need.Times(12, 200) {
		edit()
		if _, _, err := Build(t.Context(), Options{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		agree("a build")
		if rates[len(rates)-1] != rate {
			t.Fatalf("a build shows %d, not %d", rates[len(rates)-1], rate)
		}
		edit()
		s.Changed([]string{"runs/a/run.log"})
		e, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		meanwhile := []func(){func() {}, edit, grow}[rng.IntN(3)]
		meanwhile()
		_, _, err = e.Write(context.Background())
		if outdated := s.Outdated(err); err != nil && !outdated {
			t.Fatal(err)
		}
		agree("a session")
		if _, _, err := s.Build(context.Background()); err != nil {
			t.Fatal(err)
		}
		agree("a session, again")
	}
}
