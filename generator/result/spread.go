package result

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// degrees lists the names that people use for the degrees of parallelism, in the order of the label
// parallelism: tp = "4" and pp = "2" become tp4-pp2.
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

// counters lists the names that people use for the number of accelerators.
var counters = []string{"accelerators", "gpus", "num_gpus", "n_gpus", "n_gpu", "ngpus", "ngpu", "num_gpu", "gpu_count", "number_of_gpus",
	"npus", "num_npus", "npu_count", "num_accelerators", "accelerator_count", "num_cards"}

// CountsAccelerators reports whether a label is a name for the number of accelerators.
func CountsAccelerators(label string) bool { return slices.Contains(counters, label) }

// DegreeNamed returns the short form, as in the label parallelism, of the degree that a label names, or "" for
// any other label.
func DegreeNamed(label string) string {
	for _, d := range degrees {
		if slices.Contains(d.names, label) {
			return d.short
		}
	}
	return ""
}

// spreading has all these names. Few labels have one of them.
var spreading = func() map[string]bool {
	names := map[string]bool{}
	for _, d := range degrees {
		for _, name := range d.names {
			names[name] = true
		}
	}
	for _, name := range counters {
		names[name] = true
	}
	return names
}()

// Spread adds the labels accelerators and parallelism where people used other names for them, with the given
// prefix. It converts "4 GPUs" to 4. It keeps the original labels.
func Spread(labels Labels, prefix string) Labels {
	if !slices.ContainsFunc(labels, func(l Label) bool {
		name, prefixed := strings.CutPrefix(l.Name, prefix)
		return strings.HasPrefix(l.Name, "x_") || prefixed && spreading[name]
	}) {
		return labels
	}
	first, count, ok := lookupCount(labels, prefix)
	if _, known := labels.Lookup("accelerators"); known && prefix != "" {
		ok = false
	}
	var parallelism Label
	if _, known := labels.Lookup("parallelism"); !known {
		if parallelism = lookupParallelism(labels, prefix); parallelism.Name == "" {
			parallelism = writtenParallelism(labels)
		}
	}
	if !ok && parallelism.Name == "" {
		return labels
	}
	labels = slices.Clone(labels)
	if ok {
		first.Name, first.Value = "accelerators", strconv.Itoa(count)
		labels.Set(first)
	}
	if parallelism.Name != "" {
		labels.Set(parallelism)
	}
	return labels
}

// lookupCount returns the label that states the number of accelerators.
func lookupCount(labels Labels, prefix string) (label Label, count int, ok bool) {
	for _, name := range counters {
		if l, declared := labels.Lookup(prefix + name); declared {
			if n, readable := CountOf(l.Value); readable {
				return l, n, true
			}
		}
	}
	return Label{}, 0, false
}

// lookupParallelism returns the label parallelism composed of the degrees. Its name is empty if there are none.
func lookupParallelism(labels Labels, prefix string) Label {
	var made Label
	for _, d := range degrees {
		for _, name := range d.names {
			label, declared := labels.Lookup(prefix + name)
			n, readable := DegreeOf(label.Value)
			if !declared || !readable {
				continue
			}
			if n == 1 && d.short != "tp" { // a degree of 1 changes nothing
				break
			}
			if made.Name == "" {
				made = Label{Name: "parallelism", Origin: label.Origin, Pos: label.Pos}
			} else {
				made.Value += "-"
			}
			made.Value += d.short + strconv.Itoa(n)
			break
		}
	}
	return made
}

// CountOf parses "4", "4 GPUs", "4x", "x4", "four" and "4 卡".
func CountOf(value string) (n int, ok bool) {
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

// DegreeOf parses "4" and "tp4". It rejects numbers above 1024, which are not degrees.
func DegreeOf(value string) (n int, ok bool) {
	m := degreePattern().FindStringSubmatch(strings.ToLower(strings.TrimSpace(value)))
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil && n > 0 && n <= 1<<10
}

var (
	countPattern  = lazy.Regexp(`^[x×*]? ?(\d{1,6})(?:\.0+)? ?[x×*]?(?: ?(?:gpus?|npus?|tpus?|cards?|accelerators?|chips?|devices?|卡|张|块)(?:[ ,(].*)?)?$`)
	degreePattern = lazy.Regexp(`^(?:[tpdec]p)?[ =_-]?(\d{1,6})$`)
	numerals      = []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"}
)

// writtenParallelism returns the label parallelism as stated by the value of a label with another name, for
// example x_layout = "TP=4" or x_setup = "tp2 x dp4". Its name is empty if no label states it, or if several
// contradict each other.
func writtenParallelism(labels Labels) (made Label) {
	for _, l := range labels {
		if !strings.HasPrefix(l.Name, "x_") {
			continue
		}
		switch value := degreesIn(l.Value); {
		case value == "" || value == made.Value:
		case made.Name != "":
			return Label{}
		default:
			made = Label{Name: "parallelism", Value: value, Origin: l.Origin, Pos: l.Pos}
		}
	}
	return made
}

// degreeText matches a degree of parallelism with the separators behind it.
var degreeText = lazy.Regexp(`^(tp|pp|dp|ep|cp)[ =:_-]?([1-9][0-9]{0,2})[ ,;/+&x×*_-]*`)

// degreesIn converts a text that consists of degrees to the form of the label parallelism. It returns "" for
// any other text, and for degrees without those of tensors or data: "pp512" alone is a test of llama-bench.
func degreesIn(text string) string {
	var of Labels
	for text = strings.ToLower(strings.TrimSpace(text)); text != ""; {
		m := degreeText().FindStringSubmatch(text)
		if m == nil || of.Get(m[1]) != "" {
			return ""
		}
		of.Set(Label{Name: m[1], Value: m[2]})
		text = text[len(m[0]):]
	}
	if of.Get("tp") == "" && of.Get("dp") == "" {
		return ""
	}
	return lookupParallelism(of, "").Value
}
