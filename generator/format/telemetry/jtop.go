package telemetry

import (
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// jetson-stats (jtop) logs a Jetson's state as CSV, as its examples/jtop_logger.py does. The header has the keys of
// jetson.stats; each of its updates is a row.
//
//	time,uptime,CPU1,CPU2,RAM,SWAP,EMC,GPU,APE,…,Fan pwmfan0,Temp CPU,Power VDD_IN,Power TOT,jetson_clocks,nvp model
//
// Power is in mW, load in percent, temperature in °C; -256 means that a sensor is off. "Power TOT" is the board's input
// if jtop knows its rail. Otherwise it is the sum of all rails, although some are parts of others (on Thor, VIN and the
// rails that it feeds). So it is kept under its own name. The same applies to "power cur", the only power in 3.1. The
// channel power is the sum of the rails that count. Some versions of 4.0 name every rail after the last temperature;
// then no power can be reported. RAM is a share since 4.0 and in KB before, so it is kept as written.
//
// Source: jetson_stats 3.1 to 4.3, jtop/jtop.py, stats; its examples.
var jtopMarks = []string{"time,uptime,", ",Power TOT", ",power cur,", ",jetson_clocks", ",nvp model"}

type jtopCSV struct {
	recorder
	columns []jtopColumn
	time    int // column
	clock   clock
	cells   [][]byte
	of      []string // rails
	watts   []float64
	begun   int // line of the header
	open    bool
}

// jtopColumn is what a column reports. A column of the kind jtopNothing is not read.
type jtopColumn struct {
	field string
	kind  jtopKind
	name  string // of the channel or the rail
	scale
}

type jtopKind int

const (
	jtopNothing jtopKind = iota
	jtopClocks
	jtopMode
	jtopTemperature
	jtopTotal // in mW
	jtopRail  // in mW
	jtopAsIs
)

// jetsonClocks maps the value of jetson_clocks to the label clocks.
var jetsonClocks = map[string]string{"ON": "locked", "OFF": "free"}

func newJtopCSV() draft.LineReader { return &jtopCSV{} }

func (t *jtopCSV) Begin(in *draft.File) {
	*t = jtopCSV{cells: t.cells}
	t.recorder.begin(in, "jtop", "jtop-csv")
}

func (t *jtopCSV) Line(l scan.Line) bool {
	t.cells = scan.Cells(t.cells[:0], l.Text, ',')
	if mayBeName(l.Text) {
		names := scan.Commas(nil, l.Text, ',')
		if header := scan.NewColumns(names); header.Has("time", "uptime") && (header.Has("gpu") || header.Has("ram")) {
			t.End()
			t.Begin(t.in)
			t.learn(names)
			t.time, t.begun, t.open = header["time"], l.Number, true
			return true
		}
	}
	if t.open = t.open && len(t.cells) == len(t.columns); t.open && l.Ended {
		t.row(l)
	}
	return t.open
}

// Row reads a row while the table goes on.
func (t *jtopCSV) Row(l scan.Line) bool {
	if !t.open || !l.Ended || !beginsWithDigit(l.Text) {
		return false
	}
	if t.cells = scan.Cells(t.cells[:0], l.Text, ','); len(t.cells) != len(t.columns) {
		return false
	}
	t.row(l)
	return true
}

// learn records what each column reports.
func (t *jtopCSV) learn(names []string) {
	for _, field := range names {
		c := jtopColumn{field: field}
		kind, of, _ := strings.Cut(field, " ")
		switch {
		case field == "jetson_clocks":
			c.kind = jtopClocks
		case field == "nvp model":
			c.kind = jtopMode
		case field == "GPU":
			c.kind, c.name, c.want = jtopAsIs, "gpu_utilization", "%"
		case field == "RAM":
			c.kind, c.name, c.want = jtopAsIs, "x_ram", "1"
		case kind == "Temp" && !strings.EqualFold(of, "PMIC"):
			c.kind = jtopTemperature
		case field == "Power TOT" || field == "power cur":
			c.kind, c.name = jtopTotal, "x_"+draft.Snake(field)
		case kind == "Power" && of != "":
			c.kind, c.name = jtopRail, of
		}
		c.given = c.want
		t.columns = append(t.columns, c)
	}
}

func (t *jtopCSV) row(l scan.Line) {
	at, zoned, ok := t.clock.read(t.cells[t.time])
	if !ok {
		return
	}
	t.sample(l.Number, at, zoned, 1)
	t.of, t.watts = t.of[:0], t.watts[:0]
	for i := range t.columns {
		c, cell := &t.columns[i], t.cells[i]
		switch c.kind {
		case jtopNothing:
			continue
		case jtopClocks:
			t.label("clocks", jetsonClocks[string(cell)], l.Number)
			continue
		case jtopMode:
			t.label("power_mode", t.in.Intern(cell), l.Number)
			continue
		}
		v := c.read(cell)
		switch {
		case math.IsNaN(v):
		case c.kind == jtopAsIs:
			t.put(c.name, c.want, c.field, "", v)
		case c.kind == jtopTemperature && v > 0:
			t.greatest("temperature", "°C", c.field, v)
		case c.kind == jtopTotal:
			t.put(c.name, "W", c.field, "", v/1000)
		case c.kind == jtopRail:
			t.of, t.watts = append(t.of, c.name), append(t.watts, v/1000)
		}
	}
	t.rails(t.of, t.watts)
}

func (t *jtopCSV) End() {
	if t.trace != nil {
		if t.columns != nil && t.trace.EndLine == 0 {
			t.in.NoResult(t.begun, locale.Textf("a header of jtop without rows"))
		}
		t.hand()
	}
}
