package format

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// shared gives a path of the samples that lie beside the repository.
func shared(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "..", "shared"}, elem...)...)
	need.Beside(t, path)
	return path
}

// An exhibit is one row of the manifest.
type exhibit struct{ file, expected string }

// manifest gives the samples in one folder of the corpus.
func manifest(t *testing.T, folder string) []exhibit {
	t.Helper()
	data, err := os.ReadFile(shared(t, "corpus", "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var samples []exhibit
	for _, row := range strings.Split(string(data), "\n") {
		f := strings.Split(row, "\t")
		if len(f) > 8 && strings.HasPrefix(f[0], folder+"/") {
			samples = append(samples, exhibit{f[0], f[8]})
		}
	}
	if len(samples) == 0 {
		t.Fatalf("the manifest has nothing in %s", folder)
	}
	return samples
}

func readSample(t *testing.T, path string) Output {
	t.Helper()
	out, err := ReadFile(path, filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// manifestNames are the manifest's words for our metrics. What stands for a
// label has no unit to be compared.
var manifestNames = map[string]string{
	"output_tput": "output_throughput", "total_tput": "total_throughput", "req_tput": "request_throughput",
	"mean_ttft_ms": "ttft_mean", "p99_ttft_ms": "ttft_p99",
	"mean_tpot_ms": "tpot_mean", "mean_itl_ms": "itl_mean", "mean_e2el_ms": "e2el_mean",
	"mean_e2e_latency_ms": "e2el_mean", "median_ttft_ms": "ttft_p50",
	"completed": "requests_completed", "failed": "requests_failed",
	"duration_s": "duration", "duration": "duration",
	"accept_len": "acceptance_length", "spec_decode_acceptance_length": "acceptance_length",
	"request_throughput": "request_throughput", "output_throughput": "output_throughput",
	"total_token_throughput": "total_throughput",
}

// expect compares "key=value" of the manifest with a result.
func expect(t *testing.T, r *result.Result, key, value string) {
	t.Helper()
	switch key {
	case "request_rate", "max_concurrency":
		if value == "None" {
			value = ""
		}
		value = string(plainNumber([]byte(value)))
		if got := r.Label(key); got != value {
			t.Errorf("%s is %q, not %q", key, got, value)
		}
		return
	case "median_ttft", "avg_latency", "avg_latency_s": // in seconds
		name := map[bool]string{true: "ttft_p50", false: "batch_latency_mean"}[key == "median_ttft"]
		m, _ := r.Metric(name)
		if want, _ := strconv.ParseFloat(value+"e3", 64); m.Value != want || m.Unit != "ms" {
			t.Errorf("%s is %v %s, not %v ms", name, m.Value, m.Unit, want)
		}
		return
	case "completed":
		if done, sent, ok := strings.Cut(value, "/"); ok { // "14/20" of images
			failed, _ := r.Metric("requests_failed")
			n, _ := strconv.ParseFloat(sent, 64)
			value = done
			if completed, _ := r.Metric("requests_completed"); completed.Value+failed.Value != n {
				t.Errorf("%v and %v requests, not %s in total", completed.Value, failed.Value, sent)
			}
		}
	}
	name, known := manifestNames[key]
	if !known {
		t.Errorf("the manifest says %s=%s, which this test does not know", key, value)
		return
	}
	m, ok := r.Metric(name)
	want, err := strconv.ParseFloat(value, 64)
	if !ok || err != nil || m.Value != want {
		t.Errorf("%s is %v (present: %v), not %s", name, m.Value, ok, value)
	}
}

func TestCorpusText(t *testing.T) {
	for _, s := range manifest(t, "vllm-serve-text") {
		t.Run(filepath.Base(s.file), func(t *testing.T) {
			out := readSample(t, shared(t, "corpus", s.file))
			for _, m := range out.Messages {
				t.Errorf("a message on a sound file: %v", m)
			}
			out.Results = slices.DeleteFunc(out.Results, func(r result.Result) bool { return r.Format != "vllm-serve-text" })
			fields := strings.Split(s.expected, "; ")
			blocks, _ := strings.CutPrefix(fields[0], "blocks=")
			if strconv.Itoa(len(out.Results)) != blocks {
				t.Fatalf("%d results, not %s", len(out.Results), blocks)
			}
			first, last := &out.Results[0], &out.Results[len(out.Results)-1]
			for _, field := range fields[1:] {
				key, value, _ := strings.Cut(field, "=")
				switch {
				case key == "avg_latency_s", strings.HasPrefix(key, "throughput: "):
					continue // other tools' output, see TestOfflineBenchmarksInPages
				case strings.HasPrefix(key, "last."):
					expect(t, last, strings.TrimPrefix(key, "last."), value)
				default:
					expect(t, first, key, value)
				}
			}
			data, err := os.ReadFile(shared(t, "corpus", s.file))
			if err != nil {
				t.Fatal(err)
			}
			for i := range out.Results {
				sound(t, &out.Results[i])
				again, _ := Read("raw", strings.NewReader(string(Raw(data, &out.Results[i]))))
				if len(again.Results) != 1 || again.Results[0].Digest != out.Results[i].Digest {
					t.Errorf("line %d: the block cut out reads as %d results, not as the one it is",
						out.Results[i].Source.Line, len(again.Results))
				}
			}
		})
	}
}

func TestCorpusJSON(t *testing.T) {
	for _, s := range manifest(t, "vllm-serve-json") {
		t.Run(filepath.Base(s.file), func(t *testing.T) {
			out := readSample(t, shared(t, "corpus", s.file))
			if len(out.Results) != 1 || len(out.Messages) != 0 {
				t.Fatalf("%d results, messages %v", len(out.Results), out.Messages)
			}
			sound(t, &out.Results[0])
			for _, field := range strings.Split(s.expected, "; ") {
				key, value, _ := strings.Cut(field, "=")
				expect(t, &out.Results[0], key, value)
			}
		})
	}
}

// Files that look like results and are none, or are in other units.
func TestCorpusLookalikes(t *testing.T) {
	for _, s := range manifest(t, "lookalikes") {
		t.Run(filepath.Base(s.file), func(t *testing.T) {
			out := readSample(t, shared(t, "corpus", s.file))
			switch filepath.Base(s.file) {
			case "infx-tokenpos-seconds.json":
				for _, field := range strings.Split(s.expected, "; ") {
					key, value, _ := strings.Cut(field, "=")
					expect(t, &out.Results[0], key, value)
				}
			case "kimi-k2.5-custom-per-gpu-seconds.md":
				if len(out.Results) != 2 {
					t.Fatalf("%d results", len(out.Results))
				}
				r := &out.Results[0]
				for name, want := range map[string]string{
					"x_output_token_throughput_per_gpu": "63.91 tok/s/GPU",
					"ttft_mean":                         "163.73 ms",
					"ttft_p99_9":                        "279.05 ms",
					"e2el_mean":                         "6970 ms",
				} {
					if m, _ := r.Metric(name); m.Text()+" "+m.Unit != want {
						t.Errorf("%s is %s %s, not %s", name, m.Text(), m.Unit, want)
					}
				}
				if _, ok := r.Metric("output_throughput"); ok {
					t.Error("a rate per GPU was taken for that of the system")
				}
			case "llmd-guidellm-report.json":
				if len(out.Results) != 2 || out.Results[0].Format != "guidellm-json" { // another tool's, in guidellm_test.go
					t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
				}
			default:
				if len(out.Results) != 0 || out.Reason == "" {
					t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
				}
			}
		})
	}
}

// checkFigures compares the n-th result of a sample, counted from 0, with what it
// must state: metrics as "name=value unit", in as many digits as are given, and
// labels as "name:value".
func checkFigures(t *testing.T, file string, n int, want ...string) {
	t.Helper()
	out := readSample(t, shared(t, "corpus", file))
	if len(out.Results) <= n {
		t.Errorf("%s: %d results, reason %q", file, len(out.Results), out.Reason)
		return
	}
	r := &out.Results[n]
	sound(t, r)
	for _, w := range want {
		if name, value, ok := strings.Cut(w, ":"); ok {
			if got := r.Label(name); got != value {
				t.Errorf("%s, result %d: %s is %q, not %q", file, n, name, got, value)
			}
			continue
		}
		name, value, _ := strings.Cut(w, "=")
		number, unit, _ := strings.Cut(value, " ")
		m, ok := r.Metric(name)
		_, fraction, _ := strings.Cut(number, ".")
		if got := strconv.FormatFloat(m.Value, 'f', len(fraction), 64); number == "none" && ok || number != "none" && (!ok || got != number || m.Unit != unit) {
			t.Errorf("%s, result %d: %s is %v %s (present: %v), not %s", file, n, name, m.Value, m.Unit, ok, value)
		}
	}
}

func TestCorpusFolders(t *testing.T) {
	for _, s := range manifest(t, "dirs") {
		name, _, _ := strings.Cut(strings.TrimPrefix(s.file, "dirs/"), "/")
		t.Run(name, func(t *testing.T) {
			root := shared(t, "corpus", s.file)
			parts := strings.SplitN(s.expected, "; ", 3)
			want, _, _ := strings.Cut(parts[1], " ")
			found := 0
			filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() && len(readSample(t, path).Results) > 0 {
					found++
				}
				return err
			})
			if strconv.Itoa(found) != want {
				t.Errorf("%d files with results, not %s", found, want)
			}
			for _, entry := range strings.Split(strings.TrimSuffix(parts[2], ";"), " || ") {
				file, fields, ok := strings.Cut(entry, ": ")
				if !ok {
					continue
				}
				out := readSample(t, filepath.Join(root, file))
				if len(out.Results) != 1 {
					t.Errorf("%s: %d results", file, len(out.Results))
					continue
				}
				for _, field := range strings.Split(fields, "; ") {
					if key, value, ok := strings.Cut(field, "="); ok && key != "blocks" {
						expect(t, &out.Results[0], key, value)
					}
				}
			}
		})
	}
}

// The same run as saved and as printed: the table is the JSON, rounded.
func TestTableIsTheRoundedJSON(t *testing.T) {
	folder := shared(t, "corpus", "dirs", "mystous-eval-rtx3090",
		"20260424_074514_12th_Gen_Intel_Core_i9-12900KFx1_GeForce_RTX_3090x1_Qwen2.5-7B-Instruct")
	saved := readSample(t, filepath.Join(folder, "bench.json")).Results[0]
	printed := readSample(t, filepath.Join(folder, "bench.log")).Results[0]
	for _, m := range printed.Metrics {
		exact, ok := saved.Metric(m.Name)
		if !ok || strconv.FormatFloat(exact.Value, 'f', int(m.Decimals), 64) != m.Text() || exact.Unit != m.Unit {
			t.Errorf("%s is %s %s in the table and %v %s in the JSON", m.Name, m.Text(), m.Unit, exact.Value, exact.Unit)
		}
	}
	for _, name := range []string{"model_raw", "num_prompts", "request_rate", "burstiness"} {
		if a, b := saved.Label(name), printed.Label(name); a != b || a == "" {
			t.Errorf("%s is %q in the JSON and %q in the log", name, a, b)
		}
	}
}

// The published posts hold 89 blocks, each consistent with itself.
func TestReferencePosts(t *testing.T) {
	digests := map[string]map[string]bool{}
	for file, blocks := range map[string]int{
		"qwen3-thor-results.txt":              32,
		"2025-10-12-jetson-thor-benchmark.md": 14,
		"jetson-thor-guide.txt":               43,
	} {
		out := readSample(t, shared(t, "reference", file))
		if len(out.Results) != blocks || len(out.Messages) != 0 {
			t.Errorf("%s: %d results, not %d; messages %v", file, len(out.Results), blocks, out.Messages)
		}
		digests[file] = map[string]bool{}
		for i := range out.Results {
			r := &out.Results[i]
			digests[file][r.Digest] = true
			sound(t, r)
			consistent(t, r)
			if r.Status != result.Complete {
				t.Errorf("%v: %v", r.Source, r.Status)
			}
		}
	}
	same := 0
	for d := range digests["2025-10-12-jetson-thor-benchmark.md"] {
		if digests["qwen3-thor-results.txt"][d] {
			same++
		}
	}
	if same == 0 {
		t.Error("no block of the padded post has the digest of its collapsed copy")
	}
}

// consistent checks the rates against what they are computed from, within
// half a unit of the last printed digit on either side.
func consistent(t *testing.T, r *result.Result) {
	t.Helper()
	value := func(name string) (float64, float64) {
		m, ok := r.Metric(name)
		if !ok {
			t.Errorf("%v: no %s", r.Source, name)
		}
		return m.Value, 0.5 * math.Pow10(-int(m.Decimals))
	}
	duration, step := value("duration")
	output, _ := value("output_tokens")
	input, _ := value("input_tokens")
	requests, _ := value("requests_completed")
	for name, tokens := range map[string]float64{
		"output_throughput": output, "total_throughput": input + output, "request_throughput": requests,
	} {
		printed, half := value(name)
		if printed+half < tokens/(duration+step) || printed-half > tokens/(duration-step) {
			t.Errorf("%v: %s is %v, but %v in %v s are %v a second", r.Source, name, printed, tokens, duration, tokens/duration)
		}
	}
}

// sound checks what holds for every result that is handed out.
func sound(t *testing.T, r *result.Result) {
	t.Helper()
	if r.Source.Line < 1 || r.EndLine < r.Source.Line || r.Tool == "" || r.Format == "" || r.Digest == "" || r.ID != "" {
		t.Errorf("%v: end line %d, tool %q, digest %q, id %q", r.Source, r.EndLine, r.Tool, r.Digest, r.ID)
	}
	if len(r.Metrics) == 0 {
		t.Errorf("%v: no metrics", r.Source)
	}
	seen := map[string]bool{}
	for _, m := range r.Metrics {
		def, known := vocabulary.Define(m.Name)
		switch {
		case seen[m.Name]:
			t.Errorf("%v: %s is there twice", r.Source, m.Name)
		case math.IsNaN(m.Value) || math.IsInf(m.Value, 0):
			t.Errorf("%v: %s is not finite", r.Source, m.Name)
		case known && (m.Unit != def.Unit || m.Better != def.Better && m.Name != "quality"):
			t.Errorf("%v: %s is in %q, better %v", r.Source, m.Name, m.Unit, m.Better)
		case !known && !strings.HasPrefix(m.Name, "x_"):
			t.Errorf("%v: %s is no name of the vocabulary", r.Source, m.Name)
		case m.Line < r.Source.Line || m.Line > r.EndLine:
			t.Errorf("%v: %s is from line %d, outside of the block", r.Source, m.Name, m.Line)
		case m.Field == "":
			t.Errorf("%v: %s has no field", r.Source, m.Name)
		}
		seen[m.Name] = true
	}
	for i, l := range r.Labels {
		if i > 0 && r.Labels[i-1].Name >= l.Name {
			t.Errorf("%v: label %s is out of order", r.Source, l.Name)
		}
		if l.Origin == result.Declared || l.Pos.Line < 1 || l.Value == "" {
			t.Errorf("%v: label %+v", r.Source, l)
		}
	}
}
