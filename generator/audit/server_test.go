package audit

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func TestThrottling(t *testing.T) {
	const id = "telemetry.throttled"
	for _, c := range []struct{ name, run, want string }{
		{"never", "throttled_share:0", ""},
		{"one sample of twenty", "throttled_share:5", ""},
		{"two of thirty-nine", "throttled_share:5.13", "warning " + id},
		{"all the time", "throttled_share:100", "warning " + id},
		{"nobody tells", "temperature_max:95", ""},
	} {
		if got := raised(run(c.run), id); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if r := run("throttled_share:0"); !has(Judge(r).Passed, id) {
		t.Error("a clock that was not held down does not pass")
	}
	silent := run("gpu_utilization:80")
	if has(Judge(silent).Unjudged, id) {
		t.Error("unjudged without telemetry")
	}
	silent.Telemetry = &result.Telemetry{}
	if !has(Judge(silent).Unjudged, id) {
		t.Error("telemetry without reasons is not called unjudged")
	}
	r := run("throttled_share:40 ttft_mean:100 quality:0.5")
	ck := Judge(r).Raised[0]
	if !ck.Concerns("ttft_mean") || !ck.Concerns("output_throughput") || ck.Concerns("quality") || ck.Concerns("requests_completed") {
		t.Errorf("concerns %v", ck.Metrics)
	}
}

// A hundred random prompts of 1,024 tokens explain 5 % + 64/1024 = 11.25 %.
func TestPrefixCache(t *testing.T) {
	const id, hundred = "server.prefix-cache", "dataset=random requests_completed:100 input_tokens:102400 "
	for _, c := range []struct{ name, run, want string }{
		{"a cold server", hundred + "prefix_cache_hit_rate:0.97", ""},
		{"just explained", hundred + "prefix_cache_hit_rate:11.2", ""},
		{"just not", hundred + "prefix_cache_hit_rate:11.3", "warning " + id},
		{"the same seed twice", hundred + "prefix_cache_hit_rate:98.44", "warning " + id},
		{"declared", hundred + "prefix_caching=true prefix_cache_hit_rate:98.44", ""},
		{"switched off, they say", hundred + "prefix_caching=false prefix_cache_hit_rate:98.44", "warning " + id},
		{"a prefix was asked for", hundred + "random_prefix_len=512 prefix_cache_hit_rate:60", ""},
		{"and no more", hundred + "random_prefix_len=512 prefix_cache_hit_rate:63", "warning " + id},
		{"of ten prompts one was the trial", "dataset=random requests_completed:10 input_tokens:10240 prefix_cache_hit_rate:9.09", ""},
		{"the trial was the only prompt", "dataset=random requests_completed:1 input_tokens:1024 prefix_cache_hit_rate:49.22", "warning " + id},
		{"and five warm-ups", hundred + "x_num_warmups=5 prefix_cache_hit_rate:16", ""},
		{"as the command tells", hundred + "x_command=bench_--num-warmups_5_--x prefix_cache_hit_rate:16", ""},
		{"preempted requests find their own tokens", hundred + "preemptions:20 prefix_cache_hit_rate:30", ""},
		{"other random prompts", "dataset=random-ids requests_completed:100 input_tokens:102400 prefix_cache_hit_rate:50", "warning " + id},
		{"synthetic ones", "dataset=synthetic requests_completed:100 input_tokens:102400 prefix_cache_hit_rate:50", "warning " + id},
		{"what others share, nobody knows", "dataset=sharegpt requests_completed:100 input_tokens:102400 prefix_cache_hit_rate:98", ""},
		{"no prompts are reported", "dataset=random prefix_cache_hit_rate:98", ""},
	} {
		if got := raised(run(c.run), id); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, unknown := range []string{"dataset=sharegpt requests_completed:100 input_tokens:102400", "dataset=random", "requests_completed:100"} {
		if !has(Judge(run(unknown+" prefix_cache_hit_rate:98")).Unjudged, id) {
			t.Errorf("%s: not called unjudged", unknown)
		}
	}
	ck := Judge(run(hundred + "prefix_cache_hit_rate:98.44")).Raised[0]
	if !ck.Concerns("ttft_p99") || ck.Concerns("tpot_mean") || !strings.Contains(locale.English(ck.Hint), "--no-enable-prefix-caching") {
		t.Errorf("%v: %s", ck.Metrics, locale.English(ck.Hint))
	}
}

func TestOtherClients(t *testing.T) {
	const id, hundred = "server.other-clients", "requests_completed:100 input_tokens:102400 output_tokens:12800 "
	for _, c := range []struct{ name, tool, run, more string }{
		{"and the trial", "vllm-serve", "server_requests:101 server_input_tokens:103424 server_output_tokens:12928", ""},
		{"a tenth and the trial", "vllm-serve", "server_requests:111", ""},
		{"one more", "vllm-serve", "server_requests:112", "another client"},
		{"ten that failed", "vllm-serve", "requests_failed:10 server_requests:121", ""},
		{"ten to warm up", "sglang-serving", "x_num_warmups=10 server_requests:121", ""},
		{"tokens of somebody else", "vllm-serve", "server_requests:101 server_output_tokens:14300", "another client"},
		{"tokens counted otherwise", "vllm-serve", "server_output_tokens:14100", ""},
		{"a chat template", "vllm-serve", "server_input_tokens:110000", ""},
		{"prompts of somebody else", "vllm-serve", "server_requests:101 server_input_tokens:125000", "another client"},
		{"prompts after preemptions", "vllm-serve", "server_input_tokens:125000 preemptions:10", ""},
		{"a client that does not tell of all", "guidellm", "server_requests:149", ""},
		{"and somebody else", "guidellm", "server_requests:152", "another client"},
		{"one server of two", "vllm-serve", "server_requests:51", "one of several"},
		{"a few got lost", "vllm-serve", "server_requests:90", ""},
		{"nothing was generated here", "vllm-serve", "server_output_tokens:0", "one of several"},
		{"prompts from elsewhere are no contradiction", "vllm-serve", "server_input_tokens:10", ""},
		{"nothing to compare", "vllm-serve", "preemptions:3", ""},
	} {
		r := run(hundred + c.run)
		r.Tool = c.tool
		var said string
		for _, ck := range Judge(r).Raised {
			if ck.ID == id && ck.Severity == result.Warning {
				said += locale.English(ck.Text)
			}
		}
		if (said != "") != (c.more != "") || !strings.Contains(said, c.more) {
			t.Errorf("%s: %q, want %q", c.name, said, c.more)
		}
	}
	alone := run(hundred + "server_requests:51 server_output_tokens:6400")
	alone.Tool = "vllm-serve"
	if ck := Judge(alone).Raised[0]; ck.Concerns("ttft_mean") || !ck.Concerns("server_requests") {
		t.Errorf("figures of another server put the run in doubt: %v", ck.Metrics)
	}
	if !has(Judge(run(hundred+"server_requests:101")).Passed, id) {
		t.Error("counts that agree do not pass")
	}
}
