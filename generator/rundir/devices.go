package rundir

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// The trace of a host covers all of its devices, while a run may use only some of them. The power of a run is the power
// of the devices it used: the busiest ones, in the number that is declared or measured. Without such a number, the
// devices that drew clearly more power than the quietest one count as used.

// partPrefix begins the names of the channels that hold the power of one device.
const partPrefix = "x_power_"

// usedDevices returns the channels of the devices that worked during a run, in the samples from first up to end, and
// the number of devices in the trace. It returns nil when the trace has fewer than two such channels.
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

// clearlyMore is the least ratio of a busy device's power to an idle device's: an idle device draws at most a quarter
// of its limit.
const clearlyMore = 2.0

// declaredDevices returns how many accelerators a run says it used, 0 if it does not say.
func declaredDevices(r *result.Result) int {
	count, counted := r.Labels.Lookup("accelerators")
	if r.Layout().Known || counted && count.Origin != result.Captured {
		return int(r.Accelerators())
	}
	return 0
}

// powerOf returns the total power of the used devices of a trace as one channel.
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
			power.Values[i] += v // NaN where a device has no sample
		}
	}
	return &power
}

// used returns the trace for one run alone: with the power and the number of the devices that the run used.
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
