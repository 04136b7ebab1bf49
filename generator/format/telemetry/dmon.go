package telemetry

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// "nvidia-smi dmon" and "dcgmi dmon" print a row for each GPU and sample, below a line of names and a line of units
// that are repeated regularly:
//
//	# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb
//	# Idx      W      C      C      %      %    MHz    MHz     MB
//	    0    218     43      -     95      0  12481   2325    725
//
//	#Entity   POWER    TMPTR    GPUTL
//	ID        W        C
//	GPU 0     120.5    41       97
//
// Both print a sample every second by default, and do not record the interval. nvidia-smi prints the time of day with
// "-o T" and the date with "-o D". For dcgmi, scripts put the time before each line. The "MB" of memory may be MiB, so
// it is kept as printed. Old drivers wrote temp for gtemp. DCGM's shares (GRACT, SMACT …) are from 0 to 1. Figures of
// 2^47 and more mean that there is no value.
//
// Source: "nvidia-smi dmon -h" of drivers 470 to 580; DCGM 3 and 4,
// dcgm_fields.cpp, for its short names.
var (
	dmonMarks = []string{"# gpu  ", "#gpu, ", "# gpu, ", "#Time  ", "#Date  ", "#YYYYM", "#HH:MM"}
	dcgmMarks = []string{"#Entity", "# Entity"}
)

type dmon struct {
	deviceRows
	dcgm    bool
	names   []string
	columns []dmonColumn
	cells   [][]byte
	device  int // column
	moment  int // column of the time of day, -1 for none
	dated   bool
	header  int // line
	open    bool
	gap     int
	times   clock  // of dates
	text    []byte // a date and a time
}

// dmonColumn is what a column reports. A column without a name is not read.
type dmonColumn struct {
	field, name string
	sum         bool
	scope       string
	scale
}

func newDmon() draft.LineReader     { return &dmon{} }
func newDCGMDmon() draft.LineReader { return &dmon{dcgm: true} }

func (t *dmon) Begin(in *draft.File) {
	*t = dmon{dcgm: t.dcgm, cells: t.cells}
	if t.dcgm {
		t.deviceRows.begin(in, "dcgmi", "dcgm-dmon-text")
	} else {
		t.deviceRows.begin(in, "nvidia-smi", "nvidia-smi-dmon-text")
	}
}

// dmonColumns maps the columns that are read to channels. The GPU's clock is that of its processors.
var dmonColumns = map[string]struct{ name, unit string }{
	"pwr": {"power", "W"}, "temp": {"temperature", "°C"}, "gtemp": {"temperature", "°C"}, "sm": {"gpu_utilization", "%"}, "pclk": {"gpu_clock", "MHz"},
	"mtemp": {"x_mtemp", "°C"}, "mem": {"x_mem", "%"}, "mclk": {"x_mclk", "MHz"}, "fb": {"x_fb", "MB"},
	"pviol": {"x_throttled", "%"}, "tviol": {"x_throttled", "bool"},

	"POWER": {"power", "W"}, "TMPTR": {"temperature", "°C"}, "GPUTL": {"gpu_utilization", "%"}, "SMCLK": {"gpu_clock", "MHz"},
	"MMTMP": {"x_mmtmp", "°C"}, "MCUTL": {"x_mcutl", "%"}, "MMCLK": {"x_mmclk", "MHz"}, "FBUSD": {"x_fbusd", "MB"},
	"GRACT": {"x_gract", "1"}, "SMACT": {"x_smact", "1"}, "SMOCC": {"x_smocc", "1"}, "TENSO": {"x_tenso", "1"}, "DRAMA": {"x_drama", "1"},
}

func (t *dmon) Line(l scan.Line) bool {
	t.cells = words(t.cells[:0], l.Text)
	cells := t.cells
	if len(cells) > 1 && string(cells[0]) == "#" {
		cells = cells[1:]
	} else if len(cells) > 0 {
		cells[0] = bytes.TrimPrefix(cells[0], []byte("#"))
	}
	at, cells := t.stamp(cells)
	switch {
	case len(cells) < 2:
		t.gap++
	case scan.IsDigit(cells[0][0]) || t.dcgm && string(cells[0]) == "GPU":
		if t.names != nil && t.gpu(cells, at, l) {
			t.gap = 0
		} else {
			t.gap++
		}
	case dmonHeads[string(cells[0])]:
		if slices.ContainsFunc(cells, func(cell []byte) bool { return string(cell) == "pid" }) {
			t.open = false
			t.in.NoResult(l.Number, locale.Textf("nvidia-smi pmon lists processes; power and temperature are in dmon or --query-gpu"))
			return false
		}
		t.head(cells, l)
	case t.names != nil && dmonUnits[string(cells[0])]:
		t.learn(cells)
		t.gap = 0
	default:
		t.gap++
	}
	t.open = t.open && t.gap <= draft.MaxGap
	return t.open
}

// Row reads a row of a GPU while the table goes on.
func (t *dmon) Row(l scan.Line) bool {
	if !t.open || !l.Ended || t.names == nil {
		return false
	}
	t.cells = words(t.cells[:0], l.Text)
	if len(t.cells) < 2 || t.dcgm && string(t.cells[0]) != "GPU" || !t.dcgm && !scan.IsDigit(t.cells[0][0]) || !t.gpu(t.cells, time.Time{}, l) {
		return false
	}
	t.gap = 0
	return true
}

// words splits a line at white space and commas.
func words(dst [][]byte, line []byte) [][]byte {
	start := -1
	for i, c := range line {
		switch separates := c == ' ' || c == ',' || c == '\t'; {
		case separates && start >= 0:
			dst, start = append(dst, line[start:i]), -1
		case !separates && start < 0:
			start = i
		}
	}
	if start >= 0 {
		dst = append(dst, line[start:])
	}
	return dst
}

// dmonHeads and dmonUnits are the words that begin the line of names and the line of units.
var (
	dmonHeads = map[string]bool{"gpu": true, "Entity": true, "Time": true, "Date": true}
	dmonUnits = map[string]bool{"Idx": true, "ID": true, "HH:MM:SS": true, "YYYYMMDD": true}
)

// head reads the line of names. If the names differ from those before, it begins another trace.
func (t *dmon) head(cells [][]byte, l scan.Line) {
	same := slices.EqualFunc(cells, t.names, func(cell []byte, name string) bool { return string(cell) == name })
	if t.names != nil && !same {
		cells = slices.Clone(cells)
		t.End()
		t.Begin(t.in)
	}
	t.header, t.open, t.gap = l.Number, true, 0
	if t.names != nil {
		return
	}
	t.device, t.moment = 0, -1
	for i, cell := range cells {
		t.names = append(t.names, string(cell))
		switch string(cell) {
		case "gpu", "Entity":
			t.device = i
		case "Time":
			t.moment = i
		case "Date":
			t.moment = -1
		}
	}
	if t.dated = t.names[0] == "Date" && t.names[1] == "Time"; t.dated {
		t.moment = -1
	}
	t.learn(nil)
}

// stamp removes and returns a time that a script put before the line.
func (t *dmon) stamp(cells [][]byte) (time.Time, [][]byte) {
	if t.dcgm && len(cells) > 2 && string(cells[0]) != "GPU" {
		for n := 1; n <= 2; n++ {
			if at, _, ok := t.times.read(t.join(cells[:n])); ok {
				cells = cells[n:]
				if cells[0] = bytes.TrimPrefix(cells[0], []byte("#")); len(cells[0]) == 0 {
					cells = cells[1:]
				}
				return at, cells
			}
		}
	}
	return time.Time{}, cells
}

// join joins cells with spaces.
func (t *dmon) join(cells [][]byte) []byte {
	t.text = append(t.text[:0], cells[0]...)
	for _, cell := range cells[1:] {
		t.text = append(append(t.text, ' '), cell...)
	}
	return t.text
}

// gpu reads one GPU's row, and returns false if the line is not one.
func (t *dmon) gpu(cells [][]byte, at time.Time, l scan.Line) bool {
	if t.dcgm { // "GPU 0" is one column
		if len(cells) != len(t.names)+1 || string(cells[0]) != "GPU" {
			return false
		}
		cells = cells[1:]
	}
	if len(cells) != len(t.names) || !l.Ended {
		return false
	}
	device := cells[t.device]
	if _, ok := scan.ParseNumber(device); !ok || len(device) > 5 || !isWhole(device) {
		return false
	}
	if t.dated {
		var ok bool
		if at, _, ok = t.times.read(t.join(cells[:2])); !ok {
			return false
		}
	}
	clock, timed := time.Duration(0), false
	if t.moment >= 0 {
		if clock, timed = hourOfDay(cells[t.moment]); !timed && t.moment == 0 {
			return false
		}
	}
	if t.row(t.named(device, numbered), l.Number) {
		if timed {
			t.hour(l.Number, clock)
		} else {
			t.sample(l.Number, at, false, 1)
		}
	}
	for i := range t.columns {
		t.column(&t.columns[i], cells[i])
	}
	return true
}

// isWhole reports whether text consists of digits.
func isWhole(text []byte) bool {
	for _, c := range text {
		if !scan.IsDigit(c) {
			return false
		}
	}
	return len(text) > 0
}

// learn records what each column reports. It uses the units below the names only if there is one for each column: dcgmi
// leaves some empty, and the units after them cannot be assigned.
func (t *dmon) learn(units [][]byte) {
	t.columns = t.columns[:0]
	for i, field := range t.names {
		known, ok := dmonColumns[field]
		if !ok {
			t.columns = append(t.columns, dmonColumn{})
			continue
		}
		unit := known.unit
		if len(units) == len(t.names) && unit != "1" {
			unit = string(units[i])
		}
		c := dmonColumn{field: field, name: known.name, scale: newScale(unit, known.unit), sum: known.name == "power" || known.unit == "MB"}
		if known.name == "power" {
			c.scope = "gpu"
		}
		t.columns = append(t.columns, c)
	}
}

func (t *dmon) column(c *dmonColumn, cell []byte) {
	if c.name == "" {
		return
	}
	if c.name == "x_throttled" {
		if v, ok := scan.ParseNumber(cell); ok {
			t.greatest(c.name, "1", c.field, min(1, math.Ceil(v)))
		}
		return
	}
	v := c.read(cell)
	if v >= 1<<47 {
		v = math.NaN()
	}
	if c.sum {
		t.add(c.name, c.want, c.field, c.scope, v)
	} else {
		t.greatest(c.name, c.want, c.field, v)
	}
}

func (t *dmon) End() {
	if t.names != nil && t.trace.EndLine == 0 {
		t.in.NoResult(t.header, locale.Textf("a header of %s dmon without rows", t.trace.Tool))
	}
	t.hand()
}
