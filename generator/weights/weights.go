// Package weights reads what a model's own files say of its size: config.json
// as Hugging Face transformers writes it, the index and the headers of
// safetensors, and the header of GGUF. The tensors themselves are never read,
// so that a file cut off behind its header serves as well as the whole one.
//
// A figure is reported only when the files settle it. What depends on a family's
// architecture is computed for families whose architecture is known here.
//
//	facts, messages := weights.Read("/models/Qwen3-8B", "Qwen3-8B", []string{"config.json", "model.safetensors"})
//	facts.Bytes.Value        // 16381470720, of all weights
//	facts.ActiveBytes.Value  // what one token reads of them
//	facts.Bytes.Pos          // the file and line that say so
package weights

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Fact is a value and the place it was read from or computed from. The zero
// Fact is not known.
type Fact[T comparable] struct {
	Value T
	Pos   result.Position
}

// Known reports whether the files gave the value.
func (f Fact[T]) Known() bool {
	var none T
	return f.Value != none
}

// Facts is what the files of one model say.
type Facts struct {
	// Files are the names that were taken for a model's, sorted. A file can
	// be one without a fact.
	Files []string

	// Bytes is the size of all weights.
	Bytes Fact[int64]
	// ActiveBytes is the part read for one token of text: without the table
	// of input embeddings, of which one row is read, unless the output head is
	// the same table; of a mixture of experts the experts one token goes to;
	// without vision and audio parts and layers for multi-token prediction.
	ActiveBytes Fact[int64]
	// Params counts the parameters, and ActiveParams those one token goes
	// through, the embeddings with them, as most model cards count.
	Params, ActiveParams Fact[int64]
	// KVBytesPerToken is what the cache of keys and values holds for a token
	// in 16 bits, the default of the engines.
	KVBytesPerToken Fact[int64]
	// Context is the longest context in tokens.
	Context Fact[int64]
	// Quantization is named as the field does: BF16, AWQ, GPTQ-Int4, FP8,
	// W4A16, NVFP4, Q4_K_M.
	Quantization Fact[string]
}

const (
	configName      = "config.json"
	quantConfigName = "hf_quant_config.json" // where ModelOpt says how it quantised
	indexSuffix     = ".safetensors.index.json"
)

// IsFile reports by its name whether a file may be one of a model's. Whether a
// config.json is one, only Read finds out.
func IsFile(name string) bool {
	return strings.HasSuffix(name, ".safetensors") || strings.HasSuffix(name, ".gguf") ||
		strings.HasSuffix(name, ".json") && (name == configName || name == quantConfigName || strings.HasSuffix(name, indexSuffix))
}

// Read reads the model's files in the folder dir, which positions call name.
// Of the files named, those are left alone that are none by IsFile. What
// cannot be read is a warning, and what the others say still counts. Where the
// files are of several models nothing is known, and a message says so.
func Read(dir, name string, files []string) (Facts, []result.Message) {
	r := reader{dir: dir, name: name}
	var ggufs, tensors, indexes []string
	for _, file := range slices.Sorted(slices.Values(files)) {
		switch {
		case strings.HasSuffix(file, ".gguf"):
			ggufs = append(ggufs, file)
		case strings.HasSuffix(file, ".safetensors"):
			tensors = append(tensors, file)
		case strings.HasSuffix(file, indexSuffix):
			indexes = append(indexes, file)
		case file == configName:
			r.readConfig()
		case file == quantConfigName:
			r.readQuantConfig()
		}
	}
	r.facts.Files = slices.Sorted(slices.Values(slices.Concat(r.facts.Files, ggufs, tensors, indexes)))
	switch {
	case len(ggufs) > 0 && len(tensors)+len(indexes) > 0:
		r.ambiguous(ggufs[0], slices.Concat(tensors, indexes)[0])
	case len(ggufs) > 0:
		// The config.json beside a GGUF is that of the model it was made of.
		r.readGGUFs(ggufs)
	default:
		r.readTensors(tensors, indexes)
		r.tellConfig()
	}
	return r.facts, r.messages
}

// reader reads the files of one folder.
type reader struct {
	dir, name string
	facts     Facts
	messages  []result.Message

	config      *config
	quantConfig *quantConfig
	census      *census // of safetensors, all of them
}

func (r *reader) at(file string, line int) result.Position {
	return result.Position{File: path.Join(r.name, file), Line: line}
}

// broken reports a file that cannot be read.
func (r *reader) broken(file string, err error) {
	r.messages = append(r.messages, result.Message{Pos: r.at(file, 0), Severity: result.Warning, ID: "weights.broken",
		Text: locale.Textf("the model's size cannot be read: %s", result.Reason(err)), Hint: locale.Textf("fetch the file again, or remove it")})
}

func (r *reader) ambiguous(a, b string) {
	r.messages = append(r.messages, result.Message{Pos: r.at(a, 0), Severity: result.Info, ID: "weights.ambiguous",
		Text: locale.Textf("this and %s are of different models, so the size of the one that ran is not known", b),
		Hint: locale.Textf("give each model a folder with its runs, or declare weight_size in run.toml")})
}

func (r *reader) incomplete(file, missing string) {
	r.messages = append(r.messages, result.Message{Pos: r.at(file, 0), Severity: result.Info, ID: "weights.incomplete",
		Text: locale.Textf("%s belongs to this and is missing, so the tensors do not give the size of the model", missing),
		Hint: locale.Textf("the headers are enough: a copy of the first megabytes of each file")})
}

// part is how a file of several is named, as model-00001-of-00005.safetensors.
var part = lazy.Regexp(`^(.+)-(\d{5})-of-(\d{5})\.(?:gguf|safetensors)$`)

// partsOf returns the names of all files that belong with the one named.
func partsOf(file string) []string {
	m := part().FindStringSubmatch(file)
	if m == nil {
		return []string{file}
	}
	all, _ := strconv.Atoi(m[3])
	names := []string{fmt.Sprintf("%s-00001-of-%s%s", m[1], m[3], path.Ext(file))}
	for n := 2; n <= all; n++ {
		names = append(names, fmt.Sprintf("%s-%05d-of-%s%s", m[1], n, m[3], path.Ext(file)))
	}
	return names
}

// missing returns the first name that is not among the files.
func missing(names, files []string) (string, bool) {
	i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(files, name) })
	if i < 0 {
		return "", false
	}
	return names[i], true
}

// open opens a file of the folder and returns its size.
func (r *reader) open(file string) (*os.File, int64, error) {
	f, err := os.Open(filepath.Join(r.dir, file))
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = locale.Errorf("not a regular file")
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// maxJSON bounds the JSON files that are read whole. The largest known index,
// of 90,000 tensors, takes 9 MB.
const maxJSON = 64 << 20

// load reads a JSON file.
func (r *reader) load(file string) ([]byte, error) {
	f, size, err := r.open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxJSON {
		return nil, locale.Errorf("%d bytes are more than any model has", size)
	}
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if n < len(data) {
		return nil, cmp.Or(err, locale.Errorf("the file has changed"))
	}
	return data, nil
}
