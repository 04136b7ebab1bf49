package site

import (
	"bytes"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/need"
)

// theirs matches addresses of what benchpost publishes, as themes write them.
var theirs = regexp.MustCompile(`(?:src|srcset|href)="([^"]*(?:assets/benchpost|\d{4}/\d{2}/\d{2}|posts/)[^"]*)"`)

// blogPage returns the page of a post in a built blog.
func blogPage(pages map[string][]byte, name string) string {
	for page := range pages {
		if strings.Contains(page, name) && strings.HasSuffix(page, ".html") && !strings.Contains(page, "tags/") && !strings.Contains(page, "assets/") {
			return page
		}
	}
	return ""
}

// fitsNarrow opens the posts of a blog in windows as narrow as a phone and as a theme's column. Nothing makes the page
// wider than the window, every table fits or scrolls, no word is broken into single letters, and no id occurs twice.
func fitsNarrow(t *testing.T, out string, pages map[string][]byte) {
	server := httptest.NewServer(http.StripPrefix("/blog", http.FileServer(http.Dir(out))))
	defer server.Close()
	tab := browser.Open(t)
	posts := []string{blogPage(pages, "qwen3-8b-quantization-en"), blogPage(pages, "qwen3-8b-quantization/"), blogPage(pages, "qwen3-8b-quantization.html")}
	if posts = slices.DeleteFunc(posts, func(at string) bool { return at == "" }); len(posts) != 2 {
		t.Fatalf("the post in two languages is at %q", posts)
	}
	for _, width := range []int64{375, 740} {
		tab.Do(chromedp.EmulateViewport(width, 900))
		for _, at := range posts {
			tab.Do(chromedp.Navigate(server.URL + "/blog/" + strings.TrimSuffix(at, "index.html")))
			for what, check := range map[string]string{
				"wider than the window": `document.documentElement.scrollWidth <= innerWidth ? "" : [...document.querySelectorAll("main *:not(code), article *:not(code)")].filter(e => e.getBoundingClientRect().right > innerWidth && ![...function*(p) { while (p = p.parentElement) yield p }(e)].some(p => getComputedStyle(p).overflowX != "visible")).map(e => e.outerHTML.slice(0, 120)).slice(0, 3).join("\n")`,
				"a table that is cut":   `[...document.querySelectorAll("table")].filter(e => ![e, ...function*(p) { while (p = p.parentElement) yield p }(e)].some(p => /auto|scroll/.test(getComputedStyle(p).overflowX)) && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 200)).join("\n")`,
				"a word set downwards": `[...document.querySelectorAll("th, td")].filter(e => {
					if (!/^\p{Script=Han}{2,6}$/u.test(e.textContent.trim())) return false;
					const text = document.createRange(); text.selectNodeContents(e);
					return new Set([...text.getClientRects()].map(r => Math.round(r.top))).size > 1;
				}).map(e => e.outerHTML).slice(0, 5).join("\n")`,
				"a name twice": `[...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => /^(fn|fnref|section|block)/.test(id) && all.indexOf(id) != i).join(" ")`,
			} {
				if found := browser.Eval[string](tab, check); found != "" {
					t.Errorf("%s at %d px: %s: %s", at, width, what, found)
				}
			}
			if n := browser.Eval[int](tab, `document.querySelectorAll("table").length`); n < 3 {
				t.Errorf("%s: %d tables", at, n)
			}
		}
	}
}

// TestThemes builds the sample's posts in the themes of blogs, below a baseurl. Every picture, data table and link to
// another post exists at the address that the page has.
func TestThemes(t *testing.T) {
	need.Thorough(t, "it runs Jekyll")
	jekyll := need.Command(t, "jekyll")
	chirpy := filepath.Join(root, ".ci", "node_modules", "jekyll-theme-chirpy")
	need.Path(t, chirpy)
	for _, theme := range config.Themes {
		setUp := map[string]func(blog string){
			"minima": func(blog string) {
				folder.Write(t, blog, map[string]string{"_config.yml": "title: T\ntheme: minima\nbaseurl: /blog\nurl: https://example.org\nplugins: [jekyll-seo-tag, jekyll-redirect-from]\n"})
			},
			"chirpy": func(blog string) {
				if err := os.CopyFS(blog, os.DirFS(chirpy)); err != nil {
					t.Fatal(err)
				}
				// The package is the site of the theme. The test removes its posts and uses it as the theme.
				for _, name := range []string{"_posts", "_plugins", "_data/locales/tr-TR.yml"} { // Psych 4 takes a value in it for a symbol
					if err := os.RemoveAll(filepath.Join(blog, name)); err != nil {
						t.Fatal(err)
					}
				}
				edit := func(name string, pairs ...string) {
					data, err := os.ReadFile(filepath.Join(blog, name))
					if err != nil {
						t.Fatal(err)
					}
					text := string(data)
					for i := 0; i < len(pairs); i += 2 {
						text = regexp.MustCompile("(?m)^"+pairs[i]+".*$").ReplaceAllLiteralString(text, pairs[i+1])
					}
					folder.Write(t, blog, map[string]string{name: text})
				}
				edit("_config.yml", "theme:", "plugins: [jekyll-paginate, jekyll-redirect-from, jekyll-seo-tag, jekyll-archives, jekyll-sitemap]", "baseurl:", "baseurl: /blog", "url:", "url: https://example.org")
				edit("assets/css/style.scss", "@import", `@import "jekyll-theme-chirpy";`)
			},
		}[theme.Name]
		if setUp == nil {
			continue // not available as a package
		}
		t.Run(theme.Name, func(t *testing.T) {
			dir := t.TempDir()
			sample := filepath.Join(dir, "bench")
			for _, name := range []string{"content", "runs", "layouts", "docs"} {
				if err := os.CopyFS(filepath.Join(sample, name), os.DirFS(filepath.Join(root, name))); err != nil {
					t.Fatal(err)
				}
			}
			toml, err := os.ReadFile(filepath.Join(root, config.Name))
			if err != nil {
				t.Fatal(err)
			}
			text := regexp.MustCompile(`(?m)^layout = .*\n`).ReplaceAllString(string(toml), "")
			folder.Write(t, sample, map[string]string{config.Name: strings.Replace(text, "[jekyll]\n", "[jekyll]\ndir = \"../blog\"\ntheme = \""+theme.Name+"\"\n", 1)})
			// One post was renamed, and has a formula and a footnote.
			const renamed = "content/posts/power-and-scenarios.en.md"
			source, err := os.ReadFile(filepath.Join(sample, renamed))
			if err != nil {
				t.Fatal(err)
			}
			folder.Write(t, sample, map[string]string{renamed: strings.Replace(string(source), "title = ", "aliases = [\"old-name\"]\ntitle = ", 1) + "\nHere[^x] $E_1 = P \\cdot t$ costs $5.\n\n[^x]: A note of the author's.\n"})
			blog, out := filepath.Join(dir, "blog"), filepath.Join(dir, "out")
			setUp(blog)
			if s, ms, err := Open(Options{Dir: sample, Out: filepath.Join(sample, "public")}).Build(t.Context()); err != nil || s.Broken {
				t.Fatal(err, ms)
			}
			cmd := exec.Command(jekyll, "build", "--strict_front_matter", "--disable-disk-cache", "--source", blog, "--destination", out)
			cmd.Env = append(os.Environ(), "LANG=C.UTF-8", "JEKYLL_NO_BUNDLER_REQUIRE=true")
			if log, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			found := map[string]int{}
			pages := files(t, out)
			moved := ""
			for name, data := range pages {
				if strings.Contains(name, "old-name") && bytes.Contains(data, []byte("http-equiv=\"refresh\"")) {
					moved = name
				}
				if strings.Contains(name, "power-and-scenarios-en") && strings.HasSuffix(name, ".html") && !bytes.Contains(data, []byte(`\(E_1 = P \cdot t\) costs <span>$</span>5.`)) {
					t.Errorf("%s lacks the formula", name)
				}
			}
			if moved == "" || path.Dir(moved) != path.Dir(blogPage(pages, "power-and-scenarios-en")) && path.Dir(path.Dir(moved)) != path.Dir(path.Dir(blogPage(pages, "power-and-scenarios-en"))) {
				t.Errorf("the old name is at %q", moved)
			}
			fitsNarrow(t, out, pages)
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				if filepath.Ext(name) != ".html" {
					continue
				}
				for _, m := range theirs.FindAllSubmatch(pages[name], -1) {
					address := strings.TrimPrefix(html.UnescapeString(string(m[1])), "https://example.org")
					address, _, _ = strings.Cut(address, "#")
					plain, err := url.PathUnescape(strings.TrimSuffix(address, "/"))
					file, below := strings.CutPrefix(plain, "/blog/")
					_, isFile := pages[file]
					_, isPage := pages[file+"/index.html"]
					if err != nil || !below || !isFile && !isPage && pages[file+".html"] == nil {
						t.Errorf("%s: %s leads to nothing", name, m[1])
					}
					found[filepath.Ext(file)]++
				}
			}
			if found[".png"] < 20 || found[".csv"] < 10 {
				t.Errorf("links by kind: %v", found)
			}
		})
	}
}
