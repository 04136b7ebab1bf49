package site

import (
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
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/internal/planted"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page/script"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// TestRedactionChangesNoFigure reads all samples of tools' output before and after redaction. The results have the same
// figures on the same lines. Labels only differ where a name in them was replaced.
func TestRedactionChangesNoFigure(t *testing.T) {
	t.Parallel()
	from := root + "/../shared/corpus"
	need.Beside(t, from)
	r, err := redact.New(redact.Options{Key: []byte("a key of the tests")})
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	replaced := 0
	err = filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, _ := filepath.Rel(from, name)
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !mask.IsText(text) {
			return nil
		}
		out, found := r.Replace(below, text)
		replaced += len(found)
		if bytes.Count(out, []byte("\n")) != bytes.Count(text, []byte("\n")) {
			t.Errorf("%s has other lines", below)
		}
		if again := r.Find(below, out); len(again) > 0 {
			t.Errorf("%s: found again: %v", below, again)
		}
		target := filepath.Join(to, below)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, out, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	before, err := rundir.Load(from, rundir.Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	after, err := rundir.Load(to, rundir.Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	if len(before.Results) == 0 || len(before.Results) != len(after.Results) || replaced == 0 {
		t.Fatalf("%d results before, %d after %d replacements", len(before.Results), len(after.Results), replaced)
	}
	for i := range before.Results {
		a, b := &before.Results[i], &after.Results[i]
		if text := differs(a, b); text != "" {
			t.Errorf("%s: %s", a.Source, text)
		}
	}
}

// plantedSite makes a site with secrets and names in every place where a run or a post can have them: a log as plain
// text, compressed and in an archive, JSON, a run's labels, a file beside it, a linked file, and prose.
func plantedSite(t *testing.T, mode string, secrets, names []planted.Plant) string {
	t.Helper()
	dir := t.TempDir()
	block := "============ Serving Benchmark Result ============\nSuccessful requests:                     100\nBenchmark duration (s):                  12.34\nTotal input tokens:                      51200\n" +
		"Total generated tokens:                  12800\nRequest throughput (req/s):              8.10\nOutput token throughput (tok/s):         %d.07\nMean TTFT (ms):                          210.40\nMean TPOT (ms):                          31.20\n==================================================\n"
	var text, prose strings.Builder
	for _, p := range secrets { // names in prose are intended
		prose.WriteString(strings.ReplaceAll(p.Text, "`", "'") + "\n\n")
	}
	labels := "model = \"Qwen3-8B\"\n"
	for i, p := range slices.Concat(secrets, names) {
		text.WriteString(p.Text + "\n\n")
		if i%9 == 0 && !strings.ContainsAny(p.Text, "\n\x1b") {
			labels += fmt.Sprintf("note_%d = %q\n", i, p.Text)
		}
	}
	log := func(n int) []byte { return []byte(text.String() + fmt.Sprintf(block, n)) }
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(log(302))
	z.Close()
	var archive bytes.Buffer
	a := zip.NewWriter(&archive)
	w, _ := a.Create("inner/c.log")
	w.Write(log(303))
	a.Close()
	var bundle bytes.Buffer
	z = gzip.NewWriter(&bundle)
	z.Write([]byte(folder.Tar(t, "inner/f.log", string(log(306)))))
	z.Close()
	inJSON, _ := json.Marshal(map[string]any{"date": "20261122-020728", "backend": "vllm", "model_id": "Qwen/Qwen3-8B", "num_prompts": 10, "completed": 10, "duration": 2.5, "total_input_tokens": 100, "total_output_tokens": 200,
		"request_throughput": 4.0, "output_throughput": 80.25, "mean_ttft_ms": 12.5, "median_ttft_ms": 12.5, "p99_ttft_ms": 20.5, "mean_tpot_ms": 9.5, "median_tpot_ms": 9.5, "p99_tpot_ms": 9.9, "log": text.String()})
	folder.Write(t, dir, map[string]string{
		"site.toml":                "title = \"Planted\"\n[redact]\nmode = \"" + mode + "\"\n",
		"runs/x/run.toml":          labels,
		"runs/x/a.log":             string(log(301)),
		"runs/x/b.log.gz":          packed.String(),
		"runs/x/c.zip":             archive.String(),
		"runs/x/e.tar":             folder.Tar(t, "inner/e.log", string(log(305))),
		"runs/x/f.tgz":             bundle.String(),
		"runs/x/d.json":            string(inJSON),
		"content/posts/beside.txt": prose.String(),
		"content/posts/p.en.md":    "+++\ntitle = \"A post\"\ndate = 2026-11-22\n+++\nProse.\n\n```text\n" + prose.String() + "\n```\n\nSee [the file](beside.txt).\n\n```benchpost raw\nwhere = '{campaign=\"x\"}'\n```\n",
	})
	return dir
}

// TestNothingPlantedIsPublished checks that no planted secret or private name is published, and that masking changes no
// figure.
func TestNothingPlantedIsPublished(t *testing.T) {
	t.Parallel()
	secretPlants, names := planted.Some(planted.Secrets(7), 200), planted.Names(7)
	plants := slices.Concat(secretPlants, names)
	figures := map[string]map[string]float64{}
	for _, mode := range []string{"off", "mask"} {
		dir := plantedSite(t, mode, secretPlants, names)
		summary, ms, err := Build(t.Context(), Options{Dir: dir})
		if err != nil || summary.Broken || hasErrors(ms) || summary.Results < 6 {
			t.Fatal(mode, summary, ms, err)
		}
		set, err := Open(Options{Dir: dir}).Read()
		if err != nil {
			t.Fatal(err)
		}
		figures[mode] = map[string]float64{}
		for _, r := range set.results {
			for _, m := range r.Metrics {
				figures[mode][r.ID+" "+m.Name] = m.Value
			}
		}
		var all bytes.Buffer
		for name, data := range folder.Read(t, filepath.Join(dir, "public")) {
			if own, err := script.Bundle(strings.TrimSuffix(path.Base(name), ".js")); err == nil && bytes.Equal(own, data) {
				continue // occurs on every site: "combobox" is not Bob
			}
			if strings.HasSuffix(name, ".html") {
				data = []byte(html.UnescapeString(string(data)))
			}
			if strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".tar") {
				data = unpacked(t, data)
			}
			if mask.IsText(data) || strings.HasSuffix(name, ".parquet") {
				all.Write(data)
			}
		}
		secrets, private := 0, 0
		for i, p := range plants {
			left := p.Left(all.Bytes())
			if left == "" {
				continue
			}
			if i < len(secretPlants) {
				secrets++
			} else {
				private++
			}
			if mode == "mask" {
				t.Errorf("%s (%s): %q is left, at %q", p.Kind, p.Form, left, beside(all.Bytes(), left))
			}
		}
		t.Logf("mode %s: %d of %d secrets and %d of %d private names are published", mode, secrets, len(secretPlants), private, len(names))
		if mode == "off" && secrets < 150 {
			t.Errorf("only %d secrets are published where nothing is masked: the test sees too little", secrets)
		}
		if mode == "mask" {
			if summary.Masked.Secrets < 200 || summary.Masked.Names < 100 {
				t.Errorf("%v", summary.Masked)
			}
			again, _, _ := Build(t.Context(), Options{Dir: dir})
			if again.Masked != summary.Masked || !again.Fresh {
				t.Errorf("%v, then %v", summary.Masked, again.Masked)
			}
			if _, ms, _ := Build(t.Context(), Options{Dir: dir, Strict: true}); !hasErrors(ms) {
				t.Error("a strict build publishes secrets")
			} else {
				for _, m := range ms {
					for _, p := range plants {
						if left := p.Left([]byte(m.Error() + locale.English(m.Hint))); left != "" {
							t.Errorf("%v contains %s", m, left)
						}
					}
				}
			}
		}
	}
	if !maps.Equal(figures["off"], figures["mask"]) || len(figures["off"]) == 0 {
		t.Errorf("%v are %v", figures["off"], figures["mask"])
	}
}

// beside returns the text before and after a match.
func beside(text []byte, what string) []byte {
	i := bytes.Index(text, []byte(what))
	return text[max(0, i-60):min(len(text), i+60)]
}

// unpacked returns the contents of a compressed file.
func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	if rawfile.ArchiveAt(name) != rawfile.Plain {
		if err := rawfile.Each(name, func(_ string, r io.Reader, err error) { io.Copy(&all, r) }); err != nil {
			t.Fatal(err)
		}
		return all.Bytes()
	}
	f, err := rawfile.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	io.Copy(&all, f)
	return all.Bytes()
}

// differs returns how a result differs from the one before redaction; "" if it does not.
func differs(a, b *result.Result) string {
	switch {
	case a.ID != b.ID || a.Source != b.Source || a.Status != b.Status:
		return fmt.Sprintf("%s %v %v is %s %v %v", a.ID, a.Source, a.Status, b.ID, b.Source, b.Status)
	case !slices.EqualFunc(a.Metrics, b.Metrics, result.Metric.Equal):
		return fmt.Sprintf("%v are %v", a.Metrics, b.Metrics)
	case len(a.Labels) != len(b.Labels):
		return fmt.Sprintf("%v are %v", a.Labels, b.Labels)
	}
	for i, x := range a.Labels {
		if y := b.Labels[i]; x.Name != y.Name || x.Pos != y.Pos || x.Origin != y.Origin || !became(x.Value, y.Value) {
			return fmt.Sprintf("%v is %v", x, y)
		}
	}
	return ""
}

// written matches what redaction writes.
var written = regexp.MustCompile(`redacted-[a-z0-9][a-z0-9.-]*|(?:host|user|ip|mac|email|wifi|gpu|serial)-[0-9a-f]{6}`)

// became reports whether redaction alone may have changed one text into the other: where they differ, the second has
// what redaction writes.
func became(before, after string) bool {
	if !written.MatchString(after) {
		return before == after
	}
	kept := written.Split(after, -1)
	for i, text := range kept {
		kept[i] = regexp.QuoteMeta(text)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(kept, ".+") + `$`).MatchString(before)
}

// TestASessionFollowsWhatIsRedacted checks that a session follows a change of the redaction settings. What was
// published unmasked is masked as soon as the configuration says so, in pages, raw files and their checksums, although
// no run has changed.
func TestASessionFollowsWhatIsRedacted(t *testing.T) {
	t.Parallel()
	const secret = "sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1x"
	dir := smallSite(t)
	writeFile(t, filepath.Join(dir, "runs/one/model=b/run-1.log"), invent.Block(1)+"api_key="+secret+"\r\n") // with CRLF it is published as a separate copy
	time.Sleep(2 * filemark.Settled)                                                                         // so that no file is read again for being new
	about, err := os.ReadFile(filepath.Join(dir, config.Name))
	if err != nil {
		t.Fatal(err)
	}
	s := Open(Options{Dir: dir})
	defer s.Close()
	for _, mode := range []string{"off", "mask", "off", "mask"} {
		writeFile(t, filepath.Join(dir, config.Name), string(about)+"[redact]\nmode = \""+mode+"\"\n")
		s.Changed([]string{config.Name})
		if _, ms, err := s.Build(context.Background()); err != nil {
			t.Fatal(ms, err)
		}
		shown := 0
		files := folder.Read(t, filepath.Join(dir, "public"))
		for _, data := range files {
			if bytes.Contains(data, []byte(secret)) {
				shown++
			}
		}
		if (shown > 0) != (mode == "off") {
			t.Errorf("%d files have the key, with redaction %s", shown, mode)
		}
		out := t.TempDir()
		if _, ms, err := Build(context.Background(), Options{Dir: dir, Out: out}); err != nil {
			t.Fatal(ms, err)
		}
		compareTrees(t, filepath.Join(dir, "public"), out)
	}
}
