package format

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Three requests as --save-detailed keeps them, and one that failed. The first
// answers with 3 tokens after 0.1 s, 0.02 and 0.04 s apart: its TPOT is 30 ms.
const three = `"ttfts": [0.1, 0.3, 0.0, 0.2], "itls": [[0.02, 0.04], [0.05], [], []], "output_lens": [3, 2, 0, 1], ` +
	`"start_times": [10.0, 10.0, 10.0, 10.05], "errors": ["", "", "refused", ""]`

func TestSingleRequests(t *testing.T) {
	r := one(t, object(three))
	for _, test := range []struct {
		metric string
		want   float64
		field  string
	}{
		{"ttft_mean", 200, "mean of ttfts"},
		{"ttft_p50", 200, "p50 of ttfts"},
		{"ttft_p25", 150, "p25 of ttfts"}, // any percentile can be asked for
		{"ttft_max", 300, "max of ttfts"},
		{"itl_mean", 1e3 * (0.02 + 0.04 + 0.05) / 3, "mean of itls"},
		{"tpot_mean", 40, "mean of (ttfts + Σ itls − ttfts) / (output tokens − 1)"}, // 30 and 50; one token has none
		{"e2el_mean", 1e3 * (0.16 + 0.35 + 0.2) / 3, "mean of ttfts + Σ itls"},
		{"requests_failed", 1, "number of errors that are not empty"},
	} {
		m, ok := r.Metric(test.metric)
		if !ok || math.Abs(m.Value-test.want) > 1e-9 || !m.Derived || m.Field != test.field {
			t.Errorf("%s is %+v, not %v", test.metric, m, test.want)
		}
	}
	if d := r.Distribution("ttft"); d.N != 3 || d.Share(200) != 0.5 || d.Share(99) != 0 || d.Share(300) != 1 {
		t.Errorf("%+v: %v of the requests had their first token after 200 ms", d, d.Share(200))
	}
}

// What the tool printed stands; single requests add what it did not.
func TestPrintedStatisticsStand(t *testing.T) {
	r := one(t, object(three+`, "mean_ttft_ms": 123.4`))
	if got := figures(r, "ttft_mean"); got != "ttft_mean=123.4 ms" {
		t.Error(got)
	}
}

// Ten requests a second, two seconds each, for ten seconds: twenty are in
// flight from 1.9 s on. Each gives 40 tokens after 1 s, so a second holds 400.
func TestSteadyState(t *testing.T) {
	r := requests{}
	for i := range 100 {
		r.start = append(r.start, float64(i)/10)
		r.ttft = append(r.ttft, 1)
		r.e2el = append(r.e2el, 2)
		r.output = append(r.output, 40)
	}
	s := &sheet{in: &input{}}
	r.steady(s)
	rate, _ := s.value("steady_output_throughput")
	duration, _ := s.value("steady_duration")
	// 18 of 20 are in flight from 1.7 s to 10.2 s, when the third from the last
	// but fifteen ends.
	if math.Abs(rate-400) > 10 || math.Abs(duration-8.4) > 0.2 {
		t.Errorf("%v tok/s over %v s", rate, duration)
	}
}

// Few values are kept as they are, many in buckets: the quantiles stay right to
// half a thousandth.
func TestQuantilesOfManyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 1000, exactSize, 5 * exactSize} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			values := make([]float64, n)
			s := &sample{}
			sum := 0.0
			for i := range values {
				values[i] = math.Exp(rng.NormFloat64() * 3)
				sum += values[i]
				s.add(values[i])
			}
			slices.Sort(values)
			shares := []float64{0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1}
			for i, got := range s.quantiles(shares) {
				at := shares[i] * float64(n-1)
				low := values[int(at)]
				want := low + (values[min(int(at)+1, n-1)]-low)*(at-math.Floor(at))
				allowed := 1e-12
				if n > exactSize {
					allowed = 0.0006
				}
				if math.Abs(got-want) > allowed*want && (got < low || got > values[min(int(at)+1, n-1)]) {
					t.Errorf("quantile %v is %v, not %v", shares[i], got, want)
				}
			}
			if math.Abs(s.sum-sum) > 1e-9*sum || s.size() != n || s.min != values[0] || s.max != values[n-1] {
				t.Errorf("sum %v, size %d, from %v to %v", s.sum, s.size(), s.min, s.max)
			}
		})
	}
}

// Lists in lists in lists are read without taking what others hold: the file
// after them reads as it did before.
func TestDeepListsLeaveNothingBehind(t *testing.T) {
	for range 3 {
		read(t, `{"a": [[[1, 2], [3]], [[4]]], "b": [[5, 6]], "c": [7, 8]}`+"\n"+object(three))
		if r := one(t, object(three)); r.Distribution("ttft").N != 3 || r.Distribution("itl").N != 3 {
			t.Fatalf("%+v", r.Distributions)
		}
	}
}

// Whatever tool saved single requests, how their latencies are spread is known, and
// with when they were sent what came out under full load.
func TestEveryToolsRequestsAreADistribution(t *testing.T) {
	for file, want := range map[string]string{
		"aiperf-records.jsonl": "ttft tpot itl e2el", "guidellm-0.1.json": "ttft e2el tpot", "inference-perf-requests.json": "e2el ttft tpot itl",
		"llmperf-responses.json": "ttft e2el tpot tpot_incl_ttft",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "fixtures", file))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range sane(t, data).Results[0].Distributions {
			got = append(got, d.Family)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", file, got, want)
		}
	}

	// Two requests at a time, each 10 tokens in a second, for four seconds: 20 tokens
	// a second between the ramp and the drain. Without the tokens of one nothing is said.
	file := func(tokens string) string {
		var b strings.Builder
		for i, start := range []float64{1000, 1000.5, 1001, 1001.5, 1002, 1002.5, 1003} {
			n := `"output_tokens": 10, `
			if i == 3 {
				n = tokens
			}
			fmt.Fprintf(&b, `{"start_time": %v, "end_time": %v, "info": {%s"input_tokens": 5, "output_token_times": []}, "error": null}`+"\n", start, start+1, n)
		}
		return b.String()
	}
	all, some := one(t, file(`"output_tokens": 10, `)), one(t, file(""))
	m, _ := all.Metric("steady_output_throughput")
	if math.Abs(m.Value-20) > 1e-9 {
		t.Errorf("%+v under full load, want 20", m)
	}
	if m, ok := some.Metric("steady_output_throughput"); ok {
		t.Errorf("%+v under full load, though the tokens of a request are not told", m)
	}
}
