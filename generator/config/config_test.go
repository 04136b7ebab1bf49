package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// read returns the Config for the text of a site.toml.
func read(t *testing.T, text string) (Config, []result.Message) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, Name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return Read(dir)
}

func TestConfigSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"words in two languages", `title = { zh = "甲", en = "A" }`, ""},
		{"words in an unknown language", `title = { zh = "甲", fr = "A" }`, `site.toml:1`},
		{"unknown key", "titel = 'x'", `site.toml:1: error: unknown key "titel"`},
		{"unknown language", "title = 'x'\nlanguages = ['en', 'fr']", `site.toml:2: error: unknown language "fr"`},
		{"unknown zone", "time_zone = 'Asia/Beijing'", `site.toml:1: error: unknown time zone "Asia/Beijing"`},
		{"relative address", "base_url = '/blog'", `site.toml:1: error: base_url "/blog" is not an absolute address`},
		{"broken condition", "[[load]]\nname = 'high'\nwhen = '{max_concurrency=8}'", `site.toml:3: error: load "high": the selector {max_concurrency=8} is invalid: expected a value in quotes`},
		{"one language twice", "languages = ['en', 'en-GB']", `site.toml:1: error: the language "en" is listed twice`},
		{"charts too narrow", "[charts]\nwidth = -5", `site.toml:2: error: charts are 300 to 4800 pixels wide, not -5`},
		{"load without name", "[[load]]\nwhen = '{a=\"1\"}'", `site.toml:1: error: a [[load]] has no name`},
		{"scenario without name", "[[scenario]]\nwhen = '{a=\"1\"}'", `site.toml:1: error: a [[scenario]] has no name`},
		{"hardware without id", "[[hardware]]\nmemory = '1 GB'", `site.toml:1: error: a [[hardware]] has no id`},
		{"a metric is no condition", "[[load]]\nname = 'high'\nwhen = 'high'", `site.toml:3: error: load "high": the selector high is invalid: expected a condition in braces`},
		{"model without id", "[[model]]\nurl = 'x'", `site.toml:1: error: a [[model]] has no id`},
		{"memory without a unit", "[[hardware]]\nid = 'h'\nmemory = '80'", `site.toml:3: error: hardware "h": memory "80" is not in a unit of memory`},
		{"memory in half its unit", "[[hardware]]\nid = 'h'\nmemory = '80 G'", ""},
		{"bandwidth as a size", "[[hardware]]\nid = 'h'\nbandwidth = '3350 GB'", `site.toml:3: error: hardware "h": bandwidth "3350 GB" is not in a unit of bandwidth`},
		{"a peak as a size", "[[hardware]]\nid = 'h'\npeak = { BF16 = '990 T' }", `site.toml:3: error: hardware "h": the peak of BF16 "990 T" is not in a unit of computing`},
		{"weights without a unit", "[[model]]\nid = 'A'\nweight_size = '16.4'", `site.toml:3: error: model "A": weight_size "16.4" is less than a megabyte`},
		{"weights as a count", "[[model]]\nid = 'A'\nweight_size = '16400000000'", ""},
		{"an unknown check", "[[waive]]\ncheck = 'physics.memory-rofline'\nreason = 'x'", `site.toml:2: error: waive: unknown check "physics.memory-rofline"`},
		{"a known check", "[[waive]]\ncheck = 'physics.memory-roofline'\nreason = 'x'", ""},
		{"a word that others hold", "languages = ['en', 'de']\n[[model]]\nid = 'A'", `site.toml:1: error: unknown language "de"`},
		{"one name, two models", "[[model]]\nid = 'A'\n[[model]]\nid = 'B'\naliases = ['A']", `"A" means both A and B`},
		{"sizes of files", "[archive]\ncompress = '64 KiB'\nlimit = '95 MB'", ""},
		{"files that are never compressed", "[archive]\ncompress = 'never'", ""},
		{"a size of nothing", "[archive]\nlimit = '50'", `site.toml:2: error: archive: "50" is not a size of a file`},
		{"no limit", "[archive]\nlimit = 'never'", `site.toml:2: error: archive: "never" is not a size of a file`},
		{"a theme of the blog", "[jekyll]\ntheme = 'chirpy'\nlanguages = ['en']", ""},
		{"a misspelt theme", "[jekyll]\ntheme = 'chripy'", `site.toml:2: error: jekyll: theme = "chripy" is not known`},
		{"addresses of pictures", "[jekyll]\nimages = 'url'", `site.toml:2: error: jekyll: images = "url" is not known`},
		{"a blog in another language", "languages = ['en']\n[jekyll]\nlanguages = ['zh']", `site.toml:3: error: jekyll: "zh" is not in the site's languages`},
		{"a size in parameters", "[[model]]\nid = 'A'\nweight_size = '8.9B'", `model "A": weight_size "8.9B" is less than a megabyte`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ms := read(t, c.text)
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
	t.Parallel()
	const declared = "[[model]]\nid = 'Qwen3-8B'\naliases = ['qwen']\n[[load]]\nname = 'high'\n"
	for _, c := range []struct{ name, text, want, hint string }{
		{"sound", declared + "[[plan]]\nname = 'a'\nexcept = ['{model=\"Qwen3-8B\",clocks=~\"f.*\"}']\n[plan.labels]\nmodel = ['Qwen3-8B']\nload = ['high']\nclocks = ['free', 'locked']\n", "", ""},
		{"any model when none is declared", "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['X']\nload = ['high']\n", "", ""},
		{"no name", "[[plan]]\n[plan.labels]\nmodel = ['X']", `site.toml:1: error: a [[plan]] has no name`, `for example name = "thor"`},
		{"one name, two plans", "[[plan]]\nname = 'a'\nlabels = { model = ['X'] }\n[[plan]]\nname = 'a'\nlabels = { model = ['X'] }", `site.toml:5: error: two plans are called "a"`, ""},
		{"no labels", "title = 't'\n[[plan]]\nname = 'a'", `site.toml:2: error: plan "a" has no labels`, ""},
		{"no values", "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['X']\nload = []", `site.toml:5: error: plan "a": load has no values`, ""},
		{"empty value", "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['X', '']", `site.toml:4: error: plan "a": a value of model is empty`, ""},
		{"a value twice", "[[plan]]\nname = 'a'\n[plan.labels]\nclocks = [\n'free',\n'free']", `site.toml:6: error: plan "a": clocks lists "free" twice`, ""},
		{"negative repeats", "[[plan]]\nname = 'a'\nrepeats = -1\n[plan.labels]\nmodel = ['X']", `site.toml:3: error: plan "a": repeats is -1`, ""},
		{"unknown model", declared + "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = [\n  'Qwen3-8B',\n  'Qwen3-8b',\n]", `site.toml:11: error: plan "a": there is no [[model]] "Qwen3-8b"`, `did you mean "Qwen3-8B"?`},
		{"alias of a model", declared + "[[plan]]\nname = 'a'\n[plan.labels]\nmodel = ['qwen']", `site.toml:9: error: plan "a": there is no [[model]] "qwen"`, `it is an alias: write "Qwen3-8B"`},
		{"unknown load", declared + "[[plan]]\nname = 'a'\n[plan.labels]\nload = ['middle']", `site.toml:9: error: plan "a": there is no [[load]] "middle"`, "declare it, or write one of: high"},
		{"the second plan's own line", "[[plan]]\nname = 'a'\nlabels = { model = ['X'] }\n[[plan]]\nname = 'b'\nwhere = '{'\nlabels = { model = ['X'] }", `site.toml:6: error: plan "b": the selector { is invalid: the selector is not closed: } is missing`, ""},
		{"broken exception", "[[plan]]\nname = 'a'\nexcept = [\n'{model=X}']\n[plan.labels]\nmodel = ['X']", `site.toml:4: error: plan "a": the selector {model=X} is invalid: expected a value in quotes; write {model="X"}`, ""},
		{"exception of another label", "[[plan]]\nname = 'a'\nexcept = ['{lod=\"low\"}']\n[plan.labels]\nload = ['high', 'low']", `site.toml:3: error: plan "a": {lod="low"} is not a combination of the plan`, "did you mean load?"},
		{"exception of no value", "[[plan]]\nname = 'a'\nexcept = ['{load=\"hgh\"}']\n[plan.labels]\nload = ['high', 'low']", `site.toml:3: error: plan "a": {load="hgh"} is not a combination of the plan`, `did you mean load="high"?`},
		{"exceptions of all", "[[plan]]\nname = 'a'\nexcept = ['{load=\"high\"}', '{load!=\"high\"}']\n[plan.labels]\nload = ['high', 'low']", `site.toml:3: error: plan "a" excludes everything it plans`, ""},
		{"unknown key", "[[plan]]\nname = 'a'\nrepeat = 3\n[plan.labels]\nload = ['high']", `site.toml:3: error: unknown key "plan.repeat"`, `did you mean "repeats"? known here: name, title, labels, except, repeats, where`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ms := read(t, c.text)
			if c.want == "" && len(ms) > 0 || c.want != "" && (len(ms) != 1 || ms[0].Error() != c.want || c.hint != "" && locale.English(ms[0].Hint) != c.hint) {
				t.Errorf("got %q", ms)
			}
		})
	}
}

// TestConfigThatBreaksOffIsToldOnce: after a value that cannot be decoded, nothing else is reported as missing.
func TestConfigThatBreaksOffIsToldOnce(t *testing.T) {
	t.Parallel()
	_, ms := read(t, "[[model]]\nid = 'A'\nparams = 8.2\n[[load]]\nname = 'high'\n[[plan]]\nname = 'p'")
	if len(ms) != 1 || !strings.HasPrefix(ms[0].Error(), "site.toml:3: error: this is a number, but text is expected") {
		t.Error(ms)
	}
}

func TestValuesHaveTheSitesWordsAndOrder(t *testing.T) {
	t.Parallel()
	c, ms := read(t, `
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
	titles, order := c.Labels()
	zh, _ := locale.For("zh")
	if got := zh.Say(titles["load"]["high"]) + zh.Say(titles["clocks"]["locked"]); got != "高负载锁频" {
		t.Errorf("words %q", got)
	}
	if !slices.Equal(order["load"], []string{"high", "low"}) || !slices.Equal(order["power_mode"], []string{"MAXN", "120W"}) {
		t.Errorf("order %v", order)
	}
}

func TestHistoryIsConfigured(t *testing.T) {
	t.Parallel()
	for text, fits := range map[string]bool{
		"git = true": true, `commit_url = "https://example.org/{commit}"`: true,
		`commit_url = "http://example.org/{commit}"`: false, `commit_url = "javascript:alert(1)//{commit}"`: false, `commit_url = "https://example.org/"`: false, "github = true": false,
	} {
		if _, ms := read(t, "[history]\n"+text+"\n"); len(ms) == 0 != fits {
			t.Errorf("%s: %v", text, ms)
		}
	}
}

// TestAddressOfACommit: the address of a commit follows from commit_url or, for hosts known to show commits,
// from the cited repository.
func TestAddressOfACommit(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ url, repository, want string }{
		{"https://example.org/{commit}/x", "https://github.com/a/b", "https://example.org/3fa2/x"},
		{"", "https://github.com/a/b", "https://github.com/a/b/commit/3fa2"},
		{"", "https://github.com/a/b.git/", "https://github.com/a/b/commit/3fa2"},
		{"", "https://gitlab.com/a/b/c", "https://gitlab.com/a/b/c/-/commit/3fa2"},
		{"", "https://git.example.org/a/b", ""},
		{"", "http://github.com/a/b", ""},
		{"", "", ""},
	} {
		c := Config{History: History{CommitURL: x.url}, Cite: Cite{Repository: x.repository}}
		if got := c.CommitAddress("3fa2"); got != x.want {
			t.Errorf("%q, %q: %q, want %q", x.url, x.repository, got, x.want)
		}
	}
}

func TestChartsAreChecked(t *testing.T) {
	t.Parallel()
	for want, text := range map[string]string{
		"300 to 4800 pixels wide": "width = 20",
		"200 to 4800 pixels high": "height = 20",
		"size 12 to 48":           "text_size = 4",
		`"red" is not a colour`:   "palette = ['red']",
		"too many to distinguish": "palette = [" + strings.Repeat("'#000000', ", 30) + "]",
	} {
		if _, ms := read(t, "[charts]\n"+text); len(ms) != 1 || !strings.Contains(locale.English(ms[0].Text), want) || ms[0].Hint.IsZero() || ms[0].Pos.Line != 2 {
			t.Errorf("%v; want %q", ms, want)
		}
	}
}
