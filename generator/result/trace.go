package result

import (
	"math"
	"slices"
	"time"
)

// Trace is what a machine reported of itself over time: power, use, memory,
// temperature, clocks. It is joined to the run during which it was taken.
type Trace struct {
	Source  Position // its first sample
	EndLine int
	Tool    string // "tegrastats"
	Format  string
	Labels  Labels // what the file says of the machine

	// Start is when the first sample was taken, as the tool wrote it; zero when
	// it notes no time. Zoned is whether a time zone was noted with it; else
	// it is local to the machine and given as UTC.
	Start time.Time
	Zoned bool
	// Undated marks a trace of which only the time of day is known: SinceMidnight
	// of the first sample. Start is zero.
	Undated       bool
	SinceMidnight time.Duration
	// Stepped marks times that were not noted but follow from the tool's usual
	// interval.
	Stepped bool

	Times    []float64 // seconds since Start, one for each sample, never falling
	Channels []Channel
}

// ReadingPrefix begins the names of labels that hold what a machine reported at one
// moment, as the power of a table that was printed once.
const ReadingPrefix = "x_reading_"

// Telemetry is the part of a trace that belongs to a run, in seconds since the
// trace's first sample.
type Telemetry struct {
	*Trace
	From, To float64
}

// Channel is one quantity of a trace.
type Channel struct {
	Name   string // power, gpu_utilization, memory_used, temperature, gpu_clock, or x_ and the tool's own
	Unit   string // W, %, B, °C, MHz
	Field  string // as the tool calls it: "VDD_IN"; several joined with " + "
	Scope  string // of power: gpu, package, module, board, wall
	Values []float64
	Lines  []int32 // where each is
}

// Channel returns a channel by name, nil when there is none.
func (t *Trace) Channel(name string) *Channel {
	for i := range t.Channels {
		if t.Channels[i].Name == name {
			return &t.Channels[i]
		}
	}
	return nil
}

// Window returns the samples from one time to another, in seconds since Start.
func (t *Trace) Window(from, to float64) (first, end int) {
	first, _ = slices.BinarySearch(t.Times, from)
	end, _ = slices.BinarySearch(t.Times, math.Nextafter(to, math.Inf(1)))
	return first, end
}

// Summary is what the samples of one channel come to.
type Summary struct {
	N         int
	Line      int // of the first that counts
	Mean, Max float64
	MaxLine   int
}

// MaxGap is the longest time between samples, in seconds, over which a trace
// says anything about what lies between.
const MaxGap = 3

// Integrate returns the integral of a channel from one moment to another, in
// seconds since Start, by the trapezoid rule, and over how many seconds; NaN when
// two samples that follow each other are more than MaxGap apart. A run hardly
// begins with a sample: what lies between its begin and the first of its samples
// counts as well, as far as the sample before shows it, and so at its end.
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

// Summarize sums up the samples from first up to end; a missing one (NaN) counts
// nowhere.
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
