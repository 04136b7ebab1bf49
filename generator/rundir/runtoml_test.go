package rundir

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// FuzzRunTOML checks that any run.toml gives labels with names and positions, and messages with positions in the file.
func FuzzRunTOML(f *testing.F) {
	f.Add("hardware = \"Thor\"\npower = 120.5\ndate = 2025-10-12\nnote = '''\ntwo\nlines'''\n")
	f.Add("[files.\"*.log\"]\nload = \"high\"\n[files]\n\"low.log\" = { load = 'low', n = 2 }\n")
	f.Add("a.b = 1\n[[q]]\nx = [1, 2]\n[server]\ntp = 8\n")
	f.Add("files = 3\n\"power-mode\" = \"x\"\ntool = 1\nx = nan\n")
	f.Fuzz(func(t *testing.T, text string) {
		here, messages := declarationsOf(text).in("", "run.toml")
		lines := strings.Count(text, "\n") + 1
		labels := here.labels
		for _, r := range here.rules {
			labels = append(labels, r.labels...)
		}
		for _, l := range labels {
			if !isLabelName(l.Name) || isReserved(l.Name) || l.Origin != result.Declared || l.Pos.File != "run.toml" || l.Pos.Line > lines {
				t.Errorf("%+v", l)
			}
		}
		for _, m := range messages {
			if m.Pos.Line < 0 || m.Pos.Line > lines || m.Pos.Column < 0 || m.Text.IsZero() || m.Hint.IsZero() {
				t.Errorf("%+v", m)
			}
		}
	})
}
