package format_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// TestDocsListWrappings checks that docs/formats.md has the table of the tested wrappings, and docs/zh/formats.md a row
// for each.
func TestDocsListWrappings(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	chinese := read(filepath.Join("zh", "formats.md"))
	var table strings.Builder
	table.WriteString("| wrapping | what is around the text |\n|---|---|\n")
	for _, w := range fixture.Wrappings {
		fmt.Fprintf(&table, "| %s | %s |\n", w.Name, strings.ReplaceAll(w.About, "|", `\|`))
		if !strings.Contains(chinese, "\n| "+w.Name+" | ") {
			t.Errorf("docs/zh/formats.md lacks the wrapping %s", w.Name)
		}
	}
	if !strings.Contains(read("formats.md"), table.String()) {
		t.Errorf("docs/formats.md lacks the table\n%s", table.String())
	}
}
