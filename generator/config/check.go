package config

import (
	"path"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Check configures how benchpost check, and build --strict, treat files without a result.
type Check struct {
	Unread    string   // default "ignore": they are counted in one line; "warn", "error": a message for each
	NoResults []string `toml:"no_results"` // patterns of files without results, like those of a [[format]]
}

// Severity returns the severity of a message about a file without a result. Info has no consequences.
func (c *Check) Severity() result.Severity {
	switch c.Unread {
	case "warn":
		return result.Warning
	case "error":
		return result.Error
	}
	return result.Info
}

func (c *Check) check(at place) {
	switch c.Unread {
	case "", "ignore", "warn", "error":
	default:
		at.at("unread").wrong(locale.Textf(`unread = "ignore", "warn" or "error"`), "check: unread = %q is not known", c.Unread)
	}
	for i, pattern := range c.NoResults {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			at.at("no_results", i).wrong(locale.Textf(`for example no_results = ["notes/*", "*.yaml"]`), "check: %q is not a pattern", pattern)
		}
	}
}
