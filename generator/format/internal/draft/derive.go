package draft

import (
	"math"
	"strconv"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Measured adds the statistics of a latency from a tool that writes zero if it measured nothing. A mean of zero is
// skipped. A minimum of zero means that some requests were not measured, so that all statistics are wrong and are
// skipped with a message. Gaps between tokens may be zero, so the check applies only to the families ttft and
// tpot_incl_ttft.
func (s *Draft) Measured(family, unit string, d *scan.Value) {
	mean, ok := d.Get("mean").Float()
	if !ok || mean == 0 {
		return
	}
	least, known := d.Get("min").Float()
	if d.Cut && !known {
		return // it may be after the place where the file breaks off
	}
	if known && least == 0 && (family == "ttft" || family == "tpot_incl_ttft") {
		s.In.Message(d.Line, result.Warning, UnmeasuredID, locale.Textf("%s counts requests that were not measured as 0", d.Path()),
			locale.Textf("its figures are left out"))
		return
	}
	s.Statistics(family, unit, d)
}

const UnmeasuredID = "format.unmeasured"

// Epoch sets the date of a run from seconds since 1970. It ignores values of other clocks, which begin at zero.
func (s *Draft) Epoch(seconds float64, line int) {
	if seconds > 1e9 && seconds < 1<<33 {
		s.SetLabel("date", []byte(time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)), line)
	}
}

// Created sets the date from an answer in OpenAI's format.
func (s *Draft) Created(v *scan.Value) {
	if seconds, ok := v.Get("created").Float(); ok {
		s.Epoch(seconds, v.Get("created").Line)
	}
}

// DeriveStatistics adds the distribution of one number per request, and its statistics. They are computed here because
// the tool saved only the requests. factor converts the numbers to milliseconds; formula describes each number.
func (s *Draft) DeriveStatistics(family string, of *scan.Sample, factor float64, formula string, line int) {
	if of.Size() == 0 {
		return
	}
	s.Fact([]byte(family), strconv.AppendFloat(nil, of.Sum, 'g', -1, 64))
	s.distribution(family, formula, of, factor, line)
}

// TotalsFromRates derives totals for a tool that reports only rates: the duration from the number of requests and their
// rate, and from the duration the tokens. A token total is added only if it is an integer, because otherwise the rate
// is of something else.
func (s *Draft) TotalsFromRates(rates *scan.Value) {
	completed, _ := s.Value("requests_completed")
	perSecond, _ := s.Value("request_throughput")
	if rates == nil || completed == 0 || perSecond <= 0 {
		return
	}
	s.Derive("duration", completed/perSecond, "requests_completed / request_throughput", rates.Line)
	duration, _ := s.Value("duration")
	for _, of := range [][2]string{{"input_throughput", "input_tokens"}, {"output_throughput", "output_tokens"}} {
		rate, ok := s.Value(of[0])
		tokens := math.Round(rate * duration)
		if ok && tokens > 0 && math.Abs(rate*duration-tokens) < 1e-9*tokens+1e-3 {
			s.Derive(of[1], tokens, of[0]+" × duration", rates.Line)
		}
	}
}

// PerRequest computes one number for each request from several others of the same request, in order. It skips a request
// that lacks one of them, or whose result is not a finite number.
func PerRequest(f func(of []float64) float64, columns ...*scan.Sample) *scan.Sample {
	out := &scan.Sample{}
	if len(columns) == 0 {
		return out
	}
	of := make([]float64, len(columns))
	for i := 0; ; i++ {
		known := true
		for c, column := range columns {
			if column == nil || i >= len(column.Values) {
				return out
			}
			of[c] = column.Values[i]
			known = known && !math.IsNaN(of[c])
		}
		if v := f(of); known && !math.IsNaN(v) && !math.IsInf(v, 0) {
			out.Add(v)
		}
	}
}

// TimePerToken returns the TPOT of one request, or NaN if it has none.
func TimePerToken(e2el, ttft, tokens float64) float64 {
	if tokens < 2 || ttft > e2el {
		return math.NaN()
	}
	return (e2el - ttft) / (tokens - 1)
}
