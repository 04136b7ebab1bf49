package llamacpp

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// device is a device that a backend lists when it starts:
//
//	ggml_cuda_init: found 1 CUDA devices:
//	  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes
//	ggml_vulkan: 0 = AMD Radeon RX 7900 XTX (RADV NAVI31) (radv) | uma: 0 | fp16: 1 | warp size: 64 | matrix cores: none
//	ggml_metal_init: GPU name: Apple M2 Ultra
type device struct {
	backend  string // as named in the table; "" for an unknown one of cudas
	index    string
	name     string
	features []draft.Setting // properties that depend on the driver and affect the speed
	line     int
}

// cudas lists the backends that are built from one source. Their lines of devices are the same; only the line above
// them differs.
var cudas = []string{"CUDA", "ROCm", "MUSA", "HIP"}

// devices lists the devices of all backends of a run.
type devices []device

// backendOf returns the backend whose devices are listed below a line, or "" if there is none.
func backendOf(line string) string {
	_, found, ok := strings.Cut(line, "_init: found ")
	if words := strings.Fields(found); ok && len(words) > 2 && slices.Contains(cudas, words[1]) && strings.HasPrefix(words[2], "device") {
		return words[1]
	}
	return ""
}

// deviceFeatures lists the parts of a line of ggml_vulkan that depend on the driver.
var deviceFeatures = map[string]bool{"fp16": true, "bf16": true, "warp size": true, "int dot": true, "matrix cores": true}

// line adds the device that a line of text names, for the backend above it. A device with index 0 replaces all earlier
// devices of its backend.
func (all devices) line(text, above string, line int) devices {
	d := device{backend: above, line: line}
	ok := true
	if _, rest, found := strings.Cut(text, "GPU name:"); found {
		d.backend, d.index, d.name = "Metal", "0", strings.TrimSpace(rest)
	} else if rest, found := strings.CutPrefix(text, "ggml_vulkan: "); found {
		d.backend = "Vulkan"
		d.index, rest, _ = strings.Cut(rest, " = ")
		d.name, _, ok = strings.Cut(rest, " | ")
	} else if _, rest, found := strings.Cut(text, "Device "); found {
		d.index, rest, _ = strings.Cut(rest, ": ")
		d.name, _, ok = strings.Cut(rest, ", ")
	}
	if !ok || d.name == "" || !isCount([]byte(d.index)) {
		return all
	}
	for _, part := range strings.Split(text, " | ")[1:] {
		if name, value, ok := strings.Cut(part, ": "); ok && deviceFeatures[name] {
			d.features = append(d.features, draft.NewSetting("x_"+draft.Snake(name), strings.TrimSpace(value), line))
		}
	}
	if d.index == "0" {
		all = slices.DeleteFunc(slices.Clone(all), func(other device) bool { return other.backend == d.backend })
	}
	return append(all, d)
}

// of returns the devices of a row: those that it names, else those of the only backend it can have used. If several
// backends are possible it returns nil, because llama.cpp may leave out devices, such as one that two backends have
// found.
func (all devices) of(d *draft.Draft) (used devices) {
	if named := d.Label("device"); named != "" && named != "auto" {
		for name := range strings.SplitSeq(named, "/") {
			i := slices.IndexFunc(all, func(found device) bool { return found.isCalled(name) })
			if i < 0 {
				return nil
			}
			used = append(used, all[i])
		}
		return used
	}
	backends := strings.Split(d.Label("backend"), ",")
	for _, found := range all {
		if len(backends) == 1 && backends[0] == "" || slices.ContainsFunc(backends, found.isOf) {
			used = append(used, found)
		}
	}
	if slices.ContainsFunc(used, func(found device) bool { return found.backend != used[0].backend }) {
		return nil
	}
	return used
}

// isOf reports whether a device belongs to the backend with this name in the table.
func (d *device) isOf(backend string) bool {
	return backend != "" && backend == d.backend || d.backend == "" && slices.Contains(cudas, backend) || d.backend == "Metal" && backend == "MTL"
}

// isCalled reports whether name is the device's name in --list-devices: "Vulkan0", "ROCm1".
func (d *device) isCalled(name string) bool {
	backend, ok := strings.CutSuffix(name, d.index)
	return ok && d.isOf(backend)
}

// note records the devices of a row, and their properties.
func (used devices) note(d *draft.Draft) {
	var names []string
	features := map[string][]string{}
	for _, u := range used {
		names = append(names, u.name)
		for _, f := range u.features {
			features[f.Label] = append(features[f.Label], f.Value)
		}
	}
	last := used[len(used)-1].line
	d.SetLabel("gpu", []byte(strings.Join(names, ", ")), last)
	for _, f := range used[0].features {
		d.SetLabel(f.Label, []byte(strings.Join(slices.Compact(features[f.Label]), ", ")), last)
	}
}
