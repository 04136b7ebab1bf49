package site

import (
	"context"
	"html"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
)

// faultySite makes a Chinese site with as many kinds of faults as a build can have.
func faultySite(t *testing.T) string {
	dir := t.TempDir()
	folder.Write(t, dir, map[string]string{
		"site.toml": "title = \"测试\"\nlanguages = [\"zh\"]\n" +
			"[[format]]\nname = \"ours\"\nfiles = \"none-*.csv\"\ncolumns = { \"TTFT\" = { metric = \"ttft_mean\", unit = \"s\" } }\n" +
			"[[load]]\nname = \"high\"\nwhen = '{nothing=\"64\"}'\n" +
			"[[plan]]\nname = \"全部\"\n[plan.labels]\nmodel = [\"A\", \"B\"]\nmax_concurrency = [\"1\", \"4\"]\n",
		"runs/a/model=A/run.log":      lowBlock,
		"runs/a/model=A/low.log":      strings.ReplaceAll(lowBlock, "148.53", "150.53"),
		"runs/a/model=B/run.log":      strings.ReplaceAll(lowBlock, "29.14", "92.14"),
		"runs/a/run.toml":             "hardware = \"unknown-board\"\naccelerators = \"two\"\n[files.\"none.log\"]\nx = \"1\"\n",
		"runs/b/model=A/run.log":      strings.ReplaceAll(lowBlock, "4.39", "4.x9"),
		"runs/b/model=A/same.log":     strings.ReplaceAll(lowBlock, "4.39", "4.x9"),
		"runs/b/model=A/run.toml":     "tool = \"own\"\nttft_mean = 3\nquantization = [1]\n",
		"runs/c/run.toml":             "model = Qwen\n",
		"runs/c/run.log":              strings.ReplaceAll(lowBlock, "2048", "2049"),
		"runs/d/empty.log":            "",
		"runs/d/cut.json":             `{"completed": 3, "duration": `,
		"runs/d/broken.json":          `{"completed": 3 "duration": 2}`,
		"runs/d/unknown.txt":          "hello\n",
		"runs/d/binary.log":           "\x00\x01\x02",
		"runs/d/table.csv":            "model,ttft_ms,speed\nA,fast,3\nB,\"1,234\",4\n",
		"runs/d/title.log":            lowBlock[:60] + "\n",
		"runs/d/log.txt.zip":          "PK\x03\x04no",
		"runs/d/power.csv":            "timestamp, power.draw [W]\n2025/10/12 06:00:00.000, 12.00 W\n2025/10/12 06:00:01.000, 13.00 W\n",
		"runs/d/begun.log":            "Starting initial single prompt test run...\nTraffic request rate: inf\n 10%|█         | 1/10 [00:01<00:09,  1.00s/it]",
		"runs/d/metrics-after.prom":   "vllm:prompt_tokens_total{model_name=\"m\"} 5\n",
		"content/posts/fault.zh.md":   "+++\ntitle = \"故障\"\ndate = 2025-10-12\n+++\n## 表格\n\n```benchpost table\ncolumns = [\"output_throughput\", \"ttft_mean\"]\nwhere = '{campaign=\"a\"}'\n```\n\n```benchpost chart bars\nkind = \"bars\"\ntitle = \"速度\"\ncategory = \"model\"\nseries = \"campaign\"\nvalue = \"ttft_mean\"\nwhere = '{campaign=\"none\"}'\n```\n\n吞吐量为 `= output_throughput{model=\"none\"}`，即 123456.7 tok/s。[坏链接](nothing.png)\n",
		"content/posts/sound.zh.md":   "+++\ntitle = \"存疑\"\ndate = 2025-10-12\n+++\n```benchpost chart speed\nkind = \"dots\"\ntitle = \"速度\"\nvalue = \"ttft_mean\"\nwhere = '{model=\"B\"}'\n```\n\n```benchpost findings\nwhere = '{model=\"B\"}'\n```\n\n```benchpost table\nwhere = '{model=\"B\"}'\ncolumns = [\"output_throughput\", \"ttft_p99\"]\n```\n",
		"content/posts/notes/a.md":    "text\n",
		"content/posts/deep.en.md":    "no front matter\n",
		"content/drafts/elsewhere.md": "text\n",
	})
	os.Remove(filepath.Join(dir, "content", "posts", "deep.en.md"))
	need.Granted(t, os.Symlink("nowhere", filepath.Join(dir, "runs", "link")))
	return dir
}

var (
	hidden    = regexp.MustCompile(`(?s)<(script|style|pre|code|kbd|samp|cite)\b.*?</(script|style|pre|code|kbd|samp|cite)>|<a href="https?://[^>]*>.*?</a>`) // quotations, and titles of works by others
	attribute = regexp.MustCompile(`\b(?:title|alt|aria-label|content|placeholder)="([^"]*)"`)
	tag       = regexp.MustCompile(`<[^>]*>`)
	run       = regexp.MustCompile(`[A-Za-z][A-Za-z'’-]*(?:[ ,;:]+[A-Za-z][A-Za-z'’-]*){2,}`)
	functions = strings.Fields("the is are was were of not no to in and or with for that which from be as on by its this these at than has have cannot")
)

// english returns the sequences of words in a file that are an English sentence or a part of one.
func english(name string, data []byte) []string {
	text := string(data)
	if path.Ext(name) == ".html" {
		text = hidden.ReplaceAllString(text, " ¶ ")
		text = tag.ReplaceAllStringFunc(text, func(s string) string {
			said := " ¶ "
			for _, m := range attribute.FindAllStringSubmatch(s, -1) {
				said += m[1] + " ¶ "
			}
			return said
		})
		text = html.UnescapeString(text)
	}
	var found []string
	for _, words := range run.FindAllString(text, -1) {
		if slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return strings.ContainsRune(" ,;:", r) }), func(w string) bool { return slices.Contains(functions, w) }) {
			found = append(found, words)
		}
	}
	return found
}

// TestChinesePagesSpeakChinese checks that Chinese pages contain no English sentence, whatever is wrong with the site:
// neither on pages, nor in the data of charts, nor in feeds.
func TestChinesePagesSpeakChinese(t *testing.T) {
	t.Parallel()
	dir := faultySite(t)
	_, ms, err := Build(context.Background(), Options{Dir: dir})
	ids := map[string]bool{}
	zh, _ := locale.For("zh")
	for _, m := range ms {
		ids[m.ID] = true
		for _, text := range []locale.Text{m.Text, m.Hint} {
			if found := english("", []byte(zh.Say(text))); len(found) > 0 {
				t.Errorf("%s: %q", m.ID, zh.Say(text))
			}
		}
	}
	if len(ids) < 12 || !ids["report.no-data"] {
		t.Fatalf("%d kinds of messages, %v: %v", len(ids), err, ids)
	}
	seen := map[string]int{} // by extension
	for name, data := range files(t, filepath.Join(dir, "public")) {
		tree, name, _ := strings.Cut(name, "/")
		ext := path.Ext(name)
		if tree != "site" && ext != ".csv" {
			continue // of the blog, only the figures
		}
		if ext != ".html" && ext != ".csv" && ext != ".xml" || strings.HasPrefix(name, "data/") || name == "404.html" {
			continue // data for programs is in English
		}
		seen[ext]++
		if found := english(name, data); len(found) > 0 {
			t.Errorf("%s: %q", name, found)
		}
	}
	if seen[".html"] < 20 || seen[".csv"] == 0 || seen[".xml"] == 0 {
		t.Fatalf("%v files: %v, %v", seen, err, ms)
	}
}

// TestEnglishIsFound checks that english finds English text, but not names.
func TestEnglishIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"<p>the runs have no such label</p>": true, `<a title="not in the file">x</a>`: true,
		"<p>结果 vLLM serve Qwen3-8B</p>": false, "<code>the runs have no</code>": false,
	} {
		if got := len(english("a.html", []byte(text))) > 0; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
