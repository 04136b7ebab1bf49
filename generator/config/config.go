// Package config reads site.toml. A folder with this file is a site.
//
//	c, ms := config.Read(dir)
//	for _, m := range ms { … } // every mistake, with its line and what to write instead
//	c.Model[0].ID
//	c.At("model", 0, "id") // the line it is written on
//
// Each table has a type with a check that reports invalid values. The position of a message is exactly the
// invalid key or value, even if the same text occurs elsewhere. A Config does not change once it is loaded.
// This package imports none of the packages that act on a Config; site, archive and the command line query it.
package config

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "time/tzdata" // embeds the time zones, which may be missing on a machine

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Name is the file's name.
const Name = "site.toml"

// Config is site.toml.
type Config struct {
	Title       Words
	Description Words
	Author      string
	BaseURL     string   `toml:"base_url"` // absolute address of the HTML site, for feeds and search engines
	Languages   []string // the first is served from the root of the site
	TimeZone    string   `toml:"time_zone"` // IANA name such as "Asia/Shanghai"

	Model      []Model
	Hardware   []Hardware
	Load       []Load
	Scenario   []Scenario
	Plan       []Plan
	Waive      []Waiver
	Format     []format.Mapping
	SLO        SLO `toml:"slo"`
	Thresholds Thresholds
	Check      Check
	Diff       Diff
	Jekyll     Jekyll
	Charts     Charts
	Archive    Archive
	Redact     Redaction
	Cite       Cite
	Raw        Raw
	History    History
	Pages      Pages
	Values     map[string]map[string]Words // label → value → words, for labels without a table of their own
	Order      map[string][]string         // label → its values in the desired order

	location *time.Location
	source   *settings.Source
}

// Read reads and checks dir/site.toml. If the file does not exist, the defaults apply. If it is not valid TOML,
// only that is reported.
func Read(dir string) (Config, []result.Message) {
	text, err := sitefile.Read(filepath.Join(dir, Name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Config{location: time.UTC}, []result.Message{{Pos: result.Position{File: Name}, Severity: result.Error, ID: "site.config", Text: locale.Reason(err)}}
	}
	c, ms := parse(dir, text)
	if masked := c.Redact.withoutSecrets(text); !bytes.Equal(masked, text) { // titles are published, so secrets in them must be masked
		rules := c.Redact
		c, ms = parse(dir, masked)
		c.Redact = rules
	}
	return c, ms
}

// parse decodes and checks the text of a site.toml in a folder.
func parse(dir string, text []byte) (Config, []result.Message) {
	c := Config{location: time.UTC, source: settings.Parse(Name, 1, text)}
	ms := c.source.Decode(&c)
	isBroken := len(ms) > 0 && ms[0].ID == settings.TOML
	if !isBroken {
		ms = append(ms, c.check(dir)...)
	}
	c.complete(dir)
	return c, ms
}

// Location returns the time zone of the site, UTC by default.
func (c *Config) Location() *time.Location { return c.location }

// At returns the line of a key of site.toml or of a list element; see settings.Source.At.
func (c *Config) At(path ...any) result.Position {
	if c.source == nil {
		return result.Position{File: Name}
	}
	pos := c.source.At(path...)
	pos.Column = 0
	return pos
}

// check checks all tables.
func (c *Config) check(dir string) []result.Message {
	top := place{config: c, found: new([]result.Message)}
	c.checkTop(top)
	for i := range c.Model {
		c.Model[i].check(top.at("model", i))
	}
	checkNames(top, c.Model)
	for i := range c.Hardware {
		c.Hardware[i].check(top.at("hardware", i))
	}
	for i := range c.Load {
		c.Load[i].check(top.at("load", i))
	}
	for i := range c.Scenario {
		c.Scenario[i].check(top.at("scenario", i))
	}
	for i := range c.Plan {
		c.Plan[i].check(top.at("plan", i), c, c.Plan[:i])
	}
	for i := range c.Waive {
		c.Waive[i].check(top.at("waive", i))
	}
	for i := range c.Format {
		if at, text, hint := c.Format[i].Check(); !text.IsZero() {
			top.at("format", i).at(at...).report(text, hint)
		}
	}
	c.SLO.check(top.at("slo"))
	c.Thresholds.check(top.at("thresholds"))
	c.Check.check(top.at("check"))
	c.Diff.check(top.at("diff"))
	c.Jekyll.check(top.at("jekyll"))
	c.Charts.check(top.at("charts"))
	c.Archive.check(top.at("archive"))
	c.Redact.check(top.at("redact"))
	c.Cite.check(top.at("cite"))
	c.Raw.check(top.at("raw"))
	c.History.check(top.at("history"))
	languages := c.Languages
	if len(languages) == 0 {
		languages = usualLanguages
	}
	c.Pages.check(top.at("pages"), dir, languages)
	return *top.found
}

// checkTop checks the keys outside of tables.
func (c *Config) checkTop(top place) {
	known := locale.Textf("known: %s", locale.Commas("zh-CN", "en"))
	for i, lang := range c.Languages {
		p, ok := locale.For(lang)
		if !ok {
			top.at("languages", i).wrong(known, "unknown language %q", lang)
			continue
		}
		if slices.Contains(c.Languages[:i], p.Lang()) {
			top.at("languages", i).wrong(known, "the language %q is listed twice", p.Lang())
		}
		c.Languages[i] = p.Lang()
	}
	if c.TimeZone != "" {
		location, err := time.LoadLocation(c.TimeZone)
		if err != nil {
			top.at("time_zone").wrong(locale.Textf(`write an IANA name, for example "Asia/Shanghai" or "UTC"`), "unknown time zone %q", c.TimeZone)
		} else {
			c.location = location
		}
	}
	if c.BaseURL != "" && !strings.HasPrefix(c.BaseURL, "http://") && !strings.HasPrefix(c.BaseURL, "https://") {
		top.at("base_url").wrong(locale.Textf(`for example "https://example.org/bench/"`), "base_url %q is not an absolute address", c.BaseURL)
	}
}

// usualLanguages are the default languages.
var usualLanguages = []string{"zh-CN", "en"}

// complete sets defaults for what the author did not set.
func (c *Config) complete(dir string) {
	if len(c.Languages) == 0 {
		c.Languages = slices.Clone(usualLanguages)
	}
	if c.BaseURL != "" {
		c.BaseURL = strings.TrimSuffix(c.BaseURL, "/") + "/"
	}
	c.Jekyll.complete(c.Languages)
	c.Pages.complete(dir, c.Languages[0])
}

// place is a table or value of site.toml that is being checked.
type place struct {
	config *Config
	path   []any
	found  *[]result.Message
}

// at returns the place below p at a path of keys and list indices.
func (p place) at(path ...any) place {
	p.path = slices.Concat(p.path, path)
	return p
}

// wrong reports a mistake at the place and what to write instead.
func (p place) wrong(hint locale.Text, format string, args ...any) {
	p.report(locale.Textf(format, args...), hint)
}

func (p place) report(text, hint locale.Text) {
	*p.found = append(*p.found, result.Message{Pos: p.config.At(p.path...), Severity: result.Error, ID: "site.config", Text: text, Hint: hint})
}

// selector parses a selector. An empty one selects everything.
func (p place) selector(text, called, example string) (s result.Selector, ok bool) {
	if text == "" {
		return s, true
	}
	s, err := result.ParseSelector(text)
	if err != nil {
		p.wrong(locale.Textf("selectors are written %s", example), "%s: the selector %s is invalid: %v", called, text, err)
	}
	return s, err == nil
}
