package rundir

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// A trace of a host is of all its devices; a run may use some of them. The
// power of a run is that of the devices it used: as many of the busiest as are
// declared or measured, else those that drew clearly more than the quietest.

// partPrefix begins the names of the channels that are one device's part of the
// power.
const partPrefix = "x_power_"

// usedDevices returns the channels of the devices that worked from first up to end
// for a run, and of how many the trace is; nil when it has no parts.
func (t *trace) usedDevices(r *result.Result, first, end int) (used []*result.Channel, all int) {
	var parts []*result.Channel
	for i := range t.Channels {
		if c := &t.Channels[i]; strings.HasPrefix(c.Name, partPrefix) && t.Summarize(c, first, end).N > 0 {
			parts = append(parts, c)
		}
	}
	if len(parts) < 2 {
		return nil, len(parts)
	}
	mean := func(c *result.Channel) float64 { return t.Summarize(c, first, end).Mean }
	busiest := slices.Clone(parts)
	slices.SortStableFunc(busiest, func(a, b *result.Channel) int { return cmp.Compare(mean(b), mean(a)) })
	n := len(parts)
	if declared := declaredDevices(r); declared > 0 && declared < n {
		n = declared
	} else if declared == 0 {
		loud, quiet := mean(busiest[0]), mean(busiest[n-1])
		if loud >= clearlyMore*quiet {
			n = slices.IndexFunc(busiest, func(c *result.Channel) bool { return mean(c) <= quiet+(loud-quiet)/4 })
		}
	}
	busiest = busiest[:n]
	return slices.DeleteFunc(parts, func(c *result.Channel) bool { return !slices.Contains(busiest, c) }), len(parts)
}

// clearlyMore is how many times the power of an idle device a busy one draws at
// the least: what idles draws a quarter of its limit at the most.
const clearlyMore = 2.0

// declaredDevices returns how many accelerators a run says it used, 0 for nothing.
func declaredDevices(r *result.Result) int {
	count, counted := r.Labels.Lookup("accelerators")
	if r.Layout().Known || counted && count.Origin != result.Captured {
		return int(r.Accelerators())
	}
	return 0
}

// powerOf returns the power of some devices of a trace as one channel.
func (t *trace) powerOf(used []*result.Channel, all int) *result.Channel {
	power := *t.Channel("power")
	if len(used) == all {
		power.Field += fmt.Sprintf(", all %d devices of the host", all)
		return &power
	}
	power.Field += fmt.Sprintf(", %d of %d devices", len(used), all)
	power.Values = make([]float64, len(t.Times))
	for _, c := range used {
		for i, v := range c.Values {
			power.Values[i] += v // NaN where one of them has no sample
		}
	}
	return &power
}

// used returns the trace as it is of a run alone: with the power of the devices it
// used, and how many these are.
func (t *trace) used(r *result.Result, first, end int) *trace {
	used, all := t.usedDevices(r, first, end)
	if used == nil || t.Channel("power") == nil {
		return t
	}
	of := *t.Trace
	of.Channels = slices.Clone(t.Channels)
	for i := range of.Channels {
		if of.Channels[i].Name == "power" {
			of.Channels[i] = *t.powerOf(used, all)
		}
	}
	of.Labels = slices.Clone(t.Labels)
	if l, ok := of.Labels.Lookup("accelerators"); ok {
		l.Value = strconv.Itoa(len(used))
		of.Labels.Set(l)
	}
	return &trace{file: t.file, Trace: &of, shift: t.shift}
}
