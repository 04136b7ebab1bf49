package vllm

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/shell"
)

// This file finds out which tool printed the table that servetext.go has read, from the lines around the table.

// jetstream is the name of JetStream's benchmark. In it, a rate of 0 means no limit.
const jetstream = "jetstream-serving"

// nameTool sets the tool that printed the table. LMDeploy prints SGLang's table of 2024 without a row for the
// concurrency cap.
func (t *serveText) nameTool(above *draft.Settings) {
	b := &t.block
	backend := t.Labels.Get("backend")
	switch {
	case b.offline:
		t.Tool, t.Format = "sglang-offline-throughput", "sglang-offline-throughput-text"
		t.Imply("engine", "sglang", b.start)
	case b.sglang && (t.isLMDeploy() || b.uncapped && (b.modal || strings.HasPrefix(backend, "lmdeploy"))):
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

// isLMDeploy reports whether the command above the block runs LMDeploy's client.
func (t *serveText) isLMDeploy() bool {
	command := t.commands.Last(t.block.start)
	return command != nil && strings.HasSuffix(command.Program, "profile_restful_api.py")
}

// guessEngine guesses the server's engine from the backend of SGLang's client. The client has a backend for each
// engine, but other engines also speak some of these protocols.
func guessEngine(s *draft.Draft, backend string, line int) {
	for _, engine := range []struct{ prefix, name string }{
		{"sglang", "sglang"}, {"vllm", "vllm"}, {"lmdeploy", "lmdeploy"}, {"trt", "tensorrt-llm"},
	} {
		if strings.HasPrefix(backend, engine.prefix) {
			s.Guess("engine", engine.name, line)
		}
	}
}

// sglangDataset is the dataset that SGLang's client uses by default. The client ignores the lengths of the random
// dataset then.
const sglangDataset = "sharegpt"

// newServeCommands returns the settings for reading the commands of serving benchmarks.
func newServeCommands() draft.Commands {
	return draft.Commands{Names: draft.ServeCommands,
		Default: func(d *draft.Draft, s *draft.Settings) string {
			if grewFromSGLang(d) {
				return sglangDataset
			}
			return ""
		},
		Mismatch: func(d *draft.Draft, s *draft.Settings) bool {
			return grewFromSGLang(d) && s.Program == "bench serve" || !grewFromSGLang(d) && strings.HasPrefix(s.Program, "sglang.")
		},
		Complete: func(d *draft.Draft, _ *draft.Settings) { unlimited(d) },
	}
}

// grewFromSGLang reports whether a result was measured with SGLang's client or with LMDeploy's.
func grewFromSGLang(d *draft.Draft) bool {
	return d.Tool == "sglang-serving" || d.Tool == "sglang-offline-throughput" || d.Tool == "lmdeploy"
}

// unlimited changes JetStream's request rate of 0 to "inf", the value that other tools write for no limit.
func unlimited(d *draft.Draft) {
	if l, ok := d.Labels.Lookup("request_rate"); ok && d.Tool == jetstream && l.Value == "0" {
		l.Value, l.Origin = "inf", result.Derived
		d.Labels.Set(l)
	}
}

// context reads a line outside of a block that describes the run of the next block.
func (t *serveText) context(text []byte, l scan.Line) {
	if i := draft.Namespace(text); i >= 0 {
		t.above.Reset(l.Number)
		if bytes.HasPrefix(text[i:], []byte("server=")) {
			t.above.Client = jetstream
		}
		t.above.ReadNamespace(t.In, text[i:], l.Number)
		t.commands.Known()
		return
	}
	if t.commands.Line(text, l.Number) {
		t.above.Reset(0)
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

// clientLine reads the lines that only one client prints around its results: JetStream's lines above them, and the rate
// of correct answers below the table of vLLM's benchmark of structured outputs.
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

// isJetStream reports whether a line is one that JetStream's benchmark prints above its results.
func isJetStream(text []byte) bool {
	return bytes.HasPrefix(text, []byte("len(sampled_indices)=")) || bytes.HasPrefix(text, []byte("Mean output size:"))
}

// ContextLines lists the settings that the client prints before a run, even those that have their default value.
var ContextLines = []struct{ Label, Argument string }{
	{"Traffic request rate", "request_rate"},
	{"Burstiness factor", "burstiness"},
	{"Maximum request concurrency", "max_concurrency"},
}
