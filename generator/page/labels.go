package page

import (
	"cmp"
	"slices"

	"benchpost/generator/bench"
)

// labelGroup is a heading of a table of labels, and those that stand under it, in
// order.
type labelGroup struct {
	key   string
	names []string
}

// The labels of a run are set apart: what it was measured on and with, and what
// was measured. Labels that no group names stand under the last.
var (
	environment = []labelGroup{
		{"page.labels.machine", []string{"hardware", "accelerators", "parallelism", "memory", "memory_bandwidth", "compute_peak", "compute_type",
			"power_mode", "clocks", "power_scope", "price_per_hour", "price_date",
			"x_gpu", "x_gpus", "x_hardware", "x_device", "x_devices", "x_cpu", "x_cpus", "x_cpu_sockets", "x_arch"}},
		{"page.labels.software", []string{"tool", "tool_version", "engine", "engine_version", "image", "os", "driver", "cuda",
			"x_driver", "x_cuda", "x_cuda_toolkit", "x_kernel", "x_os", "x_image", "x_torch", "x_torch_cuda", "x_transformers_version", "x_git_hash"}},
	}
	setup = []labelGroup{
		{"page.labels.model", []string{"model", "model_raw", "base_model", "tokenizer", "quantization", "weight_size", "active_weight_size",
			"params", "active_params", "kv_cache_per_token", "x_model_type", "x_model_size", "x_model_n_params", "x_model_dtype"}},
		{"page.labels.load", []string{"load", "scenario", "dataset", "input_len", "output_len", "num_prompts", "max_concurrency", "request_rate",
			"burstiness", "seed", "ignore_eos", "prefix_caching", "speculative_decoding", "batch_size", "context_depth", "threads", "gpu_layers",
			"task", "quality_metric", "fewshot", "filter"}},
		{"page.labels.run", []string{"campaign", "phase", "repeat", "date", "published", "source", "status"}},
		{"page.labels.other", nil},
	}
)

// labelPlace is where a label stands.
type labelPlace struct {
	group *labelGroup
	order int
}

// labelPlaces finds the place of a label by its name.
var labelPlaces = func() map[string]labelPlace {
	places := map[string]labelPlace{}
	for _, groups := range [][]labelGroup{environment, setup} {
		for i := range groups {
			for order, name := range groups[i].names {
				places[name] = labelPlace{&groups[i], order}
			}
		}
	}
	return places
}()

// placeOf gives the place of a label: what was captured beside a run tells of the
// machine.
func placeOf(l *bench.Label) labelPlace {
	place, ok := labelPlaces[l.Name]
	switch {
	case ok:
	case l.Origin == bench.Captured:
		place = labelPlace{&environment[0], len(environment[0].names)}
	default:
		place = labelPlace{group: &setup[len(setup)-1]}
	}
	return place
}

// labels writes a table of the labels that stand under some headings, with where
// each is known from.
func (v *runView) labels(w *writer, groups []labelGroup, caption string) {
	p := v.p
	start := len(w.b)
	w.openScroll(p.Words(caption), p)
	w.tag(`<table class="facts"><thead><tr><th scope="col">`, p.Words("page.label"),
		`</th><th scope="col">`, p.Words("page.value"),
		`</th><th scope="col">`, p.Words("page.origin"),
		`</th><th scope="col">`, p.Words("page.source"), "</th></tr></thead>\n")
	empty := len(w.b)
	for i := range groups {
		v.labelGroup(w, &groups[i])
	}
	if len(w.b) == empty {
		w.b = w.b[:start]
		return
	}
	w.tag("</table></div>\n")
}

func (v *runView) labelGroup(w *writer, g *labelGroup) {
	type placed struct {
		order int
		label *bench.Label
	}
	var room [24]placed
	here := room[:0]
	for i := range v.known {
		if place := placeOf(&v.known[i]); place.group == g {
			here = append(here, placed{place.order, &v.known[i]})
		}
	}
	if len(here) == 0 {
		return
	}
	slices.SortStableFunc(here, func(a, b placed) int { return cmp.Compare(a.order, b.order) })
	w.tag(`<tbody><tr class="group"><th scope="rowgroup" colspan="4">`, v.p.Words(g.key), "</th></tr>\n")
	for _, one := range here {
		lb := one.label
		w.tag(`<tr><th scope="row" title="`)
		w.text(lb.Name)
		w.tag(`">`)
		w.text(v.p.Label(lb.Name))
		w.tag("</th><td>")
		w.text(v.l.value(lb.Name, lb.Value))
		w.tag(`</td><td class="origin">`, v.p.Words("origin."+lb.Origin.String()), `</td><td class="code">`)
		v.place(w, lb.Pos)
		w.tag("</td></tr>\n")
	}
	w.tag("</tbody>")
}

// known are the labels of a run, and its tool where that is no label.
func known(r *bench.Result) bench.Labels {
	if r.Tool == "" || r.Labels.Get("tool") != "" {
		return r.Labels
	}
	all := slices.Clone(r.Labels)
	all.Set(bench.Label{Name: "tool", Value: r.Tool, Origin: bench.Measured, Pos: r.Source})
	return all
}
