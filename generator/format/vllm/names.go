package vllm

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// serveRows maps the labels of rows, in lower case and without the unit, to metrics. Latencies are not listed: they are
// recognised by statistic and family.
var serveRows = map[string]string{
	"successful requests":          "requests_completed",
	"failed requests":              "requests_failed",
	"benchmark duration":           "duration",
	"total input tokens":           "input_tokens",
	"total generated tokens":       "output_tokens",
	"request throughput":           "request_throughput",
	"request goodput":              "goodput",
	"input token throughput":       "input_throughput",
	"output token throughput":      "output_throughput",
	"peak output token throughput": "peak_output_throughput",
	"peak concurrent requests":     "peak_concurrency",
	"total token throughput":       "total_throughput",
	"overall token throughput":     "total_throughput", // JetStream's word
	"acceptance rate":              "acceptance_rate",
	"acceptance length":            "acceptance_length",
}

// otherServeRows maps the rows that are settings, heads of groups, or metrics of SGLang's table.
var otherServeRows = map[string]draft.Meaning{
	"maximum request concurrency":   {Kind: draft.KindLabel, Name: "max_concurrency"},
	"request rate configured (rps)": {Kind: draft.KindLabel, Name: "request_rate"},
	"per-position acceptance (%)":   {Kind: draft.KindGroup, Name: "x_per_position_acceptance", Unit: "%"},

	"model":        {Kind: draft.KindLabel, Name: "model_raw"}, // these four: SGLang's benchmark of diffusion models
	"dataset":      {Kind: draft.KindLabel, Name: "dataset"},
	"task":         {Kind: draft.KindLabel, Name: "x_task"},
	"request rate": {Kind: draft.KindLabel, Name: "request_rate"},

	"input request rate (req/s)": {Kind: draft.KindLabel, Name: "request_rate"}, // in the benchmark of MAX

	"backend":                  {Kind: draft.KindLabel, Name: "backend", Sglang: draft.SglangFirst},
	"traffic request rate":     {Kind: draft.KindLabel, Name: "request_rate", Sglang: draft.SglangFirst},
	"max request concurrency":  {Kind: draft.KindLabel, Name: "max_concurrency", Sglang: draft.SglangRow},
	"max reqeuest concurrency": {Kind: draft.KindLabel, Name: "max_concurrency", Sglang: draft.SglangRow}, // sic, until SGLang 0.4.6
	"total generated tokens (retokenized)": {Kind: draft.KindMetric, Name: "x_total_generated_tokens_retokenized", Unit: "tok",
		Sglang: draft.SglangRow},
	"total input text tokens":            {Kind: draft.KindMetric, Name: "x_total_input_text_tokens", Unit: "tok", Sglang: draft.SglangRow},
	"total input vision tokens":          {Kind: draft.KindMetric, Name: "x_total_input_vision_tokens", Unit: "tok", Sglang: draft.SglangRow},
	"last generation throughput (tok/s)": {Kind: draft.KindMetric, Name: "x_last_generation_throughput", Unit: "tok/s", Sglang: draft.SglangRow},
}

// sglangRows maps rows that only SGLang's table has to metrics. The concurrency is measured: it is the sum of the
// latencies divided by the duration.
var sglangRows = map[string]string{
	"accept length": "acceptance_length",
	"concurrency":   "effective_concurrency",
}

// serveKeys maps the keys of the JSON to metrics.
var serveKeys = map[string]string{
	"duration":                      "duration",
	"completed":                     "requests_completed",
	"failed":                        "requests_failed",
	"total_input_tokens":            "input_tokens",
	"total_output_tokens":           "output_tokens",
	"request_throughput":            "request_throughput",
	"request_inthroughput":          "request_throughput", // sic, 0.3
	"request_goodput":               "goodput",
	"request_goodput:":              "goodput", // sic, 0.6.4 to 0.9.2 and forks
	"input_throughput":              "input_throughput",
	"output_throughput":             "output_throughput",
	"total_token_throughput":        "total_throughput",
	"max_output_tokens_per_s":       "peak_output_throughput",
	"max_concurrent_requests":       "peak_concurrency",
	"spec_decode_acceptance_rate":   "acceptance_rate",
	"spec_decode_acceptance_length": "acceptance_length",
}

// serveSettings maps the keys of the JSON that are settings and differ from the name of the argument.
var serveSettings = map[string]string{
	"date":         "date",
	"model_id":     "model_raw",
	"tokenizer_id": "tokenizer",
}

// serveRow returns the meaning of a row's printed label. The figure is in the unit in brackets. If that differs from
// the metric's unit, the figure is converted or gets a name of its own.
func serveRow(field string) draft.Meaning {
	lower := strings.ToLower(strings.Join(strings.Fields(field), " "))
	if m, ok := otherServeRows[lower]; ok {
		m.Field = field
		return m
	}
	if arg, ok := draft.Arguments[draft.Snake(lower)]; ok { // written by forks, such as "Max Concurrency"; a setting
		return draft.Meaning{Kind: draft.KindLabel, Field: field, Name: arg.Label}
	}
	base, unit := lower, ""
	if i := strings.LastIndex(lower, " ("); i >= 0 && strings.HasSuffix(lower, ")") {
		base, unit = lower[:i], field[strings.LastIndex(field, "(")+1:len(field)-1]
	}
	name, known := serveRows[base]
	if !known {
		statistic, family, _ := strings.Cut(base, " ")
		switch {
		case statistic == "latency": // for an image or a video: "Latency Mean (s)"
			statistic, family = family, "e2el"
		case family == "request latency": // MAX's name
			family = "e2el"
		}
		name, known = draft.LatencyName(statistic, family)
	}
	if m, ok := draft.MetricIn(unit, name); ok && known {
		m.Field = field
		if strings.Contains(base, "e2e latency") {
			m.Sglang = draft.SglangRow
		}
		return m
	}
	if name, ok := sglangRows[base]; ok && unit == "" {
		def, _ := vocabulary.Define(name)
		return draft.Meaning{Kind: draft.KindMetric, Field: field, Name: name, Unit: def.Unit, Better: def.Better, Sglang: draft.SglangRow}
	}
	if _, per, ok := strings.Cut(base, "/"); ok && unit != "" {
		unit += "/" + strings.ToUpper(per)
	}
	percentile := strings.HasPrefix(base, "p") && len(base) > 1 && scan.IsDigit(base[1])
	return draft.Meaning{Field: field, Name: "x_" + draft.Snake(base), Unit: unit, Closing: percentile || base == "canvas positions evaluated"}
}

// serveKey returns the meaning of a key of the JSON. A latency without "_ms" is in seconds.
func serveKey(field string) draft.Meaning {
	if name, ok := serveSettings[field]; ok {
		return draft.Meaning{Kind: draft.KindLabel, Field: field, Name: name}
	}
	if arg, ok := draft.Arguments[field]; ok {
		return draft.Meaning{Kind: draft.KindLabel, Field: field, Name: arg.Label}
	}
	if name, ok := draft.SettingName(field); ok {
		return draft.Meaning{Kind: draft.KindLabel, Field: field, Name: name}
	}
	if name, ok := serveKeys[field]; ok {
		def, _ := vocabulary.Define(name)
		m, _ := draft.MetricIn(def.Unit, name)
		m.Field = field
		return m
	}
	base, unit := field, "s"
	if rest, ok := strings.CutSuffix(field, "_ms"); ok {
		base, unit = rest, "ms"
	}
	statistic, family, _ := strings.Cut(base, "_")
	if name, ok := draft.LatencyName(statistic, family); ok {
		m, _ := draft.MetricIn(unit, name)
		m.Field = field
		return m
	}
	switch {
	case unit == "ms":
	case strings.HasSuffix(field, "(%)"): // correct_rate(%)
		unit = "%"
	case strings.HasSuffix(field, "_s") && !strings.HasSuffix(field, "_per_s"):
	default:
		unit = ""
	}
	return draft.Meaning{Field: field, Name: "x_" + draft.Snake(field), Unit: unit}
}
