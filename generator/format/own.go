package format

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/telemetry"
)

// ownFormats returns the table of the formats that are defined in this package.
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

// ServerMetrics is the format name of a snapshot of a server's counters.
const ServerMetrics = telemetry.ServerMetrics

// SettingName returns the label for a tool's name of a setting, in any spelling: "flash_attn" and "--flash-attn" are
// both flash_attention. A setting that is not in the table gets a label of the tool's name with the prefix "x_".
func SettingName(key string) (name string, ok bool) { return draft.SettingName(key) }
