package site

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/hardware"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
)

// machine is what is known of a machine in the words of labels, and its peaks.
type machine struct {
	memory, bandwidth, price, priceDate string
	count                               int // of accelerators that its name speaks of
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
	m := &machine{peaks: spec, count: found.Count}
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
	if m.count > 0 && r.Labels.Get("parallelism") == "" {
		derive(r, "accelerators", strconv.Itoa(m.count))
	}
	derive(r, "price_per_hour", m.price)
	derive(r, "price_date", m.priceDate)
	if peak, dtype, ok := m.peaks.PeakFor(r.Labels.Get("quantization")); ok {
		derive(r, "compute_peak", strconv.FormatFloat(peak/1e12, 'f', -1, 64)+" TFLOPS")
		derive(r, "compute_type", dtype)
	}
}

// unlisted reports the names of hardware that mean nothing to the site, so that no
// run on them can be checked, and those that mean several products.
func (c *Config) unlisted(results []*result.Result) []result.Message {
	type name struct {
		pos  result.Position
		runs int
	}
	names := map[string]*name{}
	for _, r := range results {
		label, ok := r.Labels.Lookup("hardware")
		if !ok || slices.ContainsFunc(c.Hardware, func(h Hardware) bool { return h.ID == label.Value }) {
			continue
		}
		n := names[label.Value]
		if n == nil {
			n = &name{pos: label.Pos}
			names[label.Value] = n
		}
		n.runs++
	}
	var ms []result.Message
	for _, hw := range slices.Sorted(maps.Keys(names)) {
		m := result.Message{Pos: names[hw].pos}
		found, ok := hardware.Find(hw)
		switch {
		case !ok:
			m.ID, m.Severity = "site.hardware-unknown", result.Warning
			m.Text = fmt.Sprintf("no figures are known of hardware %q, so nothing is checked against its memory and peaks (%d runs)", hw, names[hw].runs)
			m.Hint = fmt.Sprintf("add to %s, with the figures of the vendor: [[hardware]] id = %q, memory = \"24 GB\", bandwidth = \"1000 GB/s\"", ConfigName, hw)
		case found.Variants != nil:
			m.ID, m.Severity = "site.hardware-ambiguous", result.Info
			m.Text = fmt.Sprintf("hardware %q may be %s; the fastest, %s, is assumed", hw, strings.Join(found.Variants, ", "), found.Name)
			m.Hint = fmt.Sprintf("name the product, as hardware = %q", found.ID)
		default:
			continue
		}
		ms = append(ms, m)
	}
	return ms
}
