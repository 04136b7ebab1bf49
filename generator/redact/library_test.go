package redact

import (
	"slices"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"
)

// TestRulesOfGitleaks checks that all rules of gitleaks are used except the dropped ones, and that the dropped rules
// and those with sharper keywords still exist.
func TestRulesOfGitleaks(t *testing.T) {
	patterns := libraryPatterns()
	if len(patterns) < 190 {
		t.Errorf("only %d rules", len(patterns))
	}
	used := map[string]bool{}
	for _, p := range patterns {
		used[p.id] = true
		if len(p.keywords) == 0 {
			t.Errorf("%s has no keyword, and would look everywhere", p.id)
		}
		if p.compiled() == nil || p.group > p.compiled().NumSubexp() {
			t.Errorf("%s has no group %d", p.id, p.group)
		}
		if !ruleID.MatchString(p.id) {
			t.Errorf("%q cannot be in a pseudonym", p.id)
		}
	}
	for id := range sharper {
		if !used[id] {
			t.Errorf("%s is no rule any more", id)
		}
	}
	for id := range dropped {
		if used[id] || !regexpMatch(`(?m)^id = "`+id+`"$`, config.DefaultConfig) {
			t.Errorf("%s is no rule any more", id)
		}
	}
	for _, p := range ourPatterns {
		if slices.ContainsFunc(p.keywords, func(w string) bool { return w == "" }) || !ruleID.MatchString(p.id) {
			t.Errorf("%s: %q", p.id, p.keywords)
		}
	}
}
