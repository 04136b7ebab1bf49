package draft

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// speculation returns how an argument turns speculative decoding on: the method where
// it is reported, "draft" for a model that drafts, "true" where no more is known. It
// returns "" for any other argument, and for one that turns it off.
func speculation(key, value string) string {
	switch key {
	case "speculative_config":
		if m := speculativeMethod().FindStringSubmatch(value); m != nil {
			return strings.ToLower(m[1])
		}
		return "true"
	case "speculative_algorithm", "speculative_algo", "speculative_method", "spec_type", "spec_decoding":
		return strings.ToLower(value)
	case "speculative_model", "speculative_draft_model_path", "model_draft", "md", "draft_model", "hf_repo_draft", "hfd":
		return "draft"
	case "mtp":
		return "mtp"
	case "num_speculative_tokens", "speculative_num_steps", "speculative_num_draft_tokens":
		return "true"
	}
	return ""
}

// speculates reports whether an argument may turn speculative decoding on.
func speculates(key string) bool { return speculation(key, "any") != "" }

var speculativeMethod = lazy.Regexp(`method["']?\s*[:=]\s*["']?([\w.-]+)`)

// speculationIn returns what the arguments of a command say of speculative decoding.
func speculationIn(command string) string {
	words := strings.Fields(command)
	found := ""
	for i, word := range words {
		name := strings.TrimLeft(word, "-")
		if len(name) == len(word) {
			continue
		}
		name, value, ok := strings.Cut(name, "=")
		if !ok {
			value = "true"
			if rest := words[i+1:]; len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
				value = strings.Join(rest[:min(len(rest), 8)], " ") // JSON may have spaces
			}
		}
		key := strings.ReplaceAll(name, "-", "_")
		if key != "speculative_config" {
			value, _, _ = strings.Cut(value, " ")
		}
		method := speculation(key, strings.Trim(value, `'"`))
		if method != "" && method != "none" && (found == "" || found == "true") {
			found = method
		}
	}
	return found
}

// drafted are the figures that are there, or above a value, only where tokens were
// drafted.
var drafted = []struct {
	name  string
	above float64
}{
	{"acceptance_rate", 0}, {"acceptance_length", 1}, {"x_acceptance_length", 1}, {"x_spec_accept_rate", 0}, {"x_draft_acceptance_rate", 0},
	{"x_draft_n", 0}, {"x_draft_generated", 0}, {"x_decoded_tok_per_iter", 1.001}, {"x_avg_acceptance_rate", 1},
}

// implySpeculation notes speculative decoding where a command that was kept, or a
// figure, shows it and no setting says so.
func (s *Draft) implySpeculation() {
	if s.Label("speculative_decoding") != "" {
		return
	}
	for _, l := range s.Labels {
		if strings.Contains(l.Name, "command") || strings.HasSuffix(l.Name, "_args") {
			if method := speculationIn(l.Value); method != "" {
				s.Imply("speculative_decoding", method, l.Pos.Line)
				return
			}
		}
	}
	i := slices.IndexFunc(s.Metrics, func(m result.Metric) bool {
		for _, d := range drafted {
			if m.Name == d.name && m.Value > d.above {
				return true
			}
		}
		return false
	})
	if i >= 0 {
		s.Imply("speculative_decoding", "true", int(s.Metrics[i].Line))
	}
}
