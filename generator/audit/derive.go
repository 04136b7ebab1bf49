package audit

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Formulas returns, by name, the formulas of metrics that no tool reports.
func Formulas() map[string][]string {
	formulas := map[string][]string{}
	for _, m := range vocabulary.Metrics() {
		if m.Formulas != nil {
			formulas[m.Name] = m.Formulas
		}
	}
	return formulas
}

// derive adds derived metrics to a result, with their formula. It keeps what the tool itself reported.
func (a *Auditor) derive(r *result.Result, f facts) {
	var room [12]result.Metric // metrics of the many results grow only once
	derived := room[:0]
	addIn := func(unit, name string, value float64, decimals int8, formula int) {
		if _, ok := r.Metric(name); ok || math.IsNaN(value) || math.IsInf(value, 0) || value <= 0 {
			return
		}
		derived = append(derived, result.Metric{Kind: a.kind(derivation{name, unit, formula}), Value: value, Decimals: decimals})
	}
	add := func(name string, value float64, decimals int8, formula int) {
		addIn("", name, value, decimals, formula)
	}
	if n, exact, ok := inFlight(r, f); ok {
		formula := 0
		if !exact {
			formula = 1
		}
		add("effective_concurrency", n, 2, formula)
	}
	if tpot, ok := r.Metric("tpot_mean"); ok {
		add("interactivity", 1000/tpot.Value, 2, 0)
	}
	output, _ := r.Metric("output_throughput")
	total, _ := r.Metric("total_throughput")
	if n := r.Accelerators(); r.Counted() {
		add("output_throughput_per_accelerator", output.Value/n, 2, 0)
		add("total_throughput_per_accelerator", total.Value/n, 2, 0)
	}
	if step, ok := stepTime(r, f); ok && f.active > 0 && !f.contradicted() && f.fits() && !f.several {
		// A batch of several reads more experts in one step than one token does.
		if f.step == 1 && (!f.mixture || f.cap == 1) {
			add("effective_bandwidth", f.active/step.value*1000, 0, 0)
			add("mbu", 100*f.active/step.value*1000/f.bandwidth, 1, 0)
		}
	}
	if ttft, ok := r.Metric("ttft_mean"); ok {
		add("prefill_flops", 2*f.activated*f.input/ttft.Value*1000, 0, 0)
	}
	tokens, _ := r.Metric("output_tokens")
	perToken, _ := r.Metric("energy_per_output_token")
	if energy, ok := r.Metric("energy"); ok {
		perToken.Value = cmp.Or(perToken.Value, energy.Value/tokens.Value)
		add("energy_per_output_token", perToken.Value, 3, 0)
	} else if power, ok := r.Metric("power_mean"); ok {
		duration, _ := r.Metric("duration")
		perToken.Value = cmp.Or(perToken.Value, power.Value*duration.Value/tokens.Value)
		add("energy_per_output_token", perToken.Value, 3, 1)
	}
	add("output_tokens_per_joule", 1/perToken.Value, significant(1/perToken.Value), 0)
	if price, unit, ok := Price(r.Label("price_per_hour")); ok {
		second := price * r.Accelerators() / 3600
		for _, cost := range []struct {
			name  string
			value float64
		}{{"cost_per_million_output_tokens", second / output.Value * 1e6}, {"cost_per_million_total_tokens", second / total.Value * 1e6}} {
			addIn(unit, cost.name, cost.value, significant(cost.value), 0)
		}
		addIn("tok/"+unit, "output_tokens_per_currency", output.Value/second, 0, 0)
	}
	if len(derived) > 0 {
		r.Metrics = slices.Concat(r.Metrics, derived)
	}
}

// significant returns the number of decimals, at least two, with which a value has three significant digits.
func significant(v float64) int8 {
	if !(v > 0 && v < 1) {
		return 2
	}
	return int8(min(2-math.Floor(math.Log10(v)), 12))
}

// derivation is how a metric is computed: by which of its formulas, and in which unit; "" is the unit of the
// vocabulary.
type derivation struct {
	name, unit string
	formula    int
}

// derivedKinds has the kinds of derived metrics.
var derivedKinds result.Kinds[derivation]

// kind returns the kind of a derived metric, usually without access to the shared cache.
func (a *Auditor) kind(d derivation) *result.Kind {
	k := a.kinds[d]
	if k == nil {
		k = derivedKinds.Of(d, derivation.kind)
		if a.kinds == nil || len(a.kinds) == mostKinds {
			a.kinds = map[derivation]*result.Kind{}
		}
		a.kinds[d] = k
	}
	return k
}

// mostKinds limits the cache of an Auditor, because units are as written in files.
const mostKinds = 1000

func (d derivation) kind() result.Kind {
	row, _ := vocabulary.Lookup(d.name)
	return result.Kind{Name: d.name, Unit: cmp.Or(d.unit, row.Unit), Better: row.Better, Derived: true, Field: row.Formulas[d.formula]}
}

// Price parses "2.49 USD" as an amount and its currency.
func Price(s string) (amount float64, currency string, ok bool) {
	number, currency, ok := strings.Cut(strings.TrimSpace(s), " ")
	if !ok {
		return 0, "", false
	}
	amount, err := strconv.ParseFloat(number, 64)
	return amount, strings.TrimSpace(currency), err == nil && amount > 0 && strings.TrimSpace(currency) != ""
}

// Samples returns how many samples a percentile has and how many it needs: p99 needs a hundred, p95 twenty, p90
// ten, pN 1/(1 − N/100). For gaps between tokens, each output token counts as a sample. Both are 0 if the
// metric is not a percentile above the median, or if the number of samples is unknown.
func Samples(r *result.Result, metric string) (have, need int) {
	family, stat, ok := vocabulary.Statistic(metric)
	rank, isRank := Rank(stat)
	if !ok || !isRank || rank <= 50 || rank >= 100 {
		return 0, 0
	}
	count := "requests_completed"
	if family == "itl" {
		count = "output_tokens"
	}
	n, ok := r.Metric(count)
	if !ok || n.Value <= 0 {
		return 0, 0
	}
	return int(n.Value), Needed(rank)
}

// Needed returns how many samples a percentile above the median needs.
func Needed(rank float64) int { return int(math.Round(100 / (100 - rank))) }
