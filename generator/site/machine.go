package site

import (
	"maps"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/hardware"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
)

// machine is what is known of a machine in the words of labels, and its peaks.
type machine struct {
	memory, bandwidth, price, priceDate string
	peaks                               hardware.Spec
}

// machines finds a machine by the label hardware: what the site declares, else
// what the built-in table knows.
type machines map[string]*machine

// complete adds to what the site declares of a machine what the built-in table
// knows of one with that id. What is declared stands.
func (h Hardware) complete() *machine {
	m := known(h.ID)
	if h.Memory != "" {
		m.memory = h.Memory
	}
	if h.Bandwidth != "" {
		m.bandwidth = h.Bandwidth
	}
	if h.Peak != nil {
		m.peaks = hardware.Spec{Peak: map[string]float64{}}
		for dtype, peak := range h.Peak {
			m.peaks.Peak[dtype], _ = audit.Quantity(peak)
		}
	}
	m.price, m.priceDate = h.Price, h.PriceDate
	return m
}

func known(name string) *machine {
	found, ok := hardware.Find(name)
	if !ok {
		return &machine{}
	}
	spec := found.Spec
	m := &machine{peaks: spec}
	if spec.Memory > 0 {
		m.memory = giga(float64(spec.Memory), "GB")
	}
	if spec.Bandwidth > 0 {
		m.bandwidth = giga(spec.Bandwidth, "GB/s")
	}
	return m
}

func giga(v float64, unit string) string {
	return strconv.FormatFloat(v/1e9, 'f', -1, 64) + " " + unit
}

// boards gives what is known of each machine: those the site declares, then
// those that runs name and the built-in table has.
func (c *Config) boards(results []*result.Result) []page.Hardware {
	var out []page.Hardware
	listed := map[string]bool{}
	add := func(h Hardware) {
		if listed[h.ID] {
			return
		}
		listed[h.ID] = true
		m, vendor := h.complete(), known(h.ID)
		one := page.Hardware{ID: h.ID, Title: h.Title.Text, Product: vendor.peaks.Name, Memory: m.memory, Bandwidth: m.bandwidth, Price: m.price, PriceDate: m.priceDate,
			Declared: h.Memory != "" || h.Bandwidth != "" || h.Peak != nil}
		for _, dtype := range dataTypes {
			if peak, ok := m.peaks.Peak[dtype]; ok {
				one.Peaks = append(one.Peaks, page.Peak{Type: dtype, Value: giga(peak/1e3, "TFLOPS")})
			}
		}
		// Where the site says all, nothing is left for the vendor's document to tell.
		if h.Memory == "" && vendor.memory != "" || h.Bandwidth == "" && vendor.bandwidth != "" || h.Peak == nil && len(vendor.peaks.Peak) > 0 {
			one.Source = vendor.peaks.Source
		}
		out = append(out, one)
	}
	for _, h := range c.Hardware {
		add(h)
	}
	named := map[string]bool{}
	for _, r := range results {
		if id := r.Labels.Get("hardware"); id != "" {
			named[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(named)) {
		add(Hardware{ID: id})
	}
	return out
}

// describe gives a result the labels of its machine. The peak is that of the
// data type which the model's matrices are multiplied in.
func (ms machines) describe(r *result.Result) {
	name := r.Labels.Get("hardware")
	if name == "" {
		return
	}
	m := ms[name]
	if m == nil {
		m = known(name)
		ms[name] = m
	}
	derive(r, "memory", m.memory)
	derive(r, "memory_bandwidth", m.bandwidth)
	derive(r, "price_per_hour", m.price)
	derive(r, "price_date", m.priceDate)
	if peak, dtype, ok := m.peaks.PeakFor(r.Labels.Get("quantization")); ok {
		derive(r, "compute_peak", strconv.FormatFloat(peak/1e12, 'f', -1, 64)+" TFLOPS")
		derive(r, "compute_type", dtype)
	}
}
