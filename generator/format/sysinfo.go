package format

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Benchmark runners keep a JSON document about the machine beside their results,
// "system_info.json" or "meta.json". There is no common form; these are the keys
// of three whose meaning is certain: one lists cpu, gpu and software, one notes
// the output of Linux's commands as texts (that of rocm-smi is JSON within a
// string), one tells of the container and the server. What only looks like a
// version ("rocm_version": "1.16") is left.
func isSystemInfo(v *value) bool {
	return v.has("cpu", "gpu", "os") && (v.get("software").is() || v.get("kernel").scalar()) ||
		v.has("hardware", "driver_version", "vllm_version_reported")
}

var systemInfoKeys = []member{
	{"cpu.model_name", "x_cpu", ""},
	{"cpu.total_cpus", "x_cpus", ""},
	{"cpu.sockets", "x_cpu_sockets", ""},
	{"cpu.architecture", "x_arch", ""},
	{"cpu", "x_cpu", ""},
	{"os.release", "x_kernel", ""},
	{"kernel", "x_kernel", ""},
	{"gpu.count", "accelerators", ""},
	{"gpu.driver_version", "x_driver", ""},
	{"gpu.cuda_version", "x_cuda", ""},
	{"gpu.cuda_toolkit_version", "x_cuda_toolkit", ""},
	{"gpu_details.device_name", "x_gpu", ""},
	{"software.torch_version", "x_torch", ""},
	{"software.torch_cuda_version", "x_torch_cuda", ""},
	{"software.vllm_version", "engine_version", ""},
	{"vllm_version_reported", "engine_version", ""},
	{"vulkan_version", "x_vulkan", ""},
	{"hardware", "x_device", ""},
	{"driver_version", "x_driver", ""},
	{"vllm_image", "image", ""},
	{"server_config.enable_prefix_caching", "prefix_caching", ""},
	{"server_config.max_model_len", "x_max_model_len", ""},
	{"server_config.gpu_memory_utilization", "x_gpu_memory_utilization", ""},
	{"server_config.kv_cache_dtype", "x_kv_cache_dtype", ""},
	{"server_config.async_scheduling", "x_async_scheduling", ""},
	{"server_config.extra_vllm_args", "x_extra_vllm_args", ""},
}

var prettyName = regexp.MustCompile(`^PRETTY_NAME="(.+)"$`)

func readSystemInfo(in *input, v *value) {
	const format = "system-info-json"
	for _, m := range systemInfoKeys {
		found := v.get(strings.Split(m.key, ".")...)
		if !found.scalar() {
			continue
		}
		in.capture(format, m.name, string(found.text), found.line)
		if m.name == "engine_version" {
			in.capture(format, "engine", "vllm", found.line)
		}
	}
	if distro := v.get("os", "distro"); distro.is() {
		if m := prettyName.FindStringSubmatch(distro.string()); m != nil {
			in.capture(format, "x_os", m[1], distro.line)
		}
	}
	if commit := v.get("llama_cpp_commit"); commit.string() != "" {
		in.capture(format, "engine", "llama.cpp", commit.line)
		in.capture(format, "engine_version", commit.string(), commit.line)
	}
	if hip := v.get("hip_version"); hip.is() {
		in.capture(format, "x_hip", strings.TrimPrefix(hip.string(), "HIP version: "), hip.line)
	}
	var names []string
	for device := range v.get("gpu", "devices").children() {
		names = append(names, device.get("name").string())
	}
	if len(names) > 0 && !slices.Contains(names, "") {
		in.captureGPUs(format, names, v.get("gpu").line)
	}
	if gpu := v.get("gpu"); gpu.string() != "" { // JSON in a string
		if cards := strings.Count(gpu.string(), `"Card Series"`); cards > 0 {
			in.capture(format, "accelerators", strconv.Itoa(cards), gpu.line)
		}
		if m := gfxVersion.FindStringSubmatch(gpu.string()); m != nil {
			in.capture(format, "x_gfx", m[1], gpu.line)
		}
	}
	if len(in.out.Captured) == 0 {
		in.noResult(v.line, "nothing certain of the machine")
	}
}

var gfxVersion = regexp.MustCompile(`"GFX Version": "(gfx\w+)"`)
