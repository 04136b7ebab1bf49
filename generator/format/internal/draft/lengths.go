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

// used reports whether a setting is of the dataset that a command uses, as far as that
// is known.
func (s *Settings) used(set Setting) bool {
	dataset := cmp.Or(s.Get("dataset"), s.Dataset)
	switch {
	case set.Dataset == "":
		return set.Label != "input_len" || s.takesInput()
	case dataset == "": // vLLM's command has "random" for long, its script had not
		return strings.HasSuffix(s.Program, "bench serve")
	}
	return IsDataset(dataset, set.Dataset) && s.Get(set.Label) == ""
}

// takesInput reports whether the prompts of the dataset in use have a length that is
// asked for.
func (s *Settings) takesInput() bool {
	dataset := s.Get("dataset")
	return s.Own != nil || dataset == "" || strings.HasPrefix(dataset, "random") || IsDataset(dataset, "sonnet") || IsDataset(dataset, "prefix_repetition")
}

// dropRefutedLengths drops the lengths asked for of a run that does not report its
// dataset, where its tokens show that they belong to a dataset that was not used.
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

// refutes reports whether the tokens that were counted show that a length was not asked
// for.
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
		half = min(half, 4*half/math.Sqrt(3*requests)) // four deviations of the mean of lengths drawn alike
		if set.Label == "output_len" {
			lowest = min(lowest, 0)
			switch {
			case s.Get("ignore_eos") == "true" && s.Own == nil: // answers are as long as asked for
				lowest = min(lowest, 0.9*(middle-half)-1)
			case each <= 1 && want >= 16: // a run that measures the first token
				lowest = 2
			}
			highest = max(highest, 1.02*(middle+half)+1)
			if s.Own != nil { // counted again by the client
				highest = max(highest, 1.1*(middle+half)+8)
			}
			continue
		}
		lowest = min(lowest, 0.97*(middle-half)-8)
		highest = max(highest, 1.05*(middle+half)+s.added())
	}
	return each < lowest || each > highest
}

// added is how many tokens a prompt may have beyond those asked for: a prefix, and what
// a chat template adds.
func (s *Settings) added() float64 {
	prefix, _ := parseFloat(s.One("random_prefix_len"))
	const template, special = 160, 16
	if s.Own != nil || strings.Contains(s.Get("backend")+s.Get("endpoint"), "chat") {
		return prefix + template
	}
	return prefix + special
}

// spans returns between which lengths a client draws those of a run that asks for a
// length: several where its versions differ, none where nothing is known of them.
func (s *Settings) spans(d *Draft, set Setting, want float64) [][2]float64 {
	dataset := cmp.Or(s.Get("dataset"), d.Label("dataset"), s.Dataset, set.Dataset)
	isRandom := strings.HasPrefix(dataset, "random")
	ratio, err := parseFloat(cmp.Or(s.One("random_range_ratio"), d.Label("random_range_ratio")))
	drawing := strings.HasPrefix(d.Tool, "sglang-serving") || d.Tool == "lmdeploy" || d.Tool == "sglang-offline-throughput"
	switch {
	case s.Own != nil: // means with a deviation
		return [][2]float64{{0.5 * want, 1.5 * want}}
	case isRandom && dataset != "random" && dataset != "random-ids" && set.Label == "input_len": // pictures have tokens too
		return nil
	case isRandom && drawing:
		return [][2]float64{{min(ratio, 1) * want, want}}
	case isRandom && err == nil && ratio > 0 && ratio < 1: // of vLLM until 0.8, and since
		return [][2]float64{{ratio * want, want}, {(1 - ratio) * want, (1 + ratio) * want}}
	case isRandom:
		return [][2]float64{{want, want}}
	case set.Label == "input_len" && !s.Engine:
		return [][2]float64{{0.4 * want, 1.6*want + 64}}
	}
	return [][2]float64{{want, want}}
}

// tokensOf returns how many tokens a prompt or an answer had on average of those that a
// length is asked for, and how many requests there were.
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
	if ok && known && perSecond >= 0.5 { // of few digits
		return rate / perSecond, max(requests, 1), true
	}
	return 0, 0, false
}
