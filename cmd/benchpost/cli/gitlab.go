package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// quality is an entry of GitLab's code quality report, whose format is a subset of Code Climate's. Source:
// https://docs.gitlab.com/ci/testing/code_quality/.
type quality struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    location `json:"location"`
}

type location struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// printGitLab writes the report. GitLab uses fingerprints to find out whether a problem was reported before. A
// fingerprint is made of file, rule and text, not of the line, which may move. Equal problems are numbered.
func printGitLab(a *app, ms []result.Message) error {
	severities := map[result.Severity]string{result.Info: "info", result.Warning: "minor", result.Error: "major"}
	out := []quality{}
	seen := map[string]int{}
	for _, m := range ms {
		text := locale.English(m.Text)
		if !m.Hint.IsZero() {
			text += " (" + locale.English(m.Hint) + ")"
		}
		same := m.Pos.File + "\x00" + m.ID + "\x00" + locale.English(m.Text)
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", same, seen[same]))
		seen[same]++
		q := quality{text, m.ID, hex.EncodeToString(sum[:16]), severities[m.Severity], location{Path: m.Pos.File}}
		q.Location.Lines.Begin = max(m.Pos.Line, 1)
		out = append(out, q)
	}
	e := json.NewEncoder(a.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
