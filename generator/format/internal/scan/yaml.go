package scan

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML builds the values of a YAML document, as if it were JSON with the same tree. Each value has the line of its
// node; values of an alias have the line where the alias is used.
type YAML struct {
	Builder
	nodes  int
	line   int
	before int // number of lines before the document
}

const (
	maxYAMLNodes = 1 << 20 // limits aliases of aliases, which multiply
	maxYAMLDepth = 100
)

// NewYAML returns a builder for a document. before is the number of lines before the document.
func NewYAML(m *Memory, before int) *YAML {
	return &YAML{Builder: NewBuilder(m, nil), line: before + 1, before: before}
}

// TooLarge reports whether the document has more nodes than the limit.
func (y *YAML) TooLarge() bool { return y.nodes > maxYAMLNodes }

// Value returns the value of a node, or null for a node that is nested too deeply.
func (y *YAML) Value(n *yaml.Node, parent *Value) *Value { return y.node(n, parent, 0) }

func (y *YAML) node(n *yaml.Node, parent *Value, depth int) *Value {
	y.nodes++
	if n.Kind == yaml.AliasNode && depth < maxYAMLDepth {
		return y.node(n.Alias, parent, depth+1)
	}
	y.line = max(y.line, n.Line+y.before)
	v := y.value(Word, y.line, parent)
	switch {
	case y.TooLarge() || depth >= maxYAMLDepth:
		v.Raw = y.keep([]byte("null"))
	case n.Kind == yaml.MappingNode:
		v.Kind = '{'
		y.object(v, n, depth)
	case n.Kind == yaml.SequenceNode:
		v.Kind = '['
		y.list(v, n, depth)
	default:
		kind, text := scalar(n)
		v.Kind = kind
		if len(text) <= heldText {
			v.Raw = y.keep([]byte(text))
		}
	}
	v.Last = y.line
	return v
}

func (y *YAML) object(v *Value, n *yaml.Node, depth int) {
	for i := 0; i+1 < len(n.Content) && !y.TooLarge(); i += 2 {
		y.line = max(y.line, n.Content[i].Line+y.before)
		v.Count++
		child := y.node(n.Content[i+1], v, depth+1)
		child.Key = y.in.Intern([]byte(n.Content[i].Value))
		v.append(child)
	}
}

func (y *YAML) list(v *Value, n *yaml.Node, depth int) {
	for _, entry := range n.Content {
		if y.TooLarge() {
			return
		}
		for entry.Kind == yaml.AliasNode {
			y.nodes++
			entry = entry.Alias
		}
		read := func() *Value { return y.node(entry, v, depth+1) }
		switch kind, text := scalar(entry); {
		case entry.Kind == yaml.MappingNode:
			y.entry(v, read)
		case entry.Kind == yaml.SequenceNode:
			y.inner(v, read)
		case kind == Number:
			y.nodes++
			y.number(v, []byte(text))
		case y.word(v, kind == String && text != ""):
			v.append(read())
		default:
			y.nodes++
		}
	}
}

// scalar returns the JSON kind and text of a scalar.
func scalar(n *yaml.Node) (Kind, string) {
	if n.Kind != yaml.ScalarNode {
		return Word, ""
	}
	switch n.ShortTag() {
	case "!!null":
		return Word, "null"
	case "!!bool":
		return Word, strings.ToLower(n.Value)
	case "!!int", "!!float":
		if _, ok := ParseFigure([]byte(n.Value), 0); ok {
			return Number, n.Value
		}
	}
	return String, strings.ToValidUTF8(n.Value, "\ufffd")
}
