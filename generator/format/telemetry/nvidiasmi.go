package telemetry

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// "nvidia-smi --query-gpu=timestamp,index,power.draw,… --format=csv -l 1" prints
// a header with units, "power.draw [W]", and a row for each GPU and sample, the
// values with their units too unless "nounits" was asked for. The header is
// there again when output was appended. What a GPU cannot tell is "[N/A]" or
// "[Not Supported]". The GPUs of one sample have times some milliseconds apart,
// so that they are recognised by index, UUID or bus: where none was asked for and the
// rows come in bursts, their power is not that of the machine. With "noheader"
// nothing says what a column is. The power is the GPU's alone; on chips with a
// CPU beside it (GB10, Orin) that is a part of the whole.
//
// Source: "nvidia-smi --help-query-gpu" of drivers 470 to 580; there power.draw
// of newer GPUs is the mean of a second, power.draw.instant is not.
var smiMarks = []string{"power.draw", "utilization.gpu", "memory.used", "temperature.gpu", "clocks.current.", "clocks.sm",
	"driver_version", " MiB, "}

type smiCSV struct {
	deviceRows
	names, units []string // of the columns
	cells        []string
	identity     int // column that tells GPUs apart, -1 for none
	clock        int // column of the time
	power, sm    int // the columns of several kinds that count
	last         time.Time
	labels       result.Labels
	open         bool
	gap          int
	first, noted int // lines
}

func newSMICSV() draft.LineReader { return &smiCSV{} }

func (t *smiCSV) Begin(in *draft.File) {
	*t = smiCSV{cells: t.cells[:0]}
	t.deviceRows.begin(in, "nvidia-smi", "nvidia-smi-csv")
}

var (
	smiColumn   = lazy.Regexp(`^([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)(?: \[([^\]]+)\])?$`)
	smiUntitled = lazy.Regexp(`^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d+, .* \d+ MiB, `)
)

func (t *smiCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	switch {
	case t.header(l):
	case t.open && len(t.cells) == len(t.names):
		if l.Ended {
			t.values(l)
		}
		t.gap = 0
	case !t.open && t.noted == 0 && smiUntitled().Match(l.Text):
		t.noted = l.Number
	default:
		t.gap++
		t.open = t.open && t.gap <= draft.MaxGap
	}
	return t.open
}

// header takes a line for the names of columns if all of it is such.
func (t *smiCSV) header(l scan.Line) bool {
	if len(t.cells) == 0 || smiColumn().FindString(t.cells[0]) == "" {
		return false
	}
	names, units := make([]string, len(t.cells)), make([]string, len(t.cells))
	for i, cell := range t.cells {
		m := smiColumn().FindStringSubmatch(cell)
		if m == nil {
			return false
		}
		names[i], units[i] = m[1], m[2]
	}
	if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ".") || n == "driver_version" }) {
		return false // the cells of a row may be words as well
	}
	if t.names != nil && !slices.Equal(names, t.names) {
		t.End() // of another question
		t.Begin(t.in)
	}
	t.names, t.units, t.open, t.gap = names, units, true, 0
	t.clock = slices.Index(names, "timestamp")
	t.identity = columnOf(names, "index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "serial", "gpu_serial")
	t.power = columnOf(names, "power.draw", "power.draw.instant", "power.draw.average")
	t.sm = columnOf(names, "clocks.current.sm", "clocks.sm", "clocks.current.graphics", "clocks.gr")
	if t.first == 0 {
		t.first = l.Number
	}
	return true
}

// columnOf returns the column of the first of some names that there is one of.
func columnOf(columns []string, names ...string) int {
	for _, name := range names {
		if i := slices.Index(columns, name); i >= 0 {
			return i
		}
	}
	return -1
}

// smiLoop is the interval of "-l" without a number, in seconds: too long to say
// anything about what lies between two samples.
const smiLoop = 5

func (t *smiCSV) values(l scan.Line) {
	at := time.Time{}
	if t.clock >= 0 {
		var ok bool
		if at, _, ok = readClock(t.cells[t.clock]); !ok {
			return // a word of a log
		}
	}
	device := ""
	switch {
	case t.identity >= 0:
		device = "gpu" + strings.TrimPrefix(t.cells[t.identity], "GPU-")
	case t.clock >= 0 && at.Equal(t.last):
		device = strconv.Itoa(len(t.seen))
	}
	t.last = at
	if t.row(device, l.Number) {
		t.sample(l.Number, at, false, smiLoop)
	}
	throttled, reported := 0.0, false
	for i, name := range t.names {
		cell, unit := t.cells[i], t.units[i]
		switch {
		case i == t.clock || i == t.identity:
		case i == t.power:
			t.add(t.total("power"), "W", name, "gpu", measured(cell, unit, "W"))
		case name == "memory.used":
			t.add(t.total("memory_used"), "B", name, "", measured(cell, unit, "B"))
		case name == "utilization.gpu":
			t.greatest("gpu_utilization", "%", name, measured(cell, unit, "%"))
		case name == "temperature.gpu":
			t.greatest("temperature", "°C", name, measured(cell, "C", "°C"))
		case i == t.sm:
			t.greatest("gpu_clock", "MHz", name, measured(cell, unit, "MHz"))
		case strings.HasPrefix(name, "clocks_throttle_reasons.") || strings.HasPrefix(name, "clocks_event_reasons."):
			if v, ok := smiReason(name, cell); ok {
				throttled, reported = max(throttled, v), true
			}
		case name == "name" || name == "gpu_name":
			t.note("gpu", cell, l.Number)
		case name == "driver_version":
			t.note("x_driver", cell, l.Number)
		case unit == "W" || unit == "%" || unit == "MHz":
			if !smiSetting().MatchString(name) {
				t.greatest("x_"+draft.Snake(name), unit, name, measured(cell, unit, unit))
			}
		}
	}
	if reported {
		t.greatest("x_throttled", "1", "clocks_event_reasons", throttled)
	}
}

// smiSetting matches what was set or is fixed.
var smiSetting = lazy.Regexp(`limit|max|default|applications|management|mode`)

// total returns the name of what is summed over the GPUs. Where neither an index
// nor a time reports how many there are, it is that of a row.
func (t *smiCSV) total(name string) string {
	if t.identity < 0 && t.clock < 0 {
		return "x_row_" + name
	}
	return name
}

// smiReason reads one of the reasons for a lower clock: all of them as bits, or
// "Active" for one.
func smiReason(name, cell string) (float64, bool) {
	_, reason, _ := strings.Cut(name, ".")
	switch {
	case reason == "active":
		return held(cell)
	case !slices.Contains([]string{"sw_power_cap", "hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown", "sw_thermal_slowdown"}, reason):
	case strings.EqualFold(cell, "Active"):
		return 1, true
	case strings.EqualFold(cell, "Not Active"):
		return 0, true
	}
	return 0, false
}

// note notes what the rows say of the GPUs; where they differ, all of it.
func (t *smiCSV) note(name, value string, line int) {
	if scan.IsMissing(value) {
		return
	}
	if old, ok := t.labels.Lookup(name); ok && !slices.Contains(strings.Split(old.Value, " + "), value) {
		value = old.Value + " + " + value // of different GPUs
	} else if ok {
		return
	}
	if len(value) > draft.MaxLabel {
		return
	}
	t.labels.Set(result.Label{Name: name, Value: value, Pos: result.Position{Line: line}})
}

func (t *smiCSV) End() {
	if t.names == nil {
		if t.noted > 0 {
			t.in.NoResult(t.noted, "nvidia-smi's rows without their header: leave out noheader")
		}
		return
	}
	t.close()
	if len(t.trace.Channels) == 0 || len(t.trace.Times) == 1 { // a list of what there is
		if t.trace.EndLine == 0 {
			t.in.NoResult(t.first, "a header of nvidia-smi without rows")
		}
		for _, label := range t.labels {
			t.in.Capture("nvidia-smi-csv", label.Name, label.Value, label.Pos.Line)
		}
		if n := t.most; n > 0 && t.identity >= 0 && len(t.trace.Times) == 1 {
			t.in.Capture("nvidia-smi-csv", "device_count", strconv.Itoa(n), t.first)
		}
		if t.in.Out.Capture == "" {
			t.hand()
		}
		return
	}
	if t.identity < 0 && inBursts(t.trace.Times) {
		for i := range t.trace.Channels {
			if c := &t.trace.Channels[i]; c.Name == "power" || c.Name == "memory_used" {
				c.Name = "x_row_" + c.Name
			}
		}
		t.in.Message(t.first, result.Warning, "format.devices", "rows of several GPUs cannot be told apart", "ask nvidia-smi for index as well; their power is not added up")
	}
	for _, label := range t.labels {
		t.label(label.Name, label.Value, label.Pos.Line)
	}
	t.hand()
}

// inBursts reports whether many samples follow another at once, as the rows of
// several devices do; not those of one that was looked at in long intervals and
// in short ones.
func inBursts(times []float64) bool {
	n := len(times) - 1
	if n < 2 {
		return false
	}
	const atOnce = 0.5 // seconds at most
	mean := (times[n] - times[0]) / float64(n)
	close := 0
	for i := range n {
		if times[i+1]-times[i] < min(mean/5, atOnce) {
			close++
		}
	}
	return close*4 >= n
}

// The summary that a harness makes of nvidia-smi's rows. It has no series, so
// that it is a result: of the machine, whose power is the sum of the means of
// its GPUs (each has as many samples). "overall" is the mean of one GPU, and its
// greatest power that of one GPU: both keep their own names.
func isSMISummary(v *scan.Value) bool {
	return v.Get("gpus").Is() && v.Has("sample_count", "overall") && v.Get("overall", "power_draw_w_avg").Is()
}

func readSMISummary(in *draft.File, v *scan.Value) {
	s := in.Begin("nvidia-smi", "nvidia-smi-summary-json", v.Line)
	var sum, samples float64
	var fields, names []string
	for gpu := range v.Get("gpus").Children() {
		watts, reported := gpu.Get("power_draw_w_avg").Float()
		n, counted := gpu.Get("samples").Float()
		if !reported || !counted || samples > 0 && n != samples {
			sum = math.NaN()
		}
		sum, samples = sum+watts, n
		fields = append(fields, gpu.Get("power_draw_w_avg").Path())
		if name := gpu.Get("name"); name.Scalar() && !slices.Contains(names, name.Text()) {
			names = append(names, name.Text())
		}
	}
	if gpus := v.Get("gpus"); len(fields) > 0 {
		s.Derive("power_mean", sum, strings.Join(fields, " + "), gpus.Line)
		s.Imply("power_scope", "gpu", gpus.Line)
		s.Imply("device_count", strconv.Itoa(len(fields)), gpus.Line)
		s.SetLabel("gpu", []byte(strings.Join(names, " + ")), gpus.Line)
	}
	s.TakeAll(v.Get("overall"), []draft.Member{
		{Key: "gpu_utilization_percent_avg", Name: "gpu_utilization", Unit: "%"},
		{Key: "temperature_gpu_c_max", Name: "temperature_max", Unit: "°C"},
		{Key: "power_draw_w_avg", Name: "x_gpu_power_mean", Unit: "W"},
		{Key: "power_draw_w_max", Name: "x_gpu_power_max", Unit: "W"},
		{Key: "memory_used_mib_max", Name: "x_gpu_memory_used_max", Unit: "MiB"},
	})
	s.Take("x_sample_count", "1", v.Get("sample_count"))
	s.EmitObject(v)
}
