package machine_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// checkCaptured checks the labels captured from a text: each of want is "name=value". Without want, nothing must be
// captured.
func checkCaptured(t *testing.T, name string, out format.Output, want ...string) {
	t.Helper()
	for _, w := range want {
		label, value, _ := strings.Cut(w, "=")
		if got := out.Captured.Get(label); got != value {
			t.Errorf("%s: %s is %q, not %q", name, label, got, value)
		}
	}
	if len(want) == 0 && len(out.Captured) > 0 {
		t.Errorf("%s: captured %v", name, out.Captured)
	}
}

func TestCorpusMachines(t *testing.T) {
	const mystous, rtx3090 = "dirs/mystous-backup-rtx3090/RTX3090/", "gpu=NVIDIA GeForce RTX 3090"
	for file, want := range map[string][]string{
		"sysinfo/lscpu-x86.txt": {"x_cpu=12th Gen Intel(R) Core(TM) i9-12900KF", "x_cpus=24", "x_cpu_sockets=1", "x_arch=x86_64"},
		"sysinfo/meta-dgxspark.json": {"device=DGX Spark NVIDIA GB10 128GB unified", "x_driver=580.173.02", "engine=vllm",
			"engine_version=0.26.0", "prefix_caching=false", "gpu="},
		"sysinfo/strix-halo-system_info.json": {"x_kernel=6.16.0-1-mainline", "gpu=Radeon 8060S Graphics", "x_cpu=AMD Eng Sample",
			"device_count=1", "x_gfx=gfx1151", "engine=llama.cpp", "engine_version=6c7e9a54406dbba5e53754a8f70a285414717b06", "x_rocm="},
		"dirs/mystous-eval-rtx3090/20260424_074514_12th_Gen_Intel_Core_i9-12900KFx1_GeForce_RTX_3090x1_Qwen2.5-7B-Instruct/system_info.json": {
			rtx3090, "device_count=1", "x_driver=580.126.09", "x_cuda=", "x_cuda_toolkit=12.8", "x_torch_cuda=12.8",
			"engine_version=0.1.dev15917+g0a6396b45", "x_kernel=6.8.0-90-generic"},
		mystous + "20260414_054643_G_GeForce_RTX_3090_x1_Qwen2.5-1.5B-Instruct/system_info.json": {rtx3090, "x_cuda=13.0", "x_torch=2.9.0+cu130", "x_os="},
		mystous + "20260414_055713_G_GeForce_RTX_3090_x1_Qwen2.5-7B-Instruct/system_info.json":   {rtx3090, "x_cuda=13.0", "x_cpus=24"},
		mystous + "20260414_143419_GeForce_RTX_3090_x1_Qwen2.5-1.5B-Instruct/system_info.json":   {rtx3090, "x_os=Ubuntu 22.04.5 LTS"},
		mystous + "20260414_150240_GeForce_RTX_3090_x1_Qwen2.5-7B-Instruct/system_info.json":     {rtx3090, "x_os=Ubuntu 22.04.5 LTS"},
		// A file of settings is like a script's defaults: nothing shows that a run used it.
		"dirs/mystous-eval-rtx3090/20260424_074514_12th_Gen_Intel_Core_i9-12900KFx1_GeForce_RTX_3090x1_Qwen2.5-7B-Instruct/env.snapshot": {},
	} {
		checkCaptured(t, file, fixture.ReadSample(t, fixture.Shared(t, "corpus", file)), want...)
	}
}

// TestReferenceMachine reads a guide with commands among its results. It shows the power mode before and after a
// change, so the runs get neither.
func TestReferenceMachine(t *testing.T) {
	out := fixture.ReadSample(t, fixture.Shared(t, "reference", "jetson-thor-guide.txt"))
	checkCaptured(t, "guide", out, "x_l4t=38.2.0", "gpu=NVIDIA Thor", "x_cuda=13.0", "x_compute_capability=11.0", "device_count=1",
		"clocks=locked", "power_mode=", "device=NVIDIA Jetson AGX Thor Developer Kit")
	if len(out.Results) != 43 {
		t.Errorf("%d results", len(out.Results))
	}
}

// TestJetsonClocks checks that clocks are locked or free only if those of the CPU, the GPU and the memory all are.
func TestJetsonClocks(t *testing.T) {
	const (
		cpuLocked = "cpu0: Online=1 Governor=schedutil MinFreq=1728000 MaxFreq=1728000 CurrentFreq=1728000 IdleStates: WFI=0 c7=0\n"
		cpuFree   = "cpu0: Online=1 Governor=schedutil MinFreq=729600 MaxFreq=1728000 CurrentFreq=1344000 IdleStates: WFI=1 c7=1\n"
		cpuOff    = "cpu1: Online=0 Governor=schedutil MinFreq=729600 MaxFreq=1728000 CurrentFreq=729600 IdleStates: WFI=1 c7=1\n"
		gpuLocked = "GPU MinFreq=1020000000 MaxFreq=1020000000 CurrentFreq=1020000000\n"
		gpuFree   = "GPU MinFreq=306000000 MaxFreq=1020000000 CurrentFreq=306000000\n"
		thorGPU   = "gpu-gpc-0 MinFreq=1575000000 MaxFreq=1575000000 CurrentFreq=1575000000\n"
		emcLocked = "EMC MinFreq=204000000 MaxFreq=3199000000 CurrentFreq=3199000000 FreqOverride=1\n"
		emcFree   = "EMC MinFreq=204000000 MaxFreq=3199000000 CurrentFreq=2133000000 FreqOverride=0\n"
	)
	for text, want := range map[string]string{
		cpuLocked + cpuOff + gpuLocked + emcLocked:                      "locked",
		cpuLocked + thorGPU + emcLocked:                                 "locked",
		cpuFree + gpuFree + emcFree:                                     "free",
		cpuLocked + gpuLocked + emcFree:                                 "",
		cpuLocked + gpuFree + emcLocked:                                 "",
		cpuLocked + emcLocked:                                           "", // the GPU is missing
		cpuFree + gpuFree + emcFree + cpuLocked + gpuLocked + emcLocked: "", // before and after
	} {
		if got := fixture.ReadText(t, text).Captured.Get("clocks"); got != want {
			t.Errorf("%q of\n%s", got, text)
		}
	}
}

// TestCaptureContradicted checks that a label with two different values in a file is not captured.
func TestCaptureContradicted(t *testing.T) {
	out := fixture.ReadText(t, "NV Power Mode: 15W\nNV Power Mode: MAXN\nNV Power Mode: 15W\n")
	if len(out.Captured) != 0 || out.Capture != "" || out.Reason.IsZero() {
		t.Errorf("captured %v, reason %q", out.Captured, out.Reason)
	}
	out = fixture.ReadText(t, "NV Power Mode: MODE_15W_2CORE\r\n0\r\nNV Power Mode: MODE_15W_2CORE\r\n")
	checkCaptured(t, "said twice", out, "power_mode=MODE_15W_2CORE")
}

// TestNoMachine checks that nothing is captured from pages about the commands and from similar texts.
func TestNoMachine(t *testing.T) {
	for name, text := range map[string]string{
		"a placeholder":          "NV Power Mode: <mode>\nNV Power Mode: ...\n",
		"a cut line":             "NV Power Mode: MAX",
		"prose":                  "The file says `# R36 (release), REVISION: 4.4, GCID: …` then.\n",
		"a model's architecture": "Architecture: Qwen3ForCausalLM\nModel name: Qwen3-8B\n",
		"a login":                "Welcome to Ubuntu 22.04.5 LTS (GNU/Linux 5.15.148-tegra aarch64)\n",
		"a row of collect-env":   "PyTorch version: 2.5.1\nvLLM Version: 0.7.3\n",
		"deviceQuery's absence":  "deviceQuery says how many CUDA Capable device(s) there are\n",
		"another JSON":           `{"cpu": "x", "gpu": "y", "os": "z"}`,
	} {
		if out := fixture.ReadText(t, text); len(out.Captured) != 0 || out.Reason.IsZero() {
			t.Errorf("%s: captured %v, reason %q", name, out.Captured, out.Reason)
		}
	}
}
