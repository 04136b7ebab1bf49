package site

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// fold attaches the consequences of a run that could not be read to the first error about runs. The hint of that error
// lists the places in posts that have no runs. The messages about those places become notes.
func fold(ms []result.Message) []result.Message {
	result.SortMessages(ms)
	isCause := func(m result.Message) bool {
		return m.Severity == result.Error && strings.HasPrefix(m.Pos.File, "runs/")
	}
	cause := slices.IndexFunc(ms, isCause)
	if cause < 0 {
		return ms
	}
	out := slices.Clone(ms)
	var files []string
	lines := map[string][]string{}
	for i := range out {
		m := &out[i]
		if m.ID != dataset.NoData || m.Severity != result.Warning {
			continue
		}
		m.Severity = result.Info
		if _, seen := lines[m.Pos.File]; !seen {
			files = append(files, m.Pos.File)
		}
		lines[m.Pos.File] = append(lines[m.Pos.File], strconv.Itoa(m.Pos.Line))
	}
	var places []locale.Text
	for _, file := range files {
		in := slices.Compact(lines[file])
		place := locale.Textf("%s, line %s", file, in[0])
		if len(in) > 1 {
			place = locale.Textf("%s, lines %s", file, locale.Few(in, 6))
		}
		places = append(places, place)
	}
	if len(places) > 0 {
		m := &out[cause]
		m.Hint = locale.Clauses(m.Hint, locale.Textf("these places of posts have no runs any more: %s", locale.FewTexts(places, 3)))
	}
	return out
}
