package format

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

const (
	maxYAML      = 8 << 20 // bytes kept, without the skipped blocks
	maxWholeYAML = 2 << 20 // bytes of a file that is also kept whole
)

// yaml reads the whole file as one document.
func (in *input) yaml(f *draft.YAMLFormat) {
	w := &in.window
	whole, text, err := yamlBlocks(io.MultiReader(bytes.NewReader(bytes.Clone(w.Buf[w.Pos:w.End])), w.R), f.PassOver)
	switch {
	case err == errYAMLSize:
		in.NoResultOf(unread.TooLarge, 1, locale.Reason(err))
		return
	case err != nil:
		w.Err = err
		return
	}
	cut := len(text) > 0 && text[len(text)-1] != '\n' && !endsQuoted(text)
	if cut { // the last line may be incomplete
		whole, text = whole[:bytes.LastIndexByte(whole, '\n')+1], text[:bytes.LastIndexByte(text, '\n')+1]
	}
	var document yaml.Node
	err = yaml.Unmarshal(whole, &document)
	if err != nil || len(whole) == 0 { // too large, or broken in a block that can be skipped
		document = yaml.Node{}
		err = yaml.Unmarshal(text, &document)
	}
	if err != nil {
		in.NoResultOf(unread.Damaged, 1, locale.Textf("broken YAML: %s", strings.TrimPrefix(err.Error(), "yaml: ")))
		return
	}
	in.yamlDocuments(&document, 0, cut)
	for i := range in.Out.Results {
		r := &in.Out.Results[i]
		r.Format = f.Name
		if cut && r.Status == result.Complete {
			r.Status = result.Partial
		}
	}
	if cut && len(in.Out.Results) > 0 {
		in.Message(bytes.Count(text, []byte("\n")), result.Warning, "format.cut-off", locale.Textf("the last line has no end"),
			locale.Textf("the run may still be in progress; the part before it is read"))
	}
}

// endsQuoted reports whether a text ends with a value in closed quotes, which is complete.
func endsQuoted(text []byte) bool {
	last := text[len(text)-1]
	_, value, ok := bytes.Cut(text[bytes.LastIndexByte(text, '\n')+1:], []byte(": "))
	return ok && len(value) > 1 && (last == '\'' || last == '"') && value[0] == last && bytes.Count(value, value[:1]) == 2
}

// yamlFence collects a block of YAML in a Markdown page.
type yamlFence struct {
	open bool
	from int // line number of the opening fence
	text []byte
}

const maxFence = 256 << 10 // maximum bytes of a block

// line handles a line of a page that opens, is inside, or closes a block. When a block is closed, it is read if it is a
// report of a known format.
func (f *yamlFence) line(in *input, l scan.Line) {
	if !f.open && (len(l.Text) < 6 || l.Text[len(l.Text)-1] != 'l') {
		return
	}
	bare := bytes.TrimLeft(l.Text, " ")
	switch {
	case !f.open:
		f.open, f.from, f.text = string(bare) == "```yaml" || string(bare) == "```yml", l.Number, f.text[:0]
	case bytes.HasPrefix(bare, []byte("```")):
		f.open = false
		in.fencedYAML(f.text, f.from)
	case len(f.text) > maxFence:
		f.open = false
	default:
		f.text = append(append(f.text, l.Text...), '\n')
	}
}

// fencedYAML reads a block of a page. before is the number of lines of the page before the block.
func (in *input) fencedYAML(block []byte, before int) {
	indent := len(block) - len(bytes.TrimLeft(block, " "))
	text := bytes.ReplaceAll(append([]byte("\n"), block...), append([]byte("\n"), bytes.Repeat([]byte(" "), indent)...), []byte("\n"))[1:]
	for i := range in.yamlFormats {
		var document yaml.Node
		if !in.yamlFormats[i].Head(scan.Clip(text, headSize)) || yaml.Unmarshal(text, &document) != nil {
			continue
		}
		results := len(in.Out.Results)
		in.yamlDocuments(&document, before, false)
		for j := range in.Out.Results[results:] {
			in.Out.Results[results+j].Format = in.yamlFormats[i].Name
		}
		return
	}
}

// yamlDocuments passes the documents of a YAML text to the readers of their formats. before is the number of lines
// before the text. If the text is cut, the last document is marked as broken off.
func (in *input) yamlDocuments(document *yaml.Node, before int, cut bool) {
	o := newObjects(in, 1)
	for _, root := range document.Content {
		documents := []*yaml.Node{root}
		if root.Kind == yaml.SequenceNode {
			documents = root.Content
		}
		for _, n := range documents {
			in.Memory.Forget()
			y := scan.NewYAML(in.Memory, before)
			v := y.Value(n, nil)
			if cut && n == documents[len(documents)-1] {
				v.BreakOff()
			}
			if y.TooLarge() {
				in.NoResultOf(unread.TooLarge, 1, locale.Reason(errYAMLSize))
				return
			}
			if v.Kind == '{' && (in.mapping != nil || in.recognise(v) >= 0) {
				o.take(v, nil, true)
			}
		}
	}
}

var errYAMLSize = locale.Errorf("the YAML is too large; save it as JSON")

// yamlBlocks reads a text and empties the lines of the skipped blocks, so that the other lines keep their numbers. For
// a short text it also returns the whole text.
func yamlBlocks(r io.Reader, passOver func(key string, indent int) bool) (whole, text []byte, err error) {
	lines := bufio.NewReaderSize(r, scan.WindowSize)
	inside := -1      // indentation of the skipped block's key; -1 outside of such a block
	beginning := true // at the beginning of a line
	for {
		part, err := lines.ReadSlice('\n')
		if len(whole) <= maxWholeYAML {
			whole = append(whole, part...)
		}
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
			return nil, nil, errYAMLSize
		}
		if err == io.EOF {
			if len(whole) > maxWholeYAML {
				whole = nil
			}
			return whole, text, nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return nil, nil, err
		}
	}
}
