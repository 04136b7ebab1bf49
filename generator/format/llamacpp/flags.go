package llamacpp

import "maps"

// commonFlags maps the flags that the programs of llama.cpp have in common to labels. Flags are written without dashes
// and with underscores.
var commonFlags = map[string]string{
	"m": "model_raw", "model": "model_raw", "hf": "model_raw", "hf_repo": "model_raw", "hfr": "model_raw",
	"ngl": "gpu_layers", "gpu_layers": "gpu_layers", "n_gpu_layers": "gpu_layers", "t": "threads", "threads": "threads",
	"fa": "flash_attention", "flash_attn": "flash_attention", "ctk": "kv_cache_type_k", "cache_type_k": "kv_cache_type_k",
	"ctv": "kv_cache_type_v", "cache_type_v": "kv_cache_type_v",
	"ot": commandPlaces, "override_tensor": commandPlaces, "ncmoe": commandOnCPU, "n_cpu_moe": commandOnCPU,
	"cmoe": commandPlaces, "cpu_moe": commandPlaces,
}

// flags returns the labels that the flags of a program set: those of commonFlags, and its own.
func flags(own map[string]string) map[string]string {
	all := maps.Clone(commonFlags)
	maps.Copy(all, own)
	return all
}
