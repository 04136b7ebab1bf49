package audit

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The documentation and the list name the same checks.
func TestIDsAreThoseOfTheDocumentation(t *testing.T) {
	doc, err := os.ReadFile("../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`(?:physics|consistency)[^|]*) \\|").FindAllSubmatch(doc, -1) {
		for _, id := range strings.Split(string(row[1]), ", ") {
			if id = strings.Trim(id, "`"); strings.HasPrefix(id, ".") {
				id = "consistency" + id
			}
			want = append(want, id)
		}
	}
	if !slices.Equal(IDs(), want) {
		t.Errorf("got  %v\nwant %v", IDs(), want)
	}
}
