package site

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// config reads a site.toml given as text.
func config(t *testing.T, text string) (Config, []result.Message) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ConfigName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return LoadConfig(dir)
}

func TestConfigSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"words in two languages", `title = { zh = "甲", en = "A" }`, ""},
		{"words in an unknown language", `title = { zh = "甲", fr = "A" }`, `site.toml:1`},
		{"unknown key", "titel = 'x'", `site.toml:1: error: unknown key "titel"`},
		{"unknown language", "title = 'x'\nlanguages = ['en', 'fr']", `site.toml:2: error: the language "fr" is not known`},
		{"unknown zone", "time_zone = 'Asia/Beijing'", `site.toml:1: error: the time zone "Asia/Beijing" is not known`},
		{"relative address", "base_url = '/blog'", `site.toml:1: error: base_url "/blog" is no absolute address`},
		{"broken condition", "[[load]]\nname = 'high'\nwhen = '{max_concurrency=8}'", `site.toml:3: error: load "high": the condition {max_concurrency=8} is wrong: a value in quotes is wanted`},
		{"one language twice", "languages = ['en', 'en-GB']", `site.toml:1: error: the language "en" stands there twice`},
		{"charts too narrow", "[charts]\nwidth = -5", `site.toml:2: error: charts are 300 to 4800 pixels wide, not -5`},
		{"load without name", "[[load]]\nwhen = '{a=\"1\"}'", `site.toml:1: error: a [[load]] has no name`},
		{"scenario without name", "[[scenario]]\nwhen = '{a=\"1\"}'", `site.toml:1: error: a [[scenario]] has no name`},
		{"hardware without id", "[[hardware]]\nmemory = '1 GB'", `site.toml:1: error: a [[hardware]] has no id`},
		{"a metric is no condition", "[[load]]\nname = 'high'\nwhen = 'high'", `site.toml:3: error: load "high": the condition high is wrong: a condition in braces is wanted`},
		{"model without id", "[[model]]\nurl = 'x'", `site.toml:1: error: a [[model]] has no id`},
		{"memory without a unit", "[[hardware]]\nid = 'h'\nmemory = '80'", `site.toml:3: error: "80" of hardware "h" is not in a unit of memory`},
		{"memory in half its unit", "[[hardware]]\nid = 'h'\nmemory = '80 G'", ""},
		{"bandwidth as a size", "[[hardware]]\nid = 'h'\nbandwidth = '3350 GB'", `site.toml:3: error: "3350 GB" of hardware "h" is not in a unit of bandwidth`},
		{"a peak as a size", "[[hardware]]\nid = 'h'\npeak = { BF16 = '990 T' }", `site.toml:3: error: "990 T" of hardware "h" is not in a unit of computing`},
		{"weights without a unit", "[[model]]\nid = 'A'\nweight_size = '16.4'", `site.toml:3: error: "16.4" of model "A" is less than a megabyte`},
		{"weights as a count", "[[model]]\nid = 'A'\nweight_size = '16400000000'", ""},
		{"an unknown check", "[[waive]]\ncheck = 'physics.memory-rofline'\nreason = 'x'", `site.toml:2: error: waive names "physics.memory-rofline", which is no check of runs`},
		{"a known check", "[[waive]]\ncheck = 'physics.memory-roofline'\nreason = 'x'", ""},
		{"a word that others hold", "languages = ['en', 'de']\n[[model]]\nid = 'A'", `site.toml:1: error: the language "de" is not known`},
		{"one name, two models", "[[model]]\nid = 'A'\n[[model]]\nid = 'B'\naliases = ['A']", `"A" means both A and B`},
		{"sizes of files", "[archive]\ncompress = '64 KiB'\nlimit = '95 MB'", ""},
		{"files that are never compressed", "[archive]\ncompress = 'never'", ""},
		{"a size of nothing", "[archive]\nlimit = '50'", `site.toml:2: error: archive: "50" is no size of a file`},
		{"no limit", "[archive]\nlimit = 'never'", `site.toml:2: error: archive: "never" is no size of a file`},
		{"a size in parameters", "[[model]]\nid = 'A'\nweight_size = '8.9B'", `"8.9B" of model "A" is less than a megabyte`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ms := config(t, c.text)
			var got []string
			for _, m := range ms {
				got = append(got, m.Error())
			}
			if c.want == "" && len(got) > 0 || !strings.Contains(strings.Join(got, "\n"), c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPlansSayWhatIsWrong(t *testing.T) {
	const declared = "[[model]]\nid = 'Qwen3-8B'\naliases = ['qwen']\n[[load]]\nname = 'high'\n"
	for _, c := range []struct{ name, text, want, hint string }{
		{"sound", declared + "[[plan]]\nname = 'a'\nexcept = ['{model=\"Qwen3-8B\",clocks=~\"f.*\"}']\n[plan.labels]\nmodel = ['Qwen3-8B']\nload = ['high']\nclocks = ['free', 'locked']\n", "", ""},
		{"any model when none is declared", "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['X']\nload = ['high']\n", "", ""},
		{"no name", "[[plan]]\n[plan.labels]\nmodel = ['X']", `site.toml:1: error: a [[plan]] has no name`, `as name = "thor"`},
		{"one name, two plans", "[[plan]]\nname = 'a'\nlabels = { model = ['X'] }\n[[plan]]\nname = 'a'\nlabels = { model = ['X'] }", `site.toml:5: error: two plans are called "a"`, ""},
		{"no labels", "title = 't'\n[[plan]]\nname = 'a'", `site.toml:2: error: plan "a" has no labels`, ""},
		{"no values", "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['X']\nload = []", `site.toml:5: error: plan "a": load has no values`, ""},
		{"empty value", "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['X', '']", `site.toml:4: error: plan "a": a value of model is empty`, ""},
		{"a value twice", "[[plan]]\nname = 'a'\n[plan.labels]\nclocks = [\n'free',\n'free']", `site.toml:5: error: plan "a": clocks has "free" twice`, ""},
		{"negative repeats", "[[plan]]\nname = 'a'\nrepeats = -1\n[plan.labels]\nmodel = ['X']", `site.toml:3: error: plan "a": repeats is -1`, ""},
		{"unknown model", declared + "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = [\n  'Qwen3-8B',\n  'Qwen3-8b',\n]", `site.toml:11: error: plan "a": there is no [[model]] "Qwen3-8b"`, `did you mean "Qwen3-8B"?`},
		{"alias of a model", declared + "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['qwen']", `site.toml:9: error: plan "a": there is no [[model]] "qwen"`, `it is an alias: write "Qwen3-8B"`},
		{"unknown load", declared + "[[plan]]\nname = 'a'\n[plan.labels]\nload = ['middle']", `site.toml:9: error: plan "a": there is no [[load]] "middle"`, "declare it, or write one of: high"},
		{"the second plan's own line", "[[plan]]\nname = 'a'\nlabels = { model = ['X'] }\n[[plan]]\nname = 'b'\nwhere = '{'\nlabels = { model = ['X'] }", `site.toml:6: error: plan "b": the selector { is wrong: the selector is not closed: } is missing`, ""},
		{"broken exception", "[[plan]]\nname = 'a'\nexcept = [\n'{model=X}']\n[plan.labels]\nmodel = ['X']", `site.toml:4: error: plan "a": the selector {model=X} is wrong: a value in quotes is wanted`, ""},
		{"exception of another label", "[[plan]]\nname = 'a'\nexcept = ['{lod=\"low\"}']\n[plan.labels]\nload = ['high', 'low']", `site.toml:3: error: plan "a": {lod="low"} is no combination of the plan`, "did you mean load?"},
		{"exception of no value", "[[plan]]\nname = 'a'\nexcept = ['{load=\"hgh\"}']\n[plan.labels]\nload = ['high', 'low']", `site.toml:3: error: plan "a": {load="hgh"} is no combination of the plan`, `did you mean load="high"?`},
		{"exceptions of all", "[[plan]]\nname = 'a'\nexcept = ['{load=\"high\"}', '{load!=\"high\"}']\n[plan.labels]\nload = ['high', 'low']", `site.toml:3: error: plan "a" leaves out all that it plans`, ""},
		{"unknown key", "[[plan]]\nname = 'a'\nrepeat = 3\n[plan.labels]\nload = ['high']", `site.toml:3: error: unknown key "plan.repeat"`, `did you mean "repeats"? known here: name, title, labels, except, repeats, where`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ms := config(t, c.text)
			if c.want == "" && len(ms) > 0 || c.want != "" && (len(ms) != 1 || ms[0].Error() != c.want || c.hint != "" && ms[0].Hint != c.hint) {
				t.Errorf("got %q", ms)
			}
		})
	}
}

func TestPlansAreGivenToReports(t *testing.T) {
	c, ms := config(t, `
[[plan]]
name = "thor"
title = { zh = "计划", en = "Plan" }
except = ['{model="B", load="high"}']
where = '{campaign="thor"}'
[plan.labels]
model = ["B", "A"]
load = ["low", "high"]
`)
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	rs := []result.Result{
		labelled("model=A load=high campaign=thor"), labelled("model=A load=low campaign=orin"), labelled("model=B load=high campaign=thor"),
	}
	d := c.data(pointers(rs))
	// Two models at two loads less one; only A at high load is of the campaign.
	if got, want := coverage.Of(d, d.Plans[0]), (coverage.Count{Planned: 3, Done: 1, Missing: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if p := d.Plans[0]; p.Repeats != 1 || p.Labels[0].Name != "load" || !slices.Equal(p.Labels[1].Values, []string{"B", "A"}) {
		t.Errorf("got %+v", p)
	}
}

// labelled makes a result of labels, as "model_raw=x load=high".
func labelled(labels string) result.Result {
	var r result.Result
	for _, l := range strings.Fields(labels) {
		name, value, _ := strings.Cut(l, "=")
		r.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Declared, Pos: result.Position{File: "run.toml", Line: 1}})
	}
	return r
}

// What comes after a value that cannot be decoded is not known to be missing.
func TestConfigThatBreaksOffIsToldOnce(t *testing.T) {
	_, ms := config(t, "[[model]]\nid = 'A'\nparams = 8.2\n[[load]]\nname = 'high'\n[[plan]]\nname = 'p'")
	if len(ms) != 1 || !strings.HasPrefix(ms[0].Error(), "site.toml:3: error: this is a number, where text is wanted") {
		t.Error(ms)
	}
}

// A condition on a label that no run has is misspelt; a value that no run has
// may yet be measured.
func TestConditionsThatNoRunCanMeetAreTold(t *testing.T) {
	for _, x := range []struct{ when, want string }{
		{`{max_concurency="8"}`, `site.toml:3: warning: load "high": no run meets {max_concurency="8"}, as none has a label max_concurency; did you mean max_concurrency?`},
		{`{max_concurrency="16"}`, ""},
		{`{power_mode!="MAXN"}`, ""}, // an absent label is ""
		{`{status="complete"}`, ""},
	} {
		c, ms := config(t, "[[load]]\nname = 'high'\nwhen = '"+x.when+"'\n")
		if len(ms) > 0 {
			t.Fatal(ms)
		}
		rs := []result.Result{labelled("model=A max_concurrency=8")}
		var got string
		for _, m := range append(c.Apply(rs), c.unmet(pointers(rs))...) {
			got += m.Error() + "; " + m.Hint
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.when, got, x.want)
		}
	}
}

func TestApplyAddsWhatTheSiteKnows(t *testing.T) {
	c, ms := config(t, `
[[model]]
id = "Qwen3-8B-FP8"
aliases = ["/models/Qwen/Qwen3-8B-FP8"]
quantization = "FP8"
weight_size = "8.9 G"
[[hardware]]
id = "thor"
bandwidth = "273 GB/s"
[[load]]
name = "high"
when = '{max_concurrency="8"}'
`)
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	for _, x := range []struct{ have, want string }{
		{"model_raw=/models/Qwen/Qwen3-8B-FP8 max_concurrency=8", "model=Qwen3-8B-FP8 quantization=FP8 weight_size=8.9_G load=high"},
		{"model_raw=Qwen/Qwen3-8B-FP8-AWQ tokenizer=/models/Qwen/Qwen3-8B-FP8", "model=Qwen3-8B-FP8-AWQ"},
		{"model=Other model_raw=qwen3 tokenizer=/models/Qwen/Qwen3-8B-FP8", "model=Other"},
		{"model_raw=qwen3 tokenizer=/models/Qwen/Qwen3-8B-FP8", "model=Qwen3-8B-FP8"},
		{"model_raw=org/Other-1B", "model=Other-1B quantization= load="},
		{"model_raw=org/Other-1B/", "model=Other-1B"},
		{"model_raw=org/Qwen3-8B-FP8", "model=Qwen3-8B-FP8 weight_size=8.9_G"}, // it is shown by that name, so it is that model
		{"model_raw=org/Qwen3-8B-FP8 model=mine", "model=mine weight_size="},   // the run declares another name
		{"model=Qwen3-8B-FP8 quantization=mine hardware=thor", "quantization=mine memory_bandwidth=273_GB/s"},
	} {
		rs := []result.Result{labelled(x.have)}
		if ms := c.Apply(rs); len(ms) > 0 {
			t.Errorf("%s: %v", x.have, ms)
		}
		for _, l := range strings.Fields(x.want) {
			name, value, _ := strings.Cut(l, "=")
			if got := strings.ReplaceAll(rs[0].Label(name), " ", "_"); got != value {
				t.Errorf("%s: %s is %q, want %q", x.have, name, got, value)
			}
		}
	}
}

func TestADeclaredLoadThatContradictsItsConditionIsTold(t *testing.T) {
	c, _ := config(t, "[[load]]\nname = 'high'\nwhen = '{max_concurrency=\"8\"}'\n")
	rs := []result.Result{labelled("load=low max_concurrency=8")}
	ms := c.Apply(rs)
	if len(ms) != 1 || ms[0].Severity != result.Warning || ms[0].Pos.File != "run.toml" || rs[0].Label("load") != "low" {
		t.Errorf("load %q, messages %v", rs[0].Label("load"), ms)
	}
}

func TestValuesHaveTheSitesWordsAndOrder(t *testing.T) {
	c, ms := config(t, `
[[load]]
name = "high"
title = { zh = "高负载", en = "High load" }
[[load]]
name = "low"
[values.clocks]
locked = { zh = "锁频", en = "pinned" }
[order]
power_mode = ["MAXN", "120W"]
`)
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	d := c.data(nil)
	zh, _ := locale.For("zh")
	if got := zh.Say(d.Titles["load"]["high"]) + zh.Say(d.Titles["clocks"]["locked"]); got != "高负载锁频" {
		t.Errorf("words %q", got)
	}
	if !slices.Equal(d.Order["load"], []string{"high", "low"}) || !slices.Equal(d.Order["power_mode"], []string{"MAXN", "120W"}) {
		t.Errorf("order %v", d.Order)
	}
}
