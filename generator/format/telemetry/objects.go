package telemetry

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// objectTool is a tool that writes a JSON object for each sample, or for each device in a sample.
type objectTool struct {
	tool, format string
	read         func(t *objectReader, v *scan.Value)
}

// objectReader reads the output of an objectTool.
type objectReader struct {
	deviceRows
	tool   *objectTool
	times  clock
	whole  bool // macmon's power is the system's
	chosen bool
}

func newObjects(tool *objectTool) func(*draft.File) draft.ObjectReader {
	return func(in *draft.File) draft.ObjectReader {
		t := &objectReader{tool: tool}
		t.begin(in, tool.tool, tool.format)
		return t
	}
}

func (t *objectReader) Object(v *scan.Value) {
	if v.Cut || t.trace == nil {
		return // the last object is cut off
	}
	t.tool.read(t, v)
}

// End emits the trace. If there is no sample, it captures the labels of the machine.
func (t *objectReader) End() {
	if t.trace == nil {
		return
	}
	if len(t.trace.Channels) == 0 {
		t.close()
		if t.most > 1 {
			t.label("device_count", strconv.Itoa(t.most), t.trace.EndLine)
		}
		for _, label := range t.trace.Labels {
			t.in.Capture(t.tool.format, label.Name, label.Value, label.Pos.Line)
		}
		t.trace = nil
		return
	}
	t.hand()
}

// device begins a device's part of a sample. The member moment has the sample's time.
func (t *objectReader) device(name string, moment *scan.Value, line int, step float64) {
	if !t.row(name, line) {
		return
	}
	at, zoned, ok := time.Time{}, false, false
	if moment.Scalar() {
		at, zoned, ok = t.times.read(moment.Raw)
	}
	if !ok {
		at = time.Time{}
	}
	t.sample(line, at, zoned, step)
}

// value records a member of the current device. The member may be {"value": 42, "unit": "W"}.
func (t *objectReader) value(q quantity, v *scan.Value) {
	inner := v
	unit := q.given
	if v != nil && v.Kind == '{' {
		inner = v.Get("value")
		if own := v.Get("unit").Text(); own != "" {
			unit = own
		}
	}
	if !inner.Scalar() {
		return
	}
	line := t.trace.EndLine
	switch t.trace.EndLine = inner.Line; {
	case q.want == "":
		t.label(q.name, string(inner.Raw), inner.Line)
	case q.name == "x_throttled":
		t.greatest(q.name, "1", fieldName(v), throttle(inner.Raw))
	default:
		t.take(&q, fieldName(v), measured(string(megahertz(inner.Raw)), unit, q.want))
	}
	t.trace.EndLine = max(line, inner.Line)
}

// fieldName returns the name of a member within its device's object.
func fieldName(v *scan.Value) string {
	path := v.Path()
	if i := strings.LastIndex(path, "]."); i >= 0 {
		path = path[i+2:]
	}
	if first, rest, ok := strings.Cut(path, "."); ok && strings.HasPrefix(first, "card") {
		path = rest
	}
	if len(path) > scan.MaxField {
		return v.Key
	}
	return path
}

// macmon reports the state of an Apple computer. "macmon pipe" writes a line of JSON for each sample:
//
//	{"timestamp":"2025-02-24T20:38:15.427569+00:00","temp":{"cpu_temp_avg":43.7,"gpu_temp_avg":36.9},"memory":{"ram_total":25769803776,"ram_usage":20985479168},
//	 "gpu_usage":[461,0.02],"cpu_power":0.2,"gpu_power":0.02,"ane_power":0.0,"all_power":0.22,"sys_power":5.9,"ram_power":0.12}
//
// Utilization is a share from 0 to 1, power is in W. sys_power is the whole computer's, if its sensor reports it (else
// 0). all_power is that of CPU, GPU and neural engine. Early versions write no time.
//
// Source: macmon, src/metrics.rs and readme, 0.4 to 0.7.
var macmon = objectTool{tool: "macmon", format: "macmon-json", read: readMacmon}

func isMacmon(v *scan.Value) bool { return v.Has("all_power", "gpu_power", "cpu_power") }

func readMacmon(t *objectReader, v *scan.Value) {
	t.device("", v.Get("timestamp"), v.Line, 1)
	if system, ok := v.Get("sys_power").Float(); !t.chosen {
		t.whole, t.chosen = ok && system > 0, true
	}
	if t.whole {
		t.value(quantity{"power", "W", "W", "board"}, v.Get("sys_power"))
		t.value(quantity{"x_all_power", "W", "W", ""}, v.Get("all_power"))
	} else {
		t.value(quantity{"power", "W", "W", "package"}, v.Get("all_power"))
	}
	for _, part := range []string{"cpu_power", "gpu_power", "ane_power", "ram_power"} {
		t.value(quantity{"x_" + part, "W", "W", ""}, v.Get(part))
	}
	t.value(bytesUsed, v.Get("memory", "ram_usage"))
	t.value(deviceHeat, v.Get("temp", "gpu_temp_avg"))
	t.value(quantity{"x_cpu_temperature", "°C", "°C", ""}, v.Get("temp", "cpu_temp_avg"))
	if use := v.Get("gpu_usage"); use != nil && use.Numbers != nil && len(use.Numbers.Values) == 2 {
		t.take(&deviceClock, "gpu_usage[0]", use.Numbers.Values[0])
		t.take(&deviceUse, "gpu_usage[1]", 100*use.Numbers.Values[1])
	} else {
		t.value(deviceClock, v.Get("gpu_freq_mhz"))
		for _, key := range []string{"gpu_active_ratio", "gpu_usage_ratio"} {
			if share := v.Get(key); share.Scalar() {
				t.value(quantity{"gpu_utilization", "ratio", "%", ""}, share)
				break
			}
		}
	}
	t.value(deviceName, v.Get("soc", "chip_name"))
	t.value(quantity{name: "x_gpu_cores"}, v.Get("soc", "gpu_cores"))
	t.value(quantity{name: "x_mac_model"}, v.Get("soc", "mac_model"))
}

// mactop, without a screen, writes similar objects. Its total is the power of the system's other parts plus the parts
// that are measured separately.
//
//	[{"timestamp": "2025-12-22T16:15:19-07:00", "soc_metrics": {"cpu_power": 3.287, "gpu_power": 6.036, "system_power": 19.749, "total_power": 35.185,
//	  "gpu_freq_mhz": 643, "gpu_temp": 58.7}, "memory": {"used": 73420537856}, "gpu_usage": 42.0, "system_info": {"name": "Apple M2 Max"}}]
//
// Source: mactop, readme and --headless, 0.3 to 2.
var mactop = objectTool{tool: "mactop", format: "mactop-json", read: readMactop}

func isMactop(v *scan.Value) bool {
	soc := v.Get("soc_metrics")
	return soc.Get("gpu_power").Scalar() || soc.Get("GPUPower").Scalar()
}

func readMactop(t *objectReader, v *scan.Value) {
	t.device("", v.Get("timestamp"), v.Line, 1)
	soc := v.Get("soc_metrics")
	for _, key := range []string{"total_power", "TotalPower"} {
		t.value(quantity{"power", "W", "W", "board"}, soc.Get(key))
	}
	for _, keys := range [][]string{{"cpu_power", "CPUPower"}, {"gpu_power", "GPUPower"}, {"ane_power", "ANEPower"}, {"dram_power", "DRAMPower"}} {
		for _, key := range keys {
			t.value(quantity{"x_" + keys[0], "W", "W", ""}, soc.Get(key))
		}
	}
	for _, key := range []string{"gpu_freq_mhz", "GPUFreqMHz"} {
		t.value(deviceClock, soc.Get(key))
	}
	t.value(deviceUse, v.Get("gpu_usage"))
	t.value(deviceUse, soc.Get("GPUActive"))
	t.value(deviceHeat, soc.Get("gpu_temp"))
	t.value(bytesUsed, v.Get("memory", "used"))
	t.value(deviceName, v.Get("system_info", "name"))
	t.value(quantity{name: "x_gpu_cores"}, v.Get("system_info", "gpu_core_count"))
}

// gpustat --json lists NVIDIA's GPUs, with one object for each sample.
//
//	{"hostname": "n1", "driver_version": "550.54", "query_time": "2026-07-24T16:22:25.572", "gpus": [{"index": 0, "name": "NVIDIA L40S",
//	  "temperature.gpu": 45, "utilization.gpu": 0, "power.draw": 63, "memory.used": 725}]}
//
// Source: gpustat 0.6 to 1.1, core.py. Memory is in MiB.
var gpustat = objectTool{tool: "gpustat", format: "gpustat-json", read: readGpustat}

func isGpustat(v *scan.Value) bool {
	return v.Has("query_time") && v.Get("gpus").At(0).Get("utilization.gpu").Is()
}

func readGpustat(t *objectReader, v *scan.Value) {
	for gpu := range v.Get("gpus").Children() {
		t.device("gpu"+string(gpu.Get("index").AsWritten()), v.Get("query_time"), gpu.Line, 1)
		t.value(devicePower, gpu.Get("power.draw"))
		t.value(deviceUse, gpu.Get("utilization.gpu"))
		t.value(deviceHeat, gpu.Get("temperature.gpu"))
		t.value(mebibytes, gpu.Get("memory.used"))
		t.value(deviceName, gpu.Get("name"))
	}
	t.value(driver, v.Get("driver_version"))
}

// nvtop --snapshot lists the GPUs of all vendors.
//
//	[{"device_name": "NVIDIA GeForce RTX 3090", "gpu_clock": "1695MHz", "mem_clock": "9501MHz", "temp": "45C", "power_draw": "120W", "gpu_util": "97%", "mem_util": "81%"}]
//
// Source: nvtop 3.1 and 3.2, src/interface.c. Memory is a share.
var nvtop = objectTool{tool: "nvtop", format: "nvtop-json", read: readNvtop}

func isNvtop(v *scan.Value) bool { return v.Has("gpu_clock", "gpu_util") }

func readNvtop(t *objectReader, v *scan.Value) {
	t.device("gpu"+strconv.Itoa(len(t.seen)), nil, v.Line, 1)
	t.value(devicePower, v.Get("power_draw"))
	t.value(deviceUse, v.Get("gpu_util"))
	t.value(deviceClock, v.Get("gpu_clock"))
	t.value(deviceHeat, v.Get("temp"))
	t.value(deviceName, v.Get("device_name"))
}

// rocm-smi --json: see rocm.go.
var rocmJSON = objectTool{tool: "rocm-smi", format: "rocm-smi-json", read: readROCm}

func isROCm(v *scan.Value) bool {
	for card := range v.Children() {
		for member := range card.Children() {
			if _, known := rocmQuantities[member.Key]; known && strings.HasPrefix(card.Key, "card") {
				return true
			}
		}
	}
	return false
}

func readROCm(t *objectReader, v *scan.Value) {
	for one := range v.Children() {
		if strings.HasPrefix(one.Key, "card") && one.Kind == '{' {
			t.device(card(one.Key), nil, one.Line, 1)
		}
		for member := range one.Children() {
			if q, known := rocmQuantities[member.Key]; known {
				t.value(q, member)
			}
		}
	}
}

// amd-smi metric, monitor and static --json: a list of GPUs, since 26 in
// "gpu_data". See rocm.go.
//
//	[{"gpu": 0, "usage": {"gfx_activity": {"value": 97, "unit": "%"}}, "power": {"socket_power": {"value": 542, "unit": "W"}, "throttle_status": "UNTHROTTLED"},
//	  "clock": {"gfx_0": {"clk": {"value": 2106, "unit": "MHz"}}}, "temperature": {"hotspot": {"value": 71, "unit": "C"}}, "mem_usage": {"used_vram": {"value": 121344, "unit": "MB"}}}]
//	[{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X"}, "driver": {"version": "6.12.12"}, "vram": {"size": {"value": 196592, "unit": "MB"}}}]
var amdJSON = objectTool{tool: "amd-smi", format: "amd-smi-json", read: readAMD}

func isAMD(v *scan.Value) bool {
	gpu := v
	if list := v.Get("gpu_data"); list.Is() {
		gpu = list.At(0)
	}
	return gpu.Get("gpu").Scalar() && (gpu.Get("power", "socket_power").Is() || gpu.Get("usage", "gfx_activity").Is() || gpu.Get("asic", "market_name").Is() ||
		gpu.Get("power_usage").Is() && gpu.Get("gfx_clk").Is())
}

// amdPaths lists the members of amd-smi's JSON that are read. The last key of each path is a name in amdQuantities
// (rocm.go).
var amdPaths = [][]string{
	{"power", "socket_power"}, {"power", "throttle_status"}, {"usage", "gfx_activity"}, {"usage", "umc_activity"}, {"temperature", "edge"}, {"temperature", "hotspot"},
	{"mem_usage", "used_vram"}, {"asic", "market_name"},
	{"power_usage"}, {"hotspot_temperature"}, {"memory_temperature"}, {"gfx_clk"}, {"gfx"}, {"mem"}, {"mem_clock"}, {"vram_used"},
}

func readAMD(t *objectReader, v *scan.Value) {
	if list := v.Get("gpu_data"); list.Is() {
		for gpu := range list.Children() {
			t.readAMDGPU(gpu)
		}
		return
	}
	t.readAMDGPU(v)
}

func (t *objectReader) readAMDGPU(gpu *scan.Value) {
	static := gpu.Get("asic").Is()
	if static {
		t.row("gpu"+string(gpu.Get("gpu").AsWritten()), gpu.Line)
	} else {
		t.device("gpu"+string(gpu.Get("gpu").AsWritten()), gpu.Get("timestamp"), gpu.Line, 1)
	}
	for _, path := range amdPaths {
		q := amdQuantities[path[len(path)-1]]
		if found := gpu.Get(path...); found.Is() && (!static || q.want == "") {
			t.value(binary(q, found), found)
		}
	}
	if !static {
		t.value(deviceClock, gpu.Get("clock", "gfx_0", "clk"))
		t.value(memoryClock, gpu.Get("clock", "mem_0", "clk"))
		return
	}
	t.value(driver, gpu.Get("driver", "version"))
	if size := gpu.Get("vram", "size", "value"); size.Scalar() {
		t.label("x_gpu_memory", string(size.Raw)+" MiB", size.Line)
	}
}

// binary corrects the unit of a size: what amd-smi calls MB is MiB.
func binary(q quantity, v *scan.Value) quantity {
	if unit := v.Get("unit"); q.want == "B" && unit.Text() == "MB" {
		unit.Raw = []byte("MiB")
	}
	return q
}

// intel_gpu_top -J writes an object for each interval, with the measured length of the interval.
//
//	{"period": {"duration": 1000.17, "unit": "ms"}, "frequency": {"requested": 1301.8, "actual": 1151.8, "unit": "MHz"},
//	 "power": {"GPU": 4.25, "Package": 15.6, "unit": "W"}, "engines": {"Render/3D": {"busy": 97.1, "unit": "%"}, "Compute": {"busy": 3.0, "unit": "%"}}}
//
// The utilization of the GPU is that of its busiest engine. Package is the power of the processor.
//
// Source: igt-gpu-tools, tools/intel_gpu_top.c, 1.24 to 2.1.
var intelTop = objectTool{tool: "intel_gpu_top", format: "intel-gpu-top-json", read: readIntelTop}

func isIntelTop(v *scan.Value) bool {
	return v.Has("period", "engines") && v.Get("period", "duration").Scalar()
}

func readIntelTop(t *objectReader, v *scan.Value) {
	period, ok := v.Get("period", "duration").Float()
	if !ok || period <= 0 {
		return
	}
	t.device("", nil, v.Line, period/1000)
	t.trace.Stepped = false
	t.value(devicePower, v.Get("power", "GPU"))
	t.value(quantity{"x_package_power", "W", "W", ""}, v.Get("power", "Package"))
	t.value(deviceClock, v.Get("frequency", "actual"))
	busiest := math.NaN()
	for engine := range v.Get("engines").Children() {
		if busy, ok := engine.Get("busy").Float(); ok && !(busiest >= busy) {
			busiest = busy
		}
	}
	if !math.IsNaN(busiest) {
		t.take(&deviceUse, "engines.busy", busiest)
	}
}

// Intel's "xpu-smi discovery -j" lists the devices.
//
//	{"device_list": [{"device_id": 0, "device_name": "Intel(R) Arc(TM) B580 Graphics", "device_type": "GPU"}]}
var xpuDiscovery = objectTool{tool: "xpu-smi", format: "xpu-smi-json", read: readXPUDiscovery}

func isXPUDiscovery(v *scan.Value) bool {
	return v.Get("device_list").At(0).Has("device_id", "device_name")
}

func readXPUDiscovery(t *objectReader, v *scan.Value) {
	for one := range v.Get("device_list").Children() {
		t.row("gpu"+string(one.Get("device_id").AsWritten()), one.Line)
		t.value(deviceName, one.Get("device_name"))
	}
}

// objectFormats returns the formats of these tools, each with the keys that identify it.
func objectFormats() []draft.ObjectFormat {
	format := func(tool *objectTool, is func(*scan.Value) bool, keys ...string) draft.ObjectFormat {
		return draft.ObjectFormat{Name: tool.format, Keys: keys, Is: is, Open: newObjects(tool)}
	}
	cards := make([]string, 16)
	for i := range cards {
		cards[i] = "card" + strconv.Itoa(i)
	}
	return slices.Clip([]draft.ObjectFormat{
		format(&macmon, isMacmon, "all_power"),
		format(&mactop, isMactop, "soc_metrics"),
		format(&gpustat, isGpustat, "query_time"),
		format(&nvtop, isNvtop, "gpu_clock"),
		format(&rocmJSON, isROCm, cards...),
		format(&amdJSON, isAMD, "gpu_data", "gpu"),
		format(&intelTop, isIntelTop, "period"),
		format(&xpuDiscovery, isXPUDiscovery, "device_list"),
	})
}
