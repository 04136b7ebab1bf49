package telemetry

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// "nvidia-smi --query-gpu=timestamp,index,power.draw,… --format=csv -l 1" prints a header with units, "power.draw [W]",
// and a row for each GPU and sample. The values have units too, unless "nounits" was given. The header is repeated when
// output was appended to a file. A value that a GPU cannot report is "[N/A]" or "[Not Supported]". The GPUs of one
// sample have times some milliseconds apart, so they are distinguished by index, UUID or bus. If none of these was
// queried and the rows come in bursts, their power is not that of the machine. With "noheader", the command above the
// rows names the columns. Without a command the units do, as far as they are unambiguous. Habana's hl-smi prints the
// same. The power is that of the GPU alone; on chips that include a CPU (GB10, Orin) that is only a part of the whole.
//
// Source: "nvidia-smi --help-query-gpu" of drivers 470 to 580. There power.draw of newer GPUs is the mean over a
// second, and power.draw.instant is not.
var smiMarks = append(smiDates(), "power.draw", "utilization.", "memory.used", "temperature.gpu", "clocks.current.", "clocks.sm",
	"driver_version", " MiB, ", "--query-gpu", "--query-aip")

// smiDates returns the beginnings of rows that begin with a date, as nvidia-smi writes it.
func smiDates() (marks []string) {
	for year := 2018; year < 2034; year++ {
		marks = append(marks, strconv.Itoa(year)+"/0", strconv.Itoa(year)+"/1")
	}
	return marks
}

type smiCSV struct {
	deviceRows
	columns      []smiColumn
	cells        [][]byte
	identity     int // column that identifies a GPU, -1 for none
	clock        int // column of the time
	times        clock
	last         time.Time
	labels       result.Labels
	open         bool
	gap          int
	first, noted int      // lines
	asked        []string // columns of the command above
	askedAt      int      // its line
}

// smiColumn is what a column reports.
type smiColumn struct {
	field string // its name in nvidia-smi
	unit  string // in its header
	kind  smiKind
	name  string // of the channel, or of the label
	scope string
	scale
}

// smiKind is the way in which the cells of a column are read.
type smiKind int

const (
	isNothing  smiKind = iota
	isSum              // over GPUs
	isGreatest         // of the GPUs
	isReason           // for a lower clock
	isLabel
)

func newSMICSV() draft.LineReader { return &smiCSV{} }

func (t *smiCSV) Begin(in *draft.File) {
	*t = smiCSV{cells: t.cells[:0]}
	t.deviceRows.begin(in, "nvidia-smi", "nvidia-smi-csv")
}

var (
	smiAsked = lazy.Regexp(`--query-(?:gpu|aip)[= ]["']?([a-z][a-z0-9_.,]*)`)
	smiWord  = lazy.Regexp(`^(P\d+|0x[0-9A-Fa-f]+|Active|Not Active|Enabled|Disabled|Default|[\d.]+)$`) // a state or a version
	smiBus   = lazy.Regexp(`^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]$`)
)

func (t *smiCSV) Line(l scan.Line) bool {
	t.cells = scan.Cells(t.cells[:0], l.Text, ',')
	switch {
	case t.header(l) || t.command(l):
	case t.open && len(t.cells) == len(t.columns) && (!l.Ended || t.values(l)):
		t.gap = 0
	case !t.open && l.Ended && t.untitled(l):
	default:
		t.gap++
		t.open = t.open && t.gap <= draft.MaxGap
	}
	return t.open || t.asked != nil && l.Number-t.askedAt < draft.MaxDistance
}

// Row reads a row while the table goes on.
func (t *smiCSV) Row(l scan.Line) bool {
	if !t.open || !l.Ended || !beginsWithDigit(l.Text) {
		return false
	}
	if t.cells = scan.Cells(t.cells[:0], l.Text, ','); len(t.cells) != len(t.columns) {
		return false
	}
	t.gap = 0
	return t.values(l)
}

// header reads a line as a header, if all of its cells are names of columns.
func (t *smiCSV) header(l scan.Line) bool {
	if first := t.cells[0]; len(first) == 0 || first[0] < 'a' || first[0] > 'z' {
		return false
	}
	names, units, known := make([]string, len(t.cells)), make([]string, len(t.cells)), false
	for i, cell := range t.cells {
		if names[i], units[i], known = smiName(string(cell)); !known {
			return false
		}
	}
	if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, ".") || n == "driver_version" }) {
		return false // the cells of a row may be words as well
	}
	if t.columns != nil && !slices.EqualFunc(names, t.columns, func(name string, c smiColumn) bool { return name == c.field }) {
		t.End() // the rows of another query follow
		t.Begin(t.in)
	}
	t.open, t.gap, t.asked = true, 0, nil
	t.titled(names, units, l.Number)
	return true
}

// smiName splits the name of a column into name and unit: "power.draw [W]". The parts of a name, between points, are
// small letters, digits and underscores. The first part begins with a letter.
func smiName(cell string) (name, unit string, ok bool) {
	name, rest, bracketed := strings.Cut(cell, " [")
	unit, closed := strings.CutSuffix(rest, "]")
	if bracketed != closed || closed && (unit == "" || strings.Contains(unit, "]")) || name == "" || name[0] < 'a' || name[0] > 'z' {
		return "", "", false
	}
	for i, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z' || scan.IsDigit(c) || c == '_':
		case c != '.' || name[i-1] == '.' || i == len(name)-1:
			return "", "", false
		}
	}
	return name, unit, true
}

// titled begins rows with the given columns.
func (t *smiCSV) titled(names, units []string, line int) {
	t.clock = slices.Index(names, "timestamp")
	t.identity = columnOf(names, "gpu", "index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "bus_id", "serial", "gpu_serial")
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".aip") }) {
		t.trace.Tool = "hl-smi"
	}
	t.learn(names, units)
	if t.first == 0 {
		t.first = line
	}
}

// command remembers the columns that a command asks for, if its rows have no header.
func (t *smiCSV) command(l scan.Line) bool {
	if !bytes.Contains(l.Text, []byte("--query-")) {
		return false
	}
	m := smiAsked().FindSubmatch(l.Text)
	if m == nil || !bytes.Contains(l.Text, []byte("noheader")) {
		return false
	}
	t.asked, t.askedAt, t.open = strings.Split(string(m[1]), ","), l.Number, false
	return true
}

// untitled reads the first row of rows without a header, and reports whether the line is one. The command above names
// the columns; without a command it guesses them from the units.
func (t *smiCSV) untitled(l scan.Line) bool {
	names := t.asked
	if len(names) != len(t.cells) {
		names = nil
	}
	if names == nil {
		if _, _, dated := t.times.read(t.cells[0]); !dated && !bytes.Contains(l.Text, []byte(" MiB, ")) {
			return false
		}
		names = t.guess()
	}
	if names == nil {
		if t.noted == 0 && len(t.cells) > 1 && isFigures(t.cells[1:]) {
			t.noted = l.Number
		}
		return false
	}
	if slices.Equal(names, t.asked) && !slices.EqualFunc(names, t.cells, isCell) {
		return false // a line of the text around the command
	}
	if t.columns != nil { // the rows of another query follow
		t.End()
		cells, asked, at := t.cells, t.asked, t.askedAt
		t.Begin(t.in)
		t.cells, t.asked, t.askedAt = cells, asked, at
	}
	units := make([]string, len(names))
	for i, name := range names {
		units[i] = smiUnit(name)
	}
	if !slices.Equal(names, t.asked) {
		t.in.Message(l.Number, result.Info, untitledRows, locale.Textf("the columns have no names; judging by their units, they are %s", strings.Join(slices.DeleteFunc(slices.Clone(names), isUnnamed), ", ")),
			locale.Textf("leave out noheader, so that all of them are known"))
	}
	t.open, t.gap = true, 0
	t.titled(names, units, l.Number)
	t.values(l)
	return true
}

var (
	smiCard   = lazy.Regexp(`^(NVIDIA|Tesla|GeForce|Quadro|TITAN|GRID|RTX|HL-?\d|[A-Z]{1,2}\d{2,4}[A-Z]?([- ]|$))`)
	smiDriver = lazy.Regexp(`^\d+\.[\w.-]+$`)
)

// isCell reports whether a cell can belong to a column. This excludes lines of text that have as many commas as a row.
func isCell(column string, cell []byte) bool {
	switch number, _, ok := scan.Quantity(string(cell)); {
	case bytes.HasPrefix(cell, []byte("[")) || scan.IsMissing(string(cell)):
		return true
	case column == "name" || column == "gpu_name":
		return smiCard().Match(cell)
	case column == "driver_version":
		return smiDriver().Match(cell)
	case column == "uuid" || column == "gpu_uuid":
		return bytes.HasPrefix(cell, []byte("GPU-"))
	case smiUnit(column) != "" || strings.HasPrefix(column, "temperature.") || column == "index" || column == "compute_cap":
		return ok && number != "" || smiWord().Match(cell)
	}
	return true
}

// untitledRows is the identifier of messages about rows without names.
const untitledRows = "format.untitled"

// isFigures reports whether all cells are numbers or missing.
func isFigures(cells [][]byte) bool {
	for _, cell := range cells {
		if _, ok := scan.ParseNumber(cell); !ok && !scan.IsMissing(string(cell)) {
			return false
		}
	}
	return true
}

// smiUnit returns the unit that nvidia-smi uses for a column whose unit is not written, or "" if it is unknown.
func smiUnit(name string) string {
	switch group, _, _ := strings.Cut(name, "."); {
	case group == name:
		return ""
	case group == "power":
		return "W"
	case group == "memory":
		return "MiB"
	case group == "clocks":
		return "MHz"
	case group == "utilization" || group == "fan":
		return "%"
	}
	return ""
}

// guess names the columns of a row by their units. It finds a power, a memory and a share, if the row has only one of
// the kind. Of two powers or memories it takes the first if it is less than the second, which is then the limit. It
// returns nil if it finds none of the three.
func (t *smiCSV) guess() []string {
	names := make([]string, len(t.cells))
	of := map[string][]int{}
	for i, cell := range t.cells {
		names[i] = "column_" + strconv.Itoa(i+1)
		number, unit, ok := scan.Quantity(string(cell))
		_, _, dated := t.times.read(cell)
		switch {
		case dated && bytes.IndexByte(cell, '/') > 0:
			names[i] = "timestamp"
		case ok && number != "" && slices.Contains([]string{"W", "MiB", "%", "MHz"}, unit):
			of[unit] = append(of[unit], i)
		case bytes.HasPrefix(cell, []byte("GPU-")):
			names[i] = "uuid"
		case smiBus().Match(cell):
			names[i] = "pci.bus_id"
		case bytes.HasPrefix(cell, []byte("NVIDIA ")) || bytes.HasPrefix(cell, []byte("Tesla ")):
			names[i] = "name"
		case ok && number != "" && unit == "" || scan.IsMissing(string(cell)) || smiWord().Match(cell):
		default:
			return nil // a sentence
		}
	}
	known := false
	for unit, name := range map[string]string{"W": "power.draw", "MiB": "memory.used", "%": "utilization.gpu"} {
		switch columns := of[unit]; {
		case len(columns) == 1:
		case len(columns) == 2 && unit != "%" && measured(string(t.cells[columns[0]]), "", unit) < measured(string(t.cells[columns[1]]), "", unit):
		default:
			continue
		}
		names[of[unit][0]], known = name, true
	}
	if !known {
		return nil
	}
	return names
}

func isUnnamed(name string) bool { return strings.HasPrefix(name, "column_") }

// learn records what each column reports.
func (t *smiCSV) learn(names, units []string) {
	power := columnOf(names, "power.draw", "power.draw.instant", "power.draw.average")
	sm := columnOf(names, "clocks.current.sm", "clocks.sm", "clocks.current.graphics", "clocks.gr")
	t.columns = make([]smiColumn, len(names))
	for i, name := range names {
		c := &t.columns[i]
		*c = smiColumn{field: name, unit: units[i]}
		if c.unit == "" {
			c.unit = smiUnit(name) // of a header that a script wrote
		}
		take := func(kind smiKind, name, want, scope string) {
			c.kind, c.name, c.scope, c.scale = kind, name, scope, newScale(c.unit, want)
		}
		switch {
		case i == t.clock || i == t.identity:
		case i == power:
			take(isSum, t.total("power"), "W", "gpu")
		case name == "memory.used":
			take(isSum, t.total("memory_used"), "B", "")
		case name == "utilization.gpu" || name == "utilization.aip":
			take(isGreatest, "gpu_utilization", "%", "")
		case name == "temperature.gpu" || name == "temperature.aip":
			take(isGreatest, "temperature", "°C", "")
			c.given = "C"
		case i == sm:
			take(isGreatest, "gpu_clock", "MHz", "")
		case strings.HasPrefix(name, "clocks_throttle_reasons.") || strings.HasPrefix(name, "clocks_event_reasons."):
			c.kind = isReason
		case name == "name" || name == "gpu_name":
			take(isLabel, "gpu", "", "")
		case name == "driver_version":
			take(isLabel, "x_driver", "", "")
		case (c.unit == "W" || c.unit == "%" || c.unit == "MHz") && !smiSetting().MatchString(name):
			take(isGreatest, "x_"+draft.Snake(name), c.unit, "")
		}
	}
}

// columnOf returns the column of the first of the names that there is, or -1.
func columnOf(columns []string, names ...string) int {
	for _, name := range names {
		if i := slices.Index(columns, name); i >= 0 {
			return i
		}
	}
	return -1
}

// smiLoop is the interval of "-l" without a number, in seconds. It is too long to say anything about the time between
// two samples.
const smiLoop = 5

// values reads a row, and returns false if the line is not one.
func (t *smiCSV) values(l scan.Line) bool {
	at := time.Time{}
	if t.clock < 0 && !slices.EqualFunc(t.columns, t.cells, func(c smiColumn, cell []byte) bool { return isCell(c.field, cell) }) {
		return false // a sentence
	}
	if t.clock >= 0 {
		var ok bool
		if at, _, ok = t.times.read(t.cells[t.clock]); !ok {
			return false // a word of a log
		}
	}
	device := ""
	switch {
	case t.identity >= 0:
		device = t.gpu(t.cells[t.identity])
	case t.clock >= 0 && at.Equal(t.last):
		device = strconv.Itoa(len(t.seen))
	}
	t.last = at
	if t.row(device, l.Number) {
		t.sample(l.Number, at, false, smiLoop)
	}
	throttled, reported := 0.0, false
	for i := range t.columns {
		c, cell := &t.columns[i], t.cells[i]
		switch c.kind {
		case isSum:
			t.add(c.name, c.want, c.field, c.scope, c.read(cell))
		case isGreatest:
			t.greatest(c.name, c.want, c.field, c.read(cell))
		case isLabel:
			t.note(c.name, cell, l.Number)
		case isReason:
			if v, ok := reason(c.field, cell); ok {
				throttled, reported = max(throttled, v), true
			}
		}
	}
	if reported {
		t.greatest("x_throttled", "1", "clocks_event_reasons", throttled)
	}
	return true
}

// gpu returns the name of a GPU by its index, UUID or bus.
func (t *smiCSV) gpu(identity []byte) string {
	return t.named(bytes.TrimPrefix(identity, []byte("GPU-")), func(name string) string { return "gpu" + name })
}

// smiSetting matches the names of settings and constants.
var smiSetting = lazy.Regexp(`limit|max|default|applications|management|mode`)

// rowPrefix begins the names of channels whose values are those of one row, not of the machine.
const rowPrefix = "x_row_"

// total returns the name of a channel that is summed over the GPUs. If neither an index nor a time shows how many GPUs
// there are, it is the channel of a single row.
func (t *smiCSV) total(name string) string {
	if t.identity < 0 && t.clock < 0 {
		return rowPrefix + name
	}
	return name
}

// reason reads a reason for a lower clock: all reasons as bits, or "Active" for one. It returns false for reasons that
// are not limits of power or heat.
func reason(field string, cell []byte) (float64, bool) {
	_, reason, _ := strings.Cut(field, ".")
	switch {
	case reason == "active":
		return held(string(cell))
	case !slices.Contains(limits, reason):
	case bytes.EqualFold(cell, []byte("Active")):
		return 1, true
	case bytes.EqualFold(cell, []byte("Not Active")):
		return 0, true
	}
	return 0, false
}

// limits lists the reasons that are caused by power or heat.
var limits = []string{"sw_power_cap", "hw_slowdown", "hw_thermal_slowdown", "hw_power_brake_slowdown", "sw_thermal_slowdown"}

// note records a label of the GPUs. If the rows differ, it joins all values.
func (t *smiCSV) note(name string, cell []byte, line int) {
	old, known := t.labels.Lookup(name)
	if known && isListed(old.Value, cell) || scan.IsMissing(string(cell)) {
		return
	}
	value := string(cell)
	if known {
		value = old.Value + " + " + value // of different GPUs
	}
	if len(value) > draft.MaxLabel {
		return
	}
	t.labels.Set(result.Label{Name: name, Value: value, Pos: result.Position{Line: line}})
}

// isListed reports whether text is one of the values that " + " joins in a list.
func isListed(list string, text []byte) bool {
	for one := range strings.SplitSeq(list, " + ") {
		if one == string(text) {
			return true
		}
	}
	return false
}

func (t *smiCSV) End() {
	if t.columns == nil {
		if t.noted > 0 {
			text := locale.Textf("rows of nvidia-smi with neither names nor units: leave out noheader, or nounits")
			t.in.NoResult(t.noted, text)
			t.in.Message(t.noted, result.Info, untitledRows, text, locale.Text{})
		}
		return
	}
	t.close()
	if len(t.trace.Channels) == 0 || len(t.trace.Times) == 1 { // a list of the GPUs, not a series
		if t.trace.EndLine == 0 {
			t.in.NoResult(t.first, locale.Textf("a header of nvidia-smi without rows"))
		}
		for _, label := range t.labels {
			t.in.Capture("nvidia-smi-csv", label.Name, label.Value, label.Pos.Line)
		}
		if n := t.most; n > 0 && t.identity >= 0 && len(t.trace.Times) == 1 {
			t.in.Capture("nvidia-smi-csv", "device_count", strconv.Itoa(n), t.first)
		}
		for i := range t.trace.Channels { // their values are those of the only row
			c := &t.trace.Channels[i]
			c.Name = strings.TrimPrefix(c.Name, rowPrefix)
		}
		t.hand()
		return
	}
	if t.identity < 0 && inBursts(t.trace.Times) {
		for i := range t.trace.Channels {
			if c := &t.trace.Channels[i]; c.Name == "power" || c.Name == "memory_used" {
				c.Name = rowPrefix + c.Name
			}
		}
		t.in.Message(t.first, result.Warning, "format.devices", locale.Textf("the rows do not say which GPU they belong to"), locale.Textf("query index, too; the power of the GPUs is not added up"))
	}
	for _, label := range t.labels {
		t.label(label.Name, label.Value, label.Pos.Line)
	}
	t.hand()
}

// inBursts reports whether many samples follow the one before at once, as the rows of several devices do. Gaps of
// atOnce or more do not count, so that a device that was sampled at long and at short intervals is not taken for
// several.
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

// isSMISummary reports whether an object is the summary that a harness makes of nvidia-smi's rows. The summary has no
// series, so it is a result of the machine. The power is the sum of the means of its GPUs, which all have the same
// number of samples. "overall" is the mean of one GPU, and its greatest power is that of one GPU, so both keep their
// own names.
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
	if gpus := v.Get("gpus"); len(fields) > 0 && !gpus.Cut {
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
