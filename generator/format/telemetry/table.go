package telemetry

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// quantity is a figure or label that a tool reports under its own name.
type quantity struct {
	name  string // of the channel, or of a label
	given string // unit of a figure without one
	want  string // unit of the channel; "" for a label
	scope string // of power
}

// These are the quantities that most tools report. The power of an accelerator is that of the whole card.
var (
	devicePower = quantity{"power", "W", "W", "gpu"}
	deviceUse   = quantity{"gpu_utilization", "%", "%", ""}
	deviceClock = quantity{"gpu_clock", "MHz", "MHz", ""}
	deviceHeat  = quantity{"temperature", "°C", "°C", ""}
	memoryHeat  = quantity{"x_memory_temperature", "°C", "°C", ""}
	memoryClock = quantity{"x_memory_clock", "MHz", "MHz", ""}
	memoryUse   = quantity{"x_memory_utilization", "%", "%", ""}
	bytesUsed   = quantity{"memory_used", "B", "B", ""}
	mebibytes   = quantity{"memory_used", "MiB", "B", ""}
	deviceName  = quantity{name: "gpu"}
	driver      = quantity{name: "x_driver"}
)

// adds reports whether the figures of several devices are added up.
func (q *quantity) adds() bool { return q.name == "power" || q.name == "memory_used" }

// take records a figure of the current row's device.
func (d *deviceRows) take(q *quantity, field string, v float64) {
	switch {
	case q.adds():
		d.add(q.name, q.want, field, q.scope, v)
	case q.want == "°C" && v == 0: // a sensor that is not there
	default:
		d.greatest(q.name, q.want, field, v)
	}
}

// rowTool is a tool that prints a row for each device below a line of names.
type rowTool struct {
	tool, format string
	head         func(line []byte) []string // returns the names; nil for other lines
	cells        func(dst [][]byte, line []byte) [][]byte
	columns      map[string]quantity // by name
	clock        string              // column of the time, with or without a date
	device       []string            // columns that distinguish devices
	named        func(string) string // returns the name of a device from these columns
	summary      string              // column with a dash in the rows of the whole machine; other rows are skipped
	step         float64             // seconds between samples without a time
}

// rowReader reads what a rowTool prints.
type rowReader struct {
	deviceRows
	tool    *rowTool
	names   []string
	columns []rowColumn
	cells   [][]byte
	clock   int // column, -1 for none
	summary int // likewise
	times   clock
	device  []int
	key     []byte // of a device
	begun   int    // line of the names
	open    bool
	gap     int
}

type rowColumn struct {
	quantity
	scale
	known bool
}

func newRows(tool *rowTool) func() draft.LineReader {
	return func() draft.LineReader { return &rowReader{tool: tool} }
}

func (t *rowReader) Begin(in *draft.File) {
	*t = rowReader{tool: t.tool, cells: t.cells}
	t.begin(in, t.tool.tool, t.tool.format)
}

func (t *rowReader) Line(l scan.Line) bool {
	if mayBeName(l.Text) {
		if names := t.tool.head(l.Text); names != nil {
			t.header(names, l.Number)
			return true
		}
	}
	if !t.open {
		return false
	}
	t.cells = t.tool.cells(t.cells[:0], l.Text)
	switch {
	case t.summary >= 0 && t.summary < len(t.cells) && isWhole(t.cells[t.summary]): // a row of one part
	case len(t.cells) == len(t.names) && l.Ended && t.row(l):
		t.gap = 0
	case !isFrame(l.Text):
		t.gap++
	}
	t.open = t.gap <= 2*draft.MaxGap // headings may lie between
	return t.open
}

// Row reads a row while the table goes on.
func (t *rowReader) Row(l scan.Line) bool {
	if !t.open || !l.Ended || !beginsWithDigit(l.Text) || t.summary >= 0 {
		return false
	}
	if t.cells = t.tool.cells(t.cells[:0], l.Text); len(t.cells) != len(t.names) || !t.row(l) {
		return false
	}
	t.gap = 0
	return true
}

// isFrame reports whether a line is empty or drawn around a table.
func isFrame(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '=' || line[0] == '+' || line[0] == '-'
}

// header begins the rows below names. Different names begin another trace. So does a table without times that follows
// prose: a page that shows a table twice.
func (t *rowReader) header(names []string, line int) {
	if t.names != nil && (!slices.Equal(names, t.names) || !t.open && t.clock < 0) {
		t.End()
		t.Begin(t.in)
	}
	t.open, t.gap = true, 0
	if t.names != nil {
		return
	}
	t.names, t.begun = names, line
	t.clock, t.summary = slices.Index(names, t.tool.clock), slices.Index(names, t.tool.summary)
	for _, name := range t.tool.device {
		if i := slices.Index(names, name); i >= 0 {
			t.device = append(t.device, i)
		}
	}
	t.columns = slices.Grow(t.columns, len(names))
	for _, name := range names {
		q, known := t.tool.columns[name]
		t.columns = append(t.columns, rowColumn{quantity: q, scale: newScale(q.given, q.want), known: known})
	}
}

// row reads a device's row, and returns false if the line is not one.
func (t *rowReader) row(l scan.Line) bool {
	device := ""
	if len(t.device) > 0 {
		t.key = t.key[:0]
		for i, column := range t.device {
			if i > 0 {
				t.key = append(t.key, '.')
			}
			t.key = append(t.key, t.cells[column]...)
		}
		if len(t.key) == 0 || len(t.key) > 40 || bytes.ContainsAny(t.key, " (") {
			return false
		}
		device = t.named(t.key, t.tool.named)
	}
	at, zoned, timed := time.Time{}, false, t.clock < 0
	hour, hourOnly := time.Duration(0), false
	if t.clock >= 0 {
		if at, zoned, timed = t.times.read(t.cells[t.clock]); !timed {
			hour, hourOnly = hourOfDay(t.cells[t.clock])
		}
	}
	if !timed && !hourOnly {
		return false
	}
	if t.deviceRows.row(device, l.Number) {
		if hourOnly {
			t.hour(l.Number, hour)
		} else {
			t.sample(l.Number, at, zoned, t.tool.step)
		}
	}
	for i := range t.columns {
		c := &t.columns[i]
		switch {
		case !c.known:
		case c.quantity.want == "":
			t.label(c.name, t.in.Intern(t.cells[i]), l.Number)
		case c.name == "x_throttled":
			t.greatest(c.name, "1", t.names[i], throttle(t.cells[i]))
		default:
			t.take(&c.quantity, t.names[i], c.read(t.cells[i]))
		}
	}
	return true
}

func (t *rowReader) End() {
	if t.names != nil && t.trace != nil && t.trace.EndLine == 0 {
		t.in.NoResult(t.begun, locale.Textf("a header of %s without rows", t.tool.tool))
	}
	t.hand()
}

// throttle returns 1 if a device reports that its clock is held, 0 if not, and NaN if it does not say.
func throttle(text []byte) float64 {
	switch strings.ToLower(string(text)) {
	case "throttled", "true":
		return 1
	case "unthrottled", "false", "not throttled":
		return 0
	}
	return math.NaN()
}

// commas splits a line of CSV.
func commas(dst [][]byte, line []byte) [][]byte { return scan.Cells(dst, line, ',') }

// header returns the column names in a line of CSV, or nil if one of those wanted is missing.
func header(line []byte, wanted ...string) []string {
	names := scan.Commas(nil, line, ',')
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil
		}
	}
	return names
}
