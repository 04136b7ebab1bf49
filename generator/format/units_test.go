package format

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestANameHasOneUnit checks with the fixtures that a name has one unit in all readers: durations are in ms unless the
// vocabulary has seconds, and sizes are in bytes.
func TestANameHasOneUnit(t *testing.T) {
	t.Parallel()
	units := map[string]map[string]string{} // by name and unit, one fixture
	for _, path := range fixtures(t) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Read(path, f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range out.Results {
			for _, m := range r.Metrics {
				if units[m.Name] == nil {
					units[m.Name] = map[string]string{}
				}
				units[m.Name][m.Unit] = path
				named := strings.HasSuffix(m.Name, "_"+strings.ToLower(m.Unit)) // the name includes the unit
				if strings.HasPrefix(m.Name, "x_") && !named && slices.Contains([]string{"s", "ns", "us", "µs", "min", "h", "kB", "MB", "GB", "KiB", "MiB", "GiB"}, m.Unit) {
					t.Errorf("%s: %s is in %s", path, m.Name, m.Unit)
				}
			}
		}
	}
	for name, of := range units {
		if len(of) > 1 {
			t.Errorf("%s is in %v", name, slices.Sorted(maps.Keys(of)))
		}
	}
}
