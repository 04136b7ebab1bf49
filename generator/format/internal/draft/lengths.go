package draft

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

func isLength(label string) bool { return label == "input_len" || label == "output_len" }

// used reports whether a setting applies to the dataset of the command, as far as the dataset is known.
func (s *Settings) used(set Setting) bool {
	dataset := cmp.Or(s.Get("dataset"), s.Dataset)
	switch {
	case set.Dataset == "":
		return set.Label != "input_len" || s.takesInput()
	case dataset == "": // vLLM's command has had the default "random" for long; its script did not
		return strings.HasSuffix(s.Program, "bench serve")
	}
	return IsDataset(dataset, set.Dataset) && s.Get(set.Label) == ""
}

// takesInput reports whether the length of the dataset's prompts can be set.
func (s *Settings) takesInput() bool {
	dataset := s.Get("dataset")
	return s.Own != nil || dataset == "" || strings.HasPrefix(dataset, "random") || IsDataset(dataset, "sonnet") || IsDataset(dataset, "prefix_repetition")
}

// dropRefutedLengths removes the requested lengths of a run that does not report its dataset, if its token counts show
// that the lengths belong to another dataset.
func (s *Settings) dropRefutedLengths(d *Draft) {
	if d.Label("dataset") != "" {
		return
	}
	for _, name := range []string{"input_len", "output_len"} {
		l, ok := d.Labels.Lookup(name)
		if !ok || !s.refutes(d, Setting{argument: argument{Label: name, Dataset: "random"}, Value: l.Value}) {
			continue
		}
		d.Labels = slices.DeleteFunc(d.Labels, func(l result.Label) bool { return isLength(l.Name) })
		return
	}
}

// refutes reports whether the counted tokens show that a length was not requested.
func (s *Settings) refutes(d *Draft, set Setting) bool {
	want, err := strconv.ParseFloat(set.Value, 64)
	each, requests, ok := tokensOf(d, s, set.Label)
	if err != nil || !ok || set.several {
		return false
	}
	spans := s.spans(d, set, want)
	if len(spans) == 0 {
		return false
	}
	lowest, highest := math.Inf(1), 0.0
	for _, of := range spans {
		middle, half := (of[0]+of[1])/2, (of[1]-of[0])/2
		half = min(half, 4*half/math.Sqrt(3*requests)) // four standard deviations of the mean of uniformly drawn lengths
		if set.Label == "output_len" {
			lowest = min(lowest, 0)
			switch {
			case s.Get("ignore_eos") == "true" && s.Own == nil: // answers have the requested length
				lowest = min(lowest, 0.9*(middle-half)-1)
			case each <= 1 && want >= 16: // a run that measures only the first token
				lowest = 2
			}
			highest = max(highest, 1.02*(middle+half)+1)
			if s.Own != nil { // the client counts the tokens again
				highest = max(highest, 1.1*(middle+half)+8)
			}
			continue
		}
		lowest = min(lowest, 0.97*(middle-half)-8)
		highest = max(highest, 1.05*(middle+half)+s.added())
	}
	return each < lowest || each > highest
}

// added returns how many tokens a prompt may have beyond the requested length: a prefix, and the chat template's
// tokens.
func (s *Settings) added() float64 {
	prefix, _ := parseFloat(s.One("random_prefix_len"))
	const template, special = 160, 16
	if s.Own != nil || strings.Contains(s.Get("backend")+s.Get("endpoint"), "chat") {
		return prefix + template
	}
	return prefix + special
}

// spans returns the ranges from which a client draws lengths when a length is requested. There are several ranges if
// versions of the client differ, and none if nothing is known.
func (s *Settings) spans(d *Draft, set Setting, want float64) [][2]float64 {
	dataset := cmp.Or(s.Get("dataset"), d.Label("dataset"), s.Dataset, set.Dataset)
	isRandom := strings.HasPrefix(dataset, "random")
	ratio, err := parseFloat(cmp.Or(s.One("random_range_ratio"), d.Label("random_range_ratio")))
	drawing := strings.HasPrefix(d.Tool, "sglang-serving") || d.Tool == "lmdeploy" || d.Tool == "sglang-offline-throughput"
	switch {
	case s.Own != nil: // means with a standard deviation
		return [][2]float64{{0.5 * want, 1.5 * want}}
	case isRandom && dataset != "random" && dataset != "random-ids" && set.Label == "input_len": // images have tokens too
		return nil
	case isRandom && drawing:
		return [][2]float64{{min(ratio, 1) * want, want}}
	case isRandom && err == nil && ratio > 0 && ratio < 1: // vLLM until 0.8, and vLLM since then
		return [][2]float64{{ratio * want, want}, {(1 - ratio) * want, (1 + ratio) * want}}
	case isRandom:
		return [][2]float64{{want, want}}
	case set.Label == "input_len" && !s.Engine:
		return [][2]float64{{0.4 * want, 1.6*want + 64}}
	}
	return [][2]float64{{want, want}}
}

// tokensOf returns the mean number of tokens per prompt or answer, for the given length setting, and the number of
// requests.
func tokensOf(d *Draft, s *Settings, length string) (each, requests float64, ok bool) {
	each, requests, ok = tokensOfRequest(d, s, length)
	return each / s.prompts(), requests, ok
}

func tokensOfRequest(d *Draft, s *Settings, length string) (each, requests float64, ok bool) {
	name := strings.TrimSuffix(length, "_len")
	requests, counted := d.Value("requests_completed")
	if !counted {
		asked, err := s.requests()
		requests, counted = asked, err == nil
	}
	total, ok := d.Value(name + "_tokens")
	if ok && counted && requests >= 1 {
		return total / requests, requests, true
	}
	if each, ok := d.Value("x_mean_" + length); ok {
		return each, max(requests, 1), true
	}
	rate, ok := d.Value(name + "_throughput")
	perSecond, known := d.Value("request_throughput")
	if ok && known && perSecond >= 0.5 { // smaller rates have too few digits
		return rate / perSecond, max(requests, 1), true
	}
	return 0, 0, false
}
