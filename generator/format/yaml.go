package format

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/benchpost/benchpost/generator/result"
)

// yamlFormat is a format that a tool also saves as JSON. It is told by the head of
// the file; then the YAML is written as JSON with every value in the line it had,
// and read as that.
type yamlFormat struct {
	name string
	head func(head []byte) bool
	// passOver tells which block of lines nothing is read from, by its key and how
	// far it is indented.
	passOver func(key string, indent int) bool
}

const (
	maxYAML      = 8 << 20 // bytes that are held, blocks that are passed over aside
	maxYAMLNodes = 1 << 20
	maxYAMLDepth = 100
)

// yaml reads the whole file as one document.
func (in *input) yaml(f *yamlFormat) {
	w := &in.window
	text, err := yamlBlocks(io.MultiReader(bytes.NewReader(bytes.Clone(w.buf[w.pos:w.end])), w.r), f.passOver)
	switch {
	case err == errYAMLSize:
		in.noResult(1, err.Error())
		return
	case err != nil:
		w.err = err
		return
	}
	cut := len(text) > 0 && text[len(text)-1] != '\n'
	if cut { // the last line may have lost some of it
		text = text[:bytes.LastIndexByte(text, '\n')+1]
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		in.noResult(1, "broken YAML: "+strings.TrimPrefix(err.Error(), "yaml: "))
		return
	}
	y := yamlWriter{line: 1, lines: bytes.Count(text, []byte("\n"))}
	for _, root := range document.Content {
		y.node(root, 0)
	}
	if y.nodes > maxYAMLNodes {
		in.noResult(1, errYAMLSize.Error())
		return
	}
	in.window = window{r: bytes.NewReader(y.json), buf: in.buf}
	in.document()
	for i := range in.out.Results {
		r := &in.out.Results[i]
		r.Format = f.name
		if cut && r.Status == result.Complete {
			r.Status = result.Partial
		}
	}
	if cut && len(in.out.Results) > 0 {
		in.message(y.lines, result.Warning, "format.cut-off", "the last line has no end",
			"the run may still be going on; what stands before is read")
	}
}

var errYAMLSize = errors.New("more YAML than can be held; save it as JSON")

// yamlBlocks reads a text and empties the lines of the blocks to pass over, so that
// the others keep their numbers.
func yamlBlocks(r io.Reader, passOver func(key string, indent int) bool) ([]byte, error) {
	lines := bufio.NewReaderSize(r, windowSize)
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
			if key, isKey := bytes.CutSuffix(bytes.TrimSpace(bare), []byte(":")); inside < 0 && isKey && passOver(string(clip(key, 40)), indent) {
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
		if _, ok := parseFigure([]byte(n.Value), 0); ok {
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
