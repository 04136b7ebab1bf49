package telemetry

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Huawei's "npu-smi info" draws a table with two rows for each chip. "npu-smi info -t power" and similar commands print
// a list:
//
//	| npu-smi 24.1.rc2                 Version: 24.1.rc2                                             |
//	| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
//	| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
//	| 0     910B3               | OK            | 93.9        38                0    / 0             |
//	| 0                         | 0000:C1:00.0  | 0           0    / 0          3362 / 65536         |
//
//	        NPU Real-time Power(W)         : 103.5
//
// Of two chips on one card, the first reports the card's power and the second a dash. Neither form has a time. MB means
// MiB.
//
// Source: Ascend documentation, npu-smi 22 to 25.
var npuTableMarks = []string{"| npu-smi ", "| NPU   Name ", "Hugepages-Usage"}

type npuTable struct {
	deviceRows
	open  bool
	gap   int
	cards []string // cards of the chips that were read
	card  string
	name  string
	power float64
	heat  float64
	line  int // line of the chip's first row
}

func newNPUTable() draft.LineReader { return &npuTable{} }

func (t *npuTable) Begin(in *draft.File) {
	*t = npuTable{}
	t.begin(in, "npu-smi", "npu-smi-text")
}

func (t *npuTable) Line(l scan.Line) bool {
	cells, row := scan.Pipes(nil, l.Text)
	switch {
	case row && len(cells) == 1 && strings.HasPrefix(cells[0], "npu-smi "):
		t.table(l.Number)
		if w := strings.Fields(cells[0]); len(w) > 1 {
			t.label("x_driver", w[1], l.Number)
		}
	case row && len(cells) == 3 && strings.HasPrefix(cells[0], "NPU ") && strings.Contains(cells[2], "Power(W)"):
		t.table(l.Number)
	case row && len(cells) == 3 && strings.HasPrefix(cells[0], "Chip"):
	case row && len(cells) == 3 && t.open && l.Ended:
		t.row2(cells, l.Number)
	case row && len(cells) > 0 && strings.Contains(cells[0], "Chip"): // the table of processes
		t.open = false
	case bytes.HasPrefix(bytes.TrimSpace(l.Text), []byte("+")):
	default:
		t.gap++
		t.open = t.open && t.gap <= draft.MaxGap
	}
	return t.open
}

// table begins a table, which is another sample. A table far below the last one begins another trace, as on a page that
// shows two.
func (t *npuTable) table(line int) {
	const farthest = 150 // lines between tables, with a list of processes
	if t.reported > 0 && line-t.trace.EndLine > farthest {
		t.End()
		t.Begin(t.in)
	}
	t.close()
	t.open, t.gap, t.card, t.cards = true, 0, "", t.cards[:0]
}

// row2 reads the first or the second row of a chip.
func (t *npuTable) row2(cells []string, line int) {
	first, last := strings.Fields(cells[0]), strings.Fields(cells[2])
	if len(first) == 0 || len(last) < 2 || !isWhole([]byte(first[0])) {
		return
	}
	if t.card == "" {
		if len(first) < 2 {
			return
		}
		t.card, t.name, t.line = first[0], first[1], line
		t.power, t.heat = measured(last[0], "W", "W"), measured(last[1], "C", "°C")
		return
	}
	device := npu(t.card + "." + first[0])
	reported := len(t.cards) > 0 && t.cards[len(t.cards)-1] == t.card
	if t.deviceRows.row(device, t.line) {
		t.sample(t.line, time.Time{}, false, 1)
	}
	if !reported || !math.IsNaN(t.power) { // otherwise the first chip reported the card's power
		t.add("power", "W", "Power(W)", "gpu", t.power)
	}
	t.cards = append(t.cards, t.card)
	t.greatest("temperature", "°C", "Temp(C)", t.heat)
	t.label("gpu", ascend(t.name), t.line)
	t.trace.EndLine = line
	t.greatest("gpu_utilization", "%", "AICore(%)", measured(last[0], "%", "%"))
	if used, field := npuMemory(cells[2]); field != "" {
		t.add("memory_used", "B", field, "", used)
	}
	t.card = ""
}

// ascend returns the name of a chip with its brand.
func ascend(name string) string {
	if strings.HasPrefix(strings.ToLower(name), "ascend") {
		return name
	}
	return "Ascend " + name
}

// npuMemory reads the used memory in "0 0 / 0 3362 / 65536": that of the HBM, which comes last, or the other memory if
// there is no HBM.
func npuMemory(cell string) (used float64, field string) {
	parts := strings.Split(cell, "/")
	if len(parts) < 2 {
		return math.NaN(), ""
	}
	if before := strings.Fields(parts[len(parts)-2]); len(before) > 0 {
		field = "HBM-Usage(MB)"
		if len(parts) == 2 {
			field = "Memory-Usage(MB)"
		}
		return measured(before[len(before)-1], "MiB", "B"), field
	}
	return math.NaN(), ""
}

func (t *npuTable) End() {
	if t.trace != nil {
		t.hand()
	}
}

var npuListMarks = []string{"NPU ID", "NPU Real-time Power(W)", "Power Dissipation(W)", "Aicore Usage Rate(%)", "NPU Temperature (C)"}

// npuList reads the lists of npu-smi, which have one figure per line.
type npuList struct {
	deviceRows
	npu     string // the NPU of the figures that follow
	pending bool   // no figure of it was read yet
	power   bool   // it has reported its power
}

func newNPUList() draft.LineReader { return &npuList{} }

func (t *npuList) Begin(in *draft.File) {
	*t = npuList{}
	t.begin(in, "npu-smi", "npu-smi-list-text")
}

var npuListRows = map[string]quantity{
	"NPU Real-time Power(W)": devicePower, "Power Dissipation(W)": devicePower, "Aicore Usage Rate(%)": deviceUse, "NPU Temperature (C)": deviceHeat,
}

// Line reads a row. A new NPU ID or another power figure begins the next device.
func (t *npuList) Line(l scan.Line) bool {
	label, value, ok := scan.Labelled(l.Text, ":")
	if ok && label == "NPU ID" && l.Ended {
		t.npu, t.pending = value, true
		return false
	}
	q, known := npuListRows[label]
	v := measured(value, q.given, q.want)
	if !ok || !known || !l.Ended || math.IsNaN(v) {
		return false
	}
	if t.pending || t.reported == 0 || t.power && q.adds() {
		if t.row("npu"+t.npu, l.Number) {
			t.sample(l.Number, time.Time{}, false, 1)
		}
		t.pending, t.power = false, false
	}
	t.power = t.power || q.adds()
	t.trace.EndLine = l.Number
	t.take(&q, label, v)
	return false
}

func (t *npuList) End() { t.hand() }
