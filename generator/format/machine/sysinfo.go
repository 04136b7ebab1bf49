package machine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// Benchmark runners save a JSON document about the machine with their results, "system_info.json" or "meta.json". There
// is no common form. The reader knows the keys of three forms whose meaning is certain: one lists cpu, gpu and
// software, one has the output of Linux commands as texts (that of rocm-smi is JSON in a string), and one describes the
// container and the server. Values that only look like a version ("rocm_version": "1.16") are not read.
func isSystemInfo(v *scan.Value) bool {
	return v.Has("cpu", "gpu", "os") && (v.Get("software").Is() || v.Get("kernel").Scalar()) ||
		v.Has("hardware", "driver_version", "vllm_version_reported")
}

var systemInfoKeys = []draft.Member{
	{Key: "cpu.model_name", Name: "x_cpu"},
	{Key: "cpu.total_cpus", Name: "x_cpus"},
	{Key: "cpu.sockets", Name: "x_cpu_sockets"},
	{Key: "cpu.architecture", Name: "x_arch"},
	{Key: "cpu", Name: "x_cpu"},
	{Key: "os.release", Name: "x_kernel"},
	{Key: "kernel", Name: "x_kernel"},
	{Key: "gpu.count", Name: "device_count"},
	{Key: "gpu.driver_version", Name: "x_driver"},
	{Key: "gpu.cuda_version", Name: "x_cuda"},
	{Key: "gpu.cuda_toolkit_version", Name: "x_cuda_toolkit"},
	{Key: "gpu_details.device_name", Name: "gpu"},
	{Key: "software.torch_version", Name: "x_torch"},
	{Key: "software.torch_cuda_version", Name: "x_torch_cuda"},
	{Key: "software.vllm_version", Name: "engine_version"},
	{Key: "vllm_version_reported", Name: "engine_version"},
	{Key: "vulkan_version", Name: "x_vulkan"},
	{Key: "hardware", Name: "device"},
	{Key: "driver_version", Name: "x_driver"},
	{Key: "vllm_image", Name: "image"},
	{Key: "server_config.enable_prefix_caching", Name: "prefix_caching"},
	{Key: "server_config.max_model_len", Name: "max_model_len"},
	{Key: "server_config.gpu_memory_utilization", Name: "gpu_memory_utilization"},
	{Key: "server_config.kv_cache_dtype", Name: "kv_cache_dtype"},
	{Key: "server_config.async_scheduling", Name: "x_async_scheduling"},
	{Key: "server_config.extra_vllm_args", Name: "x_extra_vllm_args"},
}

var prettyName = lazy.Regexp(`^PRETTY_NAME="(.+)"$`)

func readSystemInfo(in *draft.File, v *scan.Value) {
	const format = "system-info-json"
	for _, m := range systemInfoKeys {
		found := v.Get(strings.Split(m.Key, ".")...)
		if !found.Scalar() {
			continue
		}
		in.Capture(format, m.Name, string(found.Raw), found.Line)
		if m.Name == "engine_version" {
			in.Capture(format, "engine", "vllm", found.Line)
		}
	}
	if distro := v.Get("os", "distro"); distro.Is() {
		if m := prettyName().FindStringSubmatch(distro.Text()); m != nil {
			in.Capture(format, "x_os", m[1], distro.Line)
		}
	}
	if commit := v.Get("llama_cpp_commit"); commit.Text() != "" {
		in.Capture(format, "engine", "llama.cpp", commit.Line)
		in.Capture(format, "engine_version", commit.Text(), commit.Line)
	}
	if hip := v.Get("hip_version"); hip.Is() {
		in.Capture(format, "x_hip", strings.TrimPrefix(hip.Text(), "HIP version: "), hip.Line)
	}
	var names []string
	for device := range v.Get("gpu", "devices").Children() {
		names = append(names, device.Get("name").Text())
	}
	if len(names) > 0 && !slices.Contains(names, "") {
		captureGPUs(in, format, names, v.Get("gpu").Line)
	}
	if gpu := v.Get("gpu"); gpu.Text() != "" { // JSON in a string
		if cards := strings.Count(gpu.Text(), `"Card Series"`); cards > 0 {
			in.Capture(format, "device_count", strconv.Itoa(cards), gpu.Line)
		}
		if m := gfxVersion().FindStringSubmatch(gpu.Text()); m != nil {
			in.Capture(format, "x_gfx", m[1], gpu.Line)
		}
	}
	if len(in.Out.Captured) == 0 {
		in.NoResult(v.Line, locale.Textf("nothing certain about the machine"))
	}
}

var gfxVersion = lazy.Regexp(`"GFX Version": "(gfx\w+)"`)
