package format

import (
	"bytes"
	"strings"

	"benchpost/generator/bench"
)

// serveRow is what a row of the table means.
type serveRow struct {
	kind       rowKind
	field      string // the label as printed
	name       string // of the metric or label
	unit       string
	better     bench.Better
	shift      int8 // power of ten from the printed unit to ours
	percentile bool
	first      bool // as the first row it shows SGLang's table
}

type rowKind uint8

const (
	metricRow  rowKind = iota
	settingRow         // repeats an argument of the run
	groupRow           // heads the rows below it
	foreignRow         // stands in SGLang's table alone
	unknownRow
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
	"acceptance rate":              "acceptance_rate",
	"acceptance length":            "acceptance_length",
}

// otherServeRows are the rows that are no figures, with their unit.
var otherServeRows = map[string]serveRow{
	"maximum request concurrency":          {kind: settingRow, name: "max_concurrency"},
	"request rate configured (rps)":        {kind: settingRow, name: "request_rate"},
	"per-position acceptance (%)":          {kind: groupRow, name: "x_per_position_acceptance", unit: "%"},
	"backend":                              {kind: unknownRow, name: "x_backend", first: true},
	"traffic request rate":                 {kind: foreignRow},
	"max request concurrency":              {kind: foreignRow},
	"max reqeuest concurrency":             {kind: foreignRow}, // sic, until SGLang 0.4.6
	"total generated tokens (retokenized)": {kind: foreignRow},
	"total input text tokens":              {kind: foreignRow},
	"accept length":                        {kind: foreignRow},
	"mean e2e latency (ms)":                {kind: foreignRow},
}

// lookup gives the meaning of a label. Before 0.4.0 the unit stood after the
// value.
func (t *serveText) lookup(label, rest []byte) *serveRow {
	if g := t.block.group; g != nil && bytes.HasPrefix(label, []byte("Position ")) {
		return t.known(label, g.field, g)
	}
	if !t.block.table && len(rest) > 0 && bytes.IndexByte(label, '(') < 0 {
		return t.known(label, string(rest), nil)
	}
	if row, ok := t.rows[string(label)]; ok {
		return row
	}
	return t.known(label, "", nil)
}

// known resolves a label once. The unit after the value, or the head of the
// group, is part of what it means.
func (t *serveText) known(label []byte, with string, group *serveRow) *serveRow {
	key := t.in.intern(label)
	full := key
	if with != "" {
		full = key + "\t" + with
	}
	if row, ok := t.rows[full]; ok {
		return row
	}
	var row serveRow
	switch {
	case group != nil:
		row = serveRow{field: key, name: group.name + "_" + snake(strings.TrimPrefix(key, "Position ")), unit: group.unit}
	case with != "":
		row = resolveServeRow(key + " (" + with + ")")
		row.field = key
	default:
		row = resolveServeRow(key)
	}
	t.rows[full] = &row
	return &row
}

// resolveServeRow finds the meaning of a label as printed.
func resolveServeRow(field string) serveRow {
	lower := strings.ToLower(strings.Join(strings.Fields(field), " "))
	if row, ok := otherServeRows[lower]; ok {
		row.field = field
		return row
	}
	base, unit := lower, ""
	if i := strings.LastIndex(lower, " ("); i >= 0 && strings.HasSuffix(lower, ")") {
		base, unit = lower[:i], field[strings.LastIndex(field, "(")+1:len(field)-1]
	}
	name, known := serveRows[base]
	if !known {
		statistic, family, _ := strings.Cut(base, " ")
		name, known = latencyName(statistic, family)
	}
	if known {
		def, _ := bench.Define(name)
		if shift, ok := unitShift(unit, def.Unit); ok {
			_, statistic, latency := bench.Statistic(name)
			return serveRow{field: field, name: name, unit: def.Unit, better: def.Better, shift: shift,
				percentile: latency && strings.HasPrefix(statistic, "p")}
		}
	}
	if _, per, ok := strings.Cut(base, "/"); ok && unit != "" {
		unit += "/" + strings.ToUpper(per)
	}
	return serveRow{kind: unknownRow, field: field, name: "x_" + snake(base), unit: unit}
}
