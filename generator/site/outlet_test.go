package site

import (
	"bytes"
	"errors"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// sample lists the posts of the sample site.
var sample = []string{"qwen3-8b-quantization", "power-and-scenarios", "qwen3-30b-32b"}

// exportTo exports posts of a site and returns the files in the target folder.
func exportTo(t *testing.T, dir string, to Target, names ...string) map[string][]byte {
	t.Helper()
	done, ms, err := ExportPosts(t.Context(), Options{Dir: dir, Drafts: true}, names, to)
	if err != nil || len(done.Posts) == 0 {
		t.Fatal(err, ms)
	}
	return folder.Read(t, to.Dir)
}

var (
	markup     = regexp.MustCompile(`(?s)<[^>]*>`)
	number     = regexp.MustCompile(`\d[\d.,]*\d|\d`)
	anchors    = regexp.MustCompile(`(?s)<a class="anchor".*?</a>|<svg.*?</svg>|<style.*?</style>|<script.*?</script>|<template.*?</template>|<button.*?</button>`)
	bodyOfPost = regexp.MustCompile(`(?s)<article[^>]*>(.*)</article>`)
	anyHTML    = regexp.MustCompile(`<[a-zA-Z/!]`)
	codeOf     = regexp.MustCompile("(?s)\n```.*?\n```\n|`[^`\n]+`")
)

// TestMarkdownAloneLosesNothing renders exported Markdown with a GFM renderer that drops HTML. The result has every
// number that the post's page shows, and every chart, table and note; the Markdown contains no HTML of its own.
func TestMarkdownAloneLosesNothing(t *testing.T) {
	t.Parallel()
	files := exportTo(t, root, Target{For: "markdown", Dir: filepath.Join(t.TempDir(), "md")}, sample...)
	pages := folder.Read(t, filepath.Join(buildSample(t), "site"))
	for _, name := range sample {
		for lang, at := range map[string]string{"zh": "", "en": "en/"} {
			file := name + "." + lang + ".md"
			text := string(files[file])
			if outside := codeOf.ReplaceAllString(text, ""); anyHTML.MatchString(outside) {
				t.Errorf("%s has HTML: %q", file, anyHTML.FindString(outside))
			}
			var got bytes.Buffer
			if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(files[file], &got); err != nil {
				t.Fatal(err)
			}
			page := string(pages[at+"posts/"+name+"/index.html"])
			want := anchors.ReplaceAllString(bodyOfPost.FindString(page), "")
			for _, what := range []string{"<table", "<pre", "<h2"} {
				if n, m := strings.Count(want, what), strings.Count(got.String(), what); n > m || n == 0 {
					t.Errorf("%s: %d %s> on the page, %d here", file, n, what, m)
				}
			}
			for _, chart := range regexp.MustCompile(`data-chart="([^"]+)"`).FindAllStringSubmatch(page, -1) {
				if !strings.Contains(got.String(), chart[1]+`.png" alt="`) {
					t.Errorf("%s lacks the chart %s", file, chart[1])
				}
			}
			have := map[string]int{}
			for _, n := range number.FindAllString(plainText(got.String()), -1) {
				have[n]++
			}
			missing := 0
			for _, n := range number.FindAllString(plainText(tablesOf(want)), -1) {
				if have[n]--; have[n] < 0 {
					missing++
					t.Errorf("%s: the number %s of a table is missing", file, n)
				}
			}
			for _, m := range regexp.MustCompile(`(?:src|href)="([^":#]+)"`).FindAllStringSubmatch(got.String(), -1) {
				if files[m[1]] == nil {
					t.Errorf("%s leads to %s, which is not there", file, m[1])
				}
			}
		}
	}
}

func plainText(page string) string { return html.UnescapeString(markup.ReplaceAllString(page, " ")) }

// tablesOf returns the cells of all tables of a page.
func tablesOf(page string) string {
	return strings.Join(regexp.MustCompile(`(?s)<t[dh][ >].*?</t[dh]>`).FindAllString(page, -1), " ")
}

// TestAnExportIsTheSameAndHarmsNothing checks that an export gives the same files each time and everywhere. Other posts
// exported before stay, files of this post that are no longer made are removed, and files that somebody else wrote or
// edited are never replaced.
func TestAnExportIsTheSameAndHarmsNothing(t *testing.T) {
	t.Parallel()
	site := smallSite(t)
	names := []string{"narrow", "all"}
	for _, target := range ExportTargets {
		dir := filepath.Join(t.TempDir(), "a")
		to := Target{For: target, Dir: dir}
		exportTo(t, site, to, "all")
		first := exportTo(t, site, to, "narrow.en")
		kept := 0
		for name := range first {
			if strings.Contains(name, "all") {
				kept++
			}
		}
		if kept < 2 {
			t.Errorf("%s: the other post is gone: %d files", target, kept)
		}
		all := exportTo(t, site, to, names...)
		same(t, all, exportTo(t, site, Target{For: target, Dir: filepath.Join(t.TempDir(), "b")}, names...), target+": exported one after the other, and at once")
		same(t, exportTo(t, site, to, names...), all, target+": exported twice")
		one := slices.Collect(func(yield func(string) bool) {
			for name := range all {
				if path.Ext(name) == ".md" && !yield(name) {
					return
				}
			}
		})[0]
		at := filepath.Join(dir, filepath.FromSlash(one))
		if err := os.WriteFile(at, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		before := folder.Read(t, dir)
		edit := func(name, with string) {
			t.Helper()
			data, err := os.ReadFile(filepath.Join(site, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(site, name), []byte(strings.ReplaceAll(string(data), "title = \"", "title = \""+with)), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range []string{"narrow", "all"} { // otherwise the edited file is kept
			edit("content/posts/"+name+".en.md", "new ")
			edit("content/posts/"+name+".zh-CN.md", "new ")
		}
		for _, list := range []bool{true, false} { // edited; and unknown to benchpost
			if !list {
				for _, name := range []string{".benchpost-files", ".benchpost-sums"} {
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
					delete(before, name)
				}
			}
			_, _, err := ExportPosts(t.Context(), Options{Dir: site}, names, to)
			var foreign *publish.ForeignError
			if !errors.As(err, &foreign) || foreign.Edited != list {
				t.Errorf("%s: %v", target, err)
			}
			same(t, folder.Read(t, dir), before, target+": what is there after a refusal")
		}
	}
	for _, folder := range []string{"content", "runs/x", "public"} {
		dir := filepath.Join(site, folder)
		var no *sitefile.Refusal
		if _, _, err := ExportPosts(t.Context(), Options{Dir: site}, names, Target{For: "hugo", Dir: dir}); !errors.As(err, &no) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// TestWhatAnExportSays checks that everything an author may write is exported: an old name, a formula, footnotes beside
// the notes of a table, links to a post, to a file and to nowhere, and HTML. A slug alone means all languages.
func TestWhatAnExportSays(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	folder.Write(t, dir, map[string]string{
		"content/posts/a.en.md": "+++\ntitle = \"A *b*\"\ndate = 2026-01-15T10:00:00Z\naliases = [\"old\"]\nslug = \"a-b\"\ntags = [\"x\"]\nredirect_from = \"/r\"\nweight = 3\n+++\n\n" +
			"Text[^n] $x_1$ --flag <b>bold</b> {{< ref >}} [b](b.en.md#s) [all](all.en.md) [log](../../runs/one/model=a/run-0.log) [none](/about)\n\n<!--more-->\n\n$$\ny\n$$\n\n" +
			"<div class=\"x\">inside <em>it</em></div>\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"output_throughput\"]\n```\n\n```go\n{{< x >}} <!--more-->\n```\n\n[^n]: The note.\n",
		"content/posts/a.zh.md": "+++\ntitle = \"甲\"\ndate = 2026-01-15\n+++\n\n中文\n",
		"content/posts/b.en.md": "+++\ntitle = \"B\"\ndate = 2026-01-15\ndraft = true\n+++\n\n## S\n",
	})
	export := func(to Target, names ...string) map[string][]byte {
		to.Dir = filepath.Join(t.TempDir(), "out")
		return exportTo(t, dir, to, names...)
	}
	holds := func(files map[string][]byte, name string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(string(files[name]), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, files[name])
			}
		}
	}
	hugo := export(Target{For: "hugo"}, "a", "b")
	holds(hugo, "content/posts/a/index.en.md", "title: \"A *b*\"\n", "date: \"2026-01-15T10:00:00Z\"\n", "slug: a-b\n", "aliases: [old]\n", "tags: [x]\n", "weight: 3\n", "math: true\n",
		`Text[^n] \(x_1\) \--flag **bold** &#123;{< ref >}} [b]({{< relref path="/posts/b" lang="en" >}}#s)`, " all [log](run-0.en.log) [none](/about)", "\n<!--more-->\n", "\n$$\ny\n$$\n", "\ninside *it*\n",
		"```go\n{{< param \"benchpost.open\" >}}< x >}} {{< param \"benchpost.comment\" >}}more-->\n```", "\n[^n]: The note.\n", "benchpost:\n  open: \"\\u007b{\"\n")
	if front := string(hugo["content/posts/a/index.en.md"]); strings.Contains(front, "redirect_from") || hugo["content/posts/a/run-0.en.log"] == nil || hugo["content/posts/a/index.zh.md"] == nil {
		t.Errorf("the bundle is not whole:\n%s", front)
	}
	holds(hugo, "content/posts/b/index.en.md", "draft: true\n")
	plain := export(Target{For: "markdown", Language: "en"}, "a", "b")
	holds(plain, "a.en.md", `# A \*b\*`, "Text\\[1\\] $x_1$ --flag **bold** {{< ref >}} [b](b.en.md#s) all [log](a.en/run-0.log) none", "\n$$\ny\n$$\n", "\ninside *it*\n", "```go\n{{< x >}} <!--more-->\n```", "**Notes**\n\n\\[1\\] The note.\n")
	if plain["a.zh.md"] != nil || plain["a.en/run-0.log"] == nil {
		t.Error("the languages and files are others")
	}
	data := export(Target{For: "markdown", Inline: true}, "narrow.en")
	holds(data, "narrow.en.md", "](data:image/png;base64,iVBOR")
	for name := range data {
		if name != "narrow.en.md" && !strings.HasPrefix(name, ".benchpost-") {
			t.Errorf("%s beside a text with its pictures in it", name)
		}
	}
	var unknown *UnknownPostError
	if _, _, err := ExportPosts(t.Context(), Options{Dir: dir}, []string{"narow"}, Target{For: "hugo", Dir: t.TempDir()}); !errors.As(err, &unknown) || !strings.HasPrefix(unknown.Near, "narrow") {
		t.Errorf("%v, near %q", err, unknown.Near)
	}
}

// TestHugoBuildsThePosts builds the sample with Hugo in both languages, below a path. Every address on every page
// exists, and no HTML was omitted.
func TestHugoBuildsThePosts(t *testing.T) {
	need.Thorough(t, "it runs Hugo")
	hugo := need.Command(t, "hugo")
	dir := t.TempDir()
	blog, out := filepath.Join(dir, "blog"), filepath.Join(dir, "out")
	exportTo(t, root, Target{For: "hugo", Dir: blog}, sample...)
	const page = "<!DOCTYPE html><html><head><title>{{ .Title }}</title>{{ with .Resources.GetMatch \"cover\" }}<meta property=\"og:image\" content=\"{{ .RelPermalink }}\">{{ end }}</head><body>{{ .Content }}</body></html>\n"
	folder.Write(t, blog, map[string]string{
		"hugo.toml":                    "baseURL = \"https://example.org/blog/\"\ntitle = \"T\"\ndefaultContentLanguage = \"en\"\n[languages.en]\nweight = 1\n[languages.zh]\nweight = 2\n",
		"layouts/_default/single.html": page,
		"layouts/_default/list.html":   "<!DOCTYPE html><html><head><title>{{ .Title }}</title></head><body>{{ range .Pages }}<a href=\"{{ .RelPermalink }}\">{{ .Title }}</a>{{ .Summary }}{{ end }}</body></html>\n",
	})
	cmd := exec.Command(hugo, "--source", blog, "--destination", out)
	cmd.Env = append(os.Environ(), "HUGO_CACHEDIR="+filepath.Join(dir, "cache"))
	if log, err := cmd.CombinedOutput(); err != nil || regexp.MustCompile(`(?m)^(WARN|ERROR)`).Match(log) {
		t.Fatalf("%v\n%s", err, log)
	}
	pages := folder.Read(t, out)
	found := map[string]int{}
	for name, data := range pages {
		if path.Ext(name) != ".html" {
			continue
		}
		if bytes.Contains(data, []byte("raw HTML omitted")) || bytes.Contains(data, []byte("HAHAHUGO")) {
			t.Errorf("%s lost something", name)
		}
		for _, m := range regexp.MustCompile(`(?:src|href|property="og:image" content)="([^"]+)"`).FindAllStringSubmatch(string(data), -1) {
			address := strings.TrimPrefix(html.UnescapeString(m[1]), "https://example.org")
			address, _, _ = strings.Cut(address, "#")
			address, err := url.PathUnescape(address)
			if address == "" || strings.Contains(address, ":") {
				continue
			}
			file, below := strings.CutPrefix(address, "/blog/")
			if !strings.HasPrefix(address, "/") {
				file, below = path.Join(path.Dir(name), address), true
			}
			if err != nil || !below || pages[file] == nil && pages[path.Join(file, "index.html")] == nil {
				t.Errorf("%s: %s leads to nothing", name, m[1])
			}
			found[path.Ext(file)]++
		}
	}
	if found[".png"] < 25 || found[".csv"] < 20 {
		t.Errorf("addresses by kind: %v", found)
	}
}

// TestNotesAndFootnotesShareNoNumber checks that a number is either a note of a table or a footnote of the author,
// never both: on the page, in a Jekyll blog and in Hugo, in both languages. No two places have the same id.
func TestNotesAndFootnotesShareNoNumber(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	const body = "A[^x] b[^y] c[^x].\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"output_throughput\"]\nnotes = [\"first\", \"second\"]\n```\n\n[^x]: X.\n[^y]: Y.\n\n```benchpost matrix\nrows = \"model\"\ncolumns = \"load\"\nvalue = \"output_throughput\"\nnotes = [\"third\"]\n```\n"
	for _, lang := range []string{"zh", "en"} {
		folder.Write(t, dir, map[string]string{"content/posts/n." + lang + ".md": "+++\ntitle = \"N\"\ndate = 2026-01-15\n+++\n\n" + body})
	}
	if summary, ms, err := Open(Options{Dir: dir}).Build(t.Context()); err != nil || summary.Broken {
		t.Fatal(err, ms)
	}
	public := folder.Read(t, filepath.Join(dir, "public"))
	marks := func(text, pattern string) map[string]bool {
		found := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			for mark := range strings.SplitSeq(m[1], ",") {
				found[strings.TrimSpace(mark)] = true
			}
		}
		return found
	}
	apart := func(what string, notes, footnotes map[string]bool) {
		t.Helper()
		if len(notes) < 2 || len(footnotes) != 2 {
			t.Errorf("%s: notes %v, footnotes %v", what, notes, footnotes)
		}
		for mark := range notes {
			if footnotes[mark] {
				t.Errorf("%s: %s is a note of a table and one of the author's", what, mark)
			}
		}
	}
	for lang, at := range map[string]string{"zh": "", "en": "en/"} {
		page := string(public["site/"+at+"posts/n/index.html"])
		apart("site "+lang, marks(page, `<sup><span[^>]*>([^<]*)</span>`), marks(page, `role="doc-noteref">([^<]*)<`))
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("site %s: two places are called %s", lang, m[1])
			}
			ids[m[1]] = true
		}
		blog := ""
		for name, data := range public {
			if strings.HasPrefix(name, "jekyll/_posts/") && strings.Contains(name, "-n") && strings.Contains(name, "-n-en") == (lang == "en") && !strings.Contains(name, "narrow") {
				blog = string(data)
			}
		}
		numbers := map[string]bool{"1": true, "2": true} // assigned by kramdown and goldmark
		apart("jekyll "+lang, marks(blog, `<sup>([^<]*)</sup>`), numbers)
		hugo := string(exportTo(t, dir, Target{For: "hugo", Dir: filepath.Join(t.TempDir(), "hugo")}, "n")["content/posts/n/index."+lang+".md"])
		raised := map[string]bool{}
		for mark := range marks(hugo, `(\\?\*?[¹²³⁴-⁹]+)`) {
			raised[strings.Map(func(r rune) rune {
				if i := strings.IndexRune("¹²³", r); i >= 0 {
					return rune('1' + i/2)
				}
				return r
			}, mark)] = true
		}
		apart("hugo "+lang, raised, numbers)
		for _, text := range []string{blog, hugo} {
			if !strings.Contains(text, "A[^x] b[^y] c[^x].") || strings.Count(text, "\n[^x]: X.\n") != 1 {
				t.Errorf("the footnotes are not the author's in\n%s", text)
			}
		}
	}
}
