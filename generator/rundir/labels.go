package rundir

import (
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// disputes collects contradictions between declared labels and raw files. One wrong line in a run.toml may affect many
// runs, but is reported once.
type disputes struct {
	order []dispute
	files map[dispute]*disputed
}

// dispute is a declared value that differs from a measured one.
type dispute struct {
	name, declared, measured string
	at                       result.Position // of the declaration
}

// disputed counts the runs that a dispute affects.
type disputed struct {
	first result.Position
	runs  int
}

func (d *disputes) add(declared, measured result.Label) {
	key := dispute{declared.Name, declared.Value, measured.Value, declared.Pos}
	if runs, ok := d.files[key]; ok {
		runs.runs++
		return
	}
	if d.files == nil {
		d.files = map[dispute]*disputed{}
	}
	d.order = append(d.order, key)
	d.files[key] = &disputed{first: measured.Pos, runs: 1}
}

func (d *disputes) messages() []result.Message {
	var ms []result.Message
	for _, key := range d.order {
		about := d.files[key]
		where := locale.Lit(about.first.String())
		if about.runs > 1 {
			where = locale.Textf("%s and %d more", where, about.runs-1)
		}
		ms = append(ms, result.Message{Pos: key.at, Severity: result.Warning, ID: "run.contradiction",
			Text: locale.Textf("%s is declared as %s, but measured as %s in %s", key.name, key.declared, key.measured, where),
			Hint: locale.Textf("the measured value counts; correct or remove the declaration")})
	}
	return ms
}

// merge returns the labels read from a result together with those declared for its file. The stronger origin wins.
// Contradictions are passed to dispute.
func merge(r *result.Result, read, declared result.Labels, dispute func(declared, measured result.Label)) result.Labels {
	merged := make(result.Labels, 0, len(read)+len(declared))
	i := 0
	for _, label := range declared {
		for i < len(read) && read[i].Name < label.Name {
			merged = append(merged, read[i])
			i++
		}
		if i < len(read) && read[i].Name == label.Name && read[i].Origin >= label.Origin {
			if label.Origin == result.Declared && label.Value != "" && !agree(label.Value, read[i].Value) {
				dispute(label, read[i])
			}
			continue
		}
		if i < len(read) && read[i].Name == label.Name {
			i++
		}
		if label.Value != "" {
			merged = append(merged, label)
		}
	}
	merged = append(merged, read[i:]...)
	if declared, ok := merged.Lookup("num_prompts"); ok && declared.Origin == result.Declared {
		if sent, ok := requestsSent(r); ok && below(declared.Value, sent.Value) {
			dispute(declared, sent)
			merged.Set(sent)
		}
	}
	return merged
}

// requestsSent returns the number of requests that a result completed or failed. Fewer than declared is not a
// contradiction, since a dataset may be too small; more is.
func requestsSent(r *result.Result) (result.Label, bool) {
	done, ok := r.Metric("requests_completed")
	failed, _ := r.Metric("requests_failed")
	return result.Label{Name: "num_prompts", Value: strconv.FormatFloat(done.Value+failed.Value, 'f', -1, 64), Origin: result.Measured,
		Pos: result.Position{File: r.Source.File, Line: int(done.Line)}}, ok
}

func below(declared, measured string) bool {
	a, errA := strconv.ParseFloat(declared, 64)
	b, errB := strconv.ParseFloat(measured, 64)
	return errA == nil && errB == nil && a < b
}

// agree reports whether two values are equivalent: 8 and 8.0, fp8 and FP8, a day and a time on that day.
func agree(declared, measured string) bool {
	if strings.EqualFold(declared, measured) || strings.HasPrefix(measured, declared+"T") {
		return true
	}
	a, errA := strconv.ParseFloat(declared, 64)
	b, errB := strconv.ParseFloat(measured, 64)
	return errA == nil && errB == nil && a == b
}
