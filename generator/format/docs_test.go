package format_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// docs/formats.md has the table of wrappings as it is tested.
func TestDocsListWrappings(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| wrapping | what is around the text |\n|---|---|\n")
	for _, w := range fixture.Wrappings {
		fmt.Fprintf(&table, "| %s | %s |\n", w.Name, strings.ReplaceAll(w.About, "|", `\|`))
	}
	if !strings.Contains(string(data), table.String()) {
		t.Errorf("docs/formats.md lacks the table\n%s", table.String())
	}
}
