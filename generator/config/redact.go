package config

import (
	"errors"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/redact"
)

// Redaction configures how secrets and private names are treated.
type Redaction struct {
	Mode string   // mask, warn or off: what to do with findings in published files
	Keep []string // what to keep: words, which may contain stars, and networks
	Rule []RedactionRule
}

// RedactionRule is a rule of the site.
type RedactionRule struct {
	ID      string
	Pattern string
	Kind    string
	Group   int
}

// Options returns the options of a redactor with the site's key.
func (r *Redaction) Options(key []byte) redact.Options {
	o := redact.Options{Key: key, Keep: r.Keep}
	for _, rule := range r.Rule {
		o.Own = append(o.Own, redact.Rule(rule))
	}
	return o
}

// Modes of redaction.
const (
	Mask = "mask" // findings are replaced in everything that is published
	Warn = "warn" // findings are published and reported
	Off  = "off"  // findings are published
)

func (r *Redaction) check(at place) {
	switch r.Mode {
	case "":
		r.Mode = Mask
	case Mask, Warn, Off:
	default:
		at.at("mode").wrong(locale.Textf("mask, warn or off"), "redact: mode = %q is not known", r.Mode)
	}
	_, err := redact.New(r.Options(nil))
	var invalid *redact.RuleError
	if errors.As(err, &invalid) {
		at.at("rule", invalid.Index, invalid.Field).wrong(locale.Textf(`for example id = "project", pattern = 'project-(\w+)', kind = "project", group = 1`),
			"redact: %s: %s", invalid.Field, invalid.Reason)
	}
}

// withoutSecrets masks the secrets in a text unless the mode is warn or off.
func (r *Redaction) withoutSecrets(text []byte) []byte {
	if r.Mode == Warn || r.Mode == Off {
		return text
	}
	o := r.Options(nil)
	o.OnlySecrets = true
	redactor, err := redact.New(o)
	if err != nil { // a rule of the site is invalid, which check reports
		redactor, err = redact.New(redact.Options{OnlySecrets: true})
	}
	if err != nil {
		return text
	}
	masked, _ := redactor.Replace(Name, text)
	return masked
}
