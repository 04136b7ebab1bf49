package format

import (
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// meaning is what a row of vLLM's table, or a key of its JSON, stands for.
type meaning struct {
	kind    meaningKind
	field   string // as the tool writes it
	name    string // of the metric or label
	unit    string
	better  result.Better
	shift   int8 // power of ten from the tool's unit to ours
	closing bool // a table may end with it
	sglang  sign // whose table it shows
}

// sign tells whether a row shows that a table is SGLang's.
type sign uint8

const (
	anyones     sign = iota
	sglangFirst      // as the first row
	sglangRow        // wherever it stands
)

type meaningKind uint8

const (
	isUnknown meaningKind = iota // a metric or a label of the tool's own
	isMetric
	isLabel
	isGroup // heads the rows below it
)

// serveRows are the rows with a name of their own here, in small letters and
// without the unit. Latencies are told by statistic and family.
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

// otherServeRows are the rows that are no figures, with their unit.
var otherServeRows = map[string]meaning{
	"maximum request concurrency":   {kind: isLabel, name: "max_concurrency"},
	"request rate configured (rps)": {kind: isLabel, name: "request_rate"},
	"per-position acceptance (%)":   {kind: isGroup, name: "x_per_position_acceptance", unit: "%"},

	"model":        {kind: isLabel, name: "model_raw"}, // these four in SGLang's benchmark of diffusion models
	"dataset":      {kind: isLabel, name: "dataset"},
	"task":         {kind: isLabel, name: "x_task"},
	"request rate": {kind: isLabel, name: "request_rate"},

	"backend":                  {kind: isLabel, name: "x_backend", sglang: sglangFirst},
	"traffic request rate":     {kind: isLabel, name: "request_rate", sglang: sglangFirst},
	"max request concurrency":  {kind: isLabel, name: "max_concurrency", sglang: sglangRow},
	"max reqeuest concurrency": {kind: isLabel, name: "max_concurrency", sglang: sglangRow}, // sic, until SGLang 0.4.6
	"total generated tokens (retokenized)": {kind: isMetric, name: "x_total_generated_tokens_retokenized", unit: "tok",
		sglang: sglangRow},
	"total input text tokens":            {kind: isMetric, name: "x_total_input_text_tokens", unit: "tok", sglang: sglangRow},
	"total input vision tokens":          {kind: isMetric, name: "x_total_input_vision_tokens", unit: "tok", sglang: sglangRow},
	"last generation throughput (tok/s)": {kind: isMetric, name: "x_last_generation_throughput", unit: "tok/s", sglang: sglangRow},
}

// sglangRows are rows of SGLang's table alone that have a name here, in any
// unit. The concurrency is measured: the sum of the latencies over the duration.
var sglangRows = map[string]string{
	"accept length": "acceptance_length",
	"concurrency":   "effective_concurrency",
}

// serveKeys are the keys of the JSON that have a metric's name here.
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

// serveSettings are the keys of the JSON that are settings of the run and not
// called as the argument is.
var serveSettings = map[string]string{
	"date":         "date",
	"model_id":     "model_raw",
	"tokenizer_id": "tokenizer",
}

// serveRow finds the meaning of a row's label as printed. A unit in brackets
// says what the figure is in; a figure in another unit than the one known is
// converted, or has a name of its own.
func serveRow(field string) meaning {
	lower := strings.ToLower(strings.Join(strings.Fields(field), " "))
	if m, ok := otherServeRows[lower]; ok {
		m.field = field
		return m
	}
	base, unit := lower, ""
	if i := strings.LastIndex(lower, " ("); i >= 0 && strings.HasSuffix(lower, ")") {
		base, unit = lower[:i], field[strings.LastIndex(field, "(")+1:len(field)-1]
	}
	name, known := serveRows[base]
	if !known {
		statistic, family, _ := strings.Cut(base, " ")
		if statistic == "latency" { // of an image or a video: "Latency Mean (s)"
			statistic, family = family, "e2el"
		}
		name, known = latencyName(statistic, family)
	}
	if m, ok := metricIn(unit, name); ok && known {
		m.field = field
		if strings.Contains(base, "e2e latency") {
			m.sglang = sglangRow
		}
		return m
	}
	if name, ok := sglangRows[base]; ok && unit == "" {
		def, _ := vocabulary.Define(name)
		return meaning{kind: isMetric, field: field, name: name, unit: def.Unit, better: def.Better, sglang: sglangRow}
	}
	if _, per, ok := strings.Cut(base, "/"); ok && unit != "" {
		unit += "/" + strings.ToUpper(per)
	}
	percentile := strings.HasPrefix(base, "p") && len(base) > 1 && isDigit(base[1])
	return meaning{field: field, name: "x_" + snake(base), unit: unit, closing: percentile || base == "canvas positions evaluated"}
}

// serveKey finds the meaning of a key of the JSON. A latency without "_ms" is
// in seconds.
func serveKey(field string) meaning {
	if name, ok := serveSettings[field]; ok {
		return meaning{kind: isLabel, field: field, name: name}
	}
	if arg, ok := arguments[field]; ok {
		return meaning{kind: isLabel, field: field, name: arg.label}
	}
	if name, ok := serveKeys[field]; ok {
		def, _ := vocabulary.Define(name)
		m, _ := metricIn(def.Unit, name)
		m.field = field
		return m
	}
	base, unit := field, "s"
	if rest, ok := strings.CutSuffix(field, "_ms"); ok {
		base, unit = rest, "ms"
	}
	statistic, family, _ := strings.Cut(base, "_")
	if name, ok := latencyName(statistic, family); ok {
		m, _ := metricIn(unit, name)
		m.field = field
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
	return meaning{field: field, name: "x_" + snake(field), unit: unit}
}

// metricIn is the meaning of a figure of a known metric in some unit.
func metricIn(unit, name string) (meaning, bool) {
	def, ok := vocabulary.Define(name)
	if !ok {
		return meaning{}, false
	}
	shift, ok := unitShift(unit, def.Unit)
	_, statistic, latency := vocabulary.Statistic(name)
	return meaning{kind: isMetric, name: name, unit: def.Unit, better: def.Better, shift: shift,
		closing: latency && strings.HasPrefix(statistic, "p")}, ok
}
