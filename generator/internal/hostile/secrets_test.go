package hostile_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/planted"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/rawfile"
)

// plants contains the data planted in a site. names contains those that can be file names.
type plants struct{ secrets, private, names []planted.Plant }

func newPlants(n int) plants {
	var p plants
	p.secrets, p.private = planted.Some(planted.Secrets(11), n), planted.Some(planted.Names(11), n)
	for _, plant := range planted.Secrets(12) { // tokens that are recognised by their form
		if plant.Text = plant.Hidden[0]; plant.Form == "log line" && !strings.Contains(plant.Text, "/") {
			p.names, p.secrets = append(p.names, plant), append(p.secrets, plant)
		}
	}
	if p.names = p.names[:min(n/4, len(p.names))]; len(p.names) == 0 {
		panic("nothing planted can be a name")
	}
	for _, plant := range p.private {
		if !strings.ContainsAny(plant.Text, "/\\\n\t\x1b\"'`:*?<>|{}[]()&;$% ") {
			p.names = append(p.names, plant)
		}
	}
	return p
}

func (p plants) all() []planted.Plant { return slices.Concat(p.secrets, p.private) }

// text returns all plants as a log.
func (p plants) text() string {
	var b strings.Builder
	for _, plant := range p.all() {
		b.WriteString(plant.Text + "\n\n")
	}
	return b.String()
}

// bundle returns a tar archive with a log, and with data that is usually not read: owners, links, a member that
// a later one replaces, and names.
func (p plants) bundle(t *testing.T, log string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(h tar.Header, content string) {
		h.Mode, h.Size = 0o644, int64(len(content))
		must(t, w.WriteHeader(&h))
		_, err := io.WriteString(w, content)
		must(t, err)
	}
	add(tar.Header{Name: "in/t.log"}, p.text())
	add(tar.Header{Name: "in/t.log"}, log)
	for i, plant := range p.names {
		add(tar.Header{Name: fmt.Sprintf("in/%d/%s.log", i, plant.Text)}, fmt.Sprintf(serving, 5000+i))
		add(tar.Header{Name: fmt.Sprintf("in/link%d", i), Typeflag: tar.TypeSymlink, Linkname: "../" + plant.Text}, "")
		add(tar.Header{Name: "../" + plant.Text}, "x")
	}
	must(t, w.Close())
	return b.Bytes()
}

// zipped returns the same data as a zip archive, with comments.
func (p plants) zipped(t *testing.T, log string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(h zip.FileHeader, content string) {
		f, err := w.CreateHeader(&h)
		must(t, err)
		_, err = io.WriteString(f, content)
		must(t, err)
	}
	add(zip.FileHeader{Name: "in/z.log", Comment: p.secrets[0].Text}, p.text())
	add(zip.FileHeader{Name: "in/z.log"}, log)
	for i, plant := range p.names {
		add(zip.FileHeader{Name: fmt.Sprintf("in/%d/%s.log", i, plant.Text), Comment: plant.Text, Extra: append([]byte{0xfe, 0xca, byte(len(plant.Text)), 0}, plant.Text...)}, fmt.Sprintf(serving, 6000+i))
		add(zip.FileHeader{Name: "../" + plant.Text}, "x")
	}
	must(t, w.SetComment(p.secrets[0].Text))
	must(t, w.Close())
	return b.Bytes()
}

// site writes a site with plants wherever possible. If inNames is true, it adds those that benchpost archive
// refuses.
func (p plants) site(t *testing.T, dir, mode string, inNames bool) {
	t.Helper()
	log := func(n int) string { return p.text() + fmt.Sprintf(serving, n) }
	labels := "model = \"Qwen3-8B\"\n"
	for i, plant := range p.all() {
		if i%5 == 0 && !strings.ContainsAny(plant.Text, "\n\x1b") {
			labels += fmt.Sprintf("note_%d = %q\n", i, plant.Text)
		}
	}
	compressed := func(data string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(data))
		z.Close()
		return b.String()
	}
	inJSON, _ := json.Marshal(map[string]any{"date": "20261122-020728", "backend": "vllm", "model_id": "Qwen/Qwen3-8B", "num_prompts": 10, "completed": 10, "duration": 2.5, "total_input_tokens": 100, "total_output_tokens": 200,
		"request_throughput": 4.0, "output_throughput": 80.25, "mean_ttft_ms": 12.5, "median_ttft_ms": 12.5, "p99_ttft_ms": 20.5, "mean_tpot_ms": 9.5, "median_tpot_ms": 9.5, "p99_tpot_ms": 9.9, "log": p.text()})
	files := map[string]string{
		"site.toml":         "title = \"Planted\"\nlanguages = [\"en\"]\n[redact]\nmode = \"" + mode + "\"\n",
		"runs/x/run.toml":   labels,
		"runs/x/a.log":      log(301),
		"runs/x/b.log.gz":   compressed(log(302)),
		"runs/x/d.json":     string(inJSON),
		"runs/x/cut.json":   "{\"log\": \"" + p.text(),
		"runs/x/other.txt":  p.text(),
		"runs/x/going.log":  p.text() + "Starting main benchmark run...\nTraffic request rate: inf\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]",
		"runs/y/a.log":      log(303),
		"runs/bad/run.toml": "model = \n" + p.text(),
	}
	if inNames {
		var prose strings.Builder
		for _, plant := range p.secrets { // names in prose are intended by the author
			prose.WriteString(strings.ReplaceAll(plant.Text, "`", "'") + "\n\n")
		}
		files["content/posts/beside.txt"] = prose.String()
		files["content/posts/p.en.md"] = "+++\ntitle = \"A post\"\ndate = 2026-11-22\n+++\nProse.\n\n```text\n" + prose.String() + "\n```\n\nSee [the file](beside.txt).\n\n```benchpost raw\nwhere = '{campaign=\"x\"}'\n```\n"
		files["runs/x/t.tgz"], files["runs/x/u.tar"], files["runs/x/z.zip"] = compressed(string(p.bundle(t, log(304)))), string(p.bundle(t, log(305))), string(p.zipped(t, log(306)))
		for i, plant := range p.names {
			files[fmt.Sprintf("runs/names/%d/%s.log", i, plant.Text)] = fmt.Sprintf(serving, 1000+i)
			files[fmt.Sprintf("runs/%s/f%d.log", plant.Text, i)] = fmt.Sprintf(serving, 2000+i)
			files[fmt.Sprintf("runs/key/x_note=%s/f%d.log", plant.Text, i)] = fmt.Sprintf(serving, 3000+i)
			files[fmt.Sprintf("runs/none/%s.txt", plant.Text)] = "nothing"
		}
	}
	must(t, write(dir, files))
}

// leaks returns the plants that a text contains, also in escaped form.
func (p plants) leaks(data []byte) (found []string) {
	texts := [][]byte{data}
	if bytes.Contains(data, []byte("&#")) || bytes.Contains(data, []byte("&quot;")) {
		texts = append(texts, []byte(html.UnescapeString(string(data))))
	}
	if bytes.ContainsRune(data, '%') {
		if text, err := url.PathUnescape(string(data)); err == nil {
			texts = append(texts, []byte(text))
		}
	}
	for _, plant := range p.all() {
		for _, text := range texts {
			if left := plant.Left(text); left != "" {
				at := bytes.Index(text, []byte(left))
				found = append(found, fmt.Sprintf("%s (%s): %q at %q", plant.Kind, plant.Form, left, text[max(0, at-50):min(len(text), at+len(left)+20)]))
				break
			}
		}
	}
	return found
}

// opened returns the contents of a file: decompressed, and for an archive all parts with their names.
func opened(t *testing.T, data []byte) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x")
	must(t, os.WriteFile(name, data, 0o644))
	compression, kind := rawfile.Recognize(bytes.NewReader(data))
	var all bytes.Buffer
	switch {
	case kind != rawfile.Plain:
		if err := rawfile.EachPart(name, func(part rawfile.Part) {
			fmt.Fprintln(&all, part.Name, part.Owners, part.Texts)
			if part.Content != nil {
				_, _ = io.Copy(&all, part.Content)
			}
		}); err != nil {
			t.Error(err)
		}
		all.Write(data) // data outside of its parts
	case compression != rawfile.Plain:
		f, err := rawfile.Open(name)
		must(t, err)
		_, _ = io.Copy(&all, f)
		f.Close()
	default:
		return data
	}
	return all.Bytes()
}

// below returns the contents and names of all files in a folder.
func below(t *testing.T, dir string) []byte {
	t.Helper()
	var all bytes.Buffer
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintln(&all, filepath.ToSlash(rel))
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(name)
		all.Write(opened(t, data))
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all.Bytes()
}

// figures returns the metrics that results --format json prints.
func figures(t *testing.T, dir string) map[string]string {
	t.Helper()
	var out bytes.Buffer
	cli.Run(t.Context(), []string{"results", "--site", dir, "--format", "json"}, strings.NewReader(""), &out, io.Discard)
	var doc struct {
		Results []struct {
			Metrics json.RawMessage `json:"metrics"`
		} `json:"results"`
	}
	must(t, json.Unmarshal(out.Bytes(), &doc))
	all := map[string]string{}
	for _, r := range doc.Results {
		text := regexp.MustCompile(`"file":"[^"]*",?`).ReplaceAllString(string(r.Metrics), "")
		all[text] = text
	}
	return all
}

// outlets lists the command lines of each command that can publish something. $SITE is a site, $NOTES a text to
// import, $OUT an empty folder. The test searches $OUT and the new files in $SITE.
func (p plants) outlets() map[string][][]string {
	name := p.names[0].Text
	return map[string][][]string{
		"schema": {{"schema"}}, "man": {{"man"}},
		"export": {{"export", "p", "--to", "hugo", "-o", "$OUT/hugo"}, {"export", "p", "--to", "markdown", "-o", "$OUT/md", "--images", "data"}, {"export", "p", "--to", "markdown", "-o", "$OUT/md"}, {"export", "p", "--to", "jekyll", "-o", "$OUT/blog"}},
		"build":  {{"build"}, {"build", "--verbose"}, {"build", "--strict"}, {"build", "--out", "$OUT/public"}, {"build", "--single-file", "p.en", "--out", "$OUT/p.html"}},
		"serve":  {{"serve", "--port", "0"}},
		"check":  {{"check", "--verbose"}, {"check"}, {"check", "--strict", "--verbose"}, {"check", "--format", "json"}, {"check", "--format", "github"}, {"check", "--format", "gitlab"}, {"check", "$SITE/runs", "--verbose"}, {"check", "$SITE/runs/names", "--verbose", "--format", "json"}, {"check", "--drift"}},
		"results": {{"results", "--format", "json"}, {"results"}, {"results", "--verbose"}, {"results", "--format", "jsonl"}, {"results", "--format", "csv"}, {"results", "--format", "parquet"}, {"results", "$SITE/runs/names", "--verbose"},
			{"results", "--explain", "$SITE/runs/x/a.log"}, {"results", "--explain", "$SITE/runs/x/b.log.gz"}, {"results", "--explain", "$SITE/runs/x/other.txt"}, {"results", "--explain", "$SITE/runs/x/d.json", "--format", "json"}, {"results", "--explain", "$SITE/runs/x/t.tgz/in/t.log"}},
		"explain":    {{"explain", "x/a"}, {"explain", `{campaign="x"}`}, {"explain", `{x_note=~".+"}`}}, // the request is shown as given
		"new":        {{"new", "post"}},
		"report":     {{"report", "$SITE/runs", "-o", "$OUT/r.html"}, {"report", "$SITE/runs/x", "-o", "$OUT/r.html", "--lang", "zh"}, {"report", "$SITE/runs/names", "-o", "-"}},
		"list":       {{"list", "runs"}, {"list", "labels"}, {"list", "models"}, {"list", "metrics"}},
		"completion": {{"completion", "bash"}},
		"diff":       {{"diff", "$SITE/runs/x", "$SITE/runs/y"}, {"diff", "$SITE/runs/x", "$SITE/runs/y", "--all", "--format", "json"}, {"diff", "$SITE/runs/x", "$SITE/runs/y", "--format", "markdown"}, {"diff", "$SITE/runs/x", "$SITE/runs/names", "--format", "html"}},
		"record":     {{"record", "--telemetry", "none", "--dir", "$OUT", "--name", name, "--label", "x_note=" + name, "--", "cat", "$SITE/runs/x/../y/a.log"}, {"record", "--telemetry", "none", "--dir", "$OUT", "--", "echo", "HF_TOKEN=" + name}},
		"import":     {{"import", "$NOTES", "--out", "$OUT/i"}, {"import", "$NOTES"}, {"import", "$NOTES", "--dry-run", "--verbose"}},
		"cite":       {{"cite"}, {"cite", "--format", "bibtex"}, {"cite", "--format", "cff"}, {"cite", "--format", "csl-json"}, {"cite", "p.en"}},
		"archive":    {{"archive", "--yes", "--inputs", "--verbose"}, {"archive", "--dry-run", "--verbose"}, {"archive", "$SITE/runs/x", "--as", name, "--dry-run"}},
		"verify":     {{"verify", "--verbose"}},
		"init":       {{"init", "$OUT/new"}},
		"version":    {{"version"}},
	}
}

// TestNothingPlantedGetsOut: no command prints, publishes, serves or commits anything that is planted in logs,
// labels, posts, archives, or names of files and folders. Masking changes no figure.
func TestNothingPlantedGetsOut(t *testing.T) {
	n := need.Times(24, 200) // and one command line of each command, or all of them
	p := newPlants(n)
	if n >= 200 && (len(p.secrets) < 200 || len(p.names) < 50) {
		t.Fatalf("%d secrets, %d private names, %d names of files", len(p.secrets), len(p.private), len(p.names))
	}
	outlets := p.outlets()
	notes := "# A report of " + p.names[0].Text + "\n\n**Model**: Qwen3-8B\n\n"
	for i, plant := range p.names {
		notes += fmt.Sprintf("## %s\n\n```\n"+serving+"```\n\n", plant.Text, 4000+i)
	}
	seen := map[string]int{} // number of leaks by mode; without masking there must be some
	for _, mode := range []string{"mask", "off"} {
		for _, name := range commands(t) {
			if outlets[name] == nil {
				t.Errorf("no command line tries %s", name)
			}
			for i, line := range outlets[name] {
				if i > 0 && i >= need.Times(1, len(outlets[name])) {
					break
				}
				if mode == "off" && (name == "archive" || name == "record" || name == "import" || len(line) > 2) {
					continue
				}
				out := t.TempDir()
				dir := filepath.Join(out, "site")
				r := repositoryOf(t, p, dir, mode, name != "archive" && name != "verify")
				written := filepath.Join(out, "out")
				must(t, os.MkdirAll(written, 0o755))
				must(t, os.WriteFile(filepath.Join(out, "notes.md"), []byte(notes), 0o644))
				args := []string{line[0]}
				if !slices.Contains([]string{"init", "version", "verify", "completion", "report"}, name) {
					args = append(args, "--site", dir)
				}
				for _, arg := range line[1:] {
					args = append(args, strings.NewReplacer("$SITE", dir, "$OUT", written, "$NOTES", filepath.Join(out, "notes.md")).Replace(arg))
				}
				printed, served := execute(t, args)
				if name == "record" {
					printed = nil // it is the output of the recorded program
				}
				gone := map[string][]byte{"what it prints": printed, "what it serves": served, "public": below(t, filepath.Join(dir, "public"))}
				if name != "import" && name != "record" {
					gone["what it writes"] = below(t, written)
				} else { // the original text stays in the folder of runs
					gone["what it writes"] = besides(t, written)
				}
				if name == "archive" {
					gone["git"] = []byte(r.Git("log", "--all", "-p", "--text", "--format=%an %ae %B"))
				}
				for where, data := range gone {
					leaks := p.leaks(data)
					if name == "record" { // it keeps private names, which belong to its own machine
						leaks = plants{secrets: p.secrets}.leaks(data)
					}
					seen[mode] += len(leaks)
					if mode == "mask" && len(leaks) > 0 {
						t.Errorf("%q: %d plants are in %s:\n%s", line, len(leaks), where, strings.Join(leaks[:min(6, len(leaks))], "\n"))
					}
				}
			}
		}
	}
	if seen["off"] < len(p.all()) {
		t.Errorf("only %d plants go out where nothing is masked: the test sees too little", seen["off"])
	}
	masked, off := t.TempDir(), t.TempDir()
	p.site(t, masked, "mask", true)
	p.site(t, off, "off", true)
	if a, b := figures(t, masked), figures(t, off); len(a) == 0 || !maps.Equal(a, b) {
		t.Errorf("%d figures are %d", len(b), len(a))
	}
}

// repositoryOf creates a repository with a site that contains plants.
func repositoryOf(t *testing.T, p plants, dir, mode string, inNames bool) *repository.Repository {
	t.Helper()
	p.site(t, dir, mode, inNames)
	r := repository.In(t, dir)
	r.Git("init", "-q", "-b", "main")
	return r
}

// besides returns everything that record and import write except the logs.
func besides(t *testing.T, dir string) []byte {
	t.Helper()
	var all bytes.Buffer
	for name, data := range folder.Read(t, dir) {
		fmt.Fprintln(&all, name)
		if base := path.Base(name); base == "run.toml" || base == "record.json" {
			all.Write(data)
		}
	}
	return all.Bytes()
}

// execute runs a command line. If it is serve, it also returns the pages that the server shows.
func execute(t *testing.T, args []string) (printed, served []byte) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	port := 0
	if args[0] == "serve" {
		port = freePort(t)
		args[slices.Index(args, "--port")+1] = strconv.Itoa(port)
	} else {
		cli.Run(ctx, args, strings.NewReader(""), &out, &errs)
		return append(out.Bytes(), errs.Bytes()...), nil
	}
	begun := make(chan struct{})
	sink := &until{&errs, "built", sync.OnceFunc(func() { close(begun) })}
	done := make(chan struct{})
	go func() {
		defer close(done)
		cli.Run(ctx, args, strings.NewReader(""), &out, sink)
	}()
	select {
	case <-begun:
		served = pages(t, port)
	case <-done:
	}
	cancel()
	<-done
	return append(out.Bytes(), errs.Bytes()...), served
}

// pages returns the pages of a server that are reachable by links, with their addresses.
func pages(t *testing.T, port int) []byte {
	t.Helper()
	base := fmt.Sprintf("http://127.0.0.1:%d/", port)
	var all bytes.Buffer
	queue, known := []string{base}, map[string]bool{base: true}
	for len(queue) > 0 && len(known) < 400 {
		at := queue[0]
		queue = queue[1:]
		answer, err := http.Get(at)
		must(t, err)
		data, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		must(t, err)
		fmt.Fprintln(&all, at)
		all.Write(data)
		if !strings.Contains(answer.Header.Get("Content-Type"), "html") {
			continue
		}
		from, err := url.Parse(at)
		must(t, err)
		for _, m := range regexp.MustCompile(`(?:href|src)="([^"#]+)"`).FindAllSubmatch(data, -1) {
			to, err := from.Parse(html.UnescapeString(string(m[1])))
			if err == nil && strings.HasPrefix(to.String(), base) && !known[to.String()] {
				known[to.String()] = true
				queue = append(queue, to.String())
			}
		}
	}
	if len(known) < 20 {
		t.Errorf("a server has only %d pages", len(known))
	}
	return all.Bytes()
}

// freePort returns a port that is not in use.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
