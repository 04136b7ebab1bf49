package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

const (
	maxYAML      = 8 << 20 // bytes that are held, blocks that are passed over aside
	maxYAMLNodes = 1 << 20
	maxYAMLDepth = 100
)

// yaml reads the whole file as one document.
func (in *input) yaml(f *draft.YAMLFormat) {
	w := &in.window
	text, err := yamlBlocks(io.MultiReader(bytes.NewReader(bytes.Clone(w.Buf[w.Pos:w.End])), w.R), f.PassOver)
	switch {
	case err == errYAMLSize:
		in.NoResult(1, err.Error())
		return
	case err != nil:
		w.Err = err
		return
	}
	cut := len(text) > 0 && text[len(text)-1] != '\n'
	if cut { // the last line may have lost some of it
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		in.NoResult(1, "broken YAML: "+strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	y := yamlWriter{line: 1, lines: bytes.Count(text, []byte("\n"))}
	for _, root := range document.Content {
		y.node(root, 0)
	}
	if y.nodes > maxYAMLNodes {
		in.NoResult(1, errYAMLSize.Error())
		return
	}
	in.window = in.Over(bytes.NewReader(y.json))
	in.document()
	for i := range in.Out.Results {
		r := &in.Out.Results[i]
		r.Format = f.Name
		if cut && r.Status == result.Complete {
			r.Status = result.Partial
		}
	}
	if cut && len(in.Out.Results) > 0 {
		in.Message(y.lines, result.Warning, "format.cut-off", "the last line has no end",
			"the run may still be going on; what stands before is read")
	}
}

var errYAMLSize = errors.New("more YAML than can be held; save it as JSON")

// yamlBlocks reads a text and empties the lines of the blocks to pass over, so that
// the others keep their numbers.
func yamlBlocks(r io.Reader, passOver func(key string, indent int) bool) ([]byte, error) {
	lines := bufio.NewReaderSize(r, scan.WindowSize)
	var text []byte
	inside := -1      // indentation of the block's key
	beginning := true // of a line
	for {
		part, err := lines.ReadSlice('\n')
		if beginning {
			bare := bytes.TrimLeft(part, " ")
			indent := len(part) - len(bare)
			blank := len(bytes.TrimSpace(bare)) == 0
			if inside >= 0 && !blank && (indent < inside || indent == inside && !bytes.HasPrefix(bare, []byte("- "))) {
				inside = -1
			}
			if key, isKey := bytes.CutSuffix(bytes.TrimSpace(bare), []byte(":")); inside < 0 && isKey && passOver(string(scan.Clip(key, 40)), indent) {
				text = append(text, part...)
				inside = indent
				part = nil
			}
		}
		ended := len(part) > 0 && part[len(part)-1] == '\n'
		switch {
		case inside < 0:
			text = append(text, part...)
		case ended:
			text = append(text, '\n')
		}
		beginning = ended || part == nil
		if len(text) > maxYAML {
			return nil, errYAMLSize
		}
		if err == io.EOF {
			return text, nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return nil, err
		}
	}
}

// yamlWriter writes nodes of YAML as JSON.
type yamlWriter struct {
	json  []byte
	line  int // of the next byte
	lines int // of the file
	nodes int
}

// goTo writes line ends up to the line of a node. A space keeps what follows from
// looking like a document of its own.
func (y *yamlWriter) goTo(line int) {
	for y.line < min(line, y.lines) {
		y.json = append(y.json, '\n')
		y.line++
	}
	y.json = append(y.json, ' ')
}

func (y *yamlWriter) node(n *yaml.Node, depth int) {
	if y.nodes++; y.nodes > maxYAMLNodes || depth > maxYAMLDepth {
		y.json = append(y.json, "null"...)
		return
	}
	y.goTo(n.Line)
	switch n.Kind {
	case yaml.MappingNode:
		y.json = append(y.json, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				y.json = append(y.json, ',')
			}
			y.goTo(n.Content[i].Line)
			y.text(n.Content[i].Value)
			y.json = append(y.json, ':')
			y.node(n.Content[i+1], depth+1)
		}
		y.json = append(y.json, '}')
	case yaml.SequenceNode:
		y.json = append(y.json, '[')
		for i, entry := range n.Content {
			if i > 0 {
				y.json = append(y.json, ',')
			}
			y.node(entry, depth+1)
		}
		y.json = append(y.json, ']')
	case yaml.AliasNode:
		y.node(n.Alias, depth+1)
	default:
		y.scalar(n)
	}
}

func (y *yamlWriter) scalar(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!null":
		y.json = append(y.json, "null"...)
		return
	case "!!bool":
		y.json = append(y.json, strings.ToLower(n.Value)...)
		return
	case "!!int", "!!float":
		if _, ok := scan.ParseFigure([]byte(n.Value), 0); ok {
			y.json = append(y.json, n.Value...)
			return
		}
	}
	y.text(n.Value)
}

func (y *yamlWriter) text(s string) {
	quoted, _ := json.Marshal(strings.ToValidUTF8(s, "\ufffd")) // a string always can be
	y.json = append(y.json, quoted...)
}
