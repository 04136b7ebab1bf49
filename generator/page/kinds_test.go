package page

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
)

// TestKindsAreWhole checks that each row of the table of kinds is complete: a layout, messages, a column of the index,
// a section.
func TestKindsAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range kinds() {
		if seen[k.name] {
			t.Errorf("%s has two rows", k.name)
		}
		seen[k.name] = true
		if _, err := fs.Stat(Layouts(), k.name+".html"); err != nil {
			t.Errorf("%s has no layout: %v", k.name, err)
		}
		if k.path == "" {
			if k.group != "" || k.main || k.shown != nil || k.fill != nil {
				t.Errorf("%s is no section and has what only sections have", k.name)
			}
			if k.under != "" && !slices.ContainsFunc(sections(), func(s kind) bool { return s.name == k.under }) {
				t.Errorf("%s is under %s, which is no section", k.name, k.under)
			}
			continue
		}
		if !slices.Contains(indexGroups, k.group) {
			t.Errorf("%s is listed under %q, which is no column of the index", k.name, k.group)
		}
		for _, lang := range locale.Languages {
			p, _ := locale.For(lang)
			for _, key := range []string{"page." + k.name, "page.index." + k.group} {
				if !p.Has(key) {
					t.Errorf("%s: there is no message %s", lang, key)
				}
			}
		}
	}
}

// TestLayoutsNameTheirWords checks that layouts use messages by literal keys, so that unknown ones are found when a
// layout is read.
func TestLayoutsNameTheirWords(t *testing.T) {
	t.Parallel()
	calls := regexp.MustCompile(`\bwords\b\s*([^\s})]*)`)
	names, err := fs.Glob(Layouts(), "*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		source, err := fs.ReadFile(Layouts(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, action := range regexp.MustCompile(`(?s)\{\{.*?\}\}`).FindAllString(string(source), -1) {
			for _, m := range calls.FindAllStringSubmatch(action, -1) {
				if !strings.HasPrefix(m[1], `"`) {
					t.Errorf("%s: %s puts a key together", name, action)
				}
			}
		}
	}
}
