package format

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// "nvidia-smi --query-gpu=timestamp,index,power.draw,… --format=csv -l 1" prints
// a header with units, "power.draw [W]", and a row for each GPU and sample, the
// values with their units too unless "nounits" was asked for. The header is
// there again when output was appended. What a GPU cannot tell is "[N/A]" or
// "[Not Supported]". The GPUs of one sample have times some milliseconds apart,
// so that they are told by index, UUID or bus: where none was asked for and the
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

func newSMICSV() lineReader { return &smiCSV{} }

func (t *smiCSV) begin(in *input) {
	*t = smiCSV{cells: t.cells[:0]}
	t.deviceRows.begin(in, "nvidia-smi", "nvidia-smi-csv")
}

var (
	smiColumn   = regexp.MustCompile(`^([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)(?: \[([^\]]+)\])?$`)
	smiUntitled = regexp.MustCompile(`^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d+, .* \d+ MiB, `)
)

func (t *smiCSV) line(l line) bool {
	t.cells = commas(t.cells[:0], l.text, ',')
	switch {
	case t.header(l):
	case t.open && len(t.cells) == len(t.names):
		if l.ended {
			t.values(l)
		}
		t.gap = 0
	case !t.open && t.noted == 0 && smiUntitled.Match(l.text):
		t.noted = l.number
	default:
		t.gap++
		t.open = t.open && t.gap <= maxGap
	}
	return t.open
}

// header takes a line for the names of columns if all of it is such.
func (t *smiCSV) header(l line) bool {
	if len(t.cells) == 0 || smiColumn.FindString(t.cells[0]) == "" {
		return false
	}
	names, units := make([]string, len(t.cells)), make([]string, len(t.cells))
	for i, cell := range t.cells {
		m := smiColumn.FindStringSubmatch(cell)
		if m == nil {
			return false
		}
		names[i], units[i] = m[1], m[2]
	}
	if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ".") || n == "driver_version" }) {
		return false // the cells of a row may be words as well
	}
	if t.names != nil && !slices.Equal(names, t.names) {
		t.end() // of another question
		t.begin(t.in)
	}
	t.names, t.units, t.open, t.gap = names, units, true, 0
	t.clock = slices.Index(names, "timestamp")
	t.identity = columnOf(names, "index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "serial", "gpu_serial")
	t.power = columnOf(names, "power.draw", "power.draw.instant", "power.draw.average")
	t.sm = columnOf(names, "clocks.current.sm", "clocks.sm", "clocks.current.graphics", "clocks.gr")
	if t.first == 0 {
		t.first = l.number
	}
	return true
}

// columnOf gives the column of the first of some names that there is one of.
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

func (t *smiCSV) values(l line) {
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
	if t.row(device, l.number) {
		t.sample(l.number, at, false, smiLoop)
	}
	throttled, told := 0.0, false
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
				throttled, told = max(throttled, v), true
			}
		case name == "name" || name == "gpu_name":
			t.note("x_gpu", cell, l.number)
		case name == "driver_version":
			t.note("x_driver", cell, l.number)
		case unit == "W" || unit == "%" || unit == "MHz":
			if !smiSetting.MatchString(name) {
				t.greatest("x_"+snake(name), unit, name, measured(cell, unit, unit))
			}
		}
	}
	if told {
		t.greatest("x_throttled", "1", "clocks_event_reasons", throttled)
	}
}

// smiSetting matches what was set or is fixed.
var smiSetting = regexp.MustCompile(`limit|max|default|applications|management|mode`)

// total gives the name of what is summed over the GPUs. Where neither an index
// nor a time tells how many there are, it is that of a row.
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
	if isMissing(value) {
		return
	}
	if old, ok := t.labels.Lookup(name); ok && !slices.Contains(strings.Split(old.Value, " + "), value) {
		value = old.Value + " + " + value // of different GPUs
	} else if ok {
		return
	}
	if len(value) > maxLabel {
		return
	}
	t.labels.Set(result.Label{Name: name, Value: value, Pos: result.Position{Line: line}})
}

func (t *smiCSV) end() {
	if t.names == nil {
		if t.noted > 0 {
			t.in.noResult(t.noted, "nvidia-smi's rows without their header: leave out noheader")
		}
		return
	}
	t.close()
	if len(t.trace.Channels) == 0 || len(t.trace.Times) == 1 { // a list of what there is
		if t.trace.EndLine == 0 {
			t.in.noResult(t.first, "a header of nvidia-smi without rows")
		}
		for _, label := range t.labels {
			t.in.capture("nvidia-smi-csv", label.Name, label.Value, label.Pos.Line)
		}
		if n := t.most; n > 0 && t.identity >= 0 && len(t.trace.Times) == 1 {
			t.in.capture("nvidia-smi-csv", "accelerators", strconv.Itoa(n), t.first)
		}
		if t.in.out.Capture == "" {
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
		t.in.message(t.first, result.Warning, "format.devices", "rows of several GPUs cannot be told apart", "ask nvidia-smi for index as well; their power is not added up")
	}
	for _, label := range t.labels {
		t.label(label.Name, label.Value, label.Pos.Line)
	}
	t.hand()
}

// inBursts tells whether many samples follow another at once, as the rows of
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
func isSMISummary(v *value) bool {
	return v.get("gpus").is() && v.has("sample_count", "overall") && v.get("overall", "power_draw_w_avg").is()
}

func readSMISummary(in *input, v *value) {
	s := in.begin("nvidia-smi", "nvidia-smi-summary-json", v.line)
	var sum, samples float64
	var fields, names []string
	for gpu := range v.get("gpus").children() {
		watts, told := gpu.get("power_draw_w_avg").float()
		n, counted := gpu.get("samples").float()
		if !told || !counted || samples > 0 && n != samples {
			sum = math.NaN()
		}
		sum, samples = sum+watts, n
		fields = append(fields, gpu.get("power_draw_w_avg").path())
		if name := gpu.get("name"); name.scalar() && !slices.Contains(names, name.string()) {
			names = append(names, name.string())
		}
	}
	if gpus := v.get("gpus"); len(fields) > 0 {
		s.derive("power_mean", sum, strings.Join(fields, " + "), gpus.line)
		s.imply("power_scope", "gpu", gpus.line)
		s.imply("accelerators", strconv.Itoa(len(fields)), gpus.line)
		s.label("x_gpu", []byte(strings.Join(names, " + ")), gpus.line)
	}
	s.takeAll(v.get("overall"), []member{
		{"gpu_utilization_percent_avg", "gpu_utilization", "%"},
		{"temperature_gpu_c_max", "temperature_max", "°C"},
		{"power_draw_w_avg", "x_gpu_power_mean", "W"},
		{"power_draw_w_max", "x_gpu_power_max", "W"},
		{"memory_used_mib_max", "x_gpu_memory_used_max", "MiB"},
	})
	s.take("x_sample_count", "1", v.get("sample_count"))
	s.finish(v)
}
