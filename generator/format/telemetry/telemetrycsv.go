package telemetry

import (
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Scripts that sample a machine write CSV with a column of the time and the unit
// at the end of each name:
//
//	elapsed_s,power_w,temp_c,sm_mhz,gpu_util,mem_used_mb
//	timestamp,gpu_index,gpu_util_pct,gpu_mem_used_mib,gpu_temp_c,gpu_power_w
//	timestamp,device,power_watts,power_cap_watts
//
// A column is identified by its name and unit together. Any other column is kept under its own name, without a unit if
// it states none ("gpu_util" may be a share). "mb" and "gb" are also kept as written, because some scripts mean 2^20
// and 2^30. Rows of several devices are one sample; a row without its device is skipped. A table with tokens, models or
// latencies is not telemetry but the output of a benchmark.
//
// tegrastats_parser makes such a table from the lines of tegrastats. The board's rails are columns in mW, and MiB are
// called MB.
//
// There is no definition; the names are those in samples that people published.
var telemetryMarks = []string{"power_w", "power_mw", "power_in_mw", "_power_draw", "_watts", "temp_c", "_celsius",
	"util_pct", "_percent", "ower_W", "emp_C", "ower (W)", "ower(W)", "ower [W]", "sm_mhz", ",watts", ",Watts", "Consumption (mW)"}

// telemetryUnits maps the last word of a column's name to the unit that it states.
var telemetryUnits = map[string]string{
	"w": "W", "watts": "W", "watt": "W", "mw": "mW", "c": "°C", "celsius": "°C", "degc": "°C", "mhz": "MHz",
	"pct": "%", "percent": "%", "percentage": "%", "bytes": "B", "kib": "KiB", "mib": "MiB", "gib": "GiB", "mb": "MB", "gb": "GB",
}

// telemetryNames maps the text before the unit to channels. If several columns of a file are power, the first of
// powerColumns counts.
var telemetryNames = map[string]struct{ name, unit string }{
	"gpu_util": {"gpu_utilization", "%"}, "gpu_utilization": {"gpu_utilization", "%"}, "gpu_use": {"gpu_utilization", "%"},
	"gpu_usage": {"gpu_utilization", "%"}, "gpu_load": {"gpu_utilization", "%"}, "gpu": {"gpu_utilization", "%"},
	"temp": {"temperature", "°C"}, "temperature": {"temperature", "°C"}, "gpu_temp": {"temperature", "°C"},
	"gpu_temperature": {"temperature", "°C"}, "temp_gpu": {"temperature", "°C"}, "temperature_gpu": {"temperature", "°C"},
	"temp_edge": {"temperature", "°C"}, "temp_junction": {"temperature", "°C"}, "board_temp": {"temperature", "°C"}, "tj": {"temperature", "°C"},
	"sm": {"gpu_clock", "MHz"}, "sm_clock": {"gpu_clock", "MHz"}, "gpu_clock": {"gpu_clock", "MHz"}, "gpu_freq": {"gpu_clock", "MHz"},
	"gpu_mem_used": {"memory_used", "B"}, "gpu_memory_used": {"memory_used", "B"}, "vram_used": {"memory_used", "B"},
}

var powerColumns = []struct{ name, scope string }{
	{"total_power", ""}, {"power_total", ""}, {"power", ""}, {"power_draw", ""},
	{"vdd_in", "module"}, {"power_in", "module"}, {"vin", "board"},
	{"gpu_power", "gpu"}, {"gpu_power_draw", "gpu"}, {"power_gpu", "gpu"}, {"power_draw_gpu", "gpu"},
	{"average_graphics_package_power", "gpu"}, {"socket_power", "gpu"},
	{"wall_power", "wall"}, {"power_wall", "wall"}, {"plug_power", "wall"}, {"active_power", "wall"}, {"ac_power", "wall"},
	{"power_consumption", ""}, {"total", ""}, {"", ""},
}

var (
	telemetryClock  = lazy.Regexp(`^(timestamp|time|ts|datetime|date_time|epoch|unix_time|t|elapsed|relative_time|seconds)(_s|_sec|_seconds|_ms|_utc)?$`)
	telemetryDevice = []string{"device", "gpu_index", "gpu_id", "index", "card"}
)

// telemetryThings lists words for what is measured on a machine: at least one name in a header has one of them.
// benchmarkWords lists words that no name in telemetry has.
var (
	telemetryThings = []string{"power", "watts", "temp", "temperature", "util", "utilization", "usage", "use", "used", "load", "cpu", "gpu", "mem", "memory", "vram", "ram", "sm", "clock", "freq", "vdd", "vin"}
	benchmarkWords  = []string{"token", "tokens", "model", "prompt", "ttft", "tpot", "itl", "tps", "throughput", "latency", "prefill", "decode", "dec", "batch", "request", "requests", "concurrency", "accuracy", "loss"}
)

// hasWord reports whether one of the words of a name, which are separated by underscores, is in a list.
func hasWord(name string, list []string) bool {
	for word := range strings.SplitSeq(name, "_") {
		if slices.Contains(list, word) {
			return true
		}
	}
	return false
}

// telemetryColumn is what a column of such a table reports.
type telemetryColumn struct {
	name  string // name of the channel
	scale        // from the unit in the file to that of the channel
	field string
	scope string
	sum   bool   // summed over devices; otherwise the greatest counts
	rail  string // rail of a board
}

// telemetryTable is what a header states about the rows below it.
type telemetryTable struct {
	header  []string
	columns []telemetryColumn
	when    int     // column of the clock
	unit    float64 // of the clock in seconds, 0 when it reports dates
	device  int
}

type telemetryCSV struct {
	deviceRows
	telemetryTable
	learnt telemetryTable // the last table; scripts repeat their header
	names  []string       // of the line, which may be a header
	cells  [][]byte
	clock  clock
	open   bool
	begun  int      // line of the header
	of     []string // rails of the sample
	watts  []float64
}

func newTelemetryCSV() draft.LineReader { return &telemetryCSV{} }

func (t *telemetryCSV) Begin(in *draft.File) {
	*t = telemetryCSV{learnt: t.learnt, names: t.names[:0], cells: t.cells[:0]}
	t.deviceRows.begin(in, "csv", "telemetry-csv")
}

func (t *telemetryCSV) Line(l scan.Line) bool {
	if mayBeName(l.Text) {
		t.names = scan.Commas(t.names[:0], l.Text, ',')
		if header := t.names; slices.Equal(header, t.learnt.header) || isTelemetryHeader(header) {
			if t.open && t.unit == 0 && slices.Equal(header, t.header) {
				return true // repeated by a script that was restarted
			}
			t.End()
			t.Begin(t.in)
			t.begun, t.open = l.Number, true
			t.learn(header)
			return true
		}
	}
	t.cells = scan.Cells(t.cells[:0], l.Text, ',')
	switch {
	case t.open && l.Ended && len(t.cells) > 1 && len(t.cells) <= len(t.header):
		t.open = t.values(l)
	case t.trace.EndLine == 0 && len(t.cells[0]) > 0:
		t.open = false // a page that shows a header
	}
	return t.open
}

// Row reads a row while the table goes on.
func (t *telemetryCSV) Row(l scan.Line) bool {
	if !t.open || !l.Ended || t.trace.EndLine == 0 || !beginsWithDigit(l.Text) {
		return false
	}
	if t.cells = scan.Cells(t.cells[:0], l.Text, ','); len(t.cells) < 2 || len(t.cells) > len(t.header) {
		return false
	}
	return t.values(l)
}

// beginsWithDigit reports whether a line begins as a row does, with a time or a number.
func beginsWithDigit(line []byte) bool { return len(line) > 0 && scan.IsDigit(line[0]) }

// mayBeName reports whether a line may begin with a name: whether a letter comes before any digit.
func mayBeName(line []byte) bool {
	for _, c := range line {
		if c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z' {
			return true
		}
		if scan.IsDigit(c) {
			return false
		}
	}
	return false
}

// telemetryName returns a column's name as scripts write it: "GPU use (%)" is gpu_use_pct.
func telemetryName(column string) string {
	return draft.Snake(strings.ReplaceAll(column, "%", " pct"))
}

// clockColumn returns the index of the column of the clock, or -1. It is the first column, or the second one if the
// first has the number of the row, which some programs add.
func clockColumn(cells []string) int {
	for i, cell := range cells[:min(len(cells), 2)] {
		if telemetryClock().MatchString(telemetryName(cell)) {
			return i
		}
		if name := telemetryName(cell); name != "" && name != "index" {
			break
		}
	}
	return -1
}

// isTelemetryHeader reports whether cells are the header of what a script samples.
func isTelemetryHeader(cells []string) bool {
	when := clockColumn(cells)
	if len(cells) < 2 || when < 0 {
		return false
	}
	cells = cells[when:]
	if slices.Contains(cells, "DeviceId") { // xpu-smi's
		return false
	}
	things := false
	for _, cell := range cells {
		name := telemetryName(cell)
		if name == "" || hasWord(name, benchmarkWords) || scan.IsDigit(name[0]) || len(name) > scan.MaxField {
			return false
		}
		before, unit := telemetryUnit(name)
		things = things || unit != "" && (hasWord(before, telemetryThings) || hasWord(name, telemetryThings))
	}
	return things
}

// telemetryUnit splits the unit off a column's name. It is the last word, or a word of more than a letter within the
// name, as in ram_mb_used.
func telemetryUnit(name string) (before, unit string) {
	if name == "watts" || name == "watt" {
		return "", "W"
	}
	words := strings.Split(name, "_")
	for i := len(words) - 1; i > 0; i-- {
		if unit := telemetryUnits[words[i]]; unit != "" && (i == len(words)-1 || len(words[i]) > 1) {
			return strings.Join(slices.Delete(words, i, i+1), "_"), unit
		}
	}
	return name, ""
}

// learn parses the names of the columns.
func (t *telemetryCSV) learn(header []string) {
	if slices.Equal(header, t.learnt.header) {
		t.telemetryTable = t.learnt
		return
	}
	defer func() { t.learnt = t.telemetryTable }()
	t.telemetryTable = telemetryTable{header: slices.Clone(header), device: -1, when: clockColumn(header)}
	switch m := telemetryClock().FindStringSubmatch(telemetryName(header[t.when])); {
	case m[2] == "_ms":
		t.unit = 0.001
	case m[2] == "_s", m[2] == "_sec", m[2] == "_seconds", m[1] == "seconds":
		t.unit = 1
	}
	t.columns = make([]telemetryColumn, len(header))
	parsed := slices.ContainsFunc(header, func(cell string) bool { return boardRail(cell) != "" })
	power, best := -1, len(powerColumns)
	for i, cell := range header {
		name := telemetryName(cell)
		if i > t.when && slices.Contains(telemetryDevice, name) && t.device < 0 {
			t.device = i
			continue
		}
		before, unit := telemetryUnit(name)
		c := telemetryColumn{name: "x_" + name, scale: newScale(unit, unit), field: cell}
		known, ok := telemetryNames[before]
		switch rail := boardRail(cell); {
		case rail != "":
			c.rail, c.want = rail, "W"
		case parsed && tegrastatsNames[cell].name != "":
			q := tegrastatsNames[cell]
			c.name, c.scale, c.sum = q.name, newScale(q.given, q.want), q.adds()
		case parsed && strings.HasSuffix(cell, "Temperature (C)") && !strings.HasPrefix(cell, "PMIC"):
			c.name, c.want = "temperature", "°C"
		case unit == "":
			c.scale = newScale("1", "1")
		case unit == "W" || unit == "mW":
			c.want, c.sum = "W", true
			for k, p := range powerColumns {
				if p.name == before && k < best {
					power, best = i, k
				}
			}
		case ok && unit != "MB" && unit != "GB" && !math.IsNaN(measured("1", unit, known.unit)):
			c.name, c.want, c.sum = known.name, known.unit, known.name == "memory_used"
		case strings.HasSuffix(unit, "B"):
			c.sum = true
		}
		t.columns[i] = c
	}
	if power >= 0 {
		c := &t.columns[power]
		c.name, c.scope = "power", powerColumns[best].scope
		if t.device >= 0 && c.scope == "" {
			c.scope = "gpu" // each row is of one card
		}
	}
}

// boardRail returns the rail of a column of tegrastats_parser, "Current VDD_IN Power Consumption (mW)", or "" if it is
// not such a column.
func boardRail(cell string) string {
	name, ok := strings.CutPrefix(cell, "Current ")
	if !ok {
		return ""
	}
	name, ok = strings.CutSuffix(name, " Power Consumption (mW)")
	if !ok {
		return ""
	}
	return name
}

// tegrastatsNames maps the other columns of tegrastats_parser that are read.
var tegrastatsNames = map[string]quantity{
	"Used RAM (MB)": mebibytes, "Used GR3D (%)": deviceUse, "GR3D Frequency (MHz)": deviceClock, "Used EMC (%)": {"x_emc_load", "%", "%", ""},
}

// values reads a row, and returns false if the line is not one.
func (t *telemetryCSV) values(l scan.Line) bool {
	device := ""
	if t.device >= 0 {
		if t.device >= len(t.cells) || len(t.cells[t.device]) == 0 {
			return true
		}
		device = t.named(t.cells[t.device], numbered)
	}
	if len(t.cells) <= t.when {
		return false
	}
	at, zoned, dated := t.clock.read(t.cells[t.when])
	seconds, timed := 0.0, dated
	if !dated && t.unit > 0 {
		seconds, timed = scan.ParseNumber(t.cells[t.when])
		timed = timed && seconds >= 0 && seconds < 1e12
	}
	if !timed {
		if t.trace.EndLine == 0 {
			t.in.NoResult(l.Number, locale.Textf("times without a unit in what looks like telemetry"))
		}
		return false
	}
	if t.row(device, l.Number) {
		if dated {
			t.sample(l.Number, at, zoned, 0)
		} else {
			t.elapsed(l.Number, seconds*t.unit)
		}
	}
	for i := range t.columns {
		if i <= t.when || i == t.device {
			continue
		}
		if i >= len(t.cells) {
			break // some scripts leave the last ones out
		}
		c := &t.columns[i]
		v := c.read(t.cells[i])
		if v == 0 && c.want == "°C" {
			v = math.NaN() // a sensor that the script did not find
		}
		switch {
		case c.rail != "" && !math.IsNaN(v):
			t.of, t.watts = append(t.of, c.rail), append(t.watts, v)
		case c.rail != "":
		case c.sum:
			t.add(c.name, c.want, c.field, c.scope, v)
		default:
			t.greatest(c.name, c.want, c.field, v)
		}
	}
	if len(t.of) > 0 {
		t.rails(t.of, t.watts)
		t.of, t.watts = t.of[:0], t.watts[:0]
	}
	return true
}

func (t *telemetryCSV) End() {
	if t.header != nil && t.trace.EndLine == 0 {
		t.in.NoResult(t.begun, locale.Textf("a header of telemetry without rows"))
	}
	t.refuseMilliwatts()
	t.hand()
}

// refuseMilliwatts renames the power of a column in W that no accelerator can take: the script's W are mW.
func (t *telemetryCSV) refuseMilliwatts() {
	power := t.trace.Channel("power")
	if power == nil || power.Scope != "gpu" || t.device >= 0 || !(t.trace.Summarize(power, 0, len(t.trace.Times)).Mean > mostWatts) {
		return
	}
	t.in.Message(t.begun, result.Warning, "format.units", locale.Textf("%s is above %d W, more than any accelerator draws: it is probably in mW", power.Field, mostWatts),
		locale.Textf("add the unit to the name of the column"))
	power.Name, power.Scope = "x_"+telemetryName(power.Field), ""
}

// mostWatts is more than the power of any single accelerator.
const mostWatts = 4000
