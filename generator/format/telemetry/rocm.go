package telemetry

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// rocm-smi prints a table of all GPUs, or CSV or JSON of the figures that were asked for:
//
//	Device  Node  IDs              Temp        Power     Partitions          SCLK    MCLK    Fan  Perf  PwrCap  VRAM%  GPU%
//	0       2     0x74a1,   28851  42.0°C      137.0W    NPS1, SPX, 0        131Mhz  900Mhz  0%   auto  750.0W  0%     0%
//
//	device,Temperature (Sensor junction) (C),Average Graphics Package Power (W),GPU use (%)
//	card0,42.0,137.0,0
//
//	{"card0": {"Current Socket Graphics Package Power (W)": "137.0", "GPU use (%)": "0"}, "system": {"Driver version": "6.10.5"}}
//
// amd-smi, its successor, prints "monitor" as a table or CSV:
//
//	GPU  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE
//	  0  137 W   41 °C   36 °C   142 MHz    0 %    0 %    N/A    0 %    0.3/192.0 GB
//
// None of rocm-smi's forms has a time; amd-smi prints one with --watch. Power is that of the package or card. Of two
// dies on one card (MI250X) only the first reports it. amd-smi's MB and GB are MiB and GiB. The names of the columns
// changed from release to release.
//
// Source: rocm_smi_lib, python_smi_tools/rocm_smi.py, 4.0 to 7.0; amdsmi,
// amdsmi_cli, 24 to 26.
var (
	rocmTableMarks = []string{"PwrCap"}
	rocmCSVMarks   = []string{"device,"}
	amdTableMarks  = []string{"  POWER "}
	amdCSVMarks    = []string{",power_usage", ",socket_power", ",gfx_activity", ",hotspot_temperature"}
)

// rocmQuantities maps the names in rocm-smi's CSV and JSON to quantities.
var rocmQuantities = map[string]quantity{
	"Average Graphics Package Power (W)":        devicePower,
	"Current Socket Graphics Package Power (W)": devicePower,
	"GPU use (%)":                       deviceUse,
	"DCU use (%)":                       deviceUse, // of Hygon's hy-smi
	"HCU use (%)":                       deviceUse,
	"Temperature (Sensor edge) (C)":     deviceHeat,
	"Temperature (Sensor junction) (C)": deviceHeat,
	"Temperature (Sensor memory) (C)":   memoryHeat,
	"VRAM Total Used Memory (B)":        bytesUsed,
	"GPU Memory Allocated (VRAM%)":      memoryUse,
	"Card series":                       deviceName,
	"Card Series":                       deviceName,
	"Driver version":                    driver,
	"GFX Version":                       {name: "x_gfx"},
	"sclk clock speed:":                 deviceClock,
	"mclk clock speed:":                 memoryClock,
}

var rocmCSV = rowTool{
	tool: "rocm-smi", format: "rocm-smi-csv", cells: clocksInCommas, columns: rocmQuantities,
	device: []string{"device"}, named: card, step: 1,
	head: func(line []byte) []string {
		names := header(line, "device")
		if names == nil || names[0] != "device" || !slices.ContainsFunc(names, func(n string) bool { _, known := rocmQuantities[n]; return known }) {
			return nil
		}
		return names
	},
}

// card returns the name of a GPU by its number, as for other tools: "gpu0" for "card0".
func card(written string) string { return numbered(strings.TrimPrefix(written, "card")) }

// clocksInCommas splits CSV whose clocks are written as "(131Mhz)".
func clocksInCommas(dst [][]byte, line []byte) [][]byte {
	dst = scan.Cells(dst, line, ',')
	for i, cell := range dst {
		dst[i] = megahertz(cell)
	}
	return dst
}

// megahertz removes the brackets and the unit from a clock of rocm-smi.
func megahertz(cell []byte) []byte {
	cell = bytes.Trim(cell, "()")
	return bytes.TrimSuffix(bytes.TrimSuffix(cell, []byte("Mhz")), []byte("MHz"))
}

// rocmColumns lists the columns of the table that are read. rocmCells finds them by their distance from the temperature
// and from the end of the row.
var rocmColumns = []string{"device", "Temp", "Power", "SCLK", "MCLK", "VRAM%", "GPU%"}

var rocmTable = rowTool{
	tool: "rocm-smi", format: "rocm-smi-text", cells: rocmCells, device: []string{"device"}, named: numbered, step: 1,
	columns: map[string]quantity{
		"Temp": deviceHeat, "Power": devicePower, "SCLK": deviceClock, "MCLK": memoryClock, "VRAM%": memoryUse, "GPU%": deviceUse,
	},
	head: func(line []byte) []string {
		if bytes.Contains(line, []byte("SCLK")) && bytes.Contains(line, []byte("VRAM%")) && bytes.Contains(line, []byte("GPU%")) {
			return rocmColumns
		}
		return nil
	},
}

// rocmCells splits a row of the table. Between the device and its temperature there are several kinds of numbers, and
// before the clocks there are partitions.
func rocmCells(dst [][]byte, line []byte) [][]byte {
	const behind = 7 // SCLK MCLK Fan Perf PwrCap VRAM% GPU%
	w := bytes.Fields(line)
	temp := slices.IndexFunc(w, func(word []byte) bool {
		return scan.IsDigit(word[0]) && (bytes.HasSuffix(word, []byte("c")) || bytes.HasSuffix(word, []byte("°C")))
	})
	n := len(w)
	if temp < 1 || temp+1 >= n-behind || !isWhole(w[0]) || !bytes.HasSuffix(w[n-1], []byte("%")) && !scan.IsMissing(string(w[n-1])) {
		return dst
	}
	return append(dst, w[0], w[temp], w[temp+1], megahertz(w[n-behind]), megahertz(w[n-behind+1]), w[n-2], w[n-1])
}

// amdQuantities maps the names in amd-smi's table, CSV and JSON to quantities.
var amdQuantities = map[string]quantity{
	"POWER": devicePower, "GPU_T": deviceHeat, "GPU_TEMP": deviceHeat, "MEM_T": memoryHeat, "GFX_CLK": deviceClock, "GFX%": deviceUse, "GFX_UTIL": deviceUse,
	"MEM%": memoryUse, "MEM_CLOCK": memoryClock, "VRAM_USED": mebibytes, "VRAM_USAGE": mebibytes, "THROTTLE_STATUS": {"x_throttled", "1", "1", ""},

	"power_usage": devicePower, "hotspot_temperature": deviceHeat, "memory_temperature": memoryHeat, "gfx_clk": deviceClock, "gfx": deviceUse,
	"mem": memoryUse, "mem_clock": memoryClock, "vram_used": mebibytes, "throttle_status": {"x_throttled", "1", "1", ""},

	"socket_power": devicePower, "gfx_activity": deviceUse, "umc_activity": memoryUse, "edge": deviceHeat, "hotspot": deviceHeat, "used_vram": mebibytes,
	"gfx_0_clk": deviceClock, "market_name": deviceName, "driver_version": driver,
}

var amdCSV = rowTool{
	tool: "amd-smi", format: "amd-smi-csv", cells: commas, columns: amdQuantities, clock: "timestamp", device: []string{"gpu"}, named: numbered, step: 1,
	head: func(line []byte) []string {
		names := header(line, "gpu")
		if names == nil || !slices.ContainsFunc(names, func(n string) bool { return slices.Contains(amdOwn, n) }) {
			return nil
		}
		return names
	},
}

// amdOwn lists names of columns that only amd-smi has.
var amdOwn = []string{"power_usage", "socket_power", "gfx_activity", "hotspot_temperature"}

var amdTable = rowTool{
	tool: "amd-smi", format: "amd-smi-text", cells: amdCells, columns: amdQuantities, clock: "TIMESTAMP", device: []string{"GPU"}, named: numbered, step: 1,
	head: func(line []byte) []string {
		w := strings.Fields(string(line))
		if len(w) < 3 || w[0] != "GPU" && w[0] != "TIMESTAMP" || !slices.Contains(w, "POWER") || !slices.Contains(w, "GPU") {
			return nil
		}
		return w
	},
}

// amdCells splits a row whose units are separate words: "137 W". Of "0.3/192.0 GB" it takes the first figure.
func amdCells(dst [][]byte, line []byte) [][]byte {
	w := bytes.Fields(line)
	for i := 0; i < len(w); i++ {
		cell, unit := w[i], []byte(nil)
		used, _, share := bytes.Cut(cell, []byte("/"))
		if share && scan.IsDigit(cell[0]) {
			cell = used
			if bytes.HasSuffix(w[i], []byte("/")) {
				i++ // the total
			}
		}
		if i+1 < len(w) && scan.IsDigit(cell[0]) && isAMDUnit(w[i+1]) {
			i++
			unit = w[i]
		}
		switch string(unit) {
		case "GB":
			cell = append(slices.Clone(cell), " GiB"...)
		case "MB":
			cell = append(slices.Clone(cell), " MiB"...)
		}
		dst = append(dst, cell)
	}
	return dst
}

func isAMDUnit(word []byte) bool {
	switch string(word) {
	case "W", "°C", "MHz", "%", "GB", "MB", "Mb/s", "GB/s":
		return true
	}
	return false
}
