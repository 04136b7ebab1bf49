package format

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

var update = flag.Bool("update", false, "write what is read from the fixtures as what is wanted")

// The files of testdata/fixtures are as tools write them. Beside each stands
// what is read from it, in a file of the same name and ".want".
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "fixtures", "*"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, ".want") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out := sane(t, data)
			for _, r := range out.Results {
				seen[r.Format] = true
			}
			for _, trace := range out.Traces {
				seen[trace.Format] = true
			}
			seen[out.Capture] = true
			if out.Snapshot != nil {
				seen[out.Snapshot.Format] = true
			}
			got := describe(out)
			if *update {
				if err := os.WriteFile(path+".want", []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".want")
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	for _, name := range formatNames() {
		if !seen[name] {
			t.Errorf("no fixture is read as %s", name)
		}
	}
}

// docs/formats.md names every format that is read.
func TestFormatsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range formatNames() {
		if !bytes.Contains(page, []byte("`"+name+"`")) {
			t.Errorf("docs/formats.md does not name %s", name)
		}
	}
}

// formatNames gives the formats of all tables. Those of vLLM's serving benchmark
// have tests of their own, and the summaries of its continuous benchmarks give no
// result.
func formatNames() []string {
	var names []string
	for _, f := range objectFormats {
		names = append(names, f.name)
	}
	for _, f := range blockFormats {
		names = append(names, f.name)
	}
	for _, f := range yamlFormats {
		names = append(names, f.name)
	}
	return slices.DeleteFunc(names, func(n string) bool {
		return strings.HasPrefix(n, "vllm-serve-") || strings.HasPrefix(n, "vllm-ci-")
	})
}

// describe writes all that was read from a file, a line for each fact.
func describe(out Output) string {
	var b strings.Builder
	if out.Reason != "" {
		fmt.Fprintf(&b, "no result: %s\n", out.Reason)
	}
	for _, r := range out.Results {
		fmt.Fprintf(&b, "%s, %s: %s, lines %d to %d\n", r.Format, r.Tool, r.Status, r.Source.Line, r.EndLine)
		for _, l := range r.Labels {
			fmt.Fprintf(&b, "  %s = %s", l.Name, l.Value)
			if l.Origin != result.Measured {
				fmt.Fprintf(&b, " (%s)", l.Origin)
			}
			fmt.Fprintf(&b, " [%d]\n", l.Pos.Line)
		}
		for _, m := range r.Metrics {
			derived := ""
			if m.Derived {
				derived = "derived: "
			}
			fmt.Fprintf(&b, "  %s %s %s [%d, %s%s]\n", m.Name, m.Text(), m.Unit, m.Line, derived, m.Field)
		}
		for _, c := range r.Checks {
			fmt.Fprintf(&b, "  %s %s: %s\n", c.Severity, c.ID, locale.English(c.Text))
		}
	}
	for _, trace := range out.Traces {
		fmt.Fprintf(&b, "%s, %s: %d samples over %g s, lines %d to %d", trace.Format, trace.Tool, len(trace.Times),
			trace.Times[len(trace.Times)-1], trace.Source.Line, trace.EndLine)
		if !trace.Start.IsZero() {
			fmt.Fprintf(&b, ", from %s", trace.Start.Format(time.RFC3339Nano))
		}
		b.WriteString("\n")
		for _, l := range trace.Labels {
			fmt.Fprintf(&b, "  %s = %s [%d]\n", l.Name, l.Value, l.Pos.Line)
		}
		for _, c := range trace.Channels {
			s := trace.Summarize(&c, 0, len(trace.Times))
			fmt.Fprintf(&b, "  %s: %d of %s, mean %.6g, max %.6g %s", c.Name, s.N, c.Field, s.Mean, s.Max, c.Unit)
			if c.Scope != "" {
				fmt.Fprintf(&b, ", %s", c.Scope)
			}
			b.WriteString("\n")
		}
	}
	if s := out.Snapshot; s != nil {
		fmt.Fprintf(&b, "%s, %s: process of %.0f, from line %d, cut off %v\n", s.Format, s.Engine, s.Started, s.Source.Line, s.Cut)
		for _, c := range s.Counters {
			fmt.Fprintf(&b, "  %s %.0f [%d, %s]\n", c.Name, c.Value, c.Line, c.Field)
		}
	}
	for _, l := range out.Captured {
		fmt.Fprintf(&b, "captured %s = %s [%d]\n", l.Name, l.Value, l.Pos.Line)
	}
	for _, m := range out.Messages {
		fmt.Fprintf(&b, "%d: %s %s: %s\n", m.Pos.Line, m.Severity, m.ID, m.Text)
	}
	return b.String()
}
