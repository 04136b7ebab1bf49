package judge

import (
	"maps"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/hardware"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Machine has the known properties of a machine as label values, and its peaks.
type Machine struct {
	Memory, Bandwidth string // for example "128 GB", "273 GB/s"; "" when unknown
	Price, PriceDate  string
	Count             int // number of accelerators stated by its name
	Peaks             hardware.Spec

	peaks map[string]peak // cache by quantisation
}

// peak has the labels compute_peak and compute_type, "" if unknown.
type peak struct{ flops, dtype string }

// machines has machines by the label hardware: as declared by the site, or else from the built-in table.
type machines map[string]*Machine

// Complete returns a machine as declared by the site, completed from the built-in table. Declared values take
// precedence.
func Complete(h config.Hardware) *Machine {
	m := Known(h.ID)
	if h.Memory != "" {
		m.Memory = h.Memory
	}
	if h.Bandwidth != "" {
		m.Bandwidth = h.Bandwidth
	}
	if h.Peak != nil {
		m.Peaks = hardware.Spec{Peak: map[string]float64{}}
		for dtype, peak := range h.Peak {
			m.Peaks.Peak[dtype], _ = audit.Quantity(peak)
		}
	}
	m.Price, m.PriceDate = h.Price, h.PriceDate
	return m
}

// Known returns a machine from the built-in table, or an empty one if it is unknown.
func Known(name string) *Machine {
	found, ok := hardware.Find(name)
	if !ok {
		return &Machine{}
	}
	spec := found.Spec
	m := &Machine{Peaks: spec, Count: found.Count}
	if spec.Memory > 0 {
		m.Memory = Giga(float64(spec.Memory), "GB")
	}
	if spec.Bandwidth > 0 {
		m.Bandwidth = Giga(spec.Bandwidth, "GB/s")
	}
	return m
}

// Giga formats a number in billions of a unit.
func Giga(v float64, unit string) string {
	return strconv.FormatFloat(v/1e9, 'f', -1, 64) + " " + unit
}

// describe adds the labels of its machine to a result. The peak is that of the data type in which the model's
// matrices are multiplied.
func (ms machines) describe(r *result.Result) {
	name := r.Labels.Get("hardware")
	if name == "" {
		return
	}
	m := ms[name]
	if m == nil {
		m = Known(name)
		ms[name] = m
	}
	derive(r, "memory", m.Memory)
	derive(r, "memory_bandwidth", m.Bandwidth)
	if m.Count > 0 && r.Labels.Get("parallelism") == "" {
		derive(r, "accelerators", strconv.Itoa(m.Count))
	}
	derive(r, "price_per_hour", m.Price)
	derive(r, "price_date", m.PriceDate)
	p := m.peak(r.Labels.Get("quantization"))
	derive(r, "compute_peak", p.flops)
	derive(r, "compute_type", p.dtype)
}

func (m *Machine) peak(quantization string) peak {
	p, known := m.peaks[quantization]
	if known {
		return p
	}
	if flops, dtype, ok := m.Peaks.PeakFor(quantization); ok {
		p = peak{strconv.FormatFloat(flops/1e12, 'f', -1, 64) + " TFLOPS", dtype}
	}
	if m.peaks == nil {
		m.peaks = map[string]peak{}
	}
	m.peaks[quantization] = p
	return p
}

// Machines has the runs of each machine by the name of its hardware.
type Machines map[string]*Runs

// Runs has the index of the first result of a machine, and the number of its results.
type Runs struct{ First, Count int }

// MachinesOf returns the machines of some results.
func MachinesOf(results []*result.Result) Machines {
	machines := Machines{}
	of := result.Labelled("hardware")
	for i, r := range results {
		id := of(r)
		if id == "" {
			continue
		}
		if machines[id] == nil {
			machines[id] = &Runs{First: i}
		}
		machines[id].Count++
	}
	return machines
}

// UnknownHardware reports names of hardware that are unknown, so that runs on it cannot be checked, and names
// that may mean several products. machines must be those of results.
func UnknownHardware(c *config.Config, results []*result.Result, machines Machines) []result.Message {
	var ms []result.Message
	for _, hw := range slices.Sorted(maps.Keys(machines)) {
		if slices.ContainsFunc(c.Hardware, func(h config.Hardware) bool { return h.ID == hw }) {
			continue
		}
		label, _ := results[machines[hw].First].Labels.Lookup("hardware")
		m, runs := result.Message{Pos: label.Pos}, locale.Plural(machines[hw].Count, "1 run", "%d runs")
		found, ok := hardware.Find(hw)
		switch {
		case !ok:
			m.ID, m.Severity = "site.hardware-unknown", result.Warning
			m.Text = locale.Textf("the specifications of hardware %q are unknown, so nothing is checked against its memory and peaks (%s)", hw, runs)
			m.Hint = locale.Textf("add to %s a [[hardware]] with id = %q, memory = \"… GB\" and bandwidth = \"… GB/s\", as the vendor states them", config.Name, hw)
		case found.Variants != nil:
			m.ID, m.Severity = "site.hardware-ambiguous", result.Info
			m.Text = locale.Textf("hardware %q may be %s; the fastest, %s, is assumed", hw, locale.Commas(found.Variants...), found.Name)
			m.Hint = locale.Textf("name the product, for example hardware = %q", found.ID)
		default:
			continue
		}
		ms = append(ms, m)
	}
	return ms
}
