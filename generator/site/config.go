package site

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	_ "time/tzdata" // a zone of site.toml is known on every machine

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// ConfigName is the file that makes a folder a site.
const ConfigName = "site.toml"

// Config is site.toml.
type Config struct {
	Title       Words
	Description Words
	Author      string
	BaseURL     string   `toml:"base_url"` // absolute address of the HTML site, for feeds and search engines
	Languages   []string // the first is served from the root of the site
	TimeZone    string   `toml:"time_zone"` // IANA name, as "Asia/Shanghai"

	Model      []Model
	Hardware   []Hardware
	Load       []Load
	Scenario   []Scenario
	Plan       []Plan
	Waive      []Waiver
	Format     []format.Mapping
	SLO        map[string]any `toml:"slo"` // metric or label → the most it may be, or the least where more is better
	Thresholds Thresholds
	Diff       Diff
	Jekyll     Jekyll
	Charts     Charts
	Archive    Archive
	Redact     Redaction
	Cite       Cite
	Raw        Raw
	History    History
	Values     map[string]map[string]Words // label → value → words, for any other label
	Order      map[string][]string         // label → its values in the wanted order

	location *time.Location
	sweeps   []dataset.Plan // of the sweeps found below the runs
}

// Words is a text the same in all languages, or one for each: a string, or a
// table { zh = "…", en = "…" }.
type Words struct{ locale.Text }

// UnmarshalTOML reads the string or the table.
func (w *Words) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		w.Text = locale.Lit(v)
		return nil
	case map[string]any:
		by := map[string]string{}
		fallback := ""
		for _, lang := range slices.Sorted(maps.Keys(v)) {
			s, ok := v[lang].(string)
			if _, known := locale.For(lang); !ok || !known {
				return fmt.Errorf("words are a string or a table of languages, as { zh = \"…\", en = \"…\" }; %q is neither zh nor en with a string", lang)
			}
			by[lang] = s
			fallback = s
		}
		w.Text = locale.By(by, fallback)
		return nil
	}
	return fmt.Errorf("words are a string or a table of languages, as { zh = \"…\", en = \"…\" }")
}

// Model is what the site knows of a model beside its runs.
type Model struct {
	ID           string   // the label model of its runs
	Aliases      []string // other values of model or model_raw that mean it
	Title        Words
	Base         string // the model it was quantised from
	Quantization string
	WeightSize   string `toml:"weight_size"` // as "8.9 G"
	Params       string // as "8.2 G"
	ActiveParams string `toml:"active_params"` // of a mixture of experts
	URL          string
	Note         Words

	// ActiveWeightSize is what one token really reads of the weights, as
	// "3.4 GB": without the input embedding, and of the active experts.
	ActiveWeightSize string `toml:"active_weight_size"`
	// CachePerToken is the KV cache of one token, as "147456 B".
	CachePerToken string `toml:"kv_cache_per_token"`
}

// Hardware is what the site knows of a machine.
type Hardware struct {
	ID        string // the label hardware of its runs
	Title     Words
	Memory    string            // as "128 GB"
	Bandwidth string            // as "273 GB/s"
	Peak      map[string]string // dense peak by data type, as BF16 = "257 TFLOPS"
	Price     string            // of one accelerator for an hour, as "2.49 USD"
	PriceDate string            `toml:"price_date"` // when the price was that
}

// Thresholds are the numbers by which something is said; 0 stands for the
// usual one.
type Thresholds struct {
	Noise   float64 // relative difference below which two single runs are not ranked; 0.03
	Outlier float64 // how many times the median of the others a figure is to stand apart; 3
	Limit   float64 // share of the memory bandwidth at which a variant is at its limit; 0.85
}

// Diff is by what two sets of results are held against each other.
type Diff struct {
	Noise map[string]float64 // metric or latency → relative difference that runs without enough repeats do not tell
}

// Waiver tells not to heed a check where runs match, and why. The reason is
// shown wherever the check would be.
type Waiver struct {
	Check  string // id, as "physics.compute-roofline"
	Where  string // selector; all runs when empty
	Reason string

	where result.Selector
}

// Load names a condition: runs that match When get the label load.
type Load struct {
	Name  string
	Title Words
	When  string // selector; a load declared in run.toml needs none

	when result.Selector
	line int // of the condition
}

// Scenario names a workload; like Load, with the label scenario.
type Scenario struct {
	Name  string
	Title Words
	When  string

	when result.Selector
	line int // of the condition
}

// Jekyll is how the posts for a blog are written.
type Jekyll struct {
	Dir       string // the blog's folder; posts go to public/jekyll when empty
	Layout    string // "post" when empty
	AssetsURL string `toml:"assets_url"` // prefix of image addresses for a blog that is no Jekyll; relative_url is used when empty
}

// Archive is how raw files are kept in git.
type Archive struct {
	Compress string // raw files that are larger are compressed; "1 MiB" when empty, "never"
	Limit    string // no file that is larger goes into git as it is; "50 MB" when empty

	compress, limit int64
}

// Sizes are those of Compress and Limit in bytes. Compress is -1 for never.
func (a Archive) Sizes() (compress, limit int64) {
	return cmp.Or(a.compress, 1<<20), cmp.Or(a.limit, 50e6)
}

// check reads the sizes, and tells the first that is none.
func (a *Archive) check() (about, text string) {
	for _, size := range []struct {
		text string
		to   *int64
	}{{a.Compress, &a.compress}, {a.Limit, &a.limit}} {
		bytes, ok := audit.Quantity(size.text)
		switch {
		case size.text == "":
		case size.to == &a.compress && size.text == "never":
			a.compress = -1
		case !ok || bytes < 1 || bytes > 1e18 || !strings.HasSuffix(size.text, "B"):
			return size.text, fmt.Sprintf("%q is no size of a file", size.text)
		default:
			*size.to = int64(bytes)
		}
	}
	return "", ""
}

// LoadConfig reads dir/site.toml. A site without the file has the defaults.
func LoadConfig(dir string) (Config, []result.Message) {
	var c Config
	var ms []result.Message
	data, err := os.ReadFile(filepath.Join(dir, ConfigName))
	switch {
	case os.IsNotExist(err):
	case err != nil:
		return c, []result.Message{{Pos: result.Position{File: ConfigName}, Severity: result.Error, ID: "site.config", Text: err.Error()}}
	default:
		ms = settings.Decode(ConfigName, 1, data, &c)
	}
	// What could not be decoded to the end is not complained of any further.
	broken := len(ms) > 0 && ms[0].ID == settings.TOML
	complain := func(needle, hint, format string, args ...any) {
		if broken {
			return
		}
		ms = append(ms, result.Message{
			Pos:      result.Position{File: ConfigName, Line: lineOf(string(data), needle)},
			Severity: result.Error, ID: "site.config", Text: fmt.Sprintf(format, args...), Hint: hint,
		})
	}
	if len(c.Languages) == 0 {
		c.Languages = []string{"zh-CN", "en"}
	}
	for i, lang := range c.Languages {
		p, ok := locale.For(lang)
		if !ok {
			complain(lang, "there are: zh-CN, en", "the language %q is not known", lang)
			continue
		}
		if slices.Contains(c.Languages[:i], p.Lang()) {
			complain(lang, "there are: zh-CN, en", "the language %q stands there twice", p.Lang())
		}
		c.Languages[i] = p.Lang()
	}
	if c.Jekyll.Layout == "" {
		c.Jekyll.Layout = "post" // without one Jekyll ships the bare page
	}
	c.location = time.UTC
	if c.TimeZone != "" {
		if c.location, err = time.LoadLocation(c.TimeZone); err != nil {
			complain(c.TimeZone, `write an IANA name, as "Asia/Shanghai" or "UTC"`, "the time zone %q is not known", c.TimeZone)
			c.location = time.UTC
		}
	}
	if c.BaseURL != "" {
		if !strings.HasPrefix(c.BaseURL, "http://") && !strings.HasPrefix(c.BaseURL, "https://") {
			complain(c.BaseURL, `as "https://example.org/bench/"`, "base_url %q is no absolute address", c.BaseURL)
		}
		c.BaseURL = strings.TrimSuffix(c.BaseURL, "/") + "/"
	}
	if about, text, hint := c.Charts.check(); text != "" {
		complain(about, hint, "%s", text)
	}
	c.Cite.check(complain)
	c.Raw.check(complain)
	c.History.line = lineOf(string(data), "[history]")
	if about, text, hint := c.History.check(); text != "" {
		complain(about, hint, "%s", text)
	}
	if about, text := c.Archive.check(); text != "" {
		complain(about, `sizes are written "1 MiB" or "50 MB"; compress may be "never"`, "archive: %s", text)
	}
	for i := range c.Load {
		l := &c.Load[i]
		if l.Name == "" {
			complain("[[load]]", `as name = "high"`, "a [[load]] has no name")
		}
		l.line = lineOf(string(data), l.When)
		if l.when, err = parseWhen(l.When); err != nil {
			complain(l.When, `selectors are written {max_concurrency="8"}`, "load %q: the condition %s is wrong: %v", l.Name, l.When, err)
		}
	}
	for i := range c.Scenario {
		s := &c.Scenario[i]
		if s.Name == "" {
			complain("[[scenario]]", `as name = "chat"`, "a [[scenario]] has no name")
		}
		s.line = lineOf(string(data), s.When)
		if s.when, err = parseWhen(s.When); err != nil {
			complain(s.When, `selectors are written {input_len="1024"}`, "scenario %q: the condition %s is wrong: %v", s.Name, s.When, err)
		}
	}
	for _, t := range []struct {
		name        string
		value, most float64
	}{{"noise", c.Thresholds.Noise, 1}, {"outlier", c.Thresholds.Outlier, 1000}, {"limit", c.Thresholds.Limit, 1}} {
		if t.value < 0 || t.value > t.most {
			complain(t.name, "as noise = 0.03, outlier = 3, limit = 0.85", "the threshold %s is between 0 and %g, not %g", t.name, t.most, t.value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Diff.Noise)) {
		if _, known := vocabulary.Define(name); !known && !slices.Contains(vocabulary.Families(), name) {
			complain(name, "as ttft_p99 = 0.1, or ttft = 0.1 for all its statistics", "diff.noise names %q, which is no metric", name)
		}
		if v := c.Diff.Noise[name]; !(v >= 0 && v <= 1) {
			complain(name, "as ttft_p99 = 0.1", "the noise of %s is between 0 and 1, not %g", name, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.SLO)) {
		if _, ok := c.SLO[name].(string); ok {
			continue
		}
		if d, known := vocabulary.Define(name); !known || d.Better == result.Neutral {
			complain(name, "as ttft_p99 = 500 or weight_size = \"8 G\"", "slo names %q, which is no metric with a better direction", name)
		}
	}
	for i := range c.Waive {
		w := &c.Waive[i]
		if w.Check == "" || w.Reason == "" {
			complain(cmp.Or(w.Check, w.Reason, "[[waive]]"), `as check = "physics.compute-roofline", reason = "…"`, "a [[waive]] needs check and reason")
		}
		if known := audit.IDs(); w.Check != "" && !slices.Contains(known, w.Check) {
			hint := settings.Offer(w.Check, known, "there are: "+strings.Join(known, ", "))
			complain(w.Check, hint, "waive names %q, which is no check of runs", w.Check)
		}
		if w.where, err = parseWhen(w.Where); err != nil {
			complain(w.Where, `selectors are written {model="…"}`, "waive %q: the selector %s is wrong: %v", w.Check, w.Where, err)
		}
	}
	if line, reason := c.Redact.check(string(data)); reason != "" && !broken {
		ms = append(ms, result.Message{Pos: result.Position{File: ConfigName, Line: line}, Severity: result.Error, ID: "site.config", Text: reason,
			Hint: `as id = "project", pattern = 'project-(\w+)', kind = "project", group = 1`})
	}
	for _, h := range c.Hardware {
		if h.ID == "" {
			complain("[[hardware]]", `as id = "jetson-agx-thor"`, "a [[hardware]] has no id")
		}
		quantity := func(value, of, unit, hint string) {
			_, ok := audit.Quantity(value)
			switch {
			case value == "":
			case !ok:
				complain(value, hint, "%q of hardware %q is no quantity", value, h.ID)
			case !regexp.MustCompile(unit).MatchString(value):
				complain(value, hint, "%q of hardware %q is not in a unit of %s", value, h.ID, of)
			}
		}
		quantity(h.Memory, "memory", `[KMGT](i?B)?$`, `as "128 GB"`)
		quantity(h.Bandwidth, "bandwidth", `B/s$`, `as "273 GB/s"`)
		for _, dtype := range slices.Sorted(maps.Keys(h.Peak)) {
			quantity(h.Peak[dtype], "computing", `(FLOPS|FLOP/s|TOPS)$`, `as "257 TFLOPS"`)
			if !slices.Contains(dataTypes, dtype) {
				complain(dtype, "there are: "+strings.Join(dataTypes, ", "), "peak of %q: the data type %q is not known", h.ID, dtype)
			}
		}
		if _, _, ok := audit.Price(h.Price); !ok && h.Price != "" {
			complain(h.Price, `as "2.49 USD"`, "the price %q of hardware %q is no amount with a currency", h.Price, h.ID)
		}
	}
	for i := range c.Format {
		if about, text, hint := c.Format[i].Check(); text != "" {
			complain(about, hint, "%s", text)
		}
	}
	names := map[string]string{}
	for _, m := range c.Model {
		if m.ID == "" {
			complain("[[model]]", `as id = "Qwen3-8B-FP8"`, "a [[model]] has no id")
		}
		for _, q := range []string{m.WeightSize, m.ActiveWeightSize, m.CachePerToken, m.Params, m.ActiveParams} {
			if _, ok := audit.Parameters(q); !ok && q != "" {
				complain(q, `sizes are written "8.9 GB", numbers of parameters "8.2 G"`, "%q of model %q is no quantity", q, m.ID)
			}
		}
		for _, size := range []string{m.WeightSize, m.ActiveWeightSize} {
			if bytes, ok := audit.Quantity(size); ok && bytes < 1e6 {
				complain(size, `sizes are written "8.9 GB"`, "%q of model %q is less than a megabyte", size, m.ID)
			}
		}
		for _, name := range append([]string{m.ID}, m.Aliases...) {
			if other, taken := names[name]; taken {
				complain(name, "an id or alias belongs to one model", "%q means both %s and %s", name, other, m.ID)
			}
			names[name] = m.ID
		}
	}
	if broken {
		return c, ms
	}
	return c, append(ms, c.checkPlans(string(data))...)
}

func parseWhen(when string) (result.Selector, error) {
	if when == "" {
		return result.Selector{}, nil
	}
	return result.ParseSelector(when)
}

// lineOf finds the last line that holds a text, in quotes if it stands so
// anywhere, 1 when none does.
func lineOf(text, needle string) int {
	i := max(strings.LastIndex(text, `"`+needle+`"`), strings.LastIndex(text, "'"+needle+"'"))
	if i < 0 {
		i = strings.LastIndex(text, needle)
	}
	if i < 0 || needle == "" {
		return 1
	}
	return 1 + strings.Count(text[:i], "\n")
}

// dataTypes are those a peak may be given for.
var dataTypes = []string{"BF16", "FP16", "FP8", "INT8", "FP4"}

// titles are the site's words for values of labels, and the order of values.
func (c *Config) titles() (map[string]map[string]locale.Text, map[string][]string) {
	titles := map[string]map[string]locale.Text{}
	order := map[string][]string{}
	add := func(label, value string, w Words) {
		order[label] = append(order[label], value)
		if w.IsZero() {
			return
		}
		if titles[label] == nil {
			titles[label] = map[string]locale.Text{}
		}
		titles[label][value] = w.Text
	}
	for _, m := range c.Model {
		add("model", m.ID, m.Title)
	}
	for _, h := range c.Hardware {
		add("hardware", h.ID, h.Title)
	}
	for _, l := range c.Load {
		add("load", l.Name, l.Title)
	}
	for _, s := range c.Scenario {
		add("scenario", s.Name, s.Title)
	}
	for label, values := range c.Values {
		for value, w := range values {
			if titles[label] == nil {
				titles[label] = map[string]locale.Text{}
			}
			titles[label][value] = w.Text
		}
	}
	for label, values := range c.Order {
		order[label] = values
	}
	return titles, order
}

// data makes what reports are made from.
func (c *Config) data(results []*result.Result) *dataset.Selection {
	titles, order := c.titles()
	links := map[string]string{}
	for _, m := range c.Model {
		if m.URL != "" {
			links[m.ID] = m.URL
		}
	}
	var plans []dataset.Plan
	for i := range c.Plan {
		plans = append(plans, c.Plan[i].report())
	}
	plans = append(plans, c.sweeps...)
	limits := map[string]string{}
	for name, most := range c.SLO {
		limits[name] = fmt.Sprint(most)
	}
	usual := dataset.DefaultRules
	rules := dataset.Rules{
		Noise:   cmp.Or(c.Thresholds.Noise, usual.Noise),
		Outlier: cmp.Or(c.Thresholds.Outlier, usual.Outlier),
		Limit:   cmp.Or(c.Thresholds.Limit, usual.Limit),
	}
	counted, auxiliary := counts(results)
	data := &dataset.Selection{
		Site:    dataset.Site{Titles: titles, Order: order, Links: links, Limits: limits, Rules: rules, Plans: plans},
		Results: counted, Auxiliary: auxiliary,
	}
	data.Styles = data.StylesOf("model", "quantization", "engine", "hardware")
	return data
}

// counts parts results into those that are measurements of their own and the others.
func counts(results []*result.Result) (counted, apart []*result.Result) {
	for _, r := range results {
		phase := r.Label("phase")
		isTrace := r.Telemetry != nil && r.Telemetry.Tool == r.Tool // that no run could be found for
		if !isTrace && (phase == "" || phase == "measured") {
			counted = append(counted, r)
		} else {
			apart = append(apart, r)
		}
	}
	return counted, apart
}
