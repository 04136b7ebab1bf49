package weights

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// readGGUFs reads the single model in the GGUF files. It ignores projectors of multimodal models, and adapters.
func (r *reader) readGGUFs(files []string) {
	model := "" // first file of the model
	for _, file := range files {
		parts := partsOf(file)
		if name, is := missing(parts, files); is {
			r.incomplete(file, name)
			return
		}
		if file != parts[0] {
			continue // read together with the first part
		}
		meta, all, err := r.readGGUF(file, nil)
		if err != nil {
			r.broken(file, err)
			return
		}
		if kind := meta.text["general.type"]; kind != "" && kind != "model" || meta.text["general.architecture"] == "clip" {
			continue
		}
		if model != "" {
			r.facts = Facts{Files: r.facts.Files}
			r.ambiguous(model, file)
			return
		}
		model = file
		for _, next := range parts[1:] {
			_, c, err := r.readGGUF(next, meta)
			if err == nil {
				err = all.merge(c)
			}
			if err != nil {
				r.broken(next, err)
				return
			}
		}
		r.tellGGUF(file, meta, all)
	}
}

// tellGGUF sets the facts of a model from its metadata and tensors.
func (r *reader) tellGGUF(file string, meta *ggufMeta, c *census) {
	pos := r.at(file, 0)
	f := &r.facts
	f.Bytes = Fact[int64]{c.totalBytes(), pos}
	f.Params = Fact[int64]{c.totalElements(), pos}
	if experts := (routing{meta.arch("expert_used_count"), meta.arch("expert_count")}); c.settled(experts) {
		f.ActiveBytes = Fact[int64]{c.activeBytes(experts), pos}
		f.ActiveParams = Fact[int64]{c.activeElements(experts), pos}
	}
	if context := meta.arch("context_length"); context > 0 {
		f.Context = Fact[int64]{context, pos}
	}
	if kv := meta.kvBytes(); kv > 0 {
		f.KVBytesPerToken = Fact[int64]{kv, pos}
	}
	if name := fileTypes[meta.number["general.file_type"]]; name != "" {
		f.Quantization = Fact[string]{name, pos}
	}
}

// readGGUF reads one file. For a further part of a model it needs the metadata of the first part.
func (r *reader) readGGUF(file string, first *ggufMeta) (*ggufMeta, *census, error) {
	f, _, err := r.open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return gguf(f, first)
}

// merge adds the sums of another file of the model.
func (c *census) merge(other *census) error {
	for at := range places {
		if !other.has[at] {
			continue
		}
		if err := c.add(tensor{bytes: other.bytes[at], elements: other.elements[at]}, at); err != nil {
			return err
		}
	}
	return nil
}

// ggufMeta holds the numbers and texts in the metadata of a model.
type ggufMeta struct {
	number map[string]int64
	text   map[string]string
	lists  map[string]bool // keys whose value is a list
}

// arch returns a number of the model's architecture, 0 if absent.
func (m *ggufMeta) arch(key string) int64 {
	return m.number[m.text["general.architecture"]+"."+key]
}

// layers returns the number of layers that a token passes: block_count without the layers for multi-token prediction.
func (m *ggufMeta) layers() int64 {
	return m.arch("block_count") - m.arch("nextn_predict_layers")
}

// kvBytes computes the bytes per token in a KV cache of 16 bits. It returns 0 unless each layer of the architecture
// caches the keys and values of every head.
func (m *ggufMeta) kvBytes() int64 {
	arch := m.text["general.architecture"]
	switch arch {
	case "llama", "qwen2", "qwen3", "qwen2moe", "qwen3moe":
	default:
		return 0
	}
	layers, heads, kvHeads := m.layers(), m.arch("attention.head_count"), m.arch("attention.head_count_kv")
	if m.lists[arch+".attention.head_count_kv"] || m.arch("attention.sliding_window") > 0 || heads <= 0 {
		return 0
	}
	if kvHeads == 0 {
		kvHeads = heads
	}
	key, value := m.arch("attention.key_length"), m.arch("attention.value_length")
	if key == 0 {
		key = m.arch("embedding_length") / heads
	}
	if value == 0 {
		value = key
	}
	for _, figure := range []int64{layers, kvHeads, key, value} {
		if figure < 1 || figure > 1<<14 {
			return 0
		}
	}
	return layers * kvHeads * (key + value) * 2
}

const (
	maxGGUFHeader = 256 << 20 // metadata and tensor list; vocabularies take several MB
	maxGGUFString = 64 << 10  // of names and keys that are kept
	maxGGUFDims   = 8         // ggml supports 4
)

// gguf reads the header of a GGUF file of version 2 or 3 (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md):
// metadata, then name, shape and type of each tensor. It keeps only numbers, short texts and sums of sizes, so memory
// does not grow with what a file claims to contain.
func gguf(r io.Reader, first *ggufMeta) (*ggufMeta, *census, error) {
	g := ggufScanner{r: bufio.NewReaderSize(io.LimitReader(r, maxGGUFHeader), 64<<10)}
	switch magic := string(g.take(4)); {
	case g.err != nil:
		return nil, nil, g.err
	case magic == "vers":
		return nil, nil, locale.Errorf("a Git LFS pointer, not the file itself")
	case magic != "GGUF":
		return nil, nil, locale.Errorf("not a GGUF file")
	}
	switch version := g.uint32(); {
	case g.err != nil:
		return nil, nil, g.err
	case version&0xffff == 0:
		return nil, nil, locale.Errorf("a GGUF file for big-endian machines")
	case version < 2 || version > 3:
		return nil, nil, locale.Errorf("GGUF version %d; 2 and 3 can be read", version)
	}
	tensors, entries := g.uint64(), g.uint64()
	meta := &ggufMeta{number: map[string]int64{}, text: map[string]string{}, lists: map[string]bool{}}
	for n := uint64(0); n < entries && g.err == nil; n++ {
		g.entry(meta)
	}
	if first == nil {
		first = meta
	}
	var c census
	layers := first.layers()
	for n := uint64(0); n < tensors && g.err == nil; n++ {
		t := g.tensor()
		if g.err == nil {
			g.err = c.add(t, placeInGGUF(t.name, layers))
		}
	}
	return meta, &c, g.err
}

// ggufScanner reads the parts of a header. After an error, all reads return zero.
type ggufScanner struct {
	r   *bufio.Reader
	buf [8]byte
	err error
}

// fail records the first error. An end of file, or of the reader's limit, becomes the error that the file ends inside
// its header.
func (g *ggufScanner) fail(err error) {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = locale.Errorf("the file ends inside its header")
	}
	if g.err == nil {
		g.err = err
	}
}

// take returns the next n bytes, at most 8.
func (g *ggufScanner) take(n int) []byte {
	clear(g.buf[:])
	if g.err == nil {
		if _, err := io.ReadFull(g.r, g.buf[:n]); err != nil {
			g.fail(err)
		}
	}
	return g.buf[:n]
}

func (g *ggufScanner) uint32() uint32 { return binary.LittleEndian.Uint32(g.take(4)) }
func (g *ggufScanner) uint64() uint64 { return binary.LittleEndian.Uint64(g.take(8)) }

// skip skips n bytes.
func (g *ggufScanner) skip(n uint64) {
	if n > maxGGUFHeader {
		g.fail(io.EOF)
	}
	if g.err == nil {
		if _, err := g.r.Discard(int(n)); err != nil {
			g.fail(err)
		}
	}
}

// string reads a string of limited length.
func (g *ggufScanner) string() string {
	n := g.uint64()
	if n > maxGGUFString {
		g.fail(locale.Errorf("a name of %d bytes", n))
	}
	if g.err != nil {
		return ""
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(g.r, data); err != nil {
		g.fail(err)
	}
	return string(data)
}

// Types of metadata values with a special encoding.
const (
	ggufString = 8
	ggufArray  = 9
)

// ggufSizes are the sizes of values in bytes by type; 0 for strings and arrays.
var ggufSizes = [...]uint64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, ggufString: 0, ggufArray: 0, 10: 8, 11: 8, 12: 8}

// entry reads one key with its value.
func (g *ggufScanner) entry(meta *ggufMeta) {
	key := g.string()
	kind := g.uint32()
	// The vocabulary of a tokenizer is most of the metadata and irrelevant for the size.
	kept := !strings.HasPrefix(key, "tokenizer.") && len(meta.number)+len(meta.text)+len(meta.lists) < 4096
	switch {
	case g.err != nil:
	case kind == ggufString && kept && key != "":
		n := g.uint64()
		if n > maxGGUFString {
			g.skip(n) // a license or a chat template
			return
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(g.r, data); g.err == nil && err != nil {
			g.fail(err)
		}
		meta.text[key] = string(data)
	case kind == ggufArray && kept:
		meta.lists[key] = true
		g.skipValue(kind, 0)
	case kind == 4 && kept: // UINT32
		meta.number[key] = int64(g.uint32())
	case kind == 5 && kept: // INT32
		meta.number[key] = int64(int32(g.uint32()))
	case kind == 10 && kept: // UINT64
		meta.number[key] = int64(min(g.uint64(), math.MaxInt64))
	default:
		g.skipValue(kind, 0)
	}
}

// skipValue skips a value of the given type.
func (g *ggufScanner) skipValue(kind uint32, depth int) {
	switch {
	case g.err != nil:
	case kind == ggufString:
		g.skip(g.uint64())
	case kind == ggufArray && depth < 4:
		of, n := g.uint32(), g.uint64()
		if of < uint32(len(ggufSizes)) && ggufSizes[of] > 0 {
			if n > maxGGUFHeader {
				g.fail(io.EOF)
			}
			g.skip(n * ggufSizes[of])
			return
		}
		for ; n > 0 && g.err == nil; n-- {
			g.skipValue(of, depth+1)
		}
	case kind < uint32(len(ggufSizes)) && ggufSizes[kind] > 0:
		g.skip(ggufSizes[kind])
	default:
		g.fail(locale.Errorf("metadata of the unknown type %d", kind))
	}
}

// tensor reads the entry of one tensor.
func (g *ggufScanner) tensor() tensor {
	t := tensor{name: g.string()}
	dims := g.uint32()
	if dims > maxGGUFDims {
		g.fail(locale.Errorf("the tensor %s has %d dimensions", shorten(t.name), dims))
	}
	sizes := make([]uint64, 0, maxGGUFDims)
	for n := uint32(0); n < dims && g.err == nil; n++ {
		sizes = append(sizes, g.uint64())
	}
	kind := g.uint32()
	g.uint64() // offset of the data
	if g.err != nil {
		return t
	}
	block, known := blocks[kind]
	if !known {
		g.fail(locale.Errorf("the tensor %s is of the unknown type %d", shorten(t.name), kind))
		return t
	}
	elements, ok := multiply(sizes...)
	if !ok || elements%block.elements != 0 || elements/block.elements > math.MaxInt64/block.bytes {
		g.fail(locale.Errorf("the tensor %s has no size", shorten(t.name)))
		return t
	}
	t.rank, t.elements, t.bytes = len(sizes), elements, elements/block.elements*block.bytes
	return t
}

// blocks describes the ggml types: a block has this many elements in this many bytes (GGML_QUANT_SIZES of gguf-py,
// llama.cpp).
var blocks = map[uint32]struct{ elements, bytes int64 }{
	0:  {1, 4},     // F32
	1:  {1, 2},     // F16
	2:  {32, 18},   // Q4_0
	3:  {32, 20},   // Q4_1
	6:  {32, 22},   // Q5_0
	7:  {32, 24},   // Q5_1
	8:  {32, 34},   // Q8_0
	10: {256, 84},  // Q2_K
	11: {256, 110}, // Q3_K
	12: {256, 144}, // Q4_K
	13: {256, 176}, // Q5_K
	14: {256, 210}, // Q6_K
	16: {256, 66},  // IQ2_XXS
	17: {256, 74},  // IQ2_XS
	18: {256, 98},  // IQ3_XXS
	19: {256, 50},  // IQ1_S
	20: {32, 18},   // IQ4_NL
	21: {256, 110}, // IQ3_S
	22: {256, 82},  // IQ2_S
	23: {256, 136}, // IQ4_XS
	24: {1, 1},     // I8
	25: {1, 2},     // I16
	26: {1, 4},     // I32
	27: {1, 8},     // I64
	28: {1, 8},     // F64
	29: {256, 56},  // IQ1_M
	30: {1, 2},     // BF16
	34: {256, 54},  // TQ1_0
	35: {256, 66},  // TQ2_0
	39: {32, 17},   // MXFP4
	40: {64, 36},   // NVFP4
}

// fileTypes maps general.file_type (llama_ftype in llama.h) to the name of the type that most tensors have.
var fileTypes = map[int64]string{
	1: "FP16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1",
	10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K",
	19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M",
	28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4", 39: "NVFP4",
}
