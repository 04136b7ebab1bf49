package importer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Measured values are stronger evidence than any text about a result.

// printed returns a label that the client itself has printed, in its table or above it. A label that package format
// took from a command does not count: this package decides by the text's sections whether a command belongs to a
// result.
func (l *labelling) printed(name string) (string, bool) {
	label, ok := l.result.Labels.Lookup(name)
	if !ok || !l.isPrinted(label) {
		return "", false
	}
	return label.Value, true
}

func (l *labelling) isPrinted(label result.Label) bool {
	if l.inTable(label) {
		return true
	}
	if label.Pos.Line < 1 || label.Pos.Line > len(l.lines) {
		return false
	}
	line := l.lines[label.Pos.Line-1]
	for _, mark := range []string{"Namespace(", "Traffic request rate", "Burstiness factor", "Maximum request concurrency"} {
		if strings.Contains(line, mark) {
			return true
		}
	}
	return false
}

func (l *labelling) inTable(label result.Label) bool { return inTable(l.result, label) }

func inTable(r *result.Result, label result.Label) bool {
	return label.Pos.Line >= r.Source.Line && label.Pos.Line <= r.EndLine
}

// refutesCommand reports whether a command cannot have produced this result.
func (l *labelling) refutesCommand(number int) bool {
	for _, c := range l.open {
		if c.command != number {
			continue
		}
		if v, ok := l.printed(c.label); ok && v != c.value {
			return true
		}
		if v, ok := l.printed("model_raw"); ok && c.label == "model" && modelFacts(v) != nil && letters(modelName(v)) != letters(c.value) {
			return true
		}
		if _, refuted := l.refutes(c.label, c.value); refuted {
			return true
		}
	}
	return false
}

// refutes reports whether the measured figures contradict a value, and returns the measured one.
func (l *labelling) refutes(label, value string) (string, bool) {
	asked, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return "", false
	}
	done, ok := l.result.Metric("requests_completed")
	if !ok || done.Value == 0 {
		return "", false
	}
	switch label {
	case "num_prompts":
		failed, _ := l.result.Metric("requests_failed")
		sent := done.Value + failed.Value
		return fmt.Sprintf("%.0f", sent), sent > asked || sent < 0.9*asked // a few failures may not have been counted
	case "input_len":
		tokens, ok := l.result.Metric("input_tokens")
		if !ok || l.variedLengths() {
			return "", false
		}
		mean := tokens.Value / done.Value
		return fmt.Sprintf("%.0f", mean), math.Abs(mean-asked) > 0.1*asked
	case "output_len":
		// Answers may be shorter than asked for, but not longer.
		tokens, ok := l.result.Metric("output_tokens")
		if !ok || l.variedLengths() {
			return "", false
		}
		mean := tokens.Value / done.Value
		return fmt.Sprintf("%.0f", mean), mean > 1.02*asked+1
	}
	return "", false
}

// mayHaveFailed reports whether missing requests may be failures rather than a contradiction: before 0.11 the table has
// no row for failures.
func (l *labelling) mayHaveFailed(asked string) bool {
	n, err := strconv.ParseFloat(asked, 64)
	done, _ := l.result.Metric("requests_completed")
	_, counted := l.result.Metric("requests_failed")
	return err == nil && !counted && done.Value < n
}

// variedLengths reports whether the requested lengths may not be the lengths of every request.
func (l *labelling) variedLengths() bool {
	for _, c := range l.open {
		switch c.label {
		case "random_range_ratio", "random_prefix_len":
			if v, err := strconv.ParseFloat(c.value, 64); err == nil && v != 0 {
				return true
			}
		case "dataset":
			if !strings.HasPrefix(c.value, "random") {
				return true
			}
		}
	}
	for _, name := range []string{"random_range_ratio", "random_prefix_len"} {
		if v, ok := l.printed(name); ok && v != "0" {
			return true
		}
	}
	v, ok := l.printed("dataset")
	return ok && !strings.HasPrefix(v, "random")
}

func (l *labelling) warn(id string, text, hint locale.Text) {
	l.messages = append(l.messages, result.Message{Pos: l.result.Source, Severity: result.Warning, ID: id, Text: text, Hint: hint})
}
