package rundir

import (
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/weights"
)

// model holds what the files of a model say about the runs beside and below them.
type model struct {
	labels       result.Labels // sizes and quantization, all of origin derived
	quantization string        // according to the files
}

// readModel reads the files of a model in a folder. It returns them with the model, or nil when there are none.
func (l *loader) readModel(in *folder, rel string, entries []fs.DirEntry) (*model, []string) {
	var names []string
	for _, e := range entries {
		if weights.IsFile(e.Name()) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	if names == nil {
		return nil, nil
	}
	facts, messages := weights.Read(l.path(rel), l.called(rel), names)
	if len(facts.Files) == 0 {
		return nil, nil
	}
	in.messages = append(in.messages, messages...)
	m := &model{quantization: facts.Quantization.Value}
	label := func(name string, known bool, value string, pos result.Position) {
		if known {
			m.labels.Set(result.Label{Name: name, Value: value, Origin: result.Derived, Pos: pos})
		}
	}
	billions := func(f weights.Fact[int64]) string { return figure(float64(f.Value) / 1e9) }
	label("weight_size", facts.Bytes.Known(), billions(facts.Bytes)+" GB", facts.Bytes.Pos)
	label("active_weight_size", facts.ActiveBytes.Known(), billions(facts.ActiveBytes)+" GB", facts.ActiveBytes.Pos)
	label("params", facts.Params.Known(), billions(facts.Params)+" G", facts.Params.Pos)
	fewer := facts.ActiveParams.Known() && facts.ActiveParams.Value < facts.Params.Value
	label("active_params", fewer, billions(facts.ActiveParams)+" G", facts.ActiveParams.Pos)
	kv := facts.KVBytesPerToken
	label("kv_cache_per_token", kv.Known(), strconv.FormatInt(kv.Value, 10)+" B", kv.Pos)
	label("quantization", facts.Quantization.Known(), facts.Quantization.Value, facts.Quantization.Pos)
	return m, facts.Files
}

// figure formats a positive number with four significant digits.
func figure(v float64) string {
	const significant = 4
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', significant-1, 64), 64)
	decimals := significant - 1 - int(math.Floor(math.Log10(rounded)))
	return strconv.FormatFloat(rounded, 'f', max(decimals, 0), 64)
}

// extend returns the labels declared for a file with those of the model. What is
// declared wins, and what is only guessed gives way.
func (m *model) extend(declared result.Labels) result.Labels {
	if m == nil {
		return declared
	}
	return level{labels: m.labels}.extend(declared)
}

// fit removes from the labels of a result the sizes that do not apply to what ran: an engine may quantise a 16-bit
// model, or its KV cache, while loading.
func (m *model) fit(labels result.Labels) result.Labels {
	if m == nil {
		return labels
	}
	ran, known := labels.Lookup("quantization")
	converted := known && ran.Origin > result.Derived && m.quantization != "" && has16Bits(m.quantization) && !has16Bits(ran.Value)
	cache, known := labels.Lookup("kv_cache_dtype")
	smallCache := known && !strings.EqualFold(cache.Value, "auto") && !has16Bits(cache.Value)
	return slices.DeleteFunc(labels, func(l result.Label) bool {
		switch l.Name {
		case "weight_size", "active_weight_size":
			return converted && l.Origin == result.Derived
		case "kv_cache_per_token":
			return smallCache && l.Origin == result.Derived
		}
		return false
	})
}

// has16Bits reports whether a data type or quantization leaves values in 16 bits.
func has16Bits(name string) bool {
	switch strings.ToLower(name) {
	case "bf16", "fp16", "f16", "bfloat16", "float16", "half", "none":
		return true
	}
	return false
}
