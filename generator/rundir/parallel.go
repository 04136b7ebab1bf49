package rundir

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// question reports what is wrong with the value of a label that states the number of accelerators or the parallelism of
// a model; the text is empty when nothing is.
func question(label, value string) (text, hint locale.Text) {
	if value == "" {
		return locale.Text{}, locale.Text{}
	}
	if result.CountsAccelerators(label) {
		if _, readable := result.CountOf(value); !readable {
			return locale.Textf("%s = %q is not a number of accelerators", label, value), locale.Textf(`write accelerators = "4"; until then its hardware limits are not judged`)
		}
		return locale.Text{}, locale.Text{}
	}
	if short := result.DegreeNamed(label); short != "" && !isSwitch(value) {
		if _, readable := result.DegreeOf(value); !readable {
			return locale.Textf("%s = %q is not a degree of parallelism", label, value), locale.Textf(`write parallelism = "%s4", or tp2-pp2 for two kinds`, short)
		}
	}
	return locale.Text{}, locale.Text{}
}

// guess adds labels that are known only from the name of the file.
func (f *file) guess(labels result.Labels) result.Labels {
	if f.parallelism != "" && labels.Get("parallelism") == "" {
		labels.Set(result.Label{Name: "parallelism", Value: f.parallelism, Origin: result.Guessed, Pos: result.Position{File: f.name}})
	}
	return labels
}

// degreeWords occur in names that state a parallelism.
var degreeWords = []string{"tp", "tep", "dep"}

// namedParallelism returns the parallelism stated in a path; the last path element wins. "Qwen3-8B_tp2_throughput.json"
// gives tp2, "tp4-pp2" and "tp4_pp2" give tp4-pp2, "dep8" gives dp8-ep8 (replicated attention, distributed experts),
// and "tep8" gives tp8-ep8. A pp512 alone is a prompt length.
func namedParallelism(rel string) string {
	if !mayName(rel, degreeWords) {
		return ""
	}
	parts := strings.Split(strings.ToLower(rel), "/")
	for _, part := range slices.Backward(parts) {
		var found []string
		for _, word := range strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune("-_. ,+()=", r) }) {
			switch m := namedDegrees().FindStringSubmatch(word); {
			case m == nil:
			case m[1] != "":
				found = append(found, m[1]+"p"+m[2], "ep"+m[2])
			default:
				found = append(found, degree().FindAllString(word, -1)...)
			}
		}
		if slices.ContainsFunc(found, func(d string) bool { return strings.HasPrefix(d, "tp") || len(found) > 1 && strings.HasPrefix(d, "dp") }) && len(found) < 5 {
			return strings.Join(slices.Compact(found), "-")
		}
	}
	return ""
}

func isSwitch(value string) bool {
	return slices.Contains([]string{"true", "false", "on", "off", "yes", "no", "enabled", "disabled", "none"}, strings.ToLower(value))
}

var (
	namedDegrees = lazy.Regexp(`^(?:([td])ep(\d{1,2})|(?:[tpdec]p\d{1,2})+)$`)
	degree       = lazy.Regexp(`[tpdec]p\d+`)
)
