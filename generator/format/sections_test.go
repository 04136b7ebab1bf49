package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// sectionTable returns a table printed by llama-bench, of one model with one setting.
func sectionTable(rate float64) string {
	return fmt.Sprintf(`| model                          |       size |     params | backend    | ngl |            test |                  t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | -------------------: |
| llama 8B Q4_0                  |   4.33 GiB |     8.03 B | CUDA       |  99 |           tg128 |       %8.2f ± 0.22 |
`, rate)
}

// titleForms lists the forms in which a page or a log writes titles.
var titleForms = map[string]string{
	"heading": "## %s\n\n%s", "closed heading": "### %s ###\n\n%s", "underlined": "%s\n------\n\n%s", "doubly underlined": "%s\n======\n\n%s",
	"bold": "**%s**\n\n%s", "bold with a colon": "**%s**:\n\n%s", "summary": "<details><summary>%[1]s</summary>\n\n%[2]s\n</details>\n",
	"summary on its own line": "<details>\n<summary><b>%s</b></summary>\n\n%s\n</details>\n", "HTML heading": "<h3>%s</h3>\n\n%s",
	"line with a colon": "%s:\n%s", "line": "%s\n\n%s", "line above a quotation": "%s\n```\n%s```\n", "item": "- %s:\n\n%s", "banner": "=== %s ===\n%s",
	"banner in a quotation": "```\n##### %s #####\n%s```\n", "quoted": "> ## %s\n>\n%s",
}

// TestSectionsTellRunsApart checks that results that differ only in their titles get the title as the label section,
// with the title's line, for every form of title.
func TestSectionsTellRunsApart(t *testing.T) {
	t.Parallel()
	for form, layout := range titleForms {
		for _, names := range [][2]string{{"before", "after"}, {"Master", "This PR"}, {"CUDA", "Vulkan"}, {"优化前", "优化后"}, {"Run 1 with FA", "Run 2 without FA"}} {
			page := "A note on a change.\n\n" + fmt.Sprintf(layout, names[0], sectionTable(101)) + "\n" + fmt.Sprintf(layout, names[1], sectionTable(121))
			if form == "quoted" {
				page = strings.ReplaceAll(page, "\n|", "\n> |")
			}
			out := fixture.Read(t, page)
			if len(out.Results) != 2 {
				t.Errorf("%s: %d results", form, len(out.Results))
				continue
			}
			for i := range out.Results {
				l, ok := out.Results[i].Labels.Lookup("section")
				want := strings.TrimPrefix(names[i], fmt.Sprintf("Run %d ", i+1))
				line := strings.Split(page, "\n")[max(l.Pos.Line, 1)-1]
				if !ok || l.Value != want || !strings.Contains(line, names[i]) {
					t.Errorf("%s %q: section %q of line %q", form, names[i], l.Value, line)
				}
			}
		}
	}
}

// TestSectionsOfRepeats checks that titles that only count or date runs, or that are above all of them, leave them
// repeats.
func TestSectionsOfRepeats(t *testing.T) {
	t.Parallel()
	block := func(command string) string {
		return "$ " + command + "\n" + sectionTable(101) + "\nbuild: 1a2b3c4d (5001)\n"
	}
	const command = "./llama-bench -m llama-8b-Q4_0.gguf -n 128"
	for name, page := range map[string]string{
		"one after the other":    strings.Repeat(block(command), 3),
		"under one heading":      "## Results\n\n" + strings.Repeat(block(command)+"\n", 3),
		"counted":                "## Run 1\n\n" + block(command) + "\n## Run 2\n\n" + block(command) + "\n## Run 3\n\n" + block(command),
		"counted by a script":    "=== run 1/3 ===\n" + block(command) + "=== run 2/3 ===\n" + block(command) + "=== run 3/3 ===\n" + block(command),
		"counted in words":       "**First run**\n\n" + block(command) + "\n**Second run**\n\n" + block(command) + "\n**Third run**\n\n" + block(command),
		"counted in Chinese":     "## 第1次运行\n\n" + block(command) + "\n## 第2次运行\n\n" + block(command) + "\n## 第三次运行\n\n" + block(command),
		"dated":                  "### 2026-01-31 12:00:05\n\n" + block(command) + "\n### 2026-01-31 12:04:59\n\n" + block(command) + "\n### 2026-02-01\n\n" + block(command),
		"below the same banner":  strings.Repeat("--- llama-bench ---\n"+block(command), 3),
		"as root":                strings.Repeat("# "+command+"\n"+sectionTable(101), 3),
		"with comments of a job": strings.Repeat("```\n# the model is warm\n"+block(command)+"```\n", 3),
		"timed":                  block(command) + "\nreal\t0m9.120s\nuser\t0m1.200s\nsys\t0m0.310s\n" + block(command) + "\nreal\t0m9.420s\nuser\t0m1.100s\nsys\t0m0.330s\n" + block(command),
	} {
		out := fixture.Read(t, page)
		if len(out.Results) != 3 {
			t.Errorf("%s: %d results", name, len(out.Results))
		}
		for i := range out.Results {
			if section := out.Results[i].Label("section"); section != "" {
				t.Errorf("%s: section %q", name, section)
			}
		}
	}
}

// TestSectionsOfSeveralLevels checks that only the levels of titles that distinguish runs are used: not a model that a
// label names, and not what all runs have in common.
func TestSectionsOfSeveralLevels(t *testing.T) {
	t.Parallel()
	other := func(rate float64) string {
		return strings.ReplaceAll(sectionTable(rate), "llama 8B Q4_0", "qwen3 8B Q4_0")
	}
	page := "# A faster kernel\n\n## before\n\n### llama\n\n" + sectionTable(101) + "\n### qwen\n\n" + other(98) +
		"\n## after\n\n### llama\n\n" + sectionTable(121) + "\n### qwen\n\n" + other(118)
	out := fixture.Read(t, page)
	for i, want := range []string{"before", "before", "after", "after"} {
		if got := out.Results[i].Label("section"); got != want {
			t.Errorf("result %d: section %q, not %q", i, got, want)
		}
	}
	for i, want := range []string{"a / x", "a / y", "b / x"} {
		page := "## a\n\n### x\n\n" + sectionTable(101) + "\n### y\n\n" + sectionTable(111) + "\n## b\n\n### x\n\n" + sectionTable(121)
		if got := fixture.Read(t, page).Results[i].Label("section"); got != want {
			t.Errorf("result %d: section %q, not %q", i, got, want)
		}
	}
}
