package hardware

import (
	"strings"
	"testing"
)

// FuzzFind: for any name, Find returns, and case and surrounding space make no difference.
func FuzzFind(f *testing.F) {
	lines(spellings+countedSpellings, func(name, _ string) { f.Add(name) })
	f.Fuzz(func(t *testing.T, name string) {
		m, ok := Find(name)
		if ok != (m.ID != "") || m.Count < 0 || ok && (m.Bandwidth <= 0 || m.Source == "") {
			t.Errorf("%q: %+v", name, m)
		}
		if again, _ := Find(" " + strings.ToLower(name) + " "); again.ID != m.ID || again.Count != m.Count {
			t.Errorf("%q: %d %q, in small letters %d %q", name, m.Count, m.ID, again.Count, again.ID)
		}
	})
}
