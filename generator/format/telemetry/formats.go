// Package telemetry reads what watched the machine or the server during a run:
// tegrastats, jtop, nvidia-smi, DCGM, CSV of power and temperature, and a server's
// /metrics.
//
// Formats returns the table of its formats. Each file beside this one holds the
// readers of one tool, and testdata/fixtures a file as each tool writes it.
package telemetry

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "nvidia-smi-summary-json", Keys: []string{"sample_count"}, Is: isSMISummary, Read: readSMISummary},
		},
		Blocks: []draft.BlockFormat{
			{Name: "tegrastats-text", Marks: tegrastatsMarks, New: newTegrastats},
			{Name: "jtop-csv", Marks: jtopMarks, New: newJtopCSV},
			{Name: "nvidia-smi-csv", Marks: smiMarks, New: newSMICSV},
			{Name: "nvidia-smi-dmon-text", Marks: dmonMarks, New: newDmon},
			{Name: "dcgm-dmon-text", Marks: dcgmMarks, New: newDCGMDmon},
			{Name: "dcgm-prometheus-text", Marks: dcgmExporterMarks, New: newDCGMExporter},
			{Name: ServerMetrics, Marks: serverMetricsMarks, New: newSnapshotText},
			{Name: "telemetry-csv", Marks: telemetryMarks, New: newTelemetryCSV},
		},
	}
}
