package quality

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// The command above a table of lm-eval names the model and the settings, which matters if the line with the settings is
// missing:
//
//	lm_eval --model vllm --model_args pretrained=org/model,tensor_parallel_size=2 --tasks gsm8k

// LMEvalCommands lists the names of the program.
var LMEvalCommands = [][]byte{[]byte("lm_eval"), []byte("lm-eval"), []byte("lm_eval run"), []byte("lm-eval run")}

const (
	commandBackend = draft.CommandOnly + "backend"
	commandArgs    = draft.CommandOnly + "args"
	commandTasks   = draft.CommandOnly + "tasks"
	commandShots   = draft.CommandOnly + "shots"
)

var lmEvalArguments = map[string]string{
	"model": commandBackend, "m": commandBackend, "model_args": commandArgs, "a": commandArgs, "tasks": commandTasks, "t": commandTasks,
	"num_fewshot": commandShots, "f": commandShots, "batch_size": "batch_size", "b": "batch_size", "limit": "x_limit", "seed": "seed",
	"apply_chat_template": "x_apply_chat_template",
}

func newLMEvalCommands() draft.Commands {
	return draft.Commands{Names: LMEvalCommands, Own: lmEvalArguments, Mismatch: isOtherEval, Complete: takeEvalArgs}
}

// isOtherEval reports whether a row cannot belong to a command, because its task, its number of shots, or the model in
// the line above the table differs.
func isOtherEval(d *draft.Draft, s *draft.Settings) bool {
	if shots, ok := s.Sole(commandShots); ok && d.Label("fewshot") != "" && shots != d.Label("fewshot") {
		return true
	}
	if model := modelOf(s.One(commandArgs)); model != "" && d.Label("model_raw") != "" && model != d.Label("model_raw") {
		return true
	}
	tasks := s.One(commandTasks)
	return tasks != "" && d.Label("x_group") == "" && !slices.ContainsFunc(strings.Split(tasks, ","), func(task string) bool {
		return haveWordInCommon(task, d.Label("task"))
	})
}

// modelOf returns the model in a list of arguments.
func modelOf(args string) (model string) {
	for pair := range strings.SplitSeq(args, ",") {
		key, value, _ := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); key == "pretrained" || key == "model" && model == "" {
			model = strings.TrimSpace(value)
		}
	}
	return model
}

// haveWordInCommon reports whether two task names may mean the same task: "ai2_arc" has the task "arc_easy".
func haveWordInCommon(a, b string) bool {
	words := func(name string) []string {
		return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == ':' || r == '|' })
	}
	others := words(b)
	return slices.ContainsFunc(words(a), func(word string) bool { return slices.Contains(others, word) })
}

// takeEvalArgs reads the arguments of the backend that a command has.
func takeEvalArgs(d *draft.Draft, _ *draft.Settings) {
	if backend, ok := d.Labels.Lookup(commandBackend); ok && d.Label("backend") == "" {
		d.SetText("backend", backend.Value, backend.Pos.Line)
		d.ImplyEngine(backend.Value, backend.Pos.Line)
	}
	if args, ok := d.Labels.Lookup(commandArgs); ok && d.Label("model_raw") == "" {
		for pair := range strings.SplitSeq(args.Value, ",") {
			if key, value, ok := strings.Cut(pair, "="); ok {
				lmEvalArg(d, strings.TrimSpace(key), strings.TrimSpace(value), args.Pos.Line)
			}
		}
	}
	if limit, ok := d.Labels.Lookup("x_limit"); ok {
		d.Imply("x_limited", "true", limit.Pos.Line)
	}
}
