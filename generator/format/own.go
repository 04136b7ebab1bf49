package format

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/telemetry"
)

// ownFormats is the table of the formats of this family.
func ownFormats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "benchpost-record-json", Keys: []string{"schema"}, Is: isRecord, Read: readRecord},
		},
		Blocks: []draft.BlockFormat{
			{Name: "generic-csv", Marks: genericMarks, New: newGenericCSV},
			{Name: "generic-md", Marks: genericMarkdownMarks, New: newGenericMarkdown},
			{Name: "generic-page-csv", Marks: genericPageMarks, New: newGenericPage},
			{Name: "", Marks: progressMarks, New: newProgress},
			{Name: "", Marks: failureMarks, New: newFailures}, // settles after the progress
		},
	}
}

// ServerMetrics is the format of a snapshot of a server's counters.
const ServerMetrics = telemetry.ServerMetrics

// SettingName returns the label that a tool's name of a setting stands for, however
// it is spelt: "flash_attn" and "--flash-attn" are flash_attention. Settings without
// a name of their own are labels by the tool's name with "x_" before it.
func SettingName(key string) (name string, ok bool) { return draft.SettingName(key) }
