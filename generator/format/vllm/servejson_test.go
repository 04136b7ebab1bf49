package vllm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func TestSaved(t *testing.T) {
	r := fixture.One(t, fixture.Saved)
	if r.Tool != "vllm-serve" || r.Format != "vllm-serve-json" || r.Status != result.Complete || r.Source.Line != 1 || r.EndLine != 1 {
		t.Errorf("%+v", r)
	}
	want := result.Metric{Kind: &result.Kind{Name: "ttft_p99_9", Unit: "ms", Better: result.Lower, Field: "p99.9_ttft_ms"},
		Value: 21766.289971712977, Decimals: result.FullPrecision, Line: 1}
	if m, _ := r.Metric("ttft_p99_9"); !m.Equal(want) {
		t.Errorf("%+v", m)
	}
	if got := fixture.SettingsOf(r); got != "backend=vllm burstiness=1 date=2026-04-24T07:46:42 endpoint_type=vllm model_raw=Qwen/Qwen3-8B "+
		"num_prompts=200 request_rate=inf tokenizer=Qwen/Qwen3-8B" {
		t.Error(got)
	}
	var names []string
	for _, m := range r.Metrics {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "duration requests_completed requests_failed input_tokens output_tokens request_throughput "+
		"output_throughput total_throughput peak_output_throughput peak_concurrency x_rtfx ttft_mean ttft_p50 ttft_std ttft_p99_9" {
		t.Errorf("order of the metrics: %s", got)
	}
}

func TestMembers(t *testing.T) {
	for _, test := range []struct{ name, members, want string }{
		{"colon in the key", `"request_goodput:": 2.5`, "goodput=2.5 req/s"},
		{"misspelt in 0.3", `"request_inthroughput": 1.5`, "request_throughput=1.5 req/s"},
		{"older rates", `"input_throughput": 8.5`, "input_throughput=8.5 tok/s"},
		{"latencies without _ms are in seconds", `"median_ttft": 0.29139942955225706, "p99_e2el": 9.59, "mean_itl": 1e-3`,
			"ttft_p50=291.39942955225706 ms; e2el_p99=9590 ms; itl_mean=1 ms"},
		{"queue", `"mean_client_queue_time_ms": 3, "mean_e2el_including_client_queue_ms": 4`,
			"queue_mean=3 ms; x_mean_e2el_including_client_queue_ms=4 ms"},
		{"a fork's own", `"wall_time_s": 14.01, "best_of": 1, "tokens_per_gpu": 3, "jitter_ms": 2`,
			"x_wall_time_s=14.01 s; x_best_of=1; x_tokens_per_gpu=3; x_jitter_ms=2 ms"},
		{"speculation", `"spec_decode_acceptance_rate": 53.5, "spec_decode_acceptance_length": 2.5, "spec_decode_num_drafts": 9, ` +
			`"spec_decode_per_position_acceptance_rates": [0.5, 0.25]`,
			"acceptance_rate=53.5 %; acceptance_length=2.5 tok; x_spec_decode_num_drafts=9; " +
				"x_spec_decode_per_position_acceptance_rates_0=0.5; x_spec_decode_per_position_acceptance_rates_1=0.25"},
		{"nested values are left out", `"server": {"duration": 7, "x": [{"failed": 9}]}, "duration": 3`, "duration=3 s; requests_failed=none"},
		{"null is absent", `"duration": null`, "duration=none"},
		{"large whole numbers", `"total_input_tokens": 12345678901`, "input_tokens=12345678901 tok"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var names []string
			for _, f := range strings.Split(test.want, "; ") {
				name, _, _ := strings.Cut(f, "=")
				names = append(names, name)
			}
			if got := fixture.Figures(fixture.One(t, fixture.Object(test.members)), names...); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestMembersThatAreLabels(t *testing.T) {
	for _, test := range []struct{ members, want string }{
		{`"max_concurrency": 16, "request_rate": 1.80`, "max_concurrency=16 model_raw=m request_rate=1.8"},
		{`"request_rate": Infinity`, "model_raw=m request_rate=inf"},
		{`"timestamp": "2025-05-11_23-00-27,model", "use_beam_search": false`, "model_raw=m x_timestamp=2025-05-11_23-00-27,model x_use_beam_search=false"},
		{`"label": "caf\u00e9 \ud83d\ude00 \"x\""`, `model_raw=m x_label=café 😀 "x"`},
		{`"seed": 7, "random_input_len": 2048, "ignore_eos": true`, "ignore_eos=true input_len=2048 model_raw=m seed=7"},
		{`"date": "yesterday"`, "date=yesterday model_raw=m"},
		{`"note": "` + strings.Repeat("x", 1<<10+1) + `"`, "model_raw=m"},
		{`"note": ""`, "model_raw=m"},
	} {
		if got := fixture.SettingsOf(fixture.One(t, fixture.Object(test.members))); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.members, got, test.want)
		}
	}
}

// TestLayouts checks that line numbers are those of the file, and that the layout does not change the result.
func TestLayouts(t *testing.T) {
	want := fixture.One(t, fixture.Saved)
	indented := strings.NewReplacer("{", "{\n  ", ", \"", ",\n  \"", "}", "\n}\n").Replace(fixture.Saved)
	r := fixture.One(t, indented)
	if m, _ := r.Metric("duration"); m.Line != 12 || r.EndLine != strings.Count(indented, "\n") || r.Digest != want.Digest {
		t.Errorf("duration is from line %d, the object ends in line %d, digest %s", m.Line, r.EndLine, r.Digest)
	}
	if l, _ := r.Labels.Lookup("date"); l.Pos.Line != 2 {
		t.Errorf("date is from line %d", l.Pos.Line)
	}
	for name, text := range map[string]string{
		"CRLF": strings.ReplaceAll(indented, "\n", "\r\n"), "byte order mark": "\ufeff" + fixture.Saved,
		"blank lines": "\n\n" + fixture.Saved + "\n\n", "no white space": strings.NewReplacer(": ", ":", ", ", ",").Replace(fixture.Saved),
	} {
		if r := fixture.One(t, text); r.Digest != want.Digest || len(r.Metrics) != len(want.Metrics) {
			t.Errorf("%s: %v", name, r.Metrics)
		}
	}
}

// TestAppended reads objects of --append-result, which writes a newline before each further object and none at the end.
func TestAppended(t *testing.T) {
	out := fixture.Read(t, fixture.Saved+"\n"+fixture.Object(`"duration": 1`)+"\n"+`{"other": 1}`+"\n"+fixture.Object(`"duration": 2`))
	if len(out.Results) != 3 || len(out.Messages) != 0 {
		t.Fatalf("%d results, messages %v", len(out.Results), out.Messages)
	}
	for i, line := range []int{1, 2, 4} {
		r := out.Results[i]
		if m, _ := r.Metric("duration"); r.Source.Line != line || r.EndLine != line || int(m.Line) != line {
			t.Errorf("object %d is in lines %d to %d, its duration in %d", i, r.Source.Line, r.EndLine, m.Line)
		}
	}
}

func TestJSONNotFinite(t *testing.T) {
	r := fixture.One(t, fixture.Object(`"mean_ttft_ms": NaN, "p99_itl_ms": -Infinity, "output_throughput": "inf", "duration": 1`))
	if got := fixture.Figures(r, "ttft_mean", "itl_p99", "output_throughput", "duration"); got != "ttft_mean=none; itl_p99=none; output_throughput=none; duration=1 s" {
		t.Error(got)
	}
	if len(r.Checks) != 3 || locale.English(r.Checks[1].Text) != "p99_itl_ms is -Infinity in the file, so there is no itl_p99" {
		t.Errorf("%+v", r.Checks)
	}
}

func TestJSONAllFailed(t *testing.T) {
	r := fixture.One(t, fixture.Object(`"completed": 0, "failed": 9, "duration": 3.5, "mean_ttft_ms": 0.0, "output_throughput": 0.0`))
	if got := fixture.Figures(r, "requests_failed", "ttft_mean", "output_throughput"); r.Status != result.Failed ||
		got != "requests_failed=9 1; ttft_mean=none; output_throughput=0 tok/s" {
		t.Errorf("%v: %s", r.Status, got)
	}
}

func TestErrorsAreCounted(t *testing.T) {
	r := fixture.One(t, fixture.Object(`"errors": ["", "Traceback:\n \"x\"", "", "\\", null, "`+strings.Repeat("long ", 20_000)+`"]`))
	want := result.Metric{Kind: &result.Kind{Name: "requests_failed", Unit: "1", Better: result.Lower, Derived: true, Field: "number of errors that are not empty"},
		Value: 3, Line: 1}
	if m, _ := r.Metric("requests_failed"); !m.Equal(want) {
		t.Errorf("%+v", m)
	}
	r = fixture.One(t, fixture.Object(`"errors": ["x"], "failed": 7`))
	if m, _ := r.Metric("requests_failed"); m.Value != 7 || m.Derived {
		t.Errorf("%+v", m)
	}
}

func TestRepeatedKey(t *testing.T) {
	out := fixture.Read(t, fixture.Object(`"median_ttft_ms": 1, "p50_ttft_ms": 2`))
	if len(out.Messages) != 1 || out.Messages[0].ID != "format.twice" {
		t.Errorf("%v", out.Messages)
	}
	if got := fixture.Figures(out.Results[0], "ttft_p50"); got != "ttft_p50=1 ms" {
		t.Error(got)
	}
}

// TestDetailed checks that lists and texts larger than the window are skipped, wherever the window ends.
func TestDetailed(t *testing.T) {
	want := fixture.One(t, fixture.Saved)
	for _, sorted := range []bool{false, true} {
		r := fixture.One(t, fixture.Detailed(500, sorted))
		printed := slices.DeleteFunc(slices.Clone(r.Metrics), func(m result.Metric) bool { return m.Derived })
		if len(printed) != len(want.Metrics)+1 || len(r.Labels) != len(want.Labels) || len(r.Distributions) != 3 {
			t.Errorf("sorted %v: %v, %d distributions", sorted, printed, len(r.Distributions))
		}
	}
	for shift := range 300 {
		text := fixture.Object(`"pad": "` + strings.Repeat("p", scan.WindowSize-shift) + `", "texts": ["` + strings.Repeat(`\\\"`, 40) + `", "` +
			strings.Repeat(`\\`, 3*scan.WindowSize) + `"], "duration": 2.5`)
		if got := fixture.Figures(fixture.One(t, text), "duration"); got != "duration=2.5 s" {
			t.Fatalf("shift %d: %s", shift, got)
		}
	}
}

// TestJSONCutOff checks that a file that was cut off at any byte gives the figures before the cut, with all their
// digits.
func TestJSONCutOff(t *testing.T) {
	text := strings.TrimSuffix(fixture.Saved, "}") + `, "errors": ["", "x \" y"], "ttfts": [[1, 2], [3.5]], "wall_time_s": 2.5}`
	whole := fixture.One(t, text)
	for n := range len(text) {
		out := fixture.Read(t, text[:n])
		if len(out.Results) == 0 {
			if n > strings.Index(text, `"completed"`) {
				t.Fatalf("cut at %d: %s", n, out.Reason)
			}
			continue
		}
		r := out.Results[0]
		if r.Status != result.Partial || len(out.Messages) != 1 || out.Messages[0].ID != "format.cut-off" ||
			out.Messages[0].Pos != (result.Position{File: "run.log", Line: 1, Column: n + 1}) {
			t.Fatalf("cut at %d: %v, messages %v", n, r.Status, out.Messages)
		}
		for _, m := range r.Metrics {
			if w, ok := whole.Metric(m.Name); !ok || w.Value < m.Value {
				t.Fatalf("cut at %d: %s is %v", n, m.Name, m.Value)
			} else if w.Value != m.Value && !m.Derived {
				t.Fatalf("cut at %d: %s is %v", n, m.Name, m.Value)
			}
		}
	}
}

// TestJSONCutOffAndAppended checks that runs appended after a broken object are still read.
func TestJSONCutOffAndAppended(t *testing.T) {
	for _, broken := range []string{
		`{"model_id": "m", "completed": 3, "duration"`,
		`{"model_id": "m", "completed": 3, "ttfts": [1, 2`,
		`{"model_id": "m", "completed": 3, "texts": ["abc`,
		`{"model_id": "m", "completed": 3, "duration": 12.`,
		`{"model_id": "m", "completed": 3, `,
	} {
		out := fixture.Read(t, broken+"\n"+fixture.Object(`"duration": 2`))
		if len(out.Results) != 2 || len(out.Messages) != 1 || out.Messages[0].Pos.Line > 2 {
			t.Fatalf("%s: %d results, messages %v", broken, len(out.Results), out.Messages)
		}
		if out.Results[0].Status != result.Partial || out.Results[1].Status != result.Complete || out.Results[1].Source.Line != 2 {
			t.Errorf("%s: %+v", broken, out.Results)
		}
		if got := fixture.Figures(out.Results[0], "requests_completed", "duration"); got != "requests_completed=3 1; duration=none" {
			t.Errorf("%s: %s", broken, got)
		}
	}
}

func TestJSONFaults(t *testing.T) {
	for _, test := range []struct{ text, message string }{
		{"{\"model_id\": \"m\", \"completed\": 3,\n \"duration\": 2;}", `run.log:2:15: error: ";" is not JSON`},
		{"{\"model_id\": \"m\", \"completed\": 3,\n duration: 2}", `run.log:2:2: error: "duration" is not JSON`},
		{"{\"model_id\": \"m\", \"completed\": 3 \"duration\": 2}", `run.log:1:34: error: expected a comma or } after the value of "completed"`},
		{"{\"model_id\": \"m\", \"completed\": 3, \"duration\" 2}", `run.log:1:46: error: expected a colon after the key "duration"`},
		{"{\"model_id\": \"m\", \"completed\": 3, \"duration\": }", `run.log:1:47: error: expected a value for "duration"`},
		{"{\"model_id\": \"m\", \"completed\": 3, 7: 2}", `run.log:1:35: error: expected a key in quotes`},
		{"{\"model_id\": \"m\", \"completed\": 3, \"a\": \"x\n\"}", `run.log:1:42: error: a string is not closed at the end of the line`},
		{"<<<<<<< HEAD\n{\"model_id\": 1}", ""},
	} {
		out := fixture.Read(t, test.text)
		if test.message == "" {
			if len(out.Results) != 0 || len(out.Messages) != 0 {
				t.Errorf("%q: %d results, messages %v", test.text, len(out.Results), out.Messages)
			}
			continue
		}
		if len(out.Messages) != 1 || out.Messages[0].Error() != test.message || len(out.Results) != 1 {
			t.Errorf("%q: %d results, messages %v", test.text, len(out.Results), out.Messages)
		}
	}
	if out := fixture.Read(t, `{"some": "thing", "else" 3}`); locale.English(out.Reason) != `broken JSON at line 1, column 26: expected a colon after the key "else"` {
		t.Error(out.Reason)
	}
	if out := fixture.Read(t, `{"model_id": "m", "num_prompts": 3, `); locale.English(out.Reason) != "cut off before the first figure" || len(out.Messages) != 1 {
		t.Error(out.Reason, out.Messages)
	}
}

// TestObjectBeforeATable checks that a table is read below unrelated JSON objects, with which a log may begin.
func TestObjectBeforeATable(t *testing.T) {
	r := fixture.One(t, "{\"gpu\": \"Thor\"}\n{\"note\": [1]}\nStarting\n"+fixture.Table)
	if r.Format != "vllm-serve-text" || r.Source.Line != 4 || len(r.Metrics) != 16 {
		t.Errorf("%+v", r)
	}
}
