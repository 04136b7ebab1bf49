package draft

import (
	"math"
	"strconv"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Measured notes the statistics of a latency, of a tool that puts zero where it
// measured nothing. A mean of zero is no measurement. A smallest one of zero reports
// that some requests were not measured, and then no statistic is what its name says,
// unless gaps between tokens may be zero.
func (s *Draft) Measured(family, unit string, d *scan.Value) {
	mean, ok := d.Get("mean").Float()
	if !ok || mean == 0 {
		return
	}
	least, known := d.Get("min").Float()
	if d.Cut && !known {
		return // it may come behind the place where the file breaks off
	}
	if known && least == 0 && (family == "ttft" || family == "tpot_incl_ttft") {
		s.In.Message(d.Line, result.Warning, UnmeasuredID, locale.Textf("%s counts requests that were not measured as 0", d.Path()),
			locale.Textf("its figures are left out"))
		return
	}
	s.Statistics(family, unit, d)
}

const UnmeasuredID = "format.unmeasured"

// Epoch notes the date of a run from seconds since 1970. Other clocks begin at zero.
func (s *Draft) Epoch(seconds float64, line int) {
	if seconds > 1e9 && seconds < 1<<33 {
		s.SetLabel("date", []byte(time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)), line)
	}
}

// Created notes the date of an answer in OpenAI's form.
func (s *Draft) Created(v *scan.Value) {
	if seconds, ok := v.Get("created").Float(); ok {
		s.Epoch(seconds, v.Get("created").Line)
	}
}

// DeriveStatistics notes how one number per request is spread, and its statistics,
// taken here because the tool saved the requests alone. Factor brings the numbers
// to milliseconds; the formula says what each of them is.
func (s *Draft) DeriveStatistics(family string, of *scan.Sample, factor float64, formula string, line int) {
	if of.Size() == 0 {
		return
	}
	s.Fact([]byte(family), strconv.AppendFloat(nil, of.Sum, 'g', -1, 64))
	s.distribution(family, formula, of, factor, line)
}

// TotalsFromRates derives what a tool divided by when it reports rates alone: the time
// from the number of requests and their rate, and from that the tokens. These must
// come out whole, or the rates are of something else.
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

// PerRequest computes one number of each request from several others of it, in
// their order. A request that lacks one, or of which the result is no number, is
// left out.
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

// TimePerToken is the TPOT of one request, NaN where there is none.
func TimePerToken(e2el, ttft, tokens float64) float64 {
	if tokens < 2 || ttft > e2el {
		return math.NaN()
	}
	return (e2el - ttft) / (tokens - 1)
}
