package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
)

// dropped are rules of gitleaks that are not used, with why.
var dropped = map[string]string{
	"generic-api-key":          "fires on what stands beside token, key or auth in every benchmark's JSON; our rules for named values know the names",
	"sourcegraph-access-token": "takes every commit id for a token",
	"linear-client-secret":     "linear layers have hashes",
	"private-key":              "reaches over lines; ours replaces each",
	"kubernetes-secret-yaml":   "reaches over lines; its values are named values",
	"curl-auth-header":         "reaches over lines; ours finds headers everywhere",
	"huggingface-access-token": "ours finds it within other text, too",
	"aws-access-token":         "ours",
	"github-pat":               "ours", "github-oauth": "ours", "github-app-token": "ours", "github-refresh-token": "ours", "github-fine-grained-pat": "ours",
	"slack-bot-token": "ours", "slack-legacy-bot-token": "ours", "slack-user-token": "ours", "slack-legacy-token": "ours", "slack-legacy-workspace-token": "ours",
}

// sharper are keywords that stand for those of gitleaks which are in every other line.
var sharper = map[string][]string{
	"jwt":                   {"eyj"}, // {" in base64, with which each begins
	"vault-service-token":   {"hvs.", "s."},
	"intra42-client-secret": {"s-s4t2ud-", "s-s4t2af-"},
	"lob-api-key":           {"lob"},
	"lob-pub-api-key":       {"lob"},
}

// tail is how most rules say that a token ends. In logs it also ends before a comma or
// a bracket.
const (
	tail      = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	looseTail = `(?:[^\w]|$)`
)

// libraryPatterns are the rules of gitleaks.
func libraryPatterns() []pattern {
	v := viper.New()
	v.SetConfigType("toml")
	var raw config.ViperConfig
	if err := v.ReadConfig(strings.NewReader(config.DefaultConfig)); err != nil {
		panic(err) // it is part of the program
	}
	if err := v.Unmarshal(&raw); err != nil {
		panic(err)
	}
	all, err := raw.Translate()
	if err != nil {
		panic(err)
	}
	var out []pattern
	for _, rule := range all.GetOrderedRules() {
		if _, not := dropped[rule.RuleID]; not || rule.Regex == nil {
			continue
		}
		expr := strings.ReplaceAll(rule.Regex.String(), tail, looseTail)
		keywords := rule.Keywords
		if better, ok := sharper[rule.RuleID]; ok {
			keywords = better
		}
		p := pattern{id: rule.RuleID, kind: Secret, keywords: keywords, group: -1, leads: leads(expr, keywords), accept: acceptRule(rule, all.Allowlists),
			compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
		if rule.SecretGroup > 0 {
			p.group = rule.SecretGroup
		}
		out = append(out, p)
	}
	return out
}

// leads tells whether what a pattern matches is a token that begins with a keyword.
func leads(expr string, keywords []string) bool {
	body := strings.ToLower(expr)
	for cut := true; cut; {
		cut = false
		for _, open := range []string{"(?i)", `\b`, "(?:", "("} {
			if rest, ok := strings.CutPrefix(body, open); ok {
				body, cut = rest, true
			}
		}
	}
	return slices.ContainsFunc(keywords, func(word string) bool {
		rest, ok := strings.CutPrefix(body, regexp.QuoteMeta(word))
		return ok && !strings.HasPrefix(rest, `\b`) && !strings.HasPrefix(rest, "[ ")
	})
}

// acceptRule judges a match as gitleaks does, by entropy, paths and what is allowed,
// and leaves out what is a digest by its name.
func acceptRule(rule config.Rule, global []*config.Allowlist) func(*scanner, int, int) bool {
	return func(s *scanner, start, end int) bool {
		secret := string(s.text[start:end])
		if rule.Path != nil && !rule.Path.MatchString(s.name) || rule.Entropy > 0 && entropy(s.text[start:end]) <= rule.Entropy {
			return false
		}
		for _, list := range slices.Concat(rule.Allowlists, global) {
			target := secret
			if list.RegexTarget != "" {
				target = string(s.line(start))
			}
			word, _ := list.ContainsStopWord(secret)
			if word || list.RegexAllowed(target) {
				return false
			}
		}
		return !s.inData(start, end) && !(isHex(secret) && s.namesDigest(start))
	}
}
