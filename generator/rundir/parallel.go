package rundir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// degrees are the names under which people declare how a model is spread, in the
// order in which the label parallelism has them: tp = "4" and pp = "2" are tp4-pp2.
var degrees = []struct {
	short string
	names []string
}{
	{"tp", []string{"tp", "tp_size", "tensor_parallel", "tensor_parallel_size", "tensor_parallelism"}},
	{"pp", []string{"pp", "pp_size", "pipeline_parallel", "pipeline_parallel_size", "pipeline_parallelism"}},
	{"dp", []string{"dp", "dp_size", "data_parallel", "data_parallel_size", "data_parallelism"}},
	{"ep", []string{"ep", "ep_size", "expert_parallel", "expert_parallel_size", "expert_parallelism"}},
	{"cp", []string{"cp", "cp_size", "context_parallel", "context_parallel_size", "context_parallelism"}},
}

// counters are the names under which people declare how many accelerators ran.
var counters = []string{"accelerators", "gpus", "num_gpus", "n_gpus", "n_gpu", "ngpus", "ngpu", "num_gpu", "gpu_count", "number_of_gpus",
	"npus", "num_npus", "npu_count", "num_accelerators", "accelerator_count", "num_cards"}

// spread adds to declared labels accelerators and parallelism where people gave
// them other names, and writes "4 GPUs" as 4. The labels themselves stay.
func spread(declared result.Labels) result.Labels {
	first, count, ok := lookupCount(declared)
	var parallelism result.Label
	if _, known := declared.Lookup("parallelism"); !known {
		parallelism = lookupParallelism(declared)
	}
	if !ok && parallelism.Name == "" {
		return declared
	}
	declared = slices.Clone(declared)
	if ok {
		first.Name, first.Value = "accelerators", strconv.Itoa(count)
		declared.Set(first)
	}
	if parallelism.Name != "" {
		declared.Set(parallelism)
	}
	return declared
}

// lookupCount returns the label that states the number of accelerators.
func lookupCount(labels result.Labels) (label result.Label, count int, ok bool) {
	for _, name := range counters {
		if l, declared := labels.Lookup(name); declared {
			if n, readable := countOf(l.Value); readable {
				return l, n, true
			}
		}
	}
	return result.Label{}, 0, false
}

// lookupParallelism returns the label parallelism that the degrees make; its name
// is empty when there are none.
func lookupParallelism(labels result.Labels) result.Label {
	var made result.Label
	for _, d := range degrees {
		for _, name := range d.names {
			label, declared := labels.Lookup(name)
			n, readable := degreeOf(label.Value)
			if !declared || !readable {
				continue
			}
			if made.Name == "" {
				made = result.Label{Name: "parallelism", Origin: label.Origin, Pos: label.Pos}
			} else {
				made.Value += "-"
			}
			made.Value += d.short + strconv.Itoa(n)
			break
		}
	}
	return made
}

// question says what is wrong with the value of a label that states how many
// accelerators ran or how a model is spread; the text is "" when nothing is.
func question(label, value string) (text, hint locale.Text) {
	if value == "" {
		return locale.Text{}, locale.Text{}
	}
	if slices.Contains(counters, label) {
		if _, readable := countOf(value); !readable {
			return locale.Textf("%s = %q is not a number of accelerators", label, value), locale.Textf(`write accelerators = "4"; until then its hardware limits are not judged`)
		}
		return locale.Text{}, locale.Text{}
	}
	for _, d := range degrees {
		if slices.Contains(d.names, label) && !isSwitch(value) {
			if _, readable := degreeOf(value); !readable {
				return locale.Textf("%s = %q is not a degree of parallelism", label, value), locale.Textf(`write parallelism = "%s4", or tp2-pp2 for two kinds`, d.short)
			}
		}
	}
	return locale.Text{}, locale.Text{}
}

// guess adds to the labels of a run what only the name of its file says.
func (f *file) guess(labels result.Labels) result.Labels {
	if f.parallelism != "" && labels.Get("parallelism") == "" {
		labels.Set(result.Label{Name: "parallelism", Value: f.parallelism, Origin: result.Guessed, Pos: result.Position{File: f.name}})
	}
	return labels
}

// namedParallelism returns the parallelism that a path names, the nearest part of
// it first: "Qwen3-8B_tp2_throughput.json" is tp2, "tp4-pp2" and "tp4_pp2" are
// tp4-pp2, "dep8" is dp8-ep8 of attention that is replicated while experts are
// spread, "tep8" tp8-ep8. A pp512 alone is a prompt.
func namedParallelism(rel string) string {
	if !mayName(rel, "tp", "tep", "dep") {
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

// countOf reads "4", "4 GPUs", "4x", "x4", "four" and "4 卡".
func countOf(value string) (n int, ok bool) {
	value = strings.ToLower(strings.TrimSpace(value))
	if i := slices.Index(numerals, value); i > 0 {
		return i, true
	}
	m := countPattern().FindStringSubmatch(value)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil && n > 0
}

// degreeOf reads "4" and "tp4".
func degreeOf(value string) (n int, ok bool) {
	m := degreePattern().FindStringSubmatch(strings.ToLower(strings.TrimSpace(value)))
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil && n > 0
}

func isSwitch(value string) bool {
	return slices.Contains([]string{"true", "false", "on", "off", "yes", "no", "enabled", "disabled", "none"}, strings.ToLower(value))
}

var (
	countPattern  = lazy.Regexp(`^[x×*]? ?(\d{1,6})(?:\.0+)? ?[x×*]?(?: ?(?:gpus?|npus?|tpus?|cards?|accelerators?|chips?|devices?|卡|张|块)(?:[ ,(].*)?)?$`)
	degreePattern = lazy.Regexp(`^(?:[tpdec]p)?[ =_-]?(\d{1,6})$`)
	namedDegrees  = lazy.Regexp(`^(?:([td])ep(\d{1,2})|(?:[tpdec]p\d{1,2})+)$`)
	degree        = lazy.Regexp(`[tpdec]p\d+`)
	numerals      = []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"}
)
