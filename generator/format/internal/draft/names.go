package draft

import "strings"

// settingNames maps tools' names of settings that users vary to the names of labels. A setting that is not in the table
// keeps the tool's name with the prefix "x_". Lengths, loads and the model are named by their readers.
//
// A batch size counts sequences that are decoded together. llama.cpp's n_batch and n_ubatch count tokens of a prompt
// that are processed together, so they have other names.
var settingNames = func() map[string]string {
	names := map[string]string{}
	for _, s := range []struct{ name, keys string }{
		{"flash_attention", "flash_attention flash_attn fa"},
		{"kv_cache_type_k", "kv_cache_type_k cache_type_k type_k ctk"},
		{"kv_cache_type_v", "kv_cache_type_v cache_type_v type_v ctv"},
		{"kv_cache_dtype", "kv_cache_dtype kv_dtype"},
		{"kv_offloading", "kv_offloading"},
		{"no_kv_offload", "no_kv_offload nkvo"},
		{"backend", "backend backends api_backend"},
		{"device", "device devices"},
		{"gpu", "gpu gpu_name gpu_model"},
		{"logical_batch_size", "n_batch"},
		{"micro_batch_size", "n_ubatch"},
		{"threads_batch", "n_threads_batch"},
		{"split_mode", "split_mode"},
		{"tensor_split", "tensor_split"},
		{"main_gpu", "main_gpu"},
		{"n_cpu_moe", "n_cpu_moe"},
		{"mmap", "mmap use_mmap"},
		{"enforce_eager", "enforce_eager"},
		{"speculative_decoding", "speculative_decoding spec_decoding spec_decode speculative speculative_algorithm"},
		{"speculative_tokens", "num_speculative_tokens speculative_num_draft_tokens spec_tokens"},
		{"dataset_path", "dataset_path"},
		{"dataset_subset", "hf_subset dataset_subset"},
		{"dataset_split", "hf_split dataset_split"},
		{"temperature", "temperature"},
		{"top_p", "top_p"},
		{"top_k", "top_k"},
		{"attention_backend", "attention_backend attn_implementation"},
		{"max_num_seqs", "max_num_seqs max_running_requests max_batch_size"},
		{"max_num_batched_tokens", "max_num_batched_tokens max_num_tokens"},
		{"chunked_prefill_size", "chunked_prefill_size"},
		{"max_model_len", "max_model_len max_seq_len"},
		{"context_size", "n_kv_max context_length ctx_size n_ctx"},
		{"gpu_memory_utilization", "gpu_memory_utilization"},
		{"mem_fraction_static", "mem_fraction_static"},
		{"prefix_caching", "prefix_caching enable_prefix_caching"},
		{"random_prefix_len", "random_prefix_len"},
		{"random_range_ratio", "random_range_ratio"},
		{"goodput_slo", "goodput"},
		{"dp_attention", "dp_attention enable_dp_attention"},
		{"dtype", "dtype torch_dtype"},
		{"quantization_type", "quant_type quantization_type"},
		{"endpoint", "endpoint"},
		{"endpoint_type", "endpoint_type"},
		{"streaming", "stream streaming"},
		{"disaggregated", "disagg disaggregated"},
		{"scheduling_policy", "scheduling_policy"},
		{"async_engine", "async_engine"},
		{"num_beams", "num_beams"},
	} {
		for key := range strings.FieldsSeq(s.keys) {
			names[key] = s.name
		}
	}
	return names
}()

// SettingName returns the label for a tool's name of a setting, in any spelling: "flash_attn", "--kv-cache-dtype".
func SettingName(key string) (name string, ok bool) {
	name, ok = settingNames[Snake(strings.TrimLeft(key, "-"))]
	return name, ok
}

// labelName returns the name of a label. If a reader uses the tool's own name of a known setting, it is replaced.
func labelName(name string) string {
	if key, own := strings.CutPrefix(name, "x_"); own {
		if known, ok := settingNames[key]; ok {
			return known
		}
	}
	return name
}

// isSwitch reports whether a setting is a switch, whose values tools write in many ways.
func isSwitch(name string) bool {
	switch name {
	case "flash_attention", "enforce_eager", "dp_attention", "streaming", "disaggregated", "mmap", "no_kv_offload", "async_engine":
		return true
	}
	return false
}

// settingValue returns true or false for the value of a switch, and any other value unchanged.
func settingValue(name string, value []byte) []byte {
	if !isSwitch(name) {
		return value
	}
	switch strings.ToLower(string(value)) {
	case "1", "true", "on", "yes", "enabled":
		return []byte("true")
	case "0", "false", "off", "no", "disabled":
		return []byte("false")
	}
	return value
}
