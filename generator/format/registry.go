package format

import (
	"sync"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/format/llamacpp"
	"github.com/benchpost/benchpost/generator/format/loadgen"
	"github.com/benchpost/benchpost/generator/format/machine"
	"github.com/benchpost/benchpost/generator/format/nvidia"
	"github.com/benchpost/benchpost/generator/format/quality"
	"github.com/benchpost/benchpost/generator/format/telemetry"
	"github.com/benchpost/benchpost/generator/format/vllm"
)

// registry is the table of all formats, with indexes to find them. It does not change once it is built.
type registry struct {
	objectFormats []draft.ObjectFormat
	blockFormats  []draft.BlockFormat
	yamlFormats   []draft.YAMLFormat
	byKey         map[string][]int // the object formats to which a top-level key of an object may belong
	marks         *marks           // the marks of the block formats
	inputs        sync.Pool        // of *input
}

// builtin returns the registry of the built-in formats. It is built when the first file is read.
var builtin = sync.OnceValue(func() *registry { return newRegistry(families()...) })

// families returns the tables of all families.
func families() []draft.Formats {
	return []draft.Formats{vllm.Formats(), llamacpp.Formats(), nvidia.Formats(), loadgen.Formats(), quality.Formats(),
		telemetry.Formats(), machine.Formats(), ownFormats()}
}

// newRegistry joins the tables of the families.
func newRegistry(families ...draft.Formats) *registry {
	reg := &registry{byKey: map[string][]int{}, marks: newMarks()}
	for _, f := range families {
		reg.objectFormats = append(reg.objectFormats, f.Objects...)
		reg.blockFormats = append(reg.blockFormats, f.Blocks...)
		reg.yamlFormats = append(reg.yamlFormats, f.Yaml...)
	}
	for i, f := range reg.objectFormats {
		for _, key := range f.Keys {
			reg.byKey[key] = append(reg.byKey[key], i)
		}
	}
	for i, f := range reg.blockFormats {
		for _, text := range f.Marks {
			reg.marks.add(text, i)
		}
	}
	reg.marks.prepare()
	n := len(reg.blockFormats)
	reg.inputs.New = func() any {
		in := &input{File: draft.NewFile(), registry: reg, readers: make([]draft.LineReader, n), begun: newSet(n), marked: newSet(n), awake: newSet(n)}
		in.open = in.others.open
		return in
	}
	return reg
}

// recognise returns the index of an object's format, or -1.
func (reg *registry) recognise(v *scan.Value) int {
	for child := range v.Children() {
		for _, i := range reg.byKey[child.Key] {
			if f := &reg.objectFormats[i]; f.Is == nil || f.Is(v) {
				return i
			}
		}
	}
	return -1
}
