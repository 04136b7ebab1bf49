//go:build linux || darwin

package record

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// tools makes a folder with programs, each a shell script, and sets PATH to it.
func tools(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// recorded records this test's benchmark and loads the recording.
func recorded(t *testing.T, opt Options, words ...string) (Outcome, *rundir.Dataset) {
	t.Helper()
	t.Setenv("RECORD_TEST_PART", "benchmark")
	t.Chdir(t.TempDir())
	opt.Words = append([]string{os.Args[0]}, words...)
	opt.Dir = filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(opt.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	opt.Stdin, opt.Stdout, opt.Stderr = strings.NewReader(""), io.Discard, io.Discard
	out, err := Run(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	set, err := rundir.Load(opt.Dir, rundir.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range set.Messages {
		if m.Severity > result.Info {
			t.Errorf("%v", m)
		}
	}
	return out, set
}

// the returns the only result that is a run.
func the(t *testing.T, set *rundir.Dataset) *result.Result {
	t.Helper()
	i := slices.IndexFunc(set.Results, func(r result.Result) bool { return r.Tool == "vllm-serve" && r.Label("phase") == "" })
	if i < 0 {
		t.Fatalf("no run: %v, skipped %v", set.Results, set.Unread)
	}
	return &set.Results[i]
}

func has(t *testing.T, r *result.Result, labels ...string) {
	t.Helper()
	for _, want := range labels {
		name, value, _ := strings.Cut(want, "=")
		if got := r.Label(name); got != value {
			t.Errorf("%s is %q, not %q", name, got, value)
		}
	}
}

// TestNvidia checks that the output of nvidia-smi and of system tools becomes labels of the run, and that samples
// become its telemetry with busy and idle power.
func TestNvidia(t *testing.T) {
	tools(t, map[string]string{
		"uname": `echo 'Linux gpu1 6.8.0-90-generic #91~22.04.1-Ubuntu SMP PREEMPT_DYNAMIC Thu x86_64 x86_64 x86_64 GNU/Linux'`,
		"lscpu": "echo 'Architecture:        x86_64\nCPU(s):              24\nOn-line CPU(s) list: 0-23\nModel name:          12th Gen Intel(R) Core(TM) i9-12900KF\nThread(s) per core:  2\nSocket(s):           1'",
		"nvidia-smi": `case "$*" in
'') echo '| NVIDIA-SMI 580.126.09             Driver Version: 580.126.09     CUDA Version: 13.0     |' ;;
*throttle*) echo 'Field "clocks_throttle_reasons.active" is not a valid field to query.'; exit 2 ;;
*timestamp*-lms*) echo 'timestamp, index, power.draw [W], utilization.gpu [%], memory.used [MiB], temperature.gpu, clocks.current.sm [MHz]'
  i=0; while [ $i -lt 5000 ]; do now=$(/bin/date '+%Y/%m/%d %H:%M:%S.%N' | /usr/bin/cut -c1-23); if [ -e ` + "\"$BUSY\"" + ` ]; then w=250; else w=30; fi
  echo "$now, 0, $w.50 W, 90 %, 1000 MiB, 55, 1800 MHz"; i=$((i+1)); /bin/sleep 0.02; done ;;
*timestamp*) echo 'timestamp, index, power.draw [W]' ;;
*) echo 'index, name, driver_version, memory.total [MiB], power.limit [W]'; echo '0, NVIDIA GeForce RTX 3090, 580.126.09, 24576 MiB, 350.00 W' ;;
esac`,
	})
	busy := filepath.Join(t.TempDir(), "busy")
	t.Setenv("BUSY", busy)
	out, set := recorded(t, Options{Interval: 20 * time.Millisecond, Idle: 400 * time.Millisecond, Labels: []Label{{"power_mode", "350W"}, {"note", "a \"b\"\n\\ 中"}}},
		"file="+busy+":x", "wait=600", "table", "wait=300")
	_ = out
	r := the(t, set)
	has(t, r, "gpu=NVIDIA GeForce RTX 3090", "device_count=1", "x_driver=580.126.09", "x_cuda=13.0", "x_kernel=6.8.0-90-generic", "x_cpu=12th Gen Intel(R) Core(TM) i9-12900KF",
		"power_mode=350W", "note=a \"b\"\n\\ 中", "x_exit_code=0", "power_scope=gpu")
	for _, name := range []string{"x_started", "x_ended", "x_host", "x_command"} {
		if r.Label(name) == "" {
			t.Errorf("no %s", name)
		}
	}
	if m, ok := r.Metric("power_mean"); !ok || m.Value < 240 {
		t.Errorf("power %v %v", m, ok)
	}
	if !slices.ContainsFunc(set.Beside, func(b rundir.Beside) bool { return b.Format == "nvidia-smi-csv" && len(b.Runs) == 1 }) {
		t.Errorf("%+v", set.Beside)
	}
}

// TestOtherAccelerators checks that each vendor's tool samples its accelerators if its probe succeeds, and is skipped
// otherwise.
func TestOtherAccelerators(t *testing.T) {
	loop := func(line string) string {
		return "i=0; while [ $i -lt 400 ]; do " + line + "; i=$((i+1)); /bin/sleep 0.05; done"
	}
	fails := "echo 'no devices'; exit 1"
	for name, c := range map[string]struct {
		tools  map[string]string
		format string
		scope  string
	}{
		"AMD": {map[string]string{"nvidia-smi": fails, "amd-smi": `case "$*" in *-w*) echo 'timestamp,gpu,power_usage,hotspot_temperature,gfx'
` + loop(`echo "$(/bin/date +%s.%3N),0,612,66,99"`) + ` ;; *--csv) echo gpu,power_usage ;; esac`}, "amd-smi-csv", "gpu"},
		"Ascend": {map[string]string{"npu-smi": `case "$*" in 'info watch') echo 'NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)     AI Core(%)'
` + loop(`echo '0           0           612.0       43          97'`) + ` ;; esac`}, "npu-smi-watch-text", "gpu"},
		"Intel": {map[string]string{"amd-smi": fails, "xpu-smi": `case "$*" in dump*) echo 'Timestamp, DeviceId, GPU Utilization (%), GPU Power (W)'
` + loop(`echo "$(/bin/date +%H:%M:%S.%3N),    0, 98.00, 612.00"`) + ` ;; esac`}, "xpu-smi-csv", "gpu"},
		"Apple": {map[string]string{"macmon": `case "$*" in pipe*) ` + loop(`echo "{\"timestamp\":\"$(/bin/date -u +%Y-%m-%dT%H:%M:%S.%N+00:00 | /bin/sed 's/...+/+/')\",\"cpu_power\":12,\"gpu_power\":600,\"all_power\":612.0,\"sys_power\":0.0}"`) + ` ;; esac`}, "macmon-json", "package"},
	} {
		t.Run(name, func(t *testing.T) {
			tools(t, c.tools)
			_, set := recorded(t, Options{Interval: 50 * time.Millisecond, Idle: 50 * time.Millisecond}, "table", "wait=400")
			r := the(t, set)
			has(t, r, "power_scope="+c.scope)
			if m, ok := r.Metric("power_mean"); !ok || math.Abs(m.Value-612) > 1e-9 {
				t.Errorf("power %v %v, %+v", m, ok, set.Beside)
			}
			if !slices.ContainsFunc(set.Beside, func(b rundir.Beside) bool { return b.Format == c.format && len(b.Runs) == 1 }) {
				t.Errorf("%+v", set.Beside)
			}
		})
	}
}

// TestJetson checks that the power mode, the clocks and tegrastats describe a Jetson.
func TestJetson(t *testing.T) {
	tools(t, map[string]string{
		"nvpmodel":      `echo 'NV Power Mode: MAXN_SUPER'`,
		"jetson_clocks": "echo 'cpu0: Online=1 Governor=schedutil MinFreq=1728000 MaxFreq=1728000 CurrentFreq=1728000 IdleStates: WFI=0 c7=0\nGPU MinFreq=918000000 MaxFreq=918000000 CurrentFreq=918000000\nEMC MinFreq=204000000 MaxFreq=3199000000 CurrentFreq=3199000000 FreqOverride=1'",
		"tegrastats": `i=0; while [ $i -lt 5000 ]; do echo "$(/bin/date '+%m-%d-%Y %H:%M:%S') RAM 519/7607MB (lfb 61x4MB) CPU [0%@1728,off] EMC_FREQ 0%@3199 GR3D_FREQ 39%@[1018] cpu@48.9C tj@49.6C VDD_IN 5971mW/5971mW VDD_CPU_GPU_CV 1669mW/1669mW"
i=$((i+1)); /bin/sleep 0.05; done`,
	})
	out, set := recorded(t, Options{Interval: 50 * time.Millisecond, Idle: 50 * time.Millisecond}, "table", "wait=1500")
	r := the(t, set)
	has(t, r, "power_mode=MAXN_SUPER", "clocks=locked", "power_scope=module")
	if m, ok := r.Metric("power_mean"); !ok || math.Abs(m.Value-5.971) > 1e-9 {
		t.Errorf("power %v %v", m, ok)
	}
	if !strings.HasPrefix(out.Record.Telemetry, "tegrastats") {
		t.Errorf("%s", out.Record.Telemetry)
	}
}

// TestNoTools checks that a run is recorded without any tool, and that missing tools are noted.
func TestNoTools(t *testing.T) {
	tools(t, nil)
	out, set := recorded(t, Options{Interval: 20 * time.Millisecond, Idle: 60 * time.Millisecond}, "wait=200", "table")
	r := the(t, set)
	has(t, r, "x_exit_code=0")
	for _, want := range []string{"nvidia-smi: not found", "lscpu: not found", "uname: not found", "git: not found"} {
		if !slices.Contains(out.Record.NotCaptured, want) {
			t.Errorf("%q does not tell %s", out.Record.NotCaptured, want)
		}
	}
	if r.Label("x_kernel") == "" || r.Label("x_arch") == "" {
		t.Errorf("%v", r.Labels)
	}
	if out.Record.Telemetry != "" && r.Telemetry == nil {
		t.Errorf("telemetry is joined to nothing: %+v", set.Beside)
	}
	// Without power, the record separates the idle time from the run.
	if r.Telemetry != nil && r.Telemetry.From < 0.02 {
		t.Errorf("from %v to %v", r.Telemetry.From, r.Telemetry.To)
	}
}

// TestToolsThatMisbehave checks that tools that hang, fail or print too much do not delay the recording for long.
func TestToolsThatMisbehave(t *testing.T) {
	tools(t, map[string]string{
		"lscpu": "echo broken >&2; exit 3",
		"uname": "/usr/bin/yes 'flood' | /usr/bin/head -c 50000000",
		"git":   "echo hf_abcdefghijklmnop; exit 0",
	})
	out, _ := recorded(t, Options{Telemetry: "no-such-sampler --x"}, "table")
	all := strings.Join(out.Record.NotCaptured, "\n")
	for _, want := range []string{"lscpu: exit status 3: broken", "telemetry: no-such-sampler: not found"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not told in %q", want, all)
		}
	}
}

// TestServer checks that the server's version, its counters and its docker image are recorded.
func TestServer(t *testing.T) {
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/version":
			fmt.Fprint(w, `{"version":"0.26.0"}`)
		case "/v1/models":
			fmt.Fprint(w, `{"object":"list","data":[{"id":"m","owned_by":"vllm"}]}`)
		case "/metrics":
			count++
			fmt.Fprintf(w, "vllm:prompt_tokens_total{model_name=\"m\"} %d\n", count)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	port := server.URL[strings.LastIndex(server.URL, ":")+1:]
	tools(t, map[string]string{"docker": "printf 'other:1\\t0.0.0.0:1->1/tcp\\nvllm/vllm-openai:v0.26.0\\t0.0.0.0:" + port + "->8000/tcp, [::]:" + port + "->8000/tcp\\n'"})
	out, set := recorded(t, Options{Telemetry: "none", Metrics: server.URL + "/metrics"}, "--base-url", server.URL+"/v1", "table")
	has(t, the(t, set), "engine=vllm", "engine_version=0.26.0", "image=vllm/vllm-openai:v0.26.0")
	dir := set.Root
	for name, want := range map[string]string{metricsBefore: "} 1\n", metricsAfter: "} 2\n"} {
		if got := read(t, filepath.Join(dir, name)); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if out.Record.ExitCode == nil {
		t.Error("no exit code")
	}
}

// TestNoAnswer checks that tools and servers that hang are given up, including processes started by a tool.
func TestNoAnswer(t *testing.T) {
	tools(t, map[string]string{"nvidia-smi": "trap '' TERM; /bin/sleep 60 & /bin/sleep 60"})
	hung := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hung.Close()
	for name, ask := range map[string]func(context.Context) error{
		"a tool":   func(ctx context.Context) error { _, err := output(ctx, "", "nvidia-smi"); return err },
		"a server": func(ctx context.Context) error { _, err := get(ctx, hung.URL); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if err := ask(ctx); err == nil || !strings.Contains(err.Error(), "no answer within") {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}

// TestNoAnswerInTime does what [TestNoAnswer] does for a whole recording with the real timeout.
func TestNoAnswerInTime(t *testing.T) {
	need.Thorough(t, "it waits for seconds")
	tools(t, map[string]string{"nvidia-smi": "trap '' TERM; /bin/sleep 60 & /bin/sleep 60"})
	hung := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hung.Close()
	begin := time.Now()
	out, _ := recorded(t, Options{Telemetry: "none", Server: hung.URL}, "table")
	if took := time.Since(begin); took > 15*patience {
		t.Errorf("took %v", took)
	}
	all := strings.Join(out.Record.NotCaptured, "\n")
	for _, want := range []string{"nvidia-smi: no answer within", "version of the server: no answer within"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in %q", want, all)
		}
	}
}

// TestNoSecretIsWritten checks that files written by the recording contain no secret of the command or the environment.
func TestNoSecretIsWritten(t *testing.T) {
	tools(t, nil)
	t.Setenv("HF_TOKEN", "hf_abcdefghijklmnop")
	t.Setenv("VLLM_API_KEY", "geheim-1234")
	t.Setenv("VLLM_PROXY", "http://me:geheim-9999@proxy/")
	out, set := recorded(t, Options{Telemetry: "none", Labels: []Label{{"note", "Bearer geheim-8888"}}},
		"--api-key", "geheim-5678", "--url=https://me:geheim-7777@127.0.0.1:1/", "out=Namespace(api_key='geheim-5678')", "table", "file=r.json:{\"api_key\": \"geheim-5678\"}")
	entries, err := os.ReadDir(set.Root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text := read(t, filepath.Join(set.Root, e.Name()))
		if e.Name() == logName || e.Name() == "r.json" {
			continue
		}
		if strings.Contains(text, "geheim") || strings.Contains(text, "hf_abc") {
			t.Errorf("%s: %s", e.Name(), text)
		}
	}
	// The benchmark of this test prints its own arguments.
	if !slices.Contains(out.Secrets, "console.log:1") || !slices.Contains(out.Secrets, "r.json:1") {
		t.Errorf("%q", out.Secrets)
	}
}

// TestResultFiles checks that new and changed files are copied, that older ones are not, and that only the new part of
// an appended file is.
func TestResultFiles(t *testing.T) {
	tools(t, nil)
	wd := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(wd, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(wd, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("dataset.json", "[]")
	write("all.jsonl", "{\"old\": 1}\n")
	write("rewritten.json", "{\"a\": 1}")
	write("out/old.json", "{}")
	write("other/.hidden.json", "{}")
	into := t.TempDir()
	for _, c := range []struct {
		words  []string
		change func()
		want   map[string]string
	}{
		{[]string{"bench"}, func() {
			write("new.json", "{\"b\": 2}")
			write("new.txt", "no result")
			write("rewritten.json", "{\"a\": 12}")
		}, map[string]string{"new.json": "{\"b\": 2}", "rewritten.json": "{\"a\": 12}"}},
		{[]string{"bench", "--output-file", "all.jsonl", "--model", "m"}, func() {
			f, _ := os.OpenFile(filepath.Join(wd, "all.jsonl"), os.O_APPEND|os.O_WRONLY, 0o644)
			fmt.Fprintln(f, `{"new": 2}`)
			f.Close()
			write("beside.json", "of another")
		}, map[string]string{"all.jsonl": "{\"new\": 2}\n"}},
		{[]string{"bench", "--result-dir", "out"}, func() {
			write("out/a/b.json", "{}")
			write("out/record.json", "{}")
			write("out/console.log", "x")
			write("out/empty.json", "")
		}, map[string]string{"a/b.json": "{}", "result-record.json": "{}", "result-console.log": "x"}},
		{[]string{"bench", "-o", "."}, func() { write("dot.csv", "a,b") }, map[string]string{"dot.csv": "a,b"}},
		{[]string{"bench", "-o", filepath.Join(wd, "far", "x.csv")}, func() { write("far/x.csv", "a") }, map[string]string{"x.csv": "a"}},
	} {
		into = filepath.Join(into, "run")
		if err := os.MkdirAll(into, 0o755); err != nil {
			t.Fatal(err)
		}
		col := newCollector(c.words, wd, into)
		time.Sleep(10 * time.Millisecond)
		c.change()
		files, problems := col.collect()
		got := map[string]string{}
		for _, f := range files {
			got[f.To] = read(t, filepath.Join(into, f.To))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || problems != nil {
			t.Errorf("%v: %v, not %v; %v", c.words, got, c.want, problems)
		}
		if _, err := os.Stat(filepath.Join(wd, "new.json")); err != nil {
			t.Errorf("the original is gone: %v", err)
		}
	}
}

// TestGit checks that the revision of the current folder is noted, and whether it has changes.
func TestGit(t *testing.T) {
	git := need.Command(t, "git")
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(git, append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
	}
	run("init", "-q")
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	run("add", "a")
	run("commit", "-qm", "a")
	for _, dirty := range []bool{false, true} {
		if dirty {
			if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := capture{dir: dir, record: new(format.Record)}
		c.git(context.Background())
		if len(c.record.GitRevision) != 40 || c.record.GitDirty != dirty {
			t.Errorf("%+v", c.record)
		}
	}
}

// TestFault checks that the reason is found in the first line of a tool's output, and in the last line of a Python
// traceback.
func TestFault(t *testing.T) {
	t.Parallel()
	const why = "PackageNotFoundError: No package metadata was found for vllm"
	for _, printed := range []string{why, "\n" + why + "\nsee --help\n", "Traceback (most recent call last):\n  File \"<string>\", line 1, in <module>\n" + why + "\n"} {
		if got := fault(printed); got != why {
			t.Errorf("%q: %q", printed, got)
		}
	}
	if got := fault(""); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
