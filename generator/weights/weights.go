// Package weights reads what a model's own files say about its size: config.json of Hugging Face transformers, the
// index and the headers of safetensors, and the header of GGUF. It never reads the tensors themselves, so a file
// truncated after its header is sufficient.
//
// A value is reported only if the files determine it. Values that depend on a family's architecture are computed for
// the families known here.
//
//	facts, messages := weights.Read("/models/Qwen3-8B", "Qwen3-8B", []string{"config.json", "model.safetensors"})
//	facts.Bytes.Value // size of all weights
//	facts.ActiveBytes.Value // the part that one token reads
//	facts.Bytes.Pos // the file and line with that information
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

// Fact is a value and the position from which it was read or computed. The zero Fact means unknown.
type Fact[T comparable] struct {
	Value T
	Pos   result.Position
}

// Known reports whether the value is known.
func (f Fact[T]) Known() bool {
	var none T
	return f.Value != none
}

// Facts holds what the files of one model say.
type Facts struct {
	// Files lists the files that belong to a model, sorted. A file may be listed without contributing a fact.
	Files []string

	// Bytes is the size of all weights in bytes.
	Bytes Fact[int64]
	// ActiveBytes is the number of bytes read for one token of text. It excludes the table of input embeddings, of
	// which only one row is read, unless the table is also the output head. For a mixture of experts it includes only
	// the experts to which one token is routed. It excludes vision and audio parts and layers for multi-token
	// prediction.
	ActiveBytes Fact[int64]
	// Params is the number of parameters, and ActiveParams the number used for one token, including the embeddings, as
	// most model cards count.
	Params, ActiveParams Fact[int64]
	// KVBytesPerToken is the size of a token's keys and values in a cache of 16 bits, the default of the engines.
	KVBytesPerToken Fact[int64]
	// Context is the maximum context length in tokens.
	Context Fact[int64]
	// Quantization is the usual name of the quantization: BF16, AWQ, GPTQ-Int4, FP8, W4A16, NVFP4, Q4_K_M.
	Quantization Fact[string]
}

const (
	configName      = "config.json"
	quantConfigName = "hf_quant_config.json" // the quantization according to ModelOpt
	indexSuffix     = ".safetensors.index.json"
)

// IsFile reports whether a file may belong to a model, according to its name. Whether a config.json does is only known
// after Read.
func IsFile(name string) bool {
	return strings.HasSuffix(name, ".safetensors") || strings.HasSuffix(name, ".gguf") ||
		strings.HasSuffix(name, ".json") && (name == configName || name == quantConfigName || strings.HasSuffix(name, indexSuffix))
}

// Read reads the model's files in the folder dir, which is called name in positions. Of the files named, it ignores
// those for which IsFile is false. A file that cannot be read gives a warning, and the other files are still used. If
// the files belong to several models, nothing is known, and a message says so.
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
		// The config.json beside a GGUF file belongs to the model from which the GGUF was made.
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
	census      *census // of all safetensors files
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

// part matches the name of a file of several parts, such as model-00001-of-00005.safetensors.
var part = lazy.Regexp(`^(.+)-(\d{5})-of-(\d{5})\.(?:gguf|safetensors)$`)

// partsOf returns the names of all parts of the model to which a file belongs.
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

// maxJSON is the greatest size of a JSON file in bytes. The largest known index, of 90,000 tensors, has 9 MB.
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
