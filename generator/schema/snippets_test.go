package schema_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/plot"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
)

// placeholder matches a placeholder, whose default follows a colon. A brace in the default is escaped.
var placeholder = regexp.MustCompile(`\$\{\d+:((?:\\\}|[^}])*)\}|\$0`)

// snippets returns the texts that docs/benchpost.code-snippets inserts, with the defaults of their
// placeholders, by prefix.
func snippets(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../docs/benchpost.code-snippets")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]struct {
		Prefix, Description string
		Body                []string
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, s := range all {
		if s.Description == "" || texts[s.Prefix] != "" {
			t.Errorf("%s: prefix %q, description %q", name, s.Prefix, s.Description)
		}
		texts[s.Prefix] = strings.ReplaceAll(placeholder.ReplaceAllString(strings.Join(s.Body, "\n")+"\n", "$1"), `\}`, "}")
	}
	return texts
}

// TestSnippetsAreComplete: there is a snippet for the front matter, for a value, for each kind of block and for
// each kind of chart, and each is valid by its schema.
func TestSnippetsAreComplete(t *testing.T) {
	t.Parallel()
	texts := snippets(t)
	wanted := []string{"bp-post", "bp-value"}
	for kind := range block.Specs() {
		if kind != "chart" {
			wanted = append(wanted, "bp-"+kind)
		}
	}
	for _, kind := range plot.Kinds() {
		wanted = append(wanted, "bp-chart-"+kind)
	}
	for _, prefix := range wanted {
		if texts[prefix] == "" {
			t.Errorf("there is no snippet %s", prefix)
		}
	}
	if len(texts) != len(wanted) {
		t.Errorf("there are %d snippets, %d are wanted", len(texts), len(wanted))
	}
	for prefix, text := range texts {
		if front, ok := strings.CutPrefix(text, "+++\n"); ok {
			front, _, _ = strings.Cut(front, "\n+++\n")
			if err := compiled(t, "post").Validate(values(t, prefix, front)); err != nil {
				t.Error(prefix, err)
			}
		}
		for _, m := range blocks.FindAllStringSubmatch(text, -1) {
			if err := compiled(t, "block-"+m[1]).Validate(values(t, prefix, m[2])); err != nil {
				t.Error(prefix, err)
			}
		}
	}
}

// TestSnippetsBuild: a post of all snippets builds without errors if the runs contain what they use.
func TestSnippetsBuild(t *testing.T) {
	t.Parallel()
	texts := snippets(t)
	var post strings.Builder
	post.WriteString(texts["bp-post"])
	prefixes := make([]string, 0, len(texts))
	for prefix := range texts {
		if prefix != "bp-post" {
			prefixes = append(prefixes, prefix)
		}
	}
	slices.Sort(prefixes)
	for _, prefix := range prefixes {
		post.WriteString("\n" + texts[prefix])
	}
	dir := measured(t)
	write(t, dir, "content/posts/all.en.md", post.String())
	summary, messages, err := site.Build(context.Background(), site.Options{Dir: dir, Out: filepath.Join(dir, "public")})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		if m.Severity == result.Error {
			t.Error(m)
		}
	}
	if summary.Posts != 1 {
		t.Errorf("%d posts were built", summary.Posts)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// measured returns a site whose runs contain all that snippets use: two models, free and locked clocks, a sweep
// over concurrency, two days, single requests and telemetry.
func measured(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "site.toml", `title = "All"
languages = ["en"]
[[load]]
name = "high"
when = '{max_concurrency="8"}'
[[load]]
name = "low"
when = '{max_concurrency="1"}'
[[model]]
id = "Qwen3-8B"
weight_size = "16 GB"
[[model]]
id = "Qwen3-8B-FP8"
weight_size = "9 GB"
[[plan]]
name = "example"
labels = { model = ["Qwen3-8B", "Qwen3-8B-FP8"], load = ["high", "low"] }
`)
	for m, model := range []string{"Qwen3-8B", "Qwen3-8B-FP8"} {
		for k, part := range []string{"scenario=sweep", "scenario=clocks/clocks=free", "scenario=clocks/clocks=locked", "scenario=scaling/accelerators=1", "scenario=scaling/accelerators=2"} {
			folder := fmt.Sprintf("runs/example/%s/model=%s/", part, model)
			write(t, dir, folder+"run.toml", "hardware = \"board\"\nengine_version = \"0.9.1\"\n")
			steps := []int{1, 2, 4, 8, 16}
			if k > 0 {
				steps = steps[2:3]
			}
			for i, concurrency := range steps {
				requests := 4 * concurrency
				var ttfts, itls, lens, starts, failed []string
				for n := range requests {
					x := math.Sin(float64(n + i))
					ttfts, itls = append(ttfts, fmt.Sprintf("%.4f", float64(concurrency)*(0.02+0.005*x))), append(itls, fmt.Sprintf("[%.4f, 0.0210, 0.0300]", 0.02+0.004*x))
					lens, starts, failed = append(lens, "4"), append(starts, fmt.Sprintf("%.2f", 100+0.1*float64(n))), append(failed, `""`)
				}
				list := func(values []string) string { return "[" + strings.Join(values, ", ") + "]" }
				rate := float64(8+4*m-k) * float64(concurrency) / (1 + float64(concurrency)/8)
				name := fmt.Sprintf("c%d", concurrency)
				write(t, dir, folder+name+".json", fmt.Sprintf(`{"date": "202510%02d-120005", "backend": "vllm", "model_id": %q, "num_prompts": %d, "request_rate": "inf", "max_concurrency": %d,
"duration": %.4f, "completed": %d, "total_input_tokens": %d, "total_output_tokens": %d, "request_throughput": %.4f, "output_throughput": %.4f, "total_token_throughput": %.4f,
"mean_ttft_ms": %.2f, "mean_tpot_ms": 24.1, "ttfts": %s, "itls": %s, "output_lens": %s, "start_times": %s, "errors": %s}`,
					11+i, model, requests, concurrency, float64(4*requests)/rate, requests, 100*requests, 4*requests, rate/4, rate, 26*rate, 20*float64(concurrency), list(ttfts), list(itls), list(lens), list(starts), list(failed)))
				var power strings.Builder
				for s := range 20 {
					fmt.Fprintf(&power, "10-%d-2025 %s RAM 8300/125749MB (lfb 31x4MB) CPU [90%%@2601,off] GR3D_FREQ 88%%@[1574,1574] tj@%dC/67C VDD_GPU 38000mW/9000mW VIN %d000mW/36000mW\n", 11+i, time.Date(2025, 10, 11, 11, 59, 50+s, 0, time.UTC).Format(time.TimeOnly), 50+s, 40+10*(s%4))
				}
				write(t, dir, folder+"power-"+name+".log", power.String())
			}
		}
	}
	return dir
}
