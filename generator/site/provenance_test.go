package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/held"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/need"
)

func mustBuildTest(t *testing.T, dir string) {
	t.Helper()
	if s, ms, err := Build(context.Background(), Options{Dir: dir}); err != nil || s.Broken {
		t.Fatal(ms, err)
	}
}

func readFile(t *testing.T, elements ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestProvenanceIsConfirmedByCoreutils checks a post's statements about its data with coreutils: in the page, in the
// post for a blog, and in the single file.
func TestProvenanceIsConfirmedByCoreutils(t *testing.T) {
	t.Parallel()
	sha256sum, sh := need.Command(t, "sha256sum"), need.Command(t, "sh")
	dir := smallSite(t)
	mustBuildTest(t, dir)
	sums := filepath.Join(dir, "public/site/en/posts/narrow/sha256sums.txt")
	check := exec.Command(sha256sum, "--check", "--strict", "--quiet", sums)
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	// All runs of campaign one: an inline value, a bar for each model with three repeats, and raw output.
	again := exec.Command(sh, "-c", "sha256sum runs/one/*/*.log | LC_ALL=C sort -k 2 | sha256sum")
	again.Dir = dir
	out, err := again.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := string(out[:64])
	single, _, err := BuildSingle(context.Background(), Options{Dir: dir}, "narrow.en")
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"page": readFile(t, dir, "public/site/en/posts/narrow/index.html"), "post": readFile(t, dir, "public/jekyll/_posts/2026-01-01-narrow-en.md"),
		"Chinese page": readFile(t, dir, "public/site/posts/narrow/index.html"), "one file": string(single.Data),
	} {
		if n := strings.Count(text, `title="sha256:`+want+`"`); n != 1 {
			t.Errorf("%s shows the revision %d times", what, n)
		}
		if !strings.Contains(text, want[:12]) || !strings.Contains(text, "misc") {
			t.Errorf("%s lacks how to cite it", what)
		}
	}
	if got := readFile(t, dir, "public/jekyll/assets/benchpost/2026-01-01-narrow-en/sha256sums.txt"); got != readFile(t, sums) {
		t.Errorf("the blog has other sums: %s", got)
	}
}

func TestAPostMayBeWithoutProvenance(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	name := filepath.Join(dir, "content/posts/narrow.en.md")
	writeFile(t, name, strings.Replace(readFile(t, name), "+++\n", "+++\nprovenance = false\n", 1))
	mustBuildTest(t, dir)
	for _, file := range []string{"public/site/en/posts/narrow/index.html", "public/jekyll/_posts/2026-01-01-narrow-en.md"} {
		if text := readFile(t, dir, file); strings.Contains(text, "sha256:") || strings.Contains(text, "@misc") || strings.Contains(text, "provenance:") {
			t.Errorf("%s has a provenance", file)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "public/site/en/posts/narrow/sha256sums.txt")); err == nil {
		t.Error("there are sums")
	}
}

// shown returns the checksums in the table of a run's files, by name, and the links of the names.
func shown(t *testing.T, dir, page string) (sums, links map[string]string) {
	t.Helper()
	sums, links = map[string]string{}, map[string]string{}
	text := readFile(t, dir, "public/site", page)
	for _, m := range regexp.MustCompile(`<tr><th scope="row">(?:<a href="([^"]*)"[^>]*>)?([^<]*)(?:</a>)?</th>.*<td class="code">([0-9a-f]{64})</td>`).FindAllStringSubmatch(text, -1) {
		sums[m[2]], links[m[2]] = m[3], m[1]
	}
	return sums, links
}

const lscpu = "Architecture:        x86_64\nOn-line CPU(s) list: 0-7\nThread(s) per core:  2\nCPU(s):              8\nModel name:          AMD EPYC 9354 32-Core Processor\n"

// TestFilesOfARunAreThereWithTheirSums checks that each file that a run was read from is available on its page, with
// the same bytes and checksum as on disk.
func TestFilesOfARunAreThereWithTheirSums(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	at := filepath.Join(dir, "runs/hard")
	writeFile(t, filepath.Join(at, "plain & <b>'x.html"), invent.Block(601))
	writeFile(t, filepath.Join(at, "lscpu.txt"), lscpu)
	z, _ := zstd.NewWriter(nil)
	writeFile(t, filepath.Join(at, "packed.log.zst"), string(z.EncodeAll([]byte(invent.Block(602)), nil)))
	writeFile(t, filepath.Join(at, "hidden.html"), string(z.EncodeAll([]byte(invent.Block(603)), nil)))
	large := invent.Block(604) + strings.Repeat("a line of a server that talks much\n", 200_000)
	writeFile(t, filepath.Join(at, "large.log"), large)
	writeFile(t, filepath.Join(at, "small.log.zst"), string(z.EncodeAll([]byte(invent.Block(605)+strings.Repeat("\na line of a server that talks much", 150_000)), nil)))
	models := ""
	for i, file := range []string{"plain*", "packed*", "hidden*", "large*", "small*"} {
		models += fmt.Sprintf("[files.%q]\nmodel = \"m%d\"\n", file, i)
	}
	writeFile(t, filepath.Join(at, "run.toml"), models)
	text := readFile(t, dir, config.Name)
	writeFile(t, filepath.Join(dir, config.Name), text+"[cite]\nfiles = \"https://example.org/raw/HEAD\"\n")
	mustBuildTest(t, dir)
	{
		want := []string{"runs/hard/plain &amp; &lt;b&gt;&#39;x.html", "runs/hard/lscpu.txt"}
		matches, _ := filepath.Glob(filepath.Join(dir, "public/site/runs/hard/plain*.html"))
		if len(matches) != 1 {
			t.Fatal(matches)
		}
		page, _ := filepath.Rel(filepath.Join(dir, "public/site"), matches[0])
		sums, _ := shown(t, dir, page)
		for _, name := range want {
			if sums[name] == "" {
				t.Errorf("%s: %s is not there: %v", page, name, sums)
			}
		}
	}
	pages, _ := filepath.Glob(filepath.Join(dir, "public/site/runs/hard/*.html"))
	if len(pages) != 5 { // one for each run
		t.Fatal(pages)
	}
	compared := 0
	for _, page := range pages {
		rel, _ := filepath.Rel(filepath.Join(dir, "public/site"), page)
		sums, links := shown(t, dir, rel)
		for name, sum := range sums {
			link := links[name]
			if name == "runs/hard/large.log" {
				if link != "https://example.org/raw/HEAD/runs/hard/large.log" {
					t.Errorf("what is too large leads to %q", link)
				}
				continue
			}
			if link == "#raw" {
				base, text, _ := held.File([]byte(readFile(t, dir, "public/site", rel)))
				if got := sha256.Sum256([]byte(text)); hex.EncodeToString(got[:]) != sum || html.UnescapeString(name) != "runs/hard/"+base {
					t.Errorf("%s saves %s, which is not what the sum is of", rel, base)
				}
				compared++
				continue
			}
			file := strings.NewReplacer("%20", " ", "%3C", "<", "%3E", ">", "&amp;", "&", "&#39;", "'", "%27", "'").Replace(link)
			data := readFile(t, filepath.Dir(page), file)
			if got := sha256.Sum256([]byte(data)); hex.EncodeToString(got[:]) != sum {
				t.Errorf("%s: %s is not what %s contains", rel, sum, file)
			}
			if ext := filepath.Ext(file); ext != ".txt" && ext != ".zst" {
				t.Errorf("%s is published as %s: a browser may take it for a page", name, file)
			}
			compared++
		}
	}
	if compared < 9 {
		t.Errorf("only %d files were compared", compared)
	}
}

// TestAddressesOutlast checks that the id and the address of a run do not change with other runs.
func TestAddressesOutlast(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	mustBuildTest(t, dir)
	page := "public/site/runs/one/model=a/run-0.html"
	before, english := readFile(t, dir, page), filepath.Join(dir, "public/site/en/runs/one/model=a/run-0.html")
	if !strings.Contains(before, "one/model=a/run-0") {
		t.Fatal("no such run")
	}
	if _, err := os.Stat(english); err != nil {
		t.Fatal(err)
	}
	// Unrelated runs, one with a similar name, and a compressed file.
	writeFile(t, filepath.Join(dir, "runs/other/run-0.log"), invent.Block(70))
	writeFile(t, filepath.Join(dir, "runs/one/model=a-more/run-0.log"), invent.Block(71))
	raw := filepath.Join(dir, "runs/one/model=a/run-0.log")
	z, _ := zstd.NewWriter(nil)
	writeFile(t, raw+".zst", string(z.EncodeAll([]byte(readFile(t, raw)), nil)))
	os.Remove(raw)
	mustBuildTest(t, dir)
	if after := readFile(t, dir, page); !strings.Contains(after, "run-0.log.zst") {
		t.Error("the page is not of the compressed file")
	}
	// With another language first, the path is the same in that language's folder.
	text := readFile(t, dir, config.Name)
	writeFile(t, filepath.Join(dir, config.Name), "languages = [\"en\", \"zh-CN\"]\n"+text)
	mustBuildTest(t, dir)
	for _, file := range []string{page, "public/site/zh-CN/runs/one/model=a/run-0.html"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}
