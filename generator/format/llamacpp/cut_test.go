package llamacpp_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// What is read of a file that is cut off at any byte is read of the whole file, too. A run that has no result yet aside.
func TestCutFixturesSayNothingNew(t *testing.T) {
	for _, path := range fixture.Own(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := format.Read("f", bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			for n := 0; n < len(data) && !t.Failed(); n++ {
				cut, err := format.Read("f", bytes.NewReader(data[:n]))
				if err != nil {
					t.Fatal(err)
				}
				cut.Unfinished = nil
				if fixture.NothingNew(t, whole, cut); t.Failed() {
					t.Logf("cut off behind %q", data[max(0, n-60):n])
				}
			}
		})
	}
}
