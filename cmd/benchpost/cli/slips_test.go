package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const slipSite = `title = "Bench"
languages = ["en"]

[[load]]
name = "low"
when = '{max_concurrency="1"}'

[[load]]
name = "high"
when = '{max_concurrency="64"}'
`

// slipLog returns the output of a benchmark whose mean TTFT ends in the digit d, so that no two runs are copies.
func slipLog(d int) string {
	return fmt.Sprintf(`============ Serving Benchmark Result ============
Successful requests: 100
Maximum request concurrency: 8
Benchmark duration (s): 42.94
Total input tokens: 204169
Total generated tokens: 12800
Output token throughput (tok/s): 298.07
---------------Time to First Token----------------
Mean TTFT (ms): 210.%d
P99 TTFT (ms): 300.%d
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms): 25.%d
P99 TPOT (ms): 26.9
==================================================
`, d, d, d)
}

// slipPost returns a post with the given text below its front matter; a block begins on line 8.
func slipPost(text string) map[string]string {
	return map[string]string{"content/posts/p.en.md": "+++\ntitle = \"Report\"\ndate = 2026-01-15\n+++\n\nText.\n\n" + text + "\n"}
}

func slipBlock(kind string, lines ...string) map[string]string {
	return slipPost("```benchpost " + kind + "\n" + strings.Join(lines, "\n") + "\n```")
}

func slipFront(lines ...string) map[string]string {
	return map[string]string{"content/posts/p.en.md": "+++\n" + strings.Join(lines, "\n") + "\n+++\n\nText.\n"}
}

func slipAbout(lines ...string) map[string]string {
	return map[string]string{"site.toml": slipSite + strings.Join(lines, "\n") + "\n"} // the lines begin at line 11
}

func slipRun(lines ...string) map[string]string {
	return map[string]string{"runs/a/run.toml": strings.Join(lines, "\n") + "\n"}
}

// slips lists common mistakes with the expected messages: where, what is wrong, what to do.
var slips = []struct {
	name  string
	files map[string]string
	at    string   // file:line of the first message
	parts []string // of the output
}{
	// Names of tools.
	{"vLLM's key", slipBlock("table", `columns = ["mean_ttft_ms"]`), "content/posts/p.en.md:9", []string{`"mean_ttft_ms" is neither`, "did you mean ttft_mean? runs/a/c8.log calls it Mean TTFT (ms)"}},
	{"throughput", slipBlock("table", `columns = ["throughput"]`), "content/posts/p.en.md:9", []string{"did you mean output_throughput?"}},
	{"a unit", slipBlock("table", `columns = ["tok/s"]`), "content/posts/p.en.md:9", []string{"did you mean output_throughput?"}},
	{"a statistic before its latency", slipBlock("table", `columns = ["p99_tpot"]`), "content/posts/p.en.md:9", []string{"did you mean tpot_p99?"}},
	{"a latency alone", slipBlock("table", `columns = ["ttft"]`), "content/posts/p.en.md:9", []string{"did you mean ttft_mean?"}},
	{"a percentile that is not there", slipBlock("table", `columns = ["p90_ttft"]`), "content/posts/p.en.md:9", []string{"it is called ttft_p90 here, which no selected run has; there are ttft_mean, ttft_p99"}},
	{"in a value", slipPost("`= throughput{model=\"A\"}`"), "content/posts/p.en.md:8", []string{"did you mean output_throughput?"}},
	{"a known metric that the run lacks", slipPost("`= power_mean{model=\"A\"}`"), "content/posts/p.en.md:8", []string{`run="a/c8" has no power_mean`, "is not in the run's file; there are "}},
	{"of a chart", slipBlock("chart x", `kind = "bars"`, `value = "tokens_per_second"`), "content/posts/p.en.md:10", []string{"did you mean output_throughput?"}},
	{"to sort by", slipBlock("table", `columns = ["output_throughput"]`, `sort = "-throughput"`), "content/posts/p.en.md:10", []string{"names no column", "did you mean output_throughput?"}},
	{"a label of tools", slipBlock("table", `columns = ["ttft_mean"]`, `where = '{concurrency="8"}'`), "content/posts/p.en.md:10", []string{"no run matches", "did you mean max_concurrency?"}},
	{"in a format", slipAbout("[[format]]", `name = "csv"`, `files = "*.csv"`, `columns.tps = { metric = "throughput", unit = "tok/s" }`), "site.toml:14", []string{"throughput is not a metric", "did you mean output_throughput?"}},
	{"in the limits", slipAbout("[slo]", "p99_ttft = 500"), "site.toml:12", []string{`"p99_ttft" is not a metric`, "did you mean ttft_p99?"}},
	{"a misspelt metric", slipBlock("table", `columns = ["ouptut_throughput"]`), "content/posts/p.en.md:9", []string{"did you mean output_throughput?"}},
	{"a misspelt row", slipBlock("table", `columns = ["ttft_mean"]`, `rows = ["modle"]`), "content/posts/p.en.md:10", []string{"did you mean model?"}},
	{"a misspelt model", slipBlock("table", `columns = ["ttft_mean"]`, `where = '{model="a"}'`), "content/posts/p.en.md:10", []string{`did you mean model="A"?`}},

	// Selectors.
	{"a load that no run has", slipBlock("table", `columns = ["ttft_mean"]`, `where = '{load="high"}'`), "content/posts/p.en.md:10",
		[]string{`low where {max_concurrency="1"}, high where {max_concurrency="64"}; the runs have max_concurrency 8`}},
	{"a bare number", slipBlock("table", `columns = ["ttft_mean"]`, `where = '{max_concurrency=8}'`), "content/posts/p.en.md:10", []string{"expected a value in quotes", `write {max_concurrency="8"}`}},
	{"no braces", slipBlock("table", `columns = ["ttft_mean"]`, `where = 'model="A"'`), "content/posts/p.en.md:10", []string{`write {model="A"}`}},
	{"a comparison", slipAbout("[[load]]", `name = "more"`, `when = '{max_concurrency >= 8}'`), "site.toml:13", []string{"numbers are not compared with >=", `max_concurrency=~"8|16|32"`}},
	{"without quotes around it", slipBlock("table", `columns = ["ttft_mean"]`, `where = {model="A"}`), "content/posts/p.en.md:10", []string{"this is a table, but text is expected", `write where = '{model="A"}'`}},
	{"in double quotes", slipBlock("table", `columns = ["ttft_mean"]`, `where = "{model="A"}"`), "content/posts/p.en.md:10", []string{"needs single quotes", `write where = '{model="A"}'`}},
	{"bare in a value", slipPost("`= output_throughput{model=A}`"), "content/posts/p.en.md:8", []string{`write output_throughput{model="A"}`}},
	{"a value of several runs", slipPost("`= output_throughput`"), "content/posts/p.en.md:8", []string{"2 runs match output_throughput", "they differ in", "model (A, B)"}},

	// TOML.
	{"text without quotes", slipBlock("table", `columns = ["ttft_mean"]`, `rows = model`), "content/posts/p.en.md:10", []string{"text needs quotes", `write rows = "model"`}},
	{"text for a list", slipBlock("table", `columns = "ttft_mean"`), "content/posts/p.en.md:9", []string{"but a list is expected", `write columns = ["ttft_mean"]`}},
	{"a list without quotes", slipBlock("table", `columns = [ttft_mean, tpot_mean]`), "content/posts/p.en.md:9", []string{`write columns = ["ttft_mean", "tpot_mean"]`}},
	{"a colon", slipBlock("table", `columns: ["ttft_mean"]`), "content/posts/p.en.md:9", []string{"joined by =, not by a colon", `write columns = ["ttft_mean"]`}},
	{"YAML", slipBlock("table", `columns:`, `  - ttft_mean`, `  - tpot_mean`), "content/posts/p.en.md:9", []string{"this is YAML", `write columns = ["ttft_mean", "tpot_mean"]`}},
	{"JSON", slipBlock("table", `{"columns": ["ttft_mean"]}`), "content/posts/p.en.md:9", []string{"this is JSON", `key = "value"`}},
	{"a comma left out", slipBlock("table", `columns = ["ttft_mean" "tpot_mean"]`), "content/posts/p.en.md:9", []string{"a comma is missing", `write columns = ["ttft_mean", "tpot_mean"]`}},
	{"a list left open", slipBlock("table", `columns = ["ttft_mean"`, `rows = ["model"]`), "content/posts/p.en.md:9", []string{"the list is not closed", `write columns = ["ttft_mean"]`}},
	{"a version", slipRun(`model = "A"`, `engine_version = 0.9.2`), "runs/a/run.toml:2", []string{"text needs quotes", `write engine_version = "0.9.2"`}},
	{"a size", slipAbout("[[model]]", `id = "A"`, `weight_size = 16 GB`), "site.toml:13", []string{"text needs quotes", `write weight_size = "16 GB"`}},
	{"a size as a number", slipAbout("[[model]]", `id = "A"`, `weight_size = 16`), "site.toml:13", []string{"text is expected", `as weight_size = "16 GB"`}},
	{"a size without a unit", slipAbout("[[model]]", `id = "A"`, `weight_size = "16"`), "site.toml:13", []string{"less than a megabyte", `as "16 GB"`}},
	{"typographic quotes", slipRun(`model = “A”`), "runs/a/run.toml:1", []string{"these quotation marks are not those of TOML", `write model = "A"`}},
	{"a key twice", slipRun(`model = "A"`, `model = "B"`), "runs/a/run.toml:2", []string{"the key model is defined twice", "keep one"}},
	{"yes", slipFront(`title = "x"`, `date = 2026-01-01`, `draft = yes`), "content/posts/p.en.md:4", []string{"yes and no are written true and false", "write draft = true"}},
	{"a title without quotes", slipFront(`title = My report`, `date = 2026-01-01`), "content/posts/p.en.md:2", []string{`write title = "My report"`}},
	{"a date with slashes", slipFront(`title = "x"`, `date = 2026/1/5`), "content/posts/p.en.md:3", []string{"a date is written with hyphens", "write date = 2026-01-05"}},
	{"a date in quotes", slipFront(`title = "x"`, `date = "2026-01-01"`), "content/posts/p.en.md:3", []string{"write a date without quotes"}},
	{"no date", slipFront(`title = "x"`), "content/posts/p.en.md:1", []string{"has no date", "add a line such as date = "}},
	{"front matter of Jekyll", map[string]string{"content/posts/p.en.md": "---\ntitle: x\n---\nText\n"}, "content/posts/p.en.md:1", []string{"is YAML", "as TOML between +++ lines"}},
	{"a number for text", slipAbout("[[model]]", "id = 8"), "site.toml:12", []string{"but text is expected", `write id = "8"`}},
	{"one table of several", slipAbout("[model]", `id = "A"`), "site.toml:11", []string{"write [[model]], in two brackets"}},
	{"a plural", slipAbout("[[models]]", `id = "A"`), "site.toml:11", []string{`unknown key "models"`, `did you mean "model"?`}},

	// Languages, fonts, blocks.
	{"a language that is not known", map[string]string{"site.toml": strings.Replace(slipSite, `"en"`, `"de"`, 1)}, "site.toml:2", []string{`unknown language "de"`, "known: zh-CN, en"}},
	{"a post in it", map[string]string{"content/posts/p.de.md": "+++\ntitle = \"x\"\ndate = 2026-01-01\n+++\nText\n"}, "content/posts/p.de.md", []string{`the language "de" of this post is not known`, "rename the file"}},
	{"a post in another language than the site's", map[string]string{"content/posts/p.zh.md": "+++\ntitle = \"x\"\ndate = 2026-01-01\n+++\nText\n"}, "content/posts/p.zh.md", []string{"not in the site's languages", "add it to languages in site.toml"}},
	{"a font that is not there", slipAbout("[charts]", `font = ["no.ttf"]`), "site.toml:12", []string{"the font no.ttf cannot be used", "or remove the line"}},
	{"a zone", map[string]string{"site.toml": strings.Replace(slipSite, "\n\n", "\ntime_zone = \"China\"\n\n", 1)}, "site.toml:3", []string{`unknown time zone "China"`, "Asia/Shanghai"}},
	{"a block that is misspelt", slipBlock("tabel", `columns = ["ttft_mean"]`), "content/posts/p.en.md:8", []string{`no report block is called "tabel"`, "did you mean table?"}},
	{"a kind of chart", slipBlock("chart x", `kind = "bar"`, `value = "ttft_mean"`), "content/posts/p.en.md:9", []string{`did you mean "bars"?`}},
	{"a key of another block", slipBlock("table", `columns = ["ttft_mean"]`, `series = "load"`), "content/posts/p.en.md:10", []string{`unknown key "series"`, "known here: "}},
	{"nothing to show", slipBlock("table", `rows = ["model"]`), "content/posts/p.en.md:8", []string{"columns is missing", `for example columns = ["output_throughput"`}},
	{"labels in a table", slipRun(`[labels]`, `model = "A"`), "runs/a/run.toml:1", []string{"labels is a table", `at the top as key = "value"`}},
}

// slipRuns writes a site with the files of a slip over those that are right.
func slipRuns(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{"site.toml": slipSite, "runs/a/run.toml": "model = \"A\"\nhardware = \"jetson-agx-thor\"\n", "runs/a/c8.log": slipLog(1),
		"runs/b/run.toml": "model = \"B\"\nhardware = \"jetson-agx-thor\"\n", "runs/b/c8.log": slipLog(2)}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSlips checks that the output reports once where the mistake is, what it is, and what to write instead.
func TestSlips(t *testing.T) {
	t.Parallel()
	if len(slips) < 40 {
		t.Fatalf("%d slips", len(slips))
	}
	for _, slip := range slips {
		t.Run(slip.name, func(t *testing.T) {
			t.Parallel()
			dir := slipRuns(t, slip.files)
			var out, told bytes.Buffer
			code := Run(context.Background(), []string{"check", "--site", dir}, nil, &out, &told)
			text := strings.ReplaceAll(out.String(), filepath.ToSlash(dir)+"/", "")
			if code == Fine {
				t.Errorf("nothing is wrong:\n%s", text)
			}
			if !strings.HasPrefix(text, slip.at+":") {
				t.Errorf("the first message is not at %s:\n%s", slip.at, text)
			}
			for _, part := range slip.parts {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in\n%s", part, text)
				}
			}
			if n := strings.Count(text, ": error: "); n != 1 {
				t.Errorf("%d errors are reported of one slip:\n%s", n, text)
			}
			lines := strings.Split(text, "\n")
			if len(lines) < 2 || !strings.HasPrefix(lines[1], "  hint: ") {
				t.Errorf("it is not said what to do:\n%s", text)
			}
			for _, jargon := range []string{"top-level item", "array terminator", "expected value but found", "EOF"} {
				if strings.Contains(text, jargon) {
					t.Errorf("the parser speaks (%s):\n%s", jargon, text)
				}
			}
		})
	}
}

// TestWhatFollowsFromABrokenFileIsFolded checks that a run.toml that cannot be read is the first and only error, and
// that it lists the places in posts that have no runs because of it.
func TestWhatFollowsFromABrokenFileIsFolded(t *testing.T) {
	t.Parallel()
	files := slipPost("```benchpost table\ncolumns = [\"ttft_mean\"]\nwhere = '{model=\"A\"}'\n```\n\n`= output_throughput{model=\"A\"}`\n\n`= output_throughput{model=\"B\"}`")
	files["runs/a/run.toml"] = "model = A\n"
	dir := slipRuns(t, files)
	var out, told bytes.Buffer
	Run(context.Background(), []string{"check", "--site", dir}, nil, &out, &told)
	text := strings.ReplaceAll(out.String(), filepath.ToSlash(dir)+"/", "")
	want := "runs/a/run.toml:1:9: error: text needs quotes [run.syntax]\n" +
		"  hint: write model = \"A\"; the labels of this file are not used until it is corrected; these places of posts have no runs any more: content/posts/p.en.md, lines 10, 13\n"
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	out.Reset()
	Run(context.Background(), []string{"check", "--site", dir, "--verbose"}, nil, &out, &told)
	if n := strings.Count(out.String(), "no run matches"); n != 2 {
		t.Errorf("--verbose names %d of 2 places:\n%s", n, out.String())
	}
}

// TestBuildSaysWhereTheSiteIs checks that a build prints the path of the site, and that a missing font is not reported
// as an error in the runs.
func TestBuildSaysWhereTheSiteIs(t *testing.T) {
	t.Parallel()
	dir := slipRuns(t, slipAbout("[charts]", `font = ["no.ttf"]`))
	var out, told bytes.Buffer
	if code := Run(context.Background(), []string{"build", "--site", dir}, nil, &out, &told); code != Fault {
		t.Errorf("exit code %d", code)
	}
	if want := filepath.Join(dir, "public", "site", "index.html"); !strings.Contains(told.String(), "see it: open "+want+" in a browser, or run benchpost serve") {
		t.Error(told.String())
	}
	if strings.Contains(told.String(), "in the runs") || !strings.Contains(told.String(), "1 error, see above") {
		t.Error(told.String())
	}
}
