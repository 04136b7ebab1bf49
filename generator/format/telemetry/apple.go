package telemetry

import (
	"bytes"
	"math"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Apple's powermetrics prints a report for each interval, as text
//
//	*** Sampled system activity (Sun Jan  7 12:00:00 2024 +0000) (1005.72ms elapsed) ***
//	CPU Power: 1234 mW
//	GPU Power: 567 mW
//	ANE Power: 89 mW
//	Combined Power (CPU + GPU + ANE): 1890 mW
//	GPU HW active frequency: 700 MHz
//	GPU HW active residency:  45.23% (444 MHz:   0% 612 MHz:  50%)
//	Current pressure level: Nominal
//
// or as a property list, with zero bytes between the reports. The power is an estimate for CPU, GPU and neural engine.
// It excludes memory and everything else. The GPU's power is reported twice and counts once. Macs with an Intel
// processor report the power of its package. The time is in whole seconds; the length of each interval is reported
// exactly.
//
// Source: man powermetrics, macOS 11 to 26; reports as people posted them.
var powermetricsMarks = []string{"*** Sampled system activity", "Machine model:"}

type powermetrics struct {
	recorder
	noted map[string]bool // names of the figures read in this report
	open  bool
}

func newPowermetrics() draft.LineReader { return &powermetrics{} }

func (t *powermetrics) Begin(in *draft.File) {
	*t = powermetrics{noted: map[string]bool{}}
	t.begin(in, "powermetrics", "powermetrics-text")
}

// powermetricsRows maps the rows that are read, by the text before the colon.
var powermetricsRows = map[string]quantity{
	"Combined Power (CPU + GPU + ANE)":                      {"power", "mW", "W", "package"},
	"Package Power":                                         {"power", "mW", "W", "package"},
	"Intel energy model derived package power (CPUs+GT+SA)": {"power", "W", "W", "package"},
	"CPU Power":               {"x_cpu_power", "mW", "W", ""},
	"GPU Power":               {"x_gpu_power", "mW", "W", ""},
	"ANE Power":               {"x_ane_power", "mW", "W", ""},
	"DRAM Power":              {"x_dram_power", "mW", "W", ""},
	"GPU HW active frequency": deviceClock,
	"GPU active frequency":    deviceClock,
	"GPU HW active residency": deviceUse,
	"GPU active residency":    deviceUse,
	"GPU die temperature":     deviceHeat,
	"CPU die temperature":     {"x_cpu_temperature", "°C", "°C", ""},
}

func (t *powermetrics) Line(l scan.Line) bool {
	if bytes.HasPrefix(l.Text, []byte("*** Sampled system activity")) {
		t.report(l)
		return t.open
	}
	label, value, ok := bytes.Cut(l.Text, []byte(":"))
	if !ok || !l.Ended {
		return t.open
	}
	switch string(label) {
	case "Machine model":
		t.label("x_mac_model", string(bytes.TrimSpace(value)), l.Number)
	case "Current pressure level":
		if t.open {
			held := 1.0
			if string(bytes.TrimSpace(value)) == "Nominal" {
				held = 0
			}
			t.trace.EndLine = l.Number
			t.greatest("x_throttled", "1", "Current pressure level", held)
		}
	default:
		q, known := powermetricsRows[string(label)]
		if !known || !t.open || t.noted[q.name] {
			break
		}
		value, _, _ = bytes.Cut(value, []byte("(")) // leave out the residency at each clock
		if v := measured(string(value), q.given, q.want); !math.IsNaN(v) {
			t.noted[q.name] = true
			t.trace.EndLine = l.Number
			t.put(q.name, q.want, string(label), q.scope, v)
		}
	}
	return t.open
}

// report begins a sample: "(Sun Jan  7 12:00:00 2024 +0000) (1005.72ms elapsed)".
func (t *powermetrics) report(l scan.Line) {
	_, rest, _ := bytes.Cut(l.Text, []byte("("))
	moment, rest, _ := bytes.Cut(rest, []byte(")"))
	_, rest, _ = bytes.Cut(rest, []byte("("))
	at, zoned, timed := weekday(moment)
	elapsed, _, ok := bytes.Cut(rest, []byte("ms elapsed"))
	ms, number := scan.ParseNumber(bytes.TrimSpace(elapsed))
	if !l.Ended || !timed || !ok || !number || ms <= 0 {
		t.open = false
		return
	}
	clear(t.noted)
	t.open = true
	if t.reported > 0 {
		gap := at.Sub(t.trace.Start).Seconds() - t.latest
		if math.Abs(gap-ms/1000) < 2 { // otherwise powermetrics was restarted
			at = time.Time{}
		}
	}
	t.sample(l.Number, at, zoned, ms/1000)
}

func (t *powermetrics) End() { t.hand() }

var plistMarks = []string{"<key>elapsed_ns</key>"}

// powerPlist reads the same reports as a property list.
type powerPlist struct {
	recorder
	seconds float64 // length of the report's interval
	gpu     bool    // inside the GPU's part
	noted   map[string]bool
	open    bool
}

func newPowerPlist() draft.LineReader { return &powerPlist{} }

func (t *powerPlist) Begin(in *draft.File) {
	*t = powerPlist{noted: map[string]bool{}}
	t.begin(in, "powermetrics", "powermetrics-plist")
}

// Line reads a key and its value, which are in one line.
func (t *powerPlist) Line(l scan.Line) bool {
	text := bytes.Trim(l.Text, " \t\x00")
	after, isKey := bytes.CutPrefix(text, []byte("<key>"))
	name, rest, _ := bytes.Cut(after, []byte("</key>"))
	_, value, _ := bytes.Cut(rest, []byte(">"))
	value, _, _ = bytes.Cut(value, []byte("<"))
	if !l.Ended {
		return t.open
	}
	if !isKey {
		return t.open
	}
	switch string(name) {
	case "elapsed_ns":
		ns, ok := scan.ParseNumber(value)
		t.seconds, t.open, t.gpu = ns/1e9, ok && ns > 0, false
		clear(t.noted)
	case "timestamp":
		if at, zoned, ok := readClock(string(value)); ok && t.open && !t.noted["sample"] {
			t.noted["sample"] = true
			if t.reported > 0 && math.Abs(at.Sub(t.trace.Start).Seconds()-t.latest-t.seconds) < 2 {
				at = time.Time{}
			}
			t.sample(l.Number, at, zoned, t.seconds)
		}
	case "hw_model":
		t.label("x_mac_model", string(value), l.Number)
	case "gpu":
		t.gpu = true
	case "processor", "network", "disk":
		t.gpu = false
	case "thermal_pressure":
		held := 1.0
		if string(value) == "Nominal" {
			held = 0
		}
		t.note(quantity{"x_throttled", "1", "1", ""}, "thermal_pressure", held, l.Number)
	case "combined_power", "package_power":
		t.number(quantity{"power", "mW", "W", "package"}, string(name), value, l.Number)
	case "cpu_power", "gpu_power", "ane_power":
		t.number(quantity{"x_" + string(name), "mW", "W", ""}, string(name), value, l.Number)
	case "freq_hz":
		if hz, ok := scan.ParseNumber(value); ok && t.gpu {
			if hz > 1e6 { // on many machines it is in MHz nevertheless
				hz /= 1e6
			}
			t.note(deviceClock, "gpu.freq_hz", hz, l.Number)
		}
	case "idle_ratio":
		if idle, ok := scan.ParseNumber(value); ok && t.gpu {
			t.note(deviceUse, "1 - gpu.idle_ratio", 100*(1-idle), l.Number)
		}
	}
	return t.open
}

func (t *powerPlist) number(q quantity, field string, value []byte, line int) {
	if v := measured(string(value), q.given, q.want); !math.IsNaN(v) {
		t.note(q, field, v, line)
	}
}

// note records a figure of the report. Only the first one of a name counts.
func (t *powerPlist) note(q quantity, field string, v float64, line int) {
	if !t.noted["sample"] || t.noted[q.name] {
		return
	}
	t.noted[q.name] = true
	t.trace.EndLine = line
	t.put(q.name, q.want, field, q.scope, v)
}

func (t *powerPlist) End() { t.hand() }
