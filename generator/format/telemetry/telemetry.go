package telemetry

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// recorder makes a trace out of the samples of a telemetry file. Each sample begins with its time; then the values that
// were read at that time are recorded.
type recorder struct {
	in       *draft.File
	trace    *result.Trace
	every    int // one of this many samples is kept; doubled when there are too many
	reported int
	latest   float64
	first    float64       // the first elapsed time
	clock    time.Duration // the last time of day, since midnight
	day      time.Duration // length of the days before this one, if only the time of day is reported

	gauges []gauge // gauges reported so far, in the order of their first report
	next   int     // index of the gauge that is expected next
	rail   []part  // rails of a board, with their channels

	changed  []string // labels that had two values
	misnamed int      // the first line whose input is less than one of its parts
}

// maxSamples is the number of samples that a trace keeps. When there are more, every second one is dropped, repeatedly
// if needed. A day at ten samples a second fits, with samples less than [result.MaxGap] apart.
const maxSamples = 1 << 16

// gauge is one quantity as a tool names it, and the channel it is kept in. If several quantities add up to a channel,
// such as the power of several rails, each one is a gauge.
type gauge struct {
	name, field string
	channel     int // index in the trace
}

func (r *recorder) begin(in *draft.File, tool, format string) {
	*r = recorder{in: in, every: 1, gauges: r.gauges[:0], trace: &result.Trace{Tool: tool, Format: format}}
}

// find returns the channel of a name and field that was reported before, or nil if there is none. Samples report the
// same quantities in the same order, so the next gauge is tried first.
func (r *recorder) find(name, field string) *result.Channel {
	if r.next < len(r.gauges) {
		if g := &r.gauges[r.next]; g.name == name && g.field == field {
			r.next++
			return &r.trace.Channels[g.channel]
		}
	}
	for i := range r.gauges {
		if g := &r.gauges[i]; g.name == name && g.field == field {
			r.next = i + 1
			return &r.trace.Channels[g.channel]
		}
	}
	return nil
}

// learn adds the gauge of a name and field, and returns its channel, or nil if there are too many.
func (r *recorder) learn(name, unit, field, scope string) *result.Channel {
	t := r.trace
	i := slices.IndexFunc(t.Channels, func(c result.Channel) bool { return c.Name == name })
	switch {
	case i >= 0 && len(r.gauges) == maxGauges:
		return &t.Channels[i]
	case i >= 0:
		t.Channels[i].Field += " + " + field
	case len(t.Channels) == maxChannels || len(r.gauges) == maxGauges:
		return nil
	default:
		n := len(t.Times)
		c := result.Channel{Name: name, Unit: unit, Field: field, Scope: scope,
			Values: make([]float64, n, max(n, fewSamples)), Lines: make([]int32, n, max(n, fewSamples))}
		for i := range c.Values {
			c.Values[i] = math.NaN()
		}
		i = len(t.Channels)
		t.Channels = append(t.Channels, c)
	}
	r.gauges = append(r.gauges, gauge{name, field, i})
	r.next = len(r.gauges)
	return &t.Channels[i]
}

const (
	maxChannels = 256 // of a trace
	maxGauges   = 1024
	fewSamples  = 16 // initial capacity of a channel
)

// sample begins the sample of a line. If it has no time of its own (at is zero), it follows the one before by step
// seconds.
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
		seconds = max(at.Sub(t.Start).Seconds(), r.latest) // the clock may have been set back
	}
	r.latest = seconds
	if r.reported > 0 && (r.reported-1)%r.every != 0 {
		r.cut(len(t.Times) - 1) // the previous sample is not kept
	} else if len(t.Times) == maxSamples {
		r.thin()
		r.every *= 2
	}
	r.reported++
	t.Times = append(doubled(t.Times), seconds)
	for i := range t.Channels {
		t.Channels[i].Values = append(doubled(t.Channels[i].Values), math.NaN())
		t.Channels[i].Lines = append(doubled(t.Channels[i].Lines), int32(line))
	}
}

// doubled returns a list with room for one more element. It doubles the capacity of a full list, so that long lists are
// seldom copied.
func doubled[T any](list []T) []T {
	if len(list) == cap(list) {
		return slices.Grow(list, max(len(list), 1))
	}
	return list
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

// put records one quantity of the current sample. Values with the same name are added up, such as the power of several
// rails or GPUs.
func (r *recorder) put(name, unit, field, scope string, v float64) {
	c := r.find(name, field)
	if c == nil {
		if c = r.learn(name, unit, field, scope); c == nil {
			return
		}
	}
	n := len(r.trace.Times) - 1
	c.Lines[n] = int32(r.trace.EndLine)
	if old := c.Values[n]; !math.IsNaN(old) {
		v += old
	}
	c.Values[n] = v
}

// greatest records the largest of several values of one quantity in a sample, such as the temperature of several zones
// or the utilization of several GPUs. NaN means that there is no value. The channel names the fields that were the
// largest at some time.
func (r *recorder) greatest(name, unit, field string, v float64) {
	if math.IsNaN(v) {
		return
	}
	n := len(r.trace.Times) - 1
	c := r.find(name, field)
	if c == nil {
		if c = r.trace.Channel(name); c != nil && c.Values[n] >= v {
			return
		}
		if c = r.learn(name, unit, field, ""); c == nil {
			return
		}
	}
	if !(c.Values[n] >= v) {
		c.Values[n], c.Lines[n] = v, int32(r.trace.EndLine)
	}
}

// label records what the file states about the machine. A label that changes while the trace is taken is dropped.
func (r *recorder) label(name, value string, line int) {
	known, ok := r.trace.Labels.Lookup(name)
	if ok && known.Value == value || scan.IsMissing(value) || slices.Contains(r.changed, name) {
		return
	}
	if ok {
		r.changed = append(r.changed, name)
		r.trace.Labels = slices.DeleteFunc(r.trace.Labels, func(l result.Label) bool { return l.Name == name })
	} else {
		r.trace.Labels.Set(result.Label{Name: name, Value: value, Origin: result.Measured,
			Pos: result.Position{File: r.in.Name, Line: line}})
	}
}

// elapsed begins the sample of a line whose time is in seconds since an unknown moment.
func (r *recorder) elapsed(line int, seconds float64) {
	if r.reported == 0 {
		r.first = seconds
	}
	r.sample(line, time.Time{}, false, max(0, seconds-r.first-r.latest))
	r.trace.Stepped = false
}

// hour begins the sample of a line that has a time of day but no date. A time that is much earlier than the one before
// belongs to the next day.
func (r *recorder) hour(line int, sinceMidnight time.Duration) {
	const day, half = 24 * time.Hour, 12 * time.Hour
	if r.reported == 0 {
		r.trace.Undated, r.trace.SinceMidnight = true, sinceMidnight
	} else if sinceMidnight < r.clock-half {
		r.day += day
	}
	r.clock = sinceMidnight
	r.elapsed(line, (r.day + sinceMidnight).Seconds())
}

// hand emits the trace, unless it is empty. A single sample, as on a page that shows what the tool prints, is not a
// series. It is kept as what the machine reported at that moment.
func (r *recorder) hand() {
	switch t := r.trace; {
	case t == nil || len(t.Channels) == 0:
	case len(t.Times) == 1:
		r.reading()
	default:
		if r.misnamed > 0 && t.Channel("power") == nil {
			r.in.Message(r.misnamed, result.Warning, "format.rails", locale.Textf("the board's input gives less than one of its parts takes"), locale.Textf("the names are on the wrong rails, so that no power is reported"))
		}
		r.in.Out.Traces = append(r.in.Out.Traces, *t)
	}
	r.trace = nil
}

// reading captures the only sample of a trace. If a file has several such traces, the first one counts.
func (r *recorder) reading() {
	t := r.trace
	for _, label := range t.Labels {
		r.in.Capture(t.Format, label.Name, label.Value, label.Pos.Line)
	}
	for i := range t.Channels {
		c := &t.Channels[i]
		name := result.ReadingPrefix + c.Name
		if _, known := r.in.Out.Captured.Lookup(name); known || !isReading(c.Name) || math.IsNaN(c.Values[0]) {
			continue
		}
		r.in.Capture(t.Format, name, strconv.FormatFloat(math.Round(c.Values[0]*1e6)/1e6, 'f', -1, 64)+" "+c.Unit, int(c.Lines[0]))
		if c.Name == "power" && c.Scope != "" {
			r.in.Capture(t.Format, name+"_scope", c.Scope, int(c.Lines[0]))
		}
	}
}

// isReading reports whether a channel of a single sample is kept: the channels that every tool has, but not those of
// rails and devices.
func isReading(channel string) bool {
	switch channel {
	case "power", "gpu_utilization", "memory_used", "temperature", "gpu_clock":
		return true
	}
	return false
}

// deviceRows makes samples out of rows that have one device each. A row of a device that the sample already has begins
// the next sample. What a machine uses is the sum over its devices. If one of them did not report its part, there is no
// sum.
type deviceRows struct {
	recorder
	seen    []string // devices of the sample
	most    int      // the most devices that a sample had so far
	lacking []string // sums that lack a device's part
	sums    []string // names of the channels that are sums
	parts   []part   // devices, with the channels of their power
	devices []device // devices that had a row
	current int      // the device that had a row last
}

// part is the power of one device or rail.
type part struct{ device, channel string }

// device is the name of a device, as written and as used here.
type device struct{ written, name string }

const (
	maxDevices = 64   // with a channel of their own
	maxSeen    = 1024 // devices that are distinguished
)

func (d *deviceRows) begin(in *draft.File, tool, format string) {
	d.recorder.begin(in, tool, format)
	d.seen, d.most, d.lacking, d.sums, d.parts, d.devices = d.seen[:0], 0, d.lacking[:0], d.sums[:0], d.parts[:0], d.devices[:0]
}

// row begins a device's row, and reports whether the caller must begin a sample.
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

// named returns the name of a device. The name is made only once for what is written.
func (d *deviceRows) named(written []byte, name func(string) string) string {
	for range d.devices {
		d.current = (d.current + 1) % len(d.devices)
		if known := d.devices[d.current]; string(written) == known.written {
			return known.name
		}
	}
	named := device{string(written), name(string(written))}
	if len(d.devices) < maxSeen {
		d.devices = append(d.devices, named)
		d.current = len(d.devices) - 1
	}
	return named.name
}

// numbered returns the name of a device. A number is that of a GPU: "gpu0" for "0".
func numbered(written string) string {
	if _, err := strconv.Atoi(written); err == nil {
		return "gpu" + written
	}
	return written
}

// add records the part of the current row's device in a sum, NaN if it did not report one. The devices' power is also
// kept separately, for runs that use only some of the devices.
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
		d.put(d.part(device), unit, field, scope, v)
	}
}

// part returns the name of the channel of a device's power.
func (d *deviceRows) part(device string) string {
	i := slices.IndexFunc(d.parts, func(p part) bool { return p.device == device })
	if i < 0 && len(d.parts) == maxChannels {
		return "x_power_" + draft.Snake(device)
	}
	if i < 0 {
		i = len(d.parts)
		d.parts = append(d.parts, part{device, "x_power_" + draft.Snake(device)})
	}
	return d.parts[i].channel
}

// close ends a sample. It drops sums that lack one of the devices.
func (d *deviceRows) close() {
	if len(d.seen) == 0 {
		return
	}
	t := d.trace
	if len(d.seen) > d.most && d.most > 0 { // earlier samples lacked a device
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

// hand ends the last sample and emits the trace. It drops the separate power of an only device, and channels that no
// sample reported.
func (d *deviceRows) hand() {
	if d.trace == nil {
		return
	}
	d.close()
	d.trace.Channels = slices.DeleteFunc(d.trace.Channels, func(c result.Channel) bool {
		return d.most == 1 && slices.ContainsFunc(d.parts, func(p part) bool { return p.channel == c.Name }) ||
			!slices.ContainsFunc(c.Values, func(v float64) bool { return !math.IsNaN(v) })
	})
	if d.most > 1 {
		d.label("device_count", strconv.Itoa(d.most), d.trace.Source.Line)
	}
	d.recorder.hand()
}

// held returns 1 if one of the reasons for a lower clock is a limit of power or heat, and 0 otherwise. The reasons are
// the bits that NVIDIA's driver sets. An idle GPU, or a clock that was asked for, is not a limit.
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
