package site

import (
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/judge"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
)

// boards returns what is known of each machine: those the site declares, then
// those that runs name and the built-in table has.
func boards(c *config.Config, results []*result.Result) []page.Hardware {
	var out []page.Hardware
	listed := map[string]bool{}
	add := func(h config.Hardware) {
		if listed[h.ID] {
			return
		}
		listed[h.ID] = true
		m, vendor := judge.Complete(h), judge.Known(h.ID)
		one := page.Hardware{ID: h.ID, Title: h.Title.Text, Product: vendor.Peaks.Name, Memory: m.Memory, Bandwidth: m.Bandwidth, Price: m.Price, PriceDate: m.PriceDate,
			Declared: h.Memory != "" || h.Bandwidth != "" || h.Peak != nil}
		for _, dtype := range config.DataTypes() {
			if peak, ok := m.Peaks.Peak[dtype]; ok {
				one.Peaks = append(one.Peaks, page.Peak{Type: dtype, Value: judge.Giga(peak/1e3, "TFLOPS")})
			}
		}
		// Where the site declares all, nothing is left for the vendor's document.
		if h.Memory == "" && vendor.Memory != "" || h.Bandwidth == "" && vendor.Bandwidth != "" || h.Peak == nil && len(vendor.Peaks.Peak) > 0 {
			one.Source = vendor.Peaks.Source
		}
		out = append(out, one)
	}
	for _, h := range c.Hardware {
		add(h)
	}
	named := map[string]bool{}
	for _, r := range results {
		if id := r.Label("hardware"); id != "" {
			named[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(named)) {
		add(config.Hardware{ID: id})
	}
	return out
}
