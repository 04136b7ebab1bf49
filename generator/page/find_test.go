package page

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/page/find"
)

// foundIn returns the search index of a language from its script.
func foundIn(t *testing.T, files map[string][]byte, lang string) (index struct {
	Words map[string]string
	Kinds []struct {
		Title   string
		Entries [][]string
	}
	Runs []string
}) {
	t.Helper()
	_, value, _ := bytes.Cut(files[data.Path(find.Name(lang))], []byte("]="))
	if err := json.Unmarshal(bytes.TrimSuffix(value, []byte(";\n")), &index); err != nil {
		t.Fatal(err)
	}
	return index
}

// TestWhatIsFoundIsThere checks that every entry links to an existing page and anchor in the language.
func TestWhatIsFoundIsThere(t *testing.T) {
	t.Parallel()
	s := fixture()
	files, _ := render(t, s)
	for _, lang := range s.Languages {
		index := foundIn(t, files, lang)
		kinds := map[string]int{}
		for _, kind := range index.Kinds {
			for _, e := range kind.Entries {
				kinds[kind.Title]++
				to, anchor, _ := strings.Cut(e[1], "#")
				for name, page := range files {
					if address.Escape(name) != path.Join(s.dir(lang), to) {
						continue
					}
					if anchor != "" && !bytes.Contains(page, []byte(`id="`+anchor+`"`)) {
						t.Errorf("%s: %s: %s has no such place", lang, e[0], e[1])
					}
					to = ""
				}
				if to != "" {
					t.Errorf("%s: %s: there is no page %s", lang, e[0], e[1])
				}
			}
		}
		for _, pack := range index.Runs {
			if files[data.Path(pack)] == nil {
				t.Errorf("%s: the runs of %s are nowhere", lang, pack)
			}
		}
		if len(kinds) < 8 {
			t.Errorf("%s: only %v can be found", lang, kinds)
		}
	}
}

// TestOneMoreRunLeavesTheSearchAlone checks that one more run of known subjects changes neither the index nor the
// search page.
func TestOneMoreRunLeavesTheSearchAlone(t *testing.T) {
	t.Parallel()
	s := fixture()
	before, _ := render(t, s)
	more := *s.Results[0]
	more.ID += "-again"
	s.Results = append(slices.Clone(s.Results), &more)
	after, _ := render(t, s)
	for _, lang := range s.Languages {
		for _, name := range []string{data.Path(find.Name(lang)), s.dir(lang) + "search/index.html"} {
			if before[name] == nil || !bytes.Equal(before[name], after[name]) {
				t.Errorf("%s is not as before", name)
			}
		}
	}
}
