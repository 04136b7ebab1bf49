package format_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

func TestCorpusText(t *testing.T) {
	for _, s := range fixture.Manifest(t, "vllm-serve-text") {
		t.Run(filepath.Base(s.File), func(t *testing.T) {
			out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.File))
			for _, m := range out.Messages {
				t.Errorf("a message on a sound file: %v", m)
			}
			out.Results = slices.DeleteFunc(out.Results, func(r result.Result) bool { return r.Format != "vllm-serve-text" })
			fields := strings.Split(s.Expected, "; ")
			blocks, _ := strings.CutPrefix(fields[0], "blocks=")
			if strconv.Itoa(len(out.Results)) != blocks {
				t.Fatalf("%d results, not %s", len(out.Results), blocks)
			}
			first, last := &out.Results[0], &out.Results[len(out.Results)-1]
			for _, field := range fields[1:] {
				key, value, _ := strings.Cut(field, "=")
				switch {
				case key == "avg_latency_s", strings.HasPrefix(key, "throughput: "):
					continue // output of other tools, see TestOfflineBenchmarksInPages
				case strings.HasPrefix(key, "last."):
					fixture.Expect(t, last, strings.TrimPrefix(key, "last."), value)
				default:
					fixture.Expect(t, first, key, value)
				}
			}
			data, err := os.ReadFile(fixture.Shared(t, "corpus", s.File))
			if err != nil {
				t.Fatal(err)
			}
			for i := range out.Results {
				fixture.Sound(t, &out.Results[i])
				again, _ := format.Read("raw", strings.NewReader(string(format.Raw(data, &out.Results[i]))))
				if len(again.Results) != 1 || again.Results[0].Digest != out.Results[i].Digest {
					t.Errorf("line %d: the block cut out reads as %d results, not as the one it is",
						out.Results[i].Source.Line, len(again.Results))
				}
			}
		})
	}
}

func TestCorpusJSON(t *testing.T) {
	for _, s := range fixture.Manifest(t, "vllm-serve-json") {
		t.Run(filepath.Base(s.File), func(t *testing.T) {
			out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.File))
			if len(out.Results) != 1 || len(out.Messages) != 0 {
				t.Fatalf("%d results, messages %v", len(out.Results), out.Messages)
			}
			fixture.Sound(t, &out.Results[0])
			for _, field := range strings.Split(s.Expected, "; ") {
				key, value, _ := strings.Cut(field, "=")
				fixture.Expect(t, &out.Results[0], key, value)
			}
		})
	}
}

// TestCorpusLookalikes reads files that look like results and are not, or have other units.
func TestCorpusLookalikes(t *testing.T) {
	for _, s := range fixture.Manifest(t, "lookalikes") {
		t.Run(filepath.Base(s.File), func(t *testing.T) {
			out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.File))
			switch filepath.Base(s.File) {
			case "infx-tokenpos-seconds.json":
				for _, field := range strings.Split(s.Expected, "; ") {
					key, value, _ := strings.Cut(field, "=")
					fixture.Expect(t, &out.Results[0], key, value)
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
				if len(out.Results) != 2 || out.Results[0].Format != "guidellm-json" { // results of another tool, see guidellm_test.go
					t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
				}
			default:
				if ofTools(out.Results) != 0 || len(out.Results) == 0 && out.Reason.IsZero() {
					t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
				}
			}
		})
	}
}

func TestCorpusFolders(t *testing.T) {
	for _, s := range fixture.Manifest(t, "dirs") {
		name, _, _ := strings.Cut(strings.TrimPrefix(s.File, "dirs/"), "/")
		t.Run(name, func(t *testing.T) {
			root := fixture.Shared(t, "corpus", s.File)
			parts := strings.SplitN(s.Expected, "; ", 3)
			want, _, _ := strings.Cut(parts[1], " ")
			found := 0
			filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() && ofTools(fixture.ReadSample(t, path).Results) > 0 {
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
				out := fixture.ReadSample(t, filepath.Join(root, file))
				if len(out.Results) != 1 {
					t.Errorf("%s: %d results", file, len(out.Results))
					continue
				}
				for _, field := range strings.Split(fields, "; ") {
					if key, value, ok := strings.Cut(field, "="); ok && key != "blocks" {
						fixture.Expect(t, &out.Results[0], key, value)
					}
				}
			}
		})
	}
}

// TestTableIsTheRoundedJSON compares the saved and the printed results of the same run: the table has the rounded
// figures of the JSON.
func TestTableIsTheRoundedJSON(t *testing.T) {
	folder := fixture.Shared(t, "corpus", "dirs", "mystous-eval-rtx3090",
		"20260424_074514_12th_Gen_Intel_Core_i9-12900KFx1_GeForce_RTX_3090x1_Qwen2.5-7B-Instruct")
	saved := fixture.ReadSample(t, filepath.Join(folder, "bench.json")).Results[0]
	printed := fixture.ReadSample(t, filepath.Join(folder, "bench.log")).Results[0]
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

// TestReferencePosts checks that the published posts have 89 blocks, each with consistent figures.
func TestReferencePosts(t *testing.T) {
	digests := map[string]map[string]bool{}
	for file, blocks := range map[string]int{
		"qwen3-thor-results.txt":              32,
		"2025-10-12-jetson-thor-benchmark.md": 14,
		"jetson-thor-guide.txt":               43,
	} {
		out := fixture.ReadSample(t, fixture.Shared(t, "reference", file))
		if len(out.Results) != blocks || len(out.Messages) != 0 {
			t.Errorf("%s: %d results, not %d; messages %v", file, len(out.Results), blocks, out.Messages)
		}
		digests[file] = map[string]bool{}
		for i := range out.Results {
			r := &out.Results[i]
			digests[file][r.Digest] = true
			fixture.Sound(t, r)
			fixture.Consistent(t, r)
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

// ofTools counts the results that a tool's reader has found.
func ofTools(rs []result.Result) int {
	return len(slices.DeleteFunc(slices.Clone(rs), func(r result.Result) bool { return r.Tool == "generic" }))
}
