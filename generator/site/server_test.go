package site

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serverPage returns vLLM's answer at /metrics, as "benchpost record" saves it.
func serverPage(requests, cached int) string {
	const labels = `{engine="0",model_name="Qwen/Qwen3-8B"}`
	return fmt.Sprintf(`# Answer of http://127.0.0.1:8000/metrics at 2026-01-15T09:30:00+08:00
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running%[1]s 0.0
vllm:prefix_cache_queries_total%[1]s %[2]d.0
vllm:prefix_cache_hits_total%[1]s %[3]d.0
vllm:num_preemptions_total%[1]s 0.0
vllm:prompt_tokens_total%[1]s %[2]d.0
vllm:generation_tokens_total%[1]s %[4]d.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="Qwen/Qwen3-8B"} 0.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="Qwen/Qwen3-8B"} %[5]d.0
`, labels, 1024*requests, cached, 128*requests, requests)
}

// recordedSite makes a site of runs as "benchpost record --metrics" saves them: one that ran after the same seed, on a
// hot GPU; one on a cold server; and one while the server had another client.
func recordedSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "site.toml"), "title = \"Recorded\"\n")
	for _, c := range []struct {
		name      string
		at        int // minutes
		seconds   string
		first     int // requests served before the run
		served    int
		cached    int // cached tokens of their prompts
		throttled int // number of ten samples
	}{
		{"warm", 30, "20.00", 101, 101, 101 * 1008, 3},
		{"cold", 40, "24.00", 202, 101, 1008, 0},
		{"shared", 50, "40.00", 303, 180, 1008, 0},
	} {
		run := filepath.Join(dir, "runs", "2026-01-15", c.name)
		var samples strings.Builder
		samples.WriteString("timestamp, index, power.draw [W], utilization.gpu [%], memory.used [MiB], temperature.gpu, clocks.current.sm [MHz], clocks_event_reasons.active\n")
		for i := range 10 {
			reasons := "0x0000000000000000"
			if i < c.throttled {
				reasons = "0x0000000000000020"
			}
			fmt.Fprintf(&samples, "2026/01/15 09:%d:%02d.500, 0, 600.00 W, 100 %%, 70000 MiB, 84, 1755 MHz, %s\n", c.at, i, reasons)
		}
		for name, text := range map[string]string{
			"run.toml":    "seed = \"0\"\n",
			"record.json": fmt.Sprintf(`{"schema": "benchpost-record/1", "command": "vllm bench serve --model Qwen/Qwen3-8B --dataset-name random", "started": "2026-01-15T09:%d:00+08:00", "ended": "2026-01-15T09:%[1]d:12+08:00", "exit_code": 0, "engine": "vllm"}`, c.at),
			"console.log": "Namespace(model='Qwen/Qwen3-8B', dataset_name='random', num_prompts=100, random_input_len=1024, random_output_len=128, max_concurrency=8)\n" +
				fmt.Sprintf("============ Serving Benchmark Result ============\nSuccessful requests:                     100\nBenchmark duration (s):                  %s\nTotal input tokens:                      102400\nTotal generated tokens:                  12800\n"+
					"---------------Time to First Token----------------\nMean TTFT (ms):                          148.53\n==================================================\n", c.seconds),
			"nvidia-smi.csv":      samples.String(),
			"environment.txt":     "$ uname -a\nLinux h 6.8.0-90-generic #91 SMP PREEMPT_DYNAMIC Tue x86_64 x86_64 x86_64 GNU/Linux\n",
			"metrics-before.prom": serverPage(c.first, 5000),
			"metrics-after.prom":  serverPage(c.first+c.served, 5000+c.cached),
		} {
			writeFile(t, filepath.Join(run, name), text)
		}
	}
	return dir
}

// TestWhatTheServerCountedIsOnThePage checks that the page of a run shows the server's counters and the driver's
// reports during the run, with the checks that depend on them, in both languages, and that the methodology explains
// them.
func TestWhatTheServerCountedIsOnThePage(t *testing.T) {
	t.Parallel()
	dir := recordedSite(t)
	_, site := build(t, dir)
	page := func(lang, name string) string {
		text := string(site[lang+"runs/2026-01-15/"+name+"/console.html"])
		if text == "" {
			t.Fatalf("no page of %s", name)
		}
		return text
	}
	for _, c := range []struct {
		lang, group, rate, warm, hot, others, agrees string
	}{
		{"en/", "As the server counted", "Prefix cache hit rate", "the server found 98% of the prompts in its prefix cache", "a power or thermal limit reduced the clock for 30% of the run",
			"another client used the server during the run", "the server counted what the client reports"},
		{"", "服务端统计", "前缀缓存命中率", "服务端有 98% 的提示词命中前缀缓存", "运行期间有 30% 的时间因功率或温度限制而降频",
			"运行期间还有其他客户端在使用该服务", "服务端计数与客户端报告相符"},
	} {
		warm, cold, shared := page(c.lang, "warm"), page(c.lang, "cold"), page(c.lang, "shared")
		for _, want := range []string{c.group, c.rate, "98.44", c.warm, c.hot, c.agrees} {
			if !strings.Contains(warm, want) {
				t.Errorf("%swarm lacks %q", c.lang, want)
			}
		}
		for _, wrong := range []string{c.warm, c.hot, c.others} {
			if strings.Contains(cold, wrong) {
				t.Errorf("%scold contains %q", c.lang, wrong)
			}
		}
		if !strings.Contains(cold, c.rate) || !strings.Contains(shared, c.others) || strings.Contains(warm, c.others) {
			t.Errorf("%s: the rate of a cold server, or the other client, is missing, or is shown for another run", c.lang)
		}
		method := string(site[c.lang+"methodology/index.html"])
		for _, want := range []string{"server.prefix-cache", "server.other-clients", "telemetry.throttled", c.group, `id="metric-prefix_cache_hit_rate"`, `id="metric-throttled_share"`} {
			if !strings.Contains(method, want) {
				t.Errorf("%smethodology lacks %q", c.lang, want)
			}
		}
	}
}

// TestWhatTheServerCountedIsInTheData checks the same in the site's data.
func TestWhatTheServerCountedIsInTheData(t *testing.T) {
	t.Parallel()
	dir := recordedSite(t)
	build(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, "public", "site", "data", "results", "2026-01-15.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(data) {
		t.Fatal("no JSON")
	}
	for _, want := range []string{`"prefix_cache_hit_rate"`, `"server_requests_length"`, `"throttled_share"`, `"server.prefix-cache"`, `"telemetry.throttled"`, `"server.other-clients"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is not in the data", want)
		}
	}
}
