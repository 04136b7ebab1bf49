package unread

import (
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestEveryKindHasWords checks that every kind has texts in all languages, and that no two kinds share them.
func TestEveryKindHasWords(t *testing.T) {
	for _, lang := range locale.Languages {
		p, _ := locale.For(lang)
		seen := map[string]Kind{}
		for _, k := range Kinds() {
			for _, text := range []locale.Text{k.Title(), k.Hint(), Summary([]File{{Kind: k}})} {
				said := p.Say(text)
				if said == "" && !k.Counted() {
					continue
				}
				if said == "" || strings.HasPrefix(said, "[") {
					t.Errorf("%s: %s: %q", lang, k, said)
				}
				if other, known := seen[said]; known {
					t.Errorf("%s: %s and %s have the same words: %q", lang, k, other, said)
				}
				seen[said] = k
			}
		}
	}
}

// TestTheSummaryCountsEveryFile checks that the summary has the number of files of each counted kind, and that these
// add up to all counted files.
func TestTheSummaryCountsEveryFile(t *testing.T) {
	var files []File
	want := 0
	for i, k := range Kinds() {
		for n := range i + 1 {
			files = append(files, File{Name: string(k) + strconv.Itoa(n), Kind: k})
			if k.Counted() {
				want++
			}
		}
	}
	for _, lang := range locale.Languages {
		p, _ := locale.For(lang)
		sum := 0
		for _, word := range strings.FieldsFunc(p.Say(Summary(files)), func(r rune) bool { return r < '0' || r > '9' }) {
			n, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if sum != want || want != len(Counted(files)) {
			t.Errorf("%s: the summary counts %d files of %d: %s", lang, sum, want, p.Say(Summary(files)))
		}
	}
	if !Summary([]File{{Kind: Other}}).IsZero() {
		t.Error("what is plainly no result is counted")
	}
}

// TestGroupsLoseNoFile checks that every file is in the group of its kind, in the order given.
func TestGroupsLoseNoFile(t *testing.T) {
	var files []File
	for round := range 3 {
		for _, k := range Kinds() {
			files = append(files, File{Name: string(k) + strconv.Itoa(round), Kind: k})
		}
	}
	n := 0
	for _, g := range Groups(files) {
		for round, f := range g.Files {
			if f.Kind != g.Kind || f.Name != string(g.Kind)+strconv.Itoa(round) {
				t.Errorf("%s is in the group of %s at %d", f.Name, g.Kind, round)
			}
			n++
		}
	}
	if n != len(files) {
		t.Errorf("%d of %d files", n, len(files))
	}
}

func TestAMessageNamesFileAndKind(t *testing.T) {
	for _, k := range Kinds() {
		m := File{Name: "runs/a.txt", Line: 3, Kind: k, Reason: locale.Textf("why")}.Message(result.Info)
		if m.Pos.File != "runs/a.txt" || m.Pos.Line != 3 || m.ID != "unread."+string(k) || !strings.Contains(locale.English(m.Text), "why") || m.Hint.IsZero() {
			t.Errorf("%s: %+v", k, m)
		}
	}
}
