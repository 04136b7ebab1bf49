package vllm

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
)

// This file reports whose table vllmtext.go has read, from the lines around it.

// jetstream is the name of JetStream's benchmark, in which a rate of 0 stands for
// no limit.
const jetstream = "jetstream-serving"

// nameTool reports whose table it was. LMDeploy's is SGLang's of 2024 without a
// row for the concurrency cap.
func (t *serveText) nameTool(above *draft.Settings) {
	b := &t.block
	backend := t.Labels.Get("backend")
	switch {
	case b.offline:
		t.Tool, t.Format = "sglang-offline-throughput", "sglang-offline-throughput-text"
		t.Imply("engine", "sglang", b.start)
	case b.sglang && (above.Client == "lmdeploy" || b.uncapped && (b.modal || strings.HasPrefix(backend, "lmdeploy"))):
		t.Tool, t.Format = "lmdeploy", "lmdeploy-text"
	case b.sglang:
		t.Tool, t.Format = "sglang-serving", "sglang-serving-text"
	case !b.table && above.Client == jetstream:
		t.Tool, t.Format = jetstream, "jetstream-serving-text"
		t.Imply("engine", "jetstream", b.start)
	}
	if b.sglang {
		guessEngine(&t.Draft, backend, b.start)
	}
}

// guessEngine names the server from the interface that SGLang's client was reported
// to speak. It has one for each engine, but others speak some of them too.
func guessEngine(s *draft.Draft, backend string, line int) {
	for _, engine := range []struct{ prefix, name string }{
		{"sglang", "sglang"}, {"vllm", "vllm"}, {"lmdeploy", "lmdeploy"}, {"trt", "tensorrt-llm"},
	} {
		if strings.HasPrefix(backend, engine.prefix) {
			s.Guess("engine", engine.name, line)
		}
	}
}

// sglangDataset is what SGLang's client uses when no dataset is named; lengths of the
// random dataset are ignored then.
const sglangDataset = "sharegpt"

const maxOthers = 16 // commands that wait for their tables

// choose keeps the command of this block: the nearest above it that can have made it.
// Where several precede the first of their tables, those below the chosen one wait for
// the next tables. What the benchmark itself printed is of this run in any case.
func (t *serveText) choose(above *draft.Settings) {
	others := t.others
	t.others = nil
	if !above.Command || !t.contradicts(above) {
		return
	}
	last := *above
	last.List = slices.Clone(above.List[:above.Asked])
	printed := slices.Clone(above.List[above.Asked:])
	above.List = printed
	for i := len(others) - 1; i >= 0; i-- {
		if t.contradicts(&others[i]) {
			continue
		}
		*above = others[i]
		above.List = append(slices.Clone(others[i].List), printed...)
		t.above, t.others = last, others[i+1:]
		return
	}
}

// contradicts reports whether a command cannot have made this block, though it
// is the nearest above it.
func (t *serveText) contradicts(above *draft.Settings) bool {
	if t.block.start-above.Line > draft.MaxDistance {
		return true
	}
	command := draft.Settings{List: above.List[:above.Asked]}
	for _, name := range []string{"max_concurrency", "request_rate"} {
		measured, asked := cmp.Or(t.Labels.Get(name), above.Get(name)), command.Get(name)
		if measured != "" && asked != "" && measured != asked {
			return true
		}
	}
	if dataset := command.Get("dataset"); !t.block.sglang || dataset != "" {
		for _, s := range command.List {
			if (s.Label == "input_len" || s.Label == "output_len") && (s.Dataset == "" || dataset == "" || draft.IsDataset(dataset, s.Dataset)) &&
				(s.Dataset != "" || dataset != "") && draft.Refuted(&t.Draft, s.Label, s.Value) {
				return true
			}
		}
	}
	asked, ok := scan.ParseFigure([]byte(command.Get("num_prompts")), 0)
	completed, _ := t.Value("requests_completed")
	return ok && completed > asked.Value
}

// context takes a line outside of a block that says something about the run
// of the next one.
func (t *serveText) context(text []byte, l scan.Line) {
	if t.above.Continued {
		t.above.ReadCommand(t.In, bytes.TrimPrefix(bytes.TrimSpace(text), []byte("> ")), l.Number)
		t.above.Asked = len(t.above.List)
		return
	}
	if i := draft.Namespace(text); i >= 0 {
		t.above.Reset(l.Number)
		if bytes.HasPrefix(text[i:], []byte("server=")) {
			t.above.Client = jetstream
		}
		t.above.ReadNamespace(t.In, text[i:], l.Number)
		return
	}
	if i := draft.CommandFlags(text, draft.ServeCommands); i >= 0 {
		if t.above.Command && len(t.others) < maxOthers {
			waits := t.above
			waits.List = slices.Clone(waits.List[:waits.Asked])
			t.others = append(t.others, waits)
		}
		t.above.Reset(l.Number)
		t.above.Command = true
		if bytes.Contains(text, []byte("profile_restful_api.py")) {
			t.above.Client = "lmdeploy"
		}
		t.above.ReadCommand(t.In, text[i:], l.Number)
		t.above.Asked = len(t.above.List)
		return
	}
	if !t.block.open {
		t.clientLine(bytes.TrimSpace(text), l)
	}
	colon := bytes.IndexByte(text, ':')
	if colon < 0 {
		return
	}
	for _, c := range ContextLines {
		if bytes.HasSuffix(text[:colon], []byte(c.Label)) {
			if t.above.Line == 0 {
				t.above.Reset(l.Number)
			}
			value, _ := shell.Word(text[colon+1:])
			t.above.Set(t.In, []byte(c.Argument), value, l.Number)
			return
		}
	}
	if !t.block.open && bytes.HasPrefix(bytes.TrimSpace(text), requestsMark) {
		t.open(l.Number)
		t.row(text, l)
	}
}

// clientLine takes what one client alone prints around its results.
func (t *serveText) clientLine(text []byte, l scan.Line) {
	warmup := bytes.HasPrefix(text, []byte("Warm up start:")) || bytes.HasPrefix(text, []byte("Starting ")) && bytes.HasSuffix(text, []byte(" warmup:"))
	if warmup || isJetStream(text) {
		if t.above.Line == 0 {
			t.above.Reset(l.Number)
		}
		t.above.Client = jetstream
		t.above.Warmup = warmup
		return
	}
	rate, ok := bytes.CutPrefix(text, correctMark)
	results := t.In.Out.Results
	last := len(results) - 1
	if !ok || !l.Ended || last < 0 || results[last].Format != t.Format || results[last].Source.Line != t.Start ||
		l.Number-results[last].EndLine > draft.MaxGap {
		return
	}
	if t.Number("x_correct_rate", "%", string(correctMark), bytes.TrimSpace(rate), l.Number) {
		t.In.Out.Results = results[:last]
		t.Emit(l.Number, results[last].Status == result.Complete)
	}
}

// isJetStream recognises what JetStream's benchmark prints above its results.
func isJetStream(text []byte) bool {
	return bytes.HasPrefix(text, []byte("len(sampled_indices)=")) || bytes.HasPrefix(text, []byte("Mean output size:"))
}

// ContextLines are printed before the run, whatever the arguments' defaults.
var ContextLines = []struct{ Label, Argument string }{
	{"Traffic request rate", "request_rate"},
	{"Burstiness factor", "burstiness"},
	{"Maximum request concurrency", "max_concurrency"},
}
