package telemetry

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Intel's xpu-smi (before: xpumcli) dumps CSV with a time of day:
//
//	Timestamp, DeviceId, GPU Utilization (%), GPU Power (W), GPU Frequency (MHz), GPU Memory Used (MiB)
//	06:14:46.000,    0, 0.00, 14.61,    0, 28.02
//
// Source: xpumanager, doc/smi_user_guide.md, 1.0 to 1.3.
var xpuMarks = []string{"Timestamp, DeviceId", "Timestamp,DeviceId"}

var xpuCSV = rowTool{
	tool: "xpu-smi", format: "xpu-smi-csv", cells: commas, clock: "Timestamp", device: []string{"DeviceId"}, named: numbered, step: 1,
	columns: map[string]quantity{
		"GPU Utilization (%)": deviceUse, "GPU Power (W)": devicePower, "GPU Frequency (MHz)": deviceClock,
		"GPU Core Temperature (Celsius Degree)": deviceHeat, "GPU Core Temperature (C)": deviceHeat,
		"GPU Memory Temperature (Celsius Degree)": memoryHeat, "GPU Memory Temperature (C)": memoryHeat,
		"GPU Memory Utilization (%)": memoryUse, "GPU Memory Used (MiB)": mebibytes,
	},
	head: func(line []byte) []string {
		names := header(line, "Timestamp", "DeviceId")
		if slices.Contains(names, "TileId") { // rows of parts of a device
			return nil
		}
		return names
	},
}

// Huawei's "npu-smi info watch" prints a row for each NPU and second, without a time:
//
//	NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)     AI Core(%)  AI Cpu(%)   Ctrl Cpu(%) Memory(%)   Memory BW(%)
//	0           0           90.1        34          0           0           2           5           0
//
// Source: Ascend documentation, npu-smi 22 to 25.
var npuWatchMarks = []string{"NpuID(Idx)"}

var npuWatch = rowTool{
	tool: "npu-smi", format: "npu-smi-watch-text", cells: words, device: []string{"NpuID(Idx)", "ChipId(Idx)"}, named: npu, step: 1,
	columns: map[string]quantity{
		"Pwr(W)": devicePower, "Temp(C)": deviceHeat, "AI Core(%)": deviceUse, "Memory(%)": memoryUse, "Memory BW(%)": {"x_memory_bandwidth_utilization", "%", "%", ""},
	},
	head: func(line []byte) []string {
		if !bytes.Contains(line, []byte("NpuID(Idx)")) {
			return nil
		}
		var names []string
		for part := range strings.SplitAfterSeq(string(line), ")") { // names have spaces
			if name := strings.TrimSpace(part); name != "" {
				names = append(names, name)
			}
		}
		return names
	},
}

// npu returns the name of an NPU, with its chip unless it is the first one.
func npu(written string) string {
	card, chip, _ := strings.Cut(written, ".")
	if chip == "" || chip == "0" {
		return "npu" + card
	}
	return "npu" + card + "." + chip
}

// turbostat, of the Linux kernel, prints the state of the processor. With -S each sample is one row. Without it, the
// first row of each sample, with a dash for the core, is that of the whole processor.
//
//	Core	CPU	Avg_MHz	Busy%	Bzy_MHz	PkgTmp	PkgWatt	RAMWatt	SysWatt
//	-	-	35	1.07	3586	39	8.04	2.10	13.07
//
// PkgWatt is the power of the processor's packages, by RAPL. SysWatt is the power of the whole platform, if the machine
// reports it. Busy% and clocks are those of the CPU.
//
// Source: tools/power/x86/turbostat of Linux 4.14 to 6.16.
var turbostatMarks = []string{"PkgWatt", "SysWatt"}

var turbostat = rowTool{
	tool: "turbostat", format: "turbostat-text", cells: words, clock: "Time_Of_Day_Seconds", summary: "CPU", step: 5,
	columns: map[string]quantity{
		"SysWatt": {"power", "W", "W", "board"}, "PkgWatt": {"x_package_power", "W", "W", ""},
		"RAMWatt": {"x_ram_power", "W", "W", ""}, "GFXWatt": {"x_gpu_power", "W", "W", ""}, "CorWatt": {"x_core_power", "W", "W", ""},
		"PkgTmp": deviceHeat, "Busy%": {"x_cpu_utilization", "%", "%", ""}, "Bzy_MHz": {"x_cpu_clock", "MHz", "MHz", ""},
		packageAlone: {"power", "W", "W", "package"},
	},
	head: func(line []byte) []string {
		names := strings.Fields(string(line))
		i := slices.Index(names, "PkgWatt")
		if len(names) < 2 || i < 0 && !slices.Contains(names, "SysWatt") || len(names[0]) > 0 && scan.IsDigit(names[0][0]) {
			return nil
		}
		if i >= 0 && !slices.Contains(names, "SysWatt") {
			names[i] = packageAlone
		}
		return names
	},
}

// packageAlone is the name of PkgWatt in a table without SysWatt.
const packageAlone = "PkgWatt (no SysWatt)"

// "ipmitool dcmi power reading" asks the machine's controller for the power at the power supplies. Scripts run it
// repeatedly:
//
//	Instantaneous power reading:                   144 Watts
//	IPMI timestamp:                           Sat Oct 23 08:25:52 2021
//
// "ipmitool sdr" and "ipmitool sensor" list sensors. Often one of them is the power of the whole machine:
//
//	Pwr Consumption  | 224 Watts         | ok
//	Total_Power      | 340.000    | Watts      | ok    | na
//
// The time is the controller's clock. Source: ipmitool, lib/ipmi_dcmi.c, ipmi_sdr.c and
// ipmi_sensor.c; names of sensors as machines of Dell, Supermicro and Inspur have them.
var dcmiMarks = []string{"Instantaneous power reading:", "IPMI timestamp:", "Pwr Consumption", "Total_Power", "Total Power", "Sys_Power", "SYS_POWER"}

type dcmi struct {
	recorder
	watts float64
	line  int    // line of the reading
	field string // name of the reading
	known bool
	clock clock
}

func newDCMI() draft.LineReader { return &dcmi{} }

func (t *dcmi) Begin(in *draft.File) {
	*t = dcmi{}
	t.begin(in, "ipmitool", "ipmi-dcmi-text")
}

// Line reads a reading, or the time that follows it. Each of these lines has a mark.
func (t *dcmi) Line(l scan.Line) bool {
	label, value, ok := scan.Labelled(l.Text, ":")
	sensor, listed := wholePower(l.Text)
	switch {
	case listed && l.Ended:
		t.finish(nil)
		t.watts, t.line, t.field, t.known = sensor, l.Number, "sensor of the whole", true
	case !ok || !l.Ended:
	case strings.HasSuffix(label, "Instantaneous power reading"):
		t.finish(nil)
		v := measured(strings.TrimSuffix(value, "."), "", "W")
		t.watts, t.line, t.field, t.known = v, l.Number, "Instantaneous power reading", v == v
	case strings.HasSuffix(label, "IPMI timestamp") && t.known:
		t.finish([]byte(value))
	}
	return false
}

// wholePower reads a row of a sensor, if the sensor is the power of the whole machine.
func wholePower(line []byte) (watts float64, ok bool) {
	name, rest, ok := bytes.Cut(line, []byte("|"))
	if !ok || !slices.Contains([]string{"Pwr Consumption", "Total_Power", "Total Power", "Sys_Power", "SYS_POWER"}, string(bytes.TrimSpace(name))) {
		return 0, false
	}
	value, rest, _ := bytes.Cut(rest, []byte("|"))
	text := string(bytes.TrimSpace(value))
	if unit, _, _ := bytes.Cut(rest, []byte("|")); !strings.Contains(text, "Watts") {
		text += " " + string(bytes.TrimSpace(unit))
	}
	watts = measured(text, "", "W")
	return watts, watts == watts
}

// finish makes a sample of the reading. Text is its time, nil for none.
func (t *dcmi) finish(text []byte) {
	if !t.known {
		return
	}
	at, zoned, _ := t.clock.read(text)
	t.sample(t.line, at, zoned, 1)
	t.put("power", "W", t.field, "wall", t.watts)
	t.known = false
}

func (t *dcmi) End() {
	t.finish(nil)
	t.hand()
}
