package site

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/need"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// Redaction changes no figure: all samples of the tools' output, read before and after,
// have the same results with the same figures on the same lines. Labels differ where a
// name in them was replaced, and only by that.
func TestRedactionChangesNoFigure(t *testing.T) {
	t.Parallel()
	from := root + "/../shared/corpus"
	need.Beside(t, from)
	r, err := redact.New(redact.Options{Key: []byte("a key of the tests")})
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	replaced := 0
	err = filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, _ := filepath.Rel(from, name)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if isBinary(text) {
			return nil
		}
		out, found := r.Replace(below, text)
		replaced += len(found)
		if bytes.Count(out, []byte("\n")) != bytes.Count(text, []byte("\n")) {
			t.Errorf("%s has other lines", below)
		}
		if again := r.Find(below, out); len(again) > 0 {
			t.Errorf("%s: found again: %v", below, again)
		}
		target := filepath.Join(to, below)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, out, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	before, err := rundir.Load(from, rundir.Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	after, err := rundir.Load(to, rundir.Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	if len(before.Results) == 0 || len(before.Results) != len(after.Results) || replaced == 0 {
		t.Fatalf("%d results before, %d after %d replacements", len(before.Results), len(after.Results), replaced)
	}
	for i := range before.Results {
		a, b := &before.Results[i], &after.Results[i]
		if text := differs(a, b); text != "" {
			t.Errorf("%s: %s", a.Source, text)
		}
	}
}

// differs returns how a result differs from that before redaction, "" for not at all.
func differs(a, b *result.Result) string {
	switch {
	case a.ID != b.ID || a.Source != b.Source || a.Status != b.Status:
		return fmt.Sprintf("%s %v %v is %s %v %v", a.ID, a.Source, a.Status, b.ID, b.Source, b.Status)
	case !slices.Equal(a.Metrics, b.Metrics):
		return fmt.Sprintf("%v are %v", a.Metrics, b.Metrics)
	case len(a.Labels) != len(b.Labels):
		return fmt.Sprintf("%v are %v", a.Labels, b.Labels)
	}
	for i, x := range a.Labels {
		if y := b.Labels[i]; x.Name != y.Name || x.Pos != y.Pos || x.Origin != y.Origin || !became(x.Value, y.Value) {
			return fmt.Sprintf("%v is %v", x, y)
		}
	}
	return ""
}

// written matches what redaction writes.
var written = regexp.MustCompile(`redacted-[a-z0-9][a-z0-9.-]*|(?:host|user|ip|mac|email|wifi|gpu|serial)-[0-9a-f]{6}`)

// became reports whether a text may have become another by redaction alone: what the two
// do not share is, in the second, what redaction writes.
func became(before, after string) bool {
	if !written.MatchString(after) {
		return before == after
	}
	kept := written.Split(after, -1)
	for i, text := range kept {
		kept[i] = regexp.QuoteMeta(text)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(kept, ".+") + `$`).MatchString(before)
}
