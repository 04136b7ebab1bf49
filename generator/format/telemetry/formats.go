// Package telemetry reads the output of tools that watch the machine or the server during a run: tegrastats, jtop,
// nvidia-smi, DCGM, rocm-smi, amd-smi, npu-smi, xpu-smi, powermetrics, macmon, turbostat and similar tools, CSV of
// power and temperature, and a server's /metrics.
//
// A reader makes a trace of the samples it finds, through a recorder, or through deviceRows if each device has a row of
// its own. Tables describe the differences between similar tools: a rowTool prints rows below a line of names, an
// objectTool writes JSON.
//
// Formats returns the table of its formats. Each other file holds the readers of one tool, and testdata/fixtures has an
// example of each tool's output.
package telemetry

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: append(objectFormats(),
			draft.ObjectFormat{Name: "nvidia-smi-summary-json", Keys: []string{"sample_count"}, Is: isSMISummary, Read: readSMISummary}),
		Blocks: []draft.BlockFormat{
			{Name: "tegrastats-text", Marks: tegrastatsMarks, New: newTegrastats},
			{Name: "jtop-csv", Marks: jtopMarks, New: newJtopCSV},
			{Name: "nvidia-smi-csv", Marks: smiMarks, New: newSMICSV},
			{Name: "nvidia-smi-dmon-text", Marks: dmonMarks, New: newDmon},
			{Name: "nvidia-smi-query-text", Marks: smiQueryMarks, New: newSMIQuery},
			{Name: "rocm-smi-text", Marks: rocmTableMarks, New: newRows(&rocmTable)},
			{Name: "rocm-smi-csv", Marks: rocmCSVMarks, New: newRows(&rocmCSV)},
			{Name: "amd-smi-text", Marks: amdTableMarks, New: newRows(&amdTable)},
			{Name: "amd-smi-csv", Marks: amdCSVMarks, New: newRows(&amdCSV)},
			{Name: "npu-smi-text", Marks: npuTableMarks, New: newNPUTable},
			{Name: "npu-smi-watch-text", Marks: npuWatchMarks, New: newRows(&npuWatch)},
			{Name: "npu-smi-list-text", Marks: npuListMarks, New: newNPUList},
			{Name: "powermetrics-text", Marks: powermetricsMarks, New: newPowermetrics},
			{Name: "powermetrics-plist", Marks: plistMarks, New: newPowerPlist},
			{Name: "xpu-smi-csv", Marks: xpuMarks, New: newRows(&xpuCSV)},
			{Name: "turbostat-text", Marks: turbostatMarks, New: newRows(&turbostat)},
			{Name: "ipmi-dcmi-text", Marks: dcmiMarks, New: newDCMI},
			{Name: "dcgm-dmon-text", Marks: dcgmMarks, New: newDCGMDmon},
			{Name: "dcgm-prometheus-text", Marks: dcgmExporterMarks, New: newDCGMExporter},
			{Name: ServerMetrics, Marks: serverMetricsMarks, New: newSnapshotText},
			{Name: "telemetry-csv", Marks: telemetryMarks, New: newTelemetryCSV},
		},
	}
}
