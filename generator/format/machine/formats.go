// Package machine reads descriptions of a machine and its software: the output of lscpu, uname, deviceQuery, nvidia-smi
// and collect_env, and Jetson's release files, among others.
//
// Formats returns the table of the formats. Each other file of the package holds the readers of one tool or of a group
// of tools, and testdata/fixtures has a sample output of each tool.
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
