package telemetry

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// recorder makes a trace out of the samples of a telemetry file. A sample is
// begun with its time and then given what was read at that time.
type recorder struct {
	in       *draft.File
	trace    *result.Trace
	every    int // of the samples reported, one is kept; doubled when there are too many
	reported int
	latest   float64
	first    float64 // of the times that are reported as elapsed

	changed  []string // labels that had two values
	misnamed int      // the first line whose input is less than one of its parts
}

// maxSamples is how many samples of a trace are kept. Of a longer one every
// second goes, and so on, so that hours at ten samples a second fit.
const maxSamples = 1 << 15

func (r *recorder) begin(in *draft.File, tool, format string) {
	*r = recorder{in: in, every: 1, trace: &result.Trace{Tool: tool, Format: format}}
}

// sample begins the sample of a line. Without a time of its own (at is zero) it
// follows the one before by step seconds.
func (r *recorder) sample(line int, at time.Time, zoned bool, step float64) {
	t := r.trace
	if t.EndLine == 0 {
		t.Source = result.Position{File: r.in.Name, Line: line}
		t.Start, t.Zoned, t.Stepped = at, zoned, at.IsZero()
	}
	t.EndLine = line
	seconds := r.latest + step
	if r.reported == 0 {
		seconds = 0
	}
	if !at.IsZero() && !t.Start.IsZero() {
		seconds = max(at.Sub(t.Start).Seconds(), r.latest) // a clock that was set back
	}
	r.latest = seconds
	if r.reported > 0 && (r.reported-1)%r.every != 0 {
		r.cut(len(t.Times) - 1) // the one before is not to be kept
	} else if len(t.Times) == maxSamples {
		r.thin()
		r.every *= 2
	}
	r.reported++
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
	r.cut(maxSamples / 2)
}

// cut keeps the first n samples.
func (r *recorder) cut(n int) {
	t := r.trace
	t.Times = t.Times[:n]
	for i := range t.Channels {
		c := &t.Channels[i]
		c.Values, c.Lines = c.Values[:n], c.Lines[:n]
	}
}

const maxChannels = 256 // of a trace

// put notes one quantity of the current sample. Two of the same name are added
// up, as the power of several rails or GPUs.
func (r *recorder) put(name, unit, field, scope string, v float64) {
	t := r.trace
	n := len(t.Times)
	c := t.Channel(name)
	if c == nil && len(t.Channels) == maxChannels {
		return
	}
	if c == nil {
		t.Channels = append(t.Channels, result.Channel{Name: name, Unit: unit, Field: field, Scope: scope,
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
// temperature of several zones or the use of several GPUs. NaN stands for none.
func (r *recorder) greatest(name, unit, field string, v float64) {
	if math.IsNaN(v) {
		return
	}
	if c := r.trace.Channel(name); c != nil && len(r.trace.Times) > 0 && c.Values[len(r.trace.Times)-1] >= v {
		return
	} else if c != nil {
		c.Values[len(r.trace.Times)-1] = math.NaN()
	}
	r.put(name, unit, field, "", v)
}

// label notes what the file says of the machine. What changed while the trace
// was taken is true of none of it.
func (r *recorder) label(name, value string, line int) {
	if scan.IsMissing(value) || slices.Contains(r.changed, name) {
		return
	}
	if known, ok := r.trace.Labels.Lookup(name); ok && known.Value != value {
		r.changed = append(r.changed, name)
		r.trace.Labels = slices.DeleteFunc(r.trace.Labels, func(l result.Label) bool { return l.Name == name })
	} else if !ok {
		r.trace.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Measured,
			Pos: result.Position{File: r.in.Name, Line: line}})
	}
}

// elapsed begins the sample of a line whose time is reported in seconds since some
// moment that is not.
func (r *recorder) elapsed(line int, seconds float64) {
	if r.reported == 0 {
		r.first = seconds
	}
	r.sample(line, time.Time{}, false, max(0, seconds-r.first-r.latest))
	r.trace.Stepped = false
}

// hand emits the trace, if there is anything in it. One sample alone, as in
// a page that shows what the tool prints, reports nothing over time.
func (r *recorder) hand() {
	switch t := r.trace; {
	case t == nil || len(t.Channels) == 0:
	case len(t.Times) == 1:
		r.in.NoResult(t.EndLine, "one sample alone of what looks like "+t.Format)
	default:
		if r.misnamed > 0 && t.Channel("power") == nil {
			r.in.Message(r.misnamed, result.Warning, "format.rails", "the board's input gives less than one of its parts takes", "the names are on the wrong rails, so that no power is reported")
		}
		r.in.Out.Traces = append(r.in.Out.Traces, *t)
	}
	r.trace = nil
}

// deviceRows makes samples out of rows of one device each: a row of a device
// that the sample has already begins the next. What a machine uses is the sum
// over its devices; when one of them did not report it, there is none.
type deviceRows struct {
	recorder
	seen    []string // devices of the sample
	most    int      // devices that a sample had so far
	lacking []string // sums that lack a device's part
	sums    []string // names of the channels that are sums
	parts   []string // names of those that are one device's part
}

const (
	maxDevices = 64   // with a channel of their own
	maxSeen    = 1024 // that are told apart
)

func (d *deviceRows) begin(in *draft.File, tool, format string) {
	d.recorder.begin(in, tool, format)
	d.seen, d.most, d.lacking, d.sums, d.parts = d.seen[:0], 0, d.lacking[:0], d.sums[:0], d.parts[:0]
}

// row begins a device's row, and reports whether a sample is to be begun with it.
func (d *deviceRows) row(device string, line int) (first bool) {
	first = len(d.seen) == 0 || len(d.seen) == maxSeen || slices.Contains(d.seen, device)
	if first {
		d.close()
	} else {
		d.trace.EndLine = line
	}
	d.seen = append(d.seen, device)
	return first
}

// add notes what the current row's device has its part in; NaN when it did not
// tell. The parts are kept too, for runs that use some of the devices.
func (d *deviceRows) add(name, unit, field, scope string, v float64) {
	if !slices.Contains(d.sums, name) {
		d.sums = append(d.sums, name)
	}
	if math.IsNaN(v) {
		d.lacking = append(d.lacking, name)
		return
	}
	d.put(name, unit, field, scope, v)
	if device := d.seen[len(d.seen)-1]; name == "power" && device != "" && len(d.seen) <= maxDevices {
		part := "x_power_" + draft.Snake(device)
		if !slices.Contains(d.parts, part) {
			d.parts = append(d.parts, part)
		}
		d.put(part, unit, field, scope, v)
	}
}

// close ends a sample: sums over fewer devices than there are go.
func (d *deviceRows) close() {
	if len(d.seen) == 0 {
		return
	}
	t := d.trace
	if len(d.seen) > d.most && d.most > 0 { // those before lacked one
		for _, name := range d.sums {
			if c := t.Channel(name); c != nil {
				for i := range c.Values[:len(c.Values)-1] {
					c.Values[i] = math.NaN()
				}
			}
		}
	}
	if len(d.seen) < d.most {
		d.lacking = append(d.lacking, d.sums...)
	}
	for _, name := range d.lacking {
		if c := t.Channel(name); c != nil {
			c.Values[len(c.Values)-1] = math.NaN()
		}
	}
	d.most = max(d.most, len(d.seen))
	d.seen, d.lacking = d.seen[:0], d.lacking[:0]
}

// hand ends the last sample and emits the trace. One device needs no channel
// beside the sum, and a channel that no sample reported goes.
func (d *deviceRows) hand() {
	if d.trace == nil {
		return
	}
	d.close()
	d.trace.Channels = slices.DeleteFunc(d.trace.Channels, func(c result.Channel) bool {
		return d.most == 1 && slices.Contains(d.parts, c.Name) ||
			!slices.ContainsFunc(c.Values, func(v float64) bool { return !math.IsNaN(v) })
	})
	if d.most > 1 {
		d.label("device_count", strconv.Itoa(d.most), d.trace.Source.Line)
	}
	d.recorder.hand()
}

// measured reads a figure in the unit that is wanted: with its own unit behind
// it, else in the one given. NaN stands for what is missing, negative (as -1 is)
// or in a unit of something else.
func measured(text, unit, want string) float64 {
	number, own, ok := scan.Quantity(text)
	if own != "" {
		unit = own
	}
	factor := 1.0
	if plain, times, known := draft.PlainUnit(unit); known && unit != want {
		unit, factor = plain, times
	}
	shift, fits := draft.UnitShift(unit, want)
	f, _ := scan.ParseFigure([]byte(number), shift)
	if !ok || !fits || !f.Finite || f.Value < 0 {
		return math.NaN()
	}
	return f.Value * factor
}

// held reports the reasons that NVIDIA's driver gives for a clock that is not
// at its highest, a bit for each, whether one of them is a limit of power or
// heat. An idle GPU, or a clock that was asked for, is not one.
func held(reasons string) (float64, bool) {
	const limits = 0x4 | 0x8 | 0x20 | 0x40 | 0x80 // power cap, slowdown, heat by software and hardware, power brake
	bits, err := strconv.ParseUint(reasons, 0, 64)
	switch {
	case err != nil:
		return 0, false
	case bits&limits != 0:
		return 1, true
	}
	return 0, true
}

// readClock reads a moment as telemetry writes them, and whether a time zone is
// reported with it: a date and time, or seconds or milliseconds since 1970.
func readClock(text string) (at time.Time, zoned, ok bool) {
	for _, layout := range []string{"2006/01/02 15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "20060102 15:04:05", "01-02-2006 15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil { // with or without a fraction
			return at, false, true
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), true, true
		}
	}
	since, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
	case since >= 1e9 && since < 1e10:
		return time.UnixMicro(int64(math.Round(since * 1e6))).UTC(), true, true
	case since >= 1e12 && since < 1e13:
		return time.UnixMicro(int64(math.Round(since * 1e3))).UTC(), true, true
	}
	return time.Time{}, false, false
}
