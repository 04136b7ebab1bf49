package page

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
)

func TestTableGolden(t *testing.T) {
	t.Parallel()
	s := fixture()
	for _, lang := range s.Languages {
		p, _ := locale.For(lang)
		from := s.PostPage(lang, "tradeoffs")
		got := string(parts.Table(fixtureTable(s), p, func(id string) string { return address.Link(from, s.RunPage(lang, id)) }))
		name := filepath.Join("testdata", "table."+lang+".html")
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs; look at it and run with -update if it is right:\n%s", name, got)
		}
	}
}
