package draft

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// speculation returns how an argument turns on speculative decoding: the method if it is stated, "draft" for a draft
// model, "true" if nothing else is known. It returns "none" for a value that turns it off, and "" for other arguments.
func speculation(key, value string) string {
	method := ""
	switch key {
	case "speculative_config":
		method = "true"
		if m := speculativeMethod().FindStringSubmatch(value); m != nil {
			method = strings.ToLower(m[1])
		}
	case "speculative_algorithm", "speculative_algo", "speculative_method", "spec_type", "spec_decoding":
		method = strings.ToLower(value)
	case "speculative_model", "speculative_draft_model_path", "model_draft", "md", "draft_model", "hf_repo_draft", "hfd":
		method = "draft"
	case "mtp":
		method = "mtp"
	case "num_speculative_tokens", "speculative_num_steps", "speculative_num_draft_tokens":
		method = "true"
	}
	if method != "" && slices.Contains([]string{"none", "null", "off", "false", "no", "0", "{}"}, strings.ToLower(value)) {
		return "none"
	}
	return method
}

// speculates reports whether an argument may turn on speculative decoding.
func speculates(key string) bool { return speculation(key, "any") != "" }

var speculativeMethod = lazy.Regexp(`method["']?\s*[:=]\s*["']?([\w.-]+)`)

// speculationIn returns the method of speculative decoding in the arguments of a command, or "".
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

// isDrafted reports whether a figure shows that tokens were drafted.
func isDrafted(m *result.Metric) bool {
	switch m.Name {
	case "acceptance_rate", "x_spec_accept_rate", "x_draft_acceptance_rate", "x_draft_n", "x_draft_generated":
		return m.Value > 0
	case "acceptance_length", "x_acceptance_length", "x_avg_acceptance_rate":
		return m.Value > 1
	case "x_decoded_tok_per_iter":
		return m.Value > 1.001
	}
	return false
}

// implySpeculation sets speculative decoding if a kept command or a figure shows it and no setting states it.
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
	for i := range s.Metrics {
		if m := &s.Metrics[i]; isDrafted(m) {
			s.Imply("speculative_decoding", "true", int(m.Line))
			return
		}
	}
}
