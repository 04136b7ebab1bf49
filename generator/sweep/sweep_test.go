package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

const sample = `
[[sweep]]
name = "qwen3"
command = ["vllm", "bench", "serve", "--model", "{model}", "--max-concurrency={max_concurrency}", "--extra", '{"n": {max_concurrency}}']
repeat = 2
cool_down = "60s"
before = "sudo nvpmodel -m 0"
[sweep.over]
model = ["Qwen/Qwen3-8B", "Qwen/Qwen3-8B-FP8"]
max_concurrency = [1, 8]
[[sweep.except]]
model = "Qwen/Qwen3-8B"
max_concurrency = 8

[[sweep]]
name = "rates"
command = "guidellm --rate {request_rate}"
[sweep.over]
request_rate = [0.5, 2.0, inf, "poisson"]
`

// TestRuns checks that every combination is a run, in the order of the file, except those left out.
func TestRuns(t *testing.T) {
	sweeps, ms := Parse("runs/sweep.toml", []byte(sample))
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	var got []string
	for _, r := range Runs(sweeps) {
		got = append(got, r.Dir+" | "+strings.Join(r.Command, " ")+" | "+fmt.Sprint(r.Labels()))
	}
	want := []string{
		`qwen3/model-Qwen--Qwen3-8B_max_concurrency-1_r1 | vllm bench serve --model Qwen/Qwen3-8B --max-concurrency=1 --extra {"n": 1} | [[x_sweep qwen3] [model_raw Qwen/Qwen3-8B] [max_concurrency 1] [repeat 1]]`,
		`qwen3/model-Qwen--Qwen3-8B_max_concurrency-1_r2 | vllm bench serve --model Qwen/Qwen3-8B --max-concurrency=1 --extra {"n": 1} | [[x_sweep qwen3] [model_raw Qwen/Qwen3-8B] [max_concurrency 1] [repeat 2]]`,
		`qwen3/model-Qwen--Qwen3-8B-FP8_max_concurrency-1_r1 | vllm bench serve --model Qwen/Qwen3-8B-FP8 --max-concurrency=1 --extra {"n": 1} | [[x_sweep qwen3] [model_raw Qwen/Qwen3-8B-FP8] [max_concurrency 1] [repeat 1]]`,
		`qwen3/model-Qwen--Qwen3-8B-FP8_max_concurrency-1_r2 | vllm bench serve --model Qwen/Qwen3-8B-FP8 --max-concurrency=1 --extra {"n": 1} | [[x_sweep qwen3] [model_raw Qwen/Qwen3-8B-FP8] [max_concurrency 1] [repeat 2]]`,
		`qwen3/model-Qwen--Qwen3-8B-FP8_max_concurrency-8_r1 | vllm bench serve --model Qwen/Qwen3-8B-FP8 --max-concurrency=8 --extra {"n": 8} | [[x_sweep qwen3] [model_raw Qwen/Qwen3-8B-FP8] [max_concurrency 8] [repeat 1]]`,
		`qwen3/model-Qwen--Qwen3-8B-FP8_max_concurrency-8_r2 | vllm bench serve --model Qwen/Qwen3-8B-FP8 --max-concurrency=8 --extra {"n": 8} | [[x_sweep qwen3] [model_raw Qwen/Qwen3-8B-FP8] [max_concurrency 8] [repeat 2]]`,
		"rates/request_rate-0.5_r1 | guidellm --rate 0.5 | [[x_sweep rates] [request_rate 0.5]]",
		"rates/request_rate-2_r1 | guidellm --rate 2 | [[x_sweep rates] [request_rate 2]]",
		"rates/request_rate-inf_r1 | guidellm --rate inf | [[x_sweep rates] [request_rate inf]]",
		"rates/request_rate-poisson_r1 | guidellm --rate poisson | [[x_sweep rates] [request_rate poisson]]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if s := sweeps[0]; s.CoolDown != time.Minute || !slices.Equal(s.Before, []string{"sudo", "nvpmodel", "-m", "0"}) {
		t.Errorf("%+v", s)
	}
}

// TestFoldersOfHostileValues checks that the folders of any values have safe and distinct names, which do not change
// when values are added.
func TestFoldersOfHostileValues(t *testing.T) {
	values := []string{"../x", "a/b", "a--b", "a b", "a-b", "模型 一", "模型", "warmup", "old", ".", "..", "~", "-rf", "$(x)", "a=b", "A", "a", strings.Repeat("x", 300), "\\", "con", "8_r1", "{n}", "'\"", "a\tb"}
	folders := func(values []string) map[string]string {
		var quoted []string
		for _, v := range values {
			quoted = append(quoted, fmt.Sprintf("%q", v))
		}
		sweeps, ms := Parse("sweep.toml", []byte("[[sweep]]\nname = \"x\"\ncommand = [\"echo\", \"{v}\"]\n[sweep.over]\nv = ["+strings.Join(quoted, ",")+"]\n"))
		if len(ms) > 0 {
			t.Fatal(ms)
		}
		dirs := map[string]string{}
		for _, r := range Runs(sweeps) {
			if r.Command[1] != r.Values[0] {
				t.Errorf("%q became %q", r.Values[0], r.Command[1])
			}
			dirs[r.Values[0]] = r.Dir
		}
		return dirs
	}
	all := folders(values)
	seen := map[string]string{}
	for value, dir := range all {
		if other, taken := seen[strings.ToLower(dir)]; taken {
			t.Errorf("%q and %q are both in %s", value, other, dir)
		}
		seen[strings.ToLower(dir)] = value
		if !filepath.IsLocal(dir) || strings.Count(dir, "/") != 1 || strings.ContainsAny(dir, " \\~$=*'\"\t{}") || len(dir) > 200 {
			t.Errorf("%q lies in %q", value, dir)
		}
	}
	for value, dir := range folders(values[:5]) {
		if all[value] != dir {
			t.Errorf("%q lay in %s, and then in %s", value, dir, all[value])
		}
	}
}

// TestSlips checks that mistakes are reported with their line and a suggestion.
func TestSlips(t *testing.T) {
	const head = "[[sweep]]\nname = \"x\"\n"
	for text, want := range map[string]string{
		"":                     "sweep.toml:1: error: it has no [[sweep]] | for example [[sweep]] with name, command and [sweep.over]",
		"[[sweep]]\nnam = 'x'": `sweep.toml:2: error: unknown key "sweep.nam" | did you mean "name"?`,
		head + "command = ['a', '{modle}']\n[sweep.over]\nmodel = ['a']":                            `sweep.toml:3: error: sweep "x": {modle} is undefined | did you mean model?`,
		head + "command = ['{a}']\n[sweep.over]\na = ['1']\nb = [1]":                                `sweep.toml:6: error: sweep "x": neither command nor before has {b}`,
		head + "command = ['{a}']\n[sweep.over]\na = [1, 2]\n[[sweep.except]]\nb = 1":               `sweep.toml:7: error: sweep "x": except names b, which does not vary`,
		head + "command = ['{a}']\n[sweep.over]\na = ['Qwen3', 'x']\n[[sweep.except]]\na = 'Qwen4'": `except names a = "Qwen4", which is not planned | did you mean Qwen3?`,
		head + "command = ['{a}']\n[sweep.over]\na = [1]\n[[sweep.except]]\na = 1":                  `excludes everything it plans`,
		head + "command = ['{a}']\n[sweep.over]\na = [1, 1]":                                        `sweep.toml:5: error: sweep "x": a has "1" twice`,
		head + "command = ['{a}']\n[sweep.over]\na = []":                                            `a has no values`,
		head + "command = ['{a}']\n[sweep.over]\na = [[1]]":                                         `a value of a is none`,
		head + "command = ['{ttft_mean}']\n[sweep.over]\nttft_mean = [1]":                           `ttft_mean is a metric`,
		head + "command = ['{id}']\n[sweep.over]\nid = [1]":                                         `id comes from the raw file`,
		head + "command = ['{repeat}']\n[sweep.over]\nrepeat = [1]":                                 `repeat is a label that every run has`,
		head + "command = \"a | b\"":                                                                `only a shell understands |`,
		head + "command = 3":                                                                        `a command is a list of words`,
		head + "cool_down = '60'":                                                                   `60`,
		head + "repeat = -1\ncommand='a'":                                                           `sweep.toml:3: error: sweep "x": repeat is -1`,
		head + "":                                                                                   `sweep "x" has no command`,
		head + "command='a'\n" + head + "command='a'":                                               `sweep.toml:5: error: two sweeps are called "x"`,
		"[[sweep]]\nname = '///'\ncommand='a'":                                                      `has no letter in its name`,
		head + "command = ['{a}{b}']\n[sweep.over]\na = [" + strings.TrimSuffix(numbers(400), ",") + "]\nb = [" + numbers(400) + "]": `plans more than 100000 runs`,
	} {
		sweeps, ms := Parse("sweep.toml", []byte(text))
		if len(ms) == 0 || sweeps != nil {
			t.Errorf("%q: nothing is reported", text)
			continue
		}
		got := make([]string, len(ms))
		for i, m := range ms {
			got[i] = m.Error() + " | " + locale.English(m.Hint)
			if m.Pos.Line == 0 || m.Severity != result.Error {
				t.Errorf("%q: %s has no line", text, got[i])
			}
		}
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%q\ntells %q\nnot %q", text, got, want)
		}
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,", i)
	}
	return b.String()
}

// TestStates checks that the files in a run's folder determine its state.
func TestStates(t *testing.T) {
	const table = "============ Serving Benchmark Result ============\nSuccessful requests: 10\nOutput token throughput (tok/s): 44.05\n==================================================\n"
	for want, files := range map[State][]map[string]string{
		Planned: {nil},
		Done: {{"record.json": `{"schema": "benchpost-record/1", "command": "x", "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:01:00Z", "exit_code": 0}`,
			"console.log": table}},
		Failed: {
			{"record.json": `{"ended": "2026-01-01T00:01:00Z", "exit_code": 1}`, "console.log": table},
			{"record.json": `{"ended": "2026-01-01T00:01:00Z", "exit_code": 0}`, "console.log": "nothing"},
			{"record.json": `{"ended": "2026-01-01T00:01:00Z", "exit_code": 0}`, "telemetry.csv": "timestamp,gpu_power_w\n2026-01-01T00:00:00,1\n2026-01-01T00:00:01,1\n2026-01-01T00:00:02,1\n"},
		},
		Unfinished: {
			{"console.log": table},
			{"record.json": `{"started": "2026-01-01T00:00:00Z"}`, "console.log": table},
			{"record.json": `{"started`, "console.log": table},
			{"record.json": `{"ended": "2026-01-01T00:01:00Z", "exit_code": 130, "interrupted": true}`},
			{"record.json": `{"ended": "2026-01-01T00:01:00Z", "fault": "interrupted"}`},
		},
	} {
		for _, in := range files {
			dir := filepath.Join(t.TempDir(), "run")
			if in != nil {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range in {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, took := StateOf(dir)
			if got != want || want == Done && took != time.Minute {
				t.Errorf("%v: %v, not %v; %v", in, got, want, took)
			}
		}
	}
}

// TestPutAside checks that a folder put aside is kept under a name that says that it is superseded.
func TestPutAside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a_r1")
	for n := range 3 {
		if err := PutAside(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(n, err)
		}
	}
	for _, name := range []string{dir, dir + "-1-old", dir + "-2-old"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestLock checks that a second process cannot run the same plan.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(dir); err == nil || !strings.Contains(err.Error(), "another benchpost") {
		t.Errorf("%v", err)
	}
	unlock()
	if unlock, err = Lock(dir); err != nil {
		t.Error(err)
	}
	unlock()
}
