package rundir

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

const throughput = "Throughput: 1.00 requests/s, 100.00 total tokens/s, 50.00 output tokens/s\n"

// TestAcceleratorsAsPeopleDeclareThem checks that runs have the labels that checks use, however people declare
// accelerators and parallelism. Their positions are those of the declarations, and the declared labels are kept.
func TestAcceleratorsAsPeopleDeclareThem(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]string{
		`accelerators = "4"`:                         "accelerators=4",
		`accelerators = "4x"`:                        "accelerators=4",
		`accelerators = "x4"`:                        "accelerators=4",
		`accelerators = "4 GPUs"`:                    "accelerators=4",
		`accelerators = "4 GPUs, NVLink"`:            "accelerators=4",
		`accelerators = "Four"`:                      "accelerators=4",
		`accelerators = "8 卡"`:                       "accelerators=8",
		`accelerators = 4`:                           "accelerators=4",
		`gpus = 4`:                                   "accelerators=4",
		`num_gpus = "4"`:                             "accelerators=4",
		`gpu_count = "4 GPUs"`:                       "accelerators=4",
		`tensor_parallel = "4"`:                      "parallelism=tp4",
		`tp = "4"`:                                   "parallelism=tp4",
		`tp = "tp4"`:                                 "parallelism=tp4",
		`tensor_parallel_size = 4`:                   "parallelism=tp4",
		"pp = 2\ntp = 4":                             "parallelism=tp4-pp2",
		"tp = 8\nparallelism = \"tp8-ep8\"":          "parallelism=tp8-ep8",
		"dp = 2\ntensor_parallel_size = 4\ngpus = 8": "accelerators=8 parallelism=tp4-dp2",
		"tp = 8\nexpert_parallel = true":             "parallelism=tp8",
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, "run.toml"), declared)
		write(t, filepath.Join(root, "out.log"), throughput)
		d := load(t, root, "runs")
		if len(d.Results) != 1 {
			t.Fatalf("%q: %d results", declared, len(d.Results))
		}
		if got := spreadOf(d.Results[0].Labels, t); got != want {
			t.Errorf("%q makes %q, not %q", declared, got, want)
		}
		if len(d.Messages) > 0 {
			t.Errorf("%q: %v", declared, d.Messages)
		}
	}
}

// spreadOf formats the labels for accelerators and parallelism, and checks that each has a declaration.
func spreadOf(labels result.Labels, t *testing.T) string {
	var parts []string
	for _, name := range []string{"accelerators", "parallelism"} {
		if l, ok := labels.Lookup(name); ok {
			if l.Origin != result.Declared || l.Pos.File == "" {
				t.Errorf("%+v has no declaration", l)
			}
			parts = append(parts, name+"="+l.Value)
		}
	}
	return strings.Join(parts, " ")
}

// TestParallelismOfFolders checks that degrees given by folders are combined, and that a nearer folder wins.
func TestParallelismOfFolders(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "tp=4", "pp=2", "out.log"), throughput)
	write(t, filepath.Join(root, "tp=4", "tp=8", "out.log"), throughput+throughput)
	var got []string
	for _, r := range load(t, root, "runs").Results {
		got = append(got, r.Labels.Get("parallelism"))
	}
	if strings.Join(got, " ") != "tp4-pp2 tp8 tp8" {
		t.Errorf("%v", got)
	}
}

// TestAcceleratorsNobodyUnderstands checks that an invalid value is reported where it is declared.
func TestAcceleratorsNobodyUnderstands(t *testing.T) {
	t.Parallel()
	for _, declared := range []string{`accelerators = "some"`, `gpus = "all"`, `tp = "auto"`, `num_gpus = "-1"`, `tensor_parallel = "2 nodes"`, `accelerators = "0"`} {
		root := t.TempDir()
		write(t, filepath.Join(root, "run.toml"), "engine = \"vllm\"\n"+declared)
		write(t, filepath.Join(root, "out.log"), throughput)
		d := load(t, root, "runs")
		if len(d.Messages) != 1 || d.Messages[0].ID != "run.accelerators" || d.Messages[0].Pos.File != "runs/run.toml" || d.Messages[0].Pos.Line != 2 || d.Messages[0].Hint.IsZero() {
			t.Errorf("%q: %v", declared, d.Messages)
		}
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "gpus=many", "out.log"), throughput)
	if d := load(t, root, "runs"); len(d.Messages) != 1 || d.Messages[0].Pos.File != "runs/gpus=many" {
		t.Errorf("%v", d.Messages)
	}
}

func TestParallelismOfNames(t *testing.T) {
	t.Parallel()
	for rel, want := range map[string]string{
		"a/Qwen_Qwen3-8B_tp2_throughput.json":       "tp2",
		"a/tp4/high.log":                            "tp4",
		"tp4/tp8/high.log":                          "tp8",
		"a/model-tp4-pp2.log":                       "tp4-pp2",
		"a/model_TP8EP8_c4.log":                     "tp8-ep8",
		"minimax_m25_vllm_dep8_isl1024_osl128.json": "dp8-ep8",
		"minimax_m25_vllm_tep8_isl1024_osl128.json": "tp8-ep8",
		"a/pp512.log":                               "",
		"a/deployment-8.log":                        "",
		"http8/results.txt":                         "",
		"a/step8.log":                               "",
		"a/dp2.log":                                 "",
		"a/tp.log":                                  "",
		"a/tp1000.log":                              "",
	} {
		if got := namedParallelism(rel); got != want {
			t.Errorf("%s: %q, not %q", rel, got, want)
		}
	}
}

// TestParallelismOfNamesGivesWay checks that parallelism stated in a name is a guess, and does not replace known
// values.
func TestParallelismOfNamesGivesWay(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]result.Label{
		"":                      {Value: "tp2", Origin: result.Guessed},
		"tp = 4":                {Value: "tp4", Origin: result.Declared},
		"parallelism = \"dp2\"": {Value: "dp2", Origin: result.Declared},
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, "run.toml"), declared)
		write(t, filepath.Join(root, "m_tp2.log"), throughput)
		if got, _ := load(t, root, "runs").Results[0].Labels.Lookup("parallelism"); got.Value != want.Value || got.Origin != want.Origin || got.Pos.File == "" {
			t.Errorf("%q: %+v", declared, got)
		}
	}
}
