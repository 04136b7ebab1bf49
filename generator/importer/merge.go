package importer

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// merge joins the copies of each run. Two results are the same run if they state the same figures, whatever their
// layout.
func merge(found []finding) ([]Run, []result.Message) {
	byDigest := map[string][]finding{}
	var order []string
	for _, f := range found {
		if _, ok := byDigest[f.result.Digest]; !ok {
			order = append(order, f.result.Digest)
		}
		byDigest[f.result.Digest] = append(byDigest[f.result.Digest], f)
	}
	var runs []Run
	var messages []result.Message
	for _, digest := range order {
		run, ms := join(byDigest[digest])
		runs = append(runs, run)
		messages = append(messages, ms...)
	}
	return runs, messages
}

// join makes one run from its copies. It keeps a copy with the tool's own column layout, if there is one.
func join(copies []finding) (Run, []result.Message) {
	slices.SortStableFunc(copies, func(a, b finding) int { return compareBool(hasColumns(b.raw), hasColumns(a.raw)) })
	run := Run{Raw: bytes.Clone(copies[0].raw), Duplicates: len(copies) - 1, result: copies[0].result, notes: map[string]string{}}
	var messages []result.Message
	known := map[string]told{}
	for _, c := range copies {
		run.Sources = append(run.Sources, c.result.Source)
		for _, t := range c.told {
			before, ok := known[t.Name]
			if ok && before.Value != t.Value && t.Name != "published" && t.Name != "model_raw" && min(before.kind, t.kind) > guess {
				kept := before
				if t.kind > before.kind {
					kept = t
				}
				messages = append(messages, result.Message{Pos: c.result.Source, Severity: result.Warning, ID: "import.contradiction",
					Text: locale.Textf("the same figures are at %s, with %s=%s there (%s) and %s here (%s)",
						copies[0].result.Source, t.Name, before.Value, before.Pos, t.Value, t.Pos),
					Hint: locale.Textf("%s is kept; one of the two may be a copy pasted under the wrong title", kept.Value)})
			}
			if !ok || t.kind > before.kind || t.Name == "published" && t.Value < before.Value {
				known[t.Name] = t
			}
		}
	}
	if raw, ok := known["model_raw"]; ok && known["model"].Value != "" && letters(modelName(raw.Value)) != letters(known["model"].Value) {
		delete(known, "model_raw") // it came from a copy with another model
	}
	for name, t := range known {
		run.Labels.Set(t.Label)
		if t.note != "" {
			run.notes[name] = t.note
		}
	}
	return run, messages
}

var column = lazy.Regexp(`:  +\d`)

// hasColumns reports whether a result has the tool's own layout, with the values in a column.
func hasColumns(raw []byte) bool { return column().Match(raw) || !strings.Contains(string(raw), ": ") }
