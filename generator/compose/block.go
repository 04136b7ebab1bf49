package compose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/settings"
)

// blockOf is a report block to be written: its kind, its name, its keys.
type blockOf struct {
	kind, name string
	keys       []key
}

// key is a line of a block's body. Its value is a string, a []string or a bool.
type key struct {
	name  string
	value any
}

// set adds a key. It omits keys with an empty value.
func (b *blockOf) set(name string, value any) {
	if value == "" {
		return
	}
	b.keys = append(b.keys, key{name, value})
}

// category sets the label of a chart's rows if it is not the default, model.
func (b *blockOf) category(label string) {
	if label != "model" {
		b.set("category", label)
	}
}

func (b *blockOf) copy() blockOf { return blockOf{b.kind, b.name, slices.Clone(b.keys)} }

// body writes the keys as TOML.
func (b *blockOf) body() string {
	var out strings.Builder
	for _, k := range b.keys {
		out.WriteString(k.name + " = ")
		switch v := k.value.(type) {
		case string:
			out.WriteString(settings.String(v))
		case []string:
			out.WriteString(settings.List(v))
		case bool:
			out.WriteString(strconv.FormatBool(v))
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// fence returns the block as Markdown.
func (b *blockOf) fence() string {
	info := "benchpost " + b.kind
	if b.name != "" {
		info += " " + b.name
	}
	return fenced(info, b.body())
}

// empty reports whether a chart shows no figures.
func empty(c *report.Chart) bool { return figures(c) == 0 }

// figures returns the number of figures that a chart shows.
func figures(c *report.Chart) int {
	n := 0
	for _, s := range c.Series {
		for _, p := range s.Points {
			if !p.Missing {
				n++
			}
		}
	}
	for i := range c.Panels {
		n += figures(&c.Panels[i].Chart)
	}
	return n
}
