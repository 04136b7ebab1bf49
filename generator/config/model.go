package config

import (
	"strconv"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
)

// Model describes a model.
type Model struct {
	ID           string   // value of the label model in its runs
	Aliases      []string // other values of model or model_raw that mean this model
	Title        Words
	Base         string // the model from which it was quantised
	Quantization string
	WeightSize   string `toml:"weight_size" unit:"GB"`  // for example "8.9 G"
	Params       string `unit:"G"`                      // for example "8.2 G"
	ActiveParams string `toml:"active_params" unit:"G"` // for a mixture of experts
	URL          string
	Note         Words

	// ActiveWeightSize is the size of the weights that are read for one token, for example "3.4 GB": without
	// the input embeddings, and only active experts.
	ActiveWeightSize string `toml:"active_weight_size" unit:"GB"`
	// CachePerToken is the size of the KV cache for one token, for example "147456 B".
	CachePerToken string `toml:"kv_cache_per_token" unit:"B"`
}

func (m *Model) check(at place) {
	if m.ID == "" {
		at.wrong(locale.Textf(`for example id = "Qwen3-8B-FP8"`), "a [[model]] has no id")
	}
	for _, q := range []struct{ key, value string }{
		{"weight_size", m.WeightSize}, {"active_weight_size", m.ActiveWeightSize}, {"kv_cache_per_token", m.CachePerToken},
		{"params", m.Params}, {"active_params", m.ActiveParams},
	} {
		if _, ok := audit.Parameters(q.value); !ok && q.value != "" {
			at.at(q.key).wrong(locale.Textf(`sizes are written "8.9 GB", numbers of parameters "8.2 G"`), "model %q: %s %q is not a quantity", m.ID, q.key, q.value)
		}
	}
	for _, size := range []struct{ key, value string }{{"weight_size", m.WeightSize}, {"active_weight_size", m.ActiveWeightSize}} {
		if bytes, ok := audit.Quantity(size.value); ok && bytes < 1e6 {
			hint := locale.Textf(`sizes are written "8.9 GB"`)
			if _, err := strconv.ParseFloat(size.value, 64); err == nil {
				hint = locale.Textf(`write it with its unit, as "%s GB"`, size.value)
			}
			at.at(size.key).wrong(hint, "model %q: %s %q is less than a megabyte", m.ID, size.key, size.value)
		}
	}
}

// checkNames reports names that two models share.
func checkNames(top place, models []Model) {
	owners := map[string]string{}
	claim := func(at place, name, id string) {
		if other, taken := owners[name]; taken {
			at.wrong(locale.Textf("an id or alias belongs to one model"), "%q means both %s and %s", name, other, id)
		}
		owners[name] = id
	}
	for i := range models {
		m := &models[i]
		claim(top.at("model", i, "id"), m.ID, m.ID)
		for n, alias := range m.Aliases {
			claim(top.at("model", i, "aliases", n), alias, m.ID)
		}
	}
}
