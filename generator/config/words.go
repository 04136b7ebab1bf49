package config

import (
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
)

// Words is a text for all languages, or one text for each language: a string, or a table { zh = "…", en = "…"
// }.
type Words struct{ locale.Text }

const wordsForm = `words are a string or a table of languages, for example { zh = "…", en = "…" }`

// UnmarshalTOML decodes the string or the table.
func (w *Words) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		w.Text = locale.Lit(v)
		return nil
	case map[string]any:
		by := map[string]string{}
		fallback := ""
		for _, lang := range slices.Sorted(maps.Keys(v)) {
			s, ok := v[lang].(string)
			if _, known := locale.For(lang); !ok || !known {
				return locale.Errorf(wordsForm+"; %q is neither zh nor en with a string", lang)
			}
			by[lang] = s
			fallback = s
		}
		w.Text = locale.By(by, fallback)
		return nil
	}
	return locale.Errorf(wordsForm)
}

// JSONSchema returns the schema of what UnmarshalTOML accepts.
func (w *Words) JSONSchema() map[string]any {
	text := map[string]any{"type": "string"}
	return map[string]any{"anyOf": []any{text, map[string]any{"type": "object", "additionalProperties": false,
		"properties": map[string]any{"zh": text, "zh-CN": text, "en": text}}}}
}

// Labels returns the site's titles for values of labels (label → value → title), and the order in which values
// are listed (label → values).
func (c *Config) Labels() (map[string]map[string]locale.Text, map[string][]string) {
	titles := map[string]map[string]locale.Text{}
	order := map[string][]string{}
	add := func(label, value string, w Words) {
		order[label] = append(order[label], value)
		if w.IsZero() {
			return
		}
		if titles[label] == nil {
			titles[label] = map[string]locale.Text{}
		}
		titles[label][value] = w.Text
	}
	for _, m := range c.Model {
		add("model", m.ID, m.Title)
	}
	for _, h := range c.Hardware {
		add("hardware", h.ID, h.Title)
	}
	for _, l := range c.Load {
		add("load", l.Name, l.Title)
	}
	for _, s := range c.Scenario {
		add("scenario", s.Name, s.Title)
	}
	for label, values := range c.Values {
		for value, w := range values {
			if titles[label] == nil {
				titles[label] = map[string]locale.Text{}
			}
			titles[label][value] = w.Text
		}
	}
	for label, of := range titles {
		distinguish(of, order[label])
	}
	for label, values := range c.Order {
		order[label] = values
	}
	return titles, order
}

// distinguish appends the value to each title that equals the title of another value in some language, because
// in a list or legend the two would look the same. A value without a title counts as its own title.
func distinguish(titles map[string]locale.Text, values []string) {
	alike := map[string]bool{}
	for _, lang := range locale.Languages {
		p, _ := locale.For(lang)
		first := map[string]string{}
		for _, value := range values {
			if _, titled := titles[value]; !titled {
				first[value] = value
			}
		}
		for _, value := range slices.Sorted(maps.Keys(titles)) {
			title := p.Say(titles[value])
			if other, taken := first[title]; taken {
				alike[value], alike[other] = true, true
			} else {
				first[title] = value
			}
		}
	}
	for value := range alike {
		if title, titled := titles[value]; titled {
			titles[value] = locale.Join(" · ", title, locale.Lit(value))
		}
	}
}
