package telemetry

import (
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// jetson-stats (jtop) logs a Jetson's state as CSV, as its examples/jtop_logger.py
// does: the keys of jetson.stats as header, a row for each of its updates.
//
//	time,uptime,CPU1,CPU2,RAM,SWAP,EMC,GPU,APE,…,Fan pwmfan0,Temp CPU,Power VDD_IN,Power TOT,jetson_clocks,nvp model
//
// Power is in mW, load in per cent, temperature in °C, -256 when a sensor is
// off. "Power TOT" is the board's input where jtop knows its rail, else the sum
// of all rails, of which some are parts of others (on Thor VIN and what it
// feeds): it is kept under its own name, as "power cur", which 3.1 has alone, and
// power is the sum of the rails that count. Some versions of 4.0 name every rail after the last temperature: then no
// power can be reported. RAM is a share since 4.0 and KB before, so that it is kept
// as written.
//
// Source: jetson_stats 3.1 to 4.3, jtop/jtop.py, stats; its examples.
var jtopMarks = []string{"time,uptime,", ",Power TOT", ",power cur,", ",jetson_clocks", ",nvp model"}

type jtopCSV struct {
	recorder
	names []string
	cells []string
	of    []string // rails
	watts []float64
	begun int // line of the header
	open  bool
}

func newJtopCSV() draft.LineReader { return &jtopCSV{} }

func (t *jtopCSV) Begin(in *draft.File) {
	*t = jtopCSV{}
	t.recorder.begin(in, "jtop", "jtop-csv")
}

func (t *jtopCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	if header := scan.NewColumns(t.cells); header.Has("time", "uptime") && (header.Has("gpu") || header.Has("ram")) {
		t.End()
		t.Begin(t.in)
		t.names = scan.Commas(nil, l.Text, ',')
		t.begun, t.open = l.Number, true
		return true
	}
	if t.open = t.open && len(t.cells) == len(t.names); t.open && l.Ended {
		t.row(l)
	}
	return t.open
}

func (t *jtopCSV) row(l scan.Line) {
	header := scan.NewColumns(t.names)
	at, zoned, ok := readClock(header.Cell(t.cells, "time"))
	if !ok {
		return
	}
	t.sample(l.Number, at, zoned, 1)
	t.of, t.watts = t.of[:0], t.watts[:0]
	for i, name := range t.names {
		kind, of, _ := strings.Cut(name, " ")
		v := measured(t.cells[i], "", "")
		switch {
		case name == "jetson_clocks":
			t.label("clocks", map[string]string{"ON": "locked", "OFF": "free"}[t.cells[i]], l.Number)
		case name == "nvp model":
			t.label("power_mode", t.cells[i], l.Number)
		case math.IsNaN(v):
		case name == "GPU":
			t.put("gpu_utilization", "%", name, "", v)
		case name == "RAM":
			t.put("x_ram", "1", name, "", v)
		case kind == "Temp" && v > 0 && !strings.EqualFold(of, "PMIC"):
			t.greatest("temperature", "°C", name, v)
		case name == "Power TOT" || name == "power cur":
			t.put("x_"+draft.Snake(name), "W", name, "", v/1000)
		case kind == "Power" && of != "":
			t.of, t.watts = append(t.of, of), append(t.watts, v/1000)
		}
	}
	t.rails(t.of, t.watts)
}

func (t *jtopCSV) End() {
	if t.trace != nil {
		if t.names != nil && t.trace.EndLine == 0 {
			t.in.NoResult(t.begun, "a header of jtop without rows")
		}
		t.hand()
	}
}
