package record

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/lazy"
)

// meter is a column of the built-in sampler. Its name ends in the unit, as the reader of such tables requires.
type meter struct {
	name string
	read func() (float64, bool)
}

// machineMeters returns meters for what Linux reports below /proc and /sys: use of the CPU and of memory; load, memory,
// power, temperature and clock of an AMD GPU; power of CPU packages; the highest temperature. Other systems have none.
func machineMeters(root string) []meter {
	var all []meter
	add := func(name string, read func() (float64, bool)) {
		if _, ok := read(); ok && !slices.ContainsFunc(all, func(m meter) bool { return m.name == name }) {
			all = append(all, meter{name, read})
		}
	}
	file := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	addRate(add, "cpu_util_pct", cpuTimes(file("proc/stat")))
	add("mem_used_mib", func() (float64, bool) {
		data, err := os.ReadFile(file("proc/meminfo"))
		total, err1 := strconv.ParseFloat(strings.TrimSuffix(field(string(data), "MemTotal", ":"), " kB"), 64)
		free, err2 := strconv.ParseFloat(strings.TrimSuffix(field(string(data), "MemAvailable", ":"), " kB"), 64)
		return round((total-free)/1024, 1), err == nil && err1 == nil && err2 == nil
	})
	gpus, _ := filepath.Glob(file("sys/class/drm/card*/device/gpu_busy_percent"))
	for _, busy := range gpus[:min(len(gpus), 1)] { // the columns describe one device
		device := filepath.Dir(busy)
		add("gpu_util_pct", number(busy, 1, 0))
		add("gpu_mem_used_mib", number(filepath.Join(device, "mem_info_vram_used"), 1.0/(1<<20), 1))
		hwmon, _ := filepath.Glob(filepath.Join(device, "hwmon/hwmon*"))
		for _, h := range hwmon {
			add("gpu_power_w", number(filepath.Join(h, "power1_average"), 1e-6, 3))
			add("gpu_power_w", number(filepath.Join(h, "power1_input"), 1e-6, 3))
			add("gpu_temp_c", number(filepath.Join(h, "temp1_input"), 1e-3, 1))
			add("gpu_clock_mhz", number(filepath.Join(h, "freq1_input"), 1e-6, 0))
		}
	}
	packages, _ := filepath.Glob(file("sys/class/powercap/intel-rapl:[0-9]"))
	for i, p := range packages {
		joules := number(filepath.Join(p, "energy_uj"), 1e-6, 6)
		addRate(add, fmt.Sprintf("cpu_package%d_power_w", i), func() (float64, float64, bool) {
			v, ok := joules()
			return v, float64(time.Now().UnixNano()) / 1e9, ok
		})
	}
	zones := temperatures(root)
	add("temp_c", func() (float64, bool) {
		hottest := math.Inf(-1)
		for _, zone := range zones {
			if v, ok := zone(); ok && v > 0 && v < 150 {
				hottest = max(hottest, v)
			}
		}
		return hottest, !math.IsInf(hottest, -1)
	})
	return all
}

// addRate adds the growth of one quantity relative to another, such as busy time per time or energy per time. After a
// counter was reset, one value is missing.
func addRate(add func(string, func() (float64, bool)), name string, read func() (grown, over float64, ok bool)) {
	share := 1.0
	if strings.HasSuffix(name, "_pct") {
		share = 100
	}
	lastGrown, lastOver, ok := read()
	if !ok {
		return
	}
	first := true
	add(name, func() (float64, bool) {
		grown, over, ok := read()
		rate := share * (grown - lastGrown) / (over - lastOver)
		if first { // add asks whether there is a value
			first = false
			return 0, ok
		}
		sound := ok && over > lastOver && grown >= lastGrown
		lastGrown, lastOver = grown, over
		return round(rate, 2), sound
	})
}

// cpuTimes reads for how long the CPUs were busy, and the total time.
func cpuTimes(name string) func() (busy, all float64, ok bool) {
	return func() (busy, all float64, ok bool) {
		data, err := os.ReadFile(name)
		line, _, _ := strings.Cut(string(data), "\n")
		words := strings.Fields(line)
		if err != nil || len(words) < 6 || words[0] != "cpu" {
			return 0, 0, false
		}
		for i, word := range words[1:min(len(words), 9)] { // time of guests is included in user time
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return 0, 0, false
			}
			all += v
			if i != 3 && i != 4 { // 3 is idle, 4 is waiting for a disk
				busy += v
			}
		}
		return busy, all, true
	}
}

// processorSensor matches hwmon chips that measure a processor. Other chips measure disks, networks and power supplies.
var processorSensor = lazy.Regexp(`^(coretemp|k10temp|zenpower|amdgpu|cpu_thermal|soc_thermal|cpu.*|gpu.*|.*tj.*|x86_pkg_temp|acpitz)`)

// temperatures returns the sensors of processors.
func temperatures(root string) []func() (float64, bool) {
	var found []func() (float64, bool)
	take := func(nameFile, pattern string) {
		name, err := os.ReadFile(nameFile)
		if err != nil || !processorSensor().MatchString(strings.ToLower(strings.TrimSpace(string(name)))) {
			return
		}
		inputs, _ := filepath.Glob(filepath.Join(filepath.Dir(nameFile), pattern))
		for _, input := range inputs {
			found = append(found, number(input, 1e-3, 1))
		}
	}
	chips, _ := filepath.Glob(filepath.Join(root, "sys/class/hwmon/hwmon*/name"))
	for _, chip := range chips {
		take(chip, "temp*_input")
	}
	zones, _ := filepath.Glob(filepath.Join(root, "sys/class/thermal/thermal_zone*/type"))
	for _, zone := range zones {
		take(zone, "temp")
	}
	return found
}

// number reads a file that contains a number, and multiplies that by a unit.
func number(name string, unit float64, digits int) func() (float64, bool) {
	return func() (float64, bool) {
		data, err := os.ReadFile(name)
		if err != nil {
			return 0, false
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(string(data)), 64)
		return round(v*unit, digits), err == nil
	}
}

func round(v float64, digits int) float64 {
	p := math.Pow10(digits)
	return math.Round(v*p) / p
}
