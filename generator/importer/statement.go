package importer

import (
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// stated is a fact in a line "key: value". When says to which results it applies, such as the load in "high-load
// concurrency: 8".
type stated struct {
	facet
	when []facet
}

// keys maps the keys used in notes to labels. Keys are in lower case with single spaces.
var keys = map[string]string{
	"model": "model", "model name": "model", "model id": "model", "model path": "model", "model/precision": "model",
	"模型": "model", "模型名称": "model", "模型路径": "model", "测试模型": "model", "模型/精度": "model",
	"quantization": "quantization", "quant": "quantization", "precision": "quantization",
	"量化": "quantization", "量化精度": "quantization", "量化方式": "quantization", "精度": "quantization",
	"hardware": "hardware", "gpu": "hardware", "gpus": "hardware", "device": "hardware", "accelerator": "hardware", "machine": "hardware",
	"硬件": "hardware", "显卡": "hardware", "设备": "hardware", "硬件平台": "hardware", "测试硬件": "hardware", "gpu 型号": "hardware", "gpu型号": "hardware",
	"engine": "engine", "inference engine": "engine", "serving engine": "engine", "推理引擎": "engine", "推理框架": "engine",
	"vllm": "vllm", "vllm version": "vllm", "vllm 版本": "vllm", "vllm版本": "vllm",
	"sglang": "sglang", "sglang version": "sglang", "sglang 版本": "sglang",
	"engine version": "engine_version", "引擎版本": "engine_version",
	"image": "image", "docker image": "image", "container": "image", "container image": "image",
	"镜像": "image", "镜像版本": "image", "docker 镜像": "image", "容器镜像": "image",
	"dataset": "dataset", "dataset name": "dataset", "数据集": "dataset",
	"input length": "input_len", "input len": "input_len", "input tokens": "input_len", "input sequence length": "input_len", "random input len": "input_len", "prompt length": "input_len", "isl": "input_len",
	"输入长度": "input_len", "输入序列长度": "input_len",
	"output length": "output_len", "output len": "output_len", "output tokens": "output_len", "output sequence length": "output_len", "random output len": "output_len", "osl": "output_len",
	"输出长度": "output_len", "输出序列长度": "output_len",
	"concurrency": "max_concurrency", "max concurrency": "max_concurrency", "maximum concurrency": "max_concurrency", "concurrent requests": "max_concurrency",
	"并发": "max_concurrency", "并发数": "max_concurrency", "并发量": "max_concurrency", "最大并发数": "max_concurrency",
	"num prompts": "num_prompts", "number of prompts": "num_prompts", "prompts": "num_prompts", "requests": "num_prompts", "number of requests": "num_prompts", "total requests": "num_prompts",
	"请求数": "num_prompts", "总请求数": "num_prompts", "请求数量": "num_prompts",
	"request rate": "request_rate", "qps": "request_rate", "rps": "request_rate", "请求速率": "request_rate",
	"seed": "seed", "random seed": "seed", "随机种子": "seed",
	"power mode": "power_mode", "nv power mode": "power_mode", "功率模式": "power_mode", "功耗模式": "power_mode",
	"load": "load", "负载": "load", "scenario": "scenario", "workload": "scenario", "场景": "scenario", "测试场景": "scenario",
	"date": "date", "test date": "date", "日期": "date", "测试日期": "date", "测试时间": "date",
	"tensor parallel": "parallelism", "tensor parallelism": "parallelism", "tensor parallel size": "parallelism", "tp": "parallelism",
}

var (
	keyValue   = lazy.Regexp(`^([^:：=]{1,40}?)\s*[:：=]\s*(.*)$`)
	separator  = lazy.Regexp(`\s*[,，;；]\s*`)
	wholeNum   = lazy.Regexp(`^(\d[\d,]*)(?:\D|$)`)
	decimalNum = lazy.Regexp(`(?i)^(\d+(?:\.\d+)?|inf)(?:[^\d.]|$)`)
	versionNum = lazy.Regexp(`(?i)^v?(\d+\.\d+(?:\.\d+)*(?:[-+.]?[a-z0-9]+)*)(?:[\s,;)]|$)`)
	several    = lazy.Regexp(`^(\d{1,3}) ?[x×*] ?([^\d\s].*)$`)
	dayOnly    = lazy.Regexp(`^(\d{4}-\d{2}-\d{2})\b`)
	imageName  = lazy.Regexp(`^[\w.-]+(?:[/:@][\w.-]+)+$`)
	ggufFile   = lazy.Regexp(`([\w.-]+?)[-_.](I?Q\d_(?:K_)?[A-Z0-9]+|BF16|F16)\.gguf\b`)
	demands    = lazy.Regexp(`(?i)requir|or later|or newer|and above|at least|minimum|upgrade|supported (?:in|since)|需要|要求|以上|及更高|[<>]=?|~=`)
)

// statementFacts parses a line "key: value", or several of these separated by commas. It returns nil if a key is
// unknown or its value makes no sense.
func statementFacts(text string) []stated {
	if parts := separator().Split(text, -1); len(parts) > 1 {
		var all []stated
		for _, part := range parts {
			one := oneStatement(part)
			if one == nil {
				all = nil
				break
			}
			all = append(all, one...)
		}
		if all != nil {
			return all
		}
	}
	return oneStatement(text)
}

func oneStatement(text string) []stated {
	if m := noSetting().FindStringSubmatch(text); m != nil && m[0] == text {
		return []stated{{facet: facet{label: settingLabel(m[1])}}}
	}
	m := keyValue().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	label, when := keyLabel(m[1])
	if label == "" {
		return nil
	}
	value := strings.TrimSpace(strings.Trim(strings.TrimSpace(m[2]), "`*\"'"))
	if value == "" || strings.Contains(value, "...") || strings.Contains(value, "…") || placeholder(value) {
		return nil
	}
	var out []stated
	for _, f := range valueFacets(label, value) {
		out = append(out, stated{f, when})
	}
	return out
}

// isKey reports whether the words are the key of a line without a value, such as "vLLM version:".
func isKey(words string) bool {
	label, _ := keyLabel(words)
	return label != ""
}

// keyLabel returns the label for a key. A load at the beginning of the key becomes a condition.
func keyLabel(key string) (string, []facet) {
	key = strings.ToLower(strings.Join(strings.FieldsFunc(key, func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '\t'
	}), " "))
	if label, ok := keys[key]; ok {
		return label, nil
	}
	for _, p := range patterns {
		if p.label != "load" {
			continue
		}
		at := p.re().FindStringIndex(key)
		if at == nil || at[0] != 0 {
			continue
		}
		for end := at[1]; end > 0; end-- { // "高负载并发数": the load may have matched a part of the key
			if label, ok := keys[strings.TrimSpace(key[end:])]; ok && p.re().MatchString(key[:end]) {
				return label, []facet{{label: "load", value: p.value}}
			}
		}
	}
	return "", nil
}

// valueFacets converts the value of a key into facets. It returns none if the value is invalid.
func valueFacets(label, value string) []facet {
	one := func(v string) []facet { return []facet{{label: label, value: v}} }
	switch label {
	case "model":
		models, _ := modelsIn(value)
		if models = unambiguous(models); len(models) == 1 {
			return models
		}
	case "quantization":
		if q := quantizationIn(value); q != "" {
			return one(q)
		}
	case "hardware":
		if m := several().FindStringSubmatch(value); m != nil {
			return append(valueFacets(label, m[2]), facet{label: "accelerators", value: m[1]})
		}
		if len([]rune(value)) <= 60 {
			return one(value)
		}
	case "vllm", "sglang":
		if m := versionNum().FindStringSubmatch(value); m != nil {
			return []facet{{label: "engine", value: label}, {label: "engine_version", value: m[1]}}
		}
	case "engine":
		if engine, _ := engineIn(value); engine != nil {
			return engine
		}
		if !strings.Contains(value, " ") {
			return one(engineName(value))
		}
	case "engine_version":
		if m := versionNum().FindStringSubmatch(value); m != nil {
			return one(m[1])
		}
	case "image":
		if imageName().MatchString(value) {
			return one(value)
		}
	case "input_len", "output_len", "max_concurrency", "num_prompts", "seed":
		if m := wholeNum().FindStringSubmatch(value); m != nil {
			return one(strings.ReplaceAll(m[1], ",", ""))
		}
	case "request_rate":
		if m := decimalNum().FindStringSubmatch(value); m != nil {
			return one(strings.ToLower(m[1]))
		}
	case "parallelism":
		if m := wholeNum().FindStringSubmatch(value); m != nil {
			return one("tp" + m[1])
		}
	case "power_mode", "load", "scenario":
		facets := facetsOf(value, false)
		if label == "load" && facets == nil {
			facets = facetsOf(value+" load", false)
		}
		if s, ok := scenarioIn(value + " scenario"); ok && label == "scenario" {
			facets = []facet{{label: label, value: s}}
		}
		if len(facets) > 0 && facets[0].label == label {
			return facets
		}
	case "date":
		if m := dayOnly().FindStringSubmatch(value); m != nil {
			return one(m[1])
		}
	case "dataset":
		if !strings.ContainsAny(value, " ,;") {
			return one(strings.ToLower(value))
		}
	}
	return nil
}

// stem is a condition: the model's name begins with the value.
const stem = "model stem"

// inlineFacts finds facts mentioned in passing: "tested with vLLM 0.6.3". A requirement ("vLLM 0.11 or later") says
// nothing about the runs.
func inlineFacts(text string) []stated {
	var out []stated
	// The version must have two dots: "vLLM 0.6 was slower" may be about anything.
	if engine, all := engineIn(text); engine != nil && !demands().MatchString(text) && strings.Count(all, ".") >= 2 {
		for _, f := range engine {
			out = append(out, stated{facet: f})
		}
	}
	if m := ggufFile().FindStringSubmatch(text); m != nil {
		// A model has many such files, so this applies to that model only.
		out = append(out, stated{facet{label: "quantization", value: quantizationName(m[2])}, []facet{{label: stem, value: m[1]}}})
	}
	return out
}
