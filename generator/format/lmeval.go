package format

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/result"
)

// lm-evaluation-harness saves what a model scored in results_<time>.json:
//
//	"results": {"gsm8k": {"exact_match,strict-match": 0.96, "exact_match_stderr,strict-match": 0.013, …}}
//
// Each metric of a task under a filter is a result. Since 0.4 a key is
// "metric,filter"; before, it was the metric alone ("acc"). A standard error that
// was not computed is the text "N/A". Of a group of tasks, as mmlu, the mean stands
// beside them, in "results" and, as the same again, in "groups".
//
// Source: EleutherAI/lm-evaluation-harness, lm_eval/evaluator.py, loggers/
// evaluation_tracker.py, api/metrics.py.
func isLMEval(v *value) bool {
	results := v.get("results")
	return results.is() && results.kind == '{' && (v.has("versions") || v.has("configs")) &&
		(v.has("config") || v.has("n-shot"))
}

func readLMEval(in *input, v *value) {
	found := len(in.out.Results)
	for task := range v.get("results").children() {
		in.lmEvalTask(v, task)
	}
	for task := range v.get("groups").children() {
		if !v.get("results", task.key).is() {
			in.lmEvalTask(v, task)
		}
	}
	if len(in.out.Results) == found {
		in.noResult(v.line, "an lm-eval file without a score")
	}
}

// lmEvalTask reads the metrics of one task or group. Where one key names a
// filter all metrics do, and what has none is no metric ("sample_len").
func (in *input) lmEvalTask(v, task *value) {
	filtered := false
	for m := range task.children() {
		filtered = filtered || strings.Contains(m.key, ",")
	}
	for m := range task.children() {
		metric, filter, has := strings.Cut(m.key, ",")
		if has != filtered || strings.HasSuffix(metric, "_stderr") || metric == "alias" || m.kind != jsonNumber {
			continue
		}
		s := in.begin("lm-eval", "lm-eval-json", m.line)
		if !s.take("quality", "", m) || len(s.metrics) == 0 {
			continue
		}
		last := m.line
		of := metric + "_stderr"
		if has {
			of += "," + filter
		}
		if stderr := task.get(of); s.take("quality_stderr", "", stderr) {
			s.start, last = min(s.start, stderr.line), max(last, stderr.line)
		}
		s.metrics[0].Better = betterQuality(metric, v.get("higher_is_better", task.key, metric))
		s.said("task", task.key, task.line)
		s.said("quality_metric", metric, m.line)
		if filter != "" {
			s.label("filter", []byte(filter), m.line) // "none" is the name of one
		}
		s.lmEvalSettings(v, task.key)
		s.hand(last, true)
	}
}

// betterQuality is the direction that a file states, or that of the metric where
// all agree on it. An average over tasks of both directions states null.
func betterQuality(metric string, higher *value) result.Better {
	if higher != nil && higher.kind == jsonWord {
		switch string(higher.text) {
		case "true":
			return result.Higher
		case "false":
			return result.Lower
		}
	}
	metric = strings.ToLower(metric)
	for _, word := range lowerQuality {
		if strings.Contains(metric, word) {
			return result.Lower
		}
	}
	for _, word := range higherQuality {
		if strings.HasPrefix(metric, word) {
			return result.Higher
		}
	}
	return result.Neutral
}

var (
	lowerQuality  = []string{"perplexity", "bits_per_byte", "brier", "mse", "mae", "ppl"}
	higherQuality = []string{"acc", "exact_match", "em", "f1", "mcc", "bleu", "chrf", "rouge", "pass@", "pass_at", "prompt_level", "inst_level", "mc1", "mc2"}
)

// lmEvalSettings notes what the whole file and the task say of how it was done.
func (s *sheet) lmEvalSettings(v *value, task string) {
	config := v.get("config")
	s.lmEvalModel(v)
	if shots := v.get("n-shot", task); shots.scalar() {
		s.setting("fewshot", shots)
	} else if shots := config.get("num_fewshot"); shots.scalar() { // before 0.4
		s.setting("fewshot", shots)
	}
	s.setting("x_task_version", v.get("versions", task))
	s.setting("x_limit", config.get("limit"))
	effective, original := v.get("n-samples", task, "effective"), v.get("n-samples", task, "original")
	s.setting("x_num_samples", effective)
	if limit := config.get("limit"); limit.is() && !effective.is() { // a group has no samples of its own
		s.guess("x_limited", "true", limit.line)
	}
	if n, ok := effective.float(); ok {
		if all, ok := original.float(); ok && n < all {
			s.setting("x_num_samples_of", original)
			s.imply("x_limited", "true", effective.line)
		}
	}
	s.takeAll(v, []member{
		{"lm_eval_version", "tool_version", ""},
		{"git_hash", "x_git_hash", ""},
		{"transformers_version", "x_transformers_version", ""},
		{"config.model", "x_backend", ""},
		{"config.batch_size", "batch_size", ""},
		{"config.gen_kwargs", "x_gen_kwargs", ""},
		{"config.model_dtype", "x_model_dtype", ""},
		{"config.random_seed", "seed", ""},
		{"chat_template_sha", "x_chat_template_sha", ""},
		{"system_instruction_sha", "x_system_instruction_sha", ""},
		{"fewshot_as_multiturn", "x_fewshot_as_multiturn", ""},
		{"total_evaluation_time_seconds", "x_total_evaluation_time_s", ""},
	})
	if date := v.get("date"); date.is() {
		if seconds, ok := date.float(); ok && seconds > 0 && seconds < math.MaxInt32 {
			s.said("date", time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339), date.line)
		}
	}
}

// lmEvalModel finds the model among the arguments of its backend: a text of
// pairs, or since 0.4.10 an object.
func (s *sheet) lmEvalModel(v *value) {
	args, backend := v.get("config", "model_args"), v.get("config", "model")
	if args.is() {
		for _, a := range lmEvalArgs(args) {
			s.lmEvalArg(a[0], a[1], args.line)
		}
	}
	if name := v.get("model_name"); s.labelText("model_raw") == "" && name.scalar() {
		s.setting("model_raw", name)
	}
	s.lmEvalEngine(backend.string(), v.line)
}

// lmEvalArgs gives the pairs of an argument list.
func lmEvalArgs(args *value) (pairs [][2]string) {
	for a := range args.children() {
		if a.scalar() {
			pairs = append(pairs, [2]string{a.key, string(a.text)})
		}
	}
	for pair := range strings.SplitSeq(args.string(), ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			pairs = append(pairs, [2]string{strings.TrimSpace(key), strings.TrimSpace(value)})
		}
	}
	return pairs
}

// lmEvalArg notes what one argument of the backend says of the model and of how
// it was run. "pretrained" is what a path's own model is called by, "model" what
// a server is asked for.
func (s *sheet) lmEvalArg(key, value string, line int) {
	switch key {
	case "pretrained", "model":
		if s.labelText("model_raw") == "" || key == "pretrained" {
			s.said("model_raw", value, line)
		}
	case "quantization":
		s.said("quantization", value, line)
	case "tensor_parallel_size":
		if n, err := strconv.Atoi(value); err == nil && n > 1 {
			s.said("parallelism", "tp"+value, line)
		}
	case "dtype", "revision", "peft", "load_in_4bit", "load_in_8bit", "max_model_len", "max_length", "max_gen_toks",
		"num_concurrent", "add_bos_token", "enable_thinking", "think_end_token":
		s.said("x_"+snake(key), value, line)
	}
}

// lmEvalEngine is what ran the model, where the harness itself did.
func (s *sheet) lmEvalEngine(backend string, line int) {
	switch backend {
	case "vllm", "sglang":
		s.imply("engine", backend, line)
	case "hf", "hf-auto", "hf-causal", "hf-causal-experimental", "huggingface":
		s.imply("engine", "transformers", line)
	}
}

// labelText gives a setting that was noted.
func (s *sheet) labelText(name string) string {
	l, _ := s.labels.Lookup(name)
	return l.Value
}
