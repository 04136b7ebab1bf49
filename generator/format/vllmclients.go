package format

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// This file tells whose table vllmtext.go has read, from the lines around it.

// jetstream is the name of JetStream's benchmark, in which a rate of 0 stands for
// no limit.
const jetstream = "jetstream-serving"

// nameTool tells whose table it was. LMDeploy's is SGLang's of 2024 without a
// row for the concurrency cap.
func (t *serveText) nameTool(above *settings) {
	b := &t.block
	backend := t.labels.Get("x_backend")
	switch {
	case b.offline:
		t.tool, t.format = "sglang-offline-throughput", "sglang-offline-throughput-text"
		t.imply("engine", "sglang", b.start)
	case b.sglang && (above.client == "lmdeploy" || b.uncapped && (b.modal || strings.HasPrefix(backend, "lmdeploy"))):
		t.tool, t.format = "lmdeploy", "lmdeploy-text"
	case b.sglang:
		t.tool, t.format = "sglang-serving", "sglang-serving-text"
	case !b.table && above.client == jetstream:
		t.tool, t.format = jetstream, "jetstream-serving-text"
		t.imply("engine", "jetstream", b.start)
	}
	if b.sglang {
		t.guessEngine(backend, b.start)
	}
}

// guessEngine names the server from the interface that SGLang's client was told
// to speak. It has one for each engine, but others speak some of them too.
func (s *sheet) guessEngine(backend string, line int) {
	for _, engine := range []struct{ prefix, name string }{
		{"sglang", "sglang"}, {"vllm", "vllm"}, {"lmdeploy", "lmdeploy"}, {"trt", "tensorrt-llm"},
	} {
		if strings.HasPrefix(backend, engine.prefix) {
			s.guess("engine", engine.name, line)
		}
	}
}

// contradicts tells whether a command cannot have made this block, though it
// is the nearest above it.
func (t *serveText) contradicts(above *settings) bool {
	if t.block.start-above.line > maxDistance {
		return true
	}
	command := settings{list: above.list[:above.asked]}
	for _, name := range []string{"max_concurrency", "request_rate"} {
		measured, asked := cmp.Or(t.labels.Get(name), above.get(name)), command.get(name)
		if measured != "" && asked != "" && measured != asked {
			return true
		}
	}
	asked, ok := parseFigure([]byte(command.get("num_prompts")), 0)
	completed, _ := t.value("requests_completed")
	return ok && completed > asked.value
}

// context takes a line outside of a block that says something about the run
// of the next one.
func (t *serveText) context(text []byte, l line) {
	if t.above.continued {
		t.above.readCommand(t.in, bytes.TrimPrefix(bytes.TrimSpace(text), []byte("> ")), l.number)
		t.above.asked = len(t.above.list)
		return
	}
	if i := namespace(text); i >= 0 {
		t.above.reset(l.number)
		if bytes.HasPrefix(text[i:], []byte("server=")) {
			t.above.client = jetstream
		}
		t.above.readNamespace(t.in, text[i:], l.number)
		return
	}
	if i := commandFlags(text, serveCommands); i >= 0 {
		t.above.reset(l.number)
		t.above.command = true
		if bytes.Contains(text, []byte("profile_restful_api.py")) {
			t.above.client = "lmdeploy"
		}
		t.above.readCommand(t.in, text[i:], l.number)
		t.above.asked = len(t.above.list)
		return
	}
	if !t.block.open {
		t.clientLine(bytes.TrimSpace(text), l)
	}
	colon := bytes.IndexByte(text, ':')
	if colon < 0 {
		return
	}
	for _, c := range contextLines {
		if bytes.HasSuffix(text[:colon], []byte(c.label)) {
			if t.above.line == 0 {
				t.above.reset(l.number)
			}
			value, _ := shellWord(text[colon+1:])
			t.above.set(t.in, []byte(c.argument), value, l.number)
			return
		}
	}
	if !t.block.open && bytes.HasPrefix(bytes.TrimSpace(text), requestsMark) {
		t.open(l.number)
		t.row(text, l)
	}
}

// clientLine takes what one client alone prints around its results.
func (t *serveText) clientLine(text []byte, l line) {
	warmup := bytes.HasPrefix(text, []byte("Warm up start:")) || bytes.HasPrefix(text, []byte("Starting ")) && bytes.HasSuffix(text, []byte(" warmup:"))
	if warmup || isJetStream(text) {
		if t.above.line == 0 {
			t.above.reset(l.number)
		}
		t.above.client = jetstream
		t.above.warmup = warmup
		return
	}
	rate, ok := bytes.CutPrefix(text, correctMark)
	results := t.in.out.Results
	last := len(results) - 1
	if !ok || !l.ended || last < 0 || results[last].Format != t.format || results[last].Source.Line != t.start ||
		l.number-results[last].EndLine > maxGap {
		return
	}
	if t.number("x_correct_rate", "%", string(correctMark), bytes.TrimSpace(rate), l.number) {
		t.in.out.Results = results[:last]
		t.hand(l.number, results[last].Status == result.Complete)
	}
}

// isJetStream recognises what JetStream's benchmark prints above its results.
func isJetStream(text []byte) bool {
	return bytes.HasPrefix(text, []byte("len(sampled_indices)=")) || bytes.HasPrefix(text, []byte("Mean output size:"))
}

// contextLines are printed before the run, whatever the arguments' defaults.
var contextLines = []struct{ label, argument string }{
	{"Traffic request rate", "request_rate"},
	{"Burstiness factor", "burstiness"},
	{"Maximum request concurrency", "max_concurrency"},
}
