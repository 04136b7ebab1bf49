package rundir

import (
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestUntitledRowsAreReadByTheCommandBeside checks that nvidia-smi rows without a header are read with the columns of a
// command in a script or a record in the same folder, unless two commands differ.
func TestUntitledRowsAreReadByTheCommandBeside(t *testing.T) {
	t.Parallel()
	const rows = "2026/07/24 16:22:01.572, 60, 300.5\n2026/07/24 16:22:02.572, 61, 302.5\n"
	const script = "#!/bin/sh\nnvidia-smi --query-gpu=timestamp,temperature.gpu,power.draw \\\n  --format=csv,noheader,nounits -l 1 > gpu.csv &\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a script":      {map[string]string{"bench.sh": script}, "gpu.csv 301.5"},
		"a record":      {map[string]string{"record.json": `{"telemetry": "nvidia-smi --query-gpu=timestamp,temperature.gpu,power.draw --format=csv,noheader"}`}, "gpu.csv 301.5"},
		"nothing":       {nil, ""},
		"with a header": {map[string]string{"bench.sh": "nvidia-smi --query-gpu=timestamp,temperature.gpu,power.draw --format=csv\n"}, ""},
		"two commands":  {map[string]string{"a.sh": script, "b.sh": "nvidia-smi --query-gpu=timestamp,power.draw,temperature.gpu --format=csv,noheader\n"}, ""},
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, "gpu.csv"), rows)
		for file, text := range c.files {
			write(t, filepath.Join(root, file), text)
		}
		d, err := Load(root, Options{Name: "runs"})
		if err != nil {
			t.Fatal(err)
		}
		if got := reported(d, "power_mean"); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
		if c.want != "" && d.Results[0].Source != (result.Position{File: "runs/gpu.csv", Line: 1}) {
			t.Errorf("%s: from %v", name, d.Results[0].Source)
		}
	}
}
