package audit

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// Speculation returns how a run used speculative decoding: the value of the label that states it, "on" if a
// counter or a command shows it, or "".
//
// Tools report it in many ways: by a setting of their own, an acceptance counter, or a flag in a command or in
// a label that has one.
func Speculation(r *result.Result) string {
	if v := r.Label("speculative_decoding"); v != "" {
		if off(v) {
			return ""
		}
		return v
	}
	for i := range r.Metrics {
		m := &r.Metrics[i]
		if !hints(m.Name) {
			continue
		}
		if m.Value > 0 && m.Name != "x_decoded_tok_per_iter" && speculativeCounter().MatchString(m.Name) || m.Name == "x_decoded_tok_per_iter" && m.Value > 1.001 {
			return "on"
		}
	}
	for _, l := range r.Labels {
		switch {
		case hints(l.Name) && speculativeLabel().MatchString(l.Name):
			if l.Value == "" || off(l.Value) {
				continue
			}
			if len(l.Value) <= maxMethod && !on(l.Value) {
				return l.Value
			}
			return "on"
		case len(l.Value) <= maxValue && hints(l.Value) && speculativeValue().MatchString(l.Value) && !slices.Contains(namesThings, strings.TrimPrefix(l.Name, "x_")):
			return "on"
		case strings.Contains(l.Value, "-") && hints(l.Value) && speculativeFlag().MatchString(l.Value):
			return "on"
		}
	}
	return ""
}

// hints reports cheaply whether a text may be about speculative decoding. Nearly all labels are not.
func hints(s string) bool {
	for i := 1; i < len(s); i++ {
		if n := hintAt[pair(s[i-1], s[i])]; n > 0 && strings.HasPrefix(s[i-1:], hintsAbout[n-1]) {
			return true
		}
	}
	return false
}

// hintsAbout lists parts of names about speculative decoding. No two begin with the same two letters.
var hintsAbout = []string{"spec", "draft", "dflash", "decoded_tok", "accept", "mtp", "medusa", "eagle", "ngram", "-md"}

// hintAt maps two letters to the index in hintsAbout, plus one, of the text that begins with them.
var hintAt = func() (at [1 << 10]uint8) {
	for i, hint := range hintsAbout {
		at[pair(hint[0], hint[1])] = uint8(i + 1)
	}
	return at
}()

// pair returns a number for two letters, which few pairs share.
func pair(a, b byte) int { return int(a&31)<<5 | int(b&31) }

// maxValue is the greatest length of a value that may name a variant, such as "spec-e2b". namesThings lists the
// labels whose values name something else that may have such a name.
const maxValue = 60

var namesThings = []string{"model", "model_raw", "base_model", "tokenizer", "dataset", "dataset_path", "dataset_name", "hf_name", "source", "campaign", "host"}

// maxMethod is the greatest length of the name of a method. A longer value is a configuration.
const maxMethod = 20

var (
	speculativeCounter = lazy.Regexp(`^acceptance_(?:length|rate)|(?:^|_)(?:spec_accept|draft_acceptance|draft_n|spec_decode|draft_tokens|accepted_tokens|spec_tokens)`)
	speculativeLabel   = lazy.Regexp(`^(?:x_)?(?:spec|speculative|speculation|spec_decoding|spec_decode|spec_method|spec_type|draft_model|model_draft|mtp|eagle)$|^(?:x_)?(?:num_)?speculative_(?:algorithm|config|model|method|num_steps|num_draft_tokens|tokens|decoding\w*)$|^x_draft_n$`)
	speculativeValue   = lazy.Regexp(`(?i)(?:^|[-_ /.])(?:spec|specdec|draft|mtp|eagle[23]?|dflash|medusa|ngram)(?:[-_ /.]|$)`)
	speculativeFlag    = lazy.Regexp(`(?:^|[\s"'])--?(?:speculative[-_](?:config|algorithm|algo|model|method|num[-_]\w+|draft[-_]\w+)|num[-_]speculative[-_]tokens|spec[-_]type|model-draft|md|mtp|draft(?:-max|-min|-n|-model)?|spec[-_]decoding)(?:[\s="']|$)`)
)

// tokensPerStep returns the mean number of tokens per step: 1 without speculative decoding, 0 with it if the
// mean is unknown.
func tokensPerStep(r *result.Result, speculation string) (tokens float64, speculative bool) {
	for _, name := range []string{"acceptance_length", "x_decoded_tok_per_iter"} {
		if m, ok := r.Metric(name); ok && m.Value >= 1 { // less counts a draft's tokens without the step's own
			return m.Value, true
		}
	}
	if speculation == "" {
		return 1, false
	}
	return 0, true
}
