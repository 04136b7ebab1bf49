package format

import (
	"bytes"
	"math"
	"strings"
	"time"

	"benchpost/generator/bench"
)

// recorder makes a trace out of the samples of a telemetry file. A sample is
// begun with its time and then given what was read at that time.
type recorder struct {
	in     *input
	trace  *bench.Trace
	every  int // of the samples told, one is kept; doubled when there are too many
	told   int
	latest float64
}

// maxSamples is how many samples of a trace are kept. Of a longer one every
// second goes, and so on, so that hours at ten samples a second fit.
const maxSamples = 1 << 15

func (r *recorder) begin(in *input, tool, format string) {
	*r = recorder{in: in, every: 1, trace: &bench.Trace{Tool: tool, Format: format}}
}

// sample begins the sample of a line. Without a time of its own (at is zero) it
// follows the one before by step seconds.
func (r *recorder) sample(line int, at time.Time, zoned bool, step float64) {
	t := r.trace
	if t.EndLine == 0 {
		t.Source = bench.Position{File: r.in.name, Line: line}
		t.Start, t.Zoned, t.Stepped = at, zoned, at.IsZero()
	}
	t.EndLine = line
	seconds := r.latest + step
	if r.told == 0 {
		seconds = 0
	}
	if !at.IsZero() && !t.Start.IsZero() {
		seconds = max(at.Sub(t.Start).Seconds(), r.latest) // a clock that was set back
	}
	r.latest = seconds
	r.told++
	if len(t.Times) == maxSamples {
		r.thin()
	}
	t.Times = append(t.Times, seconds)
	for i := range t.Channels {
		t.Channels[i].Values = append(t.Channels[i].Values, math.NaN())
		t.Channels[i].Lines = append(t.Channels[i].Lines, int32(line))
	}
}

// thin keeps every second sample.
func (r *recorder) thin() {
	t := r.trace
	for i := range maxSamples / 2 {
		t.Times[i] = t.Times[2*i]
		for c := range t.Channels {
			t.Channels[c].Values[i], t.Channels[c].Lines[i] = t.Channels[c].Values[2*i], t.Channels[c].Lines[2*i]
		}
	}
	t.Times = t.Times[:maxSamples/2]
	for c := range t.Channels {
		t.Channels[c].Values, t.Channels[c].Lines = t.Channels[c].Values[:maxSamples/2], t.Channels[c].Lines[:maxSamples/2]
	}
}

// put notes one quantity of the current sample. Two of the same name are added
// up, as the power of several rails or GPUs.
func (r *recorder) put(name, unit, field, scope string, v float64) {
	t := r.trace
	n := len(t.Times)
	c := t.Channel(name)
	if c == nil {
		t.Channels = append(t.Channels, bench.Channel{Name: name, Unit: unit, Field: field, Scope: scope,
			Values: make([]float64, n, max(n, 256)), Lines: make([]int32, n, max(n, 256))})
		c = &t.Channels[len(t.Channels)-1]
		for i := range c.Values {
			c.Values[i] = math.NaN()
		}
	} else if !strings.Contains(" + "+c.Field+" + ", " + "+field+" + ") {
		c.Field += " + " + field
	}
	c.Lines[n-1] = int32(t.EndLine)
	if old := c.Values[n-1]; !math.IsNaN(old) {
		v += old
	}
	c.Values[n-1] = v
}

// greatest notes the largest of several of one quantity in a sample, as the
// temperature of several zones or the use of several GPUs.
func (r *recorder) greatest(name, unit, field string, v float64) {
	if c := r.trace.Channel(name); c != nil && len(r.trace.Times) > 0 && c.Values[len(r.trace.Times)-1] >= v {
		return
	} else if c != nil {
		c.Values[len(r.trace.Times)-1] = math.NaN()
	}
	r.put(name, unit, field, "", v)
}

// label notes what the file says of the machine.
func (r *recorder) label(name, value string, line int) {
	if value != "" {
		r.trace.Labels.Set(bench.Label{Name: name, Value: value, Origin: bench.Measured,
			Pos: bench.Position{File: r.in.name, Line: line}})
	}
}

// hand hands out the trace, if there is anything in it.
func (r *recorder) hand() {
	if r.trace != nil && len(r.trace.Channels) > 0 {
		r.in.out.Traces = append(r.in.out.Traces, *r.trace)
	}
	r.trace = nil
}

// capture notes what a file says of the machine or the software its runs were
// made with. Format is the name under which the file is known.
func (in *input) capture(format, name, value string, line int) {
	value = string(plainNumber(bytes.TrimSpace([]byte(strings.ToValidUTF8(value, "\ufffd")))))
	if value == "" || len(value) > maxLabel {
		return
	}
	in.out.Capture = format
	if _, known := in.out.Captured.Lookup(name); !known {
		in.out.Captured.Set(bench.Label{Name: name, Value: value, Origin: bench.Captured,
			Pos: bench.Position{File: in.name, Line: line}})
	}
}
