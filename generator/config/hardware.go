package config

import (
	"maps"
	"regexp"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
)

// Hardware describes a machine.
type Hardware struct {
	ID        string // value of the label hardware in its runs
	Title     Words
	Memory    string            `unit:"GB"`         // for example "128 GB"
	Bandwidth string            `unit:"GB/s"`       // for example "273 GB/s"
	Peak      map[string]string `unit:"TFLOPS"`     // dense peak by data type, for example BF16 = "257 TFLOPS"
	Price     string            `unit:"USD"`        // price of one accelerator per hour, for example "2.49 USD"
	PriceDate string            `toml:"price_date"` // date of the price
}

// DataTypes lists the data types for which a peak may be given.
func DataTypes() []string { return []string{"BF16", "FP16", "FP8", "INT8", "FP4"} }

func (h *Hardware) check(at place) {
	if h.ID == "" {
		at.wrong(locale.Textf(`for example id = "jetson-agx-thor"`), "a [[hardware]] has no id")
	}
	quantity := func(at place, name, value, of, unit string, hint locale.Text) {
		_, ok := audit.Quantity(value)
		switch {
		case value == "":
		case !ok:
			at.wrong(hint, "hardware %q: %s %q is not a quantity", h.ID, name, value)
		case !regexp.MustCompile(unit).MatchString(value):
			at.wrong(hint, "hardware %q: %s %q is not in a unit of %s", h.ID, name, value, of)
		}
	}
	quantity(at.at("memory"), "memory", h.Memory, "memory", `[KMGT](i?B)?$`, locale.Textf(`for example "128 GB"`))
	quantity(at.at("bandwidth"), "bandwidth", h.Bandwidth, "bandwidth", `B/s$`, locale.Textf(`for example "273 GB/s"`))
	for _, dtype := range slices.Sorted(maps.Keys(h.Peak)) {
		at := at.at("peak", dtype)
		quantity(at, "the peak of "+dtype, h.Peak[dtype], "computing", `(FLOPS|FLOP/s|TOPS)$`, locale.Textf(`for example "257 TFLOPS"`))
		if !slices.Contains(DataTypes(), dtype) {
			at.wrong(locale.Textf("known: %s", locale.Commas(DataTypes()...)), "hardware %q: unknown data type %q of a peak", h.ID, dtype)
		}
	}
	if _, _, ok := audit.Price(h.Price); !ok && h.Price != "" {
		at.at("price").wrong(locale.Textf(`for example "2.49 USD"`), "hardware %q: price %q is not an amount with a currency", h.ID, h.Price)
	}
}
