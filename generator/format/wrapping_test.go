package format_test

import (
	"bytes"
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
			if w.Not != nil && w.Not(path, data) != "" {
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
