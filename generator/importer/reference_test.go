package importer

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

const reference = "../../../shared/reference/"

// posts reads the three published posts.
func posts(t testing.TB) []File {
	t.Helper()
	var files []File
	for _, name := range []string{"qwen3-thor-results.txt", "2025-10-12-jetson-thor-benchmark.md", "jetson-thor-guide.txt"} {
		need.Beside(t, reference+name)
		data, err := os.ReadFile(reference + name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{name, data})
	}
	return files
}

// TestPosts checks that the posts give 89 results and 53 runs with all their labels.
func TestPosts(t *testing.T) {
	plan, messages := Read(posts(t), nil)
	if plan.Files != 3 || plan.Blocks != 89 || len(plan.Runs) != 53 {
		t.Errorf("%d files, %d results, %d runs", plan.Files, plan.Blocks, len(plan.Runs))
	}
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "%s\n\t%s\n", m.Error(), locale.English(m.Hint))
	}
	plan.Report(&b)
	golden(t, "testdata/posts.golden", b.String())
}

// TestPostsEach checks the numbers for each post.
func TestPostsEach(t *testing.T) {
	files := posts(t)
	for i, want := range []struct{ results, runs int }{{32, 32}, {14, 14}, {43, 41}} {
		plan, _ := Read(files[i:i+1], nil)
		if plan.Blocks != want.results || len(plan.Runs) != want.runs {
			t.Errorf("%s: %d results and %d runs, not %v", files[i].Name, plan.Blocks, len(plan.Runs), want)
		}
	}
}

// TestPostsInAnyOrder checks that the order of the files does not change any run.
func TestPostsInAnyOrder(t *testing.T) {
	files := posts(t)
	plan, _ := Read(files, nil)
	slices.Reverse(files)
	reversed, _ := Read(files, nil)
	for i, r := range reversed.Runs {
		if r.Path != plan.Runs[i].Path {
			t.Fatalf("%s, not %s", r.Path, plan.Runs[i].Path)
		}
		for _, l := range plan.Runs[i].Labels {
			if l.Name != "source" && r.Labels.Get(l.Name) != l.Value {
				t.Errorf("%s: %s is %q, not %q", r.Path, l.Name, r.Labels.Get(l.Name), l.Value)
			}
		}
	}
}

// TestPostsLabels checks all labels of a dozen runs.
func TestPostsLabels(t *testing.T) {
	plan, _ := Read(posts(t), nil)
	const (
		asked = "dataset=random input_len=2048 output_len=128"
		study = "clocks=locked engine=vllm engine_version=0.10.1.1+381074ae hardware=Jetson AGX Thor 128GB image=nvcr.io/nvidia/vllm:25.09-py3 power_mode=MAXN"
		later = "engine=vllm engine_version=0.9.2 image=nvcr.io/nvidia/tritonserver:25.08-vllm-python-py3 dataset=random num_prompts=1000"
		coder = "Qwen3-Coder-30B-A3B-Instruct-Int4-W4A16"
	)
	for _, test := range []struct{ source, want string }{
		{"qwen3-thor-results.txt:37", "model=Qwen3-8B model_raw=/models/Qwen/Qwen3-8B quantization=BF16 load=high num_prompts=100 " + asked + " " + study},
		{"qwen3-thor-results.txt:60", "model=Qwen3-8B model_raw=/models/Qwen/Qwen3-8B quantization=BF16 load=low num_prompts=10 " + asked + " " + study},
		{"qwen3-thor-results.txt:84", "model=Qwen3-8B-FP8 quantization=FP8 load=high num_prompts=100 " + asked + " " + study},
		{"qwen3-thor-results.txt:178", "model=Qwen3-8B-GPTQ-Int4 quantization=GPTQ-Int4 load=high num_prompts=200 " + asked + " " + study},
		{"qwen3-thor-results.txt:342", "model=Qwen3-8B-Int4-W4A16 quantization=W4A16 load=low num_prompts=10 " + asked + " " + study},
		{"qwen3-thor-results.txt:413", "model=Qwen3-8B-GGUF quantization=Q5_K_M load=high num_prompts=100 " + asked + " " + study},
		{"qwen3-thor-results.txt:436", "model=Qwen3-8B-GGUF quantization=Q5_K_M load=low " + asked + " " + study},
		{"jetson-thor-guide.txt:414", "model=Qwen3-8B-FP8 quantization=FP8 load=high power_mode=MAXN clocks=free input_len=2048 output_len=128"},
		{"jetson-thor-guide.txt:531", "model=Qwen3-8B-FP8 quantization=FP8 load=low power_mode=120W clocks=free input_len=2048 output_len=128"},
		{"jetson-thor-guide.txt:578", "model=Qwen3-8B-FP8 quantization=FP8 load=low power_mode=120W clocks=locked input_len=2048 output_len=128"},
		{"2025-10-12-jetson-thor-benchmark.md:75", "model=Qwen3-30B-A3B quantization=BF16 load=high num_prompts=100 engine=vllm published=2025-10-12 " + asked},
		{"2025-10-12-jetson-thor-benchmark.md:326", "model=Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit quantization=AWQ-4bit load=low num_prompts=10 engine=vllm published=2025-10-12 " + asked},
		{"2025-10-12-jetson-thor-benchmark.md:355", "model=" + coder + " quantization=W4A16 load=high num_prompts=100 published=2025-10-12 " + asked + " " + study},
		{"jetson-thor-guide.txt:1300", "model=Qwen3-8B model_raw=/models/Qwen/Qwen3-8B quantization=BF16 scenario=chat input_len=128 output_len=64 " + later},
		{"jetson-thor-guide.txt:1621", "model=" + coder + " model_raw=/models/okwinds/" + coder + " quantization=W4A16 scenario=throughput input_len=256 output_len=512 " + later},
		{"jetson-thor-guide.txt:1748", "model=Qwen3-8B-AWQ model_raw=/models/Qwen/Qwen3-8B-AWQ quantization=AWQ scenario=long-context input_len=1024 output_len=128 " + later},
	} {
		i := slices.IndexFunc(plan.Runs, func(r Run) bool { return r.Labels.Get("source") == test.source })
		if i < 0 {
			t.Errorf("no run is from %s", test.source)
			continue
		}
		var got []string
		for name, value := range plan.Runs[i].Labels.Values() {
			if name != "source" {
				got = append(got, name+"="+value)
			}
		}
		if g, w := strings.Join(got, " "), inOrder(test.want); g != w {
			t.Errorf("%s\n got %s\nwant %s", test.source, g, w)
		}
	}
}

// inOrder sorts "b=2 c=x y a=1" by name.
func inOrder(labels string) string {
	var all []string
	for _, word := range strings.Fields(labels) {
		if strings.Contains(word, "=") {
			all = append(all, word)
		} else {
			all[len(all)-1] += " " + word
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestPostsRaw checks that the raw result is the same as in the post, and that of several copies one with the tool's
// own columns is used.
func TestPostsRaw(t *testing.T) {
	files := posts(t)
	plan, _ := Read(files, nil)
	columns := 0
	for _, r := range plan.Runs {
		i := slices.IndexFunc(files, func(f File) bool { return f.Name == r.Sources[0].File })
		lines := bytes.SplitAfter(files[i].Data, []byte("\n"))[r.Sources[0].Line-1:]
		if n := bytes.Count(r.Raw, []byte("\n")); !bytes.Equal(r.Raw, bytes.Join(lines[:n], nil)) {
			t.Errorf("%s is not what is at %s", r.Path, r.Sources[0])
		}
		if strings.HasSuffix(files[i].Name, ".md") {
			columns++
		}
	}
	if columns != 14 {
		t.Errorf("%d runs have the tool's own columns, not 14", columns)
	}
}

// TestSampleRuns compares the sample data of this repository with the posts: it must have the same 53 results byte for
// byte, and no label that contradicts a post.
func TestSampleRuns(t *testing.T) {
	data, err := rundir.Load("../../runs", rundir.Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	if len(data.Results) != 53 || len(data.Messages) != 0 {
		t.Errorf("%d runs, and %v", len(data.Results), data.Messages)
	}
	plan, _ := Read(posts(t), nil)
	byDigest := map[string]*result.Result{}
	for i := range data.Results {
		byDigest[data.Results[i].Digest] = &data.Results[i]
	}
	for _, run := range plan.Runs {
		sample := byDigest[run.result.Digest]
		if sample == nil {
			t.Errorf("%s is not among the samples", run.Sources[0])
			continue
		}
		raw, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(sample.Source.File)))
		if err != nil || !bytes.Equal(raw, run.Raw) {
			t.Errorf("%s is not what is at %s (%v)", sample.Source.File, run.Sources[0], err)
		}
		for _, l := range run.Labels {
			got := sample.Label(l.Name)
			switch {
			case l.Name == "hardware" && got == "jetson-agx-thor": // the id for the guide's "Jetson AGX Thor 128GB"
			case l.Name == "published" && got == "2025-10-04": // the guide contained it earlier
			case got != l.Value:
				t.Errorf("%s: %s is %q, but %s tells %q", sample.ID, l.Name, got, l.Pos, l.Value)
			}
		}
	}
	for _, r := range data.Results {
		for _, name := range []string{"model", "quantization", "hardware", "engine", "engine_version", "image", "dataset", "input_len", "output_len", "num_prompts", "published", "source"} {
			if r.Label(name) == "" {
				t.Errorf("%s has no %s", r.ID, name)
			}
		}
	}
}
