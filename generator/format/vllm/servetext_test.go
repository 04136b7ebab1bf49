package vllm_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func TestTable(t *testing.T) {
	r := fixture.One(t, fixture.Table)
	if r.Source != (result.Position{File: "run.log", Line: 1}) || r.EndLine != 22 || len(r.Metrics) != 16 {
		t.Errorf("%v to %d with %d metrics", r.Source, r.EndLine, len(r.Metrics))
	}
	if r.Tool != "vllm-serve" || r.Format != "vllm-serve-text" || r.Status != result.Complete || r.Label("engine") != "" {
		t.Errorf("tool %q, format %q, status %v, engine %q", r.Tool, r.Format, r.Status, r.Label("engine"))
	}
	want := result.Metric{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Better: result.Higher, Field: "Output token throughput (tok/s)"},
		Value: 298.09, Decimals: 2, Line: 8}
	if m, _ := r.Metric("output_throughput"); !m.Equal(want) {
		t.Errorf("%+v", m)
	}
	var names []string
	for _, m := range r.Metrics {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "requests_completed duration input_tokens output_tokens request_throughput "+
		"output_throughput total_throughput ttft_mean ttft_p50 ttft_p99 tpot_mean tpot_p50 tpot_p99 itl_mean itl_p50 itl_p99" {
		t.Errorf("order of the metrics: %s", got)
	}
	label, _ := r.Labels.Lookup("max_concurrency")
	if label != (result.Label{Name: "max_concurrency", Value: "8", Origin: result.Measured,
		Pos: result.Position{File: "run.log", Line: 3}}) {
		t.Errorf("%+v", label)
	}
}

// numbered returns the table with a number before every line.
func numbered(form string, first int) string {
	var b strings.Builder
	for i, l := range strings.SplitAfter(fixture.Table, "\n") {
		fmt.Fprintf(&b, form, first+i, l)
	}
	return b.String()
}

// TestSurroundings checks that the block is read the same in all surroundings in which it was found.
func TestSurroundings(t *testing.T) {
	want := fixture.One(t, fixture.Table)
	bar := "  0%|          | 0/100 [00:00<?, ?it/s]\r 50%|█████     | 50/100 [00:21<00:21, 2.3it/s]\r"
	for name, text := range map[string]string{
		"collapsed":             regexp.MustCompile(` +(\n|$)`).ReplaceAllString(regexp.MustCompile(`: +`).ReplaceAllString(fixture.Table, ": "), "$1"),
		"trailing space cut":    regexp.MustCompile(` +\n`).ReplaceAllString(fixture.Table, "\n"),
		"tabs":                  regexp.MustCompile(`: +`).ReplaceAllString(fixture.Table, ":\t"),
		"CRLF":                  strings.ReplaceAll(fixture.Table, "\n", "\r\n"),
		"one CRLF":              strings.Replace(fixture.Table, "\n", "\r\n", 3),
		"byte order mark":       "\ufeff" + fixture.Table,
		"fence":                 "```text\n" + fixture.Table + "```\n",
		"fence before the rule": "```\n" + strings.Replace(fixture.Table, strings.Repeat("=", 50)+"\n", "", 1) + "```\n" + strings.Repeat("=", 50) + "\n",
		"YAML":                  "output: |\n" + fixture.Each("      "),
		"quote":                 fixture.Each("> "),
		"comment":               fixture.Each("# "),
		"list":                  "- run:\n" + fixture.Each("* "),
		"mpirun":                fixture.Each("[1,0]<stdout>:"),
		"server's log prefix":   fixture.Each("(APIServer pid=2931) "),
		"time stamps":           fixture.Each("2026-01-02T03:04:05.678Z "),
		"grep with file":        fixture.Each("logs/high.log:"),
		"colours":               strings.ReplaceAll(fixture.Each("\x1b[36m(bench pid=77)\x1b[0m "), "Mean", "\x1b[1;35mMean\x1b[0m"),
		"bar before":            bar + "\n" + fixture.Table,
		"title behind a bar":    bar + "100%|██████████| 100/100 [00:42<00:00, 2.33it/s]" + fixture.Table,
		"long bar":              strings.Repeat(bar, 3000) + "\n" + fixture.Table,
		"very long line":        strings.Repeat("x", 300_000) + "\n" + fixture.Table,
		"bar of equals signs":   "[=====>    ] 50%[==========] 100%" + fixture.Table,
		"a short title":         strings.Replace(strings.Replace(fixture.Table, "============ S", "===== S", 1), "Result ============", "Result =====", 1),
		"log glued to the rule": strings.TrimSuffix(fixture.Table, "\n") + "INFO:     done\nMean TTFT (ms):   7\n",
		"blank lines inside":    strings.ReplaceAll(fixture.Table, "---\n", "---\n\n"),
		"other titles' case":    strings.ReplaceAll(fixture.Table, "Inter-token Latency", "Inter-Token Latency"),
		"log lines inside": strings.Replace(fixture.Table, "Mean TPOT",
			"(APIServer pid=9) INFO:     127.0.0.1:5000 - \"POST /v1/completions HTTP/1.1\" 200 OK\nINFO 07-22 05:16:51 [loggers.py:1] Avg: 3\nMean TPOT", 1),
		"a traceback above": "Failed requests during benchmark run detected (capping to 10):\nError 0: Traceback (most recent call last):\n" +
			"  File \"x.py\", line 3, in f\nValueError: broken: 3\n\n" + fixture.Table,
		"mark glued to a figure":    strings.Replace(fixture.Table, "495.44   ", "495.44·  ", 1),
		"window's title":            strings.ReplaceAll(fixture.Table, "Mean", "\x1b]0;~/bench\x07Mean"),
		"numbered by cat -n":        numbered("%6d\t%s", 1),
		"numbered from 95":          numbered("%4d  %s", 95),
		"no-break spaces":           strings.ReplaceAll(fixture.Table, " ", "\u00a0"),
		"ideographic spaces":        regexp.MustCompile(`: +`).ReplaceAllString(fixture.Table, ":\u3000"),
		"full-width forms":          strings.NewReplacer(": ", "：", "(", "（", ")", "）", "4", "４", ".", "．").Replace(fixture.Table),
		"the shortest title":        strings.Replace(fixture.Table, strings.SplitN(fixture.Table, "\n", 2)[0], "= Serving Benchmark Result =", 1),
		"stray mark after a figure": strings.Replace(fixture.Table, "495.44   ", "495.44  ·", 1),
	} {
		t.Run(name, func(t *testing.T) {
			r := fixture.One(t, text)
			if r.Status != result.Complete || len(r.Metrics) != len(want.Metrics) || r.Label("max_concurrency") != "8" || len(r.Labels) != 1 {
				t.Fatalf("status %v, metrics %v, labels %v", r.Status, r.Metrics, r.Labels)
			}
			for i, m := range r.Metrics {
				w := want.Metrics[i]
				m.Line, w.Line = 0, 0
				if !m.Equal(w) {
					t.Errorf("%+v, not %+v", m, w)
				}
			}
			if r.Digest != want.Digest {
				t.Error("the digest is another")
			}
		})
	}
}

// TestGrepContext reads the output of grep, which writes ":" after the file name in the matching line and "-" in the
// others.
func TestGrepContext(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(fixture.Table, "\n"), "\n")
	for i, l := range lines {
		sep := "-"
		if i == 0 {
			sep = ":"
		}
		lines[i] = fmt.Sprintf("high-8.log%s%d%s%s", sep, 95+i, sep, l)
	}
	r := fixture.One(t, strings.Join(lines, "\n")+"\n--\n")
	if len(r.Metrics) != 16 || r.Status != result.Complete {
		t.Errorf("%v %v", r.Status, r.Metrics)
	}
}

func TestRows(t *testing.T) {
	// block returns a table with these rows.
	block := func(rows string) string {
		return "============ Serving Benchmark Result ============\nSuccessful requests:                     100       \n" +
			rows + "\n==================================================\n"
	}
	for _, test := range []struct{ name, rows, want string }{
		{"any percentile", "P99.9 TTFT (ms):   1.50\nP50 TPOT (ms): 2\nP0.1 ITL (ms): 3.25",
			"ttft_p99_9=1.50 ms; tpot_p50=2 ms; itl_p0_1=3.25 ms"},
		{"median and P50 are one", "Median TTFT (ms): 1.50\nP50 TTFT (ms): 1.50", "ttft_p50=1.50 ms"},
		{"all statistics", "Std TTFT (ms): 1\nMin TTFT (ms): 2\nMax E2EL (ms): 3", "ttft_std=1 ms; ttft_min=2 ms; e2el_max=3 ms"},
		{"seconds", "Mean E2EL (s): 6.97\nP99 TTFT (s): 0.0312", "e2el_mean=6970 ms; ttft_p99=31.2 ms"},
		{"microseconds", "Mean ITL (us): 1500\nMean TPOT (µs): 2.5", "itl_mean=1.500 ms; tpot_mean=0.0025 ms"},
		{"a latency without unit is not ours", "Mean TTFT: 12.5", "ttft_mean=none; x_mean_ttft=12.5"},
		{"milliseconds of wall time", "Benchmark duration (ms): 42940", "duration=42.940 s"},
		{"per accelerator", "Output Token Throughput/GPU (tok/s): 63.91", "output_throughput=none; x_output_token_throughput_per_gpu=63.91 tok/s/GPU"},
		{"another unit", "Output token throughput (MB/s): 3", "output_throughput=none; x_output_token_throughput=3 MB/s"},
		{"old and new capitals", "Total Token throughput (tok/s): 7.00", "total_throughput=7.00 tok/s"},
		{"0.14", "Failed requests: 3\nPeak output token throughput (tok/s): 9.00\nPeak concurrent requests: 12.00\nRequest goodput (req/s): 1.20",
			"requests_failed=3 1; peak_output_throughput=9.00 tok/s; peak_concurrency=12.00 1; goodput=1.20 req/s"},
		{"old", "Input token throughput (tok/s): 8.00", "input_throughput=8.00 tok/s"},
		{"audio", "RTFx (Inverse Real-Time Factor): 3.10", "x_rtfx=3.10 Inverse Real-Time Factor"},
		{"queueing", "Mean Client Queue Time (ms): 3.10\nMean E2EL incl. Client Queue (ms): 9.00",
			"queue_mean=3.10 ms; x_mean_e2el_incl_client_queue=9.00 ms"},
		{"speculation", "----------------Speculative Decoding---------------\nAcceptance rate (%): 53.93\nAcceptance length: 2.62\nDrafts: 57441\n" +
			"Per-position acceptance (%):\n  Position 0:     76.68\n  Position 1:     51.19",
			"acceptance_rate=53.93 %; acceptance_length=2.62 tok; x_drafts=57441; x_per_position_acceptance_0=76.68 %; x_per_position_acceptance_1=51.19 %"},
		{"a fork's figure", "Load Balance Factor:        0.93", "x_load_balance_factor=0.93"},
		{"a row cut by hand", "Mean TTFT (ms):\nP99 TTFT (ms): 4", "ttft_mean=none; ttft_p99=4 ms"},
		{"minus zero", "Mean TPOT (ms): 3.10\nMedian TPOT (ms): -0.00", "tpot_mean=3.10 ms; tpot_p50=0.00 ms"},
		{"not streamed", "Mean TTFT (ms): 0.00\nP99 TTFT (ms): 0.00\nMean TPOT (ms): 9.10\nMean ITL (ms): 0.00\nMean E2EL (ms): 900.00",
			"ttft_mean=none; ttft_p99=none; tpot_mean=none; itl_mean=none; e2el_mean=900.00 ms"},
		{"an image's latency", "Latency Mean (s): 50.9681\nLatency P99 (s): 51.0000", "e2el_mean=50968.1 ms; e2el_p99=51000.0 ms"},
		{"exponent", "Mean TPOT (ms): 1e-3", "tpot_mean=0.001 ms"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var names []string
			for _, f := range strings.Split(test.want, "; ") {
				name, _, _ := strings.Cut(f, "=")
				names = append(names, name)
			}
			out := fixture.Read(t, block(test.rows))
			if len(out.Results) != 1 {
				t.Fatalf("%d results, reason %q", len(out.Results), out.Reason)
			}
			fixture.Sound(t, &out.Results[0])
			if got := fixture.Figures(out.Results[0], names...); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if len(out.Messages) != 0 {
				t.Errorf("messages %v", out.Messages)
			}
		})
	}
}

// TestRowsOfMAX checks that MAX's load settings are labels, so that runs with different loads are not repeats, and that
// its rates of one request are not read as rates of the system.
func TestRowsOfMAX(t *testing.T) {
	out := fixture.Read(t, strings.Replace(fixture.Table, "Maximum request concurrency:             8         \n", "Input request rate (req/s):              inf       \n"+
		"Max Concurrency:                         32        \n------------Client Experience Metrics-------------\n"+
		"Mean output token throughput (tok/s):    21.50     \nMean Request Latency (ms):               7250.50   \n", 1))
	r := out.Results[0]
	for name, want := range map[string]string{"request_rate": "inf", "max_concurrency": "32"} {
		if got := r.Label(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	if got := fixture.Figures(r, "e2el_mean", "x_mean_output_token_throughput"); got != "e2el_mean=7250.50 ms; x_mean_output_token_throughput=21.50 tok/s" {
		t.Error(got)
	}
	if len(out.Messages) > 0 {
		t.Error(out.Messages)
	}
}

func TestRowsThatAreLabels(t *testing.T) {
	r := fixture.One(t, strings.Replace(fixture.Table, "Benchmark duration",
		"Request rate configured (RPS):           10.00     \nHardware:                                8×B200\n"+
			"Serving Mode:                            two words\nBenchmark duration", 1))
	for name, want := range map[string]string{"request_rate": "10", "x_hardware": "8×B200", "x_serving_mode": "two words"} {
		if got := r.Label(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
}

func TestNotFinite(t *testing.T) {
	out := fixture.Read(t, strings.NewReplacer("912.34", "nan", "5052.84", "inf").Replace(fixture.Table))
	r := out.Results[0]
	if got := fixture.Figures(r, "ttft_p99", "total_throughput", "ttft_mean"); got != "ttft_p99=none; total_throughput=none; ttft_mean=495.44 ms" {
		t.Error(got)
	}
	if len(r.Checks) != 2 || r.Checks[0].ID != "consistency.not-finite" || locale.English(r.Checks[1].Text) != "P99 TTFT (ms) is nan in the file, so there is no ttft_p99" {
		t.Errorf("checks %+v", r.Checks)
	}
}

func TestAllFailed(t *testing.T) {
	failed := regexp.MustCompile(`(\d+\.\d\d) `).ReplaceAllString(fixture.Table, "0.00 ")
	failed = strings.NewReplacer("requests:                     100", "requests:                     0",
		"Mean ITL", "Mean E2EL incl. Client Queue", "204169", "0", "12800", "0", "duration (s):                  0.00", "duration (s):                  3.50").Replace(failed)
	r := fixture.One(t, failed)
	if r.Status != result.Failed {
		t.Errorf("status %v", r.Status)
	}
	if got := fixture.Figures(r, "requests_completed", "duration", "output_throughput", "ttft_mean", "itl_p99", "x_mean_e2el_incl_client_queue"); got !=
		"requests_completed=0 1; duration=3.50 s; output_throughput=0.00 tok/s; ttft_mean=none; itl_p99=none; x_mean_e2el_incl_client_queue=none" {
		t.Error(got)
	}
}

// TestWithoutTitle checks that a table without its title, as in some pages, is read the same, up to the rule or to the
// end of the fence.
func TestWithoutTitle(t *testing.T) {
	titled := strings.Replace(fixture.Table, "Maximum request", "Failed requests:                         0         \nMaximum request", 1)
	_, table, _ := strings.Cut(titled, "\n")
	rows := table[:strings.Index(table, "\n=====")+1]
	want := fixture.One(t, titled)
	for name, text := range map[string]string{"alone": table, "in a page": "    ```\n" + "    " + strings.ReplaceAll(strings.TrimSpace(table), "\n", "\n    ") + "\n" + "    ```\n",
		"after another": titled + "\nand then\n" + table, "without a rule": "```\n" + rows + "```\nMore: 3\n"} {
		results := fixture.Read(t, text).Results
		got := results[len(results)-1]
		if got.Status != result.Complete || len(got.Metrics) != len(want.Metrics) || got.Label("max_concurrency") != "8" {
			t.Errorf("%s: status %v, %d metrics instead of %d, %v", name, got.Status, len(got.Metrics), len(want.Metrics), got.Labels)
		}
		for _, m := range want.Metrics {
			if v, ok := got.Metric(m.Name); !ok || v.Value != m.Value {
				t.Errorf("%s: %s is %v, not %v", name, m.Name, v, m.Value)
			}
		}
	}
}

func TestCutOff(t *testing.T) {
	lines := strings.SplitAfter(fixture.Table, "\n")
	for _, test := range []struct {
		name, text string
		metrics    int
		line       int
	}{
		{"after a row", strings.Join(lines[:12], ""), 9, 12},
		{"inside a row", strings.Join(lines[:12], "") + "P99 TTFT (ms):                           91", 9, 13},
		{"inside a row that is a label", strings.Join(lines[:12], "") + "Request rate configured (RPS):           1", 9, 13},
		{"before the rule", strings.Join(lines[:21], ""), 16, 21},
		{"by the next block", strings.Join(lines[:12], "") + fixture.Table, 9, 12},
		{"by the next run", strings.Join(lines[:12], "") + "Namespace(model='x', request_rate=inf)\n" + strings.Repeat("waiting\n", 50) + strings.Repeat("=", 50) + "\n", 9, 12},
		{"by a crash", strings.Join(lines[:12], "") + "Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyboardInterrupt: stop now\n", 9, 12},
		{"by a long log", strings.Join(lines[:12], "") + strings.Repeat("INFO:     all is well\n", 500) + strings.Repeat("=", 50) + "\n", 9, 12},
		{"by a fence in the middle", "```\n" + strings.Join(lines[:8], "") + "```\n", 6, 9},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := fixture.Read(t, test.text)
			if len(out.Results) == 0 {
				t.Fatal(out.Reason)
			}
			r := out.Results[0]
			if r.Status != result.Partial || len(r.Metrics) != test.metrics || r.EndLine != test.line {
				t.Errorf("status %v, %d metrics, to line %d", r.Status, len(r.Metrics), r.EndLine)
			}
			if r.Label("request_rate") != "" {
				t.Errorf("a rate of %s, which may lack digits", r.Label("request_rate"))
			}
			if len(out.Messages) != 0 { // the verdict on the partial run reports it, at its last line
				t.Errorf("messages %v", out.Messages)
			}
		})
	}
}

func TestOddFigures(t *testing.T) {
	out := fixture.Read(t, strings.NewReplacer("42.94", "4?.9x", "12800 ", "12 800", "Median TTFT (ms):                        455.84",
		"Median TTFT (ms):                        455.84\nP50 TTFT (ms):                           455.85").Replace(fixture.Table))
	r := out.Results[0]
	if got := fixture.Figures(r, "duration", "ttft_p50"); got != "duration=none; ttft_p50=455.84 ms" {
		t.Error(got)
	}
	var got []string
	for _, m := range out.Messages {
		got = append(got, m.Error()+"; "+locale.English(m.Hint))
	}
	want := []string{
		`run.log:4: warning: Benchmark duration (s) is not a number: "4?.9x"; the figure is left out`,
		`run.log:6: warning: Total generated tokens is not a number: "12 800"; the figure is left out`,
		`run.log:13: warning: P50 TTFT (ms) is given again with another value; the one of line 12 is kept`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLinesBeforeTheTable reads the plain lines that were printed before 0.4.0.
func TestLinesBeforeTheTable(t *testing.T) {
	const lines = `Traffic request rate: inf
Successful requests: 1000
Benchmark duration: 445.639903 s
Total input tokens: 217393
Total generated tokens: 185616
Request throughput: 2.24 requests/s
Input token throughput: 487.82 tokens/s
Output token throughput: 416.52 tokens/s
Mean TTFT: 182694.14 ms
Median TTFT: 183041.56 ms
P99 TTFT: 369318.10 ms
Mean TPOT: 210.49 ms
Median TPOT: 194.67 ms
P99 TPOT: 555.10 ms
`
	r := fixture.One(t, lines)
	if got := fixture.Figures(r, "duration", "input_tokens", "request_throughput", "output_throughput", "ttft_p50", "tpot_p99", "tpot_incl_ttft_p99"); got !=
		"duration=445.639903 s; input_tokens=217393 tok; request_throughput=2.24 req/s; output_throughput=416.52 tok/s; ttft_p50=183041.56 ms; tpot_p99=none; tpot_incl_ttft_p99=555.10 ms" {
		t.Error(got)
	}
	if m, _ := r.Metric("ttft_p50"); m.Field != "Median TTFT" {
		t.Errorf("the field is %q", m.Field)
	}
	if r.Label("request_rate") != "inf" || r.Source.Line != 2 || r.EndLine != 14 {
		t.Errorf("rate %q, lines %d to %d", r.Label("request_rate"), r.Source.Line, r.EndLine)
	}
	if r := fixture.One(t, lines+"Saved to x.json\n"); r.Status != result.Complete {
		t.Errorf("status %v", r.Status)
	}
	for _, other := range []string{
		"Successful requests: 12\nFailed: 3\nBenchmark duration: 3 s\n",
		"Successful requests: 12\n",
	} {
		if out := fixture.Read(t, other); len(out.Results) != 0 || locale.English(out.Reason) != "no known format" {
			t.Errorf("%q gives %d results, reason %q", other, len(out.Results), out.Reason)
		}
	}
}
