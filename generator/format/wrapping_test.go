package format_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// Every fixture reads in every wrapping as it does alone.
func TestWrappings(t *testing.T) {
	for _, path := range fixture.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		alone := fixture.Sane(t, data)
		want := fixture.Placeless(alone)
		for _, w := range fixture.Wrappings {
			if !w.Fits(path, data) {
				continue
			}
			t.Run(w.Name+"/"+filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				wrapped := w.Wrap(bytes.Clone(data))
				got, err := format.Read("f", bytes.NewReader(wrapped))
				if err != nil {
					t.Fatal(err)
				}
				if text := fixture.Placeless(got); text != want {
					t.Fatalf("got\n%s\nwant\n%s", text, want)
				}
				if !w.Joined && bytes.IndexByte(wrapped, 0) < 0 && bytes.IndexByte(wrapped, '\n') >= 0 {
					fixture.SamePlaces(t, data, wrapped, alone, got)
				}
			})
		}
	}
}

// A fixture reads in one wrapping within another as it does alone: in a few pairs drawn for
// each, and thoroughly in all.
func TestWrappingsInWrappings(t *testing.T) {
	all := os.Getenv("BENCHPOST_REQUIRE") == "1"
	for i, path := range fixture.All(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			want := fixture.Placeless(fixture.Sane(t, data))
			var pairs [][2]fixture.Wrapping
			for _, inner := range fixture.Wrappings {
				for _, outer := range fixture.Wrappings {
					if inner.Fits(path, data) && !inner.Outermost && outer.Fits(path, data) && !(inner.Once && outer.Once) {
						pairs = append(pairs, [2]fixture.Wrapping{inner, outer})
					}
				}
			}
			if !all {
				rng := rand.New(rand.NewPCG(22, uint64(i)))
				rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
				pairs = pairs[:min(len(pairs), 30)]
			}
			for _, pair := range pairs {
				wrapped := pair[0].Wrap(bytes.Clone(data))
				if !pair[1].Fits(path, wrapped) || pair[0].Joined && (pair[1].Joined || pair[1].Name == "trailing-blanks") { // between the parts of a line
					continue
				}
				got, err := format.Read("f", bytes.NewReader(pair[1].Wrap(wrapped)))
				if err != nil {
					t.Fatal(err)
				}
				if text := fixture.Placeless(got); text != want {
					t.Errorf("%s in %s: got\n%s\nwant\n%s", pair[0].Name, pair[1].Name, text, want)
				}
			}
		})
	}
}
