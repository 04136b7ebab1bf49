// Package column determines the meaning of column names in tables that no known tool writes: "Output tok/s", "P99 TTFT
// (ms)", "batch_size", "pp512".
package column

import (
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/result"
)

// Column is the meaning of a column.
type Column struct {
	Text, Name, Unit string
	Label            bool             // a setting or a text
	Speed            bool             // a speed or a latency; a result needs at least one
	Stream           bool             // the speed of one request at a time
	Positive         bool             // zero means not measured
	Ambiguous        bool             // a latency without unit
	Bare             bool             // tokens per second whose kind is not named
	Test             *draft.SpeedTest // the test whose speed it is, nil for no test
	Requests         bool             // requests per second, measured or asked for
}

// Of returns the meaning of a column name. A name without a known word is kept as x_ with its words.
func Of(text string) Column {
	words := Words(text)
	name, unit := Unit(words)
	c := Column{Text: text, Name: "x_" + strings.Join(words, "_"), Unit: unit}
	whole := joined(words)
	if len(words) == 0 {
		return Column{Text: text}
	}
	if label, ok := Labels[whole]; ok {
		c.Name, c.Label = label, true
		return c
	}
	if name, ok := draft.SettingName(whole); ok {
		c.Name, c.Label = name, true
		return c
	}
	if test, ok := draft.SpeedTestOf(name); ok && (unit == "" || unit == "tok/s") {
		c.Name, c.Unit, c.Test, c.Stream, c.Speed, c.Positive = test.Metric(), "tok/s", &test, true, true, true
		return c
	}
	if Spreads(c.Name) && (len(whole) > 2 || whole == "tp") {
		c.Label = true
		return c
	}
	if m, ok := named[whole]; ok {
		c.Name, c.Unit, c.Speed, c.Positive = m.name, m.unit, true, true
		return c
	}
	if count, ok := counts[whole]; ok {
		c.Name = count
		return c
	}
	if latency, ok := latencyOf(name); ok {
		c.Positive = true
		switch unit {
		case "ms", "s", "us":
			c.Name, c.Speed = latency, true
		case "":
			c.Ambiguous = true
		}
		return c
	}
	switch alone := joined(name); {
	case unit == "tok/s" && streams[alone] != "":
		c.Name, c.Stream, c.Speed, c.Positive = streams[alone], true, true, true
	case unit == "tok/s" && rates[alone] != "":
		c.Name, c.Speed, c.Positive = rates[alone], true, true
	case unit == "tok/s": // the kind of tokens is not known
		c.Speed, c.Positive, c.Bare = true, true, alone == "" || slices.Contains(bare, alone)
	case unit == "req/s" && requests[alone]:
		c.Name, c.Speed, c.Positive = "request_throughput", true, true
	case unit == "req/s":
		c.Requests = alone == ""
	case unit == "s" && durations[alone]:
		c.Name, c.Positive = "duration", true
	case (unit == "W" || unit == "mW") && powers[alone] != "":
		c.Name, c.Positive = powers[alone], true
	}
	return c
}

// Spreads reports whether a column is a number of accelerators, or a degree of parallelism.
func Spreads(name string) bool {
	name = strings.TrimPrefix(name, "x_")
	return result.CountsAccelerators(name) || result.DegreeNamed(name) != ""
}

// Words splits a name at everything that is neither letter nor digit.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), IsBetweenWords)
}

// joined returns a name in the form of the tables below. A Chinese name is joined without blanks, and without the last
// character of a rate (吞吐量), which may be omitted.
func joined(words []string) string {
	if isChinese(words) {
		return strings.TrimSuffix(strings.Join(words, ""), "量")
	}
	return strings.Join(words, "_")
}

func isChinese(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	})
}

// IsBetweenWords reports whether r separates words: it is neither a letter, a digit, a percent sign nor beyond ASCII.
func IsBetweenWords(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '%' || r > 0x7f)
}

// units lists the words at the end of a name that state its unit.
var units = []struct{ words, unit string }{
	{"tokens_per_second", "tok/s"}, {"tokens_per_sec", "tok/s"}, {"tokens_per_s", "tok/s"}, {"tok_per_second", "tok/s"},
	{"tok_per_sec", "tok/s"}, {"tok_per_s", "tok/s"}, {"toks_per_s", "tok/s"}, {"tokens_s", "tok/s"}, {"tok_s", "tok/s"},
	{"toks_s", "tok/s"}, {"t_s", "tok/s"}, {"tps", "tok/s"}, {"tok_sec", "tok/s"}, {"tokens_sec", "tok/s"}, {"token_s", "tok/s"},
	{"requests_s", "req/s"}, {"requests_sec", "req/s"}, {"requests_per_sec", "req/s"}, {"requests_per_second", "req/s"}, {"reqs_s", "req/s"},
	{"req_sec", "req/s"}, {"req_per_sec", "req/s"}, {"queries_s", "req/s"}, {"samples_s", "samples/s"}, {"images_s", "images/s"},
	{"req_per_s", "req/s"}, {"requests_per_s", "req/s"}, {"req_s", "req/s"}, {"rps", "req/s"}, {"qps", "req/s"},
	{"ms", "ms"}, {"ms_token", "ms"}, {"us", "us"}, {"s", "s"}, {"sec", "s"}, {"seconds", "s"}, {"毫秒", "ms"}, {"秒", "s"},
	{"mw", "mW"}, {"w", "W"}, {"watts", "W"}, {"mj", "mJ"}, {"j", "J"},
	{"tokens_秒", "tok/s"}, {"token_秒", "tok/s"}, {"tok_秒", "tok/s"},
	{"kb", "kB"}, {"mb", "MB"}, {"gb", "GB"}, {"mib", "MiB"}, {"gib", "GiB"}, {"bytes", "B"},
	{"mhz", "MHz"}, {"tflops", "TFLOP/s"}, {"gb_s", "GB/s"}, {"pct", "%"}, {"percent", "%"}, {"%", "%"},
}

// Unit splits a name into the name without its unit, and the unit. The unit is "" if the name has none.
func Unit(words []string) (name []string, unit string) {
	whole, longest := "_"+strings.Join(words, "_"), 0
	for _, u := range units {
		if before, ok := strings.CutSuffix(whole, u.words); ok && len(u.words) > longest && before[len(before)-1] == '_' {
			longest, unit = len(u.words), u.unit
		}
	}
	if longest == 0 {
		return words, ""
	}
	rest := strings.Trim(whole[:len(whole)-longest], "_")
	switch {
	case rest == "":
		return nil, unit
	case strings.HasSuffix(rest, "_per"): // tok_per_j
		return words, ""
	}
	return strings.Split(rest, "_"), unit
}

var families = map[string]string{
	"ttft": "ttft", "time_to_first_token": "ttft", "tpot": "tpot", "time_per_output_token": "tpot",
	"itl": "itl", "inter_token_latency": "itl", "e2e": "e2el", "e2el": "e2el", "e2e_latency": "e2el", "end_to_end_latency": "e2el",
	"req_latency": "e2el", "request_latency": "e2el",
	"first_token_latency": "ttft", "1st_token_latency": "ttft", "next_token_latency": "tpot", "rest_token_latency": "tpot", // Intel's tools
	"1st_token_avg_latency": "ttft", "2_avg_latency": "tpot", // "2+ avg latency (ms/token)"
}

// latencyOf returns the metric of a latency whose name has a statistic before or after it. A latency without a
// statistic is a mean.
func latencyOf(words []string) (string, bool) {
	if isChinese(words) {
		words = strings.Fields(latencyWords.Replace(joined(words)))
	}
	n := len(words)
	if n == 0 {
		return "", false
	}
	if family := families[strings.Join(words, "_")]; family != "" {
		return family + "_mean", true
	}
	for _, split := range [...][2][]string{{words[:1], words[1:]}, {words[n-1:], words[:n-1]}} {
		statistic, ok := draft.StatisticName(split[0][0])
		_, digits := scan.ParseFigure([]byte(split[0][0]), 0)
		if family := families[strings.Join(split[1], "_")]; ok && !digits && family != "" {
			return family + "_" + statistic, true
		}
	}
	return "", false
}

// latencyWords replaces the Chinese words for latencies and statistics, which need no blanks between them.
var latencyWords = strings.NewReplacer("平均", " mean ", "均值", " mean ", "中位数", " p50 ", "中位", " p50 ", "最大", " max ", "最小", " min ",
	"首token延迟", " ttft ", "首token时延", " ttft ", "首token时间", " ttft ", "首字延迟", " ttft ", "首字时延", " ttft ", "首字延遲", " ttft ", "首token延遲", " ttft ", "首词延迟", " ttft ", "首包延迟", " ttft ",
	"每token延迟", " tpot ", "每token时延", " tpot ", "token间延迟", " itl ", "token间时延", " itl ", "端到端延迟", " e2el ", "端到端时延", " e2el ",
	"ttft", " ttft ", "tpot", " tpot ", "itl", " itl ", "e2el", " e2el ", "p50", " p50 ", "p90", " p90 ", "p95", " p95 ", "p99", " p99 ")

// named lists names that all serving benchmarks write without a unit, always in the same unit.
var named = map[string]struct{ name, unit string }{
	"output_throughput":       {"output_throughput", "tok/s"},
	"output_token_throughput": {"output_throughput", "tok/s"},
	"rps_mean":                {"request_throughput", "req/s"},
	"achieved_rps":            {"request_throughput", "req/s"},
	"request_throughput":      {"request_throughput", "req/s"},
	"total_token_throughput":  {"total_throughput", "tok/s"},
}

// counts maps names to counts, and to the measured concurrency.
var counts = map[string]string{
	"completed": "requests_completed", "successful_requests": "requests_completed", "completed_requests": "requests_completed", "success_requests": "requests_completed",
	"failed_requests": "requests_failed", "concurrency_mean": "effective_concurrency", "mean_concurrency": "effective_concurrency",
	"total_input_tokens": "input_tokens", "total_output_tokens": "output_tokens", "total_generated_tokens": "output_tokens",
	"peak_concurrent_requests": "peak_concurrency", "peak_concurrent": "peak_concurrency",
	"成功请求数": "requests_completed", "失败请求数": "requests_failed", "峰值并发请求数": "peak_concurrency",
	"总输入tokens": "input_tokens", "总输入token数": "input_tokens", "总生成tokens": "output_tokens", "总输出tokens": "output_tokens", "总输出token数": "output_tokens",
}

// streams maps names to rates of one request at a time. The table rates has those of the whole system.
var streams = map[string]string{
	"decode": "decode_throughput", "prefill": "prefill_throughput", "generation": "decode_throughput", "prompt": "prefill_throughput",
	"decode_throughput": "decode_throughput", "prefill_throughput": "prefill_throughput",
	"tg": "decode_throughput", "pp": "prefill_throughput", "token_generation": "decode_throughput", "prompt_processing": "prefill_throughput",
	"text_generation": "decode_throughput", "prompt_eval": "prefill_throughput",
	"解码速度": "decode_throughput", "解碼速度": "decode_throughput", "decode速度": "decode_throughput", "生成速度": "decode_throughput",
	"预填充速度": "prefill_throughput", "prefill速度": "prefill_throughput", "提示词处理速度": "prefill_throughput", "prompt处理速度": "prefill_throughput",
}

// bare lists names of a rate that do not say what is counted.
var bare = []string{"throughput", "吞吐"}

var rates = map[string]string{
	"output": "output_throughput", "output_throughput": "output_throughput", "output_token_throughput": "output_throughput", "out": "output_throughput",
	"输出token吞吐": "output_throughput", "输出吞吐": "output_throughput",
	"input": "input_throughput", "input_throughput": "input_throughput", "input_token_throughput": "input_throughput",
	"peak_output_token_throughput": "peak_output_throughput",
	"total":                        "total_throughput", "total_throughput": "total_throughput", "total_token_throughput": "total_throughput",
	"总token吞吐": "total_throughput", "总吞吐": "total_throughput",
	"输入token吞吐": "input_throughput", "输入吞吐": "input_throughput", "峰值输出token吞吐": "peak_output_throughput",
}

// requests lists the names of request rates, durations the names of the run's time.
var (
	requests  = map[string]bool{"request_throughput": true, "req_throughput": true, "请求吞吐": true}
	durations = map[string]bool{"duration": true, "benchmark_duration": true, "test_duration": true, "测试持续时间": true, "测试时长": true}
)

var powers = map[string]string{
	"power": "power_mean", "avg_power": "power_mean", "mean_power": "power_mean", "power_avg": "power_mean", "power_mean": "power_mean",
	"max_power": "power_max", "peak_power": "power_max", "power_max": "power_max", "idle_power": "power_idle", "power_idle": "power_idle",
}

// Labels maps columns with settings of a row to labels.
var Labels = map[string]string{
	"model": "model_raw", "model_name": "model_raw", "model_id": "model_raw", "framework": "engine", "engine": "engine",
	"engine_version": "engine_version", "quant": "quantization", "quantization": "quantization",
	"concurrency": "max_concurrency", "conc": "max_concurrency", "max_concurrency": "max_concurrency", "num_concurrent": "max_concurrency",
	"batch": "batch_size", "batch_size": "batch_size", "bs": "batch_size",
	"random_input_len": "input_len", "random_input_length": "input_len", "random_output_len": "output_len", "random_output_length": "output_len",
	"input_length": "input_len", "output_length": "output_len",
	"input_len": "input_len", "isl": "input_len", "output_len": "output_len", "osl": "output_len", "max_tokens": "output_len",
	"max_request_concurrency": "max_concurrency", "maximum_request_concurrency": "max_concurrency", "concur": "max_concurrency",
	"concurrent_requests": "max_concurrency", "并发数": "max_concurrency", "并发": "max_concurrency", "並發數": "max_concurrency", "最大并发数": "max_concurrency",
	"模型": "model_raw", "模型名称": "model_raw", "量化": "quantization", "量化方式": "quantization", "引擎": "engine", "推理引擎": "engine", "推理框架": "engine",
	"显卡": "gpu", "线程数": "threads", "数据集": "dataset", "输入长度": "input_len", "输出长度": "output_len", "批大小": "batch_size", "总请求数": "num_prompts",
	"total_requests": "num_prompts", "num_requests": "num_prompts", "num_prompts": "num_prompts", "n_requests": "num_prompts", "n_req": "num_prompts",
	"request_rate": "request_rate", "configured_rps": "request_rate", "target_rps": "request_rate", "offered_rps": "request_rate", "seed": "seed", "dataset": "dataset",
	"threads": "threads", "ngl": "gpu_layers", "power_mode": "power_mode",
	"date": "date", "timestamp": "date", "datetime": "date",
	"prompt_tokens": "x_prompt_tokens", "gen_tokens": "x_gen_tokens", "n_prompt": "x_n_prompt", "n_gen": "x_n_gen",
	"ctx": "x_ctx", "context": "x_context", "context_len": "x_context_len", "ctx_len": "x_ctx_len", "depth": "x_depth",
	"prompt_len": "x_prompt_len", "run": "x_run", "rep": "x_rep", "trial": "x_trial", "iteration": "x_iteration",
	"device": "device", "device_name": "device", "gpu": "gpu", "num_params": "x_num_params", "active_params": "x_active_params",
}
