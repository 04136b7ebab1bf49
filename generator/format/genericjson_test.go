package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// TestGenericJSON reads objects of scripts and forks: the meaning of each key, and the settings around the figures.
func TestGenericJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a script": {`{"model": "org/m", "concurrency": 8, "ttft_p50_ms": 31.2, "ttft_p99_ms": 50.1, "out_tok_s": 106.6, "qps": 0.83}`,
			"max_concurrency=8 model_raw=org/m output_throughput=106.6 tok/s request_throughput=0.83 req/s ttft_p50=31.2 ms ttft_p99=50.1 ms"},
		"a fork": {`{"engine": "vllm", "mean_ttft_ms": 31.5, "p99_ttft_ms": 50.1, "output_throughput": 106.6, "request_throughput": 0.83, "total_token_throughput": 300.5}`,
			"engine=vllm output_throughput=106.6 tok/s request_throughput=0.83 req/s total_throughput=300.5 tok/s ttft_mean=31.5 ms ttft_p99=50.1 ms"},
		"parts": {`{"model": "m", "metrics": {"ttft_ms": {"mean": 31.2, "p99": 50.1}, "throughput": {"output_tokens_per_second": 106.6}}}`,
			"model_raw=m output_throughput=106.6 tok/s ttft_mean=31.2 ms ttft_p99=50.1 ms"},
		"seconds":          {`{"ttft_mean_s": 0.0312, "tpot_p50_s": 0.012, "duration_s": 40.5}`, "duration=40.5 s tpot_p50=12 ms ttft_mean=31.2 ms"},
		"settings around":  {`{"config": {"model": "m", "tensor_parallel": 2}, "results": [{"concurrency": 4, "mean_ttft_ms": 31.2, "output_throughput": 99.5}]}`, "max_concurrency=4 model_raw=m parallelism=tp2 output_throughput=99.5 tok/s ttft_mean=31.2 ms"},
		"named":            {`{"fp8": {"mean_ttft_ms": 31.2, "output_throughput": 99.5}, "note": "words"}`, "output_throughput=99.5 tok/s ttft_mean=31.2 ms x_name=fp8"},
		"a unit not known": {`{"mean_ttft": 31.2, "p99_ttft_ms": 50.1, "output_throughput": 99.5}`, "output_throughput=99.5 tok/s ttft_p99=50.1 ms"},
		"its command": {`{"mean_ttft_ms": 31.2, "output_throughput": 99.5, "total_input_tokens": 10240, "completed": 10, "command": ["vllm", "bench", "serve", "--model", "org/m", "--dataset-name", "random", "--random-input-len", "1024"]}`,
			"dataset=random input_len=1024 model_raw=org/m input_tokens=10240 tok output_throughput=99.5 tok/s requests_completed=10 1 ttft_mean=31.2 ms"},
		"a command of another run": {`{"mean_ttft_ms": 31.2, "output_throughput": 99.5, "total_input_tokens": 10240, "completed": 10, "command": "vllm bench serve --model org/m --dataset-name random --random-input-len 256"}`,
			"input_tokens=10240 tok output_throughput=99.5 tok/s requests_completed=10 1 ttft_mean=31.2 ms"},
		"a length that was not sent": {`{"mean_ttft_ms": 31.2, "output_throughput": 99.5, "total_input_tokens": 10240, "completed": 10, "isl": 256}`,
			"input_tokens=10240 tok output_throughput=99.5 tok/s requests_completed=10 1 ttft_mean=31.2 ms"},
	} {
		r := fixture.One(t, c.text)
		got := fixture.SettingsOf(r)
		for _, m := range r.Metrics {
			if !strings.HasPrefix(m.Name, "x_") {
				got += " " + m.Name + "=" + strings.TrimSpace(m.Text()+" "+m.Unit)
			}
		}
		if got = sorted(got, strings.Fields(c.want)); got != c.want || r.Format != "generic-json" || r.Tool != "generic" {
			t.Errorf("%s: %s\ngot  %s\nwant %s", name, r.Format, got, c.want)
		}
	}
}

// sorted sorts the words "name=value" of a text in the given order of names. Other words come last.
func sorted(text string, order []string) string {
	var out []string
	rest := " " + text + " "
	for _, word := range order {
		if strings.Contains(rest, " "+word+" ") {
			out = append(out, word)
			rest = strings.Replace(rest, " "+word+" ", " ", 1)
		}
	}
	for _, word := range strings.Fields(rest) {
		if !strings.HasPrefix(word, "x_tensor") {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

// TestGenericJSONRepeats checks that a result repeated in a summary is read once, and that a summary of several results
// is not a result.
func TestGenericJSONRepeats(t *testing.T) {
	t.Parallel()
	const a, b = `{"concurrency": 1, "mean_ttft_ms": 31.2, "output_throughput": 99.5}`, `{"concurrency": 8, "mean_ttft_ms": 61.4, "output_throughput": 410.5}`
	for text, want := range map[string]int{
		fmt.Sprintf(`{"runs": [%s, %s], "best": %s}`, a, b, b):                                            2,
		fmt.Sprintf(`{"mean_ttft_ms": 46.3, "output_throughput": 255.1, "runs": [%s, %s]}`, a, b):         2,
		a + "\n" + b + "\n" + a + "\n":                                                                    2,
		fmt.Sprintf(`[%s, %s]`, a, b):                                                                     2,
		fmt.Sprintf(`{"a": %s, "b": %s, "comparison": {"mean_ttft_ms": {"diff_pct": -12.5}}}`, a, b):      0,
		fmt.Sprintf(`{"model_id": "m", "request_throughput": 1.5, "mean_ttft_ms": 3.2}`+"\n%s\n%s", a, b): 1, // a tool's file
	} {
		if out := fixture.Read(t, text); len(out.Results) != want {
			t.Errorf("%d results, not %d: %s", len(out.Results), want, text)
		}
	}
}

// TestGenericJSONOfRunsSideBySide checks that objects that state the same figures with different values are different
// runs, and that no run gets a figure or setting of another.
func TestGenericJSONOfRunsSideBySide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, want string
		left       int // number of messages about what is left out
	}{
		"lengths as keys": {`{"m-a": {"1k": {"ttft_ms": 31.2, "tok_per_sec": 99.5, "sent": 1024}, "deep": {"ttft_ms": 93.5, "tok_per_sec": 61.5, "label": 7}}}`,
			"x_name=m-a.1k ttft_mean=31.2 output_throughput=99.5; x_name=m-a.deep ttft_mean=93.5 output_throughput=61.5", 0},
		"a rate and a setting": {`{"model": "m", "before": {"tok_s": 22.5, "input_len": 512}, "after": {"tok_s": 29.5, "input_len": 640}, "note": "words"}`,
			"input_len=512 model_raw=m x_name=before output_throughput=22.5; input_len=640 model_raw=m x_name=after output_throughput=29.5", 0},
		"parts of no run": {`{"model": "m", "concurrency": 1, "cold": {"ttft_ms": 93.5}, "warm": {"ttft_ms": 31.2}, "prefill": {"tok_s": 900.5}, "decode": {"tok_s": 61.5}}`,
			"max_concurrency=1 model_raw=m prefill_throughput=900.5 decode_throughput=61.5", 2},
		"the same figure again": {`{"concurrency": 4, "client": {"ttft_ms": 31.2, "output_tps": 99.5}, "summary": {"ttft_ms": 31.2}}`,
			"max_concurrency=4 ttft_mean=31.2 output_throughput=99.5", 0},
		"a key that is the statistic": {`{"concurrency": 4, "output_tps": 99.5, "p50": {"ttft_ms": 31.2, "output_tps": 12.5}, "p99": {"ttft_ms": 93.5, "output_tps": 19.5}, "mean": {"ttft_ms": 40.5}}`,
			"max_concurrency=4 output_throughput=99.5 ttft_p50=31.2 ttft_p99=93.5 ttft_mean=40.5", 0},
	} {
		out := fixture.Read(t, c.text)
		var got []string
		for _, r := range out.Results {
			text := fixture.SettingsOf(r)
			for _, m := range r.Metrics {
				if _, known := vocabulary.Define(m.Name); known {
					text += " " + m.Name + "=" + m.Text()
				}
			}
			got = append(got, text)
		}
		left := 0
		for _, m := range out.Messages {
			if m.ID == "format.twice" {
				left++
			}
		}
		if text := strings.Join(got, "; "); text != c.want || left != c.left {
			t.Errorf("%s: %d left out\ngot  %s\nwant %s", name, left, text, c.want)
		}
	}
}

// TestGenericJSONLookalikes checks that objects that are not runs give no result.
func TestGenericJSONLookalikes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"name": "llm-bench", "version": "1.2.3", "scripts": {"bench": "vllm bench serve"}, "dependencies": {"ttft": "^1.0.0"}}`,
		`{"slo": {"p99_ttft_ms": 512.5, "output_throughput": 1001.5}}`,
		`{"p50_ttft_ms": 200, "p99_ttft_ms": 500, "output_throughput": 1000}`,
		`{"targets": {"mean_ttft_ms": 31.2, "output_throughput": 99.5, "completed": 10}, "model": "m"}`,
		`{"request_id": "r-1", "mean_ttft_ms": 31.2, "output_throughput": 99.5, "model": "m"}`,
		`{"timestamp": "2026-01-02T03:04:05Z", "p99_ttft_ms": 31.2, "requests_per_s": 1.5, "output_throughput": 99.5}`,
		`{"type": "object", "properties": {"mean_ttft_ms": {"type": "number"}, "output_throughput": {"type": "number", "minimum": 0.5}}}`,
		`{"id": 4, "title": "TTFT", "panels": [{"mean_ttft_ms": 31.2, "output_throughput": 99.5}]}`,
		`{"model": "m", "median_output_tokens_per_second": 90.5, "median_time_to_first_token_seconds": 0.41}`,
		`{"messages": [{"role": "user", "content": "hello"}], "mean_ttft_ms": 31.2, "output_throughput": 99.5}`,
		`{"max_concurrency": 8, "input_len": 1024, "output_len": 128, "model": "m", "request_rate": 1.5}`,
		`{"ttft_ms": 31.2, "tokens": 128}`,
		`{"latency": 31.2, "speed": 99.5, "tps": 12.5, "model": "m"}`,
		"Example:\n```json\n{\"mean_ttft_ms\": 31.2, \"output_throughput\": 99.5, \"completed\": 10}\n```\n",
	} {
		if out := fixture.Read(t, text); len(out.Results) > 0 {
			t.Errorf("%s\nis %s", text, fixture.SettingsOf(out.Results[0]))
		}
	}
}

// TestGenericNamesAreOne checks that a name has the same metric, unit and scale in a table and in JSON.
func TestGenericNamesAreOne(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"throughput_tok_s", "out_tok_s", "output_tps", "total_tok_s", "req_latency_mean_s", "duration_s", "rps_mean", "achieved_rps",
		"concurrency_mean", "ttft_p95_us", "p90_tpot_ms", "itl_mean_s", "decode_tps", "prefill_tok_s", "completed", "failed_requests",
		"total_input_tokens", "peak_concurrent_requests", "median_e2el_ms", "p95_e2e_latency_ms", "power_w", "latency_ms", "speed"} {
		of := func(r result.Result) string {
			for _, m := range r.Metrics {
				if m.Field == name {
					if def, known := vocabulary.Define(m.Name); known && def.Unit != m.Unit {
						t.Errorf("%s is %s in %s, not %s", name, m.Name, m.Unit, def.Unit)
					}
					return fmt.Sprint(m.Name, " ", m.Value, " ", m.Unit)
				}
			}
			return ""
		}
		csv := of(fixture.One(t, "model,ttft_p90_s,tpot_ms,"+name+",tpot_p50_ms,req_throughput_rps\nm,4.5,1.1,1500.5,1.2,3.3\n"))
		json := of(fixture.One(t, fmt.Sprintf(`{"model": "m", "ttft_p90_s": 4.5, "tpot_ms": 1.1, %q: 1500.5, "tpot_p50_ms": 1.2, "req_throughput_rps": 3.3}`, name)))
		if csv == "" || csv != json {
			t.Errorf("%s is %q in a table, %q in JSON", name, csv, json)
		}
	}
}

// TestObjectsOfVersions checks that an object of versions gives only versions: the version of a backend is not the
// backend.
func TestObjectsOfVersions(t *testing.T) {
	t.Parallel()
	r := fixture.One(t, `{"model": "m", "ttft_p50_ms": 20.5, "output_tps": 90.5, "versions": {"backend": "0.3.1", "engine_version": "0.9.2", "model": "1"}}`)
	for label, want := range map[string]string{"backend": "", "x_versions_backend": "0.3.1", "engine_version": "0.9.2", "model_raw": "m"} {
		if got := r.Label(label); got != want {
			t.Errorf("%s is %q", label, got)
		}
	}
}
