package format

import (
	"math"
	"strconv"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// measured notes the statistics of a latency, of a tool that puts zero where it
// measured nothing. A mean of zero is no measurement. A smallest one of zero tells
// that some requests were not measured, and then no statistic is what its name says,
// unless gaps between tokens may be zero.
func (s *sheet) measured(family, unit string, d *value) {
	mean, ok := d.get("mean").float()
	if !ok || mean == 0 {
		return
	}
	if least, ok := d.get("min").float(); ok && least == 0 && (family == "ttft" || family == "tpot_incl_ttft") {
		s.in.message(d.line, result.Warning, unmeasuredID, d.path()+" counts requests that were not measured as 0",
			"its figures are left out")
		return
	}
	s.statistics(family, unit, d)
}

const unmeasuredID = "format.unmeasured"

// epoch notes the date of a run from seconds since 1970. Other clocks begin at zero.
func (s *sheet) epoch(seconds float64, line int) {
	if seconds > 1e9 && seconds < 1<<33 {
		s.label("date", []byte(time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)), line)
	}
}

// created notes the date of an answer in OpenAI's form.
func (s *sheet) created(v *value) {
	if seconds, ok := v.get("created").float(); ok {
		s.epoch(seconds, v.get("created").line)
	}
}

// deriveStatistics notes how one number per request is spread, and its statistics,
// taken here because the tool saved the requests alone. Factor brings the numbers
// to milliseconds; the formula says what each of them is.
func (s *sheet) deriveStatistics(family string, of *sample, factor float64, formula string, line int) {
	if of.size() == 0 {
		return
	}
	s.fact([]byte(family), strconv.AppendFloat(nil, of.sum, 'g', -1, 64))
	s.distribution(family, formula, of, factor, line)
}

// totalsFromRates derives what a tool divided by when it tells rates alone: the time
// from the number of requests and their rate, and from that the tokens. These must
// come out whole, or the rates are of something else.
func (s *sheet) totalsFromRates(rates *value) {
	completed, _ := s.value("requests_completed")
	perSecond, _ := s.value("request_throughput")
	if rates == nil || completed == 0 || perSecond <= 0 {
		return
	}
	s.derive("duration", completed/perSecond, "requests_completed / request_throughput", rates.line)
	duration, _ := s.value("duration")
	for _, of := range [][2]string{{"input_throughput", "input_tokens"}, {"output_throughput", "output_tokens"}} {
		rate, ok := s.value(of[0])
		tokens := math.Round(rate * duration)
		if ok && tokens > 0 && math.Abs(rate*duration-tokens) < 1e-9*tokens+1e-3 {
			s.derive(of[1], tokens, of[0]+" × duration", rates.line)
		}
	}
}

// perRequest computes one number of each request from several others of it, in
// their order. A request that lacks one, or of which the result is no number, is
// left out.
func perRequest(f func(of []float64) float64, columns ...*sample) *sample {
	out := &sample{}
	if len(columns) == 0 {
		return out
	}
	of := make([]float64, len(columns))
	for i := 0; ; i++ {
		known := true
		for c, column := range columns {
			if column == nil || i >= len(column.values) {
				return out
			}
			of[c] = column.values[i]
			known = known && !math.IsNaN(of[c])
		}
		if v := f(of); known && !math.IsNaN(v) && !math.IsInf(v, 0) {
			out.add(v)
		}
	}
}

// timePerToken is the TPOT of one request, NaN where there is none.
func timePerToken(e2el, ttft, tokens float64) float64 {
	if tokens < 2 || ttft > e2el {
		return math.NaN()
	}
	return (e2el - ttft) / (tokens - 1)
}
