package rundir

import (
	"path"
	"strings"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// "vllm bench sweep" names a folder after the settings that vary:
// SERVE--max_num_seqs=4-BENCH--max_concurrency=2-num_prompts=8, since 2026 followed by -WL--request_rate=4. The name
// holds the settings of the server and of the client. The runs in the folder are run=0.json, run=1.json.

var (
	sweepFolder = lazy.Regexp(`^SERVE-.*-BENCH-`)
	sweepPart   = lazy.Regexp(`-?(?:SERVE|BENCH|WL)-`)
	nextKey     = lazy.Regexp(`-([A-Za-z_]+=)`) // values may hold dashes
	sweepRun    = lazy.Regexp(`^run=(\d+)\.json$`)
)

// sweepNames maps settings of a sweep to labels of another name. All other settings are named by format.SettingName, or
// keep the tool's name with the prefix x_.
var sweepNames = map[string]string{
	"max_concurrency": "max_concurrency", "num_prompts": "num_prompts", "request_rate": "request_rate",
	"random_input_len": "input_len", "random_output_len": "output_len", "input_len": "input_len", "output_len": "output_len",
	"dataset_name": "dataset", "burstiness": "burstiness", "seed": "seed", "model": "model_raw",
}

// sweepLabels returns the labels in the name of a sweep's folder, nil for any other folder.
func sweepLabels(name string, pos result.Position) result.Labels {
	if !sweepFolder().MatchString(name) {
		return nil
	}
	var labels result.Labels
	for _, part := range sweepPart().Split(name, -1) {
		for pair := range strings.SplitSeq(nextKey().ReplaceAllString("-"+strings.TrimLeft(part, "-"), "\n$1"), "\n") {
			key, value, ok := strings.Cut(pair, "=")
			if !ok || value == "" {
				continue
			}
			label, known := sweepNames[key]
			switch {
			case key == "tensor_parallel_size":
				label, value = "parallelism", "tp"+value
			case !known:
				if label, known = format.SettingName(key); !known {
					label = "x_" + key
				}
			}
			labels.Set(result.Label{Name: label, Value: value, Origin: result.Declared, Pos: pos})
		}
	}
	return labels
}

// sweepRepeat returns the number of a sweep's run from its file name, "" for any other file.
func sweepRepeat(rel string) string {
	if m := sweepRun().FindStringSubmatch(path.Base(uncompressed(rel))); m != nil {
		return m[1]
	}
	return ""
}
