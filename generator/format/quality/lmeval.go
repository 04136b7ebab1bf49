package quality

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// lm-evaluation-harness saves the scores of a model in results_<time>.json:
//
//	"results": {"gsm8k": {"exact_match,strict-match": 0.96, "exact_match_stderr,strict-match": 0.013, …}}
//
// Each metric of a task with a filter is a result. Since 0.4 a key is "metric,filter"; before, it was only the metric
// ("acc"). A standard error that was not computed is the text "N/A". The mean of a group of tasks, such as mmlu, is in
// "results" next to its tasks, and again in "groups".
//
// Source: EleutherAI/lm-evaluation-harness, lm_eval/evaluator.py, loggers/evaluation_tracker.py, api/metrics.py.
func isLMEval(v *scan.Value) bool {
	results := v.Get("results")
	return results.Is() && results.Kind == '{' && (v.Has("versions") || v.Has("configs")) &&
		(v.Has("config") || v.Has("n-shot"))
}

func readLMEval(in *draft.File, v *scan.Value) {
	found := len(in.Out.Results)
	for task := range v.Get("results").Children() {
		lmEvalTask(in, v, task)
	}
	for task := range v.Get("groups").Children() {
		if !v.Get("results", task.Key).Is() {
			lmEvalTask(in, v, task)
		}
	}
	if len(in.Out.Results) == found {
		in.NoResult(v.Line, locale.Textf("an lm-eval file without a score"))
	}
}

// lmEvalTask reads the metrics of one task or group. If one key has a filter, all metrics have one, and keys without a
// filter are not metrics ("sample_len").
func lmEvalTask(in *draft.File, v, task *scan.Value) {
	filtered := false
	for m := range task.Children() {
		filtered = filtered || strings.Contains(m.Key, ",")
	}
	for m := range task.Children() {
		metric, filter, has := strings.Cut(m.Key, ",")
		if has != filtered || strings.HasSuffix(metric, "_stderr") || metric == "alias" || m.Kind != scan.Number {
			continue
		}
		s := in.Begin("lm-eval", "lm-eval-json", m.Line)
		if !s.Take("quality", "", m) || len(s.Metrics) == 0 {
			continue
		}
		last := m.Line
		of := metric + "_stderr"
		if has {
			of += "," + filter
		}
		if stderr := task.Get(of); s.Take("quality_stderr", "", stderr) {
			s.Start, last = min(s.Start, stderr.Line), max(last, stderr.Line)
		}
		s.Change(&s.Metrics[0], func(k *result.Kind) {
			k.Better = betterQuality(metric, v.Get("higher_is_better", task.Key, metric))
		})
		s.SetText("task", task.Key, task.Line)
		s.SetText("quality_metric", metric, m.Line)
		if filter != "" {
			s.SetLabel("filter", []byte(filter), m.Line) // "none" is the name of a filter
		}
		lmEvalSettings(s, v, task.Key)
		s.Emit(last, true)
	}
}

// betterQuality returns the direction that a file states, or else that of well-known metrics. For an average over tasks
// of both directions, the file states null.
func betterQuality(metric string, higher *scan.Value) result.Better {
	if higher != nil && higher.Kind == scan.Word {
		switch string(higher.Raw) {
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

// lmEvalSettings reads the settings of the whole file and of the task.
func lmEvalSettings(s *draft.Draft, v *scan.Value, task string) {
	config := v.Get("config")
	lmEvalModel(s, v)
	if shots := v.Get("n-shot", task); shots.Scalar() {
		s.Set("fewshot", shots)
	} else if shots := config.Get("num_fewshot"); shots.Scalar() { // before 0.4
		s.Set("fewshot", shots)
	}
	s.Set("x_task_version", v.Get("versions", task))
	s.Set("x_limit", config.Get("limit"))
	effective, original := v.Get("n-samples", task, "effective"), v.Get("n-samples", task, "original")
	s.Set("x_num_samples", effective)
	if limit := config.Get("limit"); limit.Is() && !effective.Is() { // a group has no samples of its own
		s.Guess("x_limited", "true", limit.Line)
	}
	if n, ok := effective.Float(); ok {
		if all, ok := original.Float(); ok && n < all {
			s.Set("x_num_samples_of", original)
			s.Imply("x_limited", "true", effective.Line)
		}
	}
	s.TakeAll(v, []draft.Member{
		{Key: "lm_eval_version", Name: "tool_version"},
		{Key: "git_hash", Name: "x_git_hash"},
		{Key: "transformers_version", Name: "x_transformers_version"},
		{Key: "config.model", Name: "backend"},
		{Key: "config.batch_size", Name: "batch_size"},
		{Key: "config.gen_kwargs", Name: "x_gen_kwargs"},
		{Key: "config.model_dtype", Name: "x_model_dtype"},
		{Key: "config.random_seed", Name: "seed"},
		{Key: "chat_template_sha", Name: "x_chat_template_sha"},
		{Key: "system_instruction_sha", Name: "x_system_instruction_sha"},
		{Key: "fewshot_as_multiturn", Name: "x_fewshot_as_multiturn"},
		{Key: "total_evaluation_time_seconds", Name: "x_total_evaluation_time_s"},
	})
	if date := v.Get("date"); date.Is() {
		if seconds, ok := date.Float(); ok && seconds > 0 && seconds < math.MaxInt32 {
			s.SetText("date", time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339), date.Line)
		}
	}
}

// lmEvalModel reads the model from the arguments of its backend: a text of pairs or, since 0.4.10, an object.
func lmEvalModel(s *draft.Draft, v *scan.Value) {
	args, backend := v.Get("config", "model_args"), v.Get("config", "model")
	if args.Is() {
		for _, a := range lmEvalArgs(args) {
			lmEvalArg(s, a[0], a[1], args.Line)
		}
	}
	if name := v.Get("model_name"); s.Label("model_raw") == "" && name.Scalar() {
		s.Set("model_raw", name)
	}
	s.ImplyEngine(backend.Text(), v.Line)
}

// lmEvalArgs returns the key-value pairs of the arguments.
func lmEvalArgs(args *scan.Value) (pairs [][2]string) {
	for a := range args.Children() {
		if a.Scalar() {
			pairs = append(pairs, [2]string{a.Key, string(a.Raw)})
		}
	}
	for pair := range strings.SplitSeq(args.Text(), ",") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			pairs = append(pairs, [2]string{strings.TrimSpace(key), strings.TrimSpace(value)})
		}
	}
	return pairs
}

// lmEvalArg reads one argument of the backend. "pretrained" is the model of a backend that loads it; "model" is the one
// requested from a server.
func lmEvalArg(s *draft.Draft, key, value string, line int) {
	switch key {
	case "pretrained", "model":
		if s.Label("model_raw") == "" || key == "pretrained" {
			s.SetText("model_raw", value, line)
		}
	case "quantization":
		s.SetText("quantization", value, line)
	case "tensor_parallel_size":
		if n, err := strconv.Atoi(value); err == nil && n > 1 {
			s.SetText("parallelism", "tp"+value, line)
		}
	case "dtype", "revision", "peft", "load_in_4bit", "load_in_8bit", "max_model_len", "max_length", "max_gen_toks",
		"num_concurrent", "add_bos_token", "enable_thinking", "think_end_token":
		s.SetText("x_"+draft.Snake(key), value, line)
	}
}
