package rundir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// TestSettingsOfAToolAreOfItsRuns checks that settings saved by a load generator apply only to its own runs, not to
// those of another tool in the folder, whereas facts about the machine apply to all.
func TestSettingsOfAToolAreOfItsRuns(t *testing.T) {
	t.Parallel()
	fixture := func(of, name string) string {
		data, err := os.ReadFile(filepath.Join("..", "format", of, "testdata", "fixtures", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for tool, files := range map[string][2]string{
		"genai-bench": {"genai-bench-metadata.json", "genai-bench-run.json"},
		"evalscope":   {"evalscope-args.json", "evalscope-2026.txt"},
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, "c", files[0]), fixture("loadgen", files[0]))
		write(t, filepath.Join(root, "c", "own-run"+filepath.Ext(files[1])), fixture("loadgen", files[1]))
		write(t, filepath.Join(root, "c", "x.log"), block)
		write(t, filepath.Join(root, "c", "lscpu.txt"), fixture("machine", "lscpu.txt"))
		d := load(t, root, "runs")
		seen := map[bool]int{}
		for _, r := range d.Results {
			own, captured := r.Tool == tool, 0
			for _, l := range r.Labels {
				if l.Origin == result.Captured && l.Pos.File == "runs/c/"+files[0] {
					captured++
				}
			}
			if seen[own]++; own != (captured > 0) || r.Label("x_cpu") == "" {
				t.Errorf("%s: a run of %s has %d settings of it, and the processor %q", files[0], r.Tool, captured, r.Label("x_cpu"))
			}
		}
		if seen[true] == 0 || seen[false] == 0 {
			t.Errorf("%s: %v runs", files[0], seen)
		}
	}
}
