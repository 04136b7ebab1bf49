package config

import (
	"errors"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/redact"
)

// Redaction is what the site knows of its secrets and private names.
type Redaction struct {
	Mode string   // mask, warn or off: what is done with what is found where it would be published
	Keep []string // what stays: words, with stars, and networks
	Rule []RedactionRule
}

// RedactionRule is a rule of the site's own.
type RedactionRule struct {
	ID      string
	Pattern string
	Kind    string
	Group   int
}

// Options are those of a redactor with the site's key.
func (r *Redaction) Options(key []byte) redact.Options {
	o := redact.Options{Key: key, Keep: r.Keep}
	for _, rule := range r.Rule {
		o.Own = append(o.Own, redact.Rule(rule))
	}
	return o
}

// Modes of redaction.
const (
	Mask = "mask" // it is replaced in all that is published
	Warn = "warn" // it is published, and reported
	Off  = "off"  // it is published
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

// withoutSecrets masks the secrets in a text, where that is the mode.
func (r *Redaction) withoutSecrets(text []byte) []byte {
	if r.Mode == Warn || r.Mode == Off {
		return text
	}
	o := r.Options(nil)
	o.OnlySecrets = true
	redactor, err := redact.New(o)
	if err != nil { // a rule of the site, which is reported
		redactor, err = redact.New(redact.Options{OnlySecrets: true})
	}
	if err != nil {
		return text
	}
	masked, _ := redactor.Replace(Name, text)
	return masked
}
