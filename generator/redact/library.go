package redact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/zricethezav/gitleaks/v8/config"

	"github.com/benchpost/benchpost/generator/lazy"
)

// dropped lists the rules of gitleaks that are not used, with the reason.
var dropped = map[string]string{
	"generic-api-key":          "fires on what is beside token, key or auth in every benchmark's JSON; our rules for named values know the names",
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

// sharper replaces keywords of gitleaks' rules that occur in almost every line.
var sharper = map[string][]string{
	"jwt":                   {"eyj"}, // {" in base64: every token begins so
	"vault-service-token":   {"hvs.", "s."},
	"intra42-client-secret": {"s-s4t2ud-", "s-s4t2af-"},
	"lob-api-key":           {"lob"},
	"lob-pub-api-key":       {"lob"},
}

// tail is the expression with which most rules match the end of a token. In logs, a token may also end before a comma
// or a bracket, so it is replaced by looseTail.
const (
	tail      = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	looseTail = `(?:[^\w]|$)`
)

// libraryRules is the part of gitleaks' configuration that is used. Its own decoder is not, because it requires viper,
// a configuration framework for servers.
type libraryRules struct {
	Allowlist libraryAllowlist // for all rules
	Rules     []libraryRule
}

type libraryRule struct {
	ID          string
	Regex       string
	Path        string // matches the files that the rule applies to; "" for all
	SecretGroup int    // group of the expression; 0 for the first that matched
	Entropy     float64
	Keywords    []string
	Allowlists  []libraryAllowlist
}

// libraryAllowlist describes matches that a rule does not report.
type libraryAllowlist struct {
	Regexes     []string
	RegexTarget string // what Regexes match: the line for "line" and also for "match", the secret for ""
	StopWords   []string
}

// readLibrary decodes the rules of gitleaks.
func readLibrary() libraryRules {
	var all libraryRules
	if _, err := toml.Decode(config.DefaultConfig, &all); err != nil {
		panic(err) // the configuration is part of the program
	}
	return all
}

// libraryPatterns returns the rules of gitleaks as patterns.
func libraryPatterns() []pattern {
	all := readLibrary()
	global := all.Allowlist.allow()
	var out []pattern
	for _, rule := range all.Rules {
		if _, not := dropped[rule.ID]; not || rule.Regex == "" {
			continue
		}
		expr := strings.ReplaceAll(rule.Regex, tail, looseTail)
		keywords := make([]string, len(rule.Keywords))
		for i, word := range rule.Keywords {
			keywords[i] = strings.ToLower(word)
		}
		if better, ok := sharper[rule.ID]; ok {
			keywords = better
		}
		p := pattern{id: rule.ID, kind: Secret, keywords: keywords, group: -1, leads: leads(expr, keywords), accept: rule.accept(global), compiled: lazy.Regexp(expr)}
		if rule.SecretGroup > 0 {
			p.group = rule.SecretGroup
		}
		out = append(out, p)
	}
	return out
}

// leads reports whether every match of a pattern is a token that begins with one of the keywords.
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

// accept returns the function that judges a match as gitleaks does: by entropy, path and allowlists. It also rejects
// hex strings that are digests according to the text before them.
func (r libraryRule) accept(global allowance) func(*scanner, int, int) bool {
	path := lazy.Regexp(r.Path)
	allowed := []allowance{global}
	for _, list := range r.Allowlists {
		allowed = append(allowed, list.allow())
	}
	return func(s *scanner, start, end int) bool {
		secret := string(s.text[start:end])
		if r.Path != "" && !path().MatchString(s.name) || r.Entropy > 0 && entropy(s.text[start:end]) <= r.Entropy {
			return false
		}
		if slices.ContainsFunc(allowed, func(a allowance) bool { return a(secret, s.line(start)) }) {
			return false
		}
		return !s.inData(start, end) && !(isHex(secret) && s.namesDigest(start))
	}
}

// allowance reports whether a match in a line is not a secret.
type allowance func(secret string, line []byte) bool

func (l libraryAllowlist) allow() allowance {
	expr := lazy.Regexp("(?:" + strings.Join(l.Regexes, "|") + ")") // a flag also applies to later ones, as in gitleaks
	return func(secret string, line []byte) bool {
		low := strings.ToLower(secret)
		if slices.ContainsFunc(l.StopWords, func(word string) bool { return strings.Contains(low, strings.ToLower(word)) }) {
			return true
		}
		if l.RegexTarget == "" {
			line = []byte(secret)
		}
		return len(l.Regexes) > 0 && expr().Match(line)
	}
}
