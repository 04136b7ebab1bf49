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
)

// "nvidia-smi dmon" and "dcgmi dmon" print a row for each GPU and sample, below
// a line of names and one of units that come again and again:
//
//	# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb
//	# Idx      W      C      C      %      %    MHz    MHz     MB
//	    0    218     43      -     95      0  12481   2325    725
//
//	#Entity   POWER    TMPTR    GPUTL
//	ID        W        C
//	GPU 0     120.5    41       97
//
// Both print a sample a second unless told otherwise, which they do not note.
// nvidia-smi notes the time of day with "-o T" and the date with "-o D"; of
// dcgmi's lines, scripts put the time before each. The "MB" of memory may be
// MiB, so that it is kept as printed. Old drivers wrote temp for
// gtemp. DCGM's shares (GRACT, SMACT …) are from 0
// to 1, and figures beyond 2^47 stand for none.
//
// Source: "nvidia-smi dmon -h" of drivers 470 to 580; DCGM 3 and 4,
// dcgm_fields.cpp, for its short names.
var (
	dmonMarks = []string{"# gpu  ", "#gpu, ", "# gpu, ", "#Time  ", "#Date  ", "#YYYYM", "#HH:MM"}
	dcgmMarks = []string{"#Entity", "# Entity"}
)

type dmon struct {
	deviceRows
	dcgm   bool
	names  []string
	units  []string
	header int // line
	open   bool
	gap    int
	day    float64 // seconds before this one, when only the time of day is reported
	clock  float64 // the time of day
}

func newDmon() draft.LineReader     { return &dmon{} }
func newDCGMDmon() draft.LineReader { return &dmon{dcgm: true} }

func (t *dmon) Begin(in *draft.File) {
	*t = dmon{dcgm: t.dcgm}
	if t.dcgm {
		t.deviceRows.begin(in, "dcgmi", "dcgm-dmon-text")
	} else {
		t.deviceRows.begin(in, "nvidia-smi", "nvidia-smi-dmon-text")
	}
}

// dmonColumns are the columns that have a name here. The GPU's clock is that of
// its processors.
var dmonColumns = map[string]struct{ name, unit string }{
	"pwr": {"power", "W"}, "temp": {"temperature", "°C"}, "gtemp": {"temperature", "°C"}, "sm": {"gpu_utilization", "%"}, "pclk": {"gpu_clock", "MHz"},
	"mtemp": {"x_mtemp", "°C"}, "mem": {"x_mem", "%"}, "mclk": {"x_mclk", "MHz"}, "fb": {"x_fb", "MB"},
	"pviol": {"x_throttled", "%"}, "tviol": {"x_throttled", "bool"},

	"POWER": {"power", "W"}, "TMPTR": {"temperature", "°C"}, "GPUTL": {"gpu_utilization", "%"}, "SMCLK": {"gpu_clock", "MHz"},
	"MMTMP": {"x_mmtmp", "°C"}, "MCUTL": {"x_mcutl", "%"}, "MMCLK": {"x_mmclk", "MHz"}, "FBUSD": {"x_fbusd", "MB"},
	"GRACT": {"x_gract", "1"}, "SMACT": {"x_smact", "1"}, "SMOCC": {"x_smocc", "1"}, "TENSO": {"x_tenso", "1"}, "DRAMA": {"x_drama", "1"},
}

func (t *dmon) Line(l scan.Line) bool {
	cells := strings.Fields(strings.ReplaceAll(string(l.Text), ",", " "))
	if len(cells) > 1 && cells[0] == "#" {
		cells = cells[1:]
	} else if len(cells) > 0 {
		cells[0] = strings.TrimPrefix(cells[0], "#")
	}
	at, cells := t.stamp(cells)
	switch {
	case len(cells) < 2:
		t.gap++
	case cells[0] == "gpu" || cells[0] == "Entity" || cells[0] == "Time" || cells[0] == "Date":
		if t.names != nil && !slices.Equal(cells, t.names) {
			t.End()
			t.Begin(t.in)
		}
		if slices.Contains(cells, "pid") {
			return false // pmon's, of processes
		}
		t.names, t.header, t.open, t.gap = slices.Clone(cells), l.Number, true, 0
	case t.names != nil && (cells[0] == "Idx" || cells[0] == "ID" || cells[0] == "HH:MM:SS" || cells[0] == "YYYYMMDD"):
		t.units, t.gap = slices.Clone(cells), 0
	case t.gpu(cells, at, l):
		t.gap = 0
	default:
		t.gap++
	}
	t.open = t.open && t.gap <= draft.MaxGap
	return t.open
}

// stamp takes a time off that a script put before the line.
func (t *dmon) stamp(cells []string) (time.Time, []string) {
	if t.dcgm && len(cells) > 2 {
		for n := 1; n <= 2; n++ {
			if at, _, ok := readClock(strings.Join(cells[:n], " ")); ok {
				cells = cells[n:]
				cells[0] = strings.TrimPrefix(cells[0], "#")
				return at, cells
			}
		}
	}
	return time.Time{}, cells
}

var dmonMoment = lazy.Regexp(`^(\d\d):(\d\d):(\d\d)$`)

// gpu reads one GPU's row, and reports whether it is one.
func (t *dmon) gpu(cells []string, at time.Time, l scan.Line) bool {
	names := t.names
	if t.dcgm { // "GPU 0" is one column
		if len(cells) != len(names)+1 || cells[0] != "GPU" {
			return false
		}
		cells = cells[1:]
	}
	if len(cells) != len(names) || !l.Ended {
		return false
	}
	device, moment := "", ""
	for i, name := range names {
		switch name {
		case "gpu", "Entity":
			device = cells[i]
		case "Time":
			moment = cells[i]
		case "Date":
			moment = ""
		}
	}
	if _, err := strconv.ParseUint(device, 10, 16); err != nil {
		return false
	}
	if names[0] == "Date" && names[1] == "Time" {
		var ok bool
		if at, _, ok = readClock(cells[0] + " " + cells[1]); !ok {
			return false
		}
		moment = ""
	}
	m := dmonMoment().FindStringSubmatch(moment)
	if names[0] == "Time" && m == nil {
		return false
	}
	if t.row("gpu"+device, l.Number) {
		if m != nil {
			t.timeOfDay(m, l.Number)
		} else {
			t.sample(l.Number, at, false, 1)
		}
	}
	for i, name := range names {
		t.column(name, t.unit(i), cells[i])
	}
	return true
}

// timeOfDay begins a sample of which the hour is known and not the day.
func (t *dmon) timeOfDay(m []string, line int) {
	clock := 0.0
	for _, part := range m[1:4] {
		n, _ := scan.ParseNumber([]byte(part))
		clock = 60*clock + n
	}
	if clock < t.clock-43200 { // midnight
		t.day += 86400
	}
	t.clock = clock
	t.elapsed(line, t.day+clock)
}

// unit returns the unit that is below a name, as far as one does: dcgmi leaves
// some empty, so that what follows cannot be reported.
func (t *dmon) unit(column int) string {
	if len(t.units) != len(t.names) {
		return ""
	}
	return t.units[column]
}

func (t *dmon) column(name, unit, cell string) {
	known, ok := dmonColumns[name]
	if !ok {
		return
	}
	if unit == "" || known.unit == "1" {
		unit = known.unit
	}
	if known.name == "x_throttled" {
		if v, err := strconv.ParseFloat(cell, 64); err == nil {
			t.greatest(known.name, "1", name, min(1, math.Ceil(v)))
		}
		return
	}
	want := known.unit
	v := measured(cell, unit, want)
	if v >= 1<<47 {
		v = math.NaN()
	}
	switch {
	case known.name == "power":
		t.add(known.name, want, name, "gpu", v)
	case want == "MB":
		t.add(known.name, want, name, "", v)
	default:
		t.greatest(known.name, want, name, v)
	}
}

func (t *dmon) End() {
	if t.names != nil && t.trace.EndLine == 0 {
		t.in.NoResult(t.header, "a header of "+t.trace.Tool+" dmon without rows")
	}
	t.hand()
}
