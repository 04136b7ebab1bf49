package result

import (
	"math"
	"slices"
	"time"
)

// Trace is what a machine reported over time: power, utilization, memory, temperature, clocks. It is joined to
// the run during which it was recorded.
type Trace struct {
	Source  Position // position of the first sample
	EndLine int
	Tool    string // "tegrastats"
	Format  string
	Labels  Labels // what the file states about the machine

	// Start is the time of the first sample as the tool wrote it, or zero if the tool writes no time. Zoned is
	// set if it has a time zone. Otherwise it is local to the machine and given as UTC.
	Start time.Time
	Zoned bool
	// Undated marks a trace with times of day but no date. SinceMidnight is the time of the first sample, and
	// Start is zero.
	Undated       bool
	SinceMidnight time.Duration
	// Stepped marks times that are not in the file but assumed from the tool's usual interval.
	Stepped bool

	Times    []float64 // seconds since Start, one per sample, never decreasing
	Channels []Channel
}

// ReadingPrefix is the prefix of labels with values that a machine reported at a single moment, such as the
// power in a table that was printed once.
const ReadingPrefix = "x_reading_"

// Telemetry is the part of a trace that belongs to a run. From and To are seconds since the trace's first
// sample.
type Telemetry struct {
	*Trace
	From, To float64
}

// Channel is one quantity of a trace.
type Channel struct {
	Name   string // power, gpu_utilization, memory_used, temperature, gpu_clock, or x_ and the tool's own name
	Unit   string // W, %, B, °C, MHz
	Field  string // the tool's name: "VDD_IN"; several joined with " + "
	Scope  string // of power: gpu, package, module, board, wall
	Values []float64
	Lines  []int32 // line of each value
}

// Channel returns a channel by name, or nil.
func (t *Trace) Channel(name string) *Channel {
	for i := range t.Channels {
		if t.Channels[i].Name == name {
			return &t.Channels[i]
		}
	}
	return nil
}

// Window returns the range of the samples from one time to another, in seconds since Start.
func (t *Trace) Window(from, to float64) (first, end int) {
	first, _ = slices.BinarySearch(t.Times, from)
	end, _ = slices.BinarySearch(t.Times, math.Nextafter(to, math.Inf(1)))
	return first, end
}

// Summary summarises the samples of one channel.
type Summary struct {
	N         int
	Line      int // line of the first sample that is not missing
	Mean, Max float64
	MaxLine   int
}

// MaxGap is the longest time between two samples, in seconds, that is interpolated.
const MaxGap = 3

// Integrate returns the integral of a channel between two times in seconds since Start, by the trapezoid rule,
// and the number of seconds it covers. It returns NaN if two consecutive samples in between are more than
// MaxGap apart. A run rarely starts at a sample, so the time between its start and its first sample is included
// if the sample before is near enough; likewise at its end.
func (t *Trace) Integrate(c *Channel, from, to float64) (integral, seconds float64) {
	last := -1
	for i, v := range c.Values {
		if math.IsNaN(v) {
			continue
		}
		if last >= 0 {
			begin, step := t.Times[last], t.Times[i]-t.Times[last]
			a, b := max(begin, from), min(t.Times[i], to)
			inside := begin >= from && t.Times[i] <= to
			switch {
			case b < a || step == 0:
			case step <= MaxGap:
				slope := (v - c.Values[last]) / step
				integral += (b - a) * (c.Values[last] + slope*((a+b)/2-begin))
				seconds += b - a
			case inside:
				return math.NaN(), 0
			}
		}
		last = i
	}
	return integral, seconds
}

// Summarize summarises the samples from first to before end. It ignores missing samples (NaN).
func (t *Trace) Summarize(c *Channel, first, end int) Summary {
	s := Summary{Max: math.Inf(-1)}
	for i := first; i < end; i++ {
		v := c.Values[i]
		if math.IsNaN(v) {
			continue
		}
		if s.N == 0 {
			s.Line = int(c.Lines[i])
		}
		s.N++
		s.Mean += v
		if v > s.Max {
			s.Max, s.MaxLine = v, int(c.Lines[i])
		}
	}
	s.Mean /= float64(s.N)
	return s
}
