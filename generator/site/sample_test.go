package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// reference contains the three published posts whose figures are the sample data.
const reference = root + "/../shared/reference"

// TestMain removes what buildSample has left. If SITE_TEST_BUILD is set, it builds that site instead and prints what it
// had to make.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SITE_TEST_BUILD"); dir != "" {
		s := Open(Options{Dir: dir})
		summary, _, err := s.Build(context.Background())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		s.Close()
		fmt.Print(strings.Join(summary.Made, "\n"))
		return
	}
	code := m.Run()
	os.RemoveAll(sampleDir)
	os.Exit(code)
}

var sampleDir string // folder of the shared build

// builtSample builds the sample site once for all tests.
var builtSample = sync.OnceValues(func() (ms []result.Message, err error) {
	if sampleDir, err = os.MkdirTemp("", "benchpost-sample-"); err != nil {
		return nil, err
	}
	if err := copySiteTo(sampleDir); err != nil {
		return nil, err
	}
	s, ms, err := Build(context.Background(), Options{Dir: sampleDir})
	if err == nil && s.Broken {
		err = errors.New("it is broken")
	}
	return ms, err
})

// buildSample returns the outputs of the sample site, for tests that do not change them.
func buildSample(t *testing.T) string {
	t.Helper()
	ms, err := builtSample()
	if err != nil {
		t.Fatalf("%v, %v", err, ms)
	}
	for _, m := range ms {
		t.Errorf("the sample site is not clean: %v", m)
	}
	return filepath.Join(sampleDir, "public")
}

// files returns every file below a folder by its path.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)], err = os.ReadFile(name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same compares two sets of files byte by byte.
func same(t *testing.T, got, want map[string][]byte, what string) {
	t.Helper()
	var differ []string
	for name, data := range want {
		if other, ok := got[name]; !ok || !bytes.Equal(data, other) {
			differ = append(differ, name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			differ = append(differ, name)
		}
	}
	slices.Sort(differ)
	if len(differ) > 0 {
		t.Errorf("%s differs in %d files, first: %v", what, len(differ), differ[:min(5, len(differ))])
	}
}

func TestPublicIsWhatItsInputsGive(t *testing.T) {
	t.Parallel()
	same(t, files(t, buildSample(t)), files(t, filepath.Join(root, "public")), "the build, against the committed public/,")
}

func TestTwoBuildsGiveTheSameBytes(t *testing.T) {
	dir := copySite(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if s, ms, err := Build(context.Background(), Options{Dir: dir}); err != nil || s.Broken {
		t.Fatalf("%v, %v", err, ms)
	}
	same(t, files(t, filepath.Join(dir, "public")), files(t, buildSample(t)), "a build in another folder on one core")
}

// jekyllPosts returns the posts of the sample by file name, in both languages.
func jekyllPosts(t *testing.T, public string) map[string]string {
	t.Helper()
	posts := map[string]string{}
	for name, data := range files(t, filepath.Join(public, "jekyll", "_posts")) {
		posts[name] = string(data)
	}
	return posts
}

var blockStart = regexp.MustCompile(`=+ Serving Benchmark Result =+`)

// blocksOf returns the result blocks of a text, each as its lines.
func blocksOf(text string) [][]string {
	var out [][]string
	var open []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case blockStart.MatchString(line):
			open = []string{line}
		case open != nil:
			open = append(open, line)
			if strings.TrimSpace(line) == strings.Repeat("=", 50) {
				out = append(out, open)
				open = nil
			}
		}
	}
	return out
}

// squeeze collapses white space, so that lines can be compared.
func squeeze(lines []string) string {
	var out []string
	for _, l := range lines {
		out = append(out, strings.Join(strings.Fields(l), " "))
	}
	return strings.Join(out, "\n")
}

// TestPostsHoldEveryReferenceBlock checks that the posts in each language contain exactly the 89 blocks of the three
// reference posts.
func TestPostsHoldEveryReferenceBlock(t *testing.T) {
	t.Parallel()
	need.Beside(t, reference)
	want := map[string]bool{}
	n := 0
	for _, name := range []string{"qwen3-thor-results.txt", "2025-10-12-jetson-thor-benchmark.md", "jetson-thor-guide.txt"} {
		data, err := os.ReadFile(filepath.Join(reference, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocksOf(string(data)) {
			want[squeeze(b)] = true
			n++
		}
	}
	if n != 89 || len(want) != 53 {
		t.Fatalf("the reference has %d blocks, %d of them distinct", n, len(want))
	}
	posts := jekyllPosts(t, buildSample(t))
	for _, english := range []bool{false, true} {
		got := map[string]bool{}
		for name, text := range posts {
			if strings.HasSuffix(name, "-en.md") == english {
				for _, b := range blocksOf(text) {
					got[squeeze(b)] = true
				}
			}
		}
		for b := range want {
			if !got[b] {
				t.Errorf("English %v: a block is missing:\n%s", english, b)
			}
		}
		if len(got) != len(want) {
			t.Errorf("English %v: %d distinct blocks, want %d", english, len(got), len(want))
		}
	}
}

// TestRawBlocksAreLineByLineUnderTheirHeadings checks that the post on the larger models contains the reference post's
// blocks, line by line and under the same headings.
func TestRawBlocksAreLineByLineUnderTheirHeadings(t *testing.T) {
	t.Parallel()
	need.Beside(t, reference)
	data, err := os.ReadFile(filepath.Join(reference, "2025-10-12-jetson-thor-benchmark.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := underHeadings(string(data))
	got := underHeadings(jekyllPosts(t, buildSample(t))["2025-10-12-qwen3-30b-32b.md"])
	if len(want) != 14 {
		t.Fatalf("%d blocks in the reference", len(want))
	}
	for place, block := range want {
		if got[place] != block {
			t.Errorf("under %s\n%s\nwant\n%s", place, got[place], block)
		}
	}
}

// underHeadings returns each fenced block, by the ### heading and the list item before it.
func underHeadings(text string) map[string]string {
	out := map[string]string{}
	heading, item, fence := "", "", []string(nil)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "```") && fence != nil:
			out[heading+" "+item] = strings.Join(fence, "\n")
			fence = nil
		case strings.HasPrefix(line, "```"):
			fence = []string{}
		case fence != nil:
			fence = append(fence, line)
		case strings.HasPrefix(line, "### "):
			heading = line
		case strings.HasPrefix(line, "- "):
			item = line
		}
	}
	for place, b := range out {
		if !blockStart.MatchString(b) {
			delete(out, place)
		}
	}
	return out
}

// marks matches what a table adds to a figure: best, excluded, footnotes.
var marks = regexp.MustCompile(`<sup>.*?</sup>|</?(strong|del)>`)

// TestTablesHoldEveryReferenceRow checks that every row of figures in the reference's tables is a row in the posts.
func TestTablesHoldEveryReferenceRow(t *testing.T) {
	t.Parallel()
	need.Beside(t, reference)
	data, err := os.ReadFile(filepath.Join(reference, "jetson-thor-guide.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string // of all generated tables
	for _, text := range jekyllPosts(t, buildSample(t)) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "| ") {
				rows = append(rows, marks.ReplaceAllString(line, ""))
			}
		}
	}
	figure := regexp.MustCompile(`^\d+\.\d+$`)
	n := 0
	for line := range strings.Lines(string(data)) {
		var figures []string
		for _, cell := range strings.Split(line, "|") {
			if cell = strings.TrimSpace(cell); figure.MatchString(cell) {
				figures = append(figures, cell)
			}
		}
		if !strings.Contains(line, " | ") || len(figures) < 3 {
			continue
		}
		n++
		if !slices.ContainsFunc(rows, func(row string) bool { return holdsAll(row, figures) }) {
			t.Errorf("no row contains %v", figures)
		}
	}
	if n != 26 {
		t.Errorf("%d rows of figures in the reference, expected 2×4 and 2×9", n)
	}
}

func holdsAll(row string, figures []string) bool {
	cells := strings.Fields(strings.ReplaceAll(row, "|", " "))
	for _, f := range figures {
		if !slices.Contains(cells, f) {
			return false
		}
	}
	return true
}

var anyReference = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// TestEveryLinkLeadsSomewhere checks that every relative link of the HTML site leads to an existing file, and to an
// existing element if it names one.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	all := files(t, filepath.Join(buildSample(t), "site"))
	n := countLinks(t, all)
	if n < 1000 {
		t.Errorf("only %d links found", n)
	}
}

// countLinks checks every relative link of a site and returns their number.
func countLinks(t *testing.T, all map[string][]byte) (n int) {
	t.Helper()
	for name, data := range all {
		if path.Ext(name) != ".html" || name == "404.html" {
			continue
		}
		for _, m := range anyReference.FindAllStringSubmatch(string(data), -1) {
			u, err := url.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
			if err != nil {
				t.Errorf("%s: %q: %v", name, m[1], err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				continue
			}
			n++
			if strings.HasPrefix(u.Path, "/") {
				t.Errorf("%s links to %s, which is no relative address", name, m[1])
				continue
			}
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			text, ok := all[target]
			if !ok {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if u.Fragment != "" && !strings.Contains(u.Fragment, "=") && !bytes.Contains(text, []byte(`id="`+u.Fragment+`"`)) { // else a state
				t.Errorf("%s links to %s, which has no such place", name, m[1])
			}
		}
	}
	return n
}

// TestJekyllBuildsThePosts builds the posts with Jekyll in strict mode. Every picture is in its place, and no Liquid or
// Markdown is left over.
func TestJekyllBuildsThePosts(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "it runs Jekyll")
	jekyll := need.Command(t, "jekyll")
	public := buildSample(t)
	src, out := t.TempDir(), filepath.Join(t.TempDir(), "blog")
	if err := os.CopyFS(src, os.DirFS(filepath.Join(public, "jekyll"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"_config.yml":          "baseurl: /blog\ntimezone: Asia/Shanghai\n",
		"_layouts/single.html": "<html lang=\"{{ page.lang }}\"><title>{{ page.title }}</title><body>{{ content }}</body></html>\n",
	} {
		name = filepath.Join(src, name)
		os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(jekyll, "build", "--strict_front_matter", "--source", src, "--destination", out)
	if text, err := cmd.CombinedOutput(); err != nil || bytes.Contains(text, []byte("Warning")) || bytes.Contains(text, []byte("Error")) {
		t.Fatalf("jekyll: %v\n%s", err, text)
	}
	built := files(t, out)
	n, pictures := 0, 0
	for name, data := range built {
		if path.Ext(name) != ".html" {
			continue
		}
		n++
		for _, left := range []string{"{{", "{%", "|--", "**", "```", "`= "} {
			if bytes.Contains(data, []byte(left)) {
				t.Errorf("%s: %q is left over", name, left)
			}
		}
		for _, m := range anyReference.FindAllStringSubmatch(string(data), -1) {
			if local, ok := strings.CutPrefix(m[1], "/blog/"); ok {
				pictures++
				if _, ok := built[local]; !ok {
					t.Errorf("%s: %s is not there", name, m[1])
				}
			}
		}
	}
	if n != 6 || pictures < 22 {
		t.Errorf("%d posts with %d local addresses", n, pictures)
	}
}

// TestPublicListsItsFiles checks that public lists all of its files, because only listed files may be removed by a
// later build.
func TestPublicListsItsFiles(t *testing.T) {
	t.Parallel()
	public := filepath.Join(root, "public")
	listed := slices.Collect(publish.Files(public))
	for name := range files(t, public) {
		if name != ".benchpost-files" && !slices.Contains(listed, name) {
			t.Errorf("%s is not in the list of our files", name)
		}
	}
}

// TestAnInterruptedBuildLeavesNothing checks that an interrupted build leaves the outputs unchanged and no other files,
// except the charts it has drawn, which the next build uses.
func TestAnInterruptedBuildLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := copySite(t)
	ctx, interrupt := context.WithCancel(context.Background())
	_, _, err := Build(ctx, Options{Dir: dir, Progress: func(step string) {
		if step == "writing pages" {
			interrupt()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if name := e.Name(); name == "public" || strings.HasPrefix(name, ".benchpost") && name != ".benchpost" {
			t.Errorf("%s is left", name)
		}
	}
	kept, _ := filepath.Glob(filepath.Join(dir, ".benchpost", "*", "*"))
	for _, file := range kept {
		if folder, name := filepath.Split(file); filepath.Base(folder) != "charts" || strings.HasPrefix(name, "new-") {
			t.Errorf("%s is left", file)
		}
	}
}

// TestAnotherProcessKeepsWhatIsThere checks that another process that builds the unchanged sample makes nothing again,
// except what is made every time. So keys do not depend on the process.
func TestAnotherProcessKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	buildSample(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "SITE_TEST_BUILD="+sampleDir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, string(out))
	}
	made := strings.Split(string(out), "\n")
	always := []string{"assets", "indexes", "data/datapackage.json", "data/index.json", "downloads/index.html", "en/downloads/index.html"}
	made = slices.DeleteFunc(made, func(name string) bool { return slices.Contains(always, name) || strings.HasPrefix(name, "script/") })
	if len(made) > 0 {
		t.Errorf("%d artifacts are made again: %v", len(made), made)
	}
}
