package machine

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats is the table of the formats of this family.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "system-info-json", Keys: []string{"gpu", "vllm_version_reported"}, Is: isSystemInfo, Read: readSystemInfo},
		},
		Blocks: []draft.BlockFormat{
			{Name: "lscpu-text", Marks: lscpuMarks, New: newLscpuText},
			{Name: "uname-text", Marks: unameMarks, New: newUnameText},
			{Name: "device-query-text", Marks: deviceQueryMarks, New: newDeviceQuery},
			{Name: "nvidia-smi-text", Marks: smiTableMarks, New: newSMITable},
			{Name: "jetson-text", Marks: jetsonMarks, New: newJetsonText},
			{Name: "collect-env-text", Marks: collectEnvMarks, New: newCollectEnv},
		},
	}
}
