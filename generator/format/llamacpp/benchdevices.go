package llamacpp

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// device is one that a backend has found when it begins:
//
//	ggml_cuda_init: found 1 CUDA devices:
//	  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes
//	ggml_vulkan: 0 = AMD Radeon RX 7900 XTX (RADV NAVI31) (radv) | uma: 0 | fp16: 1 | warp size: 64 | matrix cores: none
//	ggml_metal_init: GPU name: Apple M2 Ultra
type device struct {
	backend  string // as it is called in the table; "" for one of cudas that is not known
	index    string
	name     string
	features []draft.Setting // what its driver decides: other cores, other speed
	line     int
}

// cudas are the backends that are made of one source, which print the same but for the line above.
var cudas = []string{"CUDA", "ROCm", "MUSA", "HIP"}

// devices are those of the backends of a run.
type devices []device

// backendOf returns the backend whose devices are below a line, "" for none.
func backendOf(line string) string {
	_, found, ok := strings.Cut(line, "_init: found ")
	if words := strings.Fields(found); ok && len(words) > 2 && slices.Contains(cudas, words[1]) && strings.HasPrefix(words[2], "device") {
		return words[1]
	}
	return ""
}

// deviceFeatures are the parts of a line of ggml_vulkan that a driver decides.
var deviceFeatures = map[string]bool{"fp16": true, "bf16": true, "warp size": true, "int dot": true, "matrix cores": true}

// line adds the device that a line names, of the backend above it. With the first one a backend begins anew.
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

// of returns the devices of a row: those that it names, else those of the one backend that it can be of. Of several
// backends llama.cpp may leave out devices, as one that two of them have found.
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

// isOf reports whether a device is of a backend by its name in the table.
func (d *device) isOf(backend string) bool {
	return backend != "" && backend == d.backend || d.backend == "" && slices.Contains(cudas, backend) || d.backend == "Metal" && backend == "MTL"
}

// isCalled reports whether a device has a name of --list-devices: "Vulkan0", "ROCm1".
func (d *device) isCalled(name string) bool {
	backend, ok := strings.CutSuffix(name, d.index)
	return ok && d.isOf(backend)
}

// note notes the devices of a row.
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
