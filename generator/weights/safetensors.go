package weights

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// readTensors reads the size of the weights: from the headers of all files of the model if they are present, otherwise
// from the index.
func (r *reader) readTensors(files, indexes []string) {
	files = slices.DeleteFunc(slices.Clone(files), func(file string) bool { return strings.HasPrefix(file, "adapter_") })
	if others := slices.DeleteFunc(slices.Clone(files), isConsolidated); len(others) > 0 {
		files = others
	}
	if len(indexes) > 1 {
		r.ambiguous(indexes[0], indexes[1])
		return
	}
	var names []string
	switch {
	case len(indexes) == 1:
		index, err := r.readIndex(indexes[0])
		if err != nil {
			r.broken(indexes[0], err)
			return
		}
		r.facts.Bytes = index.size
		names = index.files
	case len(files) > 0:
		names = partsOf(files[0])
		if i := slices.IndexFunc(files, func(file string) bool { return !slices.Contains(names, file) }); i >= 0 {
			r.ambiguous(files[0], files[i])
			return
		}
	}
	if len(names) == 0 || len(files) == 0 {
		return
	}
	if name, is := missing(names, files); is {
		r.incomplete(files[0], name)
		return
	}
	var layers int64 = math.MaxInt64
	if r.config != nil {
		layers = r.config.Layers
	}
	var c census
	for _, name := range names {
		if err := r.readSafetensors(name, layers, &c); err != nil {
			r.broken(name, err)
			return
		}
	}
	r.census = &c
	r.facts.Bytes = Fact[int64]{c.totalBytes(), r.at(names[0], 0)}
}

// isConsolidated reports whether a file has the weights in the layout of the publisher's own code. Repositories of
// Mistral and Meta contain these in addition to the same weights in the layout of transformers, so counting both would
// double the size.
func isConsolidated(file string) bool { return strings.HasPrefix(file, "consolidated") }

// index is the content of model.safetensors.index.json.
type index struct {
	size  Fact[int64]
	files []string // sorted, without duplicates
}

func (r *reader) readIndex(file string) (index, error) {
	data, err := r.load(file)
	if err != nil {
		return index{}, err
	}
	var content struct {
		Metadata struct {
			Size json.Number `json:"total_size"`
		}
		Files map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(data, &content); err != nil {
		return index{}, err
	}
	var x index
	if content.Metadata.Size != "" {
		// Some tools write the size as a float.
		size, err := strconv.ParseFloat(string(content.Metadata.Size), 64)
		if err != nil || size < 1 || size > 1<<53 || size != math.Trunc(size) {
			return index{}, locale.Errorf("total_size %s is not a size", content.Metadata.Size)
		}
		x.size = Fact[int64]{int64(size), r.at(file, keyLines(data)["metadata.total_size"])}
	}
	for _, name := range content.Files {
		x.files = append(x.files, name)
	}
	slices.Sort(x.files)
	x.files = slices.Compact(x.files)
	return x, nil
}

func (r *reader) readSafetensors(file string, layers int64, c *census) error {
	f, size, err := r.open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return safetensors(f, size, func(t tensor) error { return c.add(t, placeInTransformers(t.name, layers)) })
}

// maxHeader is the format's limit for a header in bytes.
const maxHeader = 100_000_000

// bitsOf maps the data types of safetensors to bits per element.
var bitsOf = map[string]int64{
	"F64": 64, "F32": 32, "F16": 16, "BF16": 16,
	"I64": 64, "I32": 32, "I16": 16, "I8": 8, "U64": 64, "U32": 32, "U16": 16, "U8": 8, "BOOL": 8,
	"F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F6_E2M3": 6, "F6_E3M2": 6, "F4": 4,
}

// safetensors passes on the tensors of a header. A header is its length in 8 bytes, then a JSON object with dtype,
// shape and data offsets of each tensor (https://huggingface.co/docs/safetensors). Size is that of the whole file.
func safetensors(r io.Reader, size int64, add func(tensor) error) error {
	var length [8]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return locale.Errorf("the file ends before the header's length")
	}
	if bytes.Equal(length[:], []byte("version ")) {
		return locale.Errorf("a Git LFS pointer, not the file itself")
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader {
		return locale.Errorf("a header of %d bytes, where the format allows %d", n, maxHeader)
	}
	if int64(n) > size-8 {
		return locale.Errorf("the file ends inside its header, after %d of %d bytes", size-8, n)
	}
	d := json.NewDecoder(io.LimitReader(r, int64(n)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return locale.Errorf("the header is not a JSON object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return locale.Errorf("the header is not JSON: %s", err)
		}
		name := key.(string) // the decoder guarantees that keys are strings
		if name == "__metadata__" {
			var words json.RawMessage
			if err := d.Decode(&words); err != nil {
				return locale.Errorf("the header is not JSON: %s", err)
			}
			continue
		}
		var entry struct {
			Dtype   string    `json:"dtype"`
			Shape   []uint64  `json:"shape"`
			Offsets [2]uint64 `json:"data_offsets"`
		}
		if err := d.Decode(&entry); err != nil {
			return locale.Errorf("the tensor %s: %s", shorten(name), err)
		}
		elements, ok := multiply(entry.Shape...)
		if !ok || entry.Offsets[0] > entry.Offsets[1] || entry.Offsets[1] > math.MaxInt64 {
			return locale.Errorf("the tensor %s has no size", shorten(name))
		}
		t := tensor{name: name, rank: len(entry.Shape), elements: elements, bytes: int64(entry.Offsets[1] - entry.Offsets[0]), dtype: narrow}
		if bits, ok := bitsOf[entry.Dtype]; ok && (elements > math.MaxInt64/bits || (elements*bits+7)/8 != t.bytes) {
			return locale.Errorf("the tensor %s of %d %s takes %d bytes", shorten(name), elements, entry.Dtype, t.bytes)
		}
		switch entry.Dtype {
		case "F16", "BF16":
			t.dtype = half
		case "F32", "F64":
			t.dtype = wide
		}
		if err := add(t); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return locale.Errorf("the header is not JSON: %s", err)
	}
	return nil
}

// shorten truncates and quotes a name for a message.
func shorten(name string) string {
	if len(name) > 80 {
		name = name[:80] + "…"
	}
	return strconv.Quote(name)
}
