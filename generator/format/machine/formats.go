// Package machine reads what describes a machine and its software: lscpu, uname,
// deviceQuery, nvidia-smi, Jetson's release files and collect_env.
//
// Formats returns the table of its formats. Each file beside this one holds the
// readers of one tool, and testdata/fixtures a file as each tool writes it.
package machine

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "lscpu-json", Keys: []string{"lscpu"}, Is: isLscpu, Read: readLscpu},
			{Name: "system-info-json", Keys: []string{"gpu", "vllm_version_reported"}, Is: isSystemInfo, Read: readSystemInfo},
		},
		Blocks: []draft.BlockFormat{
			{Name: "lscpu-text", Marks: lscpuMarks, New: newLscpuText},
			{Name: "uname-text", Marks: unameMarks, New: newUnameText},
			{Name: "device-query-text", Marks: deviceQueryMarks, New: newDeviceQuery},
			{Name: "nvidia-smi-text", Marks: smiTableMarks, New: newSMITable},
			{Name: "hl-smi-text", Marks: hlTableMarks, New: newHLTable},
			{Name: "tpu-info-text", Marks: tpuMarks, New: newTPUInfo},
			{Name: "jetson-text", Marks: jetsonMarks, New: newJetsonText},
			{Name: "collect-env-text", Marks: collectEnvMarks, New: newCollectEnv},
		},
	}
}
