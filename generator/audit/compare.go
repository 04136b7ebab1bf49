package audit

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/result"
)

// AnswerLength is the name, among settings, of the number of tokens that were actually generated per request.
const AnswerLength = "answer_length"

// settings lists the labels in which runs have to agree to be compared, unless a label that is laid out
// explains the difference.
var settings = []string{
	"num_prompts", "input_len", "output_len", AnswerLength, "max_concurrency", "request_rate", "burstiness", "dataset", "seed",
	"prefix_caching", "ignore_eos", "speculative_decoding", "speculative_tokens", "batch_size", "context_depth", "model", "quantization", "engine", "engine_version", "image", "tool", "tool_version",
	"hardware", "accelerators", "parallelism", "power_mode", "clocks", "driver", "power_scope",
	"backend", "dtype", "kv_cache_dtype", "kv_cache_type_k", "kv_cache_type_v", "flash_attention", "attention_backend", "enforce_eager",
	"logical_batch_size", "micro_batch_size", "max_num_seqs", "max_num_batched_tokens", "chunked_prefill_size",
	"gpu_layers", "n_cpu_moe", "cpu_offload", "split_mode", "tensor_split", "dp_attention", "threads", "threads_batch", "disaggregated", "streaming",
	"dataset_subset", "dataset_split", "random_range_ratio", "random_prefix_len", "prompts_per_request", "temperature",
}

// plain lists the settings that are numbers or switches.
var plain = []string{
	"num_prompts", "input_len", "output_len", "max_concurrency", "request_rate", "burstiness", "seed",
	"prefix_caching", "ignore_eos", "speculative_decoding", "speculative_tokens", "batch_size", "context_depth", "accelerators",
	"flash_attention", "enforce_eager", "logical_batch_size", "micro_batch_size", "max_num_seqs", "max_num_batched_tokens", "chunked_prefill_size",
	"gpu_layers", "n_cpu_moe", "cpu_offload", "dp_attention", "threads", "threads_batch", "disaggregated", "streaming",
	"random_range_ratio", "random_prefix_len", "prompts_per_request", "temperature",
}

// explains lists for a label the settings that follow from it: the runs of two loads differ in concurrency
// because the load determines it.
var explains = map[string][]string{
	"id":           {"model", "quantization", "dtype"},
	"model":        {"quantization", "dtype"},
	"quantization": {"model", "dtype"},
	"base_model":   {"model", "quantization", "dtype"},
	"weight_size":  {"model", "quantization", "dtype"},
	"params":       {"model", "quantization", "dtype"},
	"load":         {"max_concurrency", "request_rate", "burstiness", "num_prompts", "batch_size"},
	"scenario": {"input_len", "output_len", "dataset", "num_prompts", "max_concurrency", "request_rate", "dataset_subset", "dataset_split",
		"random_range_ratio", "random_prefix_len", "prompts_per_request", AnswerLength},
	"max_concurrency": {"num_prompts"},
	"request_rate":    {"num_prompts"},
	"dataset":         {"input_len", "output_len", "dataset_subset", "dataset_split", "random_range_ratio", "random_prefix_len", AnswerLength},
	"input_len":       {AnswerLength},
	"output_len":      {AnswerLength},
	"ignore_eos":      {AnswerLength},

	"speculative_decoding": {"speculative_tokens"},
	"engine":               {"engine_version", "image", "prefix_caching", "backend", "attention_backend"},
	"engine_version":       {"image"},
	"image":                {"engine_version"},
	"hardware":             {"power_mode", "clocks", "driver", "accelerators", "parallelism", "image", "backend", "attention_backend", "threads", "threads_batch", "split_mode", "tensor_split"},
	"power_mode":           {"clocks"},
	"accelerators":         {"parallelism", "split_mode", "tensor_split"},
	"parallelism":          {"accelerators", "split_mode", "tensor_split"},
	"split_mode":           {"parallelism", "tensor_split"},
	"kv_cache_type_k":      {"kv_cache_type_v"},
	"kv_cache_type_v":      {"kv_cache_type_k"},
	"gpu_layers":           {"cpu_offload"},
	"n_cpu_moe":            {"cpu_offload"},
	"cpu_offload":          {"gpu_layers", "n_cpu_moe"},
	"tool":                 {"tool_version"},
	"date":                 {"engine_version", "image", "tool_version", "driver"},
}

// Explains reports whether a setting follows from a label, as a version follows from its engine.
func Explains(label, setting string) bool { return slices.Contains(explains[label], setting) }

// Explained returns the settings that follow from a label.
func Explained(label string) []string { return slices.Clone(explains[label]) }

// Plain returns the settings that are numbers or switches, which have several spellings.
func Plain() []string { return slices.Clone(plain) }

// Settings returns the names of the settings in which runs have to agree, including AnswerLength.
func Settings() []string { return slices.Clone(settings) }

// Difference is a setting in which compared runs differ.
type Difference struct {
	Setting string
	Within  []result.Label // the values that the runs share of the labels that explain the setting
	Values  []Value        // the most frequent first
}

// Value is one value of a setting and the runs that have it.
type Value struct {
	Text string
	Runs []*result.Result
}

// Tolerance is the relative difference in the length of answers that is accepted.
const Tolerance = 0.02

// Differences returns the settings in which runs differ although no label laid out over rows, columns or series
// explains the difference. Runs that do not state a setting are not compared in it. The order is that of the
// settings, then of the values of the explaining labels.
func Differences(rs []*result.Result, laid []string) []Difference {
	var found []Difference
	for _, setting := range settings {
		if slices.Contains(laid, setting) || agree(rs, setting) {
			continue
		}
		var explaining []string
		for _, label := range laid {
			if Explains(label, setting) {
				explaining = append(explaining, label)
			}
		}
		for _, part := range partition(rs, explaining) {
			if agree(part.runs, setting) {
				continue
			}
			if values := differ(part.runs, setting); len(values) > 1 {
				found = append(found, Difference{setting, part.common, values})
			}
		}
	}
	return found
}

// agree reports whether all runs that state a setting write it in the same way. That is the usual case, in
// which the values need not be parsed.
func agree(rs []*result.Result, setting string) bool {
	if len(rs) < 2 {
		return true
	}
	if setting == AnswerLength {
		return false
	}
	said := ""
	for _, r := range rs {
		v := r.Labels.Get(setting)
		switch {
		case v == "" && setting == "num_prompts": // the number of sent requests counts instead
			return false
		case v == "" || v == said:
		case said == "":
			said = v
		default:
			return false
		}
	}
	return true
}

type part struct {
	common []result.Label
	runs   []*result.Result
}

// partition groups runs by the values of labels, ordered by these values.
func partition(rs []*result.Result, labels []string) []part {
	if len(labels) == 0 {
		return []part{{runs: rs}}
	}
	parts := map[string]*part{}
	var key []byte
	for _, r := range rs {
		key = key[:0]
		for _, l := range labels {
			key = append(append(key, r.Label(l)...), 0)
		}
		p := parts[string(key)]
		if p == nil {
			p = &part{}
			for _, l := range labels {
				p.common = append(p.common, result.Label{Name: l, Value: r.Label(l)})
			}
			parts[string(key)] = p
		}
		p.runs = append(p.runs, r)
	}
	var out []part
	for _, key := range slices.SortedFunc(maps.Keys(parts), result.NaturalCompare) {
		out = append(out, *parts[key])
	}
	return out
}

// differ groups runs by their value of a setting, the most frequent first.
func differ(rs []*result.Result, setting string) []Value {
	if setting == AnswerLength {
		return answers(rs)
	}
	var out []Value
	index := map[string]int{}
	for _, r := range rs {
		v := settingOf(r, setting)
		if v == "" {
			continue
		}
		i, ok := index[v]
		if !ok {
			i = len(out)
			index[v] = i
			out = append(out, Value{Text: v})
		}
		out[i].Runs = append(out[i].Runs, r)
	}
	slices.SortStableFunc(out, func(a, b Value) int {
		return cmp.Or(cmp.Compare(len(b.Runs), len(a.Runs)), result.NaturalCompare(a.Text, b.Text))
	})
	return out
}

// settingOf returns a setting of a run. If nothing states the number of prompts, it returns the number of
// requests that were sent.
func settingOf(r *result.Result, setting string) string {
	if v := r.Labels.Get(setting); v != "" || setting != "num_prompts" {
		return Spelling(r, setting, v)
	}
	done, ok := r.Metric("requests_completed")
	if !ok {
		return ""
	}
	failed, _ := r.Metric("requests_failed")
	return number(done.Value + failed.Value)
}

// Spelling returns the value of a label of a run in a uniform spelling: 8.0 is 8, False is false, and a number of GPU
// layers that exceeds that of the model is all. A version is not a number: 0.10 is not 0.1.
func Spelling(r *result.Result, label, value string) string {
	switch {
	case !slices.Contains(plain, label):
		return value
	case label == "gpu_layers" && hasNoMoreLayers(r, value):
		return "all"
	case on(value) && value != "1":
		return "true"
	case off(value) && value != "0":
		return "false"
	}
	switch x, err := strconv.ParseFloat(value, 64); {
	case err == nil && math.IsInf(x, 1):
		return "inf"
	case err == nil && !math.IsNaN(x):
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return value
}

// hasNoMoreLayers reports whether the model of a run is known to have no more than the given number of layers. If -ngl
// exceeds the number of layers, llama.cpp puts all layers on the GPU (-ngl 99 and -ngl 999). It also counts the output
// layer, and layers that predict further tokens. The meaning of -1 depends on the build.
func hasNoMoreLayers(r *result.Result, number string) bool {
	const further = 8 // layers that llama.cpp may count beyond those of the model, with a margin
	n, err := strconv.Atoi(number)
	if err != nil || n <= further {
		return false
	}
	m := model{}
	m.params, _ = Parameters(r.Label("params"))
	known, ok := m.published(r)
	return ok && known.Layers > 0 && n >= known.Layers+further
}

// answers returns the shortest and the longest answers if they differ by more than the tolerance.
func answers(rs []*result.Result) []Value {
	var shortest, longest *result.Result
	var least, most float64
	for _, r := range rs {
		_, _, output := lengthsOf(r)
		if output <= 0 {
			continue
		}
		if shortest == nil || output < least {
			shortest, least = r, output
		}
		if longest == nil || output > most {
			longest, most = r, output
		}
	}
	if most-least <= Tolerance*most {
		return nil
	}
	return []Value{{decimals(least, 1), []*result.Result{shortest}}, {decimals(most, 1), []*result.Result{longest}}}
}
